//! Reads `expected<TAB>words` a line (`A/B`: either will do), says the words after the greeting, and prints where the
//! route differs (with `--why`, what was understood), and how long a turn took. `AGE` stands for the age question, `NONE` for counselling on.

#![allow(
    clippy::disallowed_methods,
    reason = "it measures the pure code from outside"
)]

use std::{
    io::BufRead,
    sync::Arc,
    time::{Duration, Instant},
};

use flow::{AssistantScript, Command, Conversation, Event, Secret, Setup, reading::Listening};
use reader::Reader;

/// What was understood, where the route surprises.
fn why(reader: &Reader, words: &str) {
    let listening = Listening {
        called_at: "2026-11-20T23:10:00".parse().expect("a constant"),
        question: Some(flow::Question::SafeNow),
        person: None,
    };
    for signal in reader.read(words, &listening).signals {
        println!(
            "           {:?} {}{}{} {:?}",
            signal.signal,
            signal.confidence,
            if signal.denied { " denied" } else { "" },
            if signal.remote { " remote" } else { "" },
            signal.words.expose_secret()
        );
    }
}

fn main() {
    let script = Arc::new(AssistantScript::built_in());
    let preparing = Instant::now();
    let reader = Reader::rules_alone();
    println!("lexicons compiled in {:?}", preparing.elapsed());
    let mut times: Vec<Duration> = Vec::new();
    let (mut right, mut all) = (0, 0);
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let Some((expected, words)) = line.split_once('\t') else {
            continue;
        };
        let mut conversation = Conversation::new(Setup {
            called_at: "2026-11-20T23:10:00".parse().expect("a constant"),
            assistant: script.clone(),
        });
        conversation.handle(Event::CallStarted, Duration::ZERO);
        while conversation.poll_command().is_some() {}
        let start = Instant::now();
        reader.tell(
            &mut conversation,
            &Secret::new(words.to_owned()),
            Duration::ZERO,
        );
        times.push(start.elapsed());
        let mut said = String::new();
        while let Some(command) = conversation.poll_command() {
            if let Command::Say { sentence } = command {
                said.push_str(sentence.expose_secret());
                said.push(' ');
            }
        }
        let note = conversation.note();
        let route = note
            .structured_data
            .transfer_to
            .map(|agency| agency.as_str());
        let route = route.unwrap_or(match &said {
            said if said.contains(" old ") || said.contains(" age") => "AGE",
            said if said.contains("hurting you, or about") || said.contains("in danger from") => {
                "ASK-DANGER"
            }
            said if said.contains("being hurt there") || said.contains("that person in danger") => {
                "ASK-OTHER"
            }
            said if said.contains("ending your life") || said.contains("about suicide") => {
                "ASK-SUICIDE"
            }
            said if said.contains("husband or wife") => "ASK-WHO",
            _ => "NONE",
        });
        all += 1;
        if expected.split('/').any(|one| one == route) {
            right += 1;
        } else {
            println!("{expected:6} got {route:12} {words}");
            if std::env::args().any(|argument| argument == "--why") {
                why(&reader, words);
            }
        }
    }
    println!("{right} of {all}");
    times.sort();
    if let (Some(p50), Some(p99)) = (times.get(all / 2), times.get(all * 99 / 100)) {
        println!(
            "a turn: p50 {p50:?}, p99 {p99:?}, longest {:?}",
            times[all - 1]
        );
    }
}
