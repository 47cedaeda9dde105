//! Calls that the hosted platform holds: how they are bound to the visitors whose pages asked for them, what is kept of them
//! while they run and when they are over, and what is changed there from here. What the platform's messages look like is the
//! `platform` room's; that they come, `api::web_hook`'s.
//!
//! | question | module |
//! |---|---|
//! | whose call is it? | [`ticket`] |
//! | what is kept of it while it runs, and when is it given up? | [`under_way`] |
//! | what is kept of it when it is over? | [`report`] |
//! | what does our own reader make of it? | [`reading`] |
//! | where is it handed to? | [`transfer`] |
//! | what is not served here meanwhile? | [`refusal`] |
//! | how do our files get there? | [`push`] |

pub mod push;
pub mod reading;
pub mod refusal;
pub mod report;
pub mod ticket;
pub mod transfer;
pub mod under_way;

use platform::Call;
use records::CallId;
use uuid::Uuid;

/// The call that a message is about, if it says so as the platform does.
pub fn id_of(call: Option<&Call>) -> Option<CallId> {
    Some(CallId(call?.id.parse::<Uuid>().ok()?))
}
