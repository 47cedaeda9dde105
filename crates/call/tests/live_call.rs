//! What a call does, in virtual time: when it speaks, what it saves, and how it
//! behaves when a part of it fails. The flow and turn-taking are the real ones.
#![allow(clippy::unwrap_used)]

#[path = "support/scene/mod.rs"]
mod scene;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use call::{CallEvent, ChatModel, HeardTurn, Speaker};
use flow::{Agency, Conversation, EndReason, Event, TransferMode};
use scene::{Act, AtTheDesk, Engine, Records, Scene, Seen};

const WAIT: Duration = Duration::from_secs(3);

impl Seen {
    /// From the end of the caller's nth utterance to the assistant's next sound.
    fn gap(&self, utterance: usize) -> Duration {
        let (_, end) = self.said[utterance];
        let (next, _) = self.heard.iter().find(|(from, _)| *from > end).unwrap();
        *next - end
    }

    fn words_of(&self, speaker: Speaker) -> Vec<String> {
        let spoken = self.ended.messages.iter();
        spoken
            .filter(|message| message.speaker == speaker)
            .map(|message| message.words.expose_secret().clone())
            .collect()
    }
}

#[tokio::test(start_paused = true)]
async fn the_assistant_greets_first_and_soon() {
    let seen = Scene {
        acts: vec![Act::HangsUp],
        ..Scene::default()
    }
    .play()
    .await;
    assert!(
        seen.heard[0].0 <= Duration::from_millis(540),
        "{:?}",
        seen.heard
    );
    assert_eq!(seen.ended.reason, EndReason::CallerEnded);
    assert_eq!(seen.words_of(Speaker::Assistant).len(), 1);
}

#[tokio::test(start_paused = true)]
async fn the_reply_starts_when_the_planned_wait_is_over() {
    let seen = Scene {
        acts: vec![Act::Replies("I had a very long day at work"), Act::HangsUp],
        ..Scene::default()
    }
    .play()
    .await;
    let gap = seen.gap(0);
    assert!(
        gap >= WAIT - Duration::from_millis(60) && gap <= WAIT + Duration::from_millis(160),
        "{gap:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_caller_who_wants_to_die_is_warmly_transferred_to_sos() {
    let seen = Scene {
        acts: vec![Act::Replies("I do not want to live any more")],
        ..Scene::default()
    }
    .play()
    .await;
    assert!(seen.events.iter().any(|event| matches!(
        event,
        CallEvent::Transferred {
            mode: TransferMode::Warm,
            agency: Agency::Sos
        }
    )));
    assert_eq!(seen.ended.reason, EndReason::Forwarded);
    assert_eq!(
        seen.ended.note.structured_data.transfer_to,
        Some(Agency::Sos)
    );
    assert!(seen.ended.note.structured_data.urgent);
    let (_, last_sound) = seen.heard.last().unwrap();
    assert!(
        seen.length - *last_sound < Duration::from_secs(1),
        "the call ends silently once the words have been heard"
    );
}

#[tokio::test(start_paused = true)]
async fn a_turn_is_durable_before_its_reply_is_spoken() {
    let seen = Scene {
        acts: vec![
            Act::Replies("I had a very long day at work"),
            Act::Replies("my boss was unkind to me"),
            Act::HangsUp,
        ],
        ..Scene::default()
    }
    .play()
    .await;
    for (index, utterance) in [(1, 0), (2, 1)] {
        let (_, said) = seen.said[utterance];
        let spoken = said + seen.gap(utterance);
        let saved = seen.saved.iter().filter(|(turn, _)| *turn == index);
        let first = saved.map(|(_, at)| *at).min().unwrap();
        assert!(
            first < spoken,
            "turn {index}: saved {first:?}, spoken {spoken:?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_silent_caller_is_asked_once_and_the_call_then_ends() {
    let seen = Scene::default().play().await;
    assert_eq!(
        seen.heard.len(),
        2,
        "greeting and check-in: {:?}",
        seen.heard
    );
    assert_eq!(seen.ended.reason, EndReason::SilenceTimedOut);
    assert!(seen.length < Duration::from_secs(60), "{:?}", seen.length);
}

#[tokio::test(start_paused = true)]
async fn a_caller_who_speaks_up_takes_the_floor_and_unheard_words_are_not_in_the_transcript() {
    let seen = Scene {
        acts: vec![
            Act::Interrupts {
                after: Duration::from_millis(800),
                words: "please listen to me now",
            },
            Act::HangsUp,
        ],
        ..Scene::default()
    }
    .play()
    .await;
    let (onset, _) = seen.said[0];
    let (_, silent) = seen.heard[0];
    assert!(
        silent - onset < Duration::from_millis(900),
        "{onset:?} {silent:?}"
    );
    let greeting = &seen.ended.messages[0];
    assert!(greeting.interrupted);
    let whole = flow::AssistantScript::built_in();
    let mut conversation = flow::Conversation::new(flow::Setup {
        called_at: "2026-11-21T02:00".parse().unwrap(),
        assistant: whole.into(),
        medium: flow::Medium::Speech,
    });
    conversation.handle(flow::Event::CallStarted, Duration::ZERO);
    let mut planned = 0;
    while let Some(command) = conversation.poll_command() {
        if let flow::Command::Say { sentence } = command {
            planned += sentence.expose_secret().split_whitespace().count();
        }
    }
    let heard = greeting.words.expose_secret().split_whitespace().count();
    assert!(heard > 0 && heard < planned, "{heard} of {planned} words");
    assert!(
        seen.events
            .iter()
            .any(|event| matches!(event, CallEvent::Interrupted { .. }))
    );
}

#[tokio::test(start_paused = true)]
async fn an_acknowledgement_does_not_stop_the_assistant() {
    let seen = Scene {
        acts: vec![
            Act::Interrupts {
                after: Duration::from_millis(800),
                words: "okay",
            },
            Act::HangsUp,
        ],
        ..Scene::default()
    }
    .play()
    .await;
    assert!(!seen.ended.messages[0].interrupted);
    assert!(seen.words_of(Speaker::Caller).is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_caller_who_hangs_up_during_the_wait_keeps_their_last_words() {
    let plan = turn::Plan {
        start_wait: Duration::from_secs(5),
        ..turn::Plan::default()
    };
    let seen = Scene {
        acts: vec![Act::Replies("my husband hit me"), Act::HangsUp],
        plan,
        ..Scene::default()
    }
    .play()
    .await;
    assert_eq!(seen.words_of(Speaker::Caller), ["my husband hit me"]);
}

#[tokio::test(start_paused = true)]
async fn slow_records_delay_a_reply_within_a_bound_and_no_longer() {
    let plan = turn::Plan {
        start_wait: Duration::from_millis(400),
        ..turn::Plan::default()
    };
    let seen = Scene {
        acts: vec![Act::Replies("I had a very long day at work"), Act::HangsUp],
        plan,
        records: Records::Hang,
        ..Scene::default()
    }
    .play()
    .await;
    assert!(seen.gap(0) < Duration::from_secs(3), "{:?}", seen.gap(0));
    let said = seen.words_of(Speaker::Assistant);
    assert!(
        said[1].contains("What's it like at work"),
        "the call goes on: {said:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn when_the_voice_fails_the_caller_hears_whom_to_ring() {
    for voice in [Engine::Fails, Engine::NeverAnswers] {
        let seen = Scene {
            voice,
            ..Scene::default()
        }
        .play()
        .await;
        assert!(!seen.heard.is_empty(), "the line kept ready was played");
        assert!(seen.words_of(Speaker::Assistant)[0].contains("999"));
    }
}

/// A call in which the caller's own words are said back.
async fn told_by_name(voice: Engine) -> Seen {
    told_by_name_after(voice, WAIT).await
}

/// The same, with replies that begin so long after the caller's last word.
async fn told_by_name_after(voice: Engine, wait: Duration) -> Seen {
    Scene {
        plan: turn::Plan {
            start_wait: wait,
            ..turn::Plan::default()
        },
        acts: vec![
            Act::Replies("yes I am safe, my name is Mei Ling, my landlord shouts at me every day"),
            Act::Replies("he threatens to throw me out, my landlord hits me"),
            Act::Replies("my name is Mei Ling"),
            Act::HangsUp,
        ],
        voice,
        ..Scene::default()
    }
    .play()
    .await
}

#[tokio::test(start_paused = true)]
async fn a_voice_that_is_gone_when_a_name_is_to_be_said_is_not_heard_to_fail() {
    let usual = told_by_name(Engine::Works).await;
    let said_back = |seen: &Seen| {
        let said = seen.words_of(Speaker::Assistant).join(" ");
        said.matches("Mei Ling").count() + said.matches("landlord").count()
    };
    assert!(said_back(&usual) > 0, "this call has something to say back");
    for voice in [Engine::KeepsOnlyWhatIsAlwaysSaid, Engine::BreaksOff] {
        let seen = told_by_name(voice).await;
        let said = seen.words_of(Speaker::Assistant);
        assert_eq!(said_back(&seen), 0, "{said:?}");
        assert_eq!(
            said.len(),
            usual.words_of(Speaker::Assistant).len(),
            "{said:?}"
        );
        assert!(
            !said.iter().any(|words| words.contains("trouble")),
            "{said:?}"
        );
        for (place, _) in usual.said.iter().enumerate() {
            let bound = usual.gap(place) + Duration::from_millis(60);
            assert!(seen.gap(place) <= bound, "{:?}: {said:?}", seen.gap(place));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_voice_with_too_much_to_do_leaves_out_what_it_would_say_back_and_goes_on() {
    let last_sentences = |seen: &Seen| -> Vec<String> {
        let replies = seen.words_of(Speaker::Assistant);
        let last = |reply: &String| reply.rsplit(". ").next().unwrap().to_owned();
        replies.iter().map(last).collect()
    };
    let usual = told_by_name(Engine::Works).await;
    // One that says beforehand that it has no time is not waited for.
    for (voice, longest_silence) in [
        (Engine::IsBusyWithAllElse, Duration::from_millis(700)),
        (
            Engine::TakesForAllElse(Duration::from_secs(60)),
            Duration::from_millis(200),
        ),
    ] {
        let seen = told_by_name(voice).await;
        let said = seen.words_of(Speaker::Assistant).join(" ");
        assert!(!said.contains("landlord"), "{said}");
        assert_eq!(last_sentences(&seen), last_sentences(&usual));
        let silence = longest_silence_within_a_reply(&seen);
        assert!(silence < longest_silence, "{silence:?}: {said}");
    }
}

fn longest_silence_within_a_reply(seen: &Seen) -> Duration {
    let within_a_reply = seen.heard.windows(2).filter(|spans| {
        let between = spans[0].1..spans[1].0;
        !seen.said.iter().any(|(from, _)| between.contains(from))
    });
    let silences = within_a_reply.map(|spans| spans[1].0 - spans[0].1);
    silences.max().unwrap_or_default()
}

#[tokio::test(start_paused = true)]
async fn a_sentence_is_begun_only_where_it_comes_in_time_after_the_wait() {
    let told = async |wait_seconds: f64| {
        let voice = Engine::TakesForAllElse(Duration::from_millis(2_500));
        let seen = told_by_name_after(voice, Duration::from_secs_f64(wait_seconds)).await;
        let said = seen.words_of(Speaker::Assistant).join(" ");
        let silence = longest_silence_within_a_reply(&seen);
        (said.contains("landlord"), silence)
    };
    assert!(told(3.0).await.0, "2.5 s are less than the wait");
    let (says_it_back, silence) = told(0.4).await;
    assert!(!says_it_back);
    assert!(silence < Duration::from_millis(200), "it was waited for");
}

#[tokio::test(start_paused = true)]
async fn a_reply_whose_voice_is_late_begins_on_time_with_an_opening_that_was_ready() {
    let seen = Scene {
        acts: vec![Act::Replies("I had a very long day at work"), Act::HangsUp],
        voice: Engine::Late,
        ..Scene::default()
    }
    .play()
    .await;
    let gap = seen.gap(0);
    assert!(gap <= WAIT + Duration::from_millis(160), "{gap:?}");
    let reply = &seen.words_of(Speaker::Assistant)[1];
    let opening = flow::AssistantScript::openings()
        .iter()
        .find(|opening| reply.starts_with(*opening));
    let opening = opening.expect("an opening comes first");
    assert!(reply.len() > opening.len() + 10, "{reply}");
}

#[tokio::test(start_paused = true)]
async fn a_voice_that_dies_after_its_opening_gives_way_to_whom_to_ring() {
    let seen = Scene {
        acts: vec![Act::Replies("I had a very long day at work")],
        voice: Engine::NeverAnswers,
        ..Scene::default()
    }
    .play()
    .await;
    let said = seen.words_of(Speaker::Assistant).join(" ");
    let opening = flow::AssistantScript::openings()
        .iter()
        .find_map(|opening| said.find(opening));
    let numbers = said.rfind("please ring 999");
    assert!(opening.is_some() && opening < numbers, "{said}");
}

#[tokio::test(start_paused = true)]
async fn sound_faster_than_speech_takes_no_more_of_the_transcriber_than_speech_does() {
    let seen = Scene {
        acts: vec![Act::Floods("I had a very long day at work"), Act::HangsUp],
        ..Scene::default()
    }
    .play()
    .await;
    let a_burst_more = seen.length.as_secs() as usize + 10;
    assert!(
        seen.transcriptions <= 2 * a_burst_more,
        "{} in {:?}",
        seen.transcriptions,
        seen.length
    );
}

#[tokio::test(start_paused = true)]
async fn a_call_that_breaks_is_kept_with_what_is_known_and_a_person_reads_it_first() {
    for and_its_goodbye in [false, true] {
        let seen = Scene {
            acts: vec![
                Act::Replies("I am fourteen years old"),
                Act::BreaksTheCall { and_its_goodbye },
            ],
            ..Scene::default()
        }
        .play()
        .await;
        assert_eq!(seen.ended.reason, EndReason::Error);
        let words = seen.words_of(Speaker::Caller);
        assert_eq!(words, ["I am fourteen years old"]);
        let note = &seen.ended.note;
        assert!(note.structured_data.urgent);
        let steps = note.structured_data.follow_up.expose_secret();
        assert!(steps.starts_with("Read this call's transcript"), "{steps}");
        let evidence = note.evidence.iter();
        assert!(evidence.clone().any(|it| it.claim == "age"), "{evidence:?}");
        let last = seen.events.last();
        let ended =
            matches!(last, Some(CallEvent::Ended { reason }) if *reason == EndReason::Error);
        assert!(ended, "{last:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn when_the_transcriber_fails_the_caller_is_not_left_in_silence() {
    for transcriber in [Engine::Fails, Engine::NeverAnswers, Engine::Panics] {
        let seen = Scene {
            acts: vec![Act::Replies("I had a very long day at work"), Act::HangsUp],
            transcriber,
            ..Scene::default()
        }
        .play()
        .await;
        assert!(seen.gap(0) < Duration::from_secs(10), "{:?}", seen.gap(0));
        let said = seen.words_of(Speaker::Assistant);
        assert!(said[1].contains("say it once more"), "{said:?}");
    }
}

/// A chat model that takes its time, then says this, or breaks.
struct ScriptedModel {
    after: Duration,
    says: Option<&'static str>,
}

#[async_trait]
impl ChatModel for ScriptedModel {
    async fn reply(&self, turn: HeardTurn) -> Option<Conversation> {
        // Virtual time: the clock of these tests is paused.
        tokio::time::sleep(self.after).await;
        let says = self.says.expect("this model breaks");
        let mut conversation = turn.before;
        let words = turn.reading.words.clone();
        let reading = Box::new(turn.reading);
        conversation.handle(Event::CallerSaid { reading }, turn.at);
        conversation
            .reword(says, &[words.expose_secret().as_str()], &[])
            .ok()?;
        Some(conversation)
    }
}

async fn with_model(after: Duration, says: Option<&'static str>) -> Seen {
    Scene {
        acts: vec![
            Act::Replies("I had a very long day at work"),
            Act::Replies("it never lets up"),
            Act::HangsUp,
        ],
        chat_model: Some(Arc::new(ScriptedModel { after, says })),
        ..Scene::default()
    }
    .play()
    .await
}

const KIND: &str = "That sounds like so much to hold at once.";

#[tokio::test(start_paused = true)]
async fn a_chat_models_words_are_said_at_the_moment_the_templates_would_be() {
    let seen = with_model(Duration::from_millis(1500), Some(KIND)).await;
    let said = seen.words_of(Speaker::Assistant);
    assert!(said[1].starts_with(KIND), "{said:?}");
    let gap = seen.gap(0);
    assert!(
        gap >= WAIT - Duration::from_millis(60) && gap <= WAIT + Duration::from_millis(160),
        "{gap:?}"
    );
    assert_eq!(seen.words_of(Speaker::Caller).len(), 2);
    let first = seen.saved.iter().filter(|(turn, _)| *turn == 1);
    let saved = first.map(|(_, at)| *at).min().unwrap();
    assert!(saved < seen.said[0].1 + gap, "durable before it is spoken");
}

/// Whenever it comes while the model is asked.
#[tokio::test(start_paused = true)]
async fn what_a_chat_model_answers_to_how_it_was_before_a_colleague_came_is_not_said() {
    for tenths in [92, 96, 100, 104, 108] {
        let says_hello = Act::SpeaksAt(Duration::from_secs(20), "hello this is a duty officer");
        let taken_over = Duration::from_millis(tenths * 100);
        let seen = Scene {
            acts: vec![
                Act::Replies("I had a very long day at work"),
                Act::HangsUpAt(Duration::from_secs(40)),
            ],
            chat_model: Some(Arc::new(ScriptedModel {
                after: Duration::from_millis(2500),
                says: Some(KIND),
            })),
            before_any_ring: vec![
                (
                    Duration::from_secs(2),
                    AtTheDesk::Listens(1, vec![says_hello]),
                ),
                (taken_over, AtTheDesk::TakesOver(1)),
            ],
            ..Scene::default()
        }
        .play()
        .await;
        let said = seen.words_of(Speaker::Assistant).join(" ");
        assert!(!said.contains(KIND), "at {taken_over:?}: {said}");
        assert_eq!(seen.ended.reason, EndReason::Forwarded, "at {taken_over:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_chat_model_that_never_answers_or_breaks_is_not_heard_of() {
    let without = Scene {
        acts: vec![
            Act::Replies("I had a very long day at work"),
            Act::Replies("it never lets up"),
            Act::HangsUp,
        ],
        ..Scene::default()
    };
    let usual = without.play().await.words_of(Speaker::Assistant);
    for (after, says) in [
        (Duration::from_secs(3600), Some(KIND)),
        (Duration::ZERO, None),
        (
            Duration::ZERO,
            Some("As an AI language model, I cannot help with that."),
        ),
    ] {
        let seen = with_model(after, says).await;
        assert_eq!(seen.words_of(Speaker::Assistant), usual);
        assert!(
            seen.gap(0) <= WAIT + Duration::from_millis(700),
            "{after:?}"
        );
        assert_eq!(seen.ended.reason, EndReason::CallerEnded);
    }
}
