//! What of a program's assistant is followed, and its versions.

use records::Records;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::caller::SocketCaller;
use crate::support::program::{Program, with_a_key};
use crate::support::visitor::refused;
use crate::support::{database_in, start_server, start_server_in_place};

const NOTICE: &str = "I'm an AI counsellor, and I'm here to listen.";
const SAFE: &str = "Are you safe right now?";

/// What the assistant says in a chat, sentence upon sentence.
fn said(chat: &Value) -> &str {
    chat["output"][0]["content"].as_str().unwrap()
}

async fn said_in(program: &Program, body: Value) -> String {
    said(&program.made("/chat", body).await).to_owned()
}

#[tokio::test]
async fn a_programs_first_message_is_said_first_and_the_notice_and_the_question_follow() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let first = "Good evening {{name}}, this is the night line. How are you?";
    let made = program
        .made("/assistant", json!({"firstMessage": first}))
        .await;
    let with = |overrides: Value| json!({"assistantId": made["id"], "input": "", "assistantOverrides": overrides});
    let expected = format!("Good evening Mei, this is the night line. {NOTICE} {SAFE}");
    let filled = with(json!({"variableValues": {"name": "Mei"}}));
    assert_eq!(said_in(&program, filled).await, expected);
    let other = with(json!({"firstMessage": "Hello."}));
    assert_eq!(
        said_in(&program, other).await,
        format!("Hello. {NOTICE} {SAFE}")
    );
    let generated = "assistant-speaks-first-with-model-generated-message";
    let usual = format!("Hello, this is Nightlight. {NOTICE} {SAFE}");
    let mode = with(json!({"firstMessageMode": generated}));
    assert_eq!(said_in(&program, mode).await, usual);
    let nothing_plain = with(json!({"firstMessage": "{{ name | upcase }}. How can I help you?"}));
    assert_eq!(said_in(&program, nothing_plain).await, usual);
    let in_full = json!({"assistant": {"firstMessage": "Hello."}, "input": ""});
    assert_eq!(
        said_in(&program, in_full).await,
        format!("Hello. {NOTICE} {SAFE}")
    );
    let helpline = json!({"assistantId": "helpline", "input": "", "assistantOverrides": {"firstMessage": "Hello."}});
    assert_eq!(
        said_in(&program, helpline).await,
        usual,
        "nobody else speaks for it"
    );
    let words = json!({"assistantId": made["id"], "input": "he's hitting me", "assistantOverrides": {"variableValues": {"name": "Mei"}}});
    let answer = said_in(&program, words).await;
    assert!(
        answer.starts_with("Good evening Mei, this is the night line. I'm an AI"),
        "{answer}"
    );
}

#[tokio::test]
async fn a_squad_is_held_as_its_first_member_with_what_the_member_the_squad_and_the_call_change() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let own = json!({"firstMessage": "Hello {{name}}, this is {{line}}."});
    let made = program.made("/assistant", own.clone()).await;
    let overrides = json!({"variableValues": {"name": "there", "line": "the day line"}});
    let by_id = json!({"assistantId": made["id"], "assistantOverrides": overrides});
    let inline = json!({"assistant": own, "assistantOverrides": overrides});
    for first in [by_id, inline] {
        let squad = json!({
            "members": [first, {"assistant": {"firstMessage": "Never said."}}],
            "membersOverrides": {"variableValues": {"line": "the night line"}},
        });
        let kept = program.made("/squad", squad.clone()).await;
        for mut target in [json!({"squadId": kept["id"]}), json!({"squad": squad})] {
            target["input"] = json!("");
            let said = said_in(&program, target.clone()).await;
            assert!(
                said.starts_with("Hello there, this is the night line. I'm"),
                "{said}"
            );
            target["assistantOverrides"] = json!({"variableValues": {"name": "Mei"}});
            let said = said_in(&program, target).await;
            assert!(
                said.starts_with("Hello Mei, this is the night line. I'm"),
                "{said}"
            );
        }
    }
    let voice = json!({"provider": "flite", "voiceId": "rms"});
    let squad = json!({"members": [{"assistant": {"voice": voice}}]});
    let call = program.made("/call", json!({"squad": squad})).await;
    assert_eq!(call["assistant"]["voice"], voice);
    let changed = json!({"squad": squad, "squadOverrides": {"voice": {"voiceId": "awb"}}});
    let call = program.made("/call", changed).await;
    assert_eq!(call["assistant"]["voice"]["voiceId"], "awb");
    for part in ["assistant", "assistantOverrides"] {
        let wrong = json!({"members": [{part: {"maxDurationSeconds": 1}}]});
        let refusal = refused(program.post("/squad", wrong).await, 400, "field-invalid").await;
        let message = refusal["message"].as_str().unwrap();
        let field = format!("`members[0].{part}.maxDurationSeconds`");
        assert!(message.contains(&field), "{message}");
    }
}

#[tokio::test]
async fn one_that_is_given_in_full_is_held_to_what_one_that_is_kept_is() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let endless = json!({"maxDurationSeconds": 1e19, "silenceTimeoutSeconds": 1e19});
    for (asked, field) in [
        (
            json!({"assistant": endless}),
            "`assistant.silenceTimeoutSeconds`",
        ),
        (
            json!({"squad": {"members": [{"assistant": endless}]}}),
            "`squad.members[0].assistant.silenceTimeoutSeconds`",
        ),
    ] {
        for path in ["/call", "/session", "/chat"] {
            let mut body = asked.clone();
            if path == "/chat" {
                body["input"] = json!("");
            }
            let refusal = refused(program.post(path, body).await, 400, "field-invalid").await;
            let message = refusal["message"].as_str().unwrap();
            assert!(message.contains(field), "{path}: {message}");
        }
        let visitor = server.visitor();
        let refusal = refused(visitor.ask_with(asked).await, 400, "field-invalid").await;
        let message = refusal["message"].as_str().unwrap();
        assert!(message.contains(field), "{message}");
    }
}

#[tokio::test]
async fn what_is_said_first_and_last_and_the_voice_are_those_of_the_assistant_in_a_call() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let assistant = json!({
        "firstMessage": "Good evening, this is the night line.", "endCallMessage": "Until tomorrow.",
        "voice": {"provider": "flite", "voiceId": "rms"},
        "analysisPlan": {"structuredDataPlan": {"schema": {"properties": {"urgent": {"type": "boolean"}}}}},
    });
    let made = program.made("/assistant", assistant).await;
    let body = json!({"assistantId": made["id"], "transport": {"provider": "vapi.websocket"}});
    let call = program.made("/call", body).await;
    assert_eq!(
        call["assistant"]["voice"],
        json!({"provider": "flite", "voiceId": "rms"})
    );
    let mut line = SocketCaller::join(&call).await;
    line.until_the_assistant_has_spoken().await;
    line.type_words("Yes, I am safe, goodbye").await;
    line.until(|_| false).await;
    let path = format!("/call/{}", call["id"].as_str().unwrap());
    let mut read = program.get_json(&path).await;
    while read["status"] != "ended" {
        tokio::task::yield_now().await;
        read = program.get_json(&path).await;
    }
    let messages = read["artifact"]["messages"].as_array().unwrap();
    let first = messages[0]["message"].as_str().unwrap();
    assert!(
        first.starts_with("Good evening, this is the night line. I'm an AI"),
        "{first}"
    );
    let last = messages.last().unwrap()["message"].as_str().unwrap();
    assert!(last.ends_with("Until tomorrow."), "{last}");
    assert_eq!(read["analysis"]["structuredData"], json!({"urgent": false}));
}

#[tokio::test]
async fn a_voice_that_is_not_installed_is_refused_by_name_and_keeps_no_caller_waiting() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let elsewhere = json!({"voice": {"provider": "11labs", "voiceId": "burt"}});
    let refusal = refused(
        program.post("/assistant", elsewhere.clone()).await,
        400,
        "voice-unknown",
    )
    .await;
    assert!(
        refusal["message"].as_str().unwrap().contains("flite/slt"),
        "{refusal}"
    );
    let made = program
        .made("/assistant", json!({"voice": {"voiceId": "awb"}}))
        .await;
    let path = format!("/assistant/{}", made["id"].as_str().unwrap());
    let changed = program.send(Method::PATCH, &path, elsewhere.clone()).await;
    refused(changed, 400, "voice-unknown").await;
    let call = program.post("/call", json!({"assistant": elsewhere})).await;
    refused(call, 400, "voice-unknown").await;
    program
        .made("/assistant", json!({"voice": {"provider": "azure"}}))
        .await;
}

#[tokio::test]
async fn a_call_changes_its_assistant_for_itself_as_far_as_an_assistant_may_be_so() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let made =
        json!({"endCallMessage": "Goodbye.", "voice": {"provider": "flite", "voiceId": "rms"}});
    let made = program.made("/assistant", made).await;
    let with =
        |overrides: Value| json!({"assistantId": made["id"], "assistantOverrides": overrides});
    let changed = with(json!({"voice": {"provider": "flite", "voiceId": "awb"}}));
    let call = program.made("/call", changed).await;
    assert_eq!(
        call["assistant"]["voice"],
        json!({"provider": "flite", "voiceId": "awb"})
    );
    let mut words = with(
        json!({"endCallMessage": "Until tomorrow, {{name}}.", "variableValues": {"name": "Mei"}}),
    );
    words["input"] = json!("");
    let chat = program.made("/chat", words).await;
    let on = json!({"previousChatId": chat["id"], "input": "Yes, I am safe, goodbye"});
    let answer = said_in(&program, on).await;
    assert!(answer.ends_with("Until tomorrow, Mei."), "{answer}");
    for (wrong, code, field) in [
        (
            json!({"voice": {"provider": "11labs", "voiceId": "burt"}}),
            "voice-unknown",
            "flite/slt",
        ),
        (
            json!({"silenceTimeoutSeconds": 1}),
            "field-invalid",
            "`assistantOverrides.silenceTimeoutSeconds`",
        ),
        (
            json!({"startSpeakingPlan": {"waitSeconds": 60}}),
            "field-invalid",
            "`assistantOverrides.startSpeakingPlan.waitSeconds`",
        ),
        (
            json!({"endCallPhrases": [7]}),
            "field-invalid",
            "`assistantOverrides.endCallPhrases[0]`",
        ),
    ] {
        for path in ["/call", "/chat"] {
            let mut body = with(wrong.clone());
            body["input"] = json!("");
            let refusal = refused(program.post(path, body).await, 400, code).await;
            let message = refusal["message"].as_str().unwrap();
            assert!(message.contains(field), "{path}: {message}");
        }
    }
}

#[tokio::test]
async fn a_conversation_that_comes_back_is_held_as_it_began() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let body = json!({"endCallMessage": "Until tomorrow, {{name}}.", "silenceTimeoutSeconds": 20, "name": "Night line"});
    let made = program.made("/assistant", body).await;
    let begins = json!({"assistantId": made["id"], "input": "", "assistantOverrides": {"variableValues": {"name": "Mei"}}});
    let chat = program.made("/chat", begins).await;
    program
        .removed(&format!("/assistant/{}", made["id"].as_str().unwrap()))
        .await;
    let place = server.stop().await;
    let records = Records::open(&database_in(place.path())).await.unwrap();
    let id = chat["sessionId"].as_str().unwrap().parse().unwrap();
    let record = records.call(records::CallId(id)).await.unwrap().unwrap();
    let manner: Value = serde_json::from_str(record.label.manner.unwrap().expose_secret()).unwrap();
    assert_eq!(
        manner,
        json!({"endCallMessage": "Until tomorrow, Mei.", "silenceTimeoutSeconds": 20})
    );
    drop(records);
    let server = start_server_in_place(place, &with_a_key()).await;
    let on = json!({"previousChatId": chat["id"], "input": "Yes, I am safe, goodbye"});
    let answer = said_in(&Program::of(&server), on).await;
    assert!(answer.ends_with("Until tomorrow, Mei."), "{answer}");
}

#[tokio::test]
async fn every_change_of_an_assistant_is_a_version_and_the_earlier_ones_stay() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let made = program
        .made(
            "/assistant",
            json!({"name": "One", "server": {"secret": "s3cret"}}),
        )
        .await;
    let path = format!("/assistant/{}", made["id"].as_str().unwrap());
    let versions = format!("{path}/version");
    for name in ["Two", "Three"] {
        program.changed(&path, json!({"name": name})).await;
    }
    let listed = program.get_json(&versions).await;
    let results = listed["results"].as_array().unwrap();
    let named: Vec<_> = results
        .iter()
        .map(|it| (&it["version"], &it["name"]))
        .collect();
    let expected = [("v3", "Three"), ("v2", "Two"), ("v1", "One")]
        .map(|(version, name)| (json!(version), json!(name)));
    assert_eq!(
        named,
        expected
            .iter()
            .map(|(version, name)| (version, name))
            .collect::<Vec<_>>()
    );
    assert_eq!(
        listed["metadata"],
        json!({"hasNextPage": false, "limit": 20})
    );
    for version in results {
        assert_eq!(version["assistantId"], made["id"]);
        assert_eq!(version["server"]["secret"], "s3cret", "all of it");
        assert!(version["id"].is_string() && version["createdAt"].is_string());
    }
    assert_eq!(results[0]["parentVersion"], "v2");
    assert_ne!(results[0]["configHash"], results[1]["configHash"]);
    let page = program.get_json(&format!("{versions}?limit=2")).await;
    assert_eq!(page["metadata"]["hasNextPage"], true);
    let next = page["metadata"]["nextCursor"].as_str().unwrap();
    let page = program
        .get_json(&format!("{versions}?limit=2&cursor={next}"))
        .await;
    assert_eq!(page["results"], json!([results[2]]));
    let first = program.get_json(&format!("{versions}/v1")).await;
    assert_eq!(first, results[2]);
    let kept = program
        .made(&versions, json!({"versionName": "for November"}))
        .await;
    assert_eq!(
        (&kept["version"], &kept["versionName"]),
        (&json!("v3"), &json!("for November"))
    );
    let unknown = program.ask(Method::GET, &format!("{versions}/v9")).await;
    refused(unknown, 404, "resource-not-found").await;
    for wrong in ["limit=0", "limit=x", "cursor=x"] {
        let asked = program
            .ask(Method::GET, &format!("{versions}?{wrong}"))
            .await;
        refused(asked, 400, "parameter-invalid").await;
    }
    for of in ["", "/v1"] {
        let newer = program.get_json(&format!("{path}/versions{of}")).await;
        let older = program.get_json(&format!("{path}/version{of}")).await;
        assert_eq!(newer, older, "{of}");
    }
    program.removed(&path).await;
    let gone = program.ask(Method::GET, &versions).await;
    refused(gone, 404, "resource-not-found").await;
}

#[tokio::test]
async fn of_an_assistant_that_is_changed_often_the_latest_hundred_versions_stay() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let made = program.made("/assistant", json!({"name": "0"})).await;
    let path = format!("/assistant/{}", made["id"].as_str().unwrap());
    for name in 1..=101 {
        program
            .changed(&path, json!({"name": name.to_string()}))
            .await;
    }
    let versions = format!("{path}/version?limit=100");
    let listed = program.get_json(&versions).await;
    let results = listed["results"].as_array().unwrap();
    assert_eq!(results.len(), 100);
    assert_eq!(
        (&results[0]["version"], &results[99]["version"]),
        (&json!("v102"), &json!("v3"))
    );
    assert_eq!(listed["metadata"]["hasNextPage"], false);
    let first = program
        .ask(Method::GET, &format!("{path}/version/v1"))
        .await;
    refused(first, 404, "resource-not-found").await;
}
