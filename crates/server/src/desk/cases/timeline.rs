//! What happened in a call and what was done with its case since, in one line of time: what is kept of each. How a hand-over
//! went is kept when the call is over; of a call whose server died meanwhile it is missing.

use desk::audit::Entry;
use desk::cases::{CaseAct, CaseFile, CaseKind, Did};
use desk::{AccountId, What};
use flow::EndReason;
use jiff::Timestamp;
use platform::log::{CallLogEvent, HandOverStep};
use records::{CallRecord, Role};
use redact::{Secret, expose_secret};
use serde::Serialize;
use turn::Unreached;
use utoipa::ToSchema;

use super::names::Names;
use crate::app::App;
use crate::call_steps::{self, OfOfficers, Step};
use crate::errors::ApiError;
use crate::records_unavailable::stored;

/// Entries of the audit trail that are looked through for one call. Views are among them.
const MOST_ENTRIES: u32 = 5000;

/// Something that happened.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskHappening {
    at: String,
    /// `Assistant`, `Server`, or a name.
    by: String,
    /// In a short English sentence.
    what: String,
    /// What somebody wrote with it.
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = Option<String>)]
    words: Option<Secret<String>>,
}

const ASSISTANT: &str = "Assistant";
const SERVER: &str = "Server";

struct Happened {
    at: Timestamp,
    by: String,
    what: String,
    words: Option<Secret<String>>,
}

impl Happened {
    fn new(at: Timestamp, by: impl Into<String>, what: impl Into<String>) -> Self {
        Self {
            at,
            by: by.into(),
            what: what.into(),
            words: None,
        }
    }
}

pub async fn timeline(
    app: &App,
    file: &CaseFile,
    record: Option<&CallRecord>,
    names: &Names,
) -> Result<Vec<DeskHappening>, ApiError> {
    let (cases, call) = (app.desk.cases(), file.case.call_id);
    let mut all = record.map(of_the_call).unwrap_or_default();
    let entries = stored(cases.entries_about(call, MOST_ENTRIES).await)?;
    all.extend(
        entries
            .iter()
            .filter_map(|entry| of_the_trail(entry, names)),
    );
    let steps = stored(call_steps::of_call(&app.resources, call).await)?;
    all.extend(steps.iter().filter_map(|step| of_a_step(step, names)));
    let acts = stored(cases.case_acts(call).await)?;
    all.extend(acts.into_iter().map(|act| of_the_case(act, file, names)));
    // What has the same time stays in the order of its source.
    all.sort_by_key(|happened| happened.at);
    let wire = all.into_iter().map(|happened| DeskHappening {
        at: happened.at.to_string(),
        by: happened.by,
        what: happened.what,
        words: happened.words,
    });
    Ok(wire.collect())
}

fn of_the_call(record: &CallRecord) -> Vec<Happened> {
    let is_a_call = record.kind == records::CallKind::WebCall;
    let began = match is_a_call {
        true => "The call began.",
        false => "The conversation began.",
    };
    let mut all = vec![Happened::new(record.started_at, SERVER, began)];
    let mut messages = record.messages.iter();
    if let Some(officer) = messages.find(|message| message.role == Role::Officer) {
        let after = std::time::Duration::try_from_secs_f64(officer.seconds_from_start);
        let at = record.started_at.saturating_add(after.unwrap_or_default());
        all.push(Happened::new(
            at.unwrap_or(record.started_at),
            SERVER,
            "A duty officer was first heard on the line.",
        ));
    }
    let Some(ended_at) = record.ended_at else {
        return all;
    };
    let why = record.ended_reason.map_or("", why);
    let over = match is_a_call {
        true => "The call ended",
        false => "The conversation ended",
    };
    all.push(Happened::new(ended_at, SERVER, format!("{over}{why}.")));
    if let Some(note) = &record.note {
        let brought = match note.structured_data.transfer_to {
            Some(agency) => format!(", for {agency}"),
            None => String::new(),
        };
        let urgent = match note.structured_data.urgent {
            true => ", urgent",
            false => "",
        };
        let wrote = format!("Wrote the note{brought}{urgent}.");
        all.push(Happened::new(ended_at, ASSISTANT, wrote));
    }
    all
}

fn why(reason: EndReason) -> &'static str {
    match reason {
        EndReason::AssistantEnded => ": the conversation was over",
        EndReason::Forwarded => ": the caller was handed on",
        EndReason::SilenceTimedOut => ": nobody spoke any more",
        EndReason::ExceededMaxDuration => ": it had gone on for as long as a call may",
        EndReason::CallerEnded => ": the caller left",
        EndReason::WorkerShutdown => ": it was cut off, and the caller did not come back",
        EndReason::Error => ": the line was lost",
    }
}

/// What officers did while the call was live.
fn of_the_trail(entry: &Entry, names: &Names) -> Option<Happened> {
    let what = match entry.hint() {
        Some(hint) => format!("Gave a hint: {}.", hint.label()),
        None => while_live(&entry.what)?.to_owned(),
    };
    let id: Option<AccountId> = entry
        .who
        .strip_prefix("account ")
        .and_then(|id| id.parse().ok());
    let by = id.map_or_else(|| SERVER.to_owned(), |id| names.of(id));
    Some(Happened::new(entry.moment()?, by, what))
}

fn while_live(done: &str) -> Option<&'static str> {
    let told = [
        (What::CallAccepted, "Accepted the call."),
        (What::CallDeclined, "Declined the call."),
        (What::ListenedIn, "Listened in."),
        (What::Coached, "Coached the officer."),
        (What::TookOver, "Took the call over."),
        (What::CallerPutOnHold, "Put the caller on hold."),
        (What::CallerTakenBack, "Took the caller back."),
        (What::CallLeft, "Left the call."),
        (What::Exported, "Took the record out as a file."),
    ]
    .map(|(what, words)| (what.as_str(), words));
    // As both stood there before they were told apart.
    let earlier = ("whispered", "Gave a hint, or coached the officer.");
    let mut told = told.into_iter().chain([earlier]);
    let told = told.find(|(what, _)| *what == done);
    told.map(|(_, words)| words)
}

/// How a hand-over went. Who accepted, declined or left is on the trail, with a name.
fn of_a_step(step: &Step, names: &Names) -> Option<Happened> {
    let CallLogEvent::HandOver {
        step: how,
        agency,
        mode,
        why,
    } = &step.event
    else {
        return None;
    };
    let (by, what) = match how {
        HandOverStep::Begun => {
            let mode = mode.as_ref().map(|mode| format!("{mode} "));
            let to = agency.as_ref().map(|agency| format!(" to {agency}"));
            let [mode, to] = [mode, to].map(Option::unwrap_or_default);
            (ASSISTANT, format!("Began a {mode}transfer{to}."))
        }
        HandOverStep::OfficersRung => (SERVER, rang(step.of.as_ref(), names)),
        HandOverStep::OfficerAccepted | HandOverStep::CallerOnHold => return None,
        HandOverStep::CallerOffHold => (
            SERVER,
            "Put the caller and the officer through to each other again.".to_owned(),
        ),
        HandOverStep::OfficerJoined => (
            SERVER,
            "Put a duty officer through to the caller.".to_owned(),
        ),
        HandOverStep::OfficerLeft => (SERVER, let_go(step.of.as_ref(), names)),
        HandOverStep::OfficersUnreached => {
            // A later version may keep others.
            let why = why.as_deref().and_then(Unreached::from_name);
            let why = why.map_or("", unreached);
            (SERVER, format!("Brought the assistant back{why}."))
        }
    };
    Some(Happened::new(step.at()?, by, what))
}

/// Steps that were kept before do not say who was rung.
fn rang(of: Option<&OfOfficers>, names: &Names) -> String {
    match of {
        Some(OfOfficers::RungFor { agency, officers }) => match listed(officers, names) {
            Some(who) => format!("Rang the duty officers for {agency} who could be rung: {who}."),
            None => format!("Found no duty officer for {agency} who could be rung."),
        },
        Some(OfOfficers::AllRung { officers }) => match listed(officers, names) {
            Some(who) => format!("Rang everybody on duty who could be rung: {who}."),
            None => "Found nobody else on duty who could be rung.".to_owned(),
        },
        Some(OfOfficers::AlsoRung { officer }) => {
            format!(
                "Rang {} as well, who could be rung now.",
                names.of(*officer)
            )
        }
        Some(OfOfficers::NeverCame { .. }) | None => "Rang duty officers.".to_owned(),
    }
}

fn let_go(of: Option<&OfOfficers>, names: &Names) -> String {
    match of {
        Some(OfOfficers::NeverCame { officer }) => format!(
            "Gave up waiting for {}, whose line did not come.",
            names.of(*officer)
        ),
        _ => "Let a duty officer's line go.".to_owned(),
    }
}

/// Their names, in the order of the alphabet; nothing where there are none.
fn listed(officers: &[AccountId], names: &Names) -> Option<String> {
    let mut all: Vec<String> = officers.iter().map(|officer| names.of(*officer)).collect();
    all.sort();
    match all.as_slice() {
        [] => None,
        [one] => Some(one.clone()),
        [first @ .., last] => Some(format!("{} and {last}", first.join(", "))),
    }
}

fn unreached(why: Unreached) -> &'static str {
    match why {
        Unreached::NobodyAnswered => ": no duty officer had answered",
        Unreached::AllDeclined => ": every duty officer had declined",
        Unreached::AcceptedInVain => {
            ": who had accepted did not reach the caller, nor did anybody else"
        }
        Unreached::LineDropped => ": the duty officer's line was lost",
    }
}

fn of_the_case(act: CaseAct, file: &CaseFile, names: &Names) -> Happened {
    let what = match act.did {
        Did::Made => "Put the case into the queue.",
        Did::Entered if file.case.kind == CaseKind::Elsewhere => {
            "Entered the call, which was taken elsewhere."
        }
        Did::Entered => "Entered the call.",
        Did::Took => "Took the case.",
        Did::GaveBack => "Gave the case back.",
        Did::Returned => "Put the case back into the queue, as nobody had touched it.",
        Did::EditedNote => "Edited the note.",
        Did::NotedAction => "Noted the action taken.",
        Did::ChangedNumber => "Changed the caller's number.",
        Did::AddedFollowUp => "Added a follow-up.",
        Did::ChangedFollowUp => "Changed a follow-up.",
        Did::DidFollowUp => "Did a follow-up.",
        Did::OpenedFollowUp => "Opened a follow-up again.",
        Did::Closed => "Closed the case.",
        Did::Reopened => "Opened the case again.",
        Did::Held => "Kept the record from being deleted.",
        Did::EndedHold => "Let the record be deleted at its time again.",
    };
    Happened {
        words: act.words,
        ..Happened::new(
            act.at,
            act.who
                .map_or_else(|| SERVER.to_owned(), |who| names.of(who)),
            what,
        )
    }
}
