//! Which night a report is of, and when it is mailed: by the clock of Singapore, which knows no summer time. Pure.

use call::{SINGAPORE, singapore_time};
use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};

const BEGINS: Time = Time::constant(18, 0, 0, 0);
const LASTS: SignedDuration = SignedDuration::from_hours(14);
/// A report that nobody could put out for so long is yesterday's news.
const STILL_NEWS: SignedDuration = SignedDuration::from_hours(12);

/// From one moment until before another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Night {
    pub from: Timestamp,
    pub until: Timestamp,
}

impl Night {
    /// The one that began last: from six in the evening to eight in the morning.
    pub fn at(now: Timestamp) -> Self {
        let here = singapore_time(now);
        let evening = moment(here.date(), BEGINS);
        let from = match evening > now {
            true => moment(here.date().saturating_sub(1.day()), BEGINS),
            false => evening,
        };
        Self {
            from,
            until: from.saturating_add(LASTS).unwrap_or(Timestamp::MAX),
        }
    }

    /// The one that is told of by the mail of this day.
    pub fn mailed_on(day: Date, at: Time) -> Self {
        Self::at(moment(day, at))
    }
}

/// The day whose mail is due, where mail goes at this time of the day: from then on for half a day.
pub fn mail_due(now: Timestamp, at: Time) -> Option<Date> {
    let today = singapore_time(now).date();
    let days = [today, today.saturating_sub(1.day())];
    let is_due = |day: &Date| {
        let since = now.duration_since(moment(*day, at));
        !since.is_negative() && since < STILL_NEWS
    };
    days.into_iter().find(is_due)
}

fn moment(day: Date, time: Time) -> Timestamp {
    let moment = TimeZone::fixed(SINGAPORE).to_timestamp(day.to_datetime(time));
    moment.unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use jiff::civil::date;

    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_night_is_from_six_in_the_evening_to_eight_in_the_morning() {
        let last = Night {
            from: at("2026-11-24T18:00:00+08:00"),
            until: at("2026-11-25T08:00:00+08:00"),
        };
        for now in [
            "2026-11-24T18:00:00+08:00",
            "2026-11-24T23:59:59+08:00",
            "2026-11-25T02:00:00+08:00",
            "2026-11-25T07:30:00+08:00",
            "2026-11-25T17:59:59+08:00",
        ] {
            assert_eq!(Night::at(at(now)), last, "{now}");
        }
        assert_ne!(Night::at(at("2026-11-25T18:00:00+08:00")), last);
        let mailed = Night::mailed_on(date(2026, 11, 25), Time::constant(7, 30, 0, 0));
        assert_eq!(mailed, last);
    }

    #[test]
    fn mail_is_due_from_its_time_on_for_half_a_day() {
        let seven_thirty = Time::constant(7, 30, 0, 0);
        let due = |now: &str| mail_due(at(now), seven_thirty);
        assert_eq!(due("2026-11-25T07:29:59+08:00"), None);
        let today = Some(date(2026, 11, 25));
        assert_eq!(due("2026-11-25T07:30:00+08:00"), today);
        assert_eq!(due("2026-11-25T19:29:59+08:00"), today);
        assert_eq!(due("2026-11-25T19:30:00+08:00"), None);
        // A report of the evening is still due after midnight.
        let evening = Time::constant(22, 0, 0, 0);
        assert_eq!(mail_due(at("2026-11-26T01:00:00+08:00"), evening), today);
    }
}
