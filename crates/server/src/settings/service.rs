//! The address of a service elsewhere, as settings give it.

use endpoint::{Address, AddressError};

use super::values::Values;

/// The base of an API, if it is given and fit for callers' words.
pub(super) fn address(values: &mut Values, key: &str) -> Option<Address> {
    let text = values.optional_text(key)?;
    match Address::of(&text) {
        Ok(address) => Some(address),
        Err(wrong) => {
            let remedy = match wrong {
                AddressError::Unprotected => "use https, or an address of this machine or network",
                AddressError::NotOfTheWeb | AddressError::HoldsAKey => {
                    "give the API's base without a key in it, such as https://api.example/v1"
                }
            };
            // The text is not repeated: it may hold a key.
            values.problem(key, wrong.to_string(), remedy);
            None
        }
    }
}
