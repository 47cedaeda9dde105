//! The keys that programs make: what each sort opens, its bounds, and its end.

use std::net::{IpAddr, Ipv4Addr};

use postgres_for_tests::PostgresServer;
use reqwest::{Method, Response, StatusCode, header};
use serde_json::{Value, json};

use crate::support::program::{PRIVATE_KEY, Program, with_a_key};
use crate::support::visitor::{PUBLIC_KEY, refused};
use crate::support::{TestServer, Visitor, start_server, start_server_in_place};

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

async fn token(program: &Program, fields: Value) -> Value {
    program.made("/token", fields).await
}

/// A token that has been removed since: its value.
async fn removed_token(program: &Program) -> String {
    let gone = token(program, json!({"tag": "private"})).await;
    let path = format!("/token/{}", text(&gone["id"]));
    program.removed(&path).await;
    text(&gone["value"]).to_owned()
}

async fn asked_with(visitor: &Visitor, key: &str, method: Method, path: &str) -> Response {
    let request = visitor.request(method.clone(), path).bearer_auth(key);
    let request = match method {
        Method::POST | Method::PATCH => request.json(&json!({})),
        _ => request,
    };
    visitor.send(request).await
}

/// What a path does with keys.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Asks {
    /// It starts a call or a chat: any key opens it.
    AnyKey,
    APrivateOne,
    /// It is its visitor's without a key.
    NoneOrAPrivateOne,
    /// The same, and a page sends its own with all it asks.
    NoneOrAny,
}

fn asks(method: &Method, path: &str, operation: &Value) -> Option<Asks> {
    let keys = operation["security"].as_array()?;
    // What is seen of the server itself has the operator's key.
    let is_the_operators = operation["tags"] == json!(["operations"]);
    if is_the_operators || !keys.iter().any(|it| it.get("key").is_some()) {
        return None;
    }
    let optional = keys.iter().any(|it| it == &json!({}));
    Some(match (method, path, optional) {
        (&Method::POST, "/call/web" | "/chat" | "/chat/responses", _) => Asks::AnyKey,
        (_, _, false) => Asks::APrivateOne,
        (_, "/chat/{id}", true) => Asks::NoneOrAny,
        (_, _, true) => Asks::NoneOrAPrivateOne,
    })
}

#[tokio::test]
async fn every_path_of_the_platform_answers_every_sort_of_key_as_it_should() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let private = token(&program, json!({"tag": "private"})).await;
    let public = token(&program, json!({"tag": "public"})).await;
    let revoked = json!({"tag": "private", "restrictions": {"enabled": false}});
    let revoked = token(&program, revoked).await;
    let expired = json!({"expiresAt": "2026-01-01T00:00:00Z"});
    let expired = ["private", "public"].map(|tag| json!({"tag": tag, "restrictions": expired}));
    let [expired, expired_public] = expired;
    let expired = [
        token(&program, expired).await,
        token(&program, expired_public).await,
    ];
    let removed = removed_token(&program).await;
    let unknown = format!("{}.{}", "0".repeat(32), "0".repeat(64));
    let document: Value = serde_json::from_str(&server::app::openapi().to_json().unwrap()).unwrap();
    let mut counted = 0_u16;
    let mut visitor = server.visitor();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let method: Method = method.to_uppercase().parse().unwrap();
            let Some(asks) = asks(&method, path, operation) else {
                continue;
            };
            // Wrong tokens are counted by address: none of them may come to be held back.
            if counted.is_multiple_of(10) {
                let [high, low] = (counted / 10).to_be_bytes();
                let address = IpAddr::V4(Ipv4Addr::new(127, 1, high, low));
                visitor = Visitor::from_address(&server.url, address);
            }
            counted += 1;
            let place = path.replace(['{', '}'], "");
            let with = async |key: &str| asked_with(&visitor, key, method.clone(), &place).await;
            let what = format!("{method} {path}");

            for wrong in ["no-such-key", removed.as_str(), unknown.as_str()] {
                refused(with(wrong).await, 401, "key-wrong").await;
            }
            let of_revoked = with(text(&revoked["value"])).await;
            refused(of_revoked, 401, "key-revoked").await;
            for expired in &expired {
                let of_expired = with(text(&expired["value"])).await;
                refused(of_expired, 401, "key-expired").await;
            }

            let without = visitor
                .send(visitor.request(method.clone(), &place).json(&json!({})))
                .await;
            match asks {
                Asks::AnyKey | Asks::APrivateOne => {
                    refused(without, 401, "key-missing").await;
                }
                Asks::NoneOrAPrivateOne | Asks::NoneOrAny => is_let_in(&without, &what),
            }
            let of_public = with(text(&public["value"])).await;
            let of_the_page = with(PUBLIC_KEY).await;
            match asks {
                Asks::APrivateOne | Asks::NoneOrAPrivateOne => {
                    refused(of_public, 403, "key-public").await;
                    refused(of_the_page, 401, "key-wrong").await;
                }
                Asks::AnyKey | Asks::NoneOrAny => {
                    is_let_in(&of_public, &what);
                    is_let_in(&of_the_page, &what);
                }
            }
            for key in [text(&private["value"]), PRIVATE_KEY] {
                is_let_in(&with(key).await, &what);
            }
        }
    }
    assert!(counted > 100, "{counted}");
}

fn is_let_in(answer: &Response, what: &str) {
    let status = answer.status();
    let kept_out = [StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN];
    assert!(!kept_out.contains(&status), "{what}: {status}");
}

#[tokio::test]
async fn a_tokens_value_is_told_once_and_stands_in_no_file() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let forged = json!({"name": "Page", "value": "mine", "digest": "mine", "inventedLater": 7});
    let made = token(&program, forged.clone()).await;
    assert_eq!(made["tag"], "public", "what is left out opens the less");
    assert_eq!(made["inventedLater"], 7);
    let value = text(&made["value"]).to_owned();
    let path = format!("/token/{}", text(&made["id"]));
    let changed = program.changed(&path, forged).await;
    let listed = program.get_json("/token").await;
    let read = program.get_json(&path).await;
    for shown in [&changed, &listed[0], &read] {
        assert_eq!(shown["name"], "Page");
        assert!(shown.get("value").is_none() && shown.get("digest").is_none());
    }
    let visitor = server.visitor();
    let still = asked_with(&visitor, &value, Method::POST, "/call/web").await;
    is_let_in(&still, "the change took nothing from it");
    let removed = program.removed(&path).await;
    assert!(removed.get("value").is_none() && removed.get("digest").is_none());

    let kept = token(&program, json!({"tag": "private"})).await;
    let (_, secret) = text(&kept["value"]).split_once('.').unwrap();
    let place = server.stop().await;
    for entry in std::fs::read_dir(place.path()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            let bytes = std::fs::read(&path).unwrap();
            let holds = |part: &str| bytes.windows(part.len()).any(|it| it == part.as_bytes());
            assert!(!holds(secret), "{}", path.display());
        }
    }
}

/// A token that opens a list at two nodes of a database, and then at neither.
async fn is_revoked_everywhere(first: &TestServer, second: &TestServer) {
    let program = Program::of(first);
    let elsewhere = second.visitor();
    let ways: [(Method, Value); 2] = [
        (Method::DELETE, Value::Null),
        (Method::PATCH, json!({"restrictions": {"enabled": false}})),
    ];
    for (method, body) in ways {
        let made = token(&program, json!({"tag": "private"})).await;
        let value = text(&made["value"]);
        let before = asked_with(&elsewhere, value, Method::GET, "/tool").await;
        assert_eq!(before.status(), StatusCode::OK);
        let path = format!("/token/{}", text(&made["id"]));
        let revoking = match body {
            Value::Null => program.ask(method, &path).await,
            body => program.send(method, &path, body).await,
        };
        assert_eq!(revoking.status(), StatusCode::OK);
        for server in [first, second] {
            let after = asked_with(&server.visitor(), value, Method::GET, "/tool").await;
            assert_eq!(after.status(), StatusCode::UNAUTHORIZED);
        }
    }
}

#[tokio::test]
async fn a_token_opens_what_it_opens_until_it_expires() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let until = |moment: &str| json!({"restrictions": {"expiresAt": moment}});
    let mut asked = until("2999-01-01T00:00:00+08:00");
    asked["tag"] = json!("private");
    let made = token(&program, asked).await;
    let path = format!("/token/{}", text(&made["id"]));
    let visitor = server.visitor();
    let with = async || asked_with(&visitor, text(&made["value"]), Method::GET, "/tool").await;
    assert_eq!(with().await.status(), StatusCode::OK);
    program.changed(&path, until("2026-01-01T00:00:00Z")).await;
    let refusal = refused(with().await, 401, "key-expired").await;
    assert!(text(&refusal["message"]).contains("POST /token"));
    program.changed(&path, json!({"restrictions": {}})).await;
    assert_eq!(with().await.status(), StatusCode::OK);
    let wrong = program.send(Method::PATCH, &path, until("tomorrow")).await;
    let refusal = refused(wrong, 400, "field-invalid").await;
    assert!(text(&refusal["message"]).contains("`restrictions.expiresAt`"));
}

#[tokio::test]
async fn a_token_that_is_revoked_opens_nothing_from_then_on() {
    let server = start_server(&with_a_key()).await;
    is_revoked_everywhere(&server, &server).await;
}

#[tokio::test]
async fn a_token_that_is_revoked_at_one_node_opens_nothing_at_another() {
    let database = PostgresServer::shared().database();
    let settings = format!("database = '{database}'\n{}", with_a_key());
    let (first, second) = (start_server(&settings).await, start_server(&settings).await);
    is_revoked_everywhere(&first, &second).await;
}

#[tokio::test]
async fn without_the_private_key_of_the_settings_no_token_opens_anything() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let private = token(&program, json!({"tag": "private"})).await;
    let public = token(&program, json!({"tag": "public"})).await;
    let server = start_server_in_place(server.stop().await, "").await;
    let visitor = server.visitor();
    let list = asked_with(&visitor, text(&private["value"]), Method::GET, "/tool").await;
    refused(list, 403, "private-key-unset").await;
    let call = asked_with(&visitor, text(&public["value"]), Method::POST, "/call/web").await;
    refused(call, 401, "key-wrong").await;
}

#[tokio::test]
async fn a_token_stays_of_the_sort_it_was_made_as_and_its_bounds_make_sense() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let made = token(&program, json!({"tag": "public"})).await;
    let path = format!("/token/{}", text(&made["id"]));
    for tag in [json!("private"), Value::Null] {
        let change = program
            .send(Method::PATCH, &path, json!({"tag": tag}))
            .await;
        refused(change, 400, "field-invalid").await;
    }
    for (restrictions, field) in [
        (
            json!({"allowedOrigins": []}),
            "`restrictions.allowedOrigins`",
        ),
        (
            json!({"allowedOrigins": ["https://a.example", "line.example/page"]}),
            "`restrictions.allowedOrigins[1]`",
        ),
        (
            json!({"allowedAssistantIds": []}),
            "`restrictions.allowedAssistantIds`",
        ),
        (json!({"enabled": "no"}), "`restrictions.enabled`"),
    ] {
        let body = json!({"restrictions": restrictions});
        let refusal = refused(program.post("/token", body).await, 400, "field-invalid").await;
        assert!(text(&refusal["message"]).contains(field), "{refusal}");
    }
}

#[tokio::test]
async fn a_public_token_is_for_the_pages_that_it_names() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let here = server.url.clone();
    let elsewhere = "https://elsewhere.example";
    let made = async |origin: &str| {
        let restrictions = json!({"allowedOrigins": [origin]});
        let made = token(&program, json!({"restrictions": restrictions})).await;
        text(&made["value"]).to_owned()
    };
    let visitor = server.visitor();
    let asked = async |key: &str, origin: Option<&str>| {
        let mut request = visitor.request(Method::POST, "/call/web").bearer_auth(key);
        if let Some(origin) = origin {
            request = request.header(header::ORIGIN, origin);
        }
        let body = json!({"assistantId": "helpline"});
        visitor.send(request.json(&body)).await
    };
    let (for_here, for_elsewhere) = (made(&here).await, made(elsewhere).await);
    let answered = asked(&for_here, Some(&here)).await;
    assert_eq!(answered.status(), StatusCode::CREATED);
    for (key, origin) in [
        (&for_elsewhere, Some(here.as_str())),
        (&for_elsewhere, None),
        (&for_here, None),
    ] {
        let refusal = refused(asked(key, origin).await, 403, "origin-not-allowed").await;
        assert!(refusal["numbers"].is_array(), "somebody may need help");
    }
    // No token lets another site's page in.
    let foreign = asked(&for_elsewhere, Some(elsewhere)).await;
    refused(foreign, 403, "origin-foreign").await;
}

#[tokio::test]
async fn a_public_token_begins_with_the_assistants_that_it_names() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let made = async |restrictions: Value| {
        let made = token(&program, json!({"restrictions": restrictions})).await;
        text(&made["value"]).to_owned()
    };
    let named = made(json!({"allowedAssistantIds": ["helpline"]})).await;
    let kept_only = made(json!({"allowTransientAssistant": false})).await;
    let free = made(json!({})).await;
    let visitor = server.visitor();
    let own = program.made("/assistant", json!({"name": "Own"})).await;
    let squad = visitor.get_json("/api/config").await["squadId"].clone();
    let begins = [
        (json!({"assistantId": "helpline"}), [true, true, true]),
        (json!({"assistantId": own["id"]}), [false, true, true]),
        (json!({"squadId": squad}), [false, true, true]),
        (json!({"assistant": {"name": "x"}}), [false, false, true]),
    ];
    for (target, expected) in begins {
        for (key, may) in [&named, &kept_only, &free].into_iter().zip(expected) {
            for path in ["/call/web", "/chat"] {
                let mut body = target.clone();
                body["input"] = json!("");
                let request = visitor.request(Method::POST, path).bearer_auth(key);
                let answer = visitor.send(request.json(&body)).await;
                match may {
                    true => assert_eq!(answer.status(), StatusCode::CREATED, "{path} {body}"),
                    false => {
                        let refusal = refused(answer, 403, "assistant-not-allowed").await;
                        assert!(refusal["numbers"].is_array());
                    }
                }
            }
        }
    }
}

#[tokio::test]
async fn who_tries_tokens_is_held_back_before_the_database_and_nobody_else_is() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let good = token(&program, json!({"tag": "private"})).await;
    let guesser = Visitor::from_address(&server.url, IpAddr::V4(Ipv4Addr::new(127, 0, 2, 1)));
    let guess = format!("{}.{}", "1".repeat(32), "1".repeat(64));
    let mut tries = 0;
    let held_back = loop {
        let tried = asked_with(&guesser, &guess, Method::GET, "/tool").await;
        if tried.status() != StatusCode::UNAUTHORIZED {
            break tried;
        }
        refused(tried, 401, "key-wrong").await;
        tries += 1;
        assert!(tries < 100, "nobody is held back");
    };
    refused(held_back, 429, "too-often").await;
    assert!(tries >= 30, "{tries}");
    // The page's key and the settings' private one are never looked up.
    let page = asked_with(&guesser, PUBLIC_KEY, Method::POST, "/call/web").await;
    is_let_in(&page, "the page");
    let of_the_settings = asked_with(&guesser, PRIVATE_KEY, Method::GET, "/tool").await;
    assert_eq!(of_the_settings.status(), StatusCode::OK);
    let elsewhere = server.visitor();
    let good = asked_with(&elsewhere, text(&good["value"]), Method::GET, "/tool").await;
    assert_eq!(good.status(), StatusCode::OK);
}
