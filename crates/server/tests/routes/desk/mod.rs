//! The duty desk's paths: who gets in, who may do what, the calls that ring, who says what in them, the cases of those that have ended, the
//! morning report, and shifts.

mod a_case;
mod cases;
mod forgetting;
mod getting_in;
mod gone_meanwhile;
mod hints;
mod live_calls;
mod nodes;
mod officer_line;
mod on_hold;
mod permissions;
mod report;
mod session_over;
mod shifts;
mod speakers;
mod timeline;
