//! Records kept encrypted: what then stands on the disk, what becomes of a value whose key is missing or that was altered,
//! and rotation. On every database.
#![allow(clippy::unwrap_used)]

mod story;

use std::path::{Path, PathBuf};
use std::time::Duration;

use postgres_for_tests::{PostgresServer, WAITING_FOR_A_LOCK};
use records::{
    CallId, NewCall, Records, RecordsKeys, RotationError, VisitorId, back_up, new_records_key,
    restore, rotate_keys,
};
use sqlx::postgres::PgConnection;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, Row};
use story::log::Log;
use story::*;
use tempfile::TempDir;

const WORDS: &str = "he is outside the door";

fn key() -> String {
    new_records_key().expose_secret().clone()
}

fn keys(keys: &[&str]) -> RecordsKeys {
    RecordsKeys::parse(&keys.join("\n")).unwrap()
}

async fn opened(url: &str, with: &[&str]) -> Records {
    Records::open_with(url, keys(with)).await.unwrap()
}

/// A database that a test may look into, and change, past the store.
enum Place {
    Sqlite(TempDir),
    Postgres(String),
}

impl Place {
    fn sqlite() -> Self {
        Self::Sqlite(tempfile::tempdir().unwrap())
    }

    fn postgres() -> Self {
        Self::Postgres(PostgresServer::shared().database())
    }

    fn path(folder: &TempDir) -> PathBuf {
        folder.path().join("records.db")
    }

    fn url(&self) -> String {
        match self {
            Self::Sqlite(folder) => format!("sqlite:{}", Self::path(folder).display()),
            Self::Postgres(url) => url.clone(),
        }
    }

    /// What a statement answers, value by value.
    async fn sql(&self, statement: &str) -> String {
        match self {
            Self::Sqlite(folder) => {
                let options = SqliteConnectOptions::new().filename(Self::path(folder));
                let mut raw = options.connect().await.unwrap();
                let statement = sqlx::AssertSqlSafe(statement.to_owned());
                let rows = sqlx::query(statement).fetch_all(&mut raw).await.unwrap();
                let values = rows.iter().flat_map(|row| {
                    (0..row.len()).map(|column| row.get::<Option<String>, _>(column))
                });
                values.flatten().collect::<Vec<_>>().join("|")
            }
            Self::Postgres(url) => PostgresServer::shared().sql(database_in(url), statement),
        }
    }

    /// Everything that is stored of the calls that are no samples: in files, or as the tables hold it.
    async fn stored(&self) -> Vec<u8> {
        match self {
            Self::Sqlite(folder) => files_in(folder.path()),
            Self::Postgres(_) => {
                let rows =
                    "SELECT calls::text FROM calls WHERE NOT sample; SELECT turns::text FROM turns";
                self.sql(rows).await.into_bytes()
            }
        }
    }

    async fn holds(&self, words: &str) -> bool {
        holds(&self.stored().await, words)
    }
}

fn database_in(url: &str) -> &str {
    url.rsplit('/').next().unwrap()
}

fn files_in(folder: &Path) -> Vec<u8> {
    let files = std::fs::read_dir(folder).unwrap();
    // A log that is gone by now holds nothing.
    let read = |file: std::io::Result<std::fs::DirEntry>| std::fs::read(file.unwrap().path());
    files
        .flat_map(|file| read(file).unwrap_or_default())
        .collect()
}

fn holds(bytes: &[u8], words: &str) -> bool {
    bytes
        .windows(words.len())
        .any(|window| window == words.as_bytes())
}

/// A call under way, with a turn, and one that is over; both said [`WORDS`].
async fn two_calls(records: &Records, visitor: VisitorId) -> [NewCall; 2] {
    let calls = [(); 2].map(|()| new_call(Some(visitor)));
    for call in &calls {
        records.start_call(call.clone()).await.unwrap();
        let said = turn(0, WORDS);
        records.put_turn(call.call_id, said).await.unwrap();
    }
    let finished = finished_call(&calls[1], WORDS);
    records
        .finish_call(calls[1].call_id, finished)
        .await
        .unwrap();
    calls
}

async fn words_of(records: &Records, call: &NewCall) -> Vec<String> {
    let record = records.call(call.call_id).await.unwrap().unwrap();
    said(&record.messages)
        .into_iter()
        .map(str::to_owned)
        .collect()
}

async fn both_are_whole(records: &Records, calls: &[NewCall; 2]) {
    for call in calls {
        assert_eq!(words_of(records, call).await, [WORDS]);
    }
    let over = records.call(calls[1].call_id).await.unwrap().unwrap();
    assert_eq!(over.note, Some(note(WORDS)));
    assert!(!over.damaged && !over.unopened);
    let left = left_behind(records).await;
    assert_eq!(left.len(), 1);
    assert_eq!(left[0].conversation, Some(turn(0, WORDS).conversation));
}

async fn no_word_of_a_conversation_is_stored(place: Place) {
    let visitor = VisitorId::random();
    let clear = Records::open(&place.url()).await.unwrap();
    let calls = two_calls(&clear, visitor).await;
    assert!(
        place.holds(WORDS).await,
        "the words are looked for where they are"
    );
    for call in &calls {
        clear.delete_call(call.call_id).await.unwrap();
    }
    drop(clear);
    assert!(!place.holds(WORDS).await);

    let key = key();
    let records = opened(&place.url(), &[&key]).await;
    let calls = two_calls(&records, visitor).await;
    assert!(!place.holds(WORDS).await);
    if let Place::Postgres(_) = place {
        // The samples, which say these too, are in the same file and not in the same rows.
        for said in ["violence now", "Physical", "PAVE"] {
            assert!(!place.holds(said).await, "{said}");
        }
    }
    both_are_whole(&records, &calls).await;
    let again = opened(&place.url(), &[&key]).await;
    both_are_whole(&again, &calls).await;
}

async fn a_record_whose_key_is_missing_is_listed_as_unreadable_and_stays_as_it_is(place: Place) {
    let visitor = VisitorId::random();
    let (first, second) = (key(), key());
    let calls = two_calls(&opened(&place.url(), &[&first]).await, visitor).await;

    for with in [vec![second.as_str()], vec![]] {
        let (log, listening) = Log::listen();
        let records = opened(&place.url(), &with).await;
        assert_eq!(log.text().matches("ERROR").count(), 1, "{}", log.text());
        assert!(log.text().contains("sealed with keys that are not set"));
        let seen = own(listed(&records, visitor).await);
        assert_eq!(seen.len(), 2, "the list is whole");
        let over = &seen[1];
        assert!(over.unopened && over.damaged && over.note.is_none());
        assert_eq!(over.started_at, calls[1].started_at);
        assert!(over.ended_reason.is_some());
        let whole = records.call(calls[0].call_id).await.unwrap().unwrap();
        assert!(whole.unopened && whole.messages.is_empty());
        assert!(
            left_behind(&records).await.is_empty(),
            "nobody ends it with a note that knows nothing"
        );
        let told = log.text();
        let another = new_call(Some(visitor));
        records.start_call(another.clone()).await.unwrap();
        let found = records.left_behind(another.kind, Duration::ZERO, 1).await;
        let found = found.unwrap();
        assert_eq!(found.len(), 1, "what is behind it is reached");
        assert_eq!(found[0].call_id, another.call_id);
        assert_eq!(log.text(), told, "it is told of once");
        records.delete_call(another.call_id).await.unwrap();
        drop(listening);
        assert!(!log.text().contains("outside"));
        assert!(!log.text().contains(&first) && !log.text().contains(&second));
    }
    let records = opened(&place.url(), &[&second, &first]).await;
    both_are_whole(&records, &calls).await;
    let later = two_calls(&records, visitor).await;
    let (log, listening) = Log::listen();
    let records = opened(&place.url(), &[&second]).await;
    drop(listening);
    assert!(log.text().contains("ERROR"), "the older one is still used");
    assert_eq!(words_of(&records, &later[1]).await, [WORDS]);
}

async fn a_value_that_was_altered_or_moved_is_left_out_and_the_others_are_read(place: Place) {
    let (visitor, key) = (VisitorId::random(), key());
    let records = opened(&place.url(), &[&key]).await;
    let [running, first] = two_calls(&records, visitor).await;
    let [_, second] = two_calls(&records, visitor).await;
    let [_, third] = two_calls(&records, visitor).await;
    let said_next = turn(1, "and he has a knife");
    records
        .put_turn(running.call_id, said_next.clone())
        .await
        .unwrap();
    let id = |call: &NewCall| call.call_id.0;
    // One takes another's note, one its own messages as a note, one has a character altered; two turns change places.
    place.sql(&format!(
        "UPDATE calls SET note = (SELECT note FROM calls WHERE call_id = '{}') WHERE call_id = '{}'",
        id(&second),
        id(&first)
    )).await;
    place
        .sql(&format!(
            "UPDATE calls SET note = messages WHERE call_id = '{}'",
            id(&second)
        ))
        .await;
    let text = match place {
        Place::Sqlite(_) => "messages",
        Place::Postgres(_) => "messages::text",
    };
    let json = match place {
        Place::Sqlite(_) => "",
        Place::Postgres(_) => "::json",
    };
    let altered = format!(
        "(substr({text}, 1, 60) || CASE substr({text}, 61, 1) WHEN 'A' THEN 'B' ELSE 'A' END || substr({text}, 62)){json}"
    );
    place
        .sql(&format!(
            "UPDATE calls SET messages = {altered} WHERE call_id = '{}'",
            id(&third)
        ))
        .await;
    place.sql(&format!(
        "UPDATE turns SET messages = (SELECT messages FROM turns AS other WHERE other.call = turns.call AND other.turn = 1) \
         WHERE turn = 0 AND call = (SELECT id FROM calls WHERE call_id = '{}')",
        id(&running)
    )).await;
    let (log, listening) = Log::listen();
    let record = async |call: &NewCall| records.call(call.call_id).await.unwrap().unwrap();
    for moved in [&first, &second] {
        let moved = record(moved).await;
        assert!(moved.unopened && moved.note.is_none());
        assert_eq!(said(&moved.messages), [WORDS]);
    }
    let altered = record(&third).await;
    assert!(altered.unopened && altered.messages.is_empty());
    assert_eq!(altered.note, Some(note(WORDS)));
    let running_record = record(&running).await;
    assert_eq!(said(&running_record.messages), ["and he has a knife"]);
    let left: Vec<CallId> = left_behind(&records)
        .await
        .iter()
        .map(|left| left.call_id)
        .collect();
    assert_eq!(left.len(), 2);
    assert!(!left.contains(&running.call_id));
    drop(listening);
    assert!(
        log.text()
            .contains("it was altered, or is another record's")
    );
    assert_eq!(own(listed(&records, visitor).await).len(), 6);
}

async fn rotation_encrypts_everything_with_the_first_key_and_the_others_can_go(place: Place) {
    let visitor = VisitorId::random();
    let (old, new) = (key(), key());
    let in_the_clear = two_calls(&Records::open(&place.url()).await.unwrap(), visitor).await;
    let with_the_old = two_calls(&opened(&place.url(), &[&old]).await, visitor).await;
    assert!(place.holds(WORDS).await);

    let rotated = rotate_keys(&place.url(), keys(&[&new, &old]), |_| {}).await;
    let rotated = rotated.unwrap();
    assert_eq!((rotated.looked_at, rotated.sealed_anew), (4, 4));
    assert_eq!((rotated.unreadable, rotated.written_meanwhile), (0, 0));
    assert!(!place.holds(WORDS).await);
    let (log, listening) = Log::listen();
    let records = opened(&place.url(), &[&new]).await;
    drop(listening);
    assert!(!log.text().contains("ERROR"), "{}", log.text());
    for call in in_the_clear.iter().chain(&with_the_old) {
        assert_eq!(words_of(&records, call).await, [WORDS]);
    }
    assert_eq!(left_behind(&records).await.len(), 2);

    let again = rotate_keys(&place.url(), keys(&[&new]), |_| {}).await;
    assert_eq!(again.unwrap().sealed_anew, 0);
}

async fn what_rotation_cannot_open_stays_and_its_key_is_asked_for(place: Place) {
    let visitor = VisitorId::random();
    let (lost, new) = (key(), key());
    let calls = two_calls(&opened(&place.url(), &[&lost]).await, visitor).await;
    let before = place
        .sql("SELECT note, messages FROM calls WHERE id > 10 ORDER BY id")
        .await;
    let rotated = rotate_keys(&place.url(), keys(&[&new]), |_| {}).await;
    let rotated = rotated.unwrap();
    assert_eq!((rotated.sealed_anew, rotated.unreadable), (0, 2));
    let wanted: Vec<&str> = rotated.keys_wanted.iter().map(String::as_str).collect();
    assert_eq!(wanted, keys(&[&lost]).ids().collect::<Vec<_>>());
    let after = place
        .sql("SELECT note, messages FROM calls WHERE id > 10 ORDER BY id")
        .await;
    assert_eq!(after, before);
    rotate_keys(&place.url(), keys(&[&new, &lost]), |_| {})
        .await
        .unwrap();
    both_are_whole(&opened(&place.url(), &[&new]).await, &calls).await;
}

async fn nothing_is_lost_where_calls_go_on_while_keys_are_rotated(place: Place) {
    let visitor = VisitorId::random();
    let (old, new) = (key(), key());
    let url = place.url();
    let before = opened(&url, &[&old]).await;
    for _ in 0..20 {
        two_calls(&before, visitor).await;
    }
    drop(before);
    // A server that has both keys already, as it must.
    let records = opened(&url, &[&new, &old]).await;
    let (begun, has_begun) = tokio::sync::oneshot::channel();
    let writing = tokio::spawn({
        let records = records.clone();
        async move {
            let mut begun = Some(begun);
            let mut calls = Vec::new();
            for _ in 0..8 {
                let call = new_call(Some(visitor));
                records.start_call(call.clone()).await.unwrap();
                for index in 0..5 {
                    let said = turn(index, &format!("turn {index}"));
                    records.put_turn(call.call_id, said).await.unwrap();
                    begun.take().map(|begun| begun.send(()));
                }
                let finished = finished_call(&call, WORDS);
                records.finish_call(call.call_id, finished).await.unwrap();
                calls.push(call);
            }
            calls
        }
    });
    has_begun.await.unwrap();
    let rotated = rotate_keys(&url, keys(&[&new, &old]), |_| {})
        .await
        .unwrap();
    assert_eq!((rotated.sealed_anew, rotated.unreadable), (40, 0));
    let calls = writing.await.unwrap();
    let records = opened(&url, &[&new]).await;
    for call in &calls {
        assert_eq!(words_of(&records, call).await, [WORDS]);
    }
    let seen = own(listed(&records, visitor).await);
    assert_eq!(seen.len(), 48);
    assert!(seen.iter().all(|record| !record.damaged));
    assert_eq!(left_behind(&records).await.len(), 20);
}

async fn rotation_tells_of_a_server_that_writes_with_another_key(place: Place) {
    let visitor = VisitorId::random();
    let (old, new) = (key(), key());
    let url = place.url();
    let server = opened(&url, &[&old]).await;
    let [running, _] = two_calls(&server, visitor).await;
    let runtime = tokio::runtime::Handle::current();
    let mut says = Some(turn(1, WORDS));
    let rotated = rotate_keys(&url, keys(&[&new, &old]), |_| {
        // Its record was looked at already.
        if let Some(says) = says.take() {
            let (runtime, server) = (runtime.clone(), server.clone());
            let said = async move { server.put_turn(running.call_id, says).await };
            let said = std::thread::spawn(move || runtime.block_on(said));
            said.join().unwrap().unwrap();
        }
    });
    assert_eq!(rotated.await.unwrap().written_meanwhile, 1);
    let (log, listening) = Log::listen();
    drop(opened(&url, &[&new]).await);
    drop(listening);
    assert!(log.text().contains("ERROR"), "its key is still asked for");
}

macro_rules! on_every_database {
    ($($behaviour:ident)*) => {
        on_every_database! { @each sqlite $($behaviour)* }
        on_every_database! { @each postgres $($behaviour)* }
    };
    (@each $database:ident $($behaviour:ident)*) => {
        mod $database {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $behaviour() {
                    super::$behaviour(super::Place::$database()).await;
                }
            )*
        }
    };
}

on_every_database! {
    no_word_of_a_conversation_is_stored
    a_record_whose_key_is_missing_is_listed_as_unreadable_and_stays_as_it_is
    a_value_that_was_altered_or_moved_is_left_out_and_the_others_are_read
    rotation_encrypts_everything_with_the_first_key_and_the_others_can_go
    what_rotation_cannot_open_stays_and_its_key_is_asked_for
    nothing_is_lost_where_calls_go_on_while_keys_are_rotated
    rotation_tells_of_a_server_that_writes_with_another_key
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_that_is_stored_in_postgresql_while_its_record_is_rotated_is_kept() {
    let place = Place::postgres();
    let url = place.url();
    let (old, new) = (key(), key());
    let records = opened(&url, &[&old]).await;
    let call = new_call(None);
    let id = call.call_id;
    records.start_call(call.clone()).await.unwrap();
    records.put_turn(id, turn(0, "before")).await.unwrap();

    let waiting = async |count: &str| {
        while place.sql(WAITING_FOR_A_LOCK).await.trim() != count {}
    };
    // The turn is held up where it is stored already, and the rotation comes to its record meanwhile.
    let mut raw = PgConnection::connect(&url).await.unwrap();
    let mut holds_up = raw.begin().await.unwrap();
    sqlx::query("SELECT FROM turns FOR UPDATE")
        .execute(&mut *holds_up)
        .await
        .unwrap();
    let storing = tokio::spawn(async move { records.put_turn(id, turn(0, "after")).await });
    waiting("1").await;
    let both = keys(&[&new, &old]);
    let rotating = tokio::spawn({
        let url = url.clone();
        async move { rotate_keys(&url, both, |_| {}).await }
    });
    waiting("2").await;
    holds_up.rollback().await.unwrap();
    storing.await.unwrap().unwrap();
    rotating.await.unwrap().unwrap();
    let rotated = opened(&url, &[&new]).await;
    assert_eq!(words_of(&rotated, &call).await, ["after"]);
}

#[tokio::test]
async fn no_word_is_in_any_file_of_a_postgresql_server_nor_in_a_dump() {
    let server = PostgresServer::start();
    let url = server.database();
    let visitor = VisitorId::random();
    let records = opened(&url, &[&key()]).await;
    two_calls(&records, visitor).await;
    let dump = server.dump(database_in(&url));
    assert!(dump.contains(&visitor.to_string()));
    assert!(!dump.contains(WORDS));
    server.sql("postgres", "CHECKPOINT");
    let all = server.all_files();
    assert!(holds(&all, "sealed:1:"), "the files are looked through");
    assert!(!holds(&all, WORDS));
}

#[tokio::test]
async fn a_backup_is_as_encrypted_as_the_records_and_comes_back_with_their_key() {
    let (here, elsewhere) = (Place::sqlite(), Place::sqlite());
    let (visitor, key) = (VisitorId::random(), key());
    let records = opened(&here.url(), &[&key]).await;
    let calls = two_calls(&records, visitor).await;
    let folder = tempfile::tempdir().unwrap();
    let backup = folder.path().join("calls.backup");
    back_up(&here.url(), &backup, &[]).await.unwrap();
    assert!(!holds(&files_in(folder.path()), WORDS));
    restore(&elsewhere.url(), &backup, &[]).await.unwrap();
    both_are_whole(&opened(&elsewhere.url(), &[&key]).await, &calls).await;
    let (log, listening) = Log::listen();
    drop(opened(&elsewhere.url(), &[]).await);
    drop(listening);
    assert!(log.text().contains("sealed with keys that are not set"));
}

#[tokio::test]
async fn a_rotation_without_a_key_is_told_what_to_do() {
    let place = Place::sqlite();
    let refused = rotate_keys(&place.url(), RecordsKeys::none(), |_| {}).await;
    assert!(matches!(refused, Err(RotationError::NoKey)), "{refused:?}");
    assert!(refused.unwrap_err().to_string().contains("new-records-key"));
}
