//! Where errors are reported, in the form that Sentry's clients are told it: `https://KEY@HOST/PROJECT`.

use endpoint::{Address, AddressError};
use redact::Secret;
use reqwest::Url;

#[derive(Debug, Clone)]
pub struct Dsn {
    address: Address,
    /// Good for sending alone; it is in no log all the same.
    key: Secret<String>,
    project: String,
}

/// It repeats nothing of the DSN: it holds a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DsnError {
    #[error("it is no DSN")]
    NotADsn,
    #[error("what is reported would travel unprotected")]
    Unprotected,
}

impl Dsn {
    pub fn of(text: &str) -> Result<Self, DsnError> {
        let mut url = Url::parse(text).map_err(|_| DsnError::NotADsn)?;
        let key = url.username().to_owned();
        let path = url.path().trim_end_matches('/').to_owned();
        let (base, project) = path.rsplit_once('/').ok_or(DsnError::NotADsn)?;
        let named =
            |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let more = url.password().is_some() || url.query().is_some() || url.fragment().is_some();
        if more || !named(&key) || !named(project) || url.set_username("").is_err() {
            return Err(DsnError::NotADsn);
        }
        url.set_path(base);
        let address = Address::of(url.as_str()).map_err(|wrong| match wrong {
            AddressError::Unprotected => DsnError::Unprotected,
            AddressError::NotOfTheWeb | AddressError::HoldsAKey => DsnError::NotADsn,
        })?;
        Ok(Self {
            address,
            key: Secret::new(key),
            project: project.to_owned(),
        })
    }

    /// Where envelopes are sent.
    pub fn envelopes(&self) -> Url {
        self.address
            .path(&format!("api/{}/envelope/", self.project))
    }

    /// Names the service, without the key.
    pub fn place(&self) -> String {
        self.address.place()
    }

    pub fn key(&self) -> &Secret<String> {
        &self.key
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn it_leads_to_its_projects_envelopes_and_its_key_is_not_printed() {
        for (dsn, envelopes) in [
            (
                "https://hunter2@o1.ingest.example/42",
                "https://o1.ingest.example/api/42/envelope/",
            ),
            (
                "http://hunter2@127.0.0.1:8000/under/7/",
                "http://127.0.0.1:8000/under/api/7/envelope/",
            ),
        ] {
            let dsn = Dsn::of(dsn).unwrap();
            assert_eq!(dsn.envelopes().as_str(), envelopes);
            assert_eq!(dsn.key().expose_secret(), "hunter2");
            assert!(!format!("{dsn:?} {}", dsn.place()).contains("hunter2"));
        }
    }

    #[test]
    fn what_is_none_or_would_travel_unprotected_is_refused() {
        for (text, wrong) in [
            ("", DsnError::NotADsn),
            ("https://o1.ingest.example/42", DsnError::NotADsn),
            ("https://key@o1.ingest.example", DsnError::NotADsn),
            ("https://key:old@o1.ingest.example/42", DsnError::NotADsn),
            ("https://key@o1.ingest.example/42?a=b", DsnError::NotADsn),
            ("ftp://key@localhost/42", DsnError::NotADsn),
            ("http://key@o1.ingest.example/42", DsnError::Unprotected),
        ] {
            assert_eq!(Dsn::of(text).unwrap_err(), wrong, "{text}");
        }
    }
}
