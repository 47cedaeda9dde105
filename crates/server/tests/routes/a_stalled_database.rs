//! PostgreSQL stands still for a minute, and is then killed and started again.

use std::time::{Duration, Instant};

use postgres_for_tests::PostgresServer;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::support::caller::SocketCaller;
use crate::support::visitor::PUBLIC_KEY;
use crate::support::{Visitor, start_server};

/// At the least, and for as many calls as begin meanwhile.
const STANDS_STILL: Duration = Duration::from_secs(60);
const CALLS_MEANWHILE: usize = 4;
/// A turn waits 1.5 s for the database, a reply 0.2 s for the caller; the rest is a busy machine's.
const ANSWERED_WITHIN: Duration = Duration::from_secs(6);
const STORED_WITHIN: Duration = Duration::from_secs(60);
/// What a caller says who is on the line all the while.
const LINES: [&str; 5] = [
    "Nobody talks to me at work",
    "My mother is not well and I look after her",
    "I sleep badly these nights",
    "My sister does not help me",
    "It has been like this for months",
];
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// Asks for a call and is greeted, then says something and is answered.
async fn calls(visitor: &Visitor, words: &str) -> (Value, SocketCaller) {
    let greeted = async {
        let call = visitor.call().await;
        let mut line = SocketCaller::join(&call).await;
        line.until(begins_to_speak).await.expect("the call goes on");
        (call, line)
    };
    let (call, mut line) = timeout(ANSWERED_WITHIN, greeted)
        .await
        .expect("greeted on time");
    line.until_the_assistant_has_spoken().await;
    says(&mut line, words).await;
    (call, line)
}

/// To the end of the answer, whose first sound is on time.
async fn says(line: &mut SocketCaller, words: &str) {
    line.type_words(words).await;
    let answer = timeout(ANSWERED_WITHIN, line.until(begins_to_speak)).await;
    answer.expect("answered on time").expect("the call goes on");
    line.until_the_assistant_has_spoken().await;
}

fn begins_to_speak(message: &Value) -> bool {
    message["type"] == "speech-update"
        && message["role"] == "assistant"
        && message["status"] == "started"
}

async fn writes(visitor: &Visitor, body: Value) -> Value {
    let request = visitor.request(Method::POST, "/chat");
    let sent = visitor.send(request.bearer_auth(PUBLIC_KEY).json(&body));
    let answer = timeout(ANSWERED_WITHIN, sent)
        .await
        .expect("answered on time");
    assert_eq!(answer.status(), StatusCode::CREATED);
    answer.json().await.unwrap()
}

async fn goes_on_writing(visitor: &Visitor, chat: &Value, words: &str) -> Value {
    writes(
        visitor,
        json!({"previousChatId": chat["id"], "input": words}),
    )
    .await
}

/// What is kept of a call, once this is true of it.
async fn on_record(visitor: &Visitor, id: &Value, holds: impl Fn(&Value) -> bool) -> Value {
    let path = format!("/api/getCallInfo?callId={}", id.as_str().unwrap());
    let kept = async {
        loop {
            let answer = visitor.get(&path).await;
            if answer.status() == StatusCode::OK {
                let record = answer.json().await.unwrap();
                if holds(&record) {
                    return record;
                }
            }
            tokio::time::sleep(LOOK_AGAIN).await;
        }
    };
    timeout(STORED_WITHIN, kept)
        .await
        .expect("it is stored when the database is back")
}

#[tokio::test(flavor = "multi_thread")]
async fn while_the_database_stands_still_for_a_minute_callers_are_answered_and_all_is_stored_when_it_is_back()
 {
    let database = PostgresServer::start();
    let server = start_server(&format!("database = '{}'", database.database())).await;
    let visitor = server.visitor();
    let (before, mut live) = calls(&visitor, "I feel very lonely these days").await;
    let begun = writes(
        &visitor,
        json!({"assistantId": "helpline", "input": "I cannot sleep"}),
    )
    .await;

    database.hold_up();
    let since = Instant::now();
    let mut lines = LINES.into_iter().cycle();
    let chat = goes_on_writing(&visitor, &begun, "My sister does not help me").await;
    let mut meanwhile = Vec::new();
    // One call after the other, each listened to to the end of what it is told: some fifteen seconds.
    while since.elapsed() < STANDS_STILL || meanwhile.len() < CALLS_MEANWHILE {
        says(&mut live, lines.next().unwrap()).await;
        let (call, mut line) = calls(&visitor, "I am so tired of it all").await;
        line.hang_up().await;
        let new = json!({"assistantId": "helpline", "input": "I feel sad"});
        meanwhile.push((call, writes(&visitor, new).await));
    }
    assert_eq!(
        visitor.get("/ready").await.status(),
        StatusCode::SERVICE_UNAVAILABLE
    );
    let chat = goes_on_writing(&visitor, &chat, "It has been a long week").await;
    says(&mut live, "I like to paint when there is time").await;
    database.kill();
    database.stop();
    database.start_again();

    live.hang_up().await;
    let ended = |record: &Value| record["status"] == "ended";
    let record = on_record(&visitor, &before["id"], ended).await;
    assert_eq!(record["endedReason"], "customer-ended-call");
    let said = record["messages"].to_string();
    for words in ["lonely", LINES[0], LINES[1], LINES[2], "like to paint"] {
        assert!(said.contains(words), "{words} is missing: {said}");
    }
    for (call, chat) in meanwhile {
        let record = on_record(&visitor, &call["id"], ended).await;
        assert!(
            record["messages"].to_string().contains("so tired"),
            "{record}"
        );
        let begun = |record: &Value| record["messages"].to_string().contains("I feel sad");
        on_record(&visitor, &chat["sessionId"], begun).await;
    }
    let end = visitor.request(
        Method::DELETE,
        &format!("/chat/{}", chat["id"].as_str().unwrap()),
    );
    assert_eq!(visitor.send(end).await.status(), StatusCode::OK);
    let said = on_record(&visitor, &chat["sessionId"], ended).await["messages"].to_string();
    for words in ["cannot sleep", "sister", "long week"] {
        assert!(said.contains(words), "{words} is missing: {said}");
    }
}
