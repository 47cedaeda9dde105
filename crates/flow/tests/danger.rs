//! Whose call stands in danger, and is to be heard before others.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;
use std::time::Duration;

use flow::reading::{HeardSignal, Reading, SURE, Signal, Topic, WORTH_ASKING};
use flow::{AssistantScript, Conversation, Event, Secret, Setup, Unreached};

struct Call(Conversation);

impl Call {
    fn start() -> Self {
        let mut call = Self(Conversation::new(Setup {
            called_at: "2026-11-20T23:10:00".parse().unwrap(),
            assistant: Arc::new(AssistantScript::built_in()),
            medium: flow::Medium::Speech,
        }));
        call.hears(Event::CallStarted);
        call
    }

    fn hears(&mut self, event: Event) {
        self.0.handle(event, Duration::ZERO);
        while self.0.poll_command().is_some() {}
    }

    fn says(&mut self, words: &str, shape: impl FnOnce(&mut Reading)) {
        let mut reading = Reading::unread(Secret::new(words.to_owned()));
        shape(&mut reading);
        self.hears(Event::CallerSaid {
            reading: Box::new(reading),
        });
    }
}

fn tells(signal: Signal, confidence: f32) -> impl Fn(&mut Reading) {
    move |reading| {
        let words = reading.words.clone();
        let heard = HeardSignal::told(signal, words, confidence);
        reading.signals.push(heard);
    }
}

#[test]
fn a_call_stands_in_danger_while_it_is_made_sure_of_and_no_longer_where_there_is_none() {
    let mut call = Call::start();
    call.says("my days at work are too long", |reading| {
        reading.topic = Some(Topic::Work);
    });
    assert!(!call.0.stands_in_danger());
    let by_the_arm = "he has me by the arm";
    call.says(by_the_arm, tells(Signal::ViolenceNow, WORTH_ASKING));
    assert!(call.0.stands_in_danger(), "it is asked about");
    call.says("no", |reading| {
        reading.answer.yes = Some(false);
        reading.answer.agreed = true;
    });
    assert!(!call.0.stands_in_danger());
}

#[test]
fn a_call_for_which_help_was_called_stands_in_danger_also_where_nobody_came() {
    let mut call = Call::start();
    let words = "I do not want to live any more";
    call.says(words, tells(Signal::SuicidalDirect, SURE));
    assert!(call.0.stands_in_danger());
    call.hears(Event::OfficersRung);
    assert!(call.0.stands_in_danger());
    let why = Unreached::NobodyAnswered;
    call.hears(Event::OfficerUnreached { why });
    assert!(call.0.stands_in_danger());
}
