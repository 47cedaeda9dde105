//! What a caller said, their name, and where they are, and what officers said and wrote, stay out of every log, measurement,
//! URL and error: whole calls by voice and in writing, one handed over to an officer, and everything failing in them that
//! can, with every library at `trace` as far as the program lets it.
#![allow(clippy::unwrap_used)]

#[path = "privacy/hand_over.rs"]
mod hand_over;
#[path = "../../call/tests/support/str0m_client.rs"]
#[allow(dead_code, reason = "it can misbehave in more ways")]
mod str0m_client;
mod support;

use std::io::BufReader;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use flow::AssistantScript;
use postgres_for_tests::PostgresServer;
use redact::Secret;
use reqwest::{Method, RequestBuilder, Response};
use serde_json::{Value, json};
use server::commands::converse::{Lines, hold};
use server::settings::{Log, LogFormat};
use server::telemetry;
use speech::{FliteVoice, Standing, TranscribeError, Transcriber, Voice};
use sqlx::ConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use str0m_client::{Behaviour, Connected, Noticed, Str0mClient};

use support::caller::SocketCaller;
use support::endpoint::Endpoint;
use support::kept_log::KeptLog;
use support::visitor::PUBLIC_KEY;
use support::{Visitor, start_server, start_server_hearing};

/// Words that nothing in the program contains.
const NAME: &str = "Zephyrine";
const WORDS: [&str; 2] = [
    "My name is Zephyrine and I live at 77 Quokka Lane unit oh four dash nineteen",
    "He threw the xylograph at my marimba yesterday evening",
];
/// Where callers call from: by the page, by WebRTC, and by way of a proxy.
const BY_PAGE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(127, 0, 0, 77));
const BY_WEBRTC: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(127, 0, 0, 78));
const BEHIND_A_PROXY: &str = "203.0.113.77";
const TELLING: [&str; 9] = [
    "zephyrine",
    "quokka",
    "xylograph",
    "marimba",
    "127.0.0.77",
    "127.0.0.78",
    BEHIND_A_PROXY,
    // An officer's.
    "quillon",
    "pangolin",
];

#[tokio::test(flavor = "multi_thread")]
async fn no_word_name_or_address_of_a_caller_reaches_a_log_a_measurement_a_url_or_an_error() {
    let log = KeptLog::default();
    let finest = Log {
        // However precisely it is asked for.
        filter: String::from(
            "trace,tungstenite=trace,tungstenite::protocol=trace,hyper::proto=trace,sqlx::query=trace,str0m::dtls=trace",
        ),
        format: LogFormat::Text,
    };
    telemetry::start_log(&finest, log.clone()).unwrap();
    telemetry::log_panics_by_their_place();

    words_are_cut_in_the_middle_of_a_letter();
    a_conversation_at_the_terminal();
    let (first, second, third, fourth, fifth) = tokio::join!(
        a_call_with_a_model_and_a_voice_made_elsewhere(),
        calls_by_voice_whose_ears_fail_and_break(),
        a_model_and_the_records_fail(),
        a_database_tells_what_it_refuses(),
        hand_over::a_caller_is_handed_over_and_the_case_closed(),
    );
    let told = [first, second, third, fourth, fifth];
    // From here on a test that fails says why.
    let _ = std::panic::take_hook();

    let log = log.text();
    assert!(
        log.contains("taking calls") && log.contains("call ended") && log.contains("privacy.rs:"),
        "the log was kept"
    );
    let measurements: String = told.iter().map(|told| told.measurements.as_str()).collect();
    let urls = told.iter().flat_map(|told| &told.urls);
    let errors = told.iter().flat_map(|told| &told.errors);
    let mut found = Vec::new();
    for (what, at_least, lines) in [
        ("the log", 100, log.lines().collect::<Vec<_>>()),
        ("a measurement", 20, measurements.lines().collect()),
        ("a URL", 20, urls.map(String::as_str).collect()),
        ("an error", 15, errors.map(String::as_str).collect()),
    ] {
        assert!(lines.len() > at_least, "{what}: only {lines:#?}");
        for line in lines {
            let lower = line.to_lowercase();
            let words = TELLING.iter().filter(|word| lower.contains(**word));
            found.extend(words.map(|word| format!("{word} is in {what}: {line}")));
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

/// What came out of the server that others may keep.
#[derive(Default)]
struct Told {
    measurements: String,
    /// Those it gave, and those it asked others at.
    urls: Vec<String>,
    errors: Vec<String>,
}

impl Told {
    fn urls_of(&mut self, call: &Value) {
        for url in [
            "/webCallUrl",
            "/transport/websocketCallUrl",
            "/transport/callUrl",
        ] {
            let url = call.pointer(url).and_then(Value::as_str).unwrap();
            self.urls.push(url.to_owned());
        }
    }

    fn answered(&mut self, answer: &Response) {
        for header in ["location", "link"] {
            if let Some(url) = answer.headers().get(header) {
                self.urls.push(url.to_str().unwrap().to_owned());
            }
        }
    }

    async fn refused(&mut self, visitor: &Visitor, request: RequestBuilder) {
        let answer = visitor.send(request).await;
        self.answered(&answer);
        let status = answer.status();
        let body = answer.text().await.unwrap();
        assert!(!status.is_success(), "{status}: {body}");
        self.errors.push(body);
    }

    /// Comes onto a line by WebRTC, which is asked for so.
    async fn joined(&mut self, client: Str0mClient, asked: RequestBuilder) -> Connected {
        let offer = asked
            .header("content-type", "application/sdp")
            .body(client.offer.clone());
        let answer = offer.send().await.unwrap();
        self.answered(&answer);
        client.connect(&answer.text().await.unwrap(), Behaviour::default())
    }

    async fn measured(&mut self, visitor: &Visitor) {
        let metrics = visitor.get("/metrics").await.text().await.unwrap();
        self.measurements.push_str(&metrics);
    }
}

fn with_key(visitor: &Visitor, method: Method, path: &str) -> RequestBuilder {
    visitor.request(method, path).bearer_auth(PUBLIC_KEY)
}

/// A panic over a caller's words.
fn words_are_cut_in_the_middle_of_a_letter() {
    let cut = std::thread::spawn(|| "I live at Quokka Lane, café"[..27].len()).join();
    assert!(cut.is_err());
}

/// Malformed lines among it.
fn a_conversation_at_the_terminal() {
    let lines = WORDS.map(|words| format!("{{\"say\":\"{words}\"}}\n{{\"say\":[\"{words}\"]}}\n"));
    let input = lines.concat();
    let mut transcript = Vec::new();
    let script = Arc::new(AssistantScript::built_in());
    let face = Box::new(Lines {
        out: &mut transcript,
    });
    hold(
        script,
        &reader::Reader::rules_alone(),
        jiff::Timestamp::now(),
        BufReader::new(input.as_bytes()),
        face,
    )
    .unwrap();
    let transcript = String::from_utf8(transcript).unwrap();
    assert!(transcript.contains(NAME), "the record itself holds them");
}

/// With messages that cannot be read and bodies that are refused. The model is asked in each turn, and answers with what
/// may not be said; the voice breaks at the caller's name.
async fn a_call_with_a_model_and_a_voice_made_elsewhere() -> Told {
    let mut told = Told::default();
    let endpoint = Endpoint::that_says("You told me that Zephyrine threw the xylograph.").await;
    let settings = [endpoint.settings(), endpoint.voice_settings()].join("\n");
    let server = start_server(&settings).await;
    let visitor = Visitor::from_address(&server.url, BY_PAGE);
    let mut events = visitor.events().await;
    let call = visitor.call().await;
    told.urls_of(&call);
    let mut line = SocketCaller::join_from(BY_PAGE, &call).await;
    line.until_the_assistant_has_spoken().await;
    for words in WORDS {
        line.send(json!({"type": "add-message", "message": [words]}))
            .await;
        line.send(json!({"type": words})).await;
        line.type_words(words).await;
        line.until_the_assistant_has_spoken().await;
    }
    line.hang_up().await;
    let info = events.ended().await;
    assert!(info.to_string().contains(NAME), "the record holds them");
    for body in [
        format!("{{\"assistantId\":[\"{NAME}\"]}}"),
        format!("{{\"message\":\"{NAME}"),
        format!("{{\"message\":{{\"type\":\"{NAME}\",\"role\":7}}}}"),
    ] {
        for path in ["/api/webHook", "/call/web", "/chat"] {
            let json = with_key(&visitor, Method::POST, path)
                .header("content-type", "application/json")
                .body(body.clone());
            let answer = visitor.send(json).await;
            told.answered(&answer);
            told.errors.push(answer.text().await.unwrap());
        }
    }
    for input in [
        json!([{"role": "system", "content": WORDS[1]}]),
        json!({"text": WORDS[1]}),
        json!(WORDS[0].repeat(100)),
    ] {
        let body = json!({"assistantId": "helpline", "input": input});
        let chat = with_key(&visitor, Method::POST, "/chat").json(&body);
        told.refused(&visitor, chat).await;
    }
    for path in [
        format!("/api/getCallInfo?callId={NAME}"),
        format!("/api/calls?after={NAME}"),
        format!("/call/{NAME}"),
        format!("/chat/{NAME}"),
        format!("/{NAME}.html"),
    ] {
        told.refused(&visitor, visitor.request(Method::GET, &path))
            .await;
    }
    let offer = with_key(&visitor, Method::POST, &format!("/call/{NAME}/whip"));
    let offer = offer
        .header("content-type", "application/sdp")
        .body(WORDS[0]);
    told.refused(&visitor, offer).await;
    let asked = endpoint.asked.lock().unwrap().clone();
    assert!(
        asked.iter().any(|asked| asked.to_string().contains(NAME)),
        "the model was given the words"
    );
    let spoken = endpoint.spoken.lock().unwrap().clone();
    assert!(
        spoken.iter().any(|input| input.contains(NAME)),
        "the voice was given the name: {spoken:?}"
    );
    told.urls.append(&mut endpoint.urls.lock().unwrap());
    told.measured(&visitor).await;
    server.stop().await;
    told
}

/// What a transcriber makes of any sound.
#[derive(Clone, Copy)]
enum Hears {
    Words(&'static str),
    Fails,
    Breaks,
}

struct Ears(Mutex<Hears>);

#[async_trait]
impl Transcriber for Ears {
    async fn transcribe(
        &self,
        _: Arc<[i16]>,
        _: Standing,
    ) -> Result<Secret<String>, TranscribeError> {
        let hears = *self.0.lock().unwrap();
        match hears {
            Hears::Words(words) => Ok(Secret::new(words.to_owned())),
            Hears::Fails => Err(TranscribeError::EngineFailed {
                reason: String::from("it is not there"),
            }),
            Hears::Breaks => panic!("{} broke it", WORDS[1]),
        }
    }
}

/// Somebody speaks: what they say is the ears' to tell.
async fn a_sound() -> Vec<i16> {
    let voice = FliteVoice::named("rms").unwrap();
    let something = String::from("This is only a sound like any other.").into();
    voice.speak(something).collect().await.unwrap()
}

async fn calls_by_voice_whose_ears_fail_and_break() -> Told {
    let mut told = Told::default();
    let ears = Arc::new(Ears(Mutex::new(Hears::Words(WORDS[0]))));
    let hearing = Arc::clone(&ears) as Arc<dyn Transcriber>;
    let server = start_server_hearing("trusted_proxies = '127.0.0.1'", hearing).await;
    let visitor = Visitor::from_address(&server.url, BY_PAGE);
    let mut events = visitor.events().await;
    let call = visitor.call().await;
    told.urls_of(&call);
    let mut line = SocketCaller::join_from(BY_PAGE, &call).await;
    line.until_the_assistant_has_spoken().await;
    let mut sound = a_sound().await;
    sound.extend(vec![0; 16_000]);
    for hears in [
        Hears::Words(WORDS[0]),
        Hears::Words(WORDS[1]),
        Hears::Fails,
        Hears::Breaks,
    ] {
        *ears.0.lock().unwrap() = hears;
        line.speak(&sound).await;
        line.until_the_assistant_has_spoken().await;
    }
    line.hang_up().await;
    let info = events.ended().await.to_string().to_lowercase();
    for word in ["zephyrine", "xylograph"] {
        assert!(info.contains(word), "{word} is not on record: {info}");
    }

    // By WebRTC, typed on the line.
    let visitor = Visitor::from_address(&server.url, BY_WEBRTC);
    let mut events = visitor.events().await;
    let call = visitor.call().await;
    told.urls_of(&call);
    let client = Str0mClient::on(SocketAddr::new(BY_WEBRTC, 0)).await;
    let path = format!("/call/{}/whip", call["id"].as_str().unwrap());
    let mut caller = told
        .joined(client, visitor.request(Method::POST, &path))
        .await;
    let spoken = |noticed: &Noticed| {
        let Noticed::Message(text) = noticed else {
            return false;
        };
        ["speech-update", "assistant", "stopped"]
            .iter()
            .all(|part| text.contains(part))
    };
    while !spoken(&caller.next().await) {}
    let message = json!({"role": "user", "content": WORDS[0]});
    caller.say(&json!({"type": "add-message", "message": message}).to_string());
    while !spoken(&caller.next().await) {}
    caller.hang_up();
    assert!(events.ended().await.to_string().contains(NAME));

    // By a proxy's word.
    let visitor = server.visitor();
    let body = json!({"assistantId": "helpline", "input": WORDS[0]});
    let chat = with_key(&visitor, Method::POST, "/chat").header("x-forwarded-for", BEHIND_A_PROXY);
    assert!(visitor.send(chat.json(&body)).await.status().is_success());
    let wrong =
        with_key(&visitor, Method::POST, "/call/web").header("x-forwarded-for", BEHIND_A_PROXY);
    told.refused(&visitor, wrong.json(&json!({}))).await;
    told.measured(&visitor).await;
    server.stop().await;
    told
}

/// A written conversation and a typed call through both. The model tells what it was asked when it fails.
async fn a_model_and_the_records_fail() -> Told {
    let mut told = Told::default();
    let endpoint = Endpoint::out_of_order().await;
    let server = start_server(&endpoint.settings()).await;
    let path = server.place.path().join("calls.db");
    let mut other = SqliteConnectOptions::new()
        .filename(path)
        .connect()
        .await
        .unwrap();
    let refuse = "CREATE TRIGGER full BEFORE INSERT ON turns \
                  BEGIN SELECT RAISE(FAIL, 'there is no room'); END";
    sqlx::query(refuse).execute(&mut other).await.unwrap();
    let visitor = Visitor::from_address(&server.url, BY_PAGE);
    writes_and_types(&visitor, &mut told).await;
    assert!(!endpoint.asked.lock().unwrap().is_empty(), "it was asked");
    sqlx::query("ALTER TABLE calls RENAME TO gone")
        .execute(&mut other)
        .await
        .unwrap();
    told.refused(&visitor, visitor.request(Method::GET, "/api/calls"))
        .await;
    told.urls.append(&mut endpoint.urls.lock().unwrap());
    told.measured(&visitor).await;
    server.stop().await;
    told
}

/// PostgreSQL repeats the row that it will not have.
async fn a_database_tells_what_it_refuses() -> Told {
    let mut told = Told::default();
    let postgres = PostgresServer::shared();
    let url = postgres.database();
    let server = start_server(&format!("database = '{url}'")).await;
    let name = url.rsplit('/').next().unwrap();
    postgres.sql(
        name,
        "ALTER TABLE turns ADD CONSTRAINT full_up CHECK (false) NOT VALID",
    );
    let visitor = Visitor::from_address(&server.url, BY_PAGE);
    writes_and_types(&visitor, &mut told).await;
    postgres.sql(name, "ALTER TABLE calls RENAME TO gone");
    told.refused(&visitor, visitor.request(Method::GET, "/api/calls"))
        .await;
    told.measured(&visitor).await;
    server.stop().await;
    told
}

async fn writes_and_types(visitor: &Visitor, told: &mut Told) {
    for words in WORDS {
        let body = json!({"assistantId": "helpline", "input": words});
        let chat = with_key(visitor, Method::POST, "/chat").json(&body);
        assert!(visitor.send(chat).await.status().is_success());
    }
    let call = visitor.call().await;
    told.urls_of(&call);
    let mut line = SocketCaller::join_from(BY_PAGE, &call).await;
    line.until_the_assistant_has_spoken().await;
    line.type_words(WORDS[0]).await;
    line.until_the_assistant_has_spoken().await;
    line.hang_up().await;
}
