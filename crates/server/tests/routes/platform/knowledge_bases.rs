//! Files of knowledge bases, and what callers are told of them.

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};

use crate::support::program::{Program, with_a_key};
use crate::support::start_server;
use crate::support::visitor::refused;

const TOLD: &str = "It is behind the house.";

async fn file(program: &Program, name: &str, content: &[u8]) -> Value {
    let part = Part::bytes(content.to_vec()).file_name(name.to_owned());
    let form = Form::new().part("file", part);
    let request = program.request(Method::POST, "/file").multipart(form);
    request.send().await.unwrap().json().await.unwrap()
}

fn id(made: &Value) -> &str {
    made["id"].as_str().unwrap()
}

async fn base_with_parking(program: &Program) -> Value {
    let base = program
        .made("/v2/knowledge-base", json!({"name": "House"}))
        .await;
    let text = file(program, "house.md", b"# Parking\nIt is behind the house.").await;
    let attach = format!("/v2/knowledge-base/{}/file", id(&base));
    program.made(&attach, json!({"fileId": text["id"]})).await;
    base
}

/// What an assistant with this model says to the second of two things.
async fn answered(program: &Program, model: Value, first: &str, asked: &str) -> String {
    let assistant = program.made("/assistant", json!({"model": model})).await;
    let begun = program
        .made(
            "/chat",
            json!({"assistantId": assistant["id"], "input": ""}),
        )
        .await;
    let on = json!({"previousChatId": begun["id"], "input": first});
    let second = program.made("/chat", on).await;
    let on = json!({"previousChatId": second["id"], "input": asked});
    let answer = program.made("/chat", on).await;
    answer["output"][0]["content"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn an_assistant_answers_from_the_files_of_its_knowledge_base() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let base = base_with_parking(&program).await;
    let listed = program
        .get_json(&format!("/v2/knowledge-base/{}/file", id(&base)))
        .await;
    let tool = json!({"type": "query", "function": {"name": "look_up"}, "knowledgeBases": [
        {"name": "House", "provider": "google", "description": "", "fileIds": [listed[0]["fileId"]]}
    ]});
    let kept = program.made("/tool", tool.clone()).await;
    for model in [
        json!({"toolIds": [base["toolId"]]}),
        json!({"knowledgeBaseId": base["id"]}),
        json!({"toolIds": [kept["id"]]}),
        json!({"tools": [tool]}),
    ] {
        let answer = answered(
            &program,
            model.clone(),
            "yes, I am safe",
            "where is the parking?",
        )
        .await;
        assert!(answer.contains(TOLD), "{model}: {answer}");
    }
    let without = answered(
        &program,
        json!({"toolIds": ["product_query"]}),
        "yes, I am safe",
        "where is the parking?",
    )
    .await;
    assert!(!without.contains(TOLD), "{without}");
}

#[tokio::test]
async fn a_caller_in_danger_is_told_nothing_of_a_programs_files() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let base = base_with_parking(&program).await;
    let model = json!({"knowledgeBaseId": base["id"]});
    let answer = answered(
        &program,
        model,
        "my husband hit me last week",
        "where is the parking?",
    )
    .await;
    assert!(!answer.contains(TOLD), "{answer}");
}

#[tokio::test]
async fn files_are_attached_listed_read_again_and_detached() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let base = program
        .made(
            "/v2/knowledge-base",
            json!({"name": "House", "files": [1], "toolId": "x"}),
        )
        .await;
    assert_eq!((&base["files"], &base["toolId"]), (&json!([]), &base["id"]));
    let attach = format!("/v2/knowledge-base/{}/file", id(&base));
    let text = file(&program, "house.md", b"# Parking\nIt is behind the house.").await;
    let made = program.made(&attach, json!({"fileId": text["id"]})).await;
    assert_eq!(
        (&made["status"], &made["fileId"]),
        (&json!("ready"), &text["id"])
    );
    assert_eq!(
        (&made["fileName"], &made["knowledgeBaseV2Id"]),
        (&json!("house.md"), &base["id"])
    );
    assert_eq!(program.get_json(&attach).await, json!([made]));
    let whole = program
        .get_json(&format!("/v2/knowledge-base/{}", id(&base)))
        .await;
    assert_eq!(whole["files"], json!([made]));
    let renamed = program
        .changed(
            &format!("/v2/knowledge-base/{}", id(&base)),
            json!({"name": "Home", "files": null}),
        )
        .await;
    assert_eq!(
        renamed["files"],
        json!([made]),
        "they are attached and detached, not changed"
    );
    let one = format!("{attach}/{}", id(&text));
    let again = program.made(&format!("{one}/retry"), json!({})).await;
    assert_eq!(
        (&again["status"], &again["id"]),
        (&json!("ready"), &made["id"])
    );
    program.removed(&format!("/file/{}", id(&text))).await;
    let gone = program.made(&format!("{one}/retry"), json!({})).await;
    assert_eq!(gone["status"], "failed");
    assert!(
        gone["error"]
            .as_str()
            .unwrap()
            .contains("not there any more"),
        "{gone}"
    );
    assert_eq!(program.removed(&one).await, gone);
    assert_eq!(program.get_json(&attach).await, json!([]));
    for (method, path) in [
        (Method::DELETE, one.clone()),
        (Method::POST, format!("{one}/retry")),
    ] {
        refused(program.ask(method, &path).await, 404, "resource-not-found").await;
    }
    refused(
        program.post(&attach, json!({"fileId": text["id"]})).await,
        404,
        "resource-not-found",
    )
    .await;
    refused(program.post(&attach, json!({})).await, 400, "field-invalid").await;
}

#[tokio::test]
async fn a_file_of_which_nothing_can_be_told_has_failed_and_says_why() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let base = program
        .made("/v2/knowledge-base", json!({"name": "House"}))
        .await;
    let attach = format!("/v2/knowledge-base/{}/file", id(&base));
    for (name, content, why) in [
        ("house.pdf", &b"%PDF-1.7\n\xff\xfe\0"[..], "no text"),
        (
            "house.txt",
            &b"who helps at night, and where they can be found when it is late."[..],
            "headings",
        ),
    ] {
        let file = file(&program, name, content).await;
        let made = program.made(&attach, json!({"fileId": file["id"]})).await;
        assert_eq!(made["status"], "failed", "{name}");
        assert!(made["error"].as_str().unwrap().contains(why), "{made}");
    }
}
