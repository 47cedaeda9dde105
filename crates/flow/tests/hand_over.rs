//! What a caller hears while duty officers are rung for them, what becomes of the call, and what stands in the note.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;
use std::time::Duration;

use flow::reading::{Heard, HeardSignal, Leave, PlaceHeard, Reading, SURE, Signal};
use flow::{
    Agency, AssistantScript, Command, Conversation, EndReason, Event, Question, Secret, Setup,
    TransferMode, Unreached,
};

#[derive(Clone)]
struct Call {
    conversation: Conversation,
    /// What the assistant said last.
    said: String,
    transfers: Vec<Agency>,
    ended: Option<EndReason>,
}

fn setup() -> Setup {
    Setup {
        called_at: "2026-11-20T23:10:00".parse().unwrap(),
        assistant: Arc::new(AssistantScript::built_in()),
        medium: flow::Medium::Speech,
    }
}

impl Call {
    fn start() -> Self {
        let mut call = Self {
            conversation: Conversation::new(setup()),
            said: String::new(),
            transfers: Vec::new(),
            ended: None,
        };
        call.hears(Event::CallStarted);
        call
    }

    /// Handed to the Samaritans, after the words for it.
    fn for_suicide() -> Self {
        let mut call = Self::start();
        call.says("I want to die", tells(Signal::SuicidalDirect));
        assert_eq!(call.transfers, [Agency::Sos]);
        call
    }

    /// Handed to the police, after name and place.
    fn for_violence(safe_to_talk: bool) -> Self {
        let mut call = Self::start();
        call.says("he's hitting me", tells(Signal::ViolenceNow));
        call.says("answer", if safe_to_talk { yes } else { no });
        call.says("Mei Ling", named("Mei Ling"));
        call.says("Toa Payoh", placed("Toa Payoh"));
        if safe_to_talk {
            call.says("he came home drunk and hit me", |_| {});
            call.says("now", |_| {});
        }
        assert_eq!(call.transfers, [Agency::Spf], "{}", call.said);
        call
    }

    fn rung(mut self) -> Self {
        self.hears(Event::OfficersRung);
        self
    }

    fn joined(mut self) -> Self {
        self.hears(Event::OfficerJoined);
        self
    }

    fn unreached(mut self, why: Unreached) -> Self {
        self.hears(Event::OfficerUnreached { why });
        self
    }

    fn hears(&mut self, event: Event) -> &mut Self {
        self.conversation.handle(event, Duration::ZERO);
        let mut said = Vec::new();
        while let Some(command) = self.conversation.poll_command() {
            match command {
                Command::Say { sentence } => said.push(sentence.expose_secret().clone()),
                Command::Transfer { mode, agency } => {
                    assert_eq!(mode, TransferMode::Warm);
                    self.transfers.push(agency);
                }
                Command::End { reason } => self.ended = Some(reason),
                Command::LookedUp { .. } => {}
            }
        }
        self.said = said.join(" ");
        self
    }

    fn says(&mut self, words: &str, shape: impl FnOnce(&mut Reading)) -> &mut Self {
        let mut reading = Reading::unread(Secret::new(words.to_owned()));
        shape(&mut reading);
        self.hears(Event::CallerSaid {
            reading: Box::new(reading),
        })
    }

    #[track_caller]
    fn heard(&mut self, words: &str) -> &mut Self {
        assert!(self.said.contains(words), "{words:?}: {}", self.said);
        self
    }

    #[track_caller]
    fn is_asked(&mut self, question: Question) -> &mut Self {
        let open = self.conversation.listening().question;
        assert_eq!(open, Some(question), "{}", self.said);
        self
    }

    fn stands(&self) -> &'static str {
        let conversation = &self.conversation;
        match (
            conversation.is_connecting(),
            conversation.is_with_officer(),
            conversation.has_ended(),
        ) {
            (true, false, false) => "connecting",
            (false, true, false) => "with officer",
            (false, false, false) => "with assistant",
            (false, false, true) => "ended",
            other => panic!("{other:?}"),
        }
    }

    fn follow_up(&self) -> String {
        let note = self.conversation.note();
        note.structured_data.follow_up.expose_secret().clone()
    }

    fn summary(&self) -> String {
        self.conversation.note().summary.expose_secret().clone()
    }

    fn transferred(&self) -> bool {
        self.conversation.note().structured_data.transferred
    }

    fn urgent(&self) -> bool {
        self.conversation.note().structured_data.urgent
    }
}

fn tells(signal: Signal) -> impl Fn(&mut Reading) {
    move |reading| {
        let words = reading.words.clone();
        reading.signals.push(HeardSignal::told(signal, words, SURE));
    }
}

fn heard<T>(value: T, reading: &Reading) -> Heard<T> {
    Heard {
        value,
        words: reading.words.clone(),
        confidence: 0.9,
    }
}

fn named(name: &'static str) -> impl Fn(&mut Reading) {
    move |reading| reading.name = Some(heard(Secret::new(name.to_owned()), reading))
}

fn placed(place: &'static str) -> impl Fn(&mut Reading) {
    move |reading| {
        let place = PlaceHeard {
            name: Secret::new(place.to_owned()),
            precise: true,
        };
        reading.place = Some(heard(place, reading));
    }
}

fn number(digits: &'static str) -> impl Fn(&mut Reading) {
    move |reading| reading.call_back = Some(heard(Secret::new(digits.to_owned()), reading))
}

fn yes(reading: &mut Reading) {
    reading.answer.yes = Some(true);
    reading.answer.agreed = true;
}

fn no(reading: &mut Reading) {
    reading.answer.yes = Some(false);
    reading.answer.agreed = true;
}

const WHYS: [Unreached; 3] = [
    Unreached::NobodyAnswered,
    Unreached::AllDeclined,
    Unreached::LineDropped,
];

/// Each state, by its name.
fn states() -> Vec<(&'static str, Call)> {
    vec![
        ("with assistant", Call::start()),
        ("ended", Call::for_violence(true)),
        ("connecting", Call::for_violence(true).rung()),
        ("with officer", Call::for_violence(true).rung().joined()),
        (
            "with assistant",
            Call::for_violence(true)
                .rung()
                .unreached(Unreached::NobodyAnswered),
        ),
    ]
}

#[test]
fn each_event_moves_the_call_only_where_it_belongs() {
    let dropped = Event::OfficerUnreached {
        why: Unreached::LineDropped,
    };
    let declined = Event::OfficerUnreached {
        why: Unreached::AllDeclined,
    };
    let ends = Event::CallEnded {
        reason: EndReason::CallerEnded,
    };
    // Before any transfer, after the words of one, connecting, with an officer, after nobody was reached.
    let table = [
        (
            Event::OfficersRung,
            [
                "with assistant",
                "connecting",
                "connecting",
                "with officer",
                "with assistant",
            ],
        ),
        (
            Event::StillRinging,
            [
                "with assistant",
                "ended",
                "connecting",
                "with officer",
                "with assistant",
            ],
        ),
        // Rung or not: whoever takes a call over is there.
        (
            Event::OfficerJoined,
            [
                "with officer",
                "ended",
                "with officer",
                "with officer",
                "with officer",
            ],
        ),
        (
            dropped,
            [
                "with assistant",
                "ended",
                "with assistant",
                "with assistant",
                "with assistant",
            ],
        ),
        (
            declined,
            [
                "with assistant",
                "ended",
                "with assistant",
                "with officer",
                "with assistant",
            ],
        ),
        (
            Event::CallerSilent,
            [
                "with assistant",
                "ended",
                "connecting",
                "with officer",
                "with assistant",
            ],
        ),
        (
            Event::CallerNotUnderstood,
            [
                "with assistant",
                "ended",
                "connecting",
                "with officer",
                "with assistant",
            ],
        ),
        (
            Event::CallerReturned,
            [
                "with assistant",
                "ended",
                "connecting",
                "with officer",
                "with assistant",
            ],
        ),
        (ends, ["ended"; 5]),
    ];
    for (event, expected) in table {
        for ((before, mut call), after) in states().into_iter().zip(expected) {
            assert_eq!(call.stands(), before);
            call.hears(event.clone());
            assert_eq!(call.stands(), after, "{event:?} from {before}");
        }
    }
}

#[test]
fn what_belongs_to_another_state_is_not_answered() {
    let harmless: [(&str, Vec<Event>); 2] = [
        (
            "with assistant",
            vec![Event::OfficersRung, Event::StillRinging],
        ),
        ("ended", vec![Event::StillRinging, Event::OfficerJoined]),
    ];
    for (state, events) in harmless {
        for event in events {
            for (_, call) in states().into_iter().filter(|(name, _)| *name == state) {
                let mut after = call.clone();
                after.hears(event.clone());
                assert_eq!(after.said, "", "{event:?} from {state}");
                assert_eq!(
                    after.conversation.save().expose_secret(),
                    call.conversation.save().expose_secret()
                );
            }
        }
    }
}

#[test]
fn while_officers_are_rung_every_event_is_answered_and_none_ends_the_call() {
    let mut call = Call::for_violence(true).rung();
    assert_eq!(call.said, "");
    let mut last = String::new();
    for round in 0..12 {
        for event in [
            Event::StillRinging,
            Event::CallerSilent,
            Event::CallerNotUnderstood,
        ] {
            call.hears(event.clone());
            assert!(
                !call.said.is_empty() && call.said != last,
                "{round} {event:?}"
            );
            assert!(!call.said.contains('?'), "{}", call.said);
            assert_eq!(call.stands(), "connecting");
            last.clone_from(&call.said);
        }
    }
    assert_eq!(call.transfers, [Agency::Spf]);
}

#[test]
fn who_speaks_while_officers_are_rung_is_answered_with_what_counts_most() {
    let rung = || Call::for_violence(true).rung();
    rung()
        .says("he's at the door", tells(Signal::ViolenceNow))
        .heard("999");
    rung()
        .says("I'm bleeding", tells(Signal::Injury))
        .heard("995");
    rung()
        .says("I took pills", tells(Signal::OverdoseNow))
        .heard("995");
    rung()
        .says("I want to die", tells(Signal::SuicidalDirect))
        .heard("1767");
    rung()
        .says("he can hear me", tells(Signal::NotSafeToTalk))
        .heard("have to speak");
    rung()
        .says("how long more?", |reading| reading.asks = true)
        .heard("still");
    Call::for_violence(false)
        .rung()
        .says("he's here", tells(Signal::ViolenceNow))
        .heard("70999");
    let mut call = rung();
    call.says("my name is Siti", named("Siti"));
    assert_eq!(
        call.conversation
            .note()
            .structured_data
            .name
            .expose_secret(),
        "Siti"
    );
    assert!(!call.said.contains("Siti") && !call.said.contains('?'));
}

#[test]
fn who_wants_no_connection_any_more_gets_the_numbers_and_the_call_ends() {
    for wish in [
        (|reading: &mut Reading| reading.answer.connect = Some(false)) as fn(&mut Reading),
        |reading| reading.leave = Some(Leave::Plain),
    ] {
        let mut call = Call::for_suicide().rung();
        call.says("never mind", wish).heard("1767");
        assert_eq!(call.ended, Some(EndReason::AssistantEnded));
        assert!(!call.transferred() && call.urgent());
        assert!(
            call.summary().contains("did not want"),
            "{}",
            call.summary()
        );
    }
}

#[test]
fn whoever_is_in_danger_is_not_taken_at_a_word_that_they_want_nobody() {
    let mut call = Call::for_violence(true).rung();
    call.says("no police, he's coming", |reading| {
        reading.answer.connect = Some(false);
        tells(Signal::ViolenceNow)(reading);
    });
    assert_eq!(call.stands(), "connecting");
    call.heard("999");
}

#[test]
fn on_hold_the_assistant_has_the_caller_and_says_when_it_begins_goes_on_and_ends() {
    let mut call = Call::for_suicide().rung().joined();
    assert_eq!(call.ended.take(), Some(EndReason::Forwarded));
    call.hears(Event::PutOnHold)
        .heard("I'm still here with you. They will be back in a moment.");
    let mut last = String::new();
    for _ in 0..6 {
        call.hears(Event::StillOnHold);
        assert!(!call.said.is_empty() && call.said != last, "{}", call.said);
        assert!(!call.said.contains('?'), "{}", call.said);
        last = call.said.clone();
    }
    for event in [Event::PutOnHold, Event::StillRinging, Event::CallerSilent] {
        call.hears(event);
        assert_eq!(call.said, "");
    }
    call.hears(Event::TakenOffHold).heard("with you");
    for event in [Event::TakenOffHold, Event::StillOnHold] {
        call.hears(event);
        assert_eq!(call.said, "", "it is over");
    }
    assert_eq!(call.stands(), "with officer");
    assert_eq!(call.ended, None);
}

#[test]
fn on_hold_danger_is_answered_as_while_officers_are_rung() {
    let held = || {
        let mut call = Call::for_suicide().rung().joined();
        assert_eq!(call.ended.take(), Some(EndReason::Forwarded));
        call.hears(Event::PutOnHold);
        call
    };
    let answers: [(Signal, &str); 3] = [
        (Signal::ViolenceNow, "999"),
        (Signal::SuicidalDirect, "1767"),
        (Signal::OverdoseNow, "995"),
    ];
    for (signal, number) in answers {
        held().says("words", tells(signal)).heard(number);
    }
    let mut call = held();
    call.says("what are they talking about", |_| {});
    assert!(!call.said.is_empty(), "who speaks is answered");
    call.says("I want to go now, bye", |reading| {
        reading.leave = Some(Leave::Plain);
    });
    assert_eq!(call.ended, None, "an officer has the call");
    call.hears(Event::CallerNotUnderstood);
    assert!(!call.said.is_empty());
    call.hears(Event::TakenOffHold);
    call.says("he is here", tells(Signal::ViolenceNow));
    assert_eq!(call.said, "", "the officer has heard it");
}

#[test]
fn who_was_on_hold_as_the_officer_was_lost_is_with_the_assistant_again() {
    let mut call = Call::for_suicide().rung().joined();
    call.hears(Event::PutOnHold);
    let mut call = call.unreached(Unreached::LineDropped);
    assert_eq!(call.stands(), "with assistant");
    call.heard("1767");
    call.hears(Event::StillOnHold);
    assert_eq!(call.said, "");
}

#[test]
fn a_hold_of_who_talks_with_nobody_is_none() {
    for (name, call) in states() {
        if name == "with officer" {
            continue;
        }
        for event in [Event::PutOnHold, Event::StillOnHold, Event::TakenOffHold] {
            let mut after = call.clone();
            after.hears(event.clone());
            assert_eq!(after.said, "", "{event:?} from {name}");
            assert!(!after.conversation.is_on_hold());
        }
    }
}

#[test]
fn who_was_cut_off_on_hold_and_is_back_hears_that_they_are_on_hold_still() {
    let mut call = Call::for_suicide().rung().joined();
    call.hears(Event::PutOnHold);
    let saved = call.conversation.save();
    call.conversation = Conversation::restore(setup(), saved.expose_secret()).unwrap();
    call.hears(Event::CallerReturned).heard("back.");
    assert!(call.said.matches('.').count() > 1, "{}", call.said);
    call.hears(Event::TakenOffHold).heard("with you");
}

#[test]
fn once_an_officer_has_joined_the_assistant_is_silent_and_takes_in_what_is_said() {
    let mut call = Call::for_suicide().rung().joined();
    call.heard("duty officer");
    for event in [
        Event::CallerSilent,
        Event::CallerNotUnderstood,
        Event::StillRinging,
    ] {
        call.hears(event);
        assert_eq!(call.said, "");
    }
    call.says("I'm Ravi, he has a knife", |reading| {
        named("Ravi")(reading);
        tells(Signal::Weapon)(reading);
    });
    assert_eq!(call.said, "");
    let note = call.conversation.note();
    assert_eq!(note.structured_data.name.expose_secret(), "Ravi");
    assert!(note.evidence.iter().any(|it| it.claim == "weapon"));
    assert!(note.structured_data.transferred);
}

#[test]
fn when_another_person_joins_the_caller_is_told_of_that_too_and_of_nothing_else() {
    for mut call in [Call::for_suicide().rung().joined(), Call::start().joined()] {
        call.hears(Event::OfficerJoined).heard("duty officer");
        assert!(!call.said.contains('?'), "{}", call.said);
        assert_eq!(call.stands(), "with officer");
        call.hears(Event::CallerSilent);
        assert_eq!(call.said, "");
    }
}

#[test]
fn a_call_that_is_hung_up_with_an_officer_was_handed_over() {
    for reason in [EndReason::CallerEnded, EndReason::Forwarded] {
        let mut call = Call::for_suicide().rung().joined();
        call.hears(Event::CallEnded { reason });
        assert_eq!(call.conversation.end_reason(), Some(EndReason::Forwarded));
    }
    let mut call = Call::for_suicide().rung();
    call.hears(Event::CallEnded {
        reason: EndReason::CallerEnded,
    });
    assert_eq!(call.conversation.end_reason(), Some(EndReason::CallerEnded));
    assert!(!call.transferred() && call.urgent());
}

#[test]
fn where_nobody_is_reached_the_caller_hears_why_whom_to_ring_and_one_question() {
    for (why, said) in WHYS
        .into_iter()
        .zip(["nobody has answered", "none of the duty", "lost"])
    {
        let mut call = Call::for_suicide().rung().unreached(why);
        call.heard(said)
            .heard("1767")
            .heard("the team")
            .heard("safe");
        call.is_asked(Question::CallBack);
        assert_eq!(call.said.matches('?').count(), 1);
        assert!(!call.transferred() && call.urgent());
    }
    let mut call = Call::for_violence(false)
        .rung()
        .unreached(Unreached::NobodyAnswered);
    call.heard("999").heard("70999");
}

#[test]
fn a_number_to_call_back_is_said_back_once_and_kept() {
    let back = || {
        Call::for_suicide()
            .rung()
            .unreached(Unreached::NobodyAnswered)
    };
    let mut call = back();
    call.says("91234567", number("91234567")).heard("9123 4567");
    call.is_asked(Question::CallBackRight);
    call.says("yes", yes).is_asked(Question::MoreSupport);
    assert!(
        call.follow_up().contains("9123 4567"),
        "{}",
        call.follow_up()
    );
    let note = call.conversation.note();
    let evidence = note
        .evidence
        .iter()
        .find(|it| it.claim.contains("call back"));
    assert_eq!(evidence.unwrap().words.expose_secret(), "91234567");

    // Put right, it is said back and not asked about again.
    let mut call = back();
    call.says("91234567", number("91234567"));
    call.says("no, 81234567", |reading| {
        no(reading);
        number("81234567")(reading);
    });
    call.heard("8123 4567").is_asked(Question::MoreSupport);
    assert!(call.follow_up().contains("8123 4567"));

    // Wrong, and no other: asked for once more, and then left.
    let mut call = back();
    call.says("91234567", number("91234567"));
    call.says("no", no).is_asked(Question::CallBack);
    call.says("leave it", no).is_asked(Question::MoreSupport);
    assert!(!call.follow_up().contains("9123"), "{}", call.follow_up());
}

#[test]
fn a_number_is_not_said_back_where_somebody_may_listen() {
    let mut call = Call::for_violence(false)
        .rung()
        .unreached(Unreached::NobodyAnswered);
    call.says("91234567", number("91234567"));
    assert!(!call.said.contains("9123"), "{}", call.said);
    call.is_asked(Question::MoreSupport);
    assert!(call.follow_up().contains("9123 4567"));
}

#[test]
fn who_gives_no_number_is_not_asked_again() {
    let mut call = Call::for_suicide()
        .rung()
        .unreached(Unreached::NobodyAnswered);
    call.says("no", no).is_asked(Question::MoreSupport);
    assert!(call.summary().contains("no number"), "{}", call.summary());
    assert!(
        call.follow_up().contains("Do not ring"),
        "{}",
        call.follow_up()
    );
    call.says("no thanks", no);
    assert_eq!(call.ended, Some(EndReason::AssistantEnded));
}

#[test]
fn half_a_number_is_asked_for_once_more() {
    let mut call = Call::for_suicide()
        .rung()
        .unreached(Unreached::NobodyAnswered);
    call.says("nine one two three", |reading| {
        reading.answer.half_a_number = true
    });
    call.is_asked(Question::CallBack).heard("number");
    call.says("nine one", |reading| reading.answer.half_a_number = true);
    assert_ne!(
        call.conversation.listening().question,
        Some(Question::CallBack)
    );
}

#[test]
fn help_asked_for_again_is_tried_once_more_and_then_the_number_is_what_is_left() {
    let again = |reading: &mut Reading| reading.answer.connect = Some(true);
    let back = || {
        let mut call = Call::for_violence(true)
            .rung()
            .unreached(Unreached::NobodyAnswered);
        call.says("no", no);
        call
    };
    type Ask = Box<dyn Fn(&mut Reading)>;
    let asks: [(&str, Ask, Agency); 4] = [
        ("try them again", Box::new(again), Agency::Spf),
        (
            "he's hitting me",
            Box::new(tells(Signal::ViolenceNow)),
            Agency::Spf,
        ),
        (
            "help",
            Box::new(|reading: &mut Reading| reading.calls_for_help = true),
            Agency::Spf,
        ),
        (
            "I want to die",
            Box::new(tells(Signal::SuicidalDirect)),
            Agency::Sos,
        ),
    ];
    for (words, ask, agency) in asks {
        let mut call = back();
        call.says(words, &ask);
        assert_eq!(
            call.transfers,
            [Agency::Spf, agency],
            "{words}: {}",
            call.said
        );
        assert_eq!(call.ended.take(), Some(EndReason::Forwarded));
        let mut call = call.rung();
        assert_eq!(call.stands(), "connecting");
        call.hears(Event::OfficerUnreached {
            why: Unreached::AllDeclined,
        });
        // The number was declined once.
        call.is_asked(Question::MoreSupport);
        for round in 0..4 {
            call.says(words, &ask);
            assert_eq!(call.transfers.len(), 2, "{words}");
            let number = if agency == Agency::Spf { "999" } else { "1767" };
            assert!(call.said.contains(number), "{round} {words}: {}", call.said);
            assert_eq!(call.stands(), "with assistant");
        }
    }
}

#[test]
fn who_was_not_reached_for_may_talk_on_and_is_asked_nothing_of_the_path_again() {
    let mut call = Call::for_violence(true)
        .rung()
        .unreached(Unreached::NobodyAnswered);
    call.says("no", no).is_asked(Question::MoreSupport);
    // Neither who it is, nor whether another agency may hear of it: only, once, whether it is now.
    call.says("he slaps me every week", tells(Signal::PhysicalAbuse));
    call.is_asked(Question::DangerNow);
    call.says("no", no).is_asked(Question::Open);
    call.says("he slapped my son", tells(Signal::PhysicalAbuse));
    call.is_asked(Question::Open);
    for words in [
        "I feel so alone in this",
        "it goes round and round",
        "my sister lives far away",
    ] {
        call.says(words, tells(Signal::Distress));
        call.is_asked(Question::Open);
    }
    call.says("bye", |reading| reading.leave = Some(Leave::Plain));
    assert_eq!(call.ended, Some(EndReason::AssistantEnded));
    assert!(call.urgent() && !call.transferred());
    let agency = call.conversation.note().structured_data.transfer_to;
    assert_eq!(agency, Some(Agency::Spf));
}

#[test]
fn a_line_that_comes_back_hears_what_is_so() {
    let mut call = Call::for_violence(true).rung();
    call.hears(Event::StillRinging);
    call.hears(Event::CallerReturned).heard("still");
    assert!(!call.said.contains('?') && call.transfers.len() == 1);
    let mut call = Call::for_violence(true).rung().joined();
    call.hears(Event::CallerReturned).heard("for a moment");
    assert_eq!(
        (call.stands(), call.said.contains('?')),
        ("with officer", false)
    );
    let mut call = Call::for_violence(true)
        .rung()
        .unreached(Unreached::LineDropped);
    call.hears(Event::CallerReturned).heard("ring you back");
    call.is_asked(Question::CallBack);
}

#[test]
fn the_briefing_is_one_short_sentence_of_what_was_told() {
    let briefing = |call: &Call| call.conversation.briefing().expose_secret().clone();
    assert_eq!(
        briefing(&Call::for_violence(false).rung()),
        "Caller reports violence in progress, named Mei Ling, at Toa Payoh; not safe to talk freely; going to the police."
    );
    let mut call = Call::for_violence(false).rung();
    call.says("Block 123", placed("Block 123 Ang Mo Kio Ave 3 #04-567"));
    assert_eq!(
        briefing(&call),
        "Caller reports violence in progress, named Mei Ling, at Block 123 Ang Mo Kio Ave 3 #04-567; not safe to talk freely; going to the police."
    );
    assert_eq!(
        briefing(&Call::for_suicide().rung()),
        "Caller reports thoughts of suicide; going to Samaritans of Singapore."
    );
    let mut call = Call::for_suicide().rung();
    call.says("a long one", |reading| {
        placed(
            "Block 123 Ang Mo Kio Avenue 3 #04-567, the second lift lobby, behind the old market",
        )(reading);
        named("Mei Ling")(reading);
        tells(Signal::Injury)(reading);
    });
    let told = briefing(&call);
    assert!(told.split_whitespace().count() <= 28, "{told}");
    assert!(told.contains("Mei Ling") && told.contains("hurt"), "{told}");
    assert!(!told.contains("Block"), "{told}");
}

#[test]
fn a_saved_call_goes_on_where_it_was_in_every_state() {
    for (name, call) in states() {
        let saved = call.conversation.save();
        let restored = Conversation::restore(setup(), saved.expose_secret()).unwrap();
        let mut restored = Call {
            conversation: restored,
            ..call.clone()
        };
        let mut call = call;
        assert_eq!(restored.stands(), name);
        for event in [
            Event::StillRinging,
            Event::CallerSilent,
            Event::OfficerJoined,
        ] {
            call.hears(event.clone());
            restored.hears(event);
            assert_eq!(call.said, restored.said);
        }
    }
}

#[test]
fn a_call_that_was_saved_before_officers_could_be_rung_is_read() {
    let call = Call::for_violence(true);
    let saved = call.conversation.save().expose_secret().clone();
    let mut saved: serde_json::Value = serde_json::from_str(&saved).unwrap();
    let state = saved["state"].as_object_mut().unwrap();
    for field in [
        "hand_overs",
        "on_hold",
        "call_back",
        "call_back_safe",
        "call_back_confirmed",
    ] {
        assert!(state.remove(field).is_some(), "{field}");
    }
    let restored = Conversation::restore(setup(), &saved.to_string()).unwrap();
    assert_eq!(restored.note(), call.conversation.note());
}

#[test]
fn where_nobody_is_on_duty_the_transfer_ends_the_call_as_ever() {
    let call = Call::for_suicide();
    assert_eq!(call.ended, Some(EndReason::Forwarded));
    assert!(call.transferred() && call.urgent());
    assert!(
        call.summary()
            .contains("The caller was handed to SOS by warm transfer."),
        "{}",
        call.summary()
    );
}

#[test]
fn the_note_tells_what_happened_in_its_plan_and_what_to_do_now() {
    let ended = |mut call: Call| {
        call.hears(Event::CallEnded {
            reason: EndReason::CallerEnded,
        });
        call
    };
    let unreached = |why| Call::for_suicide().rung().unreached(why);
    let numbered = || {
        let mut call = unreached(Unreached::NobodyAnswered);
        call.says("91234567", number("91234567")).says("yes", yes);
        call
    };
    let dropped = Call::for_suicide()
        .rung()
        .joined()
        .unreached(Unreached::LineDropped);
    let table = [
        (
            Call::for_suicide().rung(),
            "Duty officers are being rung for SOS, and nobody has joined yet.",
            "Review this call first, as no duty officer reached the caller for SOS. Ask first whether it is safe to talk if the caller is reached.",
        ),
        (
            ended(Call::for_suicide().rung()),
            "Duty officers were being rung for SOS when the call ended, and nobody had joined.",
            "Review this call first, as no duty officer reached the caller for SOS. Ask first",
        ),
        (
            Call::for_suicide().rung().joined(),
            "A duty officer joined the caller by warm transfer to SOS.",
            "Ask the duty officer who joined what was agreed with the caller. Assess intent",
        ),
        (
            ended(Call::for_suicide().rung().joined()),
            "A duty officer joined the caller by warm transfer to SOS.",
            "Ask the duty officer who joined what was agreed with the caller. Assess intent",
        ),
        (
            unreached(Unreached::AllDeclined),
            "Duty officers were rung for SOS, and none of them took the call.",
            "Review this call first, as no duty officer reached the caller for SOS.",
        ),
        (
            unreached(Unreached::LineDropped),
            "the officer's line was lost before they joined.",
            "Review this call first, as no duty officer reached the caller for SOS.",
        ),
        (
            dropped,
            "A duty officer joined the call for SOS, and the officer's line was lost.",
            "Review this call first, as the duty officer's line was lost.",
        ),
        (
            numbered(),
            "nobody answered within the time; the caller gave 9123 4567 as a number that is safe to ring, said back to them and confirmed.",
            "Ring the caller back on 9123 4567, which they gave as safe.",
        ),
    ];
    let safe = numbered().conversation.note().safe_number();
    assert_eq!(safe.unwrap().expose_secret(), "9123 4567");
    assert_eq!(
        unreached(Unreached::AllDeclined)
            .conversation
            .note()
            .safe_number()
            .map(drop),
        None
    );
    for (call, plan, steps) in table {
        assert!(call.summary().ends_with(plan), "{}", call.summary());
        assert!(call.follow_up().contains(steps), "{}", call.follow_up());
        let joined = call.stands() == "with officer"
            || call.conversation.end_reason() == Some(EndReason::Forwarded);
        assert_eq!(call.transferred(), joined, "{}", call.summary());
        assert!(call.urgent());
        assert!((2..=4).contains(&call.summary().matches(". ").count().saturating_add(1)));
        assert!((2..=4).contains(&call.follow_up().split(". ").count()));
    }
}

#[test]
fn a_second_try_stands_in_the_note_beside_the_first() {
    let mut call = Call::for_violence(true)
        .rung()
        .unreached(Unreached::NobodyAnswered);
    call.says("I want to die", tells(Signal::SuicidalDirect));
    let note = |call: &Call| call.summary();
    // Nobody was on duty the second time: as where nobody ever is.
    assert!(
        note(&call).ends_with("The caller was handed to SOS by warm transfer, after an earlier try for SPF in which nobody was reached."),
        "{}",
        note(&call)
    );
    let call = call.rung().joined();
    assert!(
        note(&call).ends_with("A duty officer joined the caller by warm transfer to SOS, after an earlier try for SPF in which nobody was reached."),
        "{}",
        note(&call)
    );
    assert!(call.transferred());
}

/// Everything in one night: rung, nobody answers, a number, talk, rung again, an officer, the end.
#[test]
fn a_call_in_which_all_of_it_happens() {
    let mut call = Call::for_violence(true).rung();
    call.hears(Event::StillRinging).heard("still");
    call.says("are you there", |reading| reading.asks = true)
        .heard("still here");
    call.hears(Event::CallerSilent);
    let mut call = call.unreached(Unreached::AllDeclined);
    call.heard("999").is_asked(Question::CallBack);
    call.says("81234567", number("81234567")).heard("8123 4567");
    call.says("yes", yes).is_asked(Question::MoreSupport);
    call.says("I'm so tired of it all", tells(Signal::Distress));
    call.is_asked(Question::Open);
    call.says("he's breaking the door", tells(Signal::ViolenceNow));
    assert_eq!(call.transfers, [Agency::Spf, Agency::Spf]);
    let mut call = call.rung().joined();
    call.says("I'm at the lift", placed("the lift of Block 5"));
    assert_eq!(call.said, "");
    call.hears(Event::CallEnded {
        reason: EndReason::CallerEnded,
    });
    assert_eq!(call.conversation.end_reason(), Some(EndReason::Forwarded));
    let note = call.conversation.note();
    assert!(note.structured_data.transferred && note.structured_data.urgent);
    assert_eq!(
        note.structured_data.location.expose_secret(),
        "the lift of Block 5"
    );
    assert!(
        call.summary().contains("A duty officer joined"),
        "{}",
        call.summary()
    );
}
