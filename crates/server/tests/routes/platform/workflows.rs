//! Workflows: kept all, and served where they are one conversation.

use records::{CallId, CallKind, Label, NewCall, Records};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::program::{Program, with_a_key};
use crate::support::visitor::{PUBLIC_KEY, refused};
use crate::support::{database_in, start_server, start_server_in_place};

fn of_nodes(nodes: Value, edges: Value) -> Value {
    json!({"name": "Night", "nodes": nodes, "edges": edges, "maxDurationSeconds": 900})
}

fn one() -> Value {
    of_nodes(
        json!([{"type": "conversation", "name": "listen", "isStart": true}]),
        json!([]),
    )
}

fn several() -> [Value; 4] {
    let listen = json!({"type": "conversation", "name": "listen"});
    let tool = json!({"type": "tool", "name": "look up", "toolId": "product_query"});
    [
        of_nodes(
            json!([listen, tool]),
            json!([{"from": "listen", "to": "look up"}]),
        ),
        of_nodes(json!([tool]), json!([])),
        of_nodes(json!([listen]), json!([{"from": "listen", "to": "listen"}])),
        of_nodes(json!([]), json!([])),
    ]
}

#[tokio::test]
async fn a_call_is_served_by_a_workflow_that_is_one_conversation_and_by_no_other() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let visitor = server.visitor();
    let kept = program.made("/workflow", one()).await;
    let call = program
        .made("/call", json!({"workflowId": kept["id"]}))
        .await;
    assert_eq!(call["workflowId"], kept["id"]);
    assert!(call.get("assistantId").is_none(), "{call}");
    let in_full = visitor.ask_with(json!({"workflow": one()})).await;
    assert_eq!(in_full.status(), StatusCode::CREATED);
    for workflow in several() {
        let kept = program.made("/workflow", workflow.clone()).await;
        for target in [
            json!({"workflowId": kept["id"]}),
            json!({"workflow": workflow}),
        ] {
            let asked = visitor.ask_with(target.clone()).await;
            let refusal = refused(asked, 501, "workflow-of-several-nodes").await;
            assert!(refusal["numbers"].is_array(), "somebody may need help");
            let asked = program.post("/call", target).await;
            refused(asked, 501, "workflow-of-several-nodes").await;
        }
    }
    let unknown = visitor.ask_with(json!({"workflowId": "x"})).await;
    refused(unknown, 400, "assistant-unknown").await;
    let odd = visitor.ask_with(json!({"workflow": {"name": 7}})).await;
    let refusal = refused(odd, 400, "field-invalid").await;
    assert!(
        refusal["message"]
            .as_str()
            .unwrap()
            .contains("`workflow.name`")
    );
    let request = visitor
        .request(Method::POST, "/workflow")
        .bearer_auth(PUBLIC_KEY);
    let by_the_page = visitor.send(request.json(&one())).await;
    refused(by_the_page, 401, "key-wrong").await;
}

#[tokio::test]
async fn a_record_says_which_workflow_was_asked_for() {
    let server = start_server(&with_a_key()).await;
    let place = server.stop().await;
    let records = Records::open(&database_in(place.path())).await.unwrap();
    let call_id = CallId::random();
    let call = NewCall {
        call_id,
        visitor: None,
        started_at: "2026-11-24T12:00:00Z".parse().unwrap(),
        kind: CallKind::WebCall,
        notice: None,
    };
    records.start_call(call).await.unwrap();
    let label = Label {
        workflow: Some("7c2e4d90".to_owned()),
        ..Label::default()
    };
    records.label_call(call_id, label).await.unwrap();
    drop(records);
    let server = start_server_in_place(place, &with_a_key()).await;
    let program = Program::of(&server);
    let call = program.get_json(&format!("/call/{call_id}")).await;
    assert_eq!(call["workflowId"], "7c2e4d90");
    assert!(call.get("assistantId").is_none(), "{call}");
    let of_the_helpline = program.get_json("/call?assistantId=helpline").await;
    assert_eq!(of_the_helpline, json!([]));
}

/// It says something of its own at the beginning.
fn one_that_greets() -> Value {
    let mut workflow = one();
    workflow["firstMessage"] = json!("This is the night desk.");
    workflow
}

#[tokio::test]
async fn a_chat_is_served_by_a_workflow_that_is_one_conversation_and_by_no_other() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let kept = program.made("/workflow", one_that_greets()).await;
    for target in [
        json!({"workflowId": kept["id"], "input": ""}),
        json!({"workflow": one_that_greets(), "input": ""}),
    ] {
        let chat = program.made("/chat", target).await;
        let greeting = chat["output"].to_string();
        assert!(greeting.contains("This is the night desk."), "{greeting}");
        assert!(greeting.contains("AI"), "the notice is said: {greeting}");
    }
    let first = json!({"workflowId": kept["id"], "input": "I feel very low"});
    let first = program.made("/chat", first).await;
    assert_eq!(first["workflowId"], kept["id"]);
    assert!(first.get("assistantId").is_none(), "{first}");
    let next = json!({"previousChatId": first["id"], "input": "It is about my work"});
    let next = program.made("/chat", next).await;
    assert_eq!(
        next["workflowId"], kept["id"],
        "it has its workflow already"
    );
    for workflow in several() {
        let kept = program.made("/workflow", workflow.clone()).await;
        for target in [
            json!({"workflowId": kept["id"], "input": "hello"}),
            json!({"workflow": workflow, "input": "hello"}),
        ] {
            for path in ["/chat", "/chat/responses"] {
                let asked = program.post(path, target.clone()).await;
                let refusal = refused(asked, 501, "workflow-of-several-nodes").await;
                assert!(refusal["numbers"].is_array(), "somebody may need help");
            }
        }
    }
    let unknown = json!({"workflowId": "x", "input": "hello"});
    refused(
        program.post("/chat", unknown).await,
        400,
        "assistant-unknown",
    )
    .await;
}

#[tokio::test]
async fn a_session_is_of_a_workflow_that_is_one_conversation_and_of_no_other() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let kept = program.made("/workflow", one_that_greets()).await;
    for target in [
        json!({"workflowId": kept["id"]}),
        json!({"workflow": one_that_greets()}),
        json!({"assistant": {"firstMessage": "This is the night desk."}}),
    ] {
        let session = program.made("/session", target).await;
        let chat = json!({"sessionId": session["id"], "input": ""});
        let chat = program.made("/chat", chat).await;
        let greeting = chat["output"].to_string();
        assert!(greeting.contains("This is the night desk."), "{greeting}");
    }
    let path = format!("/session?workflowId={}", kept["id"].as_str().unwrap());
    let listed = program.get_json(&path).await;
    assert_eq!(listed["metadata"]["totalItems"], 1);
    let of_one = &listed["results"][0];
    let path = format!("/session/{}", of_one["id"].as_str().unwrap());
    for workflow in several() {
        let kept = program.made("/workflow", workflow.clone()).await;
        for target in [
            json!({"workflowId": kept["id"]}),
            json!({"workflow": workflow}),
        ] {
            let made = program.post("/session", target.clone()).await;
            refused(made, 501, "workflow-of-several-nodes").await;
            let changed = program.send(Method::PATCH, &path, target).await;
            refused(changed, 501, "workflow-of-several-nodes").await;
        }
    }
}
