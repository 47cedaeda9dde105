//! Which claims of a note are found untrue by what its caller said, and which are not.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::person::Turn;
use crate::text_call::Happening;
use flow::{AbuseType, CaseNote, Evidence, Secret, StructuredData};

fn secret(text: &str) -> Secret<String> {
    Secret::new(text.to_owned())
}

/// A note with this summary and these claims, each with its words in the first turn.
fn found(said: &[&str], summary: &str, claims: &[(&str, &str)]) -> Vec<String> {
    let caller = crate::caller::from_toml(
        "category = 'c'\n[[caller]]\nid = 'x'\nwho = 'w'\nopening = 'x'\nexpect.agency = 'none'\n\
         answers.who = 'my husband'\nexpect.not_in_note = ['suicid']",
    )
    .unwrap()
    .remove(0);
    let account = Account {
        readings: Vec::new(),
        happenings: said
            .iter()
            .map(|words| Happening::Caller(Turn::Says((*words).to_owned())))
            .collect(),
        note: CaseNote {
            summary_title: secret("Caller rang"),
            summary: secret(summary),
            structured_data: StructuredData {
                name: secret("Unknown"),
                urgent: false,
                location: secret("Unknown"),
                follow_up: secret("Offer support"),
                abuse_type: AbuseType::Other,
                transfer_to: None,
                transferred: false,
                latest_incident_date: secret("N/A"),
            },
            evidence: claims
                .iter()
                .map(|(claim, words)| Evidence {
                    claim: (*claim).to_owned(),
                    words: secret(words),
                    turn: 0,
                    confidence: 1.0,
                    escalates: false,
                })
                .collect(),
        },
        goodbyes: 0,
    };
    untrue(&caller, &account)
}

#[track_caller]
fn is_untrue(said: &[&str], summary: &str, claims: &[(&str, &str)], what: &str) {
    let found = found(said, summary, claims);
    assert!(
        found.iter().any(|it| it.contains(what)),
        "{what:?} is not in {found:?}"
    );
}

#[test]
fn what_the_caller_said_is_true() {
    let said = [
        "My husband, he chok me at block twelve",
        "No, I don't want to die.",
    ];
    let summary =
        "The caller was strangled by her husband at Block 12. She denies thoughts of suicide.";
    let claims = [("physical abuse", "he chok me")];
    // The denial has no evidence here, and nothing else is wrong.
    let found = found(&said, summary, &claims);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("no evidence"), "{found:?}");
}

#[test]
fn people_weapons_numbers_and_names_that_were_not_mentioned_are_found() {
    let said = ["He slapped me"];
    is_untrue(&said, "Her father slapped her.", &[], "father");
    is_untrue(&said, "He holds a knife.", &[], "knife");
    is_untrue(&said, "She is 34.", &[], "34");
    is_untrue(&said, "He slapped Mary.", &[], "Mary");
    is_untrue(&["When he lose 4D"], "She is 4.", &[], "4");
    assert!(found(&["When he lose 4D"], "It was over 4D.", &[]).is_empty());
}

#[test]
fn evidence_must_stand_in_its_turn_and_name_the_right_person() {
    is_untrue(
        &["He slapped me"],
        "",
        &[("physical abuse", "he punched me")],
        "punched",
    );
    is_untrue(
        &["Hello", "He slapped me"],
        "",
        &[("physical abuse", "He slapped me")],
        "turn 0",
    );
    is_untrue(
        &["my father knows"],
        "",
        &[("who did it", "my father")],
        "who did it",
    );
}

#[test]
fn what_is_forbidden_may_only_be_denied_and_a_denial_must_deny() {
    is_untrue(&["hello"], "The caller is suicidal.", &[], "suicid");
    is_untrue(&["hello"], "", &[("suicidal", "hello")], "suicid");
    is_untrue(
        &["I am fine"],
        "",
        &[("denies suicidal", "I am fine")],
        "denies nothing",
    );
}

#[test]
fn a_date_is_read_in_the_forms_of_a_note() {
    assert!(is_date("2026-11-19 (last night)", "2026-11-19"));
    assert!(is_date("19 November 2026", "2026-11-19"));
    assert!(is_date("a few weeks ago", "few weeks"));
    assert!(!is_date("2026-11-18", "2026-11-19"));
    assert!(!is_date("19 November 2025", "2026-11-19"));
}

#[test]
fn a_quotation_is_no_claim_but_must_be_the_callers() {
    let said = ["I saw a suicide in a film"];
    let quoting = |words: &str| found(&said, &format!("The caller was upset (\"{words}\")."), &[]);
    assert!(quoting("a suicide in a film").is_empty());
    assert_eq!(quoting("a knife in a film").len(), 1);
}
