//! Between a call and the people on duty: what the desk is asked to do, and what it tells a call.
//!
//! Who is on duty, for which agency and language, and how a desk rings, is the desk's own.

use flow::{Agency, Hint};
use turn::{NotTaken, NotTalking, Ring, Unreached};
use uuid::Uuid;

use crate::legs::OfficerId;
use crate::media::Transport;
use crate::request::Request;

/// The people on duty, as a call reaches them. Nothing here waits: a call goes on meanwhile.
pub trait DutyDesk: Send + Sync {
    /// Whether anybody is there who could be rung. Where nobody is, the call ends as a transfer does
    /// that nobody answers.
    fn anyone_on_duty(&self) -> bool;

    /// Rings those on duty for this agency, or all; those that ring already ring on. Nobody has the call: who had it and was lost is
    /// rung as well. Whose desk rings now.
    fn ring(&self, call: Uuid, agency: Agency, whom: Ring) -> Vec<OfficerId>;

    /// This officer has given the call back: as long as it is tried to reach somebody, they are not rung for it.
    fn given_back(&self, call: Uuid, officer: OfficerId);

    /// Nobody is rung for this call any more: this officer has it, or nobody is to.
    fn stop_ringing(&self, call: Uuid, taken_by: Option<OfficerId>);

    /// Nobody talks with this caller, who was told that somebody would: it is to be seen at once.
    fn alert(&self, call: Uuid, why: Unreached);
}

/// How an officer comes to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Joining {
    /// They have accepted it.
    Accepted,
    /// To hear it, unheard.
    Listening,
    /// To hear it, and to be heard by the officers on it alone.
    Coaching,
}

/// What the desk tells a live call.
pub(crate) enum FromDesk {
    Accepted {
        officer: OfficerId,
        request: Request<Result<(), NotTaken<OfficerId>>>,
    },
    AllDeclined,
    /// This officer, who could not be rung when it began to ring, is rung too.
    AlsoRung {
        officer: OfficerId,
    },
    /// An officer's line. It is closed where the call is not theirs.
    Joined {
        officer: OfficerId,
        joining: Joining,
        line: Box<dyn Transport>,
    },
    /// They need not hear more of the briefing.
    Ready {
        officer: OfficerId,
    },
    /// They take the call from whoever has it.
    TookOver {
        officer: OfficerId,
        request: Request<bool>,
    },
    /// They put the caller, with whom they talk, on hold.
    PutsOnHold {
        officer: OfficerId,
        request: Request<Result<(), NotTalking>>,
    },
    /// They take the caller back.
    TakesBack {
        officer: OfficerId,
        request: Request<Result<(), NotTalking>>,
    },
    /// A supervisor whispers this to the assistant.
    Hinted {
        hint: Hint,
    },
    /// They are done: the call ends if the caller has heard them, and goes on if the caller is on hold.
    Left {
        officer: OfficerId,
        request: Request<bool>,
    },
}
