//! What a caller hears while duty officers are rung for them, what becomes of the call, and what stands in the note.
#![allow(clippy::unwrap_used)]

mod note;
mod on_hold;
mod rung;
mod scene;
mod unreached;
mod whole_calls;
