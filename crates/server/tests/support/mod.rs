//! A real server for tests: TCP and UDP on free ports, SQLite in a directory of its own, the real
//! voice. Ears are the real ones only where a test speaks (`with_ears`): they take a second to
//! load.
#![allow(
    clippy::unwrap_used,
    dead_code,
    reason = "each test program uses a part of it"
)]

pub mod caller;
pub mod endpoint;
pub mod kept_log;
pub mod officer;
pub mod pitch;
pub mod program;
pub mod receiver;
pub mod smtp;
pub mod token_endpoint;
pub mod visitor;

use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use async_trait::async_trait;
use reader::Reader;
use reader::trained::Files;
use records::{CallKind, Records, UnfinishedCall};
use redact::Secret;
use remote_voice::{RemoteSettings, RemoteVoice};
use server::server::{Engine, Server};
use server::settings::{Settings, VoiceName};
use server::voices::{InstalledVoices, Voices};
use speech::{
    EngineFiles, FliteVoice, MoonshineTranscriber, Packs, RenderedVoice, Standing, TranscribeError,
    Transcriber, Voice,
};
use tempfile::TempDir;

pub use visitor::Visitor;

/// Hears nothing: for calls in which nobody speaks aloud.
struct Deaf;

#[async_trait]
impl Transcriber for Deaf {
    async fn transcribe(
        &self,
        _: Arc<[i16]>,
        _: Standing,
    ) -> Result<Secret<String>, TranscribeError> {
        Ok(Secret::new(String::new()))
    }
}

pub struct TestServer {
    pub url: String,
    pub place: TempDir,
    /// Where its records and its desk are.
    pub database: String,
    server: Option<Server>,
}

/// A server with these settings beside the tests' own: `start_server("max_calls = 1")`.
pub async fn start_server(settings: &str) -> TestServer {
    let place = tempfile::tempdir().unwrap();
    start_server_in(place, settings, Arc::new(Deaf)).await
}

/// A server that understands speech, with the embedded engine.
pub async fn start_server_with_ears(settings: &str) -> TestServer {
    let files = EngineFiles::find().unwrap_or_else(|missing| panic!("{missing}"));
    let ears = MoonshineTranscriber::load(&files, 1).unwrap();
    start_server_in(tempfile::tempdir().unwrap(), settings, Arc::new(ears)).await
}

/// A server with these ears.
pub async fn start_server_hearing(settings: &str, ears: Arc<dyn Transcriber>) -> TestServer {
    start_server_in(tempfile::tempdir().unwrap(), settings, ears).await
}

/// A server that finds what an earlier one left in `place`.
pub async fn start_server_again(place: TempDir) -> TestServer {
    start_server_in(place, "", Arc::new(Deaf)).await
}

/// A server with these settings on what is in `place` already.
pub async fn start_server_in_place(place: TempDir, settings: &str) -> TestServer {
    start_server_in(place, settings, Arc::new(Deaf)).await
}

async fn start_server_in(
    place: TempDir,
    settings: &str,
    transcriber: Arc<dyn Transcriber>,
) -> TestServer {
    lay_web_app(&place.path().join("web"));
    let server = try_to_start(place.path(), settings, transcriber)
        .await
        .unwrap();
    TestServer {
        url: format!("http://{}", server.address),
        database: database_of(settings, place.path()),
        place,
        server: Some(server),
    }
}

/// Why a second server cannot answer for what is in `place` beside the first.
pub async fn why_no_second_server(place: &Path, settings: &str) -> String {
    let second = try_to_start(place, settings, Arc::new(Deaf)).await;
    format!("{:#}", second.err().expect("there is one already"))
}

async fn try_to_start(
    place: &Path,
    settings: &str,
    transcriber: Arc<dyn Transcriber>,
) -> anyhow::Result<Server> {
    let web = place.join("web");
    let wait = match settings.contains("start_wait_seconds") {
        true => "",
        false => "start_wait_seconds = 0.2",
    };
    let listen = match settings.contains("listen") {
        true => "",
        false => "listen = '127.0.0.1:0'",
    };
    let database = match settings.contains("database") {
        true => String::new(),
        false => format!("database = '{}'", database_of(settings, place)),
    };
    let own = format!(
        "{listen}\nmedia_port = 0\nmedia_bind = '127.0.0.1'\n\
         {database}\nweb_dir = '{}'\n{wait}\n{settings}",
        web.display(),
    );
    let settings = Settings::from_sources(Some(&own), []).unwrap_or_else(|wrong| panic!("{wrong}"));
    let mut in_order: Vec<Arc<dyn Voice>> = vec![Arc::new(FliteVoice::named("slt").unwrap())];
    if let Some(remote) = &settings.voice.remote {
        // Nothing is rendered: it is asked for every sentence of a call.
        let voice = remote_voice(remote.clone(), place).await;
        in_order.insert(0, Arc::new(voice));
    }
    let engine = Engine {
        transcriber,
        voices: Voices {
            in_order,
            best: VoiceName::Flite("slt".to_owned()),
            rendered: Vec::new(),
            installed: InstalledVoices::of_the_program(),
        },
        end_of_turn: None,
        reader: reader(&settings),
    };
    Server::start(settings, engine).await
}

/// One for all servers of a test program: to open it takes longer than most tests.
fn reader(settings: &Settings) -> Arc<Reader> {
    static READER: OnceLock<Arc<Reader>> = OnceLock::new();
    let open = || {
        let files = Files::new(&settings.reader_dir, &settings.engine_dir);
        Arc::new(Reader::open(&files).unwrap_or_else(|trouble| panic!("{trouble}")))
    };
    Arc::clone(READER.get_or_init(open))
}

/// The voice at `tts_url`, once it has answered.
async fn remote_voice(settings: RemoteSettings, place: &Path) -> RenderedVoice {
    let packs = Packs {
        shipped: place.join("none.pack"),
        own: place.join("remote.pack"),
    };
    let voice = RemoteVoice::new(settings, tokio::runtime::Handle::current()).unwrap();
    let voice = RenderedVoice::open(voice, &packs).unwrap();
    while !voice.has_room() {
        tokio::task::yield_now().await;
    }
    voice
}

/// The one that the settings name, or a file in `place`.
fn database_of(settings: &str, place: &Path) -> String {
    let named = settings
        .lines()
        .find_map(|line| line.strip_prefix("database = '"));
    match named.and_then(|rest| rest.split_once('\'')) {
        Some((url, _)) => url.to_owned(),
        None => database_in(place),
    }
}

pub fn database_in(place: &Path) -> String {
    format!("sqlite:{}", place.join("calls.db").display())
}

/// What has no end in a file: to who opens it anew, its server is not there.
pub async fn left_behind(records: &Records, kind: CallKind) -> Vec<UnfinishedCall> {
    let found = records.left_behind(kind, Duration::ZERO, u32::MAX).await;
    found.unwrap()
}

fn lay_web_app(web: &Path) {
    std::fs::create_dir_all(web.join("assets")).unwrap();
    std::fs::write(
        web.join("index.html"),
        "<!doctype html><title>the app</title>",
    )
    .unwrap();
    std::fs::write(web.join("assets/app-1a2b.js"), "export {}").unwrap();
    std::fs::write(web.join(".secret"), "not for the web").unwrap();
}

impl TestServer {
    pub fn visitor(&self) -> Visitor {
        Visitor::of(&self.url)
    }

    /// Stops as at SIGTERM; gives back the place for another start.
    pub async fn stop(mut self) -> TempDir {
        if let Some(server) = self.server.take() {
            server.stop().await;
        }
        self.place
    }
}
