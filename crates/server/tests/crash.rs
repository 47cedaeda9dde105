//! The server is killed at moments drawn by lot, with calls going on in it, and started again: nothing that was answered
//! is lost, callers who come back are in the same conversation, and the calls of those who do not are given their end.
//!
//! The program itself, as it ships, in a process of its own. Callers write on their lines, so that what was said is known
//! to the letter.
#![allow(clippy::unwrap_used)]

mod support;

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use reqwest::StatusCode;
use serde_json::Value;
use support::Visitor;
use support::caller::SocketCaller;
use tokio_tungstenite::tungstenite::Error;

const ROUNDS: u64 = 5;
const CALLS_AT_ONCE: u64 = 10;
/// Nothing takes so long here.
const HANGS: Duration = Duration::from_secs(60);
/// Between a look and the next at what another process does.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

const LINES: [&str; 6] = [
    "Yes, I am alone",
    "It has been a long week at the office",
    "My mother is not well and I look after her",
    "I sleep badly these nights",
    "My sister does not help me",
    "I like to paint when there is time",
];

/// One server after another in one place, at one address.
struct Program<'a> {
    place: &'a Path,
    port: u16,
    process: Child,
}

impl<'a> Program<'a> {
    async fn start(place: &'a Path, port: u16) -> Self {
        let web = place.join("web");
        std::fs::create_dir_all(&web).unwrap();
        std::fs::write(
            web.join("index.html"),
            "<!doctype html><title>the app</title>",
        )
        .unwrap();
        let set = [
            ("LISTEN", format!("127.0.0.1:{port}")),
            ("MEDIA_BIND", String::from("127.0.0.1")),
            ("MEDIA_PORT", String::from("0")),
            ("DATABASE", support::database_in(place)),
            ("WEB_DIR", web.display().to_string()),
            ("VOICE", String::from("slt")),
            ("LIGHTER_VOICE", String::from("slt")),
            ("START_WAIT_SECONDS", String::from("0.2")),
            ("RETURN_WITHIN_SECONDS", String::from("5")),
            ("LOG", String::from("warn")),
        ];
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let process = Command::new(env!("CARGO_BIN_EXE_nightlight"))
            .arg("serve")
            .current_dir(root)
            .envs(set.map(|(key, value)| (format!("NIGHTLIGHT_{key}"), value)))
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut program = Self {
            place,
            port,
            process,
        };
        let visitor = Visitor::of(&program.url());
        let begun = Instant::now();
        while reqwest::get(format!("{}/health", visitor.url))
            .await
            .is_err()
        {
            assert!(
                program.process.try_wait().unwrap().is_none(),
                "it did not start"
            );
            assert!(begun.elapsed() < HANGS, "it does not answer");
            tokio::time::sleep(LOOK_AGAIN).await;
        }
        program
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// As the kernel does when memory is short, or a machine that is switched off: no warning.
    fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    async fn kill_and_start_again(mut self) -> Self {
        self.kill();
        let (place, port) = (self.place, self.port);
        Self::start(place, port).await
    }
}

impl Drop for Program<'_> {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A caller in mid-call.
struct Caller {
    visitor: Visitor,
    call: Value,
    /// What they wrote and were answered.
    answered: Vec<&'static str>,
    comes_back: bool,
}

impl Caller {
    async fn ring(url: &str, comes_back: bool) -> Self {
        let visitor = Visitor::of(url);
        let call = visitor.call().await;
        Self {
            visitor,
            call,
            answered: Vec::new(),
            comes_back,
        }
    }

    fn id(&self) -> &str {
        self.call["id"].as_str().unwrap()
    }

    /// Until the line breaks.
    async fn talk(&mut self) {
        let mut line = SocketCaller::join(&self.call).await;
        if line.until(speaks).await.is_none() {
            return;
        }
        for words in LINES {
            line.type_words(words).await;
            if line.until(speaks).await.is_none() {
                return;
            }
            // The reply is being spoken: the words are durable.
            self.answered.push(words);
        }
        while line.until(speaks).await.is_some() {}
    }

    /// Finds the conversation as it was, and hangs up. False if there was nothing durable to come back to.
    async fn come_back(&self) -> bool {
        let cookie = self.visitor.cookie();
        let begun = Instant::now();
        let mut line = loop {
            match SocketCaller::try_to_join(&self.call, cookie.as_deref()).await {
                Ok(line) => break line,
                Err(Error::Http(answer)) if answer.status() != StatusCode::SERVICE_UNAVAILABLE => {
                    return false;
                }
                // The server is not there yet.
                Err(_) => tokio::time::sleep(LOOK_AGAIN).await,
            }
            assert!(begun.elapsed() < HANGS, "nobody answers");
        };
        let says = |message: &Value, words: &str| {
            let transcript = message["transcript"].as_str();
            transcript.is_some_and(|said| said.contains(words))
        };
        let welcome = line
            .until(|message| says(message, "the line") || says(message, "The line"))
            .await;
        assert!(
            welcome.is_some(),
            "the caller hears that the line is back: {:?}",
            line.told
        );
        line.hang_up().await;
        true
    }

    async fn on_record(&self) -> Option<Value> {
        let path = format!("/api/getCallInfo?callId={}", self.id());
        let answer = self.visitor.get(&path).await;
        (answer.status() == StatusCode::OK).then_some(answer.json().await.unwrap())
    }

    async fn is_over(&self) -> Option<Value> {
        let begun = Instant::now();
        loop {
            let record = self.on_record().await?;
            if record["status"] == "ended" {
                return Some(record);
            }
            assert!(begun.elapsed() < HANGS, "the call never ends");
            tokio::time::sleep(LOOK_AGAIN).await;
        }
    }
}

/// The assistant begins to speak.
fn speaks(message: &Value) -> bool {
    message["type"] == "speech-update"
        && message["role"] == "assistant"
        && message["status"] == "started"
}

fn written_in(record: &Value) -> Vec<&str> {
    let messages = record["messages"].as_array().unwrap();
    messages
        .iter()
        .filter(|message| message["role"] == "user")
        .map(|message| message["message"].as_str().unwrap())
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_was_answered_is_lost_when_the_server_is_killed() {
    let place = tempfile::tempdir().unwrap();
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let mut program = Program::start(place.path(), port).await;
    let (mut answered, mut resumed, mut given_up) = (0, 0, 0);
    for round in 0..ROUNDS {
        let mut lot = StdRng::seed_from_u64(round);
        let mut callers = Vec::new();
        for number in 0..CALLS_AT_ONCE {
            // One in five does not come back.
            callers.push(Caller::ring(&program.url(), number % 5 != 4).await);
        }
        let moment = Duration::from_millis(lot.random_range(200..9_000));
        let talks = callers.into_iter().map(|mut caller| {
            tokio::spawn(async move {
                caller.talk().await;
                let returned = caller.comes_back && caller.come_back().await;
                (caller, returned)
            })
        });
        let talks: Vec<_> = talks.collect();
        tokio::time::sleep(moment).await;
        program = program.kill_and_start_again().await;
        for talk in talks {
            let (caller, returned) = talk.await.unwrap();
            let Some(record) = caller.is_over().await else {
                assert!(
                    caller.answered.is_empty(),
                    "killed after {moment:?}, a call is gone"
                );
                continue;
            };
            let written = written_in(&record);
            assert!(
                written.starts_with(&caller.answered),
                "killed after {moment:?}: of {:?} there is {written:?}",
                caller.answered
            );
            // At most the turn that was on its way.
            assert!(written.len() <= caller.answered.len() + 1, "{written:?}");
            let reason = if returned {
                "customer-ended-call"
            } else {
                "worker-shutdown"
            };
            assert_eq!(record["endedReason"], reason, "killed after {moment:?}");
            if !returned {
                let steps = record["structuredData"]["follow_up"].as_str().unwrap();
                assert!(steps.starts_with("Call back"), "{steps}");
            }
            answered += caller.answered.len();
            resumed += usize::from(returned);
            given_up += usize::from(!returned);
        }
    }
    assert!(
        answered > 80 && resumed > 30 && given_up >= 8,
        "{answered} {resumed} {given_up}"
    );
}
