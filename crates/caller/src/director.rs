//! When each step of the script is due, judged by what is heard and not by messages.
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

#[derive(Debug)]
pub struct Director {
    steps: VecDeque<Step>,
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
            patience,
            mark: now,
            step_since: now,
            utterances_said: 0,
            given_up: false,
            hung_up: false,
        }
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
        match self.steps.front()? {
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
mod tests {
    use super::*;

    #[derive(Default)]
    struct Scene {
        /// Spans of the assistant's speech in milliseconds.
        heard: Vec<(u64, u64)>,
        saying: bool,
    }

    impl Senses for Scene {
        fn last_sound(&self) -> Option<Duration> {
            self.heard.last().map(|&(_, end)| millis(end))
        }
        fn onset_since(&self, time: Duration) -> Option<Duration> {
            self.heard
                .iter()
                .map(|&(start, _)| millis(start))
                .find(|&start| start >= time)
        }
        fn is_saying(&self) -> bool {
            self.saying
        }
    }

    fn millis(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn director(steps: &str) -> Director {
        let patience = Patience {
            quiet_after: millis(1_000),
            reply_within: millis(10_000),
            linger: millis(4_000),
        };
        let steps = crate::script::from_json_lines(steps).expect("the test's script is sound");
        Director::new(steps, patience, Duration::ZERO)
    }

    fn say(utterance: usize, kind: SayKind) -> Option<Action> {
        Some(Action::Say { utterance, kind })
    }

    #[test]
    fn the_caller_speaks_a_second_after_the_assistant_has_finished() {
        let mut director = director(r#"{"say": "hello"}"#);
        let mut scene = Scene::default();
        assert_eq!(
            director.poll(millis(3_000), &scene),
            None,
            "nothing was heard yet"
        );
        scene.heard.push((200, 2_500));
        assert_eq!(
            director.poll(millis(3_499), &scene),
            None,
            "it may be a pause"
        );
        assert_eq!(
            director.poll(millis(3_500), &scene),
            say(0, SayKind::InTurn)
        );
    }

    #[test]
    fn the_next_utterance_waits_for_the_reply_to_the_one_before() {
        let mut director = director("{\"say\": \"one\"}\n{\"say\": \"two\"}");
        let mut scene = Scene {
            heard: vec![(0, 1_000)],
            saying: false,
        };
        assert_eq!(
            director.poll(millis(2_000), &scene),
            say(0, SayKind::InTurn)
        );
        director.said_until(millis(3_000));
        scene.saying = true;
        assert_eq!(
            director.poll(millis(2_500), &scene),
            None,
            "the caller is still speaking"
        );
        scene.saying = false;
        assert_eq!(director.poll(millis(6_000), &scene), None, "no reply yet");
        scene.heard.push((6_050, 7_000));
        assert_eq!(director.poll(millis(7_500), &scene), None);
        assert_eq!(
            director.poll(millis(8_000), &scene),
            say(1, SayKind::InTurn)
        );
        assert_eq!(director.unsaid(), 0);
    }

    #[test]
    fn a_missing_reply_is_told_once_and_the_script_goes_on() {
        let mut director = director("{\"say\": \"one\"}\n{\"say\": \"two\"}");
        let scene = Scene {
            heard: vec![(0, 1_000)],
            saying: false,
        };
        director.poll(millis(2_000), &scene);
        director.said_until(millis(3_000));
        assert_eq!(director.poll(millis(12_999), &scene), None);
        assert_eq!(
            director.poll(millis(13_000), &scene),
            Some(Action::Missed(Missing::Reply(0)))
        );
        assert_eq!(
            director.poll(millis(13_000), &scene),
            say(1, SayKind::InTurn)
        );
    }

    #[test]
    fn a_missing_greeting_is_told() {
        let mut director = director(r#"{"say": "hello"}"#);
        let scene = Scene::default();
        assert_eq!(
            director.poll(millis(10_000), &scene),
            Some(Action::Missed(Missing::Greeting))
        );
    }

    #[test]
    fn barging_in_is_timed_from_the_assistants_onset() {
        let mut director = director(r#"{"barge_in_after": 1.5, "say": "stop"}"#);
        let mut scene = Scene {
            heard: vec![(1_000, 2_400)],
            saying: false,
        };
        assert_eq!(director.poll(millis(2_400), &scene), None);
        scene.heard = vec![(1_000, 2_500)];
        assert_eq!(
            director.poll(millis(2_500), &scene),
            say(0, SayKind::BargeIn)
        );
    }

    #[test]
    fn the_tail_of_an_interrupted_sentence_is_not_taken_for_a_reply() {
        let mut director =
            director("{\"barge_in_after\": 1, \"say\": \"stop\"}\n{\"say\": \"two\"}");
        let mut scene = Scene {
            heard: vec![(0, 1_000)],
            saying: false,
        };
        assert_eq!(
            director.poll(millis(1_000), &scene),
            say(0, SayKind::BargeIn)
        );
        director.said_until(millis(1_800));
        scene.heard = vec![(0, 2_100)];
        assert_eq!(director.poll(millis(4_000), &scene), None);
        scene.heard.push((5_000, 6_000));
        assert_eq!(
            director.poll(millis(7_000), &scene),
            say(1, SayKind::InTurn)
        );
    }

    #[test]
    fn waiting_and_hanging_up_follow_the_script() {
        let mut director =
            director("{\"wait\": 2}\n{\"say\": \"and\", \"at_once\": true}\n{\"hang_up\": true}");
        let scene = Scene::default();
        assert_eq!(director.poll(millis(1_999), &scene), None);
        assert_eq!(
            director.poll(millis(2_000), &scene),
            say(0, SayKind::AtOnce)
        );
        assert_eq!(director.poll(millis(3_000), &scene), Some(Action::HangUp));
        assert_eq!(director.poll(millis(3_100), &scene), None);
    }

    #[test]
    fn after_the_last_reply_the_assistant_has_time_to_end_the_call() {
        let mut director = director(r#"{"say": "hello"}"#);
        let mut scene = Scene {
            heard: vec![(0, 1_000)],
            saying: false,
        };
        director.poll(millis(2_000), &scene);
        director.said_until(millis(3_000));
        assert_eq!(
            director.poll_end(millis(7_500), &scene),
            None,
            "the reply is still to come"
        );
        scene.heard.push((7_000, 8_000));
        assert_eq!(director.poll_end(millis(11_999), &scene), None);
        assert_eq!(
            director.poll_end(millis(12_000), &scene),
            Some(Action::HangUp)
        );
    }
}
