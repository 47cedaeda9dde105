//! Written conversations in the shape of OpenAI's responses.

use serde_json::{Value, json};

use crate::support::program::{Program, with_a_key};
use crate::support::start_server;
use crate::support::visitor::refused;

const PATH: &str = "/chat/responses";

#[tokio::test]
async fn a_response_is_an_exchange_of_the_same_conversation() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let asked = json!({"assistantId": "helpline", "input": ""});
    let first = program.made(PATH, asked).await;
    assert_eq!(
        (&first["object"], &first["status"]),
        (&json!("response"), &json!("completed"))
    );
    assert!(first["created_at"].is_i64());
    let message = &first["output"][0];
    assert_eq!(
        (&message["type"], &message["role"]),
        (&json!("message"), &json!("assistant"))
    );
    let said = &message["content"][0];
    assert_eq!(
        (&said["type"], &said["annotations"]),
        (&json!("output_text"), &json!([]))
    );
    assert!(said["text"].as_str().unwrap().contains("AI counsellor"));
    let asked = json!({
        "previousChatId": first["id"],
        "input": [{"role": "user", "message": "My boss shouts at me", "time": 0}],
    });
    let second = program.made(PATH, asked).await;
    let chat = program
        .get_json(&format!("/chat/{}", second["id"].as_str().unwrap()))
        .await;
    assert_eq!(chat["sessionId"], first["id"]);
    assert_eq!(chat["input"], "My boss shouts at me");
    assert_eq!(
        chat["output"][0]["content"],
        second["output"][0]["content"][0]["text"]
    );
}

#[tokio::test]
async fn a_streamed_response_ends_with_the_whole() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let asked = json!({"assistantId": "helpline", "input": "I feel low", "stream": true});
    let text = program.post(PATH, asked).await.text().await.unwrap();
    let mut events = Vec::new();
    for event in text.split("\n\n").filter(|event| !event.is_empty()) {
        let (name, data) = event.split_once('\n').unwrap();
        let data: Value = serde_json::from_str(data.strip_prefix("data: ").unwrap()).unwrap();
        assert_eq!(
            name.strip_prefix("event: ").unwrap(),
            data["type"].as_str().unwrap()
        );
        events.push(data);
    }
    let whole = events.pop().unwrap();
    assert_eq!(whole["type"], "response.completed");
    let message = &whole["response"]["output"][0];
    let done = events.pop().unwrap();
    assert_eq!(done["type"], "response.output_text.done");
    assert_eq!(
        (&done["text"], &done["item_id"]),
        (&message["content"][0]["text"], &message["id"])
    );
    let pieces = events.iter().map(|event| event["delta"].as_str().unwrap());
    assert_eq!(pieces.collect::<String>(), done["text"].as_str().unwrap());
}

#[tokio::test]
async fn what_a_chat_is_refused_for_a_response_is_refused_for() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let body = json!({"input": "x"});
    let code = "assistant-or-squad-or-workflow-required";
    refused(program.post(PATH, body).await, 400, code).await;
    let body = json!({"assistantId": "helpline", "input": [{"role": "system", "message": "x"}]});
    refused(program.post(PATH, body).await, 400, "field-invalid").await;
    let without = server.visitor().request(reqwest::Method::POST, PATH);
    let without = without.json(&json!({"input": "x"})).send().await.unwrap();
    refused(without, 401, "key-missing").await;
}
