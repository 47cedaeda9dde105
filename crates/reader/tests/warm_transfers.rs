//! Danger: what brings a caller to the police or the Samaritans, and what is only asked about.

mod talk;

use flow::Agency::*;
use flow::{AbuseType, EndReason, TransferMode};
use talk::{Talk, check};

#[test]
fn violence_now_and_safe_to_talk_is_asked_for_everything_and_handed_to_the_police() {
    let talk = check(
        &[
            "my husband is hitting me",
            "yes, for now",
            "Mei Ling",
            "Block 123 Ang Mo Kio Ave 3 #04-567",
            "he came home drunk and started shouting and then he hit me",
            "about an hour ago",
        ],
        &[
            "safe",
            "name",
            "Where are you",
            "what happened",
            "latest incident",
            "connecting you to the police",
        ],
    );
    talk.transferred(TransferMode::Warm, Spf)
        .ended(EndReason::Forwarded);
    let note = talk.note();
    assert_eq!(note.structured_data.name.expose_secret(), "Mei Ling");
    assert_eq!(
        note.structured_data.location.expose_secret(),
        "Block 123 Ang Mo Kio Ave 3 #04-567"
    );
    assert!(
        note.structured_data
            .latest_incident_date
            .expose_secret()
            .starts_with("2026-11-20")
    );
    assert!(note.structured_data.urgent);
    assert!(note.structured_data.transferred);
    assert_eq!(note.structured_data.abuse_type, AbuseType::Physical);
}

#[test]
fn a_caller_who_is_not_safe_to_talk_is_handed_over_after_name_and_address() {
    let talk = check(
        &[
            "he's hitting me please help",
            "no he's in the next room",
            "Siti",
            "Blk 45 Bedok South Road #02-11",
        ],
        &[
            "safe",
            "name",
            "Where are you",
            "connecting you to the police",
        ],
    );
    talk.transferred(TransferMode::Warm, Spf)
        .ended(EndReason::Forwarded);
}

#[test]
fn a_safe_answer_can_be_indirect() {
    for answer in [
        "yeah for now",
        "he's asleep",
        "can lah",
        "I'm in the toilet with the door locked",
        "he went out",
        "ok can",
    ] {
        let talk = Talk::after(&[
            "my husband is hitting me",
            answer,
            "Ana",
            "Block 1 Bedok North Road",
        ]);
        assert!(
            talk.last().contains("what happened"),
            "{answer}: {}",
            talk.last()
        );
    }
}

#[test]
fn an_unsafe_answer_can_be_indirect() {
    for answer in [
        "no",
        "not really",
        "he's right outside",
        "he might hear me",
        "I don't know",
        "cannot, he's coming",
    ] {
        let talk = Talk::after(&[
            "my husband is hitting me",
            answer,
            "Ana",
            "Block 1 Bedok North Road",
        ]);
        talk.transferred(TransferMode::Warm, Spf);
    }
}

#[test]
fn the_latest_incident_is_not_asked_for_when_it_was_told() {
    let talk = Talk::after(&[
        "my father is hitting me",
        "yes",
        "Ravi",
        "block 10 tampines street 21",
        "he hit me twenty minutes ago and he is still angry",
    ]);
    talk.transferred(TransferMode::Warm, Spf);
}

#[test]
fn who_was_hurt_minutes_ago_is_asked_once_more_where_the_answer_is_neither_a_yes_nor_a_no() {
    let said = [
        "my wife hit me on the arm two minutes ago",
        "the study has a bookcase and a lamp",
    ];
    let asks = "hurting you now?";
    let mut talk = Talk::after(&said);
    assert!(talk.last().contains(asks), "{}", talk.all());
    talk.say("and a rather small desk");
    assert!(talk.last().contains("What name"), "{}", talk.all());
}

#[test]
fn words_for_dying_that_were_said_of_a_play_are_asked_about_and_not_acted_on() {
    let opening = "he is choking me every night at eight, I want to die";
    let mut talk = Talk::after(&[opening]);
    assert!(talk.last().contains("hurting you"), "{}", talk.all());
    talk.say("it's a play, I promise");
    assert!(talk.last().contains("ending your life"), "{}", talk.all());
    // What was told and is not taken back is acted on.
    Talk::after(&[opening, "no, he has gone out"]).transferred(TransferMode::Warm, Sos);
}

#[test]
fn name_and_address_can_be_kept_back_from_the_police() {
    let talk = Talk::after(&[
        "he's hitting me",
        "no",
        "I don't want to say",
        "no, I can't tell you",
    ]);
    talk.transferred(TransferMode::Warm, Spf);
    let note = talk.note();
    assert_eq!(
        note.structured_data.name.expose_secret(),
        "requested anonymity"
    );
    assert_eq!(
        note.structured_data.location.expose_secret(),
        "requested anonymity"
    );
}

#[test]
fn step_two_is_asked_once_however_the_danger_grows() {
    let talk = Talk::after(&[
        "he's hitting me",
        "yes",
        "he's hitting me again",
        "he's breaking the door",
    ]);
    assert_eq!(
        talk.all().matches("keep talking").count(),
        1,
        "{}",
        talk.all()
    );
}

#[test]
fn a_bare_no_to_the_greeting_is_made_sure_of_once() {
    let talk = Talk::after(&["no"]);
    assert!(talk.last().contains('?'));
    // Two questions about safety are enough.
    let talk = Talk::after(&["no", "yes"]);
    assert!(talk.last().contains("name"), "{}", talk.last());
    let talk = Talk::after(&["no", "no"]);
    assert!(!talk.last().contains("danger"), "{}", talk.last());
}

#[test]
fn violence_in_the_middle_of_a_cold_transfer_is_acted_on_there() {
    let talk = Talk::after(&[
        "yes",
        "my husband hit me last night",
        "yes",
        "he's breaking down the door",
    ]);
    assert!(talk.last().contains("keep talking"), "{}", talk.last());
    let talk = Talk::after(&[
        "yes",
        "my mum calls me useless every day",
        "no, she doesn't",
        "15",
        "yes",
        "she's hitting me now",
    ]);
    assert!(talk.last().contains("keep talking"), "{}", talk.last());
}

#[test]
fn a_weapon_or_blood_brings_the_ambulance_and_the_police() {
    let talk = Talk::after(&["he stabbed me I'm bleeding he's still here attacking me"]);
    assert!(talk.last().contains("995"), "{}", talk.last());
    assert!(talk.last().contains("keep talking"), "{}", talk.last());
}

#[test]
fn suicidal_words_reach_sos_at_once() {
    for words in [
        "I don't want to live any more",
        "I'm going to end my life tonight",
        "I want to kill myself",
    ] {
        let talk = check(&[words], &["connecting you to Samaritans of Singapore"]);
        talk.transferred(TransferMode::Warm, Sos)
            .ended(EndReason::Forwarded)
            .looked_up();
        assert!(talk.note().structured_data.urgent);
    }
}

#[test]
fn a_sign_told_sideways_is_asked_about_and_anything_but_a_no_is_a_yes() {
    let sign = "everyone would be better off without me";
    for answer in [
        "yes",
        "I don't know",
        "I don't want to say",
        "it's the only thing left",
        "no... I don't know, maybe",
    ] {
        check(&[sign, answer], &["thoughts of ending your life?"])
            .transferred(TransferMode::Warm, Sos);
    }
    for answer in [
        "no",
        "no lah",
        "No ma'am.",
        "choi, no",
        "Choy! For thirty-eight dollars?",
        "I mean my team, at football",
    ] {
        Talk::after(&[sign, answer]).not_transferred();
    }
    // Told again after the no, it is no longer taken for one.
    Talk::after(&[sign, "no", "I won't be around much longer"])
        .transferred(TransferMode::Warm, Sos);
}

#[test]
fn whoever_stays_to_talk_is_asked_about_suicide_and_about_being_hurt() {
    let mut talk = Talk::after(&["yes", "I feel low these days", "it just goes on"]);
    // Nothing leant there: not at the first turns.
    assert!(!talk.all().contains("to live?"), "{}", talk.all());
    talk.say("no, not that");
    talk.say("every day the same");
    let all = talk.all();
    assert!(all.contains("hitting or hurting you?"), "{all}");
    assert!(all.contains("not wanting to live"), "{all}");
    // A bare yes says nothing of now.
    let mut talk = Talk::after(&["yes", "I feel low these days", "it just goes on", "yes"]);
    assert!(talk.last().contains("right now?"), "{}", talk.last());
    talk.say("no");
    assert!(talk.last().contains("husband or wife"), "{}", talk.last());
}

#[test]
fn what_is_likely_meant_otherwise_is_asked_about_and_not_acted_on() {
    for words in [
        "my husband beats me every night at Scrabble, forty years and I never won",
        "I dreamt that a man was chasing me with a knife",
        "they keep killing me at spawn in Mobile Legends",
        "that song that goes I want to die is stuck in my head",
        "My partner at the firm is killing me, four all-nighters this week",
    ] {
        let talk = Talk::after(&[words, "no, nothing like that"]);
        talk.not_transferred();
        assert!(!talk.note().structured_data.urgent, "{words}");
    }
}

#[test]
fn suicidal_words_are_acted_on_at_any_step() {
    let steps: &[&[&str]] = &[
        &["yes", "I want to die"],
        &["yes", "my husband hit me last night", "I want to die"],
        &[
            "yes",
            "my husband hit me last night",
            "yes",
            "I want to die",
        ],
        &["yes", "my mum calls me useless every day", "I want to die"],
        &[
            "yes",
            "my uncle raped me",
            "yes",
            "Ana",
            "I just want to kill myself",
        ],
        &["yes", "I was raped", "no", "I want to die"],
    ];
    for step in steps {
        Talk::after(step)
            .transferred(TransferMode::Warm, Sos)
            .ended(EndReason::Forwarded);
    }
}

#[test]
fn who_is_being_hurt_and_speaks_of_dying_goes_to_the_police_and_hears_whom_else_to_ring() {
    for turns in [
        &[
            "my dad is hitting me",
            "I want to die",
            "Ana",
            "Bedok",
            "no",
            "no",
        ][..],
        &[
            "my husband is hitting me and I want to kill myself",
            "no",
            "no",
            "no",
        ],
    ] {
        let talk = Talk::after(turns);
        talk.transferred(TransferMode::Warm, Spf);
        let all = talk.all();
        assert_eq!(all.matches("1767").count(), 1, "{all}");
    }
}

#[test]
fn who_hangs_up_on_a_danger_that_stands_open_leaves_an_urgent_note_that_names_the_agency() {
    let left = |turns: &[&str]| {
        let mut talk = Talk::after(turns);
        talk.event(flow::Event::CallEnded {
            reason: EndReason::CallerEnded,
        });
        talk.note()
    };
    let note = left(&["everyone would be better off without me"]);
    assert!(note.structured_data.urgent);
    assert_eq!(note.structured_data.transfer_to, Some(Sos));
    assert!(!note.structured_data.transferred);
    let note = left(&[
        "everyone would be better off without me",
        "no, nothing like that",
        "bye",
    ]);
    assert!(!note.structured_data.urgent);
    assert_eq!(note.structured_data.transfer_to, None);
}

#[test]
fn who_calls_for_help_is_asked_once_and_then_brought_to_the_police() {
    for words in ["police", "hurry", "help me please", "he is here"] {
        let mut talk = Talk::after(&[words]);
        assert!(
            talk.last().contains("hurt you, right now?") || talk.last().contains("in danger"),
            "{words}: {}",
            talk.last()
        );
        talk.say(words);
        assert!(talk.last().contains("name"), "{words}: {}", talk.all());
    }
    // Also after help of another kind was arranged.
    let mut talk = Talk::after(&[
        "yes",
        "my father beats me",
        "ok",
        "Ana",
        "Bedok",
        "last night",
        "a message",
    ]);
    talk.say("police, hurry");
    talk.say("police");
    assert!(
        talk.all().contains("getting you help") || talk.all().contains("name"),
        "{}",
        talk.all()
    );
}

#[test]
fn an_overdose_is_told_of_the_ambulance_too() {
    let talk = Talk::after(&["I took a whole bottle of panadol"]);
    talk.transferred(TransferMode::Warm, Sos);
    assert!(talk.last().contains("995"), "{}", talk.last());
}

#[test]
fn a_hint_is_asked_about_and_only_a_clear_no_goes_on() {
    let asks = Talk::after(&["yes", "I feel so hopeless"]);
    assert!(
        asks.last().contains("ending your life") || asks.last().contains("suicide"),
        "{}",
        asks.last()
    );
    Talk::after(&["yes", "I feel so hopeless", "yes"]).transferred(TransferMode::Warm, Sos);
    Talk::after(&["yes", "I feel so hopeless", "sometimes"]).transferred(TransferMode::Warm, Sos);
    Talk::after(&["yes", "I feel so hopeless", "I don't know"])
        .transferred(TransferMode::Warm, Sos);
    Talk::after(&["yes", "I feel so hopeless", "no, nothing like that"]).not_transferred();
}

#[test]
fn a_no_taken_back_is_asked_about_again() {
    let mut talk = Talk::after(&["yes", "I feel so hopeless", "no, nothing like that"]);
    talk.say("my friends say I'm stressed at work");
    talk.say("just now I lied, I want to kill myself");
    talk.transferred(TransferMode::Warm, Sos);
}

#[test]
fn nobody_rings_to_say_good_night() {
    let talk = Talk::after(&["Hello sir, good night sir. One question only, about insurance."]);
    assert!(!talk.all().contains("goodbye"), "{}", talk.all());
}
