//! What stands in a record whose note the software could not write, or whose call it broke off: enough that a person
//! looks at it first.

use std::panic::{AssertUnwindSafe, catch_unwind};

use redact::Secret;

use super::{AbuseType, CaseNote, StructuredData};
use crate::machine::State;

const MOST_STEPS: usize = 4;

/// The note, or one for a person where writing it fails: a record is never lost to its own note.
pub(crate) fn or_for_a_person(state: &State, write: impl FnOnce() -> CaseNote) -> CaseNote {
    catch_unwind(AssertUnwindSafe(write)).unwrap_or_else(|_panic| unwritten(state))
}

/// Only what cannot fail to be read.
fn unwritten(state: &State) -> CaseNote {
    let told = |text: &str| Secret::new(text.to_owned());
    let route = state.transfers.last().copied().or(state.route);
    CaseNote {
        summary_title: told("Caller's note could not be written"),
        summary: told(
            "The software failed while it wrote this note. What was said is in the transcript, and nothing here was assessed.",
        ),
        structured_data: StructuredData {
            name: told("Unknown"),
            urgent: true,
            location: told("Unknown"),
            follow_up: told(
                "Read this call's transcript first, and decide from it who is needed. Ask first whether it is safe to talk if the caller is reached.",
            ),
            abuse_type: AbuseType::Other,
            transfer_to: route.map(|route| route.agency),
            transferred: state.is_handed_over(),
            latest_incident_date: told("Not given"),
        },
        evidence: Vec::new(),
    }
}

impl CaseNote {
    /// Of a call that the software broke off: a person reads it first.
    pub fn of_a_call_broken_off(mut self) -> Self {
        const FIRST: &str = "Read this call's transcript first, as the software failed in it";
        let data = &mut self.structured_data;
        data.urgent = true;
        let steps = data.follow_up.expose_secret().trim_end_matches('.');
        let steps: Vec<&str> = steps.split(". ").filter(|step| *step != FIRST).collect();
        let steps: Vec<&str> = std::iter::once(FIRST)
            .chain(steps)
            .take(MOST_STEPS)
            .collect();
        data.follow_up = Secret::new(format!("{}.", steps.join(". ")));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Agency, TransferMode,
        machine::Route,
        note::{facts::Facts, write},
    };

    fn handed_to_the_police() -> State {
        let mut state = State::default();
        state.transfers.push(Route {
            agency: Agency::Spf,
            mode: TransferMode::Warm,
        });
        state
    }

    #[test]
    fn a_note_that_cannot_be_written_says_so_and_is_urgent() {
        let note = or_for_a_person(&handed_to_the_police(), || panic!("on purpose"));
        let data = &note.structured_data;
        assert!(data.urgent && data.transferred);
        assert_eq!(data.transfer_to, Some(Agency::Spf));
        assert!(note.summary_title.expose_secret().starts_with("Caller"));
        assert!(note.summary.expose_secret().contains("transcript"));
        let steps = data.follow_up.expose_secret().split(". ").count();
        assert!((2..=MOST_STEPS).contains(&steps));
    }

    #[test]
    fn a_call_broken_off_is_read_first_and_keeps_what_is_known() {
        let state = handed_to_the_police();
        assert!(Facts::of(&state).urgent);
        let known = write(&state);
        let note = known.clone().of_a_call_broken_off();
        let steps = note.structured_data.follow_up.expose_secret();
        assert!(steps.starts_with("Read this call's transcript first"));
        assert!(steps.split(". ").count() <= MOST_STEPS, "{steps}");
        assert_eq!(note.summary, known.summary);
        assert!(note.structured_data.urgent);
    }
}
