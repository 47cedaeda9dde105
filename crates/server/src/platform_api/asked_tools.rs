//! What an assistant's functions are held to as it is kept: one that could never be asked is refused, and not kept as if it were.

use platform::call::Inline;

use crate::app::App;
use crate::errors::ApiError;

/// A function with a server must be one that a caller's question is enough for.
pub async fn check_tools(app: &App, body: &Inline) -> Result<(), ApiError> {
    let fields = body.expose_secret();
    match app.webhooks.has_a_tool_that_is_never_asked(fields).await {
        true => Err(ApiError::NotOffered {
            what: "functions that more than a caller's question is filled in for",
            instead: "give the function one required parameter of type string: its server is sent the caller's question in it",
        }),
        false => Ok(()),
    }
}
