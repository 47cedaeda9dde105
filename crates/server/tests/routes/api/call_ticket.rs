//! `POST /api/call-ticket`.

use reqwest::{Method, StatusCode, header};
use serde_json::Value;

use super::hosted_calls::HOSTED;
use crate::support::visitor::refused;
use crate::support::{Visitor, start_server};

async fn ask(visitor: &Visitor) -> reqwest::Response {
    let request = visitor.request(Method::POST, "/api/call-ticket");
    visitor.send(request).await
}

#[tokio::test]
async fn a_page_gets_a_ticket_for_a_call_and_with_the_first_one_its_session() {
    let server = start_server(HOSTED).await;
    let visitor = server.visitor();
    // As a page's script asks.
    let request = visitor
        .request(Method::POST, "/api/call-ticket")
        .header("sec-fetch-dest", "empty");
    let first = visitor.send(request).await;
    assert_eq!(first.status(), StatusCode::CREATED);
    assert!(first.headers().contains_key(header::SET_COOKIE));
    let first: Value = first.json().await.unwrap();
    let second: Value = ask(&visitor).await.json().await.unwrap();
    let tickets = [&first["ticket"], &second["ticket"]].map(|it| it.as_str().unwrap());
    assert!(
        tickets[0].len() > 60 && tickets[0] != tickets[1],
        "{tickets:?}"
    );
}

#[tokio::test]
async fn where_calls_are_held_here_there_are_no_tickets() {
    let server = start_server("").await;
    refused(ask(&server.visitor()).await, 409, "calls-held-here").await;
}

#[tokio::test]
async fn tickets_are_asked_for_as_seldom_as_calls_and_by_this_sites_pages_alone() {
    let server = start_server(&format!("{HOSTED}\ncalls_per_minute = 1")).await;
    let visitor = server.visitor();
    let foreign = visitor
        .request(Method::POST, "/api/call-ticket")
        .header(header::ORIGIN, "https://evil.example");
    refused(visitor.send(foreign).await, 403, "origin-foreign").await;
    assert_eq!(ask(&visitor).await.status(), StatusCode::CREATED);
    let refusal = refused(ask(&visitor).await, 429, "too-often").await;
    assert!(refusal["numbers"].is_array());
}
