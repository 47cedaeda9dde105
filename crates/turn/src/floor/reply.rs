//! The reply to the caller's turn: asked for early, thrown away when the turn grows, started at the
//! plan's moment, given up at its bound.

use std::time::Duration;

use redact::Secret;

use super::Floor;
use crate::assistant::Utterance;
use crate::{Command, Fallback, TurnId};

/// The reply being prepared, or prepared and waiting for its moment.
#[derive(Debug)]
pub(super) struct Reply {
    pub turn: TurnId,
    words: Secret<String>,
    asked_at: Duration,
    pub is_prepared: bool,
}

impl Floor {
    /// Asks for a reply to the turn as it now is, and throws away one to what it was.
    pub(super) fn review_reply(&mut self) {
        if !self.is_answering() {
            return;
        }
        let words = self.caller.words();
        if self
            .reply
            .as_ref()
            .is_some_and(|reply| reply.words != words)
        {
            self.discard_reply();
            self.failed_preparations = 0;
        }
        let wanted = self.caller.asks_for_reply() && !self.caller.is_unfinished();
        if self.reply.is_none() && wanted && self.may_prepare_again() {
            self.next_turn += 1;
            let turn = TurnId(self.next_turn);
            self.reply = Some(Reply {
                turn,
                words: words.clone(),
                asked_at: self.now,
                is_prepared: false,
            });
            self.command(Command::PrepareReply { turn, words });
        }
    }

    /// A second preparation is for a caller who waits, so that its failure can be told to them.
    fn may_prepare_again(&self) -> bool {
        self.failed_preparations == 0
            || matches!(self.assistant.utterance(), None | Some(Utterance::Fallback))
    }

    pub(super) fn discard_reply(&mut self) {
        if let Some(Reply { turn, .. }) = self.reply.take() {
            self.command(Command::DiscardReply { turn });
        }
    }

    /// The plan's moment, once nothing else stands in the way of it.
    pub(super) fn reply_due_at(&self) -> Option<Duration> {
        let prepared = self.reply.as_ref().is_some_and(|reply| reply.is_prepared);
        let free = self.assistant.is_quiet() && !self.caller.is_unfinished();
        (prepared && free && self.ending_until.is_none()).then(|| self.reply_planned_at())
    }

    pub(super) fn reply_planned_at(&self) -> Duration {
        match self.caller.has_typed() {
            true => Duration::ZERO,
            false => self.caller.ended() + self.start_wait(),
        }
    }

    /// A caller who speaks or listens does not wait for the reply.
    pub(super) fn reply_late_at(&self) -> Option<Duration> {
        let reply = self.reply.as_ref().filter(|reply| !reply.is_prepared)?;
        let awaited = self.assistant.is_quiet() && !self.caller.is_unfinished();
        awaited.then(|| reply.asked_at + self.plan.reply_bound)
    }

    pub(super) fn start_reply(&mut self) {
        let Some(Reply { turn, .. }) = self.reply.take() else {
            return;
        };
        let spoke = !self.caller.has_typed();
        let waited = spoke.then(|| self.now.saturating_sub(self.caller.ended()));
        let late = spoke.then(|| self.now.saturating_sub(self.reply_planned_at()));
        self.caller.answered();
        self.failed_preparations = 0;
        if !self.voice.is_open() {
            self.end_utterance();
        }
        self.assistant.start(Utterance::Reply, self.now, &self.plan);
        self.command(Command::StartReply { turn, waited, late });
    }

    /// The reply will not come: say so, try once more, and then leave the words to the next turn.
    pub(super) fn lose_reply(&mut self, reason: Fallback) {
        self.failed_preparations += 1;
        let awaited = self.reply_late_at().is_some();
        match awaited {
            true => {
                self.reply = None;
                self.say_fallback(reason);
            }
            false => self.discard_reply(),
        }
        let told = matches!(self.assistant.utterance(), Some(Utterance::Fallback));
        if told && self.failed_preparations >= self.plan.reply_attempts {
            self.caller.carry();
            self.failed_preparations = 0;
        }
        self.review_reply();
    }
}
