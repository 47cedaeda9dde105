//! The duty desk: who has an account and may do what, how they sign in and when they are on duty, what becomes of calls that have
//! ended, and what is on the audit trail.
//!
//! | question | module |
//! |---|---|
//! | who may do what? | [`permissions`], one table |
//! | who is known here? | [`account`] |
//! | how does somebody get in, and stay in? | `invitation`, `sign_in`, `vouched`, `session` |
//! | what was done, and does the trail still hold? | [`audit`] |
//! | what is done with a call that has ended? | [`cases`] |
//! | what remains of a case that was deleted? | [`receipts`] |
//! | when is somebody to be on duty? | [`shifts`] |
//! | what is a secret that somebody holds known by here? | [`token`] |
//! | what must every database do? | [`store`] |
//!
//! [`Desk`] is what the server holds. It is told the time, and knows no HTTP. A change of a case asks for permission by itself;
//! whoever shows one asks [`Account::may_with`] before, and notes it on the trail with [`Desk::note`].

pub mod account;
pub mod audit;
pub mod cases;
pub mod permissions;
pub mod receipts;
pub mod shifts;
pub mod store;
pub mod token;

mod desk;
mod invitation;
mod password;
mod postgres;
mod second_factor;
mod session;
mod sign_in;
mod sqlite;
mod vouched;

pub use account::{
    Account, AccountId, BadName, Language, NotALanguage, NotASignInName, SignInName, State,
};
pub use audit::{About, Entry, Head, NewEntry, What, Who};
pub use desk::{Change, ChangeError, Desk};
pub use invitation::{AcceptError, Invitation, InviteError, Invited, NewAccount};
pub use permissions::{Act, Case, Extent, Role};
pub use second_factor::RecoveryCodes;
#[doc(hidden)]
pub use second_factor::code_at;
pub use session::{SessionBounds, Signed};
pub use sign_in::{Attempt, SignInError, SignedIn};
pub use vouched::Vouched;
