//! A call up to its hand-over and beyond: it is told what happens, and shows what is said, done and noted.

use std::sync::Arc;
use std::time::Duration;

use flow::reading::{Heard, HeardSignal, PlaceHeard, PlacePart, Reading, SURE, Signal};
use flow::{
    Agency, AssistantScript, Command, Conversation, EndReason, Event, Question, Secret, Setup,
    TransferMode, Unreached,
};

#[derive(Clone)]
pub struct Call {
    pub conversation: Conversation,
    /// What the assistant said last.
    pub said: String,
    pub transfers: Vec<Agency>,
    pub ended: Option<EndReason>,
}

pub fn setup() -> Setup {
    Setup {
        called_at: "2026-11-20T23:10:00".parse().unwrap(),
        assistant: Arc::new(AssistantScript::built_in()),
        medium: flow::Medium::Speech,
    }
}

impl Call {
    pub fn start() -> Self {
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
    pub fn for_suicide() -> Self {
        let mut call = Self::start();
        call.says("I want to die", tells(Signal::SuicidalDirect));
        assert_eq!(call.transfers, [Agency::Sos]);
        call
    }

    /// Handed to the police, after name and place.
    pub fn for_violence(safe_to_talk: bool) -> Self {
        let mut call = Self::start();
        call.says("he's hitting me", tells(Signal::ViolenceNow));
        call.says("answer", if safe_to_talk { yes } else { no });
        call.says("Mei Ling", named("Mei Ling"));
        call.says("Toa Payoh", placed("Toa Payoh"));
        if safe_to_talk {
            call.says("he came home drunk and hit me", tells(Signal::ViolenceNow));
            call.says("now", |_| {});
        }
        assert_eq!(call.transfers, [Agency::Spf], "{}", call.said);
        call
    }

    pub fn rung(mut self) -> Self {
        self.hears(Event::OfficersRung);
        self
    }

    pub fn joined(mut self) -> Self {
        self.hears(Event::OfficerJoined);
        self
    }

    pub fn unreached(mut self, why: Unreached) -> Self {
        self.hears(Event::OfficerUnreached { why });
        self
    }

    pub fn hears(&mut self, event: Event) -> &mut Self {
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

    pub fn says(&mut self, words: &str, shape: impl FnOnce(&mut Reading)) -> &mut Self {
        let mut reading = Reading::unread(Secret::new(words.to_owned()));
        shape(&mut reading);
        self.hears(Event::CallerSaid {
            reading: Box::new(reading),
        })
    }

    #[track_caller]
    pub fn heard(&mut self, words: &str) -> &mut Self {
        assert!(self.said.contains(words), "{words:?}: {}", self.said);
        self
    }

    #[track_caller]
    pub fn is_asked(&mut self, question: Question) -> &mut Self {
        let open = self.conversation.listening().question;
        assert_eq!(open, Some(question), "{}", self.said);
        self
    }

    pub fn stands(&self) -> &'static str {
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

    pub fn follow_up(&self) -> String {
        let note = self.conversation.note();
        note.structured_data.follow_up.expose_secret().clone()
    }

    pub fn summary(&self) -> String {
        self.conversation.note().summary.expose_secret().clone()
    }

    pub fn transferred(&self) -> bool {
        self.conversation.note().structured_data.transferred
    }

    pub fn urgent(&self) -> bool {
        self.conversation.note().structured_data.urgent
    }
}

pub fn tells(signal: Signal) -> impl Fn(&mut Reading) {
    move |reading| {
        let words = reading.words.clone();
        reading.signals.push(HeardSignal::told(signal, words, SURE));
    }
}

pub fn heard<T>(value: T, reading: &Reading) -> Heard<T> {
    Heard {
        value,
        words: reading.words.clone(),
        confidence: 0.9,
    }
}

pub fn named(name: &'static str) -> impl Fn(&mut Reading) {
    move |reading| reading.name = Some(heard(Secret::new(name.to_owned()), reading))
}

pub fn placed(place: &'static str) -> impl Fn(&mut Reading) {
    move |reading| {
        let place = PlaceHeard {
            name: Secret::new(place.to_owned()),
            precise: true,
            part: PlacePart::Named,
        };
        reading.place = Some(heard(place, reading));
    }
}

pub fn number(digits: &'static str) -> impl Fn(&mut Reading) {
    move |reading| reading.call_back = Some(heard(Secret::new(digits.to_owned()), reading))
}

pub fn yes(reading: &mut Reading) {
    reading.answer.yes = Some(true);
    reading.answer.agreed = true;
}

pub fn no(reading: &mut Reading) {
    reading.answer.yes = Some(false);
    reading.answer.agreed = true;
}

pub const WHYS: [Unreached; 4] = [
    Unreached::NobodyAnswered,
    Unreached::AllDeclined,
    Unreached::AcceptedInVain,
    Unreached::LineDropped,
];

/// Each state, by its name.
pub fn states() -> Vec<(&'static str, Call)> {
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
