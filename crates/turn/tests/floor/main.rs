//! Turn-taking as the caller lives it, in virtual time.
#![allow(clippy::unwrap_used)]

mod adaptive_wait;
mod bounds;
mod endings;
mod interruptions;
mod properties;
mod scene;
mod silence;
mod turns;
