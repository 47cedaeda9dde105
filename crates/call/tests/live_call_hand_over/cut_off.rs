//! The caller's line is lost while officers are rung, or on the call.

use super::*;

#[tokio::test(start_paused = true)]
async fn what_an_officer_says_while_the_caller_is_cut_off_is_on_the_record() {
    const STILL_THERE: &str = "are you still there can you hear me";
    // Some of them while it is said, and while it is transcribed.
    let backs = [None, Some(660), Some(664), Some(668), Some(672), Some(700)];
    for back in backs {
        let comes_back = back.map(|tenths| Duration::from_millis(tenths * 100));
        let scene = on_duty(
            vec![Act::IsLostAt(s(60))],
            vec![accepts(vec![Act::SpeaksAt(s(65), STILL_THERE)])],
        );
        let seen = Scene {
            comes_back: comes_back.map(|at| (at, vec![Act::HangsUpAt(s(90))])),
            ..scene
        }
        .play()
        .await;
        assert_eq!(
            seen.words_of_officers(),
            [(1, HELLO), (1, STILL_THERE)],
            "{comes_back:?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn an_officer_who_accepts_while_the_caller_is_cut_off_is_briefed() {
    let seen = on_duty(
        vec![Act::IsLostAt(s(20))],
        vec![(s(12), AtTheDesk::Accepts(1, Some(Vec::new())))],
    )
    .play()
    .await;
    let accepted = seen.rung[0].0 + s(12);
    assert!(accepted > s(20), "the caller is cut off");
    let heard = &seen.officers[&1].heard;
    let (briefed, _) = *heard.first().expect("a briefing");
    assert!(briefed < accepted + s(1), "{heard:?} after {accepted:?}");
}
