//! The voice platform's wire contract: the JSON that browsers, webhooks and the
//! hosted platform (Vapi's API) exchange with us, as types.
//!
//! | question | module |
//! |---|---|
//! | how is a call asked for, and what does the answer hold? | [`call`] |
//! | how does a written conversation go? | [`chat`] |
//! | what do page and assistant say to each other during a call? | [`app_message`] |
//! | what does a webhook receive, and what may it reply? | [`server_message`] |
//! | what happened in a call: the payloads both of these carry | [`event`] |
//! | what is told of a chat, a session or an assistant that begins or ends | [`lifecycle`] |
//! | what was said, and what was made of it | [`conversation`], [`call_info`] |
//! | what does a program keep, and of what types are its fields? | [`resource`] |
//! | how are calls counted? | [`analytics`] |
//! | what happened in calls, without a word of it? | [`log`] |
//! | what does a written conversation look like to who knows OpenAI's responses? | [`response`] |
//! | what is wrong with a body, said safely | [`invalid`] |
//!
//! Reading is forgiving where the platform may grow (unknown fields, roles and
//! reasons pass) and exact where we rely on a field: the error names its path and what
//! was expected, and never repeats the value, which may be the caller's words.
//! Everything a caller said, or that was made from it, is a [`redact::Secret`].
//!
//! This crate sends nothing, stores nothing and decides nothing.

pub mod analytics;
pub mod app_message;
pub mod call;
pub mod call_info;
pub mod chat;
pub mod conversation;
pub mod event;
pub mod invalid;
pub mod lifecycle;
pub mod log;
mod only_objects;
pub mod resource;
pub mod response;
pub mod server_message;
pub mod time;
pub mod told;

pub use app_message::{
    AddMessage, AssistantMessage, ClientMessage, Control, ControlKind, MessageRefused, Say,
};
pub use call::{
    ArtifactPlan, AssistantOverrides, AudioFormat, Call, CallAssistant, CallKind, CallStatus,
    CallTransport, CreateCall, CreateWebCall, DeleteCalls, IceServer, Inline, Monitor,
    ProgramsCall, RequestedTransport, Target, TransportProvider, UpdateCall, VoiceChoice,
};
pub use call_info::{CallInfo, Evidence, ListedCall, ShownNotice, StructuredData, TransferTo};
pub use chat::{
    Chat, ChatDelta, ChatInput, ChatTarget, ChatTransfer, ChatTransferMode, CreateChat,
};
pub use conversation::{Artifact, ConversationMessage, MessageRole, OpenAiMessage};
pub use event::{
    Analysis, ConversationUpdate, Destination, EndOfCallReport, Hang, ModelOutput, SpeakerRole,
    SpeechStatus, SpeechUpdate, StatusUpdate, ToolCall, ToolCalls, Transcript, TranscriptType,
    TransferDestinationRequest, TransferUpdate, UserInterrupted, VoiceInput,
};
pub use invalid::{ApiErrorBody, Invalid, read};
pub use lifecycle::{AssistantStarted, ChatEvent, SessionEvent};
pub use server_message::{
    ServerEvent, ServerMessage, SpokenMessage, SpokenVariant, ToolCallResult, ToolCallsReply,
    TransferDestinationReply,
};
pub use told::ToldBody;
