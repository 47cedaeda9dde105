//! The end-of-turn model in process: it sees what the original's front end shows it, and answers as it does.
#![allow(clippy::unwrap_used)]

#[path = "callers/mod.rs"]
mod callers;

use callers::{espeak, trimmed};
use speech::{EndOfTurn, EndOfTurnModel, LogMel, SmartTurn, engines_directory};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/end_of_turn");
/// As in examples.py.
const KEPT_EVERY: usize = 9;
const STEPS: f32 = 8192.0;

fn speech() -> Vec<i16> {
    let mut file = hound::WavReader::open(format!("{EXAMPLES}/speech.wav")).unwrap();
    file.samples().map(Result::unwrap).collect()
}

/// More than eight seconds, each time softer, breaking off.
fn long() -> Vec<i16> {
    let speech = speech();
    let softer = |turn: i16| speech.iter().map(move |sample| sample.div_euclid(turn));
    let mut long: Vec<i16> = (1..=6).flat_map(softer).collect();
    long.truncate(long.len() - 11_200);
    long
}

fn model() -> EndOfTurnModel {
    EndOfTurnModel::open(&engines_directory()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_picture_of_a_sound_is_the_originals_to_a_thousandth() {
    let mut pictures = LogMel::new();
    for (name, sound) in [("short", speech()), ("long", long())] {
        let drawn = pictures.draw(&sound);
        let kept = std::fs::read(format!("{EXAMPLES}/{name}.mel")).unwrap();
        let kept = kept
            .chunks_exact(2)
            .map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
        let ours = drawn
            .chunks_exact(800)
            .flat_map(|band| band.iter().step_by(KEPT_EVERY));
        assert_eq!(kept.len(), 80 * 800_usize.div_ceil(KEPT_EVERY));
        for (at, (ours, theirs)) in ours.zip(kept).enumerate() {
            let theirs = f32::from(theirs) / STEPS;
            assert!(
                (ours - theirs).abs() < 1e-3,
                "{name}, {at}: {ours} for {theirs}"
            );
        }
    }
}

#[test]
fn an_opinion_is_the_originals_to_a_thousandth() {
    let answers = std::fs::read_to_string(format!("{EXAMPLES}/answers.json")).unwrap();
    let answers: serde_json::Value = serde_json::from_str(&answers).unwrap();
    let mut model = model();
    for (name, sound) in [("short", speech()), ("long", long())] {
        let finished = f64::from(model.opinion(&sound).unwrap().finished);
        let theirs = answers[name].as_f64().unwrap();
        assert!(
            (finished - theirs).abs() < 1e-3,
            "{name}: {finished} for {theirs}"
        );
    }
}

#[test]
fn no_sound_at_all_is_no_trouble() {
    let mut model = model();
    for sound in [vec![], vec![0; 100], vec![i16::MIN; 200_000]] {
        let opinion = model.opinion(&sound).unwrap();
        assert!((0.0..=1.0).contains(&opinion.finished) && !opinion.hushed);
    }
}

#[tokio::test]
async fn opinions_are_given_on_a_thread_of_their_own() {
    let model = SmartTurn::load(&engines_directory()).unwrap();
    let opinion = model.opinion(speech().into()).await.unwrap();
    assert!(opinion.finished > 0.9, "{opinion:?}");
}

#[test]
fn a_whispering_caller_is_hushed_and_a_speaking_one_is_not() {
    let mut model = model();
    for sentence in [
        "He is outside the door right now.",
        "I can not talk, please send someone.",
        "Yes, he has a knife.",
    ] {
        for (voice, hushed) in [
            ("en-gb", false),
            ("en+f3", false),
            ("en+m3", false),
            ("en+whisper", true),
            ("en+whisperf", true),
        ] {
            let opinion = model
                .opinion(&trimmed(&espeak(voice, 150, sentence)))
                .unwrap();
            assert_eq!(opinion.hushed, hushed, "{voice}: {sentence}");
        }
    }
}

#[test]
fn a_missing_model_is_an_error_that_says_what_to_do() {
    let nowhere = tempfile::tempdir().unwrap();
    let error = EndOfTurnModel::open(nowhere.path())
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("smart-turn") && error.contains("make setup"),
        "{error}"
    );
}
