//! Services elsewhere that callers' words may be sent to: which addresses are fit for it, and a client that goes
//! nowhere else. It does not know what is asked there.

mod address;

use reqwest::Client;
use reqwest::redirect::Policy;

pub use address::{Address, AddressError};

/// The HTTP client cannot be made.
#[derive(Debug, thiserror::Error)]
#[error("the HTTP client cannot be made")]
pub struct ClientError(#[source] reqwest::Error);

/// A client for callers' words: they go to the address that was set, along no redirect and through no proxy of the
/// environment.
pub fn client() -> Result<Client, ClientError> {
    Client::builder()
        .redirect(Policy::none())
        .no_proxy()
        .build()
        .map_err(ClientError)
}
