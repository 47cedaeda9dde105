//! A conversation at the terminal, one caller turn a line, for trying out words by hand.
//! `cargo run -p reader --example talk < lines.txt`

use std::{io::BufRead, sync::Arc, time::Duration};

use flow::{AssistantScript, Command, Conversation, EndReason, Event, Secret, Setup};
use reader::Reader;

fn main() {
    let reader = Reader::rules_alone();
    let mut conversation = Conversation::new(Setup {
        called_at: "2026-11-20T23:10:00".parse().expect("a constant"),
        assistant: Arc::new(AssistantScript::built_in()),
        medium: flow::Medium::Speech,
    });
    conversation.handle(Event::CallStarted, Duration::ZERO);
    drain(&mut conversation);
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        println!("caller: {line}");
        match line.as_str() {
            "(silence)" => conversation.handle(Event::CallerSilent, Duration::ZERO),
            "(noise)" => conversation.handle(Event::CallerNotUnderstood, Duration::ZERO),
            _ => reader.tell(&mut conversation, &Secret::new(line), Duration::ZERO),
        }
        drain(&mut conversation);
    }
    conversation.handle(
        Event::CallEnded {
            reason: EndReason::CallerEnded,
        },
        Duration::ZERO,
    );
    println!(
        "{}",
        serde_json::to_string_pretty(&conversation.note()).expect("a note is plain data")
    );
}

fn drain(conversation: &mut Conversation) {
    while let Some(command) = conversation.poll_command() {
        match command {
            Command::Say { sentence } => println!("  > {}", sentence.expose_secret()),
            Command::Transfer { mode, agency } => println!("  [{} {agency}]", mode.as_str()),
            Command::LookedUp { query } => println!("  [looked up {query}]"),
            Command::End { reason } => println!("  [end {reason}]"),
        }
    }
}
