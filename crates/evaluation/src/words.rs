//! Words in a common form, so that "Blk 12" and "block twelve" compare as the same.
//!
//! It knows spelling and numbers only; what words mean is not its concern.

use std::collections::BTreeSet;

/// The words in lower case, without punctuation, abbreviations of addresses written out.
pub fn words(text: &str) -> Vec<String> {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\u{2019}' | '\u{2018}' | '\'' => {}
            c if c.is_alphanumeric() => plain.extend(c.to_lowercase()),
            _ => plain.push(' '),
        }
    }
    plain
        .split(' ')
        .filter(|word| !word.is_empty())
        .map(|word| written_out(word).to_owned())
        .collect()
}

fn written_out(word: &str) -> &str {
    match word {
        "blk" => "block",
        "ave" => "avenue",
        "rd" => "road",
        "st" => "street",
        "dr" => "drive",
        "cres" => "crescent",
        "jln" => "jalan",
        "upp" => "upper",
        word => word,
    }
}

/// The words, and every number that can be heard in them, without leading zeros.
pub fn words_and_numbers(text: &str) -> BTreeSet<String> {
    let words = words(text);
    let mut found: BTreeSet<String> = BTreeSet::new();
    let mut run: Vec<Piece> = Vec::new();
    for word in &words {
        found.insert(plain_number(word));
        match piece(word) {
            Some(piece) => run.push(piece),
            // "one hundred and two", "two hyphen three"
            None if matches!(word.as_str(), "and" | "dash" | "hyphen") && !run.is_empty() => {}
            None => numbers_of(&std::mem::take(&mut run), &mut found),
        }
    }
    numbers_of(&run, &mut found);
    found
}

/// The words in order, every number as its single digits: "block twelve" and "Blk 12" are the same.
pub fn words_with_digits(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut run: Vec<Piece> = Vec::new();
    let close = |run: &mut Vec<Piece>, found: &mut Vec<String>| {
        found.extend(joined(&std::mem::take(run)).chars().map(String::from));
    };
    for word in words(text) {
        match piece(&word) {
            Some(piece) => run.push(piece),
            None if matches!(word.as_str(), "dash" | "hyphen") && !run.is_empty() => {}
            None => {
                close(&mut run, &mut found);
                found.push(word);
            }
        }
    }
    close(&mut run, &mut found);
    found
}

/// A word for comparing: digits lose leading zeros, a number word becomes digits.
pub fn plain_number(word: &str) -> String {
    if word.bytes().all(|byte| byte.is_ascii_digit()) {
        let short = word.trim_start_matches('0');
        return String::from(if short.is_empty() { "0" } else { short });
    }
    match piece(word) {
        Some(Piece::Digits(digits)) => digits,
        Some(Piece::Unit(value) | Piece::Teen(value) | Piece::Tens(value)) => value.to_string(),
        Some(Piece::Hundred | Piece::Thousand) | None => word.to_owned(),
    }
}

#[derive(Debug, Clone)]
enum Piece {
    Digits(String),
    Unit(u32),
    Teen(u32),
    Tens(u32),
    Hundred,
    Thousand,
}

const UNITS: [&str; 10] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
];
const TEENS: [&str; 10] = [
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 8] = [
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
];
const ORDINALS: [(&str, u32); 20] = [
    ("first", 1),
    ("second", 2),
    ("third", 3),
    ("fourth", 4),
    ("fifth", 5),
    ("sixth", 6),
    ("seventh", 7),
    ("eighth", 8),
    ("ninth", 9),
    ("tenth", 10),
    ("eleventh", 11),
    ("twelfth", 12),
    ("thirteenth", 13),
    ("fourteenth", 14),
    ("fifteenth", 15),
    ("sixteenth", 16),
    ("seventeenth", 17),
    ("eighteenth", 18),
    ("nineteenth", 19),
    ("twentieth", 20),
];

fn piece(word: &str) -> Option<Piece> {
    if word.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Piece::Digits(word.to_owned()));
    }
    for ending in ["st", "nd", "rd", "th"] {
        if let Some(digits) = word.strip_suffix(ending)
            && !digits.is_empty()
            && digits.bytes().all(|byte| byte.is_ascii_digit())
        {
            return Some(Piece::Digits(digits.to_owned()));
        }
    }
    let at = |list: &[&str]| {
        list.iter()
            .position(|name| *name == word)
            .map(|at| at as u32)
    };
    match word {
        "oh" | "o" => Some(Piece::Unit(0)),
        "hundred" => Some(Piece::Hundred),
        "thousand" => Some(Piece::Thousand),
        _ => at(&UNITS)
            .map(Piece::Unit)
            .or_else(|| at(&TEENS).map(|value| Piece::Teen(value + 10)))
            .or_else(|| at(&TENS).map(|value| Piece::Tens((value + 2) * 10)))
            .or_else(|| {
                ORDINALS
                    .iter()
                    .find(|(name, _)| *name == word)
                    .map(|(_, value)| match value {
                        ..10 => Piece::Unit(*value),
                        20 => Piece::Tens(20),
                        _ => Piece::Teen(*value),
                    })
            }),
    }
}

/// What each stretch of a run can mean: "one twenty three" is 1, 23, 123, "six five" is 65.
fn numbers_of(run: &[Piece], found: &mut BTreeSet<String>) {
    const LONGEST: usize = 10;
    for start in 0..run.len() {
        for end in start + 1..=run.len().min(start + LONGEST) {
            found.insert(plain_number(&joined(&run[start..end])));
        }
    }
}

/// The digits of a run read from left to right.
fn joined(run: &[Piece]) -> String {
    let mut digits = String::new();
    let mut open: Option<u32> = None;
    let mut open_tens = false;
    let close = |digits: &mut String, open: &mut Option<u32>| {
        if let Some(value) = open.take() {
            digits.push_str(&value.to_string());
        }
    };
    for piece in run {
        match piece {
            Piece::Unit(value) if open_tens && *value > 0 => {
                open = open.map(|sum| sum + value);
                open_tens = false;
            }
            Piece::Hundred => open = Some(open.unwrap_or(1) * 100),
            Piece::Thousand => open = Some(open.unwrap_or(1) * 1000),
            Piece::Unit(value) | Piece::Teen(value) | Piece::Tens(value) => {
                match open {
                    Some(sum) if sum >= 100 && sum % 100 == 0 => open = Some(sum + value),
                    _ => {
                        close(&mut digits, &mut open);
                        open = Some(*value);
                    }
                }
                open_tens = matches!(piece, Piece::Tens(_));
            }
            Piece::Digits(written) => {
                close(&mut digits, &mut open);
                digits.push_str(written);
                open_tens = false;
            }
        }
    }
    close(&mut digits, &mut open);
    digits
}

/// Whether all words of `part` stand in `whole`, numbers compared as numbers.
pub fn contains_all(whole: &BTreeSet<String>, part: &str) -> bool {
    words(part)
        .iter()
        .all(|word| whole.contains(&plain_number(word)) || whole.contains(word))
}

/// Whether the words of `phrase` stand in `text` one after another.
pub fn contains_phrase(text: &str, phrase: &str) -> bool {
    let text = words(text);
    let phrase = words(phrase);
    !phrase.is_empty() && text.windows(phrase.len()).any(|window| window == phrase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn hears(text: &str, numbers: &[&str]) {
        let found = words_and_numbers(text);
        for number in numbers {
            assert!(found.contains(*number), "{number} is not in {found:?}");
        }
    }

    #[test]
    fn numbers_are_heard_however_they_are_said() {
        hears("Blk 12 #08-0123", &["block", "12", "8", "123"]);
        hears("block one twenty three", &["123"]);
        hears("one fifty four", &["154"]);
        hears("two hundred and five", &["205"]);
        hears("oh five dash three one two", &["5", "312"]);
        hears("twenty-fifth of October", &["20", "5", "25"]);
        hears("the 3rd", &["3"]);
        hears("seventy two", &["72"]);
        hears("one seven six seven", &["1767"]);
    }

    #[test]
    fn numbers_are_the_same_however_they_are_written() {
        let unit = words_with_digits("block twelve, zero eight dash one two three");
        assert_eq!(unit, words_with_digits("Blk 12 #08-123"));
        assert_eq!(unit, ["block", "1", "2", "0", "8", "1", "2", "3"]);
        assert_eq!(words_with_digits("thirty-five"), ["3", "5"]);
        assert_eq!(words_with_digits("I'm fine."), ["im", "fine"]);
    }

    #[test]
    fn a_part_is_found_in_another_spelling_only_if_all_of_it_is_there() {
        let whole = words_and_numbers("block twelve Bedok North Ave 3");
        assert!(contains_all(&whole, "Blk 12"));
        assert!(contains_all(&whole, "Avenue 3"));
        assert!(!contains_all(&whole, "Blk 21"));
        assert!(!contains_all(&whole, "Bedok South"));
    }

    #[test]
    fn a_phrase_is_words_in_a_row() {
        assert!(contains_phrase("She's not, well, safe.", "not well"));
        assert!(!contains_phrase("painted", "pain"));
    }
}
