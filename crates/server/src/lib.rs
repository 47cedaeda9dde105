//! The server `nightlight`: HTTP in front of calls and records.
//!
//! | question | module |
//! |---|---|
//! | what can be set, and what is wrong with it? | [`settings`] |
//! | how do the parts start, and stop? | [`server`] |
//! | which paths are there, and what surrounds them? | [`app`], `api_document` |
//! | what does the web page read; what does a webhook send? | `api` |
//! | how is a call asked for, joined and read; what may it go through? | `platform_api`, `relay` |
//! | what does a program keep here? | `platform_api::kept` and a room for each kind |
//! | how does a written conversation go? | `written` |
//! | what is the helpline, as the platform keeps such things, and how is the engine driven by it? | `helpline` |
//! | how are evals and test suites run? | `trials` |
//! | who gets in at the desk, and what is done there? | `desk` |
//! | who is on duty, and whose desk rings? | `duty` |
//! | whom else is told of what happens in calls, and by what does it know us? | `webhooks`, `credentials`, `bearer_tokens` |
//! | what of calls that the hosted platform holds? | `hosted` |
//! | which calls wait to be joined, and who holds a line? | `lines`, `joining` |
//! | how do calls become records, also after a crash? | `journal`, `recovery` |
//! | how long are records kept, and are they being stored? | `retention`, `watched_records` |
//! | how do open pages hear of it, and what does leaving end? | `changes`, `open_pages`, `end_of_visit` |
//! | what was said of a call before it begins? | `asked_calls` |
//! | who asks the chat model, and who judges a pause? | `chat_model`, `end_of_turn` |
//! | what is done to its end though whoever asked has gone? | `carried_through` |
//! | who is asking, and how often? | `session`, `keys`, `tokens`, `rate` |
//! | what does a refusal look like? | `errors` |
//! | how is it watched: measurements, traces, its status and faults; who may see it? | [`telemetry`], [`traces`], `status`, `faults`, `operator` |
//! | what of an error is told elsewhere? | [`error_reports`] |
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
