//! Words to phonemes, in the alphabet of the natural voices.
//!
//! `misaki` knows some 200,000 English words, and which of a word's sounds is meant. What it does not know is
//! spelled out by flite's letter-to-sound rules: better a name that is said oddly than one that is left out.

use misaki_rs::fallback::FallbackError;
use misaki_rs::{Fallback, G2P, Language};

use super::Accent;
use crate::flite::sounds_of_letters;

/// Stands where no sound is known; never reaches a model.
const UNKNOWN: char = '❓';

/// Turns marked-up words into phonemes.
pub(super) struct Phonemes(G2P);

impl Phonemes {
    /// A quarter of a second.
    pub fn of(accent: Accent) -> Self {
        let language = match accent {
            Accent::American => Language::EnglishUS,
            Accent::British => Language::EnglishGB,
        };
        Self(G2P::with_fallback(language, Some(Box::new(LetterToSound))))
    }

    pub fn read(&self, marked_up: &str) -> String {
        match self.0.g2p(marked_up) {
            Ok((phonemes, _)) => phonemes.replace(UNKNOWN, ""),
            // Only the fallback can fail, and it never does.
            Err(_) => String::new(),
        }
    }
}

/// A word that is in no dictionary, by flite's rules.
struct LetterToSound;

impl Fallback for LetterToSound {
    fn phonemize(&self, word: &str) -> Result<String, FallbackError> {
        let sounds = sounds_of_letters(word);
        let phonemes: String = sounds.iter().filter_map(|phone| in_misaki(phone)).collect();
        // Nothing, of a word without letters: an error would leave out the whole sentence.
        Ok(phonemes)
    }
}

/// One phone of the CMU set, with its stress.
fn in_misaki(phone: &str) -> Option<String> {
    let (phone, stressed) = match phone.strip_suffix('1') {
        Some(phone) => (phone, true),
        None => (phone.strip_suffix('0').unwrap_or(phone), false),
    };
    let vowel = |sound: &str| Some(format!("{}{sound}", if stressed { "ˈ" } else { "" }));
    let consonant = |sound: &str| Some(sound.to_owned());
    match phone {
        "aa" => vowel("ɑ"),
        "ae" => vowel("æ"),
        "ah" if stressed => vowel("ʌ"),
        "ah" | "ax" => vowel("ə"),
        "ao" => vowel("ɔ"),
        "aw" => vowel("W"),
        "ay" => vowel("I"),
        "eh" => vowel("ɛ"),
        "er" if stressed => vowel("ɜɹ"),
        "er" => vowel("əɹ"),
        "ey" => vowel("A"),
        "ih" => vowel("ɪ"),
        "iy" => vowel("i"),
        "ow" => vowel("O"),
        "oy" => vowel("Y"),
        "uh" => vowel("ʊ"),
        "uw" => vowel("u"),
        "ch" => consonant("ʧ"),
        "dh" => consonant("ð"),
        "g" => consonant("ɡ"),
        "hh" => consonant("h"),
        "jh" => consonant("ʤ"),
        "ng" => consonant("ŋ"),
        "r" => consonant("ɹ"),
        "sh" => consonant("ʃ"),
        "th" => consonant("θ"),
        "y" => consonant("j"),
        "zh" => consonant("ʒ"),
        "b" | "d" | "f" | "k" | "l" | "m" | "n" | "p" | "s" | "t" | "v" | "w" | "z" => {
            consonant(phone)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_words_names_and_unknown_words_all_have_sounds() {
        let phonemes = Phonemes::of(Accent::American);
        assert_eq!(
            phonemes.read("Are you in [xzangmokio](/ˈɑŋ mˈO kiˈO/)?"),
            "ˌɑɹ ju ɪn ˈɑŋ mˈO kiˈO?"
        );
        let unknown = phonemes.read("Is it Zorblat?");
        assert!(
            unknown.contains("zˈɔɹb") || unknown.contains("zɔɹbl"),
            "{unknown}"
        );
        assert!(!unknown.contains(UNKNOWN));
    }

    #[test]
    fn a_word_without_sounds_takes_no_other_with_it() {
        let phonemes = Phonemes::of(Accent::American);
        for word in ["^^^", "--", "@@", "4x4", "x_y", "$$"] {
            let said = phonemes.read(&format!("Take {word} home."));
            assert!(
                said.starts_with("tˈAk") && said.ends_with("hˈOm."),
                "{word} left {said:?}"
            );
        }
    }

    #[test]
    fn the_accents_differ() {
        let said = |accent| Phonemes::of(accent).read("ask");
        assert_ne!(said(Accent::American), said(Accent::British));
    }
}
