mod calls;
mod config;
mod get_call_info;
mod web_hook;
