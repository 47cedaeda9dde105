//! Requests against a real server, one module a path.
#![allow(clippy::unwrap_used)]

#[path = "../commands/official_types.rs"]
mod official_types;
#[path = "../support/mod.rs"]
mod support;

mod api;
mod call;
mod chat;
mod chat_model;
mod desk;
mod errors;
mod missing_database;
mod openapi;
mod pages;
mod platform;
mod postgres;
mod read_limits;
mod records_kept;
mod restart;
mod stalled_database;
