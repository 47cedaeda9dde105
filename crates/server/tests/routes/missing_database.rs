//! A server that starts while its database is damaged, another program's, cannot be written, or is away: it takes calls all the
//! same, says what is wrong, and nothing that was said is lost.

use std::path::Path;

use postgres_for_tests::PostgresServer;
use records::{Records, left_aside};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use sqlx::ConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use tempfile::TempDir;

use crate::support::caller::SocketCaller;
use crate::support::kept_log::KeptLog;
use crate::support::program::PRIVATE_KEY;
use crate::support::visitor::{PUBLIC_KEY, refused};
use crate::support::{
    TestServer, Visitor, database_in, start_server_in_place, why_no_second_server,
};

const LOW: &str = "I'm safe, I just feel very low";
const DANGER: &str = "I don't want to live any more";

async fn written(visitor: &Visitor, body: Value) -> Value {
    let request = visitor
        .request(Method::POST, "/chat")
        .bearer_auth(PUBLIC_KEY)
        .json(&body);
    let answer = visitor.send(request).await;
    assert_eq!(answer.status(), StatusCode::CREATED);
    answer.json().await.unwrap()
}

async fn begun(visitor: &Visitor) -> Value {
    written(visitor, json!({"assistantId": "helpline", "input": ""})).await
}

async fn said(visitor: &Visitor, after: &Value, words: &str) -> Value {
    let body = json!({"previousChatId": after["id"], "input": words});
    written(visitor, body).await
}

async fn info(visitor: &Visitor, id: &Value) -> Value {
    let path = format!("/api/getCallInfo?callId={}", id.as_str().unwrap());
    visitor.get_json(&path).await
}

/// What is told of a database that is not there, and that what needs it is not pretended.
async fn tells_the_truth(server: &TestServer) {
    let visitor = server.visitor();
    let answer = visitor.get("/ready").await;
    assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
    let told: Value = answer.json().await.unwrap();
    let expected = json!({"ready": false, "troubles": ["records-kept-aside"]});
    assert_eq!(told, expected);
    let health = visitor.get_json("/health").await;
    assert_eq!(health["status"], "records-failing", "and is alive");
    let status = visitor.get_json("/api/status").await.to_string();
    assert!(status.contains("records-kept-aside"), "{status}");
    let kept = visitor
        .request(Method::GET, "/assistant")
        .bearer_auth(PRIVATE_KEY);
    refused(visitor.send(kept).await, 503, "records-unavailable").await;
}

/// Conversations are held while the database is missing, and are in it when it has been mended.
async fn loses_nothing(place: TempDir, database: &str, mend: impl FnOnce(&Path)) {
    let settings = format!("private_key = '{PRIVATE_KEY}'\ndatabase = '{database}'");
    let server = start_server_in_place(place, &settings).await;
    tells_the_truth(&server).await;

    let (visitor, other, speaker) = (server.visitor(), server.visitor(), server.visitor());
    let first = begun(&visitor).await;
    let second = said(&visitor, &first, LOW).await;
    let last = said(&visitor, &second, DANGER).await;
    assert_eq!(last["transfer"], json!({"mode": "warm", "agency": "SOS"}));
    let session = &last["sessionId"];
    while info(&visitor, session).await["status"] != "ended" {}
    let before = info(&visitor, session).await;
    assert_eq!(before["structuredData"]["urgent"], true);

    let call = speaker.call().await;
    let mut line = SocketCaller::join(&call).await;
    line.until_the_assistant_has_spoken().await;
    line.type_words("My sister does not help me").await;
    line.until_the_assistant_has_spoken().await;
    line.hang_up().await;
    while info(&speaker, &call["id"]).await["status"] != "ended" {}
    let spoken = info(&speaker, &call["id"]).await;

    let open = begun(&other).await;
    let open = said(&other, &open, LOW).await;
    let place = server.stop().await;
    assert_ne!(left_aside(database).len(), 0);

    mend(place.path());
    let server = start_server_in_place(place, &settings).await;
    let ready = server.visitor().get_json("/ready").await;
    assert_eq!(ready, json!({"ready": true, "troubles": []}));
    assert_eq!(left_aside(database).len(), 0, "no word is left beside it");
    let (visitor, other, speaker) = (
        visitor.at(&server.url),
        other.at(&server.url),
        speaker.at(&server.url),
    );
    for (whose, id, before) in [
        (&visitor, session, &before),
        (&speaker, &call["id"], &spoken),
    ] {
        let after = info(whose, id).await;
        for field in [
            "status",
            "endedReason",
            "messages",
            "structuredData",
            "summary",
        ] {
            assert_eq!(after[field], before[field], "{field}");
        }
    }
    let went_on = said(&other, &open, DANGER).await;
    assert_eq!(went_on["sessionId"], open["sessionId"]);
    let listed = visitor.get_json("/api/calls").await;
    assert_eq!(listed.as_array().unwrap().len(), 11, "once");

    let place = server.stop().await;
    let server = start_server_in_place(place, &settings).await;
    let again = visitor.at(&server.url).get_json("/api/calls").await;
    assert_eq!(again.as_array().unwrap().len(), 11, "and no second time");
}

#[tokio::test]
async fn a_damaged_database_keeps_no_caller_out_and_what_they_say_is_taken_in_later() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("calls.db");
    let damaged: Vec<u8> = (0..9_000_u32).map(|it| (it * it % 251) as u8).collect();
    std::fs::write(&path, &damaged).unwrap();
    let log = KeptLog::default();
    let keeping = log.of_this_thread();
    let database = database_in(place.path());
    loses_nothing(place, &database, |_| {
        assert!(std::fs::read(&path).unwrap() == damaged, "it is left alone");
        std::fs::rename(&path, path.with_extension("damaged")).unwrap();
    })
    .await;
    drop(keeping);
    let log = log.text();
    let told = log
        .lines()
        .find(|line| line.contains("ERROR") && line.contains("the database cannot be opened"))
        .expect("it is an error in the log");
    assert!(
        told.contains("move it away, or choose another path"),
        "{told}"
    );
    assert!(log.contains("what was kept aside is taken in"), "{log}");
}

#[tokio::test]
async fn another_programs_database_keeps_no_caller_out_and_is_left_alone() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("calls.db");
    let options = SqliteConnectOptions::new()
        .filename(&path)
        .create_if_missing(true);
    let mut other = options.connect().await.unwrap();
    sqlx::query("CREATE TABLE songs (title TEXT)")
        .execute(&mut other)
        .await
        .unwrap();
    sqlx::Connection::close(other).await.unwrap();
    let theirs = std::fs::read(&path).unwrap();
    let database = database_in(place.path());
    loses_nothing(place, &database, |_| {
        assert!(std::fs::read(&path).unwrap() == theirs, "it is left alone");
        std::fs::rename(&path, path.with_extension("songs")).unwrap();
    })
    .await;
}

/// Whoever runs the tests, nothing can be written below a file; a directory's own permissions stop nobody who is root.
#[tokio::test]
async fn where_nothing_can_be_written_beside_the_database_records_are_kept_elsewhere() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("records");
    std::fs::write(&folder, "").unwrap();
    let database = database_in(&folder);
    loses_nothing(place, &database, |_| std::fs::remove_file(&folder).unwrap()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_starts_while_postgresql_is_away_takes_calls_and_brings_them_in_later() {
    let postgres = PostgresServer::start();
    let database = postgres.database();
    drop(Records::open(&database).await.unwrap());
    postgres.stop();
    let place = tempfile::tempdir().unwrap();
    loses_nothing(place, &database, |_| postgres.start_again()).await;
}

#[tokio::test]
async fn a_server_that_starts_again_without_its_database_goes_on_with_what_it_kept() {
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("calls.db"), [7_u8; 5_000]).unwrap();
    let database = database_in(place.path());
    let settings = format!("database = '{database}'");
    let server = start_server_in_place(place, &settings).await;
    let visitor = server.visitor();
    let chat = begun(&visitor).await;
    let chat = said(&visitor, &chat, LOW).await;
    let place = server.stop().await;
    let server = start_server_in_place(place, &settings).await;
    let visitor = visitor.at(&server.url);
    let last = said(&visitor, &chat, DANGER).await;
    assert_eq!(last["sessionId"], chat["sessionId"]);
    assert_eq!(left_aside(&database).len(), 1, "in the same file");
}

#[tokio::test]
async fn a_database_of_a_newer_program_is_a_mistake_and_no_server_starts_on_it() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("calls.db");
    drop(Records::open(&database_in(place.path())).await.unwrap());
    let mut newer = SqliteConnectOptions::new()
        .filename(&path)
        .connect()
        .await
        .unwrap();
    sqlx::query(
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
         VALUES (9000, 'from the future', 1, x'00', 0)",
    )
    .execute(&mut newer)
    .await
    .unwrap();
    let refused = why_no_second_server(place.path(), "").await;
    assert!(
        refused.contains("a newer version of this program"),
        "{refused}"
    );
    assert_eq!(left_aside(&database_in(place.path())).len(), 0);
}
