//! Webhooks out: server messages about the calls and written conversations held here, to the server that their assistant
//! names, or the one that is set for all.
//!
//! | question | module |
//! |---|---|
//! | whose server is told? | [`whom`] |
//! | how, and of what? | [`receiver`] |
//! | what is told of what happens, and in which order? | [`teller`], a task for each call |
//! | how are messages shaped? | [`messages`] |
//! | what waits, over a restart, and what becomes of it? | [`outbox`], of which each is a [`row`] |
//! | how is one sent? | [`sending`] |
//! | what is kept of those that were? | [`deliveries`] |
//! | by which of an assistant's tools is a question asked? | [`look_up`] |
//! | what is a server asked of a caller's question, and how far is it obeyed? | [`asking`] |
//! | and as a caller is handed on? | [`handing_over`], to one of the [`destinations`] that are ours |
//! | who is told of chats and sessions that are made, changed and deleted? | [`subscriber`] |
//!
//! No call waits for any of this: what happens is put into a queue that has an end, by who must not wait. What has no room
//! there is counted as dropped. That a call is over is told from its record, whatever was dropped.

mod asking;
pub mod deliveries;
mod destinations;
mod handing_over;
pub mod look_up;
mod messages;
#[cfg(test)]
mod odd_answers;
mod outbox;
mod receiver;
pub mod row;
mod sending;
pub mod subscriber;
mod teller;
mod whom;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use call::HeardTurn;
use endpoint::ClientError;
use flow::{AssistantScript, Conversation};
use jiff::Timestamp;
use jobs::{About, BackOff, Pace};
use platform::resource::{MessagePlan, MessageServer};
use records::{CallId, CallKind, Database, Label, Records};
use resources::Resources;
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

use crate::keys::Key;
use crate::settings;
use handing_over::{Asking, HandOvers};
use look_up::LookUp;
use outbox::{Outbox, Round, SERVER_MESSAGE};
use receiver::Receiver;
use subscriber::Whose;
use teller::Teller;
pub use teller::{Exchanged, News};
pub use whom::is_the_helplines;

/// What has happened in a call and is not told yet.
const WAITING_NEWS: usize = 256;
/// How often it is looked for what was left, beside when it is known that something was.
const LOOK_EVERY: Duration = Duration::from_secs(20);
const TIDY_EVERY: u32 = 180;

/// Tried for a day: after ten seconds, then with longer waits, up to half an hour.
const PACE: Pace = Pace {
    back_off: BackOff {
        first: Duration::from_secs(10),
        longest: Duration::from_mins(30),
        in_all: Duration::from_hours(24),
    },
    look_every: Duration::from_secs(2),
    sign_of_life_every: Duration::from_secs(30),
};

/// What became of a message, for whoever watches.
fn counted(outcome: &'static str) {
    metrics::counter!("nightlight_server_messages_total", "outcome" => outcome).increment(1);
}

/// Who is told of the calls of this process.
pub struct Webhooks {
    outbox: Arc<Outbox>,
    resources: Resources,
    /// Where nobody else is told.
    own: Option<MessagePlan>,
    script: Arc<AssistantScript>,
    calls: Mutex<HashMap<Uuid, Told>>,
    tasks: TaskTracker,
    stopping: CancellationToken,
    stopped: CancellationToken,
}

/// What the body of a call or a chat says of where its messages go. It counts for who holds the private key: every page has
/// the public one, and whoever has that would have this server send wherever they like.
pub fn wishes(key: &Key, body: &[u8]) -> Vec<MessagePlan> {
    if !key.is_private() {
        return Vec::new();
    }
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    MessagePlan::all_of_a_call(&body)
}

/// One call's place.
struct Told {
    news: mpsc::Sender<News>,
    call: platform::Call,
    /// Worked out soon after the call began.
    to: Arc<OnceLock<Answering>>,
    hand_overs: HandOvers,
}

/// Who may have a better reply in a call than ours.
struct Answers {
    call: platform::Call,
    /// To a caller's question.
    to_questions: Option<Arc<Receiver>>,
    look_up: LookUp,
    /// As a caller is handed on.
    to_hand_overs: Option<Arc<Receiver>>,
    hand_overs: HandOvers,
}

/// Whose servers answer in a call.
#[derive(Clone, Default)]
struct Answering {
    /// The assistant's.
    assistants: Option<Arc<Receiver>>,
    /// The look-up tool's own.
    tools: Option<Arc<Receiver>>,
    /// How either is asked.
    look_up: LookUp,
}

/// A call that begins here, or goes on here.
pub struct Begun {
    pub call: Uuid,
    pub kind: CallKind,
    pub label: Label,
    /// What whoever asked for it says of where messages go.
    pub wishes: Vec<MessagePlan>,
    pub started_at: Timestamp,
    /// It began earlier, and whoever was told of that is told of the rest.
    pub goes_on: bool,
    /// Cancelled when its end is stored.
    pub stored: CancellationToken,
}

impl Begun {
    fn whose(&self) -> Whose<'_> {
        Whose {
            call: self.call,
            label: &self.label,
            wishes: &self.wishes,
            goes_on: self.goes_on,
        }
    }
}

/// What it takes.
pub struct Parts {
    pub records: Records,
    pub resources: Resources,
    pub database: Database,
    pub own: Option<settings::MessageServer>,
    pub script: Arc<AssistantScript>,
    pub tasks: TaskTracker,
    pub stopping: CancellationToken,
    pub stopped: CancellationToken,
}

impl Webhooks {
    pub fn new(parts: Parts) -> Result<Self, ClientError> {
        let outbox = Outbox::new(
            parts.records,
            parts.resources.clone(),
            parts.database,
            endpoint::client()?,
            parts.script.name.clone(),
            parts.tasks.clone(),
        );
        let own = parts.own.map(|server| MessagePlan {
            server: Some(MessageServer {
                url: Some(server.url),
                secret: server.secret,
                ..MessageServer::default()
            }),
            server_messages: None,
        });
        Ok(Self {
            outbox: Arc::new(outbox),
            resources: parts.resources,
            own,
            script: parts.script,
            calls: Mutex::default(),
            tasks: parts.tasks,
            stopping: parts.stopping,
            stopped: parts.stopped,
        })
    }

    /// Tells of this call from now on, if there is anybody to tell. Returns at once.
    pub fn begin(self: &Arc<Self>, begun: Begun) {
        let nobody = self.own.is_none() && begun.wishes.is_empty() && begun.label.is_empty();
        if nobody && !begun.goes_on {
            return;
        }
        let (news, happened) = mpsc::channel(WAITING_NEWS);
        let to = Arc::<OnceLock<_>>::default();
        let hand_overs = HandOvers::default();
        let id = CallId(begun.call);
        let name = &self.script.name;
        let told = Told {
            news,
            call: messages::under_way(id, begun.kind, &begun.label, begun.started_at, name),
            to: Arc::clone(&to),
            hand_overs: hand_overs.clone(),
        };
        let call = begun.call;
        self.calls().insert(call, told);
        let webhooks = Arc::clone(self);
        self.tasks.spawn(async move {
            let answering = webhooks.who_is_told(&begun.whose()).await;
            let Answering {
                assistants, tools, ..
            } = to.get_or_init(|| answering).clone();
            match assistants {
                Some(receiver) => {
                    let teller = Teller::of(&webhooks, &begun, receiver, hand_overs).await;
                    teller.tell(happened).await;
                }
                // It is asked, and told nothing.
                None if tools.is_some() => webhooks.until_over(happened).await,
                None => drop(happened),
            }
            // Unless it is told of anew meanwhile.
            let mut calls = webhooks.calls();
            if calls
                .get(&call)
                .is_some_and(|told| Arc::ptr_eq(&told.to, &to))
            {
                calls.remove(&call);
            }
        });
    }

    /// Something happened in a call. Never waits.
    pub fn tell(&self, call: Uuid, news: impl FnOnce() -> News) {
        let told = self.calls().get(&call).map(|told| told.news.clone());
        if let Some(told) = told
            && let Err(mpsc::error::TrySendError::Full(_)) = told.try_send(news())
        {
            counted("dropped");
            tracing::warn!(%call, "a server message is dropped: too much waits to be told of this call");
        }
    }

    /// Nothing more of this call is told from here: it is over, or goes on elsewhere.
    pub fn let_go(&self, call: Uuid) {
        self.calls().remove(&call);
    }

    /// Delivers what was left, until the server stops.
    pub async fn run(self: Arc<Self>) {
        let mut turns = tokio::time::interval(LOOK_EVERY);
        turns.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut round, mut is_at_work) = (Round::default(), false);
        for turn in 0_u32.. {
            tokio::select! {
                _ = turns.tick() => {}
                () = self.outbox.left.notified() => {}
                () = self.stopping.cancelled() => return,
            }
            let looking = self.look(&mut round, turn % TIDY_EVERY == 0, &mut is_at_work);
            if let Err(error) = looking.await {
                tracing::warn!(%error, "server messages that wait cannot be seen to; it is tried again in a while");
            }
        }
    }

    async fn look(
        &self,
        round: &mut Round,
        tidies: bool,
        is_at_work: &mut bool,
    ) -> Result<(), jobs::JobsError> {
        let attempts = PACE.back_off.attempts();
        self.outbox.look(Timestamp::now(), attempts, round).await?;
        let waiting = round.waiting();
        metrics::gauge!("nightlight_server_messages_waiting").set(waiting as f64);
        if waiting == 0 && !*is_at_work {
            return Ok(());
        }
        let jobs = self.outbox.jobs().await?;
        if !*is_at_work {
            *is_at_work = true;
            let (jobs, outbox) = (jobs.clone(), Arc::clone(&self.outbox));
            let stopping = self.stopping.clone();
            let attempt = move |about: About| {
                let outbox = Arc::clone(&outbox);
                async move { outbox.deliver(&about).await }
            };
            self.tasks
                .spawn(async move { jobs.work(SERVER_MESSAGE, PACE, attempt, stopping).await });
        }
        if tidies {
            jobs.tidy().await?;
        }
        for standing in jobs.standings().await? {
            let kind = standing.kind;
            metrics::gauge!("nightlight_jobs_waiting", "kind" => kind.clone())
                .set(standing.waiting as f64);
            metrics::gauge!("nightlight_jobs_given_up", "kind" => kind)
                .set(standing.given_up as f64);
        }
        Ok(())
    }

    /// While a call is only asked about.
    async fn until_over(&self, mut happened: mpsc::Receiver<News>) {
        let over = async {
            while let Some(news) = happened.recv().await {
                if matches!(news, News::Happened(call::CallEvent::Ended { .. })) {
                    return;
                }
            }
        };
        tokio::select! {
            () = over => {}
            () = self.stopping.cancelled() => {}
        }
    }

    /// Whether a server may have an answer in this call.
    pub fn may_answer(&self, call: Uuid) -> bool {
        self.answers(call).is_some()
    }

    fn answers(&self, call: Uuid) -> Option<Answers> {
        let calls = self.calls();
        let told = calls.get(&call)?;
        let Answering {
            assistants,
            tools,
            look_up,
        } = told.to.get()?;
        let asked = |kind| assistants.as_ref().filter(|to| to.is_told(kind)).cloned();
        let to_questions = tools.clone().or_else(|| asked("tool-calls"));
        let to_hand_overs = asked("transfer-destination-request");
        let any = to_questions.is_some() || to_hand_overs.is_some();
        any.then(|| Answers {
            call: told.call.clone(),
            to_questions,
            look_up: look_up.clone(),
            to_hand_overs,
            hand_overs: told.hand_overs.clone(),
        })
    }

    /// The conversation after a turn, with the server's answer to the caller's question where it has one, or its word as a
    /// case is passed on; otherwise as it was advised.
    pub async fn answered(
        &self,
        turn: &HeardTurn,
        advised: Option<Conversation>,
    ) -> Option<Conversation> {
        let Some(answers) = self.answers(turn.call) else {
            return advised;
        };
        let Answers {
            call,
            to_questions,
            look_up,
            to_hand_overs,
            hand_overs,
        } = answers;
        let after = asking::after(turn, advised.as_ref());
        let answered = match (to_questions, to_hand_overs) {
            (Some(to), _) if after.answers_a_question() => {
                asking::answered(&self.outbox, &to, &look_up, call, turn, after).await
            }
            (_, Some(to)) => {
                let outbox = Arc::clone(&self.outbox);
                let asking = Asking {
                    outbox,
                    to,
                    id: turn.call,
                    call,
                };
                let directory = &self.script.directory;
                handing_over::answered(&hand_overs, asking, turn, after, directory).await
            }
            (_, None) => None,
        };
        answered.or(advised)
    }

    fn calls(&self) -> MutexGuard<'_, HashMap<Uuid, Told>> {
        // Every change is made whole before anything that could panic.
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
