//! Whether a frame of audio holds a voice.
//!
//! It judges frame by frame and decides nothing about turns: how many voiced frames make an
//! onset and how much silence ends a turn belongs to the `turn` crate.

use earshot::Detector;

/// Samples in one detector frame: 16 ms.
pub const FRAME_SAMPLES: usize = 256;

/// Scores from here up are voice; the detector's authors' own threshold. It needs no energy
/// floor of ours: measured, nothing below a level of 30 (of 32,768) counts as voice, and
/// speech does from about 60.
const VOICE_SCORE: f32 = 0.5;

/// Hears voices in one audio stream. Keep one per call and pass every frame in order.
///
/// On onset it is 0–30 ms late: whoever keeps the audio keeps some from before.
pub struct VoiceDetector {
    detector: Box<Detector>,
    steadiness: Steadiness,
    loudness: Loudness,
}

impl VoiceDetector {
    /// A detector for a new stream of audio.
    pub fn new() -> VoiceDetector {
        VoiceDetector {
            detector: Box::default(),
            steadiness: Steadiness::default(),
            loudness: Loudness::default(),
        }
    }

    /// Whether this frame holds a voice.
    pub fn is_voice(&mut self, frame: &[i16; FRAME_SAMPLES]) -> bool {
        let power = frame.iter().map(|s| f32::from(*s).powi(2)).sum();
        let score = self.detector.predict_i16(frame);
        let tone = self.steadiness.is_tone(power);
        score >= VOICE_SCORE && !tone && self.loudness.is_still_speech(power)
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

    fn is_tone(&mut self, power: f32) -> bool {
        self.powers[self.next] = power;
        self.next = (self.next + 1) % Steadiness::FRAMES;
        let loudest = self.powers.iter().copied().fold(0.0, f32::max);
        let softest = self.powers.iter().copied().fold(f32::INFINITY, f32::min);
        softest > 0.0 && loudest < softest * Steadiness::STEADY
    }
}

/// Tells the end of speech from its echo in the detector, which goes on hearing a voice for 70 to
/// 130 ms after it has ceased: those frames are far softer than the speech just heard.
///
/// What "just heard" means fades, so that someone who falls to a whisper is heard again at once:
/// a voice 48 dB softer after half a second.
#[derive(Default)]
struct Loudness {
    /// Of the loudest recent frame, fading.
    power: f32,
}

impl Loudness {
    /// 26 dB below: under a spoken consonant, above what remains in a room once a voice has ceased.
    const SOFTER: f32 = 0.0025;
    /// What is left after one frame: a fall of 44 dB in a second.
    const FADES_TO: f32 = 0.85;

    fn is_still_speech(&mut self, power: f32) -> bool {
        let speech = power >= self.power * Loudness::SOFTER;
        self.power = power.max(self.power * Loudness::FADES_TO);
        speech
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
