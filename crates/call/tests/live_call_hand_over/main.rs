//! A warm transfer that reaches people, in virtual time: what the caller, the officers and the desk
//! hear and are told. The flow, turn-taking and the hand-over are the real ones.
#![allow(clippy::unwrap_used)]

mod cut_off;
mod on_hold;
mod put_through;
#[path = "../support/scene/mod.rs"]
mod scene;
mod supervisors;
mod unreached;

use std::time::Duration;

use call::{CallEvent, NotAccepted, Speaker};
use flow::{Agency, EndReason, Hint, Step};
use scene::{Act, Asked, AtTheDesk, Scene, Seen, officer};
use speech::Standing;
use turn::{Ring, Unreached};

const WANTS_TO_DIE: &str = "I do not want to live any more";
const HELLO: &str = "hello this is a duty officer";

type Spans = [(Duration, Duration)];

fn s(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// A caller who wants to die, and then does this, while officers are on duty.
fn on_duty(mut then: Vec<Act>, at_the_desk: Vec<(Duration, AtTheDesk)>) -> Scene {
    then.insert(0, Act::Replies(WANTS_TO_DIE));
    Scene {
        acts: then,
        on_duty: true,
        at_the_desk,
        ..Scene::default()
    }
}

/// An officer who accepts a second after the ring, says hello once they are put through, and then does this.
fn accepts(mut then: Vec<Act>) -> (Duration, AtTheDesk) {
    then.insert(0, Act::Replies(HELLO));
    (s(1), AtTheDesk::Accepts(1, Some(then)))
}

impl Seen {
    fn asked(&self) -> Vec<Asked> {
        self.rung.iter().map(|(_, asked)| asked.clone()).collect()
    }

    fn words_of(&self, speaker: Speaker) -> Vec<String> {
        let spoken = self.ended.messages.iter();
        spoken
            .filter(|message| message.speaker == speaker)
            .map(|message| message.words.expose_secret().clone())
            .collect()
    }

    /// What officers said, each with their number.
    fn words_of_officers(&self) -> Vec<(u128, &str)> {
        let spoken = self.ended.messages.iter();
        let words = spoken.filter_map(|message| match message.speaker {
            Speaker::Officer(officer) => {
                let number = officer.unwrap().0.as_u128();
                Some((number, message.words.expose_secret().as_str()))
            }
            Speaker::Assistant | Speaker::Caller => None,
        });
        words.collect()
    }

    fn last_words(&self) -> String {
        self.words_of(Speaker::Assistant).pop().unwrap()
    }

    /// The assistant's first sound to the caller from then on.
    fn heard_from(&self, then: Duration) -> Duration {
        let next = self.heard.iter().find(|(from, _)| *from >= then);
        next.unwrap_or_else(|| panic!("nothing after {then:?}: {:?}", self.heard))
            .0
    }

    fn follow_up(&self) -> String {
        let follow_up = &self.ended.note.structured_data.follow_up;
        follow_up.expose_secret().clone()
    }
}

/// How much of these spans is sound in those, from 0 to 1.
fn share(of: &Spans, in_those: &Spans) -> f64 {
    let all: Duration = of.iter().map(|(from, to)| *to - *from).sum();
    let both: Duration = of
        .iter()
        .flat_map(|(from, to)| {
            in_those
                .iter()
                .map(|(f, t)| (*to).min(*t).saturating_sub((*from).max(*f)))
        })
        .sum();
    both.as_secs_f64() / all.as_secs_f64()
}

/// The assistant is back within two seconds, says whom to ring, and the desk is told.
fn the_line_that_was_lost_after_a_minute_is_made_good(seen: &Seen) {
    let back = seen.heard_from(s(60));
    assert!(back < s(62), "{back:?}");
    assert_eq!(
        seen.asked().last().unwrap(),
        &Asked::Alerts(Unreached::LineDropped)
    );
    assert!(seen.last_words().contains("1767"), "{}", seen.last_words());
}
