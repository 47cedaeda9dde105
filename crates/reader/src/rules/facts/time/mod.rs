//! When it last happened, resolved against the moment of the call.
//!
//! Days resolve to a date; what cannot be resolved keeps the caller's own words.

mod resolve;
mod said;

use std::ops::Range;

use jiff::civil::Weekday;

pub(crate) use self::resolve::resolve;
use super::feasts::Feast;
use crate::rules::text::Text;

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
    /// The such weekday that is nearest to so many days ago.
    WeekdayAround(Weekday, i64),
    Calendar {
        day: i8,
        month: i8,
        year: Option<i16>,
    },
    Month(i8),
    /// The last such day of a month.
    DayOfMonth(i8),
    /// So many days after the last such feast.
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

/// Every time in the turn, in no order; overlapping ones once, the longest.
pub(crate) fn mentions(text: &Text<'_>) -> Vec<Mention> {
    let mut found: Vec<Mention> = Vec::new();
    for phrases in said::PHRASES.iter() {
        for caught in phrases.regex.captures_iter(text.plain()) {
            let range = caught.get(0).expect("group 0 is the match").range();
            let tokens = text.tokens_in(&range);
            let Some(kind) = phrases.read(&caught) else {
                continue;
            };
            if phrases.fills_its_clause() && text.clause(tokens.start) != tokens {
                continue;
            }
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
        with_weeks_ago(&mut found);
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

/// "Two weeks ago, on a Saturday": a weekday, and not the last one. "This month's pay, on Monday" is the last one.
fn with_weeks_ago(found: &mut [Mention]) {
    const TWO_WEEKS: i64 = 14;
    let weeks_ago = found.iter().find_map(|m| match m.kind {
        Kind::Around(days) if days >= TWO_WEEKS => Some(days),
        _ => None,
    });
    let Some(days) = weeks_ago else { return };
    for mention in found {
        if let Kind::Weekday(weekday) = mention.kind {
            mention.kind = Kind::WeekdayAround(weekday, days);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use jiff::civil::DateTime;

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
        check("two weeks ago, on a Saturday", Some("around 2026-11-07"));
        check("last week, on Tuesday", Some("2026-11-10"));
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
        check("He took this month's pay on Monday.", Some("2026-11-16"));
        check("Payday, so the twelfth.", Some("2026-11-12"));
        check(
            "The seventeenth. I remember, it was raining.",
            Some("2026-11-17"),
        );
        check("The first. I told you already.", None);
        check("every night", None);
        check("years ago", None);
        check("31/2", None);
        check("i may go", None);
        check("in the sun", None);
    }
}
