//! A warm transfer that is rung for, in the words of callers.

mod talk;

use flow::{Agency, Event, Question, TransferMode, Unreached};
use talk::{READER, Talk, WHOLE};

fn rung(mut talk: Talk) -> Talk {
    talk.say_all(&[
        "my husband is hitting me",
        "yes, for now",
        "Mei Ling",
        "Block 123 Ang Mo Kio Ave 3 #04-567",
        "he came home drunk and hit me",
        "an hour ago",
    ]);
    talk.transferred(TransferMode::Warm, Agency::Spf);
    talk.event(Event::OfficersRung);
    talk
}

fn back(talk: Talk) -> Talk {
    let mut talk = rung(talk);
    talk.event(Event::OfficerUnreached {
        why: Unreached::NobodyAnswered,
    });
    talk
}

fn question(talk: &Talk) -> Option<Question> {
    talk.conversation.listening().question
}

#[test]
fn a_number_given_in_words_is_said_back_and_stands_in_the_note() {
    for reader in [&READER, &WHOLE] {
        let mut talk = back(Talk::read_by(reader));
        assert!(talk.last().contains("999"), "{}", talk.last());
        assert_eq!(question(&talk), Some(Question::CallBack));
        talk.say("Ya can, nine one two three, double four, oh five");
        assert!(talk.last().contains("9123 4405"), "{}", talk.last());
        assert_eq!(question(&talk), Some(Question::CallBackRight));
        talk.say("yes that's right");
        assert_eq!(question(&talk), Some(Question::MoreSupport));
        let note = talk.note();
        let steps = note.structured_data.follow_up.expose_secret();
        assert!(steps.contains("9123 4405"), "{steps}");
    }
}

#[test]
fn who_has_no_safe_number_is_not_pressed() {
    for reader in [&READER, &WHOLE] {
        for words in [
            "no",
            "No, it's not safe.",
            "I'd rather not",
            "no number",
            "none",
            "cannot lah, he checks my phone",
        ] {
            let mut talk = back(Talk::read_by(reader));
            talk.say(words);
            assert_eq!(
                question(&talk),
                Some(Question::MoreSupport),
                "{words}: {}",
                talk.last()
            );
            let note = talk.note();
            let steps = note.structured_data.follow_up.expose_secret();
            assert!(steps.contains("Do not ring"), "{words}: {steps}");
        }
    }
}

#[test]
fn what_the_question_is_for_is_told_to_who_asks() {
    let mut talk = back(Talk::start());
    talk.say("why do you need it?");
    assert_eq!(question(&talk), Some(Question::CallBack), "{}", talk.last());
    talk.say("91234567");
    assert!(talk.last().contains("9123 4567"), "{}", talk.last());
}

#[test]
fn danger_told_while_officers_are_rung_is_answered_with_the_number() {
    for reader in [&READER, &WHOLE] {
        let mut talk = rung(Talk::read_by(reader));
        talk.say("he is breaking down the door, he has a knife");
        assert!(talk.last().contains("999"), "{}", talk.last());
        talk.say("I'm bleeding a lot");
        assert!(talk.last().contains("995"), "{}", talk.last());
        talk.say("he can hear me");
        assert!(talk.last().contains("speak"), "{}", talk.last());
        talk.say("how long more?");
        assert!(
            talk.last().contains("still") || talk.last().contains("with you"),
            "{}",
            talk.last()
        );
        assert!(talk.conversation.is_connecting());
        let note = talk.note();
        assert!(note.evidence.iter().any(|it| it.claim == "weapon"));
    }
}

#[test]
fn who_does_not_want_to_be_connected_is_let_go_with_the_numbers() {
    for words in [
        "never mind, I don't want to be connected",
        "ok bye",
        "don't call the police",
    ] {
        let mut talk = rung(Talk::start());
        talk.say(words);
        assert!(talk.conversation.has_ended(), "{words}: {}", talk.last());
        assert!(talk.last().contains("999"), "{}", talk.last());
        assert!(!talk.note().structured_data.transferred);
    }
    let mut talk = rung(Talk::start());
    talk.say("he told me don't call the police");
    assert!(talk.conversation.is_connecting(), "{}", talk.last());
}

#[test]
fn who_asks_for_the_police_again_is_rung_for_once_more() {
    for reader in [&READER, &WHOLE] {
        for words in [
            "can you try them again",
            "I need the police",
            "he's hitting me again",
            "help me",
        ] {
            let mut talk = back(Talk::read_by(reader));
            talk.say("no number");
            talk.say(words);
            assert!(talk.conversation.has_ended(), "{words}: {}", talk.last());
            assert!(
                talk.last().contains("connecting you")
                    || talk.last().contains("putting you through"),
                "{}",
                talk.last()
            );
        }
    }
}

#[test]
fn what_is_said_to_an_officer_is_taken_in_and_not_answered() {
    let mut talk = rung(Talk::start());
    talk.event(Event::OfficerJoined);
    talk.say("I'm pregnant, and he choked me yesterday");
    assert_eq!(talk.last(), "");
    let note = talk.note();
    assert!(note.evidence.iter().any(|it| it.claim == "strangulation"));
    assert!(note.structured_data.transferred);
}

#[test]
fn where_it_is_not_safe_to_be_rung_who_was_in_no_danger_before_is_asked_of_it() {
    let mut talk = Talk::after(&["I want to die"]);
    talk.event(Event::OfficersRung);
    talk.event(Event::OfficerUnreached {
        why: Unreached::AllDeclined,
    });
    talk.say("No, it's not safe.");
    assert_eq!(
        question(&talk),
        Some(Question::DangerNow),
        "{}",
        talk.last()
    );
    let note = talk.note();
    let steps = note.structured_data.follow_up.expose_secret();
    assert!(steps.contains("Do not ring"), "{steps}");
}
