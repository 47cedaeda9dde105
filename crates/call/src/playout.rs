//! The assistant's sound on its way to the caller, and the account of what the
//! caller has really heard of it.
//!
//! It knows sentences and samples, no clock: the call's loop takes one frame every
//! 20 ms. What was never played is never reported as spoken.

use std::collections::VecDeque;

use redact::Secret;

use crate::media::AudioFrame;

/// One reply (or check-in, or fallback) being spoken.
#[derive(Default)]
pub struct Playout {
    sentences: Vec<Sentence>,
    /// The sentence the next frame comes from.
    current: usize,
    paused: bool,
}

struct Sentence {
    words: Secret<String>,
    queued: VecDeque<i16>,
    played: usize,
    /// No more sound will come for it.
    complete: bool,
    announced: bool,
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
    /// Sound is still to come (the voice is slower than the playout, or it is paused).
    Starved,
    /// Everything has been played.
    Finished,
}

impl Playout {
    /// A reply of these sentences, whose sound arrives by [`Self::push`].
    pub fn new(sentences: Vec<Secret<String>>) -> Self {
        Self {
            sentences: sentences
                .into_iter()
                .map(|words| Sentence {
                    words,
                    queued: VecDeque::new(),
                    played: 0,
                    complete: false,
                    announced: false,
                })
                .collect(),
            ..Self::default()
        }
    }

    /// Adds sound to a sentence.
    pub fn push(&mut self, sentence: usize, sound: &[i16]) {
        if let Some(sentence) = self.sentences.get_mut(sentence) {
            sentence.queued.extend(sound);
        }
    }

    /// No more sound will come for `sentence`.
    pub fn complete(&mut self, sentence: usize) {
        if let Some(sentence) = self.sentences.get_mut(sentence) {
            sentence.complete = true;
        }
    }

    /// Whether the first frame could be played now.
    pub fn is_ready(&self) -> bool {
        self.sentences.is_empty()
            || self
                .sentences
                .iter()
                .any(|sentence| !sentence.queued.is_empty())
            || self.sentences.iter().all(|sentence| sentence.complete)
    }

    pub fn pause(&mut self) {
        self.paused = true;
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
        let mut frame: AudioFrame = [0; crate::media::FRAME_SAMPLES];
        let mut filled = 0;
        while filled < frame.len() {
            let Some(sentence) = self.sentences.get_mut(self.current) else {
                break;
            };
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
            let total = sentence.played + sentence.queued.len();
            if sentence.complete && sentence.queued.is_empty() {
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

    fn frames(playout: &mut Playout) -> usize {
        let mut frames = 0;
        while let Tick::Frame(_) = playout.tick() {
            frames += 1;
        }
        frames
    }

    #[test]
    fn sentences_are_played_in_order_without_a_gap_between_their_samples() {
        let mut playout = say(&["one", "two"]);
        playout.push(0, &[1; 400]);
        playout.complete(0);
        playout.push(1, &[2; 240]);
        playout.complete(1);
        assert_eq!(frames(&mut playout), 2);
        assert_eq!(playout.tick(), Tick::Finished);
        assert_eq!(playout.heard().0.expose_secret(), "one two");
        assert!(playout.heard().1);
    }

    #[test]
    fn a_reply_cut_off_counts_only_what_was_heard() {
        let mut playout = say(&["I am here with you", "Tell me more"]);
        playout.push(0, &[1; 3200]);
        playout.complete(0);
        for _ in 0..4 {
            playout.tick();
        }
        let (words, whole) = playout.heard();
        assert_eq!(words.expose_secret(), "I am");
        assert!(!whole);
    }

    #[test]
    fn a_slow_voice_starves_the_playout_and_does_not_end_it() {
        let mut playout = say(&["one"]);
        assert!(!playout.is_ready());
        assert_eq!(playout.tick(), Tick::Starved);
        playout.push(0, &[1; 10]);
        assert!(playout.is_ready());
        assert!(matches!(playout.tick(), Tick::Frame(_)));
        assert_eq!(playout.tick(), Tick::Starved);
        playout.complete(0);
        assert_eq!(playout.tick(), Tick::Finished);
    }

    #[test]
    fn a_paused_playout_goes_on_where_it_stopped() {
        let mut playout = say(&["one"]);
        playout.push(0, &[7; 640]);
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
        playout.push(0, &[1; 320]);
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
