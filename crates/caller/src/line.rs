//! The line to the assistant, whichever way it is reached.
//!
//! A line carries frames and app messages; who says what when is not its matter.

use std::time::Duration;

use serde::Serialize;
use tokio::time::Instant;

use crate::clip::Frame;
use crate::ear::Packet;
use crate::media_socket::SocketLine;
use crate::media_webrtc::WebRtcLine;

/// What comes from the server.
#[derive(Debug)]
pub enum FromServer {
    Connected,
    Audio(Packet),
    Message(String),
    Closed(Closed),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Closed {
    /// The server said goodbye.
    ByServer,
    /// Media stopped without a goodbye.
    MediaLost,
}

/// What a line counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LineCounts {
    pub lost_packets: u64,
    pub dropped_on_purpose: u64,
}

/// The call's own clock: everything is timed from here.
#[derive(Debug, Clone, Copy)]
pub struct CallClock(Instant);

impl CallClock {
    pub fn start() -> Self {
        Self(Instant::now())
    }

    pub fn now(self) -> Duration {
        self.0.elapsed()
    }

    pub fn instant(self, time: Duration) -> Instant {
        self.0 + time
    }
}

/// Both ways to reach the assistant.
pub enum Line {
    WebRtc(Box<WebRtcLine>),
    Socket(Box<SocketLine>),
}

impl Line {
    /// The next thing from the server. Cancel-safe.
    pub async fn next(&mut self) -> FromServer {
        match self {
            Self::WebRtc(line) => line.next().await,
            Self::Socket(line) => line.next().await,
        }
    }

    pub async fn send_frame(&mut self, frame: &Frame) {
        match self {
            Self::WebRtc(line) => line.send_frame(frame),
            Self::Socket(line) => line.send_frame(frame).await,
        }
    }

    pub async fn send_message(&mut self, text: &str) {
        match self {
            Self::WebRtc(line) => line.send_message(text),
            Self::Socket(line) => line.send_message(text).await,
        }
    }

    /// Says goodbye on the media path; bounded.
    pub async fn close(&mut self) {
        match self {
            Self::WebRtc(line) => line.close().await,
            Self::Socket(line) => line.close().await,
        }
    }

    pub fn counts(&self) -> LineCounts {
        match self {
            Self::WebRtc(line) => line.counts(),
            Self::Socket(_) => LineCounts::default(),
        }
    }
}
