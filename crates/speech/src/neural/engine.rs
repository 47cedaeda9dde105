//! One model on one thread, fed clause by clause from a bounded queue.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use engines::ort;
use redact::Secret;
use tokio::sync::mpsc::UnboundedSender;

use super::cost::{Cost, USUAL_COST};
use super::phonemes::Phonemes;
use super::{Accent, AcousticModel, VoiceLoadError, sound};
use crate::waiting::{Waiting, Waits};
use crate::{Sound, Standing, VoiceError, voice};

/// With more work than this before it, a new call is better served by a lighter voice.
const ROOM: Duration = Duration::from_millis(2_500);
/// A first clause is due this long after it was asked for: well within the wait before a reply.
const FIRST_DUE: Duration = Duration::from_millis(1_000);
/// Sound and what callers say go before the voice's work: a frame or a reply that is late is heard, a clause begun 10 ms late is not.
const NICENESS: i32 = 10;

/// One sentence to be made.
pub(super) struct Job {
    pieces: std::collections::VecDeque<Secret<String>>,
    out: UnboundedSender<Result<Sound, VoiceError>>,
    /// Of the caller who waits for it. None of what is made ahead.
    standing: Option<Standing>,
    /// Some of it has been made.
    begun: bool,
    due: Instant,
}

impl Job {
    pub fn new(
        pieces: Vec<Secret<String>>,
        out: UnboundedSender<Result<Sound, VoiceError>>,
        standing: Option<Standing>,
    ) -> Self {
        Self {
            pieces: pieces.into(),
            out,
            standing,
            begun: false,
            due: Instant::now() + FIRST_DUE,
        }
    }

    fn is_waited_for(&self) -> bool {
        self.standing.is_some()
    }

    fn characters(&self) -> usize {
        self.pieces
            .iter()
            .map(|piece| piece.expose_secret().len())
            .sum()
    }

    fn next_clause(&self) -> usize {
        self.pieces
            .front()
            .map_or(0, |piece| piece.expose_secret().len())
    }
}

impl Waits for Job {
    fn standing(&self) -> Option<Standing> {
        self.standing
    }

    fn due(&self) -> Instant {
        self.due
    }

    fn is_wanted(&self) -> bool {
        !self.out.is_closed()
    }
}

/// A model's thread.
pub(super) struct Engine {
    work: Mutex<Work>,
    news: Condvar,
}

struct Work {
    waiting: Waiting<Job>,
    /// The clause that is being made for a caller: its characters, and since when.
    under_way: Option<(usize, Instant)>,
    cost: Cost,
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
                waiting: Waiting::default(),
                under_way: None,
                cost: Cost::of_a_character(USUAL_COST, Instant::now()),
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
        work.waiting.admit(job)?;
        self.news.notify_one();
        Ok(())
    }

    /// Whether what a new call asks for would come in time.
    pub fn has_room(&self) -> bool {
        self.lock().all(Instant::now()) <= ROOM
    }

    /// Whether a clause of so many characters, asked for now for such a caller, would be made within so long.
    pub fn begins_within(&self, standing: Standing, characters: usize, within: Duration) -> bool {
        let work = self.lock();
        work.made_after(standing, characters, Instant::now()) <= within
    }

    fn lock(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Work {
    /// How long everything takes that callers wait for.
    fn all(&self, now: Instant) -> Duration {
        let waiting = self.waiting.iter().filter(|job| job.is_waited_for());
        let characters = waiting.map(Job::characters).sum();
        self.rest_of_what_is_under_way(now) + self.cost.of(characters, now)
    }

    /// How long it takes until a clause of so many characters is made, if it is asked for now for such a caller. That
    /// every fourth is another's is not reckoned with.
    fn made_after(&self, standing: Standing, characters: usize, now: Instant) -> Duration {
        let goes_before = |job: &&Job| match (job.standing, standing) {
            (None, _) | (Some(Standing::Ordinary), Standing::Urgent) => false,
            (Some(Standing::Urgent), Standing::Ordinary) => true,
            _ => job.due <= now + FIRST_DUE,
        };
        let before = self
            .waiting
            .iter()
            .filter(goes_before)
            .map(Job::next_clause);
        let characters = characters + before.sum::<usize>();
        self.rest_of_what_is_under_way(now) + self.cost.of(characters, now)
    }

    fn rest_of_what_is_under_way(&self, now: Instant) -> Duration {
        self.under_way
            .map_or(Duration::ZERO, |(characters, since)| {
                let whole = self.cost.of(characters, now);
                whole.saturating_sub(now.saturating_duration_since(since))
            })
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
        let Some(mut job) = work.waiting.take() else {
            let _ = engine.news.wait_timeout(work, LOOK);
            continue;
        };
        let Some(piece) = job.pieces.pop_front() else {
            continue;
        };
        let characters = piece.expose_secret().len();
        let began = Instant::now();
        work.under_way = job.is_waited_for().then_some((characters, began));
        drop(work);

        let mut made = make(&mut model, phonemes, &piece, job.pieces.is_empty());
        let made_at = Instant::now();
        let opens = job.is_waited_for() && !std::mem::replace(&mut job.begun, true);
        if let (true, Ok(samples)) = (opens, &mut made) {
            sound::begin_at_once(samples);
        }

        let mut work = engine.lock();
        work.under_way = None;
        work.cost.took(characters, made_at - began, made_at);
        match made {
            Ok(samples) => {
                // The rest is due when this has been heard.
                job.due += voice::lasting(samples.len());
                let heard = job.out.send(Ok(Sound::Samples(samples))).is_ok();
                if heard && !job.pieces.is_empty() {
                    work.waiting.put_back(job);
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
            work.waiting.clear();
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
        let ours =
            sound::resampled(&sound, model.sample_rate()).map_err(|error| error.to_string())?;
        samples.extend(sound::trimmed(&ours));
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

    const SECOND: Duration = Duration::from_secs(1);

    /// A voice that takes so long for a character, with nothing to do.
    fn taking(of_a_character: Duration, now: Instant) -> Work {
        Work {
            waiting: Waiting::default(),
            under_way: None,
            cost: Cost::of_a_character(of_a_character, now),
            stopped: false,
        }
    }

    type Heard = tokio::sync::mpsc::UnboundedReceiver<Result<Sound, VoiceError>>;

    fn asked_for(pieces: &[&str], standing: Option<Standing>) -> (Job, Heard) {
        let pieces = pieces.iter().map(|piece| Secret::new((*piece).to_owned()));
        let (out, heard) = tokio::sync::mpsc::unbounded_channel();
        (Job::new(pieces.collect(), out, standing), heard)
    }

    /// One of which it does not matter that nobody hears it.
    fn job(pieces: &[&str], standing: Option<Standing>) -> Job {
        asked_for(pieces, standing).0
    }

    #[test]
    fn a_clause_comes_after_the_next_clause_of_each_that_is_due_before_it() {
        let now = Instant::now();
        let mut work = taking(Duration::from_millis(10), now);
        let made_after = |work: &Work, now| work.made_after(Standing::Ordinary, 20, now);
        assert_eq!(made_after(&work, now), SECOND / 5);
        let another = || {
            let pieces = ["ten chars,", "and as many as you like after it"];
            job(&pieces, Some(Standing::Ordinary))
        };
        work.waiting.put_back(another());
        work.waiting
            .put_back(job(&["made ahead, while nobody waits"], None));
        let mut due_later = another();
        due_later.due += 9 * SECOND;
        work.waiting.put_back(due_later);
        let later = Instant::now();
        assert_eq!(made_after(&work, later), work.cost.of(30, later));
    }

    #[test]
    fn a_clause_for_who_is_in_danger_is_reckoned_to_come_before_all_of_the_others() {
        let now = Instant::now();
        let mut work = taking(Duration::from_millis(10), now);
        work.waiting
            .put_back(job(&["ten chars,"], Some(Standing::Ordinary)));
        let mut urgent = job(&["five,"], Some(Standing::Urgent));
        urgent.due += 5 * SECOND;
        work.waiting.put_back(urgent);
        let later = Instant::now();
        let made_after = |standing| work.made_after(standing, 20, later);
        assert_eq!(made_after(Standing::Urgent), work.cost.of(20, later));
        assert_eq!(made_after(Standing::Ordinary), work.cost.of(35, later));
    }

    #[test]
    fn of_the_clause_under_way_only_the_rest_is_waited_for() {
        let now = Instant::now();
        let mut work = taking(Duration::from_millis(10), now);
        work.under_way = Some((100, now));
        let made_after = |now| work.made_after(Standing::Ordinary, 10, now);
        assert_eq!(made_after(now), SECOND + SECOND / 10);
        let nearly_done = now + SECOND * 9 / 10;
        assert_eq!(made_after(nearly_done), SECOND / 5);
        assert_eq!(made_after(now + 5 * SECOND), SECOND / 10);
    }

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
