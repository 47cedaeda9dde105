//! One call from the first request to the record: joins place, line, mouth, ear and director.
//!
//! It acts and writes down; what was said when is decided by [`crate::director`], and what it
//! amounts to by [`crate::measure`].

mod account;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;
use serde_json::{Value, json};
use tokio::time::sleep_until;

use crate::clip::Clip;
use crate::director::{Action, Director, Missing, Patience, SayKind, Senses};
use crate::ear::Ear;
use crate::line::{CallClock, Closed, FromServer, Line};
use crate::measure::millis;
use crate::media_socket::SocketLine;
use crate::media_webrtc::{Offering, OwnLoss};
use crate::mouth::{Mouth, Said};
use crate::place::{ReadyCall, TransportKind, Visitor, is_filled};
use crate::report::{Audio, CallReport, Caption, EndedBy, Setup};
use crate::respondent::{Answer, RespondError, Respondent, Responding};
use crate::script::Step;
use crate::sound::{Threshold, to_samples};
use crate::transcript::Listener;

/// After the server has said that the call is over, media may take so long to close.
const CLOSE_AFTER_END: Duration = Duration::from_secs(3);

/// What all calls of a run share.
pub struct Plan {
    pub origin: Url,
    pub http: reqwest::Client,
    pub transport: TransportKind,
    pub steps: Vec<Step>,
    /// A program to ask instead of following steps.
    pub respond: Option<Responding>,
    /// One for each utterance of the script, in order.
    pub clips: Vec<Arc<Clip>>,
    pub room_tone: Arc<Clip>,
    pub threshold: Threshold,
    pub patience: Patience,
    pub bound: Duration,
    pub connect_within: Duration,
    pub record_within: Duration,
    pub loss: Option<OwnLoss>,
    pub record_to: Option<PathBuf>,
    pub listener: Option<Listener>,
}

/// Places one call and tells how it went. Trouble is part of the report, not an error.
pub async fn place(plan: &Plan, number: usize) -> CallReport {
    let clock = CallClock::start();
    let mut log = Log::new(clock);
    let mut report = CallReport {
        call: number,
        call_id: None,
        transport: plan.transport,
        connected: false,
        failures: Vec::new(),
        setup: Setup::default(),
        utterances: Vec::new(),
        unsaid: plan.clips.len(),
        audio: Audio::default(),
        duration_seconds: 0.0,
        end: None,
        captions: Vec::new(),
        messages: BTreeMap::new(),
        transcribed: None,
        record: None,
    };
    let respondent = match plan.respond.as_ref().map(Respondent::start).transpose() {
        Ok(respondent) => respondent,
        Err(error) => {
            report.failures.push(error.to_string());
            return report;
        }
    };
    let visitor = match Visitor::arrive(plan.http.clone(), plan.origin.clone()).await {
        Ok(visitor) => visitor,
        Err(error) => {
            report.failures.push(error.to_string());
            return report;
        }
    };
    let started = clock.now();
    let call = match visitor.start_call(plan.transport).await {
        Ok(call) => call,
        Err(error) => {
            report.failures.push(error.to_string());
            return report;
        }
    };
    report.call_id = Some(call.id.clone());
    report.setup.created_ms = Some(millis(clock.now() - started));
    log.note("created", json!({ "callId": call.id }));

    let opened = open_line(plan, &visitor, &call, clock, number).await;
    report.setup.answered_ms = Some(millis(clock.now() - started));
    match opened {
        Ok((line, session)) => {
            let mut conversation = Conversation::new(plan, line, respondent, clock, log);
            conversation.run().await;
            conversation.hang_up(&visitor, session.as_ref()).await;
            conversation.report(started, &mut report);
            read_record(plan, &visitor, &call.id, &mut report).await;
            conversation.keep(plan, number, &mut report).await;
        }
        Err(failure) => report.failures.push(failure),
    }
    report
}

/// The line, and the WHIP session to end afterwards.
async fn open_line(
    plan: &Plan,
    visitor: &Visitor,
    call: &ReadyCall,
    clock: CallClock,
    number: usize,
) -> Result<(Line, Option<Url>), String> {
    match plan.transport {
        TransportKind::Webrtc => {
            let server = authority(&plan.origin);
            let loss = plan.loss.map(|loss| OwnLoss {
                // Calls of one run do not lose the same packets, and the same run loses them again.
                seed: loss.seed.wrapping_add(number as u64),
                ..loss
            });
            let offering = Offering::new(&server, clock, loss)
                .await
                .map_err(|error| error.to_string())?;
            let url = call.web_call_url().map_err(|error| error.to_string())?;
            let session = visitor
                .offer(url, offering.sdp().to_owned())
                .await
                .map_err(|error| error.to_string())?;
            let line = offering
                .answered(&session.answer)
                .map_err(|error| error.to_string())?;
            Ok((Line::WebRtc(Box::new(line)), Some(session.location)))
        }
        TransportKind::Websocket => {
            let url = call.websocket_url().map_err(|error| error.to_string())?;
            let line = SocketLine::open(url, clock)
                .await
                .map_err(|error| error.to_string())?;
            Ok((Line::Socket(Box::new(line)), None))
        }
    }
}

/// The program's next answer; never, if there is none to ask.
async fn answer_of(respondent: Option<&mut Respondent>) -> Result<Answer, RespondError> {
    match respondent {
        Some(respondent) => respondent.answer().await,
        None => std::future::pending().await,
    }
}

fn authority(origin: &Url) -> String {
    let port = origin.port_or_known_default().unwrap_or(80);
    format!("{}:{port}", origin.host_str().unwrap_or("127.0.0.1"))
}

async fn read_record(plan: &Plan, visitor: &Visitor, call_id: &str, report: &mut CallReport) {
    match visitor.record(call_id, plan.record_within).await {
        Ok(record) => {
            if !is_filled(&record) {
                report.failures.push(format!(
                    "the record was not filled within {} s after the call's end",
                    plan.record_within.as_secs_f64()
                ));
            }
            report.record = Some(record);
        }
        Err(error) => report.failures.push(error.to_string()),
    }
}

/// What happened when, for the timeline file.
struct Log {
    clock: CallClock,
    events: Vec<Value>,
}

impl Log {
    fn new(clock: CallClock) -> Self {
        Self {
            clock,
            events: Vec::new(),
        }
    }

    fn note(&mut self, event: &str, details: Value) {
        let mut entry = json!({ "at": seconds(self.clock.now()), "event": event });
        if let (Some(entry), Value::Object(details)) = (entry.as_object_mut(), details) {
            entry.extend(details);
        }
        self.events.push(entry);
    }
}

struct Conversation<'plan> {
    plan: &'plan Plan,
    line: Line,
    respondent: Option<Respondent>,
    clock: CallClock,
    log: Log,
    ear: Ear,
    /// Present once media is connected.
    talking: Option<Talking>,
    connected_at: Option<Duration>,
    /// One for each utterance, as the plan has them or as they were answered.
    clips: Vec<Arc<Clip>>,
    said: Vec<(usize, SayKind, Said)>,
    unanswered: Unanswered,
    captions: Vec<Caption>,
    messages: BTreeMap<String, usize>,
    end_reason: Option<String>,
    end_told_at: Option<Duration>,
    ended: Option<(EndedBy, Duration)>,
    failures: Vec<String>,
}

/// The caller's own side of a connected call.
struct Talking {
    mouth: Mouth,
    director: Director,
}

/// The assistant's words that no program was asked about yet.
#[derive(Debug, Default)]
struct Unanswered {
    words: String,
    /// A sentence was begun and its turn's whole words have not come.
    midway: bool,
}

impl Unanswered {
    fn hear(&mut self, words: &str, is_final: bool) {
        self.midway = !is_final;
        if is_final {
            if !self.words.is_empty() {
                self.words.push(' ');
            }
            self.words.push_str(words.trim());
        }
    }
}

struct Body<'a> {
    ear: &'a Ear,
    mouth: &'a Mouth,
    midway: bool,
}

impl Senses for Body<'_> {
    fn last_sound(&self) -> Option<Duration> {
        self.ear.last_sound()
    }

    fn onset_since(&self, time: Duration) -> Option<Duration> {
        self.ear.onset_since(time)
    }

    fn is_saying(&self) -> bool {
        self.mouth.is_saying()
    }

    fn awaits_words(&self) -> bool {
        self.midway
    }
}

impl<'plan> Conversation<'plan> {
    fn new(
        plan: &'plan Plan,
        line: Line,
        respondent: Option<Respondent>,
        clock: CallClock,
        log: Log,
    ) -> Self {
        Self {
            plan,
            line,
            respondent,
            clock,
            log,
            ear: Ear::new(
                plan.threshold,
                plan.record_to.is_some() || plan.listener.is_some(),
            ),
            talking: None,
            connected_at: None,
            clips: plan.clips.clone(),
            said: Vec::new(),
            unanswered: Unanswered::default(),
            captions: Vec::new(),
            messages: BTreeMap::new(),
            end_reason: None,
            end_told_at: None,
            ended: None,
            failures: Vec::new(),
        }
    }

    async fn run(&mut self) {
        while self.ended.is_none() {
            let tick = self.next_tick();
            tokio::select! {
                from_server = self.line.next() => self.take(from_server).await,
                () = sleep_until(self.clock.instant(tick)) => self.tick().await,
                answer = answer_of(self.respondent.as_mut()) => self.take_answer(answer),
            }
        }
    }

    /// Says goodbye as a page does: the session first, then media. A session that the server has
    /// ended needs no goodbye.
    async fn hang_up(&mut self, visitor: &Visitor, session: Option<&Url>) {
        let left = matches!(self.ended, Some((EndedBy::Caller | EndedBy::Bound, _)));
        if let Some(session) = session.filter(|_| left)
            && let Err(error) = visitor.end(session).await
        {
            self.failures.push(error.to_string());
        }
        self.line.close().await;
    }

    /// When something has to be looked at if nothing is heard before.
    fn next_tick(&self) -> Duration {
        match &self.talking {
            Some(talking) => talking.mouth.pace().next(),
            None => self.plan.connect_within,
        }
    }

    async fn take(&mut self, from_server: FromServer) {
        let now = self.clock.now();
        match from_server {
            FromServer::Connected => {
                self.log.note("connected", Value::Null);
                self.connected_at.get_or_insert(now);
                // As a page does once the assistant's track plays; nothing is said before.
                self.line.send_message("playable").await;
                self.talking.get_or_insert_with(|| Talking {
                    mouth: Mouth::new(Arc::clone(&self.plan.room_tone), now),
                    director: match self.respondent {
                        Some(_) => Director::asking(self.plan.patience, now),
                        None => {
                            Director::new(self.plan.steps.iter().cloned(), self.plan.patience, now)
                        }
                    },
                });
            }
            FromServer::Audio(packet) => {
                if self.ear.first_packet().is_none() {
                    self.log.note("first-packet", Value::Null);
                }
                self.ear.hear(&packet);
            }
            FromServer::Message(text) => self.take_message(&text, now),
            FromServer::Closed(closed) => self.end(match closed {
                Closed::ByServer => EndedBy::Server,
                Closed::MediaLost => EndedBy::MediaLost,
            }),
        }
    }

    fn take_message(&mut self, text: &str, now: Duration) {
        let message: Value = serde_json::from_str(text).unwrap_or_else(|_| json!({ "type": text }));
        let kind = message["type"].as_str().unwrap_or("untyped").to_owned();
        self.log.note("message", json!({ "message": message }));
        *self.messages.entry(kind.clone()).or_default() += 1;
        if kind.starts_with("transcript") {
            let of = |field: &str| message[field].as_str().unwrap_or_default().to_owned();
            let is_final = message["transcriptType"] != "partial";
            if message["role"] == "assistant" {
                self.unanswered.hear(&of("transcript"), is_final);
            }
            if is_final {
                self.captions.push(Caption {
                    at_seconds: seconds(now),
                    role: of("role"),
                    words: of("transcript"),
                });
            }
        }
        if kind == "status-update" && message["status"] == "ended" {
            self.end_told_at.get_or_insert(now);
            if let Some(reason) = message["endedReason"].as_str() {
                self.end_reason = Some(reason.to_owned());
            }
        }
    }

    async fn tick(&mut self) {
        let now = self.clock.now();
        let Some(talking) = &mut self.talking else {
            self.failures.push(format!(
                "media did not connect within {} s",
                self.plan.connect_within.as_secs_f64()
            ));
            self.end(EndedBy::MediaLost);
            return;
        };
        while let Some(frame) = talking.mouth.next_frame(now) {
            self.line.send_frame(frame).await;
        }
        if now >= self.plan.bound {
            self.failures.push(format!(
                "the call was not over within {} s",
                self.plan.bound.as_secs_f64()
            ));
            self.end(EndedBy::Bound);
        } else if let Some(told) = self.end_told_at {
            if now > told + CLOSE_AFTER_END {
                self.failures.push(format!(
                    "media was still open {} s after the call was said to have ended",
                    CLOSE_AFTER_END.as_secs()
                ));
                self.end(EndedBy::Server);
            }
        } else {
            self.follow_script(now).await;
        }
    }

    async fn follow_script(&mut self, now: Duration) {
        while let Some(talking) = &mut self.talking {
            let body = Body {
                ear: &self.ear,
                mouth: &talking.mouth,
                midway: self.unanswered.midway,
            };
            let action = talking
                .director
                .poll(now, &body)
                .or_else(|| talking.director.poll_end(now, &body));
            let Some(action) = action else { return };
            match action {
                Action::Say { utterance, kind } => {
                    let clip = &self.clips[utterance];
                    let said = talking.mouth.say(Arc::clone(clip));
                    talking.director.said_until(said.voice_end);
                    self.log.note(
                        "says",
                        json!({
                            "words": clip.label, "kind": kind,
                            "from": seconds(said.voice_start), "to": seconds(said.voice_end),
                        }),
                    );
                    self.said.push((utterance, kind, said));
                }
                Action::Send { message } => {
                    self.log.note("sends", json!({ "message": message }));
                    self.line.send_message(&message).await;
                }
                Action::Ask => {
                    let heard = std::mem::take(&mut self.unanswered).words;
                    self.log.note("asks", json!({ "heard": heard }));
                    if let Some(respondent) = &self.respondent {
                        respondent.ask(heard);
                    }
                }
                Action::Missed(missing) => {
                    let within = self.plan.patience.reply_within.as_secs_f64();
                    self.failures.push(match missing {
                        Missing::Greeting => format!("no greeting was heard within {within} s"),
                        Missing::Reply(utterance) => {
                            format!(
                                "no reply to utterance {} was heard within {within} s",
                                utterance + 1
                            )
                        }
                    });
                    self.log.note("missed", Value::Null);
                }
                Action::HangUp => {
                    self.end(EndedBy::Caller);
                    return;
                }
            }
        }
    }

    fn take_answer(&mut self, answer: Result<Answer, RespondError>) {
        match answer {
            Ok(answer) => {
                self.clips.extend(answer.clip);
                if let Some(talking) = &mut self.talking {
                    talking.director.answered(answer.step, self.clock.now());
                }
            }
            Err(error) => {
                self.failures.push(error.to_string());
                self.end(EndedBy::Caller);
            }
        }
    }

    fn end(&mut self, by: EndedBy) {
        if self.ended.is_none() {
            self.log.note("ended", json!({ "by": by }));
            self.ended = Some((by, self.clock.now()));
        }
    }
}

/// To a thousandth.
fn seconds(time: Duration) -> f64 {
    (to_samples(time) as f64 / 16.0).round() / 1_000.0
}
