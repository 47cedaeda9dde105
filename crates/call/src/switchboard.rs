//! All live calls of this process: how many there may be, and one task for each.
//!
//! Admission never waits on storage or on another call. It does not know how a
//! call is signalled or who may place one.

mod trial;

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use flow::{AssistantScript, EndReason, Hint};
use futures_util::FutureExt;
use reader::Reader;
use speech::{EndOfTurn, Transcriber, Voice, VoiceError};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, TryAcquireError, mpsc};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tracing::Instrument;
use turn::{EndCallPhrases, NotTaken, NotTalking};
use uuid::Uuid;

use crate::call_voice::CallVoices;
use crate::chat_model::ChatModel;
use crate::duty_desk::{DutyDesk, FromDesk, Joining};
use crate::events::{CallEvent, CutOff, EndedCall, Journal};
use crate::legs::OfficerId;
use crate::live_call::{LiveCall, Wires};
use crate::manner::Manner;
use crate::media::Transport;
use crate::request::{Answer, Request};
use crate::uncounted::uncounted;
pub use trial::{Trial, TrialBroken};

/// What every call is made of.
pub struct SwitchboardParts {
    pub transcriber: Arc<dyn Transcriber>,
    /// The one that callers are to hear, then those for when it has no room; at least one.
    pub voices: Vec<Arc<dyn Voice>>,
    /// For plans with an adaptive wait; without it their fixed wait holds.
    pub end_of_turn: Option<Arc<dyn EndOfTurn>>,
    pub script: Arc<AssistantScript>,
    pub reader: Arc<Reader>,
    pub plan: turn::Plan,
    /// In what the assistant is told to say they end the call.
    pub end_call_phrases: EndCallPhrases,
    /// The squad member that callers are handed to, as pages are told.
    pub authorities: String,
    pub journal: Arc<dyn Journal>,
    /// Replies are the templates' without one.
    pub chat_model: Option<Arc<dyn ChatModel>>,
    /// Who is rung for a warm transfer. Without a desk nobody is.
    pub desk: Option<Arc<dyn DutyDesk>>,
    /// How long officers are rung before the assistant is back with the caller.
    pub answered_within: Duration,
    /// How many calls may be live at once.
    pub max_calls: usize,
    /// How long a call that was cut off waits for its caller; its record waits as long for its note.
    pub return_within: Duration,
}

/// A call about to begin.
pub struct NewCall {
    pub id: Uuid,
    pub started_at: jiff::Timestamp,
    /// Other than the switchboard's own.
    pub manner: Manner,
    /// What is durable of it, where an earlier run of a server began it: it goes on there.
    pub cut_off: Option<CutOff>,
    /// Everything that happens in the call, [`CallEvent::Ended`] last.
    pub events: mpsc::UnboundedSender<CallEvent>,
}

/// Every line is in use.
#[derive(Debug, Clone, Copy, thiserror::Error, PartialEq, Eq)]
#[error("all lines are busy: try again in a moment, or ring one of the numbers shown")]
pub struct AllLinesBusy;

/// A place among the calls this process may hold, given back when dropped.
#[derive(Debug)]
pub struct Line(#[allow(dead_code, reason = "held for its drop")] OwnedSemaphorePermit);

/// A live call's line. While its caller is cut off nobody talks on it: it goes to a caller who asks, where no other is
/// free. One who comes back then goes on all the same.
pub(crate) struct HeldLine(Mutex<Held>);

struct Held {
    line: Option<Line>,
    cut_off_since: Option<Instant>,
}

impl HeldLine {
    fn of(line: Line) -> Self {
        Self(Mutex::new(Held {
            line: Some(line),
            cut_off_since: None,
        }))
    }

    pub fn caller_is_cut_off(&self) {
        self.held().cut_off_since = Some(Instant::now());
    }

    pub fn caller_is_back(&self) {
        self.held().cut_off_since = None;
    }

    fn is_cut_off(&self) -> bool {
        self.held().cut_off_since.is_some()
    }

    /// Since when nobody has talked on it, if there is a line that nobody talks on.
    fn idle_since(&self) -> Option<Instant> {
        let held = self.held();
        held.cut_off_since.filter(|_| held.line.is_some())
    }

    fn give_up(&self) -> Option<Line> {
        self.held().line.take()
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        // Nothing is done while it is held that could panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Live calls by whether anybody is on the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallsByState {
    pub talking: usize,
    /// Their callers may come back.
    pub cut_off: usize,
}

/// The parts that all live calls share.
#[derive(Clone)]
pub(crate) struct Shared {
    pub transcriber: Arc<dyn Transcriber>,
    pub voices: Arc<CallVoices>,
    pub end_of_turn: Option<Arc<dyn EndOfTurn>>,
    pub script: Arc<AssistantScript>,
    pub reader: Arc<Reader>,
    pub end_call_phrases: EndCallPhrases,
    pub authorities: String,
    pub journal: Arc<dyn Journal>,
    pub chat_model: Option<Arc<dyn ChatModel>>,
    pub desk: Option<Arc<dyn DutyDesk>>,
    pub answered_within: Duration,
    pub return_within: Duration,
    /// What pages have said is made one sentence at a time, in all calls: replies to callers do not stand behind it.
    pub asked_aloud: Arc<Semaphore>,
    /// Whether what is measured in a call is counted among callers' calls.
    pub is_counted: bool,
}

/// How a live call is reached.
struct Reach {
    line: Arc<HeldLine>,
    orders: mpsc::Sender<EndReason>,
    returns: mpsc::Sender<Box<dyn Transport>>,
    desk: mpsc::Sender<FromDesk>,
    /// Of a made-up caller's call: cancelled when a caller asks for a line.
    gives_way: Option<CancellationToken>,
}

impl Reach {
    fn of(line: Line, gives_way: Option<CancellationToken>) -> (Self, Wires) {
        let (to_order, orders) = mpsc::channel(1);
        let (to_return, returns) = mpsc::channel(1);
        let (to_desk, desk) = mpsc::channel(WAITING_NEWS);
        let line = Arc::new(HeldLine::of(line));
        let reach = Self {
            line: Arc::clone(&line),
            orders: to_order,
            returns: to_return,
            desk: to_desk,
            gives_way,
        };
        let wires = Wires {
            orders,
            returns,
            desk,
            line,
        };
        (reach, wires)
    }
}

/// How much of what the desk tells waits for a call.
const WAITING_NEWS: usize = 16;

/// How long a call may take to answer an officer.
const ANSWER_BOUND: Duration = Duration::from_secs(2);

/// Why a call is not the officer's who accepted it.
#[derive(Debug, Clone, Copy, thiserror::Error, PartialEq, Eq)]
pub enum NotAccepted {
    #[error("a colleague was first")]
    TakenBy(OfficerId),
    #[error("nobody is being rung for this call any more")]
    NotRinging,
    #[error("the call is over")]
    Over,
}

/// All live calls of this process.
pub struct Switchboard {
    shared: Arc<Shared>,
    plan: turn::Plan,
    lines: Arc<Semaphore>,
    max_calls: usize,
    live: Mutex<HashMap<Uuid, Reach>>,
}

impl Switchboard {
    /// Opens the switchboard. Fails if a voice that has room cannot speak the safe fallback, or there is none:
    /// without that no call may be taken.
    pub async fn open(parts: SwitchboardParts) -> Result<Arc<Self>, VoiceError> {
        let voices = CallVoices::prepare(parts.voices, Arc::clone(&parts.script)).await?;
        let voices = Arc::new(voices);
        Ok(Arc::new(Self {
            shared: Arc::new(Shared {
                transcriber: parts.transcriber,
                voices,
                end_of_turn: parts.end_of_turn,
                script: parts.script,
                reader: parts.reader,
                end_call_phrases: parts.end_call_phrases,
                authorities: parts.authorities,
                journal: parts.journal,
                chat_model: parts.chat_model,
                desk: parts.desk,
                answered_within: parts.answered_within,
                return_within: parts.return_within,
                asked_aloud: Arc::new(Semaphore::new(1)),
                is_counted: true,
            }),
            plan: parts.plan,
            lines: Arc::new(Semaphore::new(parts.max_calls)),
            max_calls: parts.max_calls,
            live: Mutex::default(),
        }))
    }

    /// Takes a line, if one is free, or one on which nobody talks. A made-up caller's call gives way to who asks.
    pub fn reserve(&self) -> Result<Line, AllLinesBusy> {
        let free = Arc::clone(&self.lines).try_acquire_owned();
        let given_up = self.end_trials();
        let line = match free {
            Ok(permit) => Some(Line(permit)),
            Err(TryAcquireError::NoPermits) => given_up.or_else(|| self.idle_line()),
            Err(TryAcquireError::Closed) => None,
        };
        line.ok_or_else(|| {
            metrics::counter!("nightlight_calls_refused_busy_total").increment(1);
            AllLinesBusy
        })
    }

    /// That of the call whose caller was cut off first.
    fn idle_line(&self) -> Option<Line> {
        let live = self.live();
        let idle = live
            .values()
            .filter_map(|reach| Some((reach.line.idle_since()?, &reach.line)));
        let (_, line) = idle.min_by_key(|(since, _)| *since)?;
        line.give_up()
    }

    /// Begins a call on its own task, which holds the line until the call is over.
    pub fn begin(self: &Arc<Self>, call: NewCall, line: Line, transport: Box<dyn Transport>) {
        let (reach, wires) = Reach::of(line, None);
        self.live().insert(call.id, reach);
        self.run(Arc::clone(&self.shared), call, wires, transport);
    }

    fn run(
        self: &Arc<Self>,
        shared: Arc<Shared>,
        call: NewCall,
        wires: Wires,
        transport: Box<dyn Transport>,
    ) {
        let board = Arc::clone(self);
        let span = tracing::info_span!("call", call = %call.id);
        let is_counted = shared.is_counted;
        let holding = async move {
            let id = call.id;
            let _live = Live::of(&board, id);
            board.hold(shared, call, wires, transport).await;
        };
        match is_counted {
            true => tokio::spawn(holding.instrument(span)),
            false => tokio::spawn(uncounted(holding).instrument(span)),
        };
    }

    /// Whom the live calls have on the line.
    pub fn calls_by_state(&self) -> CallsByState {
        let live = self.live();
        let cut_off = live.values().filter(|reach| reach.line.is_cut_off());
        let cut_off = cut_off.count();
        CallsByState {
            talking: live.len() - cut_off,
            cut_off,
        }
    }

    /// How many more may begin.
    pub fn free_lines(&self) -> usize {
        self.lines.available_permits()
    }

    /// How many calls are live.
    pub fn live_calls(&self) -> usize {
        self.live().len()
    }

    /// Ends a call. False if it is not live.
    pub fn hang_up(&self, call: Uuid, reason: EndReason) -> bool {
        self.live()
            .get(&call)
            .is_some_and(|reach| reach.orders.try_send(reason).is_ok())
    }

    /// The caller of a live call is back on another line. Gives the line back if the call is over.
    pub fn hand_back(
        &self,
        call: Uuid,
        line: Box<dyn Transport>,
    ) -> Result<(), Box<dyn Transport>> {
        let live = self.live();
        let Some(reach) = live.get(&call) else {
            return Err(line);
        };
        reach
            .returns
            .try_send(line)
            .map_err(TrySendError::into_inner)
    }

    /// An officer accepts a call that they are rung for. The first has it, and everybody else hears who.
    pub async fn accept(&self, call: Uuid, officer: OfficerId) -> Result<(), NotAccepted> {
        let (request, answer) = Request::ask();
        let accepted = FromDesk::Accepted { officer, request };
        self.tell(call, accepted).map_err(|_| NotAccepted::Over)?;
        match answer.within(ANSWER_BOUND).await {
            Some(Ok(())) => Ok(()),
            Some(Err(NotTaken::TakenBy(first))) => Err(NotAccepted::TakenBy(first)),
            Some(Err(NotTaken::NotRinging)) => Err(NotAccepted::NotRinging),
            None => Err(NotAccepted::Over),
        }
    }

    /// Everybody who is rung for a call has declined it, or has gone. False if it is not live.
    pub fn all_declined(&self, call: Uuid) -> bool {
        self.tell(call, FromDesk::AllDeclined).is_ok()
    }

    /// One more officer is rung for a call that rings already. False if it is not live.
    pub fn also_rung(&self, call: Uuid, officer: OfficerId) -> bool {
        self.tell(call, FromDesk::AlsoRung { officer }).is_ok()
    }

    /// An officer comes onto a call's line. Gives the line back if the call is over.
    pub fn join(
        &self,
        call: Uuid,
        officer: OfficerId,
        joining: Joining,
        line: Box<dyn Transport>,
    ) -> Result<(), Box<dyn Transport>> {
        let joined = FromDesk::Joined {
            officer,
            joining,
            line,
        };
        match self.tell(call, joined) {
            Err(FromDesk::Joined { line, .. }) => Err(line),
            _ => Ok(()),
        }
    }

    /// An officer who is being briefed is ready before its end. False if the call is not live.
    pub fn is_ready(&self, call: Uuid, officer: OfficerId) -> bool {
        self.tell(call, FromDesk::Ready { officer }).is_ok()
    }

    /// An officer who listens to a call, or coaches in it, takes it over. False if they are not on its line.
    pub async fn take_over(&self, call: Uuid, officer: OfficerId) -> bool {
        let (request, answer) = Request::ask();
        let took_over = FromDesk::TookOver { officer, request };
        self.as_who_is_on_it(call, took_over, answer).await
    }

    /// An officer who talks with a call's caller puts them on hold. One who does not, or not any more, may not. Refused, too, where
    /// the call does not answer in time: then it is not done later either.
    pub async fn put_on_hold(&self, call: Uuid, officer: OfficerId) -> Result<(), NotTalking> {
        let (request, answer) = Request::ask();
        let puts_on_hold = FromDesk::PutsOnHold { officer, request };
        self.as_who_talks(call, puts_on_hold, answer).await
    }

    /// They take the caller back; done, too, where the caller is not on hold any more.
    pub async fn take_back(&self, call: Uuid, officer: OfficerId) -> Result<(), NotTalking> {
        let (request, answer) = Request::ask();
        let takes_back = FromDesk::TakesBack { officer, request };
        self.as_who_talks(call, takes_back, answer).await
    }

    async fn as_who_talks(
        &self,
        call: Uuid,
        news: FromDesk,
        answer: Answer<Result<(), NotTalking>>,
    ) -> Result<(), NotTalking> {
        self.tell(call, news).map_err(|_| NotTalking)?;
        answer.within(ANSWER_BOUND).await.unwrap_or(Err(NotTalking))
    }

    /// The assistant is to take this up at its next turn, if it has the caller then. False if the call is not live.
    pub fn hint(&self, call: Uuid, hint: Hint) -> bool {
        self.tell(call, FromDesk::Hinted { hint }).is_ok()
    }

    /// An officer leaves a call; it ends if its caller, who is not on hold, has heard a person. False if they are not on it.
    pub async fn leave(&self, call: Uuid, officer: OfficerId) -> bool {
        let (request, answer) = Request::ask();
        let left = FromDesk::Left { officer, request };
        self.as_who_is_on_it(call, left, answer).await
    }

    async fn as_who_is_on_it(&self, call: Uuid, news: FromDesk, answer: Answer<bool>) -> bool {
        if self.tell(call, news).is_err() {
            return false;
        }
        answer.within(ANSWER_BOUND).await.unwrap_or(false)
    }

    /// Gives it back where there is nobody to tell.
    fn tell(&self, call: Uuid, news: FromDesk) -> Result<(), FromDesk> {
        match self.live().get(&call) {
            Some(reach) => reach.desk.try_send(news).map_err(TrySendError::into_inner),
            None => Err(news),
        }
    }

    /// Ends every call within `bound`; each caller hears whom to ring instead.
    /// New calls are refused from now on.
    pub async fn drain(&self, bound: Duration) {
        self.lines.close();
        let calls: Vec<Uuid> = self.live().keys().copied().collect();
        for call in calls {
            self.hang_up(call, EndReason::WorkerShutdown);
        }
        let all_over = async {
            while self.live_calls() > 0 {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        if tokio::time::timeout(bound, all_over).await.is_err() {
            tracing::warn!(
                calls = self.live_calls(),
                "calls were still live at the end of the shutdown's bound"
            );
        }
    }

    /// Runs one call to its end, whatever happens in it.
    async fn hold(
        &self,
        shared: Arc<Shared>,
        call: NewCall,
        wires: Wires,
        mut transport: Box<dyn Transport>,
    ) {
        let wanted = call.manner.voice.as_ref();
        let Some(voice) = shared.voices.for_a_new_call(wanted).await else {
            return;
        };
        let (id, events) = (call.id, call.events.clone());
        let plan = call
            .manner
            .plan
            .clone()
            .unwrap_or_else(|| self.plan.clone());
        let (parts, call_voice) = (Arc::clone(&shared), Arc::clone(&voice));
        let mut live_call = LiveCall::new(call, plan, parts, call_voice, wires);
        let run = AssertUnwindSafe(live_call.run(&mut transport)).catch_unwind();
        let reason = match run.await {
            Ok(outcome) => {
                if !outcome.connected {
                    let reason = outcome.reason;
                    let _ = events.send(CallEvent::Ended { reason });
                    transport.close().await;
                }
                outcome.reason
            }
            Err(_panic) => {
                metrics::counter!("nightlight_calls_panicked_total").increment(1);
                tracing::error!("a call's task panicked; the caller hears whom to ring");
                let reason = EndReason::Error;
                let ended = EndedCall {
                    ended_at: jiff::Timestamp::now(),
                    reason,
                    note: live_call.note().of_a_call_broken_off(),
                    conversation: live_call.conversation(),
                    messages: live_call.transcript(),
                };
                // Before anything else that may fail.
                shared.journal.finished(id, ended).await;
                let goodbye = async {
                    voice.fallback.closing().play_out(transport.as_mut()).await;
                    transport.close().await;
                };
                if AssertUnwindSafe(goodbye).catch_unwind().await.is_err() {
                    tracing::error!("the caller could not be told whom to ring");
                }
                let _ = events.send(CallEvent::Ended { reason });
                reason
            }
        };
        tracing::info!(reason = reason.as_str(), "call ended");
    }

    fn live(&self) -> std::sync::MutexGuard<'_, HashMap<Uuid, Reach>> {
        // The map is whole at every point where a holder could panic.
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes a call off the list of live ones, also if its task panics.
struct Live<'a> {
    board: &'a Switchboard,
    id: Uuid,
}

impl<'a> Live<'a> {
    fn of(board: &'a Switchboard, id: Uuid) -> Self {
        metrics::gauge!("nightlight_calls_live").increment(1.0);
        Self { board, id }
    }
}

impl Drop for Live<'_> {
    fn drop(&mut self) {
        metrics::gauge!("nightlight_calls_live").decrement(1.0);
        self.board.live().remove(&self.id);
    }
}
