mod calls;
mod config;
mod get_call_info;
mod session;
mod status;
mod web_hook;
