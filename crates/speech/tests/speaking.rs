//! What the embedded voice says, judged by ear: the transcriber's, and the voice detector's.

#![allow(clippy::unwrap_used)]

mod callers;

use std::sync::LazyLock;

use callers::{espeak, flite, word_errors, words};
use speech::{
    EngineFiles, FRAME_SAMPLES, FliteVoice, MoonshineTranscriber, Secret, Sound, SpeechStream,
    Standing, Transcriber, Voice, VoiceDetector, VoiceError,
};

static ENGINE: LazyLock<MoonshineTranscriber> = LazyLock::new(|| {
    let files = EngineFiles::find().unwrap_or_else(|missing| panic!("{missing}"));
    MoonshineTranscriber::load(&files, 1).unwrap()
});

fn speak(voice: &str, sentence: &str) -> SpeechStream {
    let voice = FliteVoice::named(voice).unwrap();
    voice.speak(Secret::new(sentence.to_owned()))
}

async fn heard(samples: Vec<i16>) -> String {
    let words = ENGINE
        .transcribe(samples.into(), Standing::Ordinary)
        .await
        .unwrap();
    words.expose_secret().clone()
}

/// Which detector frames hold a voice.
fn voiced(samples: &[i16]) -> Vec<bool> {
    let mut detector = VoiceDetector::new();
    let (frames, _) = samples.as_chunks::<FRAME_SAMPLES>();
    frames
        .iter()
        .map(|frame| detector.is_voice(frame))
        .collect()
}

#[tokio::test]
async fn every_voice_is_understood() {
    let sentence = "I am here with you. Is it safe for you to talk right now?";
    for voice in ["slt", "rms", "kal", "awb"] {
        let heard = heard(speak(voice, sentence).collect().await.unwrap()).await;
        println!("{voice}: {heard:?}");
        let errors = word_errors(sentence, &heard);
        assert!(errors <= 4, "{voice} was heard as {heard:?}");
    }
}

#[tokio::test]
async fn the_two_chosen_voices_differ() {
    let pitch = |samples: &[i16]| {
        let crossings = samples.windows(2).filter(|w| (w[0] < 0) != (w[1] < 0));
        crossings.count() as f64 / samples.len() as f64
    };
    let woman = pitch(&flite("slt", 1.0, "I am here with you.").await);
    let man = pitch(&flite("rms", 1.0, "I am here with you.").await);
    assert!((woman - man).abs() > 0.005, "{woman} and {man}");
}

#[tokio::test]
async fn a_number_to_ring_is_said_digit_by_digit() {
    let heard = heard(
        speak("slt", "Please ring 1767 now.")
            .collect()
            .await
            .unwrap(),
    )
    .await;
    let digits: String = heard.chars().filter(char::is_ascii_digit).collect();
    let spelled = words(&heard).join(" ");
    assert!(
        digits == "1767" || spelled.contains("one seven six seven"),
        "{heard:?}"
    );
}

#[tokio::test]
async fn a_sentence_begins_with_sound_and_comes_in_chunks() {
    let mut stream = speak(
        "slt",
        "Take all the time you need, I will stay on the line.",
    );
    let Sound::Samples(first) = stream.next().await.unwrap().unwrap() else {
        panic!("flite renders nothing ahead");
    };
    let sound = first.iter().position(|sample| sample.unsigned_abs() > 80);
    assert!(
        sound.is_some_and(|at| at <= 480),
        "sound begins at {sound:?}"
    );
    let mut chunks = 1;
    while let Some(chunk) = stream.next().await {
        chunk.unwrap();
        chunks += 1;
    }
    assert!(chunks > 5, "{chunks} chunks");
}

#[tokio::test]
async fn sentences_spoken_at_once_for_several_callers_do_not_mix() {
    let (one, two) = (
        "I am connecting you to the police.",
        "I am here with you, take your time.",
    );
    let (first, second) = tokio::join!(speak("slt", one).collect(), speak("rms", two).collect());
    for (said, samples) in [(one, first.unwrap()), (two, second.unwrap())] {
        let heard = heard(samples).await;
        assert!(
            word_errors(said, &heard) <= 2,
            "{said:?} was heard as {heard:?}"
        );
    }
}

#[tokio::test]
async fn a_sentence_cut_short_does_not_hold_up_the_next() {
    let mut stream = speak(
        "slt",
        &"I will tell you everything there is to know. ".repeat(15),
    );
    stream.next().await.unwrap().unwrap();
    drop(stream);
    let next = speak("slt", "Are you there?").collect().await.unwrap();
    assert_eq!(words(&heard(next).await), ["are", "you", "there"]);
}

/// Each is more than a minute of sound, and a second of the voice's time.
#[tokio::test]
async fn nobody_waits_for_the_end_of_anothers_endless_sentence() {
    let endless = ["x".repeat(299), "W ".repeat(149), "$999999 ".repeat(37)];
    for (number, endless) in endless.iter().enumerate() {
        let finished = std::cell::RefCell::new(Vec::new());
        let mut others = speak("slt", endless);
        others.next().await.unwrap().unwrap();
        let other = async {
            others.collect().await.unwrap();
            finished.borrow_mut().push("another's");
        };
        // None that is kept from an earlier time.
        let asked = format!("Is your number {number}?");
        let caller = async {
            speak("slt", &asked).collect().await.unwrap();
            finished.borrow_mut().push("the caller's");
        };
        tokio::join!(other, caller);
        assert_eq!(*finished.borrow(), ["the caller's", "another's"]);
    }
}

#[tokio::test]
async fn a_long_text_is_spoken_to_its_end() {
    let told = "I went to the market with my sister in the morning, and we bought fish and rice. "
        .repeat(5);
    let last = "Then a yellow bus came.";
    let samples = speak("slt", &format!("{told}{last}"))
        .collect()
        .await
        .unwrap();
    let from = samples.len() - 3 * 16_000;
    let heard = heard(samples[from..].to_vec()).await;
    assert!(heard.to_lowercase().contains("yellow bus"), "{heard:?}");
}

#[tokio::test]
async fn a_sentence_said_often_is_spoken_from_memory() {
    let sentence = "Thank you for calling Nightlight, and please take care.";
    speak("slt", sentence).collect().await.unwrap();
    let second = speak("slt", sentence).collect().await.unwrap();
    let mut third = speak("slt", sentence);
    let chunk = third.next().await.unwrap().unwrap();
    assert!(matches!(chunk, Sound::Samples(samples) if samples == second));
    assert!(third.next().await.is_none(), "memory gives it in one chunk");
}

#[tokio::test]
async fn a_slower_pace_takes_longer() {
    let usual = flite("slt", 1.0, "You are not alone.").await.len();
    let slower = flite("slt", 0.8, "You are not alone.").await.len();
    assert!(slower * 100 > usual * 115, "{usual} and {slower} samples");
}

#[tokio::test]
async fn nothing_to_say_is_an_empty_stream() {
    for nothing in ["", "  \n", "…", "你好"] {
        assert_eq!(
            speak("slt", nothing).collect().await,
            Ok(Vec::new()),
            "{nothing:?}"
        );
    }
}

#[tokio::test]
async fn whatever_text_comes_the_voice_lives_on() {
    for odd in [
        "a\0b",
        "%s %n <speak> & \\ \"",
        "((((((",
        "$$$ 1/2 3.14159 1e99 1,000,000,000,000",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "xzqwrtpsdfgk bcdfghjklmnp",
        "I.I.I.I...!?!?!?;;;:::---",
        "Dr. St. 12th Jan. '99 10:65 99:99",
    ] {
        speak("slt", odd).collect().await.unwrap();
    }
    let long = "word ".repeat(1_000);
    assert!(matches!(
        speak("slt", &long).collect().await,
        Err(VoiceError::TooLong { characters: 4_999 })
    ));
}

#[test]
fn an_unknown_voice_is_an_error_that_names_the_known_ones() {
    let error = FliteVoice::named("siri").unwrap_err();
    assert!(error.to_string().contains("slt"));
}

#[tokio::test]
async fn a_voice_is_detected_soon_after_its_onset_and_not_before() {
    let sentence = "My husband is drunk and he is shouting.";
    let mut callers = vec![espeak("en-gb", 160, sentence)];
    for voice in ["slt", "rms", "awb", "kal"] {
        callers.push(flite(voice, 1.0, sentence).await);
    }
    for samples in callers {
        let onset = samples.iter().position(|s| s.unsigned_abs() > 300).unwrap();
        let mut audio = vec![0; 16_000];
        audio.extend(samples);
        let voiced = voiced(&audio);
        let heard = voiced.iter().position(|voice| *voice).unwrap() * FRAME_SAMPLES;
        assert!(
            heard + FRAME_SAMPLES > 16_000,
            "heard {heard}, before any sound"
        );
        assert!(
            heard < 16_000 + onset + 2_400,
            "heard only {} ms after its onset",
            (heard - 16_000 - onset) / 16
        );
        let share = voiced.iter().filter(|voice| **voice).count() as f64 / voiced.len() as f64;
        assert!(share > 0.4, "only {share} voiced");
    }
}

#[tokio::test]
async fn a_short_yes_counts_as_a_voice() {
    for word in ["yes", "no"] {
        let mut audio = vec![0; 8_000];
        audio.extend(callers::trimmed(&flite("rms", 1.6, word).await));
        audio.extend([0; 8_000]);
        let frames = voiced(&audio).iter().filter(|voice| **voice).count();
        assert!(frames >= 6, "{word}: {frames} frames of 16 ms");
    }
}
