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

mod pauses;
mod replying;
mod speaking;

use std::sync::Arc;
use std::time::Duration;

use flow::reading::Reading;
use flow::{Conversation, EndReason};
use redact::Secret;
use tokio::sync::{mpsc, watch};
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{Instant, Interval, MissedTickBehavior};
use tracing::Instrument;
use turn::{Ended, Event, Floor, SegmentId, TurnId};
use uuid::Uuid;

use crate::app_messages::{self, FromPage};
use crate::call_voice::CallVoice;
use crate::ear::Ear;
use crate::events::{CallEvent, CallStarted, EndedCall, SavedTurn, Speaker, SpokenMessage};
use crate::media::{CloseReason, FRAME_DURATION, FromCaller, Transport};
use crate::playout::Playout;
use crate::reading::read;
use crate::real_time::RealTime;
use crate::spoken::Spoken;
use crate::switchboard::Shared;
use flow::{Afterwards, Reply};

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

/// How long a turn may take to become durable before it is spoken all the same.
const SAVE_BOUND: Duration = Duration::from_millis(1500);

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
    orders: mpsc::Receiver<EndReason>,

    /// When the media connected: offset zero of the call's time.
    connected: Option<Instant>,
    floor: Floor,
    conversation: Conversation,
    real_time: RealTime,
    ear: Ear,
    spoken: Spoken,

    /// The turn that is being read, for a reply to it.
    reading: Option<TurnId>,
    preparing: Option<Preparing>,
    speaking: Option<Speaking>,
    /// The greeting waits until then for the page to be able to play it.
    held_until: Option<Instant>,
    ticker: Interval,

    /// When the turn the caller is in began.
    caller_from: Option<Duration>,
    /// Caller turns replied to so far; the greeting is turn 0.
    turns: u32,
    next_speech: u64,
    assistant_muted: bool,
    /// What the flow wants after its last words.
    ending: Option<EndReason>,
    /// Why the transport is gone, once it is.
    closed: Option<CloseReason>,
    over: Option<EndReason>,

    done_tx: mpsc::UnboundedSender<Done>,
    done_rx: mpsc::UnboundedReceiver<Done>,
    tasks: JoinSet<()>,
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
    /// The chat model is being asked; the reply is the templates' until it has answered.
    _asked: Option<Asked>,
    conversation: Conversation,
    reply: Reply,
    playout: Playout,
    synthesis: Synthesis,
    saved: bool,
    announced: bool,
}

/// What the assistant is saying.
struct Speaking {
    playout: Playout,
    synthesis: Synthesis,
    afterwards: Vec<Afterwards>,
    from: Option<Duration>,
    /// Since when sound has been wanting, while it is.
    starved: Option<Duration>,
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
        id: Uuid,
        started_at: jiff::Timestamp,
        plan: turn::Plan,
        shared: Arc<Shared>,
        voice: Arc<CallVoice>,
        events: mpsc::UnboundedSender<CallEvent>,
        orders: mpsc::Receiver<EndReason>,
    ) -> Self {
        let (done_tx, done_rx) = mpsc::unbounded_channel();
        let mut ticker = tokio::time::interval(FRAME_DURATION);
        ticker.set_missed_tick_behavior(MissedTickBehavior::Burst);
        let ear = Ear::for_plan(&plan);
        Self {
            id,
            started_at,
            floor: Floor::new(plan),
            conversation: Conversation::new(flow::Setup {
                called_at: crate::singapore_time(started_at),
                assistant: Arc::clone(&shared.script),
                medium: flow::Medium::Speech,
            }),
            shared,
            voice,
            openings: 0,
            stand_ins: 0,
            events,
            orders,
            connected: None,
            real_time: RealTime::default(),
            ear,
            spoken: Spoken::default(),
            reading: None,
            preparing: None,
            speaking: None,
            held_until: None,
            ticker,
            caller_from: None,
            turns: 0,
            next_speech: 0,
            assistant_muted: false,
            ending: None,
            closed: None,
            over: None,
            done_tx,
            done_rx,
            tasks: JoinSet::new(),
        }
    }

    /// Runs the call until it is over. The transport stays the caller's of this
    /// function, so that something can still be said if this panics.
    pub(crate) async fn run(&mut self, transport: &mut dyn Transport) -> Outcome {
        while self.over.is_none() {
            self.step(transport).await;
            self.carry_out(transport);
            while self.tasks.try_join_next().is_some() {}
        }
        let reason = self.over.unwrap_or(EndReason::Error);
        if reason == EndReason::WorkerShutdown && self.connected.is_some() {
            self.stop_speaking(transport, true);
            let voice = Arc::clone(&self.voice);
            voice.fallback.closing().play_out(transport).await;
        }
        if self.connected.is_some() {
            self.finish(transport, reason).await;
        }
        Outcome {
            reason,
            connected: self.connected.is_some(),
        }
    }

    /// Waits for one thing to happen and takes it in.
    async fn step(&mut self, transport: &mut dyn Transport) {
        let floor_due = self
            .floor
            .poll_deadline()
            .zip(self.connected)
            .map(|((due, _), start)| start + due);
        let may_play = self.speaking.is_some() && self.held_until.is_none();
        tokio::select! {
            biased;
            Some(reason) = self.orders.recv() => self.over = Some(reason),
            _ = self.ticker.tick(), if may_play => self.play(transport),
            () = sleep_until(self.held_until), if self.held_until.is_some() => self.release_greeting(transport),
            Some(done) = self.done_rx.recv() => self.take_in(done),
            heard = transport.next(), if self.closed.is_none() => self.hear(transport, heard),
            () = sleep_until(floor_due), if floor_due.is_some() => {
                let now = self.now();
                self.floor.handle_deadline(now);
            }
        }
    }

    fn hear(&mut self, transport: &mut dyn Transport, heard: FromCaller) {
        let now = self.now();
        match heard {
            FromCaller::Audio(_) if !self.real_time.takes_a_frame(now) => {
                metrics::counter!("nightlight_frames_too_fast_total").increment(1);
            }
            FromCaller::Audio(frame) => {
                let Self { ear, floor, .. } = self;
                let (mut closed, mut paused, mut commands) = (Vec::new(), None, Vec::new());
                ear.hear(&frame, |ear, voiced, ago| {
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

    fn connect(&mut self, transport: &mut dyn Transport) {
        if self.connected.is_some() {
            return;
        }
        let start = Instant::now();
        self.connected = Some(start);
        self.held_until = Some(start + PLAYABLE_BOUND);
        self.tell(transport, CallEvent::Started);
        self.floor.handle(Event::CallConnected, Duration::ZERO);

        let shared = Arc::clone(&self.shared);
        let started = CallStarted {
            id: self.id,
            started_at: self.started_at,
        };
        self.conversation
            .handle(flow::Event::CallStarted, Duration::ZERO);
        let reply = self.conversation.take_reply();
        let greeting = SavedTurn {
            index: 0,
            messages: Vec::new(),
            conversation: self.conversation.save(),
        };
        let id = self.id;
        self.spawn(async move {
            shared.journal.started(started).await;
            // The greeting holds none of the caller's words: nothing waits for it.
            let _ = shared.journal.turn(id, greeting).await;
        });
        self.say(reply);
    }

    fn take_message(&mut self, transport: &mut dyn Transport, text: &Secret<String>) {
        let now = self.now();
        match app_messages::read(text) {
            Ok(FromPage::Playable) => {
                if self.held_until.is_some() {
                    self.release_greeting(transport);
                }
            }
            Ok(FromPage::Typed { words }) => {
                self.floor.handle(Event::CallerTyped { words }, now);
            }
            Ok(FromPage::Say {
                words,
                end_call_after,
                interruptible,
            }) => {
                self.floor.handle(Event::AssistantTold, now);
                self.floor
                    .handle(Event::InterruptionsAllowed(interruptible), now);
                let ends = end_call_after
                    || turn::EndCallPhrases::default().ends_call(words.expose_secret());
                let end = ends.then_some(EndReason::AssistantEnded);
                self.stop_speaking(transport, false);
                self.say(Reply::of(vec![words], end));
                self.start_playing(transport);
            }
            Ok(FromPage::MuteAssistant(muted)) => {
                self.assistant_muted = muted;
                self.floor.handle(Event::AssistantMuted(muted), now);
            }
            Ok(FromPage::MuteCaller(muted)) => self.floor.handle(Event::CallerMuted(muted), now),
            Ok(FromPage::EndCall) => self.over = Some(EndReason::CallerEnded),
            Ok(FromPage::Nothing) => {}
            Err(error) => {
                metrics::counter!("nightlight_app_messages_refused_total").increment(1);
                tracing::debug!(call = %self.id, %error, "app message refused");
            }
        }
    }

    /// Carries out what the floor has decided.
    fn carry_out(&mut self, transport: &mut dyn Transport) {
        while let Some(command) = self.floor.poll_command() {
            self.obey(command, transport);
        }
    }

    fn obey(&mut self, command: turn::Command, transport: &mut dyn Transport) {
        match command {
            turn::Command::OpenSegment { segment, pre_roll } => self.ear.open(segment, pre_roll),
            turn::Command::CloseSegment { segment } => {
                let sound = self.ear.close(segment);
                self.transcribe(segment, sound, true);
            }
            turn::Command::TranscribeSoFar { segment } => {
                let sound = self.ear.so_far(segment);
                self.transcribe(segment, sound, false);
            }
            turn::Command::DropSegment { segment } => self.ear.drop_segment(segment),
            turn::Command::AskWhetherFinished { segment, sound } => {
                let sound = self.ear.last(sound);
                self.ask_whether_finished(segment, sound);
            }
            turn::Command::PrepareReply { turn, words } => self.prepare(turn, words, transport),
            turn::Command::DiscardReply { turn } => {
                self.reading.take_if(|reading| *reading == turn);
                self.preparing.take_if(|preparing| preparing.turn == turn);
            }
            turn::Command::StartReply { turn, waited } => {
                if let Some(waited) = waited {
                    metrics::histogram!("nightlight_start_wait_seconds").record(waited);
                }
                self.start_reply(turn, transport);
            }
            turn::Command::PausePlayout => {
                if let Some(speaking) = &mut self.speaking {
                    speaking.playout.pause();
                }
            }
            turn::Command::ResumePlayout => {
                if let Some(speaking) = &mut self.speaking {
                    speaking.playout.resume();
                    self.ticker.reset_immediately();
                }
            }
            turn::Command::StopPlayout => {
                // The floor also stops a playout at its bound and before the end.
                let by_caller = !self.floor.has_ended() && self.closed.is_none();
                self.stop_speaking(transport, by_caller);
                if by_caller {
                    let turn = self.turns;
                    self.tell(transport, CallEvent::Interrupted { turn });
                }
            }
            turn::Command::CheckIn => {
                let now = self.now();
                self.conversation.handle(flow::Event::CallerSilent, now);
                let reply = self.conversation.take_reply();
                self.stop_speaking(transport, false);
                self.say(reply);
                self.start_playing(transport);
            }
            turn::Command::SayFallback { reason } => {
                metrics::counter!("nightlight_fallbacks_said_total").increment(1);
                tracing::warn!(call = %self.id, ?reason, "the safe fallback is said");
                if let turn::Fallback::ReplyLate { turn } | turn::Fallback::ReplyFailed { turn } =
                    reason
                {
                    self.reading.take_if(|reading| *reading == turn);
                    self.preparing.take_if(|preparing| preparing.turn == turn);
                }
                self.stop_speaking(transport, false);
                self.say_fallback();
                self.start_playing(transport);
            }
            turn::Command::End { reason } => {
                self.over = Some(match reason {
                    Ended::AssistantEnded => self.ending.unwrap_or(EndReason::AssistantEnded),
                    Ended::SilenceTimedOut => EndReason::SilenceTimedOut,
                    Ended::ExceededMaxDuration => EndReason::ExceededMaxDuration,
                    Ended::CallerLeft => self.closed.map_or(EndReason::CallerEnded, end_of),
                    Ended::AssistantUnheard => EndReason::Error,
                });
            }
            turn::Command::CallerStarted => {
                let now = self.now();
                tracing::debug!(at = ?now, "the caller began to speak");
                self.caller_from.get_or_insert(now);
                let turn = self.turns;
                let speaker = Speaker::Caller;
                self.tell(transport, CallEvent::SpeechStarted { speaker, turn });
            }
            turn::Command::CallerStopped => {
                let turn = self.turns;
                let speaker = Speaker::Caller;
                self.tell(transport, CallEvent::SpeechStopped { speaker, turn });
            }
        }
    }

    /// Tells the page and the server what happened.
    fn tell(&mut self, transport: &mut dyn Transport, event: CallEvent) {
        for message in app_messages::write(&event) {
            transport.send_message(&message);
        }
        // The server may have stopped listening while it shuts down.
        let _ = self.events.send(event);
    }

    /// Settles the record, lets the last sound be heard, and leaves.
    async fn finish(&mut self, transport: &mut dyn Transport, reason: EndReason) {
        let now = self.now();
        self.stop_speaking(transport, true);
        let last_words = self.floor.unanswered_words();
        if !last_words.expose_secret().is_empty() {
            // Nobody will reply to them, but they belong in the note.
            let listening = self.conversation.listening();
            let reading = read(&self.shared.reader, &last_words, listening).await;
            let reading = Box::new(reading);
            self.conversation
                .handle(flow::Event::CallerSaid { reading }, now);
            self.conversation.take_reply();
            let from = self.caller_from.unwrap_or(now);
            self.spoken.caller_said(last_words, from, now);
        }
        self.conversation
            .handle(flow::Event::CallEnded { reason }, now);
        let ended = EndedCall {
            ended_at: jiff::Timestamp::now(),
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
        self.tasks.spawn(task.in_current_span())
    }

    /// The offset from the call's start.
    fn now(&self) -> Duration {
        self.connected
            .map_or(Duration::ZERO, |start| start.elapsed())
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
