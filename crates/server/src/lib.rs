//! The server `nightlight`: HTTP in front of calls and records.
//!
//! | of the program | module |
//! |---|---|
//! | what can it be told to do? | [`commands`] |
//! | what can be set, and what is wrong with it? | [`settings`] |
//! | how do the parts start, and stop? | [`server`] |
//! | what is the helpline, as the platform keeps such things, and how is the engine driven by it? | `helpline` |
//! | with which voices does it speak, and which sentences are made ahead? | [`voices`], `standby_voice`, `rendering` |
//! | who reads the callers' words, who judges a pause, and who asks the chat model? | `reading`, `end_of_turn`, `chat_model` |
//! | how is it watched: its log, measurements, traces and faults, and how calls ended? | [`telemetry`], [`traces`], `request_log`, `faults`, `ends` |
//! | does it hear, and are records being stored? | `watched_ears`, `watched_records` |
//! | what of an error is told elsewhere? | [`error_reports`] |
//!
//! | of requests | module |
//! |---|---|
//! | which paths are there, and what surrounds them? | [`app`], `api_document`, `security_headers` |
//! | what does the web page read, what does a webhook send, and where is the page itself? | `api`, `web_app` |
//! | how is a call asked for, joined and read? | `platform_api` |
//! | what does a program keep here? | `platform_api::kept` and a room for each kind |
//! | which connections may stay, and how many can there be? | `connections`, `descriptors` |
//! | where does a request come from, and where does its client reach this server? | `client_address`, `origin` |
//! | how is a body taken in? | `request_body` |
//! | who is asking: a visitor, a program, the operator? | `session`, `keys`, `tokens`, `operator` |
//! | how often may they, and who gives way where something is scarce? | `rate`, `read_limits`, `holder` |
//! | what is done to its end though whoever asked has gone? | `carried_through` |
//! | what does a refusal look like, and whom can a caller ring then? | `errors`, `records_unavailable`, `emergency` |
//!
//! | of calls and conversations | module |
//! |---|---|
//! | what was said of a call before it begins? | `asked_calls` |
//! | which calls wait to be joined, and who holds a line? | `lines`, `joining` |
//! | through which relays may a line go? | `relay` |
//! | how does a written conversation go? | `written` |
//! | how are evals and test suites run? | `trials` |
//! | what of calls that the hosted platform holds? | `hosted` |
//! | whom else is told of what happens in calls, and by what does it know us? | `webhooks`, `credentials`, `bearer_tokens` |
//!
//! | of records | module |
//! |---|---|
//! | how do calls become records, also after a crash? | `journal`, `lease`, `recovery` |
//! | and where the database cannot be opened? | `aside` |
//! | what is kept of a call beside its record? | `kept_beside`, `call_steps` |
//! | how is a record shown, and which words does its note rest on? | `call_record`, `evidence_links` |
//! | how long are they kept? | `retention` |
//! | how do open pages hear of them, and what does leaving end? | `changes`, `open_pages`, `end_of_visit` |
//!
//! | of the duty desk | module |
//! |---|---|
//! | who gets in, and what is done there? | `desk`, `identity_provider` |
//! | who is on duty, and whose desk rings? | `duty` |
//! | how do calls become cases, and cases that nobody touches go back into the queue? | `casework` |
//! | how was the night, and who is mailed it? | [`report`], `mail` |
//!
//! It decides nothing about a conversation, takes no turns and touches no audio.

pub mod app;
pub mod commands;
pub mod server;
pub mod settings;
pub mod telemetry;
pub mod traces;

/// Below these of its paths no page is ever answered: for the tests that hold each of them to it.
pub use platform_api::ROOTS as PLATFORM_ROOTS;

mod api;
mod api_document;
mod aside;
mod asked_calls;
mod bearer_tokens;
mod call_record;
mod call_steps;
mod carried_through;
mod casework;
mod changes;
mod chat_model;
mod client_address;
mod connections;
mod credentials;
mod descriptors;
mod desk;
mod duty;
mod emergency;
mod end_of_turn;
mod end_of_visit;
mod ends;
pub mod error_reports;
mod errors;
mod evidence_links;
mod faults;
mod helpline;
mod holder;
mod hosted;
mod identity_provider;
mod joining;
mod journal;
mod kept_beside;
mod keys;
mod lease;
mod lines;
mod mail;
mod open_pages;
mod operator;
mod origin;
mod platform_api;
mod rate;
mod read_limits;
mod reading;
mod records_unavailable;
mod recovery;
mod relay;
mod rendering;
pub mod report;
mod request_body;
mod request_log;
mod retention;
mod security_headers;
mod session;
mod standby_voice;
mod tokens;
mod trials;
pub mod voices;
mod watched_ears;
mod watched_records;
mod web_app;
mod webhooks;
mod written;
