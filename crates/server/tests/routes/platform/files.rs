//! Files: sent as forms, kept with their content.

use reqwest::multipart::{Form, Part};
use reqwest::{Method, StatusCode, header};
use serde_json::{Value, json};

use crate::support::program::{Program, with_a_key};
use crate::support::start_server;
use crate::support::visitor::refused;

const CONTENT: &[u8] = b"<script>alert(1)</script>\0\xff";

async fn sent(program: &Program, form: Form) -> reqwest::Response {
    let request = program.request(Method::POST, "/file").multipart(form);
    request.send().await.unwrap()
}

fn file(content: &'static [u8]) -> Part {
    let part = Part::bytes(content).file_name("agencies.html");
    part.mime_str("text/html").unwrap()
}

#[tokio::test]
async fn a_file_is_kept_with_its_content_and_given_back_as_no_page() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let form = Form::new()
        .part("file", file(CONTENT))
        .text("purpose", "assistants")
        .text("metadata", r#"{"case": 7}"#);
    let made = sent(&program, form).await;
    assert_eq!(made.status(), StatusCode::CREATED);
    let made: Value = made.json().await.unwrap();
    assert_eq!(made["name"], "agencies.html");
    assert_eq!(made["bytes"], CONTENT.len());
    assert_eq!(made["metadata"], json!({"case": 7}));
    assert_eq!(made["status"], "done");
    let upload = program.request(Method::POST, "/file/upload");
    let form = Form::new().part("file", file(CONTENT));
    let upload = upload.multipart(form).send().await.unwrap();
    assert_eq!(upload.status(), StatusCode::CREATED);
    let upload: Value = upload.json().await.unwrap();
    assert_eq!(upload["bytes"], CONTENT.len());
    let url = made["url"].as_str().unwrap();
    let content = program.ask(Method::GET, &url[server.url.len()..]).await;
    assert_eq!(
        content.headers()[header::CONTENT_TYPE],
        "application/octet-stream"
    );
    assert_eq!(content.headers()[header::CONTENT_DISPOSITION], "attachment");
    assert_eq!(content.bytes().await.unwrap(), CONTENT);
    let without = server.visitor().get(&url[server.url.len()..]).await;
    refused(without, 401, "key-missing").await;

    let path = format!("/file/{}", made["id"].as_str().unwrap());
    let renamed = program
        .changed(&path, json!({"name": "a", "bytes": 0}))
        .await;
    assert_eq!(
        (&renamed["name"], &renamed["bytes"]),
        (&json!("a"), &json!(CONTENT.len()))
    );
    assert_eq!(
        program.get_json("/file?purpose=assistants").await,
        json!([renamed])
    );
    assert_eq!(program.get_json("/file?purpose=other").await, json!([]));
    program.removed(&path).await;
    let gone = program.ask(Method::GET, &format!("{path}/content")).await;
    refused(gone, 404, "resource-not-found").await;
}

#[tokio::test]
async fn what_is_no_form_or_no_file_or_too_large_is_refused() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let json = program.post("/file", json!({})).await;
    refused(json, 415, "content-type-wrong").await;
    let nothing = sent(&program, Form::new().text("purpose", "x")).await;
    refused(nothing, 400, "field-invalid").await;
    let odd = Form::new().part("file", file(b"x")).text("metadata", "[1]");
    refused(sent(&program, odd).await, 400, "field-invalid").await;
    let large = Part::bytes(vec![b'x'; 1024 * 1024 + 1]).file_name("large.txt");
    let large = sent(&program, Form::new().part("file", large)).await;
    refused(large, 413, "body-too-large").await;
}
