//! The evidence of a note: each claim, and the caller's words that it rests on.

use std::collections::BTreeSet;

use redact::Secret;

use super::{
    Evidence,
    facts::{open_danger, stands_open, tells_of_harm},
};
use crate::{
    machine::{Noted, State},
    reading::{HeardSignal, SURE, Signal},
};

pub(super) fn evidence(state: &State, urgent: bool) -> Vec<Evidence> {
    let open = open_danger(state);
    let mut evidence: Vec<Evidence> = state
        .signals
        .iter()
        .filter(|noted| noted.heard.signal.is_clinical() || noted.heard.signal == Signal::Safe)
        .filter(|noted| {
            // A hint proves nothing, unless the question that it led to was answered with a yes, or
            // nobody came to ask.
            !noted.heard.denied
                && (noted.heard.confidence >= SURE
                    || confirmed_next(state, noted)
                    || stands_open(open, noted.heard.signal))
                || noted.heard.denied
                    && noted.answers
                    && (noted.heard.signal.is_high_risk() || noted.heard.signal.is_abuse())
        })
        .map(|noted| Evidence {
            claim: match noted.heard.signal.name() {
                name if noted.heard.denied => format!("denies {name}"),
                name if noted.undenied => format!("{name}, asked about and not denied"),
                name => name.to_owned(),
            },
            words: noted.heard.words.clone(),
            turn: noted.turn,
            confidence: noted.heard.confidence,
            escalates: urgent && raises_the_flag(&noted.heard),
        })
        .collect();
    let mut fact = |claim: &str, words: &Secret<String>, turn: usize, confidence: f32| {
        evidence.push(Evidence {
            claim: claim.to_owned(),
            words: words.clone(),
            turn,
            confidence,
            escalates: false,
        });
    };
    if let Some(opening) = &state.opening {
        fact(
            "reason for the call",
            &opening.heard.words,
            opening.turn,
            opening.heard.confidence,
        );
    }
    if let Some(name) = &state.name {
        fact("name", &name.heard.words, name.turn, name.heard.confidence);
    }
    for place in state.places() {
        fact(
            "location",
            &place.heard.words,
            place.turn,
            place.heard.confidence,
        );
    }
    if let Some(age) = &state.age {
        fact("age", &age.heard.words, age.turn, age.heard.confidence);
    }
    // Whom the words do not name is no evidence, however likely.
    if let Some(abuser) = &state.abuser
        && abuser.heard.confidence >= SURE
        && tells_of_harm(state)
    {
        fact(
            "who did it",
            &abuser.heard.words,
            abuser.turn,
            abuser.heard.confidence,
        );
    }
    if let Some(contact) = &state.contact {
        fact(
            "how to reach the caller",
            &contact.heard.words,
            contact.turn,
            contact.heard.confidence,
        );
    }
    if let Some(number) = &state.call_back {
        fact(
            "number to call back",
            &number.heard.words,
            number.turn,
            number.heard.confidence,
        );
    }
    if let Some(incident) = &state.incident {
        fact(
            "latest incident",
            &incident.heard.words,
            incident.turn,
            incident.heard.confidence,
        );
    }
    evidence.sort_by_key(|evidence| evidence.turn);
    // What two readers heard in the same words is one claim.
    let mut seen = BTreeSet::new();
    evidence
        .retain(|it| seen.insert((it.turn, it.claim.clone(), it.words.expose_secret().clone())));
    evidence
}

/// The caller's next words answered a question about the same with a yes.
fn confirmed_next(state: &State, hint: &Noted) -> bool {
    state.signals.iter().any(|noted| {
        noted.answers
            && !noted.heard.denied
            && noted.heard.signal == hint.heard.signal
            && noted.turn == hint.turn + 1
    })
}

/// A danger or a red flag, told as true and not of long ago.
pub(super) fn raises_the_flag(heard: &HeardSignal) -> bool {
    (heard.signal.is_high_risk() || heard.signal.is_red_flag()) && !heard.denied && !heard.remote
}
