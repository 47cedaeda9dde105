//! The program's commands, run as people and programs run them.
#![allow(clippy::unwrap_used)]

#[path = "commands/audit.rs"]
mod audit;
#[path = "commands/official_types.rs"]
mod official_types;
#[path = "commands/platform_push.rs"]
mod platform_push;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use records::{Aside, Records, RecordsKeys};
use serde_json::Value;

fn nightlight(arguments: &[&str], input: &str) -> Output {
    let place = tempfile::tempdir().unwrap();
    let mut program = Command::new(env!("CARGO_BIN_EXE_nightlight"))
        .args(arguments)
        .current_dir(place.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that ended early no longer reads: its output says why.
    let _ = program.stdin.take().unwrap().write_all(input.as_bytes());
    program.wait_with_output().unwrap()
}

fn converse(input: &str) -> Vec<Value> {
    let output = nightlight(&["converse", "--json", "--at", "2026-11-20T02:15"], input);
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn kinds(lines: &[Value]) -> Vec<&str> {
    let mut kinds: Vec<&str> = lines
        .iter()
        .map(|line| line["type"].as_str().unwrap())
        .collect();
    kinds.dedup();
    kinds
}

#[test]
fn the_assistant_speaks_first_and_the_end_of_input_is_a_hang_up() {
    let lines = converse("");
    assert_eq!(kinds(&lines), ["assistant", "listening", "end", "record"]);
    assert_eq!(lines[lines.len() - 2]["reason"], "customer-ended-call");
    let record = &lines[lines.len() - 1]["record"];
    assert_eq!(
        record["startedAt"], "2026-11-19T18:15:00.000Z",
        "--at is Singapore's time"
    );
    assert_eq!(record["endedReason"], "customer-ended-call");
    assert!(record["durationSeconds"].as_f64().unwrap() > 1.0);
    assert_eq!(record["messages"][0]["role"], "bot");
    for field in ["callId", "summary", "summaryTitle"] {
        assert!(!record[field].as_str().unwrap().is_empty(), "{field}");
    }
    assert!(record["structuredData"]["urgent"].is_boolean());
}

#[test]
fn an_agency_is_said_as_it_is_pronounced_and_recorded_as_it_is_written() {
    let lines = converse("{\"say\":\"I'm safe\"}\n{\"say\":\"My husband hits me\"}\n");
    let says = |line: &&Value| {
        line["text"]
            .as_str()
            .is_some_and(|it| it.contains("D-vert"))
    };
    assert!(lines.iter().any(|line| says(&line)), "{lines:?}");
    let messages = lines.last().unwrap()["record"]["messages"].to_string();
    assert!(messages.contains("the DVERT team"), "{messages}");
    assert!(!messages.contains("D-vert"), "{messages}");
}

#[test]
fn a_suicidal_caller_is_transferred_to_the_samaritans_and_the_call_ends_by_itself() {
    let lines = converse("{\"say\":\"I don't want to live any more\"}\n{\"say\":\"never read\"}\n");
    let transfer = lines
        .iter()
        .find(|line| line["type"] == "transfer")
        .unwrap();
    assert_eq!(
        (transfer["mode"].as_str(), transfer["agency"].as_str()),
        (Some("warm"), Some("SOS"))
    );
    let end = &lines[lines.len() - 2];
    assert_eq!(
        (end["type"].as_str(), end["reason"].as_str()),
        (Some("end"), Some("assistant-forwarded-call"))
    );
    let record = &lines[lines.len() - 1]["record"];
    assert_eq!(record["structuredData"]["transfer_to"], "SOS");
    assert_eq!(record["structuredData"]["transferred"], true);
    assert!(!record.to_string().contains("never read"));
    let said = &record["messages"].as_array().unwrap()[1..];
    assert!(
        said.iter()
            .any(|message| message["message"] == "I don't want to live any more")
    );
}

#[test]
fn a_malformed_line_is_answered_and_the_conversation_goes_on() {
    let long = "x".repeat(100_000);
    let input = format!(
        "hello\n\n{{\"say\":7}}\n{long}\n{{\"say\":\"\"}}\n{{\"say\":\"  \"}}\n{{\"say\":\"I feel sad\"}}\n"
    );
    let lines = converse(&input);
    let errors: Vec<_> = lines
        .iter()
        .filter(|line| line["type"] == "error")
        .collect();
    assert_eq!(errors.len(), 3, "{errors:?}");
    assert!(
        errors
            .iter()
            .all(|error| !error["message"].as_str().unwrap().contains("hello"))
    );
    let waits = lines
        .iter()
        .filter(|line| line["type"] == "listening")
        .count();
    assert_eq!(waits, 7, "it says so each time it waits");
    let record = &lines[lines.len() - 1]["record"];
    let words: Vec<_> = record["messages"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|m| m["role"] == "user")
        .collect();
    assert_eq!(
        words.len(),
        1,
        "a line without words is speech that was not understood"
    );
}

#[test]
fn the_same_conversation_gives_the_same_output() {
    let input =
        "{\"say\":\"my boss shouts at me every day\"}\n{\"say\":\"I am scared to go to work\"}\n";
    let told = || {
        let mut lines = converse(input);
        lines.last_mut().unwrap()["record"]["callId"] = Value::Null;
        lines
    };
    assert_eq!(told(), told());
}

#[test]
fn a_person_at_a_terminal_reads_the_conversation_and_the_note() {
    let output = nightlight(&["converse"], "I feel sad\n");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("Nightlight: "), "{text}");
    assert!(
        text.contains("You: ") && text.contains("follow-up: "),
        "{text}"
    );
}

#[test]
fn settings_that_are_wrong_are_all_named_at_once() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("wrong.toml");
    std::fs::write(
        &file,
        "listen = 'nowhere'\nvoice = 'darth'\nlinsten = 'x'\n",
    )
    .unwrap();
    for command in ["check-settings", "serve", "converse"] {
        let output = nightlight(&["--config", file.to_str().unwrap(), command], "");
        assert!(!output.status.success(), "{command}");
        let text = String::from_utf8(output.stderr).unwrap();
        for setting in ["`listen`", "`voice`", "`linsten`"] {
            assert!(text.contains(setting), "{command}: {text}");
        }
    }
    let output = nightlight(&["check-settings"], "");
    assert!(output.status.success());
    assert!(
        String::from_utf8(output.stdout)
            .unwrap()
            .contains("start_wait_seconds")
    );
}

#[test]
fn without_the_speech_engine_the_server_says_what_to_do() {
    let nothing_fetched = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_nightlight"))
        .arg("serve")
        .current_dir(nothing_fetched.path())
        .env("NIGHTLIGHT_ENGINE_DIR", nothing_fetched.path())
        .output()
        .unwrap();
    assert!(!output.status.success());
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("make setup"), "{text}");
}

/// Of the database at this url, into a new file beside it.
fn backed_up(place: &Path, url: &str, name: &str) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_nightlight"))
        .args(["backup", name])
        .current_dir(place)
        .env("NIGHTLIGHT_DATABASE", url)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(place.join(name).exists());
    output
}

#[tokio::test]
async fn a_backup_that_is_taken_while_calls_wait_beside_the_database_says_so() {
    let place = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", place.path().join("calls.db").display());
    drop(Records::open(&url).await.unwrap());
    let output = backed_up(place.path(), &url, "everything.db");
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(!told.contains("WARNING"), "{told}");

    let aside = Aside::open(&url, RecordsKeys::none()).await.unwrap();
    let kept = aside.place().unwrap().display().to_string();
    drop(aside);
    let output = backed_up(place.path(), &url, "not-everything.db");
    let told = String::from_utf8(output.stderr).unwrap();
    for what in [
        "WARNING",
        "1 file of their own",
        &kept,
        "Start the server once",
    ] {
        assert!(told.contains(what), "{what}: {told}");
    }
}
