mod call_ticket;
mod calls;
mod config;
mod get_call_info;
mod hosted_calls;
mod session;
mod status;
mod web_hook;
