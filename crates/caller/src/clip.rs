//! One utterance ready to be said: its samples, its Opus packets and where its voice lies.
//!
//! A clip is read or spoken once and encoded once, however many calls say it, so that a load of
//! many callers measures the server and not the callers' encoders. Clips know nothing of calls.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use opus::{Application, Bitrate, Channels, Encoder};
use redact::Secret;
use speech::{FliteVoice, Voice};

use crate::sound::{self, SAMPLE_RATE, Threshold};

/// 20 ms, the length of one packet.
pub const FRAME_SAMPLES: usize = 320;
const OPUS_PACKET_MAX: usize = 1_275;
/// Frames of faint noise before a clip while encoding, so that the encoder has settled.
const SETTLING_FRAMES: usize = 5;

#[derive(Debug)]
pub struct Clip {
    /// What is said, or the file it came from: for reports.
    pub label: String,
    frames: Vec<Frame>,
    /// First to last sound, in samples.
    voiced: Range<usize>,
}

#[derive(Debug)]
pub struct Frame {
    pub samples: [i16; FRAME_SAMPLES],
    pub opus: Arc<[u8]>,
}

#[derive(Debug, thiserror::Error)]
pub enum ClipError {
    #[error("cannot read {path} ({source}): give an existing WAV file")]
    Unreadable { path: PathBuf, source: hound::Error },
    #[error(
        "{path} has {bits}-bit {format} samples: convert it to 16-bit PCM, 32-bit float at most"
    )]
    Format {
        path: PathBuf,
        bits: u16,
        format: &'static str,
    },
    #[error("{label} is silent: say something that is louder than the threshold of speech")]
    Silent { label: String },
    #[error("the voice could not speak a text ({0})")]
    Voice(String),
    #[error("Opus cannot encode a clip ({0})")]
    Opus(#[from] opus::Error),
}

impl Clip {
    pub fn from_wav(path: &Path, threshold: Threshold) -> Result<Self, ClipError> {
        let samples = read_wav(path)?;
        Self::from_samples(path.display().to_string(), samples, threshold)
    }

    pub async fn spoken(
        text: &str,
        voice: &FliteVoice,
        threshold: Threshold,
    ) -> Result<Self, ClipError> {
        let speech = voice.speak(Secret::new(text.to_owned())).collect().await;
        let samples = speech.map_err(|error| ClipError::Voice(error.to_string()))?;
        let label = text.to_owned();
        // A call may be under way, and its frames are not to wait for the encoder.
        tokio::task::spawn_blocking(move || Self::from_samples(label, samples, threshold))
            .await
            .map_err(|error| ClipError::Voice(error.to_string()))?
    }

    pub fn from_samples(
        label: String,
        samples: Vec<i16>,
        threshold: Threshold,
    ) -> Result<Self, ClipError> {
        let Some(voiced) = sound::voiced_part(&samples, threshold) else {
            return Err(ClipError::Silent { label });
        };
        Ok(Self {
            label,
            frames: encode(&samples)?,
            voiced,
        })
    }

    /// What a quiet room's microphone sends between utterances; a second that repeats.
    pub fn room_tone() -> Result<Self, ClipError> {
        Ok(Self {
            label: String::from("room tone"),
            frames: encode(&faint_noise(SAMPLE_RATE as usize))?,
            voiced: 0..0,
        })
    }

    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// From the clip's start to its first sound.
    pub fn voice_starts(&self) -> Duration {
        sound::to_time(self.voiced.start as u64)
    }

    /// From the clip's start to the end of its last sound.
    pub fn voice_ends(&self) -> Duration {
        sound::to_time(self.voiced.end as u64)
    }
}

fn encode(samples: &[i16]) -> Result<Vec<Frame>, ClipError> {
    let mut encoder = Encoder::new(SAMPLE_RATE as u32, Channels::Mono, Application::Voip)?;
    encoder.set_bitrate(Bitrate::Bits(32_000))?;
    encoder.set_inband_fec(true)?;
    // Without an expected loss the encoder spends nothing on forward error correction.
    encoder.set_packet_loss_perc(5)?;
    for noise in faint_noise(SETTLING_FRAMES * FRAME_SAMPLES).chunks(FRAME_SAMPLES) {
        encoder.encode_vec(noise, OPUS_PACKET_MAX)?;
    }
    samples
        .chunks(FRAME_SAMPLES)
        .map(|part| {
            let mut frame = [0; FRAME_SAMPLES];
            frame[..part.len()].copy_from_slice(part);
            let opus = encoder.encode_vec(&frame, OPUS_PACKET_MAX)?;
            Ok(Frame {
                samples: frame,
                opus: opus.into(),
            })
        })
        .collect()
}

/// About -80 dB, the same on every run.
fn faint_noise(samples: usize) -> Vec<i16> {
    let mut state: u32 = 0x9E37_79B9;
    (0..samples)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            (state % 7) as i16 - 3
        })
        .collect()
}

fn read_wav(path: &Path) -> Result<Vec<i16>, ClipError> {
    let unreadable = |source| ClipError::Unreadable {
        path: path.to_owned(),
        source,
    };
    let reader = hound::WavReader::open(path).map_err(unreadable)?;
    let spec = reader.spec();
    let samples: Vec<f32> = match (spec.sample_format, spec.bits_per_sample) {
        (hound::SampleFormat::Int, 16) => reader
            .into_samples::<i16>()
            .map(|sample| sample.map(|sample| f32::from(sample) / 32_768.0))
            .collect::<Result<_, _>>()
            .map_err(unreadable)?,
        (hound::SampleFormat::Float, 32) => reader
            .into_samples::<f32>()
            .collect::<Result<_, _>>()
            .map_err(unreadable)?,
        (format, bits) => {
            return Err(ClipError::Format {
                path: path.to_owned(),
                bits,
                format: match format {
                    hound::SampleFormat::Int => "integer",
                    hound::SampleFormat::Float => "float",
                },
            });
        }
    };
    let mono: Vec<f32> = samples
        .chunks(usize::from(spec.channels.max(1)))
        .map(|channels| channels.iter().sum::<f32>() / channels.len() as f32)
        .collect();
    Ok(resample(&mono, spec.sample_rate)
        .into_iter()
        .map(|sample| (sample * 32_768.0).clamp(-32_768.0, 32_767.0) as i16)
        .collect())
}

/// To 16 kHz by a windowed sinc of 16 zero crossings a side; good enough for speech.
fn resample(samples: &[f32], from: u32) -> Vec<f32> {
    if u64::from(from) == SAMPLE_RATE || from == 0 {
        return samples.to_vec();
    }
    let step = f64::from(from) / SAMPLE_RATE as f64;
    // Going down, the filter also keeps what 16 kHz cannot carry from folding back.
    let cutoff = (1.0 / step).min(1.0);
    let reach = 16.0 / cutoff;
    let length = (samples.len() as f64 / step) as usize;
    (0..length)
        .map(|n| {
            let centre = n as f64 * step;
            let first = (centre - reach).ceil().max(0.0) as usize;
            let last = ((centre + reach) as usize).min(samples.len().saturating_sub(1));
            let value: f64 = (first..=last)
                .map(|k| {
                    let offset = k as f64 - centre;
                    let x = std::f64::consts::PI * offset * cutoff;
                    let sinc = if x.abs() < 1e-9 { 1.0 } else { x.sin() / x };
                    let window = 0.5 + 0.5 * (std::f64::consts::PI * offset / reach).cos();
                    f64::from(samples[k]) * cutoff * sinc * window
                })
                .sum();
            value as f32
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::sound::synthetic::{silence, tone};

    fn clip(samples: Vec<i16>) -> Result<Clip, ClipError> {
        Clip::from_samples(String::from("a clip"), samples, Threshold::default())
    }

    #[test]
    fn a_clip_knows_where_its_voice_lies() {
        let clip = clip([silence(100), tone(500), silence(90)].concat()).unwrap();
        assert_eq!(clip.voice_starts(), Duration::from_millis(100));
        assert_eq!(clip.voice_ends(), Duration::from_millis(600));
        assert_eq!(
            clip.frames().len(),
            35,
            "the last frame is filled with silence"
        );
    }

    #[test]
    fn a_silent_clip_is_refused() {
        let error = clip(silence(500)).unwrap_err();
        assert!(error.to_string().contains("silent"), "{error}");
    }

    #[test]
    fn room_tone_is_sound_that_nobody_takes_for_speech() {
        let tone = Clip::room_tone().unwrap();
        let samples: Vec<i16> = tone
            .frames()
            .iter()
            .flat_map(|frame| frame.samples)
            .collect();
        assert!(samples.iter().any(|&sample| sample != 0));
        assert_eq!(sound::voiced_part(&samples, Threshold::default()), None);
    }

    #[test]
    fn encoded_frames_decode_to_the_sound_they_were_made_of() {
        let clip = clip(tone(400)).unwrap();
        let mut decoder = opus::Decoder::new(16_000, Channels::Mono).unwrap();
        let mut heard = Vec::new();
        for frame in clip.frames() {
            let mut samples = [0; FRAME_SAMPLES];
            let count = decoder.decode(&frame.opus, &mut samples, false).unwrap();
            heard.extend_from_slice(&samples[..count]);
        }
        let voiced = sound::voiced_part(&heard, Threshold::default()).unwrap();
        assert!(voiced.len() > 350 * 16, "{voiced:?}");
    }

    #[test]
    fn other_sample_rates_keep_pitch_and_length() {
        for rate in [8_000_u32, 22_050, 44_100, 48_000] {
            let second: Vec<f32> = (0..rate)
                .map(|n| (n as f32 * 440.0 * std::f32::consts::TAU / rate as f32).sin() * 0.5)
                .collect();
            let samples = resample(&second, rate);
            assert!(
                samples.len().abs_diff(16_000) <= 1,
                "{rate}: {}",
                samples.len()
            );
            let rises = samples
                .windows(2)
                .filter(|pair| pair[0] < 0.0 && pair[1] >= 0.0)
                .count();
            assert!(rises.abs_diff(440) <= 1, "{rate}: {rises} Hz");
            let peak = samples[1_000..15_000]
                .iter()
                .fold(0.0_f32, |a, &b| a.max(b.abs()));
            assert!((peak - 0.5).abs() < 0.02, "{rate}: peak {peak}");
        }
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = Clip::from_wav(Path::new("no-such.wav"), Threshold::default()).unwrap_err();
        assert!(error.to_string().contains("no-such.wav"), "{error}");
    }
}
