//! `GET /api/desk/cases/{id}`: a case with everything in it. That it was read is on the audit trail.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use desk::cases::actions::actions;
use desk::cases::rules::{Work, check};
use desk::cases::{ActionTaken, CaseFile};
use desk::{Account, AccountId, Act};
use jiff::Timestamp;
use records::{CallRecord, Role};
use redact::{Secret, expose_secret};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::known;
use super::names::Names;
use super::refusal::refused;
use super::timeline::{DeskHappening, timeline};
use super::wire::{DeskCase, DeskCaseNote, DeskDone, DeskFollowUp, DeskPerson, deleted_if_closed};
use crate::app::App;
use crate::desk::signed::{SeeCase, Signed};
use crate::errors::{ApiError, ErrorAnswer};
use crate::evidence_links::Evidence;
use crate::records_unavailable::stored;

/// Cases of the same number that are shown beside a case.
const MOST_EARLIER: u32 = 20;

/// A case, and everything that is known of it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskCaseInside {
    case: DeskCase,
    /// Sent with a change: of two who change the same version, one is told.
    version: i64,
    /// The officers' version, or the machine's while there is no other.
    note: DeskCaseNote,
    machine_note: Option<DeskCaseNote>,
    note_edited: Option<DeskDone>,
    evidence: Vec<DeskEvidence>,
    messages: Vec<DeskCaseMessage>,
    /// What can be noted as done.
    actions: Vec<DeskAction>,
    action_taken: Option<DeskActionTaken>,
    /// Those that are due first before the others.
    follow_ups: Vec<DeskFollowUp>,
    timeline: Vec<DeskHappening>,
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = Option<String>)]
    caller_number: Option<Secret<String>>,
    /// Other cases of the same number that this account sees, the latest first.
    earlier: Vec<DeskCase>,
    hold: Option<DeskHold>,
    /// When its record would be deleted if it were closed now, by the outcome's code. Empty while it is on hold.
    deleted_if_closed: BTreeMap<&'static str, String>,
    may: DeskCaseMay,
}

/// A claim of the machine's note, and what it rests on.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskEvidence {
    claim: String,
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = String)]
    words: Secret<String>,
    /// Where in `messages` these words stand.
    message_index: Option<usize>,
    /// They are why the case is urgent.
    escalates: bool,
}

/// Something that was said.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskCaseMessage {
    /// `caller`, `assistant` or `officer`.
    speaker: &'static str,
    /// The name of the officer; none where their account is gone, or the record does not tell which one spoke.
    officer: Option<String>,
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = String)]
    text: Secret<String>,
    /// Seconds from the call's start.
    at: f64,
}

/// Something that an officer can have done.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskAction {
    code: &'static str,
    label: &'static str,
}

/// What was done.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskActionTaken {
    actions: Vec<String>,
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = String)]
    words: Secret<String>,
    by: DeskPerson,
    at: String,
}

impl DeskActionTaken {
    fn of(taken: &ActionTaken, names: &Names) -> Self {
        Self {
            actions: taken.actions.clone(),
            words: taken.words.clone(),
            by: names.person(taken.by),
            at: taken.at.to_string(),
        }
    }
}

/// Why a record is kept from being deleted.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskHold {
    by: DeskPerson,
    at: String,
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = String)]
    reason: Secret<String>,
}

/// What the asking account may do with the case as it stands.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeskCaseMay {
    take: bool,
    /// Its note, what was done, the caller's number, and new follow-ups.
    edit: bool,
    close: bool,
    reopen: bool,
    hold: bool,
}

impl DeskCaseMay {
    fn of(file: &CaseFile, account: &Account) -> Self {
        let may = |work| check(work, &file.case, account).is_ok();
        Self {
            take: may(Work::Take),
            edit: may(Work::Edit),
            close: may(Work::Close),
            reopen: may(Work::Reopen),
            hold: may(Work::Hold),
        }
    }
}

/// Shows a case.
#[utoipa::path(
    get,
    path = "/api/desk/cases/{id}",
    operation_id = "desk_case",
    tag = "desk",
    extensions(("x-act" = json!("see-case"))),
    params(("id" = Uuid, Path)),
    responses(
        (status = 200, body = DeskCaseInside),
        (status = 401, body = ErrorAnswer, description = "`not-signed-in`"),
        (status = 403, body = ErrorAnswer, description = "`role-forbids`"),
        (status = 404, body = ErrorAnswer, description = "`case-not-found`; `path-not-found`: there is no desk yet"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("desk-session" = []))
)]
pub async fn inside(
    State(app): State<App>,
    signed: Signed<SeeCase>,
    id: Result<Path<Uuid>, PathRejection>,
) -> Result<Json<DeskCaseInside>, ApiError> {
    let call = known(id)?;
    let account = signed.account();
    let file = match app.desk.view_case(account, call, Timestamp::now()).await {
        Ok(file) => file,
        Err(error) => return Err(refused(error, &app).await),
    };
    let record = stored(app.records.call(call).await)?;
    let names = Names::read(&app).await?;
    let timeline = timeline(&app, &file, record.as_ref(), &names).await?;
    let earlier = earlier(&app, &file, account, &names).await?;

    let content = file.case.content.clone().unwrap_or_default();
    let machine = record.as_ref().and_then(|record| record.note.as_ref());
    let machine_note = machine.map(DeskCaseNote::from);
    let edited = content.note.as_ref();
    let note = match (edited, machine) {
        (Some(edited), _) => DeskCaseNote::from(edited),
        (None, Some(machine)) => DeskCaseNote::from(machine),
        (None, None) => DeskCaseNote::none(&file.case),
    };
    let (messages, evidence) = record
        .as_ref()
        .map(|record| said(record, &names))
        .unwrap_or_default();
    let actions = actions(file.case.agency).into_iter();
    Ok(Json(DeskCaseInside {
        case: DeskCase::of(&file.listed(), account, &names, &app.settings),
        version: file.case.version,
        note,
        machine_note,
        note_edited: edited.map(|note| DeskDone::of(note.by, note.at, &names)),
        evidence,
        messages,
        actions: actions
            .map(|action| DeskAction {
                code: action.code,
                label: action.label,
            })
            .collect(),
        action_taken: content
            .action_taken
            .as_ref()
            .map(|taken| DeskActionTaken::of(taken, &names)),
        follow_ups: file
            .follow_ups
            .iter()
            .map(|follow_up| DeskFollowUp::of(follow_up, &names))
            .collect(),
        timeline,
        caller_number: content.caller_number,
        earlier,
        deleted_if_closed: deleted_if_closed(&file, Timestamp::now(), &app.settings),
        hold: file.hold.as_ref().map(|hold| DeskHold {
            by: names.person(hold.by),
            at: hold.at.to_string(),
            reason: hold.reason.clone(),
        }),
        may: DeskCaseMay::of(&file, account),
    }))
}

/// What was said, and where in it the note's claims stand.
fn said(record: &CallRecord, names: &Names) -> (Vec<DeskCaseMessage>, Vec<DeskEvidence>) {
    let mut messages = Vec::new();
    // Where each of the record's messages stands among those that are shown.
    let mut shown_at = Vec::new();
    for message in &record.messages {
        let speaker = match message.role {
            Role::User => "caller",
            Role::Bot => "assistant",
            Role::Officer => "officer",
            Role::System => {
                shown_at.push(None);
                continue;
            }
        };
        shown_at.push(Some(messages.len()));
        let officer = message.officer.map(|officer| AccountId(officer.0));
        messages.push(DeskCaseMessage {
            speaker,
            officer: officer.and_then(|officer| names.known(officer)),
            text: message.message.clone(),
            at: message.seconds_from_start,
        });
    }
    let Some(note) = &record.note else {
        return (messages, Vec::new());
    };
    let linked = Evidence::of(note, &record.messages).all.into_iter();
    let evidence = linked
        .zip(&note.evidence)
        .map(|(link, claim)| DeskEvidence {
            claim: link.claim,
            words: link.words,
            message_index: link.message_index.and_then(|index| shown_at[index]),
            escalates: claim.escalates,
        });
    (messages, evidence.collect())
}

async fn earlier(
    app: &App,
    file: &CaseFile,
    account: &Account,
    names: &Names,
) -> Result<Vec<DeskCase>, ApiError> {
    let Some(caller) = &file.case.caller else {
        return Ok(Vec::new());
    };
    let found = stored(app.desk.cases().cases_of_caller(caller, MOST_EARLIER).await)?;
    let others = found.into_iter().filter(|it| {
        let other = it.case.call_id != file.case.call_id;
        other && account.may_with(Act::SeeCase, it.case.whose())
    });
    Ok(others
        .map(|it| DeskCase::of(&it, account, names, &app.settings))
        .collect())
}
