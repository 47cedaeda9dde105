//! Media over WebRTC: one UDP socket a call, ICE as the controlling side, Opus and the data
//! channel `app`, as a browser would offer them.
//!
//! Received packets are decoded in the order in which they come: what is out of order counts as
//! lost, as an earpiece without a buffer would have it. Lost packets are concealed by Opus.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use opus::{Channels, Decoder};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use str0m::change::{SdpAnswer, SdpPendingOffer};
use str0m::channel::ChannelId;
use str0m::media::{Direction, Frequency, MediaData, MediaKind, MediaTime, Mid, Pt};
use str0m::net::{Protocol, Receive};
use str0m::{Candidate, Event, IceConnectionState, Input, Output, Rtc, RtcError};
use tokio::net::UdpSocket;

use crate::clip::{FRAME_SAMPLES, Frame};
use crate::ear::Packet;
use crate::line::{CallClock, Closed, FromServer, LineCounts};

const CLOSE_WITHIN: Duration = Duration::from_millis(500);
/// More packets than this in a row are not concealed: nobody's ear is fooled for so long.
const CONCEAL_AT_MOST: u64 = 10;
/// Opus keeps its RTP clock at 48 kHz whatever the rate that it was made at.
const RTP_TICKS_PER_SAMPLE: u64 = 3;
/// The longest Opus packet, 120 ms at 16 kHz.
const DECODED_MAX: usize = 1_920;

#[derive(Debug, thiserror::Error)]
pub enum WebRtcError {
    #[error("no UDP socket could be opened towards {server} ({source})")]
    Socket {
        server: String,
        source: std::io::Error,
    },
    #[error("the offer could not be made ({0})")]
    Offer(String),
    #[error("the server's answer is not acceptable ({0})")]
    Answer(String),
    #[error("Opus cannot be started ({0})")]
    Opus(#[from] opus::Error),
}

/// Packets that this caller loses on purpose on their way out.
#[derive(Debug, Clone, Copy)]
pub struct OwnLoss {
    /// From 0 to 1.
    pub share: f64,
    pub seed: u64,
}

/// A line whose offer is made and whose answer is awaited.
pub struct Offering {
    line: WebRtcLine,
    pending: SdpPendingOffer,
    offer: String,
}

pub struct WebRtcLine {
    rtc: Rtc,
    socket: UdpSocket,
    local: SocketAddr,
    clock: CallClock,
    mid: Mid,
    payload_type: Option<Pt>,
    channel: Option<ChannelId>,
    unsent_messages: Vec<String>,
    events: VecDeque<FromServer>,
    receiver: Receiver,
    frames_sent: u64,
    loss: Option<(OwnLoss, StdRng)>,
    dropped_on_purpose: u64,
    buffer: Vec<u8>,
}

impl Offering {
    pub async fn new(
        server: &str,
        clock: CallClock,
        loss: Option<OwnLoss>,
    ) -> Result<Self, WebRtcError> {
        let (socket, local) =
            socket_towards(server)
                .await
                .map_err(|source| WebRtcError::Socket {
                    server: server.to_owned(),
                    source,
                })?;
        let mut rtc = Rtc::builder()
            .clear_codecs()
            .enable_opus(true, false)
            // Out-of-order packets are this line's own matter; holding them would bend the timing.
            .set_reordering_size_audio(0)
            .build(Instant::now());
        let refused = |error: &dyn std::fmt::Display| WebRtcError::Offer(error.to_string());
        let candidate = Candidate::host(local, "udp").map_err(|error| refused(&error))?;
        rtc.add_local_candidate(candidate);
        let mut changes = rtc.sdp_api();
        let mid = changes.add_media(MediaKind::Audio, Direction::SendRecv, None, None, None);
        changes.add_channel(String::from("app"));
        let (offer, pending) = changes
            .apply()
            .ok_or_else(|| WebRtcError::Offer(String::from("it would be empty")))?;
        Ok(Self {
            line: WebRtcLine {
                rtc,
                socket,
                local,
                clock,
                mid,
                payload_type: None,
                channel: None,
                unsent_messages: Vec::new(),
                events: VecDeque::new(),
                receiver: Receiver::new()?,
                frames_sent: 0,
                loss: loss.map(|loss| (loss, StdRng::seed_from_u64(loss.seed))),
                dropped_on_purpose: 0,
                buffer: vec![0; 2_000],
            },
            pending,
            offer: offer.to_sdp_string(),
        })
    }

    pub fn sdp(&self) -> &str {
        &self.offer
    }

    pub fn answered(mut self, sdp: &str) -> Result<WebRtcLine, WebRtcError> {
        let refused = |error: &dyn std::fmt::Display| WebRtcError::Answer(error.to_string());
        let answer = SdpAnswer::from_sdp_string(sdp).map_err(|error| refused(&error))?;
        self.line
            .rtc
            .sdp_api()
            .accept_answer(self.pending, answer)
            .map_err(|error| refused(&error))?;
        Ok(self.line)
    }
}

/// A socket on the address from which this machine reaches the server.
async fn socket_towards(server: &str) -> std::io::Result<(UdpSocket, SocketAddr)> {
    let probe = UdpSocket::bind("0.0.0.0:0").await?;
    let local = match probe.connect(server).await {
        Ok(()) => probe.local_addr()?.ip(),
        Err(_) => {
            let probe = UdpSocket::bind("[::]:0").await?;
            probe.connect(server).await?;
            probe.local_addr()?.ip()
        }
    };
    let socket = UdpSocket::bind((local, 0)).await?;
    let local = socket.local_addr()?;
    Ok((socket, local))
}

impl WebRtcLine {
    pub fn counts(&self) -> LineCounts {
        LineCounts {
            lost_packets: self.receiver.lost,
            dropped_on_purpose: self.dropped_on_purpose,
        }
    }

    pub async fn next(&mut self) -> FromServer {
        loop {
            let deadline = match self.drain() {
                Ok(deadline) => deadline,
                Err(_) => return FromServer::Closed(Closed::MediaLost),
            };
            if let Some(event) = self.events.pop_front() {
                return event;
            }
            if !self.rtc.is_alive() {
                return FromServer::Closed(Closed::ByServer);
            }
            tokio::select! {
                received = self.socket.recv_from(&mut self.buffer) => {
                    // An ICMP refusal shows up here; ICE decides whether the path is gone.
                    if let Ok((length, source)) = received {
                        self.receive(length, source);
                    }
                }
                () = tokio::time::sleep_until(deadline.into()) => {
                    let _ = self.rtc.handle_input(Input::Timeout(Instant::now()));
                }
            }
        }
    }

    fn receive(&mut self, length: usize, source: SocketAddr) {
        let Ok(contents) = self.buffer[..length].try_into() else {
            return;
        };
        let receive = Receive {
            proto: Protocol::Udp,
            source,
            destination: self.local,
            contents,
        };
        // A datagram that the stack refuses is the sender's fault and ends nothing.
        let _ = self
            .rtc
            .handle_input(Input::Receive(Instant::now(), receive));
    }

    /// Everything that the stack has to give, up to its next deadline.
    fn drain(&mut self) -> Result<Instant, RtcError> {
        loop {
            match self.rtc.poll_output()? {
                Output::Timeout(deadline) => return Ok(deadline),
                Output::Transmit(datagram) => {
                    if self.is_lost() {
                        self.dropped_on_purpose += 1;
                    } else {
                        // A full socket buffer loses the datagram, as a network would.
                        let _ = self
                            .socket
                            .try_send_to(&datagram.contents, datagram.destination);
                    }
                }
                Output::Event(event) => self.take(event),
            }
        }
    }

    fn is_lost(&mut self) -> bool {
        match &mut self.loss {
            Some((loss, random)) => random.random_bool(loss.share),
            None => false,
        }
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Connected => {
                self.payload_type = self
                    .rtc
                    .writer(self.mid)
                    .and_then(|writer| writer.payload_params().next().map(|params| params.pt()));
                self.events.push_back(FromServer::Connected);
            }
            Event::MediaData(media) => {
                let arrived = self.clock.now();
                self.events
                    .extend(self.receiver.take(&media, arrived).map(FromServer::Audio));
            }
            Event::ChannelOpen(channel, _) => {
                self.channel = Some(channel);
                for text in std::mem::take(&mut self.unsent_messages) {
                    self.send_message(&text);
                }
            }
            Event::ChannelData(data) => {
                self.events.push_back(FromServer::Message(
                    String::from_utf8_lossy(&data.data).into_owned(),
                ));
            }
            Event::Closed => self.events.push_back(FromServer::Closed(Closed::ByServer)),
            Event::IceConnectionStateChange(IceConnectionState::Disconnected) => {
                self.events.push_back(FromServer::Closed(Closed::MediaLost));
            }
            _ => {}
        }
    }

    pub fn send_frame(&mut self, frame: &Frame) {
        let time = MediaTime::new(
            self.frames_sent * FRAME_SAMPLES as u64 * RTP_TICKS_PER_SAMPLE,
            Frequency::FORTY_EIGHT_KHZ,
        );
        self.frames_sent += 1;
        let (Some(payload_type), Some(writer)) = (self.payload_type, self.rtc.writer(self.mid))
        else {
            return;
        };
        // It fails only on a line that is closing, which `next` reports.
        let _ = writer.write(payload_type, Instant::now(), time, Arc::clone(&frame.opus));
        let _ = self.drain();
    }

    pub fn send_message(&mut self, text: &str) {
        let sent = self
            .channel
            .and_then(|channel| self.rtc.channel(channel))
            .is_some_and(|mut channel| channel.write(false, text.as_bytes()).unwrap_or(false));
        if !sent {
            self.unsent_messages.push(text.to_owned());
        }
    }

    pub async fn close(&mut self) {
        let _ = self.rtc.close();
        let _ = tokio::time::timeout(CLOSE_WITHIN, async {
            while self.rtc.is_alive() {
                self.events.clear();
                self.next().await;
            }
        })
        .await;
    }
}

/// Turns RTP packets into audio and counts what is missing.
struct Receiver {
    decoder: Decoder,
    last_sequence: Option<u64>,
    lost: u64,
}

impl Receiver {
    fn new() -> Result<Self, opus::Error> {
        Ok(Self {
            decoder: Decoder::new(16_000, Channels::Mono)?,
            last_sequence: None,
            lost: 0,
        })
    }

    fn take(&mut self, media: &MediaData, arrived: Duration) -> Option<Packet> {
        // Browsers and probes send empty packets; decoding one would invent audio.
        if media.data.is_empty() {
            return None;
        }
        let sequence = **media.seq_range.start();
        let time = media.time.rebase(Frequency::FORTY_EIGHT_KHZ).numer() / RTP_TICKS_PER_SAMPLE;
        let mut samples = Vec::with_capacity(FRAME_SAMPLES);
        if let Some(last) = self.last_sequence {
            if sequence <= last {
                return None;
            }
            let missing = sequence - last - 1;
            self.lost += missing;
            if missing > 0 && missing <= CONCEAL_AT_MOST {
                self.conceal(&mut samples, missing, &media.data);
            }
        }
        let concealed = samples.len();
        self.decode(&mut samples, &media.data, DECODED_MAX, false);
        self.last_sequence = Some(sequence);
        Some(Packet {
            samples,
            arrived,
            media_time: Some(time.saturating_sub(concealed as u64)),
            concealed,
        })
    }

    /// All but the last missing packet from what came before them, the last one from the copy
    /// that the packet after it carries.
    fn conceal(&mut self, samples: &mut Vec<i16>, missing: u64, next: &[u8]) {
        for _ in 1..missing {
            self.decode(samples, &[], FRAME_SAMPLES, false);
        }
        self.decode(samples, next, FRAME_SAMPLES, true);
    }

    fn decode(&mut self, samples: &mut Vec<i16>, packet: &[u8], room: usize, fec: bool) {
        let start = samples.len();
        samples.resize(start + room, 0);
        let decoded = self
            .decoder
            .decode(packet, &mut samples[start..], fec)
            .unwrap_or(0);
        samples.truncate(start + decoded);
    }
}
