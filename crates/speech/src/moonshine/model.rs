//! Moonshine's two networks. The encoder turns a piece of sound into features, once. The decoder says it token by token, each
//! time from the last one and from what it has kept of those before; several pieces at a time, where several wait. The words
//! are not tidied here.

use std::borrow::Cow;
use std::sync::Arc;

use engines::ort::session::{NoSelectedOutputs, RunOptions, Session, SessionInputValue};
use engines::ort::value::{DynValue, Tensor, TensorRef};
use engines::{Runtime, Threads, ort};

use super::tidying;
use super::vocabulary::{END, START, Vocabulary};
use crate::SAMPLE_RATE;

/// What the model's makers let it say of a second of sound.
const TOKENS_OF_A_SECOND: f32 = 6.5;
/// What is kept has so many heads of attention, in either model.
const HEADS: usize = 8;
/// A fuller model that is not so sure that nothing was said is asked for what was: on noise and sobs it was at least 0.94 sure,
/// on short answers that it passed over ("Twenty-nine.") at most 0.67.
const SURE_OF_NOTHING: f32 = 0.85;

const MASK_OF_ENCODER: &str = "attention_mask";
const MASK_OF_DECODER: &str = "encoder_attention_mask";

/// The two are trained alike; the fuller one hears better and takes twice as long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Quick,
    Fuller,
}

/// The model's files.
pub(super) struct Files {
    pub kind: Kind,
    pub encoder: Vec<u8>,
    pub decoder: Vec<u8>,
    pub vocabulary: Arc<Vocabulary>,
}

/// One loaded model. A run takes it whole.
pub(super) struct Model {
    kind: Kind,
    encoder: Session,
    decoder: Session,
    kept: Vec<Kept>,
    /// Whether it can be told where a piece ends that is shorter than those beside it. One that cannot hears one at a time.
    hears_several: bool,
    /// For the encoder's runs, and the decoder's first of a piece: a fuller model's working memory goes back to the machine,
    /// since it is as large as the model and needed now and then.
    first_run: RunOptions<NoSelectedOutputs>,
    other_runs: RunOptions<NoSelectedOutputs>,
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
        let takes = |name: &str| decoder.inputs().iter().any(|input| input.name() == name);
        let hears_several = takes(MASK_OF_DECODER);
        let kept = decoder.inputs().iter().filter_map(|input| {
            let of = input.name().strip_prefix("past_key_values.")?;
            Some(Kept {
                comes_in_as: input.name().to_owned(),
                goes_out_as: format!("present.{of}"),
                of_the_sound: of.contains(".encoder."),
            })
        });
        Ok(Self {
            kind: files.kind,
            kept: kept.collect(),
            hears_several,
            first_run: match files.kind {
                Kind::Quick => RunOptions::new()?,
                Kind::Fuller => Runtime::giving_memory_back()?,
            },
            other_runs: RunOptions::new()?,
            encoder: runtime.open(&files.encoder, Threads(1))?,
            decoder,
            vocabulary: Arc::clone(&files.vocabulary),
        })
    }

    /// The model's words for each of these pieces, said together: that takes far less than one after the other. Beside others
    /// a piece's numbers are rounded a little differently.
    pub(super) fn transcribe(&mut self, pieces: &[&[i16]]) -> Result<Vec<String>, String> {
        let at_once = if self.hears_several { pieces.len() } else { 1 };
        let mut words = Vec::with_capacity(pieces.len());
        for pieces in pieces.chunks(at_once.max(1)) {
            let prepared = pieces
                .iter()
                .map(|piece| tidying::prepare(piece, self.kind));
            let prepared: Vec<_> = prepared.collect();
            let said = self.tokens(&prepared).map_err(|error| error.to_string())?;
            words.extend(said.iter().map(|said| self.vocabulary.words(said)));
        }
        Ok(words)
    }

    fn tokens(&mut self, pieces: &[Vec<f32>]) -> Result<Vec<Vec<i64>>, ort::Error> {
        let count = pieces.len();
        let heard = pieces
            .iter()
            .map(|samples| self.features(samples))
            .collect::<Result<Vec<_>, _>>()?;
        let features = side_by_side(&heard);
        let head_width = features.0[2] / HEADS;
        let features = Tensor::from_array(features)?;
        let mask = match self.hears_several {
            true => Some(Tensor::from_array(mask_of(pieces))?),
            false => None,
        };

        // Nothing was said before the first token; that run does not look at these.
        let mut kept = Vec::with_capacity(self.kept.len());
        for _ in &self.kept {
            let nothing = vec![0.0_f32; count * HEADS * head_width];
            kept.push(Tensor::from_array(([count, HEADS, 1, head_width], nothing))?.into_dyn());
        }
        let mut said: Vec<Said> = pieces.iter().map(|samples| Said::of(samples)).collect();
        let mut latest = vec![START; count];
        let mut is_first = true;
        while said.iter().any(|said| !said.is_whole) {
            let has_kept = [!is_first];
            let mut inputs: Vec<(Cow<'_, str>, SessionInputValue<'_>)> = ort::inputs! {
                "input_ids" => TensorRef::from_array_view(([count, 1], latest.as_slice()))?,
                "encoder_hidden_states" => &features,
                "use_cache_branch" => TensorRef::from_array_view(([1], has_kept.as_slice()))?,
            };
            if let Some(mask) = &mask {
                inputs.push((MASK_OF_DECODER.into(), mask.into()));
            }
            for (name, value) in self.kept.iter().zip(&kept) {
                inputs.push((name.comes_in_as.as_str().into(), value.into()));
            }
            let run = if is_first {
                &self.first_run
            } else {
                &self.other_runs
            };
            let mut outputs = self.decoder.run_with_options(inputs, run)?;
            let doubts_nothing = is_first && self.kind == Kind::Fuller;
            let next = likeliest(&outputs["logits"], count, doubts_nothing)?;
            for (said, token) in said.iter_mut().zip(&next) {
                said.take(*token);
            }
            latest = next;
            for (name, value) in self.kept.iter().zip(&mut kept) {
                if is_first || !name.of_the_sound {
                    *value = taken(&mut outputs, &name.goes_out_as)?;
                }
            }
            is_first = false;
        }
        Ok(said.into_iter().map(|said| said.tokens).collect())
    }

    /// What the encoder makes of one piece: so many rows of features.
    fn features(&mut self, samples: &[f32]) -> Result<Features, ort::Error> {
        let mut inputs: Vec<(Cow<'_, str>, SessionInputValue<'_>)> = ort::inputs! {
            "input_values" => TensorRef::from_array_view(([1, samples.len()], samples))?,
        };
        if self.hears_several {
            // All of it is sound.
            let mask = vec![1_i64; samples.len()];
            let mask = Tensor::from_array(([1, mask.len()], mask))?;
            inputs.push((MASK_OF_ENCODER.into(), mask.into()));
        }
        let heard = self.encoder.run_with_options(inputs, &self.first_run)?;
        let (shape, features) = heard["last_hidden_state"].try_extract_tensor::<f32>()?;
        let [_, rows, width] = shape[..] else {
            return Err(ort::Error::new("the model's features have another shape"));
        };
        Ok(Features {
            rows: usize::try_from(rows).unwrap_or_default(),
            width: usize::try_from(width).unwrap_or_default(),
            features: features.to_vec(),
        })
    }
}

/// What one piece of sound is to the decoder.
struct Features {
    rows: usize,
    /// How many a moment of sound has.
    width: usize,
    features: Vec<f32>,
}

/// Where a piece is shorter than others there is nothing to attend to.
fn mask_of(pieces: &[Vec<f32>]) -> ([usize; 2], Vec<i64>) {
    let longest = pieces.iter().map(Vec::len).max().unwrap_or_default();
    let mut mask = vec![0; pieces.len() * longest];
    for (row, samples) in mask.chunks_mut(longest.max(1)).zip(pieces) {
        row[..samples.len()].fill(1);
    }
    ([pieces.len(), longest], mask)
}

/// The features of several pieces, the shorter ones filled up.
fn side_by_side(heard: &[Features]) -> ([usize; 3], Vec<f32>) {
    let rows = heard.iter().map(|one| one.rows).max().unwrap_or_default();
    let width = heard.iter().map(|one| one.width).max().unwrap_or_default();
    let mut together = Vec::with_capacity(heard.len() * rows * width);
    for (place, one) in heard.iter().enumerate() {
        together.extend_from_slice(&one.features);
        together.resize((place + 1) * rows * width, 0.0);
    }
    ([heard.len(), rows, width], together)
}

/// What the model has said of one piece.
struct Said {
    tokens: Vec<i64>,
    most: usize,
    is_whole: bool,
}

impl Said {
    fn of(samples: &[f32]) -> Self {
        let seconds = samples.len() as f32 / SAMPLE_RATE as f32;
        let most = (seconds * TOKENS_OF_A_SECOND).ceil() as usize;
        Self {
            tokens: Vec::with_capacity(most),
            most,
            is_whole: most == 0,
        }
    }

    /// The next token; what comes after the end is said of other pieces.
    fn take(&mut self, token: i64) {
        if self.is_whole {
            return;
        }
        match token {
            END => self.is_whole = true,
            token => {
                self.tokens.push(token);
                self.is_whole = self.tokens.len() == self.most;
            }
        }
    }
}

fn taken(
    outputs: &mut ort::session::SessionOutputs<'_>,
    name: &str,
) -> Result<DynValue, ort::Error> {
    let missing = || ort::Error::new(format!("the model gives no {name}"));
    outputs.remove(name).ok_or_else(missing)
}

/// For each piece. What begins with its end holds no words, unless that is doubted.
fn likeliest(
    logits: &DynValue,
    count: usize,
    doubts_nothing: bool,
) -> Result<Vec<i64>, ort::Error> {
    let (_, logits) = logits.try_extract_tensor::<f32>()?;
    let of_one = |logits: &[f32]| {
        let token = likeliest_of(logits, None)?;
        let passed_over = doubts_nothing && token == END && chance(logits, token) < SURE_OF_NOTHING;
        if passed_over {
            likeliest_of(logits, Some(END))
        } else {
            Some(token)
        }
    };
    logits
        .chunks((logits.len() / count.max(1)).max(1))
        .map(|logits| {
            of_one(logits).ok_or_else(|| ort::Error::new("the model says nothing at all"))
        })
        .collect()
}

fn likeliest_of(logits: &[f32], but: Option<i64>) -> Option<i64> {
    let tokens = (0_i64..).zip(logits);
    tokens
        .filter(|(token, _)| Some(*token) != but)
        .max_by(|(_, a), (_, b)| a.total_cmp(b))
        .map(|(token, _)| token)
}

/// From 0 to 1.
fn chance(logits: &[f32], token: i64) -> f32 {
    let own = usize::try_from(token).ok().and_then(|at| logits.get(at));
    let own = own.copied().unwrap_or_default();
    1.0 / logits.iter().map(|logit| (logit - own).exp()).sum::<f32>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_but_one_is_found_and_how_likely_it_is() {
        let logits = [0.0, -1.0, 3.0, 2.5];
        assert_eq!(likeliest_of(&logits, None), Some(END));
        assert_eq!(likeliest_of(&logits, Some(END)), Some(3));
        assert_eq!(likeliest_of(&[], None), None);
        let chance = chance(&logits, END);
        assert!((chance - 0.597).abs() < 0.001, "{chance}");
    }
}
