//! The paths below `/api` that the pages and the hosted platform use: records, settings, status, session, call ticket, webhook.

mod call_ticket;
mod calls;
mod config;
mod get_call_info;
mod hosted_calls;
mod session;
mod status;
mod web_hook;
