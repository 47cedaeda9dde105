//! A live call whose wait fits the speaker, in virtual time: with a model that answers by a script,
//! and with the real one.
#![allow(clippy::unwrap_used)]

#[path = "support/scene/mod.rs"]
mod scene;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use scene::{Act, Scene};
use speech::{EndOfTurn, EndOfTurnModel, NoOpinion, Opinion, engines_directory};

const WORDS: &str = "I had a very long day at work";
const SHORT: Duration = Duration::from_millis(600);
const LONG: Duration = Duration::from_millis(2500);
const FIXED: Duration = Duration::from_secs(3);

/// How a model behaves.
enum Model {
    Says(f32),
    Fails,
    NeverAnswers,
    Real(Box<Mutex<EndOfTurnModel>>),
}

/// A sound that was judged, and the probability that was given.
type Judged = (Arc<[i16]>, Option<f32>);

/// A model, and what it was given to hear.
struct Watched {
    model: Model,
    heard: Mutex<Vec<Judged>>,
}

#[async_trait]
impl EndOfTurn for Watched {
    async fn opinion(&self, sound: Arc<[i16]>) -> Result<Opinion, NoOpinion> {
        // Virtual time: the clock is paused.
        tokio::time::sleep(Duration::from_millis(60)).await;
        let opinion = match &self.model {
            Model::Says(finished) => Ok(Opinion {
                finished: *finished,
                hushed: false,
            }),
            Model::Fails => Err(NoOpinion::Busy),
            Model::NeverAnswers => std::future::pending().await,
            Model::Real(model) => model.lock().unwrap().opinion(&sound),
        };
        let finished = opinion.as_ref().ok().map(|opinion| opinion.finished);
        self.heard.lock().unwrap().push((sound, finished));
        opinion
    }
}

/// Plays one utterance; gives the wait for the reply, how long the caller spoke, and the model.
async fn reply_with(model: Option<Model>) -> (Duration, Duration, Option<Arc<Watched>>) {
    let heard = Mutex::default();
    let watched = model.map(|model| Arc::new(Watched { model, heard }));
    let seen = Scene {
        acts: vec![Act::Replies(WORDS), Act::HangsUp],
        plan: turn::Plan {
            adaptive_wait: Some(turn::AdaptiveWait::default()),
            ..turn::Plan::default()
        },
        end_of_turn: watched.clone().map(|model| model as Arc<dyn EndOfTurn>),
        ..Scene::default()
    }
    .play()
    .await;
    let (began, ended) = seen.said[0];
    let (next, _) = seen.heard.iter().find(|(from, _)| *from > ended).unwrap();
    (*next - ended, ended - began, watched)
}

fn is_about(gap: Duration, wait: Duration) -> bool {
    gap >= wait - Duration::from_millis(60) && gap <= wait + Duration::from_millis(160)
}

#[tokio::test(start_paused = true)]
async fn a_caller_who_sounds_finished_is_replied_to_soon_and_another_is_waited_for() {
    for (finished, wait) in [(0.97, SHORT), (0.02, LONG)] {
        let (gap, _, _) = reply_with(Some(Model::Says(finished))).await;
        assert!(is_about(gap, wait), "{finished}: {gap:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn without_an_opinion_the_fixed_wait_holds() {
    for model in [None, Some(Model::Fails), Some(Model::NeverAnswers)] {
        let (gap, _, _) = reply_with(model).await;
        assert!(is_about(gap, FIXED), "{gap:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_model_hears_the_turn_and_the_beginning_of_the_pause() {
    let (_, spoke, watched) = reply_with(Some(Model::Says(0.9))).await;
    let watched = watched.unwrap();
    let heard = watched.heard.lock().unwrap();
    let (sound, _) = heard.last().unwrap();
    let length = Duration::from_secs_f64(sound.len() as f64 / 16_000.0);
    // 320 ms of pre-roll before it, and 208 ms of the pause; a frame or two either way.
    let longer = length.saturating_sub(spoke);
    assert!(
        (400..700).contains(&longer.as_millis()),
        "{longer:?} longer"
    );
    let pause = sound
        .iter()
        .rev()
        .take_while(|sample| sample.unsigned_abs() < 200)
        .count();
    assert!((2000..5000).contains(&pause), "{pause} samples");
}

#[tokio::test(start_paused = true)]
async fn the_real_models_opinion_is_what_the_wait_goes_by() {
    let model =
        EndOfTurnModel::open(&engines_directory()).unwrap_or_else(|error| panic!("{error}"));
    let (gap, _, watched) = reply_with(Some(Model::Real(Box::new(Mutex::new(model))))).await;
    let watched = watched.unwrap();
    let heard = watched.heard.lock().unwrap();
    let finished = heard.last().unwrap().1.unwrap();
    let wait = match finished {
        0.9.. => SHORT,
        ..=0.4 => LONG,
        _ => SHORT + (LONG - SHORT).mul_f32((0.9 - finished) / 0.5),
    };
    assert!(is_about(gap, wait), "{gap:?} for {finished}");
}
