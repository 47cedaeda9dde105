//! Needs: the seven agencies that are told of a case by consent, and what is asked for them.

mod talk;

use flow::Agency::*;
use flow::{EndReason, TransferMode};
use talk::{Talk, check};

#[test]
fn each_need_reaches_its_agency_with_consent() {
    let table: &[(&[&str], flow::Agency)] = &[
        (&["I need a place to stay tonight"], Fsc),
        (&["I was sexually assaulted"], Sacc),
        (&["my husband hit me last night"], Dvert),
        (&["my ex-wife slapped me on Tuesday"], Dvert),
        (&["my father beats me"], Pave),
        (&["my boyfriend punched me last week"], Pave),
        (&["he hit me last night", "my husband"], Dvert),
        (&["he hit me last night", "my brother"], Pave),
        (&["my partner hits me", "we're married"], Dvert),
        (&["my partner hits me", "no, my boyfriend"], Pave),
        (&["my mother calls me useless every day", "fifteen"], Cps),
        (
            &["my mother calls me useless every day", "I'm in sec three"],
            Cps,
        ),
        (&["my mother calls me useless every day", "eighteen"], Cps),
        (&["my mother calls me useless every day", "nineteen"], Aps),
        (&["my son takes all my money", "seventy-two, retired"], Aps),
        (
            &["my husband controls everything I do", "I'd rather not say"],
            Navh,
        ),
        (&["I'm 16 and my dad always calls me useless"], Cps),
        (&["I'm 34 and my wife is gaslighting me"], Aps),
    ];
    for (turns, agency) in table {
        let mut talk = Talk::after(&["yes I'm safe"]);
        for words in *turns {
            talk.say(words);
            // Of who is put down, before an agency by their age.
            if talk.last().contains("hitting or hurting you") {
                talk.say("no, never");
            }
        }
        assert!(talk.last().contains("share"), "{turns:?}: {}", talk.last());
        talk.say_all(&["yes", "Ana Tan", "Bedok"]);
        if talk.last().contains("incident") || talk.last().contains("last time") {
            talk.say("last night");
        }
        assert!(talk.last().contains("reach you"), "{}", talk.last());
        talk.say("a message, after nine at night");
        assert!(
            talk.last().contains("next working day"),
            "{turns:?}: {}",
            talk.last()
        );
        talk.transferred(TransferMode::Cold, *agency);
        talk.say("no thank you");
        talk.ended(EndReason::AssistantEnded);
        assert!(talk.last().contains("end of our demo"));
        let note = talk.note();
        assert_eq!(note.structured_data.name.expose_secret(), "Ana Tan");
        assert_eq!(note.structured_data.location.expose_secret(), "Bedok");
        assert_eq!(note.structured_data.transfer_to, Some(*agency));
        assert!(note.structured_data.transferred);
    }
}

#[test]
fn missing_details_are_asked_one_at_a_time_and_refusals_are_respected() {
    let talk = check(
        &[
            "yes",
            "my father beats me",
            "ok",
            "I don't want to say",
            "no",
            "can't remember",
            "I'd rather not",
        ],
        &[
            "share",
            "name",
            "Where are you",
            "latest incident",
            "reach you",
            "next working day",
        ],
    );
    let note = talk.note();
    assert_eq!(
        note.structured_data.name.expose_secret(),
        "requested anonymity"
    );
    assert_eq!(
        note.structured_data.location.expose_secret(),
        "requested anonymity"
    );
    assert_eq!(
        note.structured_data.latest_incident_date.expose_secret(),
        "Not given"
    );
    for question in [
        "name can I pass",
        "May I have your name",
        "block and unit",
        "latest incident",
    ] {
        assert!(talk.all().matches(question).count() <= 1, "{question}");
    }
}

#[test]
fn what_is_already_known_is_not_asked() {
    let talk = Talk::after(&[
        "yes",
        "my name is Aisha and I live in Yishun, my husband hit me last night",
        "yes",
        "a message in the afternoon",
    ]);
    assert!(talk.last().contains("next working day"), "{}", talk.last());
    let note = talk.note();
    assert_eq!(note.structured_data.name.expose_secret(), "Aisha");
    assert_eq!(note.structured_data.location.expose_secret(), "Yishun");
    assert_eq!(
        note.structured_data.latest_incident_date.expose_secret(),
        "2026-11-19 (last night)"
    );
}

#[test]
fn without_consent_nothing_is_shared_and_the_numbers_are_given() {
    let talk = Talk::after(&["yes", "my father beats me", "no"]);
    talk.not_transferred();
    assert!(talk.last().contains("1800 777 0000"), "{}", talk.last());
    assert!(talk.last().ends_with('?'));
    let mut talk = talk;
    talk.say("no that's all");
    talk.ended(EndReason::AssistantEnded);
    assert!(!talk.note().structured_data.transferred);
}

#[test]
fn age_is_asked_once() {
    let talk = Talk::after(&[
        "yes",
        "my mother calls me useless every day",
        "hmm",
        "why do you ask",
        "never mind",
    ]);
    assert!(
        talk.all().matches("old you are").count() + talk.all().matches("your age").count() <= 2
    );
}

#[test]
fn the_gravest_of_several_needs_comes_first() {
    let table: &[(&str, flow::Agency)] = &[
        ("my husband hit me and raped me", Sacc),
        ("my husband hits me and I need a place to stay", Fsc),
        ("my husband hits me and calls me useless every day", Dvert),
        ("my husband is hitting me and I want to kill myself", Spf),
        ("I was raped and he is hitting me now", Spf),
    ];
    for (words, agency) in table {
        let talk = Talk::after(&["yes", words]);
        assert_eq!(
            talk.note().structured_data.transfer_to,
            Some(*agency),
            "{words}"
        );
    }
}

#[test]
fn a_graver_need_told_later_changes_the_agency() {
    let talk = Talk::after(&[
        "yes",
        "my mum calls me useless every day",
        "actually my uncle molested me",
        "yes",
        "no",
        "no",
        "no",
        "no",
    ]);
    talk.transferred(TransferMode::Cold, Sacc);
}

#[test]
fn what_was_meant_otherwise_is_not_offered_to_an_agency_again() {
    let mut talk = Talk::after(&["yes", "my mum slaps me"]);
    for _ in 0..4 {
        talk.say("no need, I mean in the drama we rehearse, there is no case");
        talk.say("she slaps me in every scene");
    }
    assert_eq!(
        talk.all().matches("share your case").count(),
        1,
        "{}",
        talk.all()
    );
    assert_eq!(talk.note().structured_data.transfer_to, None);
}

#[test]
fn a_refusal_to_share_holds_for_every_agency_until_it_is_taken_back() {
    let mut talk = Talk::after(&["yes", "my husband hits me", "no, don't share"]);
    talk.say("I was raped by my boss too");
    assert_eq!(
        talk.all().matches("share your case").count(),
        1,
        "{}",
        talk.all()
    );
    // What they agree to share is not what they were asked about: they hear with whom.
    talk.say("actually yes, you can share it with them");
    assert!(
        talk.last().contains("Sexual Assault Care Centre"),
        "{}",
        talk.last()
    );
    talk.say("yes");
    assert!(talk.last().contains("name"), "{}", talk.last());
}

/// A no that is told by what is wished instead: it is taken at once, and not asked about again.
#[test]
fn a_wish_that_it_stays_here_is_a_no_to_sharing() {
    for no in [
        "I'd prefer that this stays between us.",
        "I'd rather nobody gets anything.",
        "Rather nobody knows.",
    ] {
        let talk = Talk::after(&["yes I'm safe", "my husband slapped me last week", no]);
        talk.not_transferred();
        assert!(
            talk.last().contains("nothing will be shared"),
            "{no}: {}",
            talk.all()
        );
    }
}
