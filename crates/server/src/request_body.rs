//! Taking a request's body: its kind is checked before it is read, its size while it is. What is
//! in it is for the wire types to judge.

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};

use crate::app::MAX_BODY_BYTES;
use crate::errors::ApiError;

/// A body sent as JSON, not yet parsed.
pub struct JsonBody(pub Bytes);

/// A session description.
pub struct SdpBody(pub String);

impl<S: Send + Sync> FromRequest<S> for JsonBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let kind = media_type(request.headers());
        if !kind.is_some_and(|kind| kind == "application/json" || kind.ends_with("+json")) {
            return Err(ApiError::WrongContentType {
                expected: "application/json",
            });
        }
        bytes(request, state).await.map(Self)
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
        let bytes = bytes(request, state).await?;
        String::from_utf8(bytes.into())
            .map(Self)
            .map_err(|_| ApiError::Offer(call::media::OfferError::NotSdp))
    }
}

async fn bytes<S: Send + Sync>(request: Request, state: &S) -> Result<Bytes, ApiError> {
    Bytes::from_request(request, state)
        .await
        .map_err(|rejection| match rejection {
            BytesRejection::FailedToBufferBody(
                axum::extract::rejection::FailedToBufferBody::LengthLimitError(_),
            ) => ApiError::BodyTooLarge {
                limit: MAX_BODY_BYTES,
            },
            _ => ApiError::BodyIncomplete,
        })
}

fn media_type(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    Some(value.split(';').next()?.trim().to_ascii_lowercase())
}
