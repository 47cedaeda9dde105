//! Calls in numbers, and taken elsewhere.

use reqwest::{Method, StatusCode, header};
use serde_json::{Value, json};

use super::calls::two_calls;
use crate::support::program::{Program, with_a_key};
use crate::support::start_server;
use crate::support::visitor::refused;

#[tokio::test]
async fn calls_are_counted_in_groups_and_parts_of_time() {
    let (server, _) = two_calls(start_server(&with_a_key()).await).await;
    let program = Program::of(&server);
    let query = json!({
        "name": "by day", "table": "call", "groupBy": ["assistantId"],
        "timeRange": {"step": "day", "timezone": "UTC", "start": "2026-11-24T00:00:00Z", "end": "2026-11-25T00:00:00.000Z"},
        "operations": [{"operation": "count", "column": "id"}, {"operation": "sum", "column": "cost", "alias": "cost"}],
    });
    let body = json!({"queries": [query.clone()]});
    let answers = program.post("/analytics", body).await;
    assert_eq!(answers.status(), StatusCode::OK);
    let answers: Value = answers.json().await.unwrap();
    assert_eq!(answers[0]["name"], "by day");
    assert_eq!(answers[0]["timeRange"]["start"], "2026-11-24T00:00:00.000Z");
    assert_eq!(
        answers[0]["result"],
        json!([{"date": "2026-11-24T00:00:00Z", "assistantId": "helpline", "countId": 2, "cost": 0.0}])
    );
    for (field, value) in [
        ("table", json!("subscription")),
        (
            "operations",
            json!([{"operation": "sum", "column": "costBreakdown.llm"}]),
        ),
        ("timeRange", json!({"timezone": "Nowhere/At all"})),
        (
            "timeRange",
            json!({"start": "2026-11-25T00:00:00Z", "end": "2026-11-24T00:00:00Z"}),
        ),
    ] {
        let mut wrong = query.clone();
        wrong[field] = value;
        let asked = program
            .post("/analytics", json!({"queries": [wrong]}))
            .await;
        refused(asked, 400, "field-invalid").await;
    }
}

#[tokio::test]
async fn calls_are_exported_as_a_table_and_as_json() {
    let (server, [first, second]) = two_calls(start_server(&with_a_key()).await).await;
    let program = Program::of(&server);
    let named = format!("/call/{first}");
    program
        .changed(&named, json!({"name": "=HYPERLINK(\"x\")"}))
        .await;
    let path = "/v2/call/export?columns=id,name,endedAt";
    let table = program.ask(Method::GET, path).await;
    assert_eq!(
        table.headers()[header::CONTENT_TYPE],
        "text/csv; charset=utf-8"
    );
    let table = table.text().await.unwrap();
    let lines: Vec<&str> = table.trim_start_matches('\u{feff}').lines().collect();
    assert_eq!(lines[0], "id,name,endedAt");
    assert!(lines[1].starts_with(&second.to_string()));
    assert!(lines[2].contains("\"'=HYPERLINK"), "{}", lines[2]);
    assert_eq!(lines.len(), 3);
    let whole = program.get_json("/v2/call/export?format=json").await;
    assert_eq!(whole, program.get_json("/call").await);
    let some = "/v2/call/export?format=json&columns=id,type&limit=1";
    let second = json!([{"id": second.to_string(), "type": "webCall"}]);
    assert_eq!(program.get_json(some).await, second);
    for none in ["id=x", "createdAtLt=2026-11-24T00:00:00Z"] {
        let path = format!("/v2/call/export?format=json&{none}");
        assert_eq!(program.get_json(&path).await, json!([]), "{none}");
        let path = format!("/v2/call/export?columns=id&{none}");
        let table = program.ask(Method::GET, &path).await.text().await.unwrap();
        assert_eq!(table.trim_start_matches('\u{feff}'), "id\r\n", "{none}");
    }
    for wrong in ["format=xml", "columns=recordingUrl", "limit=0"] {
        let path = format!("/v2/call/export?{wrong}");
        refused(
            program.ask(Method::GET, &path).await,
            400,
            "parameter-invalid",
        )
        .await;
    }
}
