//! From a note's claims to where in the transcript their words stand: whoever reads "denies a
//! weapon" can look at the message it rests on. It judges no claim; the flow made them.

use flow::CaseNote;
use records::{Message, Role};
use redact::Secret;

/// A note's evidence, linked.
#[derive(Default)]
pub struct Evidence {
    pub all: Vec<platform::Evidence>,
    /// Those that raised the urgent flag.
    pub escalating: Vec<platform::Evidence>,
}

impl Evidence {
    pub fn of(note: &CaseNote, messages: &[Message]) -> Self {
        let mut linked = Self::default();
        for evidence in &note.evidence {
            let (message_index, words) = place(messages, evidence);
            let link = platform::Evidence {
                claim: evidence.claim.clone(),
                words,
                turn: evidence.turn,
                message_index,
                confidence: evidence.confidence,
            };
            if evidence.escalates {
                linked.escalating.push(link.clone());
            }
            linked.all.push(link);
        }
        linked
    }
}

/// The message of the claim's turn if the words are in it; else the caller's message that holds
/// them; else that turn's, quoted in full, so that a link never leads to words that are not there.
fn place(messages: &[Message], evidence: &flow::Evidence) -> (Option<usize>, Secret<String>) {
    let callers: Vec<usize> = messages
        .iter()
        .enumerate()
        .filter(|(_, message)| message.role == Role::User)
        .map(|(index, _)| index)
        .collect();
    let words = plain(evidence.words.expose_secret());
    let holds = |index: &usize| plain(messages[*index].message.expose_secret()).contains(&words);
    let of_turn = callers.get(evidence.turn).copied();
    match of_turn
        .filter(holds)
        .or(callers.iter().copied().find(holds))
    {
        Some(index) => (Some(index), evidence.words.clone()),
        None => {
            let quoted = of_turn.map(|index| messages[index].message.clone());
            (of_turn, quoted.unwrap_or_else(|| evidence.words.clone()))
        }
    }
}

/// Letters' case, punctuation and spacing aside.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(' ');
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        if !word.is_empty() {
            out.extend(word.chars().flat_map(char::to_lowercase));
            out.push(' ');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::Arc;
    use std::time::Duration;

    use flow::{AssistantScript, Conversation, Event, Setup};

    use super::*;

    fn message(role: Role, words: &str) -> Message {
        Message {
            role,
            officer: None,
            message: Secret::new(words.to_owned()),
            seconds_from_start: 0.0,
            duration_seconds: 0.0,
            interrupted: false,
        }
    }

    /// What a conversation of these turns leaves as evidence.
    fn linked(turns: &[&str]) -> (Evidence, Vec<Message>) {
        let mut conversation = Conversation::new(Setup {
            called_at: "2026-11-20T02:15:00".parse().unwrap(),
            assistant: Arc::new(AssistantScript::built_in()),
            medium: flow::Medium::Speech,
        });
        conversation.handle(Event::CallStarted, Duration::ZERO);
        let reader = reader::Reader::rules_alone();
        let mut messages = vec![message(Role::Bot, "Hello.")];
        for words in turns {
            let said = Secret::new((*words).to_owned());
            reader.tell(&mut conversation, &said, Duration::ZERO);
            messages.push(message(Role::User, words));
            messages.push(message(Role::Bot, "I hear you."));
        }
        (Evidence::of(&conversation.note(), &messages), messages)
    }

    #[test]
    fn every_claim_leads_to_a_message_of_the_callers_that_holds_its_words() {
        let (evidence, messages) = linked(&[
            "I'm safe now. He has never used a knife",
            "My husband hits me, it was last night",
            "My name is Mei and I want to die",
        ]);
        let claims: Vec<&str> = evidence.all.iter().map(|one| one.claim.as_str()).collect();
        assert!(claims.contains(&"suicidal thoughts"), "{claims:?}");
        for one in &evidence.all {
            let at = &messages[one.message_index.unwrap()];
            assert_eq!(at.role, Role::User, "{}", one.claim);
            let words = one.words.expose_secret();
            assert!(at.message.expose_secret().contains(words), "{}", one.claim);
        }
    }

    #[test]
    fn the_words_that_raised_the_flag_are_named_and_no_others() {
        let (evidence, _) = linked(&["My husband hits me", "I want to die"]);
        let triggers: Vec<_> = evidence
            .escalating
            .iter()
            .map(|one| (one.words.expose_secret().as_str(), one.message_index))
            .collect();
        assert!(!triggers.is_empty());
        for trigger in triggers {
            assert_eq!(trigger, ("I want to die", Some(3)));
        }
    }

    #[test]
    fn an_answer_that_confirms_a_danger_is_a_trigger_beside_what_it_confirms() {
        let (evidence, _) = linked(&["No, I'm not safe", "Yeah"]);
        let triggers: Vec<_> = evidence
            .escalating
            .iter()
            .map(|one| (one.words.expose_secret().as_str(), one.message_index))
            .collect();
        assert_eq!(triggers, [("I'm not safe", Some(1)), ("Yeah", Some(3))]);
    }

    #[test]
    fn words_that_stand_nowhere_are_replaced_by_the_turns_own() {
        let evidence = flow::Evidence {
            claim: String::from("fear"),
            words: Secret::new(String::from("not in there")),
            turn: 0,
            confidence: 0.9,
            escalates: false,
        };
        let messages = [
            message(Role::Bot, "Hello."),
            message(Role::User, "I'm scared."),
        ];
        let (index, words) = place(&messages, &evidence);
        assert_eq!(index, Some(1));
        assert_eq!(words.expose_secret(), "I'm scared.");
        let (index, words) = place(&[], &evidence);
        assert_eq!(index, None);
        assert_eq!(words.expose_secret(), "not in there");
    }
}
