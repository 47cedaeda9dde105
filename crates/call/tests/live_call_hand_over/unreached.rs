//! Nobody has the caller yet, or not any more: they are kept company, and told whom to ring.

use super::*;

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
async fn who_tells_of_danger_is_spoken_to_before_others_from_the_reply_to_it_on() {
    let seen = on_duty(vec![Act::HangsUpAt(s(60))], Vec::new())
        .play()
        .await;
    let greeting = seen.words_of(Speaker::Assistant).swap_remove(0);
    let spoken_to = &seen.spoken_to;
    assert!(spoken_to.iter().any(|it| it.0 == Standing::Urgent));
    for (standing, sentence) in spoken_to {
        let expected = match greeting.contains(sentence.as_str()) {
            true => Standing::Ordinary,
            false => Standing::Urgent,
        };
        assert_eq!(*standing, expected, "{sentence}");
    }
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
async fn of_an_officer_who_accepts_and_does_not_come_it_is_told_that_and_not_that_all_declined() {
    let seen = on_duty(
        vec![Act::HangsUpAt(s(37))],
        vec![
            (s(1), AtTheDesk::Accepts(1, None)),
            (s(12), AtTheDesk::AllDecline),
        ],
    )
    .play()
    .await;
    let told = seen.events.iter().filter_map(|event| match event {
        CallEvent::OfficersRung { .. } => Some("rung"),
        CallEvent::OfficerAccepted { .. } => Some("accepted"),
        CallEvent::OfficerNeverCame { officer: who } if *who == officer(1) => Some("never came"),
        CallEvent::OfficerLeft { .. } => Some("left"),
        CallEvent::OfficersUnreached { .. } => Some("unreached"),
        _ => None,
    });
    let told: Vec<_> = told.collect();
    assert_eq!(
        told,
        ["rung", "accepted", "never came", "rung", "unreached"]
    );
    assert_eq!(
        seen.asked().last().unwrap(),
        &Asked::Alerts(Unreached::AcceptedInVain)
    );
    assert!(seen.last_words().contains("1767"), "{}", seen.last_words());
    let summary = seen.ended.note.summary.expose_secret();
    assert!(
        summary.contains("accepted the call for SOS and did not reach the caller"),
        "{summary}"
    );
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
    assert!(seen.asked().contains(&Asked::IsGivenBack(officer(1))));
    assert_eq!(seen.accepted, [(1, Ok(())), (2, Ok(()))]);
    assert_eq!(seen.words_of_officers(), [(2, HELLO)]);
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
