//! The report by mail: every morning once to each reader, whichever nodes run. Numbers and a link; no caller's words, no
//! case's id, and a subject that says nothing to whoever sees it on a locked screen.

use std::sync::Arc;
use std::time::Duration;

use desk::cases::store::Scope;
use desk::{Desk, NewEntry, What, Who};
use flow::Agency;
use jiff::Timestamp;
use jiff::civil::Date;
use jobs::{About, Jobs, JobsError, Kind, Pace, Standing, Trouble};
use records::Records;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use super::Gathered;
use super::night::{Night, mail_due};
use super::numbers::Numbers;
use crate::mail::{Letter, Mailer};
use crate::settings;

pub const REPORT_MAIL: Kind = Kind("report-mail");
const SUBJECT: &str = "Report of the night";
/// How often it is looked whether a report is due, and how the jobs stand.
const LOOK_EVERY: Duration = Duration::from_secs(20);
const TIDY_EVERY: u32 = 180;

/// What mailing it takes.
pub struct ReportMail {
    records: Records,
    desk: Desk,
    mail: settings::Mail,
    mailer: Mailer,
    /// Where the desk's page is.
    link: String,
}

impl ReportMail {
    pub fn new(
        records: Records,
        desk: Desk,
        mail: settings::Mail,
        public_origin: &str,
    ) -> anyhow::Result<Self> {
        Ok(Self {
            records,
            desk,
            mailer: Mailer::new(&mail)?,
            mail,
            link: format!("{public_origin}/desk"),
        })
    }

    /// Puts out what is due and hands it over, until the server stops.
    pub async fn run(self: Arc<Self>, jobs: Jobs, pace: Pace, stopping: CancellationToken) {
        let working = Arc::clone(&self).work(jobs.clone(), pace, stopping.clone());
        let looking = self.look(&jobs, stopping);
        tokio::join!(working, looking);
    }

    /// Hands over what was put out, by whichever node.
    pub async fn work(self: Arc<Self>, jobs: Jobs, pace: Pace, stopping: CancellationToken) {
        let attempt = move |about: About| {
            let mailing = Arc::clone(&self);
            async move { mailing.hand_over(&about).await }
        };
        jobs.work(REPORT_MAIL, pace, attempt, stopping).await;
    }

    async fn look(&self, jobs: &Jobs, stopping: CancellationToken) {
        let mut turns = tokio::time::interval(LOOK_EVERY);
        turns.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut put = None;
        for turn in 0_u32.. {
            tokio::select! {
                _ = turns.tick() => {}
                () = stopping.cancelled() => return,
            }
            let looked = async {
                self.put_due(jobs, Timestamp::now(), &mut put).await?;
                if turn % TIDY_EVERY == 0 {
                    jobs.tidy().await?;
                }
                let mut standings = jobs.standings().await?;
                if !standings.iter().any(|it| it.kind == REPORT_MAIL.0) {
                    // Of a kind without any job nothing is told: the last of it may just have been tidied away.
                    standings.push(Standing {
                        kind: REPORT_MAIL.0.to_owned(),
                        waiting: 0,
                        given_up: 0,
                    });
                }
                for standing in standings {
                    let kind = standing.kind;
                    metrics::gauge!("nightlight_jobs_waiting", "kind" => kind.clone())
                        .set(standing.waiting as f64);
                    metrics::gauge!("nightlight_jobs_given_up", "kind" => kind)
                        .set(standing.given_up as f64);
                }
                Ok::<_, JobsError>(())
            };
            if let Err(error) = looked.await {
                tracing::warn!(%error, "whether a report is due cannot be looked up; it is looked again in a while");
            }
        }
    }

    /// Puts out the report that is due, if one is: a job for each reader. `put` is the day whose report was put out last.
    pub async fn put_due(
        &self,
        jobs: &Jobs,
        now: Timestamp,
        put: &mut Option<Date>,
    ) -> Result<(), JobsError> {
        let due = mail_due(now, self.mail.report_at);
        let Some(day) = due.filter(|day| *put != Some(*day)) else {
            return Ok(());
        };
        // Without a desk there is nobody to read it.
        if !self.desk.is_open().await? {
            return Ok(());
        }
        let attempts = Pace::USUAL.back_off.attempts();
        for reader in 1..=self.mail.report_to.len() {
            let about = format!("{day}-{reader}").parse::<About>();
            let about = about.expect("a date and a number have digits and hyphens");
            jobs.put(REPORT_MAIL, &about, attempts).await?;
        }
        *put = Some(day);
        Ok(())
    }

    /// Hands the report of a day over for one reader. Which day and which reader of the list is all that its job holds.
    pub async fn hand_over(&self, about: &About) -> Result<(), Trouble> {
        let Some((day, reader)) = day_and_reader(about) else {
            return Err(because("this program did not store it so"));
        };
        let Some(to) = self.mail.report_to.get(reader - 1) else {
            tracing::info!("a report's reader is not on the list any more: nothing is mailed");
            return Ok(());
        };
        let night = Night::mailed_on(day, self.mail.report_at);
        let now = Timestamp::now();
        let gathered = Gathered::of(&self.records, &self.desk, &Scope::All, night, now).await;
        let gathered = gathered.map_err(|_| because("the cases cannot be read"))?;
        self.mailer
            .send(Letter {
                to,
                name: &format!("report-{about}"),
                subject: SUBJECT,
                text: text(night, &gathered.numbers(), now, &self.link),
            })
            .await?;
        let mailed = NewEntry {
            at: now,
            who: Who::Server,
            what: What::ReportMailed,
            about: None,
        };
        // It is mailed: it is not mailed again because the trail could not be written to.
        if let Err(error) = self.desk.note(mailed).await {
            tracing::error!(%error, "the report was mailed, and that is not on the audit trail");
        }
        Ok(())
    }
}

fn day_and_reader(about: &About) -> Option<(Date, usize)> {
    let (day, reader) = about.as_str().rsplit_once('-')?;
    let reader = reader.parse().ok().filter(|reader| *reader > 0)?;
    Some((day.parse().ok()?, reader))
}

fn because(what: &'static str) -> Trouble {
    Trouble { what, code: None }
}

/// What the mail says.
fn text(night: Night, numbers: &Numbers, now: Timestamp, link: &str) -> String {
    let clock = |at: Timestamp| {
        call::singapore_time(at)
            .strftime("%-d %B %Y, %H:%M")
            .to_string()
    };
    let mut lines = vec![
        format!(
            "From {} to {}, as it stood at {}.",
            clock(night.from),
            clock(night.until),
            clock(now)
        ),
        String::new(),
    ];
    let mut line = |name: &str, number: usize| lines.push(format!("{name:<22}{number:>6}"));
    line("Calls", numbers.calls);
    line("  urgent", numbers.urgent);
    line("  handed on", numbers.transferred);
    line("  reached a person", numbers.reached_a_person);
    line("  reached nobody", numbers.not_reached);
    line("  cut off", numbers.cut_off);
    line("Cases that wait", numbers.waiting);
    line("Cases closed", numbers.closed);
    if !numbers.by_agency.is_empty() {
        lines.push(String::new());
    }
    for of in &numbers.by_agency {
        let name = of.agency.map_or("No agency", Agency::as_str);
        lines.push(format!("{name:<22}{:>6}, {} urgent", of.cases, of.urgent));
    }
    lines.extend([
        String::new(),
        format!("Read it at the desk: {link}"),
        String::new(),
    ]);
    lines.join("\r\n")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use desk::cases::CaseState;

    use super::super::numbers::Became;
    use super::super::numbers::tests::case;
    use super::*;

    #[test]
    fn the_mail_holds_numbers_and_a_link() {
        let now: Timestamp = "2026-11-25T07:30:00+08:00".parse().unwrap();
        let cases = [
            case(Some(Agency::Pave), true, CaseState::Waiting),
            case(None, false, CaseState::Closed),
        ];
        let numbers = Numbers::of(cases.iter().map(|case| (case, Became::default())));
        let text = text(
            Night::at(now),
            &numbers,
            now,
            "https://nightlight.example/desk",
        );
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[0],
            "From 24 November 2026, 18:00 to 25 November 2026, 08:00, as it stood at 25 November 2026, 07:30."
        );
        assert!(lines.contains(&"Calls                      2"), "{text}");
        assert!(
            lines.contains(&"PAVE                       1, 1 urgent"),
            "{text}"
        );
        assert!(
            lines.contains(&"No agency                  1, 0 urgent"),
            "{text}"
        );
        assert!(text.contains("https://nightlight.example/desk\r\n"));
        assert!(!text.contains(&cases[0].call_id.to_string()));
    }

    #[test]
    fn a_job_holds_a_day_and_a_number() {
        let about = |text: &str| day_and_reader(&text.parse().unwrap());
        let day = jiff::civil::date(2026, 11, 25);
        assert_eq!(about("2026-11-25-2"), Some((day, 2)));
        for none in ["2026-11-25-0", "2026-11-2", "7", "2026-13-25-1"] {
            assert_eq!(about(none), None, "{none}");
        }
    }
}
