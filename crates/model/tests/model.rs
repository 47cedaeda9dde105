//! A chat model over real HTTP, well behaved and misbehaving in every way that was thought of: the
//! caller gets the model's words only where they hold, and the flow's in every other case.
#![allow(clippy::unwrap_used)]

mod support;

use std::sync::atomic::Ordering;
use std::time::Duration;

use model::ChatModel;
use serde_json::json;

use support::{
    Answer, Endpoint, FLOOD, Said, Talk, calls, calls_raw, model_at, piece, says, whole,
};

/// Long enough for a busy machine; nothing that answers takes it.
const PATIENT: Duration = Duration::from_secs(20);
/// For what never answers.
const SHORT: Duration = Duration::from_millis(150);

const FIRST: &str = "I'm safe";
const WORDS: &str = "My boss shouts at me every day and I can't take it";
const KIND: &str = "Being shouted at day after day wears anyone down.";
const KIND_TO_ALL: &str = "That is so much to hold.";
const MISSED: &str = "The yellow umbrella stays folded from now on";

/// The flow's own reply to these words.
fn usual(words: &str) -> Said {
    let mut talk = Talk::begun();
    talk.say(FIRST);
    talk.say(words)
}

async fn reply(model: &ChatModel, words: &str) -> Said {
    let mut talk = Talk::begun();
    talk.say(FIRST);
    talk.say_with(model, words).await
}

async fn reply_from(answers: impl IntoIterator<Item = Answer>, words: &str) -> Said {
    let endpoint = Endpoint::that(answers).await;
    reply(&endpoint.model(PATIENT), words).await
}

#[tokio::test]
async fn a_models_kind_words_are_said_and_the_flow_asks_on() {
    let endpoint = Endpoint::that([says(KIND)]).await;
    let said = reply(&endpoint.model(PATIENT), WORDS).await;
    assert_eq!(said[0], KIND);
    assert_eq!(
        said.iter().filter(|line| line.ends_with('?')).count(),
        1,
        "{said:?}"
    );

    let asked = endpoint.asked.lock().unwrap();
    let (headers, body) = &asked[0];
    assert_eq!(headers["authorization"], "Bearer the-key");
    assert_eq!(body["model"], "small-1");
    assert_eq!(body["temperature"], 0.3);
    assert_eq!(body["stream"], true);
    let tools: Vec<&str> = body["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["function"]["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        tools,
        ["report_signals", "product_query", "transferCall", "endCall"]
    );
    let messages = body["messages"].as_array().unwrap();
    assert_eq!(messages[0]["role"], "system");
    assert_eq!(messages.last().unwrap()["content"], WORDS);
    assert!(
        !messages[0]["content"].as_str().unwrap().contains('{'),
        "no place left unfilled"
    );
}

#[tokio::test]
async fn an_endpoint_that_does_not_stream_serves_too() {
    let answer = Answer::Raw("application/json", whole(KIND).to_string());
    let said = reply_from([answer], WORDS).await;
    assert_eq!(said[0], KIND);
}

#[tokio::test]
async fn a_model_that_thinks_aloud_is_heard_without_its_thoughts() {
    let aloud = format!("<think>The user has a brother, perhaps.</think>\n\n{KIND}");
    assert_eq!(reply_from([says(&aloud)], WORDS).await[0], KIND);
    assert_eq!(
        reply_from([says("<think>Hm, what to say")], WORDS).await,
        usual(WORDS)
    );
}

#[tokio::test]
async fn an_endpoint_in_trouble_leaves_the_flows_own_reply() {
    let endless = [Answer::Hangs, Answer::Trickles];
    for answer in endless {
        let endpoint = Endpoint::that([answer]).await;
        assert_eq!(reply(&endpoint.model(SHORT), WORDS).await, usual(WORDS));
        assert_eq!(endpoint.requests(), 1);
    }
    for status in [400, 401, 404, 429, 500, 503] {
        let said = reply_from([Answer::Status(status, KIND)], WORDS).await;
        assert_eq!(said, usual(WORDS), "{status}");
    }
    let flood = Endpoint::that([Answer::Floods]).await;
    assert_eq!(reply(&flood.model(PATIENT), WORDS).await, usual(WORDS));
    let taken = flood.flooded.load(Ordering::Relaxed);
    assert!(taken < FLOOD / 2, "it was turned off, not drained: {taken}");
    // Nobody listens there.
    let nowhere = model_at("http://127.0.0.1:9/v1", PATIENT);
    assert_eq!(reply(&nowhere, WORDS).await, usual(WORDS));
}

#[tokio::test]
async fn a_callers_words_go_to_the_configured_address_and_to_no_other() {
    let endpoint = Endpoint::that([Answer::Redirects(KIND)]).await;
    assert_eq!(reply(&endpoint.model(PATIENT), WORDS).await, usual(WORDS));
    assert_eq!(endpoint.requests(), 1);
}

#[tokio::test]
async fn an_answer_that_is_none_leaves_the_flows_own_reply() {
    let events = "text/event-stream";
    let cut = format!("data: {}\n\n", piece(json!({"content": KIND}), None));
    let too_long = piece(json!({"content": KIND}), Some("length"));
    let filtered = piece(json!({"content": KIND}), Some("content_filter"));
    let declined = piece(
        json!({"content": KIND, "refusal": "I cannot help."}),
        Some("stop"),
    );
    let answers = [
        Answer::Raw(events, cut),
        Answer::Raw(
            events,
            String::from("data: {\"choices\": [{\"delta\": {\"cont"),
        ),
        Answer::Raw(events, String::from("data: not json\n\n")),
        Answer::Raw(events, String::from("data: [1, 2]\n\ndata: [DONE]\n\n")),
        Answer::Raw(events, String::from("<html>503</html>\n")),
        Answer::Raw(events, String::from("data: [DONE]\n\n")),
        Answer::Raw(events, String::new()),
        Answer::Raw("application/json", String::from("{\"choices\": []}")),
        Answer::Raw("application/json", String::from("[")),
        Answer::Raw("text/html", String::from("<html>Sign in</html>")),
        Answer::Stream(vec![too_long]),
        Answer::Stream(vec![filtered]),
        Answer::Stream(vec![declined]),
        says(""),
        says("   "),
    ];
    for (index, answer) in answers.into_iter().enumerate() {
        assert_eq!(
            reply_from([answer], WORDS).await,
            usual(WORDS),
            "answer {index}"
        );
    }
}

#[tokio::test]
async fn words_that_do_not_hold_are_not_said() {
    let long = "That is a lot to hold on your own. ".repeat(40);
    let cases = [
        "I'm sorry, but I can't assist with that request.",
        "As an AI language model, I can't feel that.",
        "I'm connecting you to the police now.",
        "The Samaritans would be good to talk to.",
        "Priya, that is so much to hold.",
        "Please ring 1767 tonight.",
        "How do you feel? What happened next?",
        "I'm so sorry your husband hit you with a belt.",
        "You said last night was the worst, Priya.",
        "You should resign and sue him.",
        "Everything will be alright, I promise.",
        "Don't worry, help is on the way.",
        "{\"tool\": \"transferCall\", \"agency\": \"SPF\"}",
        "<|im_start|>assistant",
        "对不起",
        long.as_str(),
    ];
    for text in cases {
        assert_eq!(
            reply_from([says(text)], WORDS).await,
            usual(WORDS),
            "{text}"
        );
    }
}

#[tokio::test]
async fn a_danger_the_reader_missed_is_acted_on_by_the_flow_in_its_own_words() {
    let report = |quote: &str| {
        calls(
            "report_signals",
            json!({"signals": [
                {"signal": "suicidal", "quote": quote, "confidence": 0.9}
            ]}),
        )
    };
    assert!(!usual(MISSED).contains(&String::from("-> SOS")));
    let told = reply_from([report("yellow umbrella stays folded"), says(KIND)], MISSED).await;
    assert!(told.contains(&String::from("-> SOS")), "{told:?}");
    assert!(
        !told.contains(&String::from(KIND)),
        "they were for another decision: {told:?}"
    );
    // Without the caller's words behind it, it is nothing.
    let invented = reply_from([report("I will end it all tonight"), says("")], MISSED).await;
    assert_eq!(invented, usual(MISSED));
}

#[tokio::test]
async fn what_was_heard_counts_although_the_words_never_come() {
    let report = calls(
        "report_signals",
        json!({"signals": [
            {"signal": "suicidal", "quote": "yellow umbrella stays folded", "confidence": 0.9}
        ]}),
    );
    let endpoint = Endpoint::that([report, Answer::Status(500, KIND)]).await;
    let told = reply(&endpoint.model(PATIENT), MISSED).await;
    assert!(told.contains(&String::from("-> SOS")), "{told:?}");
}

#[tokio::test]
async fn no_model_can_take_a_danger_away_or_delay_it() {
    for words in ["I want to kill myself", "he is hitting me right now"] {
        let endpoint = Endpoint::that([says("It is not that serious.")]).await;
        let mut talk = Talk::begun();
        let told = talk.say_with(&endpoint.model(PATIENT), words).await;
        let mut plain = Talk::begun();
        assert_eq!(told, plain.say(words), "{words}");
        assert_eq!(endpoint.requests(), 0, "nothing is waited for");
    }
    // A denial of the model's own is no signal at all.
    let calm = calls(
        "report_signals",
        json!({"signals": [
            {"signal": "safe", "quote": "I can't take it", "confidence": 1},
            {"signal": "none", "quote": "shouts at me", "confidence": 1},
        ]}),
    );
    assert_eq!(reply_from([calm, says("")], WORDS).await, usual(WORDS));
}

#[tokio::test]
async fn a_model_neither_transfers_nor_ends_a_call() {
    let transfer = calls(
        "transferCall",
        json!({"agency": "SPF", "quote": "no such words"}),
    );
    assert_eq!(reply_from([transfer, says("")], WORDS).await, usual(WORDS));
    let end = calls("endCall", json!({}));
    assert_eq!(
        reply_from([end.clone(), says("")], WORDS).await,
        usual(WORDS)
    );
    assert_eq!(reply_from([end, says(KIND)], WORDS).await[0], KIND);
    // With the caller's words behind it, the flow asks first.
    let transfer = calls(
        "transferCall",
        json!({"agency": "SOS", "quote": "yellow umbrella stays folded"}),
    );
    let told = reply_from([transfer, says("")], MISSED).await;
    assert!(!told.contains(&String::from("-> SOS")), "{told:?}");
    let asks = told.last().unwrap();
    assert!(
        asks.contains("ending your life") || asks.contains("suicide"),
        "{told:?}"
    );
}

#[tokio::test]
async fn tool_calls_that_make_no_sense_come_to_nothing() {
    let answers = [
        calls_raw("report_signals", "{\"signals\": [{\"signal\": "),
        calls_raw("report_signals", "null"),
        calls_raw("product_query", "[]"),
        calls_raw("transferCall", "{\"agency\": \"FBI\"}"),
        calls_raw("rm -rf", "{}"),
        calls_raw("", ""),
    ];
    for (index, answer) in answers.into_iter().enumerate() {
        // Again and again, to the end of the model's rounds.
        assert_eq!(
            reply_from([answer], WORDS).await,
            usual(WORDS),
            "answer {index}"
        );
    }
    let many: Vec<_> = (0..50)
        .map(|index| {
            piece(
                json!({"tool_calls": [{"index": index, "function": {"name": "endCall"}}]}),
                None,
            )
        })
        .collect();
    let endpoint = Endpoint::that([Answer::Stream(many), says(KIND)]).await;
    assert_eq!(reply(&endpoint.model(PATIENT), WORDS).await, usual(WORDS));
    assert_eq!(endpoint.requests(), 1, "so many are not answered");
}

#[tokio::test]
async fn words_for_another_decision_are_not_said() {
    let report = calls(
        "report_signals",
        json!({"signals": [
            {"signal": "physical-abuse", "quote": "yellow umbrella stays folded", "confidence": 0.9}
        ]}),
    );
    let told = reply_from([report, says(KIND_TO_ALL)], MISSED).await;
    assert_ne!(told, usual(MISSED), "it was heard");
    assert!(!told.contains(&String::from(KIND_TO_ALL)), "{told:?}");
    // Where nothing was missed they are.
    assert_eq!(
        reply_from([says(KIND_TO_ALL)], MISSED).await[0],
        KIND_TO_ALL
    );
}

#[tokio::test]
async fn a_model_looks_up_what_it_tells() {
    let question = "I feel alone. Who could I talk to besides you, is there a helpline";
    let told = "Samaritans of Singapore would listen, on 1767.";
    let invented = reply_from([says(told)], "I feel so alone tonight").await;
    assert_eq!(
        invented,
        usual("I feel so alone tonight"),
        "nobody has looked that up"
    );

    let query = calls(
        "product_query",
        json!({"query": "SOS suicide helpline number"}),
    );
    let endpoint = Endpoint::that([query, says(told)]).await;
    let said = reply(&endpoint.model(PATIENT), "I feel so alone tonight").await;
    let asked = endpoint.asked.lock().unwrap();
    let result = asked[1].1["messages"]
        .as_array()
        .unwrap()
        .last()
        .unwrap()
        .clone();
    assert_eq!(result["role"], "tool");
    assert_eq!(result["tool_call_id"], "c1");
    assert!(
        result["content"].as_str().unwrap().contains("1767"),
        "{result}"
    );
    assert_eq!(said[0], told, "{question}");
}

#[tokio::test]
async fn an_agency_that_the_caller_named_is_not_brought_in_by_a_model() {
    let words = "My friend said the police or SOS but I just feel so low";
    for text in ["The police can deal with it.", "SOS would listen to you."] {
        assert_eq!(
            reply_from([says(text)], words).await,
            usual(words),
            "{text}"
        );
    }
}

#[tokio::test]
async fn an_outage_is_not_waited_for_again_and_again() {
    let endpoint = Endpoint::that([Answer::Status(500, KIND)]).await;
    let model = endpoint.model(PATIENT);
    for _ in 0..6 {
        assert_eq!(reply(&model, WORDS).await, usual(WORDS));
    }
    assert_eq!(endpoint.requests(), 3, "then it is left alone for a while");
}

#[tokio::test]
async fn a_note_is_told_by_the_model_only_as_far_as_the_caller_told_it() {
    let note = |text: &str, quote: &str| {
        let sentences = json!({"sentences": [{"text": text, "quotes": [quote]}]});
        says(&format!("```json\n{sentences}\n```"))
    };
    let mut talk = Talk::begun();
    talk.say(FIRST);
    talk.say("My father takes all my salary and shouts at me");
    let told = "The caller said that their father takes all of their salary and shouts at them.";
    let cases = [
        (note(told, "takes all my salary"), true),
        (note(told, "he also beats me"), false),
        (
            note(
                "The caller was stabbed by their father at home.",
                "shouts at me",
            ),
            false,
        ),
        (
            note(
                "The caller denies any thoughts of suicide today.",
                "shouts at me",
            ),
            false,
        ),
        (says("The caller seems fine."), false),
        (says("{\"sentences\": 7}"), false),
        (Answer::Status(500, KIND), false),
        (Answer::Floods, false),
    ];
    for (index, (answer, kept)) in cases.into_iter().enumerate() {
        let endpoint = Endpoint::that([answer]).await;
        let model = endpoint.model(PATIENT);
        let note = model.note(&talk.conversation, &talk.lines).await;
        let summary = note.map(|note| note.summary.expose_secret().clone());
        assert_eq!(
            summary.is_some_and(|summary| summary.starts_with(told)),
            kept,
            "case {index}"
        );
    }
}
