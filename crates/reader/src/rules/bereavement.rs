//! Whoever was lost to suicide: a bereavement, where the same words could be taken for a life at risk.

use std::{ops::Range, sync::LazyLock};

use serde::Deserialize;

use super::{language, pattern::PatternSet, text::Text};

/// The words of bereavement.toml.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    died: PatternSet<()>,
    did_it: PatternSet<()>,
    over: PatternSet<()>,
    not_yet_over: PatternSet<()>,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| language::file("bereavement.toml"));

/// Where the turn tells that somebody died by suicide; nowhere, where they may only just have tried to.
pub(super) fn lost_to_suicide(text: &Text<'_>) -> Vec<Range<usize>> {
    let says = |patterns: &PatternSet<()>| !patterns.hits(text).is_empty();
    if says(&WORDS.not_yet_over) {
        return Vec::new();
    }
    let mut hits = WORDS.died.hits(text);
    if says(&WORDS.over) {
        hits.extend(WORDS.did_it.hits(text));
    }
    hits.into_iter().map(|hit| hit.tokens).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_lost(words: &str) -> bool {
        !lost_to_suicide(&Text::new(words)).is_empty()
    }

    #[test]
    fn who_died_by_suicide_is_lost() {
        for words in [
            "My best friend took his own life last month.",
            "my brother committed suicide when I was in secondary school",
            "I lost my son to suicide two years ago",
            "My daughter died by suicide. It's her birthday today.",
            "he hanged himself in March, I found him",
            "Hi, somebody jumped from my block. I can't get it out of my mind.",
            "I'm calling about one suicide at my block.",
            "You saw the news or not, the fellow in Tokyo who jumped in front of the train?",
        ] {
            assert!(is_lost(words), "{words}");
        }
    }

    #[test]
    fn who_may_still_be_saved_or_only_wants_to_die_is_not() {
        for words in [
            "my friend just took her own life, she is in the toilet, help",
            "she hanged herself ten minutes ago",
            "I think my friend killed herself, she's not answering",
            "I think my friend has taken her own life",
            "My son has hanged himself, I cut him down",
            "My son hanged himself in the toilet, what do I do",
            "My sister committed suicide last night, she is in hospital",
            "My friend took his own life.",
            "I can't lose my son to suicide",
            "I understand why people commit suicide",
            "My boyfriend say he commit suicide if I break up",
            "my brother tried to take his own life last year",
            "he says he will kill himself",
            "I want to take my own life",
            "I want to talk to somebody before I jump off the roof. I keep thinking about it.",
            "I want to be the girl who jumped off the block, I can't get it out of my head",
            "Somebody come or I jump off the block, I keep thinking about it",
            "I want to do a suicide in my camp.",
            "my mum almost killed herself once",
        ] {
            assert!(!is_lost(words), "{words}");
        }
    }
}
