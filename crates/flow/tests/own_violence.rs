//! The caller as the one who hurt somebody.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;
use std::time::Duration;

use flow::reading::{HeardSignal, PersonSpokenOf, Reading, Relation, SURE, Signal};
use flow::{
    Agency, AssistantScript, Command, Conversation, Event, Question, Secret, Setup, TransferMode,
};

struct Call {
    conversation: Conversation,
    said: String,
    transfers: Vec<(TransferMode, Agency)>,
}

impl Call {
    fn start() -> Self {
        let mut call = Self {
            conversation: Conversation::new(Setup {
                called_at: "2026-11-20T23:10:00".parse().unwrap(),
                assistant: Arc::new(AssistantScript::built_in()),
                medium: flow::Medium::Speech,
            }),
            said: String::new(),
            transfers: Vec::new(),
        };
        call.hears(Event::CallStarted);
        call
    }

    fn hears(&mut self, event: Event) {
        self.conversation.handle(event, Duration::ZERO);
        while let Some(command) = self.conversation.poll_command() {
            match command {
                Command::Say { sentence } => {
                    self.said.push_str(sentence.expose_secret());
                    self.said.push('\n');
                }
                Command::Transfer { mode, agency } => self.transfers.push((mode, agency)),
                Command::LookedUp { .. } | Command::End { .. } => {}
            }
        }
    }

    fn tells(&mut self, words: &str, signals: &[Signal]) -> &mut Self {
        self.says(words, signals, |_| {})
    }

    fn says(
        &mut self,
        words: &str,
        signals: &[Signal],
        shape: impl FnOnce(&mut Reading),
    ) -> &mut Self {
        let mut reading = Reading::unread(Secret::new(words.to_owned()));
        for signal in signals {
            let heard = HeardSignal::told(*signal, reading.words.clone(), SURE);
            reading.signals.push(heard);
        }
        shape(&mut reading);
        let reading = Box::new(reading);
        self.hears(Event::CallerSaid { reading });
        self
    }

    #[track_caller]
    fn is_asked(&mut self, question: Question) -> &mut Self {
        assert_eq!(self.conversation.listening().question, Some(question));
        self
    }
}

fn of_my_wife(reading: &mut Reading) {
    reading.person = Some(PersonSpokenOf {
        role: Secret::new("wife".to_owned()),
        relation: Relation::Spouse,
        own: true,
    });
}

fn no(reading: &mut Reading) {
    reading.answer.yes = Some(false);
    reading.answer.agreed = true;
}

#[test]
fn who_hurt_somebody_is_asked_whether_it_goes_on_and_not_consoled() {
    let mut call = Call::start();
    // The second signal is what the other reader makes of the same words.
    let heard = [Signal::OwnViolence, Signal::PhysicalAbuse];
    call.says("I strangled my wife just now", &heard, of_my_wife)
        .is_asked(Question::OtherInDanger);
    assert!(!call.said.contains("sorry"), "{}", call.said);
    assert!(!call.said.contains("good of you"), "{}", call.said);

    call.tells("She's not moving much", &[Signal::Injury]);
    assert!(call.said.contains("995"), "{}", call.said);
    call.is_asked(Question::Name)
        .tells("I won't say", &[])
        .tells("Sengkang, block 312A, number 08-15", &[])
        .tells("I was drunk", &[]);
    assert_eq!(call.transfers, [(TransferMode::Warm, Agency::Spf)]);
    let note = call.conversation.note();
    let title = note.summary_title.expose_secret();
    assert_eq!(title, "Caller reports violence of their own");
    assert!(note.structured_data.urgent);
}

#[test]
fn where_nobody_is_being_hurt_now_they_are_offered_the_team_for_violence_at_home() {
    let mut call = Call::start();
    call.says("I slapped my wife", &[Signal::OwnViolence], of_my_wife)
        .says("No, she's at her mother's", &[], no)
        .is_asked(Question::Consent);
    let note = call.conversation.note();
    assert_eq!(note.structured_data.transfer_to, Some(Agency::Dvert));
    let claims = note.evidence.iter().map(|it| it.claim.as_str());
    assert!(!claims.clone().any(|claim| claim == "who did it"));
}

#[test]
fn who_was_hurt_and_hit_back_is_no_such_caller() {
    let mut call = Call::start();
    call.tells("He hit me with the belt", &[Signal::PhysicalAbuse])
        .tells("I hit him today", &[Signal::OwnViolence]);
    let note = call.conversation.note();
    let claims = note.evidence.iter().map(|it| it.claim.as_str());
    assert!(
        !claims
            .clone()
            .any(|claim| claim == Signal::OwnViolence.name())
    );
}
