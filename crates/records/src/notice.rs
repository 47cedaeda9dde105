//! What a caller was told before a call: that a machine answers, what is kept and for how long, who reads it. The words of
//! every version stand in `docs/privacy.md`.

use std::fmt;
use std::str::FromStr;

use jiff::civil::Date;

/// The notice that stood beside the button when a call was begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Notice {
    /// The day since which it has had these words.
    pub version: Date,
    /// For how many days it said that the record is kept.
    pub kept_days: u16,
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.version, self.kept_days)
    }
}

/// Not what a [`Notice`] was written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a notice: give its version and the days it names, such as 2026-11-23/30")]
pub struct UnknownNotice;

impl FromStr for Notice {
    type Err = UnknownNotice;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (version, kept_days) = text.split_once('/').ok_or(UnknownNotice)?;
        Ok(Self {
            version: version.parse().map_err(|_| UnknownNotice)?,
            kept_days: kept_days.parse().map_err(|_| UnknownNotice)?,
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_notice_is_read_back_as_it_was_written_and_nothing_else_is_one() {
        let notice: Notice = "2026-11-23/30".parse().unwrap();
        assert_eq!(notice.to_string(), "2026-11-23/30");
        for text in ["", "2026-11-23", "2026-11-23/", "2026-11-23/x", "today/30"] {
            assert_eq!(text.parse::<Notice>(), Err(UnknownNotice), "{text}");
        }
    }
}
