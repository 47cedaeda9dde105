//! The night in numbers. Pure: cases in, numbers out.

use std::collections::BTreeMap;

use desk::cases::{CaseState, StoredCase};
use flow::{Agency, EndReason};
use records::{CallRecord, Role};

/// What became of a call, as its record has it. Of one that was taken elsewhere nothing of it is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Became {
    /// The caller was handed to an agency, at once or for the next day.
    pub transferred: bool,
    /// A duty officer spoke in it.
    pub reached_a_person: bool,
    /// Its line was lost, or a server went down: nobody said goodbye.
    pub cut_off: bool,
}

impl Became {
    pub fn of(record: &CallRecord) -> Self {
        let note = record.note.as_ref();
        Self {
            transferred: note.is_some_and(|note| note.structured_data.transferred),
            reached_a_person: record.messages.iter().any(|it| it.role == Role::Officer),
            cut_off: matches!(
                record.ended_reason,
                Some(EndReason::Error | EndReason::WorkerShutdown)
            ),
        }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Numbers {
    /// Those that were taken elsewhere too.
    pub calls: usize,
    pub urgent: usize,
    pub transferred: usize,
    pub reached_a_person: usize,
    /// Transferred, and no duty officer spoke.
    pub not_reached: usize,
    pub cut_off: usize,
    pub waiting: usize,
    pub closed: usize,
    /// Those of no agency last.
    pub by_agency: Vec<OfAgency>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OfAgency {
    pub agency: Option<Agency>,
    pub cases: usize,
    pub urgent: usize,
}

impl Numbers {
    pub fn of<'c>(cases: impl IntoIterator<Item = (&'c StoredCase, Became)>) -> Self {
        let mut numbers = Self::default();
        let mut agencies: BTreeMap<(bool, Option<&'static str>), OfAgency> = BTreeMap::new();
        for (case, became) in cases {
            let urgent = usize::from(case.urgent);
            numbers.calls += 1;
            numbers.urgent += urgent;
            numbers.transferred += usize::from(became.transferred);
            numbers.reached_a_person += usize::from(became.reached_a_person);
            numbers.not_reached += usize::from(became.transferred && !became.reached_a_person);
            numbers.cut_off += usize::from(became.cut_off);
            numbers.waiting += usize::from(case.state == CaseState::Waiting);
            numbers.closed += usize::from(case.state == CaseState::Closed);
            let name = case.agency.map(Agency::as_str);
            let of_agency = agencies.entry((name.is_none(), name)).or_insert(OfAgency {
                agency: case.agency,
                cases: 0,
                urgent: 0,
            });
            of_agency.cases += 1;
            of_agency.urgent += urgent;
        }
        numbers.by_agency = agencies.into_values().collect();
        numbers
    }
}

#[cfg(test)]
pub(crate) mod tests {
    #![allow(clippy::unwrap_used)]

    use desk::cases::CaseKind;
    use jiff::Timestamp;
    use records::CallId;

    use super::*;

    pub(crate) fn case(agency: Option<Agency>, urgent: bool, state: CaseState) -> StoredCase {
        let ended_at: Timestamp = "2026-11-24T15:10:00Z".parse().unwrap();
        StoredCase {
            call_id: CallId::random(),
            kind: CaseKind::WebCall,
            started_at: "2026-11-24T15:00:00Z".parse().unwrap(),
            ended_at,
            agency,
            urgent,
            state,
            since: ended_at,
            taken_by: None,
            touched_at: ended_at,
            returned: 0,
            closing: None,
            keep_until: None,
            caller: None,
            version: 1,
            content: None,
        }
    }

    const NOTHING: Became = Became {
        transferred: false,
        reached_a_person: false,
        cut_off: false,
    };

    #[test]
    fn a_night_without_calls_is_all_noughts() {
        assert_eq!(Numbers::of([]), Numbers::default());
    }

    #[test]
    fn each_case_counts_where_it_belongs() {
        let cases = [
            (case(Some(Agency::Spf), true, CaseState::Waiting), NOTHING),
            (
                case(Some(Agency::Pave), true, CaseState::Closed),
                Became {
                    transferred: true,
                    reached_a_person: true,
                    ..NOTHING
                },
            ),
            (
                case(Some(Agency::Pave), false, CaseState::Taken),
                Became {
                    transferred: true,
                    cut_off: true,
                    ..NOTHING
                },
            ),
            (
                // An officer who took over a call that was not to be handed on.
                case(None, false, CaseState::Closed),
                Became {
                    reached_a_person: true,
                    ..NOTHING
                },
            ),
        ];
        let numbers = Numbers::of(cases.iter().map(|(case, became)| (case, *became)));
        let of = |agency, cases, urgent| OfAgency {
            agency,
            cases,
            urgent,
        };
        let expected = Numbers {
            calls: 4,
            urgent: 2,
            transferred: 2,
            reached_a_person: 2,
            not_reached: 1,
            cut_off: 1,
            waiting: 1,
            closed: 2,
            by_agency: vec![
                of(Some(Agency::Pave), 2, 1),
                of(Some(Agency::Spf), 1, 1),
                of(None, 1, 0),
            ],
        };
        assert_eq!(numbers, expected);
    }
}
