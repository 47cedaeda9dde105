//! What `make setup` fetched: where each engine's files are, whether they are whole, and the one runtime in
//! which the models of this process run.
//!
//! It knows no model: what goes in and comes out is its owner's (`reader`, `speech`). It fetches nothing
//! (`scripts/fetch-engine` does).

mod fetched;
mod runtime;

pub use fetched::{Fetched, Missing, in_checkout, usual_directory};
pub use runtime::{Runtime, RuntimeError, Threads};

/// The runtime's own types, in the version that [`Runtime`] speaks.
pub use ort;
