//! The program runs short of something: of room on its disk, in the middle of conversations, and of descriptors.

use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use records::{CallKind, Records, Role};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::support::caller::SocketCaller;
use super::support::visitor::PUBLIC_KEY;
use super::support::{Visitor, database_in, left_behind};
use super::{HANGS, LINES, LOG, LOOK_AGAIN, Program, free_port, speaks};

/// Said in each conversation: the first before the disk is full, the others while it is.
const SAID: usize = 3;
const DISK_BYTES: usize = 8 << 20;

#[tokio::test(flavor = "multi_thread")]
async fn when_no_file_may_grow_in_mid_call_conversations_go_on_and_are_stored_once_it_may() {
    let place = tempfile::tempdir().unwrap();
    let database = database_in(place.path());
    // The signal that comes with the limit would end the program; a disk that is full sends none.
    let ignored = "trap '' XFSZ;";
    let program = Program::start_after(ignored, place.path(), free_port(), &database).await;
    go_on_and_are_stored(
        &program,
        || room(&program, "1"),
        || room(&program, "unlimited"),
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn when_the_disk_fills_in_mid_call_conversations_go_on_and_are_stored_once_there_is_room() {
    let place = tempfile::tempdir().unwrap();
    let Some(disk) = SmallDisk::mounted_at(place.path()) else {
        // Past the test's own output, which nobody sees where it passes.
        let told =
            b"NOT TESTED: a disk that fills in mid-call, for who runs this may not mount one\n";
        std::io::stderr().write_all(told).unwrap();
        return;
    };
    let program = Program::start(place.path(), free_port()).await;
    go_on_and_are_stored(&program, || disk.fill(), || disk.make_room()).await;
}

/// A call and a written conversation, from before the disk is full until everything said in them is stored.
async fn go_on_and_are_stored(
    program: &Program<'_>,
    fill: impl FnOnce(),
    make_room: impl FnOnce(),
) {
    let (rings, writes) = (Visitor::of(&program.url()), Visitor::of(&program.url()));
    let mut line = SocketCaller::join(&rings.call().await).await;
    assert!(line.until(speaks).await.is_some(), "the caller is greeted");
    says(&mut line, LINES[0]).await;
    let begin = json!({"assistantId": "helpline", "input": LINES[0]});
    let mut chat = written(&writes, begin).await;

    fill();
    for words in &LINES[1..SAID] {
        says(&mut line, words).await;
        let next = json!({"previousChatId": chat["id"], "input": words});
        chat = written(&writes, next).await;
    }
    until_health_is(&rings, "records-failing").await;
    make_room();
    until_health_is(&rings, "ok").await;
    // From the file itself, by another program.
    let records = Records::open(&database_in(program.place)).await.unwrap();
    for kind in [CallKind::WebCall, CallKind::Chat] {
        let begun = Instant::now();
        loop {
            let stored = stored_words(&records, kind).await;
            if stored == LINES[..SAID] {
                break;
            }
            assert!(begun.elapsed() < HANGS, "{kind:?}: only {stored:?}");
            tokio::time::sleep(LOOK_AGAIN).await;
        }
    }
    line.hang_up().await;
}

async fn says(line: &mut SocketCaller, words: &str) {
    line.type_words(words).await;
    assert!(line.until(speaks).await.is_some(), "{words}: no answer");
}

async fn written(visitor: &Visitor, body: Value) -> Value {
    let request = visitor.request(Method::POST, "/chat");
    let answer = visitor.send(request.bearer_auth(PUBLIC_KEY).json(&body));
    let answer = answer.await;
    assert_eq!(answer.status(), StatusCode::CREATED, "{body}");
    answer.json().await.unwrap()
}

async fn until_health_is(visitor: &Visitor, status: &str) {
    let begun = Instant::now();
    while visitor.get_json("/health").await["status"] != status {
        assert!(begun.elapsed() < HANGS, "never {status}");
        tokio::time::sleep(LOOK_AGAIN).await;
    }
}

/// What callers have said in conversations that go on.
async fn stored_words(records: &Records, kind: CallKind) -> Vec<String> {
    let left = left_behind(records, kind).await;
    let messages = left.iter().flat_map(|call| &call.messages);
    messages
        .filter(|message| message.role == Role::User)
        .map(|message| message.message.expose_secret().clone())
        .collect()
}

/// Lets no file of the program be written beyond so many bytes, from now on.
fn room(program: &Program<'_>, bytes: &str) {
    let done = Command::new("prlimit")
        .arg(format!("--pid={}", program.process.id()))
        .arg(format!("--fsize={bytes}:unlimited"))
        .status();
    assert!(done.expect("prlimit, of util-linux, is there").success());
}

/// A disk in memory, mounted for as long as this lives.
struct SmallDisk<'a>(&'a Path);

impl<'a> SmallDisk<'a> {
    /// None where this process may not mount.
    fn mounted_at(place: &'a Path) -> Option<Self> {
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={DISK_BYTES}"), "tmpfs"])
            .arg(place)
            .stderr(Stdio::null())
            .status();
        let is_there = mounted.is_ok_and(|done| done.success());
        is_there.then_some(Self(place))
    }

    fn fill(&self) {
        let filled = std::fs::write(self.0.join("ballast"), vec![0; DISK_BYTES]);
        assert_eq!(filled.unwrap_err().kind(), ErrorKind::StorageFull);
    }

    fn make_room(&self) {
        std::fs::remove_file(self.0.join("ballast")).unwrap();
    }
}

impl Drop for SmallDisk<'_> {
    fn drop(&mut self) {
        // Also while this process has the database open.
        let _ = Command::new("umount").arg("--lazy").arg(self.0).status();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn with_few_descriptors_the_program_warns_and_takes_calls() {
    let place = tempfile::tempdir().unwrap();
    let database = database_in(place.path());
    let few = "ulimit -n 256; export NIGHTLIGHT_MAX_CALLS=100;";
    let program = Program::start_after(few, place.path(), free_port(), &database).await;
    let visitor = Visitor::of(&program.url());
    assert_eq!(visitor.get_json("/health").await["status"], "ok");
    let mut line = SocketCaller::join(&visitor.call().await).await;
    assert!(line.until(speaks).await.is_some(), "the caller is greeted");
    line.hang_up().await;

    let log = std::fs::read_to_string(place.path().join(LOG)).unwrap();
    let warned = log
        .lines()
        .find(|line| line.contains("too few connections for the calls"))
        .unwrap_or_else(|| panic!("no warning: {log}"));
    for told in ["WARN", "open_files=256", "max_connections=128"] {
        assert!(warned.contains(told), "{told}: {warned}");
    }
}
