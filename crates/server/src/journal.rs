//! Keeps calls in the records as they happen: a call's start, each turn before its reply is
//! spoken, its end. Admission never waits for it; a caller waits for a turn as long as they can bear;
//! turns and ends are tried until they are stored, or an end is found at the next start. How a turn is, `turns` knows.

mod turns;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use call::traces::Span;
use call::{
    CallStarted, EndedCall, Journal, JournalError, SavedTurn, Speaker, SpokenMessage, UnderWay,
};
use flow::CaseNote;
use records::{
    CallId, CallKind, FinishedCall, Label, Message, NewCall, Notice, OfficerId, Records, Role,
    StoreError, Turn, VisitorId,
};
use tokio::sync::{OnceCell, Semaphore};
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

use crate::chat_model::Configured;
use turns::{Behind, Drafts, Tries};

const FIRST_WAIT: Duration = Duration::from_millis(200);
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// Of what nobody who talks waits for (begins, ends, typed turns), as much is under way to the records at once: they store
/// one after the other, and a spoken turn has no more than that before it.
const UNDER_WAY: usize = 4;

/// The journal of every call of this process, over the records.
pub struct RecordsJournal {
    records: Records,
    calls: Mutex<HashMap<Uuid, Arc<Page>>>,
    tasks: TaskTracker,
    /// Told that the server is to stop: nothing is waited for then that can be done without.
    stopping: CancellationToken,
    /// Ends the tries at shutdown: what is not stored then is completed at the next start.
    stopped: CancellationToken,
    chat_model: Option<Arc<Configured>>,
    /// For what is said, and apart from it for what is typed, which waits behind it.
    spoken: Behind,
    typed: Behind,
    lets_talk_go_first: Arc<Semaphore>,
}

/// One call's place in the journal.
struct Page {
    visitor: VisitorId,
    kind: CallKind,
    notice: Option<Notice>,
    label: Label,
    started: Mutex<Option<NewCall>>,
    stored: OnceCell<()>,
    drafts: Drafts,
    /// Its end is stored, or is left to whoever finds it without one.
    over: CancellationToken,
}

impl RecordsJournal {
    pub fn new(
        records: Records,
        tasks: TaskTracker,
        stopping: CancellationToken,
        stopped: CancellationToken,
        chat_model: Option<Arc<Configured>>,
    ) -> Self {
        Self {
            records,
            calls: Mutex::default(),
            tasks,
            stopping,
            stopped,
            chat_model,
            spoken: Behind::default(),
            typed: Behind::default(),
            lets_talk_go_first: Arc::new(Semaphore::new(UNDER_WAY)),
        }
    }

    /// Whose a call is, how it comes in, what its caller was told, and what a program says of it. Said before it begins.
    pub fn expect(
        &self,
        call: Uuid,
        visitor: VisitorId,
        kind: CallKind,
        notice: Option<Notice>,
        label: Label,
    ) {
        let page = Page {
            visitor,
            kind,
            notice,
            label,
            started: Mutex::new(None),
            stored: OnceCell::new(),
            drafts: Drafts::default(),
            over: CancellationToken::new(),
        };
        self.calls().insert(call, Arc::new(page));
    }

    /// Stores a call's end, trying until it is stored or the server stops. Resolves then.
    pub fn finish(&self, call: Uuid, ended: EndedCall) -> JoinHandle<()> {
        let page = self.calls().remove(&call);
        let records = self.records.clone();
        let (stopping, stopped) = (self.stopping.clone(), self.stopped.clone());
        let (chat_model, gate) = (
            self.chat_model.clone(),
            Arc::clone(&self.lets_talk_go_first),
        );
        let behind = page.as_ref().map(|page| self.behind(page).clone());
        self.tasks.spawn(async move {
            let (Some(page), Some(behind)) = (page, behind) else {
                tracing::error!(%call, "a call ended that is not in the journal");
                return;
            };
            let _over = page.over.clone().drop_guard();
            let _under_way = UnderWay::of("storage");
            let _span = Span::of(call, "storing the end");
            let told = tokio::select! {
                told = told_note(chat_model.as_deref(), &ended) => told,
                () = stopping.cancelled() => None,
            };
            let finished = FinishedCall {
                ended_at: ended.ended_at,
                ended_reason: ended.reason,
                note: match told {
                    // All else that stands in a note is the flow's.
                    Some(told) => CaseNote {
                        summary: told.summary,
                        ..ended.note
                    },
                    None => ended.note,
                },
                messages: ended.messages.iter().map(message).collect(),
            };
            let mut wait = FIRST_WAIT;
            loop {
                let goes = tokio::select! {
                    goes = gate.acquire() => goes.ok(),
                    // Nobody talks any more.
                    () = stopping.cancelled() => None,
                };
                let begun = Instant::now();
                let stored = match Self::store_start(&records, &page).await {
                    Ok(()) => records
                        .finish_call(CallId(call), finished.clone())
                        .await
                        .map_err(NotStored::from),
                    Err(error) => Err(error),
                };
                drop(goes);
                let error = match stored {
                    Ok(()) => return behind.stored_since(begun),
                    Err(NotStored::HeldElsewhere) => {
                        tracing::info!(%call, "another node has taken the call, and ends it");
                        return;
                    }
                    Err(NotStored::Yet(error) | NotStored::StorageFails(error)) => error,
                };
                metrics::counter!("nightlight_journal_retries_total").increment(1);
                tracing::warn!(%call, error, "the call's end is not stored yet; trying again");
                tokio::select! {
                    () = tokio::time::sleep(wait) => wait = LONGEST_WAIT.min(wait * 2),
                    () = stopped.cancelled() => {
                        tracing::error!(%call, "stopped before the call's end was stored; the next start completes it");
                        return;
                    }
                }
            }
        })
    }

    /// Whether the call goes on here.
    pub fn has(&self, call: Uuid) -> bool {
        self.calls().contains_key(&call)
    }

    /// What a program says of a call that goes on here.
    pub fn label(&self, call: Uuid) -> Option<Label> {
        self.page(call).map(|page| page.label.clone())
    }

    /// Cancelled when the end of a call that goes on here is stored, or is left to whoever finds it without one.
    pub fn stored(&self, call: Uuid) -> Option<CancellationToken> {
        self.page(call).map(|page| page.over.clone())
    }

    /// Another node has taken the call: nothing more of it is stored from here.
    pub fn let_go(&self, call: Uuid) {
        if let Some(page) = self.calls().remove(&call) {
            page.over.cancel();
        }
    }

    /// What of a call's kind is to be stored.
    fn behind(&self, page: &Page) -> &Behind {
        match page.kind {
            CallKind::WebCall => &self.spoken,
            CallKind::Chat => &self.typed,
        }
    }

    fn page(&self, call: Uuid) -> Option<Arc<Page>> {
        self.calls().get(&call).cloned()
    }

    fn calls(&self) -> MutexGuard<'_, HashMap<Uuid, Arc<Page>>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores that the call began, once; everything else of a call comes after it.
    async fn store_start(records: &Records, page: &Page) -> Result<(), NotStored> {
        page.stored
            .get_or_try_init(|| async {
                let started = page
                    .started
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .clone();
                let Some(started) = started else {
                    return Err(NotStored::Yet(String::from("its start was never told")));
                };
                let call_id = started.call_id;
                records.start_call(started).await?;
                // One that is taken up again has its label already.
                if !page.label.is_empty() {
                    records.label_call(call_id, page.label.clone()).await?;
                }
                Ok(())
            })
            .await
            .map(drop)
    }
}

#[async_trait]
impl Journal for RecordsJournal {
    async fn started(&self, call: CallStarted) {
        let Some(page) = self.page(call.id) else {
            tracing::error!(call = %call.id, "a call began that no visitor asked for; it is not recorded");
            return;
        };
        *page.started.lock().unwrap_or_else(PoisonError::into_inner) = Some(NewCall {
            call_id: CallId(call.id),
            visitor: Some(page.visitor),
            started_at: call.started_at,
            kind: page.kind,
            notice: page.notice,
        });
        let (records, gate) = (self.records.clone(), Arc::clone(&self.lets_talk_go_first));
        self.tasks.spawn(async move {
            let _goes = gate.acquire().await;
            // Tried again with the first turn.
            if let Err(error) = Self::store_start(&records, &page).await {
                tracing::warn!(call = %call.id, %error, "the call's start is not stored yet")
            }
        });
    }

    async fn turn(&self, call: Uuid, turn: SavedTurn) -> Result<(), JournalError> {
        let page = self
            .page(call)
            .ok_or_else(|| JournalError::Unsaved(String::from("the call is not in the journal")))?;
        let turn = Turn {
            index: turn.index,
            messages: turn.messages.iter().map(message).collect(),
            conversation: turn.conversation,
        };
        let tries = Tries {
            call,
            draft: page.drafts.next(turn.index),
            behind: self.behind(&page).clone(),
            over: page.over.clone(),
            stopped: self.stopped.clone(),
        };
        let records = self.records.clone();
        let gate = (page.kind == CallKind::Chat).then(|| Arc::clone(&self.lets_talk_go_first));
        let put = move || {
            let (records, page, turn) = (records.clone(), Arc::clone(&page), turn.clone());
            let gate = gate.clone();
            async move {
                let _goes = match &gate {
                    Some(gate) => gate.acquire().await.ok(),
                    None => None,
                };
                match Self::store_start(&records, &page).await {
                    Ok(()) => records
                        .put_turn(CallId(call), turn)
                        .await
                        .map_err(NotStored::from),
                    Err(error) => Err(error),
                }
            }
        };
        tries.store(&self.tasks, put).await
    }

    async fn finished(&self, call: Uuid, ended: EndedCall) {
        // Nobody waits for it; the tracker does, at shutdown.
        drop(self.finish(call, ended));
    }
}

/// Why something is not stored.
#[derive(Debug, thiserror::Error)]
enum NotStored {
    /// And never will be from here.
    #[error("another node has taken the call")]
    HeldElsewhere,
    /// The storage does not do as asked, for whichever call.
    #[error("{0}")]
    StorageFails(String),
    /// It is something about this call.
    #[error("{0}")]
    Yet(String),
}

impl From<StoreError> for NotStored {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::HeldElsewhere => Self::HeldElsewhere,
            error @ (StoreError::Unavailable(_) | StoreError::Failed(_)) => {
                Self::StorageFails(error.to_string())
            }
            error => Self::Yet(error.to_string()),
        }
    }
}

/// The note as a chat model tells it, where one is configured and what it tells holds.
async fn told_note(chat_model: Option<&Configured>, ended: &EndedCall) -> Option<CaseNote> {
    chat_model?.note_of(ended).await
}

/// A message of a call, as records have it.
pub fn message(spoken: &SpokenMessage) -> Message {
    Message {
        role: match spoken.speaker {
            Speaker::Assistant => Role::Bot,
            Speaker::Caller => Role::User,
            Speaker::Officer(_) => Role::Officer,
        },
        officer: match spoken.speaker {
            Speaker::Officer(officer) => officer.map(|officer| OfficerId(officer.0)),
            Speaker::Assistant | Speaker::Caller => None,
        },
        message: spoken.words.clone(),
        seconds_from_start: spoken.from.as_secs_f64(),
        duration_seconds: spoken.to.saturating_sub(spoken.from).as_secs_f64(),
        interrupted: spoken.interrupted,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use flow::{AssistantScript, EndReason};
    use jiff::Timestamp;
    use records::Wanted;
    use redact::Secret;
    use sqlx::{Connection, Executor, SqliteConnection};

    use super::*;

    async fn begin(journal: &RecordsJournal) -> Uuid {
        let id = Uuid::new_v4();
        let visitor = VisitorId(Uuid::new_v4());
        journal.expect(id, visitor, CallKind::WebCall, None, Label::default());
        let started_at = Timestamp::now();
        journal.started(CallStarted { id, started_at }).await;
        id
    }

    async fn stored(records: &Records) -> u64 {
        let wanted = Wanted {
            counted: true,
            ..Wanted::of(CallKind::WebCall, 1)
        };
        records.find_calls(wanted).await.unwrap().total
    }

    fn said_by(speaker: Speaker) -> SpokenMessage {
        SpokenMessage {
            speaker,
            words: Secret::new(String::from("I am here")),
            from: Duration::ZERO,
            to: Duration::from_secs(1),
            interrupted: false,
        }
    }

    async fn has_a_turn(records: &Records, call: Uuid) -> bool {
        let record = records.call(CallId(call)).await.unwrap();
        record.is_some_and(|record| !record.messages.is_empty())
    }

    #[test]
    fn of_a_call_that_is_taken_up_again_it_is_known_which_officer_spoke() {
        for officer in [Some(call::OfficerId(Uuid::from_u128(7))), None] {
            let before = said_by(Speaker::Officer(officer));
            let again = crate::written::talk::spoken(&message(&before));
            assert_eq!(again.speaker, before.speaker);
        }
    }

    #[tokio::test]
    async fn what_is_said_is_stored_before_a_crowd_that_begins_and_nobody_of_it_is_lost() {
        const CROWD: u64 = 100;
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("records.db").display());
        let records = Records::open(&url).await.unwrap();
        let tasks = TaskTracker::new();
        let (stopping, stopped) = (CancellationToken::new(), CancellationToken::new());
        let journal = RecordsJournal::new(records.clone(), tasks.clone(), stopping, stopped, None);
        let mut elsewhere = SqliteConnection::connect(&url).await.unwrap();
        elsewhere.execute("BEGIN IMMEDIATE").await.unwrap();
        for _ in 0..CROWD {
            begin(&journal).await;
        }
        let talks = begin(&journal).await;
        let turn = SavedTurn {
            index: 0,
            messages: vec![said_by(Speaker::Caller)],
            conversation: Secret::new(String::from("{}")),
        };
        // Where the disk is slow, its caller does not wait for it; it is stored in its order all the same.
        let (_, free) = tokio::join!(journal.turn(talks, turn), elsewhere.execute("COMMIT"));
        free.unwrap();
        while !has_a_turn(&records, talks).await {
            tokio::task::yield_now().await;
        }
        let before = stored(&records).await;
        assert!(before < CROWD / 2, "{before} of the crowd went first");
        tasks.close();
        tasks.wait().await;
        assert_eq!(stored(&records).await, CROWD + 1);
    }

    #[tokio::test]
    async fn at_a_stop_an_end_waits_for_nothing_else_that_is_under_way() {
        const WITHIN: Duration = Duration::from_secs(20);
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("records.db").display());
        let records = Records::open(&url).await.unwrap();
        let tasks = TaskTracker::new();
        let (stopping, stopped) = (CancellationToken::new(), CancellationToken::new());
        let told = stopping.clone();
        let journal = RecordsJournal::new(records.clone(), tasks, told, stopped, None);
        let gate = Arc::clone(&journal.lets_talk_go_first);
        let mut under_way = Vec::new();
        for _ in 0..UNDER_WAY {
            under_way.push(gate.acquire().await.unwrap());
        }
        let call = begin(&journal).await;
        let (script, now) = (Arc::new(AssistantScript::built_in()), Timestamp::now());
        let (talk, _) = crate::written::talk::Talk::begin(&script, now);
        stopping.cancel();
        let is_stored = journal.finish(call, talk.ended(EndReason::CallerEnded, now));
        let is_stored = tokio::time::timeout(WITHIN, is_stored).await;
        is_stored.expect("it waits").unwrap();
        let record = records.call(CallId(call)).await.unwrap().unwrap();
        assert!(record.ended_at.is_some());
        drop(under_way);
    }
}
