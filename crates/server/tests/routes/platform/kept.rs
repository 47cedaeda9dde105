//! Assistants, squads, tools and the like: kept as they are sent.

use reqwest::{Method, StatusCode, header};
use serde_json::{Value, json};

use crate::support::endpoint::Endpoint;
use crate::support::program::{PRIVATE_KEY, Program, with_a_key};
use crate::support::start_server;
use crate::support::visitor::{PUBLIC_KEY, refused};

/// Of every kind: its path, and one of it.
fn kinds() -> Vec<(&'static str, Value)> {
    vec![
        ("/assistant", json!({"name": "Night line"})),
        (
            "/squad",
            json!({"name": "Two", "members": [{"assistantId": "helpline"}]}),
        ),
        (
            "/tool",
            json!({"type": "function", "function": {"name": "look_up"}}),
        ),
        (
            "/phone-number",
            json!({"provider": "vapi", "name": "Front door"}),
        ),
        ("/session", json!({"name": "Case 7"})),
        ("/v2/knowledge-base", json!({"name": "Agencies"})),
        (
            "/structured-output",
            json!({"name": "Facts", "schema": {"type": "object"}}),
        ),
        (
            "/template",
            json!({"type": "tool", "name": "Look up", "details": {"type": "dtmf"}}),
        ),
        (
            "/workflow",
            json!({"name": "Night", "nodes": [{"type": "conversation", "name": "listen"}], "edges": []}),
        ),
        (
            "/credential",
            json!({"provider": "openai", "name": "Elsewhere"}),
        ),
    ]
}

#[tokio::test]
async fn what_a_program_keeps_is_read_listed_changed_and_removed() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    for (path, body) in kinds() {
        let made = program.made(path, body.clone()).await;
        for (field, value) in body.as_object().unwrap() {
            assert_eq!(&made[field], value, "{path}");
        }
        assert_eq!(made["orgId"], "nightlight");
        assert!(made["createdAt"].is_string() && made["updatedAt"].is_string());
        let one = format!("{path}/{}", made["id"].as_str().unwrap());
        assert_eq!(program.get_json(&one).await, made);
        let listed = program.get_json(path).await;
        let listed = listed.get("results").unwrap_or(&listed);
        assert_eq!(listed[0], made, "{path}");
        let changed = program.changed(&one, json!({"name": "Renamed"})).await;
        assert_eq!(changed["name"], "Renamed");
        assert_eq!(changed["createdAt"], made["createdAt"]);
        assert_eq!(program.removed(&one).await["id"], made["id"]);
        for method in [Method::GET, Method::DELETE] {
            let gone = program.ask(method, &one).await;
            refused(gone, 404, "resource-not-found").await;
        }
        let gone = program.send(Method::PATCH, &one, json!({})).await;
        refused(gone, 404, "resource-not-found").await;
    }
}

#[tokio::test]
async fn a_field_that_is_not_known_is_given_back_and_null_takes_one_out() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let body = json!({
        "name": "Night line", "inventedLater": {"deep": [1, null, "ünï"]},
        "server": {"url": "https://crm.example/hook", "secret": "s3cret"},
    });
    let made = program.made("/assistant", body).await;
    assert_eq!(made["inventedLater"], json!({"deep": [1, null, "ünï"]}));
    assert_eq!(made["server"]["secret"], "s3cret");
    let path = format!("/assistant/{}", made["id"].as_str().unwrap());
    let changes = json!({"server": null, "firstMessage": "Hello"});
    let changed = program.changed(&path, changes).await;
    assert!(changed.get("server").is_none());
    assert_eq!(changed["firstMessage"], "Hello");
    assert_eq!(changed["inventedLater"], made["inventedLater"]);
    assert_eq!(program.get_json(&path).await, changed);
}

#[tokio::test]
async fn a_field_that_cannot_be_taken_is_named_and_its_value_is_not() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    for (path, body, field) in [
        ("/assistant", json!({"name": ["he hit me"]}), "`name`"),
        (
            "/assistant",
            json!({"startSpeakingPlan": {"waitSeconds": 60}}),
            "`startSpeakingPlan.waitSeconds`",
        ),
        (
            "/assistant",
            json!({"firstMessageMode": "he hit me"}),
            "`firstMessageMode`",
        ),
        ("/squad", json!({"name": "he hit me"}), "`members`"),
        ("/tool", json!({"type": "he hit me"}), "`type`"),
        ("/phone-number", json!({"provider": "twilio"}), "`number`"),
        (
            "/session",
            json!({"expirationSeconds": 1}),
            "`expirationSeconds`",
        ),
        (
            "/structured-output",
            json!({"name": "x", "schema": 7}),
            "`schema`",
        ),
    ] {
        let refusal = refused(program.post(path, body).await, 400, "field-invalid").await;
        let message = refusal["message"].as_str().unwrap();
        assert!(message.contains(field), "{path}: {message}");
        assert!(!message.contains("hit"), "{message}");
    }
    let request = program
        .request(Method::POST, "/assistant")
        .header(header::CONTENT_TYPE, "application/json")
        .body("[]");
    refused(request.send().await.unwrap(), 400, "field-invalid").await;
}

#[tokio::test]
async fn only_the_private_key_opens_what_programs_keep() {
    let server = start_server(&with_a_key()).await;
    let closed = start_server("").await;
    let visitor = server.visitor();
    for (path, _) in kinds() {
        refused(visitor.get(path).await, 401, "key-missing").await;
        let public = visitor.request(Method::GET, path).bearer_auth(PUBLIC_KEY);
        refused(visitor.send(public).await, 401, "key-wrong").await;
        let post = visitor.request(Method::POST, path).json(&json!({}));
        refused(visitor.send(post).await, 401, "key-missing").await;
        let visitor = closed.visitor();
        let asked = visitor.request(Method::GET, path).bearer_auth(PRIVATE_KEY);
        refused(visitor.send(asked).await, 403, "private-key-unset").await;
    }
}

#[tokio::test]
async fn a_list_keeps_to_its_limit_and_to_the_times_that_are_asked_for() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let mut made: Vec<Value> = Vec::new();
    for name in ["first", "second", "third"] {
        let body = json!({"type": "dtmf", "name": name});
        let mut tool = program.made("/tool", body.clone()).await;
        // Times are told to the millisecond: of two in the same one neither is after the other.
        while made
            .last()
            .is_some_and(|last| last["createdAt"] == tool["createdAt"])
        {
            let path = format!("/tool/{}", tool["id"].as_str().unwrap());
            program.removed(&path).await;
            tool = program.made("/tool", body.clone()).await;
        }
        made.push(tool);
    }
    let names = async |query: &str| -> Vec<String> {
        let listed = program.get_json(&format!("/tool?{query}")).await;
        let listed = listed.as_array().unwrap().iter();
        let name = |tool: &Value| tool["name"].as_str().unwrap_or("product_query").to_owned();
        listed.map(name).collect()
    };
    assert_eq!(names("limit=2").await, ["third", "second"]);
    assert_eq!(
        names("").await,
        ["third", "second", "first", "product_query"]
    );
    let at = made[1]["createdAt"].as_str().unwrap();
    assert_eq!(names(&format!("createdAtGt={at}")).await, ["third"]);
    assert_eq!(
        names(&format!("createdAtGe={at}")).await,
        ["third", "second"]
    );
    assert_eq!(
        names(&format!("createdAtLt={at}&limit=1.0")).await,
        ["first"]
    );
    assert_eq!(
        names(&format!("createdAtLe={at}")).await,
        ["second", "first", "product_query"]
    );
    for wrong in [
        "limit=0",
        "limit=many",
        "limit=1001",
        "createdAtGt=then",
        "limit=1&limit=2",
    ] {
        let asked = program.ask(Method::GET, &format!("/tool?{wrong}")).await;
        refused(asked, 400, "parameter-invalid").await;
    }
}

#[tokio::test]
async fn a_list_in_pages_says_where_it_stands() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    for name in ["+6561110001", "+6561110002", "+6562220003"] {
        let body = json!({"provider": "vapi", "number": name});
        program.made("/phone-number", body).await;
    }
    let page = program.get_json("/v2/phone-number?limit=2&page=2").await;
    assert_eq!(page["results"].as_array().unwrap().len(), 1);
    assert_eq!(page["results"][0]["number"], "+6561110001");
    let metadata = json!({"itemsPerPage": 2, "totalItems": 3, "currentPage": 2});
    assert_eq!(page["metadata"], metadata);
    let found = program
        .get_json("/v2/phone-number?search=6111&sortOrder=ASC")
        .await;
    assert_eq!(found["metadata"]["totalItems"], 2);
    assert_eq!(found["results"][0]["number"], "+6561110001");
    for wrong in ["sortBy=cost", "sortOrder=up", "page=0"] {
        let asked = program
            .ask(Method::GET, &format!("/v2/phone-number?{wrong}"))
            .await;
        refused(asked, 400, "parameter-invalid").await;
    }
}

#[tokio::test]
async fn what_is_part_of_the_program_is_read_and_stays() {
    let server = start_server(&format!("{}\nassistant_name = 'Harbour'", with_a_key())).await;
    let program = Program::of(&server);
    let config = server.visitor().get_json("/api/config").await;
    let assistant = config["assistantId"].as_str().unwrap();
    let squad = config["squadId"].as_str().unwrap();
    for (path, id) in [
        ("/assistant", assistant),
        ("/squad", squad),
        ("/tool", "product_query"),
    ] {
        let one = format!("{path}/{id}");
        let read = program.get_json(&one).await;
        assert_eq!(read["id"], id);
        let listed = program.get_json(path).await;
        assert_eq!(listed, json!([read]));
        let delete = program.ask(Method::DELETE, &one).await;
        refused(delete, 409, "resource-built-in").await;
        let change = program
            .send(Method::PATCH, &one, json!({"name": "x"}))
            .await;
        refused(change, 409, "resource-built-in").await;
    }
    let read = program.get_json("/assistant/helpline").await;
    assert_eq!(read["name"], "Harbour");
    assert_eq!(read["silenceTimeoutSeconds"], 30);
}

#[tokio::test]
async fn the_helpline_is_shown_with_the_ears_and_the_model_that_it_has_here() {
    let server = start_server(&with_a_key()).await;
    let read = Program::of(&server).get_json("/assistant/helpline").await;
    assert_eq!(
        read["transcriber"],
        json!({
            "provider": "custom-transcriber", "server": {}, "model": "moonshine-base-en, moonshine-tiny-en", "language": "en",
        })
    );
    let model = &read["model"];
    assert_eq!(
        (&model["provider"], &model["model"]),
        (&json!("custom-llm"), &json!("nightlight-flow"))
    );
    assert_eq!(model["toolIds"], json!(["product_query"]));
    let url = model["url"].as_str().unwrap();
    assert!(url.ends_with("/chat/responses"), "{url}");
    for not_here in ["temperature", "messages"] {
        assert!(model.get(not_here).is_none(), "{model}");
    }
}

#[tokio::test]
async fn the_helpline_is_shown_with_the_chat_model_that_is_set_and_not_with_its_key() {
    let endpoint = Endpoint::that_says("I hear you.").await;
    let settings = format!(
        "{}\n{}\nmodel_key = 'hunter2'",
        with_a_key(),
        endpoint.settings()
    );
    let server = start_server(&settings).await;
    let read = Program::of(&server).get_json("/assistant/helpline").await;
    let model = &read["model"];
    assert_eq!(
        (&model["provider"], &model["model"]),
        (&json!("custom-llm"), &json!("small-1"))
    );
    assert_eq!(model["temperature"], 0.3);
    assert!(
        model["url"]
            .as_str()
            .unwrap()
            .starts_with("http://127.0.0.1")
    );
    assert!(!read.to_string().contains("hunter2"));
}

#[tokio::test]
async fn what_a_program_keeps_is_sealed_and_there_after_a_restart() {
    let key = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    let settings = format!("{}\nrecords_keys = '{key}'", with_a_key());
    let server = start_server(&settings).await;
    let words = "a secret of the webhook";
    let body = json!({"name": "x", "server": {"url": "https://a.example", "secret": words}});
    let made = Program::of(&server).made("/assistant", body).await;
    let place = server.stop().await;
    for entry in std::fs::read_dir(place.path()).unwrap() {
        let path = entry.unwrap().path();
        let bytes = if path.is_file() {
            std::fs::read(&path).unwrap()
        } else {
            Vec::new()
        };
        assert!(
            !bytes
                .windows(words.len())
                .any(|part| part == words.as_bytes())
        );
    }
    let server = crate::support::start_server_in_place(place, &settings).await;
    let path = format!("/assistant/{}", made["id"].as_str().unwrap());
    assert_eq!(Program::of(&server).get_json(&path).await, made);
}

#[tokio::test]
async fn an_id_that_is_none_names_nothing() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    for id in [
        "x",
        "%00",
        "%FF",
        "..%2Fhelpline",
        "00000000-0000-0000-0000-000000000000",
    ] {
        let read = program.ask(Method::GET, &format!("/assistant/{id}")).await;
        assert_eq!(read.status(), StatusCode::NOT_FOUND, "{id}");
    }
}
