//! What programs keep and find through the platform's API, with the private key.

mod calls;
mod chats;
mod files;
mod kept;
mod not_offered;
mod sessions;
mod webhooks;
