//! The list of the records: its order, its pages, and the place where a page ends. The order is that of a shift:
//! calls under way, then urgent ones, then the rest, each newest first.

use std::fmt;
use std::str::FromStr;

use crate::call_record::{CallRecord, FinishedCall};

/// How soon a record is to be read: what is greater stands above. Stores keep its number beside the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(i16)]
pub enum Urgency {
    NotUrgent = 0,
    Urgent = 1,
    /// Of a call under way nothing is known.
    NotAssessed = 2,
}

impl Urgency {
    const ALL: [Self; 3] = [Self::NotUrgent, Self::Urgent, Self::NotAssessed];

    /// What a call's end makes of it.
    pub fn of(call: &FinishedCall) -> Self {
        match call.note.structured_data.urgent {
            true => Self::Urgent,
            false => Self::NotUrgent,
        }
    }

    pub fn number(self) -> i16 {
        self as i16
    }

    pub fn from_number(number: i16) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|urgency| urgency.number() == number)
    }
}

/// A record's place in the list. What became of the record since is no matter: the place stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub urgency: Urgency,
    /// The record's number.
    pub id: i64,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.urgency.number(), self.id)
    }
}

/// Not what a [`Place`] was written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a place in the list of records: take one from a page of it")]
pub struct UnknownPlace;

impl FromStr for Place {
    type Err = UnknownPlace;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (urgency, id) = text.split_once('.').ok_or(UnknownPlace)?;
        let urgency = urgency.parse().map_err(|_| UnknownPlace)?;
        Ok(Self {
            urgency: Urgency::from_number(urgency).ok_or(UnknownPlace)?,
            id: id.parse().map_err(|_| UnknownPlace)?,
        })
    }
}

/// Some of the list, in its order.
#[derive(Debug, Clone, PartialEq)]
pub struct ListPage {
    /// Without their messages, which [`CallStore::call`](crate::CallStore::call) gives.
    pub records: Vec<CallRecord>,
    /// The page's last place, if there are records after it.
    pub next: Option<Place>,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_place_is_read_back_as_it_was_written_and_nothing_else_is_one() {
        for urgency in Urgency::ALL {
            let place = Place { urgency, id: 4_711 };
            assert_eq!(place.to_string().parse(), Ok(place));
        }
        for text in ["", "1", "1.", ".7", "3.7", "-1.7", "1.x", "1.7.2", "1.7 "] {
            assert_eq!(text.parse::<Place>(), Err(UnknownPlace), "{text}");
        }
    }
}
