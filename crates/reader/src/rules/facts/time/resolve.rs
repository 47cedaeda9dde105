//! A time as it was said, to a day.

use jiff::{
    ToSpan,
    civil::{Date, DateTime},
};

use super::{Kind, Mention, Resolved};

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
        Kind::Feast(feast, after) => feast.last(today).map_or(
            Resolved {
                date: None,
                days_ago: 180,
            },
            |date| match date.checked_add(after.days()) {
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
        Kind::WeekdayAround(weekday, days) => {
            let that_day = today.checked_sub(days.days()).unwrap_or(today);
            let back = i64::from(that_day.weekday().since(*weekday));
            let nearest = if back > 3 { back - 7 } else { back };
            on(days + nearest, "around ")
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
