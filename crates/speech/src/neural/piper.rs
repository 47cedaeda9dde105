//! Piper's `joe`: for machines on which the natural voice is too slow.

use std::collections::HashMap;
use std::path::Path;

use engines::ort::session::{NoSelectedOutputs, RunOptions, Session};
use engines::ort::{self, value::TensorRef};
use engines::{Fetched, Runtime, Threads};
use sha2::{Digest, Sha256};

use super::sound::cut;
use super::{AcousticModel, VoiceLoadError};

const ENGINE: &str = "piper-joe-1.0.0";
const MODEL: &str = "model.onnx";
const SETTINGS: &str = "model.json";
const LONGEST: usize = 600;
/// How much longer each sound lasts than in the recordings: a little slower.
const LENGTH: f32 = 1.08;

#[derive(serde::Deserialize)]
struct Settings {
    audio: Audio,
    inference: Inference,
    phoneme_id_map: HashMap<String, Vec<i64>>,
}

#[derive(serde::Deserialize)]
struct Audio {
    sample_rate: u32,
}

#[derive(serde::Deserialize)]
struct Inference {
    noise_scale: f32,
    noise_w: f32,
}

/// Whether its files are there. None is read.
pub fn is_fetched(engines: &Path) -> bool {
    Fetched::locate(engines, ENGINE, &[MODEL, SETTINGS]).is_ok()
}

/// The model's files, read and whole.
pub(super) struct Files {
    model: Vec<u8>,
    settings: Settings,
    identity: String,
}

impl Files {
    pub fn read(engines: &Path) -> Result<Self, VoiceLoadError> {
        let fetched = Fetched::locate(engines, ENGINE, &[MODEL, SETTINGS])?;
        let read = |name: &str| {
            let file = fetched.file(name);
            std::fs::read(&file).map_err(|error| VoiceLoadError::Unreadable { file, error })
        };
        let model = read(MODEL)?;
        let settings =
            serde_json::from_slice(&read(SETTINGS)?).map_err(|error| VoiceLoadError::Foreign {
                file: fetched.file(SETTINGS),
                reason: error.to_string(),
            })?;
        let hash: String = Sha256::digest(&model)[..8]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        Ok(Self {
            identity: format!("piper joe {LENGTH} {hash} {}", cut()),
            model,
            settings,
        })
    }

    pub fn identity(&self) -> String {
        self.identity.clone()
    }

    pub fn open(self, runtime: &Runtime, threads: Threads) -> Result<Piper, ort::Error> {
        Ok(Piper {
            session: runtime.open(&self.model, threads)?,
            run: Runtime::giving_memory_back()?,
            settings: self.settings,
        })
    }
}

pub(super) struct Piper {
    session: Session,
    run: RunOptions<NoSelectedOutputs>,
    settings: Settings,
}

impl AcousticModel for Piper {
    fn sample_rate(&self) -> u32 {
        self.settings.audio.sample_rate
    }

    fn longest(&self) -> usize {
        LONGEST
    }

    fn sound_of(&mut self, phonemes: &str) -> Result<Vec<f32>, String> {
        let map = &self.settings.phoneme_id_map;
        let ids = |mark: &str| map.get(mark).into_iter().flatten().copied();
        let between: Vec<i64> = ids("_").collect();
        let mut tokens: Vec<i64> = ids("^").chain(between.iter().copied()).collect();
        let begun = tokens.len();
        for phoneme in in_ipa(phonemes).chars().take(LONGEST) {
            let mut buffer = [0; 4];
            let known = ids(phoneme.encode_utf8(&mut buffer)).collect::<Vec<_>>();
            if !known.is_empty() {
                tokens.extend(known);
                tokens.extend(&between);
            }
        }
        if tokens.len() == begun {
            return Ok(Vec::new());
        }
        tokens.extend(ids("$"));
        let Inference {
            noise_scale,
            noise_w,
        } = self.settings.inference;
        let lengths = [tokens.len() as i64];
        let scales = [noise_scale, LENGTH, noise_w];
        let mut run = || -> Result<Vec<f32>, ort::Error> {
            let inputs = ort::inputs![
                "input" => TensorRef::from_array_view(([1, tokens.len()], tokens.as_slice()))?,
                "input_lengths" => TensorRef::from_array_view(([1], lengths.as_slice()))?,
                "scales" => TensorRef::from_array_view(([3], scales.as_slice()))?,
            ];
            let outputs = self.session.run_with_options(inputs, &self.run)?;
            let (_, sound) = outputs[0].try_extract_tensor::<f32>()?;
            Ok(sound.to_vec())
        };
        run().map_err(|error| error.to_string())
    }
}

/// Piper was trained on espeak's phonemes, which write out what misaki has one letter for.
fn in_ipa(phonemes: &str) -> String {
    const LETTERS: [(&str, &str); 12] = [
        ("A", "eɪ"),
        ("I", "aɪ"),
        ("W", "aʊ"),
        ("Y", "ɔɪ"),
        ("O", "oʊ"),
        ("ʤ", "dʒ"),
        ("ʧ", "tʃ"),
        ("ᵊ", "ə"),
        ("ɜɹ", "ɝ"),
        ("əɹ", "ɚ"),
        ("T", "ɾ"),
        ("ɝ", "ɜː"),
    ];
    LETTERS
        .iter()
        .fold(phonemes.to_owned(), |text, (from, to)| {
            text.replace(from, to)
        })
}

#[cfg(test)]
mod tests {
    use super::in_ipa;

    #[test]
    fn misakis_letters_are_written_out() {
        assert_eq!(in_ipa("tˈAk jʊɹ tˈIm"), "tˈeɪk jʊɹ tˈaɪm");
        assert_eq!(in_ipa("ʤˈʌʤ wˈɜɹk"), "dʒˈʌdʒ wˈɜːk");
    }
}
