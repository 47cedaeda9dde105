//! Writing the note: title, summary in SOAP order, follow-up, fields.

use redact::Secret;

use super::{
    AbuseType, CaseNote, StructuredData,
    evidence::evidence,
    facts::{ANONYMOUS, Claim, Facts, quotable, tells_of_harm},
    hand_over, terms,
};
use crate::{
    Agency, EndReason, ToldSentence, TransferMode, Unfit, held,
    machine::{Refused, State},
    reading::{Age, Relation, Signal},
};

/// The note for what has been heard so far.
pub(crate) fn write(state: &State) -> CaseNote {
    let facts = Facts::of(state);
    CaseNote {
        summary_title: Secret::new(title(&facts)),
        summary: Secret::new(summary(state, &facts)),
        structured_data: StructuredData {
            name: Secret::new(facts.name.clone()),
            urgent: facts.urgent,
            location: Secret::new(facts.location.clone()),
            follow_up: Secret::new(follow_up(state, &facts)),
            abuse_type: facts.abuse_type,
            transfer_to: facts.agency,
            transferred: facts.transferred,
            latest_incident_date: Secret::new(facts.incident.clone()),
        },
        evidence: evidence(state, facts.urgent),
    }
}

pub(super) fn title(facts: &Facts) -> String {
    let has = |signal| facts.claims(signal);
    let others = facts.of_others;
    let text = match facts.agency {
        Some(Agency::Sos) if others => "Caller reports suicidal signs in someone else",
        Some(Agency::Sos) if has(Signal::OverdoseNow) => {
            "Caller reports an overdose and suicidal signs"
        }
        Some(Agency::Sos) if has(Signal::SelfHarmNow) => "Caller reports self-harm in progress",
        Some(Agency::Sos) if facts.tells(Signal::SuicidalDirect) => {
            "Caller reports thoughts of suicide"
        }
        Some(Agency::Sos) => "Caller shows suicidal signs",
        Some(Agency::Spf) if has(Signal::OwnViolence) => "Caller reports violence of their own",
        Some(Agency::Spf) if others => "Caller reports violence against someone else",
        Some(Agency::Spf) if has(Signal::Weapon) => "Caller reports violence with a weapon",
        Some(Agency::Spf) => "Caller reports violence in progress",
        Some(Agency::Sacc) => "Caller reports sexual assault",
        Some(Agency::Fsc) => "Caller seeks shelter away from home",
        Some(Agency::Dvert | Agency::Pave) if has(Signal::OwnViolence) => {
            "Caller reports violence of their own"
        }
        Some(Agency::Dvert) => "Caller reports violence by a spouse",
        Some(Agency::Pave) => "Caller reports violence at home",
        _ if has(Signal::OwnViolence) => "Caller reports violence of their own",
        _ if has(Signal::FinancialAbuse) && facts.abuse_type == AbuseType::Financial => {
            "Caller reports financial abuse"
        }
        _ if has(Signal::Neglect) && facts.abuse_type == AbuseType::Neglect => {
            "Caller reports neglect"
        }
        _ if has(Signal::EmotionalAbuse) && facts.abuse_type == AbuseType::Emotional => {
            "Caller reports emotional abuse"
        }
        _ if has(Signal::PsychologicalAbuse) => "Caller reports psychological abuse",
        _ if has(Signal::EmotionalAbuse) => "Caller reports emotional abuse",
        _ if has(Signal::FinancialAbuse) => "Caller reports financial abuse",
        _ if has(Signal::Neglect) => "Caller reports neglect",
        _ if facts.happened_long_ago(Signal::PhysicalAbuse) => "Caller speaks of violence long ago",
        _ if has(Signal::PhysicalAbuse) => "Caller reports physical violence",
        _ if has(Signal::ThirdParty) => "Caller is concerned for someone else",
        _ if has(Signal::Distress) || has(Signal::Fear) => "Caller in distress sought to talk",
        _ => "Caller sought someone to talk to",
    };
    text.to_owned()
}

/// Subjective, objective, assessment, plan: one sentence each, those with nothing to say left out
/// (never fewer than two).
fn summary(state: &State, facts: &Facts) -> String {
    if state.turns == 0 {
        return "The caller has not spoken. No risk could be assessed, and no transfer was made."
            .to_owned();
    }
    soap(
        state,
        facts,
        vec![subjective(state, facts)],
        objective(facts),
    )
}

fn soap(state: &State, facts: &Facts, told: Vec<String>, objective: Option<String>) -> String {
    let mut sentences = told;
    sentences.extend(objective);
    sentences.push(assessment(state, facts));
    sentences.push(plan(state, facts));
    sentences.join(" ")
}

/// The note with its first sentences told by somebody else, if they hold.
pub(crate) fn write_told(
    state: &State,
    sentences: &[ToldSentence],
    said: &[&str],
) -> Result<CaseNote, Unfit> {
    if state.turns == 0 {
        return Err(Unfit::NotSaid);
    }
    let facts = Facts::of(state);
    let known: Vec<String> = [subjective(state, &facts)]
        .into_iter()
        .chain(objective(&facts))
        .collect();
    let must_tell: Vec<(String, String)> = facts
        .claims
        .iter()
        .filter(|claim| facts.raises(claim) && !claim.undenied)
        .map(|claim| (claim_name(claim), claim.words.clone()))
        .collect();
    let told = held::told_well(
        sentences,
        &held::Told {
            said,
            known: &known.join(" "),
            must_tell: &must_tell,
        },
    )?;
    // What the flow has to tell beside that is told; a second sentence has its place only.
    let objective = objective(&facts);
    if objective.is_some() && told.len() > 1 {
        return Err(Unfit::TooLong);
    }
    Ok(CaseNote {
        summary: Secret::new(soap(state, &facts, told, objective)),
        ..write(state)
    })
}

fn subjective(state: &State, facts: &Facts) -> String {
    let age = match state.age.as_ref().map(|age| age.heard.value) {
        Some(Age::Years(years)) => format!(", aged {years},"),
        Some(Age::EighteenOrUnder) => ", aged 18 or under by their own account,".to_owned(),
        Some(Age::NineteenOrOver) => ", aged 19 or over by their own account,".to_owned(),
        None => String::new(),
    };
    let told: Vec<String> = facts.told().take(3).map(quoted).collect();
    if told.is_empty() {
        let no_harm = match facts.claims.is_empty() {
            true => " and reported no harm",
            false => "",
        };
        let opening = state
            .opening
            .as_ref()
            .map(|opening| format!(" (\"{}\")", quotable(opening.heard.words.expose_secret())))
            .unwrap_or_default();
        return format!("The caller{age} wanted to talk{opening}{no_harm}.");
    }
    format!("The caller{age} reported {}.", list(&told))
}

/// The claim with the words for it; a bare yes or no says that it answered a question.
fn quoted(claim: &Claim) -> String {
    const BARE: usize = 3;
    let asked = if claim.words.split(' ').count() <= BARE && answers(&claim.words) {
        " when asked"
    } else {
        ""
    };
    format!("{} (\"{}\"{asked})", claim_name(claim), claim.words)
}

fn answers(words: &str) -> bool {
    let first = words
        .split(|c: char| !c.is_alphanumeric())
        .find(|word| !word.is_empty())
        .unwrap_or_default()
        .to_lowercase();
    matches!(
        first.as_str(),
        "yes"
            | "ya"
            | "yah"
            | "yeah"
            | "yup"
            | "no"
            | "nope"
            | "not"
            | "ok"
            | "sometimes"
            | "maybe"
    )
}

fn claim_name(claim: &Claim) -> String {
    let name = terms::reported(claim.signal);
    if claim.undenied {
        format!("possible {name}")
    } else if claim.remote {
        format!("{name} long ago")
    } else {
        name.to_owned()
    }
}

fn objective(facts: &Facts) -> Option<String> {
    let mut heard = Vec::new();
    if let Some(safe) = &facts.safe {
        heard.push(format!("said that they were safe for now (\"{safe}\")"));
    }
    if let Some(denied) = facts.denied.first() {
        heard.push(format!("denied {}", quoted(denied)));
    }
    if facts.incident != "N/A" && facts.incident != "Not given" && facts.incident != ANONYMOUS {
        heard.push(format!(
            "gave the latest incident as {}",
            quotable(&facts.incident)
        ));
    }
    let undenied = facts.claims.iter().filter(|claim| claim.undenied);
    heard.extend(undenied.map(|claim| {
        let name = terms::reported(claim.signal);
        format!("gave no clear answer about {name} (\"{}\")", claim.words)
    }));
    let further: Vec<String> = facts.told().skip(3).map(claim_name).collect();
    if !further.is_empty() {
        heard.push(format!("also reported {}", list(&further)));
    }
    (!heard.is_empty()).then(|| format!("On the call they {}.", list(&heard)))
}

fn assessment(state: &State, facts: &Facts) -> String {
    let reasons: Vec<String> = facts
        .claims
        .iter()
        .filter(|claim| facts.raises(claim))
        .take(3)
        .map(claim_name)
        .collect();
    let risk = if facts.urgent && !reasons.is_empty() {
        format!("Assessed as urgent because of {}", list(&reasons))
    } else if facts.urgent {
        "Assessed as urgent".to_owned()
    } else {
        "Assessed as not urgent".to_owned()
    };
    let by = match state
        .abuser
        .as_ref()
        .filter(|_| tells_of_harm(state))
        .map(|abuser| abuser.heard.value)
    {
        Some(Relation::Spouse) => ", with a spouse or former spouse named",
        Some(Relation::Family) => ", with a family member or someone close named",
        _ => "",
    };
    match facts.agency {
        Some(agency) => format!("{risk}{by}, and matched to {agency}."),
        None => format!("{risk}{by}, with no agency called for."),
    }
}

fn plan(state: &State, facts: &Facts) -> String {
    if let Some(told) = hand_over::plan(state) {
        return told;
    }
    match (facts.agency, facts.mode, facts.transferred) {
        (Some(agency), ..) if facts.open.is_some() => format!(
            "The call ended before this could be made sure of, and the caller did not reach {agency}."
        ),
        (Some(agency), Some(TransferMode::Warm), true) => {
            format!("The caller was handed to {agency} by warm transfer.")
        }
        (Some(agency), _, true) => format!(
            "With the caller's consent the case goes to {agency}, and a counsellor is to reach out within the next working day."
        ),
        (Some(agency), ..) if state.noted_after_a_no == Some(agency) => {
            format!(
                "{agency} is for what was told after sharing the case was turned down, and nothing was shared."
            )
        }
        (Some(agency), ..) if state.declined.contains(&agency) => {
            format!(
                "The caller did not agree to share the case with {agency}, and nothing was shared."
            )
        }
        (Some(agency), ..) => format!("The transfer to {agency} was not completed."),
        (None, ..) => "No transfer was made.".to_owned(),
    }
}

/// Two to four things an officer can do.
fn follow_up(state: &State, facts: &Facts) -> String {
    let mut steps = hand_over::steps(state);
    let may_be_rung = state.call_back.is_none() && !state.refused.contains(&Refused::CallBack);
    let told = !steps.is_empty();
    match (facts.agency, facts.transferred) {
        _ if told => {}
        (Some(Agency::Sos), true) => {
            steps.push("Confirm with SOS that the caller was reached".into());
            steps.push("Assess intent, plan and means at the next contact".into());
        }
        (Some(Agency::Spf), true) => {
            steps.push("Confirm with SPF that officers reached the caller".into());
            steps.push("Review immediate safety and who else is in the home".into());
        }
        (Some(agency), true) => {
            steps.push(format!(
                "Have a counsellor from {agency} reach out within the next working day"
            ));
            steps.push(match &facts.contact {
                Some(contact) => format!("Reach the caller as they asked: \"{contact}\""),
                None if state.refused.contains(&Refused::Contact) => {
                    "Take care, as the caller named no safe way to be reached".into()
                }
                None => "Ask first whether it is safe to talk".into(),
            });
        }
        (Some(agency), false) if state.declined.contains(&agency) => {
            steps.push("Do not contact the caller, as consent to share was not given".into());
            steps.push(format!("Offer {agency} again if the caller rings back"));
        }
        (Some(agency), false) if facts.open.is_some() => {
            steps.push(format!(
                "Review this call first, as a danger for {agency} was told and not made sure of"
            ));
            steps.push("Ask first whether it is safe to talk if the caller is reached".into());
        }
        (Some(agency), false) => {
            steps.push(format!(
                "Review this call, as the transfer to {agency} was not completed"
            ));
            steps.push("Ask first whether it is safe to talk if the caller is reached".into());
        }
        (None, _) => {
            steps.push("No agency follow-up was agreed on this call".into());
            steps.push("Offer further support if the caller rings back".into());
        }
    }
    if !told && !may_be_rung {
        // Asked for on a supervisor's hint.
        steps.insert(0, hand_over::ringing_back(state));
    }
    if facts.claims(Signal::OverdoseNow)
        || facts.claims(Signal::SelfHarmNow)
        || facts.claims(Signal::Injury)
    {
        steps.push("Check that medical help was reached".into());
    } else if facts.claims(Signal::Strangulation) {
        steps.push("Advise a medical check, as strangulation was reported".into());
    } else if facts.claims(Signal::ThreatToKill) {
        steps.push("Assess lethality, as a threat to kill was reported".into());
    } else if facts.claims(Signal::Weapon) {
        steps.push("Assess lethality, as a weapon was reported".into());
    } else if facts.claims(Signal::Pregnant) {
        steps.push("Advise a medical check, as the caller is pregnant".into());
    } else if facts.claims(Signal::ChildAtRisk) {
        steps.push("Check on the safety of the children mentioned".into());
    }
    if facts.name == ANONYMOUS || facts.location == ANONYMOUS {
        steps.push("Respect the request for anonymity".into());
    } else if facts.transferred && (facts.name == "Unknown" || facts.location == "Unknown") {
        steps.push("Establish the details still missing from this note".into());
    }
    if was_cut_off(state) && state.declined.is_empty() && may_be_rung {
        steps.insert(
            0,
            "Call back if there is a safe number, as the line was cut off".into(),
        );
    }
    steps.truncate(4);
    format!("{}.", steps.join(". "))
}

/// Before the conversation had come to its end, by nobody's wish.
fn was_cut_off(state: &State) -> bool {
    matches!(
        state.ended,
        Some(EndReason::Error | EndReason::WorkerShutdown)
    )
}

/// "a", "a and b", "a, b and c".
fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
