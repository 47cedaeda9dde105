//! What all turns of a call together speak against: asked about before it is acted on, and never a reason to stop asking.

use flow::reading::{
    ALL_BUT_SURE, Doubt, HeardSignal, NEARLY_SURE, Reading, Relation, SURE, Signal, WORTH_ASKING,
};
use flow::{Agency, Conversation, Question, TransferMode};

use super::call::{Call, hit_by, no, tells, yes};

fn doubting(doubts: &'static [Doubt], shape: impl Fn(&mut Reading)) -> impl Fn(&mut Reading) {
    move |reading| {
        shape(reading);
        reading.doubts.extend(doubts);
    }
}

fn nothing(_: &mut Reading) {}

/// On the way to the police, asked what happened to them; nothing was doubted so far.
fn in_danger_until_the_account() -> Call {
    let mut call = Call::start();
    call.said("He's got the chainsaw", tells(Signal::ViolenceNow, SURE))
        .is_asked_what_happened();
    call
}

#[test]
fn on_the_way_to_the_police_an_unlikely_danger_is_made_sure_of_and_a_no_ends_it() {
    let mut call = in_danger_until_the_account();
    call.said(
        "I'm the last survivor, it's Dead by Daylight",
        doubting(
            &[Doubt::DangerNow],
            tells(Signal::ViolenceNow, WORTH_ASKING),
        ),
    )
    .is_asked(Question::DangerNow)
    .said(
        "No lah, the killer is in the game",
        doubting(&[Doubt::DangerNow, Doubt::Need], |reading| {
            no(reading);
            tells(Signal::ViolenceNow, WORTH_ASKING)(reading);
        }),
    )
    .reached_nobody()
    .is_asked(Question::Open);
    let note = call.conversation.note().structured_data;
    assert_eq!(note.transfer_to, None);
    assert!(!note.urgent);
}

#[test]
fn whoever_does_not_plainly_deny_an_unlikely_danger_is_connected() {
    let answers: [fn(&mut Reading); 5] = [
        yes,
        nothing,
        |reading| reading.answer.refuses = true,
        // "No, he's in the next room, he can hear me."
        |reading| {
            no(reading);
            tells(Signal::NotSafeToTalk, SURE)(reading);
        },
        |reading| {
            no(reading);
            reading.calls_for_help = true;
        },
    ];
    for answer in answers {
        let mut call = in_danger_until_the_account();
        call.said("And then", doubting(&[Doubt::DangerNow], nothing))
            .is_asked(Question::DangerNow)
            .said("He", doubting(&[Doubt::DangerNow], answer));
        if call.transfers.is_empty() {
            call.said("Just now", doubting(&[Doubt::DangerNow], nothing));
        }
        call.reached(Agency::Spf);
    }
}

#[test]
fn who_cannot_speak_freely_is_connected_however_unlikely_it_sounds() {
    let mut call = Call::start();
    call.said("Pizza, one large", tells(Signal::ViolenceNow, SURE))
        .is_asked(Question::SafeToTalk)
        .said("No", doubting(&[Doubt::DangerNow], no));
    while call.transfers.is_empty() {
        call.said("Extra cheese", doubting(&[Doubt::DangerNow], nothing));
        assert_ne!(
            call.conversation.listening().question,
            Some(Question::DangerNow)
        );
    }
    call.reached(Agency::Spf);
}

#[test]
fn an_unlikely_yes_to_danger_is_asked_about_once_more_and_the_same_words_again_are_none() {
    let rats = |reading: &mut Reading| {
        reading.answer.yes = Some(true);
        tells(Signal::ViolenceNow, ALL_BUT_SURE)(reading);
        reading.doubts.insert(Doubt::DangerNow);
    };
    let asked = || {
        let mut call = Call::start();
        call.said("They're back", tells(Signal::ViolenceNow, WORTH_ASKING))
            .is_asked(Question::DangerNow)
            .said("A public health danger, yes. Rats.", rats)
            .reached_nobody()
            .is_asked(Question::DangerNow);
        call
    };
    asked()
        .said("A public health danger, yes. Rats.", rats)
        .reached_nobody();
    asked()
        .said("Yes, he's at the door", yes)
        .is_asked(Question::Name);
    asked()
        .said("Yes, at my door", rats)
        .is_asked(Question::Name);
}

#[test]
fn one_yes_to_a_need_of_which_the_whole_call_tells_nothing_brings_in_nobody_and_two_do() {
    let our_flat = |reading: &mut Reading| {
        yes(reading);
        reading.doubts.insert(Doubt::Need);
    };
    let mut call = Call::start();
    call.said("I'd rather be elsewhere", |reading| {
        tells(Signal::ShelterWish, NEARLY_SURE)(reading);
    });
    call.is_asked(Question::NeedsShelter)
        .said("Yes, I can't stay here", our_flat)
        .is_asked(Question::Consent);

    let mut call = Call::start();
    call.said("It rains again", |reading| {
        reading.leanings.insert(flow::reading::Leaning::Shelter);
    })
    .is_asked(Question::NeedsShelter)
    .said("Yes, our flat", our_flat);
    assert_ne!(
        call.conversation.listening().question,
        Some(Question::Consent)
    );
    assert_eq!(call.conversation.note().structured_data.transfer_to, None);
}

#[test]
fn a_need_told_before_the_call_spoke_against_it_is_told_once_more_before_it_is_taken_up() {
    let dreamt = doubting(&[Doubt::Need, Doubt::DangerNow], no);
    let mut call = Call::start();
    call.said("My brother had both hands around my neck", |reading| {
        hit_by(Relation::Family, SURE)(reading);
        tells(Signal::ViolenceNow, WORTH_ASKING)(reading);
    })
    .is_asked(Question::DangerNow)
    .said("No, sorry, I dreamt it", dreamt);
    assert_ne!(
        call.conversation.listening().question,
        Some(Question::Consent)
    );
}

#[test]
fn a_red_flag_in_a_call_that_tells_of_no_danger_and_no_need_makes_no_case_urgent() {
    let all = &[Doubt::DangerNow, Doubt::Suicide, Doubt::Need];
    let urgent = |doubts: &'static [Doubt]| {
        let mut call = Call::start();
        call.said("He strangles her, in the opera", |reading| {
            tells(Signal::Strangulation, SURE)(reading);
        })
        .said("No, no", doubting(doubts, no));
        call.conversation.note().structured_data.urgent
    };
    assert!(!urgent(all));
    assert!(urgent(&all[..2]));
    assert!(urgent(&[]));
}

#[test]
fn a_sign_of_suicide_that_was_denied_and_that_the_call_speaks_against_makes_no_case_urgent() {
    let urgent = |doubts: &'static [Doubt]| {
        let mut call = Call::start();
        call.said("I'm confirm dead", |reading| {
            tells(Signal::SuicidalIndirect, SURE)(reading);
            tells(Signal::SuicidalDirect, WORTH_ASKING)(reading);
        })
        .is_asked(Question::Suicidal)
        .said(
            "No! Dead as in the marks",
            doubting(doubts, |reading| {
                no(reading);
                reading.signals.push(HeardSignal {
                    denied: true,
                    ..HeardSignal::told(Signal::SuicidalDirect, reading.words.clone(), SURE)
                });
            }),
        );
        call.conversation.note().structured_data.urgent
    };
    assert!(!urgent(&[Doubt::Suicide]));
    assert!(urgent(&[]));
}

#[test]
fn who_hangs_up_after_words_of_danger_that_are_doubted_leaves_an_urgent_note() {
    let mut call = Call::start();
    call.said(
        "I want to die",
        doubting(
            &[Doubt::Suicide],
            tells(Signal::SuicidalDirect, ALL_BUT_SURE),
        ),
    )
    .is_asked(Question::Suicidal);
    call.hears(flow::Event::CallEnded {
        reason: flow::EndReason::CallerEnded,
    });
    let note = call.conversation.note().structured_data;
    assert!(note.urgent);
    assert_eq!(note.transfer_to, Some(Agency::Sos));
}

#[test]
fn what_was_made_of_the_turns_is_kept_with_the_call_and_handed_back() {
    let heard = flow::reading::SoFar {
        turns: 2,
        highest: vec![1.5],
        logits: vec![2.0],
        probabilities: vec![1.25],
    };
    let mut call = Call::start();
    let kept = heard.clone();
    call.said("Hello", move |reading| reading.so_far = kept);
    assert_eq!(call.conversation.listening().so_far, heard);
    let saved = call.conversation.save();
    let setup = Call::setup();
    let restored = Conversation::restore(setup, saved.expose_secret()).unwrap();
    assert_eq!(restored.listening().so_far, heard);
}

#[test]
fn a_need_that_was_agreed_to_goes_on_though_the_call_comes_to_speak_against_it() {
    let mut call = Call::start();
    call.said("My brother beats me", hit_by(Relation::Family, SURE));
    if call.conversation.listening().question == Some(Question::NeedsShelter) {
        call.said("No", no);
    }
    call.is_asked(Question::Consent).said("Yes", yes);
    for _ in 0..4 {
        call.said(
            "I would not like to say",
            doubting(&[Doubt::Need], |reading| reading.answer.refuses = true),
        );
    }
    assert_eq!(call.transfers, [(TransferMode::Cold, Agency::Pave)]);
}

#[test]
fn what_is_told_after_the_question_was_denied_is_asked_about_again_and_then_acted_on() {
    let told = doubting(
        &[Doubt::DangerNow, Doubt::Suicide],
        tells(Signal::ViolenceNow, ALL_BUT_SURE),
    );
    let mut call = Call::start();
    call.said("There", tells(Signal::ViolenceNow, WORTH_ASKING))
        .is_asked(Question::DangerNow)
        .said("No", no)
        .said("He's kicking the door in now", &told)
        .reached_nobody()
        .is_asked(Question::DangerNow)
        .said("No", no)
        .said("He's through the door", &told)
        .is_asked(Question::Name);

    let told = doubting(
        &[Doubt::Suicide],
        tells(Signal::SuicidalDirect, ALL_BUT_SURE),
    );
    let mut call = Call::start();
    call.said("So tired", tells(Signal::SuicidalIndirect, WORTH_ASKING))
        .is_asked(Question::Suicidal)
        .said("No", no)
        .said("I lied, I want to die", &told)
        .reached_nobody()
        .is_asked(Question::Suicidal)
        .said("No", no)
        .said("I'm on the ledge now, I'll do it", &told)
        .reached(Agency::Sos);
}

#[test]
fn who_may_be_overheard_and_says_the_same_again_is_connected() {
    let pizza = |reading: &mut Reading| {
        tells(Signal::ViolenceNow, ALL_BUT_SURE)(reading);
        reading.doubts.insert(Doubt::DangerNow);
    };
    let mut call = Call::start();
    call.said("One large pizza", |reading| {
        tells(Signal::CannotSpeak, SURE)(reading);
        tells(Signal::ViolenceNow, WORTH_ASKING)(reading);
    });
    while call.transfers.is_empty() {
        call.said("Pepperoni, please", pizza);
    }
    call.reached(Agency::Spf);
}
