//! The embedded voice: flite's American and Scottish English voices, offline, in process.
//!
//! Each sentence is streamed as it is made. It does not read numbers or agencies sensibly by
//! itself: `pronunciation` prepares the text.

mod cache;
mod engine;
mod pieces;
mod silence;

use std::str::FromStr;
use std::sync::LazyLock;

use redact::Secret;

use crate::pronunciation;
use crate::{Sound, SpeechStream, Standing, UnknownVoice, Voice, VoiceError};
use cache::SentenceCache;
pub(crate) use engine::sounds_of_letters;
use engine::{Job, VoiceName};

static CACHE: LazyLock<SentenceCache> = LazyLock::new(SentenceCache::new);

/// The most that is spoken at once; a long sentence has some 250 characters.
const MAX_CHARACTERS: usize = 1_000;

impl FromStr for VoiceName {
    type Err = UnknownVoice;

    fn from_str(name: &str) -> Result<VoiceName, UnknownVoice> {
        match name {
            "slt" => Ok(VoiceName::Slt),
            "rms" => Ok(VoiceName::Rms),
            "awb" => Ok(VoiceName::Awb),
            "kal" => Ok(VoiceName::Kal),
            _ => Err(UnknownVoice::new(name, &["slt", "rms", "awb", "kal"])),
        }
    }
}

/// Speaks with one of flite's voices.
#[derive(Debug, Clone)]
pub struct FliteVoice {
    name: VoiceName,
    stretch: f32,
}

impl FliteVoice {
    /// The voice of that name: `slt` (a woman), `rms` (a man), `awb` (a man, Scottish) or `kal`
    /// (a man, plainly a machine).
    pub fn named(name: &str) -> Result<FliteVoice, UnknownVoice> {
        Ok(FliteVoice {
            name: name.parse()?,
            stretch: 1.0,
        })
    }

    /// The same voice at another pace: 1.0 is its own, 0.9 a little slower. Kept to 0.5–2.0.
    #[must_use]
    pub fn at_pace(mut self, pace: f32) -> FliteVoice {
        let pace = if pace.is_finite() { pace } else { 1.0 };
        self.stretch = 1.0 / pace.clamp(0.5, 2.0);
        self
    }
}

impl Voice for FliteVoice {
    fn speak_to(&self, standing: Standing, sentence: Secret<String>) -> SpeechStream {
        let text = pronunciation::prepare(sentence.expose_secret()).in_letters();
        if text.len() > MAX_CHARACTERS {
            return SpeechStream::ready([Err(VoiceError::TooLong {
                characters: text.len(),
            })]);
        }
        if is_silent(&text) {
            return SpeechStream::ready([]);
        }
        let key = CACHE.key(self.name, self.stretch, &text);
        if let Some(audio) = CACHE.get(key) {
            return SpeechStream::ready([Ok(Sound::Samples(audio.to_vec()))]);
        }
        let (out, stream) = SpeechStream::channel();
        let mut pieces = pieces::pieces(text);
        pieces.retain(|piece| !is_silent(piece));
        let job = Job::new((self.name, self.stretch), pieces, key, out, standing);
        match engine::submit(job) {
            Ok(()) => stream,
            Err(error) => SpeechStream::ready([Err(error)]),
        }
    }
}

fn is_silent(text: &str) -> bool {
    !text.contains(|c: char| c.is_ascii_alphanumeric())
}
