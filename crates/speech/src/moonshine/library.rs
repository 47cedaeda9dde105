//! Moonshine's C interface (header version 20000, wheel 0.0.73), made safe.
//!
//! It loads the library once for the process and never unloads it: its runtime has threads
//! and globals of its own. It does not queue, pad or tidy anything.

use std::ffi::{CStr, CString, c_char, c_float, c_int};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use crate::SAMPLE_RATE;

/// The version of the structures below; the library refuses others.
const HEADER_VERSION: i32 = 20_000;
/// `MOONSHINE_MODEL_ARCH_TINY`.
const ARCHITECTURE_TINY: u32 = 0;

/// The engine's own voice detection is off: ours has already run, and this saves a quarter
/// of the time.
const OPTIONS: [(&CStr, &CStr); 2] = [(c"vad_threshold", c"0"), (c"return_audio_data", c"false")];

#[repr(C)]
struct EngineOption {
    name: *const c_char,
    value: *const c_char,
}

/// `transcript_line_t`. Only `text` is read; the rest keeps the stride right.
#[repr(C)]
struct Line {
    text: *const c_char,
    audio_data: *const c_float,
    audio_data_count: usize,
    start_time: c_float,
    duration: c_float,
    id: u64,
    is_complete: i8,
    is_updated: i8,
    is_new: i8,
    has_text_changed: i8,
    have_speakers_changed: i8,
    speaker_spans: *const u8,
    speaker_span_count: u64,
    last_transcription_latency_ms: u32,
    words: *const u8,
    word_count: u64,
}

const _: () = assert!(
    size_of::<Line>() == 88,
    "the engine's own line structure has 88 bytes"
);

/// `transcript_t`.
#[repr(C)]
struct Transcript {
    lines: *const Line,
    line_count: u64,
}

type LoadTranscriber =
    unsafe extern "C" fn(*const c_char, u32, *const EngineOption, u64, i32) -> i32;
type FreeTranscriber = unsafe extern "C" fn(i32);
type Transcribe =
    unsafe extern "C" fn(i32, *const c_float, u64, i32, u32, *mut *const Transcript) -> i32;
type ErrorToString = unsafe extern "C" fn(c_int) -> *const c_char;

/// The loaded library's functions.
pub(super) struct Library {
    load_transcriber: LoadTranscriber,
    free_transcriber: FreeTranscriber,
    transcribe: Transcribe,
    error_to_string: ErrorToString,
}

impl Library {
    /// Loads the library at `path`, which must be the version that the manifest beside it
    /// vouches for.
    pub(super) fn open(path: &Path) -> Result<Arc<Library>, libloading::Error> {
        // SAFETY: the file is the pinned library, whose initialisers only set up its own state.
        let library = unsafe { libloading::Library::new(path)? };
        // SAFETY: the types are those of the C header of this version.
        let functions = unsafe {
            Library {
                load_transcriber: *library.get(c"moonshine_load_transcriber_from_files")?,
                free_transcriber: *library.get(c"moonshine_free_transcriber")?,
                transcribe: *library.get(c"moonshine_transcribe_without_streaming")?,
                error_to_string: *library.get(c"moonshine_error_to_string")?,
            }
        };
        // Never unloaded, so the copied function pointers stay good for the whole process.
        std::mem::forget(library);
        Ok(Arc::new(functions))
    }

    fn describe(&self, code: i32) -> String {
        // SAFETY: takes any number and returns a static string or null.
        let text = unsafe { (self.error_to_string)(code) };
        if text.is_null() {
            return format!("error {code}");
        }
        // SAFETY: not null, so a NUL-terminated string that lives as long as the library.
        let text = unsafe { CStr::from_ptr(text) };
        format!("{} ({code})", text.to_string_lossy())
    }
}

/// One loaded model. Not shared: the engine would make its users take turns anyway.
pub(super) struct Handle {
    library: Arc<Library>,
    id: i32,
}

impl Handle {
    /// Loads the model in `directory`; about a quarter of a second.
    pub(super) fn load(library: &Arc<Library>, directory: &Path) -> Result<Handle, String> {
        let path = CString::new(directory.as_os_str().as_bytes())
            .map_err(|_| "the model's path holds a NUL character".to_owned())?;
        let options = OPTIONS.map(|(name, value)| EngineOption {
            name: name.as_ptr(),
            value: value.as_ptr(),
        });
        // SAFETY: all pointers are valid for the call, and the engine copies what it keeps.
        let id = unsafe {
            (library.load_transcriber)(
                path.as_ptr(),
                ARCHITECTURE_TINY,
                options.as_ptr(),
                options.len() as u64,
                HEADER_VERSION,
            )
        };
        if id < 0 {
            return Err(library.describe(id));
        }
        Ok(Handle {
            library: Arc::clone(library),
            id,
        })
    }

    /// The engine's words for `samples`, untidied.
    pub(super) fn transcribe(&mut self, samples: &[f32]) -> Result<String, String> {
        let mut transcript: *const Transcript = std::ptr::null();
        // SAFETY: the handle is loaded and used by this thread alone (`&mut self`); the samples
        // are only read, and only during the call.
        let code = unsafe {
            (self.library.transcribe)(
                self.id,
                samples.as_ptr(),
                samples.len() as u64,
                SAMPLE_RATE as i32,
                0,
                &raw mut transcript,
            )
        };
        if code != 0 {
            return Err(self.library.describe(code));
        }
        if transcript.is_null() {
            return Ok(String::new());
        }
        // SAFETY: the engine reported success, so this is its transcript; it stays valid until
        // the handle's next call, which `&mut self` keeps from happening here.
        let transcript = unsafe { &*transcript };
        if transcript.lines.is_null() {
            return Ok(String::new());
        }
        // SAFETY: `lines` points to `line_count` lines of the size asserted above.
        let lines =
            unsafe { std::slice::from_raw_parts(transcript.lines, transcript.line_count as usize) };
        let mut words = String::new();
        for line in lines.iter().filter(|line| !line.text.is_null()) {
            // SAFETY: not null, so a NUL-terminated string of the transcript.
            let text = unsafe { CStr::from_ptr(line.text) }.to_string_lossy();
            if !words.is_empty() {
                words.push(' ');
            }
            words.push_str(text.trim());
        }
        Ok(words)
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: the handle was loaded, is freed once, and no call on it is under way.
        unsafe { (self.library.free_transcriber)(self.id) }
    }
}
