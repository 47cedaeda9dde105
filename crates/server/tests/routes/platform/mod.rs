//! What programs keep and find through the platform's API, with the private key.

mod calls;
mod chats;
mod credentials;
mod files;
mod kept;
mod not_offered;
mod orgs;
mod sessions;
mod tokens;
mod voices;
mod workflows;
