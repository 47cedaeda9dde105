//! `nightlight converse`: the assistant's whole conversation by text, for a person at a terminal or
//! (with `--json`) for a program, one JSON object a line. It runs the same flow as a call, without
//! audio, turn-taking or storage.
//!
//! How it is shown and taken in is `faces`'.
//!
//! Time passes as it would if the words were spoken, so that the same input gives the same output.

mod faces;

use std::io::BufRead;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use flow::{Afterwards, AssistantScript, Conversation, EndReason, Event, Secret, Setup};
use jiff::Timestamp;
use jiff::civil::DateTime;
use model::Speaker;
use platform::{CallInfo, CallKind, CallStatus, ConversationMessage, ListedCall};
use reader::Reader;
use records::{Message, Role};
use uuid::Uuid;

pub use faces::Lines;
use faces::Terminal;

use crate::call_record;
use crate::chat_model::Configured;
use crate::evidence_links::Evidence;
use crate::settings::Settings;

/// A spoken word: 150 words a minute.
const WORD: Duration = Duration::from_millis(400);
/// Between the end of one's words and the other's.
const BETWEEN: Duration = Duration::from_secs(1);

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// One JSON object a line, in and out.
    #[arg(long)]
    json: bool,
    /// When the call is made, in Singapore's time, such as 2026-11-20T02:15; now without it.
    #[arg(long, value_name = "TIME")]
    at: Option<DateTime>,
}

pub fn run(config: Option<&Path>, arguments: &Arguments) -> anyhow::Result<()> {
    let settings = Settings::load(config)?;
    let script = Arc::new(crate::server::script(&settings));
    let started_at = match arguments.at {
        Some(at) => call::SINGAPORE
            .to_timestamp(at)
            .context("--at is not a time that can be: give one such as 2026-11-20T02:15")?,
        None => Timestamp::now(),
    };
    let out = std::io::stdout().lock();
    let face: Box<dyn Face> = match arguments.json {
        true => Box::new(Lines { out }),
        false => Box::new(Terminal {
            name: script.name.clone(),
            out,
        }),
    };
    let model = Asked::of(&settings, &script)?;
    let (reader, trouble) = crate::reading::reader(&settings);
    if let Some(trouble) = trouble {
        eprintln!("the caller is read by the rules alone: {trouble}");
    }
    let line = std::io::stdin().lock();
    hold_with(model, script, &reader, started_at, line, face)
}

/// A chat model, and a place for it to run.
pub struct Asked {
    model: Arc<Configured>,
    runtime: tokio::runtime::Runtime,
}

impl Asked {
    fn of(settings: &Settings, script: &Arc<AssistantScript>) -> anyhow::Result<Option<Self>> {
        let Some(model) = Configured::of(settings, script)? else {
            return Ok(None);
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .context("cannot start the asynchronous runtime")?;
        Ok(Some(Self { model, runtime }))
    }
}

/// Holds one conversation to its end, with the flow's own words.
pub fn hold(
    script: Arc<AssistantScript>,
    reader: &Reader,
    started_at: Timestamp,
    input: impl BufRead,
    face: Box<dyn Face + '_>,
) -> anyhow::Result<()> {
    hold_with(None, script, reader, started_at, input, face)
}

fn hold_with(
    model: Option<Asked>,
    script: Arc<AssistantScript>,
    reader: &Reader,
    started_at: Timestamp,
    mut input: impl BufRead,
    face: Box<dyn Face + '_>,
) -> anyhow::Result<()> {
    let setup = Setup {
        called_at: call::singapore_time(started_at),
        assistant: script,
        medium: flow::Medium::Speech,
    };
    let mut call = TextCall {
        conversation: Conversation::new(setup),
        reader,
        started_at,
        now: Duration::ZERO,
        messages: Vec::new(),
        model,
        face,
    };
    let mut over = call.happens(Event::CallStarted)?;
    while over.is_none() {
        call.face.listening()?;
        over = match call.face.heard(&mut input)? {
            Heard::Words(words) => call.said(words)?,
            Heard::NoWords => call.happens(Event::CallerNotUnderstood)?,
            Heard::Malformed(problem) => {
                call.face.malformed(problem)?;
                None
            }
            Heard::End => Some(EndReason::CallerEnded),
        };
    }
    call.end(over.unwrap_or(EndReason::CallerEnded))
}

/// What came from the caller's side.
pub enum Heard {
    Words(Secret<String>),
    NoWords,
    /// Not a line of the contract; the text says what is, and repeats nothing.
    Malformed(&'static str),
    End,
}

/// How the conversation is shown and taken in.
pub trait Face {
    fn assistant(&mut self, words: &Secret<String>) -> std::io::Result<()>;
    fn transfer(&mut self, mode: flow::TransferMode, agency: flow::Agency) -> std::io::Result<()>;
    fn listening(&mut self) -> std::io::Result<()>;
    fn heard(&mut self, input: &mut dyn BufRead) -> std::io::Result<Heard>;
    fn malformed(&mut self, problem: &str) -> std::io::Result<()>;
    fn over(&mut self, reason: EndReason, record: &CallInfo) -> std::io::Result<()>;
}

struct TextCall<'f> {
    conversation: Conversation,
    reader: &'f Reader,
    started_at: Timestamp,
    /// From the start.
    now: Duration,
    messages: Vec<Message>,
    model: Option<Asked>,
    face: Box<dyn Face + 'f>,
}

impl TextCall<'_> {
    fn said(&mut self, words: Secret<String>) -> std::io::Result<Option<EndReason>> {
        let before = self.lines();
        self.note(Role::User, &words);
        let listening = self.conversation.listening();
        let reading = self.reader.read(words.expose_secret(), &listening);
        let advised = self.model.as_ref().and_then(|asked| {
            let replying = asked
                .model
                .reply_to(&self.conversation, &reading, self.now, &before);
            asked.runtime.block_on(replying)
        });
        match advised {
            Some(conversation) => {
                self.conversation = conversation;
                self.carry_out()
            }
            None => {
                let reading = Box::new(reading);
                self.happens(Event::CallerSaid { reading })
            }
        }
    }

    /// What was said so far, for a chat model.
    fn lines(&self) -> Vec<model::Line> {
        let line = |message: &Message| model::Line {
            speaker: match message.role {
                Role::User => Speaker::Caller,
                Role::Bot | Role::System | Role::Officer => Speaker::Assistant,
            },
            words: message.message.clone(),
        };
        self.messages.iter().map(line).collect()
    }

    /// Tells the flow and does what it wants; the reason if it wants to end.
    fn happens(&mut self, event: Event) -> std::io::Result<Option<EndReason>> {
        self.conversation.handle(event, self.now);
        self.carry_out()
    }

    /// Does what the flow wants.
    fn carry_out(&mut self) -> std::io::Result<Option<EndReason>> {
        let reply = self.conversation.take_reply();
        // A turn is one message, as in a call; a transfer in it stands after what led to it.
        let mut turn: Vec<String> = Vec::new();
        for (sentences, done) in reply.stretches() {
            turn.extend(sentences.iter().map(|it| it.expose_secret().clone()));
            if let Some(Afterwards::Transfer { mode, agency }) = done {
                self.assistant_said(std::mem::take(&mut turn))?;
                self.face.transfer(*mode, *agency)?;
            }
        }
        self.assistant_said(turn)?;
        Ok(reply.ends())
    }

    fn assistant_said(&mut self, sentences: Vec<String>) -> std::io::Result<()> {
        if sentences.is_empty() {
            return Ok(());
        }
        let words = Secret::new(sentences.join(" "));
        // Said as a voice would say it; on the record, as it is written.
        self.face.assistant(&speech::agencies_as_said(&words))?;
        self.note(Role::Bot, &words);
        Ok(())
    }

    fn note(&mut self, role: Role, words: &Secret<String>) {
        let speaks_on = self.messages.last().is_some_and(|last| last.role == role);
        if !speaks_on && !self.messages.is_empty() {
            self.now += BETWEEN;
        }
        let count = words.expose_secret().split_whitespace().count();
        let duration = WORD.saturating_mul(u32::try_from(count).unwrap_or(u32::MAX));
        self.messages.push(Message {
            role,
            officer: None,
            message: words.clone(),
            seconds_from_start: self.now.as_secs_f64(),
            duration_seconds: duration.as_secs_f64(),
            interrupted: false,
        });
        self.now += duration;
    }

    fn end(mut self, reason: EndReason) -> anyhow::Result<()> {
        // What the flow still wants to say, nobody hears.
        let now = self.now;
        self.conversation.handle(Event::CallEnded { reason }, now);
        let told = self.model.as_ref().and_then(|asked| {
            let telling = async { asked.model.note(&self.conversation, &self.lines()).await };
            asked.runtime.block_on(telling)
        });
        let note = told.unwrap_or_else(|| self.conversation.note());
        let evidence = Evidence::of(&note, &self.messages);
        let messages: Vec<ConversationMessage> =
            call_record::messages(self.started_at, &self.messages);
        let record = CallInfo {
            listed: ListedCall {
                call_id: Uuid::new_v4().to_string(),
                started_at: self.started_at,
                duration_seconds: self.now.as_secs_f64(),
                summary: note.summary.clone(),
                summary_title: note.summary_title.clone(),
                structured_data: Some(call_record::analysis(&note)),
                id: 0,
                sample: false,
                kind: CallKind::Chat,
                status: CallStatus::Ended,
                ended_reason: Some(reason.as_str().to_owned()),
                ended_at: self.started_at.saturating_add(now).ok(),
            },
            messages,
            evidence: evidence.all,
            escalation_triggers: evidence.escalating,
            notice: None,
        };
        self.face.over(reason, &record)?;
        Ok(())
    }
}
