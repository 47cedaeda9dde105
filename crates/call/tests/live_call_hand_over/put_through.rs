//! An officer accepts: they are briefed, put through, and talk with the caller.

use super::*;

#[tokio::test(start_paused = true)]
async fn an_officer_who_accepts_is_briefed_and_then_they_and_the_caller_hear_each_other() {
    let seen = on_duty(
        vec![
            Act::SpeaksAt(s(60), "thank you for coming to the phone"),
            Act::HangsUpAt(s(80)),
        ],
        vec![accepts(vec![Act::SpeaksAt(s(70), "I have time for you")])],
    )
    .play()
    .await;
    let taken = Asked::StopsRinging(Some(officer(1)));
    assert_eq!(
        seen.asked(),
        [Asked::Rings(Agency::Sos, Ring::Those), taken]
    );
    let line = &seen.officers[&1];
    let (rang, (briefed, _)) = (seen.rung[0].0, line.heard[0]);
    assert!(
        briefed < rang + s(1) + Duration::from_millis(500),
        "{line:?}"
    );
    assert!(share(&seen.said[1..], &line.heard) > 0.9, "{line:?}");
    assert!(share(&line.said, &seen.heard) > 0.9, "{:?}", seen.heard);
    assert_eq!(
        seen.words_of_officers(),
        [(1, HELLO), (1, "I have time for you")]
    );
    assert_eq!(
        seen.words_of(Speaker::Caller),
        [WANTS_TO_DIE, "thank you for coming to the phone"]
    );
    assert!(
        seen.last_words().contains("duty officer"),
        "{}",
        seen.last_words()
    );
    assert_eq!(seen.ended.reason, EndReason::Forwarded);
    assert!(seen.ended.note.structured_data.transferred);
}

#[tokio::test(start_paused = true)]
async fn from_when_an_officer_has_spoken_the_assistant_says_nothing_more() {
    let seen = on_duty(
        vec![
            Act::SpeaksAt(s(60), "what is going to happen to me now"),
            // Longer than a caller may be silent with the assistant, and than a call may last.
            Act::HangsUpAt(s(700)),
        ],
        vec![accepts(Vec::new())],
    )
    .play()
    .await;
    let line = &seen.officers[&1];
    let (_, hello) = line.said[0];
    let after: Vec<_> = seen
        .heard
        .iter()
        .filter(|(from, _)| *from > hello)
        .collect();
    assert!(after.is_empty(), "{after:?}");
    assert_eq!(seen.ended.reason, EndReason::Forwarded);
    assert!(seen.length > s(690), "{:?}", seen.length);
}

#[tokio::test(start_paused = true)]
async fn the_caller_hears_nothing_of_the_briefing_and_who_is_briefed_nothing_of_the_caller() {
    let seen = on_duty(
        vec![
            Act::SpeaksAt(s(32), "is anybody there"),
            Act::HangsUpAt(s(60)),
        ],
        vec![(
            s(20),
            AtTheDesk::Accepts(1, Some(vec![Act::Replies(HELLO)])),
        )],
    )
    .play()
    .await;
    let line = &seen.officers[&1];
    let joined = seen
        .events
        .iter()
        .any(|event| matches!(event, CallEvent::OfficerJoined { .. }));
    assert!(joined);
    // The ring at about 11.7 s, the acceptance at 31.7 s, the caller's words within the briefing.
    let briefing = [line.heard[0]];
    assert!(briefing[0].0 > s(31) && briefing[0].0 < s(32), "{line:?}");
    let in_the_briefing = share(&[seen.said[1]], &briefing);
    assert!(in_the_briefing > 0.9, "{:?} {briefing:?}", seen.said);
    let heard: Vec<_> = seen
        .heard
        .iter()
        .filter(|(from, to)| *from < briefing[0].1 && *to > briefing[0].0 + s(1))
        .collect();
    let words = seen.words_of(Speaker::Assistant).join(" ");
    assert!(
        !words.contains("Caller"),
        "the note's words are the officer's: {words}"
    );
    assert!(
        heard.len() <= 1,
        "no more than the word on how it is going: {heard:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn while_an_officer_is_briefed_nothing_new_is_said_to_a_caller_who_is_silent() {
    // The words of the transfer may still be said; they accept early enough to be through before it is told how it is going.
    let seen = on_duty(
        vec![Act::HangsUpAt(s(60))],
        vec![(s(9), AtTheDesk::Accepts(1, Some(vec![Act::Replies(HELLO)])))],
    )
    .play()
    .await;
    let (rang, (briefed, _)) = (seen.rung[0].0, seen.officers[&1].heard[0]);
    let mut said = seen.ended.messages.iter();
    let joined = said.find(|message| {
        let words = message.words.expose_secret();
        message.speaker == Speaker::Assistant
            && message.from > briefed
            && words.contains("duty officer")
    });
    let joined = joined.unwrap().from;
    assert!(briefed > rang + s(9) && joined < rang + s(20), "{joined:?}");
    assert!(joined > briefed + s(2), "it is a sentence: {briefed:?}");
    let before = joined.saturating_sub(Duration::from_millis(100));
    let meanwhile = seen
        .heard
        .iter()
        .filter(|(from, _)| (briefed..before).contains(from));
    let meanwhile: Vec<_> = meanwhile.collect();
    assert!(meanwhile.is_empty(), "{meanwhile:?} after {briefed:?}");
}

#[tokio::test(start_paused = true)]
async fn an_officer_who_comes_on_another_line_goes_on_talking_with_the_caller() {
    const ELSEWHERE: &str = "I am at another desk now";
    let seen = on_duty(
        vec![Act::HangsUpAt(s(75))],
        vec![
            accepts(Vec::new()),
            (
                s(33),
                AtTheDesk::Accepts(1, Some(vec![Act::SpeaksAt(s(60), ELSEWHERE)])),
            ),
        ],
    )
    .play()
    .await;
    let line = &seen.officers[&1];
    assert!(share(&line.said, &seen.heard) > 0.9, "{:?}", seen.heard);
    assert_eq!(seen.words_of_officers(), [(1, HELLO), (1, ELSEWHERE)]);
    assert_eq!(seen.ended.reason, EndReason::Forwarded);
}

#[tokio::test(start_paused = true)]
async fn of_two_officers_who_accept_one_has_the_call_and_the_other_hears_who() {
    let seen = on_duty(
        vec![Act::HangsUpAt(s(60))],
        vec![
            accepts(Vec::new()),
            (
                s(1),
                AtTheDesk::Accepts(2, Some(vec![Act::SpeaksAt(s(40), HELLO)])),
            ),
        ],
    )
    .play()
    .await;
    let first = officer(1);
    assert_eq!(
        seen.accepted,
        [(1, Ok(())), (2, Err(NotAccepted::TakenBy(first)))]
    );
    assert!(
        seen.officers[&2].heard.is_empty(),
        "they are not on the call"
    );
    assert_eq!(seen.words_of_officers(), [(1, HELLO)]);
}

#[tokio::test(start_paused = true)]
async fn an_officer_who_is_done_ends_the_call() {
    let seen = on_duty(
        Vec::new(),
        vec![accepts(Vec::new()), (s(40), AtTheDesk::Leaves(1))],
    )
    .play()
    .await;
    assert_eq!(seen.ended.reason, EndReason::Forwarded);
    assert!(seen.length < s(60), "{:?}", seen.length);
}

#[tokio::test(start_paused = true)]
async fn of_two_officers_who_talk_with_a_caller_one_may_go_and_the_last_ends_the_call() {
    const STAYS: &str = "I have time for you";
    let seen = on_duty(
        vec![Act::HangsUpAt(s(200))],
        vec![
            (
                Duration::ZERO,
                AtTheDesk::Listens(2, vec![Act::SpeaksAt(s(90), STAYS)]),
            ),
            accepts(Vec::new()),
            (s(50), AtTheDesk::TakesOver(2)),
            (s(60), AtTheDesk::Leaves(1)),
            (s(100), AtTheDesk::Leaves(2)),
        ],
    )
    .play()
    .await;
    assert_eq!(seen.words_of_officers(), [(1, HELLO), (2, STAYS)]);
    assert!(share(&seen.officers[&2].said, &seen.heard) > 0.9);
    let has_left = |event: &CallEvent| matches!(event, CallEvent::OfficerLeft { officer: it } if *it == officer(1));
    assert!(
        seen.events.iter().any(has_left),
        "the desk is told who has gone"
    );
    let alerts = |asked: &Asked| matches!(asked, Asked::Alerts(_));
    assert!(!seen.asked().iter().any(alerts), "nobody was lost");
    assert_eq!(seen.ended.reason, EndReason::Forwarded);
    assert!(seen.length < s(120), "{:?}", seen.length);
}

/// The ring is at about 11.7 s: an officer leaves in the 61st second.
fn leaves_at_61_s() -> (Duration, AtTheDesk) {
    (Duration::from_millis(49_300), AtTheDesk::Leaves(1))
}

const ON_ITS_WAY: &str = "an ambulance is on its way to you now";

#[tokio::test(start_paused = true)]
async fn what_is_being_said_as_an_officer_ends_the_call_is_on_the_record() {
    let officers = on_duty(
        Vec::new(),
        vec![
            accepts(vec![Act::SpeaksAt(s(60), ON_ITS_WAY)]),
            leaves_at_61_s(),
        ],
    )
    .play()
    .await;
    assert!(officers.length < s(63), "{:?}", officers.length);
    assert_eq!(officers.words_of_officers(), [(1, HELLO), (1, ON_ITS_WAY)]);
    const WAIT: &str = "wait he is coming up the stairs right now";
    let callers = on_duty(
        vec![Act::SpeaksAt(s(60), WAIT)],
        vec![accepts(Vec::new()), leaves_at_61_s()],
    )
    .play()
    .await;
    assert!(callers.length < s(63), "{:?}", callers.length);
    assert_eq!(callers.words_of(Speaker::Caller), [WANTS_TO_DIE, WAIT]);
    for seen in [officers, callers] {
        assert_eq!(seen.ended.reason, EndReason::Forwarded);
    }
}

#[tokio::test(start_paused = true)]
async fn what_an_officer_is_saying_as_the_caller_leaves_is_on_the_record() {
    let scene = on_duty(
        Vec::new(),
        vec![accepts(vec![Act::SpeaksAt(s(60), ON_ITS_WAY)])],
    );
    let seen = Scene {
        page_leaves_at: Some(s(61)),
        ..scene
    }
    .play()
    .await;
    assert_eq!(seen.words_of_officers(), [(1, HELLO), (1, ON_ITS_WAY)]);
    assert_eq!(seen.ended.reason, EndReason::Forwarded);
    assert!(seen.length < s(62), "{:?}", seen.length);
}

#[tokio::test(start_paused = true)]
async fn an_officer_who_mutes_themselves_has_said_what_they_were_saying() {
    let mutes = Act::Sends(r#"{"type":"control","control":"mute-caller"}"#);
    let seen = on_duty(
        vec![Act::HangsUpAt(s(90))],
        vec![accepts(vec![Act::SpeaksAt(s(60), ON_ITS_WAY), mutes])],
    )
    .play()
    .await;
    assert_eq!(seen.words_of_officers(), [(1, HELLO), (1, ON_ITS_WAY)]);
    let (_, said) = seen.officers[&1].said[1];
    let to = seen.ended.messages.last().unwrap().to;
    assert!(to < said + Duration::from_millis(100), "{to:?} {said:?}");
}

#[tokio::test(start_paused = true)]
async fn what_an_officer_says_while_a_callers_turn_waits_is_stored_with_the_next() {
    let seen = on_duty(
        vec![
            Act::SpeaksAt(s(60), "thank you for coming to the phone"),
            Act::SpeaksAt(s(72), "yes I am alone"),
            Act::HangsUpAt(s(80)),
        ],
        vec![accepts(vec![Act::SpeaksAt(
            Duration::from_millis(62_500),
            "are you alone",
        )])],
    )
    .play()
    .await;
    for said in ["are you alone", "yes I am alone"] {
        let stored = seen.stored.iter().any(|it| it == said);
        assert!(stored, "{said}: {:?}", seen.stored);
    }
}

#[tokio::test(start_paused = true)]
async fn of_two_officers_on_a_call_each_has_said_what_they_said() {
    const FIRST: &str = "I am back with you";
    const SECOND: &str = "I have time for you";
    let seen = on_duty(
        vec![Act::HangsUpAt(s(115))],
        vec![
            (
                Duration::ZERO,
                AtTheDesk::Listens(2, vec![Act::SpeaksAt(s(90), SECOND)]),
            ),
            accepts(vec![Act::SpeaksAt(s(100), FIRST)]),
            (s(50), AtTheDesk::TakesOver(2)),
        ],
    )
    .play()
    .await;
    assert_eq!(
        seen.words_of_officers(),
        [(1, HELLO), (2, SECOND), (1, FIRST)]
    );
    let told = seen.events.iter().filter_map(|event| match event {
        CallEvent::Transcript {
            speaker: Speaker::Officer(who),
            ..
        } => *who,
        _ => None,
    });
    assert_eq!(
        told.collect::<Vec<_>>(),
        [officer(1), officer(2), officer(1)]
    );
}

#[tokio::test(start_paused = true)]
async fn the_desk_is_told_each_step_of_the_flow_once() {
    let seen = on_duty(
        vec![
            Act::SpeaksAt(s(60), "thank you for coming to the phone"),
            Act::HangsUpAt(s(80)),
        ],
        vec![accepts(Vec::new())],
    )
    .play()
    .await;
    let steps = seen.events.iter().filter_map(|event| match event {
        CallEvent::Stepped { step } => Some(*step),
        _ => None,
    });
    assert_eq!(
        steps.collect::<Vec<_>>(),
        [
            Step::AskingWhetherSafe,
            Step::Connecting,
            Step::WithAnOfficer
        ]
    );
}
