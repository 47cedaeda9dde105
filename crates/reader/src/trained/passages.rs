//! What a turn is read in: passages that the encoder can hold, each as a whole, and their sentences.

/// A turn of so many words is read as a whole only.
const SHORT: usize = 16;
/// What the encoder holds (128 word pieces, the question's among them), with room to spare.
const LONGEST_PASSAGE: usize = 80;
/// Speech has no full stops where a transcriber gives none: a longer sentence is read in parts.
const LONGEST_SENTENCE: usize = 30;
/// Parts of a sentence share so many words, so that nothing is cut in two.
const SHARED: usize = 10;
/// More passages are not read: of a turn that long, its beginning and its end, where what matters is often said.
const MOST: usize = 6;

/// As much of a turn as is read at once.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Passage<'w> {
    pub whole: &'w str,
    /// Two or more, in the order they were said; none where the passage is short.
    pub sentences: Vec<&'w str>,
}

/// The passages of a turn, in the order they were said; at least one.
pub(super) fn passages<'w>(turn: &'w str) -> Vec<Passage<'w>> {
    let turn = turn.trim();
    if turn.split_whitespace().count() <= SHORT {
        return vec![Passage {
            whole: turn,
            sentences: Vec::new(),
        }];
    }
    let mut passages: Vec<Vec<&'w str>> = Vec::new();
    let mut words = 0;
    for sentence in sentences(turn).into_iter().flat_map(parts) {
        let more = sentence.split_whitespace().count();
        match passages.last_mut() {
            Some(passage) if words + more <= LONGEST_PASSAGE => {
                passage.push(sentence);
                words += more;
            }
            _ => {
                passages.push(vec![sentence]);
                words = more;
            }
        }
    }
    if passages.len() > MOST {
        let half = MOST / 2;
        passages.drain(half..passages.len() - half);
    }
    if passages.is_empty() {
        // Nothing but signs.
        return vec![Passage {
            whole: turn,
            sentences: Vec::new(),
        }];
    }
    let passage = |mut sentences: Vec<&'w str>| {
        let whole = from_to(turn, sentences[0], sentences[sentences.len() - 1]);
        if sentences.len() < 2 {
            sentences.clear();
        }
        Passage { whole, sentences }
    };
    passages.into_iter().map(passage).collect()
}

/// From the beginning of one slice of a turn to the end of a later one.
fn from_to<'w>(turn: &'w str, first: &'w str, last: &'w str) -> &'w str {
    let offset = |slice: &str| slice.as_ptr() as usize - turn.as_ptr() as usize;
    &turn[offset(first)..offset(last) + last.len()]
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
        let whole = |whole| {
            vec![Passage {
                whole,
                sentences: Vec::new(),
            }]
        };
        assert_eq!(
            passages(" He hit me. I'm scared. "),
            whole("He hit me. I'm scared.")
        );
        assert_eq!(passages(""), whole(""));
        let signs = "? ".repeat(40);
        assert_eq!(passages(&signs), whole(signs.trim()));
    }

    #[test]
    fn a_long_turn_is_read_by_sentence_too() {
        let turn = "It has been a long week and I cooked for everyone. He hit me again on Friday, I did not tell. Sorry.";
        let read = passages(turn);
        assert_eq!(read.len(), 1);
        assert_eq!(read[0].whole, turn);
        assert_eq!(read[0].sentences.join(" "), turn);
    }

    #[test]
    fn speech_without_full_stops_is_read_in_parts_that_overlap() {
        let words: Vec<String> = (0..75).map(|n| format!("w{n}")).collect();
        let turn = words.join(" ");
        let read = passages(&turn);
        let parts: Vec<&str> = read.iter().flat_map(|it| it.sentences.clone()).collect();
        assert!(parts[0].ends_with("w29") && parts[1].starts_with("w20"));
        assert!(turn.starts_with(read[0].whole) && turn.ends_with(read[read.len() - 1].whole));
    }

    #[test]
    fn no_passage_is_longer_than_the_encoder_holds_and_the_end_is_always_read() {
        for turn in [
            "and so on. ".repeat(500) + "I want to die.",
            "and ".repeat(700) + "I want to die.",
        ] {
            let read = passages(&turn);
            assert_eq!(read.len(), MOST);
            let longest = read.iter().map(|it| it.whole.split_whitespace().count());
            assert!(longest.max() <= Some(LONGEST_PASSAGE));
            assert!(read[MOST - 1].whole.ends_with("I want to die."));
        }
    }
}
