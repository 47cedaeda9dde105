//! Sentences rendered once: what is always said in the same words is made ahead and kept on disk, as it is sent.
//!
//! Only wording that holds nothing of a caller's may be kept: whoever calls [`RenderedVoice::render`] gives the
//! sentences, and nothing that is said in a call is ever written down here.

mod coding;
mod pack;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use redact::Secret;
use sha2::{Digest, Sha256};
use tokio::sync::mpsc::UnboundedSender;

use crate::pronunciation::{self, Spoken};
use crate::{Sound, SpeechStream, Standing, Synthesiser, Voice, VoiceError};
pub(crate) use coding::LOOKAHEAD;
pub use coding::Rendering;
pub use pack::PackError;
use pack::{Key, Pack};

/// A voice with what was rendered of it.
pub struct RenderedVoice {
    inner: Arc<Inner>,
    /// Reads from disk, so that no async thread does.
    fetch: std::sync::mpsc::Sender<Fetch>,
}

struct Inner {
    synthesiser: Box<dyn Synthesiser>,
    /// What ships with the program, and what was rendered here.
    packs: Vec<Pack>,
    /// What must be rendered before a call is begun in this voice, as far as it is not.
    wanting: Mutex<Vec<Key>>,
    fetched: Mutex<HashMap<Key, Arc<Rendering>>>,
}

/// One sentence to be read from disk.
struct Fetch {
    key: Key,
    standing: Standing,
    spoken: Secret<Spoken>,
    out: UnboundedSender<Result<Sound, VoiceError>>,
}

/// Where a voice's packs are.
#[derive(Debug, Clone)]
pub struct Packs {
    /// Ships with the program; only read.
    pub shipped: PathBuf,
    /// Grows as sentences are rendered on this machine.
    pub own: PathBuf,
}

/// Why sentences could not be rendered ahead.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    #[error(transparent)]
    Pack(#[from] PackError),
    #[error("a sentence could not be rendered: {0}")]
    Voice(#[from] VoiceError),
    #[error("the thread that keeps renderings stopped")]
    Stopped,
}

impl RenderedVoice {
    /// The voice with its packs. One that cannot be read is an error; one that is not there is empty.
    pub fn open(synthesiser: impl Synthesiser + 'static, packs: &Packs) -> Result<Self, PackError> {
        let packs = vec![Pack::own(&packs.own)?, Pack::shipped(&packs.shipped)?];
        let inner = Arc::new(Inner {
            synthesiser: Box::new(synthesiser),
            packs,
            wanting: Mutex::default(),
            fetched: Mutex::default(),
        });
        let (fetch, requests) = std::sync::mpsc::channel::<Fetch>();
        let reading = Arc::clone(&inner);
        std::thread::Builder::new()
            .name("voice-rendered".to_owned())
            .spawn(move || {
                for request in requests {
                    reading.fetch(request);
                }
            })
            .map_err(|error| PackError::Thread { error })?;
        Ok(Self { inner, fetch })
    }

    /// Has no room for a call until all of these are rendered: for a voice whose synthesiser may be gone when one of
    /// them is to be said.
    pub fn only_with(self, sentences: impl IntoIterator<Item = String>) -> Self {
        let wanting = self.missing(sentences);
        let keys = wanting
            .iter()
            .map(|sentence| self.inner.key(&pronunciation::prepare(sentence)));
        *self.inner.wanting() = keys.collect();
        self
    }

    /// Whether rendering ahead takes this machine's cores from calls.
    pub fn works_here(&self) -> bool {
        self.inner.synthesiser.works_here()
    }

    /// Those of the sentences that are not rendered yet, each once.
    pub fn missing(&self, sentences: impl IntoIterator<Item = String>) -> Vec<String> {
        let mut seen = std::collections::HashSet::new();
        sentences
            .into_iter()
            .filter(|sentence| {
                let spoken = pronunciation::prepare(sentence);
                let key = self.inner.key(&spoken);
                !spoken.is_silent() && !self.inner.holds(key) && seen.insert(key)
            })
            .collect()
    }

    /// Renders a sentence and keeps it. The caller answers for it that nobody's words are in it.
    pub async fn render(&self, sentence: &str) -> Result<(), RenderError> {
        let spoken = pronunciation::prepare(sentence);
        let key = self.inner.key(&spoken);
        let samples = self
            .inner
            .synthesiser
            .render_ahead(&spoken)
            .collect()
            .await?;
        let inner = Arc::clone(&self.inner);
        let kept = tokio::task::spawn_blocking(move || {
            inner.packs[0].add(key, &Rendering::of(&samples)?)?;
            Ok(())
        });
        kept.await.map_err(|_| RenderError::Stopped)?
    }

    /// Takes what the sentences need out of the packs and writes it into a new one, in an order of its own, so that the
    /// same sentences always make the same file.
    pub fn write_pack(
        &self,
        sentences: impl IntoIterator<Item = String>,
        place: &Path,
    ) -> Result<usize, PackError> {
        let mut keys: Vec<Key> = sentences
            .into_iter()
            .map(|sentence| self.inner.key(&pronunciation::prepare(&sentence)))
            .filter(|key| self.inner.holds(*key))
            .collect();
        keys.sort_unstable();
        keys.dedup();
        let renderings = keys.iter().filter_map(|key| {
            let rendering = self.inner.read(*key)?;
            Some((*key, rendering))
        });
        pack::write_whole(place, renderings)
    }
}

impl Inner {
    fn key(&self, spoken: &Spoken) -> Key {
        let mut hash = Sha256::new();
        for part in ["1", self.synthesiser.identity(), &spoken.marked_up()] {
            hash.update(part.as_bytes());
            hash.update([0]);
        }
        let hash = hash.finalize();
        let mut key = [0; 16];
        key.copy_from_slice(&hash[..16]);
        Key(key)
    }

    fn holds(&self, key: Key) -> bool {
        self.packs.iter().any(|pack| pack.holds(key))
    }

    fn read(&self, key: Key) -> Option<Arc<Rendering>> {
        let pack = self.packs.iter().find(|pack| pack.holds(key))?;
        match pack.read(key) {
            Ok(rendering) => Some(Arc::new(rendering)),
            Err(error) => {
                tracing::error!(%error, "a rendered sentence is made again");
                None
            }
        }
    }

    fn fetch(&self, fetch: Fetch) {
        match self.read(fetch.key) {
            Some(rendering) => {
                self.fetched().insert(fetch.key, Arc::clone(&rendering));
                let _ = fetch.out.send(Ok(Sound::Rendered(rendering)));
            }
            None => self.make(fetch),
        }
    }

    fn make(&self, fetch: Fetch) {
        let Fetch {
            standing,
            spoken,
            out,
            ..
        } = fetch;
        let spoken = spoken.expose_secret();
        self.synthesiser.speak_into(standing, spoken, out);
    }

    fn has_what_is_wanted(&self) -> bool {
        let mut wanting = self.wanting();
        wanting.retain(|key| !self.holds(*key));
        wanting.is_empty()
    }

    fn wanting(&self) -> std::sync::MutexGuard<'_, Vec<Key>> {
        self.wanting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fetched(&self) -> std::sync::MutexGuard<'_, HashMap<Key, Arc<Rendering>>> {
        self.fetched.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Voice for RenderedVoice {
    fn speak_to(&self, standing: Standing, sentence: Secret<String>) -> SpeechStream {
        let spoken = pronunciation::prepare(sentence.expose_secret());
        let key = self.inner.key(&spoken);
        if let Some(rendering) = self.inner.fetched().get(&key) {
            return SpeechStream::ready([Ok(Sound::Rendered(Arc::clone(rendering)))]);
        }
        let (out, stream) = SpeechStream::channel();
        if !self.inner.holds(key) {
            self.inner.synthesiser.speak_into(standing, &spoken, out);
            return stream;
        }
        let fetch = Fetch {
            key,
            standing,
            spoken: Secret::new(spoken),
            out,
        };
        if let Err(lost) = self.fetch.send(fetch) {
            self.inner.make(lost.0);
        }
        stream
    }

    fn has_room(&self) -> bool {
        self.inner.has_what_is_wanted() && self.inner.synthesiser.has_room()
    }

    fn begins_within(
        &self,
        standing: Standing,
        sentence: &Secret<String>,
        within: Duration,
    ) -> bool {
        let spoken = pronunciation::prepare(sentence.expose_secret());
        let synthesiser = &self.inner.synthesiser;
        self.inner.holds(self.inner.key(&spoken))
            || synthesiser.begins_within(standing, &spoken, within)
    }
}
