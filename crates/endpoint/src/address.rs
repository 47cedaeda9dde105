//! Where a service is reached. Callers' words are sent there, so it is judged before anything is.

use reqwest::Url;

/// The base of an API in the form of OpenAI's, such as `https://api.example/v1`.
#[derive(Clone)]
pub struct Address(Url);

/// A query may hold a key.
impl std::fmt::Debug for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Address").field(&self.place()).finish()
    }
}

/// Why an address is none to send callers' words to. It repeats nothing of it: it may hold a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    #[error("it is not a web address")]
    NotOfTheWeb,
    #[error("it holds a name or a password")]
    HoldsAKey,
    #[error("callers' words would travel unprotected")]
    Unprotected,
}

impl Address {
    /// Of an API's base, or of one of its paths whole.
    pub fn of(text: &str) -> Result<Self, AddressError> {
        let mut url = Url::parse(text).map_err(|_| AddressError::NotOfTheWeb)?;
        let protected = match url.scheme() {
            "https" => true,
            "http" => is_near(&url),
            _ => return Err(AddressError::NotOfTheWeb),
        };
        if !url.username().is_empty() || url.password().is_some() {
            return Err(AddressError::HoldsAKey);
        }
        if !protected {
            return Err(AddressError::Unprotected);
        }
        url.set_fragment(None);
        Ok(Self(url))
    }

    /// Where one of the API's paths is, such as `chat/completions`.
    pub fn path(&self, path: &str) -> Url {
        let mut url = self.0.clone();
        let base = url.path().trim_end_matches('/');
        let whole = match base.ends_with(&format!("/{path}")) {
            true => base.to_owned(),
            false => format!("{base}/{path}"),
        };
        url.set_path(&whole);
        url
    }

    /// All of it, as it was given. It may hold a key.
    pub fn whole(&self) -> Url {
        self.0.clone()
    }

    /// Whether there is more to it than a place, which may be a key.
    pub fn has_query(&self) -> bool {
        self.0.query().is_some()
    }

    /// The base as others are told it, without what may be a key and without a slash at its end.
    pub fn base(&self) -> String {
        let mut url = self.0.clone();
        url.set_query(None);
        url.as_str().trim_end_matches('/').to_owned()
    }

    /// `http(s)://host[:port]`.
    pub fn origin(&self) -> String {
        self.0.origin().ascii_serialization()
    }

    /// Names the service, without what may be a key.
    pub fn place(&self) -> String {
        let port = self.0.port().map(|port| format!(":{port}"));
        let path = self.0.path().trim_end_matches('/');
        format!(
            "{}{}{path}",
            self.0.host_str().unwrap_or_default(),
            port.unwrap_or_default()
        )
    }
}

/// A host of this machine or of a network of one's own, by its address or its kind of name.
fn is_near(url: &Url) -> bool {
    use std::net::IpAddr;
    let host = url.host_str().unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    match bare.parse::<IpAddr>() {
        Ok(IpAddr::V4(address)) => {
            address.is_loopback() || address.is_private() || address.is_link_local()
        }
        Ok(IpAddr::V6(address)) => address.is_loopback() || address.is_unique_local(),
        Err(_) => {
            !host.contains('.')
                || [".local", ".internal", ".localhost", ".lan"]
                    .iter()
                    .any(|ending| host.ends_with(ending))
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_base_of_an_api_leads_to_its_paths() {
        for (text, url) in [
            (
                "https://a.example/v1",
                "https://a.example/v1/chat/completions",
            ),
            (
                "https://a.example/v1/",
                "https://a.example/v1/chat/completions",
            ),
            ("https://a.example", "https://a.example/chat/completions"),
            (
                "https://a.example/v1/chat/completions",
                "https://a.example/v1/chat/completions",
            ),
            (
                "https://a.example/m?api-version=1#x",
                "https://a.example/m/chat/completions?api-version=1",
            ),
        ] {
            let address = Address::of(text).unwrap();
            assert_eq!(address.path("chat/completions").as_str(), url);
        }
    }

    #[test]
    fn a_service_is_named_without_what_may_be_a_key() {
        let address = Address::of("https://a.example:8443/v1/?key=hunter2").unwrap();
        assert!(address.has_query());
        assert_eq!(address.base(), "https://a.example:8443/v1");
        assert_eq!(address.origin(), "https://a.example:8443");
        assert_eq!(address.place(), "a.example:8443/v1");
        assert!(!format!("{address:?}").contains("hunter2"));
    }

    #[test]
    fn callers_words_do_not_travel_unprotected() {
        for near in [
            "http://127.0.0.1:11434/v1",
            "http://localhost:8000",
            "http://[::1]:8000/v1",
            "http://192.168.1.7/v1",
            "http://ollama:11434/v1",
            "http://gpu.internal/v1",
            "https://api.example/v1",
        ] {
            assert!(Address::of(near).is_ok(), "{near}");
        }
        for far in [
            "http://api.example/v1",
            "http://8.8.8.8/v1",
            // The same, written as one number.
            "http://134744072/v1",
            "http://[2001:4860:4860::8888]/v1",
        ] {
            assert_eq!(
                Address::of(far).unwrap_err(),
                AddressError::Unprotected,
                "{far}"
            );
        }
    }

    #[test]
    fn what_is_no_address_or_holds_a_key_is_refused() {
        for text in [
            "",
            "api.example",
            "https://",
            "https://[::1",
            "https://a.example:99999/v1",
            "https://a b/v1",
            "ftp://localhost/v1",
            "file:///etc/passwd",
        ] {
            assert_eq!(
                Address::of(text).unwrap_err(),
                AddressError::NotOfTheWeb,
                "{text}"
            );
        }
        for text in ["https://key@a.example/v1", "https://:key@a.example/v1"] {
            assert_eq!(
                Address::of(text).unwrap_err(),
                AddressError::HoldsAKey,
                "{text}"
            );
        }
    }
}
