//! The assistant's sound on its way to the caller, and the account of what the
//! caller has really heard of it.
//!
//! It knows sentences and samples, no clock: the call's loop takes one frame every
//! 20 ms. What was never played is never reported as spoken.

use std::collections::VecDeque;
use std::sync::Arc;

use redact::Secret;
use speech::{Rendering, Sound};

use crate::media::{AudioFrame, FRAME_SAMPLES};

/// The shortest pause between two words: 30 ms.
const BETWEEN_WORDS: usize = 480;
/// Quieter than this is a pause.
const HUSHED: u16 = 300;
/// Samples that a character usually takes: 65 ms.
const OF_A_CHARACTER: usize = 1_040;

/// One reply (or check-in, or fallback) being spoken.
#[derive(Default)]
pub struct Playout {
    sentences: Vec<Sentence>,
    /// The sentence the next frame comes from.
    current: usize,
    /// How many sentences were put before those that sound arrives for.
    put_before: usize,
    paused: bool,
}

struct Sentence {
    words: Secret<String>,
    queued: VecDeque<i16>,
    rendered: Option<Packets>,
    played: usize,
    /// No more sound will come for it.
    complete: bool,
    /// Its end is missing.
    broken_off: bool,
    announced: bool,
}

/// A sentence that was rendered ahead, and how far it has been played.
struct Packets {
    rendering: Arc<Rendering>,
    next: usize,
}

/// One packet of a rendering, to be sent as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedFrame {
    rendering: Arc<Rendering>,
    index: usize,
}

impl RenderedFrame {
    pub fn packet(&self) -> &[u8] {
        self.rendering.packet(self.index).unwrap_or_default()
    }
}

/// What one tick of the playout did.
#[derive(Debug, PartialEq, Eq)]
#[allow(
    clippy::large_enum_variant,
    reason = "a frame is looked at once and sent; a box would be an allocation every 20 ms"
)]
pub enum Tick {
    /// A frame to send.
    Frame(AudioFrame),
    /// A frame to send that is encoded already.
    Rendered(RenderedFrame),
    /// Sound is still to come (the voice is slower than the playout, or it is paused).
    Starved,
    /// Everything has been played.
    Finished,
}

impl Playout {
    /// A reply of these sentences, whose sound arrives by [`Self::push`].
    pub fn new(sentences: Vec<Secret<String>>) -> Self {
        Self {
            sentences: sentences.into_iter().map(Sentence::new).collect(),
            ..Self::default()
        }
    }

    /// Something short that is ready, to be heard while the first sentence is being made.
    pub fn open_with(&mut self, words: Secret<String>, sound: Sound) {
        let mut opening = Sentence::new(words);
        opening.push(sound);
        opening.complete = true;
        self.sentences.insert(0, opening);
        self.put_before += 1;
    }

    /// Adds sound to a sentence.
    pub fn push(&mut self, sentence: usize, sound: Sound) {
        if let Some(sentence) = self.sentences.get_mut(sentence + self.put_before)
            && !sentence.complete
        {
            sentence.push(sound);
        }
    }

    /// No more sound will come for `sentence`.
    pub fn complete(&mut self, sentence: usize) {
        if let Some(sentence) = self.sentences.get_mut(sentence + self.put_before) {
            sentence.complete = true;
        }
    }

    /// The words of a sentence that sound arrives for.
    pub fn words(&self, sentence: usize) -> Option<&Secret<String>> {
        let sentence = self.sentences.get(sentence + self.put_before)?;
        Some(&sentence.words)
    }

    /// The sound of `sentence` cannot be had, or no more of it. What has begun to be heard ends between two words. What
    /// has not is left out, or `instead` is said where it would be missed: as a reply's first words, as its question, or
    /// as all that was to come after an opening.
    /// Whether it was said instead.
    pub fn give_up(&mut self, sentence: usize, instead: Option<(Secret<String>, Sound)>) -> bool {
        let place = sentence + self.put_before;
        let is_last = place + 1 == self.sentences.len();
        let is_all = is_last && place == self.put_before;
        let before = place
            .checked_sub(1)
            .and_then(|before| self.sentences.get(before));
        let said_just_now = before.map(|sentence| sentence.words.clone());
        let Some(lost) = self.sentences.get_mut(place) else {
            return false;
        };
        if lost.complete {
            // It was gone past meanwhile.
            return false;
        }
        lost.complete = true;
        let asks = lost.words.expose_secret().ends_with('?');
        let has_begun = lost.played > 0;
        if has_begun {
            lost.break_off();
        } else {
            lost.queued.clear();
        }
        let missed = match has_begun {
            true => asks && is_last,
            false => asks || place == 0 || is_all,
        };
        let fits = |words: &Secret<String>| {
            let just_now = said_just_now.as_ref().map(Secret::expose_secret);
            missed && just_now != Some(words.expose_secret())
        };
        let Some((words, sound)) = instead.filter(|(words, _)| fits(words)) else {
            return false;
        };
        let mut instead = Sentence::new(words);
        instead.push(sound);
        instead.complete = true;
        match has_begun {
            true => self.sentences.push(instead),
            false => *lost = instead,
        }
        true
    }

    /// Goes on without the sentence whose sound is waited for, however it may come yet, if none of it was heard and it can be
    /// spared before the next. Which it was.
    pub fn leave_out(
        &mut self,
        can_be_spared: impl Fn(&Secret<String>, &Secret<String>) -> bool,
    ) -> Option<usize> {
        let [late, next, ..] = self.sentences.get_mut(self.current..)? else {
            return None;
        };
        let is_waited_for = !late.complete && late.played == 0 && late.left() == 0;
        if !is_waited_for || !can_be_spared(&late.words, &next.words) {
            return None;
        }
        late.complete = true;
        self.current.checked_sub(self.put_before)
    }

    /// Says no more than the sentence that is being heard.
    pub fn end_with_this_sentence(&mut self) {
        self.sentences.truncate(self.current + 1);
    }

    /// Whether the first frame could be played now.
    pub fn is_ready(&self) -> bool {
        let first_to_be_heard = self
            .sentences
            .iter()
            .find(|sentence| !sentence.complete || sentence.left() > 0);
        first_to_be_heard.is_none_or(|sentence| sentence.left() > 0)
    }

    pub fn pause(&mut self) {
        self.paused = true;
    }

    pub fn is_paused(&self) -> bool {
        self.paused
    }

    pub fn resume(&mut self) {
        self.paused = false;
    }

    /// Whether there is nothing to say.
    pub fn is_silent(&self) -> bool {
        self.sentences.is_empty()
    }

    /// The next 20 ms. A frame that a sentence does not fill is filled up with
    /// the next sentence or with silence.
    pub fn tick(&mut self) -> Tick {
        if self.paused {
            return Tick::Starved;
        }
        let mut frame: AudioFrame = [0; FRAME_SAMPLES];
        let mut filled = 0;
        while filled < frame.len() {
            let Some(sentence) = self.sentences.get_mut(self.current) else {
                break;
            };
            if sentence.rendered.is_some() {
                if filled > 0 {
                    // A packet is a frame of its own: the one before it is filled up with silence.
                    break;
                }
                match sentence.next_packet() {
                    Some(rendered) => return Tick::Rendered(rendered),
                    None => {
                        sentence.rendered = None;
                        continue;
                    }
                }
            }
            let take = sentence.queued.len().min(frame.len() - filled);
            for (slot, sample) in frame[filled..]
                .iter_mut()
                .zip(sentence.queued.drain(..take))
            {
                *slot = sample;
            }
            sentence.played += take;
            filled += take;
            if sentence.queued.is_empty() {
                if !sentence.complete {
                    break;
                }
                self.current += 1;
            }
        }
        if filled > 0 {
            Tick::Frame(frame)
        } else if self.current >= self.sentences.len() {
            Tick::Finished
        } else {
            Tick::Starved
        }
    }

    /// The sentences whose first sound has been played and that were not taken
    /// from here before.
    pub fn take_begun(&mut self) -> Option<Secret<String>> {
        let sentence = self
            .sentences
            .iter_mut()
            .find(|sentence| sentence.played > 0 && !sentence.announced)?;
        sentence.announced = true;
        Some(sentence.words.clone())
    }

    /// The words the caller has heard, and whether that is all of them. A sentence
    /// cut off half-way counts in proportion to the sound that was played of it.
    pub fn heard(&self) -> (Secret<String>, bool) {
        let mut heard: Vec<&str> = Vec::new();
        let mut whole = true;
        for sentence in &self.sentences {
            let words = sentence.words.expose_secret();
            let total = sentence.length();
            if sentence.broken_off {
                whole = false;
                heard.push(leading_share(words, sentence.played, total));
                continue;
            }
            if sentence.complete && sentence.left() == 0 {
                if sentence.played > 0 {
                    heard.push(words);
                }
                continue;
            }
            whole = false;
            if sentence.played > 0 {
                heard.push(leading_share(words, sentence.played, total));
            }
        }
        (Secret::new(heard.join(" ").trim().to_owned()), whole)
    }
}

impl Sentence {
    fn new(words: Secret<String>) -> Self {
        Self {
            words,
            queued: VecDeque::new(),
            rendered: None,
            played: 0,
            complete: false,
            broken_off: false,
            announced: false,
        }
    }

    fn push(&mut self, sound: Sound) {
        match sound {
            Sound::Samples(samples) => self.queued.extend(samples),
            Sound::Rendered(rendering) => self.rendered = Some(Packets { rendering, next: 0 }),
        }
    }

    fn next_packet(&mut self) -> Option<RenderedFrame> {
        let Packets { rendering, next } = self.rendered.as_mut()?;
        let index = *next;
        rendering.packet(index)?;
        *next += 1;
        self.played += FRAME_SAMPLES;
        Some(RenderedFrame {
            rendering: Arc::clone(rendering),
            index,
        })
    }

    /// Its end will never come: it ends where a voice pauses, or else softly.
    fn break_off(&mut self) {
        self.broken_off = true;
        let samples = self.queued.make_contiguous();
        let windows = samples.len() / BETWEEN_WORDS;
        let pause = (0..windows).rev().find(|window| {
            let from = window * BETWEEN_WORDS;
            samples[from..from + BETWEEN_WORDS]
                .iter()
                .all(|sample| sample.unsigned_abs() < HUSHED)
        });
        if let Some(pause) = pause {
            self.queued.truncate((pause + 1) * BETWEEN_WORDS);
            return;
        }
        let fading = samples.len().min(BETWEEN_WORDS);
        let from = samples.len() - fading;
        for (place, sample) in samples[from..].iter_mut().enumerate() {
            let left = (fading - place) as f32 / fading as f32;
            *sample = (f32::from(*sample) * left) as i16;
        }
    }

    /// Samples of the whole sentence, as far as that is known.
    fn length(&self) -> usize {
        let there = self.played + self.left();
        match self.broken_off {
            true => there.max(self.words.expose_secret().len() * OF_A_CHARACTER),
            false => there,
        }
    }

    /// Samples that are there and were not played.
    fn left(&self) -> usize {
        let packets = self
            .rendered
            .as_ref()
            .map_or(0, |Packets { rendering, next }| {
                rendering.packets().saturating_sub(*next)
            });
        self.queued.len() + packets * FRAME_SAMPLES
    }
}

/// The first words of `words`, as many as `played` of `total` samples make.
fn leading_share(words: &str, played: usize, total: usize) -> &str {
    let count = words.split_whitespace().count();
    let share = count * played / total.max(1);
    let end = words
        .split_whitespace()
        .take(share)
        .last()
        .map_or(0, |word| {
            word.as_ptr() as usize - words.as_ptr() as usize + word.len()
        });
    &words[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn say(sentences: &[&str]) -> Playout {
        Playout::new(
            sentences
                .iter()
                .map(|words| Secret::new((*words).to_owned()))
                .collect(),
        )
    }

    fn samples(level: i16, count: usize) -> Sound {
        Sound::Samples(vec![level; count])
    }

    fn rendered(frames: usize) -> Sound {
        let rendering = Rendering::of(&vec![900; frames * FRAME_SAMPLES]).expect("Opus works");
        Sound::Rendered(Arc::new(rendering))
    }

    fn frames(playout: &mut Playout) -> usize {
        let mut frames = 0;
        while let Tick::Frame(_) | Tick::Rendered(_) = playout.tick() {
            frames += 1;
        }
        frames
    }

    #[test]
    fn sentences_are_played_in_order_without_a_gap_between_their_samples() {
        let mut playout = say(&["one", "two"]);
        playout.push(0, samples(1, 400));
        playout.complete(0);
        playout.push(1, samples(2, 240));
        playout.complete(1);
        assert_eq!(frames(&mut playout), 2);
        assert_eq!(playout.tick(), Tick::Finished);
        assert_eq!(playout.heard().0.expose_secret(), "one two");
        assert!(playout.heard().1);
    }

    #[test]
    fn a_reply_cut_off_counts_only_what_was_heard() {
        let mut playout = say(&["I am here with you", "Tell me more"]);
        playout.push(0, samples(1, 3200));
        playout.complete(0);
        for _ in 0..4 {
            playout.tick();
        }
        let (words, whole) = playout.heard();
        assert_eq!(words.expose_secret(), "I am");
        assert!(!whole);
    }

    fn instead() -> Option<(Secret<String>, Sound)> {
        let words = Secret::new("Okay, I hear you.".to_owned());
        Some((words, rendered(2)))
    }

    #[test]
    fn a_reply_whose_first_words_cannot_be_had_begins_with_others() {
        let mut playout = say(&["Thank you, Mei Ling.", "Are you safe?"]);
        playout.push(0, samples(1, 3_200));
        assert!(playout.give_up(0, instead()));
        playout.push(1, rendered(1));
        playout.complete(1);
        assert!(playout.is_ready());
        assert_eq!(frames(&mut playout), 3, "nothing of what broke is heard");
        let (words, whole) = playout.heard();
        assert_eq!(words.expose_secret(), "Okay, I hear you. Are you safe?");
        assert!(whole);
    }

    #[test]
    fn what_comes_later_in_a_reply_and_cannot_be_had_is_left_out() {
        let mut playout = say(&["I am here.", "Thank you, Mei Ling."]);
        playout.push(0, rendered(1));
        playout.complete(0);
        assert!(!playout.give_up(1, instead()));
        assert_eq!(frames(&mut playout), 1);
        assert_eq!(playout.tick(), Tick::Finished);
        assert_eq!(playout.heard().0.expose_secret(), "I am here.");
    }

    #[test]
    fn after_an_opening_what_cannot_be_had_is_missed_only_if_nothing_else_follows() {
        let opened = |sentences: &[&str], opening: &str| {
            let mut playout = say(sentences);
            playout.open_with(Secret::new(opening.to_owned()), rendered(1));
            playout.push(1, rendered(1));
            playout.complete(1);
            playout.give_up(0, instead());
            frames(&mut playout);
            playout.heard().0.expose_secret().clone()
        };
        let said = opened(&["Thank you, Mei Ling.", "Are you safe?"], "Okay.");
        assert_eq!(said, "Okay. Are you safe?");
        let said = opened(&["Thank you, Mei Ling."], "Give me one moment.");
        assert_eq!(said, "Give me one moment. Okay, I hear you.");
        let said = opened(&["Thank you, Mei Ling."], "Okay, I hear you.");
        assert_eq!(said, "Okay, I hear you.", "not twice");
    }

    #[test]
    fn a_question_that_cannot_be_had_gives_way_to_another() {
        let asked = || {
            let words = Secret::new("Would you tell me more?".to_owned());
            Some((words, rendered(2)))
        };
        let mut playout = say(&["I am here.", "What did Mei Ling say?"]);
        playout.push(0, rendered(1));
        playout.complete(0);
        assert!(playout.give_up(1, asked()));
        assert_eq!(frames(&mut playout), 3);

        let mut playout = say(&["What did Mei Ling say to you then?"]);
        playout.push(0, samples(900, 3_200));
        playout.tick();
        assert!(
            playout.give_up(0, asked()),
            "it has begun, and is asked otherwise"
        );
        frames(&mut playout);
        let (words, _) = playout.heard();
        assert!(words.expose_secret().ends_with("Would you tell me more?"));
    }

    #[test]
    fn what_breaks_while_it_is_heard_ends_between_two_words_and_counts_as_far_as_it_was_heard() {
        let mut playout = say(&["Thank you, that is Toa Payoh Lorong Four."]);
        let word = |length| vec![9_000; length];
        let pause = vec![0; 960];
        let sound = [word(8_000), pause, word(3_200)].concat();
        playout.push(0, Sound::Samples(sound));
        playout.tick();
        assert!(
            !playout.give_up(0, instead()),
            "a second beginning would be odd"
        );
        assert_eq!(frames(&mut playout) + 1, (8_000 + 960) / FRAME_SAMPLES);
        assert_eq!(playout.tick(), Tick::Finished);
        let (words, whole) = playout.heard();
        assert_eq!(words.expose_secret(), "Thank");
        assert!(!whole);
    }

    #[test]
    fn what_breaks_in_the_middle_of_a_word_fades() {
        let mut playout = say(&["Thank you, that is Toa Payoh Lorong Four."]);
        playout.push(0, samples(9_000, 3_200));
        playout.tick();
        playout.give_up(0, None);
        let mut last = 0;
        while let Tick::Frame(frame) = playout.tick() {
            last = frame[FRAME_SAMPLES - 1];
        }
        assert!(last.abs() < 100, "{last}");
    }

    #[test]
    fn what_was_rendered_ahead_is_played_packet_by_packet_between_what_was_not() {
        let mut playout = say(&["one", "two", "three"]);
        playout.push(0, samples(1, 400));
        playout.push(1, rendered(3));
        playout.push(2, samples(3, 320));
        for sentence in 0..3 {
            playout.complete(sentence);
        }
        let kinds: Vec<bool> = std::iter::from_fn(|| match playout.tick() {
            Tick::Frame(_) => Some(false),
            Tick::Rendered(frame) => Some(!frame.packet().is_empty()),
            Tick::Starved | Tick::Finished => None,
        })
        .collect();
        assert_eq!(kinds, [false, false, true, true, true, false]);
        assert_eq!(playout.heard().0.expose_secret(), "one two three");
    }

    #[test]
    fn a_rendered_sentence_cut_off_counts_only_what_was_heard() {
        let mut playout = say(&["I am here with you"]);
        playout.push(0, rendered(10));
        playout.complete(0);
        for _ in 0..4 {
            playout.tick();
        }
        let (words, whole) = playout.heard();
        assert_eq!(words.expose_secret(), "I am");
        assert!(!whole);
    }

    #[test]
    fn an_opening_is_heard_first_and_sound_still_finds_its_sentence() {
        let mut playout = say(&["Thank you, Mei."]);
        assert!(!playout.is_ready());
        let opening = Secret::new("Okay, I hear you.".to_owned());
        playout.open_with(opening, rendered(2));
        assert!(playout.is_ready());
        assert_eq!(frames(&mut playout), 2);
        assert_eq!(playout.tick(), Tick::Starved);
        playout.push(0, samples(5, 640));
        playout.complete(0);
        assert_eq!(frames(&mut playout), 2);
        assert_eq!(playout.tick(), Tick::Finished);
        assert_eq!(
            playout.heard().0.expose_secret(),
            "Okay, I hear you. Thank you, Mei."
        );
    }

    #[test]
    fn a_reply_that_is_no_longer_wanted_ends_with_the_sentence_that_is_heard() {
        let mut playout = say(&["one", "two", "three"]);
        for sentence in 0..3 {
            playout.push(sentence, rendered(3));
            playout.complete(sentence);
        }
        for _ in 0..4 {
            playout.tick();
        }
        playout.end_with_this_sentence();
        assert_eq!(frames(&mut playout), 2);
        assert_eq!(playout.tick(), Tick::Finished);
        let (words, whole) = playout.heard();
        assert_eq!(words.expose_secret(), "one two");
        assert!(whole, "nobody interrupted it");
    }

    #[test]
    fn a_reply_is_ready_when_its_first_sentence_is_and_not_a_later_one() {
        let mut playout = say(&["one", "two"]);
        playout.push(1, rendered(2));
        playout.complete(1);
        assert!(!playout.is_ready());
        playout.push(0, samples(1, 10));
        assert!(playout.is_ready());
    }

    #[test]
    fn a_slow_voice_starves_the_playout_and_does_not_end_it() {
        let mut playout = say(&["one"]);
        assert!(!playout.is_ready());
        assert_eq!(playout.tick(), Tick::Starved);
        playout.push(0, samples(1, 10));
        assert!(playout.is_ready());
        assert!(matches!(playout.tick(), Tick::Frame(_)));
        assert_eq!(playout.tick(), Tick::Starved);
        playout.complete(0);
        assert_eq!(playout.tick(), Tick::Finished);
    }

    #[test]
    fn a_paused_playout_goes_on_where_it_stopped() {
        let mut playout = say(&["one"]);
        playout.push(0, samples(7, 640));
        playout.complete(0);
        playout.tick();
        playout.pause();
        assert_eq!(playout.tick(), Tick::Starved);
        playout.resume();
        assert_eq!(frames(&mut playout), 1);
    }

    #[test]
    fn a_sentence_is_announced_once_when_its_first_sound_is_played() {
        let mut playout = say(&["one", "two"]);
        playout.push(0, samples(1, 320));
        playout.complete(0);
        assert!(playout.take_begun().is_none());
        playout.tick();
        assert_eq!(playout.take_begun().expect("begun").expose_secret(), "one");
        assert!(playout.take_begun().is_none());
    }

    #[test]
    fn a_voice_that_fails_on_every_sentence_finishes_with_nothing_heard() {
        let mut playout = say(&["one"]);
        playout.complete(0);
        assert!(playout.is_ready());
        assert_eq!(playout.tick(), Tick::Finished);
        assert_eq!(playout.heard().0.expose_secret(), "");
    }
}
