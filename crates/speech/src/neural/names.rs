//! Two hundred of Singapore's places and people, from writing to sound: no syllable may be lost on the way.
//!
//! What is asked for is counted by ear, in `tests/names/singapore.txt`. Not told here: whether a syllable has the
//! right vowel or stress, for which people of Singapore must listen (`make names` leaves sound to listen to).

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use crate::neural::Accent;
use crate::neural::phonemes::Phonemes;
use crate::pronunciation::prepare;

/// A name as it is written, and its syllables.
pub(super) struct Name {
    pub written: String,
    pub syllables: usize,
}

pub(super) fn names() -> impl Iterator<Item = Name> {
    include_str!("../../tests/names/singapore.txt")
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| Name {
            written: line.replace('-', ""),
            syllables: line.split([' ', '-']).count(),
        })
}

/// How many syllables these phonemes have: each has one vowel, diphthongs being one letter.
pub(super) fn syllables(phonemes: &str) -> usize {
    phonemes
        .chars()
        .filter(|phoneme| "AIOQWYaiuɑɒɛəɔɪʊæʌɜᵊᵻ".contains(*phoneme))
        .count()
}

#[test]
fn there_are_two_hundred_names() {
    assert!(names().count() >= 200);
}

#[test]
fn no_syllable_is_lost_on_the_way_to_the_phonemes() {
    for accent in [Accent::American, Accent::British] {
        let reader = Phonemes::of(accent);
        for name in names() {
            let phonemes = reader.read(&prepare(&name.written).marked_up());
            let counted = syllables(&phonemes);
            assert_eq!(counted, name.syllables, "{} as {phonemes}", name.written);
        }
    }
}

#[test]
fn every_name_of_the_lexicon_reaches_the_model_with_the_sounds_it_has_there() {
    let file = include_str!("../../../../config/pronunciation/en-SG-names.toml");
    let lexicon: BTreeMap<String, toml::Value> = toml::from_str(file).unwrap();
    assert!(lexicon.len() >= 250);
    let names: Vec<_> = lexicon.into_iter().collect();
    let reader = Phonemes::of(Accent::American);
    for names in names.chunks(8) {
        let list: Vec<&str> = names.iter().map(|(name, _)| name.as_str()).collect();
        let sentence = format!("Is it {}?", list.join(" or "));
        let said = reader.read(&prepare(&sentence).marked_up());
        for (name, entry) in names {
            let sounds = entry["phonemes"].as_str().unwrap();
            assert!(said.contains(&format!(" {sounds}")), "{name} in {said}");
        }
    }
}

#[test]
fn letters_and_addresses_reach_the_model_as_they_are_said() {
    let reader = Phonemes::of(Accent::American);
    let said = |written: &str| reader.read(&prepare(written).marked_up());
    assert_eq!(said("Ring NAVH now."), "ɹˈɪŋ ˈɛn ˈA vˈi ˈAʧ nˈW.");
    assert_eq!(said("at 9am"), "æt nˈIn ˈA ˈɛm");
    assert_eq!(
        said("Blk 123A #05-67"),
        "blˈɑk wˈʌn tˈu θɹˈi ˈA jˈunət zˈɪɹO fˈIv, sˈɪks sˈɛvən"
    );
}
