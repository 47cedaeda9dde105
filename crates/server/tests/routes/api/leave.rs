//! `POST /api/leave`.

use reqwest::{Method, StatusCode, header};

use crate::support::start_server;

#[tokio::test]
async fn leaving_takes_the_session_back_and_begins_no_other() {
    let server = start_server("").await;
    let visitor = server.visitor();
    for known in [false, true] {
        if known {
            visitor.get("/api/config").await;
        }
        let request = visitor.request(Method::POST, "/api/leave");
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::NO_CONTENT);
        let cookies: Vec<_> = answer
            .headers()
            .get_all(header::SET_COOKIE)
            .iter()
            .collect();
        let [cookie] = cookies[..] else {
            panic!("one cookie: {cookies:?}")
        };
        let cookie = cookie.to_str().unwrap();
        assert!(cookie.starts_with("nightlight-visitor=;"), "{cookie}");
        for part in ["Max-Age=0", "Path=/", "HttpOnly"] {
            assert!(cookie.contains(part), "{cookie}");
        }
    }
}
