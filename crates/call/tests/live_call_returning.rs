//! What becomes of a call whose line is lost: it waits for its caller, and goes on where it was.
#![allow(clippy::unwrap_used)]

#[path = "support/scene/mod.rs"]
mod scene;

use std::sync::Arc;
use std::time::Duration;

use call::{CallEvent, CutOff, Speaker, SpokenMessage};
use flow::{Agency, AssistantScript, Conversation, EndReason, Event, Secret, Setup, TransferMode};
use scene::{Act, RETURN_WITHIN, Scene, Seen};

const SLAPPED: &str = "My husband slapped me last week";

impl Seen {
    /// What the assistant says from the moment when the caller is back.
    fn welcome(&self) -> String {
        let assistants = self.ended.messages.iter();
        let mut assistants = assistants.filter(|message| message.speaker == Speaker::Assistant);
        let welcome = assistants.find(|message| message.words.expose_secret().contains("line"));
        welcome.unwrap().words.expose_secret().clone()
    }

    fn callers_words(&self) -> Vec<&str> {
        let messages = self.ended.messages.iter();
        messages
            .filter(|message| message.speaker == Speaker::Caller)
            .map(|message| message.words.expose_secret().as_str())
            .collect()
    }
}

fn is_cut_off(after: u64) -> Act {
    Act::IsCutOff {
        after: Duration::from_secs(after),
    }
}

#[tokio::test(start_paused = true)]
async fn a_caller_whose_line_was_lost_is_welcomed_back_and_the_conversation_goes_on() {
    let back_after = Duration::from_secs(50);
    let seen = Scene {
        acts: vec![Act::Replies(SLAPPED), is_cut_off(20)],
        comes_back: Some((back_after, vec![Act::HangsUp])),
        ..Scene::default()
    }
    .play()
    .await;
    let (back, _) = *seen
        .heard
        .iter()
        .find(|(from, _)| *from > back_after)
        .unwrap();
    assert!(back - back_after < Duration::from_millis(700), "{back:?}");
    let welcome = seen.welcome();
    assert!(welcome.starts_with("I'm still here. The line was cut off for a moment."));
    assert!(welcome.ends_with('?'), "it is asked again: {welcome}");
    assert_eq!(seen.callers_words(), [SLAPPED]);
    assert_eq!(seen.ended.reason, EndReason::CallerEnded);
    let ends = seen
        .events
        .iter()
        .filter(|event| matches!(event, CallEvent::Ended { .. }));
    assert_eq!(ends.count(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_line_that_nobody_talks_on_goes_to_who_asks_and_who_comes_back_goes_on_all_the_same() {
    let seen = Scene {
        acts: vec![Act::Replies(SLAPPED), is_cut_off(20)],
        comes_back: Some((Duration::from_secs(50), vec![Act::HangsUp])),
        another_asks: true,
        ..Scene::default()
    }
    .play()
    .await;
    assert!(seen.welcome().starts_with("I'm still here."));
    assert_eq!(seen.ended.reason, EndReason::CallerEnded);
}

#[tokio::test(start_paused = true)]
async fn what_was_said_at_the_moment_of_the_loss_is_kept_and_durable() {
    let seen = Scene {
        acts: vec![
            Act::Replies("I am going to kill myself tonight"),
            is_cut_off(1),
        ],
        comes_back: Some((Duration::from_secs(30), Vec::new())),
        ..Scene::default()
    }
    .play()
    .await;
    assert_eq!(seen.callers_words(), ["I am going to kill myself tonight"]);
    assert!(
        seen.saved
            .iter()
            .any(|(turn, at)| *turn == 1 && *at < Duration::from_secs(30))
    );
    // Help for what was said before comes first.
    assert!(seen.events.iter().any(|event| matches!(
        event,
        CallEvent::Transferred {
            mode: TransferMode::Warm,
            agency: Agency::Sos
        }
    )));
    assert_eq!(seen.ended.reason, EndReason::Forwarded);
}

#[tokio::test(start_paused = true)]
async fn a_caller_who_does_not_come_back_is_to_be_rung_back() {
    let seen = Scene {
        acts: vec![Act::Replies(SLAPPED), is_cut_off(15)],
        ..Scene::default()
    }
    .play()
    .await;
    let lost_at = seen.said[0].1 + Duration::from_secs(15);
    assert!(seen.length >= lost_at + RETURN_WITHIN && seen.length < lost_at + RETURN_WITHIN * 2);
    assert_eq!(seen.ended.reason, EndReason::Error);
    let last = seen.ended.messages.last().unwrap();
    assert!(last.to <= lost_at + Duration::from_secs(1), "{:?}", last.to);
    let steps = &seen.ended.note.structured_data.follow_up;
    assert!(steps.expose_secret().starts_with("Call back"));
}

#[tokio::test(start_paused = true)]
async fn last_words_of_a_caller_who_does_not_come_back_stand_once_and_count() {
    let seen = Scene {
        acts: vec![
            Act::Replies("I am going to kill myself tonight"),
            is_cut_off(1),
        ],
        ..Scene::default()
    }
    .play()
    .await;
    assert_eq!(seen.callers_words(), ["I am going to kill myself tonight"]);
    assert!(seen.ended.note.structured_data.urgent);
}

#[tokio::test(start_paused = true)]
async fn a_caller_who_comes_by_another_line_is_heard_there_before_the_first_is_known_to_be_lost() {
    let back_after = Duration::from_secs(40);
    let seen = Scene {
        acts: vec![Act::Replies(SLAPPED)],
        comes_back: Some((
            back_after,
            vec![Act::Replies("No, nobody is here"), Act::HangsUp],
        )),
        ..Scene::default()
    }
    .play()
    .await;
    let welcome = seen.welcome();
    assert!(welcome.contains("cut off") || welcome.contains("lost the line"));
    assert!(!welcome.contains("Take all the time"), "{welcome}");
    assert_eq!(seen.callers_words(), [SLAPPED, "No, nobody is here"]);
    assert_eq!(seen.ended.reason, EndReason::CallerEnded);
}

#[tokio::test(start_paused = true)]
async fn a_call_is_no_longer_for_having_been_cut_off() {
    let longest = Duration::from_secs(300);
    let seen = Scene {
        acts: vec![is_cut_off(20)],
        comes_back: Some((Duration::from_secs(50), Vec::new())),
        plan: turn::Plan {
            max_duration: longest,
            silence_timeout: longest * 2,
            ..turn::Plan::default()
        },
        ..Scene::default()
    }
    .play()
    .await;
    assert_eq!(seen.ended.reason, EndReason::ExceededMaxDuration);
    let over = seen.length.saturating_sub(longest);
    assert!(over < Duration::from_secs(5), "{over:?}");
}

#[tokio::test(start_paused = true)]
async fn what_an_earlier_run_left_goes_on_from_its_last_durable_turn() {
    let mut conversation = Conversation::new(Setup {
        called_at: "2026-11-20T23:10:00".parse().unwrap(),
        assistant: Arc::new(AssistantScript::built_in()),
        medium: flow::Medium::Speech,
    });
    conversation.handle(Event::CallStarted, Duration::ZERO);
    let words = Secret::new(SLAPPED.to_owned());
    reader::Reader::rules_alone().tell(&mut conversation, &words, Duration::from_secs(9));
    conversation.take_reply();
    let asked = conversation.listening().question;
    let seen = Scene {
        acts: vec![Act::Replies("No, nobody is here"), Act::HangsUp],
        cut_off: Some(CutOff {
            conversation,
            messages: vec![SpokenMessage {
                speaker: Speaker::Caller,
                words,
                from: Duration::from_secs(7),
                to: Duration::from_secs(9),
                interrupted: false,
            }],
            turns: 1,
        }),
        ..Scene::default()
    }
    .play()
    .await;
    assert!(asked.is_some());
    assert!(
        seen.welcome()
            .contains("You've been telling me what has happened to you.")
    );
    assert_eq!(seen.callers_words(), [SLAPPED, "No, nobody is here"]);
    assert_eq!(
        seen.saved.iter().map(|(turn, _)| *turn).collect::<Vec<_>>(),
        [2]
    );
    let note = seen.ended.note.summary.expose_secret();
    assert!(note.contains("slapped"), "{note}");
}
