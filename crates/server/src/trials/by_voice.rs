//! A test by voice: a made-up caller who speaks on a call of this server's own, hears the assistant, and hangs up when there is
//! nothing more to say. Ears, voice, turn-taking and flow are those of any call, over the transport of a program's WebSocket.
//!
//! It waits until no caller is on a line, gives way to the first who asks for one, and is begun again a few times. Nothing of it is
//! stored here.

use std::collections::VecDeque;
use std::time::Duration;

use call::media::{FRAME_DURATION, FRAME_SAMPLES, SocketFrame, WebSocketTransport};
use call::{Manner, Trial, TrialBroken};
use redact::Secret;
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::suite::Conversed;
use crate::app::App;
use crate::settings::VoiceName;

/// The caller is not on the line for longer.
const LONGEST_CALL: Duration = Duration::from_secs(180);
/// How long it is waited until no caller is on a line.
const QUIET_WITHIN: Duration = Duration::from_secs(120);
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// One that gives way so often is not tried again.
const MOST_BEGINNINGS: u32 = 3;
/// After so long without a sound the assistant has finished.
const FINISHED_AFTER: Duration = Duration::from_millis(1200);
/// As loud as that on average is a voice; between two sentences it is silent.
const VOICE_LEVEL: f64 = 200.0;
/// Messages between the two sides, each way: a second of sound.
const BETWEEN: usize = 50;

const UNSPOKEN: &str =
    "a line of the script could not be spoken: write it in words, a sentence or two";
const NOT_QUIET: &str =
    "callers were on the line, and come first: run it again when there are fewer";
const TOO_LONG: &str = "a call by voice took longer than three minutes";
const BROKE: &str = "the call by voice broke: run it again";

/// Whom the caller talks to.
pub struct Target {
    pub manner: Manner,
    /// The assistant's; the caller has another.
    pub voice: VoiceName,
}

/// A script as sound.
pub struct Script<'t> {
    manner: &'t Manner,
    lines: Vec<Vec<i16>>,
}

impl<'t> Script<'t> {
    /// Has the lines spoken, before anybody is on a call.
    pub async fn spoken(
        app: &App,
        target: &'t Target,
        lines: &[Secret<String>],
    ) -> Result<Self, &'static str> {
        let voice = app.installed_voices.of_who_talks_to(&target.voice);
        let voice = voice.unwrap_or(&app.first_voice);
        let mut spoken = Vec::new();
        for line in lines {
            // Their assistant may speak in the same voice.
            when_quiet(|| (app.switchboard.live_calls() == 0).then_some(())).await?;
            let sound = voice.speak(line.clone()).collect().await;
            spoken.push(sound.map_err(|_| UNSPOKEN)?);
        }
        Ok(Self {
            manner: &target.manner,
            lines: spoken,
        })
    }

    /// One call, to its end.
    pub async fn held(&self, app: &App) -> Result<Conversed, &'static str> {
        for _ in 0..MOST_BEGINNINGS {
            let (trial, line) = when_quiet(|| self.begun(app)).await?;
            let started_at = trial.started_at;
            let caller = Caller::who_says(&self.lines, self.speaks_first());
            let call = async move {
                line.talk(caller).await;
                trial.ended().await
            };
            match tokio::time::timeout(LONGEST_CALL, call).await {
                Ok(Ok(ended)) => {
                    return Ok(Conversed {
                        started_at,
                        messages: ended.messages,
                        reason: ended.reason,
                        note: ended.note,
                    });
                }
                Ok(Err(TrialBroken::GaveWay)) => {}
                Ok(Err(TrialBroken::Failed)) => return Err(BROKE),
                Err(_) => return Err(TOO_LONG),
            }
        }
        Err(NOT_QUIET)
    }

    fn begun(&self, app: &App) -> Option<(Trial, Line)> {
        let (line, transport) = Line::and_its_other_end();
        let manner = self.manner.clone();
        let trial = app.switchboard.begin_trial(manner, Box::new(transport))?;
        Some((trial, line))
    }

    fn speaks_first(&self) -> bool {
        let plan = self.manner.plan.as_ref();
        plan.is_some_and(|plan| !plan.assistant_speaks_first)
    }
}

/// What there is once no caller is on a line.
async fn when_quiet<T>(there_is: impl Fn() -> Option<T>) -> Result<T, &'static str> {
    let quiet_by = Instant::now() + QUIET_WITHIN;
    loop {
        if let Some(it) = there_is() {
            return Ok(it);
        }
        if Instant::now() >= quiet_by {
            return Err(NOT_QUIET);
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

/// The caller's end of a line.
struct Line {
    to_call: mpsc::Sender<SocketFrame>,
    from_call: mpsc::Receiver<SocketFrame>,
}

impl Line {
    fn and_its_other_end() -> (Self, WebSocketTransport) {
        let (to_call, incoming) = mpsc::channel(BETWEEN);
        let (outgoing, from_call) = mpsc::channel(BETWEEN);
        let line = Self { to_call, from_call };
        (line, WebSocketTransport::new(incoming, outgoing))
    }

    /// Until the call is over: a frame leaves every 20 ms, as from a microphone, also while nothing is said.
    async fn talk(mut self, mut caller: Caller) {
        let begun = Instant::now();
        let mut ticks = tokio::time::interval(FRAME_DURATION);
        let mut has_hung_up = false;
        loop {
            tokio::select! {
                frame = self.from_call.recv() => match frame {
                    Some(SocketFrame::Pcm(pcm)) => caller.hear(&pcm, begun.elapsed()),
                    // What a page shows, and nobody hears.
                    Some(SocketFrame::Text(_)) => {}
                    Some(SocketFrame::Close) | None => return,
                },
                _ = ticks.tick(), if !has_hung_up => match caller.speak(begun.elapsed()) {
                    // Where the call is behind, sound is lost, as on a slow network.
                    Some(frame) => drop(self.to_call.try_send(SocketFrame::Pcm(frame.into()))),
                    None => {
                        has_hung_up = true;
                        let _ = self.to_call.send(SocketFrame::Close).await;
                    }
                },
            }
        }
    }
}

/// Who says what when: the next line once the assistant has spoken and has finished.
struct Caller {
    lines: VecDeque<Vec<i16>>,
    saying: Option<std::vec::IntoIter<i16>>,
    /// When the assistant was heard last, since this caller has spoken.
    heard: Option<Duration>,
}

impl Caller {
    fn who_says(lines: &[Vec<i16>], speaks_first: bool) -> Self {
        Self {
            lines: lines.iter().cloned().collect(),
            saying: None,
            heard: speaks_first.then_some(Duration::ZERO),
        }
    }

    fn hear(&mut self, pcm: &[u8], now: Duration) {
        if is_a_voice(pcm) {
            self.heard = Some(now);
        }
    }

    /// The 20 ms that leave now; `None` when all is said, and answered.
    fn speak(&mut self, now: Duration) -> Option<Vec<u8>> {
        let has_finished = |heard| now.saturating_sub(heard) >= FINISHED_AFTER;
        if self.saying.is_none() && self.heard.is_some_and(has_finished) {
            self.saying = Some(self.lines.pop_front()?.into_iter());
        }
        let mut frame = [0; FRAME_SAMPLES];
        if let Some(saying) = &mut self.saying {
            for (sample, said) in frame.iter_mut().zip(&mut *saying) {
                *sample = said;
            }
            if saying.as_slice().is_empty() {
                self.saying = None;
                self.heard = None;
            }
        }
        let bytes = frame.iter().flat_map(|sample: &i16| sample.to_le_bytes());
        Some(bytes.collect())
    }
}

fn is_a_voice(pcm: &[u8]) -> bool {
    let samples = pcm.chunks_exact(2);
    let count = samples.len() as f64;
    let loudness = samples.map(|sample| f64::from(i16::from_le_bytes([sample[0], sample[1]])));
    let energy: f64 = loudness.map(|sample| sample * sample).sum();
    count > 0.0 && energy >= count * VOICE_LEVEL * VOICE_LEVEL
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    const LOUD: i16 = 3000;

    fn sound(sample: i16) -> Vec<u8> {
        let samples = [sample; FRAME_SAMPLES];
        let bytes = samples.iter().flat_map(|sample| sample.to_le_bytes());
        bytes.collect()
    }

    fn at(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn line(frames: usize) -> Vec<i16> {
        vec![LOUD; frames * FRAME_SAMPLES]
    }

    #[test]
    fn a_caller_speaks_when_the_assistant_has_finished_and_hangs_up_when_all_is_answered() {
        let mut caller = Caller::who_says(&[line(2)], false);
        let is_silent = |frame: Option<Vec<u8>>| frame.unwrap() == sound(0);
        assert!(is_silent(caller.speak(at(5_000))), "nobody was heard yet");
        caller.hear(&sound(LOUD), at(5_000));
        caller.hear(&sound(0), at(5_900));
        assert!(is_silent(caller.speak(at(6_000))), "it may go on");
        assert_eq!(caller.speak(at(6_200)).unwrap(), sound(LOUD));
        assert_eq!(caller.speak(at(6_220)).unwrap(), sound(LOUD));
        assert!(is_silent(caller.speak(at(9_000))), "there is no answer yet");
        caller.hear(&sound(LOUD), at(9_000));
        assert!(is_silent(caller.speak(at(10_000))));
        assert_eq!(caller.speak(at(10_200)), None);
    }

    #[test]
    fn what_is_no_whole_frame_is_filled_with_silence() {
        let said = vec![LOUD; FRAME_SAMPLES + 1];
        let mut caller = Caller::who_says(&[said], true);
        assert!(is_a_voice(&caller.speak(FINISHED_AFTER).unwrap()));
        let rest = caller.speak(FINISHED_AFTER + FRAME_DURATION).unwrap();
        assert_eq!(rest[..2], LOUD.to_le_bytes());
        assert!(rest[2..].iter().all(|byte| *byte == 0) && rest.len() == 2 * FRAME_SAMPLES);
    }

    #[test]
    fn silence_and_nothing_are_no_voice() {
        assert!(is_a_voice(&sound(LOUD)));
        assert!(!is_a_voice(&sound(20)) && !is_a_voice(&[]) && !is_a_voice(&[1]));
    }
}
