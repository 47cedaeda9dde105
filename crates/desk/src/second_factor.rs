//! The second factor: the codes of an authenticator app (TOTP, RFC 6238), and codes on paper for when the app is lost.

use std::fmt;

use jiff::Timestamp;
use redact::Secret;
use totp_rs::{Algorithm, Builder, Totp};

use crate::account::SignInName;
use crate::token::{Digest, new_code, random};

/// What every app knows: six digits, anew each 30 seconds, made with SHA-1.
const DIGITS: u8 = 6;
const STEP_SECONDS: u64 = 30;
/// A clock may be a step off.
const SKEW: u16 = 1;
const SECRET_BYTES: usize = 20;

const ISSUER: &str = "Nightlight";
const RECOVERY_CODES: usize = 10;

/// A new secret, in base 32.
pub(crate) fn new_secret() -> Secret<String> {
    let bytes = totp_rs::Secret::new_stack(random::<SECRET_BYTES>());
    Secret::new(bytes.to_base32())
}

/// The address that an app takes the secret from, out of a picture.
pub(crate) fn address(secret: &Secret<String>, name: &SignInName) -> Option<Secret<String>> {
    let builder = Builder::new()
        .with_account_name(name.as_str())
        .with_issuer(Some(ISSUER));
    let address = of(builder, secret)?.to_url().ok()?;
    Some(Secret::new(address))
}

/// The step that this is the code of, if it is the code of one at this moment.
pub(crate) fn step_of(secret: &Secret<String>, code: &str, now: Timestamp) -> Option<i64> {
    let seconds = u64::try_from(now.as_second()).ok()?;
    let step = of(Builder::new(), secret)?.check(code, seconds)?;
    i64::try_from(step).ok()
}

fn of(builder: Builder, secret: &Secret<String>) -> Option<Totp> {
    let secret = totp_rs::Secret::try_from_base32(secret.expose_secret()).ok()?;
    let builder = builder
        .with_algorithm(Algorithm::SHA1)
        .with_digits(DIGITS)
        .with_step_duration(STEP_SECONDS)
        .with_skew(SKEW)
        .with_secret(secret);
    builder.build().ok()
}

/// As somebody types it: in capitals, with spaces.
pub(crate) fn as_typed(code: &Secret<String>) -> Secret<String> {
    let code = code.expose_secret().chars();
    let code = code.filter(|c| !c.is_whitespace()).take(64);
    Secret::new(code.flat_map(char::to_lowercase).collect())
}

/// Codes that sign in once each in the place of the app's. They are shown once.
pub struct RecoveryCodes(pub Vec<Secret<String>>);

impl fmt::Debug for RecoveryCodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RecoveryCodes")
    }
}

impl RecoveryCodes {
    pub(crate) fn new() -> Self {
        let codes = (0..RECOVERY_CODES).map(|_| Secret::new(new_code()));
        Self(codes.collect())
    }

    pub(crate) fn digests(&self) -> Vec<Digest> {
        let codes = self.0.iter();
        codes.map(|code| Digest::of(code.expose_secret())).collect()
    }
}

/// The app's code at a moment, for who holds its secret: a test is the app.
#[doc(hidden)]
pub fn code_at(secret: &str, now: Timestamp) -> Option<String> {
    let totp = of(Builder::new(), &Secret::new(secret.to_owned()))?;
    let seconds = u64::try_from(now.as_second()).ok()?;
    Some(totp.generate(seconds).to_string())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    #[test]
    fn codes_are_those_of_the_standard() {
        // RFC 6238, appendix B, SHA-1, the last six of its eight digits.
        let secret = Secret::new("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ".to_owned());
        for (second, code) in [(59, "287082"), (1_111_111_109, "081804")] {
            assert_eq!(step_of(&secret, code, at(second)), Some(second / 30));
            let shown = code_at(secret.expose_secret(), at(second));
            assert_eq!(shown.as_deref(), Some(code));
        }
    }

    #[test]
    fn a_code_holds_for_a_step_before_and_after_and_names_its_own() {
        let (secret, now) = (new_secret(), at(1_800_000_000));
        let code = code_at(secret.expose_secret(), now).unwrap();
        let step = 1_800_000_000 / 30;
        for off in [-30, 0, 30] {
            assert_eq!(
                step_of(&secret, &code, at(1_800_000_000 + off)),
                Some(step),
                "{off}"
            );
        }
        for off in [-90, 90] {
            assert_ne!(
                step_of(&secret, &code, at(1_800_000_000 + off)),
                Some(step),
                "{off}"
            );
        }
        for wrong in ["", "12345", "+12345", "abcdef"] {
            assert_eq!(step_of(&secret, wrong, now), None);
        }
    }

    #[test]
    fn an_app_is_told_whose_account_it_is_and_for_what() {
        let name = "mei@line.example".parse().unwrap();
        let address = address(&new_secret(), &name).unwrap();
        let address = address.expose_secret();
        assert!(
            address.starts_with("otpauth://totp/Nightlight:mei%40line.example?"),
            "{address}"
        );
        assert!(address.contains("issuer=Nightlight"), "{address}");
    }

    #[test]
    fn recovery_codes_are_many_and_each_is_its_own() {
        let codes = RecoveryCodes::new();
        let mut digests = codes.digests();
        digests.sort();
        digests.dedup();
        assert_eq!(digests.len(), RECOVERY_CODES);
        let typed = format!(" {} ", codes.0[3].expose_secret().to_uppercase());
        let typed = as_typed(&Secret::new(typed));
        assert_eq!(typed.expose_secret(), codes.0[3].expose_secret());
    }
}
