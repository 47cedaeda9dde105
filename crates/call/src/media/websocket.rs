//! A call over a WebSocket: raw PCM in binary messages, app messages in text ones.
//!
//! The socket itself belongs to the web server, which bridges it to two channels of
//! [`SocketFrame`]s. Sound is not resampled, buffered against jitter or paced here: it goes on as
//! it comes, cut into whole frames.

use std::collections::VecDeque;
use std::time::Duration;

use async_trait::async_trait;
use bytes::{Buf, Bytes};
use redact::Secret;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;
use tokio::time::Instant;

use super::opus::PacketDecoder;
use super::stall::StallFiller;
use super::{
    AudioFrame, CloseReason, FRAME_SAMPLES, FromCaller, MAX_MESSAGE_BYTES, Transport, drops,
};

const FRAME_BYTES: usize = FRAME_SAMPLES * 2;

/// How many app messages wait for a socket that is slow to take them.
const MAX_WAITING_MESSAGES: usize = 256;

/// How long a goodbye may take.
const CLOSE_WITHIN: Duration = Duration::from_millis(500);

/// One WebSocket message, either way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SocketFrame {
    /// Signed 16-bit little-endian samples, 16 kHz, mono. Any length, also an odd number of bytes:
    /// what does not fill a frame waits for the next message.
    Pcm(Bytes),
    /// An app message.
    Text(String),
    /// The side that sent this is done.
    Close,
}

/// A [`Transport`] over a WebSocket.
pub struct WebSocketTransport {
    incoming: mpsc::Receiver<SocketFrame>,
    outgoing: mpsc::Sender<SocketFrame>,
    announced: bool,
    closed: Option<CloseReason>,
    /// What is left of the last binary message. Frames are cut from it one by one, so a message of
    /// any size takes no more memory than it came with.
    pcm: Bytes,
    /// The beginning of a frame whose end is still to come.
    partial: [u8; FRAME_BYTES],
    partial_len: usize,
    waiting: VecDeque<String>,
    stall: StallFiller,
    /// Made when the first packet that was encoded ahead is sent.
    decoder: Option<PacketDecoder>,
}

impl WebSocketTransport {
    /// `incoming` carries what the caller's socket received, `outgoing` what it is to send.
    /// Dropping either of the other ends means that the socket is gone; without a
    /// [`SocketFrame::Close`] before, that the caller is cut off.
    pub fn new(incoming: mpsc::Receiver<SocketFrame>, outgoing: mpsc::Sender<SocketFrame>) -> Self {
        WebSocketTransport {
            incoming,
            outgoing,
            announced: false,
            closed: None,
            pcm: Bytes::new(),
            partial: [0; FRAME_BYTES],
            partial_len: 0,
            waiting: VecDeque::new(),
            stall: StallFiller::default(),
            decoder: None,
        }
    }

    fn cut_frame(&mut self) -> Option<AudioFrame> {
        let wanted = (FRAME_BYTES - self.partial_len).min(self.pcm.len());
        let filled = self.partial_len + wanted;
        self.pcm
            .copy_to_slice(&mut self.partial[self.partial_len..filled]);
        self.partial_len = filled;
        if self.partial_len < FRAME_BYTES {
            return None;
        }
        self.partial_len = 0;
        let mut frame = [0; FRAME_SAMPLES];
        for (sample, bytes) in frame.iter_mut().zip(self.partial.chunks_exact(2)) {
            *sample = i16::from_le_bytes([bytes[0], bytes[1]]);
        }
        Some(frame)
    }

    fn flush(&mut self) {
        while let Some(text) = self.waiting.pop_front() {
            match self.outgoing.try_send(SocketFrame::Text(text)) {
                Ok(()) => {}
                Err(TrySendError::Full(SocketFrame::Text(text))) => {
                    self.waiting.push_front(text);
                    return;
                }
                Err(_) => return self.waiting.clear(),
            }
        }
    }
}

#[async_trait]
impl Transport for WebSocketTransport {
    async fn next(&mut self) -> FromCaller {
        if !self.announced {
            self.announced = true;
            return FromCaller::Connected;
        }
        loop {
            if let Some(reason) = self.closed {
                return FromCaller::Closed(reason);
            }
            if let Some(frame) = self.cut_frame() {
                self.stall.handle_sound(Instant::now());
                return FromCaller::Audio(frame);
            }
            if self.stall.poll_silence(Instant::now()) {
                return FromCaller::Missing;
            }
            self.flush();
            let due = self.stall.poll_deadline();
            tokio::select! {
                received = self.incoming.recv() => match received {
                    Some(SocketFrame::Pcm(pcm)) => self.pcm = pcm,
                    Some(SocketFrame::Text(text)) if text.len() <= MAX_MESSAGE_BYTES => {
                        return FromCaller::Message(Secret::new(text));
                    }
                    Some(SocketFrame::Text(_)) => drops::count(drops::OVERSIZED_MESSAGE),
                    Some(SocketFrame::Close) => self.closed = Some(CloseReason::CallerLeft),
                    None => self.closed = Some(CloseReason::MediaLost),
                },
                permit = self.outgoing.reserve(), if !self.waiting.is_empty() => {
                    if let (Ok(permit), Some(text)) = (permit, self.waiting.pop_front()) {
                        permit.send(SocketFrame::Text(text));
                    }
                }
                () = tokio::time::sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => {}
            }
        }
    }

    fn send_audio(&mut self, frame: &AudioFrame) {
        if !self.announced || self.closed.is_some() {
            return;
        }
        let mut pcm = Vec::with_capacity(FRAME_BYTES);
        for sample in frame {
            pcm.extend_from_slice(&sample.to_le_bytes());
        }
        // Sound that cannot leave now would only be late: a slow socket loses frames, not time.
        if self
            .outgoing
            .try_send(SocketFrame::Pcm(pcm.into()))
            .is_err()
        {
            drops::count(drops::SEND_BLOCKED);
        }
    }

    fn send_packet(&mut self, packet: &[u8]) {
        if self.decoder.is_none() {
            self.decoder = PacketDecoder::new().ok();
        }
        match &mut self.decoder {
            Some(decoder) => {
                let frame = decoder.decode(packet);
                self.send_audio(&frame);
            }
            None => drops::count(drops::SEND_BLOCKED),
        }
    }

    fn send_message(&mut self, text: &str) {
        if self.closed.is_some() {
            return;
        }
        if self.waiting.len() >= MAX_WAITING_MESSAGES {
            return drops::count(drops::MESSAGE_QUEUE_FULL);
        }
        self.waiting.push_back(text.to_owned());
        self.flush();
    }

    async fn close(&mut self) {
        if self.closed.replace(CloseReason::CallerLeft).is_some() {
            return;
        }
        let goodbye = async {
            for text in self.waiting.drain(..) {
                self.outgoing.send(SocketFrame::Text(text)).await?;
            }
            self.outgoing.send(SocketFrame::Close).await
        };
        // A socket that takes nothing is as good as closed.
        let _ = tokio::time::timeout(CLOSE_WITHIN, goodbye).await;
    }
}
