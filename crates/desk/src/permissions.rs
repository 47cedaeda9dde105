//! Who may do what at the desk: one table. What is not in it nobody may do.
//!
//! Supervisors see every case and officers those of their agencies. Whoever manages accounts sees no case, and whoever reads
//! the audit trail sees none either: nobody can give themselves sight of a caller and take it off the trail again.

use std::fmt;
use std::str::FromStr;

use flow::Agency;

use crate::account::{Account, AccountId};

/// What an account is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// Reads cases and follows up.
    Officer,
    /// Answers for the night: every case, and live calls.
    Supervisor,
    /// Manages accounts and settings.
    Administrator,
    /// Reads the audit trail.
    Auditor,
}

/// How far a role may do something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Extent {
    Never,
    /// With cases of the account's agencies, and with those it has taken itself.
    OwnAgency,
    All,
}

use Extent::{All, Never, OwnAgency};

macro_rules! permissions {
    ($($(#[doc = $meaning:literal])* $act:ident $code:literal: $officer:ident $supervisor:ident $administrator:ident $auditor:ident,)+) => {
        /// Everything that can be done at the desk.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Act {
            $($(#[doc = $meaning])* $act,)+
        }

        impl Act {
            pub const ALL: &[Self] = &[$(Self::$act),+];

            /// As descriptions and answers name it.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$act => $code,)+
                }
            }

            /// How far each role may, in the order of [`Role::ALL`].
            const fn extents(self) -> [Extent; 4] {
                match self {
                    $(Self::$act => [$officer, $supervisor, $administrator, $auditor],)+
                }
            }
        }
    };
}

permissions! {
    //                                           officer   supervisor administrator auditor
    /// See one's own account, and sign out.
    SeeOwnAccount      "see-own-account":        All       All       All       All,
    /// See which cases wait and which calls are live.
    SeeQueue           "see-queue":              OwnAgency All       Never     Never,
    /// See a case's note and words, and the captions of a call as they are spoken.
    SeeCase            "see-case":               OwnAgency All       Never     Never,
    /// Enter a call that was taken elsewhere.
    EnterCase          "enter-case":             OwnAgency All       Never     Never,
    /// Edit a case's note, its follow-ups and its action taken.
    EditNote           "edit-note":              OwnAgency All       Never     Never,
    CloseCase          "close-case":             OwnAgency All       Never     Never,
    /// Keep a record from being purged, or let it go again.
    HoldRecord         "hold-record":            OwnAgency All       Never     Never,
    /// Take cases out of the desk as a file; answer an access request.
    Export             "export":                 Never     All       Never     Never,
    /// Accept or decline a call that rings. After a while every officer is rung.
    AcceptCall         "accept-call":            All       All       Never     Never,
    /// Hear a live call without being heard.
    ListenIn           "listen-in":              Never     All       Never     Never,
    /// Hint to the assistant or the officer of a live call.
    Whisper            "whisper":                Never     All       Never     Never,
    /// Take a live call over.
    TakeOver           "take-over":              Never     All       Never     Never,
    /// Read the morning report.
    ReadReport         "read-report":            OwnAgency All       Never     Never,
    /// Say whether one is on duty oneself.
    TakeShift          "take-shift":             All       All       Never     Never,
    /// Plan others' shifts.
    ManageShifts       "manage-shifts":          Never     All       Never     Never,
    /// Invite, change and close accounts.
    ManageAccounts     "manage-accounts":        Never     Never     All       Never,
    ChangeSettings     "change-settings":        Never     Never     All       Never,
    ReadAudit          "read-audit":             Never     Never     Never     All,
}

/// As much of a case as tells whose it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Case {
    /// Where it was brought to. Without one it is nobody's yet: supervisors see it, and who has taken it.
    pub agency: Option<Agency>,
    pub taken_by: Option<AccountId>,
}

impl Role {
    /// How far an account of this role may do this.
    pub const fn extent(self, act: Act) -> Extent {
        act.extents()[self as usize]
    }
}

impl Account {
    /// How far this account may do this: what a list of cases is narrowed to.
    pub fn extent(&self, act: Act) -> Extent {
        self.role.extent(act)
    }

    /// Whether this account may do this at all, with some case or none.
    pub fn may(&self, act: Act) -> bool {
        self.extent(act) != Never
    }

    /// Whether this account may do this with that case.
    pub fn may_with(&self, act: Act, case: Case) -> bool {
        match self.extent(act) {
            Never => false,
            All => true,
            OwnAgency => {
                let of_theirs = |agency| self.agencies.contains(&agency);
                case.agency.is_some_and(of_theirs) || case.taken_by == Some(self.id)
            }
        }
    }
}

impl Role {
    pub const ALL: [Self; 4] = [
        Self::Officer,
        Self::Supervisor,
        Self::Administrator,
        Self::Auditor,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Officer => "officer",
            Self::Supervisor => "supervisor",
            Self::Administrator => "administrator",
            Self::Auditor => "auditor",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a role: use officer, supervisor, administrator or auditor")]
pub struct NotARole;

impl FromStr for Role {
    type Err = NotARole;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut all = Self::ALL.into_iter();
        all.find(|role| role.as_str() == text).ok_or(NotARole)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::collections::BTreeSet;

    use super::*;
    use crate::account::tests::account_of;

    /// What shows, or lets one hear, what a caller said.
    const CONTENT: [Act; 10] = [
        Act::SeeQueue,
        Act::SeeCase,
        Act::EnterCase,
        Act::EditNote,
        Act::Export,
        Act::AcceptCall,
        Act::ListenIn,
        Act::Whisper,
        Act::TakeOver,
        Act::ReadReport,
    ];

    #[test]
    fn whoever_manages_accounts_or_reads_the_trail_sees_nothing_of_a_caller() {
        for role in [Role::Administrator, Role::Auditor] {
            for act in CONTENT {
                assert_eq!(role.extent(act), Never, "{role} {}", act.as_str());
            }
        }
    }

    #[test]
    fn accounts_and_the_trail_are_each_in_the_hands_of_one_role() {
        for (act, only) in [
            (Act::ManageAccounts, Role::Administrator),
            (Act::ChangeSettings, Role::Administrator),
            (Act::ReadAudit, Role::Auditor),
        ] {
            for role in Role::ALL {
                let expected = if role == only { All } else { Never };
                assert_eq!(role.extent(act), expected, "{role} {}", act.as_str());
            }
        }
    }

    #[test]
    fn a_supervisor_may_do_with_every_case_what_an_officer_may_with_their_own() {
        for act in Act::ALL {
            if Role::Officer.extent(*act) != Never {
                assert_eq!(Role::Supervisor.extent(*act), All, "{}", act.as_str());
            }
        }
    }

    #[test]
    fn an_officer_sees_the_cases_of_their_agencies_and_those_they_have_taken() {
        let mut officer = account_of(Role::Officer);
        officer.agencies = [Agency::Pave, Agency::Navh].into();
        let case = |agency, taken_by| Case { agency, taken_by };
        let sees = |case| officer.may_with(Act::SeeCase, case);
        assert!(sees(case(Some(Agency::Pave), None)));
        assert!(!sees(case(Some(Agency::Sos), None)));
        assert!(
            !sees(case(None, None)),
            "a case of no agency is a supervisor's"
        );
        assert!(sees(case(Some(Agency::Sos), Some(officer.id))));
        let colleague = account_of(Role::Officer).id;
        assert!(!sees(case(Some(Agency::Sos), Some(colleague))));
        assert!(sees(case(Some(Agency::Pave), Some(colleague))));
    }

    #[test]
    fn a_role_with_every_case_needs_no_agency_and_one_with_none_is_helped_by_none() {
        let mut supervisor = account_of(Role::Supervisor);
        supervisor.agencies.clear();
        assert!(supervisor.may_with(Act::SeeCase, Case::default()));
        let mut administrator = account_of(Role::Administrator);
        administrator.agencies = Agency::ALL.into();
        let own = Case {
            agency: Some(Agency::Spf),
            taken_by: Some(administrator.id),
        };
        assert!(!administrator.may(Act::SeeCase) && !administrator.may_with(Act::SeeCase, own));
    }

    #[test]
    fn acts_and_roles_have_names_of_their_own() {
        let names: BTreeSet<&str> = Act::ALL.iter().map(|act| act.as_str()).collect();
        assert_eq!(names.len(), Act::ALL.len());
        for role in Role::ALL {
            assert_eq!(role.as_str().parse(), Ok(role));
        }
        assert_eq!("Officer".parse::<Role>(), Err(NotARole));
    }
}
