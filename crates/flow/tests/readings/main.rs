//! What the flow makes of readings, which are given as data: nothing here depends on how words are read.
#![allow(clippy::unwrap_used)]

mod asked_again;
mod by_age;
mod call;
mod consent;
mod danger;
mod doubts;
mod over;
mod own_violence;
mod said_back;
mod shelter;
mod whole_call;
mod withdrawn;
