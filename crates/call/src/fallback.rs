//! What a caller hears when something of ours fails: spoken once at start-up and
//! kept as sound, so that it needs no voice engine, no conversation and no luck.

use std::time::Duration;

use flow::Directory;
use redact::Secret;
use speech::{Voice, VoiceError};

use crate::media::{AudioFrame, FRAME_SAMPLES, FromCaller, Transport};

/// Said when a reply cannot be made in time; the call goes on.
const TROUBLE: &str = "I am sorry, I am having some trouble on my side. I am still here with you. \
    If you are in danger now, please ring {SPF number}. \
    You can also ring {SOS} at {SOS number}, at any hour.";

/// Said when the call cannot go on.
const CLOSING: &str = "I am so sorry, I have to end this call because of a problem on my side. \
    If you are in danger now, please ring {SPF number}. \
    You can ring {SOS} at {SOS number}, or {NAVH} at {NAVH number}, at any hour.";

/// What may be said when something fails.
pub(crate) fn lines(directory: &Directory) -> Vec<String> {
    [TROUBLE, CLOSING].map(|line| directory.fill(line)).to_vec()
}

/// Words and their sound.
pub(crate) struct Line {
    pub words: String,
    pub sound: Vec<i16>,
}

/// The lines kept ready, in one voice.
pub(crate) struct Fallback {
    trouble: Line,
    closing: Line,
}

impl Fallback {
    /// Has the lines spoken, once, by the voice the callers hear.
    pub async fn prepare(voice: &dyn Voice, directory: &Directory) -> Result<Self, VoiceError> {
        Ok(Self {
            trouble: Line::spoken_by(voice, directory.fill(TROUBLE)).await?,
            closing: Line::spoken_by(voice, directory.fill(CLOSING)).await?,
        })
    }

    pub fn trouble(&self) -> &Line {
        &self.trouble
    }

    pub fn closing(&self) -> &Line {
        &self.closing
    }
}

impl Line {
    async fn spoken_by(voice: &dyn Voice, words: String) -> Result<Self, VoiceError> {
        let sound = voice.speak(Secret::new(words.clone())).collect().await?;
        Ok(Self { words, sound })
    }

    /// Plays the line to the end or until the caller leaves. Outside the call's
    /// loop: for when that loop is no more.
    pub async fn play_out(&self, transport: &mut dyn Transport) {
        let mut ticker = tokio::time::interval(Duration::from_millis(20));
        let mut frames = self.sound.chunks(FRAME_SAMPLES);
        loop {
            tokio::select! {
                biased;
                _ = ticker.tick() => {
                    let Some(samples) = frames.next() else { return };
                    let mut frame: AudioFrame = [0; FRAME_SAMPLES];
                    frame[..samples.len()].copy_from_slice(samples);
                    transport.send_audio(&frame);
                }
                heard = transport.next() => {
                    if let FromCaller::Closed(_) = heard {
                        return;
                    }
                }
            }
        }
    }
}
