//! `nightlight platform push`, against a stand-in of the hosted platform.

use std::path::Path;
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};

use axum::extract::{Path as InPath, Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, patch};
use axum::{Json, Router};
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::official_types;

const KEY: &str = "private-zephyrine-4711";
const SECRET: &str = "abcdefghijklmnop";

#[derive(Default)]
struct Kept {
    /// Each with its kind.
    definitions: Vec<(String, Map<String, Value>)>,
    /// What was asked beyond reading: method, path, body.
    asked: Vec<(Method, String, Value)>,
}

#[derive(Clone, Default)]
struct HostedPlatform(Arc<Mutex<Kept>>);

impl HostedPlatform {
    fn asked(&self) -> Vec<(Method, String, Value)> {
        std::mem::take(&mut self.0.lock().unwrap().asked)
    }

    fn put(&self, kind: &str, definition: Value) {
        let Value::Object(fields) = definition else {
            panic!("a definition is an object");
        };
        let mut kept = self.0.lock().unwrap();
        kept.definitions.push((kind.to_owned(), fields));
    }

    fn of_kind(&self, kind: &str) -> Vec<Map<String, Value>> {
        let kept = self.0.lock().unwrap();
        let of_kind = kept.definitions.iter().filter(|(it, _)| it == kind);
        of_kind.map(|(_, fields)| fields.clone()).collect()
    }
}

/// A refusal in the platform's own shape; `None` where the request is as its API asks. What is sent comes with the name of its type.
fn refusal(headers: &HeaderMap, kind: &str, sent: Option<(&str, &Value)>) -> Option<Response> {
    let bearer = headers.get(header::AUTHORIZATION);
    if bearer.is_none_or(|it| it != format!("Bearer {KEY}").as_str()) {
        let body = json!({"message": "Invalid Key. Hot tip, you may be using the public key."});
        return Some((StatusCode::UNAUTHORIZED, Json(body)).into_response());
    }
    if !["assistant", "squad", "tool"].contains(&kind) {
        return Some(StatusCode::NOT_FOUND.into_response());
    }
    let (named, body) = sent?;
    let fault = official_types::fault(named, body)?;
    let body = json!({
        "message": [fault],
        "error": "Bad Request", "statusCode": 400
    });
    Some((StatusCode::BAD_REQUEST, Json(body)).into_response())
}

async fn list(
    State(platform): State<HostedPlatform>,
    InPath(kind): InPath<String>,
    request: Request,
) -> Response {
    if let Some(refusal) = refusal(request.headers(), &kind, None) {
        return refusal;
    }
    assert_eq!(request.uri().query(), Some("limit=1000"), "all of them");
    Json(platform.of_kind(&kind)).into_response()
}

async fn create(
    State(platform): State<HostedPlatform>,
    InPath(kind): InPath<String>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Response {
    if let Some(refusal) = refusal(&headers, &kind, Some((kind.as_str(), &body))) {
        return refusal;
    }
    let mut made = body.as_object().unwrap().clone();
    made.insert("id".to_owned(), json!(uuid::Uuid::new_v4()));
    made.insert("orgId".to_owned(), json!("org-1"));
    let mut kept = platform.0.lock().unwrap();
    kept.asked.push((Method::POST, format!("/{kind}"), body));
    kept.definitions.push((kind, made.clone()));
    (StatusCode::CREATED, Json(made)).into_response()
}

async fn update(
    State(platform): State<HostedPlatform>,
    InPath((kind, id)): InPath<(String, String)>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Response {
    let changes = format!("{kind} changes");
    if let Some(refusal) = refusal(&headers, &kind, Some((changes.as_str(), &body))) {
        return refusal;
    }
    let mut kept = platform.0.lock().unwrap();
    let of_id =
        |(it, fields): &&mut (String, Map<String, Value>)| *it == kind && fields["id"] == id;
    let Some((_, fields)) = kept.definitions.iter_mut().find(of_id) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    fields.extend(body.as_object().unwrap().clone());
    let updated = fields.clone();
    kept.asked
        .push((Method::PATCH, format!("/{kind}/{id}"), body));
    Json(updated).into_response()
}

/// The platform, the folder that is pushed there, and the program that does it.
struct Push {
    platform: HostedPlatform,
    folder: TempDir,
    url: String,
    _runtime: Runtime,
}

impl Push {
    fn prepared() -> Self {
        let runtime = Runtime::new().unwrap();
        let platform = HostedPlatform::default();
        let site = Router::new()
            .route("/{kind}", get(list).post(create))
            .route("/{kind}/{id}", patch(update))
            .with_state(platform.clone());
        let listener = runtime
            .block_on(tokio::net::TcpListener::bind("127.0.0.1:0"))
            .unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        runtime.spawn(async move { axum::serve(listener, site).await });
        let push = Self {
            platform,
            folder: tempfile::tempdir().unwrap(),
            url,
            _runtime: runtime,
        };
        push.write(
            "tools/product_query.json",
            &json!({
                "type": "function",
                "function": {"name": "product_query", "parameters": {"type": "object", "properties": {}}},
            }),
        );
        push.write(
            "assistants/helpline.json",
            &json!({
                "id": "helpline",
                "name": "Nightlight helpline",
                "model": {"provider": "openai", "model": "small", "temperature": 0.3, "toolIds": ["product_query"]},
                "serverMessages": ["status-update", "transcript[transcriptType=\"final\"]", "tool-calls", "end-of-call-report"],
            }),
        );
        push.write(
            "squads/helpline-to-authorities.json",
            &json!({
                "name": "helpline to authorities",
                "members": [
                    {"assistantId": "helpline", "assistantDestinations": [{"type": "assistant", "assistantName": "Authorities"}]},
                    {"assistant": {"name": "Authorities"}, "assistantDestinations": []},
                ],
            }),
        );
        push
    }

    fn write(&self, file: &str, definition: &Value) {
        let path = self.folder.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, definition.to_string()).unwrap();
    }

    fn change(&self, file: &str, change: impl FnOnce(&mut Value)) {
        let text = std::fs::read_to_string(self.folder.path().join(file)).unwrap();
        let mut definition: Value = serde_json::from_str(&text).unwrap();
        change(&mut definition);
        self.write(file, &definition);
    }

    fn run_with(&self, settings: &[(&str, &str)], arguments: &[&str]) -> Output {
        let elsewhere = tempfile::tempdir().unwrap();
        let mut program = Command::new(env!("CARGO_BIN_EXE_nightlight"));
        program
            .args(["platform", "push", "--folder"])
            .arg(self.folder.path())
            .args(arguments)
            .current_dir(elsewhere.path())
            .env("NIGHTLIGHT_HOSTED_PLATFORM_URL", &self.url)
            .env("NIGHTLIGHT_HOSTED_PRIVATE_KEY", KEY)
            .env("NIGHTLIGHT_PUBLIC_ORIGIN", "https://line.example")
            .env("NIGHTLIGHT_WEBHOOK_SECRET", SECRET);
        for (name, value) in settings {
            program.env(name, value);
        }
        let output = program.output().unwrap();
        let all = [output.stdout.as_slice(), &output.stderr].concat();
        let all = String::from_utf8(all).unwrap();
        for secret in [KEY, SECRET] {
            assert!(!all.contains(secret), "{all}");
        }
        output
    }

    fn run(&self, arguments: &[&str]) -> String {
        let output = self.run_with(&[], arguments);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{told}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// What it says is wrong.
    fn fails_with(&self, settings: &[(&str, &str)]) -> String {
        let output = self.run_with(settings, &[]);
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    }
}

fn id_of(platform: &HostedPlatform, kind: &str) -> String {
    let of_kind = platform.of_kind(kind);
    of_kind[0]["id"].as_str().unwrap().to_owned()
}

#[test]
fn what_is_not_there_is_created_each_after_what_it_names_and_the_ids_are_printed() {
    let push = Push::prepared();
    let told = push.run(&[]);
    let asked = push.platform.asked();
    let paths: Vec<_> = asked.iter().map(|(_, path, _)| path.as_str()).collect();
    assert_eq!(paths, ["/tool", "/assistant", "/squad"]);
    assert!(asked.iter().all(|(method, ..)| method == Method::POST));
    let [tool, assistant, squad] =
        ["tool", "assistant", "squad"].map(|it| id_of(&push.platform, it));
    let [(_, _, of_tool), (_, _, of_assistant), (_, _, of_squad)] = &asked[..] else {
        panic!("{asked:?}");
    };
    assert_eq!(of_assistant["model"]["toolIds"], json!([tool]));
    assert_eq!(of_squad["members"][0]["assistantId"], assistant);
    assert_eq!(of_squad["members"][1]["assistant"]["name"], "Authorities");
    for body in [of_tool, of_assistant] {
        assert_eq!(body["server"]["url"], "https://line.example/api/webHook");
        assert_eq!(body["server"]["headers"]["X-Vapi-Secret"], SECRET);
    }
    assert_eq!(of_assistant["server"]["backoffPlan"]["maxRetries"], 10);
    assert!(
        of_assistant.get("id").is_none(),
        "the platform's ids are its own"
    );
    assert!(
        told.contains(&format!("hosted_squad_id = \"{squad}\"")),
        "{told}"
    );
    assert!(
        told.contains("assistant \"Nightlight helpline\": created"),
        "{told}"
    );
    assert!(!told.contains("note:"), "{told}");
}

#[test]
fn pushed_again_nothing_changes_and_what_the_platform_added_is_no_difference() {
    let push = Push::prepared();
    push.run(&[]);
    push.platform.asked();
    let told = push.run(&[]);
    assert_eq!(push.platform.asked(), []);
    assert_eq!(told.matches("is as the file says").count(), 3, "{told}");
    assert!(told.contains("hosted_squad_id"), "{told}");
}

#[test]
fn what_differs_is_updated_by_its_id_and_told() {
    let push = Push::prepared();
    push.run(&[]);
    push.platform.asked();
    push.change("assistants/helpline.json", |it| {
        it["model"]["temperature"] = json!(0.7)
    });
    let told = push.run(&[]);
    let asked = push.platform.asked();
    assert_eq!(asked.len(), 1, "{asked:?}");
    let (method, path, body) = &asked[0];
    let assistant = id_of(&push.platform, "assistant");
    assert_eq!(
        (method, path),
        (&Method::PATCH, &format!("/assistant/{assistant}"))
    );
    assert_eq!(body["model"]["temperature"], 0.7);
    assert!(told.contains("~ model.temperature: 0.3 → 0.7"), "{told}");
}

#[test]
fn a_dry_run_tells_what_would_change_and_changes_nothing() {
    let push = Push::prepared();
    let told = push.run(&["--dry-run"]);
    assert_eq!(told.matches("would be created").count(), 3, "{told}");
    assert!(told.contains("Nothing was changed"), "{told}");
    assert_eq!(push.platform.asked(), []);
    push.run(&[]);
    push.platform.asked();
    push.change("tools/product_query.json", |it| {
        it["function"]["description"] = json!("Looks up what the helpline knows.");
    });
    let told = push.run(&["--dry-run"]);
    assert!(
        told.contains("tool \"product_query\": would be updated"),
        "{told}"
    );
    assert!(
        told.contains("+ function.description: \"Looks up"),
        "{told}"
    );
    assert_eq!(push.platform.asked(), []);
}

#[test]
fn what_would_leave_a_record_without_what_was_said_is_noted() {
    let push = Push::prepared();
    push.change("assistants/helpline.json", |it| {
        it["serverMessages"] = json!(["tool-calls"])
    });
    let told = push.run(&["--dry-run"]);
    assert!(
        told.contains(
            "note: its serverMessages leave out status-update, transcript, end-of-call-report"
        ),
        "{told}"
    );
}

#[test]
fn what_the_platform_refuses_is_told_with_its_own_words() {
    let push = Push::prepared();
    push.change("assistants/helpline.json", |it| it["temprature"] = json!(1));
    let told = push.fails_with(&[]);
    assert!(
        told.contains("refused the assistant: property temprature should not exist"),
        "{told}"
    );
    let told = push.fails_with(&[("NIGHTLIGHT_HOSTED_PRIVATE_KEY", "the-public-one")]);
    assert!(told.contains("does not take the key"), "{told}");
    assert!(!told.contains("the-public-one"), "{told}");
}

#[test]
fn two_of_one_name_on_the_platform_are_left_to_a_person() {
    let push = Push::prepared();
    for id in ["a", "b"] {
        push.platform.put(
            "squad",
            json!({"id": id, "name": "helpline to authorities"}),
        );
    }
    let told = push.fails_with(&[]);
    assert!(
        told.contains("2 squads named \"helpline to authorities\""),
        "{told}"
    );
}

#[test]
fn what_is_wrong_with_the_files_or_the_settings_is_told_with_what_to_do() {
    let push = Push::prepared();
    for (setting, value, told) in [
        (
            "NIGHTLIGHT_HOSTED_PRIVATE_KEY",
            "",
            "hosted_private_key is not set",
        ),
        ("NIGHTLIGHT_PUBLIC_ORIGIN", "", "public_origin is not set"),
        ("NIGHTLIGHT_WEBHOOK_SECRET", "", "webhook_secret is not set"),
        (
            "NIGHTLIGHT_HOSTED_PLATFORM_URL",
            "http://127.0.0.1:9",
            "cannot be reached",
        ),
    ] {
        let wrong = push.fails_with(&[(setting, value)]);
        assert!(wrong.contains(told), "{wrong}");
    }
    push.change("squads/helpline-to-authorities.json", |it| {
        it["members"][0]["assistantId"] = json!("nightline");
    });
    let wrong = push.fails_with(&[]);
    assert!(
        wrong.contains("names the assistant \"nightline\""),
        "{wrong}"
    );
    std::fs::write(
        push.folder.path().join("tools/product_query.json"),
        "{\n  nope",
    )
    .unwrap();
    let wrong = push.fails_with(&[]);
    assert!(
        wrong.contains("product_query.json is not JSON from line 2"),
        "{wrong}"
    );
    let empty = tempfile::tempdir().unwrap();
    let empty = Push {
        folder: empty,
        ..Push::prepared()
    };
    let wrong = empty.fails_with(&[]);
    assert!(wrong.contains("there is nothing to push"), "{wrong}");
}

/// The folder that ships, once it is there.
#[test]
fn what_ships_can_be_read() {
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../config");
    if !shipped.join("squads").exists() {
        return;
    }
    let push = Push::prepared();
    let output = Command::new(env!("CARGO_BIN_EXE_nightlight"))
        .args(["platform", "push", "--dry-run", "--folder"])
        .arg(shipped)
        .env("NIGHTLIGHT_HOSTED_PLATFORM_URL", &push.url)
        .env("NIGHTLIGHT_HOSTED_PRIVATE_KEY", KEY)
        .env("NIGHTLIGHT_PUBLIC_ORIGIN", "https://line.example")
        .env("NIGHTLIGHT_WEBHOOK_SECRET", SECRET)
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{told}");
}
