//! What a program's server answers our questions with, where that is not as the platform has it: the caller is told what they
//! would be told without it, and the conversation goes on.

use std::sync::{Arc, Mutex};

use axum::body::{Body, Bytes};
use axum::http::StatusCode;
use axum::http::header::LOCATION;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde_json::{Value, json};

use super::hand_overs::{OF_A_NEED, talked};
use crate::support::program::{Program, with_a_key};
use crate::support::receiver::MessageReceiver;
use crate::support::start_server;

const ASKED: &str = "Is this call recorded?";
const WORDS: &str = "The office opens at nine on weekdays.";

/// To a question of ours.
type Answer = fn(&Value) -> Response;

fn nothing(_: &Value) -> Response {
    "{}".into_response()
}

fn cut_off(_: &Value) -> Response {
    let begun = Bytes::from_static(b"{\"results\": [");
    let pieces = [Ok(begun), Err(std::io::Error::other("cut off"))];
    Body::from_stream(stream::iter(pieces)).into_response()
}

/// These are answers to no question.
const ODD: &[(&str, Answer)] = &[
    ("no bytes", |_| "".into_response()),
    ("null", |_| "null".into_response()),
    ("a text", |_| "\"yes\"".into_response()),
    ("no JSON", |_| "<html>Bad gateway</html>".into_response()),
    ("a list", |_| "[[{\"toolCallId\": \"x\"}]]".into_response()),
    ("not UTF-8", |_| {
        b"{\"results\": [{\"toolCallId\": \"\xff\xfe\"}]}"
            .as_slice()
            .into_response()
    }),
    ("nesting that is not read", |_| {
        "[".repeat(100_000).into_response()
    }),
    ("nesting that is read", |_| {
        let (open, shut) = ("[".repeat(100), "]".repeat(100));
        format!("{{\"results\": {open}{shut}, \"message\": {open}{shut}}}").into_response()
    }),
    ("more than is read", |_| {
        " ".repeat(300 * 1024).into_response()
    }),
    ("half of one", cut_off),
    ("no content", |_| StatusCode::NO_CONTENT.into_response()),
    ("the way elsewhere", |_| {
        (StatusCode::TEMPORARY_REDIRECT, [(LOCATION, "/hook")]).into_response()
    }),
    ("all of it null", |_| {
        json!({"results": null, "destination": null, "message": null, "error": null})
            .to_string()
            .into_response()
    }),
];

/// What the caller is told.
#[derive(Clone, Copy)]
enum Told {
    Ours,
    Theirs,
}
use Told::{Ours, Theirs};

fn results(results: Value) -> Response {
    json!({"results": results}).to_string().into_response()
}

fn id(asked: &Value) -> &Value {
    &asked["toolCallList"][0]["id"]
}

const TO_A_QUESTION: &[(&str, Answer, Told)] = &[
    (
        "an error",
        |asked| results(json!([{"toolCallId": id(asked), "error": "no such tool"}])),
        Ours,
    ),
    (
        "null for words",
        |asked| results(json!([{"toolCallId": id(asked), "result": null}])),
        Ours,
    ),
    (
        "an object for words",
        |asked| results(json!([{"toolCallId": id(asked), "result": {"text": WORDS}}])),
        Ours,
    ),
    (
        "another's words",
        |_| results(json!([{"toolCallId": "another", "result": WORDS}])),
        Ours,
    ),
    (
        "an id that is no text",
        |_| results(json!([{"toolCallId": 7, "result": WORDS}])),
        Ours,
    ),
    (
        "one that fits beside one that does not",
        |asked| results(json!([{"toolCallId": id(asked), "result": WORDS}, 7])),
        Ours,
    ),
    (
        "words without an end",
        |asked| results(json!([{"toolCallId": id(asked), "result": WORDS.repeat(5_000)}])),
        Ours,
    ),
    (
        "words that are not to be said",
        |asked| results(json!([{"toolCallId": id(asked), "result": "I am a real person."}])),
        Ours,
    ),
    (
        "words with a refusal",
        |asked| {
            let fits = results(json!([{"toolCallId": id(asked), "result": WORDS}]));
            (StatusCode::INTERNAL_SERVER_ERROR, fits).into_response()
        },
        Ours,
    ),
    (
        "fields that nobody knows",
        |asked| {
            let result = json!({"toolCallId": id(asked), "result": WORDS, "newer": {"x": [null]}});
            json!({"results": [result], "newer": 7})
                .to_string()
                .into_response()
        },
        Theirs,
    ),
    (
        "two answers",
        |asked| {
            let one = |words| json!({"toolCallId": id(asked), "result": words});
            results(json!([one(WORDS), one("I am a real person.")]))
        },
        Theirs,
    ),
];

/// A server that answers with whatever is set.
async fn answering() -> (MessageReceiver, Arc<Mutex<Answer>>) {
    let receiver = MessageReceiver::start().await;
    let answer = Arc::new(Mutex::new(nothing as Answer));
    for kind in ["tool-calls", "transfer-destination-request"] {
        let answer = Arc::clone(&answer);
        receiver.answers(kind, move |message| {
            let answer = *answer.lock().unwrap();
            answer(message)
        });
    }
    // What is only told is taken, whatever comes back.
    receiver.replies("status-update", |_| "[[[[".to_owned());
    (receiver, answer)
}

/// What is told to a caller who asks something, and then tells of danger, which goes as it always does.
async fn asks_and_goes_on(program: &Program, receiver: &MessageReceiver, what: &str) -> Value {
    let kinds = [
        "status-update",
        "tool-calls",
        "transfer-destination-request",
        "transfer-update",
    ];
    let assistant = json!({
        "name": "Night line", "server": {"url": receiver.url()}, "serverMessages": kinds,
    });
    let assistant = program.made("/assistant", assistant).await;
    let before = receiver.received().len();
    let body = json!({"assistantId": assistant["id"], "input": ""});
    let mut chat = program.made("/chat", body).await;
    receiver
        .until_after(before, |one| one.message["status"] == "in-progress")
        .await;
    for words in ["I'm safe, I just feel very low", ASKED] {
        let body = json!({"previousChatId": chat["id"], "input": words});
        chat = program.made("/chat", body).await;
    }
    let told = chat["output"].clone();
    let body = json!({"previousChatId": chat["id"], "input": "I don't want to live any more"});
    let last = program.made("/chat", body).await;
    let to_sos = json!({"mode": "warm", "agency": "SOS"});
    assert_eq!(last["transfer"], to_sos, "{what}");
    let handed = receiver
        .until_after(before, |one| one.message["type"] == "transfer-update")
        .await;
    let destination = &handed.message["destination"]["description"];
    assert_eq!(destination, "SOS", "{what}");
    told
}

#[tokio::test]
async fn whatever_a_question_is_answered_with_the_caller_is_told_ours_or_what_may_be_said() {
    let (receiver, answer) = answering().await;
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let ours = asks_and_goes_on(&program, &receiver, "nothing").await;
    let odd = ODD.iter().map(|(what, answer)| (*what, *answer, Ours));
    let mut asked = 1;
    for (what, odd, told) in odd.chain(TO_A_QUESTION.iter().copied()) {
        *answer.lock().unwrap() = odd;
        let said = asks_and_goes_on(&program, &receiver, what).await;
        match told {
            Ours => assert_eq!(said, ours, "{what}"),
            Theirs => assert!(said.to_string().contains(WORDS), "{what}: {said}"),
        }
        asked += 1;
    }
    let kinds = receiver.kinds();
    let questions = kinds.iter().filter(|kind| *kind == "tool-calls");
    assert_eq!(questions.count(), asked, "each was asked once");
}

fn named(destination: Value) -> Response {
    json!({"destination": destination})
        .to_string()
        .into_response()
}

fn pave() -> Value {
    json!({"type": "assistant", "assistantName": "PAVE", "newer": [null]})
}

/// And which agency the case goes to.
const TO_A_HAND_OVER: &[(&str, Answer, &str)] = &[
    ("no bytes", |_| "".into_response(), "FSC"),
    ("half of one", cut_off, "FSC"),
    ("a number for a destination", |_| named(json!(7)), "FSC"),
    (
        "a kind that nobody knows",
        |_| named(json!({"type": "pigeon", "number": "999"})),
        "FSC",
    ),
    (
        "a number that is no text",
        |_| named(json!({"type": "number", "number": 6_565_550_390_u64})),
        "FSC",
    ),
    (
        "a number without an end",
        |_| named(json!({"type": "number", "number": "6".repeat(100_000)})),
        "FSC",
    ),
    (
        "an error that is no text",
        |_| {
            json!({"destination": pave(), "error": 7})
                .to_string()
                .into_response()
        },
        "FSC",
    ),
    (
        "an error beside a destination",
        |_| {
            json!({"destination": pave(), "error": "closed"})
                .to_string()
                .into_response()
        },
        "FSC",
    ),
    (
        "words that are no message",
        |_| {
            json!({"message": [{"content": WORDS}]})
                .to_string()
                .into_response()
        },
        "FSC",
    ),
    (
        "a destination with a refusal",
        |_| (StatusCode::INTERNAL_SERVER_ERROR, named(pave())).into_response(),
        "FSC",
    ),
    ("fields that nobody knows", |_| named(pave()), "PAVE"),
];

#[tokio::test]
async fn whatever_a_hand_over_is_answered_with_the_case_goes_where_it_may_and_ours_is_said() {
    let (receiver, answer) = answering().await;
    let server = start_server(&with_a_key()).await;
    let program = Program::of(&server);
    let ours = talked(&program, &receiver, &OF_A_NEED).await;
    for (what, odd, agency) in TO_A_HAND_OVER {
        *answer.lock().unwrap() = *odd;
        let last = talked(&program, &receiver, &OF_A_NEED).await;
        let transfer = json!({"mode": "cold", "agency": agency});
        assert_eq!(last["transfer"], transfer, "{what}");
        if *agency == "FSC" {
            assert_eq!(last["output"], ours["output"], "{what}");
        }
    }
}
