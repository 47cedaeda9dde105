//! `POST /api/page-fault`: a page tells that something in it failed, where errors are reported elsewhere. What it tells is
//! held to what is known here, because whoever asks may be anybody, and an error's own words may be a caller's: a kind of
//! failure, a page of ours, and places in files that this server serves.

use std::path::Path;
use std::time::Instant;

use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::error_reports::{Frame, Report, error_reports};
use crate::errors::{ApiError, ErrorAnswer};
use crate::holder::Holder;
use crate::request_body::JsonBody;
use crate::web_app;

/// Places that are looked at, at most.
const MOST_FRAMES: usize = 20;

/// The kinds of failure that have a name: the language's, the browser's, and the web app's own.
const KINDS: &[&str] = &[
    "Error",
    "AggregateError",
    "EvalError",
    "RangeError",
    "ReferenceError",
    "SyntaxError",
    "TypeError",
    "URIError",
    "AbortError",
    "DataCloneError",
    "InvalidAccessError",
    "InvalidStateError",
    "NetworkError",
    "NotAllowedError",
    "NotFoundError",
    "NotReadableError",
    "NotSupportedError",
    "OperationError",
    "OverconstrainedError",
    "QuotaExceededError",
    "SecurityError",
    "TimeoutError",
    "Refusal",
    "VoiceError",
];

/// A failure of a page, without what it said of it.
#[derive(Debug, Deserialize, ToSchema)]
pub struct PageFault {
    /// The error's name.
    #[schema(example = "TypeError")]
    kind: String,
    /// The page's path.
    #[schema(example = "/demo")]
    page: String,
    /// Where it was, the innermost first.
    frames: Vec<PageFrame>,
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct PageFrame {
    /// One of the web app's scripts.
    #[schema(example = "assets/DemoPage-1a2b3c4d.js")]
    file: String,
    line: u32,
    column: u32,
}

/// Takes a page's word that something in it failed. Nothing but its kind, the page and the places in the scripts goes on from here.
#[utoipa::path(
    post,
    path = "/api/page-fault",
    tag = "page",
    request_body = PageFault,
    responses(
        (status = 204, description = "It was taken; one that is in no script of ours is nobody's here"),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `body-incomplete`, `field-invalid`"),
        (status = 403, body = ErrorAnswer, description = "`origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`errors-not-reported`: errors are reported nowhere, see `errorReporting` of /api/config"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 429, body = ErrorAnswer, description = "`too-often`")
    )
)]
pub async fn page_fault(
    State(app): State<App>,
    holder: Holder,
    JsonBody(body): JsonBody,
) -> Result<StatusCode, ApiError> {
    if app.settings.error_reporting.is_none() {
        return Err(ApiError::ErrorsNotReported);
    }
    if let Some(address) = holder.address {
        app.rates.page_faults.take(address, Instant::now())?;
    }
    let told: PageFault = platform::read(&body)?;
    let kind = KINDS.iter().copied().find(|kind| *kind == told.kind);
    let page = web_app::page_of(&told.page).unwrap_or("another page");
    let mut frames = Vec::new();
    for frame in told.frames.into_iter().take(MOST_FRAMES) {
        if is_a_script_of_ours(&app.settings.web_dir, &frame.file).await {
            frames.push(Frame {
                file: frame.file,
                line: frame.line,
                column: Some(frame.column),
            });
        }
    }
    if !frames.is_empty() {
        frames.reverse();
        error_reports().tell(|| Report::of_a_page(kind.unwrap_or("Error"), page, frames));
    }
    Ok(StatusCode::NO_CONTENT)
}

async fn is_a_script_of_ours(web_dir: &Path, file: &str) -> bool {
    let name = file.strip_prefix("assets/");
    let named = name.is_some_and(|name| {
        name.ends_with(".js")
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
    });
    named
        && tokio::fs::try_exists(web_dir.join(file))
            .await
            .unwrap_or(false)
}
