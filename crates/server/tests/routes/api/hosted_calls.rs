//! Calls that the hosted platform holds: what a page is told, what is refused here, and what the platform's messages leave behind.

use std::sync::LazyLock;

use jiff::{SignedDuration, Timestamp};
use reqwest::{Method, StatusCode, header};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::official_types;
use crate::support::visitor::{PUBLIC_KEY, refused};
use crate::support::{TestServer, Visitor, start_server, start_server_in_place};

pub const HOSTED: &str = "voice_platform = 'hosted'\nhosted_public_key = 'public-1'\n\
    hosted_squad_id = 'squad-1'\nwebhook_secret = 'abcdefghijklmnop'";
const SECRET: &str = "abcdefghijklmnop";

/// When every call of these tests began: a whole second, some minutes ago.
static BEGAN: LazyLock<Timestamp> = LazyLock::new(|| {
    let second = Timestamp::now().as_second() - 600;
    Timestamp::from_second(second).unwrap()
});

/// So many seconds later, as the platform writes it.
fn at(seconds: i64) -> String {
    let time = BEGAN
        .checked_add(SignedDuration::from_secs(seconds))
        .unwrap();
    format!("{time:.3}")
}

/// A call as its visitor's page has asked for it there.
struct HostedCall {
    id: Uuid,
    ticket: String,
}

async fn call_of(visitor: &Visitor) -> HostedCall {
    let request = visitor.request(Method::POST, "/api/call-ticket");
    let answer: Value = visitor.send(request).await.json().await.unwrap();
    HostedCall {
        id: Uuid::new_v4(),
        ticket: answer["ticket"].as_str().unwrap().to_owned(),
    }
}

impl HostedCall {
    fn described(&self) -> Value {
        let variables = json!({"agency": "", "notice": "2026-11-26/30", "ticket": self.ticket});
        json!({
            "id": self.id, "orgId": "org-1", "type": "webCall", "createdAt": at(0), "updatedAt": at(0),
            "squadOverrides": {"variableValues": variables},
        })
    }

    fn message(&self, kind: &str, seconds: f64, fields: Value) -> Value {
        let began = BEGAN.as_millisecond() as f64;
        let mut message = json!({
            "type": kind, "timestamp": began + seconds * 1000.0, "call": self.described(),
        });
        let all = message.as_object_mut().unwrap();
        all.extend(fields.as_object().unwrap().clone());
        message
    }

    fn began(&self) -> Value {
        self.message("status-update", 0.0, json!({"status": "in-progress"}))
    }

    fn ended(&self) -> Value {
        let fields = json!({"status": "ended", "endedReason": "customer-ended-call"});
        self.message("status-update", 60.0, fields)
    }

    fn said(&self, role: &str, words: &str, seconds: f64) -> Value {
        let fields = json!({"role": role, "transcriptType": "final", "transcript": words});
        self.message("transcript", seconds, fields)
    }

    fn report(&self, analysis: Value, words: &[(&str, &str)]) -> Value {
        let messages: Vec<Value> = words
            .iter()
            .enumerate()
            .map(|(at, (role, words))| json!({"role": role, "message": words, "secondsFromStart": at}))
            .collect();
        let fields = json!({
            "endedReason": "assistant-ended-call", "startedAt": at(1),
            "endedAt": at(150),
            "artifact": {"messages": messages}, "analysis": analysis,
        });
        self.message("end-of-call-report", 170.0, fields)
    }
}

fn analysis(urgent: bool) -> Value {
    json!({"summary": "As the platform tells it.", "structuredData": {
        "name": "Mei", "urgent": urgent, "location": "Bedok", "follow_up": "Call her back.",
        "abuse_type": "Emotional", "transfer_to": "Not Applicable", "transferred": false,
        "latest_incident_date": "last night"
    }})
}

/// The platform tells it, in words of its own types; it has no cookie.
async fn tell(server: &TestServer, message: &Value) -> Value {
    let kind = message["type"].as_str().unwrap();
    assert_eq!(official_types::fault(kind, message), None, "{message}");
    let platform = server.visitor();
    let request = platform
        .request(Method::POST, "/api/webHook")
        .header("X-Vapi-Secret", SECRET)
        .json(&json!({"message": message}));
    let answer = platform.send(request).await;
    assert_eq!(answer.status(), StatusCode::OK);
    answer.json().await.unwrap()
}

async fn info(visitor: &Visitor, call: &HostedCall) -> Value {
    let path = format!("/api/getCallInfo?callId={}", call.id);
    visitor.get_json(&path).await
}

fn words(info: &Value) -> Vec<&str> {
    let messages = info["messages"].as_array().unwrap();
    messages
        .iter()
        .map(|it| it["message"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn a_page_learns_where_calls_are_held_and_with_what_one_is_asked_for() {
    let server = start_server(HOSTED).await;
    let config = server.visitor().get_json("/api/config").await;
    assert_eq!(config["voicePlatform"], "hosted");
    assert_eq!(config["platformUrl"], "https://api.vapi.ai");
    assert_eq!(config["publicKey"], "public-1");
    assert_eq!(
        (&config["squadId"], &config["assistantId"]),
        (&json!("squad-1"), &json!(""))
    );
    let written = &config["written"];
    assert_eq!(written["publicKey"], PUBLIC_KEY);
    assert_eq!(written["assistantId"], "helpline");
    assert!(!config.to_string().contains(SECRET));

    let embedded = start_server("")
        .await
        .visitor()
        .get_json("/api/config")
        .await;
    assert_eq!(embedded["platformUrl"], Value::Null);
}

#[tokio::test]
async fn no_call_begins_or_is_joined_here_meanwhile_and_whoever_asks_is_told_whom_to_ring() {
    let server = start_server(HOSTED).await;
    let visitor = server.visitor();
    let refusal = refused(visitor.ask().await, 409, "calls-hosted").await;
    assert_eq!(refusal["numbers"][0]["number"], "999");
    let call = call_of(&visitor).await;
    tell(&server, &call.began()).await;
    let offer = visitor
        .request(Method::POST, &format!("/call/{}/whip", call.id))
        .header(header::CONTENT_TYPE, "application/sdp")
        .body("v=0");
    refused(visitor.send(offer).await, 409, "calls-hosted").await;
    let socket = visitor
        .request(Method::GET, &format!("/call/{}/socket", call.id))
        .header(header::UPGRADE, "websocket")
        .header(header::CONNECTION, "upgrade");
    refused(visitor.send(socket).await, 409, "calls-hosted").await;
    // Writing is held here in either case.
    let chat = visitor
        .request(Method::POST, "/chat")
        .bearer_auth(PUBLIC_KEY)
        .json(&json!({"assistantId": "helpline", "input": ""}));
    assert!(visitor.send(chat).await.status().is_success());
}

#[tokio::test]
async fn pages_may_reach_the_platform_and_its_call_library_and_nothing_else() {
    let server = start_server(HOSTED).await;
    let answer = server.visitor().get("/").await;
    let policy = answer.headers()[header::CONTENT_SECURITY_POLICY]
        .to_str()
        .unwrap();
    for part in [
        "default-src 'self';",
        "script-src 'self' https://c.daily.co 'wasm-unsafe-eval';",
        "connect-src 'self' https://api.vapi.ai https://*.daily.co wss://*.daily.co https://prod-ks.pluot.blue;",
        "worker-src 'self' blob:;",
        "style-src 'self';",
        "object-src 'none';",
    ] {
        assert!(policy.contains(part), "{part}: {policy}");
    }
    assert!(!policy.contains("'unsafe"), "{policy}");
}

#[tokio::test]
async fn a_call_there_is_its_visitors_from_its_beginning_to_its_report() {
    let server = start_server(HOSTED).await;
    let (visitor, another) = (server.visitor(), server.visitor());
    another.get("/api/calls").await;
    let call = call_of(&visitor).await;
    let mut events = visitor.events().await;

    tell(&server, &call.began()).await;
    assert_eq!(events.next().await.unwrap()["summaryTitle"], "Active Call");
    tell(&server, &call.said("assistant", "Are you safe?", 2.0)).await;
    tell(&server, &call.said("user", "I am fine.", 4.5)).await;
    let under_way = info(&visitor, &call).await;
    assert_eq!(under_way["status"], "in-progress");
    assert_eq!(under_way["startedAt"], at(0));
    assert_eq!(
        under_way["notice"],
        json!({"version": "2026-11-26", "keptDays": 30})
    );
    assert_eq!(words(&under_way), ["Are you safe?", "I am fine."]);
    assert_eq!(under_way["messages"][1]["secondsFromStart"], 4.5);

    tell(&server, &call.ended()).await;
    assert_eq!(
        info(&visitor, &call).await["status"],
        "in-progress",
        "its report is to come"
    );
    let said = [
        ("system", "the prompt"),
        ("bot", "Are you safe?"),
        ("user", "I am fine."),
    ];
    tell(&server, &call.report(analysis(false), &said)).await;
    let ended = events.ended().await;
    assert_eq!(ended["callId"], call.id.to_string());
    assert_eq!(ended["endedReason"], "assistant-ended-call");
    assert_eq!(ended["summary"], "As the platform tells it.");
    assert_eq!(ended["structuredData"]["name"], "Mei");
    assert_eq!(ended["structuredData"]["urgent"], false);
    assert_eq!(words(&ended), ["Are you safe?", "I am fine."]);
    let latest = visitor.get_json("/api/getCallInfo").await;
    assert_eq!(latest["callId"], call.id.to_string());
}

#[tokio::test]
async fn one_visitor_never_sees_the_hosted_call_of_another() {
    let server = start_server(HOSTED).await;
    let (visitor, another) = (server.visitor(), server.visitor());
    let call = call_of(&visitor).await;
    let theirs = call_of(&another).await;
    tell(&server, &call.began()).await;
    let path = format!("/api/getCallInfo?callId={}", call.id);
    refused(another.get(&path).await, 404, "call-not-found").await;
    // Who knows the call's id and has a ticket of their own does not take it over, under way or ended.
    let with_theirs = HostedCall {
        id: call.id,
        ticket: theirs.ticket.clone(),
    };
    for message in [with_theirs.began(), with_theirs.report(analysis(true), &[])] {
        tell(&server, &message).await;
        refused(another.get(&path).await, 404, "call-not-found").await;
    }
    assert_eq!(info(&visitor, &call).await["status"], "ended");
}

#[tokio::test]
async fn a_call_without_a_ticket_or_with_a_forged_one_is_nobodys_and_on_record_all_the_same() {
    let server = start_server(&format!("{HOSTED}\nprivate_key = '0123456789abcdef'")).await;
    let visitor = server.visitor();
    for ticket in [
        "",
        "forged",
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    ] {
        let call = HostedCall {
            id: Uuid::new_v4(),
            ticket: ticket.to_owned(),
        };
        tell(
            &server,
            &call.report(analysis(false), &[("user", "Hello.")]),
        )
        .await;
        let path = format!("/call/{}", call.id);
        refused(visitor.get(&path).await, 404, "call-not-found").await;
        let asked = visitor
            .request(Method::GET, &path)
            .bearer_auth("0123456789abcdef");
        let kept: Value = visitor.send(asked).await.json().await.unwrap();
        assert_eq!(kept["status"], "ended");
    }
}

#[tokio::test]
async fn messages_told_again_out_of_order_or_too_late_change_nothing() {
    let server = start_server(HOSTED).await;
    let visitor = server.visitor();
    let call = call_of(&visitor).await;
    // The first word comes before the beginning.
    for message in [
        call.said("user", "Hello?", 3.0),
        call.began(),
        call.said("user", "Hello?", 3.0),
        call.began(),
        call.said("user", "Hello?", 8.0),
        call.ended(),
        call.ended(),
    ] {
        tell(&server, &message).await;
    }
    assert_eq!(
        words(&info(&visitor, &call).await),
        ["Hello?", "Hello?"],
        "said twice"
    );
    let report = call.report(analysis(false), &[("user", "Hello?"), ("bot", "Hello.")]);
    tell(&server, &report).await;
    let ended = info(&visitor, &call).await;
    for message in [
        call.report(analysis(true), &[("user", "Other words.")]),
        call.began(),
        call.said("user", "Too late.", 90.0),
        call.ended(),
        report,
    ] {
        tell(&server, &message).await;
    }
    assert_eq!(info(&visitor, &call).await, ended);
}

#[tokio::test]
async fn messages_that_arrive_together_are_all_kept() {
    let server = start_server(HOSTED).await;
    let visitor = server.visitor();
    let call = call_of(&visitor).await;
    let turns: Vec<Value> = (0..8)
        .map(|turn| call.said("user", &format!("turn {turn}"), f64::from(turn)))
        .collect();
    futures_util::future::join_all(turns.iter().map(|turn| tell(&server, turn))).await;
    let info = info(&visitor, &call).await;
    let mut kept = words(&info);
    kept.sort_unstable();
    assert_eq!(kept.len(), 8, "{kept:?}");
    kept.dedup();
    assert_eq!(kept.len(), 8, "{kept:?}");
}

#[tokio::test]
async fn no_analysis_takes_away_a_danger_that_our_own_reader_hears() {
    let server = start_server(HOSTED).await;
    let visitor = server.visitor();
    let call = call_of(&visitor).await;
    let said = [
        ("bot", "How are you?"),
        (
            "user",
            "My husband has a knife and he is hitting me right now.",
        ),
    ];
    tell(&server, &call.report(analysis(false), &said)).await;
    let info = info(&visitor, &call).await;
    let data = &info["structuredData"];
    assert_eq!(data["urgent"], true);
    assert_eq!(data["transfer_to"], "SPF");
    assert_eq!(data["transferred"], false, "nobody was handed over");
    assert_eq!(data["name"], "Mei", "all else is as it was told");
    assert!(!info["escalationTriggers"].as_array().unwrap().is_empty());
}

#[tokio::test]
async fn what_was_not_analysed_is_noted_from_the_callers_words() {
    let server = start_server(HOSTED).await;
    let visitor = server.visitor();
    let call = call_of(&visitor).await;
    tell(
        &server,
        &call.report(json!({}), &[("user", "I want to kill myself tonight.")]),
    )
    .await;
    let told = info(&visitor, &call).await;
    assert_eq!(told["structuredData"]["urgent"], true);
    assert_eq!(told["structuredData"]["transfer_to"], "SOS");
    assert!(
        told["structuredData"]["follow_up"]
            .as_str()
            .unwrap()
            .starts_with("Read the transcript")
    );
    // Of a call in which nothing was said there is nothing to read.
    let silent = call_of(&visitor).await;
    tell(&server, &silent.report(json!({}), &[("bot", "Hello.")])).await;
    let told = info(&visitor, &silent).await;
    assert_eq!(told["summary"], "No summary provided");
    assert_eq!(told["structuredData"]["name"], "Unknown");
    assert_eq!(told["structuredData"]["urgent"], false);
}

#[tokio::test]
async fn words_heard_before_a_report_that_has_none_are_kept() {
    let server = start_server(HOSTED).await;
    let visitor = server.visitor();
    let call = call_of(&visitor).await;
    tell(&server, &call.said("user", "Is anybody there?", 2.0)).await;
    tell(&server, &call.report(analysis(false), &[])).await;
    assert_eq!(words(&info(&visitor, &call).await), ["Is anybody there?"]);
}

#[tokio::test]
async fn a_restart_ends_no_call_that_the_platform_holds() {
    let server = start_server(HOSTED).await;
    let visitor = server.visitor();
    let call = call_of(&visitor).await;
    tell(&server, &call.said("user", "Hello?", 2.0)).await;
    let place = server.stop().await;
    let server = start_server_in_place(place, HOSTED).await;
    let visitor = visitor.at(&server.url);
    assert_eq!(info(&visitor, &call).await["status"], "in-progress");
    tell(&server, &call.said("user", "Still here.", 9.0)).await;
    assert_eq!(
        words(&info(&visitor, &call).await),
        ["Hello?", "Still here."]
    );
    tell(
        &server,
        &call.report(analysis(false), &[("user", "Hello?")]),
    )
    .await;
    assert_eq!(info(&visitor, &call).await["status"], "ended");
}

#[tokio::test]
async fn a_hand_over_goes_to_the_agency_that_was_settled_on_or_that_the_callers_words_call_for() {
    let server = start_server(HOSTED).await;
    let call = call_of(&server.visitor()).await;
    let asked = |fields: Value| call.message("transfer-destination-request", 20.0, fields);
    let settled = asked(json!({"artifact": {"variableValues": {"agency": "SOS"}, "messages": []}}));
    let reply = tell(&server, &settled).await;
    assert_eq!(reply["destination"]["type"], "assistant");
    assert_eq!(reply["destination"]["assistantName"], "Authorities");
    assert_eq!(reply["destination"]["description"], "SOS");
    let said = reply["message"]["content"].as_str().unwrap();
    assert!(
        said.contains("Samaritans of Singapore") && said.contains("stay on the line"),
        "{said}"
    );

    let words = "He is beating me right now, he has a knife.";
    let heard = asked(json!({"artifact": {"messages": [{"role": "user", "message": words}]}}));
    assert_eq!(
        tell(&server, &heard).await["destination"]["description"],
        "SPF"
    );

    let reply = tell(&server, &asked(json!({}))).await;
    assert_eq!(reply["destination"]["assistantName"], "Authorities");
    assert!(reply["destination"].get("description").is_none(), "{reply}");
    assert!(reply.get("message").is_none(), "{reply}");
}

#[tokio::test]
async fn where_calls_are_held_here_messages_begin_no_record() {
    let server = start_server(&format!(
        "webhook_secret = '{SECRET}'\nprivate_key = '0123456789abcdef'"
    ))
    .await;
    let call = HostedCall {
        id: Uuid::new_v4(),
        ticket: String::new(),
    };
    tell(&server, &call.began()).await;
    tell(&server, &call.said("user", "Hello?", 2.0)).await;
    let visitor = server.visitor();
    let asked = visitor
        .request(Method::GET, &format!("/call/{}", call.id))
        .bearer_auth("0123456789abcdef");
    refused(visitor.send(asked).await, 404, "call-not-found").await;
}
