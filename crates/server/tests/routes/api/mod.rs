mod calls;
mod config;
mod get_call_info;
mod leave;
mod web_hook;
