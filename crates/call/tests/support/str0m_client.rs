//! A caller made of str0m: the browser's side of a WebRTC call, over a real loopback socket.
//!
//! It offers, sends a tone every 20 ms once it is connected, or what it is told to say, and reports what it hears. It can
//! misbehave as networks do: lose packets, change its address, or vanish without a word.

use std::collections::VecDeque;
use std::f64::consts::TAU;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use call::media::{AudioFrame, FRAME_SAMPLES};
use str0m::change::{SdpAnswer, SdpPendingOffer};
use str0m::channel::ChannelId;
use str0m::config::DtlsVersion;
use str0m::format::Codec;
use str0m::media::{Direction, Frequency, MediaKind, MediaTime, Mid};
use str0m::net::{Protocol, Receive};
use str0m::{Candidate, Event, Input, Output, Rtc};
use tokio::net::UdpSocket;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::MissedTickBehavior;

/// A caller who has made an offer and waits for the answer.
pub struct Str0mClient {
    pub offer: String,
    rtc: Rtc,
    pending: SdpPendingOffer,
    mid: Mid,
    socket: UdpSocket,
}

/// How a caller behaves.
#[derive(Debug, Clone, Copy)]
pub struct Behaviour {
    /// The pitch of the caller's voice, in hertz.
    pub hertz: f64,
    /// How many of a hundred sound packets are lost on the way to the server.
    pub lost_percent: u64,
}

impl Default for Behaviour {
    fn default() -> Self {
        Behaviour {
            hertz: 440.0,
            lost_percent: 0,
        }
    }
}

/// What the caller's side noticed.
#[derive(Debug)]
pub enum Noticed {
    Connected,
    ChannelOpen,
    Audio(Box<AudioFrame>),
    Message(String),
    Closed,
}

enum Act {
    Send { payload: Vec<u8>, binary: bool },
    SendDatagram(Vec<u8>),
    MoveTo(UdpSocket),
    Speak(Vec<i16>),
    FallSilent,
    HearNothingFor(Duration),
    HangUp,
}

/// A caller in a call. Dropping it is a browser that was killed: nothing is sent any more.
pub struct Connected {
    pub address: SocketAddr,
    noticed: mpsc::UnboundedReceiver<Noticed>,
    acts: mpsc::UnboundedSender<Act>,
    task: JoinHandle<()>,
}

impl Str0mClient {
    pub async fn new() -> Self {
        Self::on(SocketAddr::from(([127, 0, 0, 1], 0))).await
    }

    /// A caller who can agree on keys by this version of DTLS alone.
    #[allow(dead_code)] // Not every test that uses this file has such a caller.
    pub async fn speaking(version: DtlsVersion) -> Self {
        Self::made(SocketAddr::from(([127, 0, 0, 1], 0)), version).await
    }

    /// A caller on an address of the test's choice.
    pub async fn on(address: SocketAddr) -> Self {
        Self::made(address, DtlsVersion::Dtls12).await
    }

    async fn made(address: SocketAddr, version: DtlsVersion) -> Self {
        let socket = UdpSocket::bind(address).await.expect("a free port");
        let local = socket.local_addr().expect("a bound socket");
        let mut config = Rtc::builder()
            .set_dtls_version(version)
            .clear_codecs()
            .enable_opus(true, false);
        // Checks often enough for a test to wait for them.
        config.set_initial_stun_rto(Duration::from_millis(50));
        config.set_max_stun_rto(Duration::from_millis(200));
        let mut rtc = config.build(Instant::now());
        rtc.add_local_candidate(Candidate::host(local, "udp").expect("a host candidate"));
        let mut changes = rtc.sdp_api();
        let mid = changes.add_media(MediaKind::Audio, Direction::SendRecv, None, None, None);
        changes.add_channel("app".into());
        let (offer, pending) = changes.apply().expect("changes to offer");
        Str0mClient {
            offer: offer.to_sdp_string(),
            rtc,
            pending,
            mid,
            socket,
        }
    }

    /// Takes the server's answer, and lives in a task of its own from here on.
    pub fn connect(mut self, answer: &str, behaviour: Behaviour) -> Connected {
        let answer = SdpAnswer::from_sdp_string(answer).expect("a valid answer");
        self.rtc
            .sdp_api()
            .accept_answer(self.pending, answer)
            .expect("an answer to our offer");
        let address = self.socket.local_addr().expect("a bound socket");
        let (notice, noticed) = mpsc::unbounded_channel();
        let (acts, to_do) = mpsc::unbounded_channel();
        let mono = opus::Channels::Mono;
        let running = Running {
            rtc: self.rtc,
            mid: self.mid,
            socket: self.socket,
            address,
            server: None,
            channel: None,
            talking: false,
            behaviour,
            encoder: opus::Encoder::new(16_000, mono, opus::Application::Voip).expect("an encoder"),
            decoder: opus::Decoder::new(16_000, mono).expect("a decoder"),
            frames: 0,
            speech: None,
            hears_from: Instant::now(),
            dice: 0x9E37_79B9_7F4A_7C15,
            notice,
        };
        Connected {
            address,
            noticed,
            acts,
            task: tokio::spawn(running.run(to_do)),
        }
    }
}

impl Connected {
    pub async fn next(&mut self) -> Noticed {
        self.noticed
            .recv()
            .await
            .expect("the caller's task is running")
    }

    pub fn say(&self, text: &str) {
        self.send(text.as_bytes().to_vec(), false);
    }

    pub fn send(&self, payload: Vec<u8>, binary: bool) {
        self.act(Act::Send { payload, binary });
    }

    /// Sends bytes as they are, from the address the call goes over.
    pub fn send_datagram(&self, bytes: Vec<u8>) {
        self.act(Act::SendDatagram(bytes));
    }

    /// The network gives this caller a new address, as a router does that forgot the old one. The
    /// caller's own side does not notice.
    pub async fn move_to_new_address(&mut self) {
        let socket = UdpSocket::bind("127.0.0.1:0").await.expect("a free port");
        self.address = socket.local_addr().expect("a bound socket");
        self.act(Act::MoveTo(socket));
    }

    /// Says this (16 kHz), and sends silence from then on, not the tone.
    #[allow(
        dead_code,
        reason = "in some programs of tests nobody has anything to say"
    )]
    pub fn speak(&self, sound: Vec<i16>) {
        self.act(Act::Speak(sound));
    }

    /// Sends no more sound, but stays connected.
    pub fn fall_silent(&self) {
        self.act(Act::FallSilent);
    }

    /// Whatever the server sends for so long is lost on its way.
    pub fn hear_nothing_for(&self, duration: Duration) {
        self.act(Act::HearNothingFor(duration));
    }

    pub fn hang_up(&self) {
        self.act(Act::HangUp);
    }

    /// The browser is killed; waits until its port is free again.
    pub async fn vanish(mut self) {
        self.task.abort();
        let _ = (&mut self.task).await;
    }

    fn act(&self, act: Act) {
        self.acts
            .send(act)
            .unwrap_or_else(|_| panic!("the caller's task is running"));
    }
}

impl Drop for Connected {
    fn drop(&mut self) {
        self.task.abort();
    }
}

struct Running {
    rtc: Rtc,
    mid: Mid,
    socket: UdpSocket,
    /// The address that the caller's side believes it has.
    address: SocketAddr,
    server: Option<SocketAddr>,
    channel: Option<ChannelId>,
    talking: bool,
    behaviour: Behaviour,
    encoder: opus::Encoder,
    decoder: opus::Decoder,
    frames: u64,
    /// What is still to be said; none where it sends the tone.
    speech: Option<VecDeque<i16>>,
    hears_from: Instant,
    dice: u64,
    notice: mpsc::UnboundedSender<Noticed>,
}

impl Running {
    async fn run(mut self, mut acts: mpsc::UnboundedReceiver<Act>) {
        let mut microphone = tokio::time::interval(Duration::from_millis(20));
        microphone.set_missed_tick_behavior(MissedTickBehavior::Burst);
        let mut buffer = [0; 2_048];
        while self.rtc.is_alive() {
            let wake = self.drain().await;
            tokio::select! {
                received = self.socket.recv_from(&mut buffer) => {
                    let (len, source) = received.expect("a working socket");
                    if Instant::now() < self.hears_from {
                        continue;
                    }
                    let packet =
                        Receive::new(Protocol::Udp, source, self.address, &buffer[..len])
                            .expect("the server sends WebRTC packets");
                    self.rtc
                        .handle_input(Input::Receive(Instant::now(), packet))
                        .expect("a good packet");
                }
                Some(act) = acts.recv() => self.act(act).await,
                _ = microphone.tick() => self.speak(),
                () = tokio::time::sleep_until(wake.into()) => {
                    self.rtc
                        .handle_input(Input::Timeout(Instant::now()))
                        .expect("time passes");
                }
            }
        }
        let _ = self.notice.send(Noticed::Closed);
    }

    async fn drain(&mut self) -> Instant {
        loop {
            match self.rtc.poll_output().expect("a healthy connection") {
                Output::Timeout(wake) => return wake,
                Output::Transmit(transmit) => {
                    self.server = Some(transmit.destination);
                    let sound = (128..192).contains(&transmit.contents[0]);
                    if !(sound && self.is_lost()) {
                        self.socket
                            .send_to(&transmit.contents, transmit.destination)
                            .await
                            .expect("loopback takes packets");
                    }
                }
                Output::Event(event) => self.handle_event(event),
            }
        }
    }

    fn handle_event(&mut self, event: Event) {
        let noticed = match event {
            Event::Connected => {
                self.talking = true;
                Noticed::Connected
            }
            Event::ChannelOpen(id, _) => {
                self.channel = Some(id);
                Noticed::ChannelOpen
            }
            Event::ChannelData(data) => {
                Noticed::Message(String::from_utf8(data.data).expect("messages are text"))
            }
            Event::MediaData(data) => {
                let mut frame = [0; FRAME_SAMPLES];
                let samples = self
                    .decoder
                    .decode(&data.data, &mut frame, false)
                    .expect("the server sends Opus");
                assert_eq!(samples, FRAME_SAMPLES);
                Noticed::Audio(Box::new(frame))
            }
            _ => return,
        };
        // A test may have stopped listening.
        let _ = self.notice.send(noticed);
    }

    fn speak(&mut self) {
        if !self.talking {
            return;
        }
        let first = self.frames * FRAME_SAMPLES as u64;
        let frame: AudioFrame = match &mut self.speech {
            Some(speech) => std::array::from_fn(|_| speech.pop_front().unwrap_or(0)),
            None => std::array::from_fn(|i| {
                let time = (first + i as u64) as f64 / 16_000.0;
                ((time * self.behaviour.hertz * TAU).sin() * 10_000.0) as i16
            }),
        };
        let packet = self.encoder.encode_vec(&frame, 1_200).expect("a frame");
        let time = MediaTime::new(self.frames * 960, Frequency::FORTY_EIGHT_KHZ);
        self.frames += 1;
        if let Some(writer) = self.rtc.writer(self.mid) {
            let opus = writer
                .payload_params()
                .find(|p| p.spec().codec == Codec::Opus)
                .expect("Opus was negotiated")
                .pt();
            writer
                .write(opus, Instant::now(), time, packet)
                .expect("sound is sent");
        }
    }

    async fn act(&mut self, act: Act) {
        match act {
            Act::Send { payload, binary } => {
                let id = self.channel.expect("the data channel is open");
                let mut channel = self.rtc.channel(id).expect("the data channel is open");
                assert!(channel.write(binary, &payload).expect("an open channel"));
            }
            Act::SendDatagram(bytes) => {
                let server = self.server.expect("the caller has connected");
                self.socket
                    .send_to(&bytes, server)
                    .await
                    .expect("loopback takes packets");
            }
            Act::MoveTo(socket) => self.socket = socket,
            Act::Speak(sound) => self.speech.get_or_insert_default().extend(sound),
            Act::FallSilent => self.talking = false,
            Act::HearNothingFor(duration) => self.hears_from = Instant::now() + duration,
            Act::HangUp => {
                self.talking = false;
                self.rtc.close().expect("an open connection");
            }
        }
    }

    /// A reproducible roll of the dice (xorshift).
    fn is_lost(&mut self) -> bool {
        self.dice ^= self.dice << 13;
        self.dice ^= self.dice >> 7;
        self.dice ^= self.dice << 17;
        self.dice % 100 < self.behaviour.lost_percent
    }
}
