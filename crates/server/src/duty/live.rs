//! One live call, as desks see it.

use call::{CallEvent, Speaker};
use desk::{AccountId, Case};
use flow::{Agency, CaseNote, Step};
use jiff::Timestamp;
use redact::Secret;

use super::account_of;

/// Captions kept of a call, for who opens it late: an hour's talk is fewer.
const MOST_CAPTIONS: usize = 2_000;

#[derive(Debug, Clone)]
pub struct LiveCall {
    pub started_at: Timestamp,
    pub stage: Stage,
    /// When it came to that.
    pub since: Timestamp,
    /// Where the flow would bring it, or has.
    pub agency: Option<Agency>,
    pub urgent: bool,
    /// Where the conversation is.
    pub step: Step,
    /// When a caller on hold is put back by itself, once that is soon.
    pub hold_ends_at: Option<Timestamp>,
    /// Who has it.
    pub officer: Option<AccountId>,
    /// As it stood after the caller's last turn.
    pub note: Option<Box<CaseNote>>,
    pub captions: Vec<Caption>,
}

/// Who has the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    Assistant,
    /// The assistant, while officers are rung.
    Ringing,
    /// The assistant, while the officer who accepted is being told what it is about.
    Accepted,
    Officer,
    /// The assistant, while the officer who talks with the caller has put them on hold.
    OnHold,
}

impl Stage {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Assistant => "assistant",
            Self::Ringing => "ringing",
            Self::Accepted => "accepted",
            Self::Officer => "officer",
            Self::OnHold => "on-hold",
        }
    }

    /// Whether the caller is an officer's, who has been put through to them.
    pub fn is_an_officers(self) -> bool {
        matches!(self, Self::Officer | Self::OnHold)
    }
}

/// Something that was said.
#[derive(Debug, Clone)]
pub struct Caption {
    pub speaker: Speaker,
    pub words: Secret<String>,
    pub at: Timestamp,
}

/// What of a call is other than it was.
#[derive(Default)]
pub(super) struct Changed {
    pub stands_otherwise: bool,
    pub caption: Option<Caption>,
}

impl LiveCall {
    pub(super) fn begun(now: Timestamp) -> Self {
        Self {
            started_at: now,
            stage: Stage::Assistant,
            since: now,
            agency: None,
            urgent: false,
            step: Step::Beginning,
            hold_ends_at: None,
            officer: None,
            note: None,
            captions: Vec::new(),
        }
    }

    /// As much of it as tells who may see it.
    pub fn case(&self) -> Case {
        Case {
            agency: self.agency,
            taken_by: self.officer,
        }
    }

    pub(super) fn take_in(&mut self, event: &CallEvent, now: Timestamp) -> Changed {
        let stands_otherwise = match event {
            CallEvent::Started => true,
            CallEvent::Noted { note } => {
                let facts = &note.structured_data;
                let before = (self.agency, self.urgent);
                self.agency = facts.transfer_to.or(self.agency);
                self.urgent = facts.urgent;
                self.note = Some(note.clone());
                before != (self.agency, self.urgent)
            }
            CallEvent::Stepped { step } => std::mem::replace(&mut self.step, *step) != *step,
            CallEvent::Transferred { agency, .. } => {
                self.agency = Some(*agency);
                true
            }
            CallEvent::OfficersRung { .. } => {
                self.officer = None;
                self.comes_to(Stage::Ringing, now)
            }
            CallEvent::OfficerAccepted { officer } => {
                self.officer = Some(account_of(*officer));
                self.comes_to(Stage::Accepted, now)
            }
            CallEvent::OfficerJoined { officer } => {
                self.officer = Some(account_of(*officer));
                self.comes_to(Stage::Officer, now)
            }
            CallEvent::CallerOnHold => self.comes_to(Stage::OnHold, now),
            CallEvent::HoldEndsSoon { within } => {
                self.hold_ends_at = Some(now + *within);
                true
            }
            CallEvent::CallerOffHold => self.comes_to(Stage::Officer, now),
            CallEvent::OfficersUnreached { .. } => {
                self.officer = None;
                self.comes_to(Stage::Assistant, now)
            }
            CallEvent::OfficerLeft { officer } => self
                .officer
                .take_if(|has_it| *has_it == account_of(*officer))
                .is_some(),
            CallEvent::Transcript {
                speaker,
                words,
                is_final: true,
            } => {
                let caption = Caption {
                    speaker: *speaker,
                    words: words.clone(),
                    at: now,
                };
                if self.captions.len() < MOST_CAPTIONS {
                    self.captions.push(caption.clone());
                }
                return Changed {
                    stands_otherwise: false,
                    caption: Some(caption),
                };
            }
            CallEvent::Transcript { .. }
            | CallEvent::SpeechStarted { .. }
            | CallEvent::SpeechStopped { .. }
            | CallEvent::Interrupted { .. }
            | CallEvent::AnsweredLate
            | CallEvent::LookedUp { .. }
            | CallEvent::Ended { .. } => false,
        };
        Changed {
            stands_otherwise,
            caption: None,
        }
    }

    fn comes_to(&mut self, stage: Stage, now: Timestamp) -> bool {
        self.stage = stage;
        self.since = now;
        self.hold_ends_at = None;
        true
    }
}
