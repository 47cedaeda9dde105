//! Whoever is on a line, by a timetable: the caller, and officers too.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use call::media::{AudioFrame, CloseReason, FRAME_SAMPLES, FromCaller, Transport};
use flow::Secret;
use speech::{FliteVoice, Voice};
use tokio::time::Instant;

use super::{Act, Stage};

/// How long the assistant must be silent before the caller replies.
const POLITE_PAUSE: Duration = Duration::from_millis(700);

/// A transport whose caller keeps to a timetable; 50 frames a second, as a browser sends.
pub(super) struct ScriptedCaller {
    acts: VecDeque<(Act, Vec<i16>)>,
    stage: Arc<Stage>,
    pub(super) start: Instant,
    next_frame: Instant,
    frame_every: Duration,
    connected: bool,
    speaking: VecDeque<i16>,
    spoke_until: Instant,
    quiet_since: Instant,
    sounding_since: Option<Instant>,
    decoder: opus::Decoder,
    /// Nothing can be sent.
    is_broken: bool,
}

impl ScriptedCaller {
    pub(super) async fn new(acts: Vec<Act>, stage: Arc<Stage>) -> Self {
        let voice = FliteVoice::named("rms").expect("a flite voice");
        let mut with_sound = VecDeque::new();
        for act in acts {
            let mut sound = Vec::new();
            if let Act::Replies(words)
            | Act::Interrupts { words, .. }
            | Act::Floods(words)
            | Act::SpeaksAt(_, words) = &act
            {
                let stream = voice.speak(Secret::new((*words).to_owned()));
                sound = stream.collect().await.expect("flite speaks");
                // The act ends with the last sound, as the wait for the reply is counted.
                let last = sound.iter().rposition(|sample| sample.unsigned_abs() > 200);
                sound.truncate(last.map_or(0, |last| last + 1));
            }
            with_sound.push_back((act, sound));
        }
        let now = Instant::now();
        Self {
            acts: with_sound,
            stage,
            start: now,
            next_frame: now,
            frame_every: Duration::from_millis(20),
            connected: false,
            speaking: VecDeque::new(),
            spoke_until: now,
            quiet_since: now,
            sounding_since: None,
            decoder: opus::Decoder::new(16_000, opus::Channels::Mono).expect("Opus"),
            is_broken: false,
        }
    }

    pub(super) fn start_now(&mut self) -> Instant {
        self.start = Instant::now();
        self.next_frame = self.start;
        self.quiet_since = self.start;
        self.spoke_until = self.start;
        self.start
    }

    /// Begins the next act if its moment has come. `Some` when it is no sound.
    fn act(&mut self) -> Option<FromCaller> {
        let now = Instant::now();
        let quiet_for = now - self.quiet_since;
        let sounding_for = self.sounding_since.map(|since| now - since);
        let due = match &self.acts.front()?.0 {
            Act::Replies(_) | Act::Floods(_) => {
                self.sounding_since.is_some() && quiet_for >= POLITE_PAUSE
            }
            Act::Interrupts { after, .. } => {
                quiet_for < Duration::from_millis(40)
                    && sounding_for.is_some_and(|since| since >= *after)
            }
            Act::SpeaksAt(at, _) | Act::HangsUpAt(at) | Act::IsLostAt(at) => {
                now - self.start >= *at
            }
            Act::Sends(_) => true,
            Act::IsCutOff { after } => now - self.spoke_until >= *after,
            Act::HangsUp | Act::BreaksTheCall { .. } => {
                self.sounding_since.is_some() && quiet_for >= Duration::from_secs(1)
            }
        };
        if !due {
            return None;
        }
        let (act, mut sound) = self.acts.pop_front()?;
        match act {
            Act::Floods(words) => {
                *self.stage.words.lock().expect("unpoisoned") = words;
                self.frame_every /= 50;
                sound.resize(sound.len() + 16_000, 0);
                self.speaking = sound.repeat(400).into();
                None
            }
            Act::Replies(words) | Act::Interrupts { words, .. } | Act::SpeaksAt(_, words) => {
                *self.stage.words.lock().expect("unpoisoned") = words;
                self.speaking = sound.into();
                self.sounding_since = None;
                None
            }
            Act::Sends(text) => Some(FromCaller::Message(Secret::new(text.to_owned()))),
            Act::HangsUp | Act::HangsUpAt(_) => Some(FromCaller::Closed(CloseReason::CallerLeft)),
            Act::IsCutOff { .. } | Act::IsLostAt(_) => {
                Some(FromCaller::Closed(CloseReason::MediaLost))
            }
            Act::BreaksTheCall { and_its_goodbye } => {
                self.is_broken = and_its_goodbye;
                panic!("on purpose")
            }
        }
    }
}

#[async_trait]
impl Transport for ScriptedCaller {
    async fn next(&mut self) -> FromCaller {
        if !self.connected {
            self.connected = true;
            return FromCaller::Connected;
        }
        tokio::time::sleep_until(self.next_frame).await;
        self.next_frame += self.frame_every;
        if self.speaking.is_empty()
            && let Some(other) = self.act()
        {
            return other;
        }
        let mut frame: AudioFrame = [0; FRAME_SAMPLES];
        let take = self.speaking.len().min(FRAME_SAMPLES);
        for (slot, sample) in frame.iter_mut().zip(self.speaking.drain(..take)) {
            *slot = sample;
        }
        if take > 0 {
            let at = self.start.elapsed();
            self.spoke_until = Instant::now();
            self.stage.log.lock().expect("unpoisoned").said.push(at);
        }
        FromCaller::Audio(frame)
    }

    fn send_audio(&mut self, frame: &AudioFrame) {
        assert!(!self.is_broken, "on purpose");
        if frame.iter().any(|sample| sample.unsigned_abs() > 500) {
            let now = Instant::now();
            self.quiet_since = now;
            self.sounding_since.get_or_insert(now);
            let at = self.start.elapsed();
            self.stage.log.lock().expect("unpoisoned").heard.push(at);
        }
    }

    fn send_packet(&mut self, packet: &[u8]) {
        let mut frame = [0; FRAME_SAMPLES];
        let decoded = self.decoder.decode(packet, &mut frame, false);
        decoded.expect("a packet of Opus");
        self.send_audio(&frame);
    }

    fn send_message(&mut self, _text: &str) {}

    async fn close(&mut self) {}
}
