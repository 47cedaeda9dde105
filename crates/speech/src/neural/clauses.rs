//! Where words may be cut: after each clause, so that the beginning can be heard while the rest is made; or only after
//! each sentence, for what nobody waits for.

use crate::pronunciation::letters_said;

/// Shorter pieces sound clipped, and a run has a cost of its own.
const SHORTEST: usize = 14;
/// A longer stretch without a mark is cut between words: a first sound must come in time.
const LONGEST: usize = 160;
/// A longer sentence is cut before one of these words: a run takes memory by its length. Never elsewhere: a number in two
/// pieces is not understood.
const LONG: usize = 60;
const JOINING: [&str; 11] = [
    "and", "or", "but", "so", "if", "until", "when", "because", "left", "kept", "whether",
];

/// The clauses of a marked-up text, each with the mark that ends it.
pub(super) fn clauses(text: &str) -> Vec<String> {
    split(text, |_, _| true)
}

/// Its sentences, the long ones in two.
pub(super) fn sentences(text: &str) -> Vec<String> {
    split(text, |length, next| {
        length >= LONG && JOINING.contains(&next)
    })
}

/// Cuts after sentences, and after those clauses of which `may_end` says so, given how long the piece is then and the
/// word that follows.
fn split(text: &str, may_end: impl Fn(usize, &str) -> bool) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut piece = String::new();
    let mut words = text.split(' ').peekable();
    let mut left: usize = text.split(' ').map(|word| said(word) + 1).sum();
    while let Some(word) = words.next() {
        left = left.saturating_sub(said(word) + 1);
        if !piece.is_empty() {
            piece.push(' ');
        }
        piece.push_str(word);
        let length: usize = piece.split(' ').map(|word| said(word) + 1).sum();
        let next = words.peek().copied().unwrap_or_default();
        let ends_a_clause = word.ends_with([',', ';', ':']) && may_end(length, next);
        let ends = (word.ends_with(['.', '?', '!']) || ends_a_clause) && word.len() > 1;
        if (ends && length >= SHORTEST && left >= SHORTEST) || length >= LONGEST {
            pieces.push(std::mem::take(&mut piece));
        }
    }
    if !piece.is_empty() {
        pieces.push(piece);
    }
    pieces
}

/// How much of a word is said: not the phonemes beside it.
fn said(word: &str) -> usize {
    word.split("](").next().map_or(0, letters_said)
}

#[cfg(test)]
mod tests {
    use super::{clauses, sentences};

    #[test]
    fn a_sentence_is_cut_after_its_marks() {
        assert_eq!(
            clauses("Thank you for telling me, I'm with you."),
            ["Thank you for telling me,", "I'm with you."]
        );
        assert_eq!(
            clauses("While I'm connecting you to them, can you tell me what happened?"),
            [
                "While I'm connecting you to them,",
                "can you tell me what happened?"
            ]
        );
    }

    #[test]
    fn what_is_made_ahead_is_cut_after_its_sentences_and_a_long_one_after_a_clause() {
        assert_eq!(
            sentences("I am here with you. If you are in danger, please ring nine nine nine."),
            [
                "I am here with you.",
                "If you are in danger, please ring nine nine nine."
            ]
        );
        let early =
            "If you are in danger, please ring nine nine nine, or ask somebody near you to.";
        assert_eq!(sentences(early).len(), 1);
        let late = "You can ring Samaritans of Singapore at any hour of the day or the night, or write to them.";
        assert_eq!(sentences(late).len(), 2);
    }

    #[test]
    fn short_pieces_stay_together() {
        assert_eq!(clauses("Yes, no, or both?"), ["Yes, no, or both?"]);
    }

    #[test]
    fn nothing_is_lost_or_doubled() {
        let text = "one two three four five, ".repeat(20);
        assert_eq!(clauses(text.trim()).join(" "), text.trim());
        let endless = "word ".repeat(100);
        assert_eq!(clauses(endless.trim()).join(" "), endless.trim());
        assert!(clauses(endless.trim()).len() > 2);
    }
}
