//! Whole calls against the real server: a suicidal caller reaches SOS by a warm transfer, over
//! WebRTC and over the socket, and hears every word of it.
//!
//! These need the built server and the speech engine; without either they fail and say what to
//! do. Nothing here looks into the server: only what a caller hears and reads counts.

#![allow(clippy::unwrap_used)]

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::Duration;

use serde_json::Value;

#[test]
fn a_suicidal_caller_is_warmly_transferred_to_sos_over_webrtc() {
    a_suicidal_caller_is_warmly_transferred_to_sos(&[
        "--transport",
        "webrtc",
        "--say",
        "I do not want to live any more.",
    ]);
}

/// Over the socket, a program answers: it says its words once it has heard the greeting's question.
#[test]
fn a_suicidal_caller_who_answers_is_warmly_transferred_to_sos_over_the_socket() {
    a_suicidal_caller_is_warmly_transferred_to_sos(&[
        "--transport",
        "websocket",
        "--respond",
        r#"read heard
           case "$heard" in
             *'?"}') echo '{"say": "I do not want to live any more."}'; cat > /dev/null ;;
             *) exit 1 ;;
           esac"#,
    ]);
}

#[track_caller]
fn a_suicidal_caller_is_warmly_transferred_to_sos(caller: &[&str]) {
    // One call after the other: sound keeps time, and two servers would fight for the cores.
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let server = Server::start();
    let mut arguments = vec![
        "--url",
        &server.origin,
        // The call is the assistant's to end; the caller waits for it.
        "--linger",
        "30",
        "--bound",
        "120",
        "--json",
    ];
    arguments.extend(caller);
    let output = call(&arguments);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let report: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {told}"));
    let call = &report["calls"][0];
    assert!(output.status.success(), "the call failed: {call:#}\n{told}");

    // Sound, not messages: a greeting before the caller spoke and an answer after it.
    let audio = &call["audio"];
    assert!(
        audio["speech_heard_seconds"].as_f64().unwrap() > 3.0,
        "{audio:#}"
    );
    let said = &call["utterances"][0];
    let greeting = audio["speech_spans_seconds"][0][0].as_f64().unwrap();
    assert!(
        greeting < said["from_seconds"].as_f64().unwrap(),
        "{call:#}"
    );
    let gap = said["reply_gap_ms"].as_f64().expect("an answer was heard");
    assert!(
        (0.0..5_000.0).contains(&gap),
        "the answer came after {gap} ms"
    );

    // A warm transfer is what the platform calls forwarding.
    assert_eq!(call["end"]["by"], "server", "{call:#}");
    assert_eq!(
        call["end"]["reason"], "assistant-forwarded-call",
        "{call:#}"
    );
    let record = &call["record"];
    assert_eq!(
        record["endedReason"], "assistant-forwarded-call",
        "{record:#}"
    );
    let structured = &record["structuredData"];
    assert_eq!(structured["transfer_to"], "SOS", "{record:#}");
    assert_eq!(structured["transferred"], true, "{record:#}");
    assert_eq!(structured["urgent"], true, "{record:#}");
    let messages = record["messages"].as_array().unwrap();
    assert!(
        messages.iter().any(|message| message["role"] == "user"),
        "the caller's words are missing: {record:#}"
    );
}

fn call(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_nightlight-caller"))
        .args(arguments)
        .output()
        .unwrap()
}

/// A server of this test's own: its own port and database, ended with the test.
struct Server {
    process: Child,
    origin: String,
    _directory: tempfile::TempDir,
}

impl Server {
    fn start() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let program = program();
        let mut process = Command::new(&program)
            .arg("serve")
            .current_dir(workspace())
            .env("NIGHTLIGHT_LISTEN", "127.0.0.1:0")
            .env("NIGHTLIGHT_MEDIA_PORT", "0")
            .env(
                "NIGHTLIGHT_DATABASE",
                format!("sqlite:{}", directory.path().join("calls.db").display()),
            )
            .env("NIGHTLIGHT_START_WAIT_SECONDS", "0.4")
            .env("NIGHTLIGHT_TRANSCRIBERS", "1")
            .env("NIGHTLIGHT_LOG", "warn")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{} does not start: {error}", program.display()));
        let lines = BufReader::new(process.stderr.take().unwrap()).lines();
        let (told, said) = mpsc::channel();
        // Reads to the end, so that the server never waits for a full pipe.
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                eprintln!("server: {line}");
                let _ = told.send(line);
            }
        });
        let mut server = Self {
            process,
            origin: String::new(),
            _directory: directory,
        };
        loop {
            let line = said
                .recv_timeout(Duration::from_secs(60))
                .expect("the server says where it is; see its own words above (`make setup` fetches the engine)");
            if let Some((_, address)) = line.split_once("Nightlight is at ") {
                server.origin = address.trim().trim_end_matches("/Demo").to_owned();
                return server;
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The built server: `NIGHTLIGHT_BIN`, or beside the caller that is tested.
fn program() -> PathBuf {
    let program = std::env::var_os("NIGHTLIGHT_BIN").map_or_else(
        || Path::new(env!("CARGO_BIN_EXE_nightlight-caller")).with_file_name("nightlight"),
        PathBuf::from,
    );
    assert!(
        program.is_file(),
        "{} is not there: `cargo build -p server` builds it, or set NIGHTLIGHT_BIN",
        program.display()
    );
    program
}

fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .unwrap()
}
