//! Feasts by which people in Singapore remember a day: feasts.toml.

use std::sync::LazyLock;

use jiff::civil::Date;
use serde::Deserialize;

use crate::rules::language;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    feast: Vec<Feast>,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Feast {
    called: Vec<String>,
    /// Month and day, for a feast that keeps to them.
    every_year: Option<String>,
    /// The days that are known, for one that moves.
    #[serde(default)]
    on: Vec<Date>,
}

static FEASTS: LazyLock<Vec<Feast>> = LazyLock::new(|| language::file::<File>("feasts.toml").feast);

impl Feast {
    /// How they are called, as alternatives of a regular expression.
    pub fn names() -> String {
        let names = FEASTS.iter().flat_map(|feast| &feast.called);
        language::alternatives(names.map(String::as_str))
    }

    pub fn named(name: &str) -> Option<&'static Self> {
        FEASTS
            .iter()
            .find(|feast| feast.called.iter().any(|called| called == name))
    }

    /// The last one before or on a day. Nothing is claimed where the year's own day is not known, for it
    /// might be a later one.
    pub fn last(&self, today: Date) -> Option<Date> {
        let this_year = self.in_year(today.year())?;
        if this_year <= today {
            return Some(this_year);
        }
        self.in_year(today.year() - 1)
    }

    fn in_year(&self, year: i16) -> Option<Date> {
        match &self.every_year {
            Some(day) => format!("{year}-{day}").parse().ok(),
            None => self.on.iter().find(|date| date.year() == year).copied(),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_feast_is_the_last_one_that_has_been() {
        let today: Date = "2026-11-20".parse().unwrap();
        let last = |name: &str| {
            Feast::named(name)
                .unwrap()
                .last(today)
                .map(|date| date.to_string())
        };
        assert_eq!(last("deepavali").as_deref(), Some("2026-11-08"));
        assert_eq!(last("christmas").as_deref(), Some("2025-12-25"));
        assert_eq!(last("new year").as_deref(), Some("2026-01-01"));
    }

    #[test]
    fn of_a_year_not_in_the_table_nothing_is_claimed() {
        let deepavali = Feast::named("deepavali").unwrap();
        assert_eq!(deepavali.last("2031-01-05".parse().unwrap()), None);
        assert!(
            FEASTS
                .iter()
                .all(|feast| feast.every_year.is_some() == feast.on.is_empty())
        );
    }
}
