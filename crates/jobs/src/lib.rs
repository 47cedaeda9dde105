//! Work towards others that must be tried for hours, such as a mail: stored before it is tried, tried again with longer
//! and longer waits, and found again after a restart. Of several nodes on one PostgreSQL one does it.
//!
//! [`Jobs::put`] stores a job, once however often it is put; [`Jobs::work`] tries the jobs of a kind until it is told to
//! stop. A job is a [`Kind`] and an [`About`]: an id or a date, never words. Whoever does it looks up the rest then.
//!
//! The queue is apalis's, in tables of its own beside the records' (`docs/decisions/0060`). It may do a job twice: where
//! its node dies, or loses the database, between doing it and writing that down. What is done must bear that.

mod about;
mod back_off;
mod jobs;
mod moving;
mod postgres;
mod sqlite;
mod work;

pub use about::{About, NotAnId};
pub use back_off::BackOff;
pub use jobs::{Jobs, JobsError, Kind, Standing};
pub use moving::LODGER;
pub use work::{Pace, Trouble};
