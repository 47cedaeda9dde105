//! Of several officers on one call, which said what: the desk is told, and nobody else.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use desk::Role;
use flow::Agency;
use redact::Secret;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use speech::{FliteVoice, Standing, TranscribeError, Transcriber, Voice};

use super::live_calls::path;
use super::on_hold::str0m_client::Connected;
use super::on_hold::{comes_on, comes_to};
use crate::support::caller::SocketCaller;
use crate::support::officer::{DeskEvents, Officer};
use crate::support::program::{Program, with_a_key};
use crate::support::start_server_hearing;

const FIRST: &str = "I am the first who is with you";
const SECOND: &str = "and I am the second";
const THIRD: &str = "then I leave you two alone";

/// Far longer than anybody speaks here.
const PATIENCE: Duration = Duration::from_secs(30);

/// Hears these words in any sound.
struct Ears(Mutex<&'static str>);

#[async_trait]
impl Transcriber for Ears {
    async fn transcribe(
        &self,
        _: Arc<[i16]>,
        _: Standing,
    ) -> Result<Secret<String>, TranscribeError> {
        let words = *self.0.lock().unwrap();
        Ok(Secret::new(words.to_owned()))
    }
}

/// Comes onto a call's line, and says nothing yet.
async fn comes_on_silently(officer: &Officer, id: &str, way: &str) -> Connected {
    let line = comes_on(officer, id, way).await;
    line.speak(Vec::new());
    line
}

/// Somebody says this on their line; gives what who has the call open at the desk is told.
async fn says(
    ears: &Ears,
    line: &Connected,
    open: &mut DeskEvents,
    words: &'static str,
) -> [Value; 2] {
    *ears.0.lock().unwrap() = words;
    let voice = FliteVoice::named("rms").unwrap();
    let something = Secret::new(String::from("hello this is a duty officer"));
    line.speak(voice.speak(something).collect().await.unwrap());
    let caption = async {
        loop {
            let caption = open.next("caption").await;
            if caption["text"] == words {
                return caption;
            }
        }
    };
    let caption = tokio::time::timeout(PATIENCE, caption).await;
    let caption = caption.unwrap_or_else(|_| panic!("no caption says: {words}"));
    ["speaker", "officer"].map(|field| caption[field].clone())
}

/// Each line of an officer's, with their name. A breath may have made two of one.
fn of_officers(said: &Value) -> Vec<[&str; 2]> {
    let lines = said.as_array().unwrap().iter();
    let of_officers = lines.filter(|it| it["speaker"] == "officer");
    let mut told: Vec<[&str; 2]> = of_officers
        .map(|it| ["officer", "text"].map(|field| it[field].as_str().unwrap()))
        .collect();
    told.dedup();
    told
}

#[tokio::test]
async fn the_desk_is_told_which_officer_speaks_and_neither_the_caller_nor_a_program_is() {
    let ears = Arc::new(Ears(Mutex::new("")));
    let hearing = Arc::clone(&ears) as Arc<dyn Transcriber>;
    let server = start_server_hearing(&with_a_key(), hearing).await;
    let mei = Officer::signed_in(&server, "meiling", Role::Officer, &[Agency::Sos]).await;
    let sam = Officer::signed_in(&server, "samuel", Role::Supervisor, &[]).await;
    let (mut desk, _desk_of_sam) = (mei.on_duty().await, sam.on_duty().await);
    let visitor = server.visitor();
    let call = visitor.call().await;
    let id = call["id"].as_str().unwrap().to_owned();
    let mut caller = SocketCaller::join(&call).await;
    caller.send(json!({"type": "playable"})).await;
    caller.until_the_assistant_has_spoken().await;
    caller.type_words("I don't want to live any more").await;
    // They listen all the while.
    let caller = tokio::spawn(async move {
        let told = caller.until(|told| told["transcript"] == THIRD).await;
        (told, caller)
    });

    desk.next("ringing").await;
    let accepted = mei.post(&path(&id, "accept")).await;
    assert_eq!(accepted.status(), StatusCode::NO_CONTENT);
    let line_of_mei = comes_on_silently(&mei, &id, "line").await;
    let ready = mei.post(&path(&id, "ready")).await;
    assert_eq!(ready.status(), StatusCode::NO_CONTENT);
    comes_to(&mut desk, "officer").await;
    let mut open = mei.opens(&id).await;
    let [of_mei, of_sam] = ["meiling", "samuel"].map(|name| [json!("officer"), json!(name)]);
    let first = says(&ears, &line_of_mei, &mut open, FIRST).await;
    assert_eq!(first, of_mei);
    let line_of_sam = comes_on_silently(&sam, &id, "listening").await;
    let taken = sam.post(&path(&id, "take-over")).await;
    assert_eq!(taken.status(), StatusCode::NO_CONTENT);
    while desk.next("call").await["officer"] != "samuel" {}
    let second = says(&ears, &line_of_sam, &mut open, SECOND).await;
    assert_eq!(second, of_sam);
    let third = says(&ears, &line_of_mei, &mut open, THIRD).await;
    assert_eq!(third, of_mei);

    let said = [["meiling", FIRST], ["samuel", SECOND], ["meiling", THIRD]];
    let live = mei.get_json(&format!("/api/desk/live/{id}")).await;
    assert_eq!(of_officers(&live["captions"]), said);
    let (told, caller) = caller.await.unwrap();
    let of_an_officer = json!({
        "type": "transcript", "role": "officer", "transcriptType": "final", "transcript": THIRD
    });
    assert_eq!(told, Some(of_an_officer));

    let left = sam.post(&path(&id, "leave")).await;
    assert_eq!(left.status(), StatusCode::NO_CONTENT);
    while desk.next("case").await["callId"] != id.as_str() {}
    let case = mei.get_json(&format!("/api/desk/cases/{id}")).await;
    assert_eq!(of_officers(&case["messages"]), said);

    let of_program = Program::of(&server).get_json(&format!("/call/{id}")).await;
    let own = visitor.get_json("/api/getCallInfo").await;
    let asked = sam.request(Method::POST, "/api/desk/access-request");
    let asked = asked.json(&json!({"callId": id})).send().await.unwrap();
    let file: Value = asked.json().await.unwrap();
    let on_record = [of_program, own, file].map(|told| told.to_string());
    for told in &on_record {
        assert!(told.contains(r#""role":"officer""#), "{told}");
        assert!(told.contains(SECOND), "{told}");
    }
    let team = [
        "meiling",
        "samuel",
        &mei.id.to_string(),
        &sam.id.to_string(),
    ];
    for told in on_record.iter().chain(&caller.told) {
        for who in team {
            assert!(!told.contains(who), "{who}: {told}");
        }
    }
}
