//! `GET /api/config`.

use reqwest::header;

use crate::support::start_server;

#[tokio::test]
async fn a_page_learns_what_it_needs_to_start_a_call() {
    let server = start_server("feedback_link = 'https://forms.example/f'").await;
    let config = server.visitor().get_json("/api/config").await;
    assert_eq!(config["voicePlatform"], "embedded");
    assert_eq!(config["publicKey"], "nightlight-public");
    assert_eq!(config["assistantId"], "helpline");
    assert_eq!(config["squadId"], "helpline-to-authorities");
    assert_eq!(config["assistantName"], "Nightlight");
    assert_eq!(config["voice"], "slt", "the one that answers");
    assert_eq!(config["links"]["feedback"], "https://forms.example/f");
    assert_eq!(config["numbers"][2]["number"], "1767");
}

#[tokio::test]
async fn the_first_answer_sets_a_session_that_scripts_cannot_read_and_later_ones_keep_it() {
    let server = start_server("").await;
    let visitor = server.visitor();
    let first = visitor.get("/api/config").await;
    let cookie = first.headers()[header::SET_COOKIE]
        .to_str()
        .unwrap()
        .to_owned();
    let token = cookie.split(['=', ';']).nth(1).unwrap();
    assert!(token.len() >= 32, "128 bits and more: {cookie}");
    for part in ["HttpOnly", "SameSite=Lax", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(!cookie.contains("Secure"), "this server is reached by http");
    assert!(
        !cookie.contains("Max-Age"),
        "it ends with the browser's session"
    );
    let second = visitor.get("/api/calls").await;
    assert!(second.headers().get(header::SET_COOKIE).is_none());
}

#[tokio::test]
async fn behind_https_the_session_travels_by_https_only() {
    let server = start_server("public_origin = 'https://line.example'").await;
    let answer = server.visitor().get("/api/config").await;
    let cookie = answer.headers()[header::SET_COOKIE].to_str().unwrap();
    assert!(cookie.contains("Secure"), "{cookie}");
}
