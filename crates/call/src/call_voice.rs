//! The voice of one call: it never changes in the middle of one.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use flow::AssistantScript;
use redact::Secret;
use speech::{Sound, Voice, VoiceError};
use tokio::sync::OnceCell;

use crate::fallback::{self, Fallback};

/// For what a voice keeps ready to be read when its first call begins: the caller is not let wait for longer.
const READY_WITHIN: Duration = Duration::from_secs(1);

/// Words and their sound, rendered ahead.
type Ready = (Secret<String>, Sound);

/// A voice, and what is kept ready in it.
pub(crate) struct CallVoice {
    pub voice: Arc<dyn Voice>,
    pub fallback: Fallback,
    /// Heard first where the beginning of a reply is not ready in time. None for a voice that needs none.
    openings: Vec<Ready>,
    /// Heard in the place of what says something of the caller's back, where that cannot be made.
    stand_ins: Vec<Ready>,
    question: Option<Ready>,
    fixed: Arc<HashSet<String>>,
}

impl CallVoice {
    async fn prepare(
        voice: Arc<dyn Voice>,
        script: &AssistantScript,
        fixed: Arc<HashSet<String>>,
    ) -> Result<Arc<Self>, VoiceError> {
        let fallback = Fallback::prepare(voice.as_ref(), &script.directory).await?;
        let (stand_ins, question) = AssistantScript::stand_ins();
        Ok(Arc::new(Self {
            openings: rendered(voice.as_ref(), AssistantScript::openings()).await,
            stand_ins: rendered(voice.as_ref(), stand_ins).await,
            question: rendered(voice.as_ref(), &[question]).await.pop(),
            voice,
            fallback,
            fixed,
        }))
    }

    /// The `count`th opening of a call: each in turn.
    pub fn opening(&self, count: usize) -> Option<Ready> {
        in_turn(&self.openings, count).cloned()
    }

    /// How long that is heard.
    pub fn opening_lasts(&self, count: usize) -> Duration {
        let opening = in_turn(&self.openings, count);
        opening.map_or(Duration::ZERO, |(_, sound)| sound.lasts())
    }

    /// Whether a reply is whole without these words: they say something of the caller's back, and what is always said
    /// follows.
    pub fn can_spare(&self, words: &Secret<String>, next: Option<&Secret<String>>) -> bool {
        !self.always_says(words) && next.is_some_and(|next| self.always_says(next))
    }

    fn always_says(&self, words: &Secret<String>) -> bool {
        self.fixed.contains(words.expose_secret())
    }

    /// What the caller hears instead of these words, which cannot be made; the `count`th in a call. Nothing stands in
    /// for what is always said: numbers, consent and transfers have the safe fallback.
    pub fn instead_of(&self, words: &Secret<String>, count: usize) -> Option<Ready> {
        if self.always_says(words) {
            return None;
        }
        match words.expose_secret().ends_with('?') {
            true => self.question.clone(),
            false => in_turn(&self.stand_ins, count).cloned(),
        }
    }
}

fn in_turn(ready: &[Ready], count: usize) -> Option<&Ready> {
    let place = count.checked_rem(ready.len())?;
    ready.get(place)
}

/// Those of the sentences that were rendered ahead.
async fn rendered(voice: &dyn Voice, sentences: &[&str]) -> Vec<Ready> {
    let mut ready = Vec::new();
    for sentence in sentences {
        let words = Secret::new((*sentence).to_owned());
        if let Some(Ok(sound @ Sound::Rendered(_))) = voice.speak(words.clone()).next().await {
            ready.push((words, sound));
        }
    }
    ready
}

/// The voices of new calls, the best first; at least one.
pub(crate) struct CallVoices {
    candidates: Vec<Candidate>,
    /// Asked for by name, and not among those: each is prepared once. There are as many as are installed.
    chosen: Mutex<Vec<Arc<Candidate>>>,
    script: Arc<AssistantScript>,
    fixed: Arc<HashSet<String>>,
}

/// A voice that is prepared when it first has room: it may be fit for calls long after the line opened.
struct Candidate {
    voice: Arc<dyn Voice>,
    prepared: OnceCell<Arc<CallVoice>>,
}

impl CallVoices {
    /// Prepares the first that has room, and in any case the last. Fails if one of them cannot speak the safe fallback, or
    /// there is none.
    pub async fn prepare(
        voices: Vec<Arc<dyn Voice>>,
        script: Arc<AssistantScript>,
    ) -> Result<Self, VoiceError> {
        let candidates = voices.into_iter().map(|voice| Candidate {
            voice,
            prepared: OnceCell::new(),
        });
        let voices = Self {
            candidates: candidates.collect(),
            chosen: Mutex::default(),
            fixed: Arc::new(fixed_sentences(&script).into_iter().collect()),
            script,
        };
        let Some(last) = voices.candidates.last() else {
            let reason = "there is no voice".to_owned();
            return Err(VoiceError::EngineFailed { reason });
        };
        // Those between are asked only when they are needed: one on standby takes its memory only then.
        let best = voices.candidates.iter().find(|it| it.voice.has_room());
        for candidate in best.into_iter().chain([last]) {
            voices.prepared(candidate).await?;
        }
        Ok(voices)
    }

    /// The one that is wanted, if it has room; otherwise the first that has, or else the last, which always has.
    pub async fn for_a_new_call(&self, wanted: Option<&Arc<dyn Voice>>) -> Option<Arc<CallVoice>> {
        if let Some(voice) = wanted.filter(|voice| voice.has_room()) {
            match self.ready_in_time(voice).await {
                Some(voice) => return Some(voice),
                None => tracing::warn!(
                    "the voice that a call was asked for with is not ready in time: it has another"
                ),
            }
        }
        for (place, candidate) in self.candidates.iter().enumerate() {
            let is_last = place + 1 == self.candidates.len();
            if !is_last && !candidate.voice.has_room() {
                continue;
            }
            let prepared = tokio::time::timeout(READY_WITHIN, self.prepared(candidate)).await;
            match prepared {
                Ok(Ok(voice)) => {
                    if place > 0 {
                        metrics::counter!("nightlight_calls_in_a_lighter_voice_total").increment(1);
                    }
                    return Some(voice);
                }
                Ok(Err(error)) => {
                    tracing::error!(%error, "a voice cannot say the safe fallback: the next is taken");
                }
                Err(_) => tracing::error!("a voice was not ready in time: the next is taken"),
            }
        }
        None
    }

    async fn ready_in_time(&self, voice: &Arc<dyn Voice>) -> Option<Arc<CallVoice>> {
        let is_it = |candidate: &Candidate| Arc::ptr_eq(&candidate.voice, voice);
        let chosen;
        let candidate = match self.candidates.iter().find(|it| is_it(it)) {
            Some(candidate) => candidate,
            None => {
                chosen = self.chosen(voice);
                &*chosen
            }
        };
        let prepared = tokio::time::timeout(READY_WITHIN, self.prepared(candidate)).await;
        prepared.ok()?.ok()
    }

    fn chosen(&self, voice: &Arc<dyn Voice>) -> Arc<Candidate> {
        let mut chosen = self.chosen.lock().unwrap_or_else(PoisonError::into_inner);
        let known = chosen.iter().find(|it| Arc::ptr_eq(&it.voice, voice));
        if let Some(known) = known {
            return Arc::clone(known);
        }
        let candidate = Arc::new(Candidate {
            voice: Arc::clone(voice),
            prepared: OnceCell::new(),
        });
        chosen.push(Arc::clone(&candidate));
        candidate
    }

    async fn prepared(&self, candidate: &Candidate) -> Result<Arc<CallVoice>, VoiceError> {
        let voice = Arc::clone(&candidate.voice);
        let fixed = Arc::clone(&self.fixed);
        let prepare = || CallVoice::prepare(voice, &self.script, fixed);
        candidate.prepared.get_or_try_init(prepare).await.cloned()
    }
}

/// Every sentence of a call that holds nothing of the caller's: the flow's, and what is said when something fails.
pub fn fixed_sentences(script: &AssistantScript) -> Vec<String> {
    let mut sentences = fallback::lines(&script.directory);
    sentences.extend(script.fixed_sentences());
    sentences
}

#[cfg(test)]
mod tests {
    use speech::{SpeechStream, Standing};

    use super::*;

    /// A voice whose state a test changes.
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        HasRoom,
        HasNone,
        /// Has room, and cannot speak.
        IsBroken,
        /// Has room, and says nothing ever.
        Hangs,
    }

    struct Scripted {
        state: Mutex<State>,
        unanswered: Mutex<Vec<Box<dyn std::any::Any + Send>>>,
    }

    impl Scripted {
        fn that(state: State) -> Arc<Self> {
            Arc::new(Self {
                state: Mutex::new(state),
                unanswered: Mutex::default(),
            })
        }

        fn now(&self, state: State) {
            *self.state.lock().expect("unpoisoned") = state;
        }
    }

    impl Voice for Scripted {
        fn speak_to(&self, _: Standing, _: Secret<String>) -> SpeechStream {
            match *self.state.lock().expect("unpoisoned") {
                State::IsBroken => SpeechStream::ready([Err(VoiceError::Busy)]),
                State::Hangs => {
                    let (sender, stream) = SpeechStream::channel();
                    let mut unanswered = self.unanswered.lock().expect("unpoisoned");
                    unanswered.push(Box::new(sender));
                    stream
                }
                State::HasRoom | State::HasNone => {
                    SpeechStream::ready([Ok(Sound::Samples(vec![900; 320]))])
                }
            }
        }

        fn has_room(&self) -> bool {
            *self.state.lock().expect("unpoisoned") != State::HasNone
        }
    }

    async fn voices(first: &Arc<Scripted>, last: &Arc<Scripted>) -> CallVoices {
        let voices: Vec<Arc<dyn Voice>> = vec![Arc::clone(first) as _, Arc::clone(last) as _];
        CallVoices::prepare(voices, Arc::new(AssistantScript::built_in()))
            .await
            .expect("the last can speak")
    }

    async fn is_held_in(voices: &CallVoices, voice: &Arc<Scripted>) -> bool {
        let chosen = voices.for_a_new_call(None).await.expect("there is a voice");
        let voice: Arc<dyn Voice> = Arc::clone(voice) as _;
        Arc::ptr_eq(&chosen.voice, &voice)
    }

    #[tokio::test(start_paused = true)]
    async fn a_voice_that_has_no_room_yet_holds_the_calls_that_begin_once_it_has() {
        let (first, last) = (
            Scripted::that(State::HasNone),
            Scripted::that(State::HasNone),
        );
        let voices = voices(&first, &last).await;
        assert!(is_held_in(&voices, &last).await);
        first.now(State::HasRoom);
        assert!(is_held_in(&voices, &first).await);
        first.now(State::HasNone);
        assert!(is_held_in(&voices, &last).await);
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_is_held_in_the_voice_that_it_is_asked_for_with_if_that_can_be_had() {
        let (first, last) = (
            Scripted::that(State::HasRoom),
            Scripted::that(State::HasRoom),
        );
        let voices = voices(&first, &last).await;
        let another = Scripted::that(State::HasRoom);
        for (wanted, has) in [(&last, &last), (&another, &another), (&another, &another)] {
            let wanted: Arc<dyn Voice> = Arc::clone(wanted) as _;
            let has: Arc<dyn Voice> = Arc::clone(has) as _;
            let chosen = voices.for_a_new_call(Some(&wanted)).await;
            assert!(Arc::ptr_eq(&chosen.expect("there is one").voice, &has));
        }
        let usual: Arc<dyn Voice> = Arc::clone(&first) as _;
        for state in [State::IsBroken, State::Hangs, State::HasNone] {
            let wanted: Arc<dyn Voice> = Scripted::that(state) as _;
            let chosen = voices.for_a_new_call(Some(&wanted)).await;
            assert!(Arc::ptr_eq(&chosen.expect("there is one").voice, &usual));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_voice_that_cannot_say_the_safe_fallback_in_time_holds_no_call() {
        let (first, last) = (
            Scripted::that(State::HasNone),
            Scripted::that(State::HasRoom),
        );
        let voices = voices(&first, &last).await;
        for state in [State::IsBroken, State::Hangs] {
            first.now(state);
            let began = tokio::time::Instant::now();
            assert!(is_held_in(&voices, &last).await);
            assert!(began.elapsed() <= READY_WITHIN);
        }
        first.now(State::HasRoom);
        assert!(is_held_in(&voices, &first).await, "it is tried again");
    }
}
