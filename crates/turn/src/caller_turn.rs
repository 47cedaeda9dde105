//! What the caller has said and the assistant has not yet answered, segment by segment.
//!
//! Transcripts come late and out of order; here they find their place, and the words of the turn
//! are joined in the order in which they were spoken. Speech that began over the assistant waits
//! apart until it is known to be an interruption, an acknowledgement or an answer. It deliberately
//! gives no commands: the floor asks it questions and acts.

mod segment;

use std::time::Duration;

use redact::Secret;

use crate::voice_activity::Closed;
use crate::{Opinion, Plan, SegmentId};
use segment::{Part, Pause, Segment, Stage, Weight, Wordless};

/// Segments that a call seldom has waiting at once: room for them is made beforehand.
const USUAL_SEGMENTS: usize = 32;

/// Segments whose transcript is remembered to be overdue.
const OVERDUE_REMEMBERED: usize = 8;

#[derive(Debug)]
pub(crate) struct CallerTurn {
    /// In the order spoken.
    segments: Vec<Segment>,
    /// Segments whose transcript did not come within its bound (it may come yet), and when their
    /// speech ended.
    overdue: Vec<(SegmentId, Duration)>,
}

/// Questions.
impl CallerTurn {
    pub fn new() -> Self {
        Self {
            segments: Vec::with_capacity(USUAL_SEGMENTS),
            overdue: Vec::with_capacity(OVERDUE_REMEMBERED),
        }
    }

    /// Whether there is anything that a reply should be prepared to.
    pub fn asks_for_reply(&self) -> bool {
        self.segments.iter().any(Segment::is_answerable)
    }

    /// Whether speech is still coming or being transcribed that may change the turn. Typed words
    /// do not wait for speech: it goes with the next turn.
    pub fn is_unfinished(&self) -> bool {
        !self.has_typed() && self.segments.iter().any(Segment::holds_reply)
    }

    /// Whether nothing of the caller's is under way or waiting for an answer.
    pub fn is_idle(&self) -> bool {
        self.segments.iter().all(Segment::is_background)
    }

    /// The words of the turn so far, in the order spoken.
    pub fn words(&self) -> Secret<String> {
        self.join(|segment| segment.is_answerable() || segment.part == Part::Carried)
    }

    /// All the caller's words that no reply was started to, over the assistant's speech too.
    pub fn unanswered_words(&self) -> Secret<String> {
        self.join(|segment| segment.stage == Stage::Heard)
    }

    /// From when the start-speaking wait counts.
    pub fn ended(&self) -> Duration {
        self.last_said().map_or(Duration::ZERO, |last| last.ended)
    }

    /// What the pause sounds like that the start-speaking wait counts in.
    pub fn opinion(&self) -> Option<Opinion> {
        self.last_said()?.pause?.opinion
    }

    /// Whether the words of the turn want others after them: "and", "umm", some digits of a number.
    pub fn leads_on(&self, whole_number: usize) -> bool {
        let Some(last) = self.last_said() else {
            return false;
        };
        let mut digits = 0;
        let said = self.segments.iter().filter(|s| s.is_answerable()).rev();
        for segment in said.skip_while(|segment| segment.id != last.id) {
            digits += segment.last_digits.count;
            if !segment.last_digits.alone {
                break;
            }
        }
        // A single one within a sentence may be no digit: "there was no one".
        let single = digits == 1 && !last.last_digits.alone;
        last.leads_on || (last.last_digits.count > 0 && digits < whole_number && !single)
    }

    /// Whether some of the turn was a voice without words.
    pub fn has_wordless_sound(&self) -> bool {
        let said = self.segments.iter().filter(|s| s.is_answerable());
        said.into_iter().any(|s| s.weight == Weight::Nothing)
    }

    /// When the turn began, as far as it is not answered.
    pub fn began(&self) -> Option<Duration> {
        let new = self.segments.iter().filter(|s| s.part != Part::Carried);
        new.map(|segment| segment.began).min()
    }

    fn last_said(&self) -> Option<&Segment> {
        let latest = |in_words: bool| {
            let answerable = self.segments.iter().filter(|s| s.is_answerable());
            let counted = answerable.filter(|s| !in_words || s.weight != Weight::Nothing);
            counted.max_by_key(|segment| segment.ended)
        };
        // A sound without words after the words does not make the caller wait longer.
        latest(true).or_else(|| latest(false))
    }

    /// When the first transcript waited for is late.
    pub fn transcript_deadline(&self) -> Option<Duration> {
        let waited_for = |segment: &Segment| match segment.stage {
            Stage::Transcribing { until } => Some(until),
            Stage::Open | Stage::Heard => None,
        };
        self.segments.iter().filter_map(waited_for).min()
    }

    /// Whether the words spoken over the assistant are enough to take the floor.
    pub fn takes_floor(&self, stop_words: usize) -> bool {
        let mut words = 0;
        for segment in self.over_assistant() {
            match segment.weight {
                Weight::Interruption => return true,
                Weight::Words(count) => words += count,
                Weight::Nothing | Weight::Acknowledgement => {}
            }
        }
        words > 0 && words >= stop_words
    }

    /// Whether speech over the assistant may still turn out to take the floor.
    pub fn may_take_floor(&self) -> bool {
        self.over_assistant()
            .any(|s| s.stage != Stage::Heard && s.weight != Weight::Acknowledgement)
    }

    /// The open segment, if it began over the assistant.
    pub fn open_over_assistant(&mut self) -> Option<&mut Segment> {
        self.open_segment()
            .filter(|segment| segment.part == Part::OverAssistant)
    }

    /// The open segment, if a reply must wait for it.
    pub fn open_holding_reply(&mut self) -> Option<&mut Segment> {
        self.open_segment().filter(|segment| segment.holds_reply())
    }

    /// Whether some of it was typed.
    pub fn has_typed(&self) -> bool {
        self.segments
            .iter()
            .any(|segment| segment.id.is_none() && segment.is_answerable())
    }

    /// Whether this may be typed beside what was and is not answered yet.
    pub fn has_room_for(&self, words: &Secret<String>, plan: &Plan) -> bool {
        let typed = self.segments.iter().filter(|segment| segment.id.is_none());
        let all = typed.map(|segment| &segment.words).chain([words]);
        let characters = all.map(|words| words.expose_secret().chars().count());
        characters.sum::<usize>() <= plan.most_typed
    }

    fn over_assistant(&self) -> impl Iterator<Item = &Segment> {
        self.segments
            .iter()
            .filter(|segment| segment.part == Part::OverAssistant)
    }

    fn join(&self, belongs: impl Fn(&Segment) -> bool) -> Secret<String> {
        let mut joined = String::new();
        for segment in self.segments.iter().filter(|segment| belongs(segment)) {
            let words = segment.words.expose_secret().trim();
            if !joined.is_empty() && !words.is_empty() {
                joined.push(' ');
            }
            joined.push_str(words);
        }
        Secret::new(joined)
    }
}

/// Segments of sound and what was heard in them.
impl CallerTurn {
    pub fn open(&mut self, id: SegmentId, began: Duration, over_assistant: bool) {
        let mut segment = Segment::open(id, began);
        if over_assistant {
            segment.part = Part::OverAssistant;
            segment.wordless = Wordless::Noise;
        }
        self.segments.push(segment);
    }

    /// Opens a segment that goes on where the one just closed was full.
    pub fn open_continuation(&mut self, id: SegmentId, of: SegmentId, began: Duration) {
        let mut segment = Segment::open(id, began);
        if let Some(before) = self.find(of) {
            segment.continue_from(before);
        }
        self.segments.push(segment);
    }

    /// The open segment keeps no more audio and is being transcribed; gives its id.
    pub fn close_open(&mut self, closed: Closed, until: Duration) -> Option<SegmentId> {
        let segment = self.open_segment()?;
        segment.ended = closed.last_voiced;
        segment.voiced = closed.voiced;
        segment.stage = Stage::Transcribing { until };
        segment.id
    }

    /// An opinion is asked on the pause after a segment.
    pub fn pause_judged(&mut self, id: SegmentId, asked_at: Duration) {
        if let Some(segment) = self.find(id) {
            segment.pause = Some(Pause {
                asked_at,
                opinion: None,
            });
        }
    }

    /// The opinion on it has come.
    pub fn opinion_given(&mut self, id: SegmentId, opinion: Opinion, by: Duration, now: Duration) {
        let pause = self.find(id).and_then(|segment| segment.pause.as_mut());
        if let Some(pause) = pause.filter(|pause| now <= pause.asked_at + by) {
            pause.opinion = Some(opinion);
        }
    }

    /// The open segment was noise; gives its id.
    pub fn drop_open(&mut self) -> Option<SegmentId> {
        let open = |segment: &Segment| segment.stage == Stage::Open;
        let at = self.segments.iter().position(open)?;
        self.segments.remove(at).id
    }

    pub fn heard_so_far(
        &mut self,
        id: SegmentId,
        words: Secret<String>,
        now: Duration,
        plan: &Plan,
    ) {
        if let Some(segment) = self.find(id) {
            segment.interim.outstanding = false;
            if segment.stage != Stage::Heard {
                segment.heard_so_far(words, now, plan);
            }
        }
    }

    /// A final transcript, of a segment that is waited for or was waited for too long.
    pub fn heard(&mut self, id: SegmentId, words: Secret<String>, plan: &Plan) {
        let overdue = self.take_overdue(id);
        match self.find(id) {
            // A final transcript of what is not over, or a second one, was not asked for.
            Some(segment) if segment.stage == Stage::Open => {}
            Some(segment) if segment.stage == Stage::Heard && overdue.is_none() => {}
            Some(segment) => {
                segment.hear(words, plan);
                self.settle(id, plan);
            }
            None => {
                let Some(ended) = overdue else { return };
                // Its turn was answered without it: late words are a turn of their own.
                let mut segment = Segment::open(id, ended);
                segment.hear(words, plan);
                if segment.weight != Weight::Nothing {
                    self.segments.push(segment);
                }
            }
        }
    }

    /// A transcription will not come. Of a closed segment, what was heard so far has to do.
    pub fn not_heard(&mut self, id: SegmentId, plan: &Plan) {
        let Some(segment) = self.find(id) else { return };
        segment.interim.outstanding = false;
        if matches!(segment.stage, Stage::Transcribing { .. }) {
            segment.give_up_hearing();
            self.settle(id, plan);
        }
    }

    /// Gives up on every transcript that is late by `now`.
    pub fn give_up_late_transcripts(&mut self, now: Duration, plan: &Plan) {
        let late = |segment: &&Segment| match segment.stage {
            Stage::Transcribing { until } => until <= now,
            Stage::Open | Stage::Heard => false,
        };
        while let Some(segment) = self.segments.iter().find(late) {
            let Some(id) = segment.id else { return };
            if self.overdue.len() == OVERDUE_REMEMBERED {
                self.overdue.remove(0);
            }
            self.overdue.push((id, segment.ended));
            self.not_heard(id, plan);
        }
    }

    pub fn typed(&mut self, words: Secret<String>, now: Duration) {
        self.segments.push(Segment::typed(words, now));
    }

    /// Decides whether a segment that has just been heard stays in the turn.
    fn settle(&mut self, id: SegmentId, plan: &Plan) {
        let Some(at) = self.segments.iter().position(|s| s.id == Some(id)) else {
            return;
        };
        match self.segments[at].belongs(plan) {
            true => self.segments[at].settle(),
            false => drop(self.segments.remove(at)),
        }
    }

    fn take_overdue(&mut self, id: SegmentId) -> Option<Duration> {
        let at = self
            .overdue
            .iter()
            .position(|(overdue, _)| *overdue == id)?;
        Some(self.overdue.remove(at).1)
    }

    fn find(&mut self, id: SegmentId) -> Option<&mut Segment> {
        self.segments.iter_mut().find(|s| s.id == Some(id))
    }

    fn open_segment(&mut self) -> Option<&mut Segment> {
        self.segments.iter_mut().find(|s| s.stage == Stage::Open)
    }
}

/// What the assistant does meanwhile.
impl CallerTurn {
    /// The assistant finished by itself. What was said over it is an ordinary turn now, but for
    /// acknowledgements, unless one came so late that it is an answer (`all_answer`: however late).
    pub fn assistant_finished(&mut self, now: Duration, all_answer: bool, plan: &Plan) {
        self.segments.retain_mut(|segment| {
            if segment.part != Part::OverAssistant {
                return true;
            }
            let early = all_answer
                || segment.stage == Stage::Open
                || now.saturating_sub(segment.ended) <= plan.early_answer;
            segment.part = Part::AfterAssistant { early };
            if !early {
                // The floor has only now become the caller's: give them the wait to say more.
                segment.ended = now;
                segment.pause = None;
            }
            if segment.stage == Stage::Heard {
                if !segment.belongs(plan) {
                    return false;
                }
                segment.settle();
            }
            true
        });
    }

    /// The caller took the floor: everything said over the assistant is the turn's.
    pub fn took_floor(&mut self) {
        self.segments.retain_mut(|segment| {
            if segment.part == Part::OverAssistant {
                segment.part = Part::Said;
                segment.wordless = Wordless::NotUnderstood;
                return segment.stage != Stage::Heard || segment.weight != Weight::Acknowledgement;
            }
            true
        });
    }

    /// The reply to the turn has started. What is still coming is speech over it.
    pub fn answered(&mut self) {
        self.segments.retain_mut(|segment| {
            if segment.stage == Stage::Heard {
                return segment.part == Part::OverAssistant;
            }
            segment.part = Part::OverAssistant;
            segment.wordless = Wordless::Noise;
            true
        });
    }

    /// No reply could be prepared: the words go with the next turn.
    pub fn carry(&mut self) {
        self.segments.retain_mut(|segment| {
            if segment.is_answerable() {
                segment.part = Part::Carried;
            }
            segment.part != Part::Carried || segment.weight != Weight::Nothing
        });
    }
}
