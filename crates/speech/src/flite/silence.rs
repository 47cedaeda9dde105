//! Takes the silence off the start of a sentence, so that the first chunk is heard at once.
//!
//! It leaves pauses within and after the sentence alone: they are part of how it sounds.

/// Louder than this is sound; flite's silence is within a few units of zero.
const SOUND: u16 = 160;
/// Kept before the first sound, so that soft consonants do not lose their start: 8 ms.
const KEPT_BEFORE: usize = 128;

/// Drops samples until sound begins.
#[derive(Debug, Default)]
pub(super) struct LeadingSilence {
    begun: bool,
}

impl LeadingSilence {
    /// What of the next samples is to be heard.
    pub(super) fn push<'a>(&mut self, samples: &'a [i16]) -> &'a [i16] {
        if self.begun {
            return samples;
        }
        match samples.iter().position(|s| s.unsigned_abs() > SOUND) {
            None => &[],
            Some(sound) => {
                self.begun = true;
                &samples[sound.saturating_sub(KEPT_BEFORE)..]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence_before_the_first_sound_is_dropped_but_for_a_short_lead_in() {
        let mut trim = LeadingSilence::default();
        assert!(trim.push(&[0; 2_000]).is_empty());
        let mut samples = [0; 1_000];
        samples[600] = 900;
        assert_eq!(trim.push(&samples).len(), 400 + KEPT_BEFORE);
    }

    #[test]
    fn pauses_after_the_first_sound_are_kept() {
        let mut trim = LeadingSilence::default();
        assert_eq!(trim.push(&[500; 10]).len(), 10);
        assert_eq!(trim.push(&[0; 2_000]).len(), 2_000);
    }
}
