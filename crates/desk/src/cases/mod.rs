//! Cases: what duty officers do with a call that has ended, and how none is left lying.
//!
//! | question | module |
//! |---|---|
//! | what is a case? | here |
//! | what may be done with one as it stands? | [`rules`], one table |
//! | which is next, and when does a case come back that nobody touches? | [`queue`] |
//! | what can an officer of this agency have done? | [`actions`], as data |
//! | whose is this telephone number? | [`caller_number`] |
//! | what keeps a record, and what is told of a caller who asks? | `forgetting` |
//! | what must every database do? | [`store`] |
//!
//! A case has the id of its call, whose record it stands beside: the machine's note stays as it is, and the officer's version
//! is here. What was told on the telephone or at a counter has a case and no record. What people do with cases is in
//! `work`, what the server does in `by_itself`; a change is written together with what the case's own history and the audit
//! trail say of it.

pub mod actions;
pub mod caller_number;
pub mod queue;
pub mod rules;
pub mod store;

mod by_itself;
mod forgetting;
mod postgres;
mod rows;
mod sqlite;
mod work;

use std::fmt;
use std::str::FromStr;

use flow::{Agency, StructuredData};
use jiff::Timestamp;
use records::CallId;
use redact::{Secret, expose_secret};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::account::AccountId;
use crate::permissions::Case;
use caller_number::CallerDigest;

pub use by_itself::EndedCall;
pub use forgetting::{Asked, CaseOfCaller};
pub use work::{CaseError, Deed, EnteredCall, FollowUpChange, NewFollowUp, NoteWords};

macro_rules! named {
    ($(#[$doc:meta])* $name:ident, $problem:ident $expected:literal { $($(#[doc = $meaning:literal])* $variant:ident $code:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[doc = $meaning])* $variant,)+
        }

        impl $name {
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $code,)+
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        #[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
        #[error($expected)]
        pub struct $problem;

        impl FromStr for $name {
            type Err = $problem;

            fn from_str(text: &str) -> Result<Self, $problem> {
                let mut all = Self::ALL.iter().copied();
                all.find(|it| it.as_str() == text).ok_or($problem)
            }
        }
    };
}

named! {
    /// How it came to the desk.
    CaseKind, NotAKind "not a kind of case: use webCall, chat or elsewhere" {
        WebCall "webCall",
        Chat "chat",
        /// Taken by somebody on the telephone or at a counter, and entered by hand.
        Elsewhere "elsewhere",
    }
}

named! {
    CaseState, NotAState "not the state of a case: use waiting, taken or closed" {
        Waiting "waiting",
        /// Somebody answers for it.
        Taken "taken",
        Closed "closed",
    }
}

named! {
    /// What came of it.
    Outcome, NotAnOutcome "not an outcome: use helped, referred, not-reached or no-action-needed" {
        Helped "helped",
        /// Somebody else goes on with it.
        Referred "referred",
        NotReached "not-reached",
        NoActionNeeded "no-action-needed",
    }
}

named! {
    FollowUpKind, NotAFollowUp "not a kind of follow-up: use task or call-back" {
        Task "task",
        /// The caller is to be rung.
        CallBack "call-back",
    }
}

named! {
    /// What was done with a case, as its history has it.
    Did, NothingDone "not an act of a case" {
        /// The server made it of a call that has ended.
        Made "made",
        /// Somebody entered a call that was taken elsewhere.
        Entered "entered",
        Took "took",
        GaveBack "gave back",
        /// The server put it back into the queue, as nobody had touched it.
        Returned "returned",
        EditedNote "edited note",
        NotedAction "noted action",
        ChangedNumber "changed number",
        AddedFollowUp "added follow-up",
        ChangedFollowUp "changed follow-up",
        DidFollowUp "did follow-up",
        OpenedFollowUp "opened follow-up",
        Closed "closed",
        Reopened "reopened",
        Held "held",
        EndedHold "ended hold",
    }
}

impl From<records::CallKind> for CaseKind {
    fn from(kind: records::CallKind) -> Self {
        match kind {
            records::CallKind::WebCall => Self::WebCall,
            records::CallKind::Chat => Self::Chat,
        }
    }
}

/// A case as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredCase {
    pub call_id: CallId,
    pub kind: CaseKind,
    pub started_at: Timestamp,
    pub ended_at: Timestamp,
    /// Where it was brought to; an officer's note can bring it elsewhere.
    pub agency: Option<Agency>,
    pub urgent: bool,
    pub state: CaseState,
    /// It is in this state since.
    pub since: Timestamp,
    /// Who answers for it; of a closed case, who did.
    pub taken_by: Option<AccountId>,
    /// When somebody last did something with it.
    pub touched_at: Timestamp,
    /// How often it came back because nobody touched it.
    pub returned: u32,
    /// With the state `closed`, and only then.
    pub closing: Option<Closing>,
    /// When its record is to be deleted, at the latest: known once it is closed.
    pub keep_until: Option<Timestamp>,
    /// Of the number in its content.
    pub caller: Option<CallerDigest>,
    /// From 1 on; counts changes of the content and of the state.
    pub version: i64,
    /// None where it cannot be opened or read. Then nothing is changed of the case.
    pub content: Option<CaseContent>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Closing {
    pub outcome: Outcome,
    pub by: AccountId,
}

impl StoredCase {
    /// As much of it as tells whose it is.
    pub fn whose(&self) -> Case {
        Case {
            agency: self.agency,
            taken_by: self.taken_by,
        }
    }

    /// Whether it waits again, after somebody had it and did nothing.
    pub fn is_escalated(&self) -> bool {
        self.state == CaseState::Waiting && self.returned > 0
    }

    /// The officer's title, or else the machine's.
    pub fn title(&self) -> Option<&Secret<String>> {
        let content = self.content.as_ref()?;
        let edited = content.note.as_ref().map(|note| &note.summary_title);
        edited.or(content.machine_title.as_ref())
    }
}

/// What of a case is sealed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CaseContent {
    /// That of the record's note, for the list.
    #[serde(serialize_with = "expose_secret")]
    pub machine_title: Option<Secret<String>>,
    /// The officers' version; none while there is only the machine's.
    pub note: Option<EditedNote>,
    /// As [`CallerNumber`](caller_number::CallerNumber) writes it.
    #[serde(serialize_with = "expose_secret")]
    pub caller_number: Option<Secret<String>>,
    pub action_taken: Option<ActionTaken>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EditedNote {
    #[serde(serialize_with = "expose_secret")]
    pub summary_title: Secret<String>,
    #[serde(serialize_with = "expose_secret")]
    pub summary: Secret<String>,
    pub structured_data: StructuredData,
    pub by: AccountId,
    pub at: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ActionTaken {
    /// Codes of the [list](actions).
    pub actions: Vec<String>,
    #[serde(serialize_with = "expose_secret")]
    pub words: Secret<String>,
    pub by: AccountId,
    pub at: Timestamp,
}

/// Something still to be done in a case, or done.
#[derive(Debug, Clone, PartialEq)]
pub struct FollowUp {
    pub id: Uuid,
    pub call_id: CallId,
    pub kind: FollowUpKind,
    pub words: Secret<String>,
    pub due_at: Timestamp,
    pub owner: Option<AccountId>,
    pub done: Option<Done>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Done {
    pub by: AccountId,
    pub at: Timestamp,
}

/// A record is kept from being deleted.
#[derive(Debug, Clone, PartialEq)]
pub struct Hold {
    pub by: AccountId,
    pub at: Timestamp,
    pub reason: Secret<String>,
}

/// One line of a case's history.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseAct {
    /// From 1 on, in their order.
    pub number: i64,
    pub at: Timestamp,
    /// None: the server by itself.
    pub who: Option<AccountId>,
    pub did: Did,
    /// None where there are none, or they cannot be opened.
    pub words: Option<Secret<String>>,
}

/// A case with all that can change of it.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseFile {
    pub case: StoredCase,
    /// Those that are due first before the others, done ones too.
    pub follow_ups: Vec<FollowUp>,
    pub hold: Option<Hold>,
}

/// A case as a list shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedCase {
    pub case: StoredCase,
    pub open_follow_ups: u32,
    /// Of the follow-ups that are not done.
    pub next_due_at: Option<Timestamp>,
    pub held: bool,
}

impl CaseFile {
    pub fn listed(&self) -> ListedCase {
        let open = || self.follow_ups.iter().filter(|it| it.done.is_none());
        ListedCase {
            case: self.case.clone(),
            open_follow_ups: u32::try_from(open().count()).unwrap_or(u32::MAX),
            next_due_at: open().map(|it| it.due_at).min(),
            held: self.hold.is_some(),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    #![allow(clippy::unwrap_used)]

    use std::collections::BTreeSet;

    use super::*;

    /// A case that waits, brought there.
    pub(crate) fn waiting(agency: Agency) -> StoredCase {
        let at = Timestamp::from_second(1_800_000_000).unwrap();
        StoredCase {
            call_id: CallId::random(),
            kind: CaseKind::WebCall,
            started_at: at,
            ended_at: at,
            agency: Some(agency),
            urgent: false,
            state: CaseState::Waiting,
            since: at,
            taken_by: None,
            touched_at: at,
            returned: 0,
            closing: None,
            keep_until: None,
            caller: None,
            version: 1,
            content: Some(CaseContent::default()),
        }
    }

    #[test]
    fn what_is_stored_by_name_has_a_name_of_its_own_and_is_read_back() {
        let names: BTreeSet<&str> = Did::ALL.iter().map(|did| did.as_str()).collect();
        assert_eq!(names.len(), Did::ALL.len());
        for did in Did::ALL {
            assert_eq!(did.as_str().parse(), Ok(*did));
        }
        for outcome in Outcome::ALL {
            assert_eq!(outcome.as_str().parse(), Ok(*outcome));
        }
        assert_eq!("Helped".parse::<Outcome>(), Err(NotAnOutcome));
    }

    #[test]
    fn a_case_is_escalated_while_it_waits_again() {
        let case = waiting(Agency::Pave);
        assert!(!case.is_escalated());
        let returned = StoredCase {
            returned: 1,
            ..case
        };
        assert!(returned.is_escalated());
        let taken = StoredCase {
            state: CaseState::Taken,
            ..returned
        };
        assert!(!taken.is_escalated(), "somebody has it");
    }

    #[test]
    fn the_officers_title_stands_before_the_machines() {
        let mut case = waiting(Agency::Pave);
        let title = |case: &StoredCase| case.title().map(|it| it.expose_secret().clone());
        assert_eq!(title(&case), None);
        let content = case.content.as_mut().unwrap();
        content.machine_title = Some(Secret::new("the machine's".to_owned()));
        assert_eq!(title(&case).as_deref(), Some("the machine's"));
    }

    #[test]
    fn what_a_content_holds_is_not_told_by_printing_it() {
        let content = CaseContent {
            caller_number: Some(Secret::new("+6591234567".to_owned())),
            ..CaseContent::default()
        };
        assert!(!format!("{content:?}").contains("91234567"));
        let stored = serde_json::to_string(&content).unwrap();
        assert_eq!(
            serde_json::from_str::<CaseContent>(&stored).unwrap(),
            content
        );
    }
}
