//! The built web app: files as they are, pages at their paths in any letter case, and a page with
//! the numbers to ring where there is nothing, also before anything is built. What is on a page is
//! the web app's matter.
//!
//! A page that was rendered at build time is served as it is (`demo/index.html` or `demo.html`);
//! otherwise `index.html` shows the page by its path. A file that was compressed at build time (`.br`
//! or `.gz` beside it) is sent so to browsers that can read it.

use std::path::{Path, PathBuf};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use tower::ServiceExt;
use tower_http::services::ServeFile;

use crate::app::App;
use crate::emergency::NUMBERS;
use crate::errors::ApiError;
use crate::platform_api;

/// The pages there are, in lower case. Another path shows the web app's "not found" page.
const PAGES: [&str; 7] = [
    "",
    "demo",
    "candle",
    "companion",
    "status",
    "desk",
    "docs/api",
];

/// Names of files under here contain a digest of their content.
const DIGESTED: &str = "assets/";

/// The page that a path leads to, as it is named here.
pub fn page_of(path: &str) -> Option<&'static str> {
    let path = path.trim_matches('/').to_lowercase();
    match PAGES.into_iter().find(|page| *page == path)? {
        "" => Some("the landing page"),
        page => Some(page),
    }
}

pub async fn page_or_file(State(app): State<App>, request: Request) -> Response {
    let path = request.uri().path().trim_matches('/').to_owned();
    let first = path.split('/').next().unwrap_or_default();
    if first == "api" || platform_api::ROOTS.contains(&first) {
        return ApiError::NoSuchPath.into_response();
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return ApiError::MethodNotAllowed.into_response();
    }
    let web_dir = &app.settings.web_dir;
    if let Some(file) = file_at(web_dir, &path).await {
        let caching = match path.starts_with(DIGESTED) {
            true => "public, max-age=31536000, immutable",
            // Asked again each time, and answered "not modified".
            false => "no-cache",
        };
        return serve(file, request, StatusCode::OK, caching).await;
    }
    let page = path.to_lowercase();
    let known = PAGES.contains(&page.as_str());
    // A missing file with a name's ending is a missing file, not a page.
    if !known
        && path
            .rsplit('/')
            .next()
            .is_some_and(|name| name.contains('.'))
    {
        return ApiError::NoSuchPath.into_response();
    }
    let rendered = [format!("{page}/index.html"), format!("{page}.html")];
    let rendered = rendered.iter().filter(|_| known && !page.is_empty());
    let not_found = (!known).then(|| String::from("404.html"));
    for candidate in rendered
        .cloned()
        .chain(not_found)
        .chain([String::from("index.html")])
    {
        if let Some(file) = file_at(web_dir, &candidate).await {
            let status = if known {
                StatusCode::OK
            } else {
                StatusCode::NOT_FOUND
            };
            return serve(file, request, status, "no-cache").await;
        }
    }
    (
        StatusCode::SERVICE_UNAVAILABLE,
        Html(page_without_a_web_app()),
    )
        .into_response()
}

/// The file at a path below the web app's directory, and never outside it.
async fn file_at(web_dir: &Path, path: &str) -> Option<PathBuf> {
    let sound = !path.is_empty()
        && path.split('/').all(|part| {
            !part.is_empty() && !part.starts_with('.') && !part.contains(['\\', '%', '\0'])
        });
    if !sound {
        return None;
    }
    let file = web_dir.join(path);
    let is_file = tokio::fs::metadata(&file)
        .await
        .is_ok_and(|meta| meta.is_file());
    is_file.then_some(file)
}

async fn serve(
    file: PathBuf,
    mut request: Request,
    status: StatusCode,
    caching: &'static str,
) -> Response {
    if status != StatusCode::OK {
        // Ranges and "not modified" speak of a page that is there.
        request.headers_mut().clear();
    }
    let file = ServeFile::new(file).precompressed_br().precompressed_gzip();
    let Ok(mut response) = file.oneshot(request).await;
    if response.status() == StatusCode::OK {
        *response.status_mut() = status;
    }
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
    response.map(Body::new)
}

/// Shown when the web app has not been built, or has been taken away: who came for help must still
/// find the numbers.
fn page_without_a_web_app() -> String {
    let numbers: String = NUMBERS
        .iter()
        .map(|entry| {
            let dialled: String = entry.number.split(' ').collect();
            format!(
                "<li>{}: <a href=\"tel:{dialled}\">{}</a></li>",
                entry.name, entry.number
            )
        })
        .collect();
    format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>Nightlight</title><h1>Nightlight cannot show its page right now</h1>\
         <p>If you need help now, please ring:</p><ul>{numbers}</ul>\
         <p><small>If you run this server: build the web app with <code>make setup-run web/dist/index.html</code>, or set \
         <code>web_dir</code>.</small></p></html>"
    )
}
