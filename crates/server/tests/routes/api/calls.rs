//! `GET /api/calls` and `/api/calls/events`.

use serde_json::Value;

use crate::support::caller::SocketCaller;
use crate::support::start_server;
use crate::support::visitor::refused;

#[tokio::test]
async fn everyone_sees_the_ten_samples_urgent_ones_first() {
    let server = start_server("").await;
    let calls = server.visitor().get_json("/api/calls").await;
    let calls = calls.as_array().unwrap();
    assert_eq!(calls.len(), 10);
    let place = |call: &Value| {
        let started = call["startedAt"].as_str().unwrap().to_owned();
        (call["structuredData"]["urgent"].as_bool().unwrap(), started)
    };
    assert!(calls.is_sorted_by(|above, below| place(above) > place(below)));
    for call in calls {
        assert!(call["sample"] == true && call["status"] == "ended");
        assert!(call["structuredData"]["transferred"].is_boolean());
        assert!(!call["summary"].as_str().unwrap().is_empty());
    }
}

#[tokio::test]
async fn what_was_said_is_told_of_one_call_and_not_in_the_list() {
    let server = start_server("").await;
    let visitor = server.visitor();
    for listed in visitor.get_json("/api/calls").await.as_array().unwrap() {
        for left_out in ["messages", "evidence", "escalationTriggers"] {
            assert!(listed.get(left_out).is_none(), "{listed}");
        }
        let path = format!(
            "/api/getCallInfo?callId={}",
            listed["callId"].as_str().unwrap()
        );
        let call = visitor.get_json(&path).await;
        assert!(call["messages"].as_array().unwrap().len() > 1);
        for claim in call["evidence"].as_array().unwrap() {
            let at = claim["messageIndex"].as_u64().unwrap() as usize;
            assert_eq!(call["messages"][at]["role"], "user", "{claim}");
        }
        let triggers = call["escalationTriggers"].as_array().unwrap();
        let urgent = &call["structuredData"]["urgent"];
        assert_eq!(!triggers.is_empty(), *urgent == true, "{}", call["id"]);
        for (field, value) in listed.as_object().unwrap() {
            assert_eq!(&call[field], value, "{field}");
        }
    }
}

#[tokio::test]
async fn a_link_leads_from_page_to_page_until_there_are_no_more() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let whole = visitor.get_json("/api/calls").await;
    let mut path = String::from("/api/calls?limit=4");
    let mut pages: Vec<Value> = Vec::new();
    loop {
        let answer = visitor.get(&path).await;
        let link = answer.headers().get("link").cloned();
        pages.push(answer.json().await.unwrap());
        let Some(link) = link else { break };
        let link = link.to_str().unwrap();
        let next = link.strip_suffix(">; rel=\"next\"").expect(link);
        path = next.strip_prefix('<').unwrap().to_owned();
    }
    let sizes = pages.iter().map(|page| page.as_array().unwrap().len());
    let sizes: Vec<_> = sizes.collect();
    assert_eq!(sizes, [4, 4, 2]);
    let paged = pages.iter().flat_map(|page| page.as_array().unwrap());
    let paged: Vec<_> = paged.collect();
    assert_eq!(paged, whole.as_array().unwrap().iter().collect::<Vec<_>>());
}

#[tokio::test]
async fn what_is_no_part_of_the_list_is_refused_with_what_to_do() {
    let server = start_server("").await;
    let visitor = server.visitor();
    for (query, parameter) in [
        ("limit=0", "`limit`"),
        ("limit=201", "`limit`"),
        ("limit=-1", "`limit`"),
        ("limit=all", "`limit`"),
        ("limit=1&limit=2", "`limit`"),
        ("after=", "`after`"),
        ("after=10", "`after`"),
        ("after=9.10", "`after`"),
        ("after=1.10'--", "`after`"),
    ] {
        let answer = visitor.get(&format!("/api/calls?{query}")).await;
        let told = refused(answer, 400, "parameter-invalid").await;
        let message = told["message"].as_str().unwrap();
        assert!(message.contains(parameter), "{query}: {message}");
    }
    let beyond = visitor.get_json("/api/calls?after=0.0").await;
    assert_eq!(beyond.as_array().unwrap().len(), 0);
}

#[tokio::test]
async fn a_visitor_never_sees_another_visitors_call() {
    let server = start_server("").await;
    let (caller, other) = (server.visitor(), server.visitor());
    other.get("/api/config").await;
    let call = caller.call().await;
    let mut events = caller.events().await;
    let mut line = SocketCaller::join(&call).await;
    line.until(|message| message == "listening").await.unwrap();
    line.hang_up().await;
    let ended = events.ended().await;
    assert_eq!(ended["callId"], call["id"]);

    let own: Value = caller.get_json("/api/calls").await;
    let calls = own.as_array().unwrap();
    assert_eq!(calls.len(), 11);
    assert!(calls.iter().any(|own| own["callId"] == call["id"]));
    let seen: Value = other.get_json("/api/calls").await;
    assert_eq!(seen.as_array().unwrap().len(), 10);
    let path = format!("/api/getCallInfo?callId={}", call["id"].as_str().unwrap());
    refused(other.get(&path).await, 404, "call-not-found").await;
    refused(other.get("/api/getCallInfo").await, 404, "no-call-yet").await;
    let path = format!("/call/{}", call["id"].as_str().unwrap());
    refused(other.get(&path).await, 404, "call-not-found").await;
}

#[tokio::test]
async fn event_streams_of_one_visitor_are_bounded() {
    let server = start_server("").await;
    let visitor = server.visitor();
    visitor.get("/api/config").await;
    let mut open = Vec::new();
    for _ in 0..8 {
        open.push(visitor.events().await);
    }
    refused(
        visitor.get("/api/calls/events").await,
        429,
        "too-many-streams",
    )
    .await;
}
