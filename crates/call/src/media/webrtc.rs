//! One WebRTC call: ICE, DTLS, SRTP and the data channel, driven by the call's own task.
//!
//! str0m is a state machine without sockets or timers. It is fed one packet or one time-out, and
//! then drained of what it wants to send, report and be woken for; nothing else may touch it in
//! between ([`WebRtcTransport::drain`]). There is no task of its own here: everything happens
//! inside the calls of [`Transport`].

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use redact::Secret;
use str0m::channel::{ChannelData, ChannelId};
use str0m::media::{Frequency, MediaData, MediaTime};
use str0m::net::{DatagramSend, Protocol, Receive, Transmit};
use str0m::{Event, Input, Output, Rtc};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::offer::AudioLine;
use super::opus::{CodecError, OpusReceiver, OpusSender, PacketPlace};
use super::routes::{Packet, Route};
use super::rtp_clock::{RtpClock, RtpStamp};
use super::stall::StallFiller;
use super::udp::Media;
use super::{AudioFrame, CloseReason, FromCaller, MAX_MESSAGE_BYTES, Transport, drops};

/// The data channel that app messages go over. The caller's side creates it.
const APP_CHANNEL: &str = "app";

/// How many app messages wait for the data channel.
const MAX_WAITING_MESSAGES: usize = 256;

/// How long a goodbye waits for messages that the caller's side has not confirmed yet. What is lost is sent again after
/// one second, and again after two more.
const LAST_WORDS: Duration = Duration::from_secs(3);

/// The goodbye itself is not confirmed by anybody, so it is said this often.
const GOODBYES: usize = 3;
const BETWEEN_GOODBYES: Duration = Duration::from_millis(30);

/// str0m makes progress with every step; more than this many without a pause would be a fault.
const MAX_STEPS: usize = 10_000;

/// A [`Transport`] over WebRTC. Made by [`Media::accept_offer`].
pub struct WebRtcTransport {
    media: Arc<Media>,
    rtc: Box<Rtc>,
    /// Takes the call out of the routing table when dropped.
    _route: Route,
    packets: mpsc::Receiver<Packet>,
    state: State,
    began: Instant,
    /// Without anything from the other side, it is lost.
    lost_after: Duration,
    /// When str0m wants to be woken.
    wake: Instant,
    /// When something came that only the caller can have sent. Another caller's packets come here too where both have had
    /// the same address.
    last_heard: Instant,
    ready: VecDeque<FromCaller>,

    audio: AudioLine,
    receiver: OpusReceiver,
    sender: OpusSender,
    clock: RtpClock,
    stall: StallFiller,

    channel: Option<ChannelId>,
    waiting: VecDeque<String>,

    /// The path that STUN came in on, newest last: answers leave through the same socket.
    paths: Vec<Path>,
    /// Where the caller's sound last came from, decrypted and so known to be theirs. str0m would
    /// keep sending to an address for 15 s after its last check; a caller who has changed networks
    /// would not hear us for so long.
    heard_from: Option<Path>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Path {
    socket: usize,
    remote: SocketAddr,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Connecting,
    Connected,
    Closed(CloseReason),
}

/// Hands one packet of the assistant's voice to the connection.
fn write(rtc: &mut Rtc, audio: &AudioLine, stamp: RtpStamp, packet: &[u8]) {
    let Some(writer) = rtc.writer(audio.mid) else {
        return;
    };
    let written = writer.start_of_talkspurt(stamp.starts_talkspurt).write(
        audio.payload,
        std::time::Instant::now(),
        MediaTime::new(stamp.rtp_time, Frequency::FORTY_EIGHT_KHZ),
        packet,
    );
    if written.is_err() {
        drops::count(drops::SEND_BLOCKED);
    }
}

impl WebRtcTransport {
    pub(super) fn new(
        media: Arc<Media>,
        rtc: Rtc,
        audio: AudioLine,
        route: Route,
        packets: mpsc::Receiver<Packet>,
    ) -> Result<Self, CodecError> {
        let now = Instant::now();
        Ok(WebRtcTransport {
            lost_after: media.settings.media_timeout,
            media,
            rtc: Box::new(rtc),
            _route: route,
            packets,
            state: State::Connecting,
            began: now,
            wake: now,
            last_heard: now,
            ready: VecDeque::new(),
            audio,
            receiver: OpusReceiver::new()?,
            sender: OpusSender::new()?,
            clock: RtpClock::default(),
            stall: StallFiller::default(),
            channel: None,
            waiting: VecDeque::new(),
            paths: Vec::new(),
            heard_from: None,
        })
    }

    /// Is lost so long after the last thing that came, where that is to be other than for all.
    pub fn lost_after(mut self, time: Duration) -> Self {
        self.lost_after = time;
        self
    }

    // ---- what comes in ----

    fn handle_packet(&mut self, packet: Packet) {
        if is_stun(&packet.contents) {
            self.last_heard = packet.received;
        }
        let path = Path {
            socket: packet.socket,
            remote: packet.source,
        };
        if is_stun(&packet.contents) && self.paths.last() != Some(&path) {
            self.paths.retain(|p| *p != path);
            self.paths.push(path);
            if self.paths.len() > 16 {
                self.paths.remove(0);
            }
        }
        let received = Receive::new(
            Protocol::Udp,
            packet.source,
            self.media.sockets[packet.socket].candidate,
            &packet.contents,
        );
        let Ok(received) = received else {
            return drops::count(drops::MALFORMED);
        };
        let input = Input::Receive(packet.received.into_std(), received);
        if self.rtc.handle_input(input).is_err() {
            // Anybody can send nonsense to an open port. If it did harm, draining says so.
            drops::count(drops::MALFORMED);
        }
        self.drain(Some(path));
    }

    fn handle_timeout(&mut self, now: Instant) {
        if self
            .rtc
            .handle_input(Input::Timeout(now.into_std()))
            .is_err()
        {
            return self.end(CloseReason::Failed);
        }
        self.drain(None);
    }

    /// Takes everything str0m has to say, until it only wants to be woken later.
    fn drain(&mut self, from: Option<Path>) {
        for _ in 0..MAX_STEPS {
            match self.rtc.poll_output() {
                Ok(Output::Transmit(transmit)) => self.transmit(&transmit),
                Ok(Output::Event(event)) => self.handle_event(event, from),
                Ok(Output::Timeout(wake)) => {
                    let now = Instant::now();
                    self.wake = Instant::from_std(wake);
                    if self.wake > now || !self.rtc.is_alive() {
                        return;
                    }
                    // Something is due at once, such as the packet of sound just written.
                    if self
                        .rtc
                        .handle_input(Input::Timeout(now.into_std()))
                        .is_err()
                    {
                        return self.end(CloseReason::Failed);
                    }
                }
                Err(error) => {
                    tracing::debug!(%error, "a connection failed");
                    return self.end(CloseReason::Failed);
                }
            }
        }
        tracing::error!("a connection made no progress");
        self.end(CloseReason::Failed);
    }

    fn handle_event(&mut self, event: Event, from: Option<Path>) {
        match event {
            Event::Connected if self.state == State::Connecting => {
                self.state = State::Connected;
                self.ready.push_back(FromCaller::Connected);
            }
            Event::MediaData(data) if data.mid == self.audio.mid => {
                if let Some(from) = from {
                    self.heard_from = Some(from);
                    self.last_heard = Instant::now();
                }
                self.handle_sound(&data);
            }
            Event::ChannelOpen(id, label) if label == APP_CHANNEL => {
                self.channel = Some(id);
                self.flush_messages();
            }
            Event::ChannelBufferedAmountLow(_) => self.flush_messages(),
            Event::ChannelClose(id) if self.channel == Some(id) => self.channel = None,
            Event::ChannelData(data) => self.handle_message(data),
            Event::Closed => self.end(CloseReason::CallerLeft),
            _ => {}
        }
    }

    fn handle_sound(&mut self, data: &MediaData) {
        let place = PacketPlace {
            sequence: (**data.seq_range.start(), **data.seq_range.end()),
            rtp_time: data.time.rebase(Frequency::FORTY_EIGHT_KHZ).numer(),
        };
        if data.data.is_empty() {
            // A bandwidth probe. The receiver notes its number, but it is no sound.
            let _ = self.receiver.handle_packet(place, &[], 0, |_| {});
            return;
        }
        let already_silent = self.stall.handle_sound(Instant::now());
        let ready = &mut self.ready;
        let decoded = self
            .receiver
            .handle_packet(place, &data.data, already_silent, |frame| {
                ready.push_back(FromCaller::Audio(frame));
            });
        if decoded.is_err() {
            drops::count(drops::UNDECODABLE);
        }
    }

    fn handle_message(&mut self, data: ChannelData) {
        if Some(data.id) != self.channel || data.binary {
            return drops::count(drops::FOREIGN_MESSAGE);
        }
        if data.data.len() > MAX_MESSAGE_BYTES {
            return drops::count(drops::OVERSIZED_MESSAGE);
        }
        match String::from_utf8(data.data) {
            Ok(text) => self.ready.push_back(FromCaller::Message(Secret::new(text))),
            Err(_) => drops::count(drops::FOREIGN_MESSAGE),
        }
    }

    fn end(&mut self, reason: CloseReason) {
        if !matches!(self.state, State::Closed(_)) {
            self.state = State::Closed(reason);
        }
    }

    // ---- time ----

    /// When the transport gives up, and why.
    fn poll_deadline(&self) -> (Instant, CloseReason) {
        let settings = &self.media.settings;
        match self.state {
            State::Connecting => (
                self.began + settings.setup_timeout,
                CloseReason::NeverConnected,
            ),
            _ => (self.last_heard + self.lost_after, CloseReason::MediaLost),
        }
    }

    // ---- what goes out ----

    fn transmit(&self, transmit: &Transmit) {
        if let Some(path) = self.path_for(transmit) {
            self.media
                .send(path.socket, &transmit.contents, path.remote);
        }
    }

    fn path_for(&self, transmit: &Transmit) -> Option<Path> {
        if let Some(path) = self.heard_from
            && !is_stun(&transmit.contents)
        {
            return Some(path);
        }
        let sockets = &self.media.sockets;
        self.paths
            .iter()
            .rev()
            .copied()
            .find(|path| {
                path.remote == transmit.destination
                    && sockets[path.socket].candidate == transmit.source
            })
            .or_else(|| {
                let socket = sockets
                    .iter()
                    .position(|s| s.candidate == transmit.source)?;
                Some(Path {
                    socket,
                    remote: transmit.destination,
                })
            })
    }

    fn flush_messages(&mut self) {
        let Some(id) = self.channel else {
            return;
        };
        while let Some(text) = self.waiting.front() {
            let Some(mut channel) = self.rtc.channel(id) else {
                return;
            };
            match channel.write(false, text.as_bytes()) {
                Ok(true) => {
                    self.waiting.pop_front();
                }
                Ok(false) => {
                    // The rest goes when half of what is under way has arrived.
                    channel.set_buffered_amount_low_threshold(64 * 1024);
                    return;
                }
                Err(_) => return self.waiting.clear(),
            }
        }
    }

    /// What the caller's side has not confirmed yet.
    fn has_unconfirmed_messages(&mut self) -> bool {
        self.channel
            .and_then(|id| self.rtc.channel(id))
            .is_some_and(|mut channel| channel.buffered_amount() > 0)
    }

    async fn confirm_messages(&mut self) {
        let until = Instant::now() + LAST_WORDS;
        while self.state == State::Connected && self.has_unconfirmed_messages() {
            tokio::select! {
                packet = self.packets.recv() => match packet {
                    Some(packet) => self.handle_packet(packet),
                    None => return,
                },
                () = tokio::time::sleep_until(self.wake.min(until)) => {
                    if Instant::now() >= until {
                        return;
                    }
                    self.handle_timeout(Instant::now());
                }
            }
        }
    }
}

#[async_trait]
impl Transport for WebRtcTransport {
    async fn next(&mut self) -> FromCaller {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return event;
            }
            if let State::Closed(reason) = self.state {
                return FromCaller::Closed(reason);
            }
            let now = Instant::now();
            if self.stall.poll_silence(now) {
                return FromCaller::Missing;
            }
            let (deadline, reason) = self.poll_deadline();
            if deadline <= now && self.packets.is_empty() {
                self.end(reason);
                continue;
            }
            let until = self.wake.min(deadline);
            let until = self
                .stall
                .poll_deadline()
                .map_or(until, |due| until.min(due));
            // Only waiting is done inside the select, so a future dropped here has lost nothing.
            tokio::select! {
                biased;
                packet = self.packets.recv() => match packet {
                    Some(packet) => self.handle_packet(packet),
                    None => self.end(CloseReason::Failed),
                },
                () = tokio::time::sleep_until(until) => {
                    let now = Instant::now();
                    if self.wake <= now {
                        self.handle_timeout(now);
                    }
                }
            }
        }
    }

    fn send_audio(&mut self, frame: &AudioFrame) {
        if self.state != State::Connected || !self.audio.sends {
            return;
        }
        let Self {
            sender,
            rtc,
            audio,
            clock,
            began,
            ..
        } = self;
        write(
            rtc,
            audio,
            clock.stamp(began.elapsed()),
            sender.encode(frame),
        );
        self.drain(None);
    }

    fn send_packet(&mut self, packet: &[u8]) {
        if self.state != State::Connected || !self.audio.sends {
            return;
        }
        self.sender.passed_over();
        let stamp = self.clock.stamp(self.began.elapsed());
        write(&mut self.rtc, &self.audio, stamp, packet);
        self.drain(None);
    }

    fn send_message(&mut self, text: &str) {
        if matches!(self.state, State::Closed(_)) {
            return;
        }
        if self.waiting.len() >= MAX_WAITING_MESSAGES {
            return drops::count(drops::MESSAGE_QUEUE_FULL);
        }
        self.waiting.push_back(text.to_owned());
        if self.channel.is_some() {
            self.flush_messages();
            self.drain(None);
        }
    }

    async fn close(&mut self) {
        self.confirm_messages().await;
        let connected = self.state == State::Connected;
        self.end(CloseReason::CallerLeft);
        if self.rtc.close().is_err() {
            return;
        }
        let mut goodbye: Vec<(Path, DatagramSend)> = Vec::new();
        for _ in 0..MAX_STEPS {
            match self.rtc.poll_output() {
                Ok(Output::Transmit(transmit)) => {
                    if let Some(path) = self.path_for(&transmit) {
                        goodbye.push((path, transmit.contents));
                    }
                }
                Ok(Output::Event(_)) => {}
                Ok(Output::Timeout(_)) | Err(_) => break,
            }
        }
        if !connected {
            return;
        }
        for round in 0..GOODBYES {
            if round > 0 {
                tokio::time::sleep(BETWEEN_GOODBYES).await;
            }
            for (path, datagram) in &goodbye {
                self.media.send(path.socket, datagram, path.remote);
            }
        }
    }
}

fn is_stun(datagram: &[u8]) -> bool {
    matches!(datagram.first(), Some(0..=3))
}
