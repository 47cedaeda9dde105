//! A caller on hold has the assistant; officers have each other.

use super::*;

/// The ring is at about 11.7 s: a hold from then on is heard from 45 s on, and its end in the 72nd second.
fn on_hold_from_44_s_to_71_s() -> [(Duration, AtTheDesk); 2] {
    [
        (s(33), AtTheDesk::PutsOnHold(1)),
        (s(60), AtTheDesk::TakesBack(1)),
    ]
}

#[tokio::test(start_paused = true)]
async fn on_hold_the_caller_has_the_assistant_alone_and_officers_have_each_other() {
    let coach = AtTheDesk::Coaches(2, vec![Act::SpeaksAt(s(52), "ask where she is now")]);
    let mut at_the_desk = vec![
        (Duration::ZERO, coach),
        accepts(vec![
            Act::SpeaksAt(s(56), "what am I to tell her"),
            Act::SpeaksAt(s(80), "I am back with you"),
        ]),
    ];
    at_the_desk.extend(on_hold_from_44_s_to_71_s());
    let seen = on_duty(
        vec![
            Act::SpeaksAt(s(61), "I had a very long day at work"),
            Act::HangsUpAt(s(95)),
        ],
        at_the_desk,
    )
    .play()
    .await;
    let (officer, coach) = (&seen.officers[&1], &seen.officers[&2]);
    let [_, aside, back] = officer.said[..] else {
        panic!("{officer:?}");
    };
    assert!(share(&[aside], &seen.heard) == 0.0, "{:?}", seen.heard);
    assert!(share(&[aside], &coach.heard) > 0.9, "{coach:?}");
    assert!(share(&coach.said, &officer.heard) > 0.9, "{officer:?}");
    let caller = seen.said[1];
    for line in [officer, coach] {
        assert!(share(&[caller], &line.heard) == 0.0, "{line:?}");
    }
    let answered = seen.heard_from(caller.1);
    assert!(answered - caller.1 < s(4), "{answered:?} after {caller:?}");
    assert!(share(&[back], &seen.heard) > 0.9, "{:?}", seen.heard);
    assert_eq!(
        seen.words_of_officers(),
        [(1, HELLO), (1, "I am back with you")],
        "what is said aside is on no transcript"
    );
    let told = seen.words_of(Speaker::Assistant).join(" ");
    assert!(told.contains("be back"), "{told}");
    let holds = seen.events.iter().filter_map(|event| match event {
        CallEvent::CallerOnHold => Some("on"),
        CallEvent::HoldEndsSoon { .. } => Some("soon"),
        CallEvent::CallerOffHold => Some("off"),
        _ => None,
    });
    assert_eq!(holds.collect::<Vec<_>>(), ["on", "off"]);
    assert_eq!(seen.ended.reason, EndReason::Forwarded);
}

#[tokio::test(start_paused = true)]
async fn who_speaks_of_danger_on_hold_is_told_whom_to_ring_and_the_call_goes_on() {
    let mut at_the_desk = vec![accepts(vec![Act::SpeaksAt(s(80), "I am back with you")])];
    at_the_desk.extend(on_hold_from_44_s_to_71_s());
    let seen = on_duty(
        vec![
            Act::SpeaksAt(s(55), "he is hitting me"),
            Act::HangsUpAt(s(95)),
        ],
        at_the_desk,
    )
    .play()
    .await;
    let told = seen.words_of(Speaker::Assistant).join(" ");
    assert!(told.contains("999"), "{told}");
    assert!(share(&[seen.officers[&1].said[1]], &seen.heard) > 0.9);
    assert_eq!(seen.ended.reason, EndReason::Forwarded);
}

#[tokio::test(start_paused = true)]
async fn a_hold_that_nobody_ends_is_told_of_and_ends_after_two_minutes() {
    let seen = on_duty(
        vec![Act::HangsUpAt(s(190))],
        vec![
            accepts(vec![Act::SpeaksAt(s(168), "I am back with you")]),
            (s(33), AtTheDesk::PutsOnHold(1)),
        ],
    )
    .play()
    .await;
    let held = seen.rung[0].0 + s(33);
    for told in [20, 40, 60, 80, 100, 120] {
        let next = seen.heard_from(held + s(told));
        assert!(next - held < s(told + 2), "{told} s: {:?}", seen.heard);
    }
    let soon = seen.events.iter().find_map(|event| match event {
        CallEvent::HoldEndsSoon { within } => Some(*within),
        _ => None,
    });
    assert_eq!(soon, Some(s(30)));
    assert!(share(&[seen.officers[&1].said[1]], &seen.heard) > 0.9);
    assert_eq!(seen.ended.reason, EndReason::Forwarded);
}

#[tokio::test(start_paused = true)]
async fn when_the_officers_line_drops_on_hold_the_assistant_says_whom_to_ring() {
    let seen = on_duty(
        vec![Act::HangsUpAt(s(72))],
        vec![
            accepts(vec![Act::IsLostAt(s(60))]),
            (s(33), AtTheDesk::PutsOnHold(1)),
        ],
    )
    .play()
    .await;
    the_line_that_was_lost_after_a_minute_is_made_good(&seen);
}

#[tokio::test(start_paused = true)]
async fn an_officer_who_leaves_on_hold_does_not_hang_up_on_the_caller() {
    let seen = on_duty(
        vec![Act::HangsUpAt(s(72))],
        vec![
            accepts(Vec::new()),
            (s(33), AtTheDesk::PutsOnHold(1)),
            (s(48), AtTheDesk::Leaves(1)),
        ],
    )
    .play()
    .await;
    assert!(seen.length > s(71), "{:?}", seen.length);
    assert_eq!(
        seen.asked().last().unwrap(),
        &Asked::Alerts(Unreached::LineDropped)
    );
    assert!(seen.last_words().contains("1767"), "{}", seen.last_words());
    assert_eq!(seen.ended.reason, EndReason::CallerEnded);
}
