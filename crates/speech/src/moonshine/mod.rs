//! The embedded transcriber: Moonshine's English models, offline, in process.
//!
//! A pool of threads behind one place where pieces wait, urgent ones first. Each thread has a quick model of its own, and all
//! share a few fuller ones: who comes in a quiet time, while another thread stands by, is heard by one of these, everybody else by a
//! quick one, so that a well-heard sentence keeps nobody waiting. It does not detect voices and must not be given silence.

mod files;
mod model;
mod queue;
mod splitting;
mod tidying;
mod utilisation;
mod vocabulary;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use redact::Secret;
use tokio::sync::oneshot;

pub use files::EngineFiles;
use model::Model;
use queue::{Job, Queue, Refused, Taken};

use crate::{SAMPLE_RATE, Standing, TranscribeError, Transcriber};

/// The most fuller models of all threads together: each takes some 120 MB, and more while it hears. Where more than these are
/// wanted at a time the line is busy.
const MOST_FULLER: usize = 2;
/// Pieces that the quick model says at the same time: more take hardly less each, and the first waits for the last.
const TOGETHER: usize = 4;
/// From the request to the words, waiting included, besides the audio's own length: an engine
/// slower than speech has lost.
const TIME_LIMIT: Duration = Duration::from_secs(10);
/// The longest piece taken at once.
const MAX_SECONDS: u64 = 60;

/// Why the engine could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// There is nothing to run the model in.
    #[error(transparent)]
    Runtime(#[from] engines::RuntimeError),
    /// A file that is there cannot be read.
    #[error("{} cannot be read: {error}", file.display())]
    Unreadable {
        file: PathBuf,
        error: std::io::Error,
    },
    /// The runtime refused the model.
    #[error("the speech engine cannot load its model (run `make setup`): {reason}")]
    Model {
        /// The runtime's own words.
        reason: String,
    },
    /// The system gave no thread.
    #[error("no thread could be started for the speech engine: {0}")]
    Thread(#[from] std::io::Error),
}

/// A pool of threads with their models. Dropping it waits for the pieces under way.
pub struct MoonshineTranscriber {
    queue: Arc<Queue>,
    workers: Vec<JoinHandle<()>>,
}

impl MoonshineTranscriber {
    /// Its models, as they are told to whoever asks: `files` has the same.
    pub const MODEL: &str = "moonshine-base-en, moonshine-tiny-en";
    /// What it understands.
    pub const LANGUAGE: &str = "en";

    /// Loads the models for `pool` threads (at least one; one per core serves best). Blocks while loading.
    pub fn load(files: &EngineFiles, pool: usize) -> Result<MoonshineTranscriber, LoadError> {
        let pool = pool.max(1);
        let runtime = engines::Runtime::load(files.engines())?;
        let files = files.read()?;
        let mut transcriber = MoonshineTranscriber {
            queue: Arc::new(Queue::of(pool)),
            workers: Vec::with_capacity(pool),
        };
        let open = |files| {
            Model::open(&runtime, files).map_err(|error| LoadError::Model {
                reason: error.to_string(),
            })
        };
        let fuller: Vec<Model> = match &files.fuller {
            // One thread stands by, wherever there are several.
            Some(files) => (0..(pool - 1).clamp(1, MOST_FULLER))
                .map(|_| open(files))
                .collect::<Result<_, _>>()?,
            None => Vec::new(),
        };
        let fuller: Arc<[Mutex<Model>]> = fuller.into_iter().map(Mutex::new).collect();
        for number in 0..pool {
            let quick = open(&files.quick)?;
            let fuller = Arc::clone(&fuller);
            let queue = Arc::clone(&transcriber.queue);
            let worker = std::thread::Builder::new()
                .name(format!("transcriber-{number}"))
                .spawn(move || work(quick, &fuller, &queue))?;
            transcriber.workers.push(worker);
        }
        Ok(transcriber)
    }
}

#[async_trait]
impl Transcriber for MoonshineTranscriber {
    async fn transcribe(
        &self,
        samples: Arc<[i16]>,
        standing: Standing,
    ) -> Result<Secret<String>, TranscribeError> {
        let seconds = (samples.len() / SAMPLE_RATE as usize) as u64;
        if seconds > MAX_SECONDS {
            return Err(TranscribeError::TooLong {
                seconds,
                limit_seconds: MAX_SECONDS,
            });
        }
        let limit = TIME_LIMIT + Duration::from_secs(seconds);
        let (reply, answer) = oneshot::channel();
        self.queue
            .push(Job { samples, reply }, standing)
            .map_err(|refused| match refused {
                Refused::Full => TranscribeError::Busy,
                Refused::NobodyServes => stopped(),
            })?;
        match tokio::time::timeout(limit, answer).await {
            Err(_) => Err(TranscribeError::TimedOut { limit }),
            Ok(Err(_)) => Err(stopped()),
            Ok(Ok(Err(reason))) => Err(TranscribeError::EngineFailed { reason }),
            Ok(Ok(Ok(words))) => Ok(Secret::new(words)),
        }
    }
}

impl Drop for MoonshineTranscriber {
    fn drop(&mut self) {
        self.queue.close();
        for worker in self.workers.drain(..) {
            // A worker that panicked has said so already.
            let _ = worker.join();
        }
    }
}

impl std::fmt::Debug for MoonshineTranscriber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MoonshineTranscriber")
            .field("pool", &self.workers.len())
            .finish_non_exhaustive()
    }
}

fn stopped() -> TranscribeError {
    TranscribeError::EngineFailed {
        reason: "its threads have stopped".to_owned(),
    }
}

/// One thread: takes what waits until the queue is closed.
fn work(mut quick: Model, fuller: &[Mutex<Model>], queue: &Queue) {
    let _serving = queue.serving();
    let mut quick = |pieces: &[&[i16]]| quick.transcribe(pieces);
    while let Some(taken) = queue.next() {
        let began = Instant::now();
        match taken {
            Taken::Alone(job) => match free(fuller) {
                Some(mut fuller) => {
                    answer_well(job, &mut |pieces| fuller.transcribe(pieces), &mut quick);
                }
                None => answer_together(vec![job], &mut quick),
            },
            Taken::Several(jobs) => {
                // Who has little to say does not wait for a long story that was taken last.
                let (short, long): (Vec<_>, Vec<_>) = jobs.into_iter().partition(Job::is_short);
                answer_together(short, &mut quick);
                answer_together(long, &mut quick);
            }
        }
        queue.worked(began.elapsed());
    }
}

/// One that is not at work; nobody waits for one, and one that a thread panicked with is used no more.
fn free(models: &[Mutex<Model>]) -> Option<MutexGuard<'_, Model>> {
    models.iter().find_map(|model| model.try_lock().ok())
}

type Engine<'e> = &'e mut dyn FnMut(&[&[i16]]) -> Result<Vec<String>, String>;

/// With the fuller model; what that fails at is the quick one's. Where it hears no words there are none: the quick one
/// makes words of sobs and noise.
fn answer_well(job: Job, fuller: Engine<'_>, quick: Engine<'_>) {
    if job.reply.is_closed() {
        return;
    }
    match words_of(&[&job.samples], fuller) {
        // The asker may have given up meanwhile.
        Ok(words) => drop(job.reply.send(Ok(words.concat()))),
        Err(_) => answer_together(vec![job], quick),
    }
}

/// Answers all of these, but for those that nobody waits for any more. What the engine fails at is tried once more by
/// itself, so that nobody goes without an answer for what another said.
fn answer_together(mut jobs: Vec<Job>, engine: Engine<'_>) {
    jobs.retain(|job| !job.reply.is_closed());
    let speech: Vec<&[i16]> = jobs.iter().map(|job| &*job.samples).collect();
    let words: Vec<Result<String, String>> = match words_of(&speech, engine) {
        Ok(words) => words.into_iter().map(Ok).collect(),
        Err(reason) if speech.len() == 1 => vec![Err(reason)],
        Err(_) => speech
            .iter()
            .map(|one| Ok(words_of(&[one], engine)?.concat()))
            .collect(),
    };
    for (job, words) in jobs.into_iter().zip(words) {
        // The asker may have given up meanwhile.
        let _ = job.reply.send(words);
    }
}

/// The words of each of these stretches of speech.
fn words_of(speech: &[&[i16]], engine: Engine<'_>) -> Result<Vec<String>, String> {
    let mut words = vec![String::new(); speech.len()];
    let pieces: Vec<(usize, &[i16])> = speech
        .iter()
        .enumerate()
        .flat_map(|(whose, speech)| {
            let pieces = splitting::pieces(speech);
            pieces.into_iter().map(move |piece| (whose, piece))
        })
        .collect();
    for pieces in pieces.chunks(TOGETHER) {
        let together: Vec<&[i16]> = pieces.iter().map(|(_, piece)| *piece).collect();
        for ((whose, piece), heard) in pieces.iter().zip(engine(&together)?) {
            words[*whose].push_str(&calmed(piece, heard, engine)?);
            words[*whose].push(' ');
        }
    }
    Ok(words.iter().map(|words| tidying::tidy(words)).collect())
}

/// The words of a piece. If the engine ran away in it, all after that is lost: in two halves, at
/// least the one without what led it astray is heard.
fn calmed(piece: &[i16], heard: String, engine: Engine<'_>) -> Result<String, String> {
    if !tidying::ran_away(&heard) {
        return Ok(heard);
    }
    match splitting::halves(piece) {
        Some((first, second)) => Ok(engine(&[first, second])?.join(" ")),
        None => Ok(heard),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::queue::PER_MODEL;
    use super::*;
    use crate::standing::URGENT_IN_A_ROW;

    type Answer = oneshot::Receiver<Result<String, String>>;

    /// What an engine hears that answers with these, and how many pieces it was given each time.
    fn heard_by(answers: &[&str], speech: &[&[i16]]) -> (Result<Vec<String>, String>, Vec<usize>) {
        let mut answers = answers.iter();
        let mut given = Vec::new();
        let words = words_of(speech, &mut |pieces| {
            given.push(pieces.len());
            Ok(answers
                .by_ref()
                .take(pieces.len())
                .map(|answer| (*answer).to_owned())
                .collect())
        });
        (words, given)
    }

    fn seconds(seconds: usize) -> Vec<i16> {
        vec![1_000; seconds * 16_000]
    }

    #[test]
    fn a_piece_in_which_the_engine_ran_away_is_heard_in_halves() {
        let runaway = "hahahahahahahahahahahahaha";
        let (words, given) = heard_by(&[runaway, "Hello.", "I want to die."], &[&seconds(4)]);
        assert_eq!(words, Ok(vec![String::from("Hello. I want to die.")]));
        assert_eq!(given, [1, 2]);
        assert_eq!(
            heard_by(&["He hit me."], &[&seconds(4)]).1,
            [1],
            "it did not run away"
        );
        assert_eq!(heard_by(&[runaway], &[&seconds(1)]).1, [1], "too short");
    }

    #[test]
    fn what_waits_is_heard_together_and_each_has_its_own_words() {
        let (a, b, long) = (seconds(2), seconds(3), seconds(25));
        let (words, given) = heard_by(
            &["He hit me.", "Yes.", "It", "began", "last", "May."],
            &[&a, &b, &long],
        );
        let expected = ["He hit me.", "Yes.", "It began last May."];
        assert_eq!(words, Ok(expected.map(String::from).to_vec()));
        assert_eq!(given, [TOGETHER, 2]);
    }

    fn job(length: usize) -> (Job, Answer) {
        let (reply, answer) = oneshot::channel();
        let samples = seconds(length).into();
        (Job { samples, reply }, answer)
    }

    /// Jobs of so many seconds each that wait for one model, and who waits for them; nothing comes after them.
    fn waiting(lengths: &[(usize, Standing)]) -> (Queue, Vec<Answer>) {
        let queue = Queue::of(1);
        let answers = lengths.iter().map(|(length, standing)| {
            let (job, answer) = job(*length);
            queue.push(job, *standing).unwrap();
            answer
        });
        let answers = answers.collect();
        queue.close();
        (queue, answers)
    }

    fn ordinary(lengths: &[usize]) -> Vec<(usize, Standing)> {
        let of = |length: &usize| (*length, Standing::Ordinary);
        lengths.iter().map(of).collect()
    }

    fn next(queue: &Queue) -> Option<Vec<Job>> {
        Some(match queue.next()? {
            Taken::Alone(job) => vec![job],
            Taken::Several(jobs) => jobs,
        })
    }

    /// The lengths of what a thread takes next.
    fn taken(queue: &Queue) -> Option<Vec<usize>> {
        let length = |job: &Job| job.samples.len() / SAMPLE_RATE as usize;
        Some(next(queue)?.iter().map(length).collect())
    }

    #[test]
    fn there_is_time_to_hear_well_only_where_nobody_would_wait_for_it() {
        let is_alone = |queue: &Queue| matches!(queue.next(), Some(Taken::Alone(_)));
        let (queue, _answers) = waiting(&ordinary(&[1]));
        assert!(is_alone(&queue));
        let (queue, _answers) = waiting(&ordinary(&[1, 1]));
        assert!(!is_alone(&queue), "two wait for one thread");
        let (queue, _answers) = waiting(&ordinary(&[1, 1]));
        queue.let_be_idle(1);
        assert!(is_alone(&queue), "the other is the idle thread's");
        let both_at_work = Queue::of(2);
        let (job, _answer) = job(1);
        both_at_work.push(job, Standing::Ordinary).unwrap();
        assert!(!is_alone(&both_at_work), "no thread stands by for the next");
        let (queue, _answers) = waiting(&ordinary(&[30]));
        assert!(!is_alone(&queue), "a long story keeps whoever comes next");
        let (queue, _answers) = waiting(&ordinary(&[1]));
        queue.worked(Duration::from_secs(4));
        assert!(!is_alone(&queue), "the last seconds were busy");
    }

    #[test]
    fn what_the_fuller_model_fails_at_is_heard_by_the_quick_one() {
        let heard = |fuller: Result<&str, &str>| {
            let (job, answer) = job(1);
            let fuller = fuller.map(String::from).map_err(String::from);
            answer_well(
                job,
                &mut |_| fuller.clone().map(|words| vec![words]),
                &mut |_| Ok(vec![String::from("Uh-huh.")]),
            );
            answer.blocking_recv().unwrap()
        };
        assert_eq!(heard(Ok("No.")), Ok(String::from("No.")));
        assert_eq!(heard(Ok("")), Ok(String::new()), "it was no word");
        assert_eq!(heard(Err("too much")), Ok(String::from("Uh-huh.")));
    }

    #[test]
    fn as_many_as_wait_are_taken_up_to_a_long_story_and_only_where_no_other_model_is_idle() {
        let (queue, _answers) = waiting(&ordinary(&[1, 2, 1, 3, 2, 1, 30, 1, 30, 30]));
        assert_eq!(taken(&queue), Some(vec![1, 2, 1, 3]));
        assert_eq!(taken(&queue), Some(vec![2, 1, 30]), "the story is the last");
        queue.let_be_idle(1);
        assert_eq!(taken(&queue), Some(vec![1]), "the rest is for the idle one");
        queue.let_be_idle(0);
        assert_eq!(taken(&queue), Some(vec![30]), "a story is alone");
        assert_eq!(taken(&queue), Some(vec![30]));
        assert_eq!(taken(&queue), None);
    }

    #[test]
    fn what_is_said_in_danger_is_heard_before_what_came_first_and_the_others_are_heard_too() {
        let mut lengths = ordinary(&[1, 1, 30]);
        lengths.extend([(2, Standing::Urgent); 2 * URGENT_IN_A_ROW]);
        let (queue, _answers) = waiting(&lengths);
        let mut order = Vec::new();
        while let Some(jobs) = taken(&queue) {
            order.extend(jobs);
        }
        let urgent = [2_usize; URGENT_IN_A_ROW];
        assert_eq!(order, [&urgent[..], &[1], &urgent[..], &[1, 30]].concat());
    }

    #[test]
    fn a_crowd_of_others_leaves_room_for_who_is_in_danger_and_no_crowd_has_it_all() {
        let queue = Queue::of(1);
        let mut answers = Vec::new();
        let mut push = |length, standing| {
            let (job, answer) = job(length);
            answers.push(answer);
            queue.push(job, standing)
        };
        for standing in [Standing::Ordinary, Standing::Urgent] {
            for _ in 0..PER_MODEL {
                assert_eq!(push(1, standing), Ok(()));
            }
            assert_eq!(push(1, standing), Err(Refused::Full));
        }
    }

    #[test]
    fn where_no_model_serves_any_more_nobody_waits() {
        let queue = Queue::of(1);
        let (asked, answer) = job(1);
        queue.push(asked, Standing::Ordinary).unwrap();
        drop(queue.serving());
        assert!(answer.blocking_recv().is_err(), "told at once");
        let (asked, _answer) = job(1);
        assert_eq!(
            queue.push(asked, Standing::Urgent),
            Err(Refused::NobodyServes)
        );
    }

    #[test]
    fn what_the_engine_fails_at_costs_nobody_else_their_words() {
        let (queue, answers) = waiting(&ordinary(&[1, 7, 2]));
        answer_together(next(&queue).unwrap(), &mut |pieces| match pieces
            .iter()
            .any(|piece| piece.len() > 5 * 16_000)
        {
            true => Err(String::from("too much")),
            false => Ok(vec![String::from("Yes."); pieces.len()]),
        });
        let answered = answers.into_iter().map(|answer| answer.blocking_recv());
        let (yes, too_much) = (Ok(String::from("Yes.")), Err(String::from("too much")));
        assert_eq!(
            answered.collect::<Result<Vec<_>, _>>(),
            Ok(vec![yes.clone(), too_much, yes])
        );
    }
}
