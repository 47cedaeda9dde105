//! What holds where the two readers differ, both given as data.

use flow::Question;
use flow::reading::{
    ALL_BUT_SURE, Age, Heard, HeardSignal, Leaning, NEARLY_SURE, Reading, SURE, Signal,
    WORTH_ASKING,
};
use redact::Secret;

use super::settle;
use crate::trained::{AnswerLabel, Flag, HarmLabel, Opinion, State};

const SUICIDE: HarmLabel = HarmLabel::Suicide;

fn words() -> Secret<String> {
    Secret::new("as it was said".to_owned())
}

/// What the rules made of it.
fn rules(heard: &[(Signal, f32)]) -> Reading {
    let mut reading = Reading::unread(words());
    reading.signals = heard
        .iter()
        .map(|(signal, confidence)| HeardSignal::told(*signal, words(), *confidence))
        .collect();
    reading
}

/// The trained reader hears no answer, and these of the caller's own.
fn hears(harms: &[(HarmLabel, f32)]) -> Opinion<'static> {
    let own: Vec<_> = harms
        .iter()
        .map(|(harm, chance)| (*harm, State::Own, *chance))
        .collect();
    Opinion::with((AnswerLabel::Other, 0.95), &own, &[])
}

fn answers(answer: AnswerLabel, chance: f32) -> Opinion<'static> {
    Opinion::with((answer, chance), &[], &[])
}

fn confidence(reading: &Reading, signal: Signal) -> f32 {
    reading
        .asserts(signal, 0.0)
        .map_or(0.0, |heard| heard.confidence)
}

fn settled(mut reading: Reading, opinion: &Opinion<'_>, question: Question) -> Reading {
    settle(&mut reading, opinion, Some(question));
    reading
}

#[test]
fn suicide_that_only_the_trained_reader_hears_is_acted_on_where_it_is_certain_and_else_asked_about()
{
    let certain = settled(rules(&[]), &hears(&[(SUICIDE, 0.98)]), Question::Open);
    assert!(confidence(&certain, Signal::SuicidalDirect) >= SURE);
    let nearly = settled(rules(&[]), &hears(&[(SUICIDE, 0.9)]), Question::Open);
    let found = confidence(&nearly, Signal::SuicidalDirect);
    assert!((ALL_BUT_SURE..SURE).contains(&found), "{found}");
}

#[test]
fn suicide_that_one_reader_hears_straight_and_the_other_sideways_is_acted_on() {
    let opinion = hears(&[(SUICIDE, 0.7)]);
    let sideways = settled(
        rules(&[(Signal::SuicidalIndirect, 0.55)]),
        &opinion,
        Question::Open,
    );
    assert!(confidence(&sideways, Signal::SuicidalDirect) >= SURE);
    let alone = settled(rules(&[]), &opinion, Question::Open);
    let found = confidence(&alone, Signal::SuicidalDirect);
    assert!((NEARLY_SURE..SURE).contains(&found), "{found}");
}

#[test]
fn suicide_that_is_told_sideways_in_a_turn_surely_of_everyday_trouble_is_asked_about() {
    let sideways = rules(&[(Signal::SuicidalIndirect, 0.55)]);
    let everyday = Opinion::with(
        (AnswerLabel::Other, 0.95),
        &[(SUICIDE, State::Own, 0.8)],
        &[(Flag::Everyday, 0.95)],
    );
    let asked = settled(sideways, &everyday, Question::Open);
    let found = confidence(&asked, Signal::SuicidalDirect);
    assert!((WORTH_ASKING..SURE).contains(&found), "{found}");
}

#[test]
fn of_life_neither_reader_cancels_the_other() {
    let sure = [
        (Signal::SuicidalDirect, SUICIDE),
        (Signal::ViolenceNow, HarmLabel::DangerNow),
    ];
    for (signal, harm) in sure {
        let by_rules = settled(rules(&[(signal, 0.95)]), &hears(&[]), Question::Open);
        let found = confidence(&by_rules, signal);
        assert!((WORTH_ASKING..SURE).contains(&found), "{signal:?}: {found}");
        let by_trained = settled(rules(&[]), &hears(&[(harm, 0.7)]), Question::Open);
        assert!(
            confidence(&by_trained, signal) >= WORTH_ASKING,
            "{signal:?}"
        );
    }
}

#[test]
fn words_for_suicide_that_the_trained_reader_rules_out_are_asked_about_be_they_the_first_or_not() {
    // "I'm writing a piece about suicide."
    for question in [Question::SafeNow, Question::Open] {
        let topic = rules(&[(Signal::SuicidalDirect, 0.9)]);
        let reading = settled(topic, &hears(&[(SUICIDE, 0.002)]), question);
        let found = confidence(&reading, Signal::SuicidalDirect);
        assert!(
            (WORTH_ASKING..SURE).contains(&found),
            "{question:?}: {found}"
        );
    }
}

#[test]
fn what_is_surely_not_meant_is_asked_about_and_makes_nothing_urgent() {
    // "They locked me in a dark room, there was a man with a chainsaw, grabe."
    for (signal, harm, asks) in [
        (Signal::ViolenceNow, HarmLabel::DangerNow, true),
        (Signal::PhysicalAbuse, HarmLabel::Physical, true),
        (Signal::ThreatToKill, HarmLabel::ThreatToKill, false),
    ] {
        let chances = [(harm, State::Own, 0.53), (harm, State::Unmeant, 0.96)];
        let opinion = Opinion::with((AnswerLabel::Other, 0.95), &chances, &[]);
        let reading = settled(rules(&[(signal, 0.9)]), &opinion, Question::Open);
        let found = confidence(&reading, signal);
        assert!(found < SURE, "{signal:?}: {found}");
        assert_eq!(found >= WORTH_ASKING, asks, "{signal:?}: {found}");
    }
}

#[test]
fn a_need_is_acted_on_when_both_hear_it_and_asked_about_when_one_does() {
    let opinion = hears(&[(HarmLabel::Physical, 0.97)]);
    let both = settled(
        rules(&[(Signal::PhysicalAbuse, 0.8)]),
        &opinion,
        Question::Open,
    );
    assert!(confidence(&both, Signal::PhysicalAbuse) >= SURE);
    let one = settled(rules(&[]), &opinion, Question::Open);
    let found = confidence(&one, Signal::PhysicalAbuse);
    assert!((WORTH_ASKING..SURE).contains(&found), "{found}");
}

#[test]
fn a_marker_stands_on_the_trained_reader_alone_only_with_next_to_no_doubt() {
    for (chance, stands) in [(0.7, false), (0.9, true)] {
        let opinion = hears(&[(HarmLabel::ThreatToKill, chance)]);
        let reading = settled(rules(&[]), &opinion, Question::Open);
        let found = confidence(&reading, Signal::ThreatToKill);
        assert_eq!(found >= SURE, stands, "{chance}");
    }
}

#[test]
fn what_the_rules_doubt_for_a_frame_beside_it_is_heard_again_with_the_trained_readers_weight() {
    // "I read my newspaper, he rolls it up and beats me with it."
    let mut doubted = rules(&[(Signal::PhysicalAbuse, 0.55)]);
    doubted.signals[0].doubted = true;
    for (chance, at_least, below) in [
        (0.97, NEARLY_SURE, SURE),
        (0.7, WORTH_ASKING, NEARLY_SURE),
        (0.01, 0.0, WORTH_ASKING),
    ] {
        let opinion = hears(&[(HarmLabel::Physical, chance)]);
        let reading = settled(doubted.clone(), &opinion, Question::Open);
        let found = confidence(&reading, Signal::PhysicalAbuse);
        assert!((at_least..below).contains(&found), "{chance}: {found}");
    }
}

#[test]
fn an_answer_is_the_trained_readers_where_it_is_sure() {
    let opinion = answers(AnswerLabel::No, 0.9);
    let reading = settled(rules(&[]), &opinion, Question::NeedsShelter);
    assert_eq!(reading.answer.yes, Some(false));
    let opinion = answers(AnswerLabel::No, 0.5);
    let reading = settled(rules(&[]), &opinion, Question::NeedsShelter);
    assert_eq!(reading.answer.yes, None);
}

#[test]
fn about_life_a_yes_against_a_no_is_neither() {
    let mut reading = rules(&[]);
    reading.answer.yes = Some(true);
    let reading = settled(reading, &answers(AnswerLabel::No, 0.9), Question::Suicidal);
    assert_eq!(reading.answer.yes, None);
    assert!(reading.answer.disputed);
}

#[test]
fn what_only_a_yes_against_the_rules_no_tells_of_is_asked_about_once_more() {
    // "Yep. I've never thought of that."
    let yes = (AnswerLabel::Yes, 0.95);
    let opinion = Opinion::with(yes, &[(SUICIDE, State::Own, 0.99)], &[]);
    let mut denied = rules(&[]);
    denied.answer.yes = Some(false);
    let reading = settled(denied, &opinion, Question::Suicidal);
    let found = confidence(&reading, Signal::SuicidalDirect);
    assert!((WORTH_ASKING..SURE).contains(&found), "{found}");
    // Where the rules hear no "no", it is acted on.
    let reading = settled(rules(&[]), &opinion, Question::Suicidal);
    assert!(confidence(&reading, Signal::SuicidalDirect) >= SURE);
    // And where they hear the harm itself.
    let mut both = rules(&[(Signal::SuicidalDirect, 0.9)]);
    both.answer.yes = Some(false);
    let reading = settled(both, &opinion, Question::Suicidal);
    assert!(confidence(&reading, Signal::SuicidalDirect) >= SURE);
}

#[test]
fn a_word_for_yes_that_the_trained_reader_all_but_rules_out_is_none() {
    // "You may leave that page blank."
    let mut reading = rules(&[]);
    reading.answer.yes = Some(true);
    for (declines, taken) in [(0.84, None), (0.7, Some(true))] {
        let opinion = answers(AnswerLabel::Declines, declines);
        let told = settled(reading.clone(), &opinion, Question::SexualHarm);
        assert_eq!(told.answer.yes, taken, "{declines}");
        // About life it is asked once more.
        let of_life = settled(reading.clone(), &opinion, Question::Suicidal);
        assert_eq!(of_life.answer.disputed, taken.is_none(), "{declines}");
    }
}

#[test]
fn a_consent_that_leans_to_yes_neither_refuses_nor_doubts() {
    // "Pass it on lah, maybe they know."
    let mut reading = rules(&[]);
    reading.answer.refuses = true;
    reading.answer.unsure = true;
    let reading = settled(reading, &answers(AnswerLabel::Yes, 0.84), Question::Consent);
    assert!(!reading.answer.refuses && !reading.answer.unsure && reading.answer.leans_yes);
    assert_eq!(reading.answer.yes, None, "it is asked for once more");
}

#[test]
fn nobody_is_taken_to_be_hurt_or_to_leave_on_less_than_is_acted_on() {
    let opinion = Opinion::with(
        (AnswerLabel::Other, 0.95),
        &[(HarmLabel::HurtNow, State::Own, 0.5)],
        &[(Flag::Goodbye, 0.5), (Flag::WantsPolice, 0.5)],
    );
    let reading = settled(rules(&[]), &opinion, Question::Open);
    assert_eq!(confidence(&reading, Signal::Injury), 0.0);
    assert!(reading.leave.is_none() && !reading.calls_for_help);
}

#[test]
fn what_is_said_to_another_question_is_no_word_of_being_safe() {
    // "Yes ok", to sharing the case.
    let safe = Opinion::with((AnswerLabel::Yes, 0.95), &[], &[(Flag::Safe, 0.95)]);
    for (question, told) in [
        (Question::SafeNow, true),
        (Question::DangerNow, true),
        (Question::Consent, false),
        (Question::Name, false),
    ] {
        let reading = settled(rules(&[]), &safe, question);
        let heard = confidence(&reading, Signal::Safe) > 0.0;
        assert_eq!(heard, told, "{question:?}");
    }
}

#[test]
fn an_age_told_in_its_place_is_no_consent() {
    let mut told = rules(&[]);
    told.age = Some(Heard {
        value: Age::Years(14),
        words: words(),
        confidence: SURE,
    });
    let yes = answers(AnswerLabel::Yes, 0.99);
    assert_eq!(settled(told, &yes, Question::Consent).answer.yes, None);
    let plain = settled(rules(&[]), &yes, Question::Consent);
    assert_eq!(plain.answer.yes, Some(true));
}

#[test]
fn who_wants_the_case_passed_on_calls_for_nobody_to_come() {
    let wants = |answer| Opinion::with((answer, 0.99), &[], &[(Flag::WantsPolice, 0.95)]);
    let consents = settled(rules(&[]), &wants(AnswerLabel::Yes), Question::Consent);
    assert!(!consents.calls_for_help);
    let calls = settled(rules(&[]), &wants(AnswerLabel::Other), Question::Consent);
    assert!(calls.calls_for_help);
}

#[test]
fn the_police_is_not_called_for_by_who_turns_it_down() {
    for (words, calls) in [
        ("I don't want police. Can somebody just help me", false),
        ("please don't call the police on him", false),
        ("I just need someone to talk to, but no police", false),
        ("no need police la", false),
        ("I want the police", true),
        ("There's no police here, they must come", true),
        ("He says don't call the police. Please send them", true),
    ] {
        let reading = Reading::unread(Secret::new(words.to_owned()));
        let wants = Opinion::with(
            (AnswerLabel::Other, 0.95),
            &[],
            &[(Flag::WantsPolice, 0.95)],
        );
        let reading = settled(reading, &wants, Question::DangerNow);
        assert_eq!(reading.calls_for_help, calls, "{words}");
    }
}

#[test]
fn first_words_that_surely_tell_of_everyday_trouble_are_asked_about_suicide_only_where_it_is_plain()
{
    let everyday = |suicide| {
        let own = [(SUICIDE, State::Own, suicide)];
        Opinion::with((AnswerLabel::Other, 0.95), &own, &[(Flag::Everyday, 0.9)])
    };
    for (chance, question, asks) in [
        (0.5, Question::SafeNow, false),
        (0.5, Question::Open, true),
        (0.8, Question::SafeNow, true),
    ] {
        let reading = settled(rules(&[]), &everyday(chance), question);
        let found = confidence(&reading, Signal::SuicidalDirect);
        assert_eq!(found >= WORTH_ASKING, asks, "{chance}: {found}");
    }
    // "I can't pay the second bill, the first came out of my CPF Life."
    let sideways = rules(&[(Signal::SuicidalIndirect, 0.6)]);
    let reading = settled(sideways, &everyday(0.08), Question::SafeNow);
    assert!(confidence(&reading, Signal::SuicidalIndirect) < WORTH_ASKING);
}

#[test]
fn what_tells_of_the_harm_is_no_denial_of_it() {
    // "It's because of the slap and kick."
    let own = [(HarmLabel::Physical, State::Own, 0.8)];
    let opinion = Opinion::with((AnswerLabel::No, 0.7), &own, &[]);
    let told = settled(rules(&[]), &opinion, Question::HurtBefore);
    assert_eq!(told.answer.yes, None);
    let denied = settled(
        rules(&[]),
        &answers(AnswerLabel::No, 0.7),
        Question::HurtBefore,
    );
    assert_eq!(denied.answer.yes, Some(false));
}

#[test]
fn an_answer_that_names_what_others_ask_of_is_not_off_topic() {
    // "WhatsApp me when I'm off the office WiFi."
    let named = rules(&[(Signal::OffTopic, 0.8)]);
    let opinion = answers(AnswerLabel::Yes, 0.95);
    let answered = settled(named.clone(), &opinion, Question::SafeContact);
    assert!(answered.asserts(Signal::OffTopic, 0.0).is_none());
    let asked = settled(
        named,
        &answers(AnswerLabel::Other, 0.95),
        Question::SafeContact,
    );
    assert!(asked.asserts(Signal::OffTopic, 0.0).is_some());
}

#[test]
fn an_age_is_kept_back_where_none_was_given_and_that_is_likelier_than_not() {
    // "That is a number."
    let opinion = answers(AnswerLabel::Declines, 0.45);
    let kept_back = settled(rules(&[]), &opinion, Question::Age);
    assert!(kept_back.answer.refuses);
    let at_another = settled(rules(&[]), &opinion, Question::PutDown);
    assert!(!at_another.answer.refuses);
}

#[test]
fn what_the_rules_hear_of_now_is_not_over_for_sounding_so() {
    // "He has beaten me for years."
    for (own, over) in [(0.7, false), (0.3, true)] {
        let states = [
            (HarmLabel::Physical, State::Own, own),
            (HarmLabel::Physical, State::Past, 0.8),
        ];
        let opinion = Opinion::with((AnswerLabel::Other, 0.95), &states, &[]);
        let beaten = rules(&[(Signal::PhysicalAbuse, 0.85)]);
        let reading = settled(beaten, &opinion, Question::Open);
        assert_eq!(reading.signals[0].remote, over, "{own}");
    }
}

#[test]
fn a_no_to_the_question_about_suicide_beside_words_that_sound_like_it_is_not_acted_on() {
    // "Siao ah, the aircon leaks only, why I want to die."
    let own = [(SUICIDE, State::Own, 0.06)];
    let opinion = Opinion::with((AnswerLabel::No, 0.92), &own, &[]);
    let sideways = rules(&[(Signal::SuicidalIndirect, 0.8)]);
    let reading = settled(sideways, &opinion, Question::Suicidal);
    let found = confidence(&reading, Signal::SuicidalIndirect);
    assert!((WORTH_ASKING..SURE).contains(&found), "{found}");
}

#[test]
fn a_bare_goodbye_tells_of_no_harm_but_where_harm_or_safety_was_asked_about() {
    let goodbye = || Reading::unread(Secret::new("No. Goodbye.".to_owned()));
    let opinion = hears(&[(SUICIDE, 0.98)]);
    for (question, is_heard) in [
        (Question::Open, false),
        (Question::MoreSupport, false),
        (Question::SafeNow, true),
        (Question::SafeToTalk, true),
        (Question::DangerNow, true),
        (Question::Suicidal, true),
    ] {
        let reading = settled(goodbye(), &opinion, question);
        let found = confidence(&reading, Signal::SuicidalDirect);
        assert_eq!(found >= WORTH_ASKING, is_heard, "{question:?}: {found}");
    }
}

#[test]
fn a_yes_about_life_that_denies_what_was_asked_is_neither() {
    let denies = [(SUICIDE, State::No, 0.7)];
    let opinion = Opinion::with((AnswerLabel::Yes, 0.67), &denies, &[]);
    let reading = settled(rules(&[]), &opinion, Question::Suicidal);
    assert_eq!(reading.answer.yes, None);
    assert!(!reading.answer.disputed);
}

#[test]
fn nobody_is_in_danger_any_more_who_was_lost_to_suicide_unless_it_is_the_caller() {
    let lost = |harms: &[(HarmLabel, State, f32)]| {
        let opinion = Opinion::with((AnswerLabel::Other, 0.95), harms, &[]);
        let reading = Reading {
            lost_to_suicide: true,
            ..rules(&[])
        };
        settled(reading, &opinion, Question::Open)
    };
    let other = lost(&[(SUICIDE, State::Other, 0.99)]);
    assert!(confidence(&other, Signal::SuicidalDirect) < WORTH_ASKING);
    assert!(other.leanings.contains(&Leaning::Suicide));
    let both = lost(&[(SUICIDE, State::Other, 0.99), (SUICIDE, State::Own, 0.97)]);
    assert!(confidence(&both, Signal::SuicidalDirect) >= SURE);
    // "My brother took his own life last year. Now my mother is on the ledge."
    let opinion = Opinion::with(
        (AnswerLabel::Other, 0.95),
        &[(SUICIDE, State::Other, 0.99)],
        &[],
    );
    let another = Reading {
        lost_to_suicide: true,
        ..rules(&[(Signal::SuicidalDirect, 0.9)])
    };
    let another = settled(another, &opinion, Question::Open);
    assert!(confidence(&another, Signal::SuicidalDirect) >= SURE);
}

#[test]
fn what_was_done_to_somebody_else_is_told_by_who_surely_calls_for_them() {
    let harm = [(HarmLabel::Physical, State::Other, 0.97)];
    let for_them = Opinion::with((AnswerLabel::Other, 0.95), &harm, &[(Flag::ForOther, 0.9)]);
    let told = settled(rules(&[]), &for_them, Question::Open);
    assert!(confidence(&told, Signal::PhysicalAbuse) >= SURE);
    let of_them = Opinion::with((AnswerLabel::Other, 0.95), &harm, &[]);
    let asked = settled(rules(&[]), &of_them, Question::Open);
    assert!((WORTH_ASKING..SURE).contains(&confidence(&asked, Signal::PhysicalAbuse)));
}
