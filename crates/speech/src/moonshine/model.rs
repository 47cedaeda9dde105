//! Moonshine's two networks. The encoder turns a piece of sound into features, once. The decoder says it token by token, each
//! time from the last one and from what it has kept of those before. Nothing is tidied here.

use std::borrow::Cow;
use std::sync::Arc;

use engines::ort::session::{Session, SessionInputValue};
use engines::ort::value::{DynValue, Tensor, TensorRef};
use engines::{Runtime, Threads, ort};

use super::vocabulary::{END, START, Vocabulary};
use crate::SAMPLE_RATE;

/// What the model's makers let it say of a second of sound.
const TOKENS_OF_A_SECOND: f32 = 6.5;
/// The shape of what is kept: so many heads of attention, so wide.
const HEADS: usize = 8;
const HEAD_WIDTH: usize = 36;

/// The model's files.
pub(super) struct Files {
    pub encoder: Vec<u8>,
    pub decoder: Vec<u8>,
    pub vocabulary: Arc<Vocabulary>,
}

/// One loaded model. A thread has its own: a run takes it whole.
pub(super) struct Model {
    encoder: Session,
    decoder: Session,
    kept: Vec<Kept>,
    vocabulary: Arc<Vocabulary>,
}

/// What the decoder keeps from one token to the next: its attention to what was said, and to the sound.
struct Kept {
    comes_in_as: String,
    goes_out_as: String,
    /// Worked out with the first token; it does not change.
    of_the_sound: bool,
}

impl Model {
    pub(super) fn open(runtime: &Runtime, files: &Files) -> Result<Self, ort::Error> {
        let decoder = runtime.open(&files.decoder, Threads(1))?;
        let kept = decoder.inputs().iter().filter_map(|input| {
            let of = input.name().strip_prefix("past_key_values.")?;
            Some(Kept {
                comes_in_as: input.name().to_owned(),
                goes_out_as: format!("present.{of}"),
                of_the_sound: of.contains(".encoder."),
            })
        });
        Ok(Self {
            kept: kept.collect(),
            encoder: runtime.open(&files.encoder, Threads(1))?,
            decoder,
            vocabulary: Arc::clone(&files.vocabulary),
        })
    }

    /// The model's words for `samples`.
    pub(super) fn transcribe(&mut self, samples: &[f32]) -> Result<String, String> {
        let said = self.tokens(samples).map_err(|error| error.to_string())?;
        Ok(self.vocabulary.words(&said))
    }

    fn tokens(&mut self, samples: &[f32]) -> Result<Vec<i64>, ort::Error> {
        let seconds = samples.len() as f32 / SAMPLE_RATE as f32;
        let most = (seconds * TOKENS_OF_A_SECOND).ceil() as usize;
        // All of it is sound.
        let mask = vec![1_i64; samples.len()];
        let mask = TensorRef::from_array_view(([1, mask.len()], mask.as_slice()))?;
        let sound = TensorRef::from_array_view(([1, samples.len()], samples))?;
        let mut heard = self.encoder.run(ort::inputs! {
            "input_values" => sound,
            "attention_mask" => mask.view(),
        })?;
        let features = taken(&mut heard, "last_hidden_state")?;

        // Nothing was said before the first token; that run does not look at these.
        let mut kept = Vec::with_capacity(self.kept.len());
        for _ in &self.kept {
            let nothing = vec![0.0_f32; HEADS * HEAD_WIDTH];
            kept.push(Tensor::from_array(([1, HEADS, 1, HEAD_WIDTH], nothing))?.into_dyn());
        }
        let mut said = Vec::with_capacity(most);
        let mut last = START;
        while said.len() < most {
            let (latest, has_kept) = ([last], [!said.is_empty()]);
            let mut inputs: Vec<(Cow<'_, str>, SessionInputValue<'_>)> = ort::inputs! {
                "input_ids" => TensorRef::from_array_view(([1, 1], latest.as_slice()))?,
                "encoder_hidden_states" => &features,
                "encoder_attention_mask" => mask.view(),
                "use_cache_branch" => TensorRef::from_array_view(([1], has_kept.as_slice()))?,
            };
            for (name, value) in self.kept.iter().zip(&kept) {
                inputs.push((name.comes_in_as.as_str().into(), value.into()));
            }
            let mut outputs = self.decoder.run(inputs)?;
            last = likeliest(&outputs["logits"])?;
            if last == END {
                break;
            }
            for (name, value) in self.kept.iter().zip(&mut kept) {
                if said.is_empty() || !name.of_the_sound {
                    *value = taken(&mut outputs, &name.goes_out_as)?;
                }
            }
            said.push(last);
        }
        Ok(said)
    }
}

fn taken(
    outputs: &mut ort::session::SessionOutputs<'_>,
    name: &str,
) -> Result<DynValue, ort::Error> {
    let missing = || ort::Error::new(format!("the model gives no {name}"));
    outputs.remove(name).ok_or_else(missing)
}

fn likeliest(logits: &DynValue) -> Result<i64, ort::Error> {
    let (_, logits) = logits.try_extract_tensor::<f32>()?;
    let best = logits
        .iter()
        .enumerate()
        .max_by(|(_, a), (_, b)| a.total_cmp(b));
    best.and_then(|(number, _)| i64::try_from(number).ok())
        .ok_or_else(|| ort::Error::new("the model says nothing at all"))
}
