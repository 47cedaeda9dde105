//! Cases into rows, what people wrote in them sealed, and back, for any database. What cannot be opened is left out, and the
//! warning says of which case it is: one value must not take the queue down.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use records::{CallId, DeskPart, RecordsKeys, StoreError};
use redact::Secret;
use uuid::Uuid;

use super::caller_number::CallerDigest;
use super::store::NewCaseAct;
use super::{CaseAct, CaseContent, Closing, Done, FollowUp, Hold, StoredCase};
use crate::account::AccountId;
use crate::store::unreadable;

/// The columns of a case in the order in which they are written.
pub(super) const COLUMNS: &str = "call_id, kind, started_at, ended_at, agency, urgent, state, since, taken_by, touched_at, \
                                  returned, outcome, closed_by, keep_until, caller, version, content";

/// Beside them, what a list shows.
pub(super) const LISTED: &str = "(SELECT count(*) FROM desk_follow_ups f WHERE f.call_id = desk_cases.call_id AND f.done_at IS NULL) \
                                 AS open_follow_ups, \
                                 (SELECT min(f.due_at) FROM desk_follow_ups f WHERE f.call_id = desk_cases.call_id \
                                 AND f.done_at IS NULL) AS next_due_at, \
                                 EXISTS (SELECT 1 FROM desk_holds h WHERE h.call_id = desk_cases.call_id) AS held";

/// The columns of a case that are not as its type has them.
pub(super) struct CaseRow {
    pub agency: Option<&'static str>,
    pub outcome: Option<&'static str>,
    pub closed_by: Option<AccountId>,
    pub caller: Option<String>,
    /// None: it is to stay as it is.
    pub content: Option<String>,
}

impl CaseRow {
    pub fn of(case: &StoredCase, keys: &RecordsKeys) -> Self {
        let content = case.content.as_ref().map(|content| {
            let content = serde_json::to_string(content);
            let content = content.expect("a content holds only strings, flags and lists");
            keys.seal_of_desk(case.call_id.0, DeskPart::CaseContent, &Secret::new(content))
        });
        Self {
            agency: case.agency.map(|agency| agency.as_str()),
            outcome: case.closing.map(|closing| closing.outcome.as_str()),
            closed_by: case.closing.map(|closing| closing.by),
            caller: case.caller.as_ref().map(|it| it.as_str().to_owned()),
            content,
        }
    }
}

/// A case's columns as they were read.
pub(super) struct ReadCase {
    pub call_id: CallId,
    pub kind: String,
    pub started_at: Timestamp,
    pub ended_at: Timestamp,
    pub agency: Option<String>,
    pub urgent: bool,
    pub state: String,
    pub since: Timestamp,
    pub taken_by: Option<AccountId>,
    pub touched_at: Timestamp,
    pub returned: i64,
    pub outcome: Option<String>,
    pub closed_by: Option<AccountId>,
    pub keep_until: Option<Timestamp>,
    pub caller: Option<String>,
    pub version: i64,
    pub content: Option<String>,
}

impl ReadCase {
    pub fn case(self, keys: &RecordsKeys) -> Result<StoredCase, StoreError> {
        let outcome = self.outcome.as_deref().map(parsed).transpose()?;
        let content = match self.content {
            None => Some(CaseContent::default()),
            Some(stored) => opened(keys, self.call_id.0, DeskPart::CaseContent, stored)
                .and_then(|content| read_content(self.call_id, &content)),
        };
        Ok(StoredCase {
            call_id: self.call_id,
            kind: parsed(&self.kind)?,
            started_at: self.started_at,
            ended_at: self.ended_at,
            agency: self.agency.as_deref().map(parsed).transpose()?,
            urgent: self.urgent,
            state: parsed(&self.state)?,
            since: self.since,
            taken_by: self.taken_by,
            touched_at: self.touched_at,
            returned: u32::try_from(self.returned).map_err(unreadable)?,
            closing: outcome
                .zip(self.closed_by)
                .map(|(outcome, by)| Closing { outcome, by }),
            keep_until: self.keep_until,
            caller: self.caller.map(CallerDigest),
            version: self.version,
            content,
        })
    }
}

fn read_content(call: CallId, content: &Secret<String>) -> Option<CaseContent> {
    let read = serde_json::from_str(content.expose_secret());
    if read.is_err() {
        // Not why: that could repeat what stands there.
        tracing::warn!(%call, "what officers wrote in a case cannot be read and is left out");
    }
    read.ok()
}

/// What is to be stored of an act's words.
pub(super) fn sealed_words(
    keys: &RecordsKeys,
    call: CallId,
    number: i64,
    act: &NewCaseAct,
) -> Option<String> {
    let words = act.words.as_ref()?;
    Some(keys.seal_of_desk(call.0, DeskPart::CaseAct(number), words))
}

/// One line of a history as it was read.
pub(super) struct ReadAct {
    pub number: i64,
    pub at: Timestamp,
    pub who: String,
    pub what: String,
    pub words: Option<String>,
}

/// What stands in the place of an account's id.
const SERVER: &str = "server";

pub(super) fn who(account: Option<AccountId>) -> String {
    account.map_or_else(|| SERVER.to_owned(), |id| id.to_string())
}

impl ReadAct {
    pub fn act(self, call: CallId, keys: &RecordsKeys) -> Result<CaseAct, StoreError> {
        let part = DeskPart::CaseAct(self.number);
        Ok(CaseAct {
            number: self.number,
            at: self.at,
            who: match self.who.as_str() {
                SERVER => None,
                id => Some(id.parse().map_err(unreadable)?),
            },
            did: parsed(&self.what)?,
            words: self
                .words
                .and_then(|stored| opened(keys, call.0, part, stored)),
        })
    }
}

pub(super) fn sealed_follow_up(keys: &RecordsKeys, follow_up: &FollowUp) -> String {
    keys.seal_of_desk(follow_up.id, DeskPart::FollowUp, &follow_up.words)
}

/// A follow-up's columns as they were read.
pub(super) struct ReadFollowUp {
    pub id: Uuid,
    pub call_id: CallId,
    pub kind: String,
    pub due_at: Timestamp,
    pub owner: Option<AccountId>,
    pub done_at: Option<Timestamp>,
    pub done_by: Option<AccountId>,
    pub words: String,
}

/// In the place of words that cannot be opened.
const UNOPENED: &str = "(sealed with a key that is not set)";

impl ReadFollowUp {
    pub fn follow_up(self, keys: &RecordsKeys) -> Result<FollowUp, StoreError> {
        let words = opened(keys, self.id, DeskPart::FollowUp, self.words);
        Ok(FollowUp {
            id: self.id,
            call_id: self.call_id,
            kind: parsed(&self.kind)?,
            words: words.unwrap_or_else(|| Secret::new(UNOPENED.to_owned())),
            due_at: self.due_at,
            owner: self.owner,
            done: self
                .done_at
                .zip(self.done_by)
                .map(|(at, by)| Done { by, at }),
        })
    }
}

pub(super) fn sealed_reason(keys: &RecordsKeys, call: CallId, hold: &Hold) -> String {
    keys.seal_of_desk(call.0, DeskPart::HoldReason, &hold.reason)
}

pub(super) fn hold(
    keys: &RecordsKeys,
    call: CallId,
    at: Timestamp,
    by: AccountId,
    stored: String,
) -> Hold {
    let reason = opened(keys, call.0, DeskPart::HoldReason, stored);
    Hold {
        by,
        at,
        reason: reason.unwrap_or_else(|| Secret::new(UNOPENED.to_owned())),
    }
}

pub(super) fn opened(
    keys: &RecordsKeys,
    row: Uuid,
    part: DeskPart,
    stored: String,
) -> Option<Secret<String>> {
    let opened = keys.open_of_desk(row, part, stored);
    if let Err(reason) = &opened {
        tracing::warn!(%row, ?part, %reason, "what officers wrote cannot be decrypted and is left out");
    }
    opened.ok()
}

fn parsed<T: FromStr<Err: std::error::Error + Send + Sync + fmt::Debug + 'static>>(
    text: &str,
) -> Result<T, StoreError> {
    text.parse().map_err(unreadable)
}
