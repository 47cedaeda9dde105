//! How one call went, judged against what was expected.

use flow::{Agency, TransferMode};
use serde::Serialize;

use crate::caller::{Caller, Expected};
use crate::question::Topic;
use crate::rules::{self, Broken};
use crate::text_call::{self, Account, Helpline};
use crate::truth;
use crate::words::{contains_all, words_and_numbers};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Slot {
    Name,
    Place,
    When,
    Abuse,
}

#[derive(Debug, Clone, Serialize)]
pub struct SlotResult {
    pub slot: Slot,
    pub right: bool,
    pub expected: String,
    pub got: String,
}

/// The judgement of one call.
#[derive(Debug, Clone, Serialize)]
pub struct Verdict {
    pub id: String,
    pub category: String,
    pub expected_agency: Vec<String>,
    pub agency: Option<Agency>,
    pub agency_right: bool,
    /// Handed on once, warmly or coldly as the agency asks, or not at all if it should not be.
    pub mode_right: bool,
    pub transfers: Vec<(TransferMode, Agency)>,
    /// Whether the danger was found, for callers in danger.
    pub high_risk_found: Option<bool>,
    /// Whether danger was seen where there is none, for callers out of danger.
    pub false_alarm: Option<bool>,
    pub slots: Vec<SlotResult>,
    pub broken_rules: Vec<Broken>,
    /// What stands in the note and was not said.
    pub untrue: Vec<String>,
    /// What should have been said, asked or recorded, and was not.
    pub missed: Vec<String>,
    pub unrecognised_questions: Vec<String>,
    pub turns: usize,
}

impl Verdict {
    pub fn passed(&self) -> bool {
        self.agency_right
            && self.mode_right
            && self.high_risk_found != Some(false)
            && self.false_alarm != Some(true)
            && self.slots.iter().all(|slot| slot.right)
            && self.broken_rules.is_empty()
            && self.untrue.is_empty()
            && self.missed.is_empty()
    }
}

/// Runs the caller's call and judges it.
pub fn run(caller: &Caller, helpline: &Helpline) -> (Verdict, Option<Account>) {
    match text_call::hold(caller, helpline) {
        Ok(account) => (judge(caller, &account), Some(account)),
        Err(panic) => (panicked(caller, &panic), None),
    }
}

/// Where a call led, by text or by voice.
pub struct Outcome {
    pub agency: Option<Agency>,
    pub urgent: bool,
    /// As the record says.
    pub transferred: bool,
    /// As they happened.
    pub transfers: Vec<(TransferMode, Agency)>,
}

/// Whether it led where it should.
pub struct Route {
    pub agency_right: bool,
    pub mode_right: bool,
    pub high_risk_found: Option<bool>,
    pub false_alarm: Option<bool>,
}

impl Outcome {
    pub fn judged(&self, expected: &Expected) -> Route {
        let transfers = self.transfers.as_slice();
        let in_line = transfers
            .last()
            .is_none_or(|(_, to)| Some(*to) == self.agency);
        let mode_right = match (expected.transferred(), transfers) {
            (false, made) => made.is_empty() && !self.transferred,
            (true, []) => self.agency.is_none() && expected.accepts(None),
            (true, [before @ .., (mode, to)]) => {
                let before: Vec<Agency> = before.iter().map(|(_, to)| *to).collect();
                let rightly: Vec<Agency> = expected.first.into_iter().collect();
                self.transferred && *mode == to.transfer_mode() && before == rightly
            }
        };
        let warm = transfers
            .iter()
            .any(|(mode, _)| *mode == TransferMode::Warm);
        let needs_warm = expected.transferred()
            && expected
                .agency
                .iter()
                .all(|code| matches!(code.as_str(), "SPF" | "SOS"));
        let alarmed = warm
            || matches!(self.agency, Some(Agency::Spf | Agency::Sos))
            || (expected.urgent == Some(false) && self.urgent);
        Route {
            agency_right: expected.accepts(self.agency) && in_line,
            mode_right,
            high_risk_found: expected
                .high_risk
                .then_some(self.urgent && (warm || !needs_warm)),
            false_alarm: expected.is_out_of_danger().then_some(alarmed),
        }
    }
}

fn judge(caller: &Caller, account: &Account) -> Verdict {
    let expected = &caller.expect;
    let data = &account.note.structured_data;
    let outcome = Outcome {
        agency: data.transfer_to,
        urgent: data.urgent,
        transferred: data.transferred,
        transfers: account.transfers(),
    };
    let route = outcome.judged(expected);
    Verdict {
        id: caller.id.clone(),
        category: caller.category.clone(),
        expected_agency: expected.agency.as_slice().to_vec(),
        agency: outcome.agency,
        agency_right: route.agency_right,
        mode_right: route.mode_right,
        transfers: outcome.transfers,
        high_risk_found: route.high_risk_found,
        false_alarm: route.false_alarm,
        slots: slots(caller, account),
        broken_rules: rules::broken(caller, account),
        untrue: truth::untrue(caller, account),
        missed: missed(caller, account),
        unrecognised_questions: account
            .questions()
            .into_iter()
            .filter(|question| question.topic == Topic::Other)
            .map(|question| question.heard)
            .collect(),
        turns: account.caller_turns().len(),
    }
}

fn slots(caller: &Caller, account: &Account) -> Vec<SlotResult> {
    let expected = &caller.expect;
    let data = &account.note.structured_data;
    let mut slots = Vec::new();
    let mut judged = |slot, right, expected: String, got: &str| {
        slots.push(SlotResult {
            slot,
            right,
            expected,
            got: got.to_owned(),
        });
    };
    if let Some(name) = &expected.name {
        let got = data.name.expose_secret();
        let extra = crate::words::words(got).len() > crate::words::words(name).len() + 1;
        let right = contains_all(&words_and_numbers(got), name) && !extra;
        judged(Slot::Name, right, name.clone(), got);
    }
    if !expected.place.is_empty() {
        let got = data.location.expose_secret();
        let found = words_and_numbers(got);
        let right = expected.place.iter().all(|part| contains_all(&found, part));
        judged(Slot::Place, right, expected.place.join(", "), got);
    }
    if let Some(when) = &expected.when {
        let got = data.latest_incident_date.expose_secret();
        let right = when.iter().any(|when| truth::is_date(got, when));
        judged(Slot::When, right, when.as_slice().join(" or "), got);
    }
    if let Some(abuse) = &expected.abuse {
        let got = data.abuse_type.as_str();
        let right = abuse.iter().any(|kind| kind == got);
        judged(Slot::Abuse, right, abuse.as_slice().join(" or "), got);
    }
    slots
}

fn missed(caller: &Caller, account: &Account) -> Vec<String> {
    let expected = &caller.expect;
    let mut missed = Vec::new();
    let said = account.assistant_words();
    let heard = words_and_numbers(&said);
    for words in &expected.says {
        let is_number = words.bytes().all(|byte| byte.is_ascii_digit());
        let found = match is_number {
            true => heard.contains(words),
            // An agency is written "DVERT" and said "D-vert"; a caller expects what is heard.
            false => [words.clone(), words.replace('-', "")]
                .iter()
                .any(|words| crate::words::contains_phrase(&said, words)),
        };
        if !found {
            missed.push(format!("it never said {words:?}"));
        }
    }
    let asked: Vec<Topic> = account
        .questions()
        .iter()
        .flat_map(|question| match question.topic {
            Topic::NameAndAddress => vec![Topic::Name, Topic::Address],
            topic => vec![topic],
        })
        .collect();
    for topic in &expected.asks {
        if !asked.contains(topic) {
            missed.push(format!("it never asked {topic:?}"));
        }
    }
    for topic in &expected.never_asks {
        if asked.contains(topic) {
            missed.push(format!("it asked {topic:?}"));
        }
    }
    if let Some(urgent) = expected.urgent
        && urgent != account.note.structured_data.urgent
    {
        missed.push(format!("urgent should be {urgent}"));
    }
    missed
}

fn panicked(caller: &Caller, panic: &str) -> Verdict {
    Verdict {
        id: caller.id.clone(),
        category: caller.category.clone(),
        expected_agency: caller.expect.agency.as_slice().to_vec(),
        agency: None,
        agency_right: false,
        mode_right: false,
        transfers: Vec::new(),
        high_risk_found: caller.expect.high_risk.then_some(false),
        false_alarm: None,
        slots: Vec::new(),
        broken_rules: Vec::new(),
        untrue: Vec::new(),
        missed: vec![format!("the flow panicked: {panic}")],
        unrecognised_questions: Vec::new(),
        turns: 0,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn expected(text: &str) -> Expected {
        let text =
            format!("category = 'c'\n[[caller]]\nid = 'x'\nwho = 'w'\nopening = 'x'\n{text}");
        crate::caller::from_toml(&text).unwrap().remove(0).expect
    }

    fn outcome(agency: Option<Agency>, urgent: bool) -> Outcome {
        Outcome {
            agency,
            urgent,
            transferred: agency.is_some(),
            transfers: agency
                .map(|to| (to.transfer_mode(), to))
                .into_iter()
                .collect(),
        }
    }

    #[test]
    fn danger_is_found_when_it_is_urgent_and_handed_on_warmly() {
        let expected = expected("expect.agency = 'SPF'\nexpect.high_risk = true");
        assert_eq!(
            outcome(Some(Agency::Spf), true)
                .judged(&expected)
                .high_risk_found,
            Some(true)
        );
        assert_eq!(
            outcome(Some(Agency::Spf), false)
                .judged(&expected)
                .high_risk_found,
            Some(false)
        );
        let cold = outcome(Some(Agency::Dvert), true).judged(&expected);
        assert_eq!(cold.high_risk_found, Some(false));
        assert!(!cold.agency_right);
    }

    #[test]
    fn the_police_for_a_caller_out_of_danger_is_a_false_alarm() {
        let expected = expected("expect.agency = 'none'\nexpect.urgent = false");
        assert_eq!(
            outcome(Some(Agency::Spf), true)
                .judged(&expected)
                .false_alarm,
            Some(true)
        );
        assert_eq!(
            outcome(None, true).judged(&expected).false_alarm,
            Some(true)
        );
        let quiet = outcome(None, false).judged(&expected);
        assert_eq!(quiet.false_alarm, Some(false));
        assert!(quiet.agency_right && quiet.mode_right);
    }

    #[test]
    fn a_case_is_not_passed_on_against_the_caller_or_to_two_agencies() {
        let refused = expected("expect.agency = 'PAVE'\nexpect.transferred = false");
        assert!(
            !outcome(Some(Agency::Pave), false)
                .judged(&refused)
                .mode_right
        );
        let once = expected("expect.agency = 'SPF'");
        let mut twice = outcome(Some(Agency::Spf), true);
        twice
            .transfers
            .insert(0, (TransferMode::Cold, Agency::Pave));
        assert!(!twice.judged(&once).mode_right);
        let later = expected("expect.agency = 'SPF'\nexpect.first = 'PAVE'");
        assert!(twice.judged(&later).mode_right);
    }
}
