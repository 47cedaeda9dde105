//! A voice over real HTTP, from an endpoint that speaks, and from one that does everything else.
#![allow(clippy::unwrap_used)]

mod support;

use std::sync::Arc;
use std::time::Duration;

use redact::Secret;
use speech::{Packs, RenderError, RenderedVoice, Sound, Standing, Synthesiser, Voice};
use tokio::sync::Notify;

use support::{Answer, Endpoint, SECOND, heard, speak, voice, voice_at};

#[tokio::test]
async fn a_sentence_is_heard_while_the_rest_of_it_is_still_to_come() {
    let go_on = Arc::new(Notify::new());
    let endpoint = Endpoint::that([Answer::Waits(Arc::clone(&go_on))]).await;
    let mut stream = speak(&endpoint.voice(), "Thank you, Mei Ling.");
    let first = stream.next().await.unwrap().unwrap();
    assert!(matches!(first, Sound::Samples(samples) if !samples.is_empty()));
    go_on.notify_one();
    let (rest, trouble) = heard(stream).await;
    assert_eq!(trouble, None);
    assert!(rest > SECOND, "{rest:?}");
}

#[tokio::test]
async fn it_is_asked_in_the_form_of_openais_with_numbers_and_agencies_as_they_are_said() {
    let endpoint = Endpoint::that([Answer::Speaks(3 * SECOND)]).await;
    let said = "Ring 999 or NAVH, Sim Lim Square is near Ang Mo Kio.";
    let (length, trouble) = heard(speak(&endpoint.voice(), said)).await;
    assert_eq!(trouble, None);
    let pause = Duration::from_millis(220);
    assert!(length.abs_diff(3 * SECOND + pause) < Duration::from_millis(20));
    let (headers, body) = endpoint.asked.lock().unwrap()[0].clone();
    assert_eq!(headers["authorization"], "Bearer the-key");
    assert_eq!(body["model"], "tts-1");
    assert_eq!(body["voice"], "coral");
    assert_eq!(body["response_format"], "pcm");
    let input = body["input"].as_str().unwrap();
    assert!(
        input.starts_with("Ring nine nine nine or N A V H,"),
        "{input}"
    );
    assert!(input.ends_with("near Ang Mo Kio."), "{input}");
}

#[tokio::test]
async fn an_answer_that_is_none_says_what_is_wrong_and_nothing_of_itself() {
    let wav = [b"RIFF\x24\x10\0\0WAVEfmt ".to_vec(), voice(SECOND)].concat();
    let error = br#"{"error":"hunter2"}"#.to_vec();
    for (answer, trouble) in [
        (Answer::Status(500), "refused with status 500"),
        (Answer::Status(401), "refused with status 401"),
        (Answer::Redirects, "refused with status 307"),
        (Answer::Sends("audio/mpeg", voice(SECOND)), "audio/pcm"),
        (Answer::Sends("audio/wav", wav.clone()), "audio/pcm"),
        (Answer::Sends("audio/pcm", wav), "audio/pcm"),
        (Answer::Sends("application/json", error), "audio/pcm"),
        (
            Answer::Sends("audio/pcm; rate=48000", voice(SECOND)),
            "24 kHz",
        ),
        (
            Answer::Sends("audio/pcm;channels=2", voice(SECOND)),
            "24 kHz",
        ),
        (Answer::Sends("audio/pcm", Vec::new()), "said nothing"),
        (Answer::Sends("audio/pcm", vec![0; 48_000]), "said nothing"),
    ] {
        let endpoint = Endpoint::that([answer]).await;
        let (length, told) = heard(speak(&endpoint.voice(), "Thank you, Mei Ling.")).await;
        let told = told.unwrap();
        assert!(told.contains(trouble), "{told}, not {trouble}");
        assert!(
            !told.contains("hunter2") && !told.contains("127.0.0.1"),
            "{told}"
        );
        assert_eq!(length, Duration::ZERO, "{trouble}");
    }
}

#[tokio::test]
async fn what_names_its_rate_as_ours_or_no_kind_at_all_is_taken() {
    for kind in [
        "audio/pcm;rate=24000;channels=1",
        "application/octet-stream",
    ] {
        let endpoint = Endpoint::that([Answer::Sends(kind, voice(SECOND))]).await;
        let (length, trouble) = heard(speak(&endpoint.voice(), "Thank you, Mei Ling.")).await;
        assert_eq!(trouble, None, "{kind}");
        assert!(length > SECOND, "{kind}");
    }
}

#[tokio::test]
async fn where_nobody_listens_that_is_said_at_once() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    drop(listener);
    let (_, trouble) = heard(speak(&voice_at(&url), "Thank you, Mei Ling.")).await;
    assert!(trouble.unwrap().contains("cannot be reached"));
}

#[tokio::test(start_paused = true)]
async fn an_endpoint_that_is_late_is_not_waited_for_beyond_the_bound() {
    let endpoint = Endpoint::that([Answer::Hangs]).await;
    let began = tokio::time::Instant::now();
    let (_, trouble) = heard(speak(&endpoint.voice(), "Thank you, Mei Ling.")).await;
    assert!(trouble.unwrap().contains("not heard in time"));
    assert_eq!(began.elapsed().as_secs(), 20);
}

#[tokio::test]
async fn what_breaks_in_the_middle_is_heard_so_far_and_then_said_to_be_broken() {
    let endpoint = Endpoint::that([Answer::CutOff]).await;
    let (length, trouble) = heard(speak(&endpoint.voice(), "Thank you, Mei Ling.")).await;
    assert!(trouble.unwrap().contains("ended in the middle"));
    assert!(length > SECOND / 2, "{length:?}");
}

#[tokio::test(start_paused = true)]
async fn what_stalls_in_the_middle_is_given_up_soon_after_it_could_have_been_played() {
    let endpoint = Endpoint::that([Answer::Stalls]).await;
    let began = tokio::time::Instant::now();
    let (length, trouble) = heard(speak(&endpoint.voice(), "Thank you, Mei Ling.")).await;
    assert!(trouble.unwrap().contains("more slowly"));
    assert!(length > SECOND / 2);
    assert!(began.elapsed() < 3 * SECOND, "{:?}", began.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_sentence_that_nobody_wants_any_more_is_given_up_at_once() {
    let endpoint = Endpoint::that([Answer::Stalls]).await;
    let began = tokio::time::Instant::now();
    let mut stream = speak(&endpoint.voice(), "Thank you, Mei Ling.");
    stream.next().await.unwrap().unwrap();
    drop(stream);
    let mut given_up = endpoint.given_up.subscribe();
    given_up.wait_for(|count| *count > 0).await.unwrap();
    assert!(began.elapsed() < SECOND, "{:?}", began.elapsed());
}

#[tokio::test(start_paused = true)]
async fn after_a_failure_new_calls_go_elsewhere_until_it_works_again() {
    let endpoint = Endpoint::that([Answer::Speaks(SECOND)]).await;
    let voice = endpoint.voice();
    assert!(!voice.has_room(), "nobody knows yet whether it works");
    until_it_has_room(&voice).await;
    endpoint.now([Answer::Status(503)]);
    let (_, trouble) = heard(speak(&voice, "Thank you, Mei Ling.")).await;
    assert!(trouble.is_some());
    assert!(!voice.has_room());
    // Virtual time: the clock is paused.
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert!(!voice.has_room(), "it was tried and still fails");
    endpoint.now([Answer::Speaks(SECOND)]);
    until_it_has_room(&voice).await;
}

/// Virtual time: the clock is paused.
async fn until_it_has_room(voice: &impl Synthesiser) {
    while !voice.has_room() {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

const FIXED: &str = "Are you safe right now?";

fn rendered(endpoint: &Endpoint, place: &std::path::Path) -> RenderedVoice {
    let packs = Packs {
        shipped: place.join("none.pack"),
        own: place.join("own.pack"),
    };
    RenderedVoice::open(endpoint.voice(), &packs).unwrap()
}

#[tokio::test(start_paused = true)]
async fn no_call_is_begun_in_it_until_all_that_is_always_said_is_kept() {
    let place = tempfile::tempdir().unwrap();
    let endpoint = Endpoint::that([Answer::Speaks(2 * SECOND)]).await;
    let fixed = [FIXED.to_owned(), "I'm listening.".to_owned()];
    let voice = rendered(&endpoint, place.path()).only_with(fixed.clone());
    // Virtual time: the clock is paused.
    tokio::time::sleep(SECOND).await;
    for sentence in &fixed {
        assert!(!voice.has_room(), "{sentence} is not kept yet");
        voice.render(sentence).await.unwrap();
    }
    assert!(voice.has_room());
    endpoint.now([Answer::Status(500)]);
    let sound = voice.speak(Secret::new(FIXED.to_owned())).next().await;
    assert!(matches!(sound, Some(Ok(Sound::Rendered(_)))));
    assert_eq!(endpoint.inputs(), [FIXED, "I'm listening."], "each once");
}

#[tokio::test(start_paused = true)]
async fn what_is_kept_begins_at_once_while_its_endpoint_fails_and_all_else_does_not() {
    let place = tempfile::tempdir().unwrap();
    let endpoint = Endpoint::that([Answer::Speaks(2 * SECOND)]).await;
    let voice = rendered(&endpoint, place.path());
    // Virtual time: the clock is paused.
    tokio::time::sleep(SECOND).await;
    voice.render(FIXED).await.unwrap();
    endpoint.now([Answer::Status(500)]);
    let other = || Secret::new("Mei Ling, I'm here.".to_owned());
    let begins_within = |sentence: Secret<String>, within| {
        voice.begins_within(Standing::Ordinary, &sentence, within)
    };
    assert!(begins_within(other(), SECOND), "it works as yet");
    voice.speak(other()).collect().await.unwrap_err();
    assert!(!begins_within(other(), SECOND));
    assert!(begins_within(Secret::new(FIXED.to_owned()), Duration::ZERO));
}

#[tokio::test]
async fn what_is_not_speech_or_not_the_sentence_is_not_kept() {
    let place = tempfile::tempdir().unwrap();
    let swapped = voice(2 * SECOND)
        .as_chunks::<2>()
        .0
        .iter()
        .flat_map(|bytes| [bytes[1], bytes[0]])
        .collect();
    for (answer, wrong) in [
        (Answer::Sends("audio/pcm", swapped), "no PCM of 16 bits"),
        (Answer::Speaks(SECOND / 10), "not as long as its words"),
        (Answer::CutOff, "ended in the middle"),
    ] {
        let endpoint = Endpoint::that([answer]).await;
        let voice = rendered(&endpoint, place.path());
        let told = voice.render(FIXED).await.unwrap_err();
        assert!(matches!(&told, RenderError::Voice(_)));
        assert!(told.to_string().contains(wrong), "{told}");
        assert_eq!(voice.missing([FIXED.to_owned()]), [FIXED]);
    }
}

#[tokio::test]
async fn another_voice_of_the_same_place_keeps_its_own_sentences() {
    let endpoint = Endpoint::that([Answer::Speaks(SECOND)]).await;
    let here = endpoint.voice();
    let there = Endpoint::that([Answer::Speaks(SECOND)]).await.voice();
    assert_ne!(here.identity(), there.identity());
    assert!(here.identity().ends_with("/v1 tts-1 coral"));
}
