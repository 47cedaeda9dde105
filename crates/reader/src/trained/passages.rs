//! The passages a turn is read in: as a whole and, where it is long, sentence by sentence.

/// A turn of so many words is read as a whole only.
const SHORT: usize = 16;
/// Speech has no full stops where a transcriber gives none: a longer sentence is read in parts.
const LONGEST_SENTENCE: usize = 30;
/// Parts of a sentence share so many words, so that nothing is cut in two.
const SHARED: usize = 10;
/// More are not read; of a turn that long the rest stands in the whole, and its end is always read.
const MOST: usize = 16;

/// The whole turn first, then its parts in the order they were said.
pub(super) fn passages(turn: &str) -> Vec<&str> {
    let turn = turn.trim();
    let mut passages = vec![turn];
    if turn.split_whitespace().count() <= SHORT {
        return passages;
    }
    let mut parts: Vec<&str> = sentences(turn).into_iter().flat_map(parts).collect();
    if parts.len() < 2 {
        return passages;
    }
    if parts.len() > MOST {
        // The beginning and the end: what matters is often said last.
        let half = MOST / 2;
        let last = parts.split_off(parts.len() - half);
        parts.truncate(half);
        parts.extend(last);
    }
    passages.extend(parts);
    passages
}

fn sentences(turn: &str) -> Vec<&str> {
    turn.split_inclusive(['.', '?', '!', ';', '\n'])
        .map(str::trim)
        .filter(|sentence| sentence.chars().any(char::is_alphanumeric))
        .collect()
}

/// A sentence, in overlapping parts if it is long.
fn parts(sentence: &str) -> Vec<&str> {
    let starts: Vec<usize> = word_starts(sentence);
    if starts.len() <= LONGEST_SENTENCE {
        return vec![sentence];
    }
    let mut parts = Vec::new();
    let mut first = 0;
    loop {
        let end = starts.get(first + LONGEST_SENTENCE).copied();
        parts.push(sentence[starts[first]..end.unwrap_or(sentence.len())].trim());
        if end.is_none() {
            return parts;
        }
        first += LONGEST_SENTENCE - SHARED;
    }
}

fn word_starts(text: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut in_word = false;
    for (at, c) in text.char_indices() {
        if !c.is_whitespace() && !in_word {
            starts.push(at);
        }
        in_word = !c.is_whitespace();
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_turn_is_read_as_a_whole() {
        assert_eq!(
            passages(" He hit me. I'm scared. "),
            ["He hit me. I'm scared."]
        );
        assert_eq!(passages(""), [""]);
    }

    #[test]
    fn a_long_turn_is_read_by_sentence_too() {
        let turn = "It has been a long week and I cooked for everyone. He hit me again on Friday, I did not tell. Sorry.";
        let read = passages(turn);
        assert_eq!(read[0], turn);
        assert_eq!(read[1..].join(" "), turn);
    }

    #[test]
    fn speech_without_full_stops_is_read_in_parts_that_overlap() {
        let words: Vec<String> = (0..75).map(|n| format!("w{n}")).collect();
        let turn = words.join(" ");
        let read = passages(&turn);
        assert_eq!(read.len(), 5);
        assert!(read[1].ends_with("w29") && read[2].starts_with("w20"));
        assert!(read[4].ends_with("w74"));
    }

    #[test]
    fn however_long_it_is_the_end_is_read() {
        let turn = "and so on. ".repeat(500) + "I want to die.";
        let read = passages(&turn);
        assert_eq!(read.len(), 1 + MOST);
        assert_eq!(read.last(), Some(&"I want to die."));
    }
}
