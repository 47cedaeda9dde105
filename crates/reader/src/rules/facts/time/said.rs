//! How callers say when: times.toml, and what its patterns catch.

use std::{collections::BTreeMap, sync::LazyLock};

use jiff::civil::Weekday;
use regex::{Captures, Regex};
use serde::Deserialize;

use super::{super::feasts::Feast, Kind};
use crate::rules::{language, numbers};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// From Monday on, each in all its forms.
    weekdays: Vec<Vec<String>>,
    months: Vec<Vec<String>>,
    ordinals: Vec<String>,
    numbers: Vec<String>,
    units: BTreeMap<Unit, Vec<String>>,
    time: Vec<Time>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Time {
    means: Means,
    said: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Unit {
    Day,
    Week,
    Month,
    Year,
}

/// What a phrase means, with what it catches.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Means {
    Now,
    Today,
    TimeOfDay,
    Recurring,
    LongAgo,
    LastMonth,
    Weekend,
    DaysAgo(i64),
    Around(i64),
    /// `{number}` of `{unit}`, one where no number is said.
    SoLongAgo,
    /// Some of `{unit}`.
    SomeTimeAgo,
    /// `{weekday}`.
    Weekday,
    LastWeekday,
    /// `{day}` or `{ordinal}` of `{month}` or `{month_number}`, maybe of `{year}`.
    Date,
    Month,
    DayOfMonth,
    /// Likewise, and the whole of a clause: the first three are counted off, and no days.
    DayAlone,
    /// So many days after `{feast}`.
    Feast(i64),
}

/// Some ways to say one thing.
pub(super) struct Phrases {
    pub regex: Regex,
    means: Means,
}

static FILE: LazyLock<File> = LazyLock::new(|| language::file("times.toml"));

pub(super) static PHRASES: LazyLock<Vec<Phrases>> = LazyLock::new(|| {
    let words = words();
    FILE.time.iter().map(|time| phrases(time, &words)).collect()
});

fn phrases(time: &Time, words: &[(&str, String)]) -> Phrases {
    let mut pattern = language::expand(&time.said.join("|"));
    for (name, alternatives) in words {
        pattern = pattern.replace(
            &format!("{{{name}}}"),
            &format!("(?P<{name}>{alternatives})"),
        );
    }
    let regex = Regex::new(&format!(r"(?-u:\b)(?:{pattern})(?-u:\b)"));
    Phrases {
        regex: regex.unwrap_or_else(|error| panic!("times.toml: {:?}: {error}", time.said)),
        means: time.means,
    }
}

/// What stands in braces in a pattern.
fn words() -> [(&'static str, String); 9] {
    let any = |words: &[String]| language::alternatives(words.iter().map(String::as_str));
    [
        ("weekday", any(&FILE.weekdays.concat())),
        ("month", any(&FILE.months.concat())),
        ("ordinal", any(&FILE.ordinals)),
        ("number", format!("[0-9]{{1,3}}|{}", any(&FILE.numbers))),
        (
            "unit",
            any(&FILE.units.values().flatten().cloned().collect::<Vec<_>>()),
        ),
        ("feast", Feast::names()),
        ("day", "[0-9]{1,2}".to_owned()),
        ("month_number", "[0-9]{1,2}".to_owned()),
        ("year", "20[0-9]{2}".to_owned()),
    ]
}

impl Phrases {
    /// It is a time only where nothing else stands in the clause.
    pub fn fills_its_clause(&self) -> bool {
        matches!(self.means, Means::DayAlone)
    }

    /// What was caught means this; `None` where it is no time after all.
    pub fn read(&self, caught: &Captures<'_>) -> Option<Kind> {
        let word = |name| caught.name(name).map(|found| found.as_str());
        let month = || match word("month_number") {
            Some(figures) => figures.parse().ok(),
            None => place_in(&FILE.months, word("month")?),
        };
        let day = || match word("day") {
            Some(figures) => figures.parse().ok(),
            None => ordinal(word("ordinal")?),
        };
        Some(match self.means {
            Means::Now => Kind::Now,
            Means::Today => Kind::Today,
            Means::TimeOfDay => Kind::TimeOfDay,
            Means::Recurring => Kind::Recurring,
            Means::LongAgo => Kind::LongAgo,
            Means::LastMonth => Kind::LastMonth,
            Means::Weekend => Kind::Weekday(Weekday::Sunday),
            Means::DaysAgo(days) => Kind::DaysAgo(days),
            Means::Around(days) => Kind::Around(days),
            Means::SoLongAgo => {
                let number = match word("number") {
                    Some(number) => i64::from(numbers::read(&[number])?.0),
                    None => 1,
                };
                match unit(word("unit")?)? {
                    Unit::Day => Kind::DaysAgo(number),
                    Unit::Week => Kind::Around(number * 7),
                    Unit::Month => Kind::Around(number * 30),
                    Unit::Year => Kind::LongAgo,
                }
            }
            Means::SomeTimeAgo => match unit(word("unit")?)? {
                Unit::Day => Kind::Around(3),
                Unit::Week => Kind::Around(21),
                Unit::Month => Kind::Around(90),
                Unit::Year => Kind::LongAgo,
            },
            Means::Weekday => {
                // "Sun", "sat", "wed" and "mon" are words and names too: only beside another word.
                let alone = caught.get(0)?.as_str().trim_start() == word("weekday")?;
                if alone && word("weekday")?.len() <= 4 {
                    return None;
                }
                Kind::Weekday(weekday(word("weekday")?)?)
            }
            Means::LastWeekday => Kind::LastWeekday(weekday(word("weekday")?)?),
            Means::Date => Kind::Calendar {
                day: day()?,
                month: month()?,
                year: word("year").and_then(|year| year.parse().ok()),
            },
            Means::Month => Kind::Month(month()?),
            Means::DayOfMonth => Kind::DayOfMonth(day().filter(|day: &i8| (1..=31).contains(day))?),
            Means::DayAlone => Kind::DayOfMonth(day().filter(|day: &i8| (4..=31).contains(day))?),
            Means::Feast(days) => Kind::Feast(Feast::named(word("feast")?)?, days),
        })
    }
}

/// Which of the lists holds the word, from one on.
fn place_in(lists: &[Vec<String>], word: &str) -> Option<i8> {
    let at = lists
        .iter()
        .position(|forms| forms.iter().any(|form| form == word))?;
    i8::try_from(at + 1).ok()
}

fn weekday(word: &str) -> Option<Weekday> {
    Weekday::from_monday_one_offset(place_in(&FILE.weekdays, word)?).ok()
}

fn ordinal(words: &str) -> Option<i8> {
    let at = FILE.ordinals.iter().position(|name| name == words)?;
    i8::try_from(at + 1).ok()
}

fn unit(word: &str) -> Option<Unit> {
    let (unit, _) = FILE
        .units
        .iter()
        .find(|(_, forms)| forms.iter().any(|form| form == word))?;
    Some(*unit)
}
