//! Where a sentence may be cut, so that nobody waits long for another's: only one that takes far longer to say than people's
//! sentences do, for what is cut sounds a little less like one sentence.

use super::engine::LONGEST_WORD;
use crate::pronunciation::letters_said;

/// In letters that are said, as all lengths here: some 18 seconds. A long sentence of the script has 250.
const LONGEST_WHOLE: usize = 300;
/// From here on a mark ends a piece.
const SHORTEST: usize = 100;
/// A piece ends before the word with which it would be longer, mark or not.
const LONGEST: usize = 200;

/// The pieces of a prepared sentence, each of which is spoken at once.
pub(super) fn pieces(text: String) -> Vec<String> {
    let words = || text.split(' ').flat_map(in_parts);
    if words().map(length).sum::<usize>() <= LONGEST_WHOLE {
        return vec![text];
    }
    let mut pieces = Vec::new();
    let mut piece = String::new();
    let mut said = 0;
    for word in words() {
        let at_a_mark = piece.ends_with(['.', '?', '!', ',', ';', ':']) && said >= SHORTEST;
        if at_a_mark || (said > 0 && said + length(word) > LONGEST) {
            pieces.push(std::mem::take(&mut piece));
            said = 0;
        }
        if !piece.is_empty() {
            piece.push(' ');
        }
        piece.push_str(word);
        said += length(word);
    }
    pieces.push(piece);
    pieces
}

/// With the space after it.
fn length(word: &str) -> usize {
    letters_said(word) + 1
}

/// What is longer than any word, in parts that are not.
fn in_parts(mut word: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        // Prepared text is ASCII.
        let (part, rest) = word.split_at_checked(LONGEST_WORD).unwrap_or((word, ""));
        word = rest;
        (!part.is_empty()).then_some(part)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(text: &str) -> Vec<String> {
        pieces(text.to_owned())
    }

    #[test]
    fn a_sentence_of_the_script_is_spoken_whole() {
        let long = "You can ring Samaritans of Singapore at any hour, on one seven six seven, and if you would rather write, \
                    they answer on WhatsApp at nine one five one, one seven six seven, also at night and on every holiday.";
        assert_eq!(of(long), [long]);
    }

    #[test]
    fn one_that_takes_far_longer_is_cut_at_a_mark() {
        let clause = "I went home by the last bus that evening because nobody was left at the place, and I was tired of it all,";
        let told = [clause; 4].join(" ");
        assert_eq!(of(&told), [clause; 4]);
    }

    #[test]
    fn what_takes_longer_to_say_than_to_write_is_cut_where_it_can_be() {
        for endless in ["x".repeat(299), "W ".repeat(149), "$999999 ".repeat(37)] {
            let pieces = of(endless.trim());
            assert!(pieces.len() > 3, "{} pieces", pieces.len());
        }
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_no_piece_is_long(text in "[ a-zA-Z0-9,.?!$'-]{0,999}") {
            let pieces = of(&text);
            let without_spaces = |text: &str| text.replace(' ', "");
            prop_assert_eq!(without_spaces(&pieces.concat()), without_spaces(&text));
            for piece in &pieces {
                let said: usize = piece.split(' ').map(length).sum();
                let words = piece.split(' ').count();
                prop_assert!(said <= LONGEST_WHOLE || words == 1, "{said} letters");
            }
        }
    }
}
