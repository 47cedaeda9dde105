//! What callers say, and what should be heard in it.

#![allow(clippy::unwrap_used)]
use super::*;

mod harm;
mod talk;

fn heard(words: &str) -> Reading {
    let listening = Listening::by_itself("2026-11-20T23:10:00".parse().unwrap(), None);
    read(words, &listening)
}

/// Each of the phrases gives the signal, surely enough to be acted on.
fn sure(signal: Signal, phrases: &[&str]) {
    let missed: Vec<&&str> = phrases
        .iter()
        .filter(|words| heard(words).asserts(signal, SURE).is_none())
        .collect();
    assert!(missed.is_empty(), "{signal:?} missed in {missed:#?}");
}

/// None of the phrases gives any of the signals, not even to be asked about.
fn quiet(signals: &[Signal], phrases: &[&str]) {
    let mut wrong = Vec::new();
    for words in phrases {
        for signal in signals {
            if let Some(hit) = heard(words).asserts(*signal, WORTH_ASKING) {
                wrong.push(format!(
                    "{words:?} gave {signal:?} by {:?}",
                    hit.words.expose_secret()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn answer_to(question: Question, words: &str) -> Reading {
    let listening = Listening::by_itself("2026-11-20T23:10:00".parse().unwrap(), Some(question));
    read(words, &listening)
}
