//! What a page takes along to the hosted platform, among the variables of the call it asks for, and what comes back in the
//! platform's messages: whose call it is. Nobody can read it or make one who does not hold the webhook secret, each is new,
//! and none says anything about a session: the platform cannot tell from it which calls are of one visitor.
//!
//! Whoever got hold of one could add a call of their own to that visitor's list, until it ends; they could read nothing.

use aws_lc_rs::aead::{AES_256_GCM_SIV, Aad, Nonce, RandomizedNonceKey};
use aws_lc_rs::hmac;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::{SignedDuration, Timestamp};
use records::VisitorId;
use redact::Secret;
use uuid::Uuid;

/// Among `assistantOverrides.variableValues`.
pub const VARIABLE: &str = "ticket";

/// Longer than any call and its report take.
const GOOD_FOR: SignedDuration = SignedDuration::from_hours(24);
/// By which clocks of several nodes may differ.
const CLOCKS_DIFFER: SignedDuration = SignedDuration::from_mins(5);

const PURPOSE: &[u8] = b"nightlight: a call ticket";
const NONCE_BYTES: usize = 12;
const VISITOR_BYTES: usize = 16;

/// A new one for a call of this visitor.
pub fn issue(webhook_secret: &Secret<String>, visitor: VisitorId, now: Timestamp) -> String {
    let mut bytes = visitor.0.as_bytes().to_vec();
    bytes.extend(now.as_second().to_be_bytes());
    let nonce = cipher(webhook_secret)
        .seal_in_place_append_tag(Aad::from(PURPOSE), &mut bytes)
        .expect("a ticket is far below the cipher's bound");
    let mut whole = nonce.as_ref().to_vec();
    whole.append(&mut bytes);
    URL_SAFE_NO_PAD.encode(whole)
}

/// Whose call came with it; `None` where it is none of ours, or has ended.
pub fn visitor(
    webhook_secret: &Secret<String>,
    ticket: &Secret<String>,
    now: Timestamp,
) -> Option<VisitorId> {
    let whole = URL_SAFE_NO_PAD.decode(ticket.expose_secret()).ok()?;
    let (nonce, sealed) = whole.split_at_checked(NONCE_BYTES)?;
    let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
    let mut sealed = sealed.to_vec();
    let clear = cipher(webhook_secret)
        .open_in_place(nonce, Aad::from(PURPOSE), &mut sealed)
        .ok()?;
    let (visitor, issued) = clear.split_at_checked(VISITOR_BYTES)?;
    let issued = i64::from_be_bytes(issued.try_into().ok()?);
    let age = now.duration_since(Timestamp::from_second(issued).ok()?);
    (-CLOCKS_DIFFER..GOOD_FOR).contains(&age).then_some(())?;
    Some(VisitorId(Uuid::from_slice(visitor).ok()?))
}

/// Tickets have a key of their own, so that nothing else that is made with the secret can be taken for one.
fn cipher(webhook_secret: &Secret<String>) -> RandomizedNonceKey {
    let secret = webhook_secret.expose_secret().as_bytes();
    let key = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret), PURPOSE);
    RandomizedNonceKey::new(&AES_256_GCM_SIV, key.as_ref())
        .expect("the key has the cipher's length")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn secret(text: &str) -> Secret<String> {
        Secret::new(text.to_owned())
    }

    fn moment() -> Timestamp {
        Timestamp::from_second(1_795_430_400).unwrap()
    }

    #[test]
    fn a_ticket_says_whose_call_it_is_to_who_made_it_alone() {
        let (ours, visitor_id) = (secret("abcdefghijklmnop"), VisitorId::random());
        let ticket = issue(&ours, visitor_id, moment());
        assert!(!ticket.contains(&visitor_id.to_string()));
        let ticket = secret(&ticket);
        assert_eq!(visitor(&ours, &ticket, moment()), Some(visitor_id));
        assert_eq!(
            visitor(&secret("another secret.."), &ticket, moment()),
            None
        );
    }

    #[test]
    fn two_tickets_of_one_visitor_have_nothing_in_common() {
        let (ours, visitor_id) = (secret("abcdefghijklmnop"), VisitorId::random());
        let [one, other] = [(); 2].map(|()| issue(&ours, visitor_id, moment()));
        assert_ne!(one, other);
        assert_ne!(one[..8], other[..8]);
    }

    #[test]
    fn one_that_was_altered_made_up_or_is_too_old_is_nobodys() {
        let (ours, visitor_id) = (secret("abcdefghijklmnop"), VisitorId::random());
        let ticket = issue(&ours, visitor_id, moment());
        for at in 0..ticket.len() {
            let mut bytes = ticket.clone().into_bytes();
            bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
            let altered = Secret::new(String::from_utf8(bytes).unwrap());
            assert_eq!(visitor(&ours, &altered, moment()), None, "at {at}");
        }
        for made_up in ["", "A", "ticket", &"A".repeat(68), &visitor_id.to_string()] {
            assert_eq!(
                visitor(&ours, &secret(made_up), moment()),
                None,
                "{made_up}"
            );
        }
        let ticket = secret(&ticket);
        let after = |age| visitor(&ours, &ticket, moment().checked_add(age).unwrap());
        assert!(after(GOOD_FOR - SignedDuration::from_secs(1)).is_some());
        assert!(after(GOOD_FOR).is_none());
        assert!(after(-CLOCKS_DIFFER - SignedDuration::from_secs(1)).is_none());
    }
}
