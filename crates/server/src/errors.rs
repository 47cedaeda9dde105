//! What goes wrong with a request: one type, a stable code each, one mapping to a status. The
//! message says what to do; where a caller could be left without help it carries the numbers to
//! ring. Nothing a caller said is ever in one.

use std::time::Duration;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use call::media::OfferError;
use platform::{ApiErrorBody, Invalid};
use serde::Serialize;
use utoipa::ToSchema;

use crate::desk::CaseRefusal;
use crate::emergency::{EmergencyNumber, NUMBERS, RING_NOW};
use crate::rate::TooOften;
use crate::written::queue::TooManyWaiting;

/// Why a request was not served.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    #[error(transparent)]
    Body(#[from] Invalid),
    #[error("send the body as {expected}")]
    WrongContentType { expected: &'static str },
    #[error("the body is larger than {limit} bytes: send less")]
    BodyTooLarge { limit: usize },
    #[error("the body ended before it was complete: send it again")]
    BodyIncomplete,
    #[error("{0}")]
    Offer(#[from] OfferError),
    #[error("`{name}`: expected {expected}")]
    Parameter {
        name: &'static str,
        expected: &'static str,
    },
    #[error("there is no assistant, squad or workflow with this id: use one named by /api/config")]
    NothingByThisId,
    #[error("`voice`: there is no such voice here: leave it out, or name one of {installed}")]
    VoiceUnknown { installed: String },
    #[error("there is no such call: start one with POST /call/web")]
    UnknownCall,
    #[error("there is no such session in this call: use the Location of the answer that opened it")]
    UnknownSession,
    #[error(
        "this call is over, or nobody joined it within a minute: start another with POST /call/web"
    )]
    CallExpired,
    #[error("this call has been joined already: start another with POST /call/web")]
    CallJoined,
    #[error("another node has this call: ask there, or here again in a moment; {RING_NOW}")]
    CallElsewhere,
    #[error(
        "calls are held on the hosted platform: read /api/config anew and call there; {RING_NOW}"
    )]
    CallsAreHosted,
    #[error("calls are held here: start one with POST /call/web, which needs no ticket")]
    CallsAreHeldHere,
    #[error("there is no such {kind}: see the list of them with GET /{path}")]
    UnknownResource {
        kind: &'static str,
        path: &'static str,
    },
    #[error("this {kind} is part of the program: make one of your own and change that")]
    BuiltIn { kind: &'static str },
    #[error("this server does not offer {what}: {instead}")]
    NotOffered {
        what: &'static str,
        instead: &'static str,
    },
    #[error("this call is under way: ask again when it has ended")]
    CallUnderWay,
    #[error("this record is on hold: have its hold ended at the desk, and delete it then")]
    RecordOnHold,
    #[error("there is no such chat: begin one with POST /chat")]
    UnknownChat,
    #[error(
        "this conversation has gone on since: read its latest chat with GET /chat/{{id}} and continue from that"
    )]
    ChatNotLatest,
    #[error("this conversation is over: begin another with POST /chat without previousChatId")]
    ChatOver,
    #[error("this is more than {limit} characters at once: send less")]
    InputTooLong { limit: usize },
    #[error("you have no calls yet: they appear here once you have talked to the assistant")]
    NoCallYet,
    #[error("send the key as `Authorization: Bearer KEY`")]
    KeyMissing,
    #[error(
        "this key is not known here: use the one from /api/config, or the private key where a path asks for it"
    )]
    KeyWrong,
    #[error("this key was revoked: have another made with POST /token")]
    KeyRevoked,
    #[error(
        "this key has expired: have another made with POST /token, or its `restrictions.expiresAt` changed"
    )]
    KeyExpired,
    #[error(
        "this key is public, it starts calls and chats: use a private one, and never in a page"
    )]
    KeyPublic,
    #[error("this key is not for pages of this origin: see its `allowedOrigins`; {RING_NOW}")]
    OriginNotAllowed,
    #[error(
        "this key may not begin a call or chat with this: see its `allowedAssistantIds`; {RING_NOW}"
    )]
    AssistantNotAllowed,
    #[error(
        "a workflow is served where it is a single conversation, and this one is more: make it one node without edges, or name an assistant; {RING_NOW}"
    )]
    WorkflowOfSeveralNodes,
    #[error("there is no duty desk yet: make its first account with `nightlight desk`")]
    NoDesk,
    #[error(
        "a program makes nobody an administrator and changes none: have it done at the desk, by an administrator"
    )]
    AdministratorsByPeople,
    #[error("this path needs a private key and none is set: set private_key")]
    PrivateKeyUnset,
    #[error(
        "this is for operators: ask from the machine itself (http://localhost and its port), or set operator_key and send it as `Authorization: Bearer KEY`"
    )]
    OperatorsOnly,
    #[error("the secret in X-Vapi-Secret is missing or wrong: send the one set as webhook_secret")]
    WebhookSecret,
    #[error(
        "this was asked for by another site's page: open this site's own; if that is what you did, set public_origin to its address; {RING_NOW}"
    )]
    ForeignOrigin,
    #[error("this path is a WebSocket: connect with an upgrade request")]
    NotAWebSocket,
    #[error("all lines are busy: try again in a moment, and {RING_NOW}")]
    AllLinesBusy,
    #[error("this line is closing: try again in a minute, and {RING_NOW}")]
    ShuttingDown,
    #[error("this is more than may be asked from one place in a minute: wait a moment; {RING_NOW}")]
    TooOften { again_after: Duration },
    #[error(
        "no call is recorded on the word of a message without a secret: set webhook_secret, here and where the messages come from"
    )]
    WebhookSecretUnset,
    #[error("nobody is signed in: sign in at /desk")]
    NotSignedIn,
    #[error("{}", desk::SignInError::Refused)]
    SignInRefused,
    #[error("too many are signing in at this moment: try again")]
    DeskBusy,
    #[error(
        "the identity provider does not answer: try again in a moment, or sign in by password and code"
    )]
    ProviderUnreachable,
    #[error("this is not for your role: ask an administrator of the desk who may do it")]
    RoleForbids,
    #[error("{}", desk::AcceptError::NoInvitation)]
    NoInvitation,
    #[error("there is no such account: see the list of accounts")]
    UnknownAccount,
    #[error("this account is closed: invite its holder with another sign-in name")]
    AccountClosed,
    #[error("{}", desk::ChangeError::OnesOwn)]
    OnesOwnAccount,
    #[error("{}", desk::InviteError::NameTaken)]
    SignInNameTaken,
    #[error("{by} has taken this call: it is theirs")]
    CallTaken { by: String },
    #[error(
        "nobody is rung for this call any more: it is over, or the assistant is with the caller again"
    )]
    CallOver,
    #[error(transparent)]
    Case(#[from] CaseRefusal),
    #[error("there is no such shift: see the list of shifts")]
    UnknownShift,
    #[error("{}", desk::shifts::ShiftError::Overlaps)]
    ShiftOverlaps,
    #[error(
        "the assistant does not have this call now: coach the officer who has it, or wait until the assistant is back"
    )]
    NotWithAssistant,
    #[error("too many event streams are open: close one first")]
    TooManyStreams,
    #[error("call records cannot be reached at the moment: try again; {RING_NOW}")]
    RecordsUnavailable,
    #[error("errors are reported nowhere: `errorReporting` of /api/config says whether they are")]
    ErrorsNotReported,
    #[error("there is nothing at this path: see /openapi.json for those there are")]
    NoSuchPath,
    #[error("this path does not take this method: see /openapi.json")]
    MethodNotAllowed,
    #[error("something broke here and has been noted: try again; {RING_NOW}")]
    Internal,
}

/// Every answer that is not a success.
#[derive(Debug, Serialize, ToSchema)]
pub struct ErrorAnswer {
    #[serde(flatten)]
    pub error: ApiErrorBody,
    /// Whom to ring now, when the failure could leave a caller without help.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub numbers: Option<[EmergencyNumber; 4]>,
}

/// The code of an answered error, for the request's log line.
#[derive(Debug, Clone, Copy)]
pub struct ErrorCode(pub &'static str);

impl ApiError {
    pub fn status(&self) -> StatusCode {
        match self {
            Self::Case(refusal) => refusal.status(),
            Self::Body(_)
            | Self::BodyIncomplete
            | Self::Offer(_)
            | Self::Parameter { .. }
            | Self::InputTooLong { .. }
            | Self::VoiceUnknown { .. }
            | Self::NothingByThisId => StatusCode::BAD_REQUEST,
            Self::KeyMissing
            | Self::KeyWrong
            | Self::KeyRevoked
            | Self::KeyExpired
            | Self::WebhookSecret
            | Self::NotSignedIn
            | Self::SignInRefused => StatusCode::UNAUTHORIZED,
            Self::PrivateKeyUnset
            | Self::KeyPublic
            | Self::OriginNotAllowed
            | Self::AssistantNotAllowed
            | Self::AdministratorsByPeople
            | Self::OperatorsOnly
            | Self::WebhookSecretUnset
            | Self::RoleForbids
            | Self::ForeignOrigin => StatusCode::FORBIDDEN,
            Self::UnknownCall
            | Self::UnknownResource { .. }
            | Self::UnknownChat
            | Self::UnknownSession
            | Self::NoCallYet
            | Self::NoInvitation
            | Self::UnknownAccount
            | Self::UnknownShift
            | Self::ErrorsNotReported
            | Self::NoSuchPath => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::CallJoined
            | Self::CallsAreHosted
            | Self::CallsAreHeldHere
            | Self::BuiltIn { .. }
            | Self::CallUnderWay
            | Self::RecordOnHold
            | Self::ChatNotLatest
            | Self::CallTaken { .. }
            | Self::NotWithAssistant
            | Self::AccountClosed
            | Self::OnesOwnAccount
            | Self::ShiftOverlaps
            | Self::NoDesk
            | Self::SignInNameTaken => StatusCode::CONFLICT,
            Self::CallExpired | Self::ChatOver | Self::CallOver => StatusCode::GONE,
            Self::BodyTooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::WrongContentType { .. } => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::NotAWebSocket => StatusCode::UPGRADE_REQUIRED,
            Self::TooManyStreams | Self::TooOften { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::AllLinesBusy
            | Self::ShuttingDown
            | Self::CallElsewhere
            | Self::DeskBusy
            | Self::ProviderUnreachable
            | Self::RecordsUnavailable => StatusCode::SERVICE_UNAVAILABLE,
            Self::NotOffered { .. } | Self::WorkflowOfSeveralNodes => StatusCode::NOT_IMPLEMENTED,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// Stable: programs may rely on it.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Body(invalid) => invalid.code(),
            Self::WrongContentType { .. } => "content-type-wrong",
            Self::BodyTooLarge { .. } => "body-too-large",
            Self::BodyIncomplete => "body-incomplete",
            Self::Offer(_) => "sdp-invalid",
            Self::Parameter { .. } => "parameter-invalid",
            Self::NothingByThisId => "assistant-unknown",
            Self::VoiceUnknown { .. } => "voice-unknown",
            Self::UnknownCall => "call-not-found",
            Self::UnknownSession => "session-not-found",
            Self::UnknownResource { .. } => "resource-not-found",
            Self::BuiltIn { .. } => "resource-built-in",
            Self::NotOffered { .. } => "not-offered",
            Self::CallUnderWay => "call-under-way",
            Self::RecordOnHold => "record-on-hold",
            Self::CallExpired => "call-expired",
            Self::CallElsewhere => "call-elsewhere",
            Self::CallJoined => "call-joined",
            Self::CallsAreHosted => "calls-hosted",
            Self::CallsAreHeldHere => "calls-held-here",
            Self::UnknownChat => "chat-not-found",
            Self::ChatNotLatest => "chat-not-latest",
            Self::ChatOver => "chat-over",
            Self::InputTooLong { .. } => "input-too-long",
            Self::NoCallYet => "no-call-yet",
            Self::KeyMissing => "key-missing",
            Self::KeyWrong => "key-wrong",
            Self::KeyRevoked => "key-revoked",
            Self::KeyExpired => "key-expired",
            Self::KeyPublic => "key-public",
            Self::OriginNotAllowed => "origin-not-allowed",
            Self::AssistantNotAllowed => "assistant-not-allowed",
            Self::WorkflowOfSeveralNodes => "workflow-of-several-nodes",
            Self::NoDesk => "no-desk",
            Self::AdministratorsByPeople => "administrators-by-people",
            Self::PrivateKeyUnset => "private-key-unset",
            Self::OperatorsOnly => "operators-only",
            Self::WebhookSecret => "webhook-secret-wrong",
            Self::ForeignOrigin => "origin-foreign",
            Self::NotAWebSocket => "websocket-required",
            Self::AllLinesBusy => "lines-busy",
            Self::ShuttingDown => "shutting-down",
            Self::NotSignedIn => "not-signed-in",
            Self::SignInRefused => "sign-in-refused",
            Self::DeskBusy => "desk-busy",
            Self::ProviderUnreachable => "provider-unreachable",
            Self::RoleForbids => "role-forbids",
            Self::NoInvitation => "invitation-not-found",
            Self::UnknownAccount => "account-not-found",
            Self::AccountClosed => "account-closed",
            Self::OnesOwnAccount => "account-ones-own",
            Self::SignInNameTaken => "sign-in-name-taken",
            Self::CallTaken { .. } => "call-taken",
            Self::CallOver => "call-over",
            Self::Case(refusal) => refusal.code(),
            Self::UnknownShift => "shift-not-found",
            Self::ShiftOverlaps => "shift-overlaps",
            Self::NotWithAssistant => "call-not-with-assistant",
            Self::TooManyStreams => "too-many-streams",
            Self::TooOften { .. } => "too-often",
            Self::WebhookSecretUnset => "webhook-secret-unset",
            Self::RecordsUnavailable => "records-unavailable",
            Self::ErrorsNotReported => "errors-not-reported",
            Self::NoSuchPath => "path-not-found",
            Self::MethodNotAllowed => "method-not-allowed",
            Self::Internal => "internal",
        }
    }

    fn leaves_a_caller_without_help(&self) -> bool {
        let is_fault = self.status().is_server_error() && !matches!(self, Self::NotOffered { .. });
        is_fault
            || matches!(
                self,
                Self::CallExpired
                    | Self::CallsAreHosted
                    | Self::ChatOver
                    | Self::ForeignOrigin
                    | Self::OriginNotAllowed
                    | Self::AssistantNotAllowed
                    | Self::TooOften { .. }
            )
    }

    fn retry_after_seconds(&self) -> Option<u64> {
        match self {
            Self::AllLinesBusy => Some(20),
            Self::ShuttingDown => Some(60),
            Self::RecordsUnavailable
            | Self::DeskBusy
            | Self::ProviderUnreachable
            | Self::TooManyStreams => Some(5),
            Self::CallElsewhere => Some(2),
            Self::TooOften { again_after } => Some(again_after.as_secs() + 1),
            _ => None,
        }
    }
}

impl From<TooManyWaiting> for ApiError {
    fn from(TooManyWaiting: TooManyWaiting) -> Self {
        let again_after = Duration::from_secs(5);
        Self::TooOften { again_after }
    }
}

impl From<TooOften> for ApiError {
    fn from(TooOften { again_after }: TooOften) -> Self {
        Self::TooOften { again_after }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status = self.status();
        let body = ErrorAnswer {
            error: ApiErrorBody {
                status_code: status.as_u16(),
                code: self.code().to_owned(),
                message: self.to_string(),
                error: status.canonical_reason().unwrap_or("Error").to_owned(),
            },
            numbers: self.leaves_a_caller_without_help().then_some(*NUMBERS),
        };
        let mut response = (status, Json(body)).into_response();
        if let Some(seconds) = self.retry_after_seconds() {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if matches!(
            self,
            Self::KeyMissing | Self::KeyWrong | Self::KeyRevoked | Self::KeyExpired
        ) {
            response
                .headers_mut()
                .insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response.extensions_mut().insert(ErrorCode(self.code()));
        response
    }
}
