//! How long a turn takes, from the words to the reply, and what the readers weigh in memory. Reads
//! turns (their kind, a tab, the words) on standard input, says each as a call's first words, and
//! prints JSON. `make bench` runs it.

#![allow(
    clippy::disallowed_methods,
    reason = "it measures the pure code from outside"
)]

use std::{
    collections::BTreeMap,
    io::BufRead,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use flow::{AssistantScript, Conversation, Event, Secret, Setup};
use reader::{Reader, trained::Files};

/// Memory that is the process's own, in megabytes.
fn resident() -> f64 {
    const PAGE: f64 = 4096.0;
    let sizes = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let mut pages = sizes
        .split(' ')
        .filter_map(|field| field.trim().parse::<f64>().ok());
    let (resident, shared) = (pages.nth(1), pages.next());
    (resident.unwrap_or(0.0) - shared.unwrap_or(0.0)) * PAGE / 1e6
}

fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e5).round() / 100.0
}

/// The turn times' percentiles.
fn percentiles(mut times: Vec<Duration>) -> serde_json::Value {
    times.sort();
    let at = |percent: usize| {
        let place = (times.len() * percent / 100).min(times.len().saturating_sub(1));
        times.get(place).copied().map(milliseconds)
    };
    serde_json::json!({
        "turns": times.len(), "p50_ms": at(50), "p95_ms": at(95), "p99_ms": at(99), "longest_ms": at(100),
    })
}

fn main() {
    let script = Arc::new(AssistantScript::built_in());
    let before = resident();
    let opening = Instant::now();
    let rules = Reader::rules_alone();
    let (rules_opened, rules_weigh) = (opening.elapsed(), resident() - before);
    let opening = Instant::now();
    let files = Files::new(Path::new("crates/reader/weights"), Path::new("var/engine"));
    let both = Reader::open(&files).expect("the weights are in the repository");
    let (both_opened, both_weigh) = (opening.elapsed(), resident() - before);

    let lines: Vec<(String, String)> = std::io::stdin()
        .lock()
        .lines()
        .map_while(Result::ok)
        .filter_map(|line| {
            let (kind, words) = line.split_once('\t')?;
            Some((kind.to_owned(), words.to_owned()))
        })
        .collect();
    let mut figures = serde_json::Map::new();
    for (name, reader) in [("rules", &rules), ("both", &both)] {
        let mut turns: BTreeMap<&str, Vec<Duration>> = BTreeMap::new();
        for (kind, words) in &lines {
            let mut conversation = Conversation::new(Setup {
                called_at: "2026-11-20T23:10:00".parse().expect("a constant"),
                assistant: Arc::clone(&script),
                medium: flow::Medium::Speech,
            });
            conversation.handle(Event::CallStarted, Duration::ZERO);
            conversation.take_reply();
            let words = Secret::new(words.clone());
            let start = Instant::now();
            reader.tell(&mut conversation, &words, Duration::ZERO);
            conversation.take_reply();
            turns.entry(kind).or_default().push(start.elapsed());
        }
        let by_kind = turns
            .into_iter()
            .map(|(kind, times)| (kind.to_owned(), percentiles(times)))
            .collect();
        figures.insert(name.to_owned(), serde_json::Value::Object(by_kind));
    }
    let report = serde_json::json!({
        "rules_open_ms": milliseconds(rules_opened), "rules_mb": rules_weigh.round(),
        "both_open_ms": milliseconds(both_opened), "both_mb": both_weigh.round(),
        "turns": figures,
    });
    println!("{report}");
}
