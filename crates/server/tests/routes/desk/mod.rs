//! The duty desk's paths: who gets in, who may do what, and the calls that ring.

mod getting_in;
mod hints;
mod live_calls;
mod permissions;
