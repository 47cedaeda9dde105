//! How a call comes to its replies: transcripts in, a reply worked out on a copy of
//! the conversation, its turn made durable, and the copy kept once it is played.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use flow::Conversation;
use flow::reading::Reading;
use futures_util::FutureExt;
use redact::Secret;
use speech::Standing;
use tokio::time::Instant;
use turn::{Event, SegmentId, TurnId};

use super::{Asked, Done, DueReply, LiveCall, MODEL_BOUND, Preparing, SAVE_BOUND, Speaking};
use crate::chat_model::HeardTurn;
use crate::events::{CallEvent, SavedTurn, Speaker};
use crate::media::Transport;
use crate::playout::Playout;
use crate::reading::read;
use crate::traces::Span;
use crate::under_way::UnderWay;

impl LiveCall {
    pub(super) fn transcribe(
        &mut self,
        segment: SegmentId,
        sound: Option<Arc<[i16]>>,
        is_final: bool,
    ) {
        let done = self.done_tx.clone();
        let transcriber = Arc::clone(&self.shared.transcriber);
        let standing = self.standing();
        let span = self.turn_span().within("transcription");
        span.tell("whole", is_final);
        self.spawn(async move {
            let _under_way = UnderWay::of("transcription");
            let asked = Instant::now();
            let words = match sound {
                Some(sound) => transcriber.transcribe(sound, standing).await,
                None => Ok(Secret::new(String::new())),
            };
            metrics::histogram!("nightlight_transcription_seconds").record(asked.elapsed());
            if words.is_err() {
                span.failed("no words came of it");
            }
            drop(span);
            tracing::debug!(%segment, is_final, took = ?asked.elapsed(), "transcribed");
            // The call may be over by now; then nobody waits for this.
            let _ = done.send(Done::Transcribed {
                segment,
                words,
                is_final,
            });
        });
    }

    /// How soon this call is to be heard, and spoken to: before others where what was heard so far is danger, also if it was
    /// heard in the turn that is being replied to.
    pub(super) fn standing(&self) -> Standing {
        let preparing = self.preparing.as_ref();
        standing_in(preparing.map_or(&self.conversation, |preparing| &preparing.conversation))
    }

    pub(super) fn turn_span(&mut self) -> &Span {
        let Self {
            span, turn_span, ..
        } = self;
        turn_span.get_or_insert_with(|| span.within("turn"))
    }

    /// Takes in what a task of this call has done.
    pub(super) fn take_in(&mut self, transport: &mut dyn Transport, done: Done) {
        let now = self.now();
        match done {
            Done::Transcribed {
                segment,
                words: Ok(words),
                is_final,
            } => self.floor.handle(
                Event::Transcribed {
                    segment,
                    words,
                    is_final,
                },
                now,
            ),
            Done::Transcribed {
                segment,
                words: Err(error),
                is_final,
            } => {
                metrics::counter!("nightlight_transcriptions_failed_total").increment(1);
                tracing::warn!(call = %self.id, %error, "a segment could not be transcribed");
                if is_final {
                    self.floor
                        .handle(Event::TranscriptionFailed { segment }, now);
                }
            }
            Done::Judged { segment, opinion } => self.take_opinion(segment, opinion),
            Done::Read { turn, reading } => {
                // What the caller went on to say has taken its place otherwise.
                if self.reading.take_if(|reading| *reading == turn).is_some() {
                    self.reply_to(turn, Some(reading));
                }
            }
            Done::Sound {
                speech,
                sentence,
                sound,
            } => {
                if let Some(playout) = self.playout_of(speech) {
                    playout.push(sentence, sound);
                }
                self.announce_prepared(now);
            }
            Done::SentenceComplete { speech, sentence } => {
                if let Some(playout) = self.playout_of(speech) {
                    playout.complete(sentence);
                }
                self.announce_prepared(now);
            }
            Done::SentenceFailed { speech, sentence } => {
                self.give_up(speech, sentence);
                self.announce_prepared(now);
            }
            Done::OfficerSaid {
                officer,
                words,
                from,
                to,
            } => {
                self.officers_unheard = self.officers_unheard.saturating_sub(1);
                self.note_officer(transport, officer, words, from, to);
            }
            Done::Advised { turn, conversation } => self.take_advice(turn, conversation),
            Done::Saved { turn } => {
                if let Some(preparing) = self.preparing.as_mut().filter(|p| p.turn == turn) {
                    preparing.saved = true;
                }
                self.announce_prepared(now);
            }
        }
    }

    /// Tells the floor once when the reply can be heard and its turn is durable. Where a short opening stands
    /// ready the reply need not wait for its own first sound.
    pub(super) fn announce_prepared(&mut self, now: Duration) {
        if let Some(preparing) = &mut self.preparing
            && !preparing.announced
            && preparing.saved
            && (preparing.playout.is_ready() || self.voice.opening(self.openings).is_some())
        {
            preparing.announced = true;
            let turn = preparing.turn;
            tracing::debug!(%turn, at = ?now, "reply prepared");
            self.floor.handle(Event::ReplyPrepared { turn }, now);
        }
    }

    /// Has the caller's turn so far read, for a reply to it.
    pub(super) fn prepare(
        &mut self,
        turn: TurnId,
        words: Secret<String>,
        transport: &mut dyn Transport,
    ) {
        if words.expose_secret().is_empty() {
            return self.reply_to(turn, None);
        }
        self.tell(
            transport,
            CallEvent::Transcript {
                speaker: Speaker::Caller,
                words: words.clone(),
                is_final: false,
            },
        );
        self.reading = Some(turn);
        let listening = self.conversation.listening();
        let reader = Arc::clone(&self.shared.reader);
        let done = self.done_tx.clone();
        let span = self.turn_span().within("reading");
        self.spawn(async move {
            let _under_way = UnderWay::of("reading");
            let asked = Instant::now();
            let reading = Box::new(read(&reader, &words, listening).await);
            drop(span);
            metrics::histogram!("nightlight_reading_seconds").record(asked.elapsed());
            let _ = done.send(Done::Read { turn, reading });
        });
    }

    /// Works out the reply to a turn, on a copy of the conversation, makes the turn
    /// durable and starts on the reply's sound. Without a reading there were no words.
    fn reply_to(&mut self, turn: TurnId, reading: Option<Box<Reading>>) {
        let now = self.now();
        // This reply knows of all of them.
        self.hinted.clear();
        let span = self.turn_span().within("flow");
        let asked = Instant::now();
        let mut conversation = self.conversation.clone();
        let event = match &reading {
            None => flow::Event::CallerNotUnderstood,
            Some(reading) => flow::Event::CallerSaid {
                reading: reading.clone(),
            },
        };
        conversation.handle(event, now);
        let words = reading
            .as_ref()
            .map(|reading| reading.words.clone())
            .unwrap_or_default();
        let reply = conversation.take_reply();
        drop(span);
        metrics::histogram!("nightlight_flow_seconds").record(asked.elapsed());
        // By what this turn has told, too.
        let synthesis = self.synthesise(&reply.sentences, standing_in(&conversation));
        let messages =
            self.spoken
                .unsaved_with_caller(&words, self.caller_from.unwrap_or(now), now);
        let asked = self.ask_the_model(turn, reading, now);
        let decided = asked.is_none();
        self.preparing = Some(Preparing {
            turn,
            words,
            messages,
            told_before: self.spoken.count(),
            _asked: asked,
            conversation,
            playout: Playout::new(reply.sentences.clone()),
            reply,
            synthesis,
            saved: false,
            announced: false,
        });
        if decided {
            self.save_prepared(turn);
        }
        self.announce_prepared(now);
    }

    /// Asks the chat model for a better reply to these words, if there is one to ask.
    fn ask_the_model(
        &mut self,
        turn: TurnId,
        reading: Option<Box<Reading>>,
        at: Duration,
    ) -> Option<Asked> {
        let reading = *reading?;
        let model = self.shared.chat_model.clone()?;
        if !model.has_something_for(self.id) {
            return None;
        }
        let heard = HeardTurn {
            call: self.id,
            before: self.conversation.clone(),
            reading,
            at,
            said: self.spoken.messages(),
        };
        let done = self.done_tx.clone();
        let span = self.turn_span().within("chat model");
        let task = self.spawn(async move {
            let _under_way = UnderWay::of("chat-model");
            let asked = Instant::now();
            // Its panic is not the call's: the templates' reply stands.
            let answer = AssertUnwindSafe(model.reply(heard)).catch_unwind();
            let answer = tokio::time::timeout(MODEL_BOUND, answer).await;
            metrics::histogram!("nightlight_model_reply_seconds").record(asked.elapsed());
            let conversation = answer.ok().and_then(Result::ok).flatten().map(Box::new);
            span.tell("taken", conversation.is_some());
            drop(span);
            let _ = done.send(Done::Advised { turn, conversation });
        });
        Some(Asked(task))
    }

    /// The chat model's reply takes the place of the templates', and the turn is made durable
    /// either way.
    fn take_advice(&mut self, turn: TurnId, conversation: Option<Box<Conversation>>) {
        if self.preparing.as_ref().is_none_or(|p| p.turn != turn) {
            return;
        }
        if let Some(mut conversation) = conversation {
            let reply = conversation.take_reply();
            let synthesis = self.synthesise(&reply.sentences, standing_in(&conversation));
            if let Some(preparing) = &mut self.preparing {
                preparing.playout = Playout::new(reply.sentences.clone());
                preparing.conversation = *conversation;
                preparing.reply = reply;
                preparing.synthesis = synthesis;
            }
        }
        self.save_prepared(turn);
    }

    /// Makes the turn of the prepared reply durable.
    fn save_prepared(&mut self, turn: TurnId) {
        let Some(preparing) = &self.preparing else {
            return;
        };
        let saved = SavedTurn {
            index: self.turns + 1,
            messages: preparing.messages.clone(),
            conversation: preparing.conversation.save(),
        };
        let shared = Arc::clone(&self.shared);
        let done = self.done_tx.clone();
        let id = self.id;
        let span = self.turn_span().within("storage");
        self.spawn(async move {
            let asked = Instant::now();
            let outcome = tokio::time::timeout(SAVE_BOUND, shared.journal.turn(id, saved)).await;
            metrics::histogram!("nightlight_turn_save_seconds").record(asked.elapsed());
            tracing::debug!(%turn, took = ?asked.elapsed(), "turn saved");
            if !matches!(outcome, Ok(Ok(()))) {
                span.failed("not stored before it is spoken");
            }
            drop(span);
            match outcome {
                Ok(Ok(())) => {}
                Ok(Err(error)) => {
                    metrics::counter!("nightlight_turns_unsaved_total").increment(1);
                    tracing::error!(call = %id, %error, "a turn is spoken unsaved");
                }
                Err(_) => {
                    metrics::counter!("nightlight_turns_unsaved_total").increment(1);
                    tracing::error!(call = %id, "a turn is spoken before it is saved: the records are slow");
                }
            }
            let _ = done.send(Done::Saved { turn });
        });
    }

    pub(super) fn start_reply(
        &mut self,
        turn: TurnId,
        late: Option<Duration>,
        transport: &mut dyn Transport,
    ) {
        let Some(mut preparing) = self.preparing.take_if(|preparing| preparing.turn == turn) else {
            return;
        };
        let span = self.turn_span.take();
        if !preparing.playout.is_ready()
            && let Some((words, sound)) = self.voice.opening(self.openings)
        {
            self.openings += 1;
            if let Some(span) = &span {
                span.tell("opening", true);
            }
            metrics::counter!("nightlight_replies_begun_with_an_opening_total").increment(1);
            preparing.playout.open_with(words, sound);
        }
        let now = self.now();
        tracing::debug!(%turn, at = ?now, "reply starts");
        self.conversation = preparing.conversation;
        self.turns += 1;
        for hint in std::mem::take(&mut self.hinted) {
            self.conversation.handle(flow::Event::Hinted { hint }, now);
        }
        if self.shared.desk.is_some() {
            let note = Box::new(self.conversation.note());
            self.tell(transport, CallEvent::Noted { note });
        }
        self.tell_step(transport);
        let from = self.caller_from.take().unwrap_or(now);
        let (before, words) = (preparing.told_before, preparing.words.clone());
        self.spoken.turn_is_saved(before, words, from, now);
        if !preparing.words.expose_secret().is_empty() {
            self.tell(
                transport,
                CallEvent::Transcript {
                    speaker: Speaker::Caller,
                    words: preparing.words,
                    is_final: true,
                },
            );
        }
        if preparing.playout.is_silent() && self.speaking.is_some() {
            // There is nothing to say to it, and what is being said meanwhile is to be heard.
            self.floor.handle(Event::PlayoutStarted, now);
            return;
        }
        self.stop_speaking(transport, false);
        self.speaking = Some(Speaking {
            playout: preparing.playout,
            synthesis: preparing.synthesis,
            afterwards: preparing.reply.afterwards,
            reply: Some(DueReply {
                started: now,
                late,
                span,
            }),
            from: None,
            starved: None,
        });
        self.announce_ending(transport);
        self.start_playing(transport);
    }
}

fn standing_in(conversation: &Conversation) -> Standing {
    match conversation.stands_in_danger() {
        true => Standing::Urgent,
        false => Standing::Ordinary,
    }
}
