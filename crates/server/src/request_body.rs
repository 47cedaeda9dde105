//! Taking a request's body: its kind is checked before it is read, its size while it is. What is
//! in it is for the wire types to judge. A short one is here before the request is looked at, whatever comes of that.

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, FromRequest, Request};
use axum::http::{HeaderMap, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::app::MAX_BODY_BYTES;
use crate::errors::ApiError;

/// As much as a refusal waits for. What is longer is refused before it is read.
const SHORT: usize = 64 * 1024;

/// Has a short body before the request goes on. A connection whose request is answered before its body is there has to be closed
/// afterwards, and the client may be sending its next request by it already: that one would never be answered.
pub async fn take_in_short(request: Request, next: Next) -> Response {
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse().ok());
    if !length.is_some_and(|length: usize| (1..=SHORT).contains(&length)) {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    match to_bytes(body, SHORT).await {
        Ok(body) => next.run(Request::from_parts(parts, Body::from(body))).await,
        Err(_) => ApiError::BodyIncomplete.into_response(),
    }
}

/// A body sent as JSON, not yet parsed.
pub struct JsonBody(pub Bytes);

impl JsonBody {
    /// No more of it is read than this.
    pub async fn of_at_most<S: Send + Sync>(
        limit: usize,
        request: Request,
        state: &S,
    ) -> Result<Self, ApiError> {
        let kind = media_type(request.headers());
        if !kind.is_some_and(|kind| kind == "application/json" || kind.ends_with("+json")) {
            return Err(ApiError::WrongContentType {
                expected: "application/json",
            });
        }
        bytes(limit, request, state).await.map(Self)
    }
}

/// A body that may be absent, whatever its kind.
pub struct AnyBody(pub Bytes);

/// A session description.
pub struct SdpBody(pub String);

impl<S: Send + Sync> FromRequest<S> for JsonBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        Self::of_at_most(MAX_BODY_BYTES, request, state).await
    }
}

impl<S: Send + Sync> FromRequest<S> for AnyBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        bytes(MAX_BODY_BYTES, request, state).await.map(Self)
    }
}

impl<S: Send + Sync> FromRequest<S> for SdpBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        if media_type(request.headers()).as_deref() != Some("application/sdp") {
            return Err(ApiError::WrongContentType {
                expected: "application/sdp",
            });
        }
        let bytes = bytes(MAX_BODY_BYTES, request, state).await?;
        String::from_utf8(bytes.into())
            .map(Self)
            .map_err(|_| ApiError::Offer(call::media::OfferError::NotSdp))
    }
}

async fn bytes<S: Send + Sync>(
    limit: usize,
    mut request: Request,
    state: &S,
) -> Result<Bytes, ApiError> {
    DefaultBodyLimit::max(limit).apply(&mut request);
    Bytes::from_request(request, state)
        .await
        .map_err(|rejection| match rejection {
            BytesRejection::FailedToBufferBody(
                axum::extract::rejection::FailedToBufferBody::LengthLimitError(_),
            ) => ApiError::BodyTooLarge { limit },
            _ => ApiError::BodyIncomplete,
        })
}

fn media_type(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    Some(value.split(';').next()?.trim().to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::convert::Infallible;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use axum::Router;
    use axum::http::StatusCode;
    use axum::middleware::from_fn;
    use futures_util::stream;
    use tower::ServiceExt;

    use super::*;

    /// Whether a body that says that it is so long was read by the time its request was refused.
    async fn is_read(length: usize) -> bool {
        let read = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&read);
        let body = stream::once(async move {
            told.store(true, Ordering::Relaxed);
            Ok::<_, Infallible>(Bytes::from(vec![b' '; length]))
        });
        let request = Request::post("/")
            .header(header::CONTENT_LENGTH, length)
            .body(Body::from_stream(body));
        let refusing = Router::new()
            .fallback(async || StatusCode::UNAUTHORIZED)
            .layer(from_fn(take_in_short));
        let answer = refusing.oneshot(request.unwrap()).await.unwrap();
        assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
        read.load(Ordering::Relaxed)
    }

    #[tokio::test]
    async fn a_refusal_waits_for_a_short_body_and_for_no_long_one() {
        assert!(is_read(2).await);
        assert!(is_read(SHORT).await);
        assert!(!is_read(SHORT + 1).await);
    }
}
