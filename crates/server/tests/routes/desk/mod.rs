//! The duty desk's paths: who gets in, who may do what, the calls that ring, and the cases of those that have ended.

mod cases;
mod forgetting;
mod getting_in;
mod hints;
mod live_calls;
mod permissions;
mod report;
mod shifts;
