//! The function that a caller's own question is asked by: an assistant's own, where it can be asked.

use serde_json::{Value, json};

use crate::support::program::{Program, with_a_key};
use crate::support::receiver::{MessageReceiver, Received};
use crate::support::start_server;
use crate::support::visitor::refused;

const ASKED: &str = "Is this call recorded?";

#[tokio::test]
async fn a_callers_question_is_asked_by_the_function_that_an_assistant_has_for_it() {
    let receiver = MessageReceiver::start().await;
    receiver.replies("tool-calls", |message| {
        let id = &message["toolCallList"][0]["id"];
        let result = json!({"toolCallId": id, "result": "The office opens at nine on weekdays."});
        json!({"results": [result]}).to_string()
    });
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let tool = json!({
        "type": "function", "server": {"url": receiver.url()},
        "function": {"name": "office_hours", "parameters": {
            "type": "object", "required": ["question"],
            "properties": {"question": {"type": "string"}},
        }},
    });
    let kept = program.made("/tool", tool.clone()).await;
    for (model, told) in [
        (json!({"tools": [{"type": "endCall"}, tool]}), 1),
        (json!({"toolIds": [kept["id"]]}), 2),
    ] {
        let assistant = json!({
            "name": "Night line", "model": model, "server": {"url": receiver.url()},
            "serverMessages": ["status-update"],
        });
        let assistant = program.made("/assistant", assistant).await;
        let body = json!({"assistantId": assistant["id"], "input": ""});
        let mut chat = program.made("/chat", body).await;
        let begun = |one: &Received| {
            one.message["status"] == "in-progress"
                && one.message["call"]["assistantId"] == assistant["id"]
        };
        receiver.until(begun).await;
        for words in ["I'm safe, I just feel very low", ASKED] {
            let body = json!({"previousChatId": chat["id"], "input": words});
            chat = program.made("/chat", body).await;
        }
        let said = chat["output"].to_string();
        assert!(said.contains("opens at nine on weekdays"), "{said}");
        let received = receiver.received().into_iter().map(|one| one.message);
        let asked: Vec<Value> = received
            .filter(|message| message["type"] == "tool-calls")
            .collect();
        assert_eq!(asked.len(), told);
        let call = &asked.last().unwrap()["toolCallList"][0];
        assert_eq!(call["name"], "office_hours");
        assert_eq!(call["parameters"], json!({"question": ASKED}));
    }
}

#[tokio::test]
async fn a_function_that_could_never_be_asked_is_refused_with_its_assistant() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let tool = json!({
        "type": "function", "server": {"url": "https://crm.example/tools"},
        "function": {"name": "book", "parameters": {
            "type": "object", "required": ["day", "name"],
            "properties": {"day": {"type": "string"}, "name": {"type": "string"}},
        }},
    });
    let kept = program.made("/tool", tool.clone()).await;
    for model in [json!({"tools": [tool]}), json!({"toolIds": [kept["id"]]})] {
        let body = json!({"name": "Night line", "model": model});
        refused(program.post("/assistant", body).await, 501, "not-offered").await;
    }
}
