//! The voice's settings. Which engines there are is the `speech` room's.

use std::path::PathBuf;

use remote_voice::RemoteSettings;
use speech::KokoroSpeaker;

use super::catalogue;
use super::values::Values;

/// How callers are spoken to.
#[derive(Debug, Clone)]
pub struct Voice {
    /// Made elsewhere; where there is one it comes before all others.
    pub remote: Option<RemoteSettings>,
    pub name: VoiceName,
    /// For new calls when the first has no room, and where it cannot be had.
    pub lighter: VoiceName,
    /// A better model in the same layout.
    pub kokoro_dir: Option<PathBuf>,
    /// What ships rendered, and what is rendered here.
    pub rendered_dir: PathBuf,
    pub voices_dir: PathBuf,
    pub threads: usize,
}

/// A voice by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VoiceName {
    Kokoro(KokoroSpeaker),
    /// Piper's.
    Joe,
    Flite(String),
    /// Of the endpoint at `tts_url`, by its name there.
    Elsewhere(String),
}

impl VoiceName {
    fn of(name: &str) -> Self {
        match name.parse() {
            Ok(speaker) => Self::Kokoro(speaker),
            Err(_) if name == "joe" => Self::Joe,
            Err(_) => Self::Flite(name.to_owned()),
        }
    }

    /// Every one that can be set.
    pub fn all_of_this_machine() -> Vec<Self> {
        catalogue::VOICES.iter().copied().map(Self::of).collect()
    }

    /// Whose it is.
    pub fn provider(&self) -> &'static str {
        match self {
            Self::Kokoro(_) => "kokoro",
            Self::Joe => "piper",
            Self::Flite(_) => "flite",
            Self::Elsewhere(_) => "openai",
        }
    }

    pub fn as_str(&self) -> &str {
        match self {
            Self::Kokoro(speaker) => speaker.name(),
            Self::Joe => "joe",
            Self::Flite(name) | Self::Elsewhere(name) => name,
        }
    }
}

pub(super) fn read(values: &mut Values, cores: usize, remote: Option<RemoteSettings>) -> Voice {
    Voice {
        remote,
        name: VoiceName::of(&values.one_of("voice", "af_heart", catalogue::VOICES)),
        lighter: VoiceName::of(&values.one_of("lighter_voice", "joe", catalogue::LIGHTER_VOICES)),
        kokoro_dir: values.optional_text("tts_kokoro_dir").map(PathBuf::from),
        rendered_dir: values.path("rendered_dir", "crates/speech/rendered"),
        voices_dir: values.path("voices_dir", "var/voices"),
        threads: values.number("voice_threads", cores, 1..=64),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn every_voice_in_the_catalogue_is_one_that_can_be_had() {
        for name in catalogue::VOICES {
            match VoiceName::of(name) {
                VoiceName::Flite(name) => {
                    speech::FliteVoice::named(&name).unwrap();
                }
                known => assert_eq!(known.as_str(), *name),
            }
        }
        for speaker in KokoroSpeaker::ALL {
            assert!(catalogue::VOICES.contains(&speaker.name()));
        }
    }
}
