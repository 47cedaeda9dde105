//! Tells of one call: takes what happens in it, in order, and makes messages of it.
//!
//! What matters later is stored before it is sent: the call's status, what was said, a hand-over, that the assistant was
//! late. What is only of use at once (who speaks just now, words that may still change) is tried once and not stored.
//! First tries are made one after another; what is tried again may be overtaken, and bears its time.

use std::sync::Arc;
use std::time::Duration;

use call::{CallEvent, Speaker, SpokenMessage};
use flow::{Agency, EndReason};
use jiff::Timestamp;
use platform::event::{Destination, StatusUpdate, Transcript, TranscriptType};
use platform::{
    Artifact, Call, CallStatus, Chat, ConversationMessage, ConversationUpdate, Hang, MessageRole,
    ModelOutput, ServerEvent, SpeechStatus, UserInterrupted,
};
use records::CallId;
use redact::Secret;
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::deliveries::{OfCall, Tried};
use super::handing_over::{self, Asking, HandOvers};
use super::outbox::{Message, Outbox};
use super::receiver::Receiver;
use super::{Begun, Webhooks, counted, messages, subscriber};
use crate::{call_record, journal};

/// Messages that wait for those before them to be sent. What has no room here is sent by the queue, or dropped.
const WAITING: usize = 64;
/// What is of use at once is of none after so long.
const OF_USE_FOR: Duration = Duration::from_secs(10);
/// What has waited for so long is left to the queue: its node's own time for it is running out.
const SENT_AT_ONCE_FOR: Duration = Duration::from_secs(25);
/// When the server stops, what is being said is let come here for so long.
const LAST_NEWS: Duration = Duration::from_secs(2);

/// Something that is told.
pub enum News {
    /// In a call.
    Happened(CallEvent),
    /// In a written conversation.
    Exchanged(Exchanged),
}

/// An exchange of a written conversation.
pub struct Exchanged {
    /// All that was said, this exchange last.
    pub said: Vec<SpokenMessage>,
    pub reply: Secret<String>,
    pub number: u16,
    /// As whoever wrote is answered.
    pub chat: Box<Chat>,
    pub transfer: Option<Agency>,
}

pub struct Teller {
    webhooks: Arc<Webhooks>,
    outbox: Arc<Outbox>,
    to: Arc<Receiver>,
    id: Uuid,
    call: Call,
    of: OfCall,
    started_at: Timestamp,
    stored: CancellationToken,
    /// It was told that the call is under way.
    has_begun: bool,
    said: Vec<ConversationMessage>,
    /// Since when they have been speaking.
    from: [Timestamp; 2],
    hand_overs: HandOvers,
    destination: Option<Destination>,
    /// It is stored, or was told, that the call is over.
    status_told: bool,
}

/// A message on its way.
struct Outgoing {
    /// Where it is stored.
    row: Option<Uuid>,
    kind: &'static str,
    body: Secret<String>,
    since: Instant,
}

impl Teller {
    pub async fn of(
        webhooks: &Arc<Webhooks>,
        begun: &Begun,
        to: Arc<Receiver>,
        hand_overs: HandOvers,
    ) -> Self {
        let id = CallId(begun.call);
        let outbox = Arc::clone(&webhooks.outbox);
        let mut said = Vec::new();
        if begun.goes_on
            && let Ok(Some(record)) = outbox.records.call(id).await
        {
            said = call_record::messages(record.started_at, &record.messages);
        }
        let name = &webhooks.script.name;
        let call = messages::under_way(id, begun.kind, &begun.label, begun.started_at, name);
        outbox.take_in_hand(begun.call);
        let expected = outbox.expect_the_end(begun.call, &to, Timestamp::now());
        if let Err(error) = expected.await {
            tracing::error!(call = %begun.call, %error, "should the server stop before this call is over, its end is not told");
        }
        Self {
            webhooks: Arc::clone(webhooks),
            outbox,
            to,
            id: begun.call,
            call,
            of: OfCall::of(begun.call, &begun.label),
            started_at: begun.started_at,
            stored: begun.stored.clone(),
            has_begun: begun.goes_on,
            said,
            from: [begun.started_at; 2],
            hand_overs,
            destination: None,
            status_told: false,
        }
    }

    /// Until the call is over, goes on elsewhere, or the server stops.
    pub async fn tell(mut self, mut happened: mpsc::Receiver<News>) {
        let (sender, outgoing) = mpsc::channel(WAITING);
        let sending = send_in_order(
            Arc::clone(&self.outbox),
            Arc::clone(&self.to),
            self.of.clone(),
            outgoing,
            self.webhooks.stopping.clone(),
        );
        let sending = tokio::spawn(sending);
        let stopping = self.webhooks.stopping.clone();
        let no_more = async {
            stopping.cancelled().await;
            tokio::time::sleep(LAST_NEWS).await;
        };
        tokio::pin!(no_more);
        let mut over = None;
        while over.is_none() {
            let news = tokio::select! {
                news = happened.recv() => news,
                () = &mut no_more => None,
            };
            let Some(news) = news else {
                break;
            };
            let at = Timestamp::now();
            match news {
                News::Happened(CallEvent::Ended { reason }) => {
                    self.ended(reason, at, &sender).await;
                    over = Some(reason);
                }
                News::Happened(event) => self.happened(event, at, &sender).await,
                News::Exchanged(exchanged) => self.exchanged(exchanged, at, &sender).await,
            }
        }
        drop(sender);
        let _ = sending.await;
        if over.is_some() {
            self.report().await;
        }
        self.outbox.out_of_hand(self.id);
    }

    async fn happened(&mut self, event: CallEvent, at: Timestamp, out: &mpsc::Sender<Outgoing>) {
        match event {
            CallEvent::Started => {
                if self.has_begun(at, out).await {
                    let started = messages::assistant_started(&self.call);
                    self.durably(started, at, out).await;
                }
            }
            CallEvent::SpeechStarted { speaker, turn } => {
                if let Some(place) = place(speaker) {
                    self.from[place] = at;
                }
                let update = messages::speech(speaker, turn, SpeechStatus::Started);
                self.once(update, at, out);
            }
            CallEvent::SpeechStopped { speaker, turn } => {
                let update = messages::speech(speaker, turn, SpeechStatus::Stopped);
                self.once(update, at, out);
            }
            CallEvent::Transcript {
                speaker,
                words,
                is_final,
            } => {
                let heard = messages::role(speaker).map(|role| {
                    ServerEvent::Transcript(Transcript {
                        role,
                        transcript_type: match is_final {
                            true => TranscriptType::Final,
                            false => TranscriptType::Partial,
                        },
                        transcript: words.clone(),
                    })
                });
                if !is_final {
                    return self.once(heard, at, out);
                }
                self.said.push(self.message(speaker, words, at));
                if let Some(heard) = heard {
                    self.durably(heard, at, out).await;
                }
                self.conversation(at, out).await;
            }
            CallEvent::Interrupted { turn } => {
                let turn_id = Some(turn.to_string());
                let interrupted = ServerEvent::UserInterrupted(UserInterrupted { turn_id });
                self.once(Some(interrupted), at, out);
            }
            CallEvent::AnsweredLate => {
                self.durably(ServerEvent::Hang(Hang {}), at, out).await;
            }
            CallEvent::Transferred { agency, .. } => self.transferred(agency, at, out).await,
            CallEvent::LookedUp { .. }
            | CallEvent::Noted { .. }
            | CallEvent::Stepped { .. }
            | CallEvent::OfficersRung { .. }
            | CallEvent::OfficerAlsoRung { .. }
            | CallEvent::OfficerAccepted { .. }
            | CallEvent::OfficerNeverCame { .. }
            | CallEvent::OfficerJoined { .. }
            | CallEvent::OfficerLeft { .. }
            | CallEvent::CallerOnHold
            | CallEvent::HoldEndsSoon { .. }
            | CallEvent::CallerOffHold
            | CallEvent::OfficersUnreached { .. }
            | CallEvent::Ended { .. } => {}
        }
    }

    async fn exchanged(
        &mut self,
        exchanged: Exchanged,
        at: Timestamp,
        out: &mpsc::Sender<Outgoing>,
    ) {
        self.has_begun(at, out).await;
        let output = ModelOutput {
            output: Secret::new(Value::from(exchanged.reply.expose_secret().clone())),
            turn_id: Some(exchanged.number.to_string()),
        };
        self.once(Some(ServerEvent::ModelOutput(output)), at, out);
        if self.to.is_told("chat.created") {
            let created = ServerEvent::ChatCreated(subscriber::of_chat(&*exchanged.chat));
            self.durably(created, at, out).await;
        }
        self.said = {
            let said: Vec<_> = exchanged.said.iter().map(journal::message).collect();
            call_record::messages(self.started_at, &said)
        };
        self.conversation(at, out).await;
        if let Some(agency) = exchanged.transfer {
            self.transferred(agency, at, out).await;
        }
    }

    /// Whether it is only now that it has.
    async fn has_begun(&mut self, at: Timestamp, out: &mpsc::Sender<Outgoing>) -> bool {
        let begins = !std::mem::replace(&mut self.has_begun, true);
        if begins {
            let update = StatusUpdate::to(CallStatus::InProgress);
            self.durably(ServerEvent::StatusUpdate(update), at, out)
                .await;
        }
        begins
    }

    async fn conversation(&self, at: Timestamp, out: &mpsc::Sender<Outgoing>) {
        let update = ConversationUpdate::of(self.said.clone());
        self.durably(ServerEvent::ConversationUpdate(update), at, out)
            .await;
    }

    /// Asks where to, and tells where the caller goes.
    async fn transferred(&mut self, agency: Agency, at: Timestamp, out: &mpsc::Sender<Outgoing>) {
        let said = Artifact::of(self.said.clone());
        let asking = Asking {
            outbox: Arc::clone(&self.outbox),
            to: Arc::clone(&self.to),
            id: self.id,
            call: self.call.clone(),
        };
        let answered = handing_over::answer(&self.hand_overs, asking, agency, said, at).await;
        let directory = &self.webhooks.script.directory;
        let destination = handing_over::where_to(answered, self.id, agency, directory);
        // A call, as the platform has it, is handed to a telephone or to nobody: of an assistant its own message tells.
        if !matches!(destination, Destination::Assistant { .. }) {
            self.destination = Some(destination.clone());
            self.call.destination = Some(destination.clone());
            self.outbox.handed_to(self.id, &destination, at).await;
        }
        self.durably(messages::transfer(destination), at, out).await;
    }

    async fn ended(&mut self, reason: EndReason, at: Timestamp, out: &mpsc::Sender<Outgoing>) {
        if reason == EndReason::Forwarded {
            self.call.status = Some(CallStatus::Forwarding);
            let forwarding = StatusUpdate {
                destination: self.destination.clone(),
                transcript: Artifact::of(self.said.clone()).transcript,
                ..StatusUpdate::to(CallStatus::Forwarding)
            };
            self.durably(ServerEvent::StatusUpdate(forwarding), at, out)
                .await;
        }
        self.call.status = Some(CallStatus::Ended);
        self.call.ended_reason = Some(reason.as_str().to_owned());
        self.call.ended_at = Some(at);
        let ended = ServerEvent::StatusUpdate(StatusUpdate::ended(reason.as_str()));
        self.status_told = self.durably(ended, at, out).await;
        if self.status_told {
            self.outbox.status_told(self.id, at).await;
        }
    }

    /// Told from the record, as soon as it has the end. What fails is left to the queue.
    async fn report(&self) {
        tokio::select! {
            () = self.stored.cancelled() => {}
            () = self.webhooks.stopped.cancelled() => return,
        }
        if self.webhooks.stopping.is_cancelled() {
            return;
        }
        let told = self
            .outbox
            .tell_the_end(
                self.id,
                &self.to,
                self.status_told,
                self.destination.clone(),
            )
            .await;
        if let Err(trouble) = told {
            tracing::info!(call = %self.id, %trouble, "the report of a call is not delivered yet; it is tried again");
        }
    }

    fn message(
        &self,
        speaker: Speaker,
        words: Secret<String>,
        at: Timestamp,
    ) -> ConversationMessage {
        let from = place(speaker).map_or(at, |place| self.from[place]);
        let seconds =
            |from: Timestamp, to: Timestamp| to.duration_since(from).as_secs_f64().max(0.0);
        ConversationMessage {
            role: match speaker {
                Speaker::Assistant => MessageRole::Bot,
                Speaker::Caller => MessageRole::User,
                Speaker::Officer(_) => MessageRole::Officer,
            },
            message: words,
            time: Some(from.into()),
            end_time: Some(at.into()),
            seconds_from_start: seconds(self.started_at, from),
            duration: Some(seconds(from, at)),
            interrupted: false,
        }
    }

    /// Stores a message, and has it sent. Whether it is stored, or is none that is told.
    async fn durably(
        &self,
        event: ServerEvent,
        at: Timestamp,
        out: &mpsc::Sender<Outgoing>,
    ) -> bool {
        if !self.to.is_told_of(&event) {
            return true;
        }
        let kind = event.kind();
        let body = messages::body(event, self.call.clone(), at, None);
        let message = Message {
            call: self.id,
            kind,
            body: &body,
            to: &self.to,
        };
        let row = match self.outbox.put(message, at).await {
            Ok(row) => Some(row),
            Err(error) => {
                tracing::warn!(call = %self.id, %error, "a server message is not stored: it is tried once");
                None
            }
        };
        let outgoing = Outgoing {
            row,
            kind,
            body,
            since: Instant::now(),
        };
        if out.try_send(outgoing).is_err() {
            match row {
                Some(row) => self.outbox.let_go(row, at).await,
                None => counted("dropped"),
            }
        }
        row.is_some()
    }

    fn once(&self, event: Option<ServerEvent>, at: Timestamp, out: &mpsc::Sender<Outgoing>) {
        let Some(event) = event.filter(|event| self.to.is_told_of(event)) else {
            return;
        };
        let outgoing = Outgoing {
            row: None,
            kind: event.kind(),
            body: messages::body(event, self.call.clone(), at, None),
            since: Instant::now(),
        };
        if out.try_send(outgoing).is_err() {
            counted("dropped");
        }
    }
}

/// The two whose turns are timed.
fn place(speaker: Speaker) -> Option<usize> {
    match speaker {
        Speaker::Assistant => Some(0),
        Speaker::Caller => Some(1),
        Speaker::Officer(_) => None,
    }
}

/// One after another, until there are no more or the server stops: then what is stored is left to the next start.
async fn send_in_order(
    outbox: Arc<Outbox>,
    to: Arc<Receiver>,
    of: OfCall,
    mut outgoing: mpsc::Receiver<Outgoing>,
    stopping: CancellationToken,
) {
    let sending = async {
        while let Some(Outgoing {
            row,
            kind,
            body,
            since,
        }) = outgoing.recv().await
        {
            let waited = since.elapsed();
            match row {
                Some(row) if waited < SENT_AT_ONCE_FOR => {
                    let message = Tried::in_row(row, of.clone(), kind);
                    outbox.try_now(row, &to, body, &message).await;
                }
                Some(row) => outbox.let_go(row, Timestamp::now()).await,
                None if waited < OF_USE_FOR => outbox.try_once(&to, body).await,
                None => counted("dropped"),
            }
        }
    };
    tokio::select! {
        () = sending => {}
        () = stopping.cancelled() => {}
    }
}
