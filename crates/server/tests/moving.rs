//! Everything that is kept, moved by a backup from a file into PostgreSQL and back, and read by the stores of every room. And the
//! lists of what moves, held against what both databases have: what is new there is named here, or left out by its name.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use desk::cases::caller_number::CallerNumber;
use desk::cases::{CaseAct, CaseFile, CaseKind, EndedCall, FollowUpKind, NewFollowUp};
use desk::receipts::Receipt;
use desk::shifts::Shift;
use desk::{Account, Attempt, Desk, Entry, Head, NewAccount, Role, SessionBounds, Who, code_at};
use flow::{AbuseType, Agency, CaseNote, EndReason, StructuredData};
use jiff::Timestamp;
use jobs::{Jobs, Kind, LODGER, Standing};
use postgres_for_tests::PostgresServer;
use records::{
    CallId, CallKind, CallRecord, Database, FinishedCall, LEFT_OUT, Label, Message, NewCall,
    Records, RecordsKeys, TABLES, Table, Turn, UnfinishedCall, VisitorId, back_up, new_records_key,
    restore,
};
use redact::Secret;
use resources::{Kind as ResourceKind, NewResource, Resource, Resources, Wanted};
use serde_json::json;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection};
use tempfile::TempDir;

const WORDS: &str = "he is outside the door";
const PASSWORD: &str = "a lantern at 3 am";
const MAIL: Kind = Kind("mail-of-tests");
const SAMPLES: usize = 10;

fn secret(text: &str) -> Secret<String> {
    Secret::new(text.to_owned())
}

/// An evening; so many seconds into it.
fn at(second: u64) -> Timestamp {
    let evening: Timestamp = "2026-11-24T12:00:00.123456Z".parse().unwrap();
    evening + Duration::from_secs(second)
}

/// A database in a file, of its own folder.
struct File {
    folder: TempDir,
}

impl File {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn url(&self) -> String {
        format!("sqlite:{}", self.path("calls.db").display())
    }
}

async fn raw(file: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(file);
    options.connect().await.unwrap()
}

/// In PostgreSQL, past the program.
fn sql(url: &str, statement: &str) -> String {
    let name = url.rsplit('/').next().unwrap();
    PostgresServer::shared().sql(name, statement)
}

/// Whoever keeps something.
struct Rooms {
    database: Database,
    records: Records,
    desk: Desk,
    resources: Resources,
    jobs: Jobs,
}

impl Rooms {
    async fn at(url: &str, keys: &RecordsKeys) -> Self {
        let database = Database::open(url, keys.clone()).await.unwrap();
        Self {
            records: Records::in_database(database.clone()),
            desk: Desk::on(&database, SessionBounds::default()),
            resources: Resources::on(&database),
            jobs: Jobs::open(&database).await.unwrap(),
            database,
        }
    }
}

fn new_account(name: &str, role: Role) -> NewAccount {
    NewAccount {
        name: "Mei".to_owned(),
        sign_in_name: name.parse().unwrap(),
        role,
        agencies: [Agency::Pave, Agency::Navh].into(),
        languages: ["en".parse().unwrap(), "zh".parse().unwrap()].into(),
    }
}

/// Somebody who signs in.
struct Officer {
    account: Account,
    app: String,
    /// Of a session.
    token: String,
}

impl Officer {
    async fn of(desk: &Desk) -> Self {
        let first = new_account("first@line.example", Role::Administrator);
        desk.invite(Who::CommandLine, first, at(0)).await.unwrap();
        let mei = new_account("mei@line.example", Role::Officer);
        let invited = desk.invite(Who::CommandLine, mei, at(1)).await.unwrap();
        let link = invited.token.expose_secret();
        let shown = desk.invitation(link, at(1)).await.unwrap().unwrap();
        let app = shown.totp_secret.expose_secret().clone();
        let code = secret(&code_at(&app, at(1)).unwrap());
        let accepted = desk.accept(link, secret(PASSWORD), code, at(1)).await;
        accepted.unwrap();
        let signed = desk.sign_in(attempt(&app, at(60)), None, at(60)).await;
        let signed = signed.unwrap();
        Self {
            account: signed.account,
            app,
            token: signed.token.expose_secret().clone(),
        }
    }
}

fn attempt(app: &str, now: Timestamp) -> Attempt {
    Attempt {
        sign_in_name: "mei@line.example".to_owned(),
        password: secret(PASSWORD),
        code: secret(&code_at(app, now).unwrap()),
    }
}

fn message() -> Message {
    Message {
        role: records::Role::User,
        officer: None,
        message: secret(WORDS),
        seconds_from_start: 4.25,
        duration_seconds: 1.5,
        interrupted: false,
    }
}

fn turn(index: u32) -> Turn {
    Turn {
        index,
        messages: vec![message()],
        conversation: secret(&format!(r#"{{"after":{index},"words":"{WORDS}"}}"#)),
    }
}

async fn a_call(records: &Records, visitor: VisitorId, second: u64) -> CallId {
    let call = NewCall {
        call_id: CallId::random(),
        visitor: Some(visitor),
        started_at: at(second),
        kind: CallKind::WebCall,
        notice: None,
    };
    records.start_call(call.clone()).await.unwrap();
    call.call_id
}

/// Lasts for thirty seconds, and becomes a case.
async fn a_case(rooms: &Rooms, visitor: VisitorId, second: u64) -> CallId {
    let call_id = a_call(&rooms.records, visitor, second).await;
    let ended = FinishedCall {
        ended_at: at(second + 30),
        ended_reason: EndReason::CallerEnded,
        note: CaseNote {
            summary_title: secret(WORDS),
            summary: secret(WORDS),
            structured_data: StructuredData {
                name: secret("Unknown"),
                urgent: true,
                location: secret("Unknown"),
                follow_up: secret("Ring tomorrow."),
                abuse_type: AbuseType::Physical,
                transfer_to: Some(Agency::Pave),
                transferred: false,
                latest_incident_date: secret("Unknown"),
            },
            evidence: Vec::new(),
        },
        messages: vec![message()],
    };
    rooms.records.finish_call(call_id, ended).await.unwrap();
    let ended = EndedCall {
        call_id,
        kind: CaseKind::WebCall,
        started_at: at(second),
        ended_at: at(second + 30),
        agency: Some(Agency::Pave),
        urgent: true,
        title: Some(secret(WORDS)),
        number: Some(CallerNumber::parse("9123 4567").unwrap()),
    };
    let made = rooms.desk.make_case(ended, at(second + 31)).await;
    assert!(made.unwrap());
    call_id
}

fn a_task() -> NewFollowUp {
    NewFollowUp {
        kind: FollowUpKind::Task,
        words: secret(WORDS),
        due_at: at(7200),
        owner: None,
    }
}

fn a_file() -> NewResource {
    let body = json!({"name": WORDS}).as_object().unwrap().clone();
    NewResource {
        content: Some(secret(WORDS)),
        ..NewResource::of(ResourceKind::File, Secret::new(body))
    }
}

async fn put(jobs: &Jobs, id: &str) {
    jobs.put(MAIL, &id.parse().unwrap(), 5).await.unwrap();
}

/// What there is, by its ids.
struct Filled {
    visitor: VisitorId,
    officer: Officer,
    case: CallId,
    running: CallId,
}

/// Something of everything, by the stores.
async fn fill(rooms: &Rooms) -> Filled {
    let Rooms {
        records,
        desk,
        resources,
        jobs,
        ..
    } = rooms;
    let visitor = VisitorId::random();
    let officer = Officer::of(desk).await;
    let mei = &officer.account;
    let [case, deleted] = [
        a_case(rooms, visitor, 100).await,
        a_case(rooms, visitor, 200).await,
    ];
    desk.take_case(mei, case, at(300)).await.unwrap();
    let task = desk.add_follow_up(mei, case, a_task(), at(301)).await;
    task.unwrap();
    let held = desk.hold_record(mei, case, secret(WORDS), at(302)).await;
    held.unwrap();
    assert!(records.delete_call(deleted).await.unwrap());
    let by = Who::CommandLine;
    let shift = desk.plan_shift(by, mei.id, at(3600), at(7200), at(303));
    shift.await.unwrap();

    let running = a_call(records, visitor, 400).await;
    records.put_turn(running, turn(0)).await.unwrap();
    let label = Label {
        name: Some(secret(WORDS)),
        assistant: Some("night".to_owned()),
        ..Label::default()
    };
    assert!(records.label_call(running, label).await.unwrap());
    records.leave(VisitorId::random()).await.unwrap();
    resources.add(a_file(), at(500)).await.unwrap().unwrap();
    put(jobs, "2026-11-25").await;
    put(jobs, "2026-11-26").await;
    Filled {
        visitor,
        officer,
        case,
        running,
    }
}

/// What the stores say of it.
#[derive(Debug, PartialEq)]
struct Told {
    listed: Vec<CallRecord>,
    whole: Vec<Option<CallRecord>>,
    unfinished: Vec<UnfinishedCall>,
    accounts: Vec<Account>,
    case: Option<CaseFile>,
    acts: Vec<CaseAct>,
    shifts: Vec<Shift>,
    receipts: Vec<Receipt>,
    trail: Vec<Entry>,
    head: Head,
    files: Vec<(Resource, Option<Secret<String>>)>,
    jobs: Vec<Standing>,
}

impl Told {
    async fn by(rooms: &Rooms, filled: &Filled) -> Self {
        let Rooms {
            records,
            desk,
            resources,
            jobs,
            ..
        } = rooms;
        let listed = records.visible_to(filled.visitor, None, 100).await.unwrap();
        let left = records.left_behind(CallKind::WebCall, Duration::ZERO, 100);
        let mut whole = Vec::new();
        for call in [filled.case, filled.running] {
            whole.push(records.call(call).await.unwrap());
        }
        let page = resources
            .list(ResourceKind::File, Wanted::latest(100))
            .await;
        let mut files = Vec::new();
        for file in page.unwrap().resources {
            let content = resources.content(ResourceKind::File, file.id).await;
            files.push((file, content.unwrap()));
        }
        Self {
            listed: listed.records,
            whole,
            unfinished: left.await.unwrap(),
            accounts: desk.accounts(at(0)).await.unwrap(),
            case: desk.cases().case(filled.case).await.unwrap(),
            acts: desk.cases().case_acts(filled.case).await.unwrap(),
            shifts: desk.shifts(at(0), at(9000)).await.unwrap(),
            receipts: desk.receipts(None, 100).await.unwrap(),
            trail: desk.audit(None, 1000).await.unwrap(),
            head: desk.verify_audit(None).await.unwrap().unwrap(),
            files,
            jobs: jobs.standings().await.unwrap(),
        }
    }

    /// Nothing that is compared is missing on both sides.
    fn is_full(&self) {
        let case = self.case.as_ref().unwrap();
        assert!(case.hold.is_some() && !case.follow_ups.is_empty());
        assert!(case.case.caller.is_some() && case.case.content.is_some());
        assert!(self.whole.iter().flatten().all(|it| !it.damaged));
        assert!(!self.unfinished.is_empty());
        assert_eq!(self.receipts.len(), 1);
        for several in [
            self.listed.len(),
            self.accounts.len(),
            self.acts.len(),
            self.trail.len(),
        ] {
            assert!(several > 1, "{self:?}");
        }
        assert!(!self.shifts.is_empty() && !self.files.is_empty());
        assert!(self.jobs.iter().any(|it| it.waiting > 1));
    }
}

/// Everybody goes on where the backup was put back: what was there counts, and what is new has its place behind it.
async fn goes_on(rooms: &Rooms, filled: &Filled, before: &Told, second: u64) {
    let Rooms {
        records,
        desk,
        resources,
        jobs,
        ..
    } = rooms;
    let officer = &filled.officer;
    let session = desk.signed(&officer.token, at(second)).await.unwrap();
    assert!(session.is_none(), "a move lets nobody in");
    let signed = desk.sign_in(attempt(&officer.app, at(second)), None, at(second));
    let mei = signed.await.unwrap().account;
    let task = desk.add_follow_up(&mei, filled.case, a_task(), at(second));
    task.await.unwrap();
    let kept = Some(before.head.clone());
    let head = desk.verify_audit(kept).await.unwrap().unwrap();
    assert!(head.number > before.head.number, "the trail goes on");

    let highest = before.listed.iter().map(|record| record.id).max();
    let next = a_call(records, VisitorId::random(), second).await;
    let next = records.call(next).await.unwrap().unwrap();
    assert!(next.id > highest.unwrap(), "numbers go on");
    let left = records.take_call(filled.running).await.unwrap().unwrap();
    let later = turn(left.last_turn.unwrap() + 1);
    records.put_turn(filled.running, later).await.unwrap();
    let added = resources.add(a_file(), at(second)).await.unwrap();
    assert!(added.is_some());
    put(jobs, "2026-11-25").await;
    let standings = jobs.standings().await.unwrap();
    assert_eq!(standings, before.jobs, "it was put before");
    put(jobs, &format!("of-{second}")).await;
    assert_ne!(jobs.standings().await.unwrap(), before.jobs);
}

#[tokio::test]
async fn everything_moves_from_a_file_to_postgresql_and_back_and_goes_on_at_each_place() {
    let key = new_records_key();
    let keys = RecordsKeys::parse(key.expose_secret()).unwrap();
    let (here, back) = (File::new(), File::new());
    let there = PostgresServer::shared().database();
    let rooms = Rooms::at(&here.url(), &keys).await;
    let filled = fill(&rooms).await;
    let expected = Told::by(&rooms, &filled).await;
    expected.is_full();
    rooms.database.close().await;
    // A node was at it when the backup was taken.
    let mut file = raw(&here.path("calls.db")).await;
    sqlx::query("UPDATE Jobs SET status = 'Running' WHERE idempotency_key = '2026-11-25'")
        .execute(&mut file)
        .await
        .unwrap();
    file.close().await.unwrap();

    let backup = here.path("calls.backup");
    back_up(&here.url(), &backup, &[LODGER]).await.unwrap();
    let restored = restore(&there, &backup, &[LODGER]).await.unwrap();
    assert_eq!(restored.records as usize, SAMPLES + 2);
    let statuses = sql(&there, "SELECT DISTINCT status FROM apalis.jobs");
    assert_eq!(statuses, "Pending", "what nobody does any more waits again");
    let rooms = Rooms::at(&there, &keys).await;
    assert_eq!(Told::by(&rooms, &filled).await, expected);
    goes_on(&rooms, &filled, &expected, 1200).await;

    let expected = Told::by(&rooms, &filled).await;
    expected.is_full();
    let backup = back.path("of-postgresql.backup");
    back_up(&there, &backup, &[LODGER]).await.unwrap();
    let stored = std::fs::read(&backup).unwrap();
    let holds = |words: &str| stored.windows(words.len()).any(|it| it == words.as_bytes());
    assert!(holds("sealed:1:"), "the file is looked through");
    assert!(!holds(WORDS), "nothing was unsealed on the way");
    let restored = restore(&back.url(), &backup, &[LODGER]).await.unwrap();
    assert_eq!(restored.records as usize, SAMPLES + 3);
    let rooms = Rooms::at(&back.url(), &keys).await;
    assert_eq!(Told::by(&rooms, &filled).await, expected);
    goes_on(&rooms, &filled, &expected, 1800).await;
}

#[tokio::test]
async fn a_postgresql_database_without_a_queue_moves_without_one() {
    let (file, url) = (File::new(), PostgresServer::shared().database());
    drop(Records::open(&url).await.unwrap());
    let backup = file.path("calls.backup");
    let records = back_up(&url, &backup, &[LODGER]).await.unwrap();
    assert_eq!(records as usize, SAMPLES);
    restore(&file.url(), &backup, &[LODGER]).await.unwrap();
    let other = PostgresServer::shared().database();
    restore(&other, &backup, &[LODGER]).await.unwrap();
    let queue = sql(&other, "SELECT to_regclass('apalis.jobs') IS NULL");
    assert_eq!(queue, "t");
}

/// A column: of which table, its name and its type.
type Column = (String, String, String);

async fn columns_of_a_file(path: &Path) -> BTreeSet<Column> {
    let columns: Vec<Column> = sqlx::query_as(
        "SELECT tables.name, columns.name, columns.type \
         FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns \
         WHERE tables.type = 'table' AND substr(tables.name, 1, 7) <> 'sqlite_'",
    )
    .fetch_all(&mut raw(path).await)
    .await
    .unwrap();
    columns.into_iter().collect()
}

async fn columns_of_postgres(url: &str) -> BTreeSet<Column> {
    let mut raw = sqlx::PgConnection::connect(url).await.unwrap();
    let columns: Vec<Column> = sqlx::query_as(
        "SELECT CASE nspname WHEN 'public' THEN '' ELSE nspname || '.' END || relname, \
         attname::text, format_type(atttypid, atttypmod) \
         FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid \
         JOIN pg_namespace ON pg_namespace.oid = relnamespace \
         WHERE relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped \
         AND nspname NOT IN ('pg_catalog', 'information_schema')",
    )
    .fetch_all(&mut raw)
    .await
    .unwrap();
    columns.into_iter().collect()
}

fn all_tables() -> impl Iterator<Item = &'static Table> {
    TABLES.iter().chain(LODGER.tables)
}

fn left_out_tables() -> impl Iterator<Item = &'static str> {
    let left_out = LEFT_OUT.iter().chain(LODGER.left_out);
    left_out.map(|(name, _)| *name)
}

/// Takes out what is left out by its name.
fn without_left_out(
    columns: &BTreeSet<Column>,
    named: fn(&Table) -> &'static str,
) -> BTreeSet<Column> {
    let stays = |(table, column, _): &Column| {
        let left = |it: &Table| {
            let mut left_out = it.left_out.iter();
            named(it) == table && left_out.any(|(name, _)| name == column)
        };
        left_out_tables().any(|name| name == table) || all_tables().any(left)
    };
    columns.iter().filter(|it| !stays(it)).cloned().collect()
}

fn moved(
    named: fn(&Table) -> &'static str,
    typed: fn(records::ColumnType) -> &'static str,
) -> BTreeSet<Column> {
    let columns = all_tables().flat_map(|table| {
        let column = move |(name, kind): &(&str, records::ColumnType)| {
            let table = named(table).to_owned();
            (table, (*name).to_owned(), typed(*kind).to_owned())
        };
        table.columns.iter().map(column)
    });
    columns.collect()
}

#[tokio::test]
async fn every_column_of_either_database_is_moved_or_left_out_by_its_name() {
    let (file, url) = (File::new(), PostgresServer::shared().database());
    for url in [&file.url(), &url] {
        let rooms = Rooms::at(url, &RecordsKeys::none()).await;
        rooms.database.close().await;
    }
    let in_sqlite = columns_of_a_file(&file.path("calls.db")).await;
    let in_postgres = columns_of_postgres(&url).await;
    assert_eq!(
        without_left_out(&in_sqlite, |table| table.name),
        moved(|table| table.name, records::ColumnType::in_sqlite),
        "SQLite has what `records::TABLES` does not, or the other way round"
    );
    assert_eq!(
        without_left_out(&in_postgres, |table| table.in_postgres),
        moved(|table| table.in_postgres, records::ColumnType::in_postgres),
        "PostgreSQL has what `records::TABLES` does not, or the other way round"
    );

    // What is left out is there.
    let everything: BTreeSet<&Column> = in_sqlite.union(&in_postgres).collect();
    for name in left_out_tables() {
        let is_there = everything.iter().any(|(table, ..)| table == name);
        assert!(is_there, "there is no table {name} to leave out");
    }
    for table in all_tables() {
        for (name, _) in table.left_out {
            let is_there = everything.iter().any(|(of, column, _)| {
                (of == table.name || of == table.in_postgres) && column == name
            });
            assert!(is_there, "{} has no {name} to leave out", table.name);
        }
    }
    let sequences = sql(&url, "SELECT count(*) FROM pg_class WHERE relkind = 'S'");
    assert_eq!(
        sequences, "0",
        "numbers are the highest and one more: a sequence would have to be set by a restore"
    );
}
