//! One model on one thread, fed by a bounded queue: what is due first is made first, and what is made ahead only
//! while nobody waits.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use engines::ort;
use redact::Secret;
use tokio::sync::mpsc::UnboundedSender;

use super::phonemes::Phonemes;
use super::{Accent, AcousticModel, VoiceLoadError, sound};
use crate::{Sound, VoiceError};

/// Sentences that may wait.
const QUEUE: usize = 64;
/// With more work than this before it, a new call is better served by a lighter voice.
const ROOM: Duration = Duration::from_millis(2_500);
/// A first clause is due this long after it was asked for: well within the wait before a reply.
const FIRST_DUE: Duration = Duration::from_millis(1_000);
/// Sound and what callers say go before the voice's work: a frame or a reply that is late is heard, a clause begun 10 ms late is not.
const NICENESS: i32 = 10;
/// What a character takes to make before that was measured.
const USUAL_COST: Duration = Duration::from_millis(45);

/// One sentence to be made.
pub(super) struct Job {
    pieces: std::collections::VecDeque<Secret<String>>,
    out: UnboundedSender<Result<Sound, VoiceError>>,
    ahead: bool,
    /// Some of it has been made.
    begun: bool,
    due: Instant,
}

impl Job {
    pub fn new(
        pieces: Vec<Secret<String>>,
        out: UnboundedSender<Result<Sound, VoiceError>>,
        ahead: bool,
    ) -> Self {
        Self {
            pieces: pieces.into(),
            out,
            ahead,
            begun: false,
            due: Instant::now() + FIRST_DUE,
        }
    }

    fn characters(&self) -> usize {
        self.pieces
            .iter()
            .map(|piece| piece.expose_secret().len())
            .sum()
    }
}

/// A model's thread.
pub(super) struct Engine {
    work: Mutex<Work>,
    news: Condvar,
}

struct Work {
    jobs: Vec<Job>,
    /// Of the clause that is being made, for a caller.
    under_way: usize,
    cost_of_a_character: Duration,
    stopped: bool,
}

impl Engine {
    /// Starts the thread and opens the model on it; blocks until it can speak.
    pub fn start<M: AcousticModel>(
        accent: Accent,
        open: impl FnOnce() -> Result<M, ort::Error> + Send + 'static,
    ) -> Result<Arc<Self>, VoiceLoadError> {
        let engine = Arc::new(Self {
            work: Mutex::new(Work {
                jobs: Vec::new(),
                under_way: 0,
                cost_of_a_character: USUAL_COST,
                stopped: false,
            }),
            news: Condvar::new(),
        });
        let (ready, opened) = std::sync::mpsc::sync_channel(1);
        let worker = Arc::downgrade(&engine);
        std::thread::Builder::new()
            .name("voice-natural".to_owned())
            .spawn(move || {
                // The model's own threads take the priority of the one that opens it.
                give_way();
                let model = match open() {
                    Ok(model) => model,
                    Err(error) => {
                        let _ = ready.send(Err(VoiceLoadError::Refused(error)));
                        return;
                    }
                };
                let phonemes = Phonemes::of(accent);
                let _ = ready.send(Ok(()));
                drop(ready);
                work(&worker, model, &phonemes);
            })?;
        opened.recv().map_err(|_| VoiceLoadError::Stopped)??;
        Ok(engine)
    }

    pub fn submit(&self, job: Job) -> Result<(), VoiceError> {
        let mut work = self.lock();
        if work.stopped {
            let reason = "its thread is not running".to_owned();
            return Err(VoiceError::EngineFailed { reason });
        }
        if !job.ahead && work.jobs.iter().filter(|job| !job.ahead).count() >= QUEUE {
            return Err(VoiceError::Busy);
        }
        work.jobs.push(job);
        self.news.notify_one();
        Ok(())
    }

    /// Whether what is asked for now would come in time.
    pub fn has_room(&self) -> bool {
        let work = self.lock();
        let waiting = work.jobs.iter().filter(|job| !job.ahead);
        let characters: usize = waiting.map(Job::characters).sum::<usize>() + work.under_way;
        let characters = u32::try_from(characters).unwrap_or(u32::MAX);
        work.cost_of_a_character.saturating_mul(characters) <= ROOM
    }

    fn lock(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Work {
    /// The job that is due first; one that is made ahead only when there is no other.
    fn take(&mut self) -> Option<Job> {
        self.jobs.retain(|job| !job.out.is_closed());
        let (place, _) = self
            .jobs
            .iter()
            .enumerate()
            .min_by_key(|(_, job)| (job.ahead, job.due))?;
        Some(self.jobs.swap_remove(place))
    }
}

fn work<M: AcousticModel>(engine: &std::sync::Weak<Engine>, mut model: M, phonemes: &Phonemes) {
    /// How often the thread looks whether the voice is still wanted.
    const LOOK: Duration = Duration::from_secs(1);
    // However the thread ends, nobody waits for it.
    let _stop = Stop(engine.clone());
    loop {
        let Some(engine) = engine.upgrade() else {
            return;
        };
        let mut work = engine.lock();
        let Some(mut job) = work.take() else {
            let _ = engine.news.wait_timeout(work, LOOK);
            continue;
        };
        let Some(piece) = job.pieces.pop_front() else {
            continue;
        };
        let characters = piece.expose_secret().len();
        work.under_way = if job.ahead { 0 } else { characters };
        drop(work);

        let began = Instant::now();
        let mut made = make(&mut model, phonemes, &piece, job.pieces.is_empty());
        let took = began.elapsed();
        let opens = !job.ahead && !std::mem::replace(&mut job.begun, true);
        if let (true, Ok(samples)) = (opens, &mut made) {
            sound::begin_at_once(samples);
        }

        let mut work = engine.lock();
        work.under_way = 0;
        if let Ok(characters) = u32::try_from(characters.max(1)) {
            work.cost_of_a_character = (work.cost_of_a_character * 3 + took / characters) / 4;
        }
        match made {
            Ok(samples) => {
                // The rest is due when this has been heard.
                let lasts = samples.len() as u64 * 1_000 / u64::from(crate::SAMPLE_RATE);
                job.due += Duration::from_millis(lasts);
                let heard = job.out.send(Ok(Sound::Samples(samples))).is_ok();
                if heard && !job.pieces.is_empty() {
                    work.jobs.push(job);
                }
            }
            Err(reason) => {
                let _ = job.out.send(Err(VoiceError::EngineFailed { reason }));
            }
        }
    }
}

/// Marks the engine as stopped when its thread ends, also by a panic.
struct Stop(std::sync::Weak<Engine>);

impl Drop for Stop {
    fn drop(&mut self) {
        if let Some(engine) = self.0.upgrade() {
            let mut work = engine.lock();
            work.stopped = true;
            work.jobs.clear();
        }
    }
}

fn make<M: AcousticModel>(
    model: &mut M,
    phonemes: &Phonemes,
    piece: &Secret<String>,
    is_last: bool,
) -> Result<Vec<i16>, String> {
    let text = piece.expose_secret();
    let phonemes = phonemes.read(text);
    let mut samples = Vec::new();
    for stretch in stretches(&phonemes, model.longest()) {
        let sound = model.sound_of(stretch)?;
        samples.extend(sound::trimmed(&sound::resampled(
            &sound,
            model.sample_rate(),
        )?));
    }
    let ends_a_sentence = is_last || text.ends_with(['.', '?', '!']);
    samples.resize(samples.len() + sound::pause(ends_a_sentence), 0);
    Ok(samples)
}

/// Phonemes that the model takes at once, cut between words.
fn stretches(phonemes: &str, longest: usize) -> Vec<&str> {
    let mut stretches = Vec::new();
    let mut rest = phonemes;
    while let Some((end, _)) = rest.char_indices().nth(longest) {
        let cut = rest[..end].rfind(' ').map_or(end, |space| space + 1);
        let (stretch, after) = rest.split_at(cut);
        stretches.push(stretch);
        rest = after;
    }
    stretches.push(rest);
    stretches
}

/// Lowers this thread's priority, and with it that of the threads it starts.
fn give_way() {
    // SAFETY: takes three numbers; on Linux 0 is the calling thread.
    let refused = unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, NICENESS) } != 0;
    if refused {
        tracing::warn!(
            "the voice's priority could not be lowered; calls share the cores with it evenly"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_phonemes_are_cut_between_words_and_none_is_lost() {
        let phonemes = "tˈAk jʊɹ tˈIm ".repeat(60);
        let stretches = stretches(&phonemes, 100);
        assert_eq!(stretches.concat(), phonemes);
        assert!(
            stretches
                .iter()
                .all(|stretch| stretch.chars().count() <= 100)
        );
        assert!(stretches[..8].iter().all(|stretch| stretch.ends_with(' ')));
    }
}
