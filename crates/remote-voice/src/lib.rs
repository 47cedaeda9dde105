//! A voice made elsewhere, where one is configured: any endpoint that speaks OpenAI's `audio/speech`.
//!
//! It makes the sound of sentences, and says of itself whether it can be relied on. What a caller hears when it
//! cannot is the call's; what is always said is kept by [`speech::RenderedVoice`].
//!
//! | question | module |
//! |---|---|
//! | how is a sentence asked for, and how may that fail? | `request` |
//! | how does what arrives become our sound? | `sound` |
//! | is what was rendered speech at all? | `plausible` |
//! | when is it left alone, and when is it tried again? | `health` |
//!
//! What the assistant says may hold a caller's name and place. It goes to the configured endpoint and nowhere else:
//! not into a log, not along a redirect, not through a proxy of the environment.

mod health;
mod plausible;
mod request;
mod sound;

use std::sync::Arc;
use std::time::Duration;

use endpoint::{Address, ClientError};
use redact::Secret;
use speech::{Sound, SpeechStream, Spoken, Standing, Synthesiser, VoiceError};
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::UnboundedSender;

use health::Health;
pub use request::Trouble;
use request::{Bounds, Endpoint};

/// The most that is spoken at once; a long sentence has some 250 characters.
const MAX_CHARACTERS: usize = 1_000;
/// Sentences that are made at the same time: every call of a large machine, and no more.
const AT_ONCE: usize = 64;
/// Asked for to see whether it works. Nobody's words.
const PROBE: &str = "Okay.";

/// Where the voice is, which it is, and how long a reply may wait for it.
#[derive(Debug, Clone)]
pub struct RemoteSettings {
    pub address: Address,
    pub key: Option<Secret<String>>,
    pub model: String,
    pub voice: String,
    /// From asking to the first sound.
    pub timeout: Duration,
}

impl RemoteSettings {
    /// Names the voice: what one service and model make of it is not what another does.
    pub fn identity(&self) -> String {
        let place = self.address.place();
        format!("remote {place} {} {}", self.model, self.voice)
    }
}

/// A voice behind an endpoint.
pub struct RemoteVoice {
    identity: String,
    service: Arc<Service>,
    places: Arc<Semaphore>,
    runtime: Handle,
}

/// The endpoint, and how it has been doing.
struct Service {
    endpoint: Endpoint,
    timeout: Duration,
    health: Health,
}

impl RemoteVoice {
    /// The voice, whose work is done on `runtime`. It is tried at once, and has no room until it has answered.
    pub fn new(settings: RemoteSettings, runtime: Handle) -> Result<Self, ClientError> {
        let voice = Self {
            identity: settings.identity(),
            service: Arc::new(Service {
                timeout: settings.timeout,
                endpoint: Endpoint::new(settings)?,
                health: Health::default(),
            }),
            places: Arc::new(Semaphore::new(AT_ONCE)),
            runtime,
        };
        probe(&voice.runtime, &voice.service, Duration::ZERO);
        Ok(voice)
    }
}

/// Tries the endpoint until it works, or nobody wants it any more.
fn probe(runtime: &Handle, service: &Arc<Service>, first_after: Duration) {
    let service = Arc::downgrade(service);
    runtime.spawn(health::until(first_after, async move || {
        let Some(service) = service.upgrade() else {
            return true;
        };
        let bounds = Bounds::of_a_reply(service.timeout);
        let tried = service.endpoint.speak(PROBE, bounds, |_| {}).await;
        match &tried {
            Ok(()) => {
                service.health.works();
                tracing::info!("the remote voice answers: new calls are held in it");
            }
            Err(trouble) => tracing::debug!(%trouble, "the remote voice was tried"),
        }
        tried.is_ok()
    }));
}

impl Synthesiser for RemoteVoice {
    fn identity(&self) -> &str {
        &self.identity
    }

    /// Whole, and only if it is speech: it is said in many calls.
    fn render_ahead(&self, spoken: &Spoken) -> SpeechStream {
        let (out, stream) = SpeechStream::channel();
        let Some(text) = text_of(spoken, &out) else {
            return stream;
        };
        let service = Arc::clone(&self.service);
        self.runtime.spawn(async move {
            let mut whole = Vec::new();
            let keep = |samples: Vec<i16>| whole.extend(samples);
            let text = text.expose_secret();
            let made = tokio::select! {
                made = service.endpoint.speak(text, Bounds::AHEAD, keep) => made,
                () = out.closed() => return,
            };
            let kept = made.and_then(|()| plausible::check(&whole, text.len()));
            let _ = out.send(match kept {
                Ok(()) => Ok(Sound::Samples(whole)),
                Err(trouble) => Err(failed(trouble)),
            });
        });
        stream
    }

    /// As it arrives. Nobody waits for anybody here.
    fn speak_into(
        &self,
        _: Standing,
        spoken: &Spoken,
        out: UnboundedSender<Result<Sound, VoiceError>>,
    ) {
        let Some(text) = text_of(spoken, &out) else {
            return;
        };
        let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
            let _ = out.send(Err(VoiceError::Busy));
            return;
        };
        let service = Arc::clone(&self.service);
        let runtime = self.runtime.clone();
        self.runtime.spawn(async move {
            let give = |samples| {
                let _ = out.send(Ok(Sound::Samples(samples)));
            };
            let bounds = Bounds::of_a_reply(service.timeout);
            let made = tokio::select! {
                made = service.endpoint.speak(text.expose_secret(), bounds, give) => made,
                () = out.closed() => return,
            };
            drop(place);
            let outcome = made.as_ref().err().map_or("made", Trouble::as_str);
            metrics::counter!("nightlight_remote_sentences_total", "outcome" => outcome)
                .increment(1);
            if let Err(trouble) = made {
                if service.health.fails() {
                    tracing::warn!(
                        %trouble,
                        "the remote voice fails: new calls are held in a local one until it answers again"
                    );
                    probe(&runtime, &service, health::FIRST_PAUSE);
                }
                let _ = out.send(Err(failed(trouble)));
            }
        });
    }

    fn has_room(&self) -> bool {
        self.service.health.is_well() && self.places.available_permits() > 0
    }

    fn works_here(&self) -> bool {
        false
    }
}

/// The words as they are sent. None if there is nothing to say, or too much.
fn text_of(
    spoken: &Spoken,
    out: &UnboundedSender<Result<Sound, VoiceError>>,
) -> Option<Secret<String>> {
    if spoken.is_silent() {
        return None;
    }
    let text = spoken.with_names_as_written();
    let characters = text.len();
    if characters > MAX_CHARACTERS {
        let _ = out.send(Err(VoiceError::TooLong { characters }));
        return None;
    }
    Some(Secret::new(text))
}

fn failed(trouble: Trouble) -> VoiceError {
    VoiceError::EngineFailed {
        reason: trouble.to_string(),
    }
}
