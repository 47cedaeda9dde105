//! What our own reader and flow make of a call that another assistant held: its caller's words, turn by turn, as if they had
//! been said here. An assistant that is a model may miss a danger, leave out an analysis or never report; what was said is
//! read here all the same. It says nothing to anybody, and claims nothing of what the other assistant did. A turn in which
//! the reading fails is left out, and the note is marked for a person.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use flow::{AssistantScript, CaseNote, Conversation, EndReason, Event, Medium, Setup};
use jiff::Timestamp;
use reader::Reader;
use records::{Message, Role};
use redact::Secret;

/// As many of a call's turns as are read, the latest: more than ten minutes of talk have.
const MOST_TURNS: usize = 200;

const SUMMARY: &str = "Caller talked with the hosted platform's assistant, which gave no account of it. \
    What stands here this server read from the caller's own words. Whoever follows up has to read the transcript whole.";
const FOLLOW_UP: &str = "Read the transcript, because nobody has told what happened in this call. \
    Decide from it whether the caller has to be rung back";

/// The note of these messages, and nothing that was not in them.
pub async fn note(
    reader: &Arc<Reader>,
    script: &Arc<AssistantScript>,
    started_at: Timestamp,
    messages: &[Message],
    ended: Option<EndReason>,
) -> CaseNote {
    let setup = Setup {
        called_at: call::singapore_time(started_at),
        assistant: Arc::clone(script),
        medium: Medium::Speech,
    };
    let unread = setup.clone();
    let (reader, messages) = (Arc::clone(reader), messages.to_vec());
    let reads = move || {
        let tell = |conversation: &mut Conversation, words: &Secret<String>, at: Duration| {
            reader.tell(conversation, words, at);
        };
        note_by(tell, setup, &messages, ended)
    };
    let note = tokio::task::spawn_blocking(reads).await;
    note.unwrap_or_else(|_| {
        tracing::error!("a call that was held elsewhere was not read: a person has to");
        Conversation::new(unread).note().of_a_call_broken_off()
    })
}

fn note_by(
    tell: impl Fn(&mut Conversation, &Secret<String>, Duration),
    setup: Setup,
    messages: &[Message],
    ended: Option<EndReason>,
) -> CaseNote {
    let mut conversation = Conversation::new(setup);
    conversation.handle(Event::CallStarted, Duration::ZERO);
    let mut is_whole = true;
    let mut take = |conversation: &mut Conversation, step: &dyn Fn(&mut Conversation)| {
        let mut next = conversation.clone();
        let taken = catch_unwind(AssertUnwindSafe(|| {
            step(&mut next);
            // What it would say and do stays here.
            while next.poll_command().is_some() {}
        }));
        match taken {
            Ok(()) => *conversation = next,
            Err(_panic) => is_whole = false,
        }
    };
    let callers: Vec<&Message> = messages
        .iter()
        .filter(|message| message.role == Role::User)
        .collect();
    let mut at = Duration::ZERO;
    for message in &callers[callers.len().saturating_sub(MOST_TURNS)..] {
        at = Duration::try_from_secs_f64(message.seconds_from_start).unwrap_or(at);
        take(&mut conversation, &|next| {
            tell(next, &message.message, at);
        });
    }
    if let Some(reason) = ended {
        take(&mut conversation, &|next| {
            next.handle(Event::CallEnded { reason }, at);
        });
    }
    let mut note = conversation.note();
    // That our flow would have handed them over does not mean that they were.
    note.structured_data.transferred = ended == Some(EndReason::Forwarded);
    note.structured_data.follow_up = Secret::new(FOLLOW_UP.to_owned());
    note.summary = Secret::new(SUMMARY.to_owned());
    if is_whole {
        return note;
    }
    tracing::error!(
        "the software failed as it read a call that was held elsewhere: a person has to read it"
    );
    note.of_a_call_broken_off()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(words: &str) -> Message {
        Message {
            role: Role::User,
            officer: None,
            message: Secret::new(words.to_owned()),
            seconds_from_start: 5.0,
            duration_seconds: 2.0,
            interrupted: false,
        }
    }

    fn note_of(messages: &[Message]) -> CaseNote {
        let reader = Reader::rules_alone();
        let tell = |conversation: &mut Conversation, words: &Secret<String>, at: Duration| {
            assert!(!words.expose_secret().contains("breaks"), "on purpose");
            reader.tell(conversation, words, at);
        };
        let setup = Setup {
            called_at: call::singapore_time(Timestamp::UNIX_EPOCH),
            assistant: Arc::new(AssistantScript::built_in()),
            medium: Medium::Speech,
        };
        note_by(tell, setup, messages, Some(EndReason::CallerEnded))
    }

    #[test]
    fn a_turn_in_which_reading_fails_costs_none_of_the_others_and_the_note_is_for_a_person() {
        let danger = said("He is hitting me right now");
        let whole = note_of(std::slice::from_ref(&danger));
        let note = note_of(&[said("this breaks it"), danger, said("and breaks it again")]);
        let (data, of_whole) = (&note.structured_data, &whole.structured_data);
        assert!(data.urgent);
        assert_eq!(data.transfer_to, of_whole.transfer_to);
        let first = "Read this call's transcript first";
        assert!(data.follow_up.expose_secret().starts_with(first));
        assert!(!of_whole.follow_up.expose_secret().starts_with(first));
    }
}
