//! A call's WebSocket: raw PCM both ways in binary messages, app messages in text. Here the socket
//! is only bridged to the call's transport; what the messages mean is the call's to know.

use std::pin::pin;
use std::time::Duration;

use axum::Extension;
use axum::extract::rejection::PathRejection;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::response::Response;
use call::media::{SocketFrame, WebSocketTransport};
use futures_util::{SinkExt, StreamExt};
use tokio::sync::mpsc;

use super::whip::call_id;
use crate::app::App;
use crate::connections::Talks;
use crate::errors::{ApiError, ErrorAnswer};
use crate::joining::{self, join_when_connected};
use crate::session::Visitor;

/// The largest message taken, either kind: two seconds of sound and more than any app message.
const MAX_MESSAGE_BYTES: usize = 128 * 1024;
/// How long the caller's side may take to close after ours.
const CLOSED_WITHIN: Duration = Duration::from_secs(2);
/// Messages between the socket and the call, each way: a second of sound in frames of 20 ms.
const BETWEEN: usize = 50;

/// Joins a call over a WebSocket: 16-bit little-endian samples at 16 kHz, mono. Its visitor joins it again in the same way
/// when the line was lost. A socket that closes without a close frame is a lost line.
#[utoipa::path(
    get,
    path = "/call/{id}/socket",
    tag = "platform",
    params(("id" = String, Path, description = "The call")),
    responses(
        (status = 101, description = "Binary messages carry PCM, text messages app messages"),
        (status = 403, body = ErrorAnswer, description = "`origin-foreign`: another site's page asked"),
        (status = 404, body = ErrorAnswer, description = "`call-not-found`"),
        (status = 409, body = ErrorAnswer, description = "`call-joined`: by somebody else"),
        (status = 410, body = ErrorAnswer, description = "`call-expired`"),
        (status = 426, body = ErrorAnswer, description = "`websocket-required`"),
        (status = 503, body = ErrorAnswer, description = "`lines-busy`, `shutting-down`, `call-elsewhere`: another node has the call; ask again in a moment")
    )
)]
pub async fn socket(
    State(app): State<App>,
    Visitor(visitor): Visitor,
    talks: Option<Extension<Talks>>,
    path: Result<Path<String>, PathRejection>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    let Path(id) = path.map_err(|_| ApiError::UnknownCall)?;
    let call = call_id(&id)?;
    let upgrade = upgrade.map_err(|_| ApiError::NotAWebSocket)?;
    let attempt = joining::attempt(&app, call, visitor).await?;
    let (to_call, incoming) = mpsc::channel(BETWEEN);
    let (outgoing, from_call) = mpsc::channel(BETWEEN);
    let failed = {
        let (app, attempt) = (app.clone(), attempt.clone());
        move |_| app.lines.fail(call, &attempt)
    };
    let bridged = upgrade
        .max_message_size(MAX_MESSAGE_BYTES)
        .max_frame_size(MAX_MESSAGE_BYTES)
        .on_failed_upgrade(failed)
        .on_upgrade(move |socket| async move {
            let transport = WebSocketTransport::new(incoming, outgoing);
            join_when_connected(&app, call, attempt, Box::new(transport));
            bridge(socket, to_call, from_call).await;
            drop(talks);
        });
    Ok(bridged)
}

/// How a caller's side of a socket came to its end.
#[derive(PartialEq)]
enum Left {
    WithAGoodbye,
    /// The call hears of it as the socket is dropped, and waits for its caller.
    CutOff,
}

/// Until either side is done.
async fn bridge(
    socket: WebSocket,
    to_call: mpsc::Sender<SocketFrame>,
    mut from_call: mpsc::Receiver<SocketFrame>,
) {
    let (mut sink, mut stream) = socket.split();
    let receiving = async move {
        let mut taken = true;
        while let Some(Ok(message)) = stream.next().await {
            let frame = match message {
                Message::Binary(pcm) => SocketFrame::Pcm(pcm),
                Message::Text(text) => SocketFrame::Text(text.to_string()),
                Message::Close(_) => {
                    let _ = to_call.send(SocketFrame::Close).await;
                    return Left::WithAGoodbye;
                }
                // The library answers pings.
                Message::Ping(_) | Message::Pong(_) => continue,
            };
            // When the call has ended its last words are still on their way out: what comes is read on and
            // left, since a socket that is closed over unread bytes takes back what it has sent.
            taken = taken && to_call.send(frame).await.is_ok();
        }
        Left::CutOff
    };
    let sending = async {
        while let Some(frame) = from_call.recv().await {
            let message = match frame {
                SocketFrame::Pcm(pcm) => Message::Binary(pcm),
                SocketFrame::Text(text) => Message::Text(text.into()),
                SocketFrame::Close => break,
            };
            if sink.send(message).await.is_err() {
                return;
            }
        }
        let _ = sink.send(Message::Close(None)).await;
        let _ = sink.close().await;
    };
    let (mut receiving, mut sending) = (pin!(receiving), pin!(sending));
    tokio::select! {
        left = &mut receiving => if left == Left::WithAGoodbye {
            // The call closes its side next.
            sending.await;
        },
        () = &mut sending => {
            let _ = tokio::time::timeout(CLOSED_WITHIN, receiving).await;
        }
    }
}
