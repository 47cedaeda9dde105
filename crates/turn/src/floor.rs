//! The floor itself: it joins the caller's turn, the assistant's playout and the clocks.
//!
//! An event changes what is known; then every deadline that has come is acted on. A reply starts by
//! such a deadline and in no other way, so that "when may it start" has one answer, in
//! [`Floor::poll_deadline`]. Nothing is allocated for a frame that changes nothing.

mod overlap;
mod reply;
mod wait;

use std::collections::VecDeque;
use std::time::Duration;

use redact::Secret;

use crate::assistant::{Assistant, Utterance};
use crate::caller_turn::CallerTurn;
use crate::phrases::count_words;
use crate::silence::Silence;
use crate::voice_activity::{Closed, VoiceActivity, VoiceChange};
use crate::{Command, Deadline, Ended, Event, Fallback, Plan, SegmentId};
use reply::Reply;

/// Commands that seldom wait at once: room for them is made beforehand.
const USUAL_COMMANDS: usize = 32;

/// Deadlines acted on at one moment, at most. Each moves itself on when it is acted on, so no more
/// than a few ever come together; the limit keeps a mistake here from hanging a call.
const DEADLINES_AT_ONCE: usize = 64;

/// Who has the floor in one call.
#[derive(Debug)]
pub struct Floor {
    plan: Plan,
    phase: Phase,
    /// The latest time told: time never goes back.
    now: Duration,
    voice: VoiceActivity,
    caller: CallerTurn,
    caller_muted: bool,
    /// The end so far of the utterance that speech updates show.
    utterance: Option<Duration>,
    reply: Option<Reply>,
    /// Preparations of this turn that came to nothing.
    failed_preparations: u32,
    assistant: Assistant,
    interruptions_allowed: bool,
    /// Until when the caller gets the longest wait; only where it is adaptive.
    gentle_until: Option<Duration>,
    silence: Silence,
    help_at_hand: bool,
    /// When the call has lasted as long as it may.
    longest_until: Duration,
    /// When a call that the flow wants to end ends at the latest.
    ending_until: Option<Duration>,
    commands: VecDeque<Command>,
    next_segment: u64,
    next_turn: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Connecting,
    Live,
    /// Over but for the transcript of the last words.
    LastWords {
        reason: Ended,
        until: Duration,
    },
    Over,
}

// Getters.
impl Floor {
    pub fn new(plan: Plan) -> Self {
        Self {
            plan,
            phase: Phase::Connecting,
            now: Duration::ZERO,
            voice: VoiceActivity::default(),
            caller: CallerTurn::new(),
            caller_muted: false,
            utterance: None,
            reply: None,
            failed_preparations: 0,
            assistant: Assistant::new(),
            interruptions_allowed: true,
            gentle_until: None,
            silence: Silence::default(),
            help_at_hand: false,
            longest_until: Duration::ZERO,
            ending_until: None,
            commands: VecDeque::with_capacity(USUAL_COMMANDS),
            next_segment: 0,
            next_turn: 0,
        }
    }

    /// One for the same call on another line. Its segments and turns are none of this one's: what is still to be told of those
    /// is not mistaken.
    pub fn after(&self, plan: Plan) -> Self {
        Self {
            next_segment: self.next_segment,
            next_turn: self.next_turn,
            ..Self::new(plan)
        }
    }

    /// What the caller said that no reply was started to: at the end of a call, the words that the
    /// flow has not taken in and the case note must not lose. Empty if there are none.
    pub fn unanswered_words(&self) -> Secret<String> {
        self.caller.unanswered_words()
    }

    /// What it goes by.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Whether [`Command::End`] has been given; nothing follows it.
    pub fn has_ended(&self) -> bool {
        self.phase == Phase::Over
    }
}

// Inputs.
impl Floor {
    /// Takes in one event that became known at `now`, and acts on every deadline that has come.
    /// The event goes first: what is known by the moment of a deadline counts at it.
    pub fn handle(&mut self, event: Event, now: Duration) {
        self.now = self.now.max(now);
        match self.phase {
            Phase::Connecting => self.handle_connecting(event),
            Phase::Live => self.handle_live(event),
            Phase::LastWords { .. } => self.handle_last_words(event),
            Phase::Over => {}
        }
        self.act_on_deadlines();
    }

    /// Acts on every deadline that has come by `now`. Early calls do no harm.
    pub fn handle_deadline(&mut self, now: Duration) {
        self.now = self.now.max(now);
        self.act_on_deadlines();
    }

    fn handle_connecting(&mut self, event: Event) {
        match event {
            Event::CallConnected => {
                self.phase = Phase::Live;
                self.longest_until = self.now + self.plan.max_duration;
                self.silence.restart(self.now);
                if self.plan.assistant_speaks_first {
                    self.assistant
                        .start(Utterance::Greeting, self.now, &self.plan);
                }
            }
            Event::CallerMuted(muted) => self.mute_caller(muted),
            Event::InterruptionsAllowed(allowed) => self.interruptions_allowed = allowed,
            Event::HelpAtHand(at_hand) => self.help_at_hand = at_hand,
            Event::CallerLeft => self.finish(Ended::CallerLeft),
            _ => {}
        }
    }

    fn handle_live(&mut self, event: Event) {
        match event {
            Event::CallConnected | Event::AssistantMuted(_) => {}
            Event::VoiceFrame { voiced } => self.handle_frame(voiced),
            Event::Transcribed {
                segment,
                words,
                is_final,
            } => {
                match is_final {
                    true => self.caller.heard(segment, words, &self.plan),
                    false => self
                        .caller
                        .heard_so_far(segment, words, self.now, &self.plan),
                }
                self.attend_to_manner();
                self.judge_overlap();
                self.review_reply();
            }
            Event::OpinionGiven { segment, opinion } => {
                if let Some(opinion) = opinion {
                    self.take_opinion(segment, opinion);
                }
            }
            Event::TranscriptionFailed { segment } => {
                self.caller.not_heard(segment, &self.plan);
                self.judge_overlap();
                self.review_reply();
            }
            Event::ReplyPrepared { turn } => {
                if let Some(reply) = self.reply.as_mut().filter(|reply| reply.turn == turn) {
                    reply.is_prepared = true;
                }
            }
            Event::ReplyFailed { turn } => {
                if let Some(reply) = self.reply.as_mut().filter(|reply| reply.turn == turn) {
                    reply.is_prepared = false;
                    self.lose_reply(Fallback::ReplyFailed { turn });
                }
            }
            Event::ReplyOvertaken => {
                self.discard_reply();
                self.review_reply();
            }
            Event::PlayoutStarted => self.assistant.playout_started(self.now, &self.plan),
            Event::PlayoutFinished => self.finish_playout(),
            Event::CallerTyped { words } => self.handle_typed(words),
            Event::CallerMuted(muted) => self.mute_caller(muted),
            Event::AssistantTold => self.assistant.told(self.now, &self.plan),
            Event::InterruptionsAllowed(allowed) => self.interruptions_allowed = allowed,
            Event::HelpAtHand(at_hand) => self.have_help(at_hand),
            Event::CallEnding => self.begin_ending(),
            Event::CallerLeft => self.finish(Ended::CallerLeft),
        }
    }

    fn handle_last_words(&mut self, event: Event) {
        match event {
            Event::Transcribed {
                segment,
                words,
                is_final: true,
            } => {
                self.caller.heard(segment, words, &self.plan);
            }
            Event::TranscriptionFailed { segment } => self.caller.not_heard(segment, &self.plan),
            _ => {}
        }
        self.end_after_last_words();
    }
}

// Outputs.
impl Floor {
    /// What to do next, in order.
    pub fn poll_command(&mut self) -> Option<Command> {
        self.commands.pop_front()
    }

    /// When to call [`Floor::handle_deadline`] at the latest, and what for. There is one at every
    /// moment of a live call.
    pub fn poll_deadline(&self) -> Option<(Duration, Deadline)> {
        match self.phase {
            Phase::Connecting | Phase::Over => None,
            Phase::LastWords { until, .. } => Some((until, Deadline::LastWords)),
            Phase::Live => self
                .live_deadlines()
                .into_iter()
                .flatten()
                .min_by_key(|d| d.0),
        }
    }

    /// Every deadline there is; the first of those that come together is acted on first.
    fn live_deadlines(&self) -> [Option<(Duration, Deadline)>; 9] {
        let plan = &self.plan;
        let silent = self.assistant.is_quiet()
            && self.caller.is_idle()
            && self.reply.is_none()
            && self.ending_until.is_none();
        [
            (!self.help_at_hand).then_some((self.longest_until, Deadline::MaxDuration)),
            self.ending_until.map(|until| (until, Deadline::EndingLate)),
            self.assistant.deadline(),
            self.voice
                .last_frame()
                .map(|at| (at + plan.audio_missing_bound, Deadline::AudioMissing)),
            self.caller
                .transcript_deadline()
                .map(|until| (until, Deadline::TranscriptLate)),
            self.reply_late_at().map(|at| (at, Deadline::ReplyLate)),
            self.reply_due_at().map(|at| (at, Deadline::ReplyDue)),
            self.utterance
                .filter(|_| !self.voice.is_open())
                .map(|ended| (ended + plan.caller_stopped_after, Deadline::CallerStopped)),
            silent.then(|| self.silence.deadline(plan, self.help_at_hand)),
        ]
    }

    fn act_on_deadlines(&mut self) {
        for _ in 0..DEADLINES_AT_ONCE {
            match self.poll_deadline() {
                Some((at, why)) if at <= self.now => self.act_on(why),
                _ => return,
            }
        }
        debug_assert!(
            false,
            "a deadline does not move on: {:?}",
            self.poll_deadline()
        );
    }

    fn act_on(&mut self, why: Deadline) {
        match why {
            Deadline::ReplyDue => self.start_reply(),
            Deadline::AudioMissing => self.stop_listening(),
            Deadline::TranscriptLate => {
                self.caller.give_up_late_transcripts(self.now, &self.plan);
                self.judge_overlap();
                self.review_reply();
            }
            Deadline::ReplyLate => {
                if let Some(turn) = self.reply.as_ref().map(|reply| reply.turn) {
                    self.lose_reply(Fallback::ReplyLate { turn });
                }
            }
            Deadline::PlayoutLate => match self.assistant.playout_late(&self.plan) {
                true => self.finish(Ended::AssistantUnheard),
                false => self.replace_late_playout(),
            },
            Deadline::PlayoutEndless => {
                self.command(Command::StopPlayout);
                self.finish_playout();
            }
            Deadline::PauseOver => self.resume_playout(),
            Deadline::CallerStopped => self.end_utterance(),
            Deadline::CheckIn => {
                self.silence.check_in_began(self.now);
                self.assistant
                    .start(Utterance::CheckIn, self.now, &self.plan);
                self.command(Command::CheckIn);
            }
            Deadline::SilentWithHelp => self.silence.restart(self.now),
            Deadline::SilenceTimeout => self.finish(Ended::SilenceTimedOut),
            Deadline::MaxDuration => self.finish(Ended::ExceededMaxDuration),
            Deadline::EndingLate => self.finish(Ended::AssistantEnded),
            Deadline::LastWords => self.end(),
        }
    }

    fn command(&mut self, command: Command) {
        self.commands.push_back(command);
    }
}

// The caller's sound.
impl Floor {
    fn handle_frame(&mut self, voiced: bool) {
        if self.caller_muted {
            return;
        }
        match self.voice.handle_frame(voiced, self.now, &self.plan) {
            VoiceChange::Nothing => {}
            VoiceChange::Onset { pre_roll, began } => {
                let segment = self.fresh_segment();
                let over_assistant = !self.assistant.is_quiet();
                self.caller.open(segment, began, over_assistant);
                self.command(Command::OpenSegment { segment, pre_roll });
            }
            VoiceChange::Closed(closed) => {
                if let Some(segment) = self.close_segment(closed) {
                    self.ask_whether_finished(segment);
                }
            }
            VoiceChange::Full(closed) => {
                let full = self.close_open(closed);
                let segment = self.fresh_segment();
                if let Some(full) = full {
                    self.caller.open_continuation(segment, full, self.now);
                }
                let pre_roll = Duration::ZERO;
                self.command(Command::OpenSegment { segment, pre_roll });
            }
        }
        if !self.voice.is_open() {
            return;
        }
        if voiced {
            let is_speech = self.voice.voiced() >= self.plan.shortest_speech;
            if is_speech && self.utterance.is_none() {
                self.command(Command::CallerStarted);
            }
            if is_speech || self.utterance.is_some() {
                self.utterance = Some(self.now);
            }
        }
        self.attend_to_voice(voiced);
    }

    /// Closes the open segment, or forgets it; gives its id if it is speech.
    fn close_segment(&mut self, closed: Closed) -> Option<SegmentId> {
        if closed.spoke {
            return self.close_open(closed);
        }
        if let Some(segment) = self.caller.drop_open() {
            self.command(Command::DropSegment { segment });
        }
        self.judge_overlap();
        self.review_reply();
        None
    }

    fn close_open(&mut self, closed: Closed) -> Option<SegmentId> {
        let until = self.now + self.plan.transcript_bound;
        let segment = self.caller.close_open(closed, until)?;
        self.command(Command::CloseSegment { segment });
        Some(segment)
    }

    /// Closes the open segment where it is: no more sound is coming.
    fn stop_listening(&mut self) {
        if let Some(closed) = self.voice.stop(&self.plan) {
            self.close_segment(closed);
        }
    }

    fn mute_caller(&mut self, muted: bool) {
        if muted == self.caller_muted {
            return;
        }
        self.stop_listening();
        self.end_utterance();
        self.caller_muted = muted;
        self.silence.set_caller_muted(muted, self.now);
    }

    fn end_utterance(&mut self) {
        if self.utterance.take().is_some() {
            self.command(Command::CallerStopped);
        }
    }

    fn handle_typed(&mut self, words: Secret<String>) {
        if count_words(words.expose_secret()) == 0 {
            return;
        }
        if !self.caller.has_room_for(&words, &self.plan) {
            return self.command(Command::RefuseTyped);
        }
        self.caller.typed(words, self.now);
        if self.may_be_interrupted() && !self.assistant.is_quiet() {
            self.stop_playout();
        }
        self.review_reply();
    }

    fn fresh_segment(&mut self) -> SegmentId {
        self.next_segment += 1;
        SegmentId(self.next_segment)
    }
}

// The assistant's sound.
impl Floor {
    fn say_fallback(&mut self, reason: Fallback) {
        self.assistant
            .start(Utterance::Fallback, self.now, &self.plan);
        self.command(Command::SayFallback { reason });
    }

    /// In place of a check-in the fallback is no more than one: the clock of silence goes on.
    fn replace_late_playout(&mut self) {
        let late = self.assistant.utterance();
        self.say_fallback(Fallback::PlayoutLate);
        if late == Some(Utterance::CheckIn) {
            self.assistant
                .start(Utterance::CheckIn, self.now, &self.plan);
        }
    }

    fn stop_playout(&mut self) {
        self.command(Command::StopPlayout);
        self.assistant.stop();
        self.caller.took_floor();
        self.silence.restart(self.now);
    }

    fn finish_playout(&mut self) {
        let Some(what) = self.assistant.stop() else {
            return;
        };
        self.interruptions_allowed = true;
        let checked_in = what == Utterance::CheckIn;
        match checked_in {
            true => self.silence.check_in_ended(self.now),
            false => self.silence.restart(self.now),
        }
        // Any sound at all answers "are you still there?".
        self.caller
            .assistant_finished(self.now, checked_in, &self.plan);
        match self.ending_until {
            Some(_) => self.finish(Ended::AssistantEnded),
            None => self.review_reply(),
        }
    }
}

// The end.
impl Floor {
    fn have_help(&mut self, at_hand: bool) {
        self.help_at_hand = at_hand;
        self.silence.restart(self.now);
        // A call that goes on without the help it had is not over in the middle of a sentence.
        let left = self.now + self.plan.least_after_help;
        self.longest_until = self.longest_until.max(left);
    }

    fn begin_ending(&mut self) {
        if self.ending_until.is_some() {
            return;
        }
        self.ending_until = Some(self.now + self.plan.ending_bound);
        self.discard_reply();
        self.resume_playout();
        if self.assistant.is_quiet() {
            self.finish(Ended::AssistantEnded);
        }
    }

    /// Nothing more is said or answered; the call ends when the last words are transcribed.
    fn finish(&mut self, reason: Ended) {
        let until = self.now + self.plan.last_words_bound;
        self.phase = Phase::LastWords { reason, until };
        if self.assistant.stop().is_some() {
            self.command(Command::StopPlayout);
        }
        self.stop_listening();
        self.end_utterance();
        self.discard_reply();
        self.end_after_last_words();
    }

    /// Whether what the caller says is still answered.
    fn is_answering(&self) -> bool {
        self.phase == Phase::Live && self.ending_until.is_none()
    }

    fn end_after_last_words(&mut self) {
        if self.caller.transcript_deadline().is_none() {
            self.end();
        }
    }

    fn end(&mut self) {
        if let Phase::LastWords { reason, .. } = self.phase {
            self.phase = Phase::Over;
            self.command(Command::End { reason });
        }
    }
}
