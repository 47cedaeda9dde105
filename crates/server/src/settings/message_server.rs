//! The settings of where server messages go that no assistant names a server for: those of the helpline itself above all.

use endpoint::Address;
use redact::Secret;

use super::service;
use super::values::Values;

/// Where they go, and what they carry.
#[derive(Debug, Clone)]
pub struct MessageServer {
    /// All of it; it may hold a key.
    pub url: Secret<String>,
    /// In `X-Vapi-Secret`.
    pub secret: Option<Secret<String>>,
}

pub(super) fn read(values: &mut Values) -> Option<MessageServer> {
    let address = service::address(values, "server_url");
    let secret = values.key("server_secret");
    if secret.is_some() && !values.is_given("server_url") {
        values.problem(
            "server_url",
            "server_secret is sent along with server messages, and they go nowhere",
            "give where they go, such as https://records.example/hook, or leave out server_secret",
        );
    }
    Some(MessageServer {
        url: Secret::new(address.as_ref().map(Address::whole)?.into()),
        secret,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::Settings;

    #[test]
    fn server_messages_go_where_is_said_and_nowhere_otherwise() {
        let with = |file: &str| Settings::from_sources(Some(file), []);
        assert!(with("").unwrap().message_server.is_none());
        let both = "server_url = 'https://a.example/hook?k=hunter2'\nserver_secret = 'hunter2'";
        let settings = with(both).unwrap();
        assert!(!format!("{:?}", settings.message_server).contains("hunter2"));
        let server = settings.message_server.unwrap();
        assert_eq!(
            server.url.expose_secret(),
            "https://a.example/hook?k=hunter2"
        );
        assert_eq!(server.secret.unwrap().expose_secret(), "hunter2");
    }

    #[test]
    fn all_that_is_wrong_is_told_at_once_and_without_a_secret() {
        let with = |file: &str| Settings::from_sources(Some(file), []).unwrap_err();
        let both = with("server_url = 'http://hunter2.example'\nserver_secret = 'hunter2 hunter2'");
        assert_eq!(both.0.len(), 2, "{both}");
        let alone = with("server_secret = 'hunter2'");
        assert_eq!(alone.0.len(), 1, "{alone}");
        assert!(alone.to_string().contains("`server_url`"), "{alone}");
        assert!(!format!("{both}{alone}").contains("hunter2"));
    }
}
