//! Why something is not done with a case, as an answer.

use axum::http::StatusCode;
use desk::cases::CaseError;
use desk::cases::rules::Refusal;
use platform::Invalid;

use super::names::Names;
use crate::app::App;
use crate::desk::sign_in::failed;
use crate::errors::ApiError;

#[derive(Debug, thiserror::Error)]
pub enum CaseRefusal {
    #[error("there is no such case, or it is not for you: see the list of cases")]
    Unknown,
    #[error("{by} has this case: ask them, or have a supervisor take it")]
    Taken { by: String },
    #[error("nobody has this case: take it first")]
    NotTaken,
    #[error("this case is closed: open it again first")]
    Closed,
    #[error("this case is open: there is nothing to open again")]
    NotClosed,
    #[error("somebody has changed this case since you read it: read it again")]
    Changed,
    #[error("say first what was done: note the action taken, then close the case")]
    ActionMissing,
    #[error("there is no such follow-up in this case: read the case again")]
    UnknownFollowUp,
    #[error(
        "what is written in this case cannot be decrypted here: ask whoever runs this line to set the key"
    )]
    Unreadable,
}

impl CaseRefusal {
    pub fn status(&self) -> StatusCode {
        match self {
            Self::Unknown | Self::UnknownFollowUp => StatusCode::NOT_FOUND,
            Self::Taken { .. }
            | Self::NotTaken
            | Self::Closed
            | Self::NotClosed
            | Self::Changed
            | Self::ActionMissing
            | Self::Unreadable => StatusCode::CONFLICT,
        }
    }

    pub fn code(&self) -> &'static str {
        match self {
            Self::Unknown => "case-not-found",
            Self::Taken { .. } => "case-taken",
            Self::NotTaken => "case-not-taken",
            Self::Closed => "case-closed",
            Self::NotClosed => "case-not-closed",
            Self::Changed => "case-changed",
            Self::ActionMissing => "action-missing",
            Self::UnknownFollowUp => "follow-up-not-found",
            Self::Unreadable => "case-unreadable",
        }
    }
}

/// A change that the desk refused.
pub async fn refused(error: CaseError, app: &App) -> ApiError {
    let refusal = match error {
        CaseError::Refused(Refusal::TakenBy(by)) => match Names::read(app).await {
            Ok(names) => CaseRefusal::Taken { by: names.of(by) },
            Err(error) => return error,
        },
        CaseError::Refused(Refusal::NotSeen) => CaseRefusal::Unknown,
        // One's own case is taken already, and nothing else is refused for that.
        CaseError::Refused(Refusal::NotTaken | Refusal::IsYours) => CaseRefusal::NotTaken,
        CaseError::Refused(Refusal::Closed) => CaseRefusal::Closed,
        CaseError::Refused(Refusal::NotClosed) => CaseRefusal::NotClosed,
        CaseError::Changed { .. } => CaseRefusal::Changed,
        CaseError::ActionMissing => CaseRefusal::ActionMissing,
        CaseError::UnknownFollowUp => CaseRefusal::UnknownFollowUp,
        CaseError::Unreadable => CaseRefusal::Unreadable,
        CaseError::UnknownAction => return field("actions", &error),
        CaseError::UnknownOwner => return field("ownerId", &error),
        CaseError::Store(error) => return failed(error),
    };
    ApiError::Case(refusal)
}

pub fn field(path: &str, problem: &impl ToString) -> ApiError {
    ApiError::Body(Invalid::Field {
        path: path.to_owned(),
        problem: problem.to_string(),
    })
}
