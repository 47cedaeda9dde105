//! Opus both ways: packets of the caller's voice become whole 20 ms frames, and frames of the
//! assistant's voice become packets.
//!
//! Both work at 16 kHz directly, so nothing is resampled. What was lost on the way is concealed
//! here, from the next packet's in-band redundancy where it has any. Ordering is not done here:
//! packets arrive in order, with holes. There is no playout delay either; frames go on as soon as
//! they are decoded, because the ears need no steady pace, only every sample.

use ::opus::{Application, Bitrate, Channels, Decoder, Encoder, Signal};

use super::{AudioFrame, FRAME_SAMPLES};

const SAMPLE_RATE: u32 = 16_000;

/// RTP time for Opus counts 48 000 a second whatever the rate of the sound (RFC 7587 §4.1).
const RTP_TICKS_PER_SAMPLE: u64 = 48_000 / SAMPLE_RATE as u64;

/// The longest packet Opus allows: 120 ms.
const MAX_PACKET_SAMPLES: usize = 1_920;

/// How much of one hole is concealed: 200 ms. Opus fades to silence well before; a longer hole is
/// covered, while it lasts, by the silence that stands in for stalled sound.
const MAX_CONCEALED_SAMPLES: usize = 10 * FRAME_SAMPLES;

/// Opus conceals in steps of 2.5 ms only.
const CONCEAL_STEP: usize = 40;

/// A hole wider than this in sequence numbers is a stream that started anew.
const MAX_SEQUENCE_HOLE: u64 = 3_000;

/// Why an Opus codec could not be made.
#[derive(Debug, thiserror::Error)]
#[error("opus could not be set up: check the installed libopus ({0})")]
pub(super) struct CodecError(#[from] ::opus::Error);

/// The bytes do not decode.
#[derive(Debug)]
pub(super) struct Undecodable;

/// One packet's place in its stream.
#[derive(Debug, Clone, Copy)]
pub(super) struct PacketPlace {
    /// First and last RTP sequence number, extended so that they never wrap.
    pub sequence: (u64, u64),
    /// RTP time of the first sample, extended likewise.
    pub rtp_time: u64,
}

/// Turns one caller's packets into frames.
pub(super) struct OpusReceiver {
    decoder: Decoder,
    /// The sequence number and the RTP time that a packet without loss would have next.
    expected: Option<(u64, u64)>,
    pcm: Box<[i16; MAX_CONCEALED_SAMPLES]>,
    partial: AudioFrame,
    partial_len: usize,
}

impl OpusReceiver {
    pub(super) fn new() -> Result<Self, CodecError> {
        Ok(OpusReceiver {
            decoder: Decoder::new(SAMPLE_RATE, Channels::Mono)?,
            expected: None,
            pcm: Box::new([0; MAX_CONCEALED_SAMPLES]),
            partial: [0; FRAME_SAMPLES],
            partial_len: 0,
        })
    }

    /// Decodes one packet and hands on each frame that it completes.
    ///
    /// `already_silent` is how many silent frames were played since the packet before this one:
    /// that much of a hole needs no concealing. Empty packets are bandwidth probes (Chromium sends
    /// them at about 5 s and 10 s); to Opus an empty packet would mean a lost one, and false sound.
    pub(super) fn handle_packet(
        &mut self,
        place: PacketPlace,
        packet: &[u8],
        already_silent: u32,
        mut frame: impl FnMut(AudioFrame),
    ) -> Result<(), Undecodable> {
        let (first, last) = place.sequence;
        if packet.is_empty() {
            if let Some((sequence, _)) = &mut self.expected
                && *sequence == first
            {
                *sequence = last + 1;
            }
            return Ok(());
        }
        let samples = self
            .decoder
            .get_nb_samples(packet)
            .map_err(|_| Undecodable)?;
        if samples == 0 || samples > MAX_PACKET_SAMPLES {
            return Err(Undecodable);
        }

        let lost = self.lost_samples(place, already_silent);
        if lost > 0 {
            // With `fec`, Opus restores the last packet's worth from this packet's redundancy and
            // extrapolates whatever lies before it.
            let restored = self
                .decoder
                .decode(packet, &mut self.pcm[..lost], true)
                .map_err(|_| Undecodable)?;
            self.cut_frames(restored, &mut frame);
        }
        let decoded = self
            .decoder
            .decode(packet, &mut self.pcm[..MAX_PACKET_SAMPLES], false)
            .map_err(|_| Undecodable)?;
        self.expected = Some((
            last + 1,
            place.rtp_time + decoded as u64 * RTP_TICKS_PER_SAMPLE,
        ));
        self.cut_frames(decoded, &mut frame);
        Ok(())
    }

    /// How much sound to make up before this packet. A jump in RTP time without a hole in the
    /// sequence is a sender that paused: nothing was lost.
    fn lost_samples(&self, place: PacketPlace, already_silent: u32) -> usize {
        let Some((sequence, rtp_time)) = self.expected else {
            return 0;
        };
        let hole = place.sequence.0.saturating_sub(sequence);
        if hole == 0 || hole > MAX_SEQUENCE_HOLE {
            return 0;
        }
        let missing = place.rtp_time.saturating_sub(rtp_time) / RTP_TICKS_PER_SAMPLE;
        let covered = u64::from(already_silent) * FRAME_SAMPLES as u64;
        let lost = missing
            .saturating_sub(covered)
            .min(MAX_CONCEALED_SAMPLES as u64) as usize;
        lost - lost % CONCEAL_STEP
    }

    fn cut_frames(&mut self, samples: usize, frame: &mut impl FnMut(AudioFrame)) {
        let mut rest = &self.pcm[..samples];
        while !rest.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(FRAME_SAMPLES - self.partial_len));
            self.partial[self.partial_len..self.partial_len + now.len()].copy_from_slice(now);
            self.partial_len += now.len();
            rest = later;
            if self.partial_len == FRAME_SAMPLES {
                self.partial_len = 0;
                frame(self.partial);
            }
        }
    }
}

/// Turns the assistant's frames into packets.
pub(super) struct OpusSender {
    encoder: Encoder,
    packet: [u8; 512],
    stale: bool,
}

impl OpusSender {
    pub(super) fn new() -> Result<Self, CodecError> {
        let mut encoder = Encoder::new(SAMPLE_RATE, Channels::Mono, Application::Voip)?;
        encoder.set_signal(Signal::Voice)?;
        // 32 kbit/s leaves room for the redundancy that a lost packet is restored from; Opus only
        // spends it if it expects losses.
        encoder.set_bitrate(Bitrate::Bits(32_000))?;
        encoder.set_inband_fec(true)?;
        encoder.set_packet_loss_perc(8)?;
        // Without discontinuous transmission the caller's jitter buffer sees a steady stream for
        // as long as the assistant speaks.
        encoder.set_dtx(false)?;
        // Half the encoder's effort for a difference nobody hears in 16 kHz speech.
        encoder.set_complexity(5)?;
        Ok(OpusSender {
            encoder,
            packet: [0; 512],
            stale: false,
        })
    }

    /// Packets of somebody else's making went out: what comes next must not lean on what was encoded before them.
    pub(super) fn passed_over(&mut self) {
        self.stale = true;
    }

    pub(super) fn encode(&mut self, frame: &AudioFrame) -> &[u8] {
        if std::mem::take(&mut self.stale) && self.encoder.reset_state().is_err() {
            // Heard at worst as a click.
            tracing::debug!("the encoder could not be reset");
        }
        let len = self
            .encoder
            .encode(frame, &mut self.packet)
            .expect("20 ms at 16 kHz is a frame Opus takes, and 512 bytes hold its packet");
        &self.packet[..len]
    }
}

/// Turns packets that were encoded ahead back into frames, for a caller who takes no Opus.
pub(super) struct PacketDecoder(Decoder);

impl PacketDecoder {
    pub(super) fn new() -> Result<Self, CodecError> {
        Ok(PacketDecoder(Decoder::new(SAMPLE_RATE, Channels::Mono)?))
    }

    /// The packet's 20 ms; silence if it is none.
    pub(super) fn decode(&mut self, packet: &[u8]) -> AudioFrame {
        let mut frame = [0; FRAME_SAMPLES];
        if self.0.decode(packet, &mut frame, false).is_err() {
            frame = [0; FRAME_SAMPLES];
        }
        frame
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::prelude::*;

    use super::*;

    fn tone(index: usize) -> AudioFrame {
        std::array::from_fn(|i| {
            let t = (index * FRAME_SAMPLES + i) as f64 / 16_000.0;
            ((t * 440.0 * std::f64::consts::TAU).sin() * 10_000.0) as i16
        })
    }

    /// A vowel: a buzz whose pitch glides, coloured by two resonances. Unlike a steady tone it
    /// cannot be continued by guessing.
    fn vowel(count: usize) -> Vec<AudioFrame> {
        let (mut phase, mut a, mut b) = (0.0f64, [0.0; 2], [0.0; 2]);
        let mut sample = |t: f64| {
            phase += (140.0 + 50.0 * (t * 9.0).sin()) / 16_000.0;
            let pulse = if phase >= 1.0 {
                phase -= 1.0;
                1.0
            } else {
                0.0
            };
            let resonate = |state: &mut [f64; 2], hz: f64| {
                let w = hz / 16_000.0 * std::f64::consts::TAU;
                let out = pulse + 2.0 * 0.97 * w.cos() * state[0] - 0.97 * 0.97 * state[1];
                *state = [out, state[0]];
                out
            };
            let swing = 400.0 * (t * 17.0).sin();
            let sum = resonate(&mut a, 600.0 + swing) + 0.5 * resonate(&mut b, 1_500.0 - swing);
            (sum * 2_500.0) as i16
        };
        (0..count)
            .map(|f| std::array::from_fn(|i| sample((f * FRAME_SAMPLES + i) as f64 / 16_000.0)))
            .collect()
    }

    fn encode(frames: &[AudioFrame]) -> Vec<Vec<u8>> {
        let mut sender = OpusSender::new().unwrap();
        frames.iter().map(|f| sender.encode(f).to_vec()).collect()
    }

    fn packets(count: usize) -> Vec<Vec<u8>> {
        encode(&(0..count).map(tone).collect::<Vec<_>>())
    }

    /// How alike two frames are: 1 for the same shape, 0 for unrelated ones.
    fn likeness(a: &AudioFrame, b: &AudioFrame) -> f64 {
        let product: f64 = a
            .iter()
            .zip(b)
            .map(|(a, b)| f64::from(*a) * f64::from(*b))
            .sum();
        product / (rms(a) * rms(b) * FRAME_SAMPLES as f64).max(1.0)
    }

    fn place(index: u64) -> PacketPlace {
        PacketPlace {
            sequence: (100 + index, 100 + index),
            rtp_time: 7_000 + index * 960,
        }
    }

    fn rms(frame: &AudioFrame) -> f64 {
        let sum: f64 = frame.iter().map(|s| f64::from(*s).powi(2)).sum();
        (sum / FRAME_SAMPLES as f64).sqrt()
    }

    /// Plays the given packets and returns all frames.
    fn play(receiver: &mut OpusReceiver, packets: &[(u64, &[u8])]) -> Vec<AudioFrame> {
        let mut frames = vec![];
        for (index, packet) in packets {
            receiver
                .handle_packet(place(*index), packet, 0, |f| frames.push(f))
                .unwrap();
        }
        frames
    }

    #[test]
    fn a_tone_comes_through_with_its_energy() {
        let packets = packets(50);
        let numbered: Vec<_> = (0..).zip(packets.iter().map(Vec::as_slice)).collect();
        let frames = play(&mut OpusReceiver::new().unwrap(), &numbered);
        assert_eq!(frames.len(), 50);
        let level = rms(&frames[40]);
        assert!((5_000.0..9_500.0).contains(&level), "{level}");
    }

    #[test]
    fn a_lost_packet_is_restored_from_the_redundancy_in_the_next_one() {
        let packets = encode(&vowel(100));
        let all: Vec<_> = (0..).zip(packets.iter().map(Vec::as_slice)).collect();
        let whole = play(&mut OpusReceiver::new().unwrap(), &all);

        let holes: Vec<_> = (10..100).step_by(10).collect();
        let heard: Vec<_> = all
            .iter()
            .copied()
            .filter(|(i, _)| !holes.contains(i))
            .collect();
        let frames = play(&mut OpusReceiver::new().unwrap(), &heard);
        assert_eq!(frames.len(), 100);
        let alike: f64 = holes
            .iter()
            .map(|i| likeness(&frames[*i as usize], &whole[*i as usize]))
            .sum();
        let mean = alike / holes.len() as f64;
        assert!(
            mean > 0.8,
            "restored frames are only {mean:.2} like the lost ones"
        );
    }

    #[test]
    fn several_packets_lost_in_a_row_leave_no_gap_in_time() {
        let packets = encode(&vowel(50));
        let heard: Vec<_> = (0..)
            .zip(packets.iter().map(Vec::as_slice))
            .filter(|(i, _)| ![20, 30, 31, 40, 41, 42, 43].contains(i))
            .collect();
        let frames = play(&mut OpusReceiver::new().unwrap(), &heard);
        assert_eq!(frames.len(), 50);
    }

    #[test]
    fn a_long_hole_is_concealed_for_200_ms_at_most() {
        let packets = packets(500);
        let frames = play(
            &mut OpusReceiver::new().unwrap(),
            &[(0, &packets[0]), (499, &packets[499])],
        );
        assert_eq!(frames.len(), 12);
    }

    #[test]
    fn a_hole_that_was_already_filled_with_silence_is_not_filled_again() {
        let packets = packets(6);
        let mut receiver = OpusReceiver::new().unwrap();
        let mut frames = 0;
        receiver
            .handle_packet(place(0), &packets[0], 0, |_| frames += 1)
            .unwrap();
        receiver
            .handle_packet(place(5), &packets[5], 3, |_| frames += 1)
            .unwrap();
        assert_eq!(frames, 3, "two packets, and one of the four lost ones");
    }

    #[test]
    fn an_empty_probe_makes_no_sound() {
        let packets = packets(2);
        let mut receiver = OpusReceiver::new().unwrap();
        let mut frames = 0;
        receiver
            .handle_packet(place(0), &packets[0], 0, |_| frames += 1)
            .unwrap();
        let probe = PacketPlace {
            sequence: (101, 101),
            rtp_time: 7_000,
        };
        receiver
            .handle_packet(probe, &[], 0, |_| frames += 1)
            .unwrap();
        let next = PacketPlace {
            sequence: (102, 102),
            rtp_time: 7_960,
        };
        receiver
            .handle_packet(next, &packets[1], 0, |_| frames += 1)
            .unwrap();
        assert_eq!(frames, 2);
    }

    #[test]
    fn a_sender_that_paused_has_lost_nothing() {
        let packets = packets(2);
        let mut receiver = OpusReceiver::new().unwrap();
        let mut frames = 0;
        receiver
            .handle_packet(place(0), &packets[0], 0, |_| frames += 1)
            .unwrap();
        let later = PacketPlace {
            sequence: (101, 101),
            rtp_time: 96_000,
        };
        receiver
            .handle_packet(later, &packets[1], 0, |_| frames += 1)
            .unwrap();
        assert_eq!(frames, 2);
    }

    #[test]
    fn packets_of_other_lengths_still_become_whole_frames() {
        let mut encoder = Encoder::new(48_000, Channels::Stereo, Application::Audio).unwrap();
        for (ms, expected) in [(10, 30), (40, 120), (60, 180)] {
            let mut receiver = OpusReceiver::new().unwrap();
            let mut frames = 0;
            for i in 0..60u64 {
                let packet = encoder.encode_vec(&vec![500; ms * 48 * 2], 1275).unwrap();
                let place = PacketPlace {
                    sequence: (i, i),
                    rtp_time: i * ms as u64 * 48,
                };
                receiver
                    .handle_packet(place, &packet, 0, |_| frames += 1)
                    .unwrap();
            }
            assert_eq!(frames, expected, "{ms} ms packets");
        }
    }

    proptest! {
        #[test]
        fn no_packet_and_no_place_in_the_stream_makes_it_panic(
            packets in proptest::collection::vec(
                (any::<u32>(), any::<u32>(), 0..2u64, proptest::collection::vec(any::<u8>(), 0..64)),
                1..20,
            ),
        ) {
            let mut receiver = OpusReceiver::new().unwrap();
            for (sequence, rtp_time, width, packet) in packets {
                let first = u64::from(sequence);
                let place = PacketPlace {
                    sequence: (first, first + width),
                    rtp_time: u64::from(rtp_time),
                };
                let _ = receiver.handle_packet(place, &packet, 0, |_| {});
            }
        }
    }
}
