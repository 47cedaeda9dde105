//! The task that drives one officer's line: what is for it goes out, what comes from it goes to the call.

use tokio::sync::mpsc;

use super::{FromOfficer, OfficerId};
use crate::media::{AudioFrame, FromCaller, Transport};
use crate::playout::RenderedFrame;

/// What is for an officer's line.
#[allow(
    clippy::large_enum_variant,
    reason = "a frame is sent every 20 ms; a box would be an allocation each"
)]
pub(super) enum ToLine {
    Sound(AudioFrame),
    Packet(RenderedFrame),
    Message(String),
}

/// Runs until the line is gone, or the call has let go of it.
pub(super) async fn drive(
    mut line: Box<dyn Transport>,
    mut orders: mpsc::UnboundedReceiver<ToLine>,
    events: mpsc::Sender<FromOfficer>,
    officer: OfficerId,
    number: u64,
) {
    loop {
        tokio::select! {
            biased;
            order = orders.recv() => match order {
                Some(ToLine::Sound(frame)) => line.send_audio(&frame),
                Some(ToLine::Packet(frame)) => line.send_packet(frame.packet()),
                Some(ToLine::Message(text)) => line.send_message(&text),
                None => break,
            },
            what = line.next() => {
                let is_gone = matches!(what, FromCaller::Closed(_));
                let from = FromOfficer { officer, line: number, what };
                if events.send(from).await.is_err() || is_gone {
                    break;
                }
            }
        }
    }
    line.close().await;
}
