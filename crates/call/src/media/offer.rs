//! Which SDP offers begin a call, and what is answered.
//!
//! An offer must bring sound in Opus; a data channel is welcome but not needed, and video is
//! declined. The browser's own ICE candidates are not needed either: as an ICE-lite server we only
//! answer its checks, so no offer can make us send to an address it names. There is no
//! renegotiation: a call keeps what its one offer set up.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use str0m::change::SdpOffer;
use str0m::config::DtlsVersion;
use str0m::format::Codec;
use str0m::media::{Mid, Pt};
use str0m::{Candidate, IceCreds, Rtc};
use tokio::time::Instant;

use super::udp::Media;
use super::webrtc::WebRtcTransport;

/// Browsers' offers are 2 to 6 KB; this leaves room for any number of candidates.
pub const MAX_OFFER_BYTES: usize = 64 * 1024;

/// How many later packets, or how long, to wait for a missing one before it counts as lost. Only
/// a hole in the sequence waits; sound in order is not held back.
const REORDER_PACKETS: usize = 3;
const REORDER_WAIT: Duration = Duration::from_millis(60);

/// Why an offer is refused. The texts never quote the offer: it holds the caller's addresses.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OfferError {
    /// Longer than any browser's.
    #[error("the offer is larger than {MAX_OFFER_BYTES} bytes: send a plain WebRTC offer")]
    TooLarge,
    /// Not a session description.
    #[error("the offer is not valid SDP: send the text of RTCPeerConnection.createOffer()")]
    NotSdp,
    /// No audio section, or one that is switched off.
    #[error("the offer has no audio: add a microphone track before creating it")]
    NoAudio,
    /// An audio section through which we would never hear anything.
    #[error("the offer's audio does not send: make it sendrecv")]
    NotSending,
    /// Sound in other codecs only.
    #[error("the offer's audio has no Opus: allow the codec opus/48000/2")]
    NoOpus,
    /// Without ICE credentials or a DTLS fingerprint there is no secure connection, and two
    /// ICE-lite sides would wait for each other.
    #[error(
        "the offer cannot be answered: it needs ICE credentials, a DTLS fingerprint and full ICE"
    )]
    Unanswerable,
    /// Our side failed.
    #[error("the call could not be set up on the server: try again")]
    Internal,
}

/// The sound of one call: which media section, and under which payload type Opus goes.
#[derive(Debug, Clone, Copy)]
pub(super) struct AudioLine {
    pub mid: Mid,
    pub payload: Pt,
    /// Whether the caller wants to hear us.
    pub sends: bool,
}

pub(super) fn accept(
    media: &Arc<Media>,
    sdp: &str,
) -> Result<(WebRtcTransport, String), OfferError> {
    if sdp.len() > MAX_OFFER_BYTES {
        return Err(OfferError::TooLarge);
    }
    let credentials = IceCreds::new();
    let known_by = credentials.clone();
    // str0m reads text from strangers here. None of 60 000 damaged offers made it panic; should one,
    // that is a refused offer and nothing else: everything it touched is dropped with it.
    let negotiated = catch_unwind(AssertUnwindSafe(|| negotiate(media, sdp, credentials)));
    let (rtc, audio, answer) = negotiated.unwrap_or_else(|_| {
        tracing::error!("reading an offer panicked");
        Err(OfferError::Internal)
    })?;
    let (route, packets) = media.routes.add(known_by);
    let transport =
        WebRtcTransport::new(Arc::clone(media), rtc, audio, route, packets).map_err(|error| {
            tracing::error!(%error, "a call could not be set up");
            OfferError::Internal
        })?;
    Ok((transport, answer))
}

fn negotiate(
    media: &Media,
    sdp: &str,
    credentials: IceCreds,
) -> Result<(Rtc, AudioLine, String), OfferError> {
    let offer = SdpOffer::from_sdp_string(sdp).map_err(|_| OfferError::NotSdp)?;
    let mut rtc = Rtc::builder()
        // Browsers offer 1.3. Where one packet in five is lost, keys are agreed on by it in 3 to 6 s, by 1.2 in 5 to 16, or never.
        .set_dtls_version(DtlsVersion::Auto)
        .set_ice_lite(true)
        .set_local_ice_credentials(credentials)
        .clear_codecs()
        .enable_opus(true, false)
        .set_reordering_size_audio(REORDER_PACKETS)
        .set_reordering_timeout_audio(Some(REORDER_WAIT))
        .build(Instant::now().into_std());
    for address in media.addresses() {
        let candidate = Candidate::host(address, "udp").map_err(|_| OfferError::Internal)?;
        rtc.add_local_candidate(candidate);
    }
    let answer = rtc
        .sdp_api()
        .accept_offer(offer)
        .map_err(|_| OfferError::Unanswerable)?;
    let audio = audio_line(&mut rtc, sdp)?;
    Ok((rtc, audio, answer.to_sdp_string()))
}

/// Finds the first section whose sound we can hear.
fn audio_line(rtc: &mut Rtc, sdp: &str) -> Result<AudioLine, OfferError> {
    let mut refused = OfferError::NoAudio;
    for name in audio_sections(sdp) {
        let mid = Mid::from(name);
        let Some(direction) = rtc.media(mid).map(str0m::media::Media::direction) else {
            continue;
        };
        if !direction.is_receiving() {
            refused = OfferError::NotSending;
            continue;
        }
        let opus = rtc.writer(mid).and_then(|writer| {
            writer
                .payload_params()
                .find(|p| p.spec().codec == Codec::Opus)
                .map(|p| p.pt())
        });
        let Some(payload) = opus else {
            refused = OfferError::NoOpus;
            continue;
        };
        return Ok(AudioLine {
            mid,
            payload,
            sends: direction.is_sending(),
        });
    }
    Err(refused)
}

/// The names (`a=mid:`) of the offer's audio sections. str0m reports them itself only once media
/// flows, which is too late to refuse an offer.
fn audio_sections(sdp: &str) -> impl Iterator<Item = &str> {
    let mut in_audio = false;
    sdp.lines().filter_map(move |line| {
        if let Some(section) = line.strip_prefix("m=") {
            in_audio = section.starts_with("audio ");
        }
        line.strip_prefix("a=mid:")
            .filter(|_| in_audio)
            .map(str::trim)
    })
}
