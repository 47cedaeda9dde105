//! An officer's line in a talk: how soon the caller has the assistant again when nothing comes from it any more, and its mute.

use std::f64::consts::TAU;
use std::time::{Duration, Instant};

use desk::Role;
use flow::Agency;
use serde_json::json;

use super::live_calls::a_caller_at_risk;
use super::on_hold::str0m_client::{Behaviour, Connected, Noticed};
use super::on_hold::{says, talks};
use crate::support::caller::SocketCaller;
use crate::support::officer::Officer;
use crate::support::start_server;

/// In which the assistant is to be back with a caller whose officer is lost.
const BACK_WITHIN: Duration = Duration::from_secs(2);
/// For a machine that runs other tests meanwhile.
const MARGIN: Duration = Duration::from_secs(1);

/// What takes longer does not come any more.
const PATIENCE: Duration = Duration::from_secs(20);

const RATE: usize = 16_000;
/// In samples: what is looked at for the tone, a tenth of a second.
const A_PIECE: usize = RATE / 10;
/// Of the 10,000 with which it is sent.
const LOUD: f64 = 3_000.0;

#[tokio::test]
async fn an_officer_from_whom_nothing_comes_any_more_is_lost_and_the_assistant_back_within_two_seconds()
 {
    let server = start_server("").await;
    let mei = Officer::signed_in(&server, "mei", Role::Officer, &[Agency::Sos]).await;
    let mut desk = mei.on_duty().await;
    let (mut caller, id) = a_caller_at_risk(&server).await;
    let line = talks(&mei, &mut desk, &id).await;
    line.vanish().await;
    let gone = Instant::now();
    let unreached = tokio::time::timeout(PATIENCE, desk.next("unreached")).await;
    let took = gone.elapsed();
    let unreached = unreached.expect("a line is lost from which nothing comes");
    assert_eq!(unreached["why"], "line-dropped");
    assert!(
        took < BACK_WITHIN + MARGIN,
        "it took {took:?}, or this machine is too slow to tell"
    );
    assert!(caller.until(says("1767")).await.is_some());
}

/// How strong an officer's tone is in this.
fn tone_in(heard: &[i16]) -> f64 {
    let turn = TAU * Behaviour::default().hertz / RATE as f64;
    let (mut with, mut across) = (0.0, 0.0);
    for (place, sample) in heard.iter().enumerate() {
        let (sin, cos) = (turn * place as f64).sin_cos();
        with += f64::from(*sample) * cos;
        across += f64::from(*sample) * sin;
    }
    2.0 * f64::hypot(with, across) / heard.len() as f64
}

async fn until_the_tone_is(heard: bool, caller: &mut SocketCaller) {
    let it_is = async { while (tone_in(&caller.hear(A_PIECE).await) > LOUD) != heard {} };
    let it_is = tokio::time::timeout(PATIENCE, it_is).await;
    assert!(it_is.is_ok(), "the caller is to hear the officer: {heard}");
}

fn tells(line: &Connected, control: &str) {
    line.say(&json!({"type": "control", "control": control}).to_string());
}

#[tokio::test]
async fn a_caller_hears_nothing_of_an_officer_who_is_muted_until_they_are_not() {
    let server = start_server("").await;
    let mei = Officer::signed_in(&server, "mei", Role::Officer, &[Agency::Sos]).await;
    let mut desk = mei.on_duty().await;
    let (mut caller, id) = a_caller_at_risk(&server).await;
    let mut line = talks(&mei, &mut desk, &id).await;
    while !matches!(line.next().await, Noticed::ChannelOpen) {}
    until_the_tone_is(true, &mut caller).await;
    tells(&line, "mute-caller");
    until_the_tone_is(false, &mut caller).await;
    for _ in 0..10 {
        let tone = tone_in(&caller.hear(A_PIECE).await);
        assert!(tone < LOUD, "{tone}");
    }
    tells(&line, "unmute-caller");
    until_the_tone_is(true, &mut caller).await;
}
