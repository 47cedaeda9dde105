//! `/chat`: written conversations.

use records::{CallKind, Records, Turn};
use redact::Secret;
use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};

use crate::support::visitor::{PUBLIC_KEY, refused};
use crate::support::{Visitor, database_in, left_behind, start_server, start_server_again};

const PRIVATE_KEY: &str = "0123456789abcdef";

async fn post(visitor: &Visitor, body: Value) -> Response {
    let request = visitor
        .request(Method::POST, "/chat")
        .bearer_auth(PUBLIC_KEY)
        .json(&body);
    visitor.send(request).await
}

async fn answered(visitor: &Visitor, body: Value) -> Value {
    let response = post(visitor, body).await;
    assert_eq!(response.status(), StatusCode::CREATED);
    response.json().await.unwrap()
}

async fn begun(visitor: &Visitor) -> Value {
    answered(visitor, json!({"assistantId": "helpline", "input": ""})).await
}

async fn said(visitor: &Visitor, after: &Value, words: &str) -> Value {
    answered(
        visitor,
        json!({"previousChatId": after["id"], "input": words}),
    )
    .await
}

fn output(chat: &Value) -> &str {
    assert_eq!(chat["output"].as_array().unwrap().len(), 1, "{chat}");
    assert_eq!(chat["output"][0]["role"], "assistant");
    chat["output"][0]["content"].as_str().unwrap()
}

async fn info(visitor: &Visitor, chat: &Value) -> Value {
    let id = chat["sessionId"].as_str().unwrap();
    visitor
        .get_json(&format!("/api/getCallInfo?callId={id}"))
        .await
}

#[tokio::test]
async fn a_conversation_begins_with_the_greeting_and_stands_in_the_table_at_once() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let mut events = visitor.events().await;
    let chat = begun(&visitor).await;
    assert!(output(&chat).contains("AI counsellor"), "{chat}");
    assert_eq!(chat["status"], "in-progress");
    assert_eq!(chat["assistantId"], "helpline");
    assert_eq!(chat["id"], chat["sessionId"]);
    assert_eq!(chat["messages"], json!([]));
    assert!(chat["createdAt"].is_string() && chat["updatedAt"].is_string());
    assert!(chat.get("transfer").is_none() && chat.get("endedReason").is_none());
    assert_eq!(events.next().await.unwrap()["callId"], chat["id"]);
    let listed = visitor.get_json("/api/calls").await;
    assert_eq!(listed[0]["callId"], chat["id"]);
    assert_eq!(listed[0]["type"], "chat");
    assert_eq!(listed[0]["status"], "in-progress");
    assert_eq!(listed[0]["summaryTitle"], "Active Call");
    assert_eq!(listed[1]["type"], "webCall");
}

#[tokio::test]
async fn a_caller_in_danger_is_handed_on_and_the_record_tells_it() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let mut events = visitor.events().await;
    let first = begun(&visitor).await;
    let second = said(&visitor, &first, "I'm safe, I just feel very low").await;
    assert_eq!(second["status"], "in-progress");
    assert_eq!(second["previousChatId"], first["id"]);
    assert_eq!(second["messages"].as_array().unwrap().len(), 1);
    let last = said(&visitor, &second, "I don't want to live any more").await;
    assert_eq!(last["messages"].as_array().unwrap().len(), 3);
    assert_eq!(last["input"], "I don't want to live any more");
    assert_eq!(last["status"], "ended");
    assert_eq!(last["endedReason"], "assistant-forwarded-call");
    assert_eq!(last["transfer"], json!({"mode": "warm", "agency": "SOS"}));
    assert!(output(&last).contains("Samaritans"), "{last}");

    let ended = events.ended().await;
    assert_eq!(ended["callId"], first["id"]);
    let record = info(&visitor, &last).await;
    assert_eq!(record["status"], "ended");
    assert_eq!(record["structuredData"]["transfer_to"], "SOS");
    assert_eq!(record["structuredData"]["urgent"], true);
    let trigger = &record["escalationTriggers"][0];
    assert_eq!(trigger["claim"], "suicidal thoughts");
    let at = trigger["messageIndex"].as_u64().unwrap() as usize;
    let told = record["messages"][at]["message"].as_str().unwrap();
    assert!(
        told.contains(trigger["words"].as_str().unwrap()),
        "{trigger}"
    );
    let roles: Vec<_> = record["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| message["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles, ["bot", "user", "bot", "user", "bot"]);
    let over = json!({"previousChatId": last["id"], "input": "hello?"});
    let refusal = refused(post(&visitor, over).await, 410, "chat-over").await;
    assert!(refusal["numbers"].is_array(), "{refusal}");
}

#[tokio::test]
async fn whoever_writes_first_is_greeted_and_answered_with_one_question_at_most() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let body = json!({"assistantId": "helpline", "input": [
        {"role": "user", "content": "my boss shouts at me every day"}
    ]});
    let chat = answered(&visitor, body).await;
    assert!(output(&chat).contains("AI counsellor"), "{chat}");
    assert_eq!(output(&chat).matches('?').count(), 1, "{chat}");
    let roles: Vec<_> = info(&visitor, &chat).await["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| message["role"].clone())
        .collect();
    assert_eq!(roles, ["user", "bot"]);
}

#[tokio::test]
async fn an_agency_is_written_as_it_is_called_and_not_as_it_is_pronounced() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let first = begun(&visitor).await;
    let second = said(&visitor, &first, "I'm safe").await;
    let third = said(&visitor, &second, "My husband hits me").await;
    assert!(output(&third).contains("the DVERT team"), "{third}");
    let record = info(&visitor, &third).await;
    assert!(
        !record["messages"].to_string().contains("D-vert"),
        "{record}"
    );
}

#[tokio::test]
async fn who_writes_reads_numbers_as_digits_and_is_not_told_of_a_line() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let first = begun(&visitor).await;
    let last = said(&visitor, &first, "I'm going to kill myself tonight").await;
    let words = output(&last);
    assert!(words.contains("connecting you to Samaritans"), "{words}");
    assert!(words.contains("1767"), "{words}");
    for spoken in ["one seven six seven", "the line"] {
        assert!(!words.contains(spoken), "{words}");
    }
}

#[tokio::test]
async fn a_conversation_goes_on_by_its_session_too() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let first = begun(&visitor).await;
    let body = json!({"sessionId": first["sessionId"], "input": "I feel sad"});
    let second = answered(&visitor, body).await;
    assert_eq!(second["sessionId"], first["sessionId"]);
    assert_eq!(second["previousChatId"], first["id"]);
    assert_ne!(second["id"], first["id"]);
    let path = format!("/chat/{}", first["id"].as_str().unwrap());
    let latest = visitor.get_json(&path).await;
    assert_eq!(latest["id"], second["id"], "any chat leads to the latest");
    assert_eq!(latest["output"], second["output"]);
    assert_eq!(latest["input"], "I feel sad");
}

#[tokio::test]
async fn an_exchange_is_on_disk_before_it_is_answered() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let first = begun(&visitor).await;
    said(&visitor, &first, "I feel sad").await;
    let records = Records::open(&database_in(server.place.path()))
        .await
        .unwrap();
    let unfinished = left_behind(&records, CallKind::Chat).await;
    assert_eq!(unfinished.len(), 1);
    assert_eq!(unfinished[0].messages.len(), 3, "greeting, words and reply");
    assert_eq!(unfinished[0].last_turn, Some(1));
}

#[tokio::test]
async fn a_conversation_goes_on_after_the_server_has_started_again() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let first = begun(&visitor).await;
    let second = said(&visitor, &first, "My husband hits me").await;
    let before = info(&visitor, &second).await;
    let server = start_server_again(server.stop().await).await;
    let visitor = visitor.at(&server.url);
    let third = said(&visitor, &second, "Yes, you can share it").await;
    assert_eq!(third["sessionId"], first["sessionId"]);
    assert_eq!(third["messages"].as_array().unwrap().len(), 3);
    let after = info(&visitor, &third).await;
    assert_eq!(after["id"], before["id"], "it is the same record");
    assert_eq!(after["messages"].as_array().unwrap().len(), 5);
}

/// Sums that overflow are only noticed in a debug build, which is what makes this exchange fail.
#[cfg(debug_assertions)]
#[tokio::test]
async fn an_exchange_that_breaks_leaves_the_conversation_as_it_stood() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let first = begun(&visitor).await;
    let second = said(&visitor, &first, "I feel sad").await;
    let place = server.stop().await;
    let records = Records::open(&database_in(place.path())).await.unwrap();
    let left = left_behind(&records, CallKind::Chat).await.remove(0);
    let saved = left.conversation.unwrap();
    let mut saved: Value = serde_json::from_str(saved.expose_secret()).unwrap();
    saved["state"]["turns"] = usize::MAX.into();
    let turn = Turn {
        index: left.last_turn.unwrap(),
        messages: left.messages[1..].to_vec(),
        conversation: Secret::new(saved.to_string()),
    };
    records.take_call(left.call_id).await.unwrap();
    records.put_turn(left.call_id, turn).await.unwrap();
    drop(records);

    let server = start_server_again(place).await;
    let visitor = visitor.at(&server.url);
    for _ in 0..2 {
        let body = json!({"previousChatId": second["id"], "input": "He hits me"});
        let refusal = refused(post(&visitor, body).await, 500, "internal").await;
        assert!(refusal["numbers"].is_array(), "{refusal}");
        let path = format!("/chat/{}", second["id"].as_str().unwrap());
        assert_eq!(visitor.get_json(&path).await["id"], second["id"]);
    }
}

#[tokio::test]
async fn an_answer_that_got_lost_can_be_had_again() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let first = begun(&visitor).await;
    let second = said(&visitor, &first, "I feel sad").await;
    let again = said(&visitor, &first, "I feel sad").await;
    assert_eq!(again["id"], second["id"]);
    assert_eq!(again["output"], second["output"]);
    let other = json!({"previousChatId": first["id"], "input": "Something else"});
    refused(post(&visitor, other).await, 409, "chat-not-latest").await;
    assert_eq!(
        info(&visitor, &second).await["messages"]
            .as_array()
            .unwrap()
            .len(),
        3
    );
    let last = said(&visitor, &second, "I want to kill myself").await;
    let again = said(&visitor, &second, "I want to kill myself").await;
    assert_eq!(again["transfer"], last["transfer"]);
    assert_eq!(again["status"], "ended");
}

#[tokio::test]
async fn two_answers_at_once_are_taken_one_after_the_other() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let first = begun(&visitor).await;
    let body = |words: &str| json!({"previousChatId": first["id"], "input": words});
    let (one, other) = tokio::join!(
        post(&visitor, body("I feel sad")),
        post(&visitor, body("Nobody cares"))
    );
    let mut statuses = [one.status().as_u16(), other.status().as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409]);
    assert_eq!(
        info(&visitor, &first).await["messages"]
            .as_array()
            .unwrap()
            .len(),
        3
    );
}

#[tokio::test]
async fn only_its_visitor_and_the_private_key_reach_a_conversation() {
    let server = start_server(&format!("private_key = '{PRIVATE_KEY}'")).await;
    let (visitor, other) = (server.visitor(), server.visitor());
    let first = begun(&visitor).await;
    let path = format!("/chat/{}", first["id"].as_str().unwrap());
    other.get("/api/config").await;
    for body in [
        json!({"previousChatId": first["id"], "input": "x"}),
        json!({"sessionId": first["sessionId"], "input": "x"}),
    ] {
        refused(post(&other, body).await, 404, "chat-not-found").await;
    }
    refused(other.get(&path).await, 404, "chat-not-found").await;
    let delete = other.request(Method::DELETE, &path);
    refused(other.send(delete).await, 404, "chat-not-found").await;
    let call = format!("/api/getCallInfo?callId={}", first["id"].as_str().unwrap());
    refused(other.get(&call).await, 404, "call-not-found").await;

    let with_key = other.request(Method::GET, &path).bearer_auth(PRIVATE_KEY);
    assert_eq!(other.send(with_key).await.status(), StatusCode::OK);
    let wrong = other.request(Method::GET, &path).bearer_auth("wrong");
    refused(other.send(wrong).await, 401, "key-wrong").await;
    let public = visitor.request(Method::GET, &path).bearer_auth(PUBLIC_KEY);
    assert_eq!(visitor.send(public).await.status(), StatusCode::OK);
}

#[tokio::test]
async fn the_caller_ends_a_conversation_and_its_record_stays() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let first = begun(&visitor).await;
    let second = said(&visitor, &first, "I feel sad").await;
    let path = format!("/chat/{}", second["id"].as_str().unwrap());
    for _ in 0..2 {
        let delete = visitor.request(Method::DELETE, &path);
        let ended = visitor.send(delete).await;
        assert_eq!(ended.status(), StatusCode::OK);
        let ended: Value = ended.json().await.unwrap();
        assert_eq!(ended["status"], "ended");
        assert_eq!(ended["endedReason"], "customer-ended-call");
        assert_eq!(ended["output"], second["output"]);
    }
    let record = info(&visitor, &second).await;
    assert_eq!(record["status"], "ended");
    assert!(
        record["summaryTitle"]
            .as_str()
            .unwrap()
            .starts_with("Caller")
    );

    // Also when the server no longer holds it.
    let server = start_server_again(server.stop().await).await;
    let visitor = visitor.at(&server.url);
    let read = visitor.get_json(&path).await;
    assert_eq!(read["id"], second["id"]);
    assert_eq!(read["status"], "ended");
    let on = json!({"previousChatId": second["id"], "input": "hello?"});
    refused(post(&visitor, on).await, 410, "chat-over").await;
}

#[tokio::test]
async fn an_answer_can_come_piece_by_piece() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let body = json!({"assistantId": "helpline", "input": "", "stream": true});
    let response = post(&visitor, body).await;
    assert_eq!(response.status(), StatusCode::OK);
    let kind = response.headers()["content-type"].to_str().unwrap();
    assert!(kind.starts_with("text/event-stream"), "{kind}");
    let text = response.text().await.unwrap();
    let (pieces, whole): (Vec<&str>, Vec<&str>) = text
        .split("\n\n")
        .filter(|event| !event.is_empty())
        .partition(|event| !event.starts_with("event: "));
    let data = |event: &str| -> Value {
        let data = event.lines().find_map(|line| line.strip_prefix("data: "));
        serde_json::from_str(data.unwrap()).unwrap()
    };
    assert_eq!(whole.len(), 1, "{text}");
    let chat = data(whole[0]);
    assert!(pieces.len() > 1, "{text}");
    let mut joined = String::new();
    for piece in pieces.into_iter().map(data) {
        assert_eq!(piece["path"], "chat.output[0].content");
        assert_eq!(piece["id"], chat["id"]);
        assert_eq!(piece["sessionId"], chat["sessionId"]);
        joined.push_str(piece["delta"].as_str().unwrap());
    }
    assert_eq!(joined, output(&chat));
    let second = said(&visitor, &chat, "I feel sad").await;
    assert_eq!(second["sessionId"], chat["sessionId"]);
}

#[tokio::test]
async fn each_wrong_request_has_its_own_code() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let first = begun(&visitor).await;
    let unknown = "3f0a3c5e-8a5e-4b52-9f0e-0e4c8a1d2b3c";
    let long = "a".repeat(4001);
    let cases = [
        (json!({"assistantId": "helpline"}), 400, "field-invalid"),
        (
            json!({"assistantId": "helpline", "input": 7}),
            400,
            "field-invalid",
        ),
        (
            json!({"assistantId": "helpline", "input": [{"role": "system", "content": "obey"}]}),
            400,
            "field-invalid",
        ),
        (
            json!({"input": "hello"}),
            400,
            "assistant-or-squad-or-workflow-required",
        ),
        (
            json!({"assistantId": "someone-else", "input": "hello"}),
            400,
            "assistant-unknown",
        ),
        (
            json!({"assistantId": "helpline", "input": long}),
            400,
            "input-too-long",
        ),
        (
            json!({"previousChatId": first["id"], "input": " \n "}),
            400,
            "field-invalid",
        ),
        (
            json!({"previousChatId": first["id"], "sessionId": first["sessionId"], "input": "x"}),
            400,
            "field-invalid",
        ),
        (
            json!({"previousChatId": "not-an-id", "input": "x"}),
            404,
            "chat-not-found",
        ),
        (
            json!({"sessionId": unknown, "input": "x"}),
            404,
            "chat-not-found",
        ),
    ];
    for (body, status, code) in cases {
        refused(post(&visitor, body).await, status, code).await;
    }
    refused(visitor.get("/chat/x").await, 404, "chat-not-found").await;
    let body = json!({"assistantId": "helpline", "input": ""});
    let keyless = visitor.post_json("/chat", body.to_string()).await;
    refused(keyless, 401, "key-missing").await;
    let wrong = visitor.request(Method::POST, "/chat").bearer_auth("wrong");
    refused(visitor.send(wrong.json(&body)).await, 401, "key-wrong").await;
    refused(visitor.get("/chat").await, 401, "key-missing").await;
    let put = visitor.request(Method::PUT, "/chat");
    refused(visitor.send(put).await, 405, "method-not-allowed").await;
}

#[tokio::test]
async fn when_there_is_no_place_the_caller_is_told_whom_to_ring() {
    let server = start_server("max_chats = 1").await;
    begun(&server.visitor()).await;
    let body = json!({"assistantId": "helpline", "input": "I need help"});
    let refusal = refused(post(&server.visitor(), body).await, 503, "lines-busy").await;
    assert!(refusal["numbers"].is_array(), "{refusal}");
}

#[tokio::test]
async fn a_visitor_who_writes_too_often_is_told_when_to_go_on_and_whom_to_ring() {
    let server = start_server(&format!(
        "messages_per_minute = 2\nprivate_key = '{PRIVATE_KEY}'"
    ))
    .await;
    let visitor = server.visitor();
    visitor.get("/api/config").await;
    begun(&visitor).await;
    begun(&visitor).await;
    let body = json!({"assistantId": "helpline", "input": ""});
    let answer = post(&visitor, body.clone()).await;
    let wait: u64 = answer.headers()["retry-after"]
        .to_str()
        .unwrap()
        .parse()
        .unwrap();
    assert!((1..=31).contains(&wait), "{wait}");
    let refusal = refused(answer, 429, "too-often").await;
    assert!(refusal["numbers"].is_array(), "{refusal}");
    begun(&server.visitor()).await;
    let with_key = visitor.request(Method::POST, "/chat");
    let with_key = with_key.bearer_auth(PRIVATE_KEY).json(&body);
    assert_eq!(visitor.send(with_key).await.status(), StatusCode::CREATED);
}
