//! What a model's words may rest on: what was said, and what was looked up. A word that tells
//! something of fact (a person, a harm, a time, a name, a number) must stand there.

use super::Unfit;
use super::lexicon::{NUMBER_WORDS, OPENERS, ORDINARY_CAPITALS, TELLING};
use crate::text::plain;

/// Words that may be rested on.
pub(super) struct Grounds {
    plain: String,
    stems: Vec<String>,
}

impl Grounds {
    pub fn of<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let plain: String = texts.into_iter().map(plain).collect();
        let stems = plain.split_whitespace().map(stem).collect();
        Self { plain, stems }
    }

    /// Whether these words stand there one after the other.
    pub fn hold(&self, phrase: &str) -> bool {
        self.plain.contains(&plain(phrase))
    }

    /// Every telling word of the text stands here, in some form of it.
    pub fn bear(&self, text: &str) -> Result<(), Unfit> {
        for word in plain(text).split_whitespace() {
            let is_number =
                word.chars().any(|c| c.is_ascii_digit()) || NUMBER_WORDS.contains(&word);
            if is_number && !self.has(word) {
                return Err(Unfit::Number);
            }
            let stem = stem(word);
            let tells = TELLING.iter().any(|group| group.contains(&stem.as_str()));
            if tells && !self.has_kin(&stem) {
                return Err(Unfit::NotSaid);
            }
        }
        for name in capitalised(text) {
            if !self.has(&name.to_lowercase()) {
                return Err(Unfit::NotSaid);
            }
        }
        Ok(())
    }

    fn has(&self, word: &str) -> bool {
        self.plain.contains(&format!(" {word} "))
    }

    /// The word, or one that says the same: "dad" for "father".
    fn has_kin(&self, stem: &str) -> bool {
        TELLING
            .iter()
            .filter(|group| group.contains(&stem))
            .any(|group| {
                self.stems
                    .iter()
                    .any(|known| group.contains(&known.as_str()))
            })
    }
}

/// Words with a capital that does not begin a sentence, or that somebody is addressed by at its
/// beginning ("Mei, I hear you"): names, as a rule.
fn capitalised(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut begins = true;
    for word in text.split_whitespace() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let bare = bare.strip_suffix("'s").unwrap_or(bare);
        let capital = bare.chars().next().is_some_and(char::is_uppercase);
        let addresses = begins && word.ends_with(',') && !OPENERS.contains(&bare);
        if capital && (!begins || addresses) && !ORDINARY_CAPITALS.contains(&bare) {
            names.push(bare);
        }
        begins = word.ends_with(['.', '?', '!', ':', '"']);
    }
    names
}

/// A word without its commonest endings. Crude, and the same on both sides.
pub(super) fn stem(word: &str) -> String {
    let mut stem = word.to_owned();
    for ending in ["ing", "ies", "ed", "es", "s", "en"] {
        if let Some(cut) = stem.strip_suffix(ending)
            && cut.len() >= 3
        {
            stem = cut.to_owned();
            break;
        }
    }
    // "hitting", "stabbed".
    let bytes = stem.as_bytes();
    if let [.., a, b] = bytes
        && a == b
        && bytes.len() > 3
        && !matches!(b, b's' | b'l' | b'e')
    {
        stem.pop();
    }
    stem
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(said: &str, text: &str) -> Result<(), Unfit> {
        Grounds::of([said]).bear(text)
    }

    #[test]
    fn what_was_said_may_be_said_again_in_other_forms() {
        assert_eq!(check("he hit me", "Being hit like that hurts."), Ok(()));
        assert_eq!(check("he keeps hitting me", "Nobody may hit you."), Ok(()));
        assert_eq!(
            check("my dad shouts", "It is hard with a father who shouts."),
            Ok(())
        );
        assert_eq!(check("It's Mei Ling", "Thank you, Mei Ling."), Ok(()));
        assert_eq!(check("since 3 weeks", "That is 3 weeks of it."), Ok(()));
        assert_eq!(
            check("I feel low", "That sounds hard. I am here with you."),
            Ok(())
        );
        assert_eq!(
            check("I feel low", "Yes, it does. Still, here you are."),
            Ok(())
        );
        assert_eq!(check("I'm Mei", "Mei, that sounds hard."), Ok(()));
    }

    #[test]
    fn what_nobody_said_is_not_said() {
        for text in [
            "I'm sorry your husband does that.",
            "It must be hard, with the children there.",
            "That he had a knife is frightening.",
            "I'm sorry about last night, Mei.",
            "You were drunk.",
            "It is hard to be pregnant and alone.",
            "Mei, I hear you.",
            "I hear you. Priya, that is hard.",
        ] {
            assert_eq!(
                check("someone hurt me", text),
                Err(Unfit::NotSaid),
                "{text}"
            );
        }
        assert_eq!(check("it happened", "All 12 of them."), Err(Unfit::Number));
        assert_eq!(
            check("it happened", "After fifteen years."),
            Err(Unfit::Number)
        );
    }

    #[test]
    fn words_are_compared_without_their_endings() {
        assert_eq!(stem("hitting"), stem("hits"));
        assert_eq!(stem("stabbed"), stem("stab"));
        assert_eq!(stem("punched"), stem("punches"));
        assert_eq!(stem("killing"), stem("kill"));
    }
}
