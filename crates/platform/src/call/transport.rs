//! How a call's audio travels: what is asked for, and what the answer names.

use redact::{Secret, expose_secret};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use crate::invalid::Invalid;

/// The ways for audio that may be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum TransportProvider {
    /// The hosted platform's default, a video-call room; served here by WebRTC.
    #[serde(rename = "daily")]
    Daily,
    /// WebRTC, signalled by WHIP (RFC 9725).
    #[serde(rename = "whip")]
    Whip,
    /// Raw PCM in binary WebSocket frames.
    #[serde(rename = "vapi.websocket")]
    VapiWebsocket,
}

impl TransportProvider {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Daily => "daily",
            Self::Whip => "whip",
            Self::VapiWebsocket => "vapi.websocket",
        }
    }
}

/// How the caller would like the audio to travel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RequestedTransport {
    pub provider: TransportProvider,
    /// Only for `vapi.websocket`; absent means [`AudioFormat::pcm_16k`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audio_format: Option<AudioFormat>,
}

impl RequestedTransport {
    pub(super) fn check(&self) -> Result<(), Invalid> {
        let Some(format) = &self.audio_format else {
            return Ok(());
        };
        let only = AudioFormat::pcm_16k();
        let problem = if format.format != only.format {
            ("transport.audioFormat.format", "expected `pcm_s16le`")
        } else if format.container != only.container {
            ("transport.audioFormat.container", "expected `raw`")
        } else if format.sample_rate != only.sample_rate {
            ("transport.audioFormat.sampleRate", "expected 16000")
        } else {
            return Ok(());
        };
        Err(Invalid::field(problem.0, problem.1))
    }
}

/// Raw audio's shape. The platform names others; [`AudioFormat::pcm_16k`] is served.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AudioFormat {
    #[schema(example = "pcm_s16le")]
    pub format: String,
    /// Absent means `raw`.
    #[serde(default = "raw")]
    #[schema(example = "raw")]
    pub container: String,
    /// Samples a second.
    #[serde(deserialize_with = "whole")]
    #[schema(example = 16000)]
    pub sample_rate: u32,
}

fn raw() -> String {
    "raw".to_owned()
}

/// However it is written: JSON has one kind of numbers, and 16000.0 is a whole one.
fn whole<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    let number = f64::deserialize(from)?;
    let whole = number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number);
    match whole {
        true => Ok(number as u32),
        false => Err(D::Error::custom("expected a whole number")),
    }
}

impl AudioFormat {
    /// 16-bit signed little-endian, 16 kHz, mono: the only one served.
    pub fn pcm_16k() -> Self {
        Self {
            format: "pcm_s16le".to_owned(),
            container: raw(),
            sample_rate: 16_000,
        }
    }
}

/// How a call's audio travels. Both ways in are named, so that a page whose WebRTC does
/// not connect can fall back within the same call.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CallTransport {
    /// A string, because the platform knows more of them than can be asked for here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// The same as the call's `webCallUrl`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_url: Option<String>,
    /// Takes and gives binary PCM frames, and JSON text frames for control.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub websocket_call_url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audio_format: Option<AudioFormat>,
    /// Relays that WebRTC may go through; none where callers reach the media port. (Ours.)
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ice_servers: Vec<IceServer>,
}

/// A TURN server and what it lets this call in with, in the shape of a browser's `RTCIceServer`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct IceServer {
    pub urls: Vec<String>,
    /// When it ends, in seconds since 1970, and a part made up for this call.
    #[schema(example = "1795430400:7c9e6679")]
    pub username: String,
    #[serde(serialize_with = "expose_secret")]
    #[schema(value_type = String)]
    pub credential: Secret<String>,
}
