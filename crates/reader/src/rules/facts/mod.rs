//! Facts: who is calling, from where, how old, about whom, and when it last happened.
//!
//! Each reader looks at one turn. What was asked just before it decides how bold it may be: a bare
//! "Mei Ling" is a name only when a name was asked for.

pub(crate) mod age;
pub(super) mod corrections;
mod feasts;
pub(crate) mod name;
pub(crate) mod people;
pub(crate) mod place;
pub(crate) mod telephone;
pub(crate) mod time;
mod towns;
