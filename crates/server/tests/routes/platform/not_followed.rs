//! What an assistant asks for that this server does not do: refused where it would be a promise, and else named in the answer.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::program::{Program, with_a_key};
use crate::support::start_server;
use crate::support::visitor::refused;

/// In an assistant; where it stands, and what stands there that asks for nothing.
fn promises() -> Vec<(Value, &'static str, Value)> {
    let sound = |on: bool| json!({"artifactPlan": {"recordingEnabled": on}});
    let picture = |on: bool| json!({"artifactPlan": {"videoRecordingEnabled": on}});
    let listened = |on: bool| json!({"monitorPlan": {"listenEnabled": on}});
    let steered = |on: bool| json!({"monitorPlan": {"controlEnabled": on}});
    let keys = |on: bool| json!({"keypadInputPlan": {"enabled": on}});
    vec![
        (
            json!({"hooks": [{"on": "call.ending"}]}),
            "hooks",
            json!({"hooks": []}),
        ),
        (sound(true), "artifactPlan.recordingEnabled", sound(false)),
        (
            picture(true),
            "artifactPlan.videoRecordingEnabled",
            picture(false),
        ),
        (listened(true), "monitorPlan.listenEnabled", listened(false)),
        (steered(true), "monitorPlan.controlEnabled", steered(false)),
        (keys(true), "keypadInputPlan.enabled", keys(false)),
    ]
}

#[tokio::test]
async fn what_would_promise_what_never_happens_is_refused_by_its_path_wherever_it_stands() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let kept = program.made("/assistant", json!({"name": "One"})).await;
    let kept = format!("/assistant/{}", kept["id"].as_str().unwrap());
    let squad = program.made("/squad", json!({"members": []})).await;
    let squad = format!("/squad/{}", squad["id"].as_str().unwrap());
    let session = program.made("/session", json!({})).await;
    let session = format!("/session/{}", session["id"].as_str().unwrap());
    for (asked, field, nothing) in promises() {
        let bodies = |of: &Value| {
            [
                (Method::POST, "/assistant", of.clone(), ""),
                (Method::PATCH, kept.as_str(), of.clone(), ""),
                (
                    Method::POST,
                    "/squad",
                    json!({"members": [{"assistant": of}]}),
                    "members[0].assistant.",
                ),
                (
                    Method::PATCH,
                    squad.as_str(),
                    json!({"membersOverrides": of}),
                    "membersOverrides.",
                ),
                (
                    Method::POST,
                    "/chat",
                    json!({"input": "", "assistant": of}),
                    "assistant.",
                ),
                (
                    Method::POST,
                    "/session",
                    json!({"assistant": of}),
                    "assistant.",
                ),
                (
                    Method::PATCH,
                    session.as_str(),
                    json!({"assistantOverrides": of}),
                    "assistantOverrides.",
                ),
                (
                    Method::POST,
                    "/call",
                    json!({"assistantId": "helpline", "assistantOverrides": of}),
                    "assistantOverrides.",
                ),
            ]
        };
        for (method, path, body, place) in bodies(&asked) {
            let answer = program.send(method, path, body).await;
            let refusal = refused(answer, 400, "field-invalid").await;
            let message = refusal["message"].as_str().unwrap();
            let named = format!("`{place}{field}`");
            assert!(message.starts_with(&named), "{path}: {message}");
        }
        // A call is not asked for: few may wait to be joined at once.
        for (method, path, body, _) in bodies(&nothing).into_iter().take(7) {
            let answer = program.send(method, path, body).await;
            assert!(answer.status().is_success(), "{path}: {field}");
        }
    }
}

#[tokio::test]
async fn an_answer_names_what_was_sent_and_is_not_followed() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let hosted = json!({
        "name": "Night line", "firstMessage": "Good evening.",
        "model": {"provider": "openai", "model": "gpt-4o", "messages": [{"role": "system", "content": "a prompt"}]},
        "transcriber": {"provider": "deepgram"},
    });
    let all = "model.messages, model.provider, model.model, transcriber";
    let within = |place: &str| {
        let names = all.split(", ").map(|name| format!("{place}.{name}"));
        Some(names.collect::<Vec<_>>().join(", "))
    };
    let made = program.made("/assistant", json!({"name": "One"})).await;
    let kept = format!("/assistant/{}", made["id"].as_str().unwrap());
    for (method, path, body, named) in [
        (
            Method::POST,
            "/assistant",
            json!({"name": "Two", "model": {"toolIds": []}}),
            None,
        ),
        (
            Method::POST,
            "/assistant",
            hosted.clone(),
            Some(all.to_owned()),
        ),
        (
            Method::PATCH,
            kept.as_str(),
            hosted.clone(),
            Some(all.to_owned()),
        ),
        (
            Method::POST,
            "/squad",
            json!({"members": [{"assistant": hosted}]}),
            within("members[0].assistant"),
        ),
        (
            Method::POST,
            "/session",
            json!({"assistant": hosted}),
            within("assistant"),
        ),
        (
            Method::POST,
            "/chat",
            json!({"input": "", "assistant": hosted}),
            within("assistant"),
        ),
        (
            Method::POST,
            "/call",
            json!({"assistant": hosted}),
            within("assistant"),
        ),
    ] {
        let answer = program.send(method, path, body).await;
        assert!(answer.status().is_success(), "{path}");
        let header = answer.headers().get("nightlight-not-followed");
        let header = header.map(|it| it.to_str().unwrap().to_owned());
        assert_eq!(header, named, "{path}");
    }
}
