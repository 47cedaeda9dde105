//! One live call: the loop that joins turn-taking, the conversation and speech to
//! a caller's transport.
//!
//! It decides nothing of its own. What was heard goes to the floor
//! ([`turn::Floor`]), which says when a reply is due; the conversation
//! ([`flow::Conversation`]) says what the reply is; the rest here is carrying out.
//! Replies are prepared on a copy of the conversation while the caller may still
//! go on, and only the one that is played becomes the conversation.
//!
//! One task owns all of it, and every task it starts ends with it.

mod asked_by_page;
mod floor_commands;
mod handing_over;
mod on_hold;
mod pauses;
mod replying;
mod returning;
mod speaking;

use std::sync::Arc;
use std::time::Duration;

use flow::reading::Reading;
use flow::{Conversation, EndReason, Hint, Step};
use redact::Secret;
use tokio::sync::{mpsc, watch};
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{Instant, Interval, MissedTickBehavior};
use tracing::Instrument;
use turn::{Event, Floor, SegmentId, TurnId};
use uuid::Uuid;

use crate::app_messages;
use crate::call_voice::CallVoice;
use crate::duty_desk::FromDesk;
use crate::ear::Ear;
use crate::events::{CallEvent, CallStarted, EndedCall, SavedTurn, SpokenMessage};
use crate::legs::{FromAssistant, Legs, OfficerId};
use crate::media::{AudioFrame, CloseReason, FRAME_DURATION, FRAME_SAMPLES, FromCaller, Transport};
use crate::playout::Playout;
use crate::reading::read;
use crate::real_time::RealTime;
use crate::spoken::Spoken;
use crate::switchboard::{HeldLine, NewCall, Shared};
use crate::traces::Span;
use crate::uncounted::uncounted;
use flow::{Afterwards, Reply};
use handing_over::Transfer;

/// After the media connects, the page says `playable` once it can be heard. A
/// client that never says so is greeted after this. Well below the plan's bound
/// for a playout to begin.
const PLAYABLE_BOUND: Duration = Duration::from_millis(500);

/// How long the chat model may take, whatever bound it keeps itself: well below the plan's bound for
/// a reply.
const MODEL_BOUND: Duration = Duration::from_secs(3);

/// How long sound may be wanting in the middle of a reply, after a sentence's own pause, before the reply goes on without
/// what it says of the caller's back. About a second of silence is taken for the end of a turn.
const LATE_BOUND: Duration = Duration::from_millis(600);

/// How long it may be wanting before the voice has failed.
const STARVED_BOUND: Duration = Duration::from_secs(4);

/// How long a turn may take to become durable before it is answered all the same.
pub const SAVE_BOUND: Duration = Duration::from_millis(1500);

/// Between the last frame sent and the end of the media, so that what is still in
/// the caller's jitter buffer is heard.
const CLOSING_GRACE: Duration = Duration::from_millis(400);

/// How a call came to its end, for the log and the record.
pub(crate) struct Outcome {
    pub reason: EndReason,
    /// False when the caller never connected: there is nothing to keep.
    pub connected: bool,
}

pub(crate) struct LiveCall {
    id: Uuid,
    started_at: jiff::Timestamp,
    shared: Arc<Shared>,
    /// From the first word to the last.
    voice: Arc<CallVoice>,
    /// How many replies began with an opening.
    openings: usize,
    /// How many sentences had another said in their place.
    stand_ins: usize,
    events: mpsc::UnboundedSender<CallEvent>,
    wires: Wires,
    /// The duty officers on the call.
    legs: Legs,
    /// The warm transfer that brings them, once there is one.
    transfer: Option<Transfer>,
    /// How much of what officers said is being transcribed.
    officers_unheard: usize,
    /// What a supervisor has whispered since the reply that is being prepared was worked out.
    hinted: Vec<Hint>,
    /// The step of the flow that was told last.
    step: Step,

    /// Once the media first connected: that moment, and the call's time at it.
    connected: Option<(Instant, Duration)>,
    /// The caller is on the line, and was greeted or welcomed back.
    on_the_line: bool,
    /// It was cut off before, and the caller comes back to it.
    goes_on: bool,
    /// The line that the caller came back on, before the old one is known to be lost.
    returned: Option<Box<dyn Transport>>,
    /// When it was cut off, while it is.
    cut_off: Option<(jiff::Timestamp, Duration)>,
    plan: turn::Plan,
    floor: Floor,
    conversation: Conversation,
    real_time: RealTime,
    ear: Ear,
    spoken: Spoken,

    /// The turn that is being read, for a reply to it.
    reading: Option<TurnId>,
    preparing: Option<Preparing>,
    speaking: Option<Speaking>,
    /// Said when that has been.
    said_next: Option<Reply>,
    /// The greeting waits until then for the page to be able to play it.
    held_until: Option<Instant>,
    ticker: Interval,

    /// When the turn the caller is in began.
    caller_from: Option<Duration>,
    /// Caller turns replied to so far; the greeting is turn 0.
    turns: u32,
    next_speech: u64,
    assistant_muted: bool,
    caller_muted: bool,
    span: Span,
    /// Of the caller's turn, from its first sound to the reply's.
    turn_span: Option<Span>,
    /// What the flow wants after its last words.
    ending: Option<EndReason>,
    /// Somebody hung up: what the call ends as, once their last words are transcribed.
    leaving: Option<EndReason>,
    /// Why the transport is gone, once it is.
    closed: Option<CloseReason>,
    over: Option<EndReason>,

    done_tx: mpsc::UnboundedSender<Done>,
    done_rx: mpsc::UnboundedReceiver<Done>,
    tasks: JoinSet<()>,
}

/// What reaches a call from outside while it is held.
pub(crate) struct Wires {
    /// To end it.
    pub orders: mpsc::Receiver<EndReason>,
    /// Lines on which its caller comes back.
    pub returns: mpsc::Receiver<Box<dyn Transport>>,
    /// What the duty desk tells.
    pub desk: mpsc::Receiver<FromDesk>,
    /// What it has of the lines there are.
    pub line: Arc<HeldLine>,
}

/// Distinguishes one thing said from the next, so that late sound of an abandoned
/// one is not mistaken.
type SpeechId = u64;

/// A reply that may be thrown away.
struct Preparing {
    turn: TurnId,
    words: Secret<String>,
    /// Said since the last durable turn, the caller's words last.
    messages: Vec<SpokenMessage>,
    /// How many messages of the call there were before the caller's words.
    told_before: usize,
    /// The chat model is being asked; the reply is the templates' until it has answered.
    _asked: Option<Asked>,
    conversation: Conversation,
    reply: Reply,
    playout: Playout,
    synthesis: Synthesis,
    saved: bool,
    announced: bool,
}

impl Preparing {
    /// The turn is taken in and durable, and there is nothing to say or do to it.
    fn is_unanswered(&self) -> bool {
        self.saved && self.reply.sentences.is_empty() && self.reply.afterwards.is_empty()
    }
}

/// What the assistant is saying.
struct Speaking {
    playout: Playout,
    synthesis: Synthesis,
    afterwards: Vec<Afterwards>,
    /// Of a reply that is not heard yet.
    reply: Option<DueReply>,
    from: Option<Duration>,
    /// Since when sound has been wanting, while it is.
    starved: Option<Duration>,
}

/// A reply whose moment has come.
struct DueReply {
    started: Duration,
    /// How far that was beyond the plan; none where the caller typed.
    late: Option<Duration>,
    span: Option<Span>,
}

/// The sound of something to be said, while it is being made. Dropped with it, it is made no further.
struct Synthesis {
    speech: SpeechId,
    /// Sentences before this are no longer waited for.
    gone_past: watch::Sender<usize>,
}

/// News from a task of this call.
enum Done {
    Read {
        turn: TurnId,
        reading: Box<Reading>,
    },
    Transcribed {
        segment: SegmentId,
        words: Result<Secret<String>, speech::TranscribeError>,
        is_final: bool,
    },
    Judged {
        segment: SegmentId,
        opinion: Result<speech::Opinion, speech::NoOpinion>,
    },
    Sound {
        speech: SpeechId,
        sentence: usize,
        sound: speech::Sound,
    },
    SentenceComplete {
        speech: SpeechId,
        sentence: usize,
    },
    /// No more sound will come for the sentence, though it is not whole.
    SentenceFailed {
        speech: SpeechId,
        sentence: usize,
    },
    Saved {
        turn: TurnId,
    },
    /// A duty officer's words, and when they were said.
    OfficerSaid {
        officer: OfficerId,
        words: Secret<String>,
        from: Duration,
        to: Duration,
    },
    /// The chat model has answered, or has nothing to add.
    Advised {
        turn: TurnId,
        conversation: Option<Box<Conversation>>,
    },
}

/// A question to the chat model, given up with the reply it was for.
struct Asked(AbortHandle);

impl Drop for Asked {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl LiveCall {
    pub(crate) fn new(
        call: NewCall,
        plan: turn::Plan,
        shared: Arc<Shared>,
        voice: Arc<CallVoice>,
        wires: Wires,
    ) -> Self {
        let (done_tx, done_rx) = mpsc::unbounded_channel();
        let mut ticker = tokio::time::interval(FRAME_DURATION);
        ticker.set_missed_tick_behavior(MissedTickBehavior::Burst);
        let ear = Ear::for_plan(&plan);
        let goes_on = call.cut_off.is_some();
        let span = Span::of(call.id, "call");
        span.tell("returned", goes_on);
        let (conversation, spoken, turns) = match call.cut_off {
            Some(cut_off) => (
                cut_off.conversation,
                Spoken::durable(cut_off.messages),
                cut_off.turns,
            ),
            None => {
                let setup = flow::Setup {
                    called_at: crate::singapore_time(call.started_at),
                    assistant: call
                        .manner
                        .script
                        .unwrap_or_else(|| Arc::clone(&shared.script)),
                    medium: flow::Medium::Speech,
                };
                (Conversation::new(setup), Spoken::default(), 0)
            }
        };
        Self {
            id: call.id,
            started_at: call.started_at,
            floor: Floor::new(match goes_on {
                true => with_a_welcome(plan.clone()),
                false => plan.clone(),
            }),
            legs: Legs::new(plan.clone()),
            transfer: None,
            officers_unheard: 0,
            hinted: Vec::new(),
            step: Step::Beginning,
            plan,
            conversation,
            shared,
            voice,
            openings: 0,
            stand_ins: 0,
            events: call.events,
            wires,
            connected: None,
            on_the_line: false,
            goes_on,
            returned: None,
            cut_off: None,
            real_time: RealTime::default(),
            ear,
            spoken,
            reading: None,
            preparing: None,
            speaking: None,
            said_next: None,
            held_until: None,
            ticker,
            caller_from: None,
            turns,
            next_speech: 0,
            assistant_muted: false,
            caller_muted: false,
            span,
            turn_span: None,
            ending: None,
            leaving: None,
            closed: None,
            over: None,
            done_tx,
            done_rx,
            tasks: JoinSet::new(),
        }
    }

    /// Runs the call until it is over, over every line that its caller comes back on. The
    /// transport stays the caller's of this function, so that something can still be said if
    /// this panics.
    pub(crate) async fn run(&mut self, transport: &mut Box<dyn Transport>) -> Outcome {
        let reason = loop {
            while self.over.is_none() {
                self.step(transport.as_mut()).await;
                self.carry_out(transport.as_mut());
                self.carry_out_hand_over(transport.as_mut());
                while self.tasks.try_join_next().is_some() {}
            }
            if !self.is_cut_off() {
                break self.over.unwrap_or(EndReason::Error);
            }
            match self.wait_for_return(transport.as_mut()).await {
                Ok(line) => self.take_up_again(std::mem::replace(transport, line)),
                Err(reason) => break reason,
            }
        };
        if let Some(line) = self.returned.take() {
            // It ended at the moment the caller came back: they hear of it where they are.
            *transport = line;
            self.closed = None;
        }
        let connected = self.connected.is_some();
        let reason = match reason {
            // Whoever hung up: the caller was handed on, and spoken with.
            EndReason::CallerEnded if self.conversation.is_with_officer() => EndReason::Forwarded,
            reason => reason,
        };
        if reason != EndReason::WorkerShutdown {
            self.hear_officers_out(transport.as_mut()).await;
        }
        self.part_with_officers();
        if reason == EndReason::WorkerShutdown && self.cut_off.is_some() {
            // Without an end, it can be taken up where the caller finds a line next.
            return Outcome { reason, connected };
        }
        if reason == EndReason::WorkerShutdown && connected {
            self.stop_speaking(transport.as_mut(), true);
            let voice = Arc::clone(&self.voice);
            let closing = voice.fallback.closing();
            closing.play_out(transport.as_mut()).await;
        }
        if connected {
            self.finish(transport.as_mut(), reason).await;
        }
        Outcome { reason, connected }
    }

    /// Waits for one thing to happen and takes it in.
    async fn step(&mut self, transport: &mut dyn Transport) {
        let floor_due = self
            .floor
            .poll_deadline()
            .and_then(|(due, _)| self.moment_of(due));
        let hand_over_due = self.hand_over_due();
        let plays = self.speaking.is_some() && self.held_until.is_none();
        let has_a_beat = plays || !self.legs.is_empty();
        tokio::select! {
            biased;
            Some(reason) = self.wires.orders.recv() => self.follow_order(reason),
            Some(line) = self.wires.returns.recv(), if self.returned.is_none() => self.find_another_line(line),
            Some(news) = self.wires.desk.recv() => self.hear_desk(transport, news),
            _ = self.ticker.tick(), if has_a_beat => match plays {
                true => self.play(transport),
                false => self.exchange(transport, FromAssistant::Nothing),
            },
            () = sleep_until(self.held_until), if self.held_until.is_some() => self.release_greeting(transport),
            Some(done) = self.done_rx.recv() => self.take_in(transport, done),
            from = self.legs.next(), if !self.legs.is_empty() => self.hear_officer(transport, from),
            heard = transport.next(), if self.closed.is_none() => self.hear(transport, heard),
            () = sleep_until(hand_over_due), if hand_over_due.is_some() => self.pass_hand_over_deadline(),
            () = sleep_until(floor_due), if floor_due.is_some() => {
                let now = self.now();
                self.floor.handle_deadline(now);
            }
        }
    }

    fn follow_order(&mut self, reason: EndReason) {
        match self.leaving {
            None if reason == EndReason::CallerEnded => self.hang_up(reason),
            leaving => self.over = Some(leaving.unwrap_or(reason)),
        }
    }

    /// Somebody has hung up. Nothing more is said or heard; what they were saying is still transcribed, within a bound.
    fn hang_up(&mut self, reason: EndReason) {
        let now = self.now();
        self.leaving.get_or_insert(reason);
        self.floor.handle(Event::CallerLeft, now);
        if self.is_cut_off() {
            // The caller's last words were waited for as their line was lost.
            self.over = Some(reason);
        }
    }

    fn hear(&mut self, transport: &mut dyn Transport, heard: FromCaller) {
        let now = self.now();
        match heard {
            FromCaller::Audio(_) | FromCaller::Missing | FromCaller::Message(_)
                if self.leaving.is_some() => {}
            heard if !self.real_time.takes(&heard, now) => {
                metrics::counter!("nightlight_frames_too_fast_total").increment(1);
            }
            FromCaller::Audio(frame) => self.hear_sound(transport, &frame),
            FromCaller::Missing => self.hear_sound(transport, &[0; FRAME_SAMPLES]),
            FromCaller::Connected => self.connect(transport),
            FromCaller::Message(text) => self.take_message(transport, &text),
            FromCaller::Closed(reason) => {
                self.closed = Some(reason);
                if self.connected.is_some() {
                    self.floor.handle(Event::CallerLeft, now);
                } else {
                    self.over = Some(end_of(reason));
                }
            }
        }
    }

    /// Takes in 20 ms of the caller's sound.
    fn hear_sound(&mut self, transport: &mut dyn Transport, frame: &AudioFrame) {
        let now = self.now();
        if !self.caller_muted {
            self.legs.hear_caller(frame);
        }
        let Self { ear, floor, .. } = self;
        let (mut closed, mut paused, mut commands) = (Vec::new(), None, Vec::new());
        ear.hear(frame, |ear, voiced, ago| {
            // What comes now was said over the last 20 ms, and a voice ends somewhere within its last frame,
            // on average in the middle: a wait counts from there.
            let said = now.saturating_sub(ago + turn::VOICE_FRAME / 2);
            floor.handle(Event::VoiceFrame { voiced }, said);
            // Segments open and close at exact frames; the rest can wait for the loop.
            while let Some(command) = floor.poll_command() {
                match command {
                    turn::Command::OpenSegment { segment, pre_roll } => {
                        ear.open(segment, pre_roll);
                    }
                    turn::Command::CloseSegment { segment } => {
                        closed.push((segment, ear.close(segment)));
                    }
                    turn::Command::AskWhetherFinished { segment, sound } => {
                        paused = Some((segment, ear.last(sound)));
                    }
                    other => commands.push(other),
                }
            }
        });
        for (segment, sound) in closed {
            self.transcribe(segment, sound, true);
        }
        if let Some((segment, sound)) = paused {
            self.ask_whether_finished(segment, sound);
        }
        for command in commands {
            self.obey(command, transport);
        }
    }

    fn connect(&mut self, transport: &mut dyn Transport) {
        if self.on_the_line {
            return;
        }
        self.on_the_line = true;
        let moment = Instant::now();
        if self.connected.is_none() {
            let before = match self.goes_on {
                true => jiff::Timestamp::now().duration_since(self.started_at),
                false => jiff::SignedDuration::ZERO,
            };
            self.connected = Some((moment, Duration::try_from(before).unwrap_or_default()));
        }
        self.held_until = Some(moment + PLAYABLE_BOUND);
        self.tell(transport, CallEvent::Started);
        let now = self.now();
        if self.has_help_at_hand() {
            self.floor.handle(Event::HelpAtHand(true), now);
        }
        self.floor.handle(Event::CallConnected, now);
        match self.goes_on {
            true => self.welcome_back(now, transport),
            false => self.greet(now, transport),
        }
    }

    fn greet(&mut self, now: Duration, transport: &mut dyn Transport) {
        let begins = match self.plan.assistant_speaks_first {
            true => flow::Event::CallStarted,
            false => flow::Event::CallerToSpeakFirst,
        };
        self.conversation.handle(begins, now);
        let reply = self.conversation.take_reply();
        let greeting = SavedTurn {
            index: 0,
            messages: Vec::new(),
            conversation: self.conversation.save(),
        };
        let (shared, started, id) = (Arc::clone(&self.shared), self.started(), self.id);
        self.spawn(async move {
            shared.journal.started(started).await;
            // The greeting holds none of the caller's words: nothing waits for it.
            let _ = shared.journal.turn(id, greeting).await;
        });
        if self.plan.assistant_speaks_first {
            self.say(reply, transport);
        }
        self.tell_step(transport);
    }

    fn started(&self) -> CallStarted {
        CallStarted {
            id: self.id,
            started_at: self.started_at,
        }
    }

    /// Tells the page and the server what happened.
    fn tell(&mut self, transport: &mut dyn Transport, event: CallEvent) {
        for message in app_messages::write(&event, &self.shared.authorities) {
            transport.send_message(&message);
            self.legs.tell(&message);
        }
        // The server may have stopped listening while it shuts down.
        let _ = self.events.send(event);
    }

    /// Tells where the conversation is, where that is not what was told last, to whom it concerns.
    fn tell_step(&mut self, transport: &mut dyn Transport) {
        let step = self.conversation.step();
        if self.shared.desk.is_some() && step != self.step {
            self.step = step;
            self.tell(transport, CallEvent::Stepped { step });
        }
    }

    /// Settles the record, lets the last sound be heard, and leaves.
    async fn finish(&mut self, transport: &mut dyn Transport, reason: EndReason) {
        let (ended_at, now) = self
            .cut_off
            .unwrap_or_else(|| (jiff::Timestamp::now(), self.now()));
        let _span = self.span.within("end");
        self.span.tell("end_reason", reason.as_str());
        self.stop_speaking(transport, true);
        if self.cut_off.is_none() {
            self.take_in_last_words(now).await;
        }
        self.conversation
            .handle(flow::Event::CallEnded { reason }, now);
        let ended = EndedCall {
            ended_at,
            reason,
            note: self.conversation.note(),
            conversation: self.conversation.clone(),
            messages: self.spoken.messages(),
        };
        self.shared.journal.finished(self.id, ended).await;
        self.tell(transport, CallEvent::Ended { reason });
        if self.closed.is_none() {
            tokio::time::sleep(CLOSING_GRACE).await;
            transport.close().await;
        }
    }

    /// Nobody will reply to them, but they belong in the note. False if there are none.
    async fn take_in_last_words(&mut self, now: Duration) -> bool {
        let last_words = self.floor.unanswered_words();
        if last_words.expose_secret().is_empty() {
            return false;
        }
        let listening = self.conversation.listening();
        let reading = read(&self.shared.reader, &last_words, listening).await;
        let reading = Box::new(reading);
        self.conversation
            .handle(flow::Event::CallerSaid { reading }, now);
        self.conversation.take_reply();
        let from = self.caller_from.unwrap_or(now);
        self.spoken.caller_said(last_words, from, now);
        true
    }

    /// What is known so far; for a call whose loop is no more.
    pub(crate) fn note(&self) -> flow::CaseNote {
        self.conversation.note()
    }

    pub(crate) fn conversation(&self) -> Conversation {
        self.conversation.clone()
    }

    pub(crate) fn transcript(&self) -> Vec<SpokenMessage> {
        self.spoken.messages()
    }

    /// Runs a task that ends with the call at the latest.
    fn spawn(&mut self, task: impl Future<Output = ()> + Send + 'static) -> AbortHandle {
        match self.shared.is_counted {
            true => self.tasks.spawn(task.in_current_span()),
            false => self.tasks.spawn(uncounted(task).in_current_span()),
        }
    }

    /// The offset from the call's start.
    fn now(&self) -> Duration {
        self.connected
            .map_or(Duration::ZERO, |(moment, at)| at + moment.elapsed())
    }

    /// When the call's time will be this, if it ever is.
    fn moment_of(&self, time: Duration) -> Option<Instant> {
        let (moment, at) = self.connected?;
        moment.checked_add(time.saturating_sub(at))
    }
}

/// Whoever was to speak first: a caller who is back is welcomed.
fn with_a_welcome(plan: turn::Plan) -> turn::Plan {
    turn::Plan {
        assistant_speaks_first: true,
        ..plan
    }
}

fn end_of(reason: CloseReason) -> EndReason {
    match reason {
        CloseReason::CallerLeft => EndReason::CallerEnded,
        CloseReason::MediaLost | CloseReason::NeverConnected | CloseReason::Failed => {
            EndReason::Error
        }
    }
}

async fn sleep_until(moment: Option<Instant>) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment).await,
        None => std::future::pending().await,
    }
}
