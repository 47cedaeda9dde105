//! One caller among two hundred clients that send everything wrong: offers, upgrades, frames, app messages, packets, HTTP.
//! The caller must not notice, by the sound that is heard.
//!
//! The server as it ships, in a process of its own; the good call by `nightlight-caller`. Everything wrong is drawn by
//! lot, with a seed for each client.
#![allow(clippy::unwrap_used)]

mod support;

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use rand::rngs::StdRng;
use rand::{Rng, RngExt, SeedableRng};
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use support::{Server, good_call};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpStream, UdpSocket};
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

const CLIENTS: u64 = 200;
/// From one thing wrong to the next, of one client.
const EACH: Duration = Duration::from_millis(250);
/// No answer to what is wrong takes so long.
const ANSWERED_WITHIN: Duration = Duration::from_secs(10);
const START_WAIT_SECONDS: f64 = 1.0;
const OFFER: &str = include_str!("../../call/tests/offers/chromium.sdp");
const SAYS: [&str; 2] = [
    "I have been feeling very lonely",
    "Nobody talks to me at work",
];

/// What one sort of client does wrong.
#[derive(Debug, Clone, Copy)]
enum Sort {
    Offers,
    Upgrades,
    Frames,
    AppMessages,
    Packets,
    Http,
}

const SORTS: [Sort; 6] = [
    Sort::Offers,
    Sort::Upgrades,
    Sort::Frames,
    Sort::AppMessages,
    Sort::Packets,
    Sort::Http,
];

#[tokio::test(flavor = "multi_thread")]
async fn a_caller_does_not_notice_two_hundred_malformed_clients() {
    let wait = START_WAIT_SECONDS.to_string();
    let server = Server::start(&[
        ("START_WAIT_SECONDS", wait.as_str()),
        ("RETURN_WITHIN_SECONDS", "0.5"),
        // Room on the lines: that a flood of them keeps nobody out is tested where lines are given.
        ("MAX_CALLS", "400"),
        // It warns of each of them.
        ("LOG", "error"),
        ("VOICE", "slt"),
        ("LIGHTER_VOICE", "slt"),
    ]);
    let place = Arc::new(Place::of(&server.origin).await);
    let mut clients = JoinSet::new();
    for number in 0..CLIENTS {
        let sort = SORTS[number as usize % SORTS.len()];
        clients.spawn(Arc::clone(&place).harm(sort, StdRng::seed_from_u64(number)));
    }
    // As much goes wrong as there are clients before the good call begins.
    place.as_many_as_clients.notified().await;
    let before = place.wrongs.load(Ordering::Relaxed);
    let report = good_call::place(&server.origin, 1, &SAYS).await.remove(0);
    let beside = place.wrongs.load(Ordering::Relaxed) - before;
    clients.abort_all();
    while let Some(client) = clients.join_next().await {
        let stopped = client.expect_err("it goes on for as long as it is let");
        assert!(stopped.is_cancelled(), "{stopped}");
    }

    assert!(beside > 2_000, "only {beside} things were done wrong");
    good_call::was_greeted_soon(&report);
    good_call::was_answered_on_time(&report, START_WAIT_SECONDS);
    let audio = &report["audio"];
    assert_eq!(audio["packets_lost"], 0, "{audio:#}");
    assert_eq!(audio["concealed_ms"], 0.0, "{audio:#}");
    good_call::is_on_record(&report, &["lonely", "nobody"]);
    place.answers().await;
}

/// The server that is harmed, and how often it was.
struct Place {
    origin: String,
    address: SocketAddr,
    /// Where all calls' media goes.
    media: SocketAddr,
    key: String,
    http: Client,
    wrongs: AtomicUsize,
    as_many_as_clients: Notify,
}

impl Place {
    async fn of(origin: &str) -> Self {
        let http = Client::builder().timeout(ANSWERED_WITHIN).build().unwrap();
        let config = http.get(format!("{origin}/api/config")).send().await;
        let config: Value = config.unwrap().json().await.unwrap();
        let address: SocketAddr = origin.trim_start_matches("http://").parse().unwrap();
        let mut place = Self {
            origin: origin.to_owned(),
            address,
            media: address,
            key: config["publicKey"].as_str().unwrap().to_owned(),
            http,
            wrongs: AtomicUsize::new(0),
            as_many_as_clients: Notify::new(),
        };
        place.media = place.media_port().await;
        place
    }

    /// As an answer to an offer has it.
    async fn media_port(&self) -> SocketAddr {
        let (_, answer) = self.offer(&self.ask().await, OFFER.to_owned()).await;
        let candidate = answer.lines().find(|line| {
            let mut fields = line.split(' ');
            line.starts_with("a=candidate:") && fields.nth(4) == Some("127.0.0.1")
        });
        let port = candidate.unwrap().split(' ').nth(5).unwrap();
        SocketAddr::new(IpAddr::from([127, 0, 0, 1]), port.parse().unwrap())
    }

    /// The id of a new call, once there is a line for it: these clients hold many.
    async fn ask(&self) -> String {
        loop {
            let asked = self.http.post(format!("{}/call/web", self.origin));
            let body = json!({"assistantId": "helpline"});
            let answer = asked.bearer_auth(&self.key).json(&body).send().await;
            let call: Value = answer.unwrap().json().await.unwrap();
            if let Some(id) = call["id"].as_str() {
                return id.to_owned();
            }
            // Its own pace, as in `did_wrong`: a line is free when the server has seen one of them leave.
            tokio::time::sleep(EACH).await;
        }
    }

    async fn offer(&self, call: &str, sdp: impl Into<reqwest::Body>) -> (StatusCode, String) {
        let whip = format!("{}/call/{call}/whip", self.origin);
        let post = self
            .http
            .post(whip)
            .header("content-type", "application/sdp");
        let answer = post.body(sdp).send().await.unwrap();
        (answer.status(), answer.text().await.unwrap())
    }

    async fn join(&self, call: &str) -> WebSocketStream<MaybeTlsStream<TcpStream>> {
        let url = format!("ws://{}/call/{call}/socket", self.address);
        connect_async(url).await.unwrap().0
    }

    async fn answers(&self) {
        let health = self
            .http
            .get(format!("{}/health", self.origin))
            .send()
            .await;
        assert_eq!(health.unwrap().status(), StatusCode::OK);
    }

    async fn did_wrong(&self) {
        if self.wrongs.fetch_add(1, Ordering::Relaxed) + 1 == CLIENTS as usize {
            self.as_many_as_clients.notify_one();
        }
        // A client's own pace: the program that it harms has no virtual time.
        tokio::time::sleep(EACH).await;
    }

    /// For as long as it is let.
    async fn harm(self: Arc<Self>, sort: Sort, mut lot: StdRng) {
        // Not all at the same moment.
        tokio::time::sleep(EACH.mul_f64(lot.random())).await;
        loop {
            match sort {
                Sort::Offers => self.offers(&mut lot).await,
                Sort::Upgrades => self.upgrades(&mut lot).await,
                Sort::Frames => self.frames(&mut lot).await,
                Sort::AppMessages => self.app_messages(&mut lot).await,
                Sort::Packets => self.packets(&mut lot).await,
                Sort::Http => self.requests(&mut lot).await,
            }
        }
    }

    /// A call that is offered one damaged description after another.
    async fn offers(&self, lot: &mut StdRng) {
        let call = self.ask().await;
        for _ in 0..8 {
            let (status, body) = self.offer(&call, damaged(OFFER.as_bytes(), lot)).await;
            assert_ne!(status, StatusCode::INTERNAL_SERVER_ERROR, "{body}");
            self.did_wrong().await;
        }
        let nobody = format!("{}/call/{call}/whip/nobody", self.origin);
        let left = self.http.delete(nobody).send().await.unwrap();
        assert_eq!(left.status(), StatusCode::NOT_FOUND);
    }

    /// Upgrades that stop half way, or never were any.
    async fn upgrades(&self, lot: &mut StdRng) {
        let call = self.ask().await;
        let whole = format!(
            "GET /call/{call}/socket HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
             sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        let mut held = Vec::new();
        for _ in 0..8 {
            let mut socket = TcpStream::connect(self.address).await.unwrap();
            let upto = lot.random_range(0..whole.len() - 4);
            let sent = match lot.random_range(0..3) {
                0 => whole.as_bytes()[..upto].to_vec(),
                1 => whole.replace("version: 13", "version: 12").into_bytes(),
                _ => damaged(whole.as_bytes(), lot),
            };
            let _ = socket.write_all(&sent).await;
            held.push(socket);
            self.did_wrong().await;
        }
    }

    /// Joins a call, and sends frames that are none, or far too large.
    async fn frames(&self, lot: &mut StdRng) {
        let call = self.ask().await;
        let mut line = self.join(&call).await;
        for _ in 0..4 {
            let sent = match lot.random_range(0..3) {
                // Bytes past the framing, as of a client that has lost its place.
                0 => {
                    let garbage = bytes(lot, 600);
                    match line.get_mut() {
                        MaybeTlsStream::Plain(socket) => socket.write_all(&garbage).await.is_ok(),
                        _ => false,
                    }
                }
                1 => line.send(Message::binary(bytes(lot, 3_000))).await.is_ok(),
                _ => line.send(Message::binary(vec![7; 200_000])).await.is_ok(),
            };
            self.did_wrong().await;
            if !sent {
                break;
            }
        }
        // Many calls that begin and break would be another matter than what is sent in one.
        tokio::time::sleep(8 * EACH).await;
    }

    /// Joins a call, and sends app messages that say nothing.
    async fn app_messages(&self, lot: &mut StdRng) {
        let call = self.ask().await;
        let (mut to_call, mut from_call) = self.join(&call).await.split();
        // Who reads nothing would be cut off for that.
        let reading =
            tokio::spawn(async move { while let Some(Ok(_)) = from_call.next().await {} });
        for _ in 0..40 {
            let said = [
                json!({"type": "add-message", "message": 7}).to_string(),
                json!({"type": "add-message", "message": {"role": "system", "content": "x"}})
                    .to_string(),
                json!({"type": "say", "message": "x".repeat(lot.random_range(0..60_000))})
                    .to_string(),
                "[".repeat(lot.random_range(0..5_000)),
                String::from_utf8_lossy(&bytes(lot, 400)).into_owned(),
            ];
            let which = lot.random_range(0..said.len());
            if to_call
                .send(Message::text(said[which].clone()))
                .await
                .is_err()
            {
                break;
            }
            self.did_wrong().await;
        }
        let _ = to_call.close().await;
        reading.abort();
    }

    /// Packets of nobody's, in the shapes of STUN, DTLS, SRTP and SRTCP among them.
    async fn packets(&self, lot: &mut StdRng) {
        let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        for _ in 0..40 {
            for shape in [
                [0, 1],
                [22, 254],
                [128, 111],
                [128, 201],
                [lot.random(), lot.random()],
            ] {
                let garbage = [shape.to_vec(), bytes(lot, 1_400)].concat();
                let _ = socket.send_to(&garbage, self.media).await;
            }
            self.did_wrong().await;
        }
    }

    /// What is no HTTP, or not quite.
    async fn requests(&self, lot: &mut StdRng) {
        let whole = b"POST /chat HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
            authorization: Bearer nightlight-public\r\ncontent-length: 40\r\n\r\n{\"assistantId\":\"helpline\",\"input\":\"abc\"}";
        let wrong = match lot.random_range(0..6) {
            0 => bytes(lot, 2_000),
            1 => damaged(whole, lot),
            2 => [b"GET / HTTP/1.1\r\nx: ".as_slice(), &vec![b'y'; 200_000]].concat(),
            3 => b"POST /chat HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\ncontent-length: 3\r\n\r\nzz\r\n".to_vec(),
            4 => format!("GET /{} HTTP/1.1\r\nhost: x\r\n\r\n", "%2e%2e/".repeat(900)).into_bytes(),
            _ => b"BREW /api/calls HTTP/9.9\r\n\r\n".to_vec(),
        };
        let mut socket = TcpStream::connect(self.address).await.unwrap();
        let _ = socket.write_all(&wrong).await;
        let mut answer = [0; 200];
        let answered = tokio::time::timeout(EACH, socket.read(&mut answer)).await;
        if let Ok(Ok(length)) = answered {
            let answer = String::from_utf8_lossy(&answer[..length]);
            assert!(!answer.starts_with("HTTP/1.1 500"), "{answer}");
        }
        self.did_wrong().await;
    }
}

fn bytes(lot: &mut StdRng, most: usize) -> Vec<u8> {
    let mut bytes = vec![0; lot.random_range(0..most)];
    lot.fill_bytes(&mut bytes);
    bytes
}

/// Cut, doubled in part, or with bytes of it made up.
fn damaged(whole: &[u8], lot: &mut StdRng) -> Vec<u8> {
    let mut damaged = whole.to_vec();
    for _ in 0..lot.random_range(1..6) {
        if damaged.is_empty() {
            break;
        }
        let at = lot.random_range(0..damaged.len());
        match lot.random_range(0..3) {
            0 => damaged.truncate(at),
            1 => damaged.extend_from_within(at..),
            _ => damaged[at] = lot.random(),
        }
    }
    damaged
}
