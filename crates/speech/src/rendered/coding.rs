//! A sentence's sound as Opus packets of 20 ms, as they go out to a caller.

use std::time::Duration;

use opus::{Application, Bitrate, Channels, Decoder, Encoder};

use crate::{SAMPLE_RATE, VoiceError, voice};

/// Samples of one packet: 20 ms.
const PACKET_SAMPLES: usize = 320;
/// What an encoder puts before the first sample, at any rate.
pub(crate) const LOOKAHEAD: Duration = Duration::from_micros(6_500);
/// More than any packet at this bit rate takes.
const LARGEST_PACKET: usize = 1_275;
/// Speech at 16 kHz sounds as at 32, with room for what restores a lost packet.
const BITS_A_SECOND: i32 = 24_000;

/// A whole sentence, ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendering {
    bytes: Vec<u8>,
    /// Where each packet ends.
    ends: Vec<u32>,
}

impl Rendering {
    /// Encodes 16 kHz samples; the last packet is filled up with silence.
    pub fn of(samples: &[i16]) -> Result<Self, VoiceError> {
        let mut encoder = encoder().map_err(|error| broken(&error))?;
        let mut rendering = Self {
            bytes: Vec::new(),
            ends: Vec::new(),
        };
        let mut packet = [0; LARGEST_PACKET];
        for chunk in samples.chunks(PACKET_SAMPLES) {
            let mut frame = [0; PACKET_SAMPLES];
            frame[..chunk.len()].copy_from_slice(chunk);
            let length = encoder
                .encode(&frame, &mut packet)
                .map_err(|error| broken(&error))?;
            rendering.push(&packet[..length]);
        }
        Ok(rendering)
    }

    /// How long it is heard.
    pub(crate) fn lasts(&self) -> Duration {
        voice::lasting(self.packets() * PACKET_SAMPLES)
    }

    /// How many packets of 20 ms it has.
    pub fn packets(&self) -> usize {
        self.ends.len()
    }

    /// One packet of 20 ms.
    pub fn packet(&self, index: usize) -> Option<&[u8]> {
        let end = *self.ends.get(index)? as usize;
        let start = match index {
            0 => 0,
            index => self.ends[index - 1] as usize,
        };
        self.bytes.get(start..end)
    }

    /// Its samples, for whoever takes no Opus.
    pub fn decoded(&self) -> Result<Vec<i16>, VoiceError> {
        let mut decoder =
            Decoder::new(SAMPLE_RATE, Channels::Mono).map_err(|error| broken(&error))?;
        let mut samples = vec![0; self.packets() * PACKET_SAMPLES];
        let mut filled = 0;
        for index in 0..self.packets() {
            let packet = self.packet(index).unwrap_or_default();
            filled += decoder
                .decode(packet, &mut samples[filled..], false)
                .map_err(|error| broken(&error))?;
        }
        samples.truncate(filled);
        Ok(samples)
    }

    pub(super) fn push(&mut self, packet: &[u8]) {
        self.bytes.extend_from_slice(packet);
        self.ends
            .push(u32::try_from(self.bytes.len()).unwrap_or(u32::MAX));
    }

    /// As it is kept: the number of packets, the length of each, then the packets. Little-endian.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.bytes.len() + 2 * self.packets() + 4);
        out.extend((self.packets() as u32).to_le_bytes());
        for index in 0..self.packets() {
            let length = self.packet(index).map_or(0, <[u8]>::len) as u16;
            out.extend(length.to_le_bytes());
        }
        out.extend(&self.bytes);
        out
    }

    /// None if the bytes are no rendering.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (count, rest) = bytes.split_first_chunk::<4>()?;
        let count = u32::from_le_bytes(*count) as usize;
        let lengths = rest.get(..count.checked_mul(2)?)?;
        let mut packets = &rest[lengths.len()..];
        let mut rendering = Self {
            bytes: Vec::with_capacity(packets.len()),
            ends: Vec::with_capacity(count),
        };
        for length in lengths.as_chunks::<2>().0 {
            let (packet, after) =
                packets.split_at_checked(usize::from(u16::from_le_bytes(*length)))?;
            rendering.push(packet);
            packets = after;
        }
        packets.is_empty().then_some(rendering)
    }
}

fn encoder() -> Result<Encoder, opus::Error> {
    let mut encoder = Encoder::new(SAMPLE_RATE, Channels::Mono, Application::Voip)?;
    encoder.set_bitrate(Bitrate::Bits(BITS_A_SECOND))?;
    // What is sent must be fit for a line that loses packets, though none may be lost.
    encoder.set_inband_fec(true)?;
    encoder.set_packet_loss_perc(8)?;
    encoder.set_complexity(10)?;
    Ok(encoder)
}

fn broken(error: &opus::Error) -> VoiceError {
    VoiceError::EngineFailed {
        reason: format!("Opus: {error}"),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn tone(samples: usize) -> Vec<i16> {
        (0..samples)
            .map(|i| ((i as f64 * 0.17).sin() * 9_000.0) as i16)
            .collect()
    }

    #[test]
    fn a_sentence_comes_back_as_long_as_it_was_and_as_loud() {
        let samples = tone(16_000);
        let heard = Rendering::of(&samples).unwrap().decoded().unwrap();
        assert_eq!(heard.len(), samples.len());
        let level = |samples: &[i16]| {
            let squares: f64 = samples.iter().map(|s| f64::from(*s).powi(2)).sum();
            (squares / samples.len() as f64).sqrt()
        };
        assert!((level(&heard) / level(&samples) - 1.0).abs() < 0.15);
    }

    #[test]
    fn the_encoder_looks_ahead_as_far_as_is_reckoned_with() {
        let samples = encoder().unwrap().get_lookahead().unwrap();
        let lookahead = Duration::from_secs(1) * samples as u32 / SAMPLE_RATE;
        assert_eq!(lookahead, LOOKAHEAD);
    }

    #[test]
    fn the_last_packet_is_filled_up() {
        assert_eq!(Rendering::of(&tone(330)).unwrap().packets(), 2);
    }

    #[test]
    fn what_is_kept_comes_back_and_nothing_else_is_taken_for_it() {
        let rendering = Rendering::of(&tone(3_200)).unwrap();
        let bytes = rendering.to_bytes();
        assert_eq!(Rendering::from_bytes(&bytes), Some(rendering));
        for cut in [0, 3, 5, bytes.len() - 1] {
            assert_eq!(Rendering::from_bytes(&bytes[..cut]), None, "{cut}");
        }
    }
}
