//! The web app's pages and files.

use reqwest::{Method, StatusCode, header};

use crate::support::start_server;
use crate::support::visitor::refused;

#[tokio::test]
async fn pages_are_found_in_any_letter_case() {
    let server = start_server("").await;
    let visitor = server.visitor();
    for path in [
        "/",
        "/Demo",
        "/demo",
        "/DEMO/",
        "/Candle",
        "/candle",
        "/companion",
        "/Companion",
        "/status",
        "/desk",
        "/docs/api",
        "/Docs/API/",
    ] {
        let page = visitor.get(path).await;
        assert_eq!(page.status(), StatusCode::OK, "{path}");
        assert_eq!(page.headers()[header::CACHE_CONTROL], "no-cache", "{path}");
        assert!(page.text().await.unwrap().contains("the app"), "{path}");
    }
}

#[tokio::test]
async fn an_unknown_page_shows_the_app_as_not_found() {
    let server = start_server("").await;
    let page = server.visitor().get("/nowhere/at/all").await;
    assert_eq!(page.status(), StatusCode::NOT_FOUND);
    assert!(page.text().await.unwrap().contains("the app"));
}

#[tokio::test]
async fn a_page_rendered_at_build_time_is_served_in_its_place() {
    let server = start_server("").await;
    std::fs::create_dir(server.place.path().join("web/demo")).unwrap();
    std::fs::write(server.place.path().join("web/demo/index.html"), "rendered").unwrap();
    let visitor = server.visitor();
    assert_eq!(visitor.get("/Demo").await.text().await.unwrap(), "rendered");
    assert_eq!(
        visitor.get("/demo/").await.text().await.unwrap(),
        "rendered"
    );
}

#[tokio::test]
async fn a_page_rendered_for_unknown_paths_is_served_as_not_found() {
    let server = start_server("").await;
    std::fs::write(server.place.path().join("web/404.html"), "no such page").unwrap();
    let page = server.visitor().get("/nowhere").await;
    assert_eq!(page.status(), StatusCode::NOT_FOUND);
    assert_eq!(page.text().await.unwrap(), "no such page");
}

#[tokio::test]
async fn a_file_compressed_at_build_time_is_sent_so_to_those_who_can_read_it() {
    let server = start_server("").await;
    let assets = server.place.path().join("web/assets");
    std::fs::write(assets.join("app-1a2b.js.br"), "brotli of the app").unwrap();
    let visitor = server.visitor();
    let request = |encodings: &'static str| {
        visitor
            .request(Method::GET, "/assets/app-1a2b.js")
            .header(header::ACCEPT_ENCODING, encodings)
    };
    let packed = visitor.send(request("gzip, br")).await;
    assert_eq!(packed.headers()[header::CONTENT_ENCODING], "br");
    assert_eq!(packed.headers()[header::CONTENT_TYPE], "text/javascript");
    assert_eq!(packed.text().await.unwrap(), "brotli of the app");
    let plain = visitor.send(request("identity")).await;
    assert_eq!(plain.text().await.unwrap(), "export {}");
}

#[tokio::test]
async fn files_with_a_digest_in_their_name_are_kept_by_browsers_for_good() {
    let server = start_server("").await;
    let file = server.visitor().get("/assets/app-1a2b.js").await;
    let headers = file.headers();
    assert_eq!(headers[header::CONTENT_TYPE], "text/javascript");
    assert!(
        headers[header::CACHE_CONTROL]
            .to_str()
            .unwrap()
            .contains("immutable")
    );
    assert!(
        headers.get(header::SET_COOKIE).is_none(),
        "caches keep files, not sessions"
    );
}

#[tokio::test]
async fn nothing_outside_the_web_app_can_be_read() {
    let server = start_server("").await;
    let visitor = server.visitor();
    for path in [
        "/.secret",
        "/%2e%2e/calls.db",
        "/..%2fcalls.db",
        "/assets/..%2f..%2fcalls.db",
        "//calls.db",
    ] {
        let answer = visitor.get(path).await;
        let text = answer.text().await.unwrap();
        assert!(
            !text.contains("not for the web") && !text.contains("SQLite"),
            "{path}"
        );
    }
    refused(
        visitor.get("/assets/gone-1234.js").await,
        404,
        "path-not-found",
    )
    .await;
}

#[tokio::test]
async fn without_a_built_web_app_the_numbers_to_ring_are_shown() {
    let server = start_server("").await;
    std::fs::remove_dir_all(server.place.path().join("web")).unwrap();
    let page = server.visitor().get("/Demo").await;
    assert_eq!(page.status(), StatusCode::SERVICE_UNAVAILABLE);
    let text = page.text().await.unwrap();
    for number in ["999", "995", "1767", "1800 777 0000", "tel:18007770000"] {
        assert!(text.contains(number), "{number}");
    }
}

#[tokio::test]
async fn every_answer_carries_the_security_headers() {
    let server = start_server("").await;
    let visitor = server.visitor();
    for path in [
        "/",
        "/assets/app-1a2b.js",
        "/api/config",
        "/api/nothing",
        "/nowhere",
    ] {
        let answer = visitor.get(path).await;
        let headers = answer.headers();
        let policy = headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
        assert!(
            policy.contains("default-src 'self'") && policy.contains("script-src 'self';"),
            "{path}"
        );
        for held in [
            "style-src 'self';",
            "connect-src 'self';",
            "object-src 'none';",
            "base-uri 'none';",
            "form-action 'self';",
            "frame-ancestors 'none'",
        ] {
            assert!(policy.contains(held), "{path}: {held}");
        }
        assert!(!policy.contains("unsafe"), "{path}");
        assert_eq!(headers[header::X_FRAME_OPTIONS], "DENY", "{path}");
        assert_eq!(headers["cross-origin-opener-policy"], "same-origin");
        assert_eq!(headers[header::REFERRER_POLICY], "no-referrer", "{path}");
        assert_eq!(headers[header::X_CONTENT_TYPE_OPTIONS], "nosniff", "{path}");
        assert_eq!(
            headers["cross-origin-resource-policy"], "same-origin",
            "{path}"
        );
        assert!(!headers.contains_key(header::STRICT_TRANSPORT_SECURITY));
        assert!(
            headers["permissions-policy"]
                .to_str()
                .unwrap()
                .contains("microphone=(self)"),
            "{path}"
        );
    }
    let answer = visitor.get("/api/calls").await;
    assert_eq!(
        answer.headers()[header::CACHE_CONTROL],
        "no-store",
        "records are kept by nobody"
    );
}

#[tokio::test]
async fn a_site_that_is_reached_by_https_is_reached_by_nothing_else() {
    let server = start_server("public_origin = 'https://nightlight.example'").await;
    let answer = server.visitor().get("/").await;
    let told = &answer.headers()[header::STRICT_TRANSPORT_SECURITY];
    assert_eq!(told, "max-age=31536000");
}
