//! A warm transfer that reaches people, in virtual time: what the caller, the officers and the desk
//! hear and are told. The flow, turn-taking and the hand-over are the real ones.
#![allow(clippy::unwrap_used)]

#[path = "support/scene.rs"]
mod scene;

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
async fn who_waits_for_help_is_heard_before_others_and_was_heard_in_turn_before_that() {
    let acts = vec![
        Act::SpeaksAt(s(40), "please tell them to hurry"),
        Act::HangsUpAt(s(60)),
    ];
    let seen = on_duty(acts, Vec::new()).play().await;
    let standings = &seen.standings;
    assert_eq!(standings.first(), Some(&Standing::Ordinary));
    assert_eq!(standings.last(), Some(&Standing::Urgent), "{standings:?}");
}

#[tokio::test(start_paused = true)]
async fn while_nobody_answers_the_caller_is_kept_company_and_then_told_whom_to_ring() {
    let seen = on_duty(vec![Act::HangsUpAt(s(85))], Vec::new())
        .play()
        .await;
    let rang = seen.rung[0].0;
    let times: Vec<_> = seen
        .rung
        .iter()
        .map(|(at, asked)| ((*at - rang).as_secs(), asked.clone()))
        .collect();
    assert_eq!(
        times,
        [
            (0, Asked::Rings(Agency::Sos, Ring::Those)),
            (10, Asked::Rings(Agency::Sos, Ring::Everyone)),
            (60, Asked::StopsRinging(None)),
            (60, Asked::Alerts(Unreached::NobodyAnswered)),
        ]
    );
    for told in [20, 40, 60] {
        let next = seen.heard_from(rang + s(told));
        assert!(next - rang < s(told + 2), "{told} s: {:?}", seen.heard);
    }
    assert!(seen.last_words().contains("1767"), "{}", seen.last_words());
    let note = &seen.ended.note.structured_data;
    assert!(note.urgent && !note.transferred, "nobody talked with them");
    assert!(
        seen.follow_up().to_lowercase().contains("no duty officer"),
        "{}",
        seen.follow_up()
    );
}

#[tokio::test(start_paused = true)]
async fn when_everybody_declines_the_assistant_is_back_within_two_seconds() {
    let seen = on_duty(
        vec![Act::HangsUpAt(s(90))],
        vec![(s(20), AtTheDesk::AllDecline)],
    )
    .play()
    .await;
    let (declined, alert) = seen.rung.last().unwrap();
    assert_eq!(*alert, Asked::Alerts(Unreached::AllDeclined));
    let back = seen.heard_from(*declined);
    assert!(back - *declined < s(2), "{back:?} after {declined:?}");
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

#[tokio::test(start_paused = true)]
async fn when_an_officers_line_drops_in_the_talk_the_assistant_is_back_within_two_seconds() {
    let seen = on_duty(
        vec![Act::HangsUpAt(s(72))],
        vec![accepts(vec![Act::IsLostAt(s(60))])],
    )
    .play()
    .await;
    the_line_that_was_lost_after_a_minute_is_made_good(&seen);
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
async fn an_officer_who_talks_no_more_and_listens_instead_leaves_the_caller_with_the_assistant() {
    let seen = on_duty(
        vec![Act::HangsUpAt(s(72))],
        vec![
            accepts(Vec::new()),
            (s(33), AtTheDesk::Listens(1, Vec::new())),
        ],
    )
    .play()
    .await;
    assert_eq!(
        seen.asked().last().unwrap(),
        &Asked::Alerts(Unreached::LineDropped)
    );
    assert!(seen.last_words().contains("1767"), "{}", seen.last_words());
    let line = &seen.officers[&1];
    assert!(!line.heard.is_empty(), "they hear it: {line:?}");
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
async fn an_officer_who_accepts_and_does_not_come_costs_the_caller_eight_seconds() {
    let seen = on_duty(
        vec![Act::HangsUpAt(s(80))],
        vec![
            (s(1), AtTheDesk::Accepts(1, None)),
            (
                s(12),
                AtTheDesk::Accepts(2, Some(vec![Act::Replies(HELLO)])),
            ),
        ],
    )
    .play()
    .await;
    assert_eq!(seen.accepted, [(1, Ok(())), (2, Ok(()))]);
    let rings = seen
        .rung
        .iter()
        .filter(|(_, asked)| matches!(asked, Asked::Rings(..)));
    let rings: Vec<_> = rings
        .map(|(at, _)| (*at - seen.rung[0].0).as_secs())
        .collect();
    assert_eq!(rings, [0, 9]);
    assert_eq!(seen.words_of_officers(), [(2, HELLO)]);
}

#[tokio::test(start_paused = true)]
async fn an_officer_who_gives_a_call_back_before_their_line_is_there_costs_the_caller_nothing() {
    let seen = on_duty(
        vec![Act::HangsUpAt(s(80))],
        vec![
            (s(1), AtTheDesk::Accepts(1, None)),
            (s(2), AtTheDesk::Leaves(1)),
            (s(3), AtTheDesk::Accepts(2, Some(vec![Act::Replies(HELLO)]))),
        ],
    )
    .play()
    .await;
    assert_eq!(seen.accepted, [(1, Ok(())), (2, Ok(()))]);
    assert_eq!(seen.words_of_officers(), [(2, HELLO)]);
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
async fn an_officer_who_gives_a_call_back_as_they_are_put_through_does_not_hang_up_on_the_caller() {
    let seen = on_duty(
        vec![Act::HangsUpAt(s(30))],
        vec![
            (s(1), AtTheDesk::Accepts(1, Some(Vec::new()))),
            (s(4), AtTheDesk::IsReady(1)),
            (s(5), AtTheDesk::Leaves(1)),
        ],
    )
    .play()
    .await;
    let has_joined = |event: &CallEvent| matches!(event, CallEvent::OfficerJoined { .. });
    assert!(seen.events.iter().any(has_joined), "they were put through");
    assert!(seen.length > s(29), "{:?}", seen.length);
    assert_eq!(
        seen.asked().last().unwrap(),
        &Asked::Alerts(Unreached::LineDropped)
    );
    assert_eq!(seen.ended.reason, EndReason::CallerEnded);
}

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
async fn a_caller_who_hangs_up_while_officers_are_rung_is_not_rung_for_any_more() {
    let seen = on_duty(vec![Act::HangsUpAt(s(35))], Vec::new())
        .play()
        .await;
    assert_eq!(seen.asked().last().unwrap(), &Asked::StopsRinging(None));
    assert_eq!(seen.ended.reason, EndReason::CallerEnded);
    assert!(seen.ended.note.structured_data.urgent);
    assert!(
        !seen.ended.note.structured_data.transferred,
        "nobody talked with them"
    );
}

#[tokio::test(start_paused = true)]
async fn where_nobody_is_on_duty_the_call_ends_with_the_words_of_the_transfer() {
    let seen = Scene {
        acts: vec![Act::Replies(WANTS_TO_DIE)],
        ..Scene::default()
    }
    .play()
    .await;
    assert!(seen.rung.is_empty());
    assert_eq!(seen.ended.reason, EndReason::Forwarded);
    assert!(seen.ended.note.structured_data.transferred);
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
