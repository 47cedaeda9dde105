//! Lists narrowed as the platform narrows them: by what this server knows, and never by nothing in its place.

use records::{Label, Records};
use reqwest::Method;
use serde_json::{Value, json};

use super::calls::two_calls;
use crate::support::program::{Program, with_a_key};
use crate::support::visitor::refused;
use crate::support::{database_in, start_server, start_server_in_place};

#[tokio::test]
async fn a_list_that_is_not_narrowed_by_what_is_asked_says_so_and_does_not_give_everything() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let made = program.made("/assistant", json!({"name": "One"})).await;
    let versions = format!("/assistant/{}/version", made["id"].as_str().unwrap());
    for (path, names) in [
        ("/call", "endedReasonAnyBitmap costGe cursor"),
        ("/v2/call", "squadName customerNumberAny transcript score"),
        ("/v2/call/export", "customer email"),
        ("/session", "number email phoneNumberIdAny"),
        ("/squad", "idAny"),
        ("/template", "provider visibility collectionId"),
        ("/voice-library/flite", "keyword page"),
        (versions.as_str(), "page pageState"),
    ] {
        for name in names.split(' ') {
            let narrowed = format!("{path}?limit=5&{name}=x");
            let asked = program.ask(Method::GET, &narrowed).await;
            let refusal = refused(asked, 400, "parameter-invalid").await;
            let message = refusal["message"].as_str().unwrap();
            assert!(message.contains(&format!("`{name}`")), "{path}: {message}");
        }
        let unknown = format!("{path}?limit=5&inventedLater=x&idAnything=y");
        let asked = program.ask(Method::GET, &unknown).await;
        assert!(asked.status().is_success(), "{path}: nobody knows these");
    }
    for within in ["customer[number]=x", "customer%5Bnumber%5D=x"] {
        let asked = program
            .ask(Method::GET, &format!("/v2/call?{within}"))
            .await;
        refused(asked, 400, "parameter-invalid").await;
    }
}

#[tokio::test]
async fn sessions_are_found_by_any_of_several_ids_and_assistants() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let assistant = program.made("/assistant", json!({"name": "One"})).await;
    let assistant = assistant["id"].as_str().unwrap();
    let mut ids = Vec::new();
    for assistant in [assistant, "helpline", "helpline"] {
        let session = json!({"assistantId": assistant});
        let made = program.made("/session", session).await;
        ids.push(made["id"].as_str().unwrap().to_owned());
    }
    let [one, two, _] = ids.as_slice() else {
        unreachable!("three were made");
    };
    for (query, count) in [
        (format!("idAny={one},{two}"), 2),
        (format!("idAny={one}"), 1),
        (format!("idAny={one},{two}&assistantId=helpline"), 1),
        (format!("assistantIdAny={assistant},helpline"), 3),
        (format!("assistantIdAny={assistant}, x"), 1),
        (String::from("assistantIdAny=x"), 0),
        (String::from("idAny="), 0),
    ] {
        let found = program.get_json(&format!("/session?{query}")).await;
        assert_eq!(found["metadata"]["totalItems"], count, "{query}");
    }
}

#[tokio::test]
async fn calls_are_found_by_any_of_several_ids_and_assistants() {
    let (server, [first, second]) = two_calls(start_server(&with_a_key()).await).await;
    let place = server.stop().await;
    let records = Records::open(&database_in(place.path())).await.unwrap();
    let assistant = uuid::Uuid::new_v4().to_string();
    let label = Label {
        assistant: Some(assistant.clone()),
        ..Label::default()
    };
    records.label_call(second, label).await.unwrap();
    drop(records);
    let server = start_server_in_place(place, &with_a_key()).await;
    let program = Program::of(&server);
    let (one, two) = (first.to_string(), second.to_string());
    let shouted = assistant.to_uppercase();
    for (query, found) in [
        (format!("idAny={one},{two}"), vec![&two, &one]),
        (format!("idAny={one}"), vec![&one]),
        (format!("idAny=x,{two},"), vec![&two]),
        (format!("idAny={one},{two}&id={one}"), vec![&one]),
        (format!("idAny={two}&id={one}"), vec![]),
        (String::from("idAny="), vec![]),
        (
            format!("assistantIdAny={assistant},helpline"),
            vec![&two, &one],
        ),
        (format!("assistantIdAny={shouted}"), vec![&two]),
        (String::from("assistantIdAny=x,helpline"), vec![&one]),
        (
            format!("assistantIdAny={assistant}&assistantId=helpline"),
            vec![],
        ),
        (format!("assistantIdAny={assistant}&idAny={one}"), vec![]),
    ] {
        let calls = program.get_json(&format!("/call?{query}")).await;
        let ids = calls.as_array().unwrap().iter();
        let ids: Vec<&str> = ids.map(|call| call["id"].as_str().unwrap()).collect();
        assert_eq!(ids, found, "{query}");
        let page = program.get_json(&format!("/v2/call?{query}")).await;
        assert_eq!(page["metadata"]["totalItems"], found.len(), "{query}");
    }
    let table = program.request(Method::GET, &format!("/v2/call/export?idAny={one}"));
    let table = table.send().await.unwrap().text().await.unwrap();
    assert!(table.contains(&one) && !table.contains(&two), "{table}");
}

#[tokio::test]
async fn chats_are_found_by_any_of_several_ids_and_assistants() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let assistant = program.made("/assistant", json!({"name": "One"})).await;
    let assistant = assistant["id"].as_str().unwrap();
    let mut ids = Vec::new();
    for assistant in ["helpline", assistant] {
        let chat = json!({"assistantId": assistant, "input": "hello"});
        let chat = program.made("/chat", chat).await;
        ids.push(chat["id"].as_str().unwrap().to_owned());
    }
    let [one, two] = ids.as_slice() else {
        unreachable!("two were made");
    };
    for (query, count) in [
        (format!("idAny={one},{two}"), 2),
        (format!("idAny={one},x"), 1),
        (format!("idAny={one}&id={two}"), 0),
        (format!("idAny={one},{two}&previousChatId={two}"), 1),
        (format!("assistantIdAny={assistant},helpline"), 2),
        (String::from("assistantIdAny=helpline"), 1),
        (String::from("assistantIdAny="), 0),
    ] {
        let found = program.get_json(&format!("/chat?{query}")).await;
        assert_eq!(found["metadata"]["totalItems"], count, "{query}");
        assert_eq!(found["results"].as_array().unwrap().len(), count, "{query}");
    }
}

#[tokio::test]
async fn so_many_ids_may_be_asked_for_at_once_and_no_more() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let ids = vec![uuid::Uuid::nil().to_string(); 101];
    for path in ["/call", "/v2/call", "/v2/call/export", "/chat", "/session"] {
        for name in ["idAny", "assistantIdAny"] {
            let asked = |count: usize| format!("{path}?{name}={}", ids[..count].join(","));
            let as_many = program.ask(Method::GET, &asked(100)).await;
            assert!(as_many.status().is_success(), "{path} {name}");
            let more = program.ask(Method::GET, &asked(101)).await;
            let refusal = refused(more, 400, "parameter-invalid").await;
            let message = refusal["message"].as_str().unwrap();
            assert!(message.contains(&format!("`{name}`")), "{path}: {message}");
        }
    }
}

#[tokio::test]
async fn calls_are_found_by_the_squad_that_they_were_asked_for_with() {
    let (server, [first, second]) = two_calls(start_server(&with_a_key()).await).await;
    let place = server.stop().await;
    let records = Records::open(&database_in(place.path())).await.unwrap();
    let squad = uuid::Uuid::new_v4().to_string();
    let label = Label {
        squad: Some(squad.clone()),
        ..Label::default()
    };
    records.label_call(second, label).await.unwrap();
    drop(records);
    let server = start_server_in_place(place, &with_a_key()).await;
    let program = Program::of(&server);
    let found = program.get_json(&format!("/call?squadId={squad}")).await;
    assert_eq!(
        (found.as_array().unwrap().len(), &found[0]["id"]),
        (1, &json!(second.to_string()))
    );
    let page = program.get_json(&format!("/v2/call?squadId={squad}")).await;
    assert_eq!(page["metadata"]["totalItems"], 1);
    for (query, count) in [
        (format!("squadIdAny=x,{squad}"), 1),
        (format!("squadIdAny={squad}&squadId={squad}"), 1),
        (format!("squadIdAny={squad}&squadId=x"), 0),
        (String::from("squadIdAny=x"), 0),
        (String::from("squadId=x"), 0),
    ] {
        let page = program.get_json(&format!("/v2/call?{query}")).await;
        assert_eq!(page["metadata"]["totalItems"], count, "{query}");
    }
    let all: Value = program.get_json("/call").await;
    assert_eq!(all[1]["id"], json!(first.to_string()));
}

#[tokio::test]
async fn calls_are_found_by_how_they_ended_and_none_by_a_phone_number() {
    let (server, [first, second]) = two_calls(start_server(&with_a_key()).await).await;
    let program = Program::of(&server);
    let read = program.get_json(&format!("/call/{first}")).await;
    let ended = read["endedReason"].as_str().unwrap();
    let both = [first, second].map(|call| call.to_string());
    for (query, count) in [
        (format!("endedReason={ended}"), 2),
        (format!("endedReasonAny=call-media-lost,{ended}"), 2),
        (format!("endedReasonAny={ended}&idAny={}", both[0]), 1),
        (format!("endedReasonAny={ended}&endedReason=x"), 0),
        (String::from("endedReason=silence-timed-out"), 0),
        (String::from("endedReason=vonage-disconnected"), 0),
        (String::from("phoneNumberId=x"), 0),
        (String::from("phoneNumberIdAny=x,y"), 0),
    ] {
        let page = program.get_json(&format!("/v2/call?{query}")).await;
        assert_eq!(page["metadata"]["totalItems"], count, "{query}");
    }
}

#[tokio::test]
async fn sessions_are_found_by_the_phone_number_that_they_were_made_for() {
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let of_a_number = json!({"phoneNumberId": "x"});
    let made = program.made("/session", of_a_number).await;
    program.made("/session", json!({})).await;
    for query in [
        String::from("phoneNumberId=x"),
        format!("phoneNumberId=x&idAny={}", made["id"].as_str().unwrap()),
    ] {
        let found = program.get_json(&format!("/session?{query}")).await;
        assert_eq!(found["metadata"]["totalItems"], 1, "{query}");
    }
    let none = program.get_json("/session?phoneNumberId=y").await;
    assert_eq!(none["metadata"]["totalItems"], 0);
}
