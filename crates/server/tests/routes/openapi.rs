//! The OpenAPI document: what the page's client is generated from.

use std::io::Read;

use flate2::read::GzDecoder;
use reqwest::{Method, StatusCode, header};
use serde_json::Value;

use crate::support::start_server;

/// `crates/server/openapi.json` is what this server serves. After a wanted change:
/// `cargo run -p server -- openapi > crates/server/openapi.json`.
#[test]
fn the_checked_in_document_is_fresh() {
    let checked_in: Value = serde_json::from_str(include_str!("../../openapi.json")).unwrap();
    let current: Value = serde_json::from_str(&server::app::openapi().to_json().unwrap()).unwrap();
    assert!(
        checked_in == current,
        "the API has changed: if that is wanted, run \
         `cargo run -p server -- openapi > crates/server/openapi.json`"
    );
}

#[tokio::test]
async fn the_server_serves_its_document() {
    let server = start_server("").await;
    let served = server.visitor().get_json("/openapi.json").await;
    let current: Value = serde_json::from_str(&server::app::openapi().to_json().unwrap()).unwrap();
    assert_eq!(served, current);
}

#[tokio::test]
async fn who_can_read_it_is_served_the_same_document_gzipped() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let asked = visitor.request(Method::GET, "/openapi.json");
    let asked = asked.header(header::ACCEPT_ENCODING, "br, gzip");
    let packed = visitor.send(asked).await;
    assert_eq!(packed.headers()[header::CONTENT_ENCODING], "gzip");
    assert_eq!(packed.headers()[header::CONTENT_TYPE], "application/json");
    assert_eq!(packed.headers()[header::VARY], "accept-encoding");
    let packed = packed.bytes().await.unwrap();
    let mut text = String::new();
    let mut unpacked = GzDecoder::new(&packed[..]);
    unpacked.read_to_string(&mut text).unwrap();
    let served: Value = serde_json::from_str(&text).unwrap();
    let current: Value = serde_json::from_str(&server::app::openapi().to_json().unwrap()).unwrap();
    assert!(served == current);
}

#[tokio::test]
async fn who_has_the_document_is_not_sent_it_again() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let first = visitor.get("/openapi.json").await;
    assert_eq!(first.headers()[header::CACHE_CONTROL], "no-cache");
    let tag = first.headers()[header::ETAG].clone();
    let asked = |tag: &str| {
        let asked = visitor.request(Method::GET, "/openapi.json");
        asked.header(header::IF_NONE_MATCH, tag)
    };
    let again = visitor.send(asked(tag.to_str().unwrap())).await;
    assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
    assert_eq!(again.headers()[header::ETAG], tag);
    assert!(again.bytes().await.unwrap().is_empty());
    let another = visitor.send(asked("W/\"another\"")).await;
    assert_eq!(another.status(), StatusCode::OK);
}

#[test]
fn every_path_describes_its_refusals_in_the_one_shape() {
    let document: Value = serde_json::from_str(&server::app::openapi().to_json().unwrap()).unwrap();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let Some(responses) = operation["responses"].as_object() else {
                continue;
            };
            for (status, response) in responses {
                if !status.starts_with(['4', '5']) || ["/health", "/ready"].contains(&path.as_str())
                {
                    continue;
                }
                let schema = response.pointer("/content/application~1json/schema/$ref");
                assert_eq!(
                    schema.and_then(Value::as_str),
                    Some("#/components/schemas/ErrorAnswer"),
                    "{method} {path} {status}"
                );
            }
        }
    }
}

/// The page's client is generated from these names, and the generator refuses two that are the same.
#[test]
fn every_operation_has_a_name_of_its_own() {
    let document: Value = serde_json::from_str(&server::app::openapi().to_json().unwrap()).unwrap();
    let mut names: Vec<&str> = document["paths"]
        .as_object()
        .unwrap()
        .values()
        .flat_map(|item| item.as_object().unwrap().values())
        .filter_map(|operation| operation["operationId"].as_str())
        .collect();
    names.sort_unstable();
    let count = names.len();
    assert!(count > 10);
    names.dedup();
    assert_eq!(names.len(), count, "two operations share a name");
}

#[test]
fn every_key_that_a_path_asks_for_is_described() {
    let document: Value = serde_json::from_str(&server::app::openapi().to_json().unwrap()).unwrap();
    let described = &document["components"]["securitySchemes"];
    let operations = document["paths"].as_object().unwrap().values();
    let asked_for = operations
        .flat_map(|item| item.as_object().unwrap().values())
        .filter_map(|operation| operation["security"].as_array())
        .flatten()
        .flat_map(|keys| keys.as_object().unwrap().keys());
    let asked_for: Vec<&String> = asked_for.collect();
    assert!(asked_for.len() > 5, "{asked_for:?}");
    for key in asked_for {
        assert!(described[key].is_object(), "{key} is described nowhere");
    }
}
