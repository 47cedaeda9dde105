//! The words of a language: the files of `config/language/en-SG`, read once.
//!
//! Each module keeps what it needs of one file in a static of its own; a mistake in a file stops the
//! process at its start, and the tests before that, naming the file. The README beside the files says
//! which holds what.

use std::{
    collections::{BTreeMap, HashSet},
    sync::LazyLock,
};

use regex::Regex;
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, Error as _, IntoDeserializer},
};

use super::{Signal, pattern::PatternSet};

/// Name and text of every file; made by the build script.
pub(crate) const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/language.rs"));

/// One file, in the shape its reader gives it.
pub(crate) fn file<T: DeserializeOwned>(name: &str) -> T {
    let (_, text) = FILES
        .iter()
        .find(|(file, _)| *file == name)
        .unwrap_or_else(|| panic!("the language has no {name}"));
    read(name, text).unwrap_or_else(|error| panic!("{error}"))
}

fn read<T: DeserializeOwned>(name: &str, text: &str) -> Result<T, String> {
    toml::from_str(text).map_err(|error| format!("{name}: {error}"))
}

/// Words, to look one up in.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(crate) struct WordSet(HashSet<String>);

impl WordSet {
    pub fn has(&self, word: &str) -> bool {
        self.0.contains(word)
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

/// The alternatives of a regular expression, the longest first, so that none hides one that it begins.
pub(crate) fn alternatives<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let mut words: Vec<&str> = words.into_iter().collect();
    words.sort_by_key(|word| (std::cmp::Reverse(word.len()), *word));
    words.join("|")
}

/// A list of patterns as one, matched at whole words.
pub(crate) fn phrases<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Regex, D::Error> {
    let patterns = Vec::<String>::deserialize(deserializer)?;
    let any = patterns.join("|");
    Regex::new(&format!(r"(?-u:\b)(?:{any})(?-u:\b)")).map_err(D::Error::custom)
}

/// Patterns that mean the same thing.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Group {
    /// How sure a hit makes us, from 0 to 1. From [`super::SURE`] on it is acted on; from
    /// [`super::WORTH_ASKING`] on it is asked about.
    pub weight: f32,
    #[serde(default)]
    pub about: About,
    pub patterns: Vec<String>,
}

/// Whom the patterns speak of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum About {
    #[default]
    Caller,
    SomeoneElse,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Groups {
    group: Vec<Group>,
}

/// What is said of each signal: `signals/<signal>.toml`.
pub(crate) fn signals() -> Vec<(Signal, Group)> {
    FILES
        .iter()
        .filter(|(name, _)| name.starts_with("signals/"))
        .flat_map(|(name, text)| groups(name, text).unwrap_or_else(|error| panic!("{error}")))
        .collect()
}

fn groups(name: &str, text: &str) -> Result<Vec<(Signal, Group)>, String> {
    let signal = name
        .trim_start_matches("signals/")
        .trim_end_matches(".toml");
    let signal: Result<Signal, serde::de::value::Error> =
        Signal::deserialize(signal.into_deserializer());
    let signal = signal.map_err(|error| format!("{name}: {error}"))?;
    let file: Groups = read(name, text)?;
    Ok(file
        .group
        .into_iter()
        .map(|group| (signal, group))
        .collect())
}

/// The words of grammar.toml.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Grammar {
    pub begins_a_request: WordSet,
    pub one_who: WordSet,
    pub dictates: WordSet,
    pub before_a_subject: WordSet,
    pub stands_by: WordSet,
    pub beside_what_is_done: WordSet,
    pub after_a_short_is: WordSet,
    pub planned: WordSet,
    pub said_of_a_harm: WordSet,
    pub fresh_injury: WordSet,
    pub counted: WordSet,
    pub turns_away: WordSet,
    pub puts_right_patterns: PatternSet<()>,
}

pub(crate) static GRAMMAR: LazyLock<Grammar> = LazyLock::new(|| file("grammar.toml"));

/// A word group: its words, or a pattern.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Words {
    Pattern(String),
    OneOf(Vec<String>),
}

pub(crate) static VOCABULARY: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    file::<BTreeMap<String, Words>>("vocabulary.toml")
        .into_iter()
        .map(|(name, words)| {
            let pattern = match words {
                Words::Pattern(pattern) => pattern,
                Words::OneOf(words) => format!("(?:{})", words.join("|")),
            };
            (format!("{{{name}}}"), pattern)
        })
        .collect()
});

/// A pattern with every word group written out.
pub(crate) fn expand(pattern: &str) -> String {
    let mut written = String::with_capacity(4 * pattern.len());
    write_out(pattern, 0, &mut written);
    written
}

/// Groups hold groups; other braces, such as those of a count, are left as they stand.
fn write_out(pattern: &str, depth: usize, written: &mut String) {
    // They are at most four deep; the bound also stops a group that names itself.
    const DEEPEST: usize = 5;
    let mut rest = pattern;
    while let Some(start) = rest.find('{') {
        let (before, from_brace) = rest.split_at(start);
        written.push_str(before);
        let braced = from_brace.find('}').map_or("", |end| &from_brace[..=end]);
        match VOCABULARY.get(braced) {
            Some(group) if depth < DEEPEST => {
                write_out(group, depth + 1, written);
                rest = &from_brace[braced.len()..];
            }
            _ => {
                written.push('{');
                rest = &from_brace[1..];
            }
        }
    }
    written.push_str(rest);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::rules::pattern;

    /// Every list of the files, as file, where in it, and what it holds.
    fn lists() -> Vec<(&'static str, String, Vec<String>)> {
        let mut lists = Vec::new();
        for (name, text) in FILES {
            let table: toml::Table = read(name, text).unwrap();
            walk(name, "", &toml::Value::Table(table), &mut lists);
        }
        lists
    }

    fn walk(
        file: &'static str,
        place: &str,
        value: &toml::Value,
        lists: &mut Vec<(&'static str, String, Vec<String>)>,
    ) {
        match value {
            toml::Value::Table(table) => {
                for (key, value) in table {
                    walk(file, &format!("{place}.{key}"), value, lists);
                }
            }
            toml::Value::Array(items) => {
                let strings: Vec<String> = items
                    .iter()
                    .filter_map(|item| item.as_str().map(str::to_owned))
                    .collect();
                for (i, item) in items.iter().enumerate() {
                    walk(file, &format!("{place}[{i}]"), item, lists);
                }
                lists.push((file, place.to_owned(), strings));
            }
            toml::Value::String(string) => {
                lists.push((file, place.to_owned(), vec![string.clone()]));
            }
            _ => {}
        }
    }

    fn is_of_patterns(file: &str, place: &str) -> bool {
        file.starts_with("signals/")
            || matches!(file, "idioms.toml" | "triggers.toml")
            || place.ends_with("pattern")
            || place.ends_with("patterns")
    }

    #[test]
    fn every_signal_file_is_of_a_signal_and_its_weights_are_shares() {
        let mut wrong = Vec::new();
        for (name, text) in FILES
            .iter()
            .filter(|(name, _)| name.starts_with("signals/"))
        {
            match groups(name, text) {
                Ok(groups) => wrong.extend(
                    groups
                        .iter()
                        .filter(|(_, group)| !(0.0..=1.0).contains(&group.weight))
                        .map(|(_, group)| format!("{name}: weight {}", group.weight)),
                ),
                Err(error) => wrong.push(error),
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn every_pattern_can_be_matched() {
        let wrong: Vec<String> = lists()
            .into_iter()
            .filter(|(file, place, _)| is_of_patterns(file, place))
            .flat_map(|(file, _, patterns)| {
                let wrong = patterns.into_iter().filter(|it| !pattern::compiles(it));
                wrong.map(move |pattern| format!("{file}: {pattern:?}"))
            })
            .collect();
        assert!(
            wrong.is_empty(),
            "no patterns over words, or of a word group that there is not: {wrong:#?}"
        );
    }

    #[test]
    fn no_pattern_is_said_twice() {
        let mut seen: BTreeMap<String, &str> = BTreeMap::new();
        let mut twice = Vec::new();
        for (file, place, patterns) in lists() {
            let of_a_signal = file.starts_with("signals/") && place.ends_with("patterns");
            for pattern in patterns.into_iter().filter(|_| of_a_signal) {
                if let Some(other) = seen.insert(pattern.clone(), file) {
                    twice.push(format!("{other} and {file}: {pattern:?}"));
                }
            }
        }
        assert!(twice.is_empty(), "{twice:#?}");
    }

    #[test]
    fn no_list_says_a_word_twice() {
        let mut twice = Vec::new();
        for (file, place, mut words) in lists() {
            words.sort();
            for pair in words.windows(2).filter(|pair| pair[0] == pair[1]) {
                twice.push(format!("{file}{place}: {:?}", pair[0]));
            }
        }
        assert!(twice.is_empty(), "{twice:#?}");
    }

    #[test]
    fn every_word_group_is_used() {
        let unused: Vec<&String> = VOCABULARY
            .keys()
            .filter(|braced| !FILES.iter().any(|(_, text)| text.contains(*braced)))
            .collect();
        assert!(unused.is_empty(), "vocabulary.toml: {unused:?}");
    }

    #[test]
    fn a_mistake_names_its_file_and_entry() {
        let unknown = groups("signals/sadness.toml", "group = []").unwrap_err();
        assert!(unknown.contains("sadness.toml"), "{unknown}");
        let field = groups(
            "signals/weapon.toml",
            "[[group]]\nweight = 1.0\nwords = []\npatterns = []",
        )
        .unwrap_err();
        assert!(
            field.contains("weapon.toml") && field.contains("words"),
            "{field}"
        );
        assert!(!pattern::compiles("{nobody} hits"));
        assert!(!pattern::compiles("(?:he|she hits"));
    }
}
