//! When each step is due, of a script or of a program that answers, judged by what is heard. Messages
//! only tell whether the words that a program is to answer are whole.
//!
//! Pure: it is asked with the time and what the ear and the mouth know, and answers with one
//! action at most. It holds no clock and touches no call.

use std::collections::VecDeque;
use std::time::Duration;

use crate::script::Step;

/// How long the caller waits for what.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// The assistant has finished once this much silence follows its speech.
    pub quiet_after: Duration,
    /// No sound of a reply for so long: the reply is missing, and the script goes on.
    pub reply_within: Duration,
    /// After the last step and its reply, how long the assistant may take to end the call.
    pub linger: Duration,
}

/// What the ear and the mouth know now.
pub trait Senses {
    fn last_sound(&self) -> Option<Duration>;
    fn onset_since(&self, time: Duration) -> Option<Duration>;
    fn is_saying(&self) -> bool;
    /// The assistant began a sentence and its words, whole, have not come yet.
    fn awaits_words(&self) -> bool;
}

#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// The number of the clip among the script's utterances.
    Say {
        utterance: usize,
        kind: SayKind,
    },
    Send {
        message: String,
    },
    /// The program that answers is to be asked what to do next.
    Ask,
    /// What was awaited was not heard in time.
    Missed(Missing),
    HangUp,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SayKind {
    /// After the assistant had finished.
    InTurn,
    /// Straight after the step before.
    AtOnce,
    /// Over the assistant's speech.
    BargeIn,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    Greeting,
    /// To the utterance of this number.
    Reply(usize),
}

/// Where the steps come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    Script,
    /// A program, asked for one step each time the assistant has finished.
    Program {
        asked: bool,
    },
}

#[derive(Debug)]
pub struct Director {
    steps: VecDeque<Step>,
    source: Source,
    patience: Patience,
    /// The end of the caller's latest utterance, or the start of listening.
    mark: Duration,
    /// When the step now waited for became the next one.
    step_since: Duration,
    utterances_said: usize,
    /// The reply to the latest utterance was given up.
    given_up: bool,
    hung_up: bool,
}

impl Director {
    pub fn new(steps: impl IntoIterator<Item = Step>, patience: Patience, now: Duration) -> Self {
        Self {
            steps: steps.into_iter().collect(),
            source: Source::Script,
            patience,
            mark: now,
            step_since: now,
            utterances_said: 0,
            given_up: false,
            hung_up: false,
        }
    }

    /// Asks for each step once the assistant has finished, instead of following a script.
    pub fn asking(patience: Patience, now: Duration) -> Self {
        Self {
            source: Source::Program { asked: false },
            ..Self::new([], patience, now)
        }
    }

    /// What the program wants done, after [`Action::Ask`].
    pub fn answered(&mut self, step: Step, now: Duration) {
        if matches!(step, Step::Wait { .. }) {
            // What the assistant says from here on is what it says to the silence.
            self.mark = now;
        }
        self.source = Source::Program { asked: false };
        self.steps.push_back(step);
        self.step_since = now;
    }

    /// Utterances that the script still holds.
    pub fn unsaid(&self) -> usize {
        self.steps
            .iter()
            .filter(|step| matches!(step, Step::Say { .. } | Step::BargeIn { .. }))
            .count()
    }

    /// The next action that is due; ask again until there is none.
    pub fn poll(&mut self, now: Duration, senses: &impl Senses) -> Option<Action> {
        if self.hung_up || senses.is_saying() {
            return None;
        }
        let Some(step) = self.steps.front() else {
            return self.ask(now, senses);
        };
        match step {
            Step::Wait { seconds } => {
                if now < self.step_since + Duration::from_secs_f64(*seconds) {
                    return None;
                }
                self.step_done(now);
                self.poll(now, senses)
            }
            Step::Send { message } => {
                let action = Action::Send {
                    message: message.clone(),
                };
                self.step_done(now);
                Some(action)
            }
            Step::HangUp => Some(self.hang_up()),
            Step::Say { at_once: true, .. } => Some(self.say(now, SayKind::AtOnce)),
            Step::Say { at_once: false, .. } => {
                if self.assistant_has_finished(now, senses) || self.given_up {
                    return Some(self.say(now, SayKind::InTurn));
                }
                self.missing(now, senses)
            }
            Step::BargeIn { after, .. } => {
                let after = Duration::from_secs_f64(*after);
                let onset = senses.onset_since(self.mark.max(self.step_since));
                if onset.is_some_and(|onset| now >= onset + after) || self.given_up {
                    return Some(self.say(now, SayKind::BargeIn));
                }
                if onset.is_some() {
                    return None;
                }
                self.missing(now, senses)
            }
        }
    }

    /// After the last step: hangs up once the assistant has had its say and time to end the call.
    pub fn poll_end(&mut self, now: Duration, senses: &impl Senses) -> Option<Action> {
        if self.hung_up || senses.is_saying() || !self.steps.is_empty() {
            return None;
        }
        if self.source != Source::Script {
            return None;
        }
        if !self.given_up && !self.assistant_has_finished(now, senses) {
            return self.missing(now, senses);
        }
        let quiet_since = senses.last_sound().unwrap_or_default().max(self.mark);
        (now >= quiet_since + self.patience.linger).then(|| self.hang_up())
    }

    /// The caller's latest utterance ends then: what follows is the reply.
    pub fn said_until(&mut self, voice_end: Duration) {
        self.mark = voice_end;
    }

    fn ask(&mut self, now: Duration, senses: &impl Senses) -> Option<Action> {
        if self.source != (Source::Program { asked: false }) {
            return None;
        }
        if !self.given_up && !self.assistant_has_finished(now, senses) {
            return self.missing(now, senses);
        }
        let last_sound = senses.last_sound().unwrap_or_default();
        // A pause between two sentences may be longer than the silence that ends a turn.
        if senses.awaits_words() && now < last_sound + self.patience.reply_within {
            return None;
        }
        self.source = Source::Program { asked: true };
        Some(Action::Ask)
    }

    fn assistant_has_finished(&self, now: Duration, senses: &impl Senses) -> bool {
        let Some(last_sound) = senses.last_sound() else {
            return false;
        };
        // An assistant that was interrupted stops shortly after the caller: that tail is not a
        // reply. One that spoke on for longer than a second has been heard nevertheless.
        let answered = senses.onset_since(self.mark).is_some()
            || last_sound > self.mark + Duration::from_secs(1);
        answered && now >= last_sound + self.patience.quiet_after
    }

    fn missing(&mut self, now: Duration, senses: &impl Senses) -> Option<Action> {
        let heard = senses
            .last_sound()
            .unwrap_or_default()
            .max(self.mark)
            .max(self.step_since);
        if now < heard + self.patience.reply_within {
            return None;
        }
        self.given_up = true;
        Some(Action::Missed(match self.utterances_said {
            0 => Missing::Greeting,
            said => Missing::Reply(said - 1),
        }))
    }

    fn say(&mut self, now: Duration, kind: SayKind) -> Action {
        let utterance = self.utterances_said;
        self.utterances_said += 1;
        self.step_done(now);
        Action::Say { utterance, kind }
    }

    fn step_done(&mut self, now: Duration) {
        self.steps.pop_front();
        self.step_since = now;
        self.given_up = false;
    }

    fn hang_up(&mut self) -> Action {
        self.hung_up = true;
        Action::HangUp
    }
}

#[cfg(test)]
mod tests;
