//! What the platform has and this server does not.

use reqwest::{Method, StatusCode, header};
use serde_json::{Value, json};

use crate::support::program::{Program, with_a_key};
use crate::support::start_server;
use crate::support::visitor::refused;

#[tokio::test]
async fn what_is_not_offered_says_so_and_what_to_use_instead() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let document: Value = serde_json::from_str(&server::app::openapi().to_json().unwrap()).unwrap();
    let mut count = 0;
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let name = operation["operationId"].as_str().unwrap_or_default();
            if !name.starts_with("refuse_") {
                continue;
            }
            count += 1;
            let path = path.replace(['{', '}'], "");
            let method: Method = method.to_uppercase().parse().unwrap();
            let asked = program.ask(method.clone(), &path).await;
            let refusal = refused(asked, 501, "not-offered").await;
            assert!(refusal.get("numbers").is_none(), "no caller asked");
            let without = server
                .visitor()
                .request(method, &path)
                .send()
                .await
                .unwrap();
            refused(without, 401, "key-missing").await;
        }
    }
    assert!(count > 60, "{count}");
}

#[tokio::test]
async fn a_phone_call_is_refused_and_rings_nobody() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    for wish in [
        json!({"phoneNumberId": "x", "customer": {"number": "+6561234567"}}),
        json!({"transport": {"provider": "twilio"}}),
        json!({"schedulePlan": {"earliestAt": "2026-12-01T00:00:00Z"}}),
    ] {
        let mut body = json!({"assistantId": "helpline"});
        body.as_object_mut()
            .unwrap()
            .extend(wish.as_object().unwrap().clone());
        refused(program.post("/call", body).await, 501, "not-offered").await;
    }
}

/// It works, or is refused in so many words: by what is asked, never for its path.
#[tokio::test]
async fn every_operation_of_the_official_client_is_answered_by_the_platform_and_by_no_page() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let operations = include_str!("official_paths.txt").lines();
    let mut count = 0;
    for operation in operations.filter(|line| !line.starts_with('#')) {
        count += 1;
        let (method, path) = operation.split_once(' ').unwrap();
        let path = path.replace("{provider}", "11labs").replace(['{', '}'], "");
        let asked = match method {
            "GET" | "DELETE" => program.ask(method.parse().unwrap(), &path).await,
            _ => {
                program
                    .send(method.parse().unwrap(), &path, json!({}))
                    .await
            }
        };
        let status = asked.status();
        let kind = asked.headers().get(header::CONTENT_TYPE).cloned();
        let kind = kind.unwrap_or_else(|| panic!("{operation}: {status}"));
        let kind = kind.to_str().unwrap().to_owned();
        if status.is_success() {
            assert!(!kind.starts_with("text/html"), "{operation}");
            continue;
        }
        assert_eq!(kind, "application/json", "{operation}: {status}");
        let refusal: Value = asked.json().await.unwrap();
        let code = refusal["code"].as_str();
        for of_no_path in ["path-not-found", "method-not-allowed", "internal"] {
            assert_ne!(code, Some(of_no_path), "{operation}: {refusal}");
        }
    }
    assert!(count > 200, "{count}");
}

#[tokio::test]
async fn an_unknown_path_of_the_platform_is_never_the_web_page() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    for path in [
        "/assistant/a/b/c",
        "/v2",
        "/v2/nothing",
        "/eval/simulation/run/a/b/c/d",
        "/provider",
        "/session/a/b",
        "/file/a/b",
        "/org/a/b",
    ] {
        refused(program.ask(Method::GET, path).await, 404, "path-not-found").await;
    }
    for root in ::server::PLATFORM_ROOTS {
        let path = format!("/{root}/no/such/path/of/the/platform");
        let asked = program.ask(Method::GET, &path).await;
        refused(asked, 404, "path-not-found").await;
    }
    for (method, path) in [
        (Method::PUT, "/assistant"),
        (Method::DELETE, "/assistant"),
        (Method::POST, "/assistant/helpline"),
        (Method::PATCH, "/analytics"),
        (Method::PUT, "/call"),
    ] {
        let asked = program.ask(method, path).await;
        refused(asked, 405, "method-not-allowed").await;
    }
    let page = server.visitor().get("/no-such-page").await;
    assert_eq!(page.status(), StatusCode::NOT_FOUND);
    let kind = page.headers()[header::CONTENT_TYPE].to_str().unwrap();
    assert!(kind.starts_with("text/html"), "{kind}");
}
