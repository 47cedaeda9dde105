//! `/chat/responses`: the written conversation of `/chat`, in the shape of OpenAI's responses. What a chat is refused for, this
//! is refused for.

use std::convert::Infallible;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use platform::CreateChat;
use platform::response::{ResponseEvent, ResponseObject};
use redact::Secret;

use super::chat::{Conversed, converse};
use super::not_followed;
use crate::app::App;
use crate::errors::{ApiError, ErrorAnswer};
use crate::holder::Holder;
use crate::keys::AnyKey;
use crate::request_body::JsonBody;
use crate::written::chat_id::ChatId;

/// Says something to the assistant in writing, as `POST /chat` does. Its id is the chat's: go on with it as `previousChatId`.
#[utoipa::path(
    post,
    path = "/chat/responses",
    operation_id = "create_response",
    tag = "platform",
    request_body = CreateChat,
    responses(
        (status = 201, body = ResponseObject, description = "The answer"),
        (status = 200, body = Object, content_type = "text/event-stream", description = "With `stream`: server-sent events, each a ResponseEvent and named as its `type`, the last of them `response.completed`"),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `field-invalid`, `input-too-long`, `assistant-or-squad-or-workflow-required`, `assistant-unknown`"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`origin-foreign`: another site's page asked; `origin-not-allowed`, `assistant-not-allowed`: the token's bounds"),
        (status = 404, body = ErrorAnswer, description = "`chat-not-found`, also for a conversation that is somebody else's"),
        (status = 409, body = ErrorAnswer, description = "`chat-not-latest`"),
        (status = 410, body = ErrorAnswer, description = "`chat-over`: with the numbers to ring"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 429, body = ErrorAnswer, description = "`too-often`: with the numbers to ring, and Retry-After"),
        (status = 501, body = ErrorAnswer, description = "`workflow-of-several-nodes`: with the numbers to ring"),
        (status = 503, body = ErrorAnswer, description = "`lines-busy`, `shutting-down`: with the numbers to ring, and Retry-After")
    ),
    security(("key" = []))
)]
pub async fn create(
    State(app): State<App>,
    AnyKey(key): AnyKey,
    holder: Holder,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let read = || CreateChat::parse_response(&body);
    let conversed = converse(&app, &key, holder, &body, read).await?;
    let Conversed {
        answered, asked, ..
    } = conversed;
    let chat = ChatId {
        conversation: answered.conversation.id,
        number: answered.talk.number(),
    };
    let latest = answered.talk.latest();
    let said_at = answered.talk.last_said().as_second();
    let response = ResponseObject::of(&chat.uuid().to_string(), said_at, latest.text());
    let answer = match asked.stream {
        Some(true) => streamed(&latest.output, response),
        Some(false) | None => (StatusCode::CREATED, Json(response)).into_response(),
    };
    Ok((not_followed::named(&body), answer).into_response())
}

/// Sentence by sentence, then whole: all of it is known and durable before the first goes out.
fn streamed(sentences: &[Secret<String>], response: ResponseObject) -> Response {
    let Some(message) = response.output.first() else {
        return ApiError::Internal.into_response();
    };
    let item_id = message.id.clone();
    let text = message.content.iter().map(|part| part.text.clone()).next();
    let deltas = sentences.iter().enumerate().map(|(index, sentence)| {
        let space = if index == 0 { "" } else { " " };
        ResponseEvent::TextDelta {
            item_id: item_id.clone(),
            output_index: 0,
            content_index: 0,
            delta: Secret::new(format!("{space}{}", sentence.expose_secret())),
        }
    });
    let done = ResponseEvent::TextDone {
        item_id: item_id.clone(),
        output_index: 0,
        content_index: 0,
        text: text.unwrap_or_default(),
    };
    let events = deltas.chain([done]).collect::<Vec<_>>();
    let events = events
        .into_iter()
        .chain([ResponseEvent::Completed { response }]);
    let events: Vec<Result<Event, Infallible>> = events
        .filter_map(|event| Event::default().event(event.name()).json_data(&event).ok())
        .map(Ok)
        .collect();
    Sse::new(stream::iter(events)).into_response()
}
