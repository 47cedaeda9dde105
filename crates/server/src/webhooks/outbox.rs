//! What waits to be delivered: stored, sealed as everything that a program keeps, before it is tried for the first time.
//!
//! A message is a row with its words. The end of a call is a row without any, laid when the call begins: what is told then
//! is made of the record. So whatever ends a call, also a server that starts again after a crash, tells of it. What was not
//! delivered at once is put out as a job of `crates/jobs`, which holds the row's id alone.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use jobs::{About, Jobs, JobsError, Kind as JobKind, Trouble};
use platform::event::Destination;
use platform::{Call, ServerEvent};
use records::{CallId, Database, Records, StoreError, Window};
use redact::Secret;
use reqwest::Client;
use resources::{ChangeError, Kind, NewResource, Resource, Resources, Wanted};
use serde_json::{Map, Value, json};
use tokio::sync::{Notify, OnceCell};
use tokio_util::task::TaskTracker;
use uuid::Uuid;

use super::deliveries::{Attempt, Deliveries, OfCall, Tried, kept_of_row, kept_of_the_end};
use super::receiver::Receiver;
use super::row::{END, Row, end_of};
use super::sending::{self, Letter, Undelivered, Way};
use super::{counted, messages};
use crate::bearer_tokens::BearerTokens;

pub const SERVER_MESSAGE: JobKind = JobKind("server-message");

/// For so long a message that was just stored is its own node's to deliver.
pub const IN_HAND_FOR: SignedDuration = SignedDuration::from_secs(90);
/// A record is there so soon after its call began, if it is ever.
const RECORD_WITHIN: SignedDuration = SignedDuration::from_mins(10);
/// What was not delivered by then is given up: its words leave the disk.
const KEPT_FOR: SignedDuration = SignedDuration::from_hours(48);
/// What is made of the record when a call is over.
const AT_THE_END: [&str; 2] = ["status-update", "end-of-call-report"];
/// Rows that are read at once.
const PAGE: u32 = 500;
/// Pages that are gone through in one turn, and rows in them that something may have to be done about: what is beyond waits for
/// the next turn, and holds up nobody who comes after it.
const PAGES: u32 = 20;
const SEEN_TO: u32 = 500;
/// Windows begin at a whole millisecond, and a page may end within one.
const A_TICK: SignedDuration = SignedDuration::from_millis(1);

/// The rows of one database, and how they are delivered.
pub struct Outbox {
    pub records: Records,
    resources: Resources,
    /// What became of each message.
    deliveries: Deliveries,
    database: Database,
    jobs: OnceCell<Jobs>,
    tasks: TaskTracker,
    way: Way,
    assistant_name: String,
    /// What this process stores is told from what another did by it.
    process: Uuid,
    /// Rung when something is left to be put out.
    pub left: Notify,
    /// Calls whose end this process tells by itself.
    in_hand: Mutex<HashSet<Uuid>>,
}

/// How far the rows have been gone through, the oldest first and all of them over and over.
#[derive(Default)]
pub struct Round {
    /// Those that were put out and are still there, as of when they were last read, and when each was made.
    put: HashMap<Uuid, Timestamp>,
    /// Where the next turn goes on.
    from: Timestamp,
}

impl Round {
    /// How many wait to be tried again.
    pub fn waiting(&self) -> usize {
        self.put.len()
    }
}

/// A message of a call, to be stored.
pub struct Message<'m> {
    pub call: Uuid,
    pub kind: &'static str,
    pub body: &'m Secret<String>,
    pub to: &'m Receiver,
}

impl Outbox {
    pub fn new(
        records: Records,
        resources: Resources,
        database: Database,
        client: Client,
        assistant_name: String,
        tasks: TaskTracker,
    ) -> Self {
        Self {
            records,
            deliveries: Deliveries::of(resources.clone()),
            tasks,
            way: Way {
                tokens: BearerTokens::new(client.clone()),
                client,
                resources: resources.clone(),
            },
            resources,
            database,
            jobs: OnceCell::new(),
            assistant_name,
            process: Uuid::new_v4(),
            left: Notify::new(),
            in_hand: Mutex::default(),
        }
    }

    /// The queue. Its tables are laid when it is first needed: a server that tells nobody anything needs none.
    pub async fn jobs(&self) -> Result<&Jobs, JobsError> {
        let opening = || Jobs::open(&self.database);
        self.jobs.get_or_try_init(opening).await
    }

    /// Stores a message; gives the row's id.
    pub async fn put(&self, message: Message<'_>, now: Timestamp) -> Result<Uuid, StoreError> {
        let until = now.checked_add(IN_HAND_FOR).unwrap_or(now);
        let fields = json!({
            "call": message.call, "type": message.kind, "plan": message.to.kept(),
            "by": self.process, "untilMs": until.as_millisecond(),
        });
        let new = NewResource {
            content: Some(message.body.clone()),
            ..NewResource::of(Kind::ServerMessage, body_of(fields))
        };
        let row = self.resources.add(new, now).await?;
        Ok(row.map(|row| row.id).unwrap_or_default())
    }

    /// Stores that this call's end is to be told, and by whom: once, however often it is said.
    pub async fn expect_the_end(
        &self,
        call: Uuid,
        to: &Receiver,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let fields = json!({"call": call, "type": END, "plan": to.kept()});
        let new = NewResource {
            id: Some(end_of(call)),
            ..NewResource::of(Kind::ServerMessage, body_of(fields))
        };
        self.resources.add(new, now).await.map(drop)
    }

    /// Who is told of a call that began earlier.
    pub async fn told_of(&self, call: Uuid) -> Result<Option<Receiver>, StoreError> {
        let row = self
            .resources
            .get(Kind::ServerMessage, end_of(call))
            .await?;
        Ok(row.and_then(|row| Row::read(&row)).and_then(|row| row.to))
    }

    pub async fn remove(&self, row: Uuid) -> Result<(), StoreError> {
        let removed = self.resources.remove(Kind::ServerMessage, row).await;
        removed.map(drop)
    }

    /// Lets a message go that could not be delivered at once, to be put out.
    pub async fn let_go(&self, row: Uuid, now: Timestamp) {
        let changed = self.change(row, now, |body| {
            body.remove("untilMs");
        });
        if let Err(error) = changed.await {
            tracing::warn!(%row, %error, "a server message waits a while longer than it would have to");
        }
        self.left.notify_one();
    }

    /// That a call has ended was told already; its report is yet to be.
    pub async fn status_told(&self, call: Uuid, now: Timestamp) {
        let changed = self.change(end_of(call), now, |body| {
            body.insert("statusTold".to_owned(), true.into());
        });
        if let Err(error) = changed.await {
            tracing::warn!(%call, %error, "that a call has ended may be told a second time");
        }
    }

    /// Where a call was handed to: its report says so too.
    pub async fn handed_to(&self, call: Uuid, destination: &Destination, now: Timestamp) {
        let destination = serde_json::to_value(destination).unwrap_or_default();
        let changed = self.change(end_of(call), now, |body| {
            body.insert("destination".to_owned(), destination.clone());
        });
        if let Err(error) = changed.await {
            tracing::warn!(%call, %error, "where a call was handed to may be missing in its report");
        }
    }

    async fn change(
        &self,
        row: Uuid,
        now: Timestamp,
        change: impl Fn(&mut Map<String, Value>),
    ) -> Result<(), StoreError> {
        let changed = self
            .resources
            .change(Kind::ServerMessage, row, now, |stands| {
                let mut body = stands.body.expose_secret().clone();
                change(&mut body);
                Ok::<_, std::convert::Infallible>(Secret::new(body))
            });
        match changed.await {
            Ok(_) | Err(ChangeError::Unknown) => Ok(()),
            Err(ChangeError::Refused(never)) => match never {},
            Err(ChangeError::Store(error)) => Err(error),
        }
    }

    /// This process tells the end of a call by itself, as long as it is there to.
    pub fn take_in_hand(&self, call: Uuid) {
        self.in_hand().insert(call);
    }

    pub fn out_of_hand(&self, call: Uuid) {
        self.in_hand().remove(&call);
        self.left.notify_one();
    }

    fn in_hand(&self) -> MutexGuard<'_, HashSet<Uuid>> {
        self.in_hand.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether another process may be about to deliver what it stored. A file is one process's at a time.
    fn others_may(&self) -> bool {
        matches!(self.database, Database::Postgres(_))
    }

    /// Puts out what was left, and removes what nobody is to be told any more: as much of it as one turn takes.
    pub async fn look(
        &self,
        now: Timestamp,
        attempts: usize,
        round: &mut Round,
    ) -> Result<(), JobsError> {
        let mut seen_to = 0;
        for _ in 0..PAGES {
            let (rows, goes_on_at) = self.page(round).await?;
            for resource in &rows {
                let age = now.duration_since(resource.created_at);
                if round.put.contains_key(&resource.id) && age < KEPT_FOR {
                    continue;
                }
                if seen_to == SEEN_TO {
                    round.from = resource.created_at;
                    return Ok(());
                }
                seen_to += 1;
                if self.put_out(resource, now, attempts).await? {
                    round.put.insert(resource.id, resource.created_at);
                }
            }
            round.from = goes_on_at.unwrap_or_default();
            if goes_on_at.is_none() {
                break;
            }
        }
        Ok(())
    }

    /// The next rows, and where those after them begin, if there are any. What was put out and is not among them is gone.
    async fn page(
        &self,
        round: &mut Round,
    ) -> Result<(Vec<Resource>, Option<Timestamp>), StoreError> {
        let from = round.from.checked_sub(A_TICK).unwrap_or(round.from);
        let created = Window::ALL.from(from);
        let wanted = Wanted {
            created,
            updated: Window::ALL,
            newest_first: false,
            skip: 0,
            most: PAGE,
        };
        let page = self.resources.list(Kind::ServerMessage, wanted).await?;
        let rows = page.resources;
        let is_last = page.total <= rows.len() as u64;
        let last = rows.last().map(|row| row.created_at);
        let goes_on_at = last.filter(|_| !is_last);
        let ids: HashSet<Uuid> = rows.iter().map(|row| row.id).collect();
        round.put.retain(|id, made| {
            let is_on_it = created.holds(*made) && goes_on_at.is_none_or(|ends| *made < ends);
            !is_on_it || ids.contains(id)
        });
        // It goes on also where a whole page was made within that tick, which is more than a database takes in.
        let on = round.from.checked_add(A_TICK).unwrap_or(round.from);
        Ok((rows, goes_on_at.map(|at| at.max(on))))
    }

    /// Puts a row out if it is due, or removes it if nobody is to be told it any more. Whether it is put out.
    async fn put_out(
        &self,
        resource: &Resource,
        now: Timestamp,
        attempts: usize,
    ) -> Result<bool, JobsError> {
        let age = now.duration_since(resource.created_at);
        let Some(row) = Row::read(resource) else {
            // Sealed with a key that is not set, for now.
            if age >= KEPT_FOR {
                self.give_up(resource.id, &[kept_of_row(resource.id)])
                    .await?;
            }
            return Ok(false);
        };
        let record = self.records.call(CallId(row.call)).await?;
        let ended = record.as_ref().and_then(|record| record.ended_at);
        let is_over = ended.is_some() || record.is_none();
        if row.needs_its_record && record.is_none() && age >= RECORD_WITHIN {
            // Its record was deleted: so is what was to be told of it.
            self.remove(resource.id).await?;
            return Ok(false);
        }
        if age >= KEPT_FOR && (is_over || !row.is_end) {
            let kept = match row.is_end {
                true => AT_THE_END
                    .map(|kind| kept_of_the_end(row.call, kind))
                    .to_vec(),
                false => vec![kept_of_row(resource.id)],
            };
            self.give_up(resource.id, &kept).await?;
            return Ok(false);
        }
        if !self.is_due(&row, ended, now) {
            return Ok(false);
        }
        let about = resource.id.to_string().parse::<About>();
        let about = about.expect("a uuid is of small letters, digits and hyphens");
        self.jobs()
            .await?
            .put(SERVER_MESSAGE, &about, attempts)
            .await?;
        Ok(true)
    }

    fn is_due(&self, row: &Row, ended: Option<Timestamp>, now: Timestamp) -> bool {
        if row.is_end {
            let quiet = ended.is_some_and(|at| now.duration_since(at) >= IN_HAND_FOR);
            return ended.is_some()
                && !self.in_hand().contains(&row.call)
                && (quiet || !self.others_may());
        }
        let is_ours = row.by == Some(self.process);
        let in_hand = row.until.is_some_and(|until| until > now);
        !in_hand || !is_ours && !self.others_may()
    }

    /// Removes a row, and says so in what is kept of its messages.
    async fn give_up(&self, row: Uuid, kept: &[Uuid]) -> Result<(), StoreError> {
        counted("given-up");
        tracing::error!(%row, "a server message was not delivered, and is given up");
        for kept in kept {
            self.deliveries.given_up(*kept).await;
        }
        self.remove(row).await
    }

    /// Tries a message for the first time; what could not be delivered is left to be put out.
    pub async fn try_now(&self, row: Uuid, to: &Receiver, body: Secret<String>, message: &Tried) {
        let letter = Letter {
            id: row.to_string(),
            body,
        };
        let outcome = match self.sent(to, letter, message).await {
            Ok(()) => self.removed(row).await,
            Err(trouble) => {
                self.let_go(row, Timestamp::now()).await;
                Err(trouble)
            }
        };
        if let Err(trouble) = outcome {
            tracing::info!(%row, %trouble, "a server message is not delivered yet; it is tried again");
        }
    }

    /// Tries what is of no use later: once.
    pub async fn try_once(&self, to: &Receiver, body: Secret<String>) {
        match sending::deliver(&self.way, to, once(body)).await {
            Ok(_) => counted("delivered"),
            Err(_) => counted("dropped"),
        }
    }

    /// Asks; `None` where no answer came within that time, whatever the reason.
    pub async fn ask(
        &self,
        to: &Receiver,
        body: Secret<String>,
        within: Duration,
        question: Tried,
    ) -> Option<Vec<u8>> {
        let began = Timestamp::now();
        let asking = sending::ask(&self.way, to, once(body));
        let asked = tokio::time::timeout(within, asking).await;
        let asked = asked.unwrap_or_else(|_| Err(sending::too_late()));
        let (outcome, answer) = match asked {
            Ok((status, answer)) => (Ok(status), Some(answer)),
            Err(undelivered) => (Err(undelivered), None),
        };
        match &outcome {
            Ok(_) => counted("delivered"),
            Err(Undelivered { trouble, .. }) => {
                counted("dropped");
                tracing::info!(%trouble, "a question to an assistant's server has no answer; our own stands");
            }
        }
        let attempt = Attempt::over(began, &outcome).for_good();
        let deliveries = self.deliveries.clone();
        // A caller may wait for the answer.
        self.tasks
            .spawn(async move { deliveries.tried(&question, &attempt).await });
        answer
    }

    /// Delivers what a job is about: a message, or that a call is over.
    pub async fn deliver(&self, about: &About) -> Result<(), Trouble> {
        let not_read = |_| because("what is to be delivered cannot be read now");
        let id = about.as_str().parse::<Uuid>();
        let id = id.map_err(|_| because("this program did not store it so"))?;
        let Some(resource) = self
            .resources
            .get(Kind::ServerMessage, id)
            .await
            .map_err(not_read)?
        else {
            // It was delivered meanwhile, or its record is gone.
            return Ok(());
        };
        let row = Row::read(&resource);
        let row = row.ok_or(because("it is sealed with a key that is not set"))?;
        let Some(to) = &row.to else {
            return self.removed(id).await;
        };
        if row.is_end {
            let destination = row.destination.clone();
            return self
                .tell_the_end(row.call, to, row.status_told, destination)
                .await;
        }
        let age = Timestamp::now().duration_since(resource.created_at);
        let record = self.records.call(CallId(row.call)).await;
        let record = record.map_err(not_read)?;
        if row.needs_its_record && age >= RECORD_WITHIN && record.is_none() {
            return self.removed(id).await;
        }
        let content = self.resources.content(Kind::ServerMessage, id).await;
        let Some(body) = content.map_err(not_read)? else {
            return self.removed(id).await;
        };
        counted("retried");
        let of = match &record {
            Some(record) => OfCall::on_record(record),
            None => OfCall::unlabelled(row.call),
        };
        let letter = Letter {
            id: id.to_string(),
            body,
        };
        let message = Tried::in_row(id, of, &row.kind);
        self.sent(to, letter, &message).await?;
        self.removed(id).await
    }

    /// Tells that a call has ended, and its report, as the record has it; what was told of it is not told again.
    pub async fn tell_the_end(
        &self,
        call: Uuid,
        to: &Receiver,
        status_told: bool,
        destination: Option<Destination>,
    ) -> Result<(), Trouble> {
        let record = self.records.call(CallId(call)).await;
        let record = record.map_err(|_| because("the record cannot be read now"))?;
        let Some(record) = record else {
            return self.removed(end_of(call)).await;
        };
        if record.ended_at.is_none() {
            return Err(because("the call's end is not stored yet"));
        }
        let message = |kind: &str| Tried::of_the_end(OfCall::on_record(&record), kind);
        let letter = |event: ServerEvent| {
            let id = format!("{call}-{}", event.kind());
            let call = Call {
                destination: destination.clone(),
                ..messages::call_of(&record, &self.assistant_name)
            };
            let body = messages::body(event, call, Timestamp::now(), None);
            Letter { id, body }
        };
        let [status_update, end_of_call_report] = AT_THE_END;
        let ended = messages::ended(&record);
        if !status_told && to.is_told_of(&ended) {
            self.sent(to, letter(ended), &message(status_update))
                .await?;
            self.status_told(call, Timestamp::now()).await;
        }
        if to.is_told(end_of_call_report) {
            let report = messages::report(&record, Timestamp::now());
            self.sent(to, letter(report), &message(end_of_call_report))
                .await?;
        }
        self.removed(end_of(call)).await
    }

    /// Delivers a message, or finds that it is not to be tried again; keeps what came of it.
    async fn sent(&self, to: &Receiver, letter: Letter, message: &Tried) -> Result<(), Trouble> {
        let began = Timestamp::now();
        let outcome = sending::deliver(&self.way, to, letter).await;
        let attempt = Attempt::over(began, &outcome);
        self.deliveries.tried(message, &attempt).await;
        match outcome {
            Ok(_) => counted("delivered"),
            Err(Undelivered {
                again: false,
                trouble,
            }) => {
                counted("given-up");
                tracing::warn!(%trouble, "a server message is given up: its assistant says that this is not to be tried again");
            }
            Err(Undelivered { trouble, .. }) => return Err(trouble),
        }
        Ok(())
    }

    /// What stays is delivered a second time.
    async fn removed(&self, row: Uuid) -> Result<(), Trouble> {
        let removed = self.remove(row).await;
        removed.map_err(|_| because("that it is delivered cannot be stored now"))
    }
}

/// One that is sent once, or never.
fn once(body: Secret<String>) -> Letter {
    Letter {
        id: Uuid::new_v4().to_string(),
        body,
    }
}

fn body_of(fields: Value) -> resources::Body {
    match fields {
        Value::Object(fields) => Secret::new(fields),
        _ => Secret::default(),
    }
}

fn because(what: &'static str) -> Trouble {
    Trouble { what, code: None }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    async fn outbox() -> Outbox {
        let records = Records::open("sqlite::memory:").await.unwrap();
        let database = records.database().unwrap();
        Outbox::new(
            records,
            Resources::on(&database),
            database,
            Client::new(),
            String::from("Nightlight"),
            TaskTracker::new(),
        )
    }

    fn receiver() -> Receiver {
        let plan = json!({"server": {"url": "https://example.org"}});
        Receiver::read(plan.as_object().unwrap()).unwrap()
    }

    #[tokio::test]
    async fn what_waits_for_one_server_holds_up_no_message_that_was_stored_after_it() {
        let (outbox, to, began) = (outbox().await, receiver(), Timestamp::now());
        let (body, rows) = (Secret::new(String::from("{}")), i64::from(PAGE) + 7);
        let mut stored = Vec::new();
        for number in 0..rows {
            let message = Message {
                call: Uuid::nil(),
                kind: "session.updated",
                body: &body,
                to: &to,
            };
            let at = began + SignedDuration::from_millis(number);
            stored.push(outbox.put(message, at).await.unwrap());
        }
        let later = began + IN_HAND_FOR * 2;
        let mut round = Round::default();
        outbox.look(later, 3, &mut round).await.unwrap();
        assert_eq!(round.waiting(), SEEN_TO as usize);
        outbox.look(later, 3, &mut round).await.unwrap();
        assert_eq!(round.waiting(), stored.len());
        for delivered in [stored[0], stored[stored.len() - 1]] {
            outbox.remove(delivered).await.unwrap();
        }
        outbox.look(later, 3, &mut round).await.unwrap();
        assert_eq!(round.waiting(), stored.len() - 2);
        for _ in 0..3 {
            let much_later = began + KEPT_FOR * 2;
            outbox.look(much_later, 3, &mut round).await.unwrap();
        }
        assert_eq!(round.waiting(), 0, "all are given up");
    }
}
