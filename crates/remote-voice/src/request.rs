//! One request to an endpoint of OpenAI's `audio/speech`, and the sound as it arrives. Errors carry no words, no
//! address and nothing of an answer.

use std::time::Duration;

use endpoint::ClientError;
use redact::Secret;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, Response, Url};
use serde_json::json;
use tokio::time::{Instant, timeout_at};

use crate::RemoteSettings;
use crate::sound::{self, Incoming};

/// The most that is taken of a sentence: a minute and a half.
const MOST_BYTES: usize = 90 * sound::BYTES_A_SECOND;

/// Why there is no sound, or no more of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    #[error("the remote voice was not heard in time")]
    TooLate,
    #[error("the remote voice came more slowly than it is spoken")]
    TooSlow,
    #[error("the remote voice's endpoint cannot be reached")]
    Unreachable,
    #[error("the remote voice's endpoint refused with status {0}")]
    Refused(u16),
    #[error("the remote voice ended in the middle")]
    CutOff,
    #[error("the remote voice's endpoint does not answer with audio/pcm at 24 kHz")]
    WrongKind,
    #[error("the remote voice's sound is no PCM of 16 bits")]
    Noise,
    #[error("the remote voice's sound is not as long as its words")]
    WrongLength,
    #[error("the remote voice said nothing")]
    Silent,
    #[error("the remote voice's sound could not be brought to 16 kHz")]
    NotResampled,
}

impl Trouble {
    /// A short name, for counting.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::TooLate => "too-late",
            Self::TooSlow => "too-slow",
            Self::Unreachable => "unreachable",
            Self::Refused(_) => "refused",
            Self::CutOff => "cut-off",
            Self::WrongKind => "wrong-kind",
            Self::Noise => "noise",
            Self::WrongLength => "wrong-length",
            Self::Silent => "silent",
            Self::NotResampled => "not-resampled",
        }
    }
}

/// How long a sentence may take.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// From asking to the first sound.
    first_sound: Duration,
    /// How far what arrives may fall behind what could have been played since.
    behind: Duration,
}

impl Bounds {
    /// While nobody waits.
    pub const AHEAD: Self = Self {
        first_sound: Duration::from_secs(30),
        behind: Duration::from_secs(30),
    };

    /// Well below what a call takes for a voice that died in the middle of a reply.
    pub fn of_a_reply(first_sound: Duration) -> Self {
        let behind = Duration::from_millis(1_500);
        Self {
            first_sound,
            behind,
        }
    }
}

/// Where a voice is asked for sentences.
pub struct Endpoint {
    http: Client,
    url: Url,
    key: Option<Secret<String>>,
    model: String,
    voice: String,
}

impl Endpoint {
    pub fn new(settings: RemoteSettings) -> Result<Self, ClientError> {
        Ok(Self {
            http: endpoint::client()?,
            url: settings.address.path("audio/speech"),
            key: settings.key,
            model: settings.model,
            voice: settings.voice,
        })
    }

    /// Has the text spoken, and gives its sound piece by piece. What was given before an error is the sentence's
    /// beginning.
    pub async fn speak(
        &self,
        text: &str,
        bounds: Bounds,
        mut give: impl FnMut(Vec<i16>),
    ) -> Result<(), Trouble> {
        let first_by = Instant::now() + bounds.first_sound;
        let mut response = timeout_at(first_by, self.ask(text))
            .await
            .map_err(|_| Trouble::TooLate)??;
        let mut sound = Incoming::new()?;
        let mut total = 0;
        // When the first sound came, and how much has come since.
        let mut heard: Option<(Instant, Duration)> = None;
        loop {
            let (due, late) = match heard {
                Some((from, length)) => (from + length + bounds.behind, Trouble::TooSlow),
                None => (first_by, Trouble::TooLate),
            };
            let piece = timeout_at(due, response.chunk()).await.map_err(|_| late)?;
            let Some(piece) = piece.map_err(|_| Trouble::CutOff)? else {
                break;
            };
            total += piece.len();
            if total > MOST_BYTES {
                return Err(Trouble::WrongLength);
            }
            let samples = sound.take(&piece)?;
            if !samples.is_empty() {
                let (_, length) = heard.get_or_insert_with(|| (Instant::now(), Duration::ZERO));
                *length += sound::length_of(&samples);
                give(samples);
            }
        }
        let rest = sound.finish()?;
        if rest.is_empty() && heard.is_none() {
            return Err(Trouble::Silent);
        }
        give(rest);
        Ok(())
    }

    async fn ask(&self, text: &str) -> Result<Response, Trouble> {
        let mut request = self.http.post(self.url.clone()).json(&json!({
            "model": self.model,
            "voice": self.voice,
            "input": text,
            "response_format": "pcm",
        }));
        if let Some(key) = &self.key {
            request = request.bearer_auth(key.expose_secret());
        }
        let response = request.send().await.map_err(|_| Trouble::Unreachable)?;
        let status = response.status();
        if !status.is_success() {
            return Err(Trouble::Refused(status.as_u16()));
        }
        match holds_pcm(&response) {
            true => Ok(response),
            false => Err(Trouble::WrongKind),
        }
    }
}

/// Whether the answer says that it is what was asked for, or does not say what it is. A rate or a number of channels
/// that it names must be ours.
fn holds_pcm(response: &Response) -> bool {
    let Some(kind) = response.headers().get(CONTENT_TYPE) else {
        return true;
    };
    let kind = kind.to_str().unwrap_or_default().to_ascii_lowercase();
    let mut parts = kind.split(';').map(str::trim);
    let is_pcm = matches!(
        parts.next(),
        Some("audio/pcm" | "audio/raw" | "audio/x-raw" | "application/octet-stream")
    );
    let as_asked = |parameter: &str| match parameter.split_once('=') {
        Some(("rate", rate)) => rate == "24000",
        Some(("channels", channels)) => channels == "1",
        _ => true,
    };
    is_pcm && parts.all(as_asked)
}
