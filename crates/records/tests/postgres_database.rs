//! What holds for a PostgreSQL database beyond the contract: several servers at once, damage, and databases that cannot be
//! had.
#![allow(clippy::unwrap_used)]

mod story;

use std::process::Command;
use std::time::Duration;

use postgres_for_tests::PostgresServer;
use records::{CallId, OpenError, PostgresOpenError, Records, VisitorId};
use story::log::Log;
use story::*;

const WORDS: &str = "he is outside the door";

fn server() -> &'static PostgresServer {
    PostgresServer::shared()
}

fn name_in(url: &str) -> &str {
    url.rsplit('/').next().unwrap()
}

async fn opened(url: &str) -> Records {
    Records::open(url).await.unwrap()
}

/// Why the database at `url` cannot be opened; nothing of a password in it, however it is told.
async fn failure(url: &str) -> PostgresOpenError {
    let error = Records::open(url).await.unwrap_err();
    let told = format!("{error} {error:?}");
    for secret in [server().password(), "hunter2", server().address().as_str()] {
        assert!(!told.contains(secret), "{told}");
    }
    match error {
        OpenError::Postgres(error) => error,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn what_was_stored_is_there_after_opening_again() {
    let url = server().database();
    let visitor = VisitorId::random();
    let call = new_call(Some(visitor));
    {
        let records = opened(&url).await;
        records.start_call(call.clone()).await.unwrap();
        records
            .put_turn(call.call_id, turn(0, "first"))
            .await
            .unwrap();
        let newest = &listed(&records, visitor).await[1];
        assert!(newest.sample);
        assert!(records.delete_call(newest.call_id).await.unwrap());
    }
    let records = opened(&url).await;
    assert_eq!(
        listed(&records, visitor).await.len(),
        10,
        "the samples are laid in once only, and a deleted one stays deleted"
    );
    let unfinished = left_behind(&records).await;
    assert_eq!(said(&unfinished[0].messages), ["first"]);
    assert_eq!(
        unfinished[0].conversation,
        Some(turn(0, "first").conversation)
    );
}

#[tokio::test]
async fn servers_that_start_at_the_same_moment_share_one_set_of_tables_and_number_calls_together() {
    let url = server().database();
    let starting: Vec<_> = (0..5)
        .map(|_| {
            let url = url.clone();
            tokio::spawn(async move { opened(&url).await })
        })
        .collect();
    let mut servers = Vec::new();
    for server in starting {
        servers.push(server.await.unwrap());
    }
    let visitor = VisitorId::random();
    let calls: Vec<_> = (0..40)
        .map(|number| {
            let records = servers[number % servers.len()].clone();
            tokio::spawn(async move { records.start_call(new_call(Some(visitor))).await.unwrap() })
        })
        .collect();
    let mut ids = Vec::new();
    for call in calls {
        ids.push(call.await.unwrap().id);
    }
    ids.sort_unstable();
    assert_eq!(ids, (11..51).collect::<Vec<i64>>());
    for records in &servers {
        assert_eq!(listed(records, visitor).await.len(), 50);
    }
}

#[tokio::test]
async fn any_character_of_a_callers_is_kept() {
    let records = opened(&server().database()).await;
    let call = new_call(None);
    records.start_call(call.clone()).await.unwrap();
    let words = "nul \u{0} quote \" back\\slash 帮帮我 உதவி 🆘 \u{7f}";
    let spoken = records::Turn {
        messages: vec![message(words)],
        ..turn(0, "anything")
    };
    records.put_turn(call.call_id, spoken).await.unwrap();
    let record = records.call(call.call_id).await.unwrap().unwrap();
    assert_eq!(said(&record.messages), [words]);
    records
        .finish_call(call.call_id, finished_call(&call, words))
        .await
        .unwrap();
    let record = records.call(call.call_id).await.unwrap().unwrap();
    assert_eq!(said(&record.messages), [words]);
    assert_eq!(record.note, Some(note(words)));
    assert_eq!(record.started_at, call.started_at);
}

#[tokio::test]
async fn a_damaged_record_is_shown_as_far_as_it_can_be_read() {
    let url = server().database();
    let records = opened(&url).await;
    let visitor = VisitorId::random();
    let calls: Vec<_> = (0..5).map(|_| new_call(Some(visitor))).collect();
    for call in &calls {
        records.start_call(call.clone()).await.unwrap();
        records
            .finish_call(call.call_id, finished_call(call, WORDS))
            .await
            .unwrap();
    }
    for (call, damage) in calls.iter().zip([
        "note = '{\"summary\":\"he is outside the door\"}'",
        "messages = '[{\"message\":\"he is outside the door\"}]'",
        "ended_reason = 'he is outside the door'",
        "started_at = 'infinity'",
    ]) {
        let id = call.call_id;
        server().sql(
            name_in(&url),
            &format!("UPDATE calls SET {damage} WHERE call_id = '{id}'"),
        );
    }
    let (log, listening) = Log::listen();
    let mut seen = own(listed(&records, visitor).await);
    for record in &mut seen {
        *record = records.call(record.call_id).await.unwrap().unwrap();
    }
    drop(listening);

    // Without a beginning a record has no place in the list; the others keep theirs.
    let ids: Vec<CallId> = seen.iter().map(|record| record.call_id).collect();
    assert_eq!(ids, [4, 2, 1, 0].map(|index| calls[index].call_id));
    assert!(!seen[0].damaged);
    assert!(seen[1].damaged && seen[1].ended_reason.is_none() && seen[1].note.is_some());
    assert!(seen[2].damaged && seen[2].messages.is_empty() && seen[2].note.is_some());
    assert!(seen[3].damaged && seen[3].note.is_none() && said(&seen[3].messages) == [WORDS]);

    let log = log.text();
    assert_eq!(log.matches("WARN").count(), 6, "{log}");
    assert!(log.contains("record=11") && log.contains("note"), "{log}");
    assert!(!log.contains("outside"), "{log}");
}

#[tokio::test]
async fn what_the_database_refuses_is_told_without_the_words_that_were_to_be_stored() {
    let url = server().database();
    let records = opened(&url).await;
    let call = new_call(None);
    records.start_call(call.clone()).await.unwrap();
    server().sql(
        name_in(&url),
        "ALTER TABLE turns ADD CONSTRAINT none CHECK (turn > 7)",
    );
    let (log, listening) = Log::listen();
    let error = records
        .put_turn(call.call_id, turn(0, WORDS))
        .await
        .unwrap_err();
    drop(listening);
    assert!(matches!(error, records::StoreError::Failed(_)), "{error:?}");
    let told = format!("{error} {error:?} {}", log.text());
    assert!(told.contains("23514"), "{told}");
    assert!(!told.contains("outside"), "{told}");
    let record = records.call(call.call_id).await.unwrap().unwrap();
    assert!(record.messages.is_empty());
}

#[tokio::test]
async fn nothing_of_the_url_reaches_the_log() {
    let url = server().database();
    let (log, listening) = Log::listen();
    let misspelt = format!("{url}?pasword=hunter2&application_name=hunter2&connect_timeout=3");
    let records = opened(&misspelt).await;
    records.start_call(new_call(None)).await.unwrap();
    drop(listening);
    let log = log.text();
    assert!(!log.contains("hunter2"), "{log}");
    assert!(!log.contains(server().password()), "{log}");
    assert!(!format!("{records:?}").contains(server().password()));
}

#[tokio::test]
async fn a_url_that_cannot_be_read_is_told_and_not_repeated() {
    for url in [
        "postgres://nightlight:hunter2@host:port/db",
        "postgres://nightlight:hunter2@host/db?sslmode=hunter2",
        "postgresql://[hunter2/db",
    ] {
        let error = failure(url).await;
        assert!(matches!(error, PostgresOpenError::Url), "{error:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_cannot_be_reached_is_told_after_it_had_time_to_start() {
    let begun = tokio::time::Instant::now();
    let error = failure("postgres://nightlight:hunter2@127.0.0.1:1/db").await;
    assert!(
        matches!(error, PostgresOpenError::Unreachable(_)),
        "{error:?}"
    );
    assert!(error.to_string().contains("refused"), "{error}");
    assert!(begun.elapsed() > Duration::from_secs(9));
    assert!(begun.elapsed() < Duration::from_secs(11));
}

#[tokio::test]
async fn a_wrong_password_and_a_database_that_is_not_there_are_told() {
    let url = server().database();
    let wrong = url.replace(server().password(), "hunter2");
    let error = failure(&wrong).await;
    assert!(matches!(error, PostgresOpenError::NotLetIn(_)), "{error:?}");
    let error = failure(&server().url("nowhere")).await;
    assert!(
        matches!(error, PostgresOpenError::NoSuchDatabase),
        "{error:?}"
    );
}

#[tokio::test]
async fn another_programs_database_is_told_and_left_alone() {
    let url = server().database();
    server().sql(name_in(&url), "CREATE TABLE calls (duration interval)");
    let error = failure(&url).await;
    assert!(matches!(error, PostgresOpenError::NotOurs), "{error:?}");
    let tables = server().sql(
        name_in(&url),
        "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace",
    );
    assert_eq!(tables, "calls");
}

#[tokio::test]
async fn what_extensions_have_put_there_is_nobodys_table() {
    let url = server().database();
    server().sql(name_in(&url), "CREATE EXTENSION pg_stat_statements");
    opened(&url).await;
}

#[tokio::test]
async fn a_name_that_may_make_no_tables_is_told() {
    let url = server().database();
    let password = server().password();
    server().sql(
        name_in(&url),
        &format!("CREATE ROLE guest LOGIN PASSWORD '{password}'"),
    );
    let error = failure(&url.replace("nightlight:", "guest:")).await;
    assert!(
        matches!(error, PostgresOpenError::NotPermitted),
        "{error:?}"
    );
}

#[tokio::test]
async fn an_encoding_without_every_letter_is_told() {
    let options = ["--template", "template0", "--encoding", "LATIN1"];
    server().make_database("latin", &options);
    let error = failure(&server().url("latin")).await;
    assert!(
        matches!(error, PostgresOpenError::Encoding { .. }),
        "{error:?}"
    );
}

#[tokio::test]
async fn a_newer_schema_is_told_and_an_altered_one_too() {
    let url = server().database();
    drop(opened(&url).await);
    server().sql(
        name_in(&url),
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
         VALUES (9000, 'from the future', true, '', 0)",
    );
    let error = failure(&url).await;
    assert!(
        matches!(error, PostgresOpenError::NewerSchema { found: 9000, .. }),
        "{error:?}"
    );
    server().sql(
        name_in(&url),
        "DELETE FROM _sqlx_migrations WHERE version = 9000; \
         UPDATE _sqlx_migrations SET checksum = '' WHERE version = 1",
    );
    let error = failure(&url).await;
    assert!(
        matches!(error, PostgresOpenError::AlteredSchema { version: 1 }),
        "{error:?}"
    );
}

#[tokio::test]
async fn a_servers_certificate_is_held_to_where_the_url_asks_for_it() {
    let server = PostgresServer::start();
    let made = Command::new("openssl")
        .args([
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
        ])
        .args([
            "-subj",
            "/CN=localhost",
            "-addext",
            "subjectAltName=IP:127.0.0.1",
            "-addext",
            "basicConstraints=critical,CA:FALSE",
        ])
        .args(["-keyout", "-"])
        .output()
        .expect("openssl comes with Debian's postgresql");
    let pem = String::from_utf8(made.stdout).unwrap();
    let (key, certificate) = pem.split_at(pem.find("-----BEGIN CERTIFICATE").unwrap());
    server.lay_file("server.key", key);
    let certificate = server.lay_file("server.crt", certificate);
    server.configure("ssl = on");
    server.stop();
    server.start_again();

    let url = server.database();
    let strict = format!("{url}?sslmode=verify-full");
    let refused = Records::open(&strict).await.unwrap_err().to_string();
    assert!(refused.contains("certificate"), "{refused}");
    let records = opened(&format!("{strict}&sslrootcert={}", certificate.display())).await;
    records.start_call(new_call(None)).await.unwrap();
    let encrypted = "SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) \
                     WHERE application_name LIKE 'nightlight %'";
    assert_eq!(server.sql(name_in(&url), encrypted), "t");
}
