//! One live call: media in and out, and the loop that joins turn-taking, the
//! conversation and speech.
//!
//! Read [`Switchboard`] first: it admits calls and gives each its own task. A call
//! is a `LiveCall` (its loop) over a [`media::Transport`] (how the caller is
//! reached), between three pure or provider-neutral parts: [`turn::Floor`] (when),
//! [`flow::Conversation`] (what) and the speech engines (ears and voice). What
//! happens leaves as [`CallEvent`]s and, turn by turn, through the [`Journal`].
//!
//! A warm transfer brings duty officers onto the call, each on a leg of their own; [`DutyDesk`] is
//! where they are found, and [`turn::HandOver`] decides what happens on the way.
//!
//! It deliberately knows nothing of HTTP, databases, sessions or settings.

mod app_messages;
mod call_voice;
mod chat_model;
mod duty_desk;
mod ear;
mod events;
mod fallback;
mod legs;
mod live_call;
mod manner;
pub mod media;
mod playout;
mod reading;
mod real_time;
mod request;
mod spoken;
mod switchboard;
pub mod traces;
mod uncounted;
mod under_way;

pub use call_voice::fixed_sentences;
pub use chat_model::{ChatModel, HeardTurn};
pub use duty_desk::{DutyDesk, Joining};
pub use events::{
    CallEvent, CallStarted, CutOff, EndedCall, Journal, JournalError, SavedTurn, Speaker,
    SpokenMessage,
};
pub use legs::OfficerId;
pub use live_call::SAVE_BOUND;
pub use manner::Manner;
pub use reading::read;
pub use switchboard::{
    AllLinesBusy, CallsByState, Line, NewCall, NotAccepted, Switchboard, SwitchboardParts, Trial,
    TrialBroken,
};
pub use under_way::UnderWay;

/// Singapore has had one offset, and no summer time, since 1982.
pub const SINGAPORE: jiff::tz::Offset = jiff::tz::Offset::constant(8);

/// A moment as clocks in Singapore show it; the conversation reckons "last night"
/// and "on Tuesday" from it.
pub fn singapore_time(moment: jiff::Timestamp) -> jiff::civil::DateTime {
    SINGAPORE.to_datetime(moment)
}
