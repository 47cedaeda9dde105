//! Calls as a program has them: asked for, found, named and deleted.

use std::slice::from_ref;

use jiff::Timestamp;
use records::{CallId, CallKind, NewCall, Records};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::caller::SocketCaller;
use crate::support::program::{Program, with_a_key};
use crate::support::visitor::refused;
use crate::support::{database_in, start_server, start_server_in_place};

#[tokio::test]
async fn a_program_asks_for_a_call_by_the_name_that_it_gives_it() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let assistant = program
        .made("/assistant", json!({"name": "Night line"}))
        .await;
    let body = json!({
        "name": "Mei rang", "assistantId": assistant["id"],
        "transport": {"provider": "vapi.websocket"},
    });
    let call = program.made("/call", body).await;
    assert_eq!(
        (&call["name"], &call["status"]),
        (&json!("Mei rang"), &json!("queued"))
    );
    assert_eq!(call["assistantId"], assistant["id"]);
    assert!(call["transport"]["websocketCallUrl"].is_string(), "{call}");
    let path = format!("/call/{}", call["id"].as_str().unwrap());
    let renamed = program
        .changed(&path, json!({"name": "Mei rang again"}))
        .await;
    assert_eq!(renamed["name"], "Mei rang again");
    assert_eq!(program.get_json(&path).await["name"], "Mei rang again");
    let left = program.changed(&path, json!({})).await;
    assert_eq!(left["name"], "Mei rang again");
    let taken_out = program.changed(&path, json!({"name": null})).await;
    assert_eq!(taken_out["name"], Value::Null);
    let delete = program.ask(Method::DELETE, &path).await;
    refused(delete, 409, "call-under-way").await;
}

#[tokio::test]
async fn a_call_reads_back_as_it_was_asked_for_before_it_begins_and_when_it_is_over() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let squad = json!({"members": [{"assistantId": "helpline"}]});
    let squad = program.made("/squad", squad).await;
    for (target, transport, kind) in [
        (
            json!({"squadId": squad["id"]}),
            "vapi.websocket",
            "vapi.websocketCall",
        ),
        (
            json!({"assistantId": "helpline"}),
            "vapi.websocket",
            "vapi.websocketCall",
        ),
        (json!({"assistantId": "helpline"}), "whip", "webCall"),
    ] {
        let mut body = target.clone();
        body["transport"] = json!({"provider": transport});
        let call = program.made("/call", body).await;
        assert_eq!(call["type"], kind);
        let path = format!("/call/{}", call["id"].as_str().unwrap());
        let waits = program.get_json(&path).await;
        for field in ["type", "status", "assistantId", "squadId", "webCallUrl"] {
            assert_eq!(waits.get(field), call.get(field), "{field}: {waits}");
        }
        for field in ["provider", "callUrl", "websocketCallUrl", "audioFormat"] {
            assert_eq!(
                waits["transport"][field], call["transport"][field],
                "{waits}"
            );
        }
        let mut line = SocketCaller::join(&call).await;
        line.until_the_assistant_has_spoken().await;
        assert_eq!(program.get_json(&path).await["type"], kind, "under way");
        line.hang_up().await;
        let mut over = program.get_json(&path).await;
        while over["status"] != "ended" {
            tokio::task::yield_now().await;
            over = program.get_json(&path).await;
        }
        for field in ["type", "assistantId", "squadId"] {
            assert_eq!(over.get(field), call.get(field), "{field}: {over}");
        }
        let listed = program
            .get_json(&format!("/call?id={}", call["id"].as_str().unwrap()))
            .await;
        assert_eq!(listed[0]["type"], kind);
    }
}

/// Two calls that ended while no server was there, the second a minute after the first.
pub async fn two_calls(
    server: crate::support::TestServer,
) -> (crate::support::TestServer, [CallId; 2]) {
    let place = server.stop().await;
    let records = Records::open(&database_in(place.path())).await.unwrap();
    let ids = [CallId::random(), CallId::random()];
    let first: Timestamp = "2026-11-24T12:00:00Z".parse().unwrap();
    for (minute, call_id) in ids.into_iter().enumerate() {
        let call = NewCall {
            call_id,
            visitor: None,
            started_at: first + std::time::Duration::from_secs(60 * minute as u64),
            kind: CallKind::WebCall,
            notice: None,
        };
        records.start_call(call).await.unwrap();
    }
    drop(records);
    // A call without an end and a visitor is given one at the start.
    (start_server_in_place(place, &with_a_key()).await, ids)
}

#[tokio::test]
async fn a_program_finds_names_and_deletes_what_is_on_record() {
    let (server, [first, second]) = two_calls(start_server(&with_a_key()).await).await;
    let program = Program::of(&server);
    let found = async |query: &str| -> Vec<Value> {
        let calls = program.get_json(&format!("/call?{query}")).await;
        let calls = calls.as_array().unwrap().iter();
        calls.map(|call| call["id"].clone()).collect()
    };
    let (one, two) = (json!(first.to_string()), json!(second.to_string()));
    assert_eq!(found("").await, [two.clone(), one.clone()], "and no sample");
    assert_eq!(found("limit=1").await, from_ref(&two));
    assert_eq!(
        found("createdAtLt=2026-11-24T12:01:00Z").await,
        from_ref(&one)
    );
    assert_eq!(
        found("createdAtGt=2026-11-24T12:00:00Z").await,
        from_ref(&two)
    );
    assert_eq!(found(&format!("id={first}")).await, from_ref(&one));
    assert_eq!(found("assistantId=helpline").await.len(), 2);
    for nobody in [
        "id=x",
        "assistantId=x",
        "phoneNumberId=x",
        "assistantId=%00",
    ] {
        assert_eq!(found(nobody).await, [] as [Value; 0], "{nobody}");
    }
    let page = program.get_json("/v2/call?limit=1&page=2").await;
    assert_eq!(page["results"][0]["id"], one);
    assert_eq!(
        page["metadata"],
        json!({"itemsPerPage": 1, "totalItems": 2, "currentPage": 2})
    );

    let path = format!("/call/{first}");
    let named = program.changed(&path, json!({"name": "the first"})).await;
    assert_eq!(named["name"], "the first");
    assert_eq!(program.get_json(&path).await["name"], "the first");
    let left = program.changed(&path, json!({})).await;
    assert_eq!(left["name"], "the first");
    let taken_out = program.changed(&path, json!({"name": null})).await;
    assert_eq!(taken_out["name"], Value::Null);
    let large = program
        .send(Method::DELETE, &path, json!({"x": "x".repeat(1024 * 1024)}))
        .await;
    refused(large, 413, "body-too-large").await;
    let several = program
        .send(Method::DELETE, &path, json!({"ids": ["x"]}))
        .await;
    refused(several, 501, "not-offered").await;
    let deleted = program.send(Method::DELETE, &path, json!({})).await;
    assert_eq!(deleted.status(), StatusCode::OK);
    refused(program.ask(Method::GET, &path).await, 404, "call-not-found").await;
    refused(
        program.ask(Method::DELETE, &path).await,
        404,
        "call-not-found",
    )
    .await;
    assert_eq!(found("").await, [two]);
}

#[tokio::test]
async fn no_program_deletes_or_names_a_sample() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let calls = server.visitor().get_json("/api/calls").await;
    let path = format!("/call/{}", calls[0]["callId"].as_str().unwrap());
    assert_eq!(program.get_json(&path).await["status"], "ended");
    refused(
        program.ask(Method::DELETE, &path).await,
        404,
        "call-not-found",
    )
    .await;
    let named = program
        .send(Method::PATCH, &path, json!({"name": "x"}))
        .await;
    refused(named, 404, "call-not-found").await;
}

#[tokio::test]
async fn a_name_has_a_limit_in_characters() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let (longest, longer) = ("é".repeat(40), "é".repeat(41));
    let asked = |name: &str| json!({"assistantId": "helpline", "name": name});
    let call = program.made("/call", asked(&longest)).await;
    let path = format!("/call/{}", call["id"].as_str().unwrap());
    for refusal in [
        program.post("/call", asked(&longer)).await,
        program
            .send(Method::PATCH, &path, json!({"name": longer}))
            .await,
    ] {
        let refusal = refused(refusal, 400, "field-invalid").await;
        assert_eq!(refusal["message"], "`name`: expected at most 40 characters");
    }
    assert_eq!(program.get_json(&path).await["name"], longest);
}

#[tokio::test]
async fn what_is_no_call_of_a_program_is_refused() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    refused(
        program.post("/call", json!({})).await,
        400,
        "assistant-or-squad-or-workflow-required",
    )
    .await;
    let visitor = server.visitor();
    refused(visitor.get("/call").await, 401, "key-missing").await;
    let public = visitor
        .request(Method::POST, "/call")
        .bearer_auth("nightlight-public")
        .json(&json!({"assistantId": "helpline"}));
    refused(visitor.send(public).await, 401, "key-wrong").await;
}
