//! Resources: what a program keeps through the voice platform's API, such as assistants, tools, sessions and files.
//!
//! [`Resources`] gives them one by one or in pages, whatever their kind: an id, two times and a body. What a body may hold is
//! for the wire types to judge, and what is done with it for the server; here it is words, kept in [`redact::Secret`] and
//! sealed with the records key. The store is a table beside the records, in either database; `tests/contract.rs` is the story
//! that both share.
//!
//! Two who change one at the same time both get their way, one after the other: a change is worked out again from what the
//! first left.

mod postgres;
mod resource;
mod resources;
mod row;
mod sqlite;
mod store;

pub use resource::{Body, Kind, NewResource, Resource};
pub use resources::{ChangeError, Resources};
pub use store::{Page, Wanted};
