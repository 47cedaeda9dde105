//! Counts what the media side throws away, by reason. Only counts: never an address or content.

/// Random bytes, or a packet of no call: `nightlight_media_packets_dropped_total{reason=…}`.
pub(super) const NO_CALL: &str = "no_call";
/// A STUN request that names a call and does not know its password.
pub(super) const UNAUTHENTICATED: &str = "unauthenticated";
/// The call's task did not keep up.
pub(super) const QUEUE_FULL: &str = "queue_full";
/// Larger than any packet of ours.
pub(super) const OVERSIZED_PACKET: &str = "oversized_packet";
/// Not understood by the call it was for.
pub(super) const MALFORMED: &str = "malformed";
/// The socket, or the WebSocket, took no more.
pub(super) const SEND_BLOCKED: &str = "send_blocked";
/// An Opus packet that does not decode.
pub(super) const UNDECODABLE: &str = "undecodable";
/// An app message above the limit.
pub(super) const OVERSIZED_MESSAGE: &str = "oversized_message";
/// An app message that is not text, or on a data channel that is not ours.
pub(super) const FOREIGN_MESSAGE: &str = "foreign_message";
/// Too many app messages waiting to be sent.
pub(super) const MESSAGE_QUEUE_FULL: &str = "message_queue_full";

pub(super) fn count(reason: &'static str) {
    metrics::counter!("nightlight_media_packets_dropped_total", "reason" => reason).increment(1);
}
