//! One call by text: a simulated caller and the conversation that a call runs, turn by turn.
//!
//! Time passes as in `nightlight converse`: as if the words were spoken.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use flow::{
    Afterwards, Agency, AssistantScript, CaseNote, Conversation, EndReason, Event, Setup,
    TransferMode,
};

use flow::reading::{Reading, SURE, Signal, SoFar};
use reader::Reader;
use serde::Serialize;

use crate::caller::Caller;
use crate::person::{Person, Turn};
use crate::question::{self, Topic};

/// A spoken word: 150 words a minute.
const WORD: Duration = Duration::from_millis(400);
/// Between the end of one's words and the other's.
const BETWEEN: Duration = Duration::from_secs(1);

/// What happened, in order.
#[derive(Debug, Clone, PartialEq)]
pub enum Happening {
    /// One assistant turn, sentence by sentence.
    Assistant(Vec<String>),
    Caller(Turn),
    LookedUp,
    Transfer(TransferMode, Agency),
    End(EndReason),
}

/// A whole call.
#[derive(Debug)]
pub struct Account {
    pub happenings: Vec<Happening>,
    pub note: CaseNote,
    /// How often the caller had said goodbye when the call ended.
    pub goodbyes: usize,
    /// What the readers made of each caller turn.
    pub readings: Vec<TurnRead>,
}

/// One caller turn, as it was read.
#[derive(Debug, Clone, Serialize)]
pub struct TurnRead {
    pub question: Option<flow::Question>,
    /// What was told so surely that it is acted on.
    pub sure: Vec<Signal>,
    pub yes: Option<bool>,
    pub so_far: SoFar,
}

impl TurnRead {
    fn of(reading: &Reading, question: Option<flow::Question>) -> Self {
        let told = reading.signals.iter();
        let sure = told.filter(|s| !s.denied && !s.remote && s.confidence >= SURE);
        Self {
            question,
            sure: sure.map(|s| s.signal).collect(),
            yes: reading.answer.yes,
            so_far: reading.so_far.clone(),
        }
    }
}

impl Account {
    /// What the caller said, one turn each, as the evidence counts them.
    pub fn caller_turns(&self) -> Vec<&str> {
        self.happenings
            .iter()
            .filter_map(|happening| match happening {
                Happening::Caller(Turn::Says(words)) => Some(words.as_str()),
                _ => None,
            })
            .collect()
    }

    /// All that the assistant said before the caller's next turn, over a transfer too.
    pub fn assistant_turns(&self) -> Vec<Vec<&str>> {
        let mut turns = vec![Vec::new()];
        for happening in &self.happenings {
            match happening {
                Happening::Assistant(sentences) => {
                    let turn = turns.last_mut().expect("there is always a turn begun");
                    turn.extend(sentences.iter().map(String::as_str));
                }
                Happening::Caller(_) => turns.push(Vec::new()),
                Happening::LookedUp | Happening::Transfer(..) | Happening::End(_) => {}
            }
        }
        turns
    }

    /// Everything the assistant said.
    pub fn assistant_words(&self) -> String {
        self.assistant_turns().concat().join(" ")
    }

    pub fn transfers(&self) -> Vec<(TransferMode, Agency)> {
        self.happenings
            .iter()
            .filter_map(|happening| match happening {
                Happening::Transfer(mode, agency) => Some((*mode, *agency)),
                _ => None,
            })
            .collect()
    }

    pub fn end(&self) -> Option<EndReason> {
        self.happenings
            .iter()
            .find_map(|happening| match happening {
                Happening::End(reason) => Some(*reason),
                _ => None,
            })
    }

    /// Each question, which assistant turn it stood in, and what the caller did then.
    pub fn questions(&self) -> Vec<Question> {
        let replies = self
            .happenings
            .iter()
            .filter_map(|happening| match happening {
                Happening::Caller(turn) => Some(turn.clone()),
                _ => None,
            });
        let replies = replies.map(Some).chain(std::iter::repeat(None));
        self.assistant_turns()
            .into_iter()
            .zip(replies)
            .enumerate()
            .filter_map(|(turn, (sentences, reply))| {
                let heard = sentences.join(" ");
                let topic = question::topic(&heard).filter(|_| heard.contains('?'))?;
                Some(Question {
                    topic,
                    turn,
                    heard,
                    reply,
                })
            })
            .collect()
    }
}

/// A question of the assistant.
#[derive(Debug)]
pub struct Question {
    pub topic: Topic,
    pub turn: usize,
    /// The assistant's whole turn.
    pub heard: String,
    pub reply: Option<Turn>,
}

/// What serves the callers: what a conversation needs, and who reads them.
pub struct Helpline {
    pub script: Arc<AssistantScript>,
    pub reader: Reader,
}

/// Holds the call to its end; `Err` with the reason if the flow panicked.
pub fn hold(caller: &Caller, helpline: &Helpline) -> Result<Account, String> {
    catch_unwind(AssertUnwindSafe(|| held(caller, helpline))).map_err(|panic| {
        panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
            .unwrap_or_else(|| String::from("it panicked without words"))
    })
}

fn held(caller: &Caller, helpline: &Helpline) -> Account {
    let mut call = TextCall {
        conversation: Conversation::new(Setup {
            called_at: caller.at,
            assistant: Arc::clone(&helpline.script),
            medium: flow::Medium::Speech,
        }),
        now: Duration::ZERO,
        happenings: Vec::new(),
        readings: Vec::new(),
    };
    let mut person = Person::new(caller);
    let mut heard = call.happens(Event::CallStarted);
    while call.is_open() {
        let turn = match person.reply(&heard) {
            Turn::Says(words) if caller.noisy => Turn::Says(poorly_transcribed(&words)),
            turn => turn,
        };
        call.happenings.push(Happening::Caller(turn.clone()));
        let event = match turn {
            Turn::Says(words) => {
                call.pass(&words);
                let listening = call.conversation.listening();
                let reading = Box::new(helpline.reader.read(&words, &listening));
                call.readings
                    .push(TurnRead::of(&reading, listening.question));
                Event::CallerSaid { reading }
            }
            Turn::Silent => Event::CallerSilent,
            Turn::Unclear => Event::CallerNotUnderstood,
            Turn::HangsUp => break,
        };
        heard = call.happens(event);
    }
    call.end(person.goodbyes())
}

struct TextCall {
    conversation: Conversation,
    /// From the start.
    now: Duration,
    happenings: Vec<Happening>,
    readings: Vec<TurnRead>,
}

impl TextCall {
    fn is_open(&self) -> bool {
        !matches!(self.happenings.last(), Some(Happening::End(_)))
    }

    /// Tells the flow and does what it wants; the words that the caller hears.
    fn happens(&mut self, event: Event) -> String {
        self.conversation.handle(event, self.now);
        let mut heard: Vec<String> = Vec::new();
        let mut turn: Vec<String> = Vec::new();
        let mut end = None;
        for (sentences, done) in self.conversation.take_reply().stretches() {
            turn.extend(sentences.iter().map(|it| it.expose_secret().clone()));
            match done {
                Some(Afterwards::Transfer { mode, agency }) => {
                    self.assistant_said(&mut heard, &mut turn);
                    self.happenings.push(Happening::Transfer(*mode, *agency));
                }
                Some(Afterwards::LookedUp { .. }) => self.happenings.push(Happening::LookedUp),
                Some(Afterwards::End(reason)) => end = Some(*reason),
                None => {}
            }
        }
        self.assistant_said(&mut heard, &mut turn);
        self.happenings.extend(end.map(Happening::End));
        let heard = heard.join(" ");
        self.pass(&heard);
        heard
    }

    fn assistant_said(&mut self, heard: &mut Vec<String>, turn: &mut Vec<String>) {
        if !turn.is_empty() {
            heard.extend_from_slice(turn);
            self.happenings
                .push(Happening::Assistant(std::mem::take(turn)));
        }
    }

    fn pass(&mut self, words: &str) {
        let count = u32::try_from(words.split_whitespace().count()).unwrap_or(u32::MAX);
        self.now += BETWEEN + WORD.saturating_mul(count);
    }

    fn end(mut self, goodbyes: usize) -> Account {
        if self.is_open() {
            let reason = EndReason::CallerEnded;
            self.conversation
                .handle(Event::CallEnded { reason }, self.now);
            self.happenings.push(Happening::End(reason));
        }
        Account {
            note: self.conversation.note(),
            happenings: self.happenings,
            goodbyes,
            readings: self.readings,
        }
    }
}

/// Lower case without punctuation. Apostrophes stay: transcribers write them inside words.
fn poorly_transcribed(words: &str) -> String {
    let kept: String = words
        .to_lowercase()
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || c == '\'' || c == '#' {
                c
            } else {
                ' '
            }
        })
        .collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_poor_transcript_has_neither_capitals_nor_punctuation() {
        assert_eq!(
            poorly_transcribed("He's here! Blk 12, #03-4."),
            "he's here blk 12 #03 4"
        );
    }
}
