//! The lexicon: `config/pronunciation/en-SG.toml` and its names, built into the program.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use serde::Deserialize;

use super::{Piece, bare};

const WORDS: &str = include_str!("../../../../config/pronunciation/en-SG.toml");
const NAMES: &str = include_str!("../../../../config/pronunciation/en-SG-names.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Lexicon {
    short_numbers: HashSet<String>,
    before_a_number: HashSet<String>,
    before_a_time: HashSet<String>,
    months: Vec<String>,
    letters: HashSet<String>,
    number_groups: HashMap<String, String>,
    said: HashMap<String, String>,
    heard_as: HashMap<String, String>,
    #[serde(skip)]
    names: HashMap<String, Name>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Name {
    phonemes: String,
    respelled: Option<String>,
}

/// No name has more words.
const LONGEST: usize = 4;

impl Lexicon {
    pub fn shipped() -> &'static Lexicon {
        static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
            let mut lexicon: Lexicon = toml::from_str(WORDS)
                .unwrap_or_else(|error| panic!("config/pronunciation/en-SG.toml: {error}"));
            lexicon.names = toml::from_str(NAMES)
                .unwrap_or_else(|error| panic!("config/pronunciation/en-SG-names.toml: {error}"));
            lexicon
        });
        &LEXICON
    }

    pub fn is_short_number(&self, digits: &str) -> bool {
        self.short_numbers.contains(digits)
    }

    pub fn comes_before_a_number(&self, word: &str) -> bool {
        self.before_a_number.contains(&word.to_ascii_lowercase())
    }

    pub fn comes_before_a_time(&self, word: &str) -> bool {
        self.before_a_time.contains(&word.to_ascii_lowercase())
    }

    /// January is 1.
    pub fn month(&self, number: usize) -> Option<&str> {
        let month = self.months.get(number.checked_sub(1)?)?;
        Some(month)
    }

    /// "Jan" or "Sept".
    pub fn month_of_abbreviation(&self, written: &str) -> Option<&str> {
        let month = self.months.iter().find(|month| month.starts_with(written));
        month.filter(|_| written.len() >= 3).map(String::as_str)
    }

    pub fn is_spelled(&self, word: &str) -> bool {
        self.letters.contains(word)
    }

    pub fn number_group(&self, digits: &str) -> Option<&str> {
        self.number_groups.get(digits).map(String::as_str)
    }

    pub fn said(&self, word: &str) -> Option<&str> {
        self.said.get(word).map(String::as_str)
    }

    pub fn heard_as(&self, word: &str) -> Option<&str> {
        self.heard_as.get(word).map(String::as_str)
    }

    /// The longest name at the start of these words, and how many of them it takes.
    pub fn name(&self, words: &[&str]) -> Option<(Piece, usize)> {
        (1..=words.len().min(LONGEST))
            .rev()
            .find_map(|count| Some((self.name_of(&words[..count])?, count)))
    }

    fn name_of(&self, words: &[&str]) -> Option<Piece> {
        let (opening, ..) = bare(words.first()?);
        let (.., closing) = bare(words.last()?);
        let joined = words.join(" ");
        let written = &joined[opening.len()..joined.len() - closing.len()];
        let (written, owns) = match written.strip_suffix("'s") {
            Some(written) => (written, true),
            None => (written, false),
        };
        let Name {
            phonemes,
            respelled,
        } = self.names.get(written)?;
        let ending = if owns { possessive(phonemes) } else { "" };
        Some(Piece::Name {
            opening: opening.to_owned(),
            closing: closing.to_owned(),
            written: written.to_owned(),
            phonemes: format!("{phonemes}{ending}"),
            respelled: respelled.as_ref().map(|said| match owns {
                true => format!("{said}'s"),
                false => said.clone(),
            }),
        })
    }
}

/// How "'s" sounds after a name: as in "bus's", "Pat's" or "Ann's".
fn possessive(phonemes: &str) -> &'static str {
    if phonemes.ends_with(['s', 'z', 'ʃ', 'ʒ', 'ʧ', 'ʤ']) {
        "ᵻz"
    } else if phonemes.ends_with(['p', 't', 'k', 'f', 'θ']) {
        "s"
    } else {
        "z"
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    /// What Kokoro's American voices were trained on; espeak's names for the same sounds are in Piper's model.
    const PHONEMES: &str = "AIOWYiuɑəɛɜɪɔʊʌæᵊ bdfhjklmnpstvwzðŋɡɹʃʒʤʧθˈˌ";
    const VOWELS: &str = "AIOWYiuɑəɛɜɪɔʊʌæᵊ";

    #[test]
    fn every_name_is_made_of_sounds_that_the_voices_know() {
        for (name, entry) in &Lexicon::shipped().names {
            let phonemes = &entry.phonemes;
            let unknown = phonemes.chars().find(|sound| !PHONEMES.contains(*sound));
            assert_eq!(unknown, None, "of {name}");
            let stressed = phonemes.split(' ').all(|word| word.contains('ˈ'));
            assert!(stressed, "a word of {name} has no stress: {phonemes}");
            for stress in phonemes.split(['ˈ', 'ˌ']).skip(1) {
                assert!(
                    stress.starts_with(|sound| VOWELS.contains(sound)),
                    "{name}: {phonemes}"
                );
            }
        }
    }

    #[test]
    fn every_name_is_found_and_respelled_in_plain_letters() {
        for (name, entry) in &Lexicon::shipped().names {
            assert!(name.split(' ').count() <= LONGEST, "{name} is never found");
            let plain = |said: &String| said.bytes().all(|c| c.is_ascii_lowercase() || c == b' ');
            assert!(entry.respelled.as_ref().is_none_or(plain), "{name}");
        }
    }

    #[test]
    fn what_belongs_to_somebody_ends_as_in_english() {
        for (written, sounds) in [
            ("Kallang's", "kˈɑlɑŋz"),
            ("Suresh's", "suɹˈɛʃᵻz"),
            ("Karthik's", "kˈɑɹtɪks"),
        ] {
            let (name, taken) = Lexicon::shipped().name(&[written]).unwrap();
            let Piece::Name { phonemes, .. } = name else {
                panic!("{written} is no name");
            };
            assert_eq!((phonemes.as_str(), taken), (sounds, 1));
        }
    }
}
