//! What an everyday turn is about, so that a reply can stay with it: work, school, family, sleep …
//!
//! Nothing is decided by it; dangers and needs are `signals`.

use std::sync::LazyLock;

use serde::Deserialize;

use super::{Topic, language, negation::Negation, pattern::PatternSet, text::Text};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Topics {
    topic: Vec<TopicWords>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TopicWords {
    topic: Topic,
    patterns: Vec<String>,
}

static PATTERNS: LazyLock<PatternSet<Topic>> = LazyLock::new(|| {
    let topics: Topics = language::file("topics.toml");
    PatternSet::new(topics.topic.iter().flat_map(|words| {
        let patterns = words.patterns.iter();
        patterns.map(|pattern| (words.topic, pattern))
    }))
});

/// Compiles the patterns, which otherwise happens in the first turn.
pub(crate) fn prepare() {
    LazyLock::force(&PATTERNS);
}

pub(crate) fn of(text: &Text<'_>) -> Option<Topic> {
    let negation = Negation::of(text);
    PATTERNS
        .hits(text)
        .into_iter()
        .filter(|hit| !negation.denies(hit) || hit.meaning == Topic::Sleep)
        .filter(|hit| hit.meaning != Topic::Work || !told_of_another(text, hit.tokens.start))
        .map(|hit| hit.meaning)
        .min()
}

/// "He's at work till seven" wears nobody out who says it.
fn told_of_another(text: &Text<'_>, at: usize) -> bool {
    let clause = text.clause(at);
    matches!(text.word(clause.start), "he" | "she")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_about_what_it_names() {
        let check = |words: &str, topic: Option<Topic>| {
            assert_eq!(of(&Text::new(words)), topic, "{words}");
        };
        check("my grandmother died last week", Some(Topic::Grief));
        check("I can't sleep", Some(Topic::Sleep));
        check("night time cannot sleep", Some(Topic::Sleep));
        check("I wake up at three every night", Some(Topic::Sleep));
        check("I only sleep two hours", Some(Topic::Sleep));
        check("he always sleeps like a baby after that", None);
        check("he's asleep now", None);
        check(
            "music makes the house feel less empty",
            Some(Topic::Loneliness),
        );
        check("my exam is next week", Some(Topic::School));
        check("he's working night shift at the airport", None);
        check("I work the night shift", Some(Topic::Work));
        check("boss gives me extra work", Some(Topic::Work));
        check("I tried painting again", Some(Topic::Comfort));
        check("it is like that", None);
    }
}
