//! How a duty officer comes to a call: each situation, and what holds whatever happens.

use std::time::Duration;

use proptest::collection::vec;
use proptest::prelude::*;
use turn::HandOverCommand::*;
use turn::HandOverEvent::*;
use turn::{HandOver, HandOverCommand, HandOverPlan, NotTaken, NotTalking, Ring, Unreached};

type Officer = char;

const A: Officer = 'a';
const B: Officer = 'b';

fn s(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// A hand-over by the clock, with every command and its second.
struct Scene {
    hand_over: HandOver<Officer>,
    now: Duration,
    story: Vec<(u64, HandOverCommand<Officer>)>,
}

impl Scene {
    fn decided() -> Self {
        Self::of(HandOver::decided(HandOverPlan::default(), Duration::ZERO))
    }

    fn of(hand_over: HandOver<Officer>) -> Self {
        let mut scene = Self {
            hand_over,
            now: Duration::ZERO,
            story: Vec::new(),
        };
        scene.note();
        scene
    }

    fn note(&mut self) {
        while let Some(command) = self.hand_over.poll_command() {
            self.story.push((self.now.as_secs(), command));
        }
    }

    /// Lets time pass up to this second.
    fn until(mut self, second: u64) -> Self {
        while let Some((due, _)) = self
            .hand_over
            .poll_deadline()
            .filter(|(at, _)| *at <= s(second))
        {
            self.now = due;
            self.hand_over.handle_deadline(due);
            self.note();
        }
        self.now = s(second);
        self
    }

    fn at(self, second: u64, event: turn::HandOverEvent<Officer>) -> Self {
        let mut scene = self.until(second);
        scene.hand_over.handle(event, s(second));
        scene.note();
        scene
    }

    fn accepts(self, second: u64, officer: Officer) -> Self {
        let mut scene = self.until(second);
        assert_eq!(scene.hand_over.accept(officer, s(second)), Ok(()));
        scene.note();
        scene
    }

    fn puts_on_hold(self, second: u64, officer: Officer) -> Self {
        let mut scene = self.until(second);
        assert_eq!(scene.hand_over.put_on_hold(officer, s(second)), Ok(()));
        scene.note();
        scene
    }

    fn takes_back(self, second: u64, officer: Officer) -> Self {
        let mut scene = self.until(second);
        assert_eq!(scene.hand_over.take_off_hold(officer, s(second)), Ok(()));
        scene.note();
        scene
    }

    /// What happened from this second on.
    fn since(&self, second: u64) -> Vec<(u64, HandOverCommand<Officer>)> {
        let later = self.story.iter().filter(|(at, _)| *at >= second);
        later.copied().collect()
    }
}

/// Accepted by A in second 5, and put through.
fn put_through() -> Scene {
    Scene::decided()
        .accepts(5, A)
        .at(6, OfficerConnected(A))
        .at(9, BriefingHeard(A))
}

#[test]
fn who_accepts_is_briefed_and_put_through_and_the_assistant_leaves_when_they_speak() {
    let scene = put_through().at(11, OfficerSpoke(A)).until(600);
    assert_eq!(
        scene.story,
        [
            (0, Ring(Ring::Those)),
            (5, StopRinging { taken_by: Some(A) }),
            (6, Brief(A)),
            (9, PutThrough(A)),
            (11, LeaveTheTalk),
        ]
    );
}

#[test]
fn those_for_the_agency_are_rung_for_ten_seconds_and_then_everybody_for_a_minute_in_all() {
    let scene = Scene::decided().until(600);
    assert_eq!(
        scene.story,
        [
            (0, Ring(Ring::Those)),
            (10, Ring(Ring::Everyone)),
            (20, TellProgress),
            (40, TellProgress),
            (60, StopRinging { taken_by: None }),
            (60, TakeBack(Unreached::NobodyAnswered)),
        ]
    );
}

#[test]
fn of_two_who_accept_the_first_has_the_call_and_the_other_hears_who() {
    let mut scene = Scene::decided().accepts(5, A);
    let other = scene.hand_over.accept(B, s(5));
    assert_eq!(other, Err(NotTaken::TakenBy(A)));
    assert_eq!(scene.hand_over.accept(A, s(5)), Ok(()), "twice is once");
    assert!(scene.hand_over.poll_command().is_none());
}

#[test]
fn when_those_for_the_agency_decline_the_others_are_rung_at_once() {
    let scene = Scene::decided().at(3, AllDeclined);
    assert_eq!(scene.since(1), [(3, Ring(Ring::Everyone))]);
}

#[test]
fn when_everybody_declines_the_assistant_is_back_at_once() {
    let scene = Scene::decided().at(3, AllDeclined).at(4, AllDeclined);
    assert_eq!(
        scene.since(4),
        [
            (4, StopRinging { taken_by: None }),
            (4, TakeBack(Unreached::AllDeclined))
        ]
    );
    assert!(scene.hand_over.is_over());
}

#[test]
fn nobody_can_accept_what_is_no_longer_ringing() {
    let mut scene = Scene::decided().until(61);
    let late = scene.hand_over.accept(A, s(61));
    assert_eq!(late, Err(NotTaken::NotRinging));
}

#[test]
fn who_accepts_and_does_not_come_onto_the_line_loses_the_call_to_the_others() {
    let scene = Scene::decided().accepts(5, A).until(14);
    assert_eq!(
        scene.since(6),
        [(13, GiveUpOn(A)), (13, Ring(Ring::Everyone))]
    );
}

#[test]
fn that_somebody_accepted_and_did_not_come_is_not_forgotten_when_nobody_else_comes() {
    let given_up = [
        (60, StopRinging { taken_by: None }),
        (60, TakeBack(Unreached::AcceptedInVain)),
    ];
    let never_came = Scene::decided().accepts(5, A).until(60);
    assert_eq!(never_came.since(60), given_up);
    let lost_while_briefed = Scene::decided()
        .accepts(5, A)
        .at(6, OfficerConnected(A))
        .at(8, OfficerLost(A))
        .until(60);
    assert_eq!(lost_while_briefed.since(60), given_up);
    let then_declined = Scene::decided().accepts(5, A).at(15, AllDeclined);
    assert_eq!(
        then_declined.since(14),
        [
            (15, StopRinging { taken_by: None }),
            (15, TakeBack(Unreached::AcceptedInVain))
        ]
    );
    let too_late_for_others = Scene::decided().accepts(59, A).until(70);
    assert_eq!(
        too_late_for_others.since(60),
        [
            (60, TellProgress),
            (67, GiveUpOn(A)),
            (67, TakeBack(Unreached::AcceptedInVain))
        ]
    );
    let another_came = Scene::decided()
        .accepts(5, A)
        .accepts(15, B)
        .at(16, OfficerConnected(B))
        .at(17, BriefingHeard(B))
        .at(18, OfficerSpoke(B))
        .at(90, OfficerLost(B));
    assert_eq!(
        another_came.since(90),
        [(90, LetGo(B)), (90, TakeBack(Unreached::LineDropped))]
    );
}

#[test]
fn who_is_lost_before_the_caller_heard_of_them_is_looked_for_among_the_others() {
    let scene = Scene::decided()
        .accepts(5, A)
        .at(6, OfficerConnected(A))
        .at(8, OfficerLost(A));
    assert_eq!(scene.since(7), [(8, LetGo(A)), (8, Ring(Ring::Everyone))]);
    let late = Scene::decided()
        .accepts(59, A)
        .at(60, OfficerConnected(A))
        .at(62, OfficerLost(A));
    assert_eq!(
        late.since(61),
        [(62, LetGo(A)), (62, TakeBack(Unreached::LineDropped))],
        "the minute is over"
    );
}

#[test]
fn an_acceptance_in_the_last_second_is_not_given_up_by_the_bound() {
    let scene = Scene::decided()
        .accepts(59, A)
        .at(62, OfficerConnected(A))
        .at(66, BriefingHeard(A));
    assert_eq!(scene.since(61), [(62, Brief(A)), (66, PutThrough(A))]);
}

#[test]
fn a_briefing_that_does_not_end_does_not_keep_the_caller_waiting() {
    let scene = Scene::decided()
        .accepts(5, A)
        .at(6, OfficerConnected(A))
        .until(27);
    assert_eq!(scene.since(21), [(26, PutThrough(A))]);
}

#[test]
fn the_caller_is_told_how_it_is_going_until_they_are_put_through() {
    let scene = Scene::decided()
        .accepts(19, A)
        .at(20, OfficerConnected(A))
        .until(39)
        .at(39, BriefingHeard(A))
        .at(39, OfficerSpoke(A))
        .until(200);
    let told = scene.story.iter().filter(|(_, what)| *what == TellProgress);
    assert_eq!(told.count(), 1);
}

#[test]
fn when_the_line_of_who_talks_with_the_caller_drops_the_assistant_is_back_at_once() {
    let scene = put_through()
        .at(11, OfficerSpoke(A))
        .at(300, OfficerLost(A));
    assert_eq!(
        scene.since(12),
        [(300, LetGo(A)), (300, TakeBack(Unreached::LineDropped))]
    );
}

#[test]
fn an_officer_who_is_put_through_and_never_heard_does_not_leave_the_caller_in_silence() {
    let scene = put_through().until(60);
    assert_eq!(
        scene.since(10),
        [(24, LetGo(A)), (24, TakeBack(Unreached::LineDropped))]
    );
}

#[test]
fn a_supervisor_takes_a_call_over_whatever_it_is_at() {
    let never_rung = Scene::of(HandOver::taken_over(HandOverPlan::default(), B, s(0)));
    assert_eq!(never_rung.story, [(0, PutThrough(B))]);
    let ringing = Scene::decided().at(2, TakenOver(B));
    assert_eq!(
        ringing.since(1),
        [(2, StopRinging { taken_by: Some(B) }), (2, PutThrough(B))]
    );
    let briefing = Scene::decided()
        .accepts(2, A)
        .at(3, OfficerConnected(A))
        .at(4, TakenOver(B));
    assert_eq!(briefing.since(4), [(4, LetGo(A)), (4, PutThrough(B))]);
    let given_up = Scene::decided().until(61).at(70, TakenOver(B));
    assert_eq!(given_up.since(61), [(70, PutThrough(B))]);
}

#[test]
fn of_two_who_talk_with_the_caller_one_may_go() {
    let both = put_through().at(11, OfficerSpoke(A)).at(20, TakenOver(B));
    assert_eq!(both.since(12), [(20, PutThrough(B))]);
    assert!(both.hand_over.talks_beside(A) && both.hand_over.talks_beside(B));
    let one = both.at(30, OfficerLost(A)).until(100);
    assert!(!one.hand_over.talks_beside(B), "they are the last");
    assert_eq!(one.since(21), [(30, LetGo(A))]);
    let none = one.at(110, OfficerLost(B));
    assert_eq!(
        none.since(101),
        [(110, LetGo(B)), (110, TakeBack(Unreached::LineDropped))]
    );
}

#[test]
fn who_talks_with_the_caller_beside_an_officer_is_who_else_was_put_through() {
    let accepted = || Scene::decided().accepts(5, A).at(6, OfficerConnected(A));
    for (situation, scene, beside_a, beside_b) in [
        ("ringing", Scene::decided(), false, false),
        ("briefed", accepted(), false, false),
        ("put through", put_through(), false, true),
        ("talking", talking(), false, true),
        ("taken over", talking().at(20, TakenOver(B)), true, true),
        ("twice", talking().at(20, TakenOver(A)), false, true),
        ("from A", accepted().at(7, TakenOver(B)), true, false),
    ] {
        let beside = |officer| scene.hand_over.talks_beside(officer);
        assert_eq!((beside(A), beside(B)), (beside_a, beside_b), "{situation}");
    }
}

/// A talks with the caller from second 11 on.
fn talking() -> Scene {
    put_through().at(11, OfficerSpoke(A))
}

#[test]
fn who_talks_with_the_caller_puts_them_on_hold_and_takes_them_back() {
    let scene = talking().puts_on_hold(100, A);
    assert!(scene.hand_over.assistant_stays(), "they are not left alone");
    assert_eq!(scene.hand_over.officer(), Some(A), "it is still theirs");
    let scene = scene.takes_back(115, A).at(117, OfficerSpoke(A)).until(600);
    assert_eq!(
        scene.since(12),
        [(100, PutOnHold), (115, TakeOffHold), (117, LeaveTheTalk)]
    );
}

#[test]
fn a_hold_is_told_of_every_twenty_seconds_and_ends_by_itself_after_two_minutes() {
    let scene = talking().puts_on_hold(100, A).until(230);
    let within = s(30);
    assert_eq!(
        scene.since(12),
        [
            (100, PutOnHold),
            (120, TellProgress),
            (140, TellProgress),
            (160, TellProgress),
            (180, TellProgress),
            (190, TellHoldEnds { within }),
            (200, TellProgress),
            (220, TakeOffHold),
        ]
    );
}

#[test]
fn who_has_gone_from_their_desk_in_a_hold_does_not_leave_the_caller_in_silence() {
    let put_back = talking().puts_on_hold(100, A).until(600);
    assert_eq!(
        put_back.since(220),
        [
            (220, TakeOffHold),
            (235, LetGo(A)),
            (235, TakeBack(Unreached::LineDropped))
        ]
    );
}

#[test]
fn when_the_line_of_who_put_the_caller_on_hold_drops_the_assistant_takes_them_back() {
    let lost = talking().puts_on_hold(100, A).at(110, OfficerLost(A));
    assert_eq!(
        lost.since(101),
        [(110, LetGo(A)), (110, TakeBack(Unreached::LineDropped))]
    );
    assert!(!lost.hand_over.is_on_hold() && lost.hand_over.is_over());
}

#[test]
fn of_two_who_speak_aside_either_takes_the_caller_back_and_one_may_go() {
    let both = talking().at(20, TakenOver(B)).puts_on_hold(100, B);
    let one = both.at(110, OfficerLost(B)).takes_back(115, A);
    assert_eq!(
        one.since(21),
        [(100, PutOnHold), (110, LetGo(B)), (115, TakeOffHold)]
    );
}

#[test]
fn who_takes_a_call_over_ends_the_hold_and_is_heard() {
    let taken = talking().puts_on_hold(100, A).at(110, TakenOver(B));
    assert_eq!(taken.since(101), [(110, TakeOffHold), (110, PutThrough(B))]);
}

#[test]
fn what_is_said_aside_is_not_taken_for_a_word_to_the_caller() {
    let consulting = talking().puts_on_hold(100, A).at(105, OfficerSpoke(A));
    assert!(consulting.since(101).is_empty());
    assert!(consulting.hand_over.assistant_stays());
}

#[test]
fn only_who_talks_with_the_caller_may_hold_them_and_twice_is_once() {
    let mut ringing = Scene::decided();
    assert_eq!(ringing.hand_over.put_on_hold(A, s(1)), Err(NotTalking));
    let mut briefed = Scene::decided().accepts(5, A).at(6, OfficerConnected(A));
    assert_eq!(briefed.hand_over.put_on_hold(A, s(7)), Err(NotTalking));
    let mut held = talking().puts_on_hold(100, A).puts_on_hold(110, A);
    assert!(held.since(101).is_empty());
    assert_eq!(held.hand_over.put_on_hold(B, s(111)), Err(NotTalking));
    assert_eq!(held.hand_over.take_off_hold(B, s(111)), Err(NotTalking));
    let mut not_held = talking();
    assert_eq!(not_held.hand_over.take_off_hold(A, s(12)), Ok(()));
    assert!(not_held.hand_over.poll_command().is_none());
}

#[derive(Debug, Clone)]
enum Step {
    Event(turn::HandOverEvent<Officer>),
    Accept(Officer),
    PutOnHold(Officer),
    TakeOffHold(Officer),
    Wait(u16),
}

fn step() -> impl Strategy<Value = Step> {
    let who = || prop::sample::select(vec![A, B, 'c']);
    prop_oneof![
        2 => who().prop_map(Step::Accept),
        2 => who().prop_map(Step::PutOnHold),
        1 => who().prop_map(Step::TakeOffHold),
        4 => (0..12_000_u16).prop_map(Step::Wait),
        1 => Just(Step::Event(AllDeclined)),
        2 => who().prop_map(|who| Step::Event(OfficerConnected(who))),
        2 => who().prop_map(|who| Step::Event(BriefingHeard(who))),
        2 => who().prop_map(|who| Step::Event(OfficerSpoke(who))),
        2 => who().prop_map(|who| Step::Event(OfficerLost(who))),
        1 => who().prop_map(|who| Step::Event(TakenOver(who))),
    ]
}

proptest! {
    #[test]
    fn the_caller_always_has_somebody_and_never_waits_without_an_end(steps in vec(step(), 0..60)) {
        let mut hand_over = HandOver::decided(HandOverPlan::default(), Duration::ZERO);
        let mut now = Duration::ZERO;
        let mut with_the_caller: Vec<Officer> = Vec::new();
        let mut held_since: Option<Duration> = None;
        for step in steps {
            match step {
                Step::Event(event) => hand_over.handle(event, now),
                Step::Accept(officer) => {
                    let before = hand_over.officer();
                    let answer = hand_over.accept(officer, now);
                    if let Some(before) = before.filter(|_| hand_over.officer() == before) {
                        let has_it = before == officer;
                        prop_assert_eq!(answer.is_ok(), has_it);
                    }
                }
                Step::PutOnHold(officer) => {
                    let talks = hand_over.put_on_hold(officer, now).is_ok();
                    prop_assert_eq!(talks, with_the_caller.contains(&officer));
                }
                Step::TakeOffHold(officer) => {
                    let talks = hand_over.take_off_hold(officer, now).is_ok();
                    prop_assert_eq!(talks, with_the_caller.contains(&officer));
                }
                Step::Wait(ms) => {
                    now += Duration::from_millis(ms.into());
                    hand_over.handle_deadline(now);
                }
            }
            while let Some(command) = hand_over.poll_command() {
                match command {
                    PutThrough(officer) => {
                        prop_assert!(!with_the_caller.contains(&officer), "twice");
                        prop_assert!(held_since.is_none(), "nobody comes to a caller on hold");
                        with_the_caller.push(officer);
                    }
                    LetGo(officer) => with_the_caller.retain(|other| *other != officer),
                    GiveUpOn(officer) => prop_assert!(!with_the_caller.contains(&officer)),
                    TakeBack(_) => {
                        prop_assert!(with_the_caller.is_empty());
                        held_since = None;
                    }
                    LeaveTheTalk => {
                        prop_assert!(!with_the_caller.is_empty() && held_since.is_none());
                    }
                    PutOnHold => {
                        prop_assert!(!with_the_caller.is_empty() && held_since.is_none());
                        held_since = Some(now);
                    }
                    TakeOffHold => prop_assert!(held_since.take().is_some()),
                    TellHoldEnds { within } => {
                        prop_assert!(held_since.is_some() && within <= s(30));
                    }
                    Ring(_) | StopRinging { .. } | Brief(_) | TellProgress => {}
                }
            }
            prop_assert!(hand_over.assistant_stays() || !with_the_caller.is_empty());
            prop_assert_eq!(hand_over.is_on_hold(), held_since.is_some());
            if let Some(since) = held_since {
                prop_assert!(hand_over.assistant_stays() && now < since + s(120));
            }
            let waits = hand_over.assistant_stays() && !hand_over.is_over();
            prop_assert_eq!(hand_over.poll_deadline().is_some(), waits);
            if let Some((due, why)) = hand_over.poll_deadline() {
                prop_assert!(due > now && due <= now + s(60), "{:?} at {:?}", why, due);
            }
        }
    }
}
