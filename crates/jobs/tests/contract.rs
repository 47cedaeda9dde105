//! What the queue does on each database, told once. It goes by the clock of the database, in whole seconds: a test waits for
//! what is to happen, and never for a time to be over.
#![allow(clippy::unwrap_used)]

use std::future::Future;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use jobs::{About, BackOff, Jobs, Kind, Pace, Standing, Trouble};
use postgres_for_tests::PostgresServer;
use records::{Database, Records, RecordsKeys};
use sqlx::{AssertSqlSafe, Row};
use tempfile::TempDir;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

const MAIL: Kind = Kind("mail-of-tests");

/// Rests of a second; tried four times.
const FAST: Pace = Pace {
    back_off: BackOff {
        first: Duration::from_secs(1),
        longest: Duration::from_secs(1),
        in_all: Duration::from_secs(3),
    },
    look_every: Duration::from_millis(50),
    sign_of_life_every: Duration::from_secs(1),
};

struct Scene {
    url: String,
    _place: Option<TempDir>,
}

impl Scene {
    fn in_sqlite() -> Self {
        let place = tempfile::tempdir().unwrap();
        let file: PathBuf = place.path().join("calls.db");
        Self {
            url: format!("sqlite:{}", file.display()),
            _place: Some(place),
        }
    }

    fn in_postgres() -> Self {
        Self {
            url: PostgresServer::shared().database(),
            _place: None,
        }
    }

    async fn database(&self) -> Database {
        Database::open(&self.url, RecordsKeys::none())
            .await
            .unwrap()
    }

    /// One server's; on PostgreSQL another is another node's.
    async fn jobs(&self) -> Jobs {
        Jobs::open(&self.database().await).await.unwrap()
    }

    /// Every column of every job, as text.
    async fn stored(&self) -> Vec<String> {
        let sqlite = "SELECT CAST(job AS TEXT) || id || job_type || coalesce(last_result, '') || coalesce(metadata, '') \
                      || coalesce(idempotency_key, '') FROM Jobs";
        let postgres = "SELECT convert_from(job, 'UTF8') || id || job_type || coalesce(last_result::text, '') \
                        || coalesce(metadata::text, '') || coalesce(idempotency_key, '') FROM apalis.jobs";
        match self.database().await {
            Database::Sqlite(store) => {
                let rows = sqlx::query(AssertSqlSafe(sqlite)).fetch_all(store.readers());
                let rows = rows.await.unwrap();
                rows.iter().map(|row| row.get(0)).collect()
            }
            Database::Postgres(store) => {
                let rows = sqlx::query(AssertSqlSafe(postgres)).fetch_all(store.pool());
                let rows = rows.await.unwrap();
                rows.iter().map(|row| row.get(0)).collect()
            }
        }
    }
}

fn about(id: &str) -> About {
    id.parse().unwrap()
}

async fn put(jobs: &Jobs, id: &str) {
    let attempts = FAST.back_off.attempts();
    jobs.put(MAIL, &about(id), attempts).await.unwrap();
}

async fn standing(jobs: &Jobs) -> (u64, u64) {
    let standings = jobs.standings().await.unwrap();
    let of_mail = standings.iter().find(|it| it.kind == MAIL.0);
    of_mail.map_or((0, 0), |it: &Standing| (it.waiting, it.given_up))
}

/// Waits until it is so, in real time.
async fn until<F: Future<Output = bool>>(what: &str, holds: impl Fn() -> F) {
    let waited = tokio::time::timeout(Duration::from_secs(40), async {
        while !holds().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    waited
        .await
        .unwrap_or_else(|_| panic!("not within 40 s: {what}"));
}

/// What was tried, in its order.
#[derive(Clone, Default)]
struct Tried(Arc<Mutex<Vec<String>>>);

impl Tried {
    fn note(&self, about: &About) -> usize {
        let mut all = self.0.lock().unwrap();
        all.push(about.to_string());
        all.iter().filter(|it| **it == about.to_string()).count()
    }

    fn all(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

/// A node at work; it succeeds from the attempt `from` on.
struct Node {
    stopping: CancellationToken,
    working: JoinHandle<()>,
}

const REFUSED: Trouble = Trouble {
    what: "the mail server refused it",
    code: Some(451),
};

impl Node {
    fn of(jobs: &Jobs, tried: &Tried, from: usize) -> Self {
        let tried = tried.clone();
        Self::doing(jobs, move |about| {
            let times = tried.note(&about);
            std::future::ready(if times >= from { Ok(()) } else { Err(REFUSED) })
        })
    }

    fn doing<F, A>(jobs: &Jobs, attempt: F) -> Self
    where
        F: Fn(About) -> A + Send + Sync + 'static,
        A: Future<Output = Result<(), Trouble>> + Send + 'static,
    {
        Self::at(FAST, jobs, attempt)
    }

    fn at<F, A>(pace: Pace, jobs: &Jobs, attempt: F) -> Self
    where
        F: Fn(About) -> A + Send + Sync + 'static,
        A: Future<Output = Result<(), Trouble>> + Send + 'static,
    {
        let (jobs, stopping) = (jobs.clone(), CancellationToken::new());
        let stop = stopping.clone();
        let working = tokio::spawn(async move { jobs.work(MAIL, pace, attempt, stop).await });
        Self { stopping, working }
    }

    /// As at SIGTERM.
    async fn stop(self) {
        self.stopping.cancel();
        self.working.await.unwrap();
    }

    /// As by a power cut.
    async fn dies(self) {
        self.working.abort();
        let _ = self.working.await;
    }
}

async fn a_job_is_done_once_however_often_it_is_put(scene: Scene) {
    let (jobs, tried) = (scene.jobs().await, Tried::default());
    put(&jobs, "2026-11-25").await;
    put(&jobs, "2026-11-25").await;
    put(&jobs, "2026-11-26").await;
    assert_eq!(standing(&jobs).await, (2, 0));
    let node = Node::of(&jobs, &tried, 1);
    until("both are done", async || standing(&jobs).await == (0, 0)).await;
    put(&jobs, "2026-11-25").await;
    assert_eq!(standing(&jobs).await, (0, 0), "it was done");
    node.stop().await;
    let mut done = tried.all();
    done.sort();
    assert_eq!(done, ["2026-11-25", "2026-11-26"]);
}

async fn a_job_that_fails_rests_and_is_tried_again(scene: Scene) {
    let (jobs, tried) = (scene.jobs().await, Tried::default());
    put(&jobs, "2026-11-25").await;
    let begun = std::time::Instant::now();
    let node = Node::of(&jobs, &tried, 3);
    until("it is done", async || standing(&jobs).await == (0, 0)).await;
    node.stop().await;
    assert_eq!(tried.all().len(), 3);
    // Two rests of a second by a clock of whole seconds.
    assert!(begun.elapsed() > Duration::from_secs(1), "it rested");
}

async fn a_job_that_never_succeeds_is_given_up_and_counted(scene: Scene) {
    let (jobs, tried) = (scene.jobs().await, Tried::default());
    put(&jobs, "2026-11-25").await;
    let node = Node::of(&jobs, &tried, usize::MAX);
    until("it is given up", async || standing(&jobs).await == (0, 1)).await;
    node.stop().await;
    assert_eq!(tried.all().len(), FAST.back_off.attempts());
}

async fn what_failed_is_tried_on_by_the_next_start(scene: Scene) {
    let tried = Tried::default();
    let jobs = scene.jobs().await;
    put(&jobs, "2026-11-25").await;
    let node = Node::of(&jobs, &tried, usize::MAX);
    until("it is tried", async || !tried.all().is_empty()).await;
    node.stop().await;
    assert_eq!(standing(&jobs).await, (1, 0));
    drop(jobs);
    let again = scene.jobs().await;
    let node = Node::of(&again, &tried, 2);
    until("it is done", async || standing(&again).await == (0, 0)).await;
    node.stop().await;
    assert_eq!(tried.all().len(), 2);
}

async fn what_a_node_that_stops_had_taken_up_is_there_for_the_next(scene: Scene) {
    // Nobody is taken for dead while the test runs.
    let unhurried = Pace {
        sign_of_life_every: Duration::from_mins(5),
        ..FAST
    };
    let jobs = scene.jobs().await;
    // A node is stopped at one moment of its work after another: as it looks, has found some, and does them.
    for moment in 0..40 {
        for job in 0..3 {
            put(&jobs, &format!("moment-{moment}-{job}")).await;
        }
        let node = Node::at(unhurried, &jobs, |_| std::future::ready(Ok(())));
        for _ in 0..moment {
            standing(&jobs).await;
        }
        node.stop().await;
    }
    let node = Node::at(unhurried, &jobs, |_| std::future::ready(Ok(())));
    until("all are done", async || standing(&jobs).await == (0, 0)).await;
    node.stop().await;
}

async fn what_a_node_was_doing_that_died_is_done_by_another(scene: Scene) {
    let (jobs, tried) = (scene.jobs().await, Tried::default());
    put(&jobs, "2026-11-25").await;
    let begun = Arc::new(Notify::new());
    let tell = Arc::clone(&begun);
    let dying = Node::doing(&jobs, move |_| {
        tell.notify_one();
        std::future::pending()
    });
    begun.notified().await;
    dying.dies().await;
    let node = Node::of(&jobs, &tried, 1);
    until("it is done", async || standing(&jobs).await == (0, 0)).await;
    node.stop().await;
    assert_eq!(tried.all(), ["2026-11-25"]);
}

async fn a_job_that_fails_altogether_holds_up_no_other(scene: Scene) {
    let (jobs, tried) = (scene.jobs().await, Tried::default());
    put(&jobs, "2026-11-25").await;
    put(&jobs, "2026-11-26").await;
    let told = tried.clone();
    let node = Node::doing(&jobs, move |about| {
        let told = told.clone();
        async move {
            assert_ne!(about.as_str(), "2026-11-25", "this one fails");
            told.note(&about);
            Ok(())
        }
    });
    until("the other is done", async || tried.all() == ["2026-11-26"]).await;
    until("it is given up", async || standing(&jobs).await == (0, 1)).await;
    node.stop().await;
}

async fn a_job_holds_an_id_and_why_it_failed_and_nothing_else(scene: Scene) {
    let (jobs, tried) = (scene.jobs().await, Tried::default());
    put(&jobs, "2026-11-25").await;
    let node = Node::of(&jobs, &tried, usize::MAX);
    until("it is given up", async || standing(&jobs).await == (0, 1)).await;
    node.stop().await;
    let stored = scene.stored().await;
    let [job] = stored.as_slice() else {
        panic!("{stored:?}")
    };
    assert!(job.starts_with("\"2026-11-25\""), "{job}");
    assert!(job.contains("the mail server refused it (451)"), "{job}");
    assert!(job.len() < 200, "{job}");
}

async fn records_open_as_before_beside_the_queue(scene: Scene) {
    let records = Records::open(&scene.url).await.unwrap();
    let jobs = Jobs::open(&records.database().unwrap()).await.unwrap();
    put(&jobs, "2026-11-25").await;
    drop((records, jobs));
    // What the queue has laid is no migration of the records', and their start knows it for none of theirs.
    let records = Records::open(&scene.url).await.unwrap();
    let jobs = Jobs::open(&records.database().unwrap()).await.unwrap();
    assert_eq!(standing(&jobs).await, (1, 0));
    jobs.tidy().await.unwrap();
    assert_eq!(
        standing(&jobs).await,
        (1, 0),
        "what waits is not tidied away"
    );
}

macro_rules! on_every_database {
    ($($story:ident)+) => {
        mod in_sqlite {
            $(#[tokio::test] async fn $story() { super::$story(super::Scene::in_sqlite()).await; })+
        }
        mod in_postgres {
            $(#[tokio::test] async fn $story() { super::$story(super::Scene::in_postgres()).await; })+
        }
    };
}

on_every_database! {
    a_job_is_done_once_however_often_it_is_put
    a_job_that_fails_rests_and_is_tried_again
    a_job_that_never_succeeds_is_given_up_and_counted
    what_failed_is_tried_on_by_the_next_start
    what_a_node_that_stops_had_taken_up_is_there_for_the_next
    what_a_node_was_doing_that_died_is_done_by_another
    a_job_that_fails_altogether_holds_up_no_other
    a_job_holds_an_id_and_why_it_failed_and_nothing_else
    records_open_as_before_beside_the_queue
}

/// The library's own set-up turns it off, for every commit of the records too.
#[tokio::test]
async fn what_is_stored_stays_durable_beside_the_queue() {
    let scene = Scene::in_sqlite();
    let database = scene.database().await;
    let jobs = Jobs::open(&database).await.unwrap();
    let tried = Tried::default();
    put(&jobs, "2026-11-25").await;
    let node = Node::of(&jobs, &tried, 1);
    until("it is done", async || standing(&jobs).await == (0, 0)).await;
    node.stop().await;
    let Database::Sqlite(store) = database else {
        panic!("it is a file")
    };
    for (pragma, expected) in [
        ("synchronous", 2),
        ("secure_delete", 1),
        ("foreign_keys", 1),
    ] {
        let statement = AssertSqlSafe(format!("PRAGMA {pragma}"));
        let found: i64 = sqlx::query_scalar(statement)
            .fetch_one(store.writer())
            .await
            .unwrap();
        assert_eq!(found, expected, "{pragma}");
    }
}

#[tokio::test]
async fn of_several_nodes_each_job_is_done_by_one() {
    const MANY: usize = 40;
    let scene = Scene::in_postgres();
    let (one, other) = (scene.jobs().await, scene.jobs().await);
    let tried = Tried::default();
    for number in 0..MANY {
        let jobs = if number % 2 == 0 { &one } else { &other };
        put(jobs, &format!("2026-11-25-{number}")).await;
    }
    let nodes = [Node::of(&one, &tried, 1), Node::of(&other, &tried, 1)];
    until("all are done", async || standing(&one).await == (0, 0)).await;
    for node in nodes {
        node.stop().await;
    }
    let mut done = tried.all();
    done.sort();
    done.dedup();
    assert_eq!((done.len(), tried.all().len()), (MANY, MANY));
}

#[tokio::test]
async fn a_role_that_may_not_lay_the_queue_is_told_what_to_grant() {
    let server = PostgresServer::shared();
    let url = server.database();
    let database = url.rsplit('/').next().unwrap();
    server.sql(
        database,
        "CREATE ROLE guest LOGIN PASSWORD 'letters'; GRANT ALL ON SCHEMA public TO guest",
    );
    let (before, place) = url.split_once('@').unwrap();
    let scheme = before.split("//").next().unwrap();
    let theirs = Scene {
        url: format!("{scheme}//guest:letters@{place}"),
        _place: None,
    };
    let database = theirs.database().await;
    let refused = Jobs::open(&database).await.unwrap_err().to_string();
    assert!(refused.contains("GRANT CREATE ON DATABASE"), "{refused}");
    assert!(refused.contains("hstore"), "{refused}");
    assert!(!refused.contains("letters"), "{refused}");
}
