//! Every duration and count that turn-taking goes by, with its default and its source.
//!
//! It does not validate: a plan is built by the call from parsed settings, and any value is safe
//! (zero waits reply at once; nothing divides by them).

use std::time::Duration;

use crate::Opinion;
use crate::phrases::Phrases;

/// How turns are taken in one call. "Product" marks values the product specification gives; the
/// others are bounds and margins chosen here.
#[derive(Debug, Clone)]
pub struct Plan {
    /// From the end of the caller's speech to the reply; speech meanwhile joins the turn. Product.
    pub start_wait: Duration,
    /// Fits the wait to the speaker; `start_wait` then holds where there is no opinion to go by.
    pub adaptive_wait: Option<AdaptiveWait>,
    /// Words over the assistant's speech that take the floor; at 0, any lasting voice does. Product.
    pub stop_words: usize,
    /// Silence of the caller after which the call ends. Product.
    pub silence_timeout: Duration,
    /// The longest call. Product.
    pub max_duration: Duration,
    /// What of it is left, at least, when the help that was at hand is not any more.
    pub least_after_help: Duration,
    /// Silence of the caller after which the assistant asks once whether they are still there.
    pub check_in_after: Duration,
    /// Silence after which the call of a muted caller ends. Longer, and without a check-in: someone
    /// who mutes may be hiding the call, and a voice out of the phone could give them away.
    pub muted_silence_timeout: Duration,
    /// Whether the assistant greets first; otherwise the floor is the caller's from the start.
    pub assistant_speaks_first: bool,

    /// Frames out of the latest [`Plan::ONSET_WINDOW`] that must be voiced to open a segment.
    pub onset_frames: u32,
    /// Audio kept from before the first voiced frame.
    pub pre_roll: Duration,
    /// Unvoiced audio that closes a segment.
    pub segment_close: Duration,
    /// Voiced audio below which a segment is noise.
    pub shortest_speech: Duration,
    /// The most audio in one segment, pre-roll included. In its last fifth any short pause closes
    /// it, so that words are seldom cut.
    pub longest_segment: Duration,
    /// Voiced audio without a word below which a segment is taken for noise, not for speech that
    /// was not understood.
    pub shortest_not_understood: Duration,
    /// Unvoiced audio that ends an utterance for speech updates.
    pub caller_stopped_after: Duration,

    /// Between interim transcriptions while the caller speaks over the assistant.
    pub interim_every: Duration,
    /// The same later in a long overlap, and while a voice without words holds a reply back.
    pub interim_later: Duration,
    /// After which an interim transcript that did not come is asked for again.
    pub interim_bound: Duration,
    /// Lasting voice over the assistant that takes the floor when `stop_words` is 0 (the hosted
    /// platform's `voiceSeconds`).
    pub stop_voice: Duration,
    /// Voice over the assistant without a decision after which the playout is held.
    pub pause_after: Duration,
    /// The longest hold.
    pub longest_pause: Duration,
    /// How long before the end of the assistant's speech "yes" counts as an answer given early
    /// rather than an acknowledgement.
    pub early_answer: Duration,
    /// Voice without a word that no longer holds a prepared reply back.
    pub longest_wordless_hold: Duration,
    /// Words that say "go on".
    pub acknowledgements: Phrases,
    /// Words that say "stop", however few.
    pub interruptions: Phrases,
    /// The most characters of one turn that are typed, in however many messages.
    pub most_typed: usize,

    /// For a final transcript.
    pub transcript_bound: Duration,
    /// For a reply to be prepared.
    pub reply_bound: Duration,
    /// Preparations of one turn before its words wait for the caller's next turn.
    pub reply_attempts: u32,
    /// For a playout to begin.
    pub playout_start_bound: Duration,
    /// For a playout to finish, pauses aside.
    pub playout_bound: Duration,
    /// Playouts in a row that may fail to begin before the call ends.
    pub unheard_playouts: u32,
    /// From the flow's wish to end to the end, playout included.
    pub ending_bound: Duration,
    /// Without a frame of audio while a segment is open.
    pub audio_missing_bound: Duration,
    /// For the last words' transcript once the call is over.
    pub last_words_bound: Duration,
}

/// A wait that goes by what a pause sounds like.
#[derive(Debug, Clone)]
pub struct AdaptiveWait {
    /// After a turn that sounds finished. No wait is shorter, whatever is known.
    pub least: Duration,
    /// After one that does not, or whose words lead on, and for a caller who whispers or cries.
    pub most: Duration,
    /// From this probability on a turn sounds finished.
    pub finished_from: f32,
    /// Up to this one it sounds unfinished; between the two, the wait lies between the others.
    pub unfinished_to: f32,
    /// After which an opinion is not listened to any more.
    pub opinion_bound: Duration,
    /// How long after a whisper or a sound without words the caller gets the longest wait.
    pub gentle_for: Duration,
    /// Words after which nobody has finished.
    pub leading_on: Phrases,
    /// Digits of a telephone number. Someone who ends with fewer is taken to be dictating one.
    pub whole_number: usize,
}

impl AdaptiveWait {
    pub fn sounds_finished(&self, opinion: Opinion) -> bool {
        opinion.finished >= self.finished_from
    }

    /// By the sound alone.
    pub(crate) fn after(&self, opinion: Opinion) -> Duration {
        if self.sounds_finished(opinion) {
            return self.least;
        }
        let doubt = (self.finished_from - opinion.finished)
            / (self.finished_from - self.unfinished_to).max(f32::EPSILON);
        // What is no number at all, or no probability, sounds unfinished.
        if !(0.0..1.0).contains(&doubt) {
            return self.most;
        }
        let longer = self.most.saturating_sub(self.least).as_millis() as f32 * doubt;
        self.least + Duration::from_millis(longer as u64)
    }
}

impl Default for AdaptiveWait {
    fn default() -> Self {
        Self {
            least: Duration::from_millis(600),
            most: Duration::from_millis(2500),
            finished_from: 0.9,
            unfinished_to: 0.4,
            opinion_bound: Duration::from_secs(1),
            gentle_for: Duration::from_secs(30),
            leading_on: Phrases::leading_on(),
            whole_number: 8,
        }
    }
}

impl Plan {
    /// Frames looked at for an onset.
    pub const ONSET_WINDOW: u32 = 4;
}

/// A plan to begin from. A server has its own figures for what is the product's, from `config/assistants/helpline.json` and its
/// settings; those here are what tests of turn-taking go by.
impl Default for Plan {
    fn default() -> Self {
        let ms = Duration::from_millis;
        let s = Duration::from_secs;
        Self {
            start_wait: s(3),
            adaptive_wait: None,
            stop_words: 2,
            silence_timeout: s(30),
            max_duration: s(600),
            least_after_help: s(300),
            check_in_after: s(15),
            muted_silence_timeout: s(120),
            assistant_speaks_first: true,

            onset_frames: 3,
            pre_roll: ms(320),
            segment_close: ms(200),
            shortest_speech: ms(90),
            longest_segment: s(15),
            shortest_not_understood: ms(250),
            caller_stopped_after: s(1),

            interim_every: ms(250),
            interim_later: s(1),
            interim_bound: s(2),
            stop_voice: ms(200),
            pause_after: ms(600),
            longest_pause: ms(1500),
            early_answer: ms(600),
            longest_wordless_hold: s(2),
            acknowledgements: Phrases::acknowledgements(),
            interruptions: Phrases::interruptions(),
            most_typed: 16_000,

            transcript_bound: s(4),
            reply_bound: s(6),
            reply_attempts: 2,
            playout_start_bound: s(5),
            playout_bound: s(60),
            unheard_playouts: 3,
            ending_bound: s(30),
            audio_missing_bound: ms(500),
            last_words_bound: s(2),
        }
    }
}
