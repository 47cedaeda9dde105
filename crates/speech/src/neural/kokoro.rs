//! Kokoro-82M, int8: the natural voice.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use engines::ort::session::{NoSelectedOutputs, RunOptions, Session};
use engines::ort::{self, value::TensorRef};
use engines::{Fetched, Missing, Runtime, Threads};
use sha2::{Digest, Sha256};

use super::sound::cut;
use super::{Accent, AcousticModel, VoiceLoadError};

const ENGINE: &str = "kokoro-1.0";
const MODEL: &str = "model.onnx";
const VOCABULARY: &str = "vocab.json";
/// What the model was trained to take in one run, less the marks at both ends.
const LONGEST: usize = 510;
/// Numbers in one row of a speaker's style; there is a row for each length.
const STYLE: usize = 256;

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KokoroSpeaker {
    Heart,
    Bella,
    Nicole,
    Sarah,
    Michael,
    Fenrir,
    Puck,
    Emma,
    Isabella,
    George,
    Fable,
}

impl KokoroSpeaker {
    pub const ALL: &[Self] = &[
        Self::Heart,
        Self::Bella,
        Self::Nicole,
        Self::Sarah,
        Self::Michael,
        Self::Fenrir,
        Self::Puck,
        Self::Emma,
        Self::Isabella,
        Self::George,
        Self::Fable,
    ];

    /// As the model's makers call it: a or b for American or British, f or m for a woman or a man.
    pub fn name(self) -> &'static str {
        match self {
            Self::Heart => "af_heart",
            Self::Bella => "af_bella",
            Self::Nicole => "af_nicole",
            Self::Sarah => "af_sarah",
            Self::Michael => "am_michael",
            Self::Fenrir => "am_fenrir",
            Self::Puck => "am_puck",
            Self::Emma => "bf_emma",
            Self::Isabella => "bf_isabella",
            Self::George => "bm_george",
            Self::Fable => "bm_fable",
        }
    }

    /// The file that makes the model speak so.
    fn style(self) -> String {
        format!("voices/{}.bin", self.name())
    }

    /// Whether its files are there, as the loader would look for them. None is read.
    pub fn is_fetched(self, directory: &Path) -> bool {
        let style = self.style();
        folder(directory, &style).is_ok_and(|folder| folder.join(&style).is_file())
    }

    pub(super) fn accent(self) -> Accent {
        match self.name().starts_with('b') {
            true => Accent::British,
            false => Accent::American,
        }
    }

    /// 1.0 is the speaker's own pace; somebody in distress is spoken to slower. Heart is quick of herself.
    pub(super) fn pace(self) -> f32 {
        match self {
            Self::Heart => 0.85,
            _ => 0.95,
        }
    }
}

/// The model's files, read and whole.
pub(super) struct Files {
    pace: f32,
    model: Vec<u8>,
    vocabulary: HashMap<char, i64>,
    style: Vec<f32>,
    identity: String,
}

#[derive(serde::Deserialize)]
struct Vocabulary {
    vocab: HashMap<char, i64>,
}

/// Where the files are.
fn folder(directory: &Path, style: &str) -> Result<PathBuf, Missing> {
    match Fetched::locate(directory, ENGINE, &[MODEL, VOCABULARY, style]) {
        Ok(fetched) => Ok(fetched.directory().to_owned()),
        Err(Missing::Absent { .. }) if directory.join(MODEL).is_file() => Ok(directory.to_owned()),
        Err(missing) => Err(missing),
    }
}

impl Files {
    /// The fetched model's under a directory of engines, or those of a folder of the same layout.
    pub fn read(
        directory: &Path,
        speaker: KokoroSpeaker,
        pace: f32,
    ) -> Result<Self, VoiceLoadError> {
        let style = speaker.style();
        let folder = folder(directory, &style)?;
        let read = |name: &str| {
            let file = folder.join(name);
            match std::fs::read(&file) {
                Ok(bytes) => Ok((file, bytes)),
                Err(error) => Err(VoiceLoadError::Unreadable { file, error }),
            }
        };
        let (_, model) = read(MODEL)?;
        let (_, style) = read(&style).and_then(|(file, bytes)| floats(file, &bytes))?;
        let (file, vocabulary) = read(VOCABULARY)?;
        let vocabulary: Vocabulary =
            serde_json::from_slice(&vocabulary).map_err(|error| VoiceLoadError::Foreign {
                file,
                reason: error.to_string(),
            })?;
        let mut hash = Sha256::new();
        hash.update(&model);
        for number in &style {
            hash.update(number.to_le_bytes());
        }
        let hash: String = hash.finalize()[..8]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        Ok(Self {
            identity: format!("kokoro {} {pace} {hash} {}", speaker.name(), cut()),
            pace,
            model,
            vocabulary: vocabulary.vocab,
            style,
        })
    }

    pub fn identity(&self) -> String {
        self.identity.clone()
    }

    pub fn open(self, runtime: &Runtime, threads: Threads) -> Result<Kokoro, ort::Error> {
        Ok(Kokoro {
            session: runtime.open(&self.model, threads)?,
            run: Runtime::giving_memory_back()?,
            pace: self.pace,
            vocabulary: self.vocabulary,
            style: self.style,
        })
    }
}

fn floats(file: PathBuf, bytes: &[u8]) -> Result<(PathBuf, Vec<f32>), VoiceLoadError> {
    let (numbers, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() || numbers.is_empty() || !numbers.len().is_multiple_of(STYLE) {
        let reason = format!("{} bytes are not rows of {STYLE} numbers", bytes.len());
        return Err(VoiceLoadError::Foreign { file, reason });
    }
    Ok((
        file,
        numbers
            .iter()
            .map(|bytes| f32::from_le_bytes(*bytes))
            .collect(),
    ))
}

/// The model, with one speaker.
pub(super) struct Kokoro {
    session: Session,
    run: RunOptions<NoSelectedOutputs>,
    vocabulary: HashMap<char, i64>,
    style: Vec<f32>,
    pace: f32,
}

impl AcousticModel for Kokoro {
    fn sample_rate(&self) -> u32 {
        24_000
    }

    fn longest(&self) -> usize {
        LONGEST.min(self.style.len() / STYLE)
    }

    fn sound_of(&mut self, phonemes: &str) -> Result<Vec<f32>, String> {
        let known = phonemes
            .chars()
            .filter_map(|phoneme| self.vocabulary.get(&phoneme));
        let mut tokens: Vec<i64> = std::iter::once(0)
            .chain(known.copied().take(self.longest()))
            .collect();
        let said = tokens.len() - 1;
        if said == 0 {
            return Ok(Vec::new());
        }
        tokens.push(0);
        // How a speaker sounds depends on how long the utterance is.
        let row = (said - 1) * STYLE;
        let pace = [self.pace];
        let mut run = || -> Result<Vec<f32>, ort::Error> {
            let inputs = ort::inputs![
                "tokens" => TensorRef::from_array_view(([1, tokens.len()], tokens.as_slice()))?,
                "style" => TensorRef::from_array_view(([1, STYLE], &self.style[row..row + STYLE]))?,
                "speed" => TensorRef::from_array_view(([1], pace.as_slice()))?,
            ];
            let outputs = self.session.run_with_options(inputs, &self.run)?;
            let (_, sound) = outputs[0].try_extract_tensor::<f32>()?;
            Ok(sound.to_vec())
        };
        run().map_err(|error| error.to_string())
    }
}
