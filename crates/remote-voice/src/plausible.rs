//! Whether samples are speech as long as its words. What an endpoint sends under a wrong name (other numbers, another
//! order of bytes) is noise, as loud as can be, and must reach no caller.

use speech::SAMPLE_RATE;

use crate::Trouble;

/// Nobody speaks faster, in samples a character: 50 characters a second.
const SHORTEST: usize = SAMPLE_RATE as usize / 50;
/// Nor slower, beside a moment to begin and to end.
const LONGEST: usize = SAMPLE_RATE as usize / 3;
const MOMENT: usize = 3 * SAMPLE_RATE as usize;
/// How alike neighbouring samples are: of speech 0.8 and more, of noise about 0.
const LEAST_ALIKE: f64 = 0.3;

/// Whether a sentence of so many characters may sound like this.
pub fn check(samples: &[i16], characters: usize) -> Result<(), Trouble> {
    let length = SHORTEST * characters..=LONGEST * characters + MOMENT;
    if !length.contains(&samples.len()) {
        return Err(Trouble::WrongLength);
    }
    let products = samples
        .windows(2)
        .map(|pair| f64::from(pair[0]) * f64::from(pair[1]));
    let squares = samples.iter().map(|sample| f64::from(*sample).powi(2));
    let (alike, power) = (products.sum::<f64>(), squares.sum::<f64>());
    match alike >= LEAST_ALIKE * power {
        true => Ok(()),
        false => Err(Trouble::Noise),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Like a voice: low tones with overtones.
    fn hum(samples: usize) -> Vec<i16> {
        let tone = |i: usize, pitch: f64| (i as f64 * pitch * 0.0004).sin();
        (0..samples)
            .map(|i| (4_000.0 * (tone(i, 140.0) + tone(i, 700.0) + 0.3 * tone(i, 2_600.0))) as i16)
            .collect()
    }

    #[test]
    fn speech_as_long_as_its_words_may_be_kept() {
        assert_eq!(check(&hum(40_000), 38), Ok(()));
    }

    #[test]
    fn what_is_far_too_short_or_too_long_is_not_the_sentence() {
        assert_eq!(check(&hum(8_000), 38), Err(Trouble::WrongLength));
        assert_eq!(check(&hum(400_000), 38), Err(Trouble::WrongLength));
        assert_eq!(check(&[], 38), Err(Trouble::WrongLength));
    }

    #[test]
    fn bytes_in_the_wrong_order_and_numbers_of_another_kind_are_noise() {
        let swapped: Vec<i16> = hum(40_000).iter().map(|s| s.swap_bytes()).collect();
        assert_eq!(check(&swapped, 38), Err(Trouble::Noise));
        let floats: Vec<i16> = hum(20_000)
            .iter()
            .flat_map(|sample| (f32::from(*sample) / 32_768.0).to_le_bytes())
            .collect::<Vec<u8>>()
            .as_chunks::<2>()
            .0
            .iter()
            .map(|bytes| i16::from_le_bytes(*bytes))
            .collect();
        assert_eq!(check(&floats, 38), Err(Trouble::Noise));
    }
}
