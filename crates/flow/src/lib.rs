//! What to do next in a conversation with a person in crisis.
//!
//! Start with [`Conversation`]: one call, from the greeting to the case note. Give it what
//! happened ([`Event`]) with the offset from the call's start, then take what it wants said and done
//! ([`Reply`]):
//!
//! ```
//! use std::{sync::Arc, time::Duration};
//! use flow::{AssistantScript, Conversation, Event, Medium, Setup};
//!
//! let mut conversation = Conversation::new(Setup {
//!     called_at: "2026-11-20T23:10:00".parse().unwrap(),
//!     assistant: Arc::new(AssistantScript::built_in()),
//!     medium: Medium::Speech,
//! });
//! conversation.handle(Event::CallStarted, Duration::ZERO);
//! for sentence in conversation.take_reply().sentences {
//!     println!("{}", sentence.expose_secret());
//! }
//! ```
//!
//! Each caller turn passes four small steps:
//!
//! - a reader, which is not here: words → a [`reading::Reading`], signals and facts, each with the
//!   caller's own words as evidence;
//! - `machine`: signals and facts → moves, by the specification's steps 1 to 6;
//! - `wording`: moves → sentences;
//! - `note`: everything heard → the case note a duty officer reads.
//!
//! What a chat model proposes comes in as data: signals before a turn
//! ([`Conversation::suggest`]), words after it ([`Conversation::reword`]), a note's first sentences
//! at the end ([`Conversation::note_told`]). `held` lets through what keeps to the caller's words
//! and to what was decided; the rest is dropped.
//!
//! There is no clock, randomness, IO or async here, and nothing that blocks: the same events give
//! the same commands, so a conversation can be cloned to prepare a reply and thrown away if the
//! caller speaks on.

mod agencies;
mod conversation;
mod end_reason;
mod held;
mod hint;
mod knowledge;
mod machine;
mod note;
mod program;
pub mod reading;
mod reply;
mod script;
mod step;
mod text;
mod wording;

pub use agencies::{Agency, Contact, Directory, TransferMode, UnknownAgency};
pub use conversation::{Command, Conversation, Event, Medium, RestoreError, Setup, Unreached};
pub use end_reason::{EndReason, UnknownEndReason};
pub use held::{Brief, Suggestion, ToldSentence, Unfit};
pub use hint::{Hint, UnknownHint};
pub use knowledge::{Entry, Knowledge};
pub use machine::Question;
pub use note::{AbuseType, CaseNote, Evidence, StructuredData};
pub use program::ProgramsWords;
pub use redact::Secret;
pub use reply::{Afterwards, Reply};
pub use script::{AssistantScript, OwnWords, ScriptError};
pub use step::Step;
