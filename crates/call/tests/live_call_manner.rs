//! Calls that are held as an assistant of a program's is: what it says first and last, who speaks first, and how it comes back.
#![allow(clippy::unwrap_used)]

#[path = "support/scene/mod.rs"]
mod scene;

use std::sync::Arc;
use std::time::Duration;

use call::{Manner, Speaker};
use flow::{AssistantScript, EndReason, ProgramsWords};
use scene::{Act, Engine, Scene, Seen};

/// Nearly everything that the assistant says holds one of them.
const ANYTHING: [&str; 9] = [
    "you",
    "i",
    "the",
    "to",
    "a",
    "is",
    "here",
    "im",
    "thank you",
];
const FIRST: &str = "Good evening, this is Mei's night line.";

fn saying(program: ProgramsWords) -> Manner {
    let script = AssistantScript {
        program,
        ..AssistantScript::built_in()
    };
    Manner {
        script: Some(Arc::new(script)),
        ..Manner::default()
    }
}

fn first_said() -> Manner {
    saying(ProgramsWords::default().saying_first(FIRST))
}

/// Where the caller is to speak first.
fn waits() -> Manner {
    Manner {
        plan: Some(turn::Plan {
            assistant_speaks_first: false,
            ..turn::Plan::default()
        }),
        ..Manner::default()
    }
}

impl Seen {
    fn assistants(&self) -> Vec<&str> {
        let messages = self.ended.messages.iter();
        let assistants = messages.filter(|message| message.speaker == Speaker::Assistant);
        assistants
            .map(|it| it.words.expose_secret().as_str())
            .collect()
    }
}

#[tokio::test(start_paused = true)]
async fn a_programs_sentence_is_heard_first_and_the_notice_and_the_question_follow() {
    let seen = Scene {
        manner: first_said(),
        acts: vec![Act::HangsUp],
        ..Scene::default()
    }
    .play()
    .await;
    let greeting = seen.assistants()[0];
    assert!(greeting.starts_with(FIRST), "{greeting}");
    assert!(greeting.contains("I'm an AI counsellor"), "{greeting}");
    assert!(greeting.ends_with("Are you safe right now?"), "{greeting}");
    let (from, _) = seen.heard[0];
    assert!(from < Duration::from_millis(700), "{from:?}");
}

#[tokio::test(start_paused = true)]
async fn a_sentence_that_the_voice_has_no_time_for_delays_no_greeting() {
    let seen = Scene {
        manner: first_said(),
        voice: Engine::TakesForAllElse(Duration::from_secs(20)),
        acts: vec![Act::HangsUp],
        ..Scene::default()
    }
    .play()
    .await;
    let greeting = seen.assistants()[0];
    assert!(greeting.starts_with("I'm an AI counsellor"), "{greeting}");
    assert!(greeting.ends_with("Are you safe right now?"), "{greeting}");
    let (from, _) = seen.heard[0];
    assert!(from < Duration::from_secs(1), "{from:?}");
}

#[tokio::test(start_paused = true)]
async fn where_the_caller_is_to_speak_first_the_assistant_waits_and_then_asks_what_it_always_asks()
{
    let words = "Hello, I would like to talk about my exam";
    let seen = Scene {
        manner: waits(),
        acts: vec![Act::SpeaksAt(Duration::from_secs(3), words), Act::HangsUp],
        ..Scene::default()
    }
    .play()
    .await;
    assert!(seen.heard[0].0 > seen.said[0].1, "{:?}", seen.heard);
    let reply = seen.assistants()[0];
    assert!(reply.contains("I'm an AI counsellor"), "{reply}");
    assert!(reply.contains("safe") && reply.ends_with('?'), "{reply}");
}

#[tokio::test(start_paused = true)]
async fn a_caller_who_was_to_speak_first_and_says_nothing_is_greeted() {
    let seen = Scene {
        manner: waits(),
        acts: vec![Act::HangsUpAt(Duration::from_secs(60))],
        ..Scene::default()
    }
    .play()
    .await;
    let plan = turn::Plan::default();
    assert!(seen.heard[0].0 >= plan.check_in_after, "{:?}", seen.heard);
    assert!(seen.assistants()[0].ends_with("Are you safe right now?"));
}

#[tokio::test(start_paused = true)]
async fn a_call_without_an_end_in_any_clocks_reach_is_held() {
    let ever = Duration::from_secs(u64::MAX / 2);
    let plan = turn::Plan {
        silence_timeout: ever,
        check_in_after: ever,
        max_duration: ever,
        ..turn::Plan::default()
    };
    let seen = Scene {
        manner: Manner {
            plan: Some(plan),
            ..Manner::default()
        },
        acts: vec![Act::HangsUpAt(Duration::from_secs(60))],
        ..Scene::default()
    }
    .play()
    .await;
    assert_eq!(seen.ended.reason, EndReason::CallerEnded);
}

#[tokio::test(start_paused = true)]
async fn a_caller_who_comes_back_is_welcomed_whoever_was_to_speak_first() {
    let back_after = Duration::from_secs(50);
    let seen = Scene {
        manner: waits(),
        acts: vec![
            Act::SpeaksAt(Duration::from_secs(3), "Hello, I feel very low"),
            Act::IsCutOff {
                after: Duration::from_secs(20),
            },
        ],
        comes_back: Some((back_after, vec![Act::HangsUp])),
        ..Scene::default()
    }
    .play()
    .await;
    let back = seen.heard.iter().find(|(from, _)| *from > back_after);
    assert!(back.unwrap().0 - back_after < Duration::from_millis(700));
}

#[tokio::test(start_paused = true)]
async fn an_end_phrase_ends_the_call_of_a_caller_who_is_safe() {
    let seen = Scene {
        manner: saying(ProgramsWords::default().ending_with(ANYTHING)),
        acts: vec![Act::Replies("Yes, I am safe")],
        ..Scene::default()
    }
    .play()
    .await;
    let said = seen.assistants();
    assert_eq!(seen.ended.reason, EndReason::AssistantEnded, "{said:?}");
    let last = seen.assistants().last().copied().unwrap();
    assert!(!last.ends_with('?'), "{last}");
}

#[tokio::test(start_paused = true)]
async fn an_end_phrase_does_not_cut_off_a_caller_in_danger() {
    let seen = Scene {
        manner: saying(ProgramsWords::default().ending_with(ANYTHING)),
        acts: vec![
            Act::Replies("My husband hit me last week"),
            Act::Replies("I am scared of him"),
            Act::HangsUp,
        ],
        ..Scene::default()
    }
    .play()
    .await;
    assert_eq!(seen.ended.reason, EndReason::CallerEnded);
    assert!(seen.assistants().len() >= 3);
}
