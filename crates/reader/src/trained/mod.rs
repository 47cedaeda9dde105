//! The trained reader: a small sentence encoder that was shown labelled turns, each with the question
//! before it (`training/`). It gives a probability for each label and decides nothing; what it means
//! beside the rules is `settle`'s.
//!
//! A long turn is read as a whole, and by sentence where the whole tells of harm. A run takes milliseconds of one core; two
//! run at once, of one turn or of two calls, each in a thread of its own.

mod files;
mod labels;
mod passages;
mod whole_call;
mod word_pieces;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use engines::Threads;
use engines::ort::{self, session::Session, value::TensorRef};
use flow::Question;
use flow::reading::{Doubt, SoFar};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

pub use files::{Files, OpenError};
use labels::Labels;
pub(crate) use labels::{AnswerLabel, Flag, HarmLabel, State};
use passages::passages;
use whole_call::WholeCall;
use word_pieces::{Ids, WordPieces};

/// More word pieces than this are not read in one passage, the question's among them.
const LONGEST: usize = 128;

/// The encoder, ready to read.
pub struct TrainedReader {
    threads: rayon::ThreadPool,
    /// One for each of the threads.
    sessions: [Mutex<Session>; 2],
    pieces: WordPieces,
    labels: Arc<Labels>,
    whole_call: WholeCall,
}

/// What the encoder makes of a turn, passage by passage.
pub(crate) struct Opinion<'w> {
    labels: Arc<Labels>,
    passages: Vec<ReadPassage<'w>>,
}

/// A text and its logits.
type ReadText<'w> = (&'w str, Vec<f32>);

struct ReadPassage<'w> {
    whole: ReadText<'w>,
    /// None where the passage is short, or nothing in it is worth a closer look.
    sentences: Vec<ReadText<'w>>,
}

/// The encoder did not answer.
#[derive(Debug, thiserror::Error)]
#[error("the trained reader failed on a turn: {0}")]
pub struct RunError(#[from] ort::Error);

impl TrainedReader {
    /// Loads the weights into the runtime; about a fifth of a second.
    pub fn open(files: &Files) -> Result<Self, OpenError> {
        let weights = files.weights()?;
        let labels = Labels::read(&weights.labels)?;
        let whole_call = WholeCall::read(&weights.whole_call, &labels)?;
        let pieces = WordPieces::read(&weights.vocabulary)?;
        let runtime = files.runtime()?;
        // One thread: a turn is short, and calls share the cores.
        let session = || {
            let opened = runtime.open(&weights.model, Threads(1));
            opened.map(Mutex::new).map_err(OpenError::Runtime)
        };
        let sessions = [session()?, session()?];
        let threads = rayon::ThreadPoolBuilder::new()
            .num_threads(sessions.len())
            .thread_name(|at| format!("trained-reader-{at}"))
            .build()?;
        let reader = Self {
            threads,
            sessions,
            pieces,
            labels: Arc::new(labels),
            whole_call,
        };
        // A first run, so that no caller waits for what the runtime does once; and so that weights
        // which do not fit their labels are refused here.
        let opinion = reader
            .opinion(None, "hello")
            .map_err(|RunError(error)| OpenError::Runtime(error))?;
        match opinion.passages.first() {
            Some(passage) if passage.whole.1.len() == reader.labels.len() => Ok(reader),
            _ => Err(OpenError::Unfit {
                directory: weights.directory,
            }),
        }
    }

    /// Reads one caller turn after a question.
    pub(crate) fn opinion<'w>(
        &self,
        question: Option<Question>,
        words: &'w str,
    ) -> Result<Opinion<'w>, RunError> {
        let asked = self.pieces.ids(self.labels.question(question));
        let passages = passages(words);
        let read = passages.into_par_iter().map(|passage| {
            let whole = self.read(&asked, passage.whole)?;
            let closer = self.labels.tell_of_harm(&whole.1);
            let sentences = if closer {
                passage.sentences
            } else {
                Vec::new()
            };
            let sentences = sentences.into_par_iter();
            let sentences = sentences.map(|sentence| self.read(&asked, sentence));
            Ok::<_, ort::Error>(ReadPassage {
                whole,
                sentences: sentences.collect::<Result<_, _>>()?,
            })
        });
        Ok(Opinion {
            labels: Arc::clone(&self.labels),
            passages: self.threads.install(|| read.collect::<Result<_, _>>())?,
        })
    }

    /// What all turns so far, together, speak against.
    pub(crate) fn doubts(&self, so_far: &SoFar, question: Option<Question>) -> BTreeSet<Doubt> {
        self.whole_call.doubts(so_far, question)
    }

    /// One text after the question, by the session of the thread that this runs on.
    fn read<'w>(&self, asked: &[i64], text: &'w str) -> Result<ReadText<'w>, ort::Error> {
        let ids = self.pieces.pair(asked, text, LONGEST);
        let session = &self.sessions[rayon::current_thread_index().unwrap_or(0)];
        let mut session = session.lock().unwrap_or_else(PoisonError::into_inner);
        Ok((text, run(&mut session, &ids)?))
    }
}

/// One passage a run: the weights are rounded, and how finely a run rounds depends on all that is in it.
fn run(session: &mut Session, ids: &Ids) -> Result<Vec<f32>, ort::Error> {
    let shape = [1, ids.pieces.len()];
    let inputs = ort::inputs![
        "input_ids" => TensorRef::from_array_view((shape, ids.pieces.as_slice()))?,
        "attention_mask" => TensorRef::from_array_view((shape, ids.mask.as_slice()))?,
        "token_type_ids" => TensorRef::from_array_view((shape, ids.kinds.as_slice()))?,
    ];
    let outputs = session.run(inputs)?;
    let (_, logits) = outputs["logits"].try_extract_tensor::<f32>()?;
    Ok(logits.to_vec())
}

impl std::fmt::Debug for TrainedReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TrainedReader").finish_non_exhaustive()
    }
}

#[cfg(test)]
impl Opinion<'static> {
    /// An opinion as data: the chances of these, and next to none of anything else.
    pub fn with(
        answer: (AnswerLabel, f32),
        harms: &[(HarmLabel, State, f32)],
        flags: &[(Flag, f32)],
    ) -> Self {
        let labels = Labels::for_specifications();
        let logit = |chance: f32| (chance / (1.0 - chance)).ln();
        let mut logits = vec![-8.0; labels.len()];
        let rest = (1.0 - answer.1) / (AnswerLabel::ALL.len() - 1) as f32;
        for label in AnswerLabel::ALL {
            let chance = if *label == answer.0 { answer.1 } else { rest };
            logits[labels.place_of(*label)] = chance.ln();
        }
        for (harm, state, chance) in harms {
            logits[labels.harm(*harm, *state)] = logit(*chance);
        }
        for (flag, chance) in flags {
            logits[labels.flag(*flag)] = logit(*chance);
        }
        let whole = ("as it was said", logits);
        Self {
            labels: Arc::new(labels),
            passages: vec![ReadPassage {
                whole,
                sentences: Vec::new(),
            }],
        }
    }
}

impl<'w> Opinion<'w> {
    /// How probable it is that the words say this, and the passage that says it most.
    pub fn harm(&self, harm: HarmLabel, state: State) -> (f32, &'w str) {
        self.most(self.labels.harm(harm, state))
    }

    pub fn flag(&self, flag: Flag) -> (f32, &'w str) {
        self.most(self.labels.flag(flag))
    }

    /// How probable each answer is; they add up to one. An answer comes first, so the first passage has it.
    pub fn answer(&self, answer: AnswerLabel) -> f32 {
        let Some(passage) = self.passages.first() else {
            return 0.0;
        };
        self.labels.answer(&passage.whole.1, answer)
    }

    /// The turns so far, with this one.
    pub fn added_to(&self, so_far: &SoFar) -> SoFar {
        let passages = self.passages.iter().map(|passage| &passage.whole.1[..]);
        whole_call::added(so_far, passages)
    }

    /// From this probability on an answer is taken as it is.
    pub fn sure_answer(&self) -> f32 {
        self.labels.sure()
    }

    /// From this probability on a label is acted on.
    pub fn act(&self, harm: HarmLabel, state: State) -> f32 {
        self.labels.act(self.labels.harm(harm, state))
    }

    /// From this probability on it is worth a question.
    pub fn ask(&self, harm: HarmLabel, state: State) -> f32 {
        self.labels.ask(self.labels.harm(harm, state))
    }

    /// The words surely tell of everyday trouble.
    pub fn is_everyday(&self) -> bool {
        self.flag(Flag::Everyday).0 >= self.act_on(Flag::Everyday)
    }

    /// The caller surely speaks for somebody else.
    pub fn is_for_another(&self) -> bool {
        self.flag(Flag::ForOther).0 >= self.act_on(Flag::ForOther)
    }

    pub fn act_on(&self, flag: Flag) -> f32 {
        self.labels.act(self.labels.flag(flag))
    }

    pub fn ask_of(&self, flag: Flag) -> f32 {
        self.labels.ask(self.labels.flag(flag))
    }

    fn most(&self, label: usize) -> (f32, &'w str) {
        self.passages
            .iter()
            .map(|passage| self.in_passage(passage, label))
            .fold(
                (0.0, ""),
                |best, this| if this.0 > best.0 { this } else { best },
            )
    }

    /// A sentence torn from a story may sound like what the story is not, and a story may drown a
    /// sentence: each has its weight.
    fn in_passage(&self, passage: &ReadPassage<'w>, label: usize) -> (f32, &'w str) {
        let (whole, logits) = &passage.whole;
        let surest = passage
            .sentences
            .iter()
            .max_by(|a, b| a.1[label].total_cmp(&b.1[label]));
        match surest {
            None => (self.labels.probability(logits[label]), whole),
            Some((sentence, of_sentence)) => {
                let logit = self.labels.joined(logits[label], of_sentence[label]);
                (self.labels.probability(logit), sentence)
            }
        }
    }
}
