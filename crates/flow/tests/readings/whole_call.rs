//! What all turns of a call together speak against: asked about before it is acted on, and never a reason to stop asking.

use flow::reading::{
    ALL_BUT_SURE, Doubt, Heard, HeardSignal, NEARLY_SURE, Reading, Relation, SURE, Signal, SoFar,
    WORTH_ASKING,
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
        tells(Signal::ViolenceNow, NEARLY_SURE)(reading);
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

#[test]
fn after_something_grave_an_unlikely_answer_that_is_neither_yes_nor_no_is_asked_about_once_more() {
    let mut call = Call::start();
    call.said("It choked me, the plot", |reading| {
        tells(Signal::Strangulation, SURE)(reading);
        tells(Signal::ViolenceNow, WORTH_ASKING)(reading);
    })
    .is_asked(Question::DangerNow)
    .said("Tonight's episode", doubting(&[Doubt::DangerNow], nothing))
    .reached_nobody()
    .is_asked(Question::DangerNow)
    .said(
        "It hurts to swallow",
        doubting(&[Doubt::DangerNow], nothing),
    )
    .is_asked(Question::Name);
}

#[test]
fn an_unlikely_hint_at_suicide_in_the_answer_about_it_is_asked_about_once_more() {
    let hints = |reading: &mut Reading| {
        tells(Signal::SuicidalIndirect, SURE)(reading);
        reading.doubts.insert(Doubt::Suicide);
    };
    let asked_twice = || {
        let mut call = Call::start();
        call.said(
            "After the live",
            tells(Signal::SuicidalDirect, WORTH_ASKING),
        )
        .is_asked(Question::Suicidal)
        .said("I joke about it", hints)
        .reached_nobody()
        .is_asked(Question::Suicidal);
        call
    };
    // A no that one reader alone hears.
    asked_twice()
        .said("I don't want to", |reading| {
            reading.answer.yes = Some(false);
            reading.doubts.insert(Doubt::Suicide);
        })
        .reached_nobody();
    asked_twice().said("Yes", yes).reached(Agency::Sos);
    asked_twice()
        .said("I had the tablets in my hand", hints)
        .reached(Agency::Sos);
    asked_twice()
        .said("No", |reading| {
            reading.answer.yes = Some(false);
            tells(Signal::SuicidalDirect, ALL_BUT_SURE)(reading);
            reading.doubts.insert(Doubt::Suicide);
        })
        .reached(Agency::Sos);
}

#[test]
fn a_hint_after_a_no_that_the_whole_call_bears_out_is_asked_about_and_not_acted_on() {
    let hint = |reading: &mut Reading| {
        tells(Signal::SuicidalIndirect, SURE)(reading);
        reading.doubts.insert(Doubt::Suicide);
    };
    let half_a_no = |reading: &mut Reading| {
        reading.answer.yes = Some(false);
        reading.doubts.insert(Doubt::Suicide);
    };
    let mut call = Call::start();
    call.said("I'm tired", tells(Signal::SuicidalIndirect, WORTH_ASKING))
        .is_asked(Question::Suicidal)
        .said("That's a bit much, I'm moving house", half_a_no)
        .reached_nobody()
        .said("I can't go on with these boxes", hint)
        .reached_nobody()
        .is_asked(Question::Suicidal)
        .said("Boxes, I said", half_a_no)
        .reached_nobody()
        .said("It never ends", hint)
        .reached_nobody()
        .said("I have taken all of them", tells(Signal::OverdoseNow, SURE))
        .reached(Agency::Sos);
}

#[test]
fn a_doubted_danger_that_is_told_again_in_the_answer_is_acted_on_though_it_is_the_same_words() {
    let kicks = |reading: &mut Reading| {
        tells(Signal::ViolenceNow, ALL_BUT_SURE)(reading);
        tells(Signal::Safe, SURE)(reading);
        reading.doubts.insert(Doubt::DangerNow);
    };
    let words = "I'm safe in the bedroom but he's kicking the door in";
    let mut call = Call::start();
    call.said("It's Mobile Legends all day", nothing)
        .said(words, kicks)
        .is_asked(Question::DangerNow)
        .said(words, kicks)
        .is_asked(Question::Name);
}

#[test]
fn beside_an_unlikely_danger_a_no_with_something_graver_in_it_ends_nothing() {
    let graver: [fn(&mut Reading); 4] = [
        |reading| tells(Signal::SuicidalDirect, NEARLY_SURE)(reading),
        |reading| tells(Signal::OverdoseNow, WORTH_ASKING)(reading),
        |reading| tells(Signal::Weapon, SURE)(reading),
        |reading| tells(Signal::ViolenceNow, ALL_BUT_SURE)(reading),
    ];
    for told in graver {
        let mut call = in_danger_until_the_account();
        call.said("And then", doubting(&[Doubt::DangerNow], nothing))
            .is_asked(Question::DangerNow)
            .said(
                "No, nobody",
                doubting(&[Doubt::DangerNow, Doubt::Need], |reading| {
                    no(reading);
                    told(reading);
                }),
            );
        while call.transfers.is_empty() {
            call.said("I don't know", nothing);
        }
        call.reached(Agency::Spf);
    }
}

/// Asked, as everybody is who says next to nothing, whether they are being hit.
fn asked_whether_they_are_hit() -> Call {
    let mut call = Call::start();
    while call.conversation.listening().question != Some(Question::HurtBefore) {
        call.said("It rains again", nothing);
    }
    call
}

#[test]
fn who_did_it_is_asked_before_a_doubted_yes_to_blows_is_taken_up_or_let_go() {
    let doubted_yes = doubting(&[Doubt::Need], yes);
    let mut call = asked_whether_they_are_hit();
    call.said("Yes, often", &doubted_yes)
        .is_asked(Question::DangerNow)
        .said("Not now", doubting(&[Doubt::Need], no))
        .is_asked(Question::Abuser)
        .said(
            "My husband",
            doubting(&[Doubt::Need], |reading| {
                reading.abuser = Some(Heard {
                    value: Relation::Spouse,
                    words: reading.words.clone(),
                    confidence: SURE,
                });
            }),
        )
        .is_asked(Question::Consent);

    let mut call = asked_whether_they_are_hit();
    call.said("Yes, all fourteen times", &doubted_yes)
        .is_asked(Question::Abuser)
        .said("The boss of level nine", doubting(&[Doubt::Need], nothing))
        .reached_nobody();
    assert_ne!(
        call.conversation.listening().question,
        Some(Question::Consent)
    );
}

#[test]
fn whom_a_refused_case_is_for_stays_in_the_note_where_the_whole_call_bears_the_need_out() {
    let agency = |doubts: &'static [Doubt]| {
        let told = |reading: &mut Reading| {
            reading.so_far = SoFar {
                turns: 4,
                ..SoFar::default()
            };
        };
        let mut call = asked_whether_they_are_hit();
        call.said("It is the slippers", |reading| {
            told(reading);
            reading.answer.yes = Some(true);
        })
        .is_asked(Question::Abuser)
        .said("My wife", |reading| {
            told(reading);
            reading.abuser = Some(Heard {
                value: Relation::Spouse,
                words: reading.words.clone(),
                confidence: SURE,
            });
        })
        .is_asked(Question::Consent)
        .said("No", |reading| {
            no(reading);
            told(reading);
            reading.doubts.extend(doubts);
        });
        call.conversation.note().structured_data.transfer_to
    };
    assert_eq!(agency(&[]), Some(Agency::Dvert));
    assert_eq!(agency(&[Doubt::Need]), None);
}
