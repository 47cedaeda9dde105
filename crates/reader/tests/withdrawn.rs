//! What sounded like harm and was none: the caller says so, and neither the flow nor the note goes on
//! with it. What was meant stays.

mod talk;

use talk::Talk;

/// No harm is claimed, and nobody is named for it.
#[track_caller]
fn forgotten(talk: &Talk) {
    talk.not_transferred();
    let note = talk.note();
    assert_eq!(note.structured_data.transfer_to, None, "{}", talk.all());
    for evidence in &note.evidence {
        let told_of_the_call =
            evidence.claim == "reason for the call" || evidence.claim.starts_with("denies ");
        let of_now = evidence.claim == "safe for now";
        assert!(told_of_the_call || of_now, "{}", evidence.claim);
    }
}

#[test]
fn a_figure_of_speech_is_no_threat() {
    let talk = Talk::after(&[
        "I can talk",
        "If I don't finish the deck she'll murder me, my boss",
        "Haha no, figure of speech.",
    ]);
    forgotten(&talk);
    assert!(!talk.note().structured_data.urgent);
}

#[test]
fn nobody_is_reported_for_what_a_two_year_old_does() {
    let talk = Talk::after(&[
        "yes I'm safe",
        "He hits me every day. He bites. Yesterday he threw a plate at my head.",
        "my son, he's two",
    ]);
    forgotten(&talk);
}

#[test]
fn a_game_told_after_the_sharing_was_declined_is_a_game() {
    let talk = Talk::after(&[
        "can talk",
        "Today those three sisters whack me until I got nothing left",
        "What case? No need lah.",
        "Mahjong lah, ah girl. Lose forty dollars.",
    ]);
    forgotten(&talk);
}

#[test]
fn the_question_said_back_is_no_answer_of_its_own() {
    let talk = Talk::after(&[
        "I'm fine",
        "My husband beats me every single night at Scrabble",
        "Hit me? Oh heavens, no. At Scrabble.",
    ]);
    forgotten(&talk);
}

#[test]
fn a_victim_who_plays_it_down_is_still_heard() {
    let talk = Talk::after(&[
        "yes he's out",
        "My husband slapped me last night",
        "I mean, it's not every day that he hits me",
    ]);
    let note = serde_json::to_string(&talk.note()).expect("a note is plain data");
    assert!(note.contains("physical"), "{note}");
}

#[test]
fn changing_the_subject_is_no_yes_to_suicide() {
    let talk = Talk::after(&[
        "yes I'm fine",
        "I just wanted to talk to someone tonight",
        "it has been a long week and my friends are all busy",
        "my mother and I are not talking much these days",
    ]);
    talk.not_transferred();
}

#[test]
fn an_answer_that_sounds_like_goodbye_is_an_answer() {
    let talk = Talk::after(&[
        "I can talk",
        "My wife gives me pocket money like a schoolboy and it's my own salary, she says no to everything",
        "Yes, that's it exactly.",
    ]);
    assert!(!talk.last().contains("goodbye"), "{}", talk.all());
}

/// First words that sound like an ending are a beginning, unless they are plainly a goodbye.
#[test]
fn nobody_is_let_go_at_their_first_words() {
    for words in [
        "I just want to sleep",
        "I only want some rest",
        "that's all",
    ] {
        let talk = Talk::after(&[words]);
        assert!(!talk.last().contains("goodbye"), "{}", talk.all());
    }
    let talk = Talk::after(&["sorry, bye"]);
    assert!(talk.last().contains("goodbye"), "{}", talk.all());
}

/// A no to danger, and words that only sound like an explanation: the blow before it stays told.
#[test]
fn a_victim_who_mentions_a_baby_a_dog_or_a_game_is_still_heard() {
    for answer in [
        "No, I mean he's out now",
        "No, he's asleep, my baby also",
        "No, I'm in the park with my dog",
        "No, he's playing mahjong tonight",
        "No. He always says he's just joking",
    ] {
        let mut talk = Talk::after(&["I can talk", "My husband strangled me", answer]);
        talk.say("okay");
        let note = serde_json::to_string(&talk.note()).expect("a note is plain data");
        assert!(note.contains("strangulation"), "{answer}: {note}");
    }
}

#[test]
fn danger_told_after_a_no_to_it_is_acted_on() {
    let mut talk = Talk::after(&["I can talk", "My husband strangled me", "No, he's in Tokyo"]);
    talk.say("no thanks");
    talk.say("he got a knife");
    assert!(talk.last().contains("name"), "{}", talk.all());
    assert!(talk.note().structured_data.urgent);
}
