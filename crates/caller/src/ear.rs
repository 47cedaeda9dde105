//! What the caller heard and when: received audio laid on the call's own clock.
//!
//! The ear plays what arrives as a listener's earpiece would: packets of one stretch of audio
//! follow each other without a gap, and a new stretch starts when its first packet arrives. A
//! sample's time is the moment at which it could be heard at the earliest: a browser's jitter
//! buffer comes on top. The ear decides nothing about the conversation.

use std::time::Duration;

use crate::sound::{Span, SpeechSpans, Threshold, to_samples, to_time};

/// Audio as it came off the line.
#[derive(Debug, Clone, PartialEq)]
pub struct Packet {
    pub samples: Vec<i16>,
    /// Since the call's start.
    pub arrived: Duration,
    /// The sender's own clock in samples, where the transport has one.
    pub media_time: Option<u64>,
    /// How many of the samples stand in for packets that were lost.
    pub concealed: usize,
}

/// A packet up to this much behind its turn is still played in its place.
const JITTER_COVER: Duration = Duration::from_millis(60);
/// A packet this much behind its turn would have been missed by an earpiece without a buffer.
const LATE_AFTER: Duration = Duration::from_millis(20);

#[derive(Debug)]
pub struct Ear {
    spans: SpeechSpans,
    stretch: Option<Stretch>,
    first_packet: Option<Duration>,
    stretch_starts: Vec<Duration>,
    late_packets: u64,
    packets: u64,
    concealed_samples: u64,
    /// Everything heard from the call's start, silence included.
    recording: Option<Vec<i16>>,
}

/// One unbroken run of received audio.
#[derive(Debug)]
struct Stretch {
    /// Where the next sample goes on the call's clock.
    next: u64,
    /// What the sender's clock says at that point.
    next_media_time: Option<u64>,
}

impl Ear {
    pub fn new(threshold: Threshold, record: bool) -> Self {
        Self {
            spans: SpeechSpans::new(threshold),
            stretch: None,
            first_packet: None,
            stretch_starts: Vec::new(),
            late_packets: 0,
            packets: 0,
            concealed_samples: 0,
            recording: record.then(Vec::new),
        }
    }

    pub fn first_packet(&self) -> Option<Duration> {
        self.first_packet
    }

    /// When each stretch of packets began to arrive.
    pub fn stretch_starts(&self) -> &[Duration] {
        &self.stretch_starts
    }

    pub fn packets(&self) -> u64 {
        self.packets
    }

    pub fn late_packets(&self) -> u64 {
        self.late_packets
    }

    pub fn concealed(&self) -> Duration {
        to_time(self.concealed_samples)
    }

    pub fn recording(&self) -> Option<&[i16]> {
        self.recording.as_deref()
    }

    /// Spans of the assistant's speech so far; the last may still grow.
    pub fn heard(&self) -> impl DoubleEndedIterator<Item = &Span> {
        self.spans.spans()
    }

    /// The end of the latest sound of speech.
    pub fn last_sound(&self) -> Option<Duration> {
        self.heard().next_back().map(|span| to_time(span.end))
    }

    /// The start of the first span of speech that began at `time` or after it.
    pub fn onset_since(&self, time: Duration) -> Option<Duration> {
        let time = to_samples(time);
        self.heard()
            .map(|span| span.start)
            .find(|&start| start >= time)
            .map(to_time)
    }

    pub fn hear(&mut self, packet: &Packet) {
        self.packets += 1;
        self.first_packet.get_or_insert(packet.arrived);
        self.concealed_samples += packet.concealed as u64;
        let start = self.place(packet);
        self.spans.push(start, &packet.samples);
        if let Some(recording) = &mut self.recording {
            recording.resize(start as usize, 0);
            recording.extend_from_slice(&packet.samples);
        }
        let length = packet.samples.len() as u64;
        self.stretch = Some(Stretch {
            next: start + length,
            next_media_time: packet.media_time.map(|time| time + length),
        });
    }

    /// Where the packet's first sample goes on the call's clock.
    fn place(&mut self, packet: &Packet) -> u64 {
        let arrived = to_samples(packet.arrived);
        // What stands in for lost packets would have been heard before the packet that told of
        // the loss.
        let own_start = arrived.saturating_sub(packet.concealed as u64);
        let Some(stretch) = &self.stretch else {
            self.stretch_starts.push(packet.arrived);
            return own_start;
        };
        let follows = stretch.next_media_time == packet.media_time;
        let behind = to_time(own_start.saturating_sub(stretch.next));
        if follows && behind > LATE_AFTER && packet.media_time.is_some() {
            self.late_packets += 1;
        }
        if follows && behind <= JITTER_COVER {
            return stretch.next;
        }
        self.stretch_starts.push(packet.arrived);
        own_start.max(stretch.next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sound::synthetic::{silence, tone};

    const FRAME: usize = 320;

    fn frames(audio: &[i16]) -> impl Iterator<Item = Vec<i16>> + '_ {
        audio.chunks(FRAME).map(<[i16]>::to_vec)
    }

    /// Sends `audio` every 20 ms from `from_millis`, each frame shifted by `jitter`.
    fn send(
        ear: &mut Ear,
        audio: &[i16],
        from_millis: u64,
        media_start: u64,
        jitter: impl Fn(u64) -> u64,
    ) {
        for (n, samples) in frames(audio).enumerate() {
            let n = n as u64;
            ear.hear(&Packet {
                samples,
                arrived: Duration::from_millis(from_millis + n * 20 + jitter(n)),
                media_time: Some(media_start + n * FRAME as u64),
                concealed: 0,
            });
        }
    }

    fn heard_millis(ear: &Ear) -> Vec<(u64, u64)> {
        ear.heard()
            .map(|span| (span.start / 16, span.end / 16))
            .collect()
    }

    #[test]
    fn sound_is_timed_from_the_packet_that_carries_it() {
        let mut ear = Ear::new(Threshold::default(), false);
        let audio = [silence(110), tone(400)].concat();
        send(&mut ear, &audio, 2_000, 0, |_| 0);
        assert_eq!(heard_millis(&ear), [(2_110, 2_510)]);
        assert_eq!(ear.first_packet(), Some(Duration::from_secs(2)));
        assert_eq!(
            ear.onset_since(Duration::from_secs(1)),
            Some(Duration::from_millis(2_110))
        );
        assert_eq!(ear.onset_since(Duration::from_millis(2_111)), None);
        assert_eq!(ear.last_sound(), Some(Duration::from_millis(2_510)));
    }

    #[test]
    fn jitter_neither_tears_speech_nor_moves_it() {
        let mut ear = Ear::new(Threshold::default(), false);
        send(&mut ear, &tone(1_000), 500, 0, |n| {
            if n % 7 == 3 { 35 } else { 0 }
        });
        assert_eq!(heard_millis(&ear), [(500, 1_500)]);
        assert_eq!(ear.late_packets(), 7);
    }

    #[test]
    fn a_new_stretch_starts_when_its_first_packet_arrives() {
        let mut ear = Ear::new(Threshold::default(), false);
        send(&mut ear, &tone(400), 0, 0, |_| 0);
        // The sender's clock did not move while it was silent.
        send(&mut ear, &tone(400), 5_000, 6_400, |_| 0);
        assert_eq!(heard_millis(&ear), [(0, 400), (5_000, 5_400)]);
        assert_eq!(ear.stretch_starts().len(), 2);
    }

    #[test]
    fn what_conceals_a_loss_takes_the_place_of_what_was_lost() {
        let mut ear = Ear::new(Threshold::default(), false);
        send(&mut ear, &tone(200), 1_000, 0, |_| 0);
        ear.hear(&Packet {
            samples: tone(40),
            arrived: Duration::from_millis(1_220),
            media_time: Some(200 * 16),
            concealed: FRAME,
        });
        assert_eq!(heard_millis(&ear), [(1_000, 1_240)]);
        assert_eq!(ear.concealed(), Duration::from_millis(20));
        assert_eq!(ear.late_packets(), 0);
    }

    #[test]
    fn the_recording_runs_on_the_calls_clock() {
        let mut ear = Ear::new(Threshold::default(), true);
        send(&mut ear, &tone(100), 300, 0, |_| 0);
        let recording = ear.recording().expect("it was asked for");
        assert_eq!(recording.len(), 400 * 16);
        assert!(recording[..300 * 16].iter().all(|&sample| sample == 0));
    }
}
