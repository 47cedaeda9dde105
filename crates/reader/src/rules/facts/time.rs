//! When it last happened, resolved against the moment of the call.
//!
//! Days resolve to a date; what cannot be resolved keeps the caller's own words.

use std::{ops::Range, sync::LazyLock};

use jiff::{
    ToSpan,
    civil::{Date, DateTime, Weekday},
};
use regex::{Captures, Regex};

use super::feasts::Feast;
use crate::rules::{language, numbers, text::Text};

/// A time in a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mention {
    pub tokens: Range<usize>,
    kind: Kind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    /// Right now, or moments ago.
    Now,
    /// Earlier on this day.
    Today,
    /// "After dinner": of this day, unless another is named.
    TimeOfDay,
    DaysAgo(i64),
    Weekday(Weekday),
    /// A weekday of the week before this one.
    LastWeekday(Weekday),
    Calendar {
        day: i8,
        month: i8,
        year: Option<i16>,
    },
    Month(i8),
    /// The last such day of a month.
    DayOfMonth(i8),
    /// So many days before the last such feast.
    Feast(&'static Feast, i64),
    /// Such a day of the month before.
    DayOfLastMonth(i8),
    LastMonth,
    /// Around so many days ago.
    Around(i64),
    /// Again and again.
    Recurring,
    /// Years ago.
    LongAgo,
}

impl Mention {
    /// Before today; not again and again.
    pub fn is_past(&self) -> bool {
        !matches!(
            self.kind,
            Kind::Now | Kind::Today | Kind::TimeOfDay | Kind::Recurring
        )
    }

    pub fn is_recurring(&self) -> bool {
        self.kind == Kind::Recurring
    }

    /// "At night", "after dinner": no day.
    pub fn is_time_of_day(&self) -> bool {
        self.kind == Kind::TimeOfDay
    }

    /// Moments ago or this minute.
    pub fn is_now(&self) -> bool {
        self.kind == Kind::Now
    }
}

/// A time, resolved: the date when there is one, and how recent it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Resolved {
    /// "2026-11-19", "around 2026-11-13", "2026-06"; `None` keeps to the caller's words.
    pub date: Option<String>,
    /// Days before the call, roughly; the smaller the later.
    pub days_ago: i64,
}

struct Rule {
    regex: Regex,
    read: fn(&Captures<'_>) -> Option<Kind>,
}

const NUMBER: &str = r"(?:[0-9]{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|twenty)";
const WEEKDAY: &str = r"(monday|mon|tuesday|tues|tue|wednesday|wed|thursday|thurs|thur|thu|friday|fri|saturday|sat|sunday|sun)";
const MONTH: &str = r"(january|jan|february|feb|march|mar|april|apr|may|june|jun|july|jul|august|aug|september|sept|sep|october|oct|november|nov|december|dec)";

/// A day of the month, in words.
const ORDINAL: &str = r"(?:twenty |thirty )?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|thirtieth";

static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    let rule = |pattern: &str, read: fn(&Captures<'_>) -> Option<Kind>| Rule {
        regex: Regex::new(&format!(r"(?-u:\b)(?:{pattern})(?-u:\b)")).expect("a constant"),
        read,
    };
    vec![
        rule(
            r"just now|right now|now|at this moment|at the moment|a (?:moment|minute|while|little while|short while) ago|(?:few|couple of|several|some) (?:minutes|mins) (?:ago|back|before)|a few (?:minutes|mins) (?:ago|back|before)|(?:[0-9]{1,2}|one|two|three|five|ten|fifteen|twenty|thirty|forty|half an|an) (?:minutes?|mins?|hour) (?:ago|back|before)|moments ago|as we speak",
            |_| Some(Kind::Now),
        ),
        rule(
            &format!(
                r"(?:about |around )?(?:{NUMBER}|[0-9]+|thirty|forty|fifteen|half an|a few|few|an) (?:minutes?|mins?|hours?|hrs?) (?:ago|back|before)|hours ago"
            ),
            |_| Some(Kind::Today),
        ),
        rule(
            r"today|tonight|this (?:morning|afternoon|evening)|earlier(?: today| tonight| on| this evening)?",
            |_| Some(Kind::Today),
        ),
        rule(
            r"(?:just )?(?:before|after|during|at) (?:dinner|lunch|breakfast|supper|school|work)|at night|in the (?:morning|evening|afternoon|night)",
            |_| Some(Kind::TimeOfDay),
        ),
        rule(
            r"last night|yesterday(?: night| morning| evening| afternoon)?|ytd|the night before|the whole of last night|overnight",
            |_| Some(Kind::DaysAgo(1)),
        ),
        rule(
            r"(?:the )?day before yesterday|(?:the )?night before last|two nights ago|(?:the other|other) day before",
            |_| Some(Kind::DaysAgo(2)),
        ),
        rule(
            &format!(r"({NUMBER}) (days?|nights?|weeks?|months?|years?|yrs?) (?:ago|back|before)"),
            |c| {
                let (number, _) = numbers::read(&[&c[1]])?;
                let number = i64::from(number);
                Some(match &c[2] {
                    "day" | "days" | "night" | "nights" => Kind::DaysAgo(number),
                    "week" | "weeks" => Kind::Around(number * 7),
                    "month" | "months" => Kind::Around(number * 30),
                    _ => Kind::LongAgo,
                })
            },
        ),
        rule(
            r"(?:a )?(?:few|couple|couple of|several|some) (?:of )?(days?|nights?|weeks?|months?|years?) (?:ago|back|before)",
            |c| {
                Some(match &c[1] {
                    "day" | "days" | "night" | "nights" => Kind::Around(3),
                    "week" | "weeks" => Kind::Around(21),
                    "month" | "months" => Kind::Around(90),
                    _ => Kind::LongAgo,
                })
            },
        ),
        rule(r"a (day|night|week|month|year) (?:ago|back)", |c| {
            Some(match &c[1] {
                "day" | "night" => Kind::DaysAgo(1),
                "week" => Kind::Around(7),
                "month" => Kind::Around(30),
                _ => Kind::LongAgo,
            })
        }),
        rule(
            &format!(r"(?:last|past) week(?: \|)?(?: on)? {WEEKDAY}|{WEEKDAY}(?: \|)? last week"),
            |c| {
                c.get(1)
                    .or(c.get(2))
                    .and_then(|day| weekday(day.as_str()))
                    .map(Kind::LastWeekday)
            },
        ),
        rule(
            &format!(
                r"(?:last|on|this|past|since|this past|until|from)? ?{WEEKDAY}(?: (?:night|morning|evening|afternoon))?"
            ),
            |c| {
                // "sun", "sat", "wed" and "mon" are words and names too: only with a hint.
                let whole = c.get(0)?.as_str().trim_start();
                let day = c.get(1)?.as_str();
                if day.len() <= 4 && whole == day {
                    return None;
                }
                weekday(day).map(Kind::Weekday)
            },
        ),
        rule(
            r"last weekend|over the weekend|this weekend|the weekend|weekend",
            |_| Some(Kind::Weekday(Weekday::Sunday)),
        ),
        rule(r"last week|a week back|past week|the week before", |_| {
            Some(Kind::Around(7))
        }),
        rule(r"earlier this week|this week", |_| Some(Kind::Around(2))),
        rule(
            r"(?:the )?other (?:day|night)|recently|not long ago|few days back",
            |_| Some(Kind::Around(3)),
        ),
        rule(r"last month|a month back|past month", |_| {
            Some(Kind::LastMonth)
        }),
        rule(r"this month", |_| Some(Kind::Around(10))),
        rule(
            &format!(
                r"(?:the )?([0-9]{{1,2}})(?:st|nd|rd|th)? (?:of )?{MONTH}(?: (20[0-9]{{2}}))?"
            ),
            |c| {
                calendar(
                    c.get(1)?.as_str(),
                    c.get(2)?.as_str(),
                    c.get(3).map(|y| y.as_str()),
                )
            },
        ),
        rule(
            &format!(r"{MONTH} (?:the )?([0-9]{{1,2}})(?:st|nd|rd|th)?(?: (20[0-9]{{2}}))?"),
            |c| {
                calendar(
                    c.get(2)?.as_str(),
                    c.get(1)?.as_str(),
                    c.get(3).map(|y| y.as_str()),
                )
            },
        ),
        rule(&format!(r"(?:the )?({ORDINAL}) (?:of )?{MONTH}"), |c| {
            Some(Kind::Calendar {
                day: ordinal(&c[1])?,
                month: month(&c[2])?,
                year: None,
            })
        }),
        rule(&format!(r"{MONTH} (?:the )?({ORDINAL})"), |c| {
            Some(Kind::Calendar {
                day: ordinal(&c[2])?,
                month: month(&c[1])?,
                year: None,
            })
        }),
        // "Last Sunday, the fifteenth".
        rule(
            &format!(
                r"(?:last |on |this )?{WEEKDAY}(?: (?:night|morning|evening|afternoon))?(?: \|)? the ({ORDINAL})"
            ),
            |c| ordinal(&c[2]).map(Kind::DayOfMonth),
        ),
        // "On the fifteenth": the last one there was.
        rule(
            &format!(
                r"(?:(?:on|since|from|of|it was|was|around|about) )?the ({ORDINAL}|[0-9]{{1,2}}(?:st|nd|rd|th))(?: of (?:this|the) month| this month)?"
            ),
            |c| {
                // "The first time", "the second": a day only where it can be none but a day.
                let whole = c.get(0)?.as_str();
                let bare_ordinal =
                    whole.starts_with("the ") && !c[1].starts_with(|c: char| c.is_ascii_digit());
                if bare_ordinal && !whole.ends_with("month") {
                    return None;
                }
                let day = c[1].trim_end_matches(|c: char| c.is_ascii_alphabetic());
                ordinal(&c[1])
                    .or_else(|| day.parse().ok())
                    .filter(|day| (1..=31).contains(day))
                    .map(Kind::DayOfMonth)
            },
        ),
        rule(
            &format!(
                r"(?:(?:the )?(?:night|day|evening) (before|after) |on |during |last )?({})( eve)?(?: (?:day|night|eve))?",
                Feast::names()
            ),
            |c| {
                let before = match c.get(1).map(|m| m.as_str()) {
                    Some("before") => 1,
                    Some(_) => -1,
                    None => i64::from(c.get(0)?.as_str().ends_with("eve")),
                };
                Some(Kind::Feast(Feast::named(&c[2])?, before))
            },
        ),
        rule(r"24/7", |_| Some(Kind::Recurring)),
        rule(r"([0-9]{1,2})/([0-9]{1,2})(?:/(20[0-9]{2}))?", |c| {
            Some(Kind::Calendar {
                day: c[1].parse().ok()?,
                month: c[2].parse().ok()?,
                year: c.get(3).and_then(|y| y.as_str().parse().ok()),
            })
        }),
        rule(
            &format!(r"(?:in|since|around|last|back in|early|late|mid|end of) {MONTH}"),
            |c| month(&c[1]).map(Kind::Month),
        ),
        rule(
            r"every (?:day|night|week|weekend|month|time|single day|other day|few days)|all the time|daily|always|ongoing|almost every day|whenever|constantly|most (?:days|nights)|it never stops|still happening",
            |_| Some(Kind::Recurring),
        ),
        rule(
            &language::expand(r"{long_ago}|last year|(?:19[5-9][0-9]|20[01][0-9]|202[0-5])"),
            |_| Some(Kind::LongAgo),
        ),
    ]
});

/// Every time in the turn, in no order; overlapping ones once, the longest.
pub(crate) fn mentions(text: &Text<'_>) -> Vec<Mention> {
    let mut found: Vec<Mention> = Vec::new();
    for rule in RULES.iter() {
        for captures in rule.regex.captures_iter(text.plain()) {
            let range = captures.get(0).expect("group 0 is the match").range();
            let tokens = text.tokens_in(&range);
            let Some(kind) = (rule.read)(&captures) else {
                continue;
            };
            if let Some(at) = found
                .iter()
                .position(|m| m.tokens.start < tokens.end && tokens.start < m.tokens.end)
            {
                if tokens.len() > found[at].tokens.len() {
                    found[at] = Mention { tokens, kind };
                }
                continue;
            }
            found.push(Mention { tokens, kind });
        }
    }
    with_parts_joined(found)
}

/// "Yesterday, after dinner" is yesterday; "in October, on the tenth" is one day.
fn with_parts_joined(mut found: Vec<Mention>) -> Vec<Mention> {
    if found
        .iter()
        .any(|m| !matches!(m.kind, Kind::TimeOfDay | Kind::Recurring))
    {
        found.retain(|m| m.kind != Kind::TimeOfDay);
    }
    // "Last Thursday, the twelfth", "Tuesday this week": the narrower one says which.
    let weekday = found
        .iter()
        .any(|m| matches!(m.kind, Kind::Weekday(_) | Kind::LastWeekday(_)));
    let dated = found
        .iter()
        .any(|m| matches!(m.kind, Kind::DayOfMonth(_) | Kind::Calendar { .. }));
    if dated {
        found.retain(|m| !matches!(m.kind, Kind::Weekday(_) | Kind::LastWeekday(_)));
    } else if weekday {
        found.retain(|m| !matches!(m.kind, Kind::Around(_)));
    }
    if let Some(last) = found.iter().position(|m| m.kind == Kind::LastMonth)
        && let Some(day) = found
            .iter()
            .position(|m| matches!(m.kind, Kind::DayOfMonth(_)))
    {
        let of_month = found[last].tokens.clone();
        let mention = &mut found[day];
        if let Kind::DayOfMonth(day) = mention.kind {
            mention.kind = Kind::DayOfLastMonth(day);
            mention.tokens =
                mention.tokens.start.min(of_month.start)..mention.tokens.end.max(of_month.end);
        }
        found.remove(last);
    }
    let month = found.iter().find_map(|m| match m.kind {
        Kind::Month(month) => Some((month, m.tokens.clone())),
        _ => None,
    });
    if let Some((month, of_month)) = month {
        for mention in &mut found {
            if let Kind::DayOfMonth(day) = mention.kind {
                mention.kind = Kind::Calendar {
                    day,
                    month,
                    year: None,
                };
                mention.tokens =
                    mention.tokens.start.min(of_month.start)..mention.tokens.end.max(of_month.end);
            }
        }
        let joined = found
            .iter()
            .any(|m| matches!(m.kind, Kind::Calendar { month: m, .. } if m == month));
        if joined {
            found.retain(|m| m.kind != Kind::Month(month));
        }
    }
    found
}

/// The mention resolved against the moment of the call.
pub(crate) fn resolve(mention: &Mention, called_at: DateTime) -> Resolved {
    let today = called_at.date();
    let on = |days: i64, prefix: &str| Resolved {
        date: today
            .checked_sub(days.days())
            .ok()
            .map(|date| format!("{prefix}{date}")),
        days_ago: days,
    };
    let exact = |date: Date| Resolved {
        date: Some(date.to_string()),
        days_ago: days_between(date, today),
    };
    match &mention.kind {
        Kind::Now | Kind::Today | Kind::TimeOfDay => on(0, ""),
        Kind::DaysAgo(days) => on(*days, ""),
        Kind::Around(days) => on(*days, "around "),
        Kind::LastMonth => on(30, "around "),
        Kind::Feast(feast, before) => feast.last(today).map_or(
            Resolved {
                date: None,
                days_ago: 180,
            },
            |date| match date.checked_sub(before.days()) {
                Ok(date) => exact(date),
                Err(_) => exact(date),
            },
        ),
        Kind::DayOfLastMonth(day) => today
            .checked_sub(1.month())
            .ok()
            .and_then(|before| Date::new(before.year(), before.month(), *day).ok())
            .map_or_else(|| on(30, "around "), exact),
        Kind::Weekday(weekday) => {
            let back = i64::from(today.weekday().since(*weekday));
            on(if back == 0 { 7 } else { back }, "")
        }
        Kind::LastWeekday(weekday) => {
            let monday = i64::from(today.weekday().to_monday_zero_offset());
            let offset = i64::from(weekday.to_monday_zero_offset());
            on(monday + 7 - offset, "")
        }
        Kind::Calendar { day, month, year } => {
            let year_of = year.unwrap_or(today.year());
            match Date::new(year_of, *month, *day) {
                Ok(date) if date > today && year.is_none() => Date::new(year_of - 1, *month, *day)
                    .map_or(
                        Resolved {
                            date: None,
                            days_ago: 365,
                        },
                        exact,
                    ),
                Ok(date) => exact(date),
                Err(_) => Resolved {
                    date: None,
                    days_ago: 365,
                },
            }
        }
        Kind::DayOfMonth(day) => {
            let this_month = Date::new(today.year(), today.month(), *day).ok();
            let month_before = today
                .checked_sub(1.month())
                .ok()
                .and_then(|before| Date::new(before.year(), before.month(), *day).ok());
            this_month
                .filter(|date| *date <= today)
                .or(month_before)
                .map_or(
                    Resolved {
                        date: None,
                        days_ago: 15,
                    },
                    exact,
                )
        }
        Kind::Month(month) => {
            let year = if *month > today.month() {
                today.year() - 1
            } else {
                today.year()
            };
            let months = i64::from(today.month() - month).rem_euclid(12);
            Resolved {
                date: Some(format!("{year}-{month:02}")),
                days_ago: months * 30,
            }
        }
        Kind::Recurring => Resolved {
            date: None,
            days_ago: 1,
        },
        Kind::LongAgo => Resolved {
            date: None,
            days_ago: 1_000,
        },
    }
}

fn days_between(from: Date, to: Date) -> i64 {
    (to - from).get_days().into()
}

fn weekday(word: &str) -> Option<Weekday> {
    Some(match word.get(..3)? {
        "mon" => Weekday::Monday,
        "tue" => Weekday::Tuesday,
        "wed" => Weekday::Wednesday,
        "thu" => Weekday::Thursday,
        "fri" => Weekday::Friday,
        "sat" => Weekday::Saturday,
        "sun" => Weekday::Sunday,
        _ => return None,
    })
}

fn month(word: &str) -> Option<i8> {
    const MONTHS: [&str; 12] = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ];
    let at = MONTHS.iter().position(|name| word.starts_with(name))?;
    i8::try_from(at + 1).ok()
}

fn calendar(day: &str, name: &str, year: Option<&str>) -> Option<Kind> {
    Some(Kind::Calendar {
        day: day.parse().ok()?,
        month: month(name)?,
        year: year.and_then(|year| year.parse().ok()),
    })
}

fn ordinal(words: &str) -> Option<i8> {
    const ORDINALS: &str = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh \
        twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth";
    let (tens, rest) = match words.split_once(' ') {
        Some(("twenty", rest)) => (20, rest),
        Some(("thirty", rest)) => (30, rest),
        _ if words == "thirtieth" => return Some(30),
        _ => (0, words),
    };
    let at = ORDINALS.split(' ').position(|name| name == rest)?;
    i8::try_from(tens + at + 1).ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn check(words: &str, date: Option<&str>) {
        // A Friday.
        let called_at: DateTime = "2026-11-20T23:10:00".parse().unwrap();
        let text = Text::new(words);
        let found = mentions(&text);
        let resolved = found
            .iter()
            .map(|mention| resolve(mention, called_at))
            .min_by_key(|r| r.days_ago);
        assert_eq!(
            resolved.and_then(|r| r.date).as_deref(),
            date,
            "{words}: {found:?}"
        );
    }

    #[test]
    fn times_resolve_against_the_moment_of_the_call() {
        check("last night", Some("2026-11-19"));
        check("on Tuesday", Some("2026-11-17"));
        check("last Sunday night", Some("2026-11-15"));
        check("just now", Some("2026-11-20"));
        check("about an hour ago", Some("2026-11-20"));
        check("this morning lah", Some("2026-11-20"));
        check("two days ago", Some("2026-11-18"));
        check("the day before yesterday", Some("2026-11-18"));
        check("last week", Some("around 2026-11-13"));
        check("three weeks back", Some("around 2026-10-30"));
        check("on the 5th of November", Some("2026-11-05"));
        check("5 Nov", Some("2026-11-05"));
        check("December 25", Some("2025-12-25"));
        check("the twenty first of october", Some("2026-10-21"));
        check("on the fifteenth, when the money came", Some("2026-11-15"));
        check("on the 25th", Some("2026-10-25"));
        check("the night before last", Some("2026-11-18"));
        check("ten minutes before", Some("2026-11-20"));
        check("yesterday, after dinner", Some("2026-11-19"));
        check("after dinner", Some("2026-11-20"));
        check("in October, on the tenth", Some("2026-10-10"));
        check("3/11", Some("2026-11-03"));
        check("in June", Some("2026-06"));
        check("last month, around the twentieth", Some("2026-10-20"));
        check("last month", Some("around 2026-10-21"));
        check("last Thursday, the twelfth", Some("2026-11-12"));
        check("Tuesday this week", Some("2026-11-17"));
        check("the night before Deepavali", Some("2026-11-07"));
        check("on Christmas eve", Some("2025-12-24"));
        check("during Hari Raya", Some("2026-03-21"));
        check("last week on Monday", Some("2026-11-09"));
        check("a few days ago", Some("around 2026-11-17"));
        check("every night", None);
        check("years ago", None);
        check("31/2", None);
        check("i may go", None);
        check("in the sun", None);
    }
}
