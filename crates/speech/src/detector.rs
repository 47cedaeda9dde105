//! Whether a frame of audio holds a voice.
//!
//! It judges frame by frame and decides nothing about turns: how many voiced frames make an
//! onset and how much silence ends a turn belongs to the `turn` crate.

use earshot::Detector;

/// Samples in one detector frame: 16 ms.
pub const FRAME_SAMPLES: usize = 256;

/// Scores from here up are voice; the detector's authors' own threshold.
const VOICE_SCORE: f32 = 0.5;

/// Hears voices in one audio stream. Keep one per call and pass every frame in order.
pub struct VoiceDetector {
    detector: Box<Detector>,
}

impl VoiceDetector {
    /// A detector for a new stream of audio.
    pub fn new() -> VoiceDetector {
        VoiceDetector {
            detector: Box::default(),
        }
    }

    /// Whether this frame holds a voice.
    pub fn is_voice(&mut self, frame: &[i16; FRAME_SAMPLES]) -> bool {
        self.detector.predict_i16(frame) >= VOICE_SCORE
    }
}

impl Default for VoiceDetector {
    fn default() -> VoiceDetector {
        VoiceDetector::new()
    }
}

impl std::fmt::Debug for VoiceDetector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("VoiceDetector").finish_non_exhaustive()
    }
}
