//! Supervisors listen, coach, whisper to the assistant and take calls over.

use super::*;

#[tokio::test(start_paused = true)]
async fn who_listens_hears_everybody_and_is_heard_by_nobody() {
    let seen = on_duty(
        vec![
            Act::SpeaksAt(s(60), "thank you for coming to the phone"),
            Act::HangsUpAt(s(80)),
        ],
        vec![
            (
                Duration::ZERO,
                AtTheDesk::Listens(2, vec![Act::SpeaksAt(s(50), HELLO)]),
            ),
            accepts(Vec::new()),
        ],
    )
    .play()
    .await;
    let listener = &seen.officers[&2];
    assert!(share(&seen.said[1..], &listener.heard) > 0.9, "the caller");
    assert!(
        share(&seen.officers[&1].said, &listener.heard) > 0.9,
        "the officer"
    );
    assert_eq!(listener.said.len(), 1);
    assert!(
        share(&listener.said, &seen.heard) == 0.0,
        "{:?}",
        seen.heard
    );
    assert!(share(&listener.said, &seen.officers[&1].heard) == 0.0);
    assert_eq!(
        seen.words_of_officers(),
        [(1, HELLO)],
        "once: the officer's own"
    );
}

#[tokio::test(start_paused = true)]
async fn who_coaches_is_heard_by_the_officer_and_by_nobody_else() {
    let seen = on_duty(
        vec![Act::HangsUpAt(s(80))],
        vec![
            (
                Duration::ZERO,
                AtTheDesk::Coaches(2, vec![Act::SpeaksAt(s(50), "ask where she is now")]),
            ),
            accepts(Vec::new()),
        ],
    )
    .play()
    .await;
    let coach = &seen.officers[&2];
    assert_eq!(coach.said.len(), 1);
    assert!(share(&coach.said, &seen.officers[&1].heard) > 0.9);
    assert!(share(&coach.said, &seen.heard) == 0.0, "{:?}", seen.heard);
    let all = seen
        .ended
        .messages
        .iter()
        .map(|message| message.words.expose_secret().as_str());
    assert!(!all.collect::<String>().contains("where she is"));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_nobody_was_rung_for_can_be_taken_over_and_the_caller_is_told() {
    let seen = Scene {
        acts: vec![
            Act::Replies("I had a very long day at work"),
            Act::HangsUpAt(s(90)),
        ],
        at_the_desk: vec![
            (
                s(2),
                AtTheDesk::Listens(1, vec![Act::SpeaksAt(s(50), HELLO)]),
            ),
            (s(40), AtTheDesk::TakesOver(1)),
        ],
        ..Scene::default()
    }
    .play()
    .await;
    let told = seen.heard_from(s(40));
    assert!(told < s(41), "{told:?}");
    assert!(
        seen.last_words().contains("duty officer"),
        "{}",
        seen.last_words()
    );
    assert!(share(&seen.officers[&1].said, &seen.heard) > 0.9);
    assert_eq!(seen.ended.reason, EndReason::Forwarded);
    let summary = seen.ended.note.summary.expose_secret();
    assert!(summary.contains("took the call over"), "{summary}");
}

/// Whenever they take it over while its transfer is being prepared, after whose words it would end, or others be rung.
#[tokio::test(start_paused = true)]
async fn who_takes_a_call_over_before_its_transfer_is_told_has_it_and_nobody_else_is_rung() {
    let moments = (85..117).step_by(4);
    for (tenths, on_duty) in moments.flat_map(|tenths| [(tenths, true), (tenths, false)]) {
        let at = Duration::from_millis(tenths * 100);
        let listens = AtTheDesk::Listens(1, vec![Act::SpeaksAt(s(20), HELLO)]);
        let seen = Scene {
            acts: vec![Act::Replies(WANTS_TO_DIE), Act::HangsUpAt(s(60))],
            on_duty,
            before_any_ring: vec![(s(2), listens), (at, AtTheDesk::TakesOver(1))],
            ..Scene::default()
        }
        .play()
        .await;
        assert!(seen.length > s(59), "at {at:?}: {:?}", seen.length);
        assert!(seen.rung.is_empty(), "at {at:?}: {:?}", seen.rung);
        assert!(share(&seen.officers[&1].said, &seen.heard) > 0.9);
        assert_eq!(seen.words_of(Speaker::Caller), [WANTS_TO_DIE], "at {at:?}");
        let told = seen.last_words();
        assert!(told.contains("duty officer"), "at {at:?}: {told}");
        assert!(seen.ended.note.structured_data.urgent, "at {at:?}");
        assert_eq!(seen.ended.reason, EndReason::Forwarded);
    }
}

#[tokio::test(start_paused = true)]
async fn who_is_not_on_a_call_does_not_take_it_over() {
    let seen = Scene {
        acts: vec![Act::HangsUpAt(s(10))],
        at_the_desk: vec![(s(5), AtTheDesk::TakesOverInVain(1))],
        ..Scene::default()
    }
    .play()
    .await;
    let joined = |event: &CallEvent| matches!(event, CallEvent::OfficerJoined { .. });
    assert!(!seen.events.iter().any(joined));
    assert_eq!(seen.ended.reason, EndReason::CallerEnded);
}

#[tokio::test(start_paused = true)]
async fn when_a_supervisor_takes_over_from_an_officer_the_caller_is_told_that_another_has_joined() {
    let seen = on_duty(
        vec![Act::HangsUpAt(s(110))],
        vec![
            (
                Duration::ZERO,
                AtTheDesk::Listens(2, vec![Act::SpeaksAt(s(90), "I am with you as well")]),
            ),
            accepts(Vec::new()),
            (s(50), AtTheDesk::TakesOver(2)),
        ],
    )
    .play()
    .await;
    let taken_over = seen.rung[0].0 + s(50);
    let (_, hello) = seen.officers[&1].said[0];
    assert!(hello < taken_over, "{hello:?} {taken_over:?}");
    let told = seen.heard_from(taken_over);
    assert!(told < taken_over + s(1), "{told:?} {taken_over:?}");
    let words = seen.last_words();
    assert!(
        words.contains("Another duty officer") || words.contains("second person"),
        "{words}"
    );
    let joined = seen
        .events
        .iter()
        .filter(|event| matches!(event, CallEvent::OfficerJoined { .. }));
    assert_eq!(joined.count(), 2);
    assert!(
        share(&seen.officers[&2].said, &seen.heard) > 0.9,
        "{:?}",
        seen.heard
    );
}

#[tokio::test(start_paused = true)]
async fn what_a_supervisor_whispers_is_said_at_the_next_turn_in_the_assistants_own_words() {
    let seen = Scene {
        acts: vec![
            Act::Replies("I had a very long day at work"),
            Act::Replies("and nobody asks how I am"),
            Act::HangsUpAt(s(60)),
        ],
        at_the_desk: vec![(s(8), AtTheDesk::Whispers(Hint::SayTheSuicideLine))],
        ..Scene::default()
    }
    .play()
    .await;
    let said = seen.words_of(Speaker::Assistant);
    let with_it: Vec<_> = said.iter().filter(|words| words.contains("1767")).collect();
    assert_eq!(with_it.len(), 1, "{said:?}");
    assert!(with_it[0].ends_with('?'), "it asks on: {said:?}");
    let label = Hint::SayTheSuicideLine.label();
    assert!(!said.join(" ").contains(label));
}

/// Whenever it comes: while nobody speaks, while a turn is heard, while its reply is being prepared or said.
#[tokio::test(start_paused = true)]
async fn a_hint_is_never_lost_and_never_said_twice() {
    for tenths in (0..120).step_by(11) {
        let at = Duration::from_millis(tenths * 100);
        let seen = Scene {
            acts: vec![
                Act::Replies("I had a very long day at work"),
                Act::Replies("and nobody asks how I am"),
                Act::Replies("it has been like this for years"),
                Act::HangsUpAt(s(60)),
            ],
            at_the_desk: vec![(at, AtTheDesk::Whispers(Hint::SayTheAbuseLine))],
            ..Scene::default()
        }
        .play()
        .await;
        let said = seen.words_of(Speaker::Assistant);
        let times = said.join(" ").matches("1800").count();
        assert_eq!(times, 1, "whispered at {at:?}: {said:?}");
    }
}
