//! WebRTC calls over real loopback sockets, with str0m as the browser's side.
#![allow(clippy::unwrap_used)]

#[path = "support/str0m_client.rs"]
mod str0m_client;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use call::media::{
    AudioFrame, CloseReason, FRAME_SAMPLES, FromCaller, MAX_MESSAGE_BYTES, Media, MediaSettings,
    Transport, WebRtcTransport,
};
use str0m::config::DtlsVersion;
use str0m::ice::{StunMessage, TransId};
use str0m_client::{Behaviour, Connected, Noticed, Str0mClient};
use tokio::net::UdpSocket;
use tokio::time::timeout;

/// Far more than anything here takes; only a fault is waited for that long.
const PATIENCE: Duration = Duration::from_secs(10);

async fn media(change: impl FnOnce(&mut MediaSettings)) -> Arc<Media> {
    let mut settings = MediaSettings {
        bind: vec![IpAddr::from([127, 0, 0, 1])],
        ..MediaSettings::default()
    };
    change(&mut settings);
    Media::bind(settings).await.unwrap()
}

async fn call(media: &Arc<Media>, behaviour: Behaviour) -> (WebRtcTransport, Connected) {
    call_from(media, Str0mClient::new().await, behaviour).await
}

/// Both sides of a call, connected and with an open data channel.
async fn call_from(
    media: &Arc<Media>,
    client: Str0mClient,
    behaviour: Behaviour,
) -> (WebRtcTransport, Connected) {
    let (mut transport, answer) = media.accept_offer(&client.offer).unwrap();
    let mut caller = client.connect(&answer, behaviour);
    let opened = async { while !matches!(caller.next().await, Noticed::ChannelOpen) {} };
    let (first, ()) = timeout(PATIENCE, drive(&mut transport, opened))
        .await
        .unwrap();
    assert_eq!(first.first(), Some(&FromCaller::Connected));
    (transport, caller)
}

/// Keeps a transport going until something else is done; gives what it brought until then.
async fn drive<T>(
    transport: &mut WebRtcTransport,
    until: impl Future<Output = T>,
) -> (Vec<FromCaller>, T) {
    let mut brought = vec![];
    tokio::pin!(until);
    loop {
        tokio::select! {
            biased;
            event = transport.next() => {
                let closed = matches!(event, FromCaller::Closed(_));
                brought.push(event);
                if closed {
                    return (brought, until.await);
                }
            }
            done = &mut until => return (brought, done),
        }
    }
}

async fn hear(transport: &mut WebRtcTransport, frames: usize) -> Vec<AudioFrame> {
    let mut heard = vec![];
    while heard.len() < frames {
        match timeout(PATIENCE, transport.next()).await.unwrap() {
            FromCaller::Audio(frame) => heard.push(frame),
            FromCaller::Missing => heard.push([0; FRAME_SAMPLES]),
            FromCaller::Closed(reason) => panic!("closed: {reason:?}"),
            _ => {}
        }
    }
    heard
}

async fn next_message(transport: &mut WebRtcTransport) -> String {
    loop {
        match timeout(PATIENCE, transport.next()).await.unwrap() {
            FromCaller::Message(text) => return text.expose_secret().clone(),
            FromCaller::Closed(reason) => panic!("closed: {reason:?}"),
            _ => {}
        }
    }
}

async fn closed(transport: &mut WebRtcTransport) -> CloseReason {
    loop {
        if let FromCaller::Closed(reason) = timeout(PATIENCE, transport.next()).await.unwrap() {
            return reason;
        }
    }
}

fn rms(frames: &[AudioFrame]) -> f64 {
    let samples = frames.len() * FRAME_SAMPLES;
    let sum: f64 = frames.iter().flatten().map(|s| f64::from(*s).powi(2)).sum();
    (sum / samples as f64).sqrt()
}

/// The pitch of a tone, from how often it crosses zero upwards.
fn hertz(frames: &[AudioFrame]) -> f64 {
    let samples: Vec<i16> = frames.iter().flatten().copied().collect();
    let crossings = samples.windows(2).filter(|w| w[0] < 0 && w[1] >= 0).count();
    crossings as f64 * 16_000.0 / samples.len() as f64
}

fn tone(hertz: f64, index: usize) -> AudioFrame {
    std::array::from_fn(|i| {
        let time = (index * FRAME_SAMPLES + i) as f64 / 16_000.0;
        ((time * hertz * std::f64::consts::TAU).sin() * 10_000.0) as i16
    })
}

#[tokio::test]
async fn the_caller_is_heard_and_hears_the_assistant() {
    let media = media(|_| {}).await;
    let (mut transport, mut caller) = call(&media, Behaviour::default()).await;

    let heard = hear(&mut transport, 50).await;
    assert!(
        (430.0..450.0).contains(&hertz(&heard[25..])),
        "{}",
        hertz(&heard[25..])
    );
    assert!(
        (5_500.0..8_500.0).contains(&rms(&heard[25..])),
        "{}",
        rms(&heard[25..])
    );

    let spoken = async {
        let mut heard = vec![];
        while heard.len() < 45 {
            if let Noticed::Audio(frame) = caller.next().await {
                heard.push(*frame);
            }
        }
        heard
    };
    tokio::pin!(spoken);
    let mut tick = tokio::time::interval(Duration::from_millis(20));
    let mut sent = 0;
    let heard = timeout(PATIENCE, async {
        loop {
            tokio::select! {
                heard = &mut spoken => return heard,
                _ = transport.next() => {}
                _ = tick.tick() => {
                    transport.send_audio(&tone(300.0, sent));
                    sent += 1;
                }
            }
        }
    })
    .await
    .unwrap();
    assert!(sent <= 60, "{sent} frames were sent until 45 had arrived");
    assert!(
        (290.0..310.0).contains(&hertz(&heard[10..])),
        "{}",
        hertz(&heard[10..])
    );
    assert!(
        (5_500.0..8_500.0).contains(&rms(&heard[10..])),
        "{}",
        rms(&heard[10..])
    );
}

#[tokio::test]
async fn a_caller_is_connected_by_the_version_of_dtls_that_they_speak() {
    let media = media(|_| {}).await;
    for version in [DtlsVersion::Dtls12, DtlsVersion::Dtls13] {
        let client = Str0mClient::speaking(version).await;
        let (mut transport, caller) = call_from(&media, client, Behaviour::default()).await;
        caller.send(b"hello".to_vec(), false);
        assert_eq!(next_message(&mut transport).await, "hello");
    }
}

#[tokio::test]
async fn messages_go_both_ways_and_in_order() {
    let media = media(|_| {}).await;
    let client = Str0mClient::new().await;
    let (mut transport, answer) = media.accept_offer(&client.offer).unwrap();
    // Said before the data channel is there: they wait for it.
    transport.send_message("listening");
    transport.send_message("second");
    let mut caller = client.connect(&answer, Behaviour::default());

    let received = async {
        let mut texts = vec![];
        while texts.len() < 2 {
            if let Noticed::Message(text) = caller.next().await {
                texts.push(text);
            }
        }
        texts
    };
    let (_, texts) = timeout(PATIENCE, drive(&mut transport, received))
        .await
        .unwrap();
    assert_eq!(texts, ["listening", "second"]);

    caller.say("playable");
    assert_eq!(next_message(&mut transport).await, "playable");
}

#[tokio::test]
async fn messages_that_are_too_large_or_not_text_are_passed_over() {
    let media = media(|_| {}).await;
    let (mut transport, caller) = call(&media, Behaviour::default()).await;
    caller.send(vec![b'x'; MAX_MESSAGE_BYTES + 1], false);
    caller.send(b"binary".to_vec(), true);
    caller.say("after");
    assert_eq!(next_message(&mut transport).await, "after");
}

#[tokio::test]
async fn the_largest_message_arrives_whole() {
    let media = media(|_| {}).await;
    let (mut transport, caller) = call(&media, Behaviour::default()).await;
    caller.send(vec![b'x'; MAX_MESSAGE_BYTES], false);
    assert_eq!(next_message(&mut transport).await.len(), MAX_MESSAGE_BYTES);
}

#[tokio::test]
async fn many_messages_at_once_all_arrive() {
    let media = media(|_| {}).await;
    let (mut transport, mut caller) = call(&media, Behaviour::default()).await;
    let long = "x".repeat(4_000);
    for i in 0..200 {
        transport.send_message(&format!("{i} {long}"));
    }
    let received = async {
        let mut next = 0;
        while next < 200 {
            if let Noticed::Message(text) = caller.next().await {
                assert!(
                    text.starts_with(&format!("{next} ")),
                    "out of order at {next}"
                );
                next += 1;
            }
        }
    };
    timeout(PATIENCE, drive(&mut transport, received))
        .await
        .unwrap();
}

#[tokio::test]
async fn two_calls_on_one_port_stay_separate() {
    let media = media(|_| {}).await;
    let low = Behaviour {
        hertz: 300.0,
        ..Behaviour::default()
    };
    let high = Behaviour {
        hertz: 600.0,
        ..Behaviour::default()
    };
    let ((mut one, _a), (mut two, _b)) = tokio::join!(call(&media, low), call(&media, high));
    let (heard_one, heard_two) = tokio::join!(hear(&mut one, 50), hear(&mut two, 50));
    assert!(
        (290.0..310.0).contains(&hertz(&heard_one[25..])),
        "{}",
        hertz(&heard_one[25..])
    );
    assert!(
        (590.0..610.0).contains(&hertz(&heard_two[25..])),
        "{}",
        hertz(&heard_two[25..])
    );
}

#[tokio::test]
async fn a_new_call_on_the_port_of_a_dead_one_is_the_one_that_connects() {
    let media = media(|s| s.media_timeout = Duration::from_secs(2)).await;
    let low = Behaviour {
        hertz: 300.0,
        ..Behaviour::default()
    };
    let high = Behaviour {
        hertz: 600.0,
        ..Behaviour::default()
    };
    let (mut old, caller) = call(&media, low).await;
    let address = caller.address;
    caller.vanish().await;

    let (mut new, _caller) = call_from(&media, Str0mClient::on(address).await, high).await;
    let (reason, heard) = tokio::join!(closed(&mut old), hear(&mut new, 150));
    assert_eq!(reason, CloseReason::MediaLost);
    assert!(
        (590.0..610.0).contains(&hertz(&heard[50..])),
        "{}",
        hertz(&heard[50..])
    );
}

#[tokio::test]
async fn a_caller_who_hangs_up_has_left_at_once() {
    let media = media(|_| {}).await;
    let (mut transport, caller) = call(&media, Behaviour::default()).await;
    hear(&mut transport, 5).await;
    let began = Instant::now();
    caller.hang_up();
    assert_eq!(closed(&mut transport).await, CloseReason::CallerLeft);
    assert!(
        began.elapsed() < Duration::from_secs(1),
        "{:?}",
        began.elapsed()
    );
    assert_eq!(
        transport.next().await,
        FromCaller::Closed(CloseReason::CallerLeft)
    );
}

#[tokio::test]
async fn a_caller_who_vanishes_is_lost_after_the_media_time_out() {
    let media = media(|s| s.media_timeout = Duration::from_millis(700)).await;
    let (mut transport, caller) = call(&media, Behaviour::default()).await;
    hear(&mut transport, 5).await;
    let began = Instant::now();
    caller.vanish().await;
    assert_eq!(closed(&mut transport).await, CloseReason::MediaLost);
    let took = began.elapsed();
    assert!((600..1_500).contains(&took.as_millis()), "{took:?}");
}

#[tokio::test]
async fn a_call_that_never_connects_says_so() {
    let media = media(|s| s.setup_timeout = Duration::from_millis(300)).await;
    let client = Str0mClient::new().await;
    let (mut transport, _answer) = media.accept_offer(&client.offer).unwrap();
    assert_eq!(
        timeout(PATIENCE, transport.next()).await.unwrap(),
        FromCaller::Closed(CloseReason::NeverConnected)
    );
}

#[tokio::test]
async fn a_caller_who_goes_quiet_stays_connected_and_sounds_silent() {
    let media = media(|s| s.media_timeout = Duration::from_secs(1)).await;
    let (mut transport, caller) = call(&media, Behaviour::default()).await;
    hear(&mut transport, 20).await;
    caller.fall_silent();
    // Longer than the media time-out: connectivity checks alone keep the call.
    let began = Instant::now();
    let heard = hear(&mut transport, 100).await;
    assert!(
        began.elapsed() > Duration::from_millis(1_500),
        "{:?}",
        began.elapsed()
    );
    assert!(rms(&heard[50..]) < 1.0);
}

#[tokio::test]
async fn a_caller_whose_address_changes_keeps_the_call_and_hears_the_assistant() {
    let media = media(|_| {}).await;
    let (mut transport, mut caller) = call(&media, Behaviour::default()).await;
    hear(&mut transport, 10).await;

    caller.move_to_new_address().await;
    let heard = hear(&mut transport, 100).await;
    assert!(rms(&heard[75..]) > 5_000.0, "{}", rms(&heard[75..]));

    transport.send_message("still there?");
    let received = async {
        loop {
            if let Noticed::Message(text) = caller.next().await {
                return text;
            }
        }
    };
    let (_, text) = timeout(Duration::from_secs(3), drive(&mut transport, received))
        .await
        .unwrap();
    assert_eq!(text, "still there?");
}

/// A STUN request that names the call of this answer, from one who knows its password or another.
fn binding_request(answer: &str, password: Option<&str>) -> Vec<u8> {
    let username = format!("{}:somebody", in_answer(answer, "a=ice-ufrag:"));
    let request = StunMessage::binding_request(&username, TransId::new(), true, 1, 1, true);
    let hmac = str0m::crypto::from_feature_flags().sha1_hmac_provider;
    let mut bytes = vec![0; 300];
    let len = request
        .to_bytes(password.map(str::as_bytes), &mut bytes, |key, parts| {
            hmac.sha1_hmac(key, parts)
        })
        .unwrap();
    bytes.truncate(len);
    bytes
}

fn in_answer<'a>(answer: &'a str, line: &str) -> &'a str {
    let mut lines = answer.lines();
    lines.find_map(|l| l.strip_prefix(line)).unwrap().trim()
}

/// How many of these frames nobody talks in.
fn silent(heard: &[AudioFrame]) -> usize {
    let is_silent = |frame| rms(std::slice::from_ref(frame)) < 500.0;
    heard.iter().filter(|frame| is_silent(frame)).count()
}

#[tokio::test]
async fn strangers_who_name_a_call_and_do_not_know_its_password_take_nothing_of_it() {
    let media = media(|_| {}).await;
    let client = Str0mClient::new().await;
    let (mut transport, answer) = media.accept_offer(&client.offer).unwrap();
    let _caller = client.connect(&answer, Behaviour::default());
    hear(&mut transport, 20).await;
    let port = media.addresses()[0];
    let mut strangers = vec![];
    for _ in 0..40 {
        strangers.push(UdpSocket::bind("127.0.0.1:0").await.unwrap());
    }
    let mut heard = vec![];
    for round in 0..100 {
        for stranger in &strangers {
            let password = (round % 2 == 0).then_some("a password that is none");
            let request = binding_request(&answer, password);
            let _ = stranger.send_to(&request, port).await;
        }
        transport.send_audio(&tone(300.0, round));
        heard.extend(hear(&mut transport, 1).await);
    }
    assert!(silent(&heard) <= 2, "{} of 100 are silent", silent(&heard));
    for stranger in &strangers {
        let mut answered = [0; 2000];
        assert!(stranger.try_recv(&mut answered).is_err());
    }
}

#[tokio::test]
async fn who_names_their_own_call_from_a_callers_address_takes_nothing_of_that_callers() {
    let media = media(|_| {}).await;
    let (mut transport, caller) = call(&media, Behaviour::default()).await;
    let other = Str0mClient::new().await;
    let (_others, answer) = media.accept_offer(&other.offer).unwrap();
    let password = in_answer(&answer, "a=ice-pwd:").to_owned();
    hear(&mut transport, 20).await;
    let mut heard = vec![];
    for _ in 0..100 {
        // As if another's router let this address through as the source.
        caller.send_datagram(binding_request(&answer, Some(&password)));
        heard.extend(hear(&mut transport, 1).await);
    }
    assert!(silent(&heard) <= 2, "{} of 100 are silent", silent(&heard));
}

#[tokio::test]
async fn one_packet_in_five_lost_still_leaves_continuous_sound() {
    let media = media(|_| {}).await;
    let lossy = Behaviour {
        lost_percent: 20,
        ..Behaviour::default()
    };
    let (mut transport, _caller) = call(&media, lossy).await;
    hear(&mut transport, 10).await;
    let began = Instant::now();
    let heard = hear(&mut transport, 150).await;
    let took = began.elapsed().as_secs_f64();
    assert!(
        (2.7..3.3).contains(&took),
        "150 frames are 3 s, not {took:.2} s"
    );
    let silent = silent(&heard);
    assert!(silent <= 8, "{silent} of 150 frames are silent");
}

#[tokio::test]
async fn garbage_at_the_port_harms_no_call() {
    let media = media(|_| {}).await;
    let (mut transport, caller) = call(&media, Behaviour::default()).await;
    let stranger = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let port = media.addresses()[0];
    let mut dice = 0x2545_F491_4F6C_DD1Du64;
    for i in 0..3_000u64 {
        let garbage: Vec<u8> = (0..i % 300)
            .map(|_| {
                dice ^= dice << 13;
                dice ^= dice >> 7;
                dice ^= dice << 17;
                dice as u8
            })
            .collect();
        let _ = stranger.send_to(&garbage, port).await;
        if i % 10 == 0 {
            // From the caller's own address, in the shape of STUN, DTLS, SRTP and SRTCP.
            let mut shaped = garbage;
            shaped.resize(80, 7);
            shaped[..2].copy_from_slice(
                &[[0, 1], [22, 254], [128, 111], [128, 201]][(i / 10 % 4) as usize],
            );
            caller.send_datagram(shaped);
        }
        if i % 100 == 0 {
            hear(&mut transport, 1).await;
        }
    }
    let heard = hear(&mut transport, 100).await;
    assert!(
        (430.0..450.0).contains(&hertz(&heard[50..])),
        "{}",
        hertz(&heard[50..])
    );
    caller.say("still here");
    assert_eq!(next_message(&mut transport).await, "still here");
}

#[tokio::test]
async fn when_the_call_closes_the_caller_notices_at_once_and_has_the_last_message() {
    let media = media(|_| {}).await;
    let (mut transport, mut caller) = call(&media, Behaviour::default()).await;
    hear(&mut transport, 5).await;
    transport.send_message("goodbye");
    let began = Instant::now();
    let ended = async {
        let mut texts = vec![];
        loop {
            match caller.next().await {
                Noticed::Message(text) => texts.push(text),
                Noticed::Closed => return (texts, began.elapsed()),
                _ => {}
            }
        }
    };
    let ((), (texts, took)) = timeout(PATIENCE, async { tokio::join!(transport.close(), ended) })
        .await
        .unwrap();
    assert_eq!(texts, ["goodbye"]);
    assert!(took < Duration::from_millis(500), "{took:?}");
    assert!(
        began.elapsed() < Duration::from_secs(1),
        "{:?}",
        began.elapsed()
    );
    assert_eq!(
        transport.next().await,
        FromCaller::Closed(CloseReason::CallerLeft)
    );
}

#[tokio::test]
async fn a_last_message_that_was_lost_is_sent_again_before_the_call_closes() {
    let media = media(|_| {}).await;
    let (mut transport, mut caller) = call(&media, Behaviour::default()).await;
    hear(&mut transport, 5).await;
    caller.hear_nothing_for(Duration::from_millis(500));
    hear(&mut transport, 5).await;
    transport.send_message("ended");
    let ended = async {
        let mut texts = vec![];
        loop {
            match caller.next().await {
                Noticed::Message(text) => texts.push(text),
                Noticed::Closed => return texts,
                _ => {}
            }
        }
    };
    let ((), texts) = timeout(PATIENCE, async { tokio::join!(transport.close(), ended) })
        .await
        .unwrap();
    assert_eq!(texts, ["ended"]);
}

#[tokio::test]
async fn closing_takes_a_bounded_time_where_nothing_arrives_any_more() {
    let media = media(|_| {}).await;
    let (mut transport, caller) = call(&media, Behaviour::default()).await;
    caller.vanish().await;
    transport.send_message("ended");
    let began = Instant::now();
    transport.close().await;
    assert!(began.elapsed() < Duration::from_secs(4));
}

#[tokio::test]
async fn closing_a_call_that_never_connected_takes_no_time() {
    let media = media(|_| {}).await;
    let client = Str0mClient::new().await;
    let (mut transport, _answer) = media.accept_offer(&client.offer).unwrap();
    let began = Instant::now();
    transport.close().await;
    assert!(began.elapsed() < Duration::from_millis(100));
}

#[tokio::test]
async fn waiting_for_the_caller_can_be_abandoned_at_any_moment_without_loss() {
    let media = media(|_| {}).await;
    let (mut transport, _caller) = call(&media, Behaviour::default()).await;
    hear(&mut transport, 10).await;
    let began = Instant::now();
    let mut heard = 0;
    while heard < 100 {
        // Abandoned about twenty times for each frame.
        if let Ok(event) = timeout(Duration::from_millis(1), transport.next()).await {
            let is_sound = matches!(event, FromCaller::Audio(_) | FromCaller::Missing);
            assert!(is_sound, "{event:?}");
            heard += 1;
        }
        assert!(began.elapsed() < PATIENCE);
    }
    let took = began.elapsed().as_secs_f64();
    assert!(
        (1.8..2.3).contains(&took),
        "100 frames are 2 s, not {took:.2} s"
    );
}
