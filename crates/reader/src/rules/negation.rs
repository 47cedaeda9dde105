//! Whether a "not" denies a hit: "he has never hit me", "I don't want to die", "Suicidal? No lah."
//!
//! A hit is denied by a negation of its own clause, in whose scope it stands: a few words on, to the next
//! subject or "and". Phrases that hold a "not" and deny nothing ("I can't believe he hit me") are
//! listed beside the triggers.

use std::{ops::Range, sync::LazyLock};

use serde::Deserialize;

use super::{
    context::TRIGGERS,
    language::WordSet,
    pattern::{Hit, PatternSet},
    text::{BOUNDARY, Text},
};

/// The table `negation` of triggers.toml.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Words {
    triggers: WordSet,
    /// So many words on.
    reach: usize,
    pseudo: Vec<String>,
    until: WordSet,
    subjects: WordSet,
    governs: WordSet,
    ends_a_life: WordSet,
    answers_no: WordSet,
    asks: WordSet,
}

static PSEUDO: LazyLock<PatternSet<()>> =
    LazyLock::new(|| PatternSet::of(&TRIGGERS.negation.pseudo));

/// A word that denies.
pub(super) fn is_negator(word: &str) -> bool {
    TRIGGERS.negation.triggers.has(word)
}

/// The negations of one turn.
pub(super) struct Negation<'t> {
    text: &'t Text<'t>,
    /// Phrases whose "not" denies nothing.
    pseudo: Vec<Range<usize>>,
}

impl<'t> Negation<'t> {
    pub fn of(text: &'t Text<'t>) -> Self {
        let pseudo = PSEUDO.hits(text).into_iter();
        Self {
            text,
            pseudo: pseudo.map(|hit| hit.tokens).collect(),
        }
    }

    /// Whether the hit is denied, by a "not" before it, inside it, or in answer to it.
    pub fn denies<T>(&self, hit: &Hit<T>) -> bool {
        !hit.negative && self.inside(hit) || self.before(&hit.tokens) || self.answered(&hit.tokens)
    }

    fn negates(&self, token: usize) -> bool {
        is_negator(self.text.word(token)) && !self.pseudo.iter().any(|it| it.contains(&token))
    }

    fn inside<T>(&self, hit: &Hit<T>) -> bool {
        let words = &TRIGGERS.negation;
        hit.tokens.clone().any(|i| {
            let ends_a_life =
                i + 1 < hit.tokens.end && words.ends_a_life.has(self.text.word(i + 1));
            self.negates(i) && !(hit.of_an_end && ends_a_life)
        })
    }

    fn before(&self, hit: &Range<usize>) -> bool {
        let (words, text) = (&TRIGGERS.negation, self.text);
        let from = hit.start.saturating_sub(words.reach);
        (from.max(text.clause(hit.start).start)..hit.start)
            .filter(|i| self.negates(*i))
            .any(|negator| {
                let mut between = negator + 1..hit.start;
                let any = |words: &WordSet| between.clone().any(|i| words.has(text.word(i)));
                let over = any(&words.until);
                let governed = any(&words.governs);
                let subject = between.any(|i| words.subjects.has(text.word(i)))
                    || words.subjects.has(text.word(hit.start));
                !over && (governed || !subject)
            })
    }

    /// "Suicidal? No lah.", "Hit me? Oh heavens, no.": the caller puts the question and answers it.
    fn answered(&self, hit: &Range<usize>) -> bool {
        /// A question no longer than this, at the head of the turn, is the one that was put.
        const SAID_BACK: usize = 4;
        let (words, text) = (&TRIGGERS.negation, self.text);
        let clause = text.clause(hit.start);
        let next = clause.end + 1;
        if next >= text.tokens().len() || text.word(clause.end) != BOUNDARY {
            return false;
        }
        let asked = text.boundary_is_question(clause.end);
        let at_once = asked
            && (words.answers_no.has(text.word(next)) || text.word(next) == "not")
            && self.negates(next);
        let said_back = clause.start == 0
            && clause.len() <= SAID_BACK
            && (asked || words.asks.has(text.word(clause.start)));
        let later = || {
            let clauses = text.clauses();
            let after = clauses.into_iter().filter(|after| after.start >= next);
            after
                .take(2)
                .any(|mut after| after.any(|i| words.answers_no.has(text.word(i))))
        };
        at_once || said_back && later()
    }
}
