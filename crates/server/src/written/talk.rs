//! One written conversation: the flow's state, the transcript, and the latest exchange. It stores
//! nothing and answers no request; see `exchange`.

use std::sync::Arc;
use std::time::Duration;

use call::{EndedCall, HeardTurn, OfficerId, SavedTurn, Speaker, SpokenMessage};
use flow::reading::{Listening, Reading};
use flow::{
    Afterwards, Agency, AssistantScript, Conversation, EndReason, Event, Medium, RestoreError,
    Setup, TransferMode,
};
use jiff::Timestamp;
use records::{Message, Role, UnfinishedCall};
use redact::Secret;
use speech::Standing;
use uuid::Uuid;

use crate::emergency;

/// The exchanges of one conversation, which bounds what it may hold.
const MOST_EXCHANGES: u16 = 200;

/// Said when a conversation has had all its exchanges.
const CLOSING: &str = "We have written for a long time, and I have to close this conversation \
    here. You can begin another whenever you like. If you are in danger now, ring {SPF number}, or \
    SMS {SPF sms} if you cannot speak. {SOS} answer on {SOS number}, and {NAVH} on {NAVH number}, \
    at any hour.";

/// A written conversation, between two exchanges.
#[derive(Clone)]
pub struct Talk {
    pub started_at: Timestamp,
    conversation: Conversation,
    messages: Vec<SpokenMessage>,
    /// The latest chat's number.
    number: u16,
    latest: Exchange,
    over: Option<EndReason>,
}

/// What was said to and fro in one chat.
#[derive(Clone, Default)]
pub struct Exchange {
    /// Empty in a conversation that begins with the greeting.
    pub words: Secret<String>,
    /// Sentence by sentence.
    pub output: Vec<Secret<String>>,
    pub transfer: Option<(TransferMode, Agency)>,
    /// What was looked up in what callers are told.
    pub looked_up: Vec<Secret<String>>,
}

impl Talk {
    /// Begins: the greeting is ready, and not yet given.
    pub fn begin(script: &Arc<AssistantScript>, started_at: Timestamp) -> (Self, Exchange) {
        let mut conversation = Conversation::new(setup(script, started_at));
        conversation.handle(Event::CallStarted, Duration::ZERO);
        let mut talk = Self {
            started_at,
            conversation,
            messages: Vec::new(),
            number: 0,
            latest: Exchange::default(),
            over: None,
        };
        let greeting = talk.drain();
        (talk, greeting)
    }

    /// The assistant speaks first.
    pub fn greet(mut self, greeting: Exchange) -> Self {
        let at = self.started_at;
        self.note(greeting, at);
        self
    }

    /// The caller wrote first. They are greeted in the same breath, without the greeting's question:
    /// a reply asks its own.
    pub fn greet_and_answer(
        mut self,
        greeting: Exchange,
        reading: Reading,
        advised: Option<Conversation>,
    ) -> Self {
        let words = reading.words.clone();
        let mut exchange = self.hear(reading, Duration::ZERO, advised);
        let statements = greeting
            .output
            .into_iter()
            .filter(|sentence| !sentence.expose_secret().contains('?'));
        exchange.output.splice(0..0, statements);
        exchange.words = words;
        let at = self.started_at;
        self.note(exchange, at);
        self
    }

    /// How soon what the caller writes next is to be read: before others where what was read so far is danger.
    pub fn standing(&self) -> Standing {
        match self.conversation.stands_in_danger() {
            true => Standing::Urgent,
            false => Standing::Ordinary,
        }
    }

    /// What a reader has to know to read what the caller writes next.
    pub fn listening(&self) -> Listening {
        self.conversation.listening()
    }

    /// These words as a turn that somebody may have a better reply to.
    pub fn heard(&self, call: Uuid, reading: &Reading, at: Timestamp) -> HeardTurn {
        HeardTurn {
            call,
            before: self.conversation.clone(),
            reading: reading.clone(),
            at: self.offset(at),
            said: self.messages.clone(),
        }
    }

    /// One that an earlier run of this server left in the records.
    pub fn restore(
        script: &Arc<AssistantScript>,
        unfinished: &UnfinishedCall,
    ) -> Result<Self, RestoreError> {
        let saved = unfinished.conversation.as_ref().ok_or(RestoreError)?;
        let setup = setup(script, unfinished.started_at);
        let conversation = Conversation::restore(setup, saved.expose_secret())?;
        let messages: Vec<SpokenMessage> = unfinished.messages.iter().map(spoken).collect();
        let output = messages
            .last()
            .filter(|message| message.speaker == Speaker::Assistant);
        let words = messages
            .iter()
            .rfind(|message| message.speaker == Speaker::Caller);
        Ok(Self {
            started_at: unfinished.started_at,
            latest: Exchange {
                words: words
                    .map(|message| message.words.clone())
                    .unwrap_or_default(),
                output: output
                    .map(|message| message.words.clone())
                    .into_iter()
                    .collect(),
                ..Exchange::default()
            },
            over: conversation.end_reason(),
            conversation,
            messages,
            number: unfinished
                .last_turn
                .and_then(|turn| u16::try_from(turn).ok())
                .unwrap_or_default(),
        })
    }

    /// What the caller writes next, and the reply to it.
    pub fn go_on(&mut self, reading: Reading, at: Timestamp, advised: Option<Conversation>) {
        self.number += 1;
        let now = self.offset(at);
        let words = reading.words.clone();
        let mut exchange = self.hear(reading, now, advised);
        if self.number >= MOST_EXCHANGES && self.over.is_none() {
            self.end(EndReason::ExceededMaxDuration);
            // Whoever is being handed on hears of that.
            if exchange.transfer.is_none() {
                exchange.output = vec![Secret::new(emergency::directory().fill(CLOSING))];
            }
        }
        exchange.words = words;
        self.note(exchange, at);
    }

    /// Ends it, unless it is over.
    pub fn end(&mut self, reason: EndReason) {
        self.over.get_or_insert(reason);
    }

    /// What is to be stored before the latest exchange is answered.
    pub fn saved(&self) -> SavedTurn {
        let latest = usize::from(!self.latest.words.expose_secret().is_empty())
            + usize::from(!self.latest.output.is_empty());
        let from = self.messages.len().saturating_sub(latest);
        SavedTurn {
            index: u32::from(self.number),
            messages: self.messages[from..].to_vec(),
            conversation: self.conversation.save(),
        }
    }

    /// What is to be stored of it once it is over.
    pub fn ended(&self, reason: EndReason, at: Timestamp) -> EndedCall {
        let mut conversation = self.conversation.clone();
        conversation.handle(Event::CallEnded { reason }, self.offset(at));
        EndedCall {
            ended_at: at,
            reason,
            note: conversation.note(),
            conversation,
            messages: self.messages.clone(),
        }
    }

    pub fn number(&self) -> u16 {
        self.number
    }

    pub fn latest(&self) -> &Exchange {
        &self.latest
    }

    pub fn messages(&self) -> &[SpokenMessage] {
        &self.messages
    }

    pub fn over(&self) -> Option<EndReason> {
        self.over
    }

    /// When something was last said.
    pub fn last_said(&self) -> Timestamp {
        let last = self.messages.last().map_or(Duration::ZERO, |last| last.to);
        self.started_at
            .saturating_add(last)
            .unwrap_or(self.started_at)
    }

    /// The conversation takes the words in, or is as it was worked out with advice.
    fn hear(&mut self, reading: Reading, now: Duration, advised: Option<Conversation>) -> Exchange {
        match advised {
            Some(conversation) => self.conversation = conversation,
            None => {
                let reading = Box::new(reading);
                self.conversation.handle(Event::CallerSaid { reading }, now);
            }
        }
        self.drain()
    }

    /// Takes what the flow wants said and done.
    fn drain(&mut self) -> Exchange {
        let reply = self.conversation.take_reply();
        let mut exchange = Exchange {
            output: reply.sentences.clone(),
            ..Exchange::default()
        };
        for done in &reply.afterwards {
            match done {
                Afterwards::Transfer { mode, agency } => exchange.transfer = Some((*mode, *agency)),
                Afterwards::End(reason) => self.end(*reason),
                Afterwards::LookedUp { query } => {
                    exchange.looked_up.push(Secret::new(query.clone()));
                }
            }
        }
        exchange
    }

    fn note(&mut self, exchange: Exchange, at: Timestamp) {
        let now = self.offset(at);
        let mut add = |speaker, words: Secret<String>| {
            if !words.expose_secret().is_empty() {
                self.messages.push(SpokenMessage {
                    speaker,
                    words,
                    from: now,
                    to: now,
                    interrupted: false,
                });
            }
        };
        add(Speaker::Caller, exchange.words.clone());
        add(Speaker::Assistant, exchange.text());
        self.latest = exchange;
    }

    /// From the start, never before what was said already.
    fn offset(&self, at: Timestamp) -> Duration {
        let since = Duration::try_from(at.duration_since(self.started_at)).unwrap_or_default();
        since.max(self.messages.last().map_or(Duration::ZERO, |last| last.to))
    }
}

impl Exchange {
    /// The reply as one text.
    pub fn text(&self) -> Secret<String> {
        let sentences: Vec<&str> = self
            .output
            .iter()
            .map(|sentence| sentence.expose_secret().as_str())
            .collect();
        Secret::new(sentences.join(" "))
    }
}

fn setup(script: &Arc<AssistantScript>, started_at: Timestamp) -> Setup {
    Setup {
        called_at: call::singapore_time(started_at),
        assistant: Arc::clone(script),
        medium: Medium::Writing,
    }
}

/// A message of the records, as a call has it.
pub fn spoken(message: &Message) -> SpokenMessage {
    let seconds = |seconds| Duration::try_from_secs_f64(seconds).unwrap_or_default();
    SpokenMessage {
        speaker: match message.role {
            Role::User => Speaker::Caller,
            Role::Bot | Role::System => Speaker::Assistant,
            Role::Officer => Speaker::Officer(message.officer.map(|officer| OfficerId(officer.0))),
        },
        words: message.message.clone(),
        from: seconds(message.seconds_from_start),
        to: seconds(message.seconds_from_start + message.duration_seconds),
        interrupted: message.interrupted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_tells_of_danger_in_writing_is_read_before_others_from_then_on() {
        let script = Arc::new(AssistantScript::built_in());
        let (talk, greeting) = Talk::begin(&script, Timestamp::UNIX_EPOCH);
        let mut talk = talk.greet(greeting);
        assert_eq!(talk.standing(), Standing::Ordinary);
        let words = "I want to kill myself tonight";
        let reading = reader::Reader::rules_alone().read(words, &talk.listening());
        talk.go_on(reading, Timestamp::UNIX_EPOCH, None);
        assert_eq!(talk.standing(), Standing::Urgent);
    }
}
