//! Whatever a program's server answers our questions with, bytes that are no answer at all among it: something is said, the
//! caller goes where the flow has them go, and the conversation goes on as it would have.

use std::sync::Arc;
use std::time::Duration;

use call::HeardTurn;
use flow::reading::{Listening, Reading};
use flow::{Afterwards, Agency, AssistantScript, Conversation, Event, TransferMode};
use jiff::Timestamp;
use proptest::prelude::*;
use proptest::sample::Index;
use reader::Reader;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{asking, destinations, handing_over};
use crate::written::talk::Talk;

const CALL: &str = "a-tool-call";
const WORDS: &str = "The office opens at nine on weekdays.";
/// A caller's own question, and one who asks it.
const ASKED: &str = "Is this call recorded?";
const FEELS_LOW: &[&str] = &["I'm safe, I just feel very low"];
/// What a caller who needs a bed says until their case is passed on; when it happened, where that is asked.
const SAFE: &str = "yes I'm safe";
const NEED: &str = "I need a place to stay tonight";
const WHEN: &str = "last week";
const TOLD: &[&str] = &[SAFE, NEED, "yes", "Ana Tan", "Bedok", WHEN];
const REACHED_BY: &str = "a message, after nine at night";

fn read(words: &str, listening: &Listening) -> Reading {
    Reader::rules_alone().read(words, listening)
}

/// The reply to these words, after those lines; nothing of it is said yet.
fn replying(lines: &[&str], words: &str) -> Conversation {
    let script = Arc::new(AssistantScript::built_in());
    let at = Timestamp::UNIX_EPOCH;
    let (talk, greeting) = Talk::begin(&script, at);
    let mut talk = talk.greet(greeting);
    for line in lines {
        let asked = talk.latest().text();
        let asks_for = |what: &str| asked.expose_secret().contains(what);
        if *line == WHEN && !asks_for("incident") && !asks_for("last time") {
            continue;
        }
        let reading = read(line, &talk.listening());
        talk.go_on(reading, at, None);
    }
    let reading = read(words, &talk.listening());
    let turn: HeardTurn = talk.heard(Uuid::nil(), &reading, at);
    asking::after(&turn, None)
}

/// A reply as it is without an answer from elsewhere, and what is done when the caller then tells of danger.
struct Ours {
    said: Vec<String>,
    done: Vec<Afterwards>,
    danger: Reading,
    done_in_danger: Vec<Afterwards>,
}

impl Ours {
    fn of(reply: &Conversation) -> Self {
        let mut after = reply.clone();
        let (said, done) = taken(&mut after);
        let danger = read("I want to kill myself tonight", &after.listening());
        let done_in_danger = done_after(after, &danger);
        let to_sos = Afterwards::Transfer {
            mode: TransferMode::Warm,
            agency: Agency::Sos,
        };
        assert!(done_in_danger.contains(&to_sos), "{done_in_danger:?}");
        Self {
            said,
            done,
            danger,
            done_in_danger,
        }
    }
}

fn taken(conversation: &mut Conversation) -> (Vec<String>, Vec<Afterwards>) {
    let reply = conversation.take_reply();
    let said = reply.sentences.iter();
    let said = said.map(|one| one.expose_secret().clone()).collect();
    (said, reply.afterwards)
}

/// What is done when the caller says this next.
fn done_after(mut conversation: Conversation, reading: &Reading) -> Vec<Afterwards> {
    let reading = Box::new(reading.clone());
    conversation.handle(Event::CallerSaid { reading }, Duration::ZERO);
    conversation.take_reply().afterwards
}

/// Where in an answer something else may stand; the first is all of it.
const PLACES: &[&str] = &[
    "",
    "/results",
    "/results/0",
    "/results/0/toolCallId",
    "/results/0/name",
    "/results/0/result",
    "/results/0/error",
    "/destination",
    "/destination/type",
    "/destination/assistantName",
    "/destination/description",
    "/message",
    "/message/type",
    "/message/content",
    "/message/contents",
    "/error",
];

const FIELDS: &[&str] = &[
    "results",
    "toolCallId",
    "name",
    "result",
    "error",
    "destination",
    "type",
    "number",
    "assistantName",
    "description",
    "sipUri",
    "message",
    "content",
    "contents",
    "text",
    "language",
];

const TEXTS: &[&str] = &[
    CALL,
    WORDS,
    "number",
    "assistant",
    "sip",
    "999",
    "+6565550390",
    "Authorities",
    "PAVE",
    "spf",
    "SOS",
    "request-start",
    "request-failed",
    "en",
    "I am a real person.",
    "Are you safe?",
    "<b>Help is on the way!</b>",
];

fn value() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        prop::sample::select(TEXTS).prop_map(Value::from),
        "\\PC{0,24}".prop_map(Value::from),
        (1_usize..100).prop_map(|times| Value::from(WORDS.repeat(times))),
    ];
    let field = prop::sample::select(FIELDS);
    let values = leaf.prop_recursive(4, 32, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map(field.clone().prop_map(str::to_owned), inner, 0..5)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    });
    values.boxed()
}

/// An answer to either question that fits, but for what stands in one place.
fn nearly_fit() -> impl Strategy<Value = Value> {
    (prop::sample::select(PLACES), value()).prop_map(|(place, value)| {
        let mut answer = json!({
            "results": [
                {"toolCallId": CALL, "name": "product_query", "result": WORDS, "error": null},
            ],
            "destination": {"type": "assistant", "assistantName": "Authorities", "description": "PAVE"},
            "message": {"type": "request-start", "content": WORDS, "contents": []},
            "error": null,
        });
        *answer.pointer_mut(place).expect("it stands there") = value;
        answer
    })
}

/// The same whole, cut off or with a byte of something else in it; or bytes alone.
fn any_answer() -> impl Strategy<Value = Vec<u8>> {
    let damaged = (nearly_fit(), 0..4_u8, any::<Index>(), any::<u8>());
    let damaged = damaged.prop_map(|(answer, how, place, byte)| {
        let mut answer = answer.to_string().into_bytes();
        let at = place.index(answer.len());
        match how {
            0 => answer.truncate(at),
            1 => answer[at] = byte,
            _ => {}
        }
        answer
    });
    prop_oneof![
        1 => prop::collection::vec(any::<u8>(), 0..64),
        9 => damaged,
    ]
}

#[test]
fn whatever_a_callers_question_is_answered_with_they_are_answered_and_asked_on() {
    let asked = replying(FEELS_LOW, ASKED);
    assert!(asked.answers_a_question());
    let ours = Ours::of(&asked);
    proptest!(|(answer in any_answer())| {
        let theirs = asking::with_answer(&answer, CALL, ASKED, asked.clone());
        let mut after = theirs.unwrap_or_else(|| asked.clone());
        let (said, done) = taken(&mut after);
        prop_assert!(said.len() > 1);
        prop_assert_eq!(said.last(), ours.said.last());
        prop_assert!(!said.concat().contains("real person"));
        let is_a_look_up = |one: &Afterwards| matches!(one, Afterwards::LookedUp { .. });
        prop_assert!(done.iter().all(is_a_look_up), "{:?}", done);
        prop_assert_eq!(&done_after(after, &ours.danger), &ours.done_in_danger);
    });
}

#[test]
fn whatever_agency_is_named_the_caller_is_asked_for_one_that_takes_cases() {
    let directory = AssistantScript::built_in().directory;
    let asks = replying(&[SAFE], NEED);
    assert_eq!(asks.asks_to_share_calmly(), Some(Agency::Fsc));
    let ours = Ours::of(&asks);
    proptest!(|(answer in any_answer())| {
        let theirs = handing_over::read(&answer).and_then(|answer| {
            handing_over::naming_its_agency(answer, asks.clone(), &directory)
        });
        let mut after = theirs.unwrap_or_else(|| asks.clone());
        let agency = after.asks_to_share_calmly();
        let takes_cases = |agency: Agency| agency.transfer_mode() == TransferMode::Cold;
        prop_assert!(agency.is_some_and(takes_cases), "{:?}", agency);
        let (said, done) = taken(&mut after);
        prop_assert_eq!(said.len(), ours.said.len());
        prop_assert_eq!(&done, &ours.done);
        prop_assert_eq!(&done_after(after, &ours.danger), &ours.done_in_danger);
    });
}

#[test]
fn whatever_is_to_be_said_as_a_case_is_passed_on_all_of_ours_is_said_and_it_goes_where_it_went() {
    let passes_on = replying(TOLD, REACHED_BY);
    assert_eq!(passes_on.hands_over_calmly(), Some(Agency::Fsc));
    let ours = Ours::of(&passes_on);
    proptest!(|(answer in any_answer())| {
        let theirs = handing_over::read(&answer).and_then(|answer| {
            handing_over::saying_its_word(answer, REACHED_BY, passes_on.clone())
        });
        let mut after = theirs.unwrap_or_else(|| passes_on.clone());
        let (said, done) = taken(&mut after);
        prop_assert!(ours.said.iter().all(|one| said.contains(one)));
        prop_assert!(!said.concat().contains("real person"));
        prop_assert_eq!(&done, &ours.done);
        prop_assert_eq!(&done_after(after, &ours.danger), &ours.done_in_danger);
    });
}

#[test]
fn whatever_destination_is_named_none_is_told_but_where_the_caller_goes() {
    let directory = AssistantScript::built_in().directory;
    let agencies = prop::sample::select(Agency::ALL.to_vec());
    proptest!(|(answer in any_answer(), agency in agencies)| {
        let answer = handing_over::read(&answer);
        let told = handing_over::where_to(answer, Uuid::nil(), agency, &directory);
        prop_assert_eq!(destinations::agency_of(&told, &directory), Some(agency));
    });
}
