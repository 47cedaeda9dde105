//! The server is killed at moments drawn by lot, with calls going on in it, and started again: nothing that was answered
//! is lost, callers who come back are in the same conversation, and the calls of those who do not are given their end.
//!
//! Where there is another node on the same database, they go on there, without waiting for the first to start again.
//!
//! The program itself, as it ships, in a process of its own. Most callers write on their lines, so that what was said is known
//! to the letter; of those who speak, what they were told that was heard.
#![allow(clippy::unwrap_used)]

#[path = "crash/running_short.rs"]
mod running_short;
mod support;

use std::fs::File;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::Arc;
use std::time::{Duration, Instant};

use postgres_for_tests::PostgresServer;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use redact::Secret;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use speech::{FliteVoice, Voice};
use sqlx::ConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use support::Visitor;
use support::caller::SocketCaller;
use support::pitch;
use support::program::PRIVATE_KEY;
use support::receiver::MessageReceiver;
use tokio_tungstenite::tungstenite::Error;

const ROUNDS: u32 = 10;
const CALLS_AT_ONCE: usize = 5;
/// No call of a round is further when its server is killed. Each round has its own tenth of that time, and the moment in it is
/// drawn by lot.
const LONGEST: Duration = Duration::from_secs(5);
/// A call has begun by then.
const EARLIEST: Duration = Duration::from_millis(200);
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

/// What the program has to say, beside its database.
const LOG: &str = "log";

/// One server after another in one place, at one address.
struct Program<'a> {
    place: &'a Path,
    port: u16,
    process: Child,
}

impl<'a> Program<'a> {
    async fn start(place: &'a Path, port: u16) -> Self {
        Self::start_on(place, port, &support::database_in(place)).await
    }

    async fn start_on(place: &'a Path, port: u16, database: &str) -> Self {
        Self::start_after("", place, port, database).await
    }

    /// In a shell that does something first, such as to set a limit.
    async fn start_after(first: &str, place: &'a Path, port: u16, database: &str) -> Self {
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
            ("DATABASE", database.to_owned()),
            ("WEB_DIR", web.display().to_string()),
            ("VOICE", String::from("slt")),
            ("LIGHTER_VOICE", String::from("slt")),
            ("START_WAIT_SECONDS", String::from("0.2")),
            ("RETURN_WITHIN_SECONDS", String::from("2")),
            ("LOG", String::from("warn")),
            ("PRIVATE_KEY", String::from(PRIVATE_KEY)),
        ];
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let process = Command::new("sh")
            .args(["-c", &format!("{first} exec \"$0\" serve")])
            .arg(env!("CARGO_BIN_EXE_nightlight"))
            .current_dir(root)
            .envs(set.map(|(key, value)| (format!("NIGHTLIGHT_{key}"), value)))
            .stderr(File::create(place.join(LOG)).unwrap())
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
    /// What they said and were answered.
    answered: Vec<String>,
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

    /// The same caller, led to another node.
    fn at(self, url: &str) -> Self {
        let from = self.visitor.url.trim_start_matches("http");
        let to = url.trim_start_matches("http");
        let call = self.call.to_string().replace(from, to);
        Self {
            call: serde_json::from_str(&call).unwrap(),
            visitor: self.visitor.at(url),
            ..self
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
            self.answered.push(words.to_owned());
        }
        while line.until(speaks).await.is_some() {}
    }

    /// Until the line breaks, aloud.
    async fn talk_aloud(&mut self, sentence: &[i16]) {
        let mut line = SocketCaller::join(&self.call).await;
        if line.until(speaks).await.is_some() {
            while line.try_to_speak(sentence).await.is_ok()
                && line.until(heard_the_caller).await.is_some()
            {}
        }
        line.until(|_| false).await;
        let told = line.told.iter().filter_map(|text| {
            let message: Value = serde_json::from_str(text).ok()?;
            let heard = heard_the_caller(&message).then(|| message["transcript"].as_str())?;
            heard.map(str::to_owned)
        });
        // Told when the reply begins: the words are durable.
        self.answered.extend(told);
    }

    /// Finds the conversation as it was, and hangs up. False if there was nothing durable to come back to.
    async fn come_back(&self) -> bool {
        let Some(line) = self.find_a_line().await else {
            return false;
        };
        self.hear_that_the_line_is_back(line).await;
        true
    }

    async fn find_a_line(&self) -> Option<SocketCaller> {
        let cookie = self.visitor.cookie();
        let begun = Instant::now();
        loop {
            match SocketCaller::try_to_join(&self.call, cookie.as_deref()).await {
                Ok(line) => return Some(line),
                Err(Error::Http(answer)) if answer.status() != StatusCode::SERVICE_UNAVAILABLE => {
                    return None;
                }
                // The server is not there yet, or waits for the one that had the call.
                Err(_) => tokio::time::sleep(LOOK_AGAIN).await,
            }
            assert!(begun.elapsed() < HANGS, "nobody answers");
        }
    }

    async fn hear_that_the_line_is_back(&self, mut line: SocketCaller) {
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
    }

    /// Whether what was answered is there, and at most the turn that was on its way besides.
    fn finds_in(&self, record: &Value) -> bool {
        let written = written_in(record);
        begins_with(&written, &self.answered) && written.len() <= self.answered.len() + 1
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

/// What the caller said is told as it is on record.
fn heard_the_caller(message: &Value) -> bool {
    message["type"] == "transcript"
        && message["role"] == "user"
        && message["transcriptType"] == "final"
}

fn written_in(record: &Value) -> Vec<&str> {
    let messages = record["messages"].as_array().unwrap();
    messages
        .iter()
        .filter(|message| message["role"] == "user")
        .map(|message| message["message"].as_str().unwrap())
        .collect()
}

fn begins_with(written: &[&str], answered: &[String]) -> bool {
    let first = written.iter().copied().take(answered.len());
    first.eq(answered.iter().map(String::as_str))
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_was_answered_is_lost_when_the_server_is_killed() {
    let place = tempfile::tempdir().unwrap();
    let mut program = Program::start(place.path(), free_port()).await;
    let voice = FliteVoice::named("rms").unwrap();
    let mut sentence = voice
        .speak(Secret::new(LINES[4].to_owned()))
        .collect()
        .await
        .unwrap();
    // Until the end is heard.
    sentence.extend(vec![0; 16_000 / 2]);
    let sentence: Arc<[i16]> = sentence.into();
    let (mut answered, mut resumed, mut answered_aloud) = (0, 0, 0);
    // Those who did not come back: their calls are given their end in time, whatever happens to the server meanwhile.
    let mut gone = Vec::new();
    for round in 0..ROUNDS {
        let mut lot = StdRng::seed_from_u64(round.into());
        let mut callers = Vec::new();
        for number in 0..CALLS_AT_ONCE {
            // One in five does not come back.
            callers.push(Caller::ring(&program.url(), number % 5 != 4).await);
        }
        let tenth = LONGEST / ROUNDS;
        let moment = EARLIEST + tenth * round + tenth.mul_f64(lot.random());
        let talks = callers.into_iter().enumerate().map(|(number, mut caller)| {
            let sentence = Arc::clone(&sentence);
            tokio::spawn(async move {
                match number {
                    0 => caller.talk_aloud(&sentence).await,
                    _ => caller.talk().await,
                }
                let returned = caller.comes_back && caller.come_back().await;
                (number, caller, returned)
            })
        });
        let talks: Vec<_> = talks.collect();
        tokio::time::sleep(moment).await;
        program = program.kill_and_start_again().await;
        for talk in talks {
            let (number, caller, returned) = talk.await.unwrap();
            if number == 0 {
                answered_aloud += caller.answered.len();
            }
            if returned {
                let record = caller.is_over().await.unwrap();
                assert!(caller.finds_in(&record), "killed after {moment:?}");
                assert_eq!(record["endedReason"], "customer-ended-call");
                answered += caller.answered.len();
                resumed += 1;
            } else {
                gone.push(caller);
            }
        }
    }
    let mut given_up = 0;
    for caller in gone {
        let Some(record) = caller.is_over().await else {
            assert!(caller.answered.is_empty(), "a call is gone");
            continue;
        };
        assert!(caller.finds_in(&record));
        assert_eq!(record["endedReason"], "worker-shutdown");
        let steps = record["structuredData"]["follow_up"].as_str().unwrap();
        assert!(steps.starts_with("Call back"), "{steps}");
        answered += caller.answered.len();
        given_up += 1;
    }
    assert!(
        answered > 60 && answered_aloud >= 1 && resumed > 30 && given_up >= 8,
        "{answered} {answered_aloud} {resumed} {given_up}"
    );
}

/// From the moment its node is gone until a call is joined on another.
const RESUMED_WITHIN: Duration = Duration::from_secs(5);

#[tokio::test(flavor = "multi_thread")]
async fn a_call_goes_on_at_another_node_when_its_own_is_killed() {
    let database = PostgresServer::shared().database();
    let places = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let mut first = Program::start_on(places[0].path(), free_port(), &database).await;
    let second = Program::start_on(places[1].path(), free_port(), &database).await;
    let mut caller = Caller::ring(&first.url(), true).await;
    let looking = caller.visitor.also_at(&second.url());
    let info = format!("/api/getCallInfo?callId={}", caller.id());
    let talk = tokio::spawn(async move {
        caller.talk().await;
        caller
    });
    // Seen on the other node: each turn is there for all.
    let mut said = 0;
    while said < 3 {
        tokio::time::sleep(LOOK_AGAIN).await;
        let answer = looking.get(&info).await;
        if answer.status() == StatusCode::OK {
            said = written_in(&answer.json().await.unwrap()).len();
        }
    }
    first.kill();
    let killed = Instant::now();
    let caller = talk.await.unwrap().at(&second.url());
    let line = caller.find_a_line().await.unwrap();
    let took = killed.elapsed();
    assert!(took < RESUMED_WITHIN, "{took:?}");
    caller.hear_that_the_line_is_back(line).await;
    let record = caller.is_over().await.unwrap();
    assert_eq!(record["endedReason"], "customer-ended-call");
    assert!(begins_with(&written_in(&record), &caller.answered));
    assert!(caller.answered.len() >= 2, "{:?}", caller.answered);
}

/// What a program makes, asked for by a browser.
async fn made(visitor: &Visitor, path: &str, body: Value) -> Value {
    let request = visitor.request(Method::POST, path);
    let request = request.bearer_auth(PRIVATE_KEY).json(&body);
    let answer = visitor.send(request).await;
    assert_eq!(answer.status(), StatusCode::CREATED, "{path}");
    answer.json().await.unwrap()
}

/// Until so many server messages, and ends to be told of, are stored.
async fn messages_wait(place: &Path, count: i64) {
    let options: SqliteConnectOptions = support::database_in(place).parse().unwrap();
    let mut database = options.connect().await.unwrap();
    let begun = Instant::now();
    let stored = "SELECT count(*) FROM resources WHERE kind = 'server-message'";
    while sqlx::query_scalar::<_, i64>(stored)
        .fetch_one(&mut database)
        .await
        .unwrap()
        < count
    {
        assert!(begun.elapsed() < HANGS, "they are not stored");
        tokio::time::sleep(LOOK_AGAIN).await;
    }
}

const HELLO: &str = "hello";

fn over_the_socket(assistant: &Value) -> Value {
    json!({"assistantId": assistant["id"], "transport": {"provider": "vapi.websocket"}})
}

/// A call has another voice where its own is not ready within a second, as in a busy test or right after a start.
async fn until_that_voice_is_ready(visitor: &Visitor) {
    let assistant = json!({"name": "Trial", "voice": {"provider": "flite", "voiceId": "rms"}});
    let assistant = made(visitor, "/assistant", assistant).await;
    let begun = Instant::now();
    loop {
        let call = made(visitor, "/call", over_the_socket(&assistant)).await;
        let mut line = SocketCaller::join(&call).await;
        line.until_the_assistant_has_spoken().await;
        if pitch::heard_of(&line.heard, ["rms", "slt"]).await == "rms" {
            return;
        }
        assert!(begun.elapsed() < HANGS, "it is never ready");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_programs_own_assistant_is_still_the_one_that_answers_when_its_server_was_killed() {
    let receiver = MessageReceiver::start().await;
    let place = tempfile::tempdir().unwrap();
    let program = Program::start(place.path(), free_port()).await;
    let visitor = Visitor::of(&program.url());
    let assistant = json!({
        "name": "Night line", "voice": {"provider": "flite", "voiceId": "rms"},
        "server": {"url": receiver.url()},
        "serverMessages": ["status-update", "assistant.started", "conversation-update", "end-of-call-report"],
    });
    let assistant = made(&visitor, "/assistant", assistant).await;
    until_that_voice_is_ready(&visitor).await;
    let call = made(&visitor, "/call", over_the_socket(&assistant)).await;
    let caller = Caller {
        visitor,
        call,
        answered: Vec::new(),
        comes_back: true,
    };

    // Nothing is delivered before the server is killed.
    receiver.holds_back();
    let mut line = SocketCaller::join(&caller.call).await;
    line.until_the_assistant_has_spoken().await;
    line.type_words(HELLO).await;
    line.until(speaks).await.unwrap();
    assert_eq!(pitch::heard_of(&line.heard, ["rms", "slt"]).await, "rms");
    // That it is under way, who answers, the greeting, hello; and the end, which is yet to come.
    messages_wait(place.path(), 5).await;
    let before = receiver.received().len();

    let (_program, line) = tokio::join!(program.kill_and_start_again(), caller.find_a_line());
    receiver.lets_go();
    let mut line = line.unwrap();
    line.until_the_assistant_has_spoken().await;
    line.type_words("Yes, I am safe").await;
    line.until_the_assistant_has_spoken().await;
    line.send(json!({"type": "end-call"})).await;
    line.until(|_| false).await;
    let record = caller.is_over().await.unwrap();
    assert_eq!(record["endedReason"], "customer-ended-call");

    let says = |one: &Value| {
        one["messages"].as_array()?.last()?["message"]
            .as_str()
            .map(str::to_owned)
    };
    for waited in [
        "in-progress",
        "assistant.started",
        HELLO,
        "ended",
        "end-of-call-report",
    ] {
        receiver
            .until_after(before, |one| {
                let message = &one.message;
                message["status"] == waited
                    || message["type"] == waited
                    || says(message).is_some_and(|said| said == waited)
            })
            .await;
    }
    let delivered = receiver.received().split_off(before);
    for (place, one) in delivered.iter().enumerate() {
        let message = &one.message;
        assert_eq!(message["call"]["id"], caller.call["id"]);
        assert_eq!(message["call"]["assistantId"], assistant["id"], "{message}");
        let again = delivered[place + 1..]
            .iter()
            .any(|later| later.message == *message);
        assert!(!again, "it came once: {}", message["type"]);
    }
    let count = |kind: &str| {
        let of_it = |message: &Value| message["type"] == kind || message["status"] == kind;
        delivered.iter().filter(|one| of_it(&one.message)).count()
    };
    for once in [
        "in-progress",
        "assistant.started",
        "ended",
        "end-of-call-report",
    ] {
        assert_eq!(count(once), 1, "{once}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_began_without_its_database_starts_again_on_it_by_itself() {
    let place = tempfile::tempdir().unwrap();
    let database = place.path().join("calls.db");
    std::fs::write(&database, [7_u8; 5_000]).unwrap();
    let program = Program::start(place.path(), free_port()).await;
    let caller = Caller::ring(&program.url(), false).await;
    let mut line = SocketCaller::join(&caller.call).await;
    assert!(line.until(speaks).await.is_some(), "the call is taken");
    line.type_words(LINES[0]).await;
    assert!(line.until(speaks).await.is_some(), "and answered");
    line.hang_up().await;
    let before = caller.is_over().await.unwrap();
    let measured = caller.visitor.get("/metrics").await.text().await.unwrap();
    for gauge in [
        "nightlight_records_kept_aside 1",
        "nightlight_records_troubles 1",
    ] {
        assert!(measured.contains(gauge), "{gauge} is what alerts go by");
    }

    std::fs::rename(&database, place.path().join("damaged.db")).unwrap();
    let ready = format!("{}/ready", program.url());
    let begun = Instant::now();
    // It is not there for a moment.
    while !reqwest::get(&ready)
        .await
        .is_ok_and(|answer| answer.status() == StatusCode::OK)
    {
        assert!(begun.elapsed() < HANGS, "it does not start again");
        tokio::time::sleep(LOOK_AGAIN).await;
    }
    let after = caller.on_record().await.unwrap();
    assert_eq!(after["messages"], before["messages"]);
    assert_eq!(after["endedReason"], before["endedReason"]);
    assert_eq!(
        records::left_aside(&support::database_in(place.path())).len(),
        0
    );
}
