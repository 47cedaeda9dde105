//! What the words of a turn lean towards, where no pattern knows them: worth one question, and
//! never more.
//!
//! Patterns know what somebody thought of. Here every word has a weight: how much oftener it stands
//! in what callers with a need say first than in what others do (the log of the odds). A turn whose
//! weights add up past a need's threshold is worth the question for it. Weights and thresholds are
//! counted from labelled openings by `make hints`; the thresholds are such that one in twenty of the
//! openings without the need would be asked. [`Leaning::Ordinary`] works the other way: it makes the
//! reader less sure of what patterns found. docs/decisions/0013 has the figures.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use super::{Leaning, homophones, text::BOUNDARY, text::Text};

/// Weights are kept in hundredths.
type Weights = [i32; Leaning::ALL.len()];

struct Table {
    thresholds: Weights,
    words: HashMap<&'static str, Weights>,
}

/// Fewer words than this lean nowhere.
const AT_LENGTH: usize = 4;

static TABLE: LazyLock<Table> = LazyLock::new(|| read(include_str!("hints.tsv")));

pub(super) fn prepare() {
    LazyLock::force(&TABLE);
}

/// The distinct words of a turn, as they are counted and weighed.
pub fn words(turn: &str) -> BTreeSet<String> {
    let mut text = Text::new(turn);
    homophones::mend(&mut text);
    distinct(&text).map(str::to_owned).collect()
}

fn distinct<'a>(text: &'a Text<'_>) -> impl Iterator<Item = &'a str> {
    let words: BTreeSet<&str> = text.words().filter(|word| *word != BOUNDARY).collect();
    words.into_iter()
}

/// What a turn leans towards.
pub(super) fn find(text: &Text<'_>) -> BTreeSet<Leaning> {
    if text.word_count() < AT_LENGTH || asks_of_the_world(text) {
        return BTreeSet::new();
    }
    let mut sums = Weights::default();
    for word in distinct(text) {
        if let Some(weights) = TABLE.words.get(word) {
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += weight;
            }
        }
    }
    Leaning::ALL
        .into_iter()
        .zip(sums.iter().zip(&TABLE.thresholds))
        .filter(|(_, (sum, threshold))| sum > threshold)
        .map(|(hint, _)| hint)
        .collect()
}

/// "Do you know how many teeth a snail has?": a question about nobody.
fn asks_of_the_world(text: &Text<'_>) -> bool {
    const SOMEBODY: [&str; 18] = [
        "i", "me", "my", "myself", "we", "us", "our", "he", "him", "his", "she", "her", "they",
        "them", "someone", "somebody", "person", "people",
    ];
    let end = (0..text.tokens().len())
        .rfind(|i| text.word(*i) != BOUNDARY)
        .map_or(0, |last| last + 1);
    text.boundary_is_question(end) && !text.words().any(|word| SOMEBODY.contains(&word))
}

/// A line is a word and its weights, tabs between; the first line has the thresholds.
fn read(table: &'static str) -> Table {
    let mut lines = table
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let (word, weights) = line.split_once('\t').expect("a word and its weights");
            let mut weights = weights.split('\t').map(|weight| {
                weight
                    .parse::<i32>()
                    .expect("a weight is a whole number of hundredths")
            });
            let row: Weights =
                std::array::from_fn(|_| weights.next().expect("a weight for every hint"));
            (word, row)
        });
    let (_, thresholds) = lines.next().expect("the line of thresholds");
    Table {
        thresholds,
        words: lines.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hints(words: &str) -> BTreeSet<Leaning> {
        find(&Text::new(words))
    }

    #[test]
    fn words_that_no_pattern_knows_can_lean_towards_danger() {
        assert!(
            hints("he is outside the door and he keeps banging and shouting my name")
                .contains(&Leaning::DangerNow)
        );
    }

    #[test]
    fn an_ordinary_evening_leans_towards_no_need() {
        assert_eq!(
            hints("I watched a film with my sister and then we made dinner"),
            BTreeSet::from([Leaning::Ordinary])
        );
    }

    #[test]
    fn a_question_about_nobody_leans_nowhere() {
        assert_eq!(
            hints("do you know how many teeth a snail has?"),
            BTreeSet::new()
        );
    }

    #[test]
    fn a_word_or_two_lean_nowhere() {
        assert_eq!(hints("the knife"), BTreeSet::new());
    }
}
