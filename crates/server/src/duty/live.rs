//! One live call, as desks see it.

use std::sync::Arc;

use call::{CallEvent, Speaker};
use desk::{AccountId, Case};
use flow::{Agency, CaseNote, Step};
use jiff::{SignedDuration, Timestamp};
use redact::Secret;
use turn::Ring;

use super::account_of;

/// Captions kept of a call, for who opens it late: an hour's talk is fewer.
const MOST_CAPTIONS: usize = 2_000;

/// Between two captions of one call that are not final yet: nobody reads faster.
const PARTIAL_EVERY: SignedDuration = SignedDuration::from_millis(250);

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
    /// Those who were put through to the caller, the latest last.
    talking: Vec<AccountId>,
    /// Those who had it while somebody is to be reached, and gave it back.
    given_back: Vec<AccountId>,
    /// As it stood after the caller's last turn.
    pub note: Option<Box<CaseNote>>,
    /// The final ones. Whoever looks at the call shares them.
    pub captions: Arc<Vec<Caption>>,
    /// What the assistant has begun to say of what it is saying.
    saying: Option<Secret<String>>,
    /// When a caption was told last that was not final.
    partial_at: Option<Timestamp>,
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
    /// Otherwise it stands in for its speaker's next words, until those are final.
    pub is_final: bool,
}

/// What was said or found in a call, for those who have it open.
#[derive(Debug)]
pub enum Words {
    Said(Caption),
    /// The note as it stands now.
    Noted(Box<CaseNote>),
}

/// What of a call is other than it was.
pub(super) struct Changed {
    pub stands_otherwise: bool,
    pub words: Option<Words>,
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
            talking: Vec::new(),
            given_back: Vec::new(),
            note: None,
            captions: Arc::default(),
            saying: None,
            partial_at: None,
        }
    }

    /// As much of it as tells whether this account may see it. Each of several who talk with the caller may, for as long as they do,
    /// as if they had it alone.
    pub fn case_for(&self, account: AccountId) -> Case {
        let is_on_it = self.keeps_busy(account);
        Case {
            agency: self.agency,
            taken_by: is_on_it.then_some(account).or(self.officer),
        }
    }

    /// Whether it is this account's, or this account talks with the caller beside whoever has it.
    pub fn keeps_busy(&self, account: AccountId) -> bool {
        self.officer == Some(account) || self.talking.contains(&account)
    }

    pub(super) fn take_in(&mut self, event: &CallEvent, now: Timestamp) -> Changed {
        let mut words = None;
        let stands_otherwise = match event {
            CallEvent::Started => true,
            CallEvent::Noted { note } => {
                let facts = &note.structured_data;
                let before = (self.agency, self.urgent);
                self.agency = facts.transfer_to.or(self.agency);
                self.urgent = facts.urgent;
                self.note = Some(note.clone());
                words = Some(Words::Noted(note.clone()));
                before != (self.agency, self.urgent)
            }
            CallEvent::Stepped { step } => std::mem::replace(&mut self.step, *step) != *step,
            CallEvent::Transferred { agency, .. } => {
                self.agency = Some(*agency);
                true
            }
            CallEvent::OfficersRung { .. } => {
                self.is_nobodys();
                self.comes_to(Stage::Ringing, now)
            }
            CallEvent::OfficerAccepted { officer } => {
                self.officer = Some(account_of(*officer));
                self.comes_to(Stage::Accepted, now)
            }
            CallEvent::OfficerJoined { officer } => {
                let officer = account_of(*officer);
                self.talking.retain(|talks| *talks != officer);
                self.talking.push(officer);
                self.officer = Some(officer);
                self.comes_to(Stage::Officer, now)
            }
            CallEvent::CallerOnHold => self.comes_to(Stage::OnHold, now),
            CallEvent::HoldEndsSoon { within } => {
                self.hold_ends_at = Some(now + *within);
                true
            }
            CallEvent::CallerOffHold => self.comes_to(Stage::Officer, now),
            CallEvent::OfficersUnreached { .. } => {
                self.is_nobodys();
                self.comes_to(Stage::Assistant, now)
            }
            CallEvent::OfficerLeft { officer } | CallEvent::OfficerNeverCame { officer } => {
                self.is_left_by(account_of(*officer))
            }
            CallEvent::Transcript {
                speaker,
                words: heard,
                is_final,
            } => {
                let said = match *is_final {
                    true => Some(self.was_said(*speaker, heard, now)),
                    false => self.is_being_said(*speaker, heard, now),
                };
                words = said.map(Words::Said);
                false
            }
            CallEvent::SpeechStarted { .. }
            | CallEvent::SpeechStopped { .. }
            | CallEvent::Interrupted { .. }
            | CallEvent::AnsweredLate
            | CallEvent::LookedUp { .. }
            | CallEvent::OfficerAlsoRung { .. }
            | CallEvent::Ended { .. } => false,
        };
        Changed {
            stands_otherwise,
            words,
        }
    }

    fn was_said(&mut self, speaker: Speaker, words: &Secret<String>, now: Timestamp) -> Caption {
        if speaker == Speaker::Assistant {
            self.saying = None;
        }
        let caption = Caption {
            speaker,
            words: words.clone(),
            at: now,
            is_final: true,
        };
        let is_empty = words.expose_secret().is_empty();
        if !is_empty && self.captions.len() < MOST_CAPTIONS {
            Arc::make_mut(&mut self.captions).push(caption.clone());
        }
        caption
    }

    /// The caller's come whole, each a better guess; the assistant's sentence by sentence.
    fn is_being_said(
        &mut self,
        speaker: Speaker,
        words: &Secret<String>,
        now: Timestamp,
    ) -> Option<Caption> {
        let mut words = words.clone();
        if speaker == Speaker::Assistant {
            if let Some(before) = &self.saying {
                let both = format!("{} {}", before.expose_secret(), words.expose_secret());
                words = Secret::new(both);
            }
            self.saying = Some(words.clone());
        }
        // A clock that was set back is to hold up nothing.
        let too_soon = |last: Timestamp| now.duration_since(last).abs() < PARTIAL_EVERY;
        if self.partial_at.is_some_and(too_soon) {
            return None;
        }
        self.partial_at = Some(now);
        Some(Caption {
            speaker,
            words,
            at: now,
            is_final: false,
        })
    }

    /// Officers are rung for it: nobody has it. Those of its agency are where somebody is to be reached anew.
    pub(super) fn is_rung_for(&mut self, whom: Ring) {
        self.is_nobodys();
        if whom == Ring::Those {
            self.given_back.clear();
        }
    }

    pub(super) fn is_given_back(&mut self, officer: AccountId) {
        self.given_back.push(officer);
    }

    pub(super) fn was_given_back_by(&self, officer: AccountId) -> bool {
        self.given_back.contains(&officer)
    }

    fn is_nobodys(&mut self) {
        self.officer = None;
        self.talking.clear();
    }

    /// Of several who talk with the caller, who came last of those that stay has the call.
    fn is_left_by(&mut self, officer: AccountId) -> bool {
        self.talking.retain(|talks| *talks != officer);
        let had_it = self.officer == Some(officer);
        if had_it {
            self.officer = self.talking.last().copied();
        }
        had_it
    }

    fn comes_to(&mut self, stage: Stage, now: Timestamp) -> bool {
        self.stage = stage;
        self.since = now;
        self.hold_ends_at = None;
        true
    }
}
