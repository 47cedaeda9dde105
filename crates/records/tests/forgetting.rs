//! What becomes of records that were cases at the duty desk: when they are deleted, what keeps them, and what remains. On every
//! database; the cases are laid in past the desk, which this room does not know.
#![allow(clippy::unwrap_used)]

mod story;

use jiff::{SignedDuration, Timestamp, ToSpan};
use postgres_for_tests::{PostgresServer, WAITING_FOR_A_LOCK};
use records::{CallId, NewCall, Past, Purged, Records, RecordsKeys, StoreError};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, PgConnection, Row};
use story::log::Log;
use story::*;
use tempfile::TempDir;

const WORDS: &str = "he is outside the door";
const OFFICER: &str = "0193c2a0-0000-7000-8000-000000000001";

/// Records, and their database for what only the desk does.
struct Scene {
    records: Records,
    url: String,
    place: Option<TempDir>,
}

async fn sqlite() -> Scene {
    let place = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", place.path().join("records.db").display());
    Scene::on(url, Some(place)).await
}

async fn postgres() -> Scene {
    Scene::on(PostgresServer::shared().database(), None).await
}

/// How a case is laid in.
#[derive(Clone, Copy)]
enum Stands {
    Waiting,
    /// Closed, and to be kept until then.
    Closed(Timestamp),
}

impl Scene {
    async fn on(url: String, place: Option<TempDir>) -> Self {
        let records = Records::open_with(&url, RecordsKeys::none()).await.unwrap();
        let scene = Self {
            records,
            url,
            place,
        };
        let made_at = scene.at(morning());
        scene
            .sql(&format!(
                "INSERT INTO desk_accounts (id, name, sign_in_name, role, agencies, languages, made_at) \
                 VALUES ('{OFFICER}', 'Mei', 'mei@line.example', 'officer', '', '', {made_at})"
            ))
            .await;
        scene
    }

    fn at(&self, moment: Timestamp) -> String {
        match &self.place {
            Some(_) => moment.as_microsecond().to_string(),
            None => format!("'{moment}'"),
        }
    }

    /// What a statement answers, all of it text.
    async fn sql(&self, statement: &str) -> Vec<String> {
        let statement = AssertSqlSafe(statement.to_owned());
        match self.url.strip_prefix("sqlite:") {
            Some(path) => {
                let options = SqliteConnectOptions::new().filename(path);
                let mut raw = options.connect().await.unwrap();
                let rows = sqlx::query(statement).fetch_all(&mut raw).await.unwrap();
                raw.close().await.unwrap();
                let values = rows
                    .iter()
                    .flat_map(|row| (0..row.len()).map(|it| row.get(it)));
                values.collect()
            }
            None => {
                let mut raw = PgConnection::connect(&self.url).await.unwrap();
                let rows = sqlx::query(statement).fetch_all(&mut raw).await.unwrap();
                let values = rows
                    .iter()
                    .flat_map(|row| (0..row.len()).map(|it| row.get(it)));
                values.collect()
            }
        }
    }

    /// A call that ended then, and said these words.
    async fn ended(&self, ended_at: Timestamp, words: &str) -> NewCall {
        let call = NewCall {
            started_at: ended_at - 5.minutes(),
            ..new_call(None)
        };
        self.records.start_call(call.clone()).await.unwrap();
        let finished = records::FinishedCall {
            ended_at,
            ..finished_call(&call, words)
        };
        let done = self.records.finish_call(call.call_id, finished);
        done.await.unwrap();
        call
    }

    async fn lay_case(&self, id: CallId, kind: &str, ended_at: Timestamp, stands: Stands) {
        let at = self.at(ended_at);
        let (state, outcome, closed_by, keep_until) = match stands {
            Stands::Waiting => ("waiting", "NULL".into(), "NULL".into(), "NULL".into()),
            Stands::Closed(until) => (
                "closed",
                "'helped'".to_owned(),
                format!("'{OFFICER}'"),
                self.at(until),
            ),
        };
        let urgent = match &self.place {
            Some(_) => "1",
            None => "true",
        };
        self.sql(&format!(
            "INSERT INTO desk_cases (call_id, kind, started_at, ended_at, agency, urgent, state, since, touched_at, \
             outcome, closed_by, keep_until) \
             VALUES ('{id}', '{kind}', {at}, {at}, 'PAVE', {urgent}, '{state}', {at}, {at}, {outcome}, {closed_by}, {keep_until})"
        ))
        .await;
    }

    /// A call that ended then, with its case.
    async fn case(&self, ended_at: Timestamp, stands: Stands) -> CallId {
        let call = self.ended(ended_at, WORDS).await.call_id;
        self.lay_case(call, "webCall", ended_at, stands).await;
        call
    }

    /// What officers wrote of a case.
    async fn written(&self, id: CallId, words: &str) {
        let at = self.at(morning());
        for statement in [
            format!(
                "UPDATE desk_cases SET content = '{{\"note\":\"{words}\"}}', caller = 'a digest' WHERE call_id = '{id}'"
            ),
            format!(
                "INSERT INTO desk_case_acts (call_id, number, at, who, what, words) \
                 VALUES ('{id}', 1, {at}, '{OFFICER}', 'taken', NULL), ('{id}', 2, {at}, '{OFFICER}', 'reopened', '{words}')"
            ),
            format!(
                "INSERT INTO desk_follow_ups (id, call_id, kind, due_at, words) \
                 VALUES ('{}', '{id}', 'task', {at}, '{words}')",
                CallId::random()
            ),
        ] {
            self.sql(&statement).await;
        }
    }

    async fn hold(&self, id: CallId) {
        let at = self.at(morning());
        self.sql(&format!(
            "INSERT INTO desk_holds (call_id, at, who, reason) VALUES ('{id}', {at}, '{OFFICER}', 'the court asks')"
        ))
        .await;
    }

    async fn let_go(&self, id: CallId) {
        self.sql(&format!("DELETE FROM desk_holds WHERE call_id = '{id}'"))
            .await;
    }

    /// Records of calls are kept for a month.
    async fn purge_at(&self, now: Timestamp, most: u32) -> Purged {
        let ended_before = now - SignedDuration::from_hours(30 * 24);
        let past = Past { now, ended_before };
        self.records.purge(past, most).await.unwrap()
    }

    async fn purged(&self, now: Timestamp) -> Vec<CallId> {
        self.purge_at(now, 10).await.cases
    }

    /// Why, by whom, which kinds and the hash.
    async fn receipt(&self, id: CallId) -> Option<[String; 4]> {
        let told = self
            .sql(&format!(
                "SELECT why, who, kinds, hash FROM desk_receipts WHERE call_id = '{id}'"
            ))
            .await;
        (!told.is_empty()).then(|| told.try_into().unwrap())
    }

    /// Rows of every table of the desk's that belong to cases, and their calls.
    async fn left(&self) -> u64 {
        let mut left = 0;
        for table in [
            "calls WHERE NOT sample",
            "turns",
            "desk_cases",
            "desk_case_acts",
            "desk_follow_ups",
            "desk_holds",
        ] {
            let count = format!("SELECT CAST(count(*) AS text) FROM {table}");
            left += self.sql(&count).await[0].parse::<u64>().unwrap();
        }
        left
    }
}

fn morning() -> Timestamp {
    "2026-11-20T01:00:00Z".parse().unwrap()
}

fn days(days: i64) -> SignedDuration {
    SignedDuration::from_hours(24 * days)
}

async fn a_closed_case_goes_at_its_time_and_an_open_one_at_its_age(scene: Scene) {
    let ended = morning();
    let closed = scene.case(ended, Stands::Closed(ended + days(14))).await;
    let open = scene.case(ended, Stands::Waiting).await;
    let long = scene.case(ended, Stands::Closed(ended + days(90))).await;
    let just_before = |day| ended + days(day) - 1.microsecond();

    assert_eq!(scene.purged(just_before(14)).await, []);
    assert_eq!(scene.purged(ended + days(14)).await, [closed]);
    assert_eq!(scene.records.call(closed).await.unwrap(), None);
    assert_eq!(scene.purged(just_before(30)).await, []);
    let mut aged = scene.purged(ended + days(30) + 1.microsecond()).await;
    aged.sort_unstable_by_key(|id| *id != open);
    assert_eq!(aged, [open, long], "no case is kept longer than was told");
    assert_eq!(scene.left().await, 0);
    for (id, why) in [(closed, "closed"), (open, "age"), (long, "age")] {
        let [told, who, ..] = scene.receipt(id).await.unwrap();
        assert_eq!((told.as_str(), who.as_str()), (why, "server"));
    }
}

async fn what_is_on_hold_stays_until_its_hold_ends(scene: Scene) {
    let ended = morning();
    let closed = scene.case(ended, Stands::Closed(ended + days(14))).await;
    let open = scene.case(ended, Stands::Waiting).await;
    for id in [closed, open] {
        scene.hold(id).await;
    }
    let much_later = ended + days(365);
    assert_eq!(scene.purge_at(much_later, 10).await, Purged::default());
    let refused = scene.records.delete_call(open).await;
    assert!(matches!(refused, Err(StoreError::OnHold)), "{refused:?}");
    for id in [closed, open] {
        assert!(scene.records.call(id).await.unwrap().is_some());
        assert_eq!(scene.receipt(id).await, None);
    }
    for id in [closed, open] {
        scene.let_go(id).await;
        assert_eq!(scene.purged(much_later).await, [id]);
    }
    assert_eq!(scene.left().await, 0);
}

async fn what_is_on_hold_takes_nobodys_turn(scene: Scene) {
    let ended = morning();
    for _ in 0..3 {
        let held = scene.case(ended, Stands::Waiting).await;
        scene.hold(held).await;
    }
    let later = scene.case(ended + 1.hour(), Stands::Waiting).await;
    let purged = scene.purge_at(ended + days(60), 1).await;
    assert_eq!(purged.cases, [later]);
}

async fn a_case_that_was_taken_elsewhere_is_forgotten_as_a_call_is(scene: Scene) {
    let ended = morning();
    let [closed, aged, asked] = [(); 3].map(|()| CallId::random());
    let until = Stands::Closed(ended + days(14));
    scene.lay_case(closed, "elsewhere", ended, until).await;
    for id in [aged, asked] {
        scene
            .lay_case(id, "elsewhere", ended, Stands::Waiting)
            .await;
        scene.written(id, WORDS).await;
    }
    assert!(scene.records.delete_call(asked).await.unwrap());
    assert!(!scene.records.delete_call(asked).await.unwrap());
    assert_eq!(scene.purge_at(ended + days(14), 10).await.records, 1);
    assert_eq!(scene.purge_at(ended + days(31), 10).await.records, 1);
    assert_eq!(scene.left().await, 0);
    for (id, why) in [(closed, "closed"), (aged, "age"), (asked, "asked")] {
        assert_eq!(scene.receipt(id).await.unwrap()[0], why);
    }
}

async fn a_receipt_tells_which_kinds_were_there_and_holds_none_of_their_words(scene: Scene) {
    let ended = morning();
    let [whole, other] = [
        scene.case(ended, Stands::Waiting).await,
        scene.case(ended, Stands::Waiting).await,
    ];
    let elsewhere = CallId::random();
    let stands = Stands::Waiting;
    scene.lay_case(elsewhere, "elsewhere", ended, stands).await;
    scene.written(whole, WORDS).await;
    assert!(scene.records.delete_call(whole).await.unwrap());
    let mut purged = scene.purged(ended + days(31)).await;
    purged.sort_unstable_by_key(|id| *id != other);
    assert_eq!(purged, [other, elsewhere]);

    let [why, who, kinds, hash] = scene.receipt(whole).await.unwrap();
    assert_eq!([why, who], ["asked", "command line"]);
    let all = "transcript,note,case,caller-number,acts,follow-ups";
    assert_eq!(kinds, all);
    let is_sha_256 = |hash: &str| hash.len() == 64 && hash.bytes().all(|b| b.is_ascii_hexdigit());
    assert!(is_sha_256(&hash), "{hash}");
    let [_, _, kinds, another] = scene.receipt(other).await.unwrap();
    assert_eq!(kinds, "transcript,note");
    assert!(is_sha_256(&another) && another != hash);
    assert_eq!(
        scene.receipt(elsewhere).await.unwrap()[2],
        "",
        "nothing was written of it"
    );
    let everything = "SELECT CAST(call_id AS text), why, who, kinds, hash FROM desk_receipts";
    let told = scene.sql(everything).await.join(" ");
    assert!(!told.contains(WORDS) && !told.contains("digest"), "{told}");
}

async fn the_hash_is_over_what_was_stored(scene: Scene) {
    // The same case, three times over: as it is, as it is, and with one letter more.
    let mut hashes = Vec::new();
    let id = CallId::random();
    for words in [WORDS, WORDS, "he is outside the door!"] {
        let stands = Stands::Waiting;
        scene.lay_case(id, "elsewhere", morning(), stands).await;
        let content = format!("UPDATE desk_cases SET content = '{words}' WHERE call_id = '{id}'");
        scene.sql(&content).await;
        assert!(scene.records.delete_call(id).await.unwrap());
        hashes.push(scene.receipt(id).await.unwrap()[3].clone());
    }
    assert_eq!(hashes[0], hashes[1]);
    assert_ne!(hashes[0], hashes[2]);
}

async fn a_record_that_never_was_a_case_leaves_no_receipt(scene: Scene) {
    let aged = scene.ended(morning(), WORDS).await.call_id;
    let asked = scene.ended(morning(), WORDS).await.call_id;
    assert!(scene.records.delete_call(asked).await.unwrap());
    let purged = scene.purge_at(morning() + days(31), 10).await;
    let expected = Purged {
        records: 1,
        cases: Vec::new(),
    };
    assert_eq!(purged, expected);
    assert_eq!(scene.records.call(aged).await.unwrap(), None);
    let count = "SELECT CAST(count(*) AS text) FROM desk_receipts";
    assert_eq!(scene.sql(count).await, ["0"]);
}

macro_rules! on_every_database {
    ($($story:ident)+) => {
        mod on_sqlite {
            $(
                #[tokio::test]
                async fn $story() {
                    super::$story(super::sqlite().await).await;
                }
            )+
        }
        mod on_postgres {
            $(
                #[tokio::test]
                async fn $story() {
                    super::$story(super::postgres().await).await;
                }
            )+
        }
    };
}

on_every_database! {
    a_closed_case_goes_at_its_time_and_an_open_one_at_its_age
    what_is_on_hold_stays_until_its_hold_ends
    what_is_on_hold_takes_nobodys_turn
    a_case_that_was_taken_elsewhere_is_forgotten_as_a_call_is
    a_receipt_tells_which_kinds_were_there_and_holds_none_of_their_words
    the_hash_is_over_what_was_stored
    a_record_that_never_was_a_case_leaves_no_receipt
}

#[tokio::test]
async fn the_words_of_a_forgotten_case_are_in_no_file_nor_in_the_log() {
    let (log, _listening) = Log::listen();
    let scene = sqlite().await;
    let ended = morning();
    let case = scene.case(ended, Stands::Closed(ended + days(14))).await;
    let elsewhere = CallId::random();
    let until = Stands::Closed(ended + days(14));
    scene.lay_case(elsewhere, "elsewhere", ended, until).await;
    for id in [case, elsewhere] {
        scene.written(id, WORDS).await;
    }
    let folder = scene.place.as_ref().unwrap().path();
    let on_disk = || {
        std::fs::read_dir(folder).unwrap().any(|file| {
            let bytes = std::fs::read(file.unwrap().path()).unwrap();
            let mut windows = bytes.windows(WORDS.len());
            windows.any(|window| window == WORDS.as_bytes())
        })
    };
    assert!(on_disk(), "the words are looked for where they are");
    assert_eq!(scene.purge_at(ended + days(14), 10).await.records, 2);
    assert!(!on_disk());
    assert!(!log.text().contains(WORDS));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hold_that_is_put_on_while_a_purge_of_postgresql_comes_to_it_counts() {
    let scene = postgres().await;
    let case = scene.case(morning(), Stands::Waiting).await;
    let mut raw = PgConnection::connect(&scene.url).await.unwrap();
    let mut holding = raw.begin().await.unwrap();
    let hold = "INSERT INTO desk_holds (call_id, at, who, reason) VALUES ($1, now(), $2, 'the court asks')";
    sqlx::query(hold)
        .bind(case.0)
        .bind(OFFICER.parse::<CallId>().unwrap().0)
        .execute(&mut *holding)
        .await
        .unwrap();
    let url = scene.url.clone();
    let purging = tokio::spawn(async move { scene.purge_at(morning() + days(31), 10).await });
    let name = url.rsplit('/').next().unwrap();
    while PostgresServer::shared().sql(name, WAITING_FOR_A_LOCK) != "1" {}
    holding.commit().await.unwrap();
    assert_eq!(purging.await.unwrap(), Purged::default());
}
