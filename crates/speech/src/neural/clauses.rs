//! Where a sentence may be cut, so that its beginning can be heard while the rest is made.

/// Shorter pieces sound clipped, and a run has a cost of its own.
const SHORTEST: usize = 14;
/// A longer stretch without a mark is cut between words: a first sound must come in time.
const LONGEST: usize = 160;

/// The clauses of a marked-up sentence, each with the mark that ends it.
pub(super) fn split(text: &str) -> impl Iterator<Item = String> {
    let mut clauses: Vec<String> = Vec::new();
    let mut clause = String::new();
    let words: Vec<&str> = text.split(' ').collect();
    let mut left: usize = words.iter().map(|word| said(word) + 1).sum();
    for word in words {
        left = left.saturating_sub(said(word) + 1);
        if !clause.is_empty() {
            clause.push(' ');
        }
        clause.push_str(word);
        let ends = word.ends_with([',', ';', ':', '.', '?', '!']) && word.len() > 1;
        let length: usize = clause.split(' ').map(|word| said(word) + 1).sum();
        if (ends && length >= SHORTEST && left >= SHORTEST) || length >= LONGEST {
            clauses.push(std::mem::take(&mut clause));
        }
    }
    if !clause.is_empty() {
        clauses.push(clause);
    }
    clauses.into_iter()
}

/// How much of a word is said: not the phonemes beside it.
fn said(word: &str) -> usize {
    word.split("](").next().map_or(0, str::len)
}

#[cfg(test)]
mod tests {
    use super::split;

    fn clauses(text: &str) -> Vec<String> {
        split(text).collect()
    }

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
