//! How a call speaks: sentences to sound, sound to the caller 20 ms at a time, and
//! the account of what was heard of it.

use std::sync::Arc;
use std::time::Duration;

use redact::Secret;
use speech::{Sound, Standing};
use tokio::sync::{Semaphore, watch};
use tokio::time::Instant;
use turn::Event;

use super::{Done, DueReply, LATE_BOUND, LiveCall, STARVED_BOUND, Speaking, SpeechId, Synthesis};
use crate::events::{CallEvent, Speaker};
use crate::legs::FromAssistant;
use crate::media::{FRAME_SAMPLES, Transport};
use crate::playout::{Playout, Tick};
use crate::under_way::UnderWay;
use flow::{Afterwards, Reply};

impl LiveCall {
    pub(super) fn playout_of(&mut self, speech: SpeechId) -> Option<&mut Playout> {
        let Self {
            preparing,
            speaking,
            transfer,
            legs,
            ..
        } = self;
        let preparing = preparing.as_mut().map(|p| (&p.synthesis, &mut p.playout));
        let speaking = speaking.as_mut().map(|s| (&s.synthesis, &mut s.playout));
        let briefing = transfer.as_ref().and_then(|t| t.briefing(legs));
        [preparing, speaking, briefing]
            .into_iter()
            .flatten()
            .find(|(synthesis, _)| synthesis.speech == speech)
            .map(|(_, playout)| playout)
    }

    /// Lets the assistant say something that nobody prepared beforehand.
    pub(super) fn say(&mut self, reply: Reply, transport: &mut dyn Transport) {
        let synthesis = self.synthesise(&reply.sentences, self.standing());
        self.speak(reply, synthesis, transport);
    }

    /// The same, of what the page asks for.
    pub(super) fn say_as_asked(&mut self, reply: Reply, transport: &mut dyn Transport) {
        let asked_aloud = Arc::clone(&self.shared.asked_aloud);
        let (sentences, standing) = (&reply.sentences, self.standing());
        let synthesis = self.synthesise_after(sentences, standing, Some(asked_aloud));
        self.speak(reply, synthesis, transport);
    }

    fn speak(&mut self, reply: Reply, synthesis: Synthesis, transport: &mut dyn Transport) {
        self.speaking = Some(Speaking {
            playout: Playout::new(reply.sentences),
            synthesis,
            afterwards: reply.afterwards,
            reply: None,
            from: None,
            starved: None,
        });
        self.announce_ending(transport);
    }

    pub(super) fn say_fallback(&mut self) {
        let fallback = self.voice.fallback.trouble();
        let mut playout = Playout::new(vec![Secret::new(fallback.words.clone())]);
        playout.push(0, Sound::Samples(fallback.sound.clone()));
        playout.complete(0);
        let (synthesis, _) = self.next_synthesis();
        self.speaking = Some(Speaking {
            playout,
            synthesis,
            afterwards: Vec::new(),
            reply: None,
            from: None,
            starved: None,
        });
    }

    /// The floor must know that the call ends with what is said next: nothing
    /// takes the floor any more, and the end has a bound. Where people are on duty for it, a warm transfer goes to them
    /// instead, and the call goes on.
    pub(super) fn announce_ending(&mut self, transport: &mut dyn Transport) {
        self.ring_for_warm_transfer(transport);
        let ends = self.speaking.iter().flat_map(|s| &s.afterwards);
        if let Some(reason) = ends.filter_map(Afterwards::ends).next() {
            self.ending = Some(reason);
            let now = self.now();
            self.floor.handle(Event::CallEnding, now);
        }
    }

    /// Has the sentences spoken to [`Done::Sound`], one after the other, as soon as this standing has it.
    pub(super) fn synthesise(
        &mut self,
        sentences: &[Secret<String>],
        standing: Standing,
    ) -> Synthesis {
        self.synthesise_after(sentences, standing, None)
    }

    /// The same; where others have sentences made under `one_by_one`, each after theirs.
    fn synthesise_after(
        &mut self,
        sentences: &[Secret<String>],
        standing: Standing,
        one_by_one: Option<Arc<Semaphore>>,
    ) -> Synthesis {
        let (synthesis, mut gone_past) = self.next_synthesis();
        let speech = synthesis.speech;
        let sentences = sentences.to_vec();
        let done = self.done_tx.clone();
        let voice = Arc::clone(&self.voice);
        let id = self.id;
        // A reply's first words are wanted once the caller has been given the wait and an opening has been heard.
        let wanted_in = self.plan.start_wait + self.voice.opening_lasts(self.openings);
        let within = self.turn_span.as_ref().unwrap_or(&self.span);
        let mut span = Some(within.within("first sound"));
        self.spawn(async move {
            let _under_way = UnderWay::of("voice");
            let asked = Instant::now();
            let mut wanted = asked + wanted_in;
            let mut sentences = sentences.into_iter().enumerate().peekable();
            'sentences: while let Some((sentence, words)) = sentences.next() {
                let next = sentences.peek().map(|(_, next)| next);
                let worth = (wanted + LATE_BOUND).saturating_duration_since(Instant::now());
                if voice.can_spare(&words, next)
                    && !voice.voice.begins_within(standing, &words, worth)
                {
                    // It would come too late, and what others wait for later still.
                    count_left_out();
                    let _ = done.send(Done::SentenceFailed { speech, sentence });
                    continue;
                }
                let _one = match &one_by_one {
                    Some(one_by_one) => tokio::select! {
                        biased;
                        is_past = gone_past.wait_for(|past| *past > sentence) => match is_past {
                            Ok(_) => continue 'sentences,
                            Err(_) => return,
                        },
                        one = one_by_one.acquire() => one.ok(),
                    },
                    None => None,
                };
                let mut stream = voice.voice.speak_to(standing, words);
                loop {
                    let chunk = tokio::select! {
                        biased;
                        is_past = gone_past.wait_for(|past| *past > sentence) => match is_past {
                            Ok(_) => continue 'sentences,
                            // Nobody will hear it: the voice has others to speak for.
                            Err(_) => return,
                        },
                        chunk = stream.next() => chunk,
                    };
                    let Some(chunk) = chunk else {
                        break;
                    };
                    match chunk {
                        Ok(sound) => {
                            count(&sound);
                            wanted += sound.lasts();
                            if let Some(span) = span.take() {
                                span.tell("source", source_of(&sound));
                                metrics::histogram!("nightlight_first_sound_seconds", "source" => source_of(&sound))
                                    .record(asked.elapsed());
                            }
                            let _ = done.send(Done::Sound {
                                speech,
                                sentence,
                                sound,
                            });
                        }
                        Err(error) => {
                            metrics::counter!("nightlight_sentences_unspoken_total").increment(1);
                            tracing::error!(call = %id, %error, "a sentence could not be spoken");
                            let _ = done.send(Done::SentenceFailed { speech, sentence });
                            continue 'sentences;
                        }
                    }
                }
                let _ = done.send(Done::SentenceComplete { speech, sentence });
            }
        });
        synthesis
    }

    fn next_synthesis(&mut self) -> (Synthesis, watch::Receiver<usize>) {
        self.next_speech += 1;
        let (gone_past, receiver) = watch::channel(0);
        let synthesis = Synthesis {
            speech: self.next_speech,
            gone_past,
        };
        (synthesis, receiver)
    }

    /// Sound has been wanting for so long in the middle of a reply.
    fn break_silence(&mut self, wanting: Duration, transport: &mut dyn Transport) {
        if wanting >= STARVED_BOUND {
            // The voice died: better whom to ring than silence.
            metrics::counter!("nightlight_fallbacks_said_total").increment(1);
            tracing::error!(call = %self.id, "the voice stopped in the middle of a reply");
            self.stop_speaking(transport, false);
            self.say_fallback();
        } else if wanting >= LATE_BOUND {
            self.leave_out_what_is_late();
        }
    }

    /// What says something of the caller's back is not worth a long silence, where what is always said follows it.
    fn leave_out_what_is_late(&mut self) {
        let Some(speaking) = &mut self.speaking else {
            return;
        };
        let can_be_spared = |late: &_, next: &_| self.voice.can_spare(late, Some(next));
        let Some(sentence) = speaking.playout.leave_out(can_be_spared) else {
            return;
        };
        speaking.synthesis.gone_past.send_replace(sentence + 1);
        speaking.starved = None;
        count_left_out();
    }

    /// A sentence cannot be had, or not whole. The call goes on in its own voice, with what is kept ready in it.
    pub(super) fn give_up(&mut self, speech: SpeechId, sentence: usize) {
        let (voice, count) = (Arc::clone(&self.voice), self.stand_ins);
        // Nothing stands in for a program's own sentence before the greeting: nobody has said anything yet.
        let said = self.speaking.as_ref();
        let greets = self.turns == 0 && said.is_some_and(|it| it.synthesis.speech == speech);
        let Some(playout) = self.playout_of(speech) else {
            return;
        };
        let instead = playout
            .words(sentence)
            .filter(|_| !greets)
            .and_then(|words| voice.instead_of(words, count));
        if playout.give_up(sentence, instead) {
            self.stand_ins += 1;
            metrics::counter!("nightlight_sentences_stood_in_for_total").increment(1);
        }
    }

    pub(super) fn start_playing(&mut self, transport: &mut dyn Transport) {
        // With officers on the call, what is said goes out with its beat.
        if self.speaking.is_some() && self.held_until.is_none() && self.legs.is_empty() {
            self.ticker.reset_immediately();
            self.play(transport);
            self.ticker.reset();
        }
    }

    pub(super) fn release_greeting(&mut self, transport: &mut dyn Transport) {
        self.held_until = None;
        self.start_playing(transport);
    }

    /// Sends the next 20 ms of what the assistant says.
    pub(super) fn play(&mut self, transport: &mut dyn Transport) {
        let now = self.now();
        let Some(speaking) = &mut self.speaking else {
            return;
        };
        let tick = speaking.playout.tick();
        self.send(&tick, transport);
        let Some(speaking) = &mut self.speaking else {
            return;
        };
        match tick {
            Tick::Frame(_) | Tick::Rendered(_) => {
                speaking.starved = None;
                let begun = speaking.playout.take_begun();
                if speaking.from.is_none() {
                    speaking.from = Some(now);
                    if let Some(reply) = speaking.reply.take() {
                        reply.heard(now);
                    }
                    self.floor.handle(Event::PlayoutStarted, now);
                    let (speaker, turn) = (Speaker::Assistant, self.turns);
                    self.tell(transport, CallEvent::SpeechStarted { speaker, turn });
                }
                if let Some(words) = begun {
                    self.tell(
                        transport,
                        CallEvent::Transcript {
                            speaker: Speaker::Assistant,
                            words,
                            is_final: false,
                        },
                    );
                }
            }
            Tick::Starved => {
                let since = *speaking.starved.get_or_insert(now);
                if speaking.playout.is_paused() {
                    speaking.starved = None;
                } else if speaking.from.is_some() {
                    self.break_silence(now - since, transport);
                }
            }
            Tick::Finished => {
                let unheard = speaking.from.is_none() && !speaking.playout.is_silent();
                if unheard {
                    // The voice failed on every sentence: the floor says the fallback.
                    self.speaking = None;
                    self.say_fallback();
                    return;
                }
                let afterwards = std::mem::take(&mut speaking.afterwards);
                self.stop_speaking(transport, false);
                for step in afterwards {
                    match step {
                        Afterwards::LookedUp { query } => {
                            self.tell(transport, CallEvent::LookedUp { query });
                        }
                        Afterwards::Transfer { mode, agency } => {
                            self.tell(transport, CallEvent::Transferred { mode, agency });
                        }
                        Afterwards::End(_) => {}
                    }
                }
                self.floor.handle(Event::PlayoutFinished, now);
                if let Some(next) = self.said_next.take() {
                    self.say_now(next, transport);
                }
            }
        }
    }

    /// Sends what there is to hear of the assistant, and of everybody else.
    fn send(&mut self, tick: &Tick, transport: &mut dyn Transport) {
        if !self.legs.is_empty() {
            let from_assistant = match tick {
                Tick::Frame(_) | Tick::Rendered(_) if self.assistant_muted => {
                    FromAssistant::Nothing
                }
                Tick::Frame(frame) => FromAssistant::Frame(frame),
                Tick::Rendered(frame) => FromAssistant::Rendered(frame),
                Tick::Starved | Tick::Finished => FromAssistant::Nothing,
            };
            return self.exchange(transport, from_assistant);
        }
        match tick {
            Tick::Frame(_) | Tick::Rendered(_) if self.assistant_muted => {
                transport.send_audio(&[0; FRAME_SAMPLES]);
            }
            Tick::Frame(frame) => transport.send_audio(frame),
            Tick::Rendered(frame) => transport.send_packet(frame.packet()),
            Tick::Starved | Tick::Finished => {}
        }
    }

    /// Ends what the assistant says, keeping account of what was heard of it.
    pub(super) fn stop_speaking(&mut self, transport: &mut dyn Transport, interrupted: bool) {
        let Some(speaking) = self.speaking.take() else {
            return;
        };
        let Some(from) = speaking.from else {
            return;
        };
        let now = self.now();
        let (words, whole) = speaking.playout.heard();
        let cut_off = interrupted && !whole;
        self.tell(
            transport,
            CallEvent::Transcript {
                speaker: Speaker::Assistant,
                words: words.clone(),
                is_final: true,
            },
        );
        let (speaker, turn) = (Speaker::Assistant, self.turns);
        self.tell(transport, CallEvent::SpeechStopped { speaker, turn });
        self.spoken.assistant_said(words, from, now, cut_off);
    }
}

/// A sentence that the voice was too busy for.
fn count_left_out() {
    metrics::counter!("nightlight_sentences_left_out_total").increment(1);
}

/// Where the assistant's sound came from: rendered ahead, or made for the moment.
fn count(sound: &Sound) {
    let milliseconds = sound.lasts().as_millis().try_into().unwrap_or(u64::MAX);
    metrics::counter!("nightlight_voice_milliseconds_total", "source" => source_of(sound))
        .increment(milliseconds);
}

fn source_of(sound: &Sound) -> &'static str {
    match sound {
        Sound::Rendered(_) => "rendered",
        Sound::Samples(_) => "made",
    }
}

impl DueReply {
    /// Its first sound goes out now, which ends the turn it is to.
    fn heard(self, now: Duration) {
        let Some(late) = self.late else { return };
        let late = late + now.saturating_sub(self.started);
        metrics::histogram!("nightlight_reply_late_seconds").record(late);
        if let Some(span) = self.span {
            span.tell("late_seconds", late);
        }
    }
}
