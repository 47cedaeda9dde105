//! What was taken for harm and was none, by the caller's own word.

use flow::reading::{Reading, Relation, SURE, Signal};
use flow::{Agency, Event, Hint, Question};

use super::call::{Call, hit_by, no, tells, yes};

fn play(reading: &mut Reading) {
    reading.speaks_of_play = true;
}

/// On the way to the police, asked what happened.
fn until_the_account() -> Call {
    let mut call = Call::start();
    call.said(
        "They're killing my friend",
        tells(Signal::ViolenceNow, SURE),
    )
    .is_asked_what_happened();
    call
}

#[test]
fn a_game_told_on_the_way_to_the_police_is_made_sure_of_and_nobody_is_rung_for_it() {
    let mut call = until_the_account();
    call.said("It's Mobile Legends, he dared me", play)
        .is_asked(Question::DangerNow)
        .said("No, nobody, it's a game", no)
        .reached_nobody();
    let note = call.conversation.note();
    assert_eq!(note.structured_data.transfer_to, None);
    assert!(!note.structured_data.urgent);

    // Neither a no nor a yes, and once more what it was.
    let mut call = until_the_account();
    call.said("It's Mobile Legends, he dared me", play)
        .is_asked(Question::DangerNow)
        .said("My heart still jumps, but it's a game only", play)
        .reached_nobody()
        .is_asked(Question::Open);
}

#[test]
fn a_show_told_in_place_of_a_danger_after_a_no_to_an_agency_is_no_case() {
    let mut call = Call::start();
    call.said(
        "He pushed her down the stairs",
        hit_by(Relation::Family, SURE),
    )
    .is_asked(Question::Consent)
    .said("No need", no);
    call.hears(Event::Hinted {
        hint: Hint::AskWhetherSafe,
    });
    call.said("It's Monday only", |_| {})
        .is_asked(Question::DangerNow)
        .said("No danger, it's the nine o'clock show", |reading| {
            no(reading);
            reading.explained_away = true;
        });
    assert_eq!(call.conversation.note().structured_data.transfer_to, None);
}

#[test]
fn who_does_not_plainly_say_that_nobody_is_hurting_them_is_connected_all_the_same() {
    let unclear: [fn(&mut Reading); 3] = [
        yes,
        |_| {},
        |reading| {
            // One reader hears a no.
            reading.answer.yes = Some(false);
        },
    ];
    for answer in unclear {
        let mut call = until_the_account();
        call.said("He was at his game, and then", play)
            .is_asked(Question::DangerNow)
            .said("He's at the door", answer)
            .said("A minute ago", |_| {})
            .said("Please", |_| {});
        call.reached(Agency::Spf);
    }
}

#[test]
fn a_game_beside_what_was_done_is_not_asked_about() {
    let mut call = until_the_account();
    call.said("He came from his game and hit me", |reading| {
        play(reading);
        tells(Signal::PhysicalAbuse, SURE)(reading);
    });
    assert_ne!(
        call.conversation.listening().question,
        Some(Question::DangerNow)
    );
}

#[test]
fn who_names_nobody_after_blows_has_them_still() {
    let mut call = Call::start();
    call.said("He choked me on Monday", tells(Signal::PhysicalAbuse, SURE))
        .is_asked(Question::Abuser)
        .said("No one", |reading| reading.answer.names_nobody = true)
        .is_asked(Question::Consent);
    // A threat alone, and nobody who made it.
    let mut call = Call::start();
    call.said(
        "He'd bury me in the shellscrape",
        tells(Signal::ThreatToKill, SURE),
    )
    .is_asked(Question::DangerNow)
    .said("No, we all laughed", no)
    .is_asked(Question::Abuser)
    .said("No one", |reading| reading.answer.names_nobody = true)
    .is_asked(Question::Open);
}

#[test]
fn who_it_is_being_a_guess_is_asked_where_another_team_knows_of_it_already() {
    let mut call = Call::start();
    call.said("They make fun of me", tells(Signal::EmotionalAbuse, SURE))
        .is_asked(Question::HurtBefore)
        .said("Words only", no)
        .is_asked(Question::Age)
        .said("I don't want to say", |reading| {
            reading.answer.refuses = true
        })
        .said("Yes", yes);
    call.keeps_the_rest_back();
    call.said(
        "They pushed me into the pond",
        hit_by(Relation::Family, 0.6),
    )
    .is_asked(Question::Abuser);
}
