//! Raw PCM over a WebSocket: 16 kHz mono 16-bit little-endian frames both ways, text for messages.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::{self, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::clip::Frame;
use crate::ear::Packet;
use crate::line::{CallClock, Closed, FromServer};

const CONNECT_WITHIN: Duration = Duration::from_secs(10);
const CLOSE_WITHIN: Duration = Duration::from_secs(2);

#[derive(Debug, thiserror::Error)]
pub enum SocketError {
    #[error("the socket {url} did not open ({source}); only ws:// is spoken here")]
    Refused {
        url: String,
        source: Box<tungstenite::Error>,
    },
    #[error("the socket {0} did not open within {CONNECT_WITHIN:?}")]
    TooLate(String),
}

pub struct SocketLine {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    clock: CallClock,
    announced: bool,
}

impl SocketLine {
    pub async fn open(url: &str, clock: CallClock) -> Result<Self, SocketError> {
        let (socket, _) = timeout(CONNECT_WITHIN, connect_async(url))
            .await
            .map_err(|_| SocketError::TooLate(url.to_owned()))?
            .map_err(|source| SocketError::Refused {
                url: url.to_owned(),
                source: Box::new(source),
            })?;
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            // Frames of 20 ms must not wait for each other; without it they only come later.
            let _ = stream.set_nodelay(true);
        }
        Ok(Self {
            socket,
            clock,
            announced: false,
        })
    }

    pub async fn next(&mut self) -> FromServer {
        if !self.announced {
            self.announced = true;
            return FromServer::Connected;
        }
        loop {
            match self.socket.next().await {
                Some(Ok(Message::Binary(bytes))) => {
                    return FromServer::Audio(Packet {
                        samples: bytes
                            .chunks_exact(2)
                            .map(|pair| i16::from_le_bytes([pair[0], pair[1]]))
                            .collect(),
                        arrived: self.clock.now(),
                        media_time: None,
                        concealed: 0,
                    });
                }
                Some(Ok(Message::Text(text))) => return FromServer::Message(text.to_string()),
                Some(Ok(Message::Close(_))) | None => return FromServer::Closed(Closed::ByServer),
                Some(Ok(_)) => {}
                Some(Err(tungstenite::Error::ConnectionClosed)) => {
                    return FromServer::Closed(Closed::ByServer);
                }
                Some(Err(_)) => return FromServer::Closed(Closed::MediaLost),
            }
        }
    }

    /// A frame that cannot be sent tells of a closed socket, which `next` reports.
    pub async fn send_frame(&mut self, frame: &Frame) {
        let bytes: Vec<u8> = frame
            .samples
            .iter()
            .flat_map(|sample| sample.to_le_bytes())
            .collect();
        let _ = self.socket.send(Message::Binary(bytes.into())).await;
    }

    pub async fn send_message(&mut self, text: &str) {
        let _ = self.socket.send(Message::Text(text.into())).await;
    }

    pub async fn close(&mut self) {
        let _ = timeout(CLOSE_WITHIN, self.socket.close(None)).await;
    }
}
