//! Readings that are not sure, or of which two readers think differently.

use flow::reading::{
    ALL_BUT_SURE, Heard, HeardSignal, Leaning, Leave, NEARLY_SURE, Reading, Relation, SURE, Signal,
    WORTH_ASKING,
};
use flow::{Agency, Question, TransferMode};

use super::call::{Call, minutes_ago, no, tells, yes};

#[test]
fn a_danger_to_somebody_else_that_nobody_could_make_sure_of_is_open() {
    let of_another = |reading: &mut Reading| {
        tells(Signal::ViolenceNow, WORTH_ASKING)(reading);
        reading.signals[0].of_others = true;
    };
    let mut call = Call::start();
    call.said("He pull one lady by the hair", of_another)
        .is_asked(Question::OtherInDanger);
    let note = call.conversation.note();
    assert!(note.structured_data.urgent);
    assert!(!note.evidence.is_empty(), "nothing it rests on");
}

#[test]
fn an_open_danger_rests_on_its_words_though_suicide_was_denied() {
    let mut call = Call::start();
    call.said(
        "I'm so tired of it all",
        tells(Signal::SuicidalIndirect, WORTH_ASKING),
    )
    .is_asked(Question::Suicidal)
    .said("No, never that", |reading| {
        no(reading);
        reading.signals.push(HeardSignal {
            denied: true,
            ..HeardSignal::told(Signal::SuicidalDirect, reading.words.clone(), SURE)
        });
    })
    .said("He has the rod", tells(Signal::ViolenceNow, WORTH_ASKING))
    .is_asked(Question::DangerNow);
    let evidence = call.conversation.note().evidence;
    let rests_on = |claim: &str| evidence.iter().any(|it| it.claim == claim);
    assert!(rests_on(Signal::ViolenceNow.name()), "{evidence:?}");
}

#[test]
fn who_wants_to_die_and_may_be_being_hurt_is_asked_about_that_first() {
    let told = |reading: &mut Reading| {
        tells(Signal::SuicidalDirect, SURE)(reading);
        tells(Signal::ViolenceNow, WORTH_ASKING)(reading);
    };
    let words = "I'm on the floor. Let him finish me, I want to die.";

    let mut call = Call::start();
    call.said(words, told)
        .reached_nobody()
        .is_asked(Question::DangerNow);
    assert!(call.conversation.note().structured_data.urgent);
    call.said("He is, yes", yes).is_asked(Question::Name);

    let mut call = Call::start();
    call.said(words, told)
        .said("No, he went out", no)
        .reached(Agency::Sos);

    let mut call = Call::start();
    call.said(words, told)
        .said("The wall is cold", |_| {})
        .reached(Agency::Sos);
}

#[test]
fn who_is_not_safe_is_asked_about_danger_whatever_is_barely_heard_beside_it() {
    let not_safe = |reading: &mut Reading| {
        no(reading);
        tells(Signal::ViolenceNow, 0.45)(reading);
    };
    Call::start()
        .said("No, I don't feel safe", not_safe)
        .is_asked(Question::DangerNow);
}

#[test]
fn nobody_is_safe_by_a_yes_that_one_reader_alone_hears() {
    let one_hears_yes = |reading: &mut Reading| reading.answer.yes = Some(true);
    let beaten = |reading: &mut Reading| {
        tells(Signal::PhysicalAbuse, SURE)(reading);
        minutes_ago(reading);
    };
    let words = "Ma'am beat me just now";

    Call::start()
        .said("Sister, please", one_hears_yes)
        .said(words, beaten)
        .is_asked(Question::DangerNow);

    let mut call = Call::start();
    call.said("Yes, I'm safe", yes).said(words, beaten);
    let asked = call.conversation.listening().question;
    assert_ne!(asked, Some(Question::DangerNow));
}

#[test]
fn who_was_safe_is_asked_about_a_danger_that_is_hinted_at_later() {
    let hint = |reading: &mut Reading| tells(Signal::ViolenceNow, WORTH_ASKING)(reading);
    let hint_of_somebody_safe = |reading: &mut Reading| {
        hint(reading);
        tells(Signal::Safe, SURE)(reading);
    };
    let words = "She's coming back, I'm scared";

    Call::start()
        .said("Yes, I'm safe", yes)
        .said(words, hint)
        .is_asked(Question::DangerNow);

    let mut call = Call::start();
    call.said("Yes, I'm safe", yes).said(
        "He bangs on her door, I'm at my mother's",
        hint_of_somebody_safe,
    );
    let asked = call.conversation.listening().question;
    assert_ne!(asked, Some(Question::DangerNow));
}

#[test]
fn danger_and_suicide_hinted_at_together_are_asked_about_one_after_the_other() {
    let hints = |reading: &mut Reading| {
        tells(Signal::SuicidalDirect, WORTH_ASKING)(reading);
        tells(Signal::ViolenceNow, WORTH_ASKING)(reading);
    };
    let mut call = Call::start();
    call.said("From up here the cars are small", hints)
        .is_asked(Question::DangerNow);
    call.said("Madam is good to me", no)
        .is_asked(Question::Suicidal);
    call.said("One step", yes).reached(Agency::Sos);
}

#[test]
fn the_same_unclear_answer_said_twice_is_no_suicidal_sign() {
    let unclear = tells(Signal::SuicidalDirect, WORTH_ASKING);
    let mut call = Call::start();
    call.said("I cannot eat", &unclear)
        .is_asked(Question::Suicidal);
    call.said("Never think until there", &unclear)
        .is_asked(Question::Suicidal);
    call.said("Never think until there", &unclear)
        .reached_nobody();
}

#[test]
fn two_hints_with_no_plain_no_to_the_question_after_each_are_a_suicidal_sign() {
    let hint = tells(Signal::SuicidalIndirect, WORTH_ASKING);
    // One reader takes it for a no.
    let a_no_of_one = |reading: &mut Reading| reading.answer.yes = Some(false);
    let mut call = Call::start();
    call.said("I am sitting on the window", &hint)
        .is_asked(Question::Suicidal);
    call.said("I am not a bad person", a_no_of_one)
        .reached_nobody();
    call.said("From up here the car is so small", &hint)
        .is_asked(Question::Suicidal);
    call.said("I only want to go to my baby", a_no_of_one)
        .reached(Agency::Sos);

    // Both do: it is one.
    let mut call = Call::start();
    call.said("I am sitting on the window", &hint)
        .is_asked(Question::Suicidal);
    call.said("No, cleaning it", no).reached_nobody();
    call.said("From up here the car is so small", &hint)
        .said("No", no)
        .reached_nobody();
}

#[test]
fn what_one_reader_is_nearly_sure_of_twice_is_a_suicidal_sign() {
    let nearly = tells(Signal::SuicidalDirect, NEARLY_SURE);
    let mut call = Call::start();
    call.said("The window is open", &nearly)
        .is_asked(Question::Suicidal);
    call.said("One step and I am with him", &nearly)
        .reached(Agency::Sos);
}

#[test]
fn a_danger_that_is_all_but_sure_and_twice_not_denied_is_one() {
    let through_the_wall = |reading: &mut Reading| {
        tells(Signal::ThirdParty, SURE)(reading);
        tells(Signal::ViolenceNow, ALL_BUT_SURE)(reading);
        reading.signals.last_mut().unwrap().of_others = true;
    };
    let mut call = Call::start();
    call.said("Somebody is thrown at my wall", through_the_wall)
        .is_asked(Question::OtherInDanger);
    call.said("The fifth cup has gone", |_| {})
        .is_asked(Question::OtherInDanger);
    call.said("The fifth cup has gone", |_| {})
        .is_asked(Question::Name);

    let mut call = Call::start();
    call.said(
        "He twisted it just now",
        tells(Signal::ViolenceNow, ALL_BUT_SURE),
    )
    .is_asked(Question::DangerNow);
    call.said("He counts slow", |_| {})
        .is_asked(Question::DangerNow);
    call.said("He went to sleep", no).reached_nobody();
    assert_ne!(call.conversation.listening().question, Some(Question::Name));
}

#[test]
fn a_no_beside_words_for_it_is_asked_about_once_more_and_then_taken() {
    let no_beside_words = |reading: &mut Reading| {
        tells(Signal::SuicidalDirect, WORTH_ASKING)(reading);
        reading.answer.yes = Some(false);
    };
    let mut call = Call::start();
    call.said(
        "The water drips on my bed",
        tells(Signal::SuicidalDirect, WORTH_ASKING),
    )
    .is_asked(Question::Suicidal);
    call.said("A leak only, why would I want to die", no_beside_words)
        .is_asked(Question::Suicidal);
    call.said("A leak only, why would I want to die", no_beside_words)
        .reached_nobody();
    // It was no plain denial either, and the note does not say that it was.
    let note = call.conversation.note();
    assert!(!note.summary.expose_secret().contains("denied suicidal"));
}

#[test]
fn a_no_beside_what_is_nearly_sure_is_asked_about_once_more_even_after_a_plain_sign() {
    let mut call = Call::start();
    call.said(
        "They would be better off",
        tells(Signal::SuicidalIndirect, SURE),
    )
    .is_asked(Question::Suicidal);
    call.said("No, only the train, one step", |reading| {
        tells(Signal::SuicidalDirect, NEARLY_SURE)(reading);
        reading.answer.yes = Some(false);
    })
    .reached_nobody()
    .is_asked(Question::Suicidal);
}

/// Everyday trouble, until suicide is asked about as everybody is asked; after how many turns.
fn goes_on_until_asked(call: &mut Call) -> usize {
    for turns in 1..=9 {
        call.said("It was a long day and the bus came late again", |_| {});
        if call.conversation.listening().question == Some(Question::Suicidal) {
            return turns;
        }
    }
    panic!("it was not asked about");
}

#[test]
fn a_yes_that_one_reader_alone_hears_where_nothing_pointed_there_is_made_sure_of() {
    let a_yes_of_one = |reading: &mut Reading| reading.answer.yes = Some(true);
    let mut call = Call::start();
    goes_on_until_asked(&mut call);
    call.said("Already bought the bus ticket", a_yes_of_one)
        .reached_nobody()
        .is_asked(Question::Suicidal);
    // Who goes before they are asked again has left it open.
    assert!(call.conversation.note().structured_data.urgent);
    call.said("No, to my mother, for the new year", no)
        .reached_nobody();
    assert!(!call.conversation.note().structured_data.urgent);

    let mut call = Call::start();
    goes_on_until_asked(&mut call);
    call.said("Already chose the floor", a_yes_of_one)
        .reached_nobody();
    call.said("The ninth", a_yes_of_one).reached(Agency::Sos);

    // Both hear it: it is one.
    let mut call = Call::start();
    goes_on_until_asked(&mut call);
    call.said("Yes, every night", yes).reached(Agency::Sos);
}

#[test]
fn who_turns_the_question_about_suicide_away_is_asked_once_more_later_and_then_helped() {
    let refuses = |reading: &mut Reading| reading.answer.refuses = true;
    let mut call = Call::start();
    goes_on_until_asked(&mut call);
    call.said("Don't ask me that", refuses).reached_nobody();
    assert_ne!(
        call.conversation.listening().question,
        Some(Question::Suicidal)
    );
    assert!(goes_on_until_asked(&mut call) >= 3, "it is not pressed for");
    call.said("Don't ask me that", refuses).reached(Agency::Sos);
}

#[test]
fn who_denies_it_when_asked_once_more_is_believed_and_left_alone() {
    let refuses = |reading: &mut Reading| reading.answer.refuses = true;
    let mut call = Call::start();
    let mut asked = 0;
    for _ in 0..20 {
        let question = call.conversation.listening().question;
        asked += u32::from(question == Some(Question::Suicidal));
        match (question, asked) {
            (Some(Question::Suicidal), 1) => call.said("Don't ask me that", refuses),
            (Some(Question::Suicidal), _) => call.said("No, I don't want to die", no),
            _ => call.said("It was a long day and the bus came late again", |_| {}),
        };
    }
    assert_eq!(asked, 2);
    call.reached_nobody();
}

#[test]
fn a_hint_of_sexual_harm_is_asked_about_after_the_danger_and_before_any_agency() {
    let told = |reading: &mut Reading| {
        tells(Signal::PsychologicalAbuse, SURE)(reading);
        tells(Signal::SexualAssault, WORTH_ASKING)(reading);
        tells(Signal::ViolenceNow, WORTH_ASKING)(reading);
    };
    let mut call = Call::start();
    call.said("He locked me in the storeroom and he forced me", told)
        .is_asked(Question::DangerNow);
    call.said("He does not know where I live", no)
        .is_asked(Question::SexualHarm);
}

#[test]
fn who_calls_for_help_after_their_case_was_passed_on_is_asked_about_danger() {
    let mut call = Call::start();
    call.said("I need a bed tonight", tells(Signal::ShelterWish, SURE));
    call.said("Yes", yes);
    for _ in 0..4 {
        call.said("Rather not", |reading| reading.answer.refuses = true);
    }
    call.is_asked(Question::MoreSupport);
    let cries = |reading: &mut Reading| reading.calls_for_help = true;
    call.said("Help me", cries).is_asked(Question::DangerNow);
    call.said("Help me", cries);
    let police = (TransferMode::Warm, Agency::Spf);
    assert_eq!(call.transfers.last(), Some(&police));
}

#[test]
fn who_is_beaten_by_a_word_of_now_and_wants_to_die_is_asked_about_the_danger_first() {
    let told = |present: bool| {
        move |reading: &mut Reading| {
            tells(Signal::SuicidalDirect, SURE)(reading);
            tells(Signal::Strangulation, SURE)(reading);
            reading.signals[1].present = present;
        }
    };
    let mut call = Call::start();
    call.said("He was choking me. I want to die.", told(true))
        .reached_nobody()
        .is_asked(Question::DangerNow);
    call.said("He comes back when he has smoked", yes)
        .is_asked(Question::Name);

    let mut call = Call::start();
    call.said("He choked me. I want to die.", told(false))
        .reached(Agency::Sos);
}

#[test]
fn who_was_hurt_minutes_ago_is_asked_about_danger_again_unless_both_readers_heard_a_no() {
    let punched = |reading: &mut Reading| {
        no(reading);
        tells(Signal::PhysicalAbuse, SURE)(reading);
    };
    let one_hears_no = |reading: &mut Reading| reading.answer.yes = Some(false);

    let mut call = Call::start();
    call.said("No, he punched me and I ran", punched)
        .is_asked(Question::DangerNow);
    // One reader takes this for a no.
    call.said("He's twenty steps away", one_hears_no)
        .said("It was a minute ago", minutes_ago)
        .is_asked(Question::DangerNow);
    call.said("He's twenty steps away", one_hears_no)
        .is_asked(Question::Name);
    let note = call.conversation.note();
    assert_eq!(note.structured_data.transfer_to, Some(Agency::Spf));

    let mut call = Call::start();
    call.said("No, he punched me and I ran", punched)
        .is_asked(Question::DangerNow);
    call.said("No, I'm at my mother's", no)
        .said("It was a minute ago", minutes_ago);
    assert_ne!(
        call.conversation.listening().question,
        Some(Question::DangerNow)
    );
}

#[test]
fn who_was_threatened_with_a_weapon_minutes_ago_is_asked_about_danger() {
    for grave in [Signal::Weapon, Signal::ThreatToKill] {
        Call::start()
            .said("Hi", |_| {})
            .said("He calls me names", tells(Signal::EmotionalAbuse, SURE))
            .said("He put the chopper at my neck", tells(grave, SURE))
            .said("Twenty minutes ago", minutes_ago)
            .is_asked(Question::DangerNow);
    }
}

#[test]
fn a_yes_to_danger_that_one_reader_hears_in_words_for_its_being_over_is_none() {
    type Told = fn(&mut Reading);
    let over: [(&str, Told); 3] = [
        ("Now he not home", |reading| {
            tells(Signal::Safe, SURE)(reading)
        }),
        ("Show only, not real", |reading| {
            reading.answer.means_otherwise = true
        }),
        ("That is all long behind me", |reading| {
            reading.tells_of_long_ago = true
        }),
    ];
    for (words, told) in over {
        let one_hears_yes = |reading: &mut Reading| {
            told(reading);
            tells(Signal::ViolenceNow, WORTH_ASKING)(reading);
            reading.answer.yes = Some(true);
        };
        let both_hear_yes = |reading: &mut Reading| {
            one_hears_yes(reading);
            reading.answer.agreed = true;
        };
        let mut call = Call::start();
        call.said("No, not really", no)
            .is_asked(Question::DangerNow)
            .said(words, one_hears_yes);
        assert!(!call.conversation.note().structured_data.urgent, "{words}");

        let one_hears_yes_beside_a_blow = |reading: &mut Reading| {
            one_hears_yes(reading);
            tells(Signal::PhysicalAbuse, SURE)(reading);
        };
        for told in [
            &both_hear_yes as &dyn Fn(&mut Reading),
            &one_hears_yes_beside_a_blow,
        ] {
            let mut call = Call::start();
            call.said("No, not really", no)
                .said(words, told)
                .is_asked(Question::Name);
            let summary = call.conversation.note().summary;
            let says_safe = summary.expose_secret().contains("safe for now");
            assert!(!says_safe, "{words}");
        }
    }
}

#[test]
fn what_was_told_of_a_friend_is_the_callers_own_once_the_friend_is_the_caller() {
    let of_a_friend = |reading: &mut Reading| {
        tells(Signal::ThirdParty, SURE)(reading);
        tells(Signal::PhysicalAbuse, SURE)(reading);
        reading.signals[1].of_others = true;
        tells(Signal::SuicidalDirect, WORTH_ASKING)(reading);
        reading.abuser = Some(Heard {
            value: Relation::NotFamily,
            words: reading.words.clone(),
            confidence: SURE,
        });
    };
    let not_of_another = |reading: &mut Reading| {
        no(reading);
        tells(Signal::ThirdParty, SURE)(reading);
        reading.signals[0].denied = true;
    };
    let summary = |call: &Call| call.conversation.note().summary.expose_secret().clone();

    let mut call = Call::start();
    call.said("The coach beats a friend of mine, and she...", of_a_friend)
        .is_asked(Question::OtherSuicidal);
    assert!(summary(&call).contains("someone else"));
    // A stranger's blows to another need no age, and the caller's own do.
    call.said("No. The friend is me.", not_of_another)
        .is_asked(Question::SexualHarm)
        .said("No", no)
        .is_asked(Question::Age);
    assert!(!summary(&call).contains("someone else"));
}

#[test]
fn who_says_unasked_that_they_are_not_suicidal_is_asked_once_softly() {
    let not_suicidal = |reading: &mut Reading| {
        tells(Signal::SuicidalDirect, SURE)(reading);
        reading.signals[0].denied = true;
    };
    let asked_in = |call: &mut Call| {
        (0..12)
            .filter(|_| {
                call.said("It has been like this for weeks now", |_| {});
                call.conversation.listening().question == Some(Question::Suicidal)
            })
            .count()
    };
    let mut call = Call::start();
    call.said("I'm not suicidal or what, only tired", not_suicidal);
    assert_ne!(
        call.conversation.listening().question,
        Some(Question::Suicidal)
    );
    assert_eq!(asked_in(&mut call), 1);
}

#[test]
fn a_need_that_is_only_hinted_at_is_as_good_as_told_the_third_time() {
    let hint = tells(Signal::EmotionalAbuse, WORTH_ASKING);
    let mut call = Call::start();
    call.said("She says I was born a thief", &hint)
        .is_asked(Question::PutDown);
    call.said("The bank card is in her bag", |_| {});
    call.said("She tells my aunts so", &hint);
    assert_ne!(call.conversation.listening().question, Some(Question::Age));
    call.said("She tells my school so", &hint)
        .is_asked(Question::Age);
}

#[test]
fn what_hints_alone_added_up_to_is_in_the_note_once_the_case_is_to_be_shared() {
    let hint = tells(Signal::SexualAssault, NEARLY_SURE);
    let mut call = Call::start();
    call.said("He put his hand inside", &hint)
        .is_asked(Question::SexualHarm);
    call.said("He touched there", &hint)
        .is_asked(Question::Consent);
    let told = |call: &Call| {
        let evidence = call.conversation.note().evidence;
        evidence.iter().any(|e| e.claim == "sexual assault")
    };
    assert!(!told(&call), "nobody has agreed to anything yet");
    call.said("You can tell them", yes);
    assert!(told(&call));
}

#[test]
fn what_was_asked_about_and_not_denied_is_acted_on_and_not_noted_as_told() {
    let mut call = Call::start();
    call.said(
        "I gave my things away",
        tells(Signal::SuicidalIndirect, SURE),
    )
    .is_asked(Question::Suicidal);
    call.said("My sister's birthday is on Sunday", |_| {})
        .reached(Agency::Sos);
    let note = call.conversation.note();
    let summary = note.summary.expose_secret();
    assert!(
        summary.contains("gave no clear answer about thoughts of suicide"),
        "{summary}"
    );
    assert!(!summary.contains("reported thoughts of"), "{summary}");
    let title = note.summary_title.expose_secret();
    assert_eq!(title, "Caller shows suicidal signs");
    let claims: Vec<_> = note.evidence.iter().map(|it| it.claim.as_str()).collect();
    let undenied = "suicidal thoughts, asked about and not denied";
    assert!(claims.contains(&undenied), "{claims:?}");
}

#[test]
fn who_orders_something_and_then_cannot_say_is_asked_what_a_yes_or_a_no_answers() {
    let mut call = Call::start();
    call.said("I'd like to order a pizza", tells(Signal::OffTopic, SURE))
        .is_asked(Question::Open);
    let refuses = |reading: &mut Reading| reading.answer.refuses = true;
    call.said("I can't say", refuses)
        .is_asked(Question::DangerNow)
        .said("I can't say", refuses)
        .is_asked(Question::DangerNow)
        .said("I really can't say", refuses)
        .is_asked(Question::Name)
        .said("Just Mei", |_| {})
        .is_asked(Question::Address)
        .said("You know the one", |_| {})
        .reached(Agency::Spf);
}

#[test]
fn who_turns_the_question_about_suicide_away_where_something_only_leant_there_is_not_connected_at_once()
 {
    let leans = |reading: &mut Reading| {
        reading.leanings.insert(Leaning::Suicide);
    };
    let refuses = |reading: &mut Reading| reading.answer.refuses = true;
    let mut call = Call::start();
    call.said("It's after ten and I may not ring", leans)
        .said("He hides the spelling list", |_| {})
        .is_asked(Question::Suicidal)
        .said("What? I just don't want any spelling", refuses)
        .reached_nobody()
        .is_asked(Question::Suicidal);
    let unsure = |reading: &mut Reading| reading.answer.unsure = true;
    let mut call = Call::start();
    call.said("It's after ten and I may not ring", leans)
        .said("He hides the spelling list", |_| {})
        .is_asked(Question::Suicidal)
        .said("I don't know", unsure)
        .reached(Agency::Sos);
}

#[test]
fn a_no_that_leaves_something_open_and_one_that_a_single_reader_hears_are_asked_about_once_more() {
    is_asked_once_more("Technically, no", hedged);
    is_asked_once_more("He'll have a clean start", no_by_one_reader);
}

fn is_asked_once_more(words: &str, answer: fn(&mut Reading)) {
    let mut call = Call::start();
    call.said("I looked up how high the roof garden is", hints_nearly)
        .is_asked(Question::Suicidal);
    call.said(words, answer).is_asked(Question::Suicidal);
    let note = call.conversation.note();
    let mut claims = note.evidence.iter().map(|it| it.claim.as_str());
    assert!(
        !claims.any(|it| it == "denies suicidal thoughts"),
        "{words}"
    );
    call.said("No", no);
    assert_ne!(
        call.conversation.listening().question,
        Some(Question::Suicidal),
        "{words}"
    );
    call.reached_nobody();
}

#[test]
fn a_no_that_leaves_something_open_twice_is_as_much_as_a_yes() {
    let mut call = Call::start();
    call.said("I looked up how high the roof garden is", hints_nearly)
        .said("Not tonight", hedged)
        .said("Not yet", hedged)
        .reached(Agency::Sos);
}

fn hints_nearly(reading: &mut Reading) {
    tells(Signal::SuicidalDirect, NEARLY_SURE)(reading);
}

fn hedged(reading: &mut Reading) {
    no(reading);
    reading.answer.hedges = true;
}

fn no_by_one_reader(reading: &mut Reading) {
    no(reading);
    reading.answer.agreed = false;
}

#[test]
fn the_end_of_an_answer_about_harm_is_not_the_end_of_the_call() {
    let ends = |reading: &mut Reading| reading.leave = Some(Leave::Half);
    let mut call = Call::start();
    call.said(
        "He packed my bag for me",
        tells(Signal::EmotionalAbuse, WORTH_ASKING),
    )
    .is_asked(Question::PutDown)
    .said("I mean he looked in my phone. That's it.", |reading| {
        ends(reading);
        reading.word_count = 9;
    });
    assert!(!call.conversation.has_ended());
    call.said("That's all, thanks", |reading| {
        ends(reading);
        reading.word_count = 3;
    });
    assert!(call.conversation.has_ended());
}
