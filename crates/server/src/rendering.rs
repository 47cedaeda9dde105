//! Makes a voice's fixed sentences ahead: of one that does not ship rendered, or where agencies or the assistant's name
//! were changed. What is made on this machine is made while no call is live; what is made elsewhere is asked for again
//! until all is there, for no call is held in that voice before.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use flow::AssistantScript;
use speech::{RenderError, RenderedVoice};
use tokio_util::sync::CancellationToken;

/// How long to leave the machine to calls before looking again, and an endpoint that fails to itself at first.
const LOOK: Duration = Duration::from_secs(5);
/// The longest that an endpoint is left alone.
const LONGEST_PAUSE: Duration = Duration::from_secs(300);
/// Failures in a row after which the rest is not asked for either. A single sentence may be one that an endpoint will
/// not say.
const PATIENCE: usize = 3;

/// What is said when something fails, the greeting and the openings, which stand before all else: no call is begun
/// without them.
fn said_first(sentences: &[String]) -> &[String] {
    let is_opening = |sentence: &String| AssistantScript::openings().contains(&sentence.as_str());
    let last = sentences.iter().rposition(is_opening);
    &sentences[..last.map_or(0, |last| last + 1)]
}

/// Renders the first words of every call, if a voice of this machine has not got them: the half minute that it takes is
/// spent before callers come. What is made elsewhere is not waited for.
pub async fn render_the_first(voice: &RenderedVoice, sentences: &[String]) {
    let missing = voice.missing(said_first(sentences).to_vec());
    if missing.is_empty() || !voice.works_here() {
        return;
    }
    tracing::info!(
        sentences = missing.len(),
        "rendering what is said first in every call: about half a minute, once"
    );
    for sentence in missing {
        if let Err(error) = voice.render(&sentence).await {
            tracing::warn!(%error, "the first words are made when they are said");
            return;
        }
    }
}

/// Renders what is missing, the commonest first, until all is there or the server stops.
pub async fn render_ahead(
    voice: Arc<RenderedVoice>,
    sentences: Vec<String>,
    calls_are_live: impl Fn() -> bool,
    stopping: CancellationToken,
) {
    let mut missing = voice.missing(sentences.clone());
    if missing.is_empty() {
        return;
    }
    tracing::info!(
        sentences = missing.len(),
        "rendering what is always said; {}",
        match voice.works_here() {
            true => "while no call is live, and until then it is made when it is said",
            false => "until then calls are held in a voice of this machine",
        }
    );
    let mut pause = LOOK;
    loop {
        let before = missing.len();
        let ControlFlow::Continue(trouble) =
            render(&voice, &missing, &calls_are_live, &stopping).await
        else {
            return;
        };
        missing = voice.missing(sentences.clone());
        let Some(error) = trouble.filter(|_| !missing.is_empty()) else {
            tracing::info!("everything that is always said is rendered");
            return;
        };
        pause = match missing.len() < before {
            true => LOOK,
            false => (pause * 2).min(LONGEST_PAUSE),
        };
        tracing::warn!(
            %error,
            missing = missing.len(),
            again_in = ?pause,
            "not all could be rendered; calls are held in a voice of this machine"
        );
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = stopping.cancelled() => return,
        }
    }
}

/// Once through the sentences; the last that went wrong, or a break if there is no use in going on.
async fn render(
    voice: &RenderedVoice,
    missing: &[String],
    calls_are_live: &impl Fn() -> bool,
    stopping: &CancellationToken,
) -> ControlFlow<(), Option<RenderError>> {
    let count = missing.len();
    let (mut trouble, mut in_a_row) = (None, 0);
    for (done, sentence) in missing.iter().enumerate() {
        while voice.works_here() && calls_are_live() && !stopping.is_cancelled() {
            tokio::select! {
                () = tokio::time::sleep(LOOK) => {}
                () = stopping.cancelled() => {}
            }
        }
        let rendered = tokio::select! {
            rendered = voice.render(sentence) => rendered,
            () = stopping.cancelled() => return ControlFlow::Break(()),
        };
        match rendered {
            Ok(()) => in_a_row = 0,
            Err(error @ RenderError::Voice(_)) if !voice.works_here() => {
                trouble = Some(error);
                in_a_row += 1;
                if in_a_row == PATIENCE {
                    break;
                }
            }
            Err(error) => {
                tracing::warn!(%error, "rendering ahead has stopped; sentences are made when they are said");
                return ControlFlow::Break(());
            }
        }
        if (done + 1) % (count / 10).max(1) == 0 {
            tracing::info!(rendered = done + 1, of = count, "rendered ahead");
        }
    }
    ControlFlow::Continue(trouble)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use speech::{Packs, Sound, SpeechStream, Spoken, Standing, Synthesiser, Voice, VoiceError};
    use tempfile::TempDir;
    use tokio::sync::mpsc::UnboundedSender;
    use tokio::time::Instant;

    use super::*;

    /// Fails the first so many times, and always at one sentence until a moment.
    #[derive(Clone)]
    struct Maker {
        works_here: bool,
        failures: Arc<AtomicUsize>,
        refused: Arc<Mutex<Option<(&'static str, Instant)>>>,
    }

    impl Maker {
        fn elsewhere_that_fails(times: usize) -> Self {
            Self {
                works_here: false,
                failures: Arc::new(AtomicUsize::new(times)),
                refused: Arc::default(),
            }
        }
    }

    impl Synthesiser for Maker {
        fn identity(&self) -> &str {
            "elsewhere"
        }

        fn render_ahead(&self, spoken: &Spoken) -> SpeechStream {
            let one_less = |left: usize| left.checked_sub(1);
            let fails = self
                .failures
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less)
                .is_ok();
            let refused = self.refused.lock().unwrap().is_some_and(|(words, until)| {
                words == spoken.with_names_as_written() && Instant::now() < until
            });
            SpeechStream::ready([match fails || refused {
                true => Err(VoiceError::Busy),
                false => Ok(Sound::Samples(vec![900; 640])),
            }])
        }

        fn speak_into(
            &self,
            _: Standing,
            _: &Spoken,
            _: UnboundedSender<Result<Sound, VoiceError>>,
        ) {
        }

        fn has_room(&self) -> bool {
            true
        }

        fn works_here(&self) -> bool {
            self.works_here
        }
    }

    const SENTENCES: [&str; 4] = ["One.", "Two.", "Three.", "Four."];

    async fn all_is_rendered(elsewhere: Maker) -> (Duration, TempDir) {
        let place = tempfile::tempdir().unwrap();
        let packs = Packs {
            shipped: place.path().join("none"),
            own: place.path().join("own.pack"),
        };
        let sentences = SENTENCES.map(str::to_owned).to_vec();
        let voice = RenderedVoice::open(elsewhere, &packs).unwrap();
        let voice = Arc::new(voice.only_with(sentences.clone()));
        assert!(!voice.has_room(), "a call would find nothing kept");
        let began = Instant::now();
        let live = || true;
        let stopping = CancellationToken::new();
        render_ahead(Arc::clone(&voice), sentences, live, stopping).await;
        assert!(voice.has_room());
        (began.elapsed(), place)
    }

    #[tokio::test]
    async fn a_voice_of_this_machine_has_its_first_words_before_a_call_comes() {
        let sentences = call::fixed_sentences(&AssistantScript::built_in());
        let of_every_call = said_first(&sentences);
        for words in AssistantScript::openings() {
            assert!(of_every_call.iter().any(|first| first == words), "{words}");
        }
        assert!(of_every_call.len() < 20, "the rest is made meanwhile");
        for (works_here, rendered) in [(true, of_every_call.len()), (false, 0)] {
            let place = tempfile::tempdir().unwrap();
            let packs = Packs {
                shipped: place.path().join("none"),
                own: place.path().join("own.pack"),
            };
            let maker = Maker {
                works_here,
                ..Maker::elsewhere_that_fails(0)
            };
            let voice = RenderedVoice::open(maker, &packs).unwrap();
            render_the_first(&voice, &sentences).await;
            assert_eq!(voice.missing(sentences.clone()), sentences[rendered..]);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_made_elsewhere_is_made_while_calls_are_live() {
        let (took, _place) = all_is_rendered(Maker::elsewhere_that_fails(0)).await;
        assert!(took < LOOK, "{took:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn an_endpoint_that_fails_is_asked_ever_more_seldom_until_all_is_there() {
        let (took, _place) = all_is_rendered(Maker::elsewhere_that_fails(9)).await;
        assert_eq!(
            took.as_secs(),
            10 + 20 + 40,
            "three rounds of three failures"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_sentence_that_is_refused_keeps_no_other_from_being_rendered() {
        let elsewhere = Maker::elsewhere_that_fails(0);
        let until = Instant::now() + Duration::from_secs(60);
        *elsewhere.refused.lock().unwrap() = Some(("Two.", until));
        let (took, _place) = all_is_rendered(elsewhere).await;
        assert!(took >= Duration::from_secs(60), "{took:?}");
        assert!(took < Duration::from_secs(100), "{took:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_stops_does_not_wait_for_an_endpoint() {
        let place = tempfile::tempdir().unwrap();
        let packs = Packs {
            shipped: place.path().join("none"),
            own: place.path().join("own.pack"),
        };
        let voice = RenderedVoice::open(Maker::elsewhere_that_fails(usize::MAX), &packs).unwrap();
        let stopping = CancellationToken::new();
        let sentences = SENTENCES.map(str::to_owned).to_vec();
        let rendering = render_ahead(Arc::new(voice), sentences, || false, stopping.clone());
        // Virtual time: the clock is paused.
        let stop = async {
            tokio::time::sleep(Duration::from_secs(3_600)).await;
            stopping.cancel();
        };
        tokio::join!(rendering, stop);
    }
}
