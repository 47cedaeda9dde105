//! A caller on a call's WebSocket: says things aloud or by text, and keeps what comes back.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::header::COOKIE;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, client_async, connect_async};

const SAMPLES_PER_SECOND: usize = 16_000;
/// Of what a call tells by itself: a test that waits for what never comes is to say so.
const TOLD_WITHIN: Duration = Duration::from_secs(120);

pub struct SocketCaller {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// App messages as they came.
    pub told: Vec<String>,
    /// Everything heard from the assistant.
    pub heard: Vec<i16>,
}

impl SocketCaller {
    pub async fn join(call: &Value) -> Self {
        Self::try_to_join(call, None).await.unwrap()
    }

    /// With a visitor's cookie, also to a call that was joined before.
    pub async fn try_to_join(call: &Value, cookie: Option<&str>) -> Result<Self, Error> {
        let url = call["transport"]["websocketCallUrl"].as_str().unwrap();
        let mut request = url.into_client_request()?;
        if let Some(cookie) = cookie {
            request.headers_mut().insert(COOKIE, cookie.parse()?);
        }
        let (socket, _) = connect_async(request).await?;
        Ok(Self::on(socket))
    }

    /// From this address of the machine's.
    pub async fn join_from(address: IpAddr, call: &Value) -> Self {
        let url = call["transport"]["websocketCallUrl"].as_str().unwrap();
        let server = url.split('/').nth(2).unwrap().parse().unwrap();
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(SocketAddr::new(address, 0)).unwrap();
        let stream = MaybeTlsStream::Plain(socket.connect(server).await.unwrap());
        Self::on(client_async(url, stream).await.unwrap().0)
    }

    fn on(socket: WebSocketStream<MaybeTlsStream<TcpStream>>) -> Self {
        Self {
            socket,
            told: Vec::new(),
            heard: Vec::new(),
        }
    }

    pub async fn send(&mut self, message: Value) {
        let text = match message {
            Value::String(bare) => bare,
            object => object.to_string(),
        };
        self.socket.send(Message::text(text)).await.unwrap();
    }

    /// Writes instead of speaking.
    pub async fn type_words(&mut self, words: &str) {
        let message = json!({"role": "user", "content": words});
        self.send(json!({"type": "add-message", "message": message}))
            .await;
    }

    /// Speaks these samples in real time, a frame every 20 ms.
    pub async fn speak(&mut self, samples: &[i16]) {
        self.try_to_speak(samples).await.unwrap();
    }

    /// The same on a line that may break.
    pub async fn try_to_speak(&mut self, samples: &[i16]) -> Result<(), Error> {
        let mut ticks = tokio::time::interval(std::time::Duration::from_millis(20));
        for frame in samples.chunks(SAMPLES_PER_SECOND / 50) {
            ticks.tick().await;
            let bytes: Vec<u8> = frame
                .iter()
                .flat_map(|sample| sample.to_le_bytes())
                .collect();
            self.socket.send(Message::binary(bytes)).await?;
        }
        Ok(())
    }

    /// Sends so much sound at once, also when nobody takes it any more.
    pub async fn send_regardless(&mut self, seconds: usize) {
        for _ in 0..seconds {
            let sound = Message::binary(vec![0; SAMPLES_PER_SECOND * 2]);
            if self.socket.send(sound).await.is_err() {
                return;
            }
        }
    }

    /// Reads until an app message for which this holds, and gives it; `None` when the call is over.
    pub async fn until(&mut self, holds: impl Fn(&Value) -> bool) -> Option<Value> {
        let waiting = tokio::time::timeout(TOLD_WITHIN, self.until_told(holds));
        waiting.await.expect("it is told some time")
    }

    async fn until_told(&mut self, holds: impl Fn(&Value) -> bool) -> Option<Value> {
        while let Some(Ok(message)) = self.socket.next().await {
            match message {
                Message::Text(text) => {
                    self.told.push(text.to_string());
                    let value = serde_json::from_str(&text)
                        .unwrap_or_else(|_| Value::String(text.to_string()));
                    if holds(&value) {
                        return Some(value);
                    }
                }
                Message::Binary(pcm) => self.take_in(&pcm),
                Message::Close(_) => return None,
                _ => {}
            }
        }
        None
    }

    /// The next so many samples of what is heard.
    pub async fn hear(&mut self, samples: usize) -> Vec<i16> {
        let from = self.heard.len();
        while self.heard.len() < from + samples {
            let message = self.socket.next().await.expect("the call goes on");
            match message.unwrap() {
                Message::Text(text) => self.told.push(text.to_string()),
                Message::Binary(pcm) => self.take_in(&pcm),
                _ => {}
            }
        }
        self.heard[from..from + samples].to_vec()
    }

    fn take_in(&mut self, pcm: &[u8]) {
        let samples = pcm
            .chunks_exact(2)
            .map(|b| i16::from_le_bytes([b[0], b[1]]));
        self.heard.extend(samples);
    }

    /// Reads to the end: whether that is a goodbye and no broken connection.
    pub async fn closed_in_order(&mut self) -> bool {
        let mut goodbye = false;
        while let Some(message) = self.socket.next().await {
            match message {
                Ok(message) => goodbye |= message.is_close(),
                Err(_) => return false,
            }
        }
        goodbye
    }

    /// Until the assistant has said something to its end.
    pub async fn until_the_assistant_has_spoken(&mut self) {
        self.until(|message| {
            message["type"] == "speech-update"
                && message["role"] == "assistant"
                && message["status"] == "stopped"
        })
        .await
        .expect("the assistant speaks before the call ends");
    }

    pub async fn hang_up(&mut self) {
        self.send(json!({"type": "end-call"})).await;
        self.until(|_| false).await;
    }
}
