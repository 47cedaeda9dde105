//! What may be done with a case as it stands: one table. Who may do it at all with cases of which agency is another, in
//! [`permissions`](crate::permissions), and is asked first.

use std::fmt;

use super::{CaseState, StoredCase};
use crate::account::{Account, AccountId};
use crate::permissions::{Act, Extent};

/// Who of those whom the permissions let, in a case that stands so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Who {
    None,
    /// Who may do it with every case, whosever it is: supervisors.
    OverAll,
    All,
}

use Who::{All, None, OverAll};

macro_rules! works {
    ($($(#[doc = $meaning:literal])* $work:ident $act:ident: $waiting:ident $own:ident $colleagues:ident $closed:ident,)+) => {
        /// What is done with a case.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Work {
            $($(#[doc = $meaning])* $work,)+
        }

        impl Work {
            pub const ALL: &[Self] = &[$(Self::$work),+];

            /// What one's role must include.
            pub fn act(self) -> Act {
                match self {
                    $(Self::$work => Act::$act,)+
                }
            }

            /// Who may: while it waits, is one's own, is a colleague's, is closed.
            const fn table(self) -> [Who; 4] {
                match self {
                    $(Self::$work => [$waiting, $own, $colleagues, $closed],)+
                }
            }
        }
    };
}

works! {
    //                              waiting own  colleague's closed
    Take           EditNote:        All     None OverAll     None,
    GiveBack       EditNote:        None    All  OverAll     None,
    /// The note, the action taken, the caller's number, a new follow-up. Two who edit the same version are told of each other.
    Edit           EditNote:        All     All  All         None,
    /// Somebody is at work on it, and has saved nothing yet.
    Touch          EditNote:        None    All  None        None,
    /// What is still to be done is done after the case was closed, too.
    ChangeFollowUp EditNote:        All     All  All         All,
    Close          CloseCase:       All     All  OverAll     None,
    Reopen         CloseCase:       None    None None        All,
    Hold           HoldRecord:      All     All  All         All,
}

/// Why something is not done with a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// For whoever asks there is no such case.
    NotSeen,
    TakenBy(AccountId),
    NotTaken,
    IsYours,
    Closed,
    NotClosed,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotSeen => "there is no such case",
            Self::TakenBy(_) => "a colleague has this case: ask them, or a supervisor",
            Self::NotTaken => "nobody has this case: take it first",
            Self::IsYours => "this case is yours already",
            Self::Closed => "this case is closed: open it again first",
            Self::NotClosed => "this case is open",
        })
    }
}

/// Whether this account may do this with this case, as both stand.
pub fn check(work: Work, case: &StoredCase, account: &Account) -> Result<(), Refusal> {
    let act = work.act();
    let sees = account.may_with(Act::SeeCase, case.whose());
    if !sees || !account.may_with(act, case.whose()) {
        return Err(Refusal::NotSeen);
    }
    let [waiting, own, colleagues, closed] = work.table();
    let (who, otherwise) = match (case.state, case.taken_by) {
        (CaseState::Closed, _) => (closed, Refusal::Closed),
        (CaseState::Taken, Some(by)) if by == account.id => (own, Refusal::IsYours),
        (CaseState::Taken, Some(by)) => (colleagues, Refusal::TakenBy(by)),
        (CaseState::Taken, Option::None) | (CaseState::Waiting, _) => (waiting, Refusal::NotTaken),
    };
    let may = match who {
        None => false,
        OverAll => account.extent(act) == Extent::All,
        All => true,
    };
    match (may, work, case.state) {
        (true, _, _) => Ok(()),
        (false, Work::Reopen, CaseState::Waiting | CaseState::Taken) => Err(Refusal::NotClosed),
        (false, _, _) => Err(otherwise),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use flow::Agency;

    use super::*;
    use crate::account::tests::account_of;
    use crate::cases::tests::waiting;
    use crate::permissions::Role;

    fn officer() -> Account {
        let mut officer = account_of(Role::Officer);
        officer.agencies = [Agency::Pave].into();
        officer
    }

    fn taken_by(account: &Account) -> StoredCase {
        StoredCase {
            state: CaseState::Taken,
            taken_by: Some(account.id),
            ..waiting(Agency::Pave)
        }
    }

    fn closed_by(account: &Account) -> StoredCase {
        StoredCase {
            state: CaseState::Closed,
            ..taken_by(account)
        }
    }

    #[test]
    fn what_waits_can_be_taken_by_whoever_sees_it() {
        assert_eq!(
            check(Work::Take, &waiting(Agency::Pave), &officer()),
            Ok(())
        );
        let elsewhere = check(Work::Take, &waiting(Agency::Sos), &officer());
        assert_eq!(elsewhere, Err(Refusal::NotSeen));
    }

    #[test]
    fn a_colleagues_case_is_taken_and_closed_by_supervisors_alone_and_edited_by_all() {
        let (officer, colleague) = (officer(), officer());
        let supervisor = account_of(Role::Supervisor);
        let case = taken_by(&colleague);
        for work in [Work::Take, Work::Close, Work::GiveBack] {
            let refused = check(work, &case, &officer);
            assert_eq!(refused, Err(Refusal::TakenBy(colleague.id)), "{work:?}");
            assert_eq!(check(work, &case, &supervisor), Ok(()), "{work:?}");
        }
        assert_eq!(check(Work::Edit, &case, &officer), Ok(()));
    }

    #[test]
    fn with_a_closed_case_nothing_is_done_but_what_was_left_to_do_a_hold_and_opening_it_again() {
        let officer = officer();
        let case = closed_by(&officer);
        for work in Work::ALL {
            let expected = match work {
                Work::ChangeFollowUp | Work::Reopen | Work::Hold => Ok(()),
                _ => Err(Refusal::Closed),
            };
            assert_eq!(check(*work, &case, &officer), expected, "{work:?}");
        }
    }

    #[test]
    fn what_is_open_is_not_opened_again() {
        let officer = officer();
        for case in [waiting(Agency::Pave), taken_by(&officer)] {
            let refused = check(Work::Reopen, &case, &officer);
            assert_eq!(refused, Err(Refusal::NotClosed));
        }
    }

    #[test]
    fn from_every_state_a_case_can_come_to_its_end() {
        let officer = officer();
        for case in [waiting(Agency::Pave), taken_by(&officer)] {
            assert_eq!(check(Work::Close, &case, &officer), Ok(()));
        }
        assert_eq!(check(Work::Reopen, &closed_by(&officer), &officer), Ok(()));
    }

    #[test]
    fn who_sees_no_case_does_nothing_with_any() {
        for role in [Role::Administrator, Role::Auditor] {
            let account = account_of(role);
            for work in Work::ALL {
                for case in [
                    waiting(Agency::Pave),
                    taken_by(&account),
                    closed_by(&account),
                ] {
                    assert_eq!(check(*work, &case, &account), Err(Refusal::NotSeen));
                }
            }
        }
    }
}
