//! Audio of sentences that are said often, so that the script costs nothing to speak.
//!
//! What it holds was said by the assistant, and could repeat a caller's words back. So: memory
//! only, for this process; no text, only audio under a keyed 128-bit hash whose key is drawn
//! at start; and a sentence's audio is kept from its second use on, so that what was said once,
//! to one caller, is never kept.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::{Arc, Mutex, PoisonError};

use super::engine::VoiceName;

/// Ten minutes of speech: 19 MB.
const MAX_SAMPLES: usize = 10 * 60 * 16_000;
/// Hashes of sentences that were said once.
const MAX_SEEN: usize = 4_096;

/// A sentence in a voice, as a keyed hash. 128 bits, because a collision would speak the
/// wrong sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key(u64, u64);

/// The audio of often-said sentences, the least recently used of which make room.
pub(super) struct SentenceCache {
    hashers: (RandomState, RandomState),
    max_samples: usize,
    entries: Mutex<Entries>,
}

#[derive(Default)]
struct Entries {
    /// With the time of its last use, counted in uses.
    audio: HashMap<Key, (Arc<[i16]>, u64)>,
    samples: usize,
    seen_once: HashMap<Key, u64>,
    uses: u64,
}

impl SentenceCache {
    pub(super) fn new() -> SentenceCache {
        SentenceCache::holding(MAX_SAMPLES)
    }

    fn holding(max_samples: usize) -> SentenceCache {
        SentenceCache {
            hashers: (RandomState::new(), RandomState::new()),
            max_samples,
            entries: Mutex::default(),
        }
    }

    /// The key of a sentence spoken by a voice at a pace.
    pub(super) fn key(&self, voice: VoiceName, stretch: f32, text: &str) -> Key {
        let sentence = (voice, stretch.to_bits(), text);
        Key(
            self.hashers.0.hash_one(sentence),
            self.hashers.1.hash_one(sentence),
        )
    }

    /// The sentence's audio, if it is kept.
    pub(super) fn get(&self, key: Key) -> Option<Arc<[i16]>> {
        let mut entries = self.lock();
        entries.uses += 1;
        let now = entries.uses;
        let (audio, last_use) = entries.audio.get_mut(&key)?;
        *last_use = now;
        Some(Arc::clone(audio))
    }

    /// Keeps the audio if the sentence has been said before; otherwise remembers that it was.
    pub(super) fn offer(&self, key: Key, audio: Vec<i16>) {
        let mut entries = self.lock();
        entries.uses += 1;
        let now = entries.uses;
        if audio.len() > self.max_samples || entries.audio.contains_key(&key) {
            return;
        }
        if entries.seen_once.remove(&key).is_none() {
            if entries.seen_once.len() >= MAX_SEEN {
                forget_oldest(&mut entries.seen_once, |seen| *seen);
            }
            entries.seen_once.insert(key, now);
            return;
        }
        while entries.samples + audio.len() > self.max_samples {
            match forget_oldest(&mut entries.audio, |(_, last_use)| *last_use) {
                Some((forgotten, _)) => entries.samples -= forgotten.len(),
                None => break,
            }
        }
        entries.samples += audio.len();
        entries.audio.insert(key, (audio.into(), now));
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes out the entry used longest ago. Looks at all of them: there are few, and it happens
/// only when the cache is full.
fn forget_oldest<V>(entries: &mut HashMap<Key, V>, last_use: impl Fn(&V) -> u64) -> Option<V> {
    let oldest = *entries.iter().min_by_key(|(_, value)| last_use(value))?.0;
    entries.remove(&oldest)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn key(cache: &SentenceCache, text: &str) -> Key {
        cache.key(VoiceName::Slt, 1.0, text)
    }

    fn keep(cache: &SentenceCache, text: &str, samples: usize) {
        for _ in 0..2 {
            cache.offer(key(cache, text), vec![1; samples]);
        }
    }

    #[test]
    fn a_sentence_said_once_is_not_kept() {
        let cache = SentenceCache::holding(100);
        cache.offer(key(&cache, "once"), vec![1; 10]);
        assert!(cache.get(key(&cache, "once")).is_none());
    }

    #[test]
    fn a_sentence_said_twice_is_kept() {
        let cache = SentenceCache::holding(100);
        keep(&cache, "twice", 10);
        assert_eq!(cache.get(key(&cache, "twice")).unwrap().len(), 10);
    }

    #[test]
    fn the_same_sentence_in_another_voice_or_pace_is_another_sentence() {
        let cache = SentenceCache::holding(100);
        keep(&cache, "same", 10);
        assert!(cache.get(cache.key(VoiceName::Rms, 1.0, "same")).is_none());
        assert!(cache.get(cache.key(VoiceName::Slt, 1.1, "same")).is_none());
    }

    #[test]
    fn the_least_recently_used_sentence_makes_room() {
        let cache = SentenceCache::holding(100);
        keep(&cache, "first", 50);
        keep(&cache, "second", 50);
        cache.get(key(&cache, "first")).unwrap();
        keep(&cache, "third", 50);
        assert!(cache.get(key(&cache, "first")).is_some());
        assert!(cache.get(key(&cache, "second")).is_none());
        assert!(cache.get(key(&cache, "third")).is_some());
        assert_eq!(cache.lock().samples, 100);
    }

    #[test]
    fn a_sentence_longer_than_the_whole_cache_is_not_kept() {
        let cache = SentenceCache::holding(100);
        keep(&cache, "long", 101);
        assert!(cache.get(key(&cache, "long")).is_none());
    }

    #[test]
    fn what_was_seen_once_is_bounded_too() {
        let cache = SentenceCache::holding(100);
        for number in 0..MAX_SEEN + 10 {
            cache.offer(key(&cache, &number.to_string()), vec![1]);
        }
        assert_eq!(cache.lock().seen_once.len(), MAX_SEEN);
    }
}
