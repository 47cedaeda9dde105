//! Feasts by which people in Singapore remember a day.
//!
//! Those that move with the moon are kept as the Ministry of Manpower published them; of a year that
//! is not in the table nothing is claimed, and the caller's own words stand.

use jiff::civil::Date;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Feast {
    NewYear,
    ChineseNewYear,
    HariRayaPuasa,
    GoodFriday,
    LabourDay,
    HariRayaHaji,
    Vesak,
    NationalDay,
    Deepavali,
    Halloween,
    Christmas,
}

impl Feast {
    /// How they are called, as alternatives of a regular expression.
    pub const NAMES: &'static str = "chinese new year|lunar new year|cny|new year s|new year|hari raya haji|hari raya puasa|hari raya|aidilfitri|good friday|labour day|vesak|national day|deepavali|diwali|halloween|christmas|xmas";

    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "chinese new year" | "lunar new year" | "cny" => Self::ChineseNewYear,
            "new year" | "new year s" => Self::NewYear,
            "hari raya haji" => Self::HariRayaHaji,
            "hari raya" | "hari raya puasa" | "aidilfitri" => Self::HariRayaPuasa,
            "good friday" => Self::GoodFriday,
            "labour day" => Self::LabourDay,
            "vesak" => Self::Vesak,
            "national day" => Self::NationalDay,
            "deepavali" | "diwali" => Self::Deepavali,
            "halloween" => Self::Halloween,
            "christmas" | "xmas" => Self::Christmas,
            _ => return None,
        })
    }

    /// The last one before or on a day.
    pub fn last(self, today: Date) -> Option<Date> {
        [today.year(), today.year() - 1]
            .into_iter()
            .filter_map(|year| self.in_year(year))
            .find(|date| *date <= today)
            // A year that is not in the table might hold a later one.
            .filter(|date| date.year() == today.year() || self.in_year(today.year()).is_some())
    }

    fn in_year(self, year: i16) -> Option<Date> {
        let (month, day) = match (self, year) {
            (Self::NewYear, _) => (1, 1),
            (Self::LabourDay, _) => (5, 1),
            (Self::NationalDay, _) => (8, 9),
            (Self::Halloween, _) => (10, 31),
            (Self::Christmas, _) => (12, 25),
            (Self::ChineseNewYear, 2025) => (1, 29),
            (Self::ChineseNewYear, 2026) => (2, 17),
            (Self::HariRayaPuasa, 2025) => (3, 31),
            (Self::HariRayaPuasa, 2026) => (3, 21),
            (Self::GoodFriday, 2025) => (4, 18),
            (Self::GoodFriday, 2026) => (4, 3),
            (Self::HariRayaHaji, 2025) => (6, 7),
            (Self::HariRayaHaji, 2026) => (5, 27),
            (Self::Vesak, 2025) => (5, 12),
            (Self::Vesak, 2026) => (5, 31),
            (Self::Deepavali, 2025) => (10, 20),
            (Self::Deepavali, 2026) => (11, 8),
            _ => return None,
        };
        Date::new(year, month, day).ok()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_feast_is_the_last_one_that_has_been() {
        let today: Date = "2026-11-20".parse().unwrap();
        let last = |feast: Feast| feast.last(today).map(|date| date.to_string());
        assert_eq!(last(Feast::Deepavali).as_deref(), Some("2026-11-08"));
        assert_eq!(last(Feast::Christmas).as_deref(), Some("2025-12-25"));
        assert_eq!(last(Feast::NewYear).as_deref(), Some("2026-01-01"));
    }

    #[test]
    fn of_a_year_not_in_the_table_nothing_is_claimed() {
        assert_eq!(Feast::Deepavali.last("2031-01-05".parse().unwrap()), None);
    }
}
