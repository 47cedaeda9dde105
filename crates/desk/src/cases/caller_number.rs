//! A caller's telephone number: written in one way, and known to the database by a digest with a key. Cases of the same
//! number are found by it; who reads the database without the key learns no number from it, though there are so few that
//! all could be tried.

use std::fmt;

use aws_lc_rs::hmac;
use data_encoding::HEXLOWER;
use redact::Secret;

/// Where no country is given.
const SINGAPORE: &str = "65";
/// Of a number in Singapore.
const LOCAL_DIGITS: usize = 8;
/// Of any number with its country's code (E.164).
const MOST_DIGITS: usize = 15;
const FEWEST_DIGITS: usize = 7;

/// A number with its country's code: "+6591234567".
#[derive(Debug, Clone, PartialEq)]
pub struct CallerNumber(Secret<String>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "not a telephone number: give the eight digits of one in Singapore, or + and the country's code first"
)]
pub struct NotANumber;

impl CallerNumber {
    /// Spaces, hyphens, dots and brackets between the digits are no matter.
    pub fn parse(text: &str) -> Result<Self, NotANumber> {
        let text = text.trim();
        let (abroad, rest) = match text.strip_prefix('+').or(text.strip_prefix("00")) {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let mut digits = String::new();
        for character in rest.chars() {
            match character {
                '0'..='9' => digits.push(character),
                ' ' | '-' | '.' | '(' | ')' | '\u{a0}' => {}
                _ => return Err(NotANumber),
            }
        }
        let whole = match (abroad, digits.strip_prefix(SINGAPORE)) {
            (_, Some(rest)) if is_local(rest) => digits,
            (false, _) if is_local(&digits) => format!("{SINGAPORE}{digits}"),
            (true, None) => digits,
            _ => return Err(NotANumber),
        };
        let fits = (FEWEST_DIGITS..=MOST_DIGITS).contains(&whole.len());
        match fits && !whole.starts_with('0') {
            true => Ok(Self(Secret::new(format!("+{whole}")))),
            false => Err(NotANumber),
        }
    }

    pub fn words(&self) -> &Secret<String> {
        &self.0
    }

    /// HMAC-SHA256 with the key of this database.
    pub fn digest(&self, key: &CallerKey) -> CallerDigest {
        let key = hmac::Key::new(hmac::HMAC_SHA256, key.0.expose_secret().as_bytes());
        let digest = hmac::sign(&key, self.0.expose_secret().as_bytes());
        CallerDigest(HEXLOWER.encode(digest.as_ref()))
    }
}

fn is_local(digits: &str) -> bool {
    digits.len() == LOCAL_DIGITS && digits.starts_with(['3', '6', '8', '9'])
}

/// What numbers are digested with: random, one for each database, sealed where records are.
#[derive(Debug, Clone)]
pub struct CallerKey(pub(crate) Secret<String>);

impl CallerKey {
    pub(crate) fn random() -> Self {
        let bytes = crate::token::random::<32>();
        Self(Secret::new(HEXLOWER.encode(&bytes)))
    }
}

/// What the database knows of a number.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct CallerDigest(pub(crate) String);

impl CallerDigest {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for CallerDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[digest]")
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn read(text: &str) -> Option<String> {
        let number = CallerNumber::parse(text).ok()?;
        Some(number.words().expose_secret().clone())
    }

    #[test]
    fn one_number_is_one_however_it_is_written() {
        for text in [
            "91234567",
            "9123 4567",
            " 9123-4567 ",
            "6591234567",
            "+65 9123 4567",
            "0065 9123.4567",
            "(65) 9123 4567",
        ] {
            assert_eq!(read(text).as_deref(), Some("+6591234567"), "{text}");
        }
        assert_eq!(read("+60 12-345 6789").as_deref(), Some("+60123456789"));
        assert_eq!(
            read("6512 3456").as_deref(),
            Some("+6565123456"),
            "a landline"
        );
    }

    #[test]
    fn what_is_no_number_is_none() {
        for text in [
            "",
            "nine one two",
            "999",
            "12345678",
            "9123 456",
            "+65 123",
            "+0123456789",
            "+1234567890123456",
            "9123 4567 ext 2",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn a_digest_is_of_the_number_and_of_the_key_and_tells_neither() {
        let number = CallerNumber::parse("9123 4567").unwrap();
        let same = CallerNumber::parse("+65 91234567").unwrap();
        let other = CallerNumber::parse("9123 4568").unwrap();
        let (key, anothers) = (CallerKey::random(), CallerKey::random());
        assert_eq!(number.digest(&key), same.digest(&key));
        assert_ne!(number.digest(&key), other.digest(&key));
        assert_ne!(number.digest(&key), number.digest(&anothers));
        assert!(!number.digest(&key).as_str().contains("91234567"));
        let told = format!("{number:?} {key:?} {:?}", number.digest(&key));
        assert!(!told.contains("91234567"), "{told}");
    }
}
