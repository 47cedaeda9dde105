//! What a note says of a warm transfer for which duty officers were rung: what happened, and what is to be done now.

use crate::{
    Agency, TransferMode, Unreached,
    machine::{HandOver, Refused, Stands, State},
};

/// What happened, in one sentence; `None` where nobody was rung.
pub(super) fn plan(state: &State) -> Option<String> {
    if let Some(told) = taken_over(state) {
        return Some(told.to_owned());
    }
    let counts = state.hand_over_that_counts();
    let earlier = state
        .hand_overs
        .iter()
        .rfind(|it| counts.is_none_or(|counts| counts.transfer != it.transfer));
    let tried = earlier
        .and_then(|it| Some((it.joined, state.agency_of(it)?)))
        .map(|(joined, agency)| match joined {
            true => format!(", after a duty officer for {agency} whose line was lost"),
            false => format!(", after an earlier try for {agency} in which nobody was reached"),
        })
        .unwrap_or_default();
    let Some(hand_over) = counts else {
        // The last time nobody was on duty.
        let route = state.transfers.last().filter(|_| !tried.is_empty())?;
        let agency = route.agency;
        return Some(format!(
            "The caller was handed to {agency} by warm transfer{tried}."
        ));
    };
    let agency = state.agency_of(&hand_over)?;
    let happened = happened(state, &hand_over, agency);
    let number = number_told(state).filter(|_| hand_over.stands != Stands::Joined);
    let number = number.map(|told| format!("; {told}")).unwrap_or_default();
    let beside = state
        .transfers
        .last()
        .filter(|route| route.mode == TransferMode::Cold)
        .map(|route| {
            format!(
                "; with the caller's consent the case goes to {}",
                route.agency
            )
        })
        .unwrap_or_default();
    Some(format!("{happened}{tried}{number}{beside}."))
}

/// By a duty officer who was not rung, or not for this.
fn taken_over(state: &State) -> Option<&'static str> {
    match state.taken_over? {
        Stands::Joined => Some("A duty officer took the call over and joined the caller."),
        _ => Some("A duty officer took the call over, and the officer's line was lost."),
    }
}

fn happened(state: &State, hand_over: &HandOver, agency: Agency) -> String {
    match hand_over.stands {
        Stands::Ringing if state.ended.is_some() => format!(
            "Duty officers were being rung for {agency} when the call ended, and nobody had joined"
        ),
        Stands::Ringing => {
            format!("Duty officers are being rung for {agency}, and nobody has joined yet")
        }
        Stands::Joined => format!("A duty officer joined the caller by warm transfer to {agency}"),
        Stands::Unreached(Unreached::NobodyAnswered) => {
            format!("Duty officers were rung for {agency}, and nobody answered within the time")
        }
        Stands::Unreached(Unreached::AllDeclined) => {
            format!("Duty officers were rung for {agency}, and none of them took the call")
        }
        Stands::Unreached(Unreached::AcceptedInVain) => format!(
            "A duty officer accepted the call for {agency} and did not reach the caller, nor did anybody else"
        ),
        Stands::Unreached(Unreached::LineDropped) if hand_over.joined => {
            format!("A duty officer joined the call for {agency}, and the officer's line was lost")
        }
        Stands::Unreached(Unreached::LineDropped) => format!(
            "A duty officer took the call for {agency}, and the officer's line was lost before they joined"
        ),
        Stands::Stopped => format!(
            "Duty officers were being rung for {agency}, and the caller did not want to be connected any more"
        ),
    }
}

/// `None` where it was not asked.
fn number_told(state: &State) -> Option<String> {
    if let Some(number) = number(state) {
        let safe = match state.call_back_safe {
            Some(true) => "as a number that is safe to ring",
            _ => "as a number, and did not say that it is safe to ring",
        };
        let heard = match state.call_back_confirmed {
            true => ", said back to them and confirmed",
            false => "",
        };
        return Some(format!("the caller gave {number} {safe}{heard}"));
    }
    match state.refused.contains(&Refused::CallBack) {
        true => Some("asked for a safe number to ring, the caller gave no number".to_owned()),
        false => None,
    }
}

/// What is to be done first; none where nobody was rung and nobody took the call over.
pub(super) fn steps(state: &State) -> Vec<String> {
    if let Some(stands) = state.taken_over {
        let agency = state.transfers.last().map(|route| route.agency);
        let then = next_contact(agency).to_owned();
        return match stands {
            Stands::Joined => vec![
                "Ask the duty officer who took over what was agreed with the caller".to_owned(),
                then,
            ],
            _ => vec![LINE_LOST.to_owned(), ringing_back(state), then],
        };
    }
    let counts = state.hand_over_that_counts();
    let Some((hand_over, agency)) = counts.and_then(|it| Some((it, state.agency_of(&it)?))) else {
        return Vec::new();
    };
    let then = next_contact(Some(agency)).to_owned();
    let first = match hand_over.stands {
        Stands::Joined => {
            let agreed = "Ask the duty officer who joined what was agreed with the caller";
            return vec![agreed.to_owned(), then];
        }
        Stands::Stopped => {
            format!("Review this call first, as the caller stopped the transfer to {agency}")
        }
        _ if hand_over.joined => LINE_LOST.to_owned(),
        _ => format!("Review this call first, as no duty officer reached the caller for {agency}"),
    };
    vec![first, ringing_back(state), then]
}

const LINE_LOST: &str = "Review this call first, as the duty officer's line was lost";

fn next_contact(agency: Option<Agency>) -> &'static str {
    match agency {
        Some(Agency::Sos) => "Assess intent, plan and means at the next contact",
        _ => "Review immediate safety and who else is in the home",
    }
}

const RING_BACK_ON: &str = "Ring the caller back on ";
const WHICH_IS_SAFE: &str = ", which they gave as safe";

/// The number in the sentence of a note that says that the caller can be rung back.
pub(super) fn safe_number(follow_up: &str) -> Option<&str> {
    let (_, rest) = follow_up.split_once(RING_BACK_ON)?;
    let (number, _) = rest.split_once(WHICH_IS_SAFE)?;
    Some(number)
}

/// Whether and how the caller may be rung.
pub(super) fn ringing_back(state: &State) -> String {
    let refused = state.refused.contains(&Refused::CallBack);
    match (number(state), state.call_back_safe) {
        (Some(number), Some(true)) => {
            format!("{RING_BACK_ON}{number}{WHICH_IS_SAFE}")
        }
        (Some(number), _) => {
            format!("Ask first whether it is safe to talk if {number} is rung")
        }
        (None, _) if refused => "Do not ring the caller, who gave no safe number".to_owned(),
        (None, _) => "Ask first whether it is safe to talk if the caller is reached".to_owned(),
    }
}

fn number(state: &State) -> Option<String> {
    let number = state.call_back.as_ref()?;
    Some(in_groups(number.heard.value.0.expose_secret()))
}

/// A telephone number of eight digits in two groups, as it is read: "9123 4567".
pub(crate) fn in_groups(digits: &str) -> String {
    match digits.split_at_checked(4) {
        Some((first, last)) if !last.is_empty() => format!("{first} {last}"),
        _ => digits.to_owned(),
    }
}
