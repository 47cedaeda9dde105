//! No input is too long or too odd: each is answered, and none loops or panics.

mod talk;

use talk::Talk;

#[test]
fn however_long_a_turn_is_it_is_answered() {
    for piece in [
        "he hit me ",
        "no ",
        "I ",
        "ah ",
        "|",
        "| ",
        "? ",
        "he he he ",
        "block 12 ",
        "my husband's ",
        "want to ",
        "not ",
        "🙂",
        "\u{202e}",
        "é",
        "我",
        "' ' ",
        "#04-",
        "1 ",
        "and then he hit me and then ",
    ] {
        let mut talk = Talk::start();
        talk.say(&piece.repeat(4_000));
        assert!(!talk.last().is_empty(), "{piece:?}");
        talk.say("");
    }
}

#[test]
fn a_danger_at_the_end_of_a_long_turn_is_heard() {
    let mut words =
        "it has been a long week and I did the laundry and cooked for everyone ".repeat(20);
    words.push_str("and I want to kill myself");
    let talk = Talk::after(&[&words]);
    talk.transferred(flow::TransferMode::Warm, flow::Agency::Sos);
}

#[test]
fn a_thousand_turns_are_answered_each_in_other_words_than_the_last() {
    let lines = [
        "hm",
        "my work is hard",
        "I don't know",
        "maybe",
        "my mother called",
        "I cannot sleep",
        "it's raining",
    ];
    let mut talk = Talk::start();
    let mut last = talk.last();
    for line in lines.iter().cycle().take(1_000) {
        talk.say(line);
        if talk.last().is_empty() {
            break;
        }
        assert_ne!(talk.last(), last);
        last = talk.last();
    }
}
