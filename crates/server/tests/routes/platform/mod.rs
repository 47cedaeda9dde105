//! What programs keep and find through the platform's API, with the private key.

mod asked_tools;
mod assistants;
mod authorized_messages;
mod calls;
mod chats;
mod credentials;
mod evals;
mod files;
mod filters;
mod hand_overs;
mod kept;
mod knowledge_bases;
mod lifecycle;
mod logs;
mod not_offered;
mod numbers;
mod orgs;
mod responses;
mod sessions;
mod structured_outputs;
mod test_suites;
mod tokens;
mod voice_suites;
mod voices;
mod webhooks;
mod workflows;
