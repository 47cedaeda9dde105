//! The trained reader as it ships: whole or refused with what to do, and read beside the rules.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use flow::Question;
use flow::reading::{Doubt, Listening, Reading, SURE, Signal, SoFar, WORTH_ASKING};
use reader::Reader;
use reader::trained::{Files, OpenError};

fn weights() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("weights")
}

fn engine() -> PathBuf {
    let engine = std::env::var_os("NIGHTLIGHT_ENGINE_DIR").map(PathBuf::from);
    engine.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../var/engine"))
}

fn whole() -> Reader {
    Reader::open(&Files::new(&weights(), &engine())).unwrap()
}

fn after(question: Question) -> Listening {
    Listening::by_itself("2026-11-20T23:10:00".parse().unwrap(), Some(question))
}

/// A copy of the weights that may be harmed.
fn copy() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(weights()).unwrap() {
        let file = entry.unwrap().path();
        std::fs::copy(&file, place.path().join(file.file_name().unwrap())).unwrap();
    }
    place
}

#[test]
fn damaged_missing_or_foreign_weights_are_refused_with_what_to_do() {
    let open = |place: &Path| Reader::open(&Files::new(place, &engine()));
    let damaged = copy();
    let model = damaged.path().join("reader.onnx");
    let mut bytes = std::fs::read(&model).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&model, bytes).unwrap();
    let error = open(damaged.path()).unwrap_err();
    assert!(matches!(error, OpenError::Damaged { .. }), "{error}");
    assert!(error.to_string().contains("restore it"), "{error}");

    let missing = copy();
    std::fs::remove_file(missing.path().join("vocab.txt")).unwrap();
    let error = open(missing.path()).unwrap_err();
    assert!(error.to_string().contains("vocab.txt"), "{error}");

    let nowhere = tempfile::tempdir().unwrap();
    let error = Reader::open(&Files::new(&weights(), nowhere.path())).unwrap_err();
    assert!(error.to_string().contains("make setup"), "{error}");
}

#[test]
fn what_was_once_missed_is_acted_on_or_asked_about() {
    let reader = whole();
    let read = |question, words: &str| reader.read(words, &after(question));
    let noticed = |reading: &Reading, signals: &[Signal], from: f32| {
        signals
            .iter()
            .any(|signal| reading.asserts(*signal, from).is_some())
    };
    let suicidal = [Signal::SuicidalDirect, Signal::SuicidalIndirect];
    for words in [
        "that is it i am killing myself my choice is final",
        "my decision is final tonight i will kill myself",
        "I have never wanted to be dead as much as I do this week",
    ] {
        let reading = read(Question::SafeNow, words);
        assert!(
            noticed(&reading, &suicidal, SURE),
            "{words}: {:?}",
            reading.signals
        );
    }
    for words in [
        "give me one reason not to kill myself",
        "I keep the rope in the cupboard and every evening I fight not to use it",
    ] {
        let reading = read(Question::SafeNow, words);
        assert!(
            noticed(&reading, &suicidal, WORTH_ASKING),
            "{words}: {:?}",
            reading.signals
        );
    }
    let words = "I was punched in the mouth by my boyfriend last night";
    let reading = read(Question::SafeNow, words);
    assert!(
        noticed(&reading, &[Signal::PhysicalAbuse], WORTH_ASKING),
        "{:?}",
        reading.signals
    );
    let words = "he kicked the door in and said he'd kill me if I ring the police one more time";
    let reading = read(Question::SafeNow, words);
    let danger = [Signal::ViolenceNow, Signal::ThreatToKill];
    assert!(
        noticed(&reading, &danger, WORTH_ASKING),
        "{:?}",
        reading.signals
    );
}

/// What is doubted after each turn of a call.
fn doubts_after(turns: &[(Question, &str)]) -> Vec<BTreeSet<Doubt>> {
    let reader = whole();
    let mut so_far = SoFar::default();
    turns
        .iter()
        .map(|(question, words)| {
            let listening = Listening {
                so_far: so_far.clone(),
                ..after(*question)
            };
            let reading = reader.read(words, &listening);
            so_far.clone_from(&reading.so_far);
            reading.doubts
        })
        .collect()
}

#[test]
fn of_who_was_hurt_neither_a_wish_to_die_nor_a_danger_is_doubted() {
    let told = [
        (Question::SafeNow, "Yes I'm safe"),
        (Question::Open, "My uncle raped me when I was a girl"),
    ];
    for words in [
        "I have the rope here. I'm going to hang myself",
        "He's dragging me by the hair",
    ] {
        let doubts = doubts_after(&[told[0], told[1], (Question::Open, words)]);
        assert_eq!(doubts[2], BTreeSet::new(), "{words}");
    }
}

#[test]
fn a_call_about_a_neighbours_drill_comes_to_speak_against_danger_and_a_beating_never_does() {
    let of_a_drill = doubts_after(&[
        (
            Question::SafeNow,
            "The man upstairs is killing me with his drill, every night",
        ),
        (
            Question::Open,
            "He renovates after ten. I wrote to the town council about it.",
        ),
        (
            Question::HurtBefore,
            "No, nobody hits anybody, it's only the noise",
        ),
        (Question::DangerNow, "Only my ears are in danger, yes"),
    ]);
    let last = of_a_drill.last().unwrap();
    assert!(last.contains(&Doubt::DangerNow), "{of_a_drill:?}");
    assert!(last.contains(&Doubt::Need), "{of_a_drill:?}");

    let of_a_beating = doubts_after(&[
        (
            Question::SafeNow,
            "He is outside the bathroom with a knife, please",
        ),
        (Question::SafeToTalk, "Quickly, yes"),
        (Question::Name, "Farah"),
        (
            Question::Account,
            "My husband came home drunk and started hitting me, I locked the door",
        ),
    ]);
    for doubts in &of_a_beating {
        assert!(!doubts.contains(&Doubt::DangerNow), "{of_a_beating:?}");
    }
}

#[test]
fn who_only_takes_leave_of_the_call_takes_no_leave_of_life() {
    let reader = whole();
    let sideways = |words: &str| {
        let reading = reader.read(words, &after(Question::Open));
        reading
            .asserts(Signal::SuicidalIndirect, WORTH_ASKING)
            .or(reading.asserts(Signal::SuicidalDirect, WORTH_ASKING))
            .is_some()
    };
    for words in [
        "Goodbye.",
        "No, thank you. Goodbye.",
        "no thank you goodbye",
        "Nothing really. Goodbye.",
        "ok bye bye",
        "Thank you so much. Bye.",
    ] {
        assert!(!sideways(words), "{words}");
    }
    for words in [
        "Goodbye everyone.",
        "I only called to say goodbye.",
        "This is goodbye. Thank you for everything.",
        "I said my goodbyes already.",
    ] {
        assert!(sideways(words), "{words}");
    }
}

#[test]
fn not_safe_is_no_denial() {
    let reading = whole().read("not safe", &after(Question::DangerNow));
    assert!(!(reading.answer.yes == Some(false) && reading.answer.agreed));
}

#[test]
fn turns_that_are_read_at_once_are_read_as_each_is_by_itself() {
    let reader = whole();
    let turns = [
        "It has been a long week and I cooked for everyone. He hit me again on Friday, I did not tell. My arm still hurts. "
            .repeat(4)
            + "I don't want to be here any more.",
        "he shouts and he throws things ".repeat(12) + "and I am afraid to go home",
        "my phone is lost".to_owned(),
    ];
    let heard = |turn: &str| -> Vec<(Signal, u32, String)> {
        let reading = reader.read(turn, &after(Question::Open));
        let heard = reading.signals.iter();
        heard
            .map(|s| {
                (
                    s.signal,
                    s.confidence.to_bits(),
                    s.words.expose_secret().clone(),
                )
            })
            .collect()
    };
    let each: Vec<_> = turns.iter().map(|turn| heard(turn)).collect();
    assert!(each[0].len() > 1, "{each:?}");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for (turn, expected) in turns.iter().zip(&each) {
                    assert_eq!(&heard(turn), expected);
                }
            });
        }
    });
}

#[test]
fn a_turn_of_any_length_and_any_letters_is_read() {
    let reader = whole();
    for words in [
        "",
        " ",
        "我想死",
        "🙂🙂",
        "\u{0}\u{202e}",
        &"and then ".repeat(3_000),
        &"x".repeat(5_000),
    ] {
        reader.read(words, &after(Question::Open));
    }
}
