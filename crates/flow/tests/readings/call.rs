//! A call whose caller's turns are readings.

use std::sync::Arc;
use std::time::Duration;

use flow::reading::{Heard, HeardSignal, Reading, Relation, SURE, Signal, TimeHeard};
use flow::{
    Agency, AssistantScript, Command, Conversation, Event, Question, Secret, Setup, TransferMode,
};

pub struct Call {
    pub conversation: Conversation,
    /// All that the assistant has said.
    pub replies: String,
    pub transfers: Vec<(TransferMode, Agency)>,
}

impl Call {
    pub fn setup() -> Setup {
        Setup {
            called_at: "2026-11-20T23:10:00".parse().unwrap(),
            assistant: Arc::new(AssistantScript::built_in()),
            medium: flow::Medium::Speech,
        }
    }

    pub fn start() -> Self {
        let mut call = Self {
            conversation: Conversation::new(Self::setup()),
            replies: String::new(),
            transfers: Vec::new(),
        };
        call.hears(Event::CallStarted);
        call
    }

    pub fn hears(&mut self, event: Event) {
        self.conversation.handle(event, Duration::ZERO);
        while let Some(command) = self.conversation.poll_command() {
            match command {
                Command::Say { sentence } => {
                    self.replies.push_str(sentence.expose_secret());
                    self.replies.push('\n');
                }
                Command::Transfer { mode, agency } => self.transfers.push((mode, agency)),
                Command::LookedUp { .. } | Command::End { .. } => {}
            }
        }
    }

    /// The caller's turn, read as `shape` has it.
    pub fn said(&mut self, words: &str, shape: impl FnOnce(&mut Reading)) -> &mut Self {
        let mut reading = Reading::unread(Secret::new(words.to_owned()));
        shape(&mut reading);
        let reading = Box::new(reading);
        self.hears(Event::CallerSaid { reading });
        self
    }

    /// Keeps back whatever is still asked for a case, until it is passed on.
    pub fn keeps_the_rest_back(&mut self) -> &mut Self {
        const DETAILS: usize = 4;
        for _ in 0..DETAILS {
            self.said("I would not like to say", |reading| {
                reading.answer.refuses = true;
                reading.answer.declines_to_say = true;
            });
        }
        assert!(!self.transfers.is_empty(), "it was not passed on");
        self
    }

    /// On the way to the police: can talk, keeps back who and where they are, and is asked what happened.
    #[track_caller]
    pub fn is_asked_what_happened(&mut self) -> &mut Self {
        let keeps_it_back = |reading: &mut Reading| reading.answer.refuses = true;
        self.is_asked(Question::SafeToTalk).said("Yes", yes);
        while matches!(
            self.conversation.listening().question,
            Some(Question::Name | Question::Address)
        ) {
            self.said("No", keeps_it_back);
        }
        self.is_asked(Question::Account)
    }

    #[track_caller]
    pub fn is_asked(&mut self, question: Question) -> &mut Self {
        assert_eq!(self.conversation.listening().question, Some(question));
        self
    }

    #[track_caller]
    pub fn reached(&mut self, agency: Agency) {
        assert_eq!(self.transfers, [(TransferMode::Warm, agency)]);
    }

    #[track_caller]
    pub fn reached_nobody(&mut self) -> &mut Self {
        assert_eq!(self.transfers, []);
        self
    }
}

/// The words tell of it, so surely.
pub fn tells(signal: Signal, confidence: f32) -> impl Fn(&mut Reading) {
    move |reading| {
        let words = reading.words.clone();
        let heard = HeardSignal::told(signal, words, confidence);
        reading.signals.push(heard);
    }
}

/// The words tell of blows by somebody who is that to the caller, so surely.
pub fn hit_by(relation: Relation, confidence: f32) -> impl Fn(&mut Reading) {
    move |reading| {
        tells(Signal::PhysicalAbuse, SURE)(reading);
        reading.abuser = Some(Heard {
            value: relation,
            words: reading.words.clone(),
            confidence,
        });
    }
}

/// Asked when it last was.
pub fn minutes_ago(reading: &mut Reading) {
    reading.incident = Some(Heard {
        value: TimeHeard {
            when: Secret::new("2026-11-20 (minutes ago)".to_owned()),
            days_ago: 0,
            just_now: true,
        },
        words: reading.words.clone(),
        confidence: SURE,
    });
}

pub fn yes(reading: &mut Reading) {
    answers(reading, true);
}

pub fn no(reading: &mut Reading) {
    answers(reading, false);
}

fn answers(reading: &mut Reading, yes: bool) {
    reading.answer.yes = Some(yes);
    reading.answer.agreed = true;
}
