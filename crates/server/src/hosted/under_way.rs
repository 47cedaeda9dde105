//! What is kept of a call while the hosted platform holds it: that it began, and every final word, as the platform's messages
//! bring them. Whoever reads the records then sees it as one that goes on, and what was said outlives a report that never comes.
//!
//! No node has such a call, for none carries it: whichever is told of it takes it, writes and gives it back. What stands in the
//! place of a saved conversation marks it, so that it is not taken for one that was cut off here.

use std::time::Duration;

use flow::EndReason;
use jiff::{SignedDuration, Timestamp};
use platform::{Call, SpeakerRole, StatusUpdate, Transcript, TranscriptType};
use records::{
    CallId, CallKind, CallRecord, Message, NewCall, Notice, Role, StoreError, Turn, UnfinishedCall,
    VisitorId,
};
use redact::Secret;
use serde::{Deserialize, Serialize};
use tokio::sync::{Semaphore, SemaphorePermit};

use super::{report, ticket};
use crate::app::App;
use crate::asked_calls::notice_shown;
use crate::errors::ApiError;
use crate::records_unavailable::stored;

/// How long after a call's end its report may come; then the call is given the end that is known.
const REPORT_WITHIN: SignedDuration = SignedDuration::from_mins(15);
/// A call in which nothing is said for so long is over, even if its end was never told: the assistant ends a silent one within a minute.
const HEARD_OF_WITHIN: SignedDuration = SignedDuration::from_hours(1);
/// More than a call of any length has; its report brings them all anyhow.
const MOST_TURNS: u32 = 2000;
/// Between the tries to take a call that another node is writing of.
const RETRIES: [Duration; 3] = [
    Duration::from_millis(50),
    Duration::from_millis(150),
    Duration::from_millis(300),
];

/// Stands in the place of a saved conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UnderWay {
    held_on: Platform,
    heard_of: Timestamp,
    ended: Option<EndReason>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Platform {
    Hosted,
}

impl UnderWay {
    /// Of a call that the hosted platform holds; `None` for every other.
    pub fn of(call: &UnfinishedCall) -> Option<Self> {
        serde_json::from_str(call.conversation.as_ref()?.expose_secret()).ok()
    }

    /// How the call is given up, if it is time to; `visitor_has_left` as the records have it.
    pub fn given_up(&self, now: Timestamp, visitor_has_left: bool) -> Option<EndReason> {
        let quiet_for = now.duration_since(self.heard_of);
        match self.ended {
            Some(reason) => (quiet_for >= REPORT_WITHIN).then_some(reason),
            None if quiet_for < HEARD_OF_WITHIN => None,
            None if visitor_has_left => Some(EndReason::CallerEnded),
            None => Some(EndReason::WorkerShutdown),
        }
    }

    fn saved(&self) -> Secret<String> {
        Secret::new(serde_json::to_string(self).expect("times and names are written"))
    }
}

/// What a message tells of a call under way.
pub enum News {
    Begun,
    Said { role: Role, words: Secret<String> },
    Ended(EndReason),
}

impl News {
    /// What a change of status tells of the call; many tell nothing that is kept.
    pub fn of_status(update: &StatusUpdate) -> Option<Self> {
        match update.status {
            platform::CallStatus::InProgress => Some(Self::Begun),
            platform::CallStatus::Ended => {
                let reason = update.ended_reason.as_deref();
                Some(Self::Ended(
                    reason.map_or(EndReason::CallerEnded, report::end_reason),
                ))
            }
            _ => None,
        }
    }

    /// Words that will not change any more.
    pub fn of_transcript(transcript: &Transcript) -> Option<Self> {
        if transcript.transcript_type != TranscriptType::Final {
            return None;
        }
        let role = match transcript.role {
            SpeakerRole::User => Role::User,
            SpeakerRole::Assistant => Role::Bot,
            SpeakerRole::Officer => Role::Officer,
        };
        Some(Self::Said {
            role,
            words: transcript.transcript.clone(),
        })
    }
}

/// When a call began, as far as its messages say; never later than now.
pub fn began(call: Option<&Call>, told_at: Timestamp) -> Timestamp {
    let call = call.and_then(|call| call.started_at.or(call.created_at));
    call.unwrap_or(told_at).min(told_at)
}

/// Keeps what is new of a call; what was told before, or is told of a call that is over, changes nothing.
pub async fn keep(
    app: &App,
    id: CallId,
    call: &Call,
    told_at: Timestamp,
    news: News,
) -> Result<(), ApiError> {
    let _turn = turn_to_write().await;
    match stored(app.records.call(id).await)? {
        Some(record) if !goes_on_there(app, &record) => return Ok(()),
        Some(_) => {}
        None => {
            begin(app, id, call, told_at).await?;
        }
    }
    let Some(left) = take(app, id).await? else {
        return Ok(());
    };
    if is_held_there(&left)
        && let Some(turn) = turn(&left, told_at, news)
    {
        stored(app.records.put_turn(id, turn).await)?;
    }
    stored(app.records.give_back(id).await)
}

/// Messages of one call may arrive together; each is written after what is there already, and by one at a time on a node.
pub async fn turn_to_write() -> Option<SemaphorePermit<'static>> {
    static ONE_AT_A_TIME: Semaphore = Semaphore::const_new(1);
    ONE_AT_A_TIME.acquire().await.ok()
}

/// Begins the record of a call that is heard of for the first time.
pub async fn begin(
    app: &App,
    id: CallId,
    call: &Call,
    told_at: Timestamp,
) -> Result<CallRecord, ApiError> {
    let new_call = NewCall {
        call_id: id,
        visitor: whose(app, call),
        started_at: began(Some(call), told_at),
        kind: CallKind::WebCall,
        notice: notice(call),
    };
    let record = stored(app.records.start_call(new_call).await)?;
    tracing::info!(call = %id.0, of_a_visitor = record.visitor.is_some(), "a call on the hosted platform is recorded");
    Ok(record)
}

/// Whether a call that was taken is one of there, rather than one that was cut off here before calls were held there.
pub fn is_held_there(left: &UnfinishedCall) -> bool {
    left.conversation.is_none() || UnderWay::of(left).is_some()
}

/// Takes a call to write of it; `None` where it has ended meanwhile.
pub async fn take(app: &App, id: CallId) -> Result<Option<UnfinishedCall>, ApiError> {
    let mut waits = RETRIES.into_iter();
    loop {
        let taken = app.records.take_call(id).await;
        let (Err(StoreError::HeldElsewhere), Some(wait)) = (&taken, waits.next()) else {
            return stored(taken);
        };
        tokio::time::sleep(wait).await;
    }
}

/// Whether a call on record may be one that the hosted platform holds, and has not ended.
pub fn goes_on_there(app: &App, record: &CallRecord) -> bool {
    let held_here =
        app.lines.whose(record.call_id.0).is_some() || app.journal.has(record.call_id.0);
    let is_a_call = record.kind == CallKind::WebCall && !record.sample;
    is_a_call && !held_here && record.ended_at.is_none()
}

fn whose(app: &App, call: &Call) -> Option<VisitorId> {
    let secret = app.settings.webhook_secret.as_ref()?;
    let ticket = call.variable(ticket::VARIABLE)?;
    ticket::visitor(secret, &ticket, Timestamp::now())
}

fn notice(call: &Call) -> Option<Notice> {
    let of_assistant = notice_shown(call.assistant_overrides.as_ref());
    of_assistant.or_else(|| notice_shown(call.squad_overrides.as_ref()))
}

/// What is written of the news; nothing where it is known.
fn turn(left: &UnfinishedCall, told_at: Timestamp, news: News) -> Option<Turn> {
    let known = UnderWay::of(left);
    let mut state = known.clone().unwrap_or(UnderWay {
        held_on: Platform::Hosted,
        heard_of: told_at,
        ended: None,
    });
    state.heard_of = state.heard_of.max(told_at);
    let mut messages = Vec::new();
    match news {
        News::Begun => {
            if known.is_some() {
                return None;
            }
        }
        News::Said { role, words } => {
            let message = Message {
                role,
                officer: None,
                message: words,
                seconds_from_start: told_at
                    .duration_since(left.started_at)
                    .as_secs_f64()
                    .max(0.0),
                duration_seconds: 0.0,
                interrupted: false,
            };
            if left.messages.iter().any(|said| is_same(said, &message)) {
                return None;
            }
            messages.push(message);
        }
        News::Ended(reason) => {
            if state.ended.is_some() {
                return None;
            }
            state.ended = Some(reason);
        }
    }
    let index = left.last_turn.map_or(0, |last| last + 1);
    (index < MOST_TURNS).then(|| Turn {
        index,
        messages,
        conversation: state.saved(),
    })
}

/// A message that is told again carries the same time.
fn is_same(said: &Message, told: &Message) -> bool {
    said.role == told.role
        && (said.seconds_from_start - told.seconds_from_start).abs() < 0.001
        && said.message.expose_secret() == told.message.expose_secret()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn moment() -> Timestamp {
        Timestamp::from_second(1_795_430_400).unwrap()
    }

    fn left(conversation: Option<Secret<String>>, messages: Vec<Message>) -> UnfinishedCall {
        UnfinishedCall {
            call_id: CallId::random(),
            visitor: None,
            kind: CallKind::WebCall,
            started_at: moment(),
            last_turn: conversation.is_some().then_some(4),
            conversation,
            messages,
            visitor_has_left: false,
            manner: None,
        }
    }

    fn said(words: &str, seconds_from_start: f64) -> Message {
        Message {
            role: Role::User,
            officer: None,
            message: Secret::new(words.to_owned()),
            seconds_from_start,
            duration_seconds: 0.0,
            interrupted: false,
        }
    }

    fn told(words: &str) -> News {
        News::Said {
            role: Role::User,
            words: Secret::new(words.to_owned()),
        }
    }

    fn after(seconds: i64) -> Timestamp {
        let time = SignedDuration::from_secs(seconds);
        moment().checked_add(time).unwrap()
    }

    fn marked(turn: Turn, messages: Vec<Message>) -> UnfinishedCall {
        left(Some(turn.conversation), messages)
    }

    #[test]
    fn the_first_news_of_a_call_marks_it_as_held_there_and_its_repetition_changes_nothing() {
        let turn = turn(&left(None, Vec::new()), moment(), News::Begun).unwrap();
        assert_eq!((turn.index, turn.messages.len()), (0, 0));
        let under_way = marked(turn, Vec::new());
        assert!(UnderWay::of(&under_way).is_some());
        assert!(super::turn(&under_way, moment(), News::Begun).is_none());
    }

    #[test]
    fn words_are_kept_once_however_often_they_are_told() {
        let first = turn(&left(None, Vec::new()), after(3), told("help")).unwrap();
        assert_eq!(first.messages, [said("help", 3.0)]);
        let under_way = marked(first, vec![said("help", 3.0)]);
        assert!(turn(&under_way, after(3), told("help")).is_none());
        let later = turn(&under_way, after(9), told("help")).unwrap();
        assert_eq!(later.index, 5, "after what is there");
    }

    #[test]
    fn a_conversation_that_was_held_here_is_not_taken_for_one() {
        let ours = flow::Conversation::new(flow::Setup {
            called_at: call::singapore_time(moment()),
            assistant: std::sync::Arc::new(flow::AssistantScript::built_in()),
            medium: flow::Medium::Speech,
        });
        assert_eq!(UnderWay::of(&left(Some(ours.save()), Vec::new())), None);
        assert_eq!(UnderWay::of(&left(None, Vec::new())), None);
    }

    #[test]
    fn a_call_whose_report_does_not_come_is_given_the_end_that_was_told() {
        let ended = News::Ended(EndReason::Forwarded);
        let turn = turn(&left(None, Vec::new()), moment(), ended).unwrap();
        let state = UnderWay::of(&marked(turn, Vec::new())).unwrap();
        let after = |time| state.given_up(moment().checked_add(time).unwrap(), false);
        assert_eq!(after(REPORT_WITHIN - SignedDuration::from_secs(1)), None);
        assert_eq!(after(REPORT_WITHIN), Some(EndReason::Forwarded));
    }

    #[test]
    fn a_call_that_nothing_more_is_heard_of_is_given_up_after_an_hour() {
        let turn = turn(&left(None, Vec::new()), moment(), News::Begun).unwrap();
        let state = UnderWay::of(&marked(turn, Vec::new())).unwrap();
        let after = |time, has_left| state.given_up(moment().checked_add(time).unwrap(), has_left);
        assert_eq!(
            after(HEARD_OF_WITHIN - SignedDuration::from_secs(1), true),
            None
        );
        assert_eq!(
            after(HEARD_OF_WITHIN, false),
            Some(EndReason::WorkerShutdown)
        );
        assert_eq!(after(HEARD_OF_WITHIN, true), Some(EndReason::CallerEnded));
    }

    #[test]
    fn words_that_may_still_change_are_not_kept() {
        let partial = Transcript {
            role: SpeakerRole::User,
            transcript_type: TranscriptType::Partial,
            transcript: Secret::new("he h".to_owned()),
        };
        assert!(News::of_transcript(&partial).is_none());
    }

    #[test]
    fn no_call_began_after_it_was_told_of() {
        let mut call = Call::with_id("x");
        assert_eq!(began(Some(&call), moment()), moment());
        call.started_at = Some(moment().checked_add(SignedDuration::from_hours(1)).unwrap());
        assert_eq!(began(Some(&call), moment()), moment());
    }
}
