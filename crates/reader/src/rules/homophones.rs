//! What a transcriber mishears, put right where the words around leave no doubt.
//!
//! "My husband hid me again" is "hit me"; "he hid me a present" is not. A rule replaces words only in
//! a context in which they make no other sense, so that an ordinary sentence ("I paid my bills") is
//! left as it was said. Evidence is quoted from what was heard, never from what was put right.

use std::sync::LazyLock;

use serde::Deserialize;

use super::{language, pattern::PatternSet, text::Text};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Homophones {
    rule: Vec<Rule>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    pattern: String,
    /// Misheard, meant.
    words: Vec<(String, String)>,
}

static RULES: LazyLock<Vec<Rule>> =
    LazyLock::new(|| language::file::<Homophones>("homophones.toml").rule);

static MISHEARD: LazyLock<PatternSet<usize>> = LazyLock::new(|| {
    let rules = RULES.iter().enumerate();
    PatternSet::new(rules.map(|(i, rule)| (i, &rule.pattern)))
});

/// Compiles the rules, which otherwise happens in the first turn.
pub(crate) fn prepare() {
    LazyLock::force(&MISHEARD);
}

/// Puts right what was misheard.
pub(crate) fn mend(text: &mut Text<'_>) {
    for hit in MISHEARD.hits(text) {
        let mut at = hit.tokens.start;
        while at < hit.tokens.end {
            let misheard = RULES[hit.meaning].words.iter().find(|(heard, _)| {
                let length = heard.split(' ').count();
                at + length <= hit.tokens.end && text.slice(at..at + length) == *heard
            });
            match misheard {
                Some((heard, meant)) => {
                    let length = heard.split(' ').count();
                    text.replace(at..at + length, meant);
                    // Later hits were found in the words as they were.
                    if meant.split(' ').count() != length {
                        return;
                    }
                    at += length;
                }
                None => at += 1,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(heard: &str, meant: &str) {
        let mut text = Text::new(heard);
        mend(&mut text);
        assert_eq!(text.plain(), meant, "{heard}");
    }

    #[test]
    fn what_makes_no_other_sense_is_put_right() {
        check(
            "my husband slept me last night",
            "my husband slapped me last night",
        );
        check(
            "my husband hid me last night",
            "my husband hit me last night",
        );
        check("he kids me when he's drunk", "he hits me when he is drunk");
        check("my husband kids meet", "my husband hits me");
        check(
            "It was raid. There, I've said it.",
            "it was rape | there | i have said it |",
        );
        check("He said he would jill me.", "he said he would kill me |");
        check("Please, he's dicking me.", "please | he is kicking me |");
        check("It's my step-moon.", "it is my stepmum |");
        check(
            "I took a whole bottle of bills",
            "i took a whole bottle of pills",
        );
        check("I swallowed all the bills", "i swallowed all the pills");
        check(
            "he has an eye and he's coming",
            "he has a knife and he is coming",
        );
        check(
            "I can't walk now he's here",
            "i can not talk now he is here",
        );
        check("I want to keel myself", "i want to kill myself");
        check("she said sue a side", "she said suicide");
        check("seventeen nine already", "seventy nine already");
        check("it was raid", "it was rape");
    }

    #[test]
    fn ordinary_sentences_are_left_alone() {
        for words in [
            "i paid my bills today",
            "my kids meet me at school",
            "he hid me a present",
            "he hid my phone from me",
            "i have an eye infection",
            "i can not walk far with this knee",
            "we had a nice dinner",
            "he has an eye for detail",
            "they kids me around at work",
            "she wrapped me in a blanket",
            "i took my bills to the bank",
            "he joked with me",
            "at seventeen one boy hit me",
            "it was raided by the police",
        ] {
            check(words, words);
        }
    }
}
