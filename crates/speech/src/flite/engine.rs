//! flite's C interface, made safe, and the one thread that may use it.
//!
//! flite counts references to shared values without atomics, and two threads may not
//! synthesise at once even with different voices: they share the lexicon. So the process has
//! one flite thread, fed piece by piece from a bounded queue. That is enough: it speaks some seventy times
//! faster than people do.
//!
//! It does not prepare text, which must be plain ASCII: on what it cannot handle flite ends
//! the process.

use std::collections::VecDeque;
use std::ffi::{CStr, CString, c_char, c_float, c_int, c_void};
use std::ptr;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

use redact::Secret;
use tokio::sync::mpsc::UnboundedSender;

use super::CACHE;
use super::cache::Key;
use super::silence::LeadingSilence;
use crate::waiting::{Waiting, Waits};
use crate::{SAMPLE_RATE, Sound, Standing, VoiceError, voice};

/// Chunks are at least this long: 100 ms. Shorter ones would come sooner by less than a
/// millisecond.
const MIN_CHUNK: c_int = 1_600;
/// No word has more letters; beyond them nothing is worth a sound.
pub(super) const LONGEST_WORD: usize = 40;

/// The embedded voices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum VoiceName {
    Slt,
    Rms,
    Awb,
    Kal,
}

/// One sentence to be spoken.
pub(super) struct Job {
    voice: VoiceName,
    /// How long sounds last, 1.0 being the voice's own pace.
    stretch: f32,
    /// Prepared for speech: see `pronunciation`.
    pieces: VecDeque<Secret<String>>,
    key: Key,
    out: UnboundedSender<Result<Sound, VoiceError>>,
    standing: Standing,
    due: Instant,
    /// The sound of the pieces that have been spoken.
    all: Vec<i16>,
}

impl Job {
    pub fn new(
        (voice, stretch): (VoiceName, f32),
        pieces: Vec<String>,
        key: Key,
        out: UnboundedSender<Result<Sound, VoiceError>>,
        standing: Standing,
    ) -> Self {
        Self {
            voice,
            stretch,
            pieces: pieces.into_iter().map(Secret::new).collect(),
            key,
            out,
            standing,
            due: Instant::now(),
            all: Vec::new(),
        }
    }
}

impl Waits for Job {
    fn standing(&self) -> Option<Standing> {
        Some(self.standing)
    }

    fn due(&self) -> Instant {
        self.due
    }

    fn is_wanted(&self) -> bool {
        !self.out.is_closed()
    }
}

/// The sounds of a word that is in no dictionary, asked for by a thread that waits for them.
struct Word {
    letters: CString,
    answer: SyncSender<Vec<String>>,
}

/// What the thread is asked for.
#[derive(Default)]
struct Requests {
    /// Before all sentences: a word takes no time.
    words: VecDeque<Word>,
    sentences: Waiting<Job>,
    stopped: bool,
}

enum Request {
    Sounds(Word),
    Speak(Job),
}

#[derive(Default)]
struct Engine {
    requests: Mutex<Requests>,
    news: Condvar,
}

impl Engine {
    fn lock(&self) -> MutexGuard<'_, Requests> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for one.
    fn next(&self) -> Request {
        let mut requests = self.lock();
        loop {
            if let Some(word) = requests.words.pop_front() {
                return Request::Sounds(word);
            }
            if let Some(job) = requests.sentences.take() {
                return Request::Speak(job);
            }
            requests = self
                .news
                .wait(requests)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Asks the thread for something; `None` where it is not running.
    fn ask<T>(&self, put: impl FnOnce(&mut Requests) -> T) -> Option<T> {
        let mut requests = self.lock();
        if requests.stopped {
            return None;
        }
        let answer = put(&mut requests);
        self.news.notify_one();
        Some(answer)
    }
}

/// The flite thread; it is started by the first request.
fn engine() -> Option<&'static Engine> {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    static RUNS: OnceLock<bool> = OnceLock::new();
    let engine = ENGINE.get_or_init(Engine::default);
    let start = || {
        let thread = std::thread::Builder::new().name("voice".to_owned());
        thread.spawn(|| work(engine)).is_ok()
    };
    RUNS.get_or_init(start).then_some(engine)
}

/// Hands a job to the flite thread.
pub(super) fn submit(job: Job) -> Result<(), VoiceError> {
    engine()
        .and_then(|engine| engine.ask(|requests| requests.sentences.admit(job)))
        .unwrap_or_else(|| {
            Err(VoiceError::EngineFailed {
                reason: "its thread is not running".to_owned(),
            })
        })
}

/// The phones of a word by flite's letter-to-sound rules, vowels with 0 or 1 for their stress; none if it has no
/// letters. Waits for flite: for threads that may.
pub(crate) fn sounds_of_letters(word: &str) -> Vec<String> {
    let letters: String = word
        .chars()
        .filter(char::is_ascii_alphabetic)
        .map(|letter| letter.to_ascii_lowercase())
        .take(LONGEST_WORD)
        .collect();
    let (Some(engine), Ok(word), false) =
        (engine(), CString::new(letters.as_str()), letters.is_empty())
    else {
        return Vec::new();
    };
    let (answer, sounds) = sync_channel(1);
    let word = Word {
        letters: word,
        answer,
    };
    engine.ask(|requests| requests.words.push_back(word));
    sounds.recv().unwrap_or_default()
}

fn work(engine: &'static Engine) {
    // However the thread ends, nobody waits for it.
    let _stop = Stop(engine);
    let mut flite = Flite::new();
    loop {
        let mut job = match engine.next() {
            Request::Speak(job) => job,
            Request::Sounds(word) => {
                let _ = word.answer.send(flite.sounds(&word.letters));
                continue;
            }
        };
        let Some(piece) = job.pieces.pop_front() else {
            continue;
        };
        let mut speech = Speech {
            out: &job.out,
            trim: LeadingSilence::default(),
            all: std::mem::take(&mut job.all),
            stopped: false,
        };
        let before = speech.all.len();
        let made = flite.synthesise((job.voice, job.stretch), &piece, &mut speech);
        let Speech { all, stopped, .. } = speech;
        match made {
            Ok(()) if stopped => {}
            Ok(()) if job.pieces.is_empty() => CACHE.offer(job.key, all),
            Ok(()) => {
                // The rest is due when this has been heard.
                job.due += voice::lasting(all.len() - before);
                job.all = all;
                engine.ask(|requests| requests.sentences.put_back(job));
            }
            Err(reason) => {
                let reason = reason.to_owned();
                let _ = job.out.send(Err(VoiceError::EngineFailed { reason }));
            }
        }
    }
}

/// Marks the engine as stopped when its thread ends, also by a panic.
struct Stop(&'static Engine);

impl Drop for Stop {
    fn drop(&mut self) {
        let mut requests = self.0.lock();
        requests.stopped = true;
        requests.words.clear();
        requests.sentences.clear();
    }
}

/// Where the audio of one sentence goes while it is being made.
struct Speech<'a> {
    out: &'a UnboundedSender<Result<Sound, VoiceError>>,
    trim: LeadingSilence,
    all: Vec<i16>,
    stopped: bool,
}

impl Speech<'_> {
    fn push(&mut self, samples: &[i16]) {
        let audible = self.trim.push(samples);
        if audible.is_empty() {
            self.stopped |= self.out.is_closed();
            return;
        }
        self.all.extend_from_slice(audible);
        let chunk = Sound::Samples(audible.to_vec());
        self.stopped |= self.out.send(Ok(chunk)).is_err();
    }
}

#[repr(C)]
struct Features {
    _opaque: [u8; 0],
}

#[repr(C)]
struct Lexicon {
    _opaque: [u8; 0],
}

#[repr(C)]
struct Value {
    _opaque: [u8; 0],
}

#[repr(C)]
struct Utterance {
    _opaque: [u8; 0],
}

/// `cst_voice`; only its features are touched.
#[repr(C)]
struct VoiceRecord {
    name: *const c_char,
    features: *mut Features,
    ffunctions: *mut Features,
    utt_init: *const c_void,
}

/// `cst_wave`.
#[repr(C)]
struct Wave {
    kind: *const c_char,
    sample_rate: c_int,
    num_samples: c_int,
    num_channels: c_int,
    samples: *const i16,
}

type ChunkCallback = extern "C" fn(*const Wave, c_int, c_int, c_int, *mut StreamingInfo) -> c_int;

/// `cst_audio_streaming_info`.
#[repr(C)]
struct StreamingInfo {
    min_buffsize: c_int,
    asc: ChunkCallback,
    utt: *const Utterance,
    item: *const c_void,
    userdata: *mut c_void,
}

/// `CST_AUDIO_STREAM_CONT` and `CST_AUDIO_STREAM_STOP`.
const CONTINUE: c_int = 0;
const STOP: c_int = -1;

unsafe extern "C" {
    fn flite_init() -> c_int;
    fn register_cmu_us_slt(directory: *const c_char) -> *mut VoiceRecord;
    fn register_cmu_us_rms(directory: *const c_char) -> *mut VoiceRecord;
    fn register_cmu_us_awb(directory: *const c_char) -> *mut VoiceRecord;
    fn register_cmu_us_kal16(directory: *const c_char) -> *mut VoiceRecord;
    fn flite_synth_text(text: *const c_char, voice: *mut VoiceRecord) -> *mut Utterance;
    fn delete_utterance(utterance: *mut Utterance);
    fn new_audio_streaming_info() -> *mut StreamingInfo;
    fn audio_streaming_info_val(info: *mut StreamingInfo) -> *mut Value;
    fn flite_feat_set(features: *mut Features, name: *const c_char, value: *const Value);
    fn cmu_lex_init() -> *const Lexicon;
    fn lex_lookup(
        lexicon: *const Lexicon,
        word: *const c_char,
        part_of_speech: *const c_char,
        features: *const Features,
    ) -> *mut Value;
    fn val_string(value: *const Value) -> *const c_char;
    fn val_car(list: *const Value) -> *const Value;
    fn val_cdr(list: *const Value) -> *const Value;
    fn delete_val(value: *mut Value);
    fn flite_feat_set_float(features: *mut Features, name: *const c_char, value: c_float);
}

/// The library with the voices registered so far. Stays on one thread, being built from raw
/// pointers.
struct Flite {
    voices: Vec<(VoiceName, *mut VoiceRecord, *mut StreamingInfo)>,
}

impl Flite {
    fn new() -> Flite {
        // SAFETY: called once, by the only thread that uses flite.
        unsafe { flite_init() };
        Flite { voices: Vec::new() }
    }

    fn voice(
        &mut self,
        name: VoiceName,
    ) -> Result<(*mut VoiceRecord, *mut StreamingInfo), &'static str> {
        if let Some((_, voice, info)) = self.voices.iter().find(|(known, ..)| *known == name) {
            return Ok((*voice, *info));
        }
        // SAFETY: registration takes an unused directory and returns a voice that lives for the
        // whole process; this is the only thread that uses flite.
        let voice = unsafe {
            match name {
                VoiceName::Slt => register_cmu_us_slt(ptr::null()),
                VoiceName::Rms => register_cmu_us_rms(ptr::null()),
                VoiceName::Awb => register_cmu_us_awb(ptr::null()),
                VoiceName::Kal => register_cmu_us_kal16(ptr::null()),
            }
        };
        if voice.is_null() {
            return Err("the voice could not be registered");
        }
        // SAFETY: the new record is ours to fill in; the voice's features then own it for the
        // life of the process, so our pointer to it stays good.
        let info = unsafe {
            let info = new_audio_streaming_info();
            if info.is_null() {
                return Err("out of memory");
            }
            (*info).min_buffsize = MIN_CHUNK;
            (*info).asc = take_chunk;
            (*info).userdata = ptr::null_mut();
            flite_feat_set(
                (*voice).features,
                c"streaming_info".as_ptr(),
                audio_streaming_info_val(info),
            );
            info
        };
        self.voices.push((name, voice, info));
        Ok((voice, info))
    }

    /// The word's phones.
    fn sounds(&mut self, word: &CStr) -> Vec<String> {
        let mut sounds = Vec::new();
        // SAFETY: the lexicon is the library's own and lives for the process; this is the only thread that uses
        // flite. The list is walked to its end and given back; its strings are read before that.
        unsafe {
            let lexicon = cmu_lex_init();
            if lexicon.is_null() {
                return sounds;
            }
            let phones = lex_lookup(lexicon, word.as_ptr(), ptr::null(), ptr::null());
            let mut rest = phones.cast_const();
            while !rest.is_null() {
                let phone = val_string(val_car(rest));
                if !phone.is_null() {
                    sounds.push(CStr::from_ptr(phone).to_string_lossy().into_owned());
                }
                rest = val_cdr(rest);
            }
            if !phones.is_null() {
                delete_val(phones);
            }
        }
        sounds
    }

    /// Makes the audio of a piece and passes it on chunk by chunk.
    fn synthesise(
        &mut self,
        (voice, stretch): (VoiceName, f32),
        piece: &Secret<String>,
        speech: &mut Speech<'_>,
    ) -> Result<(), &'static str> {
        let text = CString::new(piece.expose_secret().as_str())
            .map_err(|_| "the text holds a NUL character")?;
        let (voice, info) = self.voice(voice)?;
        // SAFETY: voice and info live for the whole process and are used by this thread alone.
        // `speech` outlives the synthesis, and its address is taken back right after it.
        unsafe {
            flite_feat_set_float((*voice).features, c"duration_stretch".as_ptr(), stretch);
            (*info).userdata = ptr::from_mut(speech).cast();
            let utterance = flite_synth_text(text.as_ptr(), voice);
            (*info).userdata = ptr::null_mut();
            if !utterance.is_null() {
                delete_utterance(utterance);
            } else if !speech.stopped {
                return Err("flite made no speech of the sentence");
            }
        }
        Ok(())
    }
}

/// Called by flite, in this thread, whenever some more audio is ready. It must not panic:
/// an unwinding cannot cross C, so the process would end.
extern "C" fn take_chunk(
    wave: *const Wave,
    start: c_int,
    size: c_int,
    _last: c_int,
    info: *mut StreamingInfo,
) -> c_int {
    if wave.is_null() || info.is_null() {
        return STOP;
    }
    // SAFETY: flite passes its wave and the record that `synthesise` filled in; `userdata`
    // points to the `Speech` that `synthesise` holds, which nothing else touches meanwhile.
    let (wave, speech) = unsafe {
        let Some(speech) = (*info).userdata.cast::<Speech<'_>>().as_mut() else {
            return STOP;
        };
        (&*wave, speech)
    };
    let (Ok(start), Ok(size)) = (usize::try_from(start), usize::try_from(size)) else {
        return STOP;
    };
    let within = usize::try_from(wave.num_samples).is_ok_and(|all| start + size <= all);
    if !within || wave.sample_rate != SAMPLE_RATE as c_int || wave.samples.is_null() {
        speech.stopped = true;
        return STOP;
    }
    // SAFETY: checked above to lie within the wave's samples.
    let samples = unsafe { std::slice::from_raw_parts(wave.samples.add(start), size) };
    speech.push(samples);
    if speech.stopped { STOP } else { CONTINUE }
}
