//! From calls that have ended to cases, and from cases that nobody touches back into the queue. Every few seconds, when a record
//! has changed, and when somebody at the desk has done something; on every node, each of which may be the one that does it.
//! What then stands otherwise than before is told to the open pages here, whichever node it was done on.

use std::collections::HashMap;
use std::time::Duration;

use desk::cases::caller_number::CallerNumber;
use desk::cases::{EndedCall, StoredCase};
use jiff::Timestamp;
use records::{CallId, CallRecord, StoreError};

use crate::app::App;

const EVERY: Duration = Duration::from_secs(3);

/// Between two looks, however often the bell rings: a live call stores each of its turns.
const AT_MOST_EVERY: Duration = Duration::from_millis(250);

/// Made at a time.
const PORTION: u32 = 100;

/// Goes on until the server is told to stop.
pub async fn keep(app: App) {
    let mut ticks = tokio::time::interval(EVERY);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let (mut is_open, mut is_failing) = (false, false);
    let mut watch = Watch::default();
    loop {
        tokio::select! {
            _ = ticks.tick() => {}
            () = app.case_bell.notified() => {}
            () = app.stopping.cancelled() => return,
        }
        let looked = look(&app, &mut is_open, &mut watch).await;
        match &looked {
            // Said once; and that the records fail is said elsewhere, where there is no desk.
            Err(error) if is_open && !is_failing => {
                tracing::warn!(%error, "cases are not looked after at the moment; trying again");
            }
            _ => {}
        }
        is_failing = looked.is_err();
        tokio::time::sleep(AT_MOST_EVERY).await;
    }
}

async fn look(app: &App, is_open: &mut bool, watch: &mut Watch) -> Result<(), StoreError> {
    // A desk that is open stays so.
    *is_open = *is_open || app.desk.is_open().await?;
    if !*is_open {
        return Ok(());
    }
    let mut done_here = make(app).await?;
    let untouched = app.settings.case_untouched;
    let returned = app
        .desk
        .return_untouched(untouched, Timestamp::now())
        .await?;
    for call in &returned {
        tracing::warn!(%call, "a case that nobody touched is back in the queue");
    }
    done_here.extend(&returned);
    metrics::counter!("nightlight_cases_returned_total").increment(returned.len() as u64);
    let mut open = Vec::new();
    let is_seen = |case: &StoredCase| open.push(Standing::of(case));
    app.desk.look_at_open_cases(is_seen).await?;
    metrics::gauge!("nightlight_cases_open").set(open.len() as f64);
    for (call, whose) in watch.changed(open, &done_here) {
        app.duty.case_changed(call.0, whose);
    }
    Ok(())
}

/// Makes the cases that are missing. Gives which.
async fn make(app: &App) -> Result<Vec<CallId>, StoreError> {
    let mut made = Vec::new();
    for call in app.desk.cases().calls_without_case(PORTION).await? {
        let Some(record) = app.records.call(call).await? else {
            continue;
        };
        let Some(ended) = ended(&record) else {
            continue;
        };
        if app.desk.make_case(ended, Timestamp::now()).await? {
            made.push(call);
        }
    }
    Ok(made)
}

fn ended(record: &CallRecord) -> Option<EndedCall> {
    let note = record.note.as_ref();
    let number = note.and_then(|note| note.safe_number());
    Some(EndedCall {
        call_id: record.call_id,
        kind: record.kind.into(),
        started_at: record.started_at,
        ended_at: record.ended_at?,
        agency: note.and_then(|note| note.structured_data.transfer_to),
        // Nobody knows of a record that cannot be read: a person looks first.
        urgent: note.is_none_or(|note| note.structured_data.urgent),
        title: note.map(|note| note.summary_title.clone()),
        number: number.and_then(|it| CallerNumber::parse(it.expose_secret()).ok()),
    })
}

/// As much of an open case as tells that it stands otherwise, and who is told.
#[derive(Debug, Clone, PartialEq)]
struct Standing {
    call: CallId,
    whose: desk::Case,
    version: i64,
    since: Timestamp,
    touched_at: Timestamp,
    ended_at: Timestamp,
}

impl Standing {
    fn of(case: &StoredCase) -> Self {
        Self {
            call: case.call_id,
            whose: case.whose(),
            version: case.version,
            since: case.since,
            touched_at: case.touched_at,
            ended_at: case.ended_at,
        }
    }
}

/// How the open cases stood at the last look.
#[derive(Default)]
struct Watch {
    last: Option<HashMap<CallId, Standing>>,
}

impl Watch {
    /// Those that stand otherwise now, or are not open any more: each with whose it was and whose it is. At the first look
    /// only what was done in it: a page that opens reads the rest.
    fn changed(
        &mut self,
        now: Vec<Standing>,
        done_here: &[CallId],
    ) -> Vec<(CallId, Vec<desk::Case>)> {
        let now = now.into_iter().map(|standing| (standing.call, standing));
        let now: HashMap<CallId, Standing> = now.collect();
        let last = self.last.replace(now.clone()).unwrap_or_else(|| {
            let mut last = now.clone();
            last.retain(|call, _| !done_here.contains(call));
            last
        });
        let mut changed = Vec::new();
        for (call, standing) in &now {
            let before = last.get(call);
            if before != Some(standing) {
                let whose = before.map(|before| before.whose).into_iter();
                changed.push((*call, whose.chain([standing.whose]).collect()));
            }
        }
        for (call, before) in &last {
            if !now.contains_key(call) {
                changed.push((*call, vec![before.whose]));
            }
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use flow::Agency;

    use super::*;

    fn standing(agency: Agency) -> Standing {
        let at = Timestamp::from_second(1_800_000_000).unwrap();
        Standing {
            call: CallId::random(),
            whose: desk::Case {
                agency: Some(agency),
                taken_by: None,
            },
            version: 1,
            since: at,
            touched_at: at,
            ended_at: at,
        }
    }

    #[test]
    fn what_stands_otherwise_is_told_once_to_those_it_was_and_those_it_is() {
        let [one, other] = [standing(Agency::Pave), standing(Agency::Sos)];
        let mut watch = Watch::default();
        let first = watch.changed(vec![one.clone()], &[]);
        assert_eq!(first, [], "a page has read it");
        let new = watch.changed(vec![one.clone(), other.clone()], &[other.call]);
        assert_eq!(new, [(other.call, vec![other.whose])]);
        assert_eq!(watch.changed(vec![other.clone(), one.clone()], &[]), []);

        let mut moved = one.clone();
        moved.version += 1;
        moved.whose.agency = Some(Agency::Spf);
        let told = watch.changed(vec![moved.clone(), other.clone()], &[]);
        assert_eq!(told, [(one.call, vec![one.whose, moved.whose])]);
        let closed = watch.changed(vec![moved], &[]);
        assert_eq!(closed, [(other.call, vec![other.whose])]);
    }

    #[test]
    fn what_was_done_in_the_first_look_is_told() {
        let [one, other] = [standing(Agency::Pave), standing(Agency::Sos)];
        let told = Watch::default().changed(vec![one, other.clone()], &[other.call]);
        assert_eq!(told, [(other.call, vec![other.whose])]);
    }
}
