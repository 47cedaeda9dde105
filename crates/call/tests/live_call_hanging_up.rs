//! How a caller hangs up beside closing their line: by a message of their page, and by what it tells the server.
#![allow(clippy::unwrap_used)]

#[path = "support/scene/mod.rs"]
mod scene;

use std::time::Duration;

use call::Speaker;
use flow::EndReason;
use scene::{Act, Engine, Scene, Seen};

const HIT_ME: &str = "my husband hit me and he is coming back";
const END_CALL: &str = r#"{"type":"end-call"}"#;

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

impl Seen {
    fn callers_words(&self) -> Vec<&str> {
        let spoken = self.ended.messages.iter();
        spoken
            .filter(|message| message.speaker == Speaker::Caller)
            .map(|message| message.words.expose_secret().as_str())
            .collect()
    }

    /// Their last words are kept, nothing is said to them any more, and the call is over soon.
    fn is_hung_up_at(&self, moment: Duration) {
        assert_eq!(self.callers_words(), [HIT_ME]);
        assert_eq!(self.ended.reason, EndReason::CallerEnded);
        let summary = self.ended.note.summary.expose_secret();
        assert!(summary.contains("hit"), "{summary}");
        let heard_after = self.heard.iter().filter(|(_, to)| *to > moment + ms(40));
        assert_eq!(heard_after.count(), 0, "{:?}", self.heard);
        assert!(self.length < moment + ms(1000), "{:?}", self.length);
    }
}

#[tokio::test(start_paused = true)]
async fn who_hangs_up_by_a_message_of_the_page_keeps_what_they_just_said() {
    let seen = Scene {
        acts: vec![Act::Replies(HIT_ME), Act::Sends(END_CALL)],
        ..Scene::default()
    }
    .play()
    .await;
    seen.is_hung_up_at(seen.said[0].1);
}

#[tokio::test(start_paused = true)]
async fn who_leaves_the_page_in_the_middle_of_a_sentence_keeps_what_they_said() {
    let leaves = ms(9500);
    let seen = Scene {
        acts: vec![Act::SpeaksAt(ms(8000), HIT_ME)],
        page_leaves_at: Some(leaves),
        ..Scene::default()
    }
    .play()
    .await;
    assert!(seen.said[0].1 >= leaves - ms(40), "in its middle");
    seen.is_hung_up_at(leaves);
}

#[tokio::test(start_paused = true)]
async fn who_leaves_the_page_while_the_assistant_speaks_hears_no_more_of_it() {
    let leaves = ms(2000);
    let seen = Scene {
        page_leaves_at: Some(leaves),
        ..Scene::default()
    }
    .play()
    .await;
    assert_eq!(seen.ended.reason, EndReason::CallerEnded);
    assert!(seen.ended.messages[0].interrupted);
    assert!(seen.length < leaves + ms(600), "{:?}", seen.length);
}

#[tokio::test(start_paused = true)]
async fn a_line_that_breaks_after_its_caller_hung_up_is_not_waited_for() {
    let seen = Scene {
        acts: vec![
            Act::SpeaksAt(ms(8000), "yes please"),
            Act::IsLostAt(ms(9500)),
        ],
        page_leaves_at: Some(ms(8500)),
        transcriber: Engine::NeverAnswers,
        ..Scene::default()
    }
    .play()
    .await;
    assert_eq!(seen.ended.reason, EndReason::CallerEnded);
    assert!(seen.length > ms(9500), "the transcript is waited for");
    assert!(seen.length < ms(11_500), "{:?}", seen.length);
}
