//! What a program has looked for in calls that are over: what their analysis has, and nothing that it has not.

use postgres_for_tests::PostgresServer;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::program::{Program, with_a_key};
use crate::support::start_server;
use crate::support::visitor::refused;

const RUN: &str = "/structured-output/run";

/// A conversation that is over, by its id.
async fn over(program: &Program) -> Value {
    let body = json!({"assistantId": "helpline", "input": "I'm going to kill myself tonight"});
    let chat = program.made("/chat", body).await;
    assert_eq!(chat["status"], "ended");
    chat["sessionId"].clone()
}

fn of_fields(properties: Value) -> Value {
    json!({"name": "Facts", "schema": {"type": "object", "properties": properties}})
}

fn urgency() -> Value {
    of_fields(json!({
        "urgent": {"type": "boolean"}, "transfer_to": {"type": "string"}, "mood": {"type": "string"},
        // Ours is a yes or a no.
        "transferred": {"type": "string"},
    }))
}

fn path(call: &Value) -> String {
    format!("/call/{}", call.as_str().unwrap())
}

async fn what_is_known_is_found_and_kept_with_the_call(settings: &str) {
    let server = start_server(&format!("{}\n{settings}", with_a_key())).await;
    let program = Program::of(&server);
    let call = over(&program).await;
    let output = program.made("/structured-output", urgency()).await;
    let id = output["id"].as_str().unwrap();
    let found = json!({id: {"name": "Facts", "result": {"urgent": true, "transfer_to": "SOS"}}});
    let run = json!({"callIds": [call], "structuredOutputId": id});

    let mut preview = run.clone();
    preview["previewEnabled"] = json!(true);
    assert_eq!(program.made(RUN, preview).await, found);
    let read = program.get_json(&path(&call)).await;
    assert!(
        read["artifact"].get("structuredOutputs").is_none(),
        "a preview is kept nowhere"
    );

    let done = program.made(RUN, run.clone()).await;
    assert!(done["message"].is_string(), "{done}");
    let read = program.get_json(&path(&call)).await;
    assert_eq!(read["artifact"]["structuredOutputs"], found);
    assert_eq!(read["assistantId"], "helpline", "it is whose it was");
    assert_eq!(
        read["analysis"]["structuredData"]["urgent"], true,
        "all of it"
    );

    let other = of_fields(json!({"summary": {"type": "string"}}));
    let other = program.made("/structured-output", other).await;
    program
        .made(
            RUN,
            json!({"callIds": [call], "structuredOutputId": other["id"]}),
        )
        .await;
    program.made(RUN, run).await;
    let read = program.get_json(&path(&call)).await;
    let kept = read["artifact"]["structuredOutputs"].as_object().unwrap();
    assert_eq!(kept.len(), 2, "each once: {kept:?}");
    assert_eq!(kept[id], found[id]);
}

#[tokio::test]
async fn what_is_known_is_found_and_kept_with_the_call_in_a_file() {
    what_is_known_is_found_and_kept_with_the_call("").await;
}

#[tokio::test]
async fn what_is_known_is_found_and_kept_with_the_call_in_postgresql() {
    let database = PostgresServer::shared().database();
    what_is_known_is_found_and_kept_with_the_call(&format!("database = '{database}'")).await;
}

#[tokio::test]
async fn what_cannot_be_known_is_refused_and_nothing_is_kept() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let call = over(&program).await;
    let mut wants_a_mood = urgency();
    wants_a_mood["schema"]["required"] = json!(["urgent", "mood"]);
    let mut by_a_pattern = urgency();
    by_a_pattern["type"] = json!("regex");
    by_a_pattern["regex"] = json!("kill");
    let mut conditional = urgency();
    conditional["conditions"] = json!([{"type": "callDuration"}]);
    for output in [
        wants_a_mood,
        by_a_pattern,
        conditional,
        of_fields(json!({"mood": {"type": "string"}})),
        of_fields(json!({"urgent": {"type": "number"}})),
        json!({"name": "How", "schema": {"type": "string"}}),
    ] {
        let run = json!({"callIds": [call], "structuredOutput": output});
        refused(program.post(RUN, run).await, 501, "not-offered").await;
    }
    let read = program.get_json(&path(&call)).await;
    assert!(read["artifact"].get("structuredOutputs").is_none());
}

#[tokio::test]
async fn what_is_asked_for_wrongly_is_said_by_its_place() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let call = over(&program).await;
    let nobody = "00000000-0000-4000-8000-000000000000";
    for (run, status, code) in [
        (json!({"structuredOutput": urgency()}), 400, "field-invalid"),
        (
            json!({"callIds": [], "structuredOutput": urgency()}),
            400,
            "field-invalid",
        ),
        (
            json!({"callIds": [call, call], "structuredOutput": urgency(), "previewEnabled": true}),
            400,
            "field-invalid",
        ),
        (json!({"callIds": [call]}), 400, "field-invalid"),
        (
            json!({"callIds": [call], "structuredOutput": {"name": "x"}}),
            400,
            "field-invalid",
        ),
        (
            json!({"callIds": [nobody], "structuredOutput": urgency()}),
            404,
            "call-not-found",
        ),
        (
            json!({"callIds": [call], "structuredOutputId": nobody}),
            404,
            "resource-not-found",
        ),
    ] {
        refused(program.post(RUN, run).await, status, code).await;
    }
    let begun = json!({"assistantId": "helpline", "input": "I feel very low"});
    let begun = program.made("/chat", begun).await;
    let run = json!({"callIds": [begun["sessionId"]], "structuredOutput": urgency()});
    refused(program.post(RUN, run).await, 409, "call-under-way").await;
    let by_the_page = server.visitor();
    let request = by_the_page
        .request(reqwest::Method::POST, RUN)
        .json(&json!({}));
    let asked = by_the_page.send(request).await;
    assert_eq!(asked.status(), StatusCode::UNAUTHORIZED);
}
