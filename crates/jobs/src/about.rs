//! What a job is about.

use std::fmt;
use std::str::FromStr;

/// As long as a uuid with a date before it.
const LONGEST: usize = 64;

/// An id or a date. Nothing that a caller said fits in: it has no spaces, and no letters but small ones of ASCII.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct About(String);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a job is about an id or a date: 1 to {LONGEST} small letters, digits and hyphens")]
pub struct NotAnId;

impl About {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for About {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for About {
    type Err = NotAnId;

    fn from_str(text: &str) -> Result<Self, NotAnId> {
        let of_an_id = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        match !text.is_empty() && text.len() <= LONGEST && text.chars().all(of_an_id) {
            true => Ok(Self(text.to_owned())),
            false => Err(NotAnId),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_dates_are_let_in_and_words_are_not() {
        for id in ["2026-11-25", "019ab7c2-0000-7000-8000-000000000000", "7"] {
            assert!(id.parse::<About>().is_ok(), "{id}");
        }
        let long = "a".repeat(LONGEST + 1);
        for words in ["", "he has a knife", "Mei", "mei@line.example", &long] {
            assert_eq!(words.parse::<About>(), Err(NotAnId), "{words}");
        }
    }
}
