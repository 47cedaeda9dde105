//! `POST /call/{id}/whip` and the session's DELETE. Real offers are made by `nightlight-caller` and
//! by browsers; here is what is refused.

use reqwest::{Method, Response, StatusCode};

use crate::support::visitor::refused;
use crate::support::{Visitor, start_server};

async fn offer(visitor: &Visitor, id: &str, sdp: impl Into<reqwest::Body>) -> Response {
    let request = visitor
        .request(Method::POST, &format!("/call/{id}/whip"))
        .header("content-type", "application/sdp")
        .body(sdp);
    visitor.send(request).await
}

#[tokio::test]
async fn an_offer_that_is_none_is_refused_and_the_call_stays_open() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let call = visitor.call().await;
    let id = call["id"].as_str().unwrap();
    for sdp in [
        "",
        "hello",
        "v=0\r\n",
        "v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\n",
    ] {
        refused(offer(&visitor, id, sdp).await, 400, "sdp-invalid").await;
    }
    refused(
        offer(&visitor, id, vec![0xff, 0xfe, 0x00]).await,
        400,
        "sdp-invalid",
    )
    .await;
    refused(
        offer(&visitor, id, "v=0\r\n".repeat(20_000)).await,
        400,
        "sdp-invalid",
    )
    .await;
    let status = visitor.get_json(&format!("/call/{id}")).await["status"].clone();
    assert_eq!(status, "queued");
}

#[tokio::test]
async fn offers_for_no_call_or_of_the_wrong_kind_are_refused() {
    let server = start_server("").await;
    let visitor = server.visitor();
    for id in [
        "x",
        "3f0a3c5e-8a5e-4b52-9f0e-0e4c8a1d2b3c",
        "%F0%9F%98%80",
        "..%2f..",
    ] {
        refused(offer(&visitor, id, "v=0").await, 404, "call-not-found").await;
    }
    let call = visitor.call().await;
    let path = format!("/call/{}/whip", call["id"].as_str().unwrap());
    refused(
        visitor.post_json(&path, "{}").await,
        415,
        "content-type-wrong",
    )
    .await;
    let patch = visitor.request(Method::PATCH, &path);
    refused(visitor.send(patch).await, 405, "method-not-allowed").await;
    let left = visitor.request(Method::DELETE, &format!("{path}/nobody"));
    refused(visitor.send(left).await, 404, "session-not-found").await;
}

#[tokio::test]
async fn leaving_before_media_connects_ends_the_call() {
    let server = start_server("max_calls = 1").await;
    let visitor = server.visitor();
    let call = visitor.call().await;
    let answer = offer(
        &visitor,
        call["id"].as_str().unwrap(),
        include_str!("offer.sdp"),
    )
    .await;
    assert_eq!(answer.status(), StatusCode::CREATED);
    assert_eq!(answer.headers()["content-type"], "application/sdp");
    let session = answer.headers()["location"].to_str().unwrap().to_owned();
    assert!(answer.text().await.unwrap().starts_with("v=0"));
    let leave = visitor.request(Method::DELETE, &session);
    assert_eq!(visitor.send(leave).await.status(), StatusCode::OK);
    let again = visitor.request(Method::DELETE, &session);
    refused(visitor.send(again).await, 404, "session-not-found").await;
    let id = call["id"].as_str().unwrap();
    let gone = refused(
        offer(&visitor, id, include_str!("offer.sdp")).await,
        410,
        "call-expired",
    )
    .await;
    assert!(gone["numbers"].is_array(), "{gone}");
    assert_eq!(
        visitor.ask().await.status(),
        StatusCode::CREATED,
        "its line is free again"
    );
}

#[tokio::test]
async fn after_an_offer_that_does_not_connect_the_same_call_is_joined_by_its_socket() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let call = visitor.call().await;
    let answer = offer(
        &visitor,
        call["id"].as_str().unwrap(),
        include_str!("offer.sdp"),
    )
    .await;
    assert_eq!(answer.status(), StatusCode::CREATED);
    let mut line = crate::support::caller::SocketCaller::join(&call).await;
    line.until(|message| message == "listening")
        .await
        .expect("the call begins");
    line.hang_up().await;
}
