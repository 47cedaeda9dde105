//! Lets a line in at the relays that are set: TURN servers, for callers and officers whose network lets no UDP through. A
//! password is made from the secret they share with this server, and ends when the call must have ended: the scheme of
//! draft-uberti-behave-turn-rest, which coturn calls `use-auth-secret`. Nothing in it tells whose line it is, for a relay may
//! log the name.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use jiff::Timestamp;
use platform::IceServer;
use redact::Secret;
use sha1::Sha1;
use uuid::Uuid;

use crate::lines::{ATTEMPT_WITHIN, JOIN_WITHIN};
use crate::settings::{Relay, Settings};

/// A talk with a duty officer has no longest duration; what goes through a relay has to have one.
const TALK: Duration = Duration::from_hours(2);

/// What the page may go through, for as long as the call may take: whoever comes back to it does so with the same.
pub fn ice_servers(settings: &Settings, now: Timestamp) -> Vec<IceServer> {
    let Some(relay) = &settings.relay else {
        return Vec::new();
    };
    let longest =
        JOIN_WITHIN + ATTEMPT_WITHIN + settings.plan.max_duration + settings.return_within + TALK;
    vec![let_in(relay, now, longest, Uuid::new_v4())]
}

fn let_in(relay: &Relay, now: Timestamp, longest: Duration, who: Uuid) -> IceServer {
    let ends = now.as_second().saturating_add_unsigned(longest.as_secs());
    let username = format!("{ends}:{}", who.simple());
    let mut mac = Hmac::<Sha1>::new_from_slice(relay.secret.expose_secret().as_bytes())
        .expect("HMAC takes a key of any length");
    mac.update(username.as_bytes());
    let credential = STANDARD.encode(mac.finalize().into_bytes());
    IceServer {
        urls: relay.urls.clone(),
        username,
        credential: Secret::new(credential),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relay() -> Relay {
        Relay {
            urls: vec![String::from("turn:relay.example")],
            secret: Secret::new(String::from("a-secret-of-the-tests")),
        }
    }

    fn moment() -> Timestamp {
        Timestamp::from_second(1_795_430_400).expect("a moment")
    }

    /// `printf %s NAME | openssl dgst -sha1 -hmac a-secret-of-the-tests -binary | base64`
    #[test]
    fn a_password_is_the_one_that_the_relay_makes_of_the_name() {
        let longest = Duration::from_secs(700);
        let given = let_in(&relay(), moment(), longest, Uuid::nil());
        assert_eq!(
            given.username,
            "1795431100:00000000000000000000000000000000"
        );
        assert_eq!(
            given.credential.expose_secret(),
            "Xna6txAcdlQisqEaMhZumBn/SU4="
        );
        assert!(!format!("{given:?}").contains(given.credential.expose_secret()));
    }

    #[test]
    fn it_lasts_as_long_as_the_longest_call_and_is_its_own() {
        let file = "turn_urls = 'turn:relay.example'\nturn_secret = 'a-secret-of-the-tests'\n\
                    max_duration_seconds = 900\nreturn_within_seconds = 60";
        let settings = Settings::from_sources(Some(file), []).expect("sound");
        let names: Vec<String> = [(); 2]
            .map(|()| ice_servers(&settings, moment()).remove(0).username)
            .into();
        assert!(names.iter().all(|name| name.starts_with("1795438643:")));
        assert_ne!(names[0], names[1]);
    }

    #[test]
    fn without_relays_there_is_nothing_to_go_through() {
        let settings = Settings::from_sources(None, []).expect("sound");
        assert!(ice_servers(&settings, moment()).is_empty());
    }
}
