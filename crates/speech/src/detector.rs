//! Whether a frame of audio holds a voice.
//!
//! It judges frame by frame and decides nothing about turns: how many voiced frames make an
//! onset and how much silence ends a turn belongs to the `turn` crate.

use std::time::Duration;

use earshot::Detector;

/// Samples in one detector frame: 16 ms.
pub const FRAME_SAMPLES: usize = 256;

/// Scores from here up are voice; the detector's authors' own threshold. It needs no energy
/// floor of ours: measured, nothing below a level of 30 (of 32,768) counts as voice, and
/// speech does from about 60.
const VOICE_SCORE: f32 = 0.5;

/// Hears voices in one audio stream. Keep one per call and pass every frame in order.
///
/// On onset it is 0–30 ms late, and it holds on 70–130 ms after the voice has ended: whoever
/// keeps the audio keeps some from before.
pub struct VoiceDetector {
    detector: Box<Detector>,
    steadiness: Steadiness,
}

impl VoiceDetector {
    /// How long it goes on hearing a voice that has ceased: measured at 70 to 130 ms with synthesised
    /// and recorded speech; this is the lower part of that, so that nobody is cut short.
    pub const TAIL: Duration = Duration::from_millis(80);

    /// A detector for a new stream of audio.
    pub fn new() -> VoiceDetector {
        VoiceDetector {
            detector: Box::default(),
            steadiness: Steadiness::default(),
        }
    }

    /// Whether this frame holds a voice.
    pub fn is_voice(&mut self, frame: &[i16; FRAME_SAMPLES]) -> bool {
        let score = self.detector.predict_i16(frame);
        let tone = self.steadiness.is_tone(frame);
        score >= VOICE_SCORE && !tone
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

/// Tells hums, whistles and dialling tones, which the detector takes for voices when they are
/// loud: their power hardly changes for half a second, and no voice's is that steady.
#[derive(Default)]
struct Steadiness {
    powers: [f32; Steadiness::FRAMES],
    next: usize,
}

impl Steadiness {
    /// 512 ms.
    const FRAMES: usize = 32;
    /// Loudest to softest, as power.
    const STEADY: f32 = 1.3;

    fn is_tone(&mut self, frame: &[i16; FRAME_SAMPLES]) -> bool {
        self.powers[self.next] = frame.iter().map(|s| f32::from(*s).powi(2)).sum();
        self.next = (self.next + 1) % Steadiness::FRAMES;
        let loudest = self.powers.iter().copied().fold(0.0, f32::max);
        let softest = self.powers.iter().copied().fold(f32::INFINITY, f32::min);
        softest > 0.0 && loudest < softest * Steadiness::STEADY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A second and a half of a tone; how much of it counted as voice after the first half second.
    fn voiced_share(tone: impl Fn(f32) -> f32) -> f32 {
        let mut detector = VoiceDetector::new();
        let mut voiced = 0.0;
        for number in 0..96_usize {
            let frame = std::array::from_fn(|sample| {
                tone((number * FRAME_SAMPLES + sample) as f32 / 16_000.0) as i16
            });
            if detector.is_voice(&frame) && number >= 32 {
                voiced += 1.0 / 64.0;
            }
        }
        voiced
    }

    #[test]
    fn silence_is_no_voice() {
        assert!(voiced_share(|_| 0.0) < f32::EPSILON);
    }

    #[test]
    fn a_loud_tone_stops_counting_as_voice() {
        let turn = std::f32::consts::TAU;
        for frequency in [100.0, 120.0, 350.0, 440.0, 1_000.0] {
            let sine = voiced_share(|t| 16_000.0 * (turn * frequency * t).sin());
            let square = voiced_share(|t| 12_000.0 * (turn * frequency * t).sin().signum());
            assert!(sine < 0.05, "{frequency} Hz: {sine}");
            assert!(square < 0.05, "{frequency} Hz, square: {square}");
        }
    }
}
