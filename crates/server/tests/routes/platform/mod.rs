//! What programs keep and find through the platform's API, with the private key.

mod assistants;
mod calls;
mod chats;
mod files;
mod kept;
mod knowledge_bases;
mod not_offered;
mod sessions;
