//! Which offers begin a call, and what becomes of the others.
#![allow(clippy::unwrap_used)]

use std::net::IpAddr;
use std::sync::{Arc, OnceLock};

use call::media::{Media, MediaSettings, OfferError};
use proptest::prelude::*;
use tokio::runtime::Runtime;

/// What Chromium 156 offers for one microphone and a data channel.
const CHROMIUM: &str = include_str!("offers/chromium.sdp");

/// The same in the form that Firefox gives its offers.
const FIREFOX: &str = include_str!("offers/firefox.sdp");

/// One port for all tests here: a call that is refused, or dropped, leaves nothing behind.
fn media() -> &'static Arc<Media> {
    static MEDIA: OnceLock<(Runtime, Arc<Media>)> = OnceLock::new();
    let (_, media) = MEDIA.get_or_init(|| {
        let runtime = Runtime::new().unwrap();
        let media = runtime
            .block_on(Media::bind(MediaSettings {
                bind: vec![IpAddr::from([127, 0, 0, 1])],
                ..MediaSettings::default()
            }))
            .unwrap();
        (runtime, media)
    });
    media
}

fn answer(offer: &str) -> Result<String, OfferError> {
    let accepted = media().accept_offer(offer);
    accepted.map(|(_transport, answer)| answer)
}

fn refusal(offer: &str) -> OfferError {
    answer(offer).expect_err("this offer is to be refused")
}

#[test]
fn browsers_are_answered_with_opus_redundancy_and_our_one_candidate() {
    for offer in [CHROMIUM, FIREFOX] {
        let answer = answer(offer).unwrap();
        let port = media().addresses()[0].port();
        let lines: Vec<&str> = answer.lines().collect();
        assert!(lines.contains(&"a=ice-lite"), "{answer}");
        assert!(lines.contains(&"a=sendrecv"), "{answer}");
        let fmtp = lines.iter().find(|l| l.starts_with("a=fmtp:")).unwrap();
        assert!(fmtp.contains("useinbandfec=1"), "{answer}");
        let candidates: Vec<_> = lines
            .iter()
            .filter(|l| l.starts_with("a=candidate:"))
            .collect();
        assert!(!candidates.is_empty());
        for candidate in candidates {
            assert!(
                candidate.contains(&format!(" 127.0.0.1 {port} typ host")),
                "{answer}"
            );
        }
        assert!(
            answer.contains("m=application 9 UDP/DTLS/SCTP webrtc-datachannel"),
            "{answer}"
        );
    }
}

#[test]
fn an_offer_without_a_data_channel_is_still_a_call() {
    let (audio, _) = CHROMIUM.split_once("m=application").unwrap();
    answer(&audio.replace("BUNDLE 0 1", "BUNDLE 0")).unwrap();
}

#[test]
fn what_is_not_a_session_description_is_refused_as_such() {
    for offer in ["", "hello", "v=0", "{\"sdp\":\"v=0\"}", "\0\u{1F600}"] {
        assert_eq!(refusal(offer), OfferError::NotSdp, "{offer:?}");
    }
}

#[test]
fn an_offer_larger_than_any_browsers_is_refused_unread() {
    let offer = format!("{CHROMIUM}{}", "a=x\r\n".repeat(20_000));
    assert_eq!(refusal(&offer), OfferError::TooLarge);
}

#[test]
fn an_offer_without_sound_is_refused() {
    let (session, rest) = CHROMIUM.split_once("m=audio").unwrap();
    let (_, channel) = rest.split_once("m=application").unwrap();
    let offer = format!("{session}m=application{channel}").replace("BUNDLE 0 1", "BUNDLE 1");
    assert_eq!(refusal(&offer), OfferError::NoAudio);
}

#[test]
fn an_offer_that_only_listens_is_refused() {
    for direction in ["a=recvonly", "a=inactive"] {
        let offer = CHROMIUM.replace("a=sendrecv", direction);
        assert_eq!(refusal(&offer), OfferError::NotSending, "{direction}");
    }
}

#[test]
fn an_offer_without_opus_is_refused() {
    let offer = CHROMIUM.replace("opus/48000/2", "speex/16000");
    assert_eq!(refusal(&offer), OfferError::NoOpus);
}

#[test]
fn an_offer_without_a_secure_connection_is_refused() {
    let without = |prefix: &str| {
        let kept: Vec<_> = CHROMIUM
            .lines()
            .filter(|l| !l.starts_with(prefix))
            .collect();
        kept.join("\r\n") + "\r\n"
    };
    for prefix in ["a=fingerprint", "a=ice-ufrag", "a=ice-pwd"] {
        let refused = refusal(&without(prefix));
        assert!(
            matches!(refused, OfferError::Unanswerable | OfferError::NotSdp),
            "without {prefix}: {refused:?}"
        );
    }
}

#[test]
fn no_refusal_quotes_the_offer() {
    let offer = CHROMIUM.replace("opus/48000/2", "speex/16000");
    assert!(!refusal(&offer).to_string().contains("speex"));
}

/// Changes an offer the way a broken or hostile client might.
#[derive(Debug, Clone)]
enum Mutation {
    DropLine(usize),
    RepeatLine(usize, usize),
    SwapLines(usize, usize),
    CutAt(usize),
    PutBytes(usize, String),
    ReplaceNumber(usize, u64),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    use Mutation::*;
    prop_oneof![
        any::<usize>().prop_map(DropLine),
        (any::<usize>(), 1..50usize).prop_map(|(line, times)| RepeatLine(line, times)),
        (any::<usize>(), any::<usize>()).prop_map(|(a, b)| SwapLines(a, b)),
        any::<usize>().prop_map(CutAt),
        (any::<usize>(), ".{0,20}").prop_map(|(at, text)| PutBytes(at, text)),
        (
            any::<usize>(),
            prop_oneof![Just(0), Just(1), Just(65_536), Just(u64::MAX), any::<u64>()]
        )
            .prop_map(|(which, value)| ReplaceNumber(which, value)),
    ]
}

fn mutate(offer: &str, mutation: &Mutation) -> String {
    let mut lines: Vec<String> = offer.split_inclusive("\r\n").map(str::to_owned).collect();
    if lines.is_empty() {
        return offer.to_owned();
    }
    let count = lines.len();
    match mutation {
        Mutation::DropLine(line) => {
            lines.remove(line % count);
        }
        Mutation::RepeatLine(line, times) => {
            let repeated = lines[line % count].repeat(*times);
            lines[line % count] = repeated;
        }
        Mutation::SwapLines(a, b) => lines.swap(a % count, b % count),
        Mutation::CutAt(at) => {
            let mut cut = at % offer.len();
            while !offer.is_char_boundary(cut) {
                cut -= 1;
            }
            return offer[..cut].to_owned();
        }
        Mutation::PutBytes(at, text) => {
            let mut place = at % offer.len();
            while !offer.is_char_boundary(place) {
                place -= 1;
            }
            return format!("{}{text}{}", &offer[..place], &offer[place..]);
        }
        Mutation::ReplaceNumber(which, value) => {
            let numbers: Vec<_> = offer
                .char_indices()
                .filter(|(i, c)| {
                    c.is_ascii_digit() && (*i == 0 || !offer.as_bytes()[i - 1].is_ascii_digit())
                })
                .map(|(i, _)| i)
                .collect();
            let Some(start) = numbers.get(which % numbers.len().max(1)) else {
                return offer.to_owned();
            };
            let len = offer[*start..]
                .bytes()
                .take_while(u8::is_ascii_digit)
                .count();
            return format!("{}{value}{}", &offer[..*start], &offer[start + len..]);
        }
    }
    lines.concat()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn no_text_makes_reading_an_offer_panic(text in ".{0,400}") {
        prop_assert!(answer(&text) != Err(OfferError::Internal));
    }

    #[test]
    fn no_damaged_offer_makes_reading_it_panic(
        firefox in any::<bool>(),
        mutations in proptest::collection::vec(mutation(), 1..6),
    ) {
        let mut offer = if firefox { FIREFOX } else { CHROMIUM }.to_owned();
        for mutation in &mutations {
            if offer.is_empty() {
                break;
            }
            offer = mutate(&offer, mutation);
        }
        // A panic is caught and comes out as our own failure.
        prop_assert!(answer(&offer) != Err(OfferError::Internal));
    }
}
