//! The morning report by mail: to a real mail server, by the queue in a real database. The queue goes by the clock of its
//! database: a test waits for what is to happen, and never for a time to be over.
#![allow(clippy::unwrap_used)]

mod support;

use std::sync::Arc;
use std::time::Duration;

use desk::cases::{CaseKind, EndedCall};
use desk::{Desk, NewAccount, Role, SessionBounds, Who};
use flow::Agency;
use jiff::Timestamp;
use jobs::{BackOff, Jobs, Pace};
use postgres_for_tests::PostgresServer;
use records::{CallId, Database, Records};
use redact::Secret;
use server::report::mail::{REPORT_MAIL, ReportMail};
use server::settings::{Log, LogFormat, Settings};
use server::telemetry;
use support::kept_log::KeptLog;
use support::smtp::SmtpServer;
use support::{database_in, start_server_in_place};
use tempfile::TempDir;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// What a caller said, as a title has it.
const WORDS: &str = "Caller whose brother has a knife";
const READERS: &str = "mei@line.example, Night team <night@line.example>";
const MORNING: &str = "2026-11-25T07:30:10+08:00";

/// Rests of a second.
const FAST: Pace = Pace {
    back_off: BackOff {
        first: Duration::from_secs(1),
        longest: Duration::from_secs(1),
        in_all: Duration::from_secs(60),
    },
    look_every: Duration::from_millis(50),
    sign_of_life_every: Duration::from_secs(1),
};

/// A node at work.
struct Node {
    database: Database,
    desk: Desk,
    jobs: Jobs,
    report: Arc<ReportMail>,
    stopping: CancellationToken,
    working: JoinHandle<()>,
}

impl Node {
    async fn at(url: &str, smtp: &SmtpServer, readers: &str) -> Self {
        let file = format!(
            "smtp_url = '{}'\nmail_from = 'Nightlight <desk@line.example>'\n\
             report_mail_to = '{readers}'\npublic_origin = 'https://nightlight.example'",
            smtp.url()
        );
        let settings = Settings::from_sources(Some(&file), []).unwrap();
        let records = Records::open(url).await.unwrap();
        let database = records.database().unwrap();
        let desk = Desk::on(&database, SessionBounds::default());
        let jobs = Jobs::open(&database).await.unwrap();
        let origin = settings.public_origin.as_deref().unwrap();
        let report = ReportMail::new(records, desk.clone(), settings.mail.unwrap(), origin);
        let report = Arc::new(report.unwrap());
        let stopping = CancellationToken::new();
        let working = Arc::clone(&report).work(jobs.clone(), FAST, stopping.clone());
        Self {
            working: tokio::spawn(working),
            database,
            desk,
            jobs,
            report,
            stopping,
        }
    }

    async fn put_due(&self, now: &str) {
        let now = now.parse().unwrap();
        let mut put = None;
        let putting = self.report.put_due(&self.jobs, now, &mut put);
        putting.await.unwrap();
    }

    async fn nothing_waits(&self) {
        let waited = tokio::time::timeout(Duration::from_secs(60), async {
            loop {
                let standings = self.jobs.standings().await.unwrap();
                if standings.iter().all(|it| it.waiting == 0) {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        });
        waited.await.unwrap();
    }

    async fn stop(self) {
        self.stopping.cancel();
        self.working.await.unwrap();
    }
}

/// An open desk, with one urgent case in the night before [`MORNING`].
async fn a_night(desk: &Desk) {
    let first = NewAccount {
        name: String::from("First"),
        sign_in_name: "first@line.example".parse().unwrap(),
        role: Role::Administrator,
        agencies: [].into(),
        languages: [].into(),
    };
    let now: Timestamp = MORNING.parse().unwrap();
    desk.invite(Who::CommandLine, first, now).await.unwrap();
    let call = EndedCall {
        call_id: CallId::random(),
        kind: CaseKind::Elsewhere,
        started_at: "2026-11-25T02:00:00+08:00".parse().unwrap(),
        ended_at: "2026-11-25T02:10:00+08:00".parse().unwrap(),
        agency: Some(Agency::Spf),
        urgent: true,
        title: Some(Secret::new(WORDS.to_owned())),
        number: None,
    };
    assert!(desk.make_case(call, now).await.unwrap());
}

fn in_sqlite() -> (TempDir, String) {
    let place = tempfile::tempdir().unwrap();
    let url = database_in(place.path());
    (place, url)
}

async fn mailed_entries(desk: &Desk) -> usize {
    let entries = desk.audit(None, 100).await.unwrap();
    let of_the_server = entries.iter().filter(|it| it.who == "server");
    of_the_server
        .filter(|it| it.what == "report mailed")
        .count()
}

#[tokio::test]
async fn the_report_is_mailed_once_a_morning_to_each_reader_whichever_nodes_run() {
    let smtp = SmtpServer::start().await;
    let url = PostgresServer::shared().database();
    let one = Node::at(&url, &smtp, READERS).await;
    a_night(&one.desk).await;
    let other = Node::at(&url, &smtp, READERS).await;
    one.put_due("2026-11-25T07:29:50+08:00").await;
    one.nothing_waits().await;
    assert!(smtp.mails().is_empty(), "it is not due");
    for node in [&one, &other, &one] {
        node.put_due(MORNING).await;
    }
    one.nothing_waits().await;
    one.put_due("2026-11-25T12:00:00+08:00").await;
    one.nothing_waits().await;
    assert_eq!(mailed_entries(&one.desk).await, 2);
    one.stop().await;
    other.stop().await;

    let mut mails = smtp.mails();
    mails.sort_by(|one, other| one.to.cmp(&other.to));
    let to: Vec<&str> = mails.iter().map(|mail| mail.to.as_str()).collect();
    assert_eq!(to, ["mei@line.example", "night@line.example"]);
    for (mail, number) in mails.iter().zip(1..) {
        assert_eq!(mail.from, "desk@line.example");
        let has = |line: &str| {
            assert!(
                mail.data.lines().any(|it| it.trim_end() == line),
                "{line} in {}",
                mail.data
            );
        };
        has("Subject: Report of the night");
        has(&format!(
            "Message-ID: <report-2026-11-25-{number}@line.example>"
        ));
        has("Calls                      1");
        has("  urgent                   1");
        has("SPF                        1, 1 urgent");
        has("Read it at the desk: https://nightlight.example/desk");
        assert!(!mail.data.contains("knife"), "{}", mail.data);
    }
}

#[tokio::test]
async fn a_mail_that_is_refused_is_tried_again_and_names_nobody_elsewhere() {
    let log = KeptLog::default();
    let all = Log {
        filter: String::from("trace"),
        format: LogFormat::Text,
    };
    telemetry::start_log(&all, log.clone()).unwrap();
    let smtp = SmtpServer::start().await;
    let (_place, url) = in_sqlite();
    let node = Node::at(&url, &smtp, "mei@line.example").await;
    a_night(&node.desk).await;
    smtp.refuse(2);
    node.put_due(MORNING).await;
    let mails = smtp.took(1).await;
    assert_eq!(smtp.refused(), 2);
    node.nothing_waits().await;
    assert_eq!(mails.len(), 1);
    assert_eq!(mailed_entries(&node.desk).await, 1);

    let Database::Sqlite(store) = &node.database else {
        panic!("it is a file")
    };
    let stored: String = sqlx::query_scalar(
        "SELECT CAST(job AS TEXT) || coalesce(metadata, '') || coalesce(idempotency_key, '') || last_result FROM Jobs",
    )
    .fetch_one(store.readers())
    .await
    .unwrap();
    assert!(stored.contains("2026-11-25-1"), "{stored}");
    node.stop().await;
    let log = log.text();
    assert!(log.contains("the mail server refused it (451)"), "{log}");
    for of_somebody in ["mei@line.example", "knife"] {
        assert!(!stored.contains(of_somebody), "{stored}");
        assert!(!log.contains(of_somebody), "{of_somebody} in the log");
    }
}

#[tokio::test]
async fn a_server_that_is_away_loses_nothing_nor_does_a_restart_meanwhile() {
    let mut smtp = SmtpServer::start().await;
    let (_place, url) = in_sqlite();
    smtp.go_away().await;
    let node = Node::at(&url, &smtp, READERS).await;
    a_night(&node.desk).await;
    node.put_due(MORNING).await;
    let tried = async || {
        let Database::Sqlite(store) = &node.database else {
            panic!("it is a file")
        };
        let least = sqlx::query_scalar::<_, i64>("SELECT min(attempts) FROM Jobs");
        least.fetch_one(store.readers()).await.unwrap()
    };
    let waited = tokio::time::timeout(Duration::from_secs(60), async {
        while tried().await < 2 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    waited.await.expect("each is tried twice");
    node.stop().await;

    let again = Node::at(&url, &smtp, READERS).await;
    // What was due is put out by each start.
    again.put_due(MORNING).await;
    smtp.come_back().await;
    smtp.took(2).await;
    again.nothing_waits().await;
    assert_eq!(smtp.mails().len(), 2);
    again.stop().await;
}

#[tokio::test]
async fn a_reader_who_is_refused_holds_up_no_other() {
    let smtp = SmtpServer::start().await;
    let (_place, url) = in_sqlite();
    let node = Node::at(&url, &smtp, READERS).await;
    a_night(&node.desk).await;
    smtp.refuse(1);
    node.put_due(MORNING).await;
    let mut to: Vec<String> = smtp.took(2).await.into_iter().map(|it| it.to).collect();
    to.sort();
    assert_eq!(to, ["mei@line.example", "night@line.example"]);
    node.nothing_waits().await;
    assert_eq!(smtp.mails().len(), 2, "who got it does not get it again");
    node.stop().await;
}

#[tokio::test]
async fn without_a_desk_nothing_is_mailed() {
    let smtp = SmtpServer::start().await;
    let (_place, url) = in_sqlite();
    let node = Node::at(&url, &smtp, READERS).await;
    node.put_due(MORNING).await;
    assert_eq!(node.jobs.standings().await.unwrap(), []);
    node.stop().await;
}

#[tokio::test]
async fn a_server_that_starts_when_the_report_is_due_mails_it_and_measures_it() {
    let smtp = SmtpServer::start().await;
    let (place, url) = in_sqlite();
    {
        let records = Records::open(&url).await.unwrap();
        let desk = Desk::on(&records.database().unwrap(), SessionBounds::default());
        a_night(&desk).await;
    }
    // An hour ago in Singapore.
    let due = Timestamp::now() + Duration::from_secs(7 * 3600);
    let due = due.strftime("%H:%M").to_string();
    let settings = format!(
        "smtp_url = '{}'\nmail_from = 'desk@line.example'\nreport_mail_to = 'mei@line.example'\n\
         report_mail_at = '{due}'\npublic_origin = 'http://nightlight.example'",
        smtp.url()
    );
    let server = start_server_in_place(place, &settings).await;
    let mails = smtp.took(1).await;
    assert!(mails[0].data.contains("Subject: Report of the night"));
    let visitor = server.visitor();
    // How many, the other tests of this program count too.
    let done = format!("nightlight_jobs_done_total{{kind=\"{}\"}}", REPORT_MAIL.0);
    let waiting = format!("nightlight_jobs_waiting{{kind=\"{}\"}}", REPORT_MAIL.0);
    let measured = tokio::time::timeout(Duration::from_secs(60), async {
        loop {
            let metrics = visitor.get("/metrics").await.text().await.unwrap();
            if metrics.contains(&done) {
                return metrics;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    let metrics = measured.await.expect("it is measured");
    assert!(metrics.contains(&waiting), "{metrics}");
    server.stop().await;
}
