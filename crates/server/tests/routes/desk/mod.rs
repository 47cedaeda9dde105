//! The duty desk's paths: who gets in, who may do what, and the calls that ring.

mod forgetting;
mod getting_in;
mod live_calls;
mod permissions;
