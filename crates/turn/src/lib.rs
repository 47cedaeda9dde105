//! Who has the floor: turn-taking for one live call, decided in pure code.
//!
//! [`Floor`] is told what was heard and played ([`Event`]) and at what time, and answers with what
//! to do about it ([`Command`]). It has no clock, thread, randomness or audio of its own: `now` is
//! always an offset from the call's start, so thirty seconds of silence are one line of a test.
//!
//! ```
//! use std::time::Duration;
//! use turn::{Command, Deadline, Event, Floor, Plan};
//!
//! let mut floor = Floor::new(Plan::default());
//! floor.handle(Event::CallConnected, Duration::ZERO);
//! floor.handle(Event::PlayoutStarted, Duration::from_millis(80));
//! floor.handle(Event::PlayoutFinished, Duration::from_secs(4));
//!
//! // Nobody speaks: the next thing to happen is the check-in, and the floor says so.
//! let (due, why) = floor.poll_deadline().expect("a live call always has a deadline");
//! assert_eq!((due, why), (Duration::from_secs(19), Deadline::CheckIn));
//!
//! floor.handle_deadline(due);
//! assert_eq!(floor.poll_command(), Some(Command::CheckIn));
//! ```
//!
//! # The loop around it
//!
//! 1. [`Floor::handle`] each event at the time it is known, or [`Floor::handle_deadline`] when the
//!    time of [`Floor::poll_deadline`] has come, whichever is first;
//! 2. drain [`Floor::poll_command`] and carry the commands out in order;
//! 3. ask [`Floor::poll_deadline`] again: every event may move it.
//!
//! What the loop owes the floor:
//!
//! * One [`Event::VoiceFrame`] for each frame, in order, at the time when it sounded; segments
//!   are cut at exactly that frame, so its commands are carried out before the next frame's audio is
//!   kept. A long segment is closed and the next opened by the same frame.
//! * After [`Command::StartReply`], [`Command::CheckIn`] and [`Command::SayFallback`], as after
//!   [`Event::AssistantTold`] and for the greeting: one [`Event::PlayoutStarted`], then one
//!   [`Event::PlayoutFinished`] when the caller has heard the last of it, not in a gap between two
//!   sentences. With nothing to say, the second alone. Each replaces what was to be said before.
//! * After [`Command::StopPlayout`], neither. It is also given where nobody interrupted: for a
//!   playout beyond its bound, and before the end of a call.
//! * [`Command::PrepareReply`] changes nothing that lasts: the flow takes the turn in on a copy,
//!   which [`Command::StartReply`] keeps and anything else throws away. Each preparation is ended
//!   by exactly one of [`Command::StartReply`], [`Command::DiscardReply`] and a
//!   [`Command::SayFallback`] that names it.
//! * [`Event::CallEnding`] after the `StartReply` whose reply ends the call.
//! * At [`Command::End`], [`Floor::unanswered_words`] go to the flow before the note is written:
//!   the floor has waited, within a bound, for the transcript of the caller's last words.
//!
//! # What it decides
//!
//! * **Segments.** Frames of voice become stretches of audio worth transcribing, each with some
//!   audio from before its onset, none longer than the transcriber takes ([`VoiceFrame`]).
//! * **Turns.** Segments become one caller turn while less than the start-speaking wait lies
//!   between them; the reply is prepared meanwhile and starts the moment the wait is over.
//! * **The wait.** Fixed, or adaptive: short where the pause sounds like the end of a turn, long
//!   where it does not, where the words lead on, and for someone who whispers or cries.
//! * **Interruptions.** Speech over the assistant is transcribed as it comes: enough words, or a
//!   phrase such as "wait", takes the floor; "mm-hmm" never does.
//! * **Silence.** One check-in, then the end of the call.
//! * **Bounds.** Whatever the floor waits for (a transcript, a reply, a playout) it waits for until
//!   a stated moment and no longer, and something is said then.
//!
//! [`HandOver`] decides in the same manner how a duty officer comes to a call, [`Part`] who hears whom
//! then, and [`Utterances`] where what an officer says begins and ends.
//!
//! It deliberately does not decide what is said, does not detect voice in samples, and does not
//! know how audio reaches anyone.
//!
//! [`VoiceFrame`]: Event::VoiceFrame

mod assistant;
mod caller_turn;
mod floor;
mod hand_over;
mod parts;
mod phrases;
mod plan;
mod silence;
mod utterances;
mod voice_activity;

use std::fmt;
use std::time::Duration;

use redact::Secret;

pub use floor::Floor;
pub use hand_over::{
    HandOver, HandOverCommand, HandOverDeadline, HandOverEvent, HandOverPlan, NotTaken, NotTalking,
    Ring, Unreached,
};
pub use parts::Part;
pub use phrases::{EndCallPhrases, Phrases};
pub use plan::{AdaptiveWait, Plan};
pub use utterances::{UtteranceChange, Utterances};

/// How much audio one [`Event::VoiceFrame`] stands for: 256 samples at 16 kHz.
pub const VOICE_FRAME: Duration = Duration::from_millis(16);

/// A stretch of the caller's audio that is transcribed as one piece. Fresh for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SegmentId(pub u64);

/// One preparation of a reply. Fresh for each [`Command::PrepareReply`], also when the same caller
/// turn is prepared again with more words, so that an answer to an older one cannot be mistaken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TurnId(pub u64);

impl fmt::Display for SegmentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "segment-{}", self.0)
    }
}

impl fmt::Display for TurnId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "turn-{}", self.0)
    }
}

/// What a pause of the caller sounds like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Opinion {
    /// How probable it is that they have finished.
    pub finished: f32,
    /// They whisper, or have hardly any voice left.
    pub hushed: bool,
}

/// Something that happened in the call.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// Media flows both ways; the call's time counts from here.
    CallConnected,
    /// The detector's verdict on one [`VOICE_FRAME`] of the caller's audio that ends at `now`.
    VoiceFrame { voiced: bool },
    /// What the transcriber made of a segment. Empty words mean that nothing was understood.
    /// An interim (`is_final: false`) answers [`Command::TranscribeSoFar`], the final one
    /// [`Command::CloseSegment`]; they may come late and out of order.
    Transcribed {
        segment: SegmentId,
        words: Secret<String>,
        is_final: bool,
    },
    /// The final transcript of a closed segment will not come. (An interim that fails needs no
    /// event: another is asked for.)
    TranscriptionFailed { segment: SegmentId },
    /// The answer to [`Command::AskWhetherFinished`]; without an opinion, there is none to be had.
    /// It may come late, or never.
    OpinionGiven {
        segment: SegmentId,
        opinion: Option<Opinion>,
    },
    /// The reply's first audio is ready to play.
    ReplyPrepared { turn: TurnId },
    /// The reply will not come.
    ReplyFailed { turn: TurnId },
    /// Something happened that whatever reply is being prepared, or is ready, does not know of: another is to be prepared.
    ReplyOvertaken,
    /// The first audio of what the assistant was to say is on its way to the caller.
    PlayoutStarted,
    /// Everything that was to be said has been heard (or there was nothing to say). Never sent for
    /// a playout that [`Command::StopPlayout`] ended.
    PlayoutFinished,
    /// The caller wrote something: a turn at once, or [`Command::RefuseTyped`].
    CallerTyped { words: Secret<String> },
    /// The caller's microphone was muted or unmuted.
    CallerMuted(bool),
    /// The assistant's sound was muted or unmuted. Turn-taking goes on as if it were heard: replies
    /// are prepared, start and finish; only the audio sent is silence.
    AssistantMuted(bool),
    /// Something outside the flow is about to be said (control message `say`).
    AssistantTold,
    /// Whether the caller's words may stop what the assistant says now or, if it is quiet, next.
    /// Once that has been said they may again.
    InterruptionsAllowed(bool),
    /// A person is being brought to the caller, or talks with them; or is no longer there. Meanwhile
    /// nobody's silence ends the call, and it has no longest duration.
    HelpAtHand(bool),
    /// The flow wants to end the call after what is being said.
    CallEnding,
    /// The caller hung up or the media is gone.
    CallerLeft,
}

/// Something to do now, in the order given.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Start keeping the caller's audio as this segment, from `pre_roll` before now.
    OpenSegment {
        segment: SegmentId,
        pre_roll: Duration,
    },
    /// Keep no more audio for this segment; transcribe all of it and answer with a final
    /// [`Event::Transcribed`].
    CloseSegment { segment: SegmentId },
    /// Transcribe what the open segment holds so far. One at a time; the answer may be skipped.
    TranscribeSoFar { segment: SegmentId },
    /// Forget the segment: too short to be speech. No transcript is expected.
    DropSegment { segment: SegmentId },
    /// A pause has begun: ask whether the caller sounds finished, from the last `sound` of their
    /// audio, which is their turn so far. Only where the plan's wait is adaptive. The answer may
    /// be skipped.
    AskWhetherFinished { segment: SegmentId, sound: Duration },
    /// Prepare the reply to the caller's whole turn so far, and do not play it yet. Empty words
    /// mean that the caller spoke and nothing was understood.
    PrepareReply { turn: TurnId, words: Secret<String> },
    /// Throw this preparation away, as if it had not been asked for.
    DiscardReply { turn: TurnId },
    /// The plan's moment has come: make the turn durable and play its reply. `waited` is the time
    /// since the end of the caller's speech, and `late` what of it is beyond the plan; none where they typed.
    StartReply {
        turn: TurnId,
        waited: Option<Duration>,
        late: Option<Duration>,
    },
    /// Hold the assistant's audio where it is: the caller may be taking the floor.
    PausePlayout,
    /// The caller was not: go on where it was held.
    ResumePlayout,
    /// Forget all audio not yet heard: the caller has the floor.
    StopPlayout,
    /// Ask gently whether the caller is still there.
    CheckIn,
    /// A bound has passed: say the safe fallback.
    SayFallback { reason: Fallback },
    /// The call is over; always the last command.
    End { reason: Ended },
    /// The caller began an utterance (for speech updates; noise and pauses do not show).
    CallerStarted,
    /// That utterance is over.
    CallerStopped,
    /// What the caller just typed is not taken: so much of it waits for an answer already. Tell them.
    RefuseTyped,
}

/// Why the safe fallback is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fallback {
    /// The reply was not prepared in time; its preparation is given up.
    ReplyLate { turn: TurnId },
    /// The reply could not be prepared.
    ReplyFailed { turn: TurnId },
    /// What was to be said did not begin to play in time.
    PlayoutLate,
}

/// Why the floor ends the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The flow asked for it and its last words have been played.
    AssistantEnded,
    SilenceTimedOut,
    ExceededMaxDuration,
    CallerLeft,
    /// Nothing the assistant says reaches the caller any more, not even the fallback.
    AssistantUnheard,
}

/// What the floor waits for next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Deadline {
    /// The start-speaking wait is over and the reply may start.
    ReplyDue,
    /// No frame of audio came for a while: an open segment cannot stay open.
    AudioMissing,
    /// A transcript is outstanding.
    TranscriptLate,
    /// A reply is being prepared.
    ReplyLate,
    /// The assistant was to speak and has not begun.
    PlayoutLate,
    /// The assistant has spoken for longer than anything it would say.
    PlayoutEndless,
    /// The playout is held for a caller who may not be interrupting at all.
    PauseOver,
    /// The caller's utterance has ended, as far as speech updates go.
    CallerStopped,
    /// The caller has been silent for a while.
    CheckIn,
    /// The caller has been silent for a while, and help is at hand: nothing is asked.
    SilentWithHelp,
    /// The caller has been silent for too long.
    SilenceTimeout,
    /// The call's longest duration.
    MaxDuration,
    /// The flow's own ending has not been played out.
    EndingLate,
    /// The call is over but for the transcript of the caller's last words.
    LastWords,
}
