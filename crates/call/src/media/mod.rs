//! How a caller's voice and messages reach a call, and how the assistant's go back.
//!
//! A call talks to its caller through [`Transport`] and does not know which kind it has:
//! WebRTC ([`WebRtcTransport`], the usual way) or raw PCM over a WebSocket
//! ([`WebSocketTransport`], when ICE does not connect, and for programs). All WebRTC calls share
//! one UDP port, which [`Media`] owns.
//!
//! What this deliberately does not do: it decides nothing about the conversation, detects no
//! speech, keeps no recording, and reads neither HTTP requests nor app messages. SDP comes in as
//! text and leaves as text; app messages pass through unread.
//!
//! | question | file |
//! |---|---|
//! | how are packets read from the shared port, and sent? | `udp.rs` |
//! | which packet belongs to which call? | `routes.rs` |
//! | what is thrown away, and counted as what? | `drops.rs` |
//! | which offers are accepted, and what is answered? | `offer.rs` |
//! | how is one WebRTC call driven? | `webrtc.rs` |
//! | how does Opus become whole frames, whatever was lost? | `opus.rs` |
//! | what does a call hear while nothing arrives? | `stall.rs` |
//! | which RTP time does the assistant's sound get? | `rtp_clock.rs` |
//! | how does a WebSocket carry the same? | `websocket.rs` |

mod drops;
mod offer;
mod opus;
mod routes;
mod rtp_clock;
mod stall;
mod udp;
mod webrtc;
mod websocket;

pub use offer::{MAX_OFFER_BYTES, OfferError};
pub use udp::{BindError, Media, MediaSettings};
pub use webrtc::WebRtcTransport;
pub use websocket::{SocketFrame, WebSocketTransport};

use std::time::Duration;

use async_trait::async_trait;
use redact::Secret;

/// Samples in one [`AudioFrame`]: 20 ms at 16 kHz.
pub const FRAME_SAMPLES: usize = 320;

/// How long that lasts.
pub const FRAME_DURATION: Duration = Duration::from_millis(20);

/// 20 ms of sound, 16 kHz, mono.
pub type AudioFrame = [i16; FRAME_SAMPLES];

/// The largest app message taken from a caller, in bytes. Larger ones are dropped and counted.
pub const MAX_MESSAGE_BYTES: usize = 102_400;

/// One way to reach a caller. It has one owner: the call's task.
///
/// Nothing moves by itself: incoming packets are read, acknowledged and decoded only inside
/// [`next`](Transport::next), so the owner keeps awaiting it for as long as the call lasts.
#[async_trait]
pub trait Transport: Send {
    /// Waits for what the caller's side does next.
    ///
    /// Cancel-safe: dropping the future loses nothing. The first thing is
    /// [`FromCaller::Connected`], or [`FromCaller::Closed`] if that never happens. After `Closed`
    /// it answers the same `Closed` again.
    async fn next(&mut self) -> FromCaller;

    /// Sends 20 ms of the assistant's voice at once. To be called every 20 ms while the assistant
    /// speaks; between utterances nothing needs to be sent. Before `Connected` and after `Closed`
    /// it does nothing.
    fn send_audio(&mut self, frame: &AudioFrame);

    /// The same, encoded already: one Opus packet of 20 ms of 16 kHz sound.
    fn send_packet(&mut self, packet: &[u8]);

    /// Sends an app message. It waits, in order, until the caller's data channel is open; past a
    /// bound of waiting messages it is dropped and counted.
    fn send_message(&mut self, text: &str);

    /// Says goodbye, so that the caller's side sees the end at once. Waits until the caller's side has the
    /// last message, where it can confirm that. Bounded: takes under four seconds.
    async fn close(&mut self);
}

/// What comes from a caller.
#[expect(
    clippy::large_enum_variant,
    reason = "sound is by far the commonest event: a box would cost an allocation every 20 ms"
)]
#[derive(Debug, Clone, PartialEq)]
pub enum FromCaller {
    /// Sound and messages can flow both ways.
    Connected,
    /// 20 ms of the caller's sound, decoded, with losses concealed. Once sound has begun there are
    /// 50 of these or of [`FromCaller::Missing`] a second until the end.
    Audio(AudioFrame),
    /// 20 ms in which no sound arrived, though it had begun: silence stands in for it. It may come yet.
    Missing,
    /// One app message, as its raw text.
    Message(Secret<String>),
    /// Nothing more will come.
    Closed(CloseReason),
}

/// Why a transport closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CloseReason {
    /// The caller hung up, or left the page.
    CallerLeft,
    /// Nothing has arrived for the media time-out, and it did not come back.
    MediaLost,
    /// Media did not connect within the set-up time-out.
    NeverConnected,
    /// The connection broke in a way it cannot recover from.
    Failed,
}
