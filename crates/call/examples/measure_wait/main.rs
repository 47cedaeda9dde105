//! Measures how often a caller is cut off and how long one who has finished waits, for fixed waits and for
//! one that fits the speaker; prints the figures as JSON.
//!
//!     cargo run --release -p call --example measure_wait -- UTTERANCES KEPT_ASIDE
//!
//! The first two are bench/wait/utterances.txt, which the adaptive wait's numbers were chosen on, and kept-aside.txt,
//! which they were not. The sound is made here, by the voices of [`callers`]: some twenty minutes.
//!
//! The floor, the detector, the transcriber and the end-of-turn model are the real ones. Time is virtual: what
//! takes time in a call takes the times of `one_turn` here, so that the figures depend on the sound alone.

#![allow(clippy::unwrap_used)]

mod callers;
mod clip;
mod figures;
mod one_turn;
mod utterance;

use std::path::Path;
use std::time::Duration;

use serde_json::json;
use speech::{EndOfTurnModel, EngineFiles, MoonshineTranscriber, engines_directory};
use turn::{AdaptiveWait, Phrases, Plan};

use figures::Figures;
use one_turn::{Ears, Heard};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut utterances = || {
        let file = arguments.next().expect("give both files of utterances");
        utterance::read(Path::new(&file))
    };
    let (chosen_on, kept_aside) = (utterances(), utterances());
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let callers = callers::all();

    let files = EngineFiles::find().unwrap_or_else(|missing| panic!("{missing}"));
    let mut ears = Ears {
        runtime,
        transcriber: MoonshineTranscriber::load(&files, 1).unwrap(),
        model: EndOfTurnModel::open(&engines_directory()).unwrap_or_else(|error| panic!("{error}")),
    };
    let mut heard = Vec::new();
    for (name, voice) in &callers {
        for (utterances, kept_aside) in [(&chosen_on, false), (&kept_aside, true)] {
            for utterance in utterances {
                let clip = ears.runtime.block_on(clip::make(utterance, voice.as_ref()));
                let clip = clip.unwrap_or_else(|error| panic!("{name}: {error}"));
                heard.push(Heard::of(clip, utterance, name, kept_aside));
            }
        }
    }

    let mut rows = Vec::new();
    for (name, plan) in plans() {
        let (mut all, mut aside) = (Figures::default(), Figures::default());
        for heard in &mut heard {
            let outcome = one_turn::play(heard, &plan, &mut ears);
            all.count(heard, outcome);
            if heard.kept_aside {
                aside.count(heard, outcome);
            }
        }
        rows.push(json!({ "wait": name, "all": all.as_json(), "kept_aside": aside.as_json() }));
    }
    let names: Vec<_> = callers.iter().map(|(name, _)| name).collect();
    let figures = json!({
        "callers": names,
        "utterances": chosen_on.len() + kept_aside.len(),
        "opinions": figures::of_opinions(&heard),
        "waits": rows,
    });
    println!("{figures:#}");
}

/// By name: fixed waits, 0.1 s apart; the adaptive one; and it with a part of it left out.
fn plans() -> Vec<(String, Plan)> {
    let fixed = (3..=30).map(|tenths| {
        let plan = Plan {
            start_wait: Duration::from_millis(100 * tenths),
            ..Plan::default()
        };
        (format!("fixed {}", tenths as f64 / 10.0), plan)
    });
    let usual = AdaptiveWait::default;
    let by_the_sound_alone = AdaptiveWait {
        leading_on: Phrases::new([""; 0]),
        whole_number: 0,
        ..usual()
    };
    let by_the_words_alone = AdaptiveWait {
        finished_from: 0.0,
        ..usual()
    };
    let without_doubt = AdaptiveWait {
        finished_from: 0.5,
        unfinished_to: 0.5,
        ..usual()
    };
    let adaptive = [
        ("adaptive", usual()),
        ("adaptive, by the sound alone", by_the_sound_alone),
        ("adaptive, by the words alone", by_the_words_alone),
        ("adaptive, two waits: under and from 0.5", without_doubt),
    ];
    let adaptive = adaptive.map(|(name, adaptive)| {
        let plan = Plan {
            adaptive_wait: Some(adaptive),
            ..Plan::default()
        };
        (name.to_owned(), plan)
    });
    let quiet = |(name, plan)| {
        let plan = Plan {
            assistant_speaks_first: false,
            ..plan
        };
        (name, plan)
    };
    fixed.chain(adaptive).map(quiet).collect()
}
