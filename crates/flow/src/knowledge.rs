//! The look-up behind `product_query`: plain words in, the best-matching entry out, or nothing.
//!
//! It scores by shared words and keeps no index: the base is small. It answers only from its
//! entries; what it does not know it says it does not know.

use redact::Secret;
use serde::{Deserialize, Serialize};

use crate::{Directory, text::plain};

/// One thing the assistant knows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// A stable name, such as `after-a-cold-transfer`.
    pub id: String,
    /// Words a question about this is likely to hold; a phrase counts for more than a word.
    pub keywords: Vec<String>,
    /// What is said, two sentences at most, without a question.
    pub answer: String,
    /// Something here could not be confirmed.
    #[serde(default)]
    pub unconfirmed: bool,
}

/// All entries, read from `config/knowledge.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Knowledge {
    #[serde(rename = "entry")]
    entries: Vec<Entry>,
}

/// An entry is an answer from this score on: one phrase, one word of its own, or two shared words.
const ENOUGH: u32 = 4;

impl Knowledge {
    /// With the directory's names and numbers in their places, and the assistant's name in its own.
    pub(crate) fn filled(mut self, directory: &Directory, assistant: &str) -> Self {
        let fill = |text: &str| directory.fill(&text.replace("{assistant}", assistant));
        for entry in &mut self.entries {
            entry.answer = fill(&entry.answer);
            for keyword in &mut entry.keywords {
                *keyword = fill(keyword);
            }
        }
        self
    }

    /// Every entry, in the file's order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// An entry by its name.
    pub fn entry(&self, id: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.id == id)
    }

    /// The entry that answers the question best, if any does. The first of equals wins.
    pub fn look_up(&self, question: &str) -> Option<&Entry> {
        let question = plain(question);
        let mut best: Option<(u32, &Entry)> = None;
        for entry in &self.entries {
            let score = self.score(&question, entry);
            if score >= ENOUGH && best.is_none_or(|(top, _)| score > top) {
                best = Some((score, entry));
            }
        }
        best.map(|(_, entry)| entry)
    }

    /// The same for a caller's own words, which stay here.
    pub(crate) fn look_up_for_caller(&self, words: &Secret<String>) -> Option<&Entry> {
        self.look_up(words.expose_secret())
    }

    fn score(&self, question: &str, entry: &Entry) -> u32 {
        entry
            .keywords
            .iter()
            .filter(|keyword| question.contains(&plain(keyword)))
            .map(|keyword| {
                let shared = self
                    .entries
                    .iter()
                    .filter(|e| e.keywords.contains(keyword))
                    .count()
                    > 1;
                let words = keyword.split(' ').count();
                u32::try_from(words).unwrap_or(u32::MAX).min(3) + if shared { 1 } else { 3 }
            })
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base() -> Knowledge {
        let entry = |id: &str, keywords: &[&str]| Entry {
            id: id.to_owned(),
            keywords: keywords.iter().map(|k| (*k).to_owned()).collect(),
            answer: "An answer.".to_owned(),
            unconfirmed: false,
        };
        Knowledge {
            entries: vec![
                entry("sos", &["sos", "suicide helpline", "number"]),
                entry("navh", &["navh", "violence helpline", "number"]),
            ],
        }
    }

    #[test]
    fn the_entry_sharing_most_words_answers() {
        let base = base();
        let found = base.look_up("What's the number of NAVH?");
        assert_eq!(found.map(|e| e.id.as_str()), Some("navh"));
    }

    #[test]
    fn what_is_not_known_is_not_answered() {
        assert_eq!(base().look_up("What's the weather like?"), None);
        assert_eq!(base().look_up(""), None);
    }
}
