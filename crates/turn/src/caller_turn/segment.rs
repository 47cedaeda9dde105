//! One stretch of the caller's speech: how far it has come and what its words amount to.

use std::time::Duration;

use redact::Secret;

use crate::phrases::{LastDigits, count_words};
use crate::{Opinion, Plan, SegmentId};

#[derive(Debug)]
pub(crate) struct Segment {
    /// None for words that were typed.
    pub id: Option<SegmentId>,
    pub began: Duration,
    /// The end of its speech, from which the start-speaking wait counts.
    pub ended: Duration,
    /// How much of it is voice.
    pub voiced: Duration,
    pub stage: Stage,
    /// The latest transcript, interim or final; empty when it has no word.
    pub words: Secret<String>,
    pub weight: Weight,
    pub part: Part,
    pub wordless: Wordless,
    /// It may become words that a reply should wait for; false for a sound that goes on without.
    pub holds: bool,
    /// The playout was held for it once, and is not again.
    pub pause_spent: bool,
    pub interim: Interim,
    /// The pause after it, if it was asked whether that is the end of the turn.
    pub pause: Option<Pause>,
    /// Its words want others after them.
    pub leads_on: bool,
    pub last_digits: LastDigits,
}

/// A pause that an opinion was asked on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pause {
    pub asked_at: Duration,
    pub opinion: Option<Opinion>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Its audio is being kept.
    Open,
    Transcribing {
        until: Duration,
    },
    Heard,
}

/// What words over the assistant's speech amount to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    Nothing,
    Acknowledgement,
    Words(usize),
    Interruption,
}

/// How a segment belongs to the turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Said,
    /// It began over the assistant, who is still speaking.
    OverAssistant,
    /// It began over the assistant, who has finished since. An early one may be an answer.
    AfterAssistant {
        early: bool,
    },
    /// Its reply could not be prepared: its words go with the next turn but ask for none.
    Carried,
}

/// What a segment without a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wordless {
    /// Noise if it is short, else speech that was not understood.
    ByLength,
    Noise,
    NotUnderstood,
}

/// Transcription of an open segment.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Interim {
    asked: Option<Duration>,
    pub outstanding: bool,
}

impl Segment {
    pub fn open(id: SegmentId, began: Duration) -> Self {
        Self {
            id: Some(id),
            began,
            ended: began,
            voiced: Duration::ZERO,
            stage: Stage::Open,
            words: Secret::default(),
            weight: Weight::Nothing,
            part: Part::Said,
            wordless: Wordless::ByLength,
            holds: true,
            pause_spent: false,
            interim: Interim::default(),
            pause: None,
            leads_on: false,
            last_digits: LastDigits::default(),
        }
    }

    pub fn typed(words: Secret<String>, now: Duration) -> Self {
        let mut segment = Self::open(SegmentId(0), now);
        segment.id = None;
        segment.stage = Stage::Heard;
        segment.weight = Weight::Words(count_words(words.expose_secret()));
        segment.words = words;
        segment
    }

    pub fn is_answerable(&self) -> bool {
        self.stage == Stage::Heard && self.part == Part::Said
    }

    /// Whether it may still change the turn.
    pub fn holds_reply(&self) -> bool {
        self.stage != Stage::Heard && self.holds && self.part != Part::OverAssistant
    }

    /// Whether it is neither waiting for an answer nor likely to become words that are.
    pub fn is_background(&self) -> bool {
        self.part == Part::Carried || (self.stage != Stage::Heard && !self.holds)
    }

    /// Whether this is the moment for another interim transcription: there is voice that the last
    /// did not have. If so, it is taken as asked.
    pub fn ask_interim(
        &mut self,
        every: Duration,
        last_voiced: Duration,
        now: Duration,
        plan: &Plan,
    ) -> bool {
        let last = self.interim.asked.unwrap_or(self.began);
        let waited = now.saturating_sub(last);
        // An answer that never came must not end the asking.
        let busy = self.interim.outstanding && waited < plan.interim_bound;
        let due = waited >= every && last_voiced > last && !busy;
        if due {
            self.interim.asked = Some(now);
            self.interim.outstanding = true;
        }
        due
    }

    pub fn continue_from(&mut self, before: &Segment) {
        self.part = before.part;
        self.wordless = before.wordless;
        self.holds = before.holds;
        self.pause_spent = before.pause_spent;
    }

    pub fn heard_so_far(&mut self, words: Secret<String>, now: Duration, plan: &Plan) {
        let weight = Weight::of(words.expose_secret(), plan);
        if weight != Weight::Nothing {
            self.holds = true;
            self.take_words(words, weight, plan);
        } else if self.weight == Weight::Nothing {
            let lasted = now.saturating_sub(self.began);
            self.holds &= lasted < plan.longest_wordless_hold;
        }
    }

    pub fn hear(&mut self, words: Secret<String>, plan: &Plan) {
        self.stage = Stage::Heard;
        let weight = Weight::of(words.expose_secret(), plan);
        self.take_words(words, weight, plan);
    }

    fn take_words(&mut self, words: Secret<String>, weight: Weight, plan: &Plan) {
        self.weight = weight;
        self.words = match weight {
            Weight::Nothing => Secret::default(),
            _ => words,
        };
        if let Some(adaptive) = &plan.adaptive_wait {
            let words = self.words.expose_secret();
            self.leads_on = adaptive.leading_on.end(words);
            self.last_digits = LastDigits::of(words);
        }
    }

    /// No transcript will come: what was heard so far has to do.
    pub fn give_up_hearing(&mut self) {
        self.stage = Stage::Heard;
        if matches!(self.part, Part::Said | Part::AfterAssistant { early: true }) {
            self.wordless = Wordless::NotUnderstood;
        }
    }

    /// Whether a heard segment is more than noise or an acknowledgement.
    pub fn belongs(&self, plan: &Plan) -> bool {
        match self.weight {
            Weight::Nothing => match self.wordless {
                Wordless::ByLength => self.voiced >= plan.shortest_not_understood,
                Wordless::Noise => false,
                Wordless::NotUnderstood => true,
            },
            Weight::Acknowledgement => self.part != Part::AfterAssistant { early: false },
            Weight::Words(_) | Weight::Interruption => true,
        }
    }

    /// What was heard after the assistant finished is an ordinary part of the turn.
    pub fn settle(&mut self) {
        if matches!(self.part, Part::AfterAssistant { .. }) {
            self.part = Part::Said;
        }
    }
}

impl Weight {
    fn of(words: &str, plan: &Plan) -> Self {
        match count_words(words) {
            0 => Self::Nothing,
            _ if plan.interruptions.found_in(words) => Self::Interruption,
            _ if plan.acknowledgements.are_all_of(words) => Self::Acknowledgement,
            count => Self::Words(count),
        }
    }
}
