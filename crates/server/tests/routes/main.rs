//! A real server as its clients meet it: a module for each path or group of paths, and one for each thing that befalls all of them.
#![allow(clippy::unwrap_used)]

#[path = "../commands/official_types.rs"]
mod official_types;
#[path = "../support/mod.rs"]
mod support;

// Tests begin in the order of their names: the one that takes two minutes begins first, and so is not alone at the end.
mod a_stalled_database;
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
