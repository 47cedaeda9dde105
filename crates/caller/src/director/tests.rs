//! When the scripted caller speaks, waits, barges in and hangs up, in scenes that are given as data.

use super::*;

#[derive(Default)]
struct Scene {
    /// Spans of the assistant's speech in milliseconds.
    heard: Vec<(u64, u64)>,
    saying: bool,
    midway: bool,
}

impl Senses for Scene {
    fn last_sound(&self) -> Option<Duration> {
        self.heard.last().map(|&(_, end)| millis(end))
    }
    fn onset_since(&self, time: Duration) -> Option<Duration> {
        self.heard
            .iter()
            .map(|&(start, _)| millis(start))
            .find(|&start| start >= time)
    }
    fn is_saying(&self) -> bool {
        self.saying
    }
    fn awaits_words(&self) -> bool {
        self.midway
    }
}

fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn director(steps: &str) -> Director {
    let patience = Patience {
        quiet_after: millis(1_000),
        reply_within: millis(10_000),
        linger: millis(4_000),
    };
    let steps = crate::script::from_json_lines(steps).expect("the test's script is sound");
    Director::new(steps, patience, Duration::ZERO)
}

fn say(utterance: usize, kind: SayKind) -> Option<Action> {
    Some(Action::Say { utterance, kind })
}

#[test]
fn the_caller_speaks_a_second_after_the_assistant_has_finished() {
    let mut director = director(r#"{"say": "hello"}"#);
    let mut scene = Scene::default();
    assert_eq!(
        director.poll(millis(3_000), &scene),
        None,
        "nothing was heard yet"
    );
    scene.heard.push((200, 2_500));
    assert_eq!(
        director.poll(millis(3_499), &scene),
        None,
        "it may be a pause"
    );
    assert_eq!(
        director.poll(millis(3_500), &scene),
        say(0, SayKind::InTurn)
    );
}

#[test]
fn the_next_utterance_waits_for_the_reply_to_the_one_before() {
    let mut director = director("{\"say\": \"one\"}\n{\"say\": \"two\"}");
    let mut scene = Scene {
        heard: vec![(0, 1_000)],
        ..Scene::default()
    };
    assert_eq!(
        director.poll(millis(2_000), &scene),
        say(0, SayKind::InTurn)
    );
    director.said_until(millis(3_000));
    scene.saying = true;
    assert_eq!(
        director.poll(millis(2_500), &scene),
        None,
        "the caller is still speaking"
    );
    scene.saying = false;
    assert_eq!(director.poll(millis(6_000), &scene), None, "no reply yet");
    scene.heard.push((6_050, 7_000));
    assert_eq!(director.poll(millis(7_500), &scene), None);
    assert_eq!(
        director.poll(millis(8_000), &scene),
        say(1, SayKind::InTurn)
    );
    assert_eq!(director.unsaid(), 0);
}

#[test]
fn a_missing_reply_is_told_once_and_the_script_goes_on() {
    let mut director = director("{\"say\": \"one\"}\n{\"say\": \"two\"}");
    let scene = Scene {
        heard: vec![(0, 1_000)],
        ..Scene::default()
    };
    director.poll(millis(2_000), &scene);
    director.said_until(millis(3_000));
    assert_eq!(director.poll(millis(12_999), &scene), None);
    assert_eq!(
        director.poll(millis(13_000), &scene),
        Some(Action::Missed(Missing::Reply(0)))
    );
    assert_eq!(
        director.poll(millis(13_000), &scene),
        say(1, SayKind::InTurn)
    );
}

#[test]
fn a_missing_greeting_is_told() {
    let mut director = director(r#"{"say": "hello"}"#);
    let scene = Scene::default();
    assert_eq!(
        director.poll(millis(10_000), &scene),
        Some(Action::Missed(Missing::Greeting))
    );
}

#[test]
fn barging_in_is_timed_from_the_assistants_onset() {
    let mut director = director(r#"{"barge_in_after": 1.5, "say": "stop"}"#);
    let mut scene = Scene {
        heard: vec![(1_000, 2_400)],
        ..Scene::default()
    };
    assert_eq!(director.poll(millis(2_400), &scene), None);
    scene.heard = vec![(1_000, 2_500)];
    assert_eq!(
        director.poll(millis(2_500), &scene),
        say(0, SayKind::BargeIn)
    );
}

#[test]
fn the_tail_of_an_interrupted_sentence_is_not_taken_for_a_reply() {
    let mut director = director("{\"barge_in_after\": 1, \"say\": \"stop\"}\n{\"say\": \"two\"}");
    let mut scene = Scene {
        heard: vec![(0, 1_000)],
        ..Scene::default()
    };
    assert_eq!(
        director.poll(millis(1_000), &scene),
        say(0, SayKind::BargeIn)
    );
    director.said_until(millis(1_800));
    scene.heard = vec![(0, 2_100)];
    assert_eq!(director.poll(millis(4_000), &scene), None);
    scene.heard.push((5_000, 6_000));
    assert_eq!(
        director.poll(millis(7_000), &scene),
        say(1, SayKind::InTurn)
    );
}

#[test]
fn waiting_and_hanging_up_follow_the_script() {
    let mut director =
        director("{\"wait\": 2}\n{\"say\": \"and\", \"at_once\": true}\n{\"hang_up\": true}");
    let scene = Scene::default();
    assert_eq!(director.poll(millis(1_999), &scene), None);
    assert_eq!(
        director.poll(millis(2_000), &scene),
        say(0, SayKind::AtOnce)
    );
    assert_eq!(director.poll(millis(3_000), &scene), Some(Action::HangUp));
    assert_eq!(director.poll(millis(3_100), &scene), None);
}

fn asking() -> Director {
    let patience = director("{\"wait\": 0}").patience;
    Director::asking(patience, Duration::ZERO)
}

fn spoken(words: &str) -> Step {
    let words = words.to_owned();
    Step::Say {
        words,
        at_once: false,
    }
}

#[test]
fn a_program_is_asked_once_when_the_assistant_has_finished() {
    let mut director = asking();
    let mut scene = Scene::default();
    assert_eq!(director.poll(millis(3_000), &scene), None);
    scene.heard.push((200, 2_500));
    assert_eq!(director.poll(millis(3_499), &scene), None);
    assert_eq!(director.poll(millis(3_500), &scene), Some(Action::Ask));
    assert_eq!(director.poll(millis(3_520), &scene), None, "it is thinking");
    director.answered(spoken("yes"), millis(4_000));
    assert_eq!(
        director.poll(millis(4_000), &scene),
        say(0, SayKind::InTurn)
    );
    director.said_until(millis(5_000));
    assert_eq!(director.poll(millis(6_500), &scene), None, "no reply yet");
    scene.heard.push((7_000, 8_000));
    assert_eq!(director.poll(millis(9_000), &scene), Some(Action::Ask));
}

#[test]
fn a_long_pause_between_two_sentences_does_not_end_a_turn() {
    let mut director = asking();
    let mut scene = Scene {
        heard: vec![(0, 1_000)],
        midway: true,
        ..Scene::default()
    };
    assert_eq!(director.poll(millis(3_000), &scene), None);
    scene.heard.push((3_100, 4_000));
    scene.midway = false;
    assert_eq!(director.poll(millis(5_000), &scene), Some(Action::Ask));
}

#[test]
fn words_that_never_come_whole_do_not_hold_the_caller_up_for_ever() {
    let mut director = asking();
    let scene = Scene {
        heard: vec![(0, 1_000)],
        midway: true,
        ..Scene::default()
    };
    assert_eq!(director.poll(millis(10_999), &scene), None);
    assert_eq!(director.poll(millis(11_000), &scene), Some(Action::Ask));
}

#[test]
fn an_answer_waits_for_an_assistant_that_spoke_on_meanwhile() {
    let mut director = asking();
    let mut scene = Scene {
        heard: vec![(0, 1_000)],
        ..Scene::default()
    };
    assert_eq!(director.poll(millis(2_000), &scene), Some(Action::Ask));
    scene.heard.push((2_500, 4_000));
    director.answered(spoken("yes"), millis(3_900));
    assert_eq!(director.poll(millis(4_500), &scene), None);
    assert_eq!(
        director.poll(millis(5_000), &scene),
        say(0, SayKind::InTurn)
    );
}

#[test]
fn after_a_silence_the_program_is_asked_when_the_assistant_has_spoken_again() {
    let mut director = asking();
    let mut scene = Scene {
        heard: vec![(0, 1_000)],
        ..Scene::default()
    };
    assert_eq!(director.poll(millis(2_000), &scene), Some(Action::Ask));
    director.answered(Step::Wait { seconds: 3.0 }, millis(2_000));
    assert_eq!(director.poll(millis(5_000), &scene), None);
    scene.heard.push((8_000, 9_000));
    assert_eq!(director.poll(millis(9_999), &scene), None);
    assert_eq!(director.poll(millis(10_000), &scene), Some(Action::Ask));
}

#[test]
fn a_program_is_asked_all_the_same_when_a_reply_is_missing() {
    let mut director = asking();
    let scene = Scene {
        heard: vec![(0, 1_000)],
        ..Scene::default()
    };
    director.poll(millis(2_000), &scene);
    director.answered(spoken("hello"), millis(2_000));
    director.poll(millis(2_000), &scene);
    director.said_until(millis(3_000));
    assert_eq!(
        director.poll(millis(13_000), &scene),
        Some(Action::Missed(Missing::Reply(0)))
    );
    assert_eq!(director.poll(millis(13_000), &scene), Some(Action::Ask));
}

#[test]
fn a_program_ends_the_call_when_it_says_so_and_not_before() {
    let mut director = asking();
    let scene = Scene {
        heard: vec![(0, 1_000)],
        ..Scene::default()
    };
    assert_eq!(director.poll(millis(2_000), &scene), Some(Action::Ask));
    assert_eq!(director.poll_end(millis(60_000), &scene), None);
    director.answered(Step::HangUp, millis(60_000));
    assert_eq!(director.poll(millis(60_000), &scene), Some(Action::HangUp));
}

#[test]
fn after_the_last_reply_the_assistant_has_time_to_end_the_call() {
    let mut director = director(r#"{"say": "hello"}"#);
    let mut scene = Scene {
        heard: vec![(0, 1_000)],
        ..Scene::default()
    };
    director.poll(millis(2_000), &scene);
    director.said_until(millis(3_000));
    assert_eq!(
        director.poll_end(millis(7_500), &scene),
        None,
        "the reply is still to come"
    );
    scene.heard.push((7_000, 8_000));
    assert_eq!(director.poll_end(millis(11_999), &scene), None);
    assert_eq!(
        director.poll_end(millis(12_000), &scene),
        Some(Action::HangUp)
    );
}
