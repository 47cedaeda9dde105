//! The plan of shifts: supervisors make it, and all who take calls see it.

use desk::Role;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::officer::Officer;
use crate::support::start_server;
use crate::support::visitor::refused;

const PLAN: &str = "/api/desk/shifts?from=2026-11-24T00:00:00Z&until=2026-11-26T00:00:00Z";

async fn plan(by: &Officer, whose: &str, begins: &str, ends: &str) -> reqwest::Response {
    let body = json!({"accountId": whose, "begins": begins, "ends": ends});
    let request = by.request(Method::POST, "/api/desk/shifts").json(&body);
    request.send().await.unwrap()
}

#[tokio::test]
async fn a_shift_is_planned_seen_and_taken_out() {
    let server = start_server("").await;
    let supervisor = Officer::signed_in(&server, "siti", Role::Supervisor, &[]).await;
    let officer = Officer::signed_in(&server, "mei", Role::Officer, &[]).await;
    let (begins, ends) = ("2026-11-24T12:00:00Z", "2026-11-25T00:00:00Z");
    let mei = officer.id.to_string();
    let planned = plan(&supervisor, &mei, begins, ends).await;
    assert_eq!(planned.status(), StatusCode::CREATED);
    let planned: Value = planned.json().await.unwrap();
    assert_eq!(planned["account"], json!({"id": mei, "name": "mei"}));
    assert_eq!(
        (&planned["begins"], &planned["ends"]),
        (&json!(begins), &json!(ends))
    );
    let seen = officer.get_json(PLAN).await;
    assert_eq!(seen, json!({"shifts": [planned]}));

    let again = plan(
        &supervisor,
        &mei,
        "2026-11-24T23:00:00Z",
        "2026-11-25T04:00:00Z",
    )
    .await;
    refused(again, 409, "shift-overlaps").await;
    let path = format!("/api/desk/shifts/{}", planned["id"].as_str().unwrap());
    let theirs = officer.request(Method::DELETE, &path).send().await.unwrap();
    refused(theirs, 403, "role-forbids").await;
    let taken_out = supervisor
        .request(Method::DELETE, &path)
        .send()
        .await
        .unwrap();
    assert_eq!(taken_out.status(), StatusCode::NO_CONTENT);
    let gone = supervisor
        .request(Method::DELETE, &path)
        .send()
        .await
        .unwrap();
    refused(gone, 404, "shift-not-found").await;
    assert_eq!(officer.get_json(PLAN).await, json!({"shifts": []}));
}

#[tokio::test]
async fn a_plan_that_cannot_be_is_refused_with_what_is_wrong() {
    let server = start_server("").await;
    let supervisor = Officer::signed_in(&server, "siti", Role::Supervisor, &[]).await;
    let auditor = Officer::signed_in(&server, "amir", Role::Auditor, &[]).await;
    let (siti, amir) = (supervisor.id.to_string(), auditor.id.to_string());
    let (begins, ends) = ("2026-11-24T12:00:00Z", "2026-11-25T00:00:00Z");
    for (whose, begins, ends, field) in [
        (&siti, ends, begins, "ends"),
        (&siti, begins, "2026-11-26T00:00:00Z", "ends"),
        (&siti, "at eight", ends, "begins"),
        (&amir, begins, ends, "accountId"),
    ] {
        let answer = plan(&supervisor, whose, begins, ends).await;
        let answer = refused(answer, 400, "field-invalid").await;
        let message = answer["message"].as_str().unwrap();
        assert!(message.contains(&format!("`{field}`")), "{message}");
    }
    for wrong in ["from=monday", "until=2020-01-01T00:00:00Z"] {
        let answer = supervisor.get(&format!("/api/desk/shifts?{wrong}")).await;
        refused(answer, 400, "parameter-invalid").await;
    }
}
