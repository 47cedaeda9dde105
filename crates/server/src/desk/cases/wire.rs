//! What the paths of cases send and take.

use std::collections::BTreeMap;

use desk::cases::caller_number::CallerNumber;
use desk::cases::{
    CaseFile, CaseState, Closing, EditedNote, FollowUp, ListedCase, NoteWords, Outcome, StoredCase,
};
use desk::{Account, AccountId};
use flow::{AbuseType, Agency, CaseNote};
use jiff::{SignedDuration, Timestamp};
use platform::TransferTo;
use redact::{Secret, expose_secret};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::names::Names;
use super::refusal::field;
use crate::call_record::{NOTHING_PROVIDED, UNREADABLE_TITLE, facts};
use crate::errors::ApiError;
use crate::settings::Settings;

/// The most characters that are taken.
pub const MOST_OF_A_TITLE: usize = 200;
pub const MOST_WORDS: usize = 4000;
const MOST_OF_A_SUMMARY: usize = 8000;

/// Somebody with an account.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct DeskPerson {
    pub id: Uuid,
    pub name: String,
}

/// A case as a list shows it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskCase {
    pub call_id: Uuid,
    /// `webCall`, `chat` or `elsewhere`: taken on the telephone or at a counter, and entered by hand.
    pub kind: &'static str,
    pub started_at: String,
    pub ended_at: String,
    pub duration_seconds: f64,
    /// Where it was brought to.
    pub agency: Option<&'static str>,
    pub urgent: bool,
    /// `waiting`, `taken` or `closed`.
    pub state: &'static str,
    /// It is in this state since.
    pub since: String,
    /// Who has it; of a closed case, who had it.
    pub taken_by: Option<DeskPerson>,
    /// It is the asking account's.
    pub yours: bool,
    /// How often it came back because nobody touched it.
    pub returned: u32,
    /// It waits after having come back.
    pub escalated: bool,
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = String)]
    pub title: Secret<String>,
    pub open_follow_ups: u32,
    /// When the first of these is due.
    pub next_due_at: Option<String>,
    /// `helped`, `referred`, `not-reached` or `no-action-needed`, once it is closed.
    pub outcome: Option<&'static str>,
    /// Its record is kept from being deleted.
    pub held: bool,
    /// When its record will be deleted by itself; none while it is held.
    pub deleted_at: Option<String>,
}

impl DeskCase {
    pub fn of(listed: &ListedCase, account: &Account, names: &Names, settings: &Settings) -> Self {
        let case = &listed.case;
        let title = case.title().cloned().unwrap_or_else(|| {
            let fixed = match case.content {
                Some(_) => NOTHING_PROVIDED,
                None => UNREADABLE_TITLE,
            };
            Secret::new(fixed.to_owned())
        });
        let lasted = case.ended_at.duration_since(case.started_at);
        Self {
            call_id: case.call_id.0,
            kind: case.kind.as_str(),
            started_at: case.started_at.to_string(),
            ended_at: case.ended_at.to_string(),
            duration_seconds: lasted.as_secs_f64().max(0.0),
            agency: case.agency.map(Agency::as_str),
            urgent: case.urgent,
            state: case.state.as_str(),
            since: case.since.to_string(),
            taken_by: case.taken_by.map(|by| names.person(by)),
            yours: case.state == CaseState::Taken && case.taken_by == Some(account.id),
            returned: case.returned,
            escalated: case.is_escalated(),
            title,
            open_follow_ups: listed.open_follow_ups,
            next_due_at: listed.next_due_at.map(|at| at.to_string()),
            outcome: case.closing.map(|Closing { outcome, .. }| outcome.as_str()),
            held: listed.held,
            deleted_at: deleted_at(case, listed.held, settings).map(|at| at.to_string()),
        }
    }
}

/// When a case's record is deleted by itself: when callers are told, or before, once it is closed.
pub fn deleted_at(case: &StoredCase, held: bool, settings: &Settings) -> Option<Timestamp> {
    if held {
        return None;
    }
    let kept = SignedDuration::try_from(settings.records_kept).ok()?;
    let at_the_latest = case.ended_at.checked_add(kept).ok()?;
    Some(
        case.keep_until
            .map_or(at_the_latest, |at| at.min(at_the_latest)),
    )
}

/// The same for each outcome, if the case were closed now.
pub fn deleted_if_closed(
    file: &CaseFile,
    now: Timestamp,
    settings: &Settings,
) -> BTreeMap<&'static str, String> {
    let with = |outcome: &Outcome| {
        let closed = StoredCase {
            keep_until: Some(settings.closed_kept.until(now, *outcome)),
            ..file.case.clone()
        };
        let at = deleted_at(&closed, file.hold.is_some(), settings)?;
        Some((outcome.as_str(), at.to_string()))
    };
    Outcome::ALL.iter().filter_map(with).collect()
}

/// A note, the machine's or an officer's.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskCaseNote {
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = String)]
    pub summary_title: Secret<String>,
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = String)]
    pub summary: Secret<String>,
    pub structured_data: platform::StructuredData,
}

impl From<&CaseNote> for DeskCaseNote {
    fn from(note: &CaseNote) -> Self {
        Self {
            summary_title: note.summary_title.clone(),
            summary: note.summary.clone(),
            structured_data: facts(&note.structured_data),
        }
    }
}

impl From<&EditedNote> for DeskCaseNote {
    fn from(note: &EditedNote) -> Self {
        Self {
            summary_title: note.summary_title.clone(),
            summary: note.summary.clone(),
            structured_data: facts(&note.structured_data),
        }
    }
}

impl DeskCaseNote {
    /// Where neither the machine nor an officer wrote one that can be read.
    pub fn none(case: &StoredCase) -> Self {
        let fixed = |text: &str| Secret::new(text.to_owned());
        Self {
            summary_title: fixed(NOTHING_PROVIDED),
            summary: fixed(NOTHING_PROVIDED),
            structured_data: platform::StructuredData {
                name: fixed(UNKNOWN),
                urgent: case.urgent,
                location: fixed(UNKNOWN),
                follow_up: fixed(""),
                abuse_type: fixed(AbuseType::Other.as_str()),
                transfer_to: case
                    .agency
                    .and_then(|agency| agency.as_str().parse().ok())
                    .unwrap_or(TransferTo::NotApplicable),
                transferred: false,
                latest_incident_date: fixed(UNKNOWN),
            },
        }
    }
}

const UNKNOWN: &str = "Unknown";

/// A note as an officer wants it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskWrittenNote {
    #[schema(value_type = String, max_length = 200)]
    summary_title: Secret<String>,
    #[schema(value_type = String, max_length = 8000)]
    summary: Secret<String>,
    structured_data: platform::StructuredData,
}

impl DeskWrittenNote {
    pub fn words(self) -> Result<NoteWords, ApiError> {
        let data = self.structured_data;
        let abuse_type = serde_json::from_value(data.abuse_type.expose_secret().as_str().into());
        let abuse_type = abuse_type.map_err(|_| {
            let expected =
                "expected Physical, Sexual, Emotional, Psychological, Financial, Neglect or Other";
            field("structuredData.abuse_type", &expected)
        })?;
        for (path, words) in [
            ("structuredData.name", &data.name),
            ("structuredData.location", &data.location),
            ("structuredData.follow_up", &data.follow_up),
            (
                "structuredData.latest_incident_date",
                &data.latest_incident_date,
            ),
        ] {
            at_most(path, words, MOST_WORDS)?;
        }
        Ok(NoteWords {
            summary_title: some_words("summaryTitle", self.summary_title, MOST_OF_A_TITLE)?,
            summary: some_words("summary", self.summary, MOST_OF_A_SUMMARY)?,
            structured_data: flow::StructuredData {
                name: data.name,
                urgent: data.urgent,
                location: data.location,
                follow_up: data.follow_up,
                abuse_type,
                transfer_to: agency_of(data.transfer_to),
                transferred: data.transferred,
                latest_incident_date: data.latest_incident_date,
            },
        })
    }
}

fn agency_of(transfer: TransferTo) -> Option<Agency> {
    let mut all = Agency::ALL.into_iter();
    all.find(|agency| agency.as_str().parse() == Ok(transfer))
}

/// Something still to be done, or done.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskFollowUp {
    id: Uuid,
    /// `task` or `call-back`.
    kind: &'static str,
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = String)]
    words: Secret<String>,
    due_at: String,
    owner: Option<DeskPerson>,
    done: Option<DeskDone>,
    call_id: Uuid,
}

/// Who did something, and when.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskDone {
    pub by: DeskPerson,
    pub at: String,
}

impl DeskDone {
    pub fn of(by: AccountId, at: Timestamp, names: &Names) -> Self {
        Self {
            by: names.person(by),
            at: at.to_string(),
        }
    }
}

impl DeskFollowUp {
    pub fn of(follow_up: &FollowUp, names: &Names) -> Self {
        Self {
            id: follow_up.id,
            kind: follow_up.kind.as_str(),
            words: follow_up.words.clone(),
            due_at: follow_up.due_at.to_string(),
            owner: follow_up.owner.map(|owner| names.person(owner)),
            done: follow_up
                .done
                .map(|done| DeskDone::of(done.by, done.at, names)),
            call_id: follow_up.call_id.0,
        }
    }
}

/// The version that a change led to.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskCaseVersion {
    pub version: i64,
}

/// A time as it is sent.
pub fn moment(path: &str, text: &str) -> Result<Timestamp, ApiError> {
    let expected = "expected a time with its zone, such as 2026-11-24T20:00:00Z";
    text.parse().map_err(|_| field(path, &expected))
}

/// Words that must be there.
pub fn some_words(
    path: &str,
    words: Secret<String>,
    most: usize,
) -> Result<Secret<String>, ApiError> {
    if words.expose_secret().trim().is_empty() {
        return Err(field(path, &"expected some words"));
    }
    at_most(path, &words, most)?;
    Ok(words)
}

pub fn at_most(path: &str, words: &Secret<String>, most: usize) -> Result<(), ApiError> {
    match words.expose_secret().chars().count() <= most {
        true => Ok(()),
        false => Err(field(path, &format!("expected at most {most} characters"))),
    }
}

pub fn number(path: &str, text: &Secret<String>) -> Result<CallerNumber, ApiError> {
    CallerNumber::parse(text.expose_secret()).map_err(|problem| field(path, &problem))
}
