//! The built server, as it ships, in a process of its own.

pub mod good_call;

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// A server of this test's own: its own port and database, ended with the test.
pub struct Server {
    process: Child,
    pub origin: String,
    _directory: tempfile::TempDir,
}

impl Server {
    /// With these settings beside the tests' own: names in capitals, without their prefix.
    pub fn start(settings: &[(&str, &str)]) -> Self {
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
            .envs(
                settings
                    .iter()
                    .map(|(name, value)| (format!("NIGHTLIGHT_{name}"), value)),
            )
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
