//! No caller's words in any log, at its finest: whole conversations, failures included, with every
//! library at `trace` as far as the program lets it.
#![allow(clippy::unwrap_used)]

mod support;

use std::io::BufReader;
use std::sync::Arc;

use flow::AssistantScript;
use server::commands::converse::{Lines, hold};
use server::settings::{Log, LogFormat};
use server::telemetry;

use support::caller::SocketCaller;
use support::endpoint::Endpoint;
use support::kept_log::KeptLog;
use support::start_server;
use support::visitor::PUBLIC_KEY;

/// Words that nothing in the program contains.
const NAME: &str = "Zephyrine";
const WORDS: &[&str] = &[
    "My name is Zephyrine and I live at 77 Quokka Lane unit oh four dash nineteen",
    "He threw the xylograph at my marimba yesterday evening",
];
const TELLING: &[&str] = &["zephyrine", "quokka", "xylograph", "marimba"];

#[tokio::test(flavor = "multi_thread")]
async fn no_word_of_a_caller_reaches_the_log() {
    let log = KeptLog::default();
    let finest = Log {
        // However precisely it is asked for.
        filter: String::from(
            "trace,tungstenite=trace,tungstenite::protocol=trace,hyper::proto=trace,sqlx::query=trace,str0m::dtls=trace",
        ),
        format: LogFormat::Text,
    };
    telemetry::start_log(&finest, log.clone()).unwrap();

    // A panic over a caller's words, as where they are cut in the middle of a letter.
    telemetry::log_panics_by_their_place();
    let cut = std::thread::spawn(|| "I live at Quokka Lane, café"[..27].len()).join();
    // From here on a test that fails says why.
    let _ = std::panic::take_hook();
    assert!(cut.is_err());

    // A conversation by text, a malformed line among it.
    let input: String = WORDS
        .iter()
        .map(|words| format!("{{\"say\":\"{words}\"}}\n{{\"say\":[\"{words}\"]}}\n"))
        .collect();
    let mut transcript = Vec::new();
    let script = Arc::new(AssistantScript::built_in());
    let face = Box::new(Lines {
        out: &mut transcript,
    });
    hold(
        script,
        &reader::Reader::rules_alone(),
        jiff::Timestamp::now(),
        BufReader::new(input.as_bytes()),
        face,
    )
    .unwrap();
    let transcript = String::from_utf8(transcript).unwrap();
    assert!(
        transcript.contains(NAME),
        "the record itself holds the words"
    );

    // A call, with messages that cannot be read and bodies that are refused. A chat model is asked
    // in each turn, and answers with what may not be said; a voice made elsewhere breaks at the caller's name.
    let endpoint = Endpoint::that_says("You told me that Zephyrine threw the xylograph.").await;
    let settings = [endpoint.settings(), endpoint.voice_settings()].join("\n");
    let server = start_server(&settings).await;
    let visitor = server.visitor();
    let mut events = visitor.events().await;
    let mut line = SocketCaller::join(&visitor.call().await).await;
    line.until_the_assistant_has_spoken().await;
    for words in WORDS {
        line.send(serde_json::json!({"type": "add-message", "message": [words]}))
            .await;
        line.send(serde_json::json!({"type": words})).await;
        line.type_words(words).await;
        line.until_the_assistant_has_spoken().await;
    }
    line.hang_up().await;
    let info = events.ended().await;
    assert!(
        info.to_string().contains(NAME),
        "the record holds the words"
    );
    for body in [
        format!("{{\"assistantId\":[\"{NAME}\"]}}"),
        format!("{{\"message\":\"{NAME}"),
        format!("{{\"message\":{{\"type\":\"{NAME}\"}}}}"),
    ] {
        visitor.post_json("/api/webHook", body.clone()).await;
        visitor.post_json("/call/web", body).await;
    }
    for input in [
        serde_json::json!(WORDS[0]),
        serde_json::json!([{"role": "system", "content": WORDS[1]}]),
        serde_json::json!({"text": WORDS[1]}),
    ] {
        let body = serde_json::json!({"assistantId": "helpline", "input": input});
        let chat = visitor.request(reqwest::Method::POST, "/chat");
        visitor.send(chat.bearer_auth(PUBLIC_KEY).json(&body)).await;
    }
    let asked = endpoint.asked.lock().unwrap().clone();
    assert!(
        asked.iter().any(|asked| asked.to_string().contains(NAME)),
        "the model was given the words"
    );
    let spoken = endpoint.spoken.lock().unwrap().clone();
    assert!(
        spoken.iter().any(|input| input.contains(NAME)),
        "the voice was given the name: {spoken:?}"
    );
    visitor
        .get(&format!("/api/getCallInfo?callId={NAME}"))
        .await;
    visitor.get(&format!("/{NAME}")).await;
    server.stop().await;

    let log = log.text();
    assert!(
        log.contains("taking calls") && log.contains("call ended") && log.contains("privacy.rs:"),
        "the log was kept"
    );
    for line in log.lines() {
        let lower = line.to_lowercase();
        for word in TELLING {
            assert!(
                !lower.contains(word),
                "a caller's word is in the log: {line}"
            );
        }
    }
}
