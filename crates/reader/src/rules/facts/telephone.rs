//! A Singapore telephone number, said as digits or words: "9123 4567", "nine one, two three, double four, oh, five".
//!
//! Looked for only where it was asked for, and in the words as they were said: "oh" is a digit here.

use std::ops::Range;

use crate::rules::numbers;

/// All of Singapore's.
const DIGITS: usize = 8;
const COUNTRY: &str = "65";
/// So many digits, and not a number: the rest was not heard.
const HALF: usize = 4;

/// What was found of a number.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// Its eight digits, and where they stand in the words.
    Whole(String, Range<usize>),
    /// Some digits, and no number.
    Half,
    Nothing,
}

/// The last whole number in the turn: who puts it right says it again.
pub(crate) fn find(words: &str) -> Told {
    let runs = runs(words);
    let whole = runs.iter().rev().find_map(Run::number);
    match whole {
        Some((digits, at)) => Told::Whole(digits, at),
        None if runs.iter().any(|run| run.digits().len() >= HALF) => Told::Half,
        None => Told::Nothing,
    }
}

/// Digits with nothing but pauses between them, as they were grouped.
#[derive(Default)]
struct Run {
    groups: Vec<(String, Range<usize>)>,
}

impl Run {
    fn digits(&self) -> String {
        self.groups
            .iter()
            .map(|(digits, _)| digits.as_str())
            .collect()
    }

    /// The whole run, or the number among its groups: "from nine, 9123 4567".
    fn number(&self) -> Option<(String, Range<usize>)> {
        let (_, first) = self.groups.first()?;
        let (_, last) = self.groups.last()?;
        if let Some(digits) = number(&self.digits()) {
            return Some((digits, first.start..last.end));
        }
        let written = |groups: &[(String, Range<usize>)]| {
            let digits: String = groups.iter().map(|(digits, _)| digits.as_str()).collect();
            let at = groups.first()?.1.start..groups.last()?.1.end;
            Some((number(&digits)?, at))
        };
        let as_written = |count: usize| {
            let pieces = self.groups.windows(count);
            pieces
                .rev()
                .filter(move |piece| piece.iter().all(|(it, _)| it.len() == DIGITS / count))
                .find_map(written)
        };
        as_written(1).or_else(|| as_written(2))
    }
}

fn number(digits: &str) -> Option<String> {
    let digits = match digits.strip_prefix(COUNTRY) {
        Some(rest) if rest.len() == DIGITS => rest,
        _ => digits,
    };
    let begins = digits.starts_with(['3', '6', '8', '9']);
    (digits.len() == DIGITS && begins).then(|| digits.to_owned())
}

fn runs(words: &str) -> Vec<Run> {
    let said = said(words);
    let mut runs = Vec::new();
    let mut run = Run::default();
    let mut at = 0;
    while at < said.len() {
        let rest: Vec<&str> = said[at..].iter().map(|(word, _)| word.as_str()).collect();
        let (taken, digits) = match digits(&rest, !run.groups.is_empty()) {
            Some((digits, taken)) => (taken, Some(digits)),
            None => (1, None),
        };
        match digits {
            Some(digits) => {
                let from = said[at].1.start;
                let to = said[at + taken - 1].1.end;
                run.groups.push((digits, from..to));
            }
            None if is_a_pause(rest[0]) => {}
            None => runs.push(std::mem::take(&mut run)),
        }
        at += taken;
    }
    runs.push(run);
    runs
}

/// The digits that the words begin with, and how many words they take.
fn digits(words: &[&str], within: bool) -> Option<(String, usize)> {
    let first = *words.first()?;
    if first.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some((first.to_owned(), 1));
    }
    let times = match first {
        "double" => 2,
        "triple" => 3,
        _ => {
            // "Oh, it's nine one…" begins with no digit.
            if !within && matches!(first, "oh" | "o") {
                return None;
            }
            return match zero(first) {
                true => Some(("0".to_owned(), 1)),
                false => numbers::read(words).map(|(number, taken)| (number.to_string(), taken)),
            };
        }
    };
    let next = *words.get(1)?;
    let digit = match next.len() == 1 && next.bytes().all(|byte| byte.is_ascii_digit()) {
        true => next.to_owned(),
        false if zero(next) => "0".to_owned(),
        false => numbers::unit(next)?.to_string(),
    };
    Some((digit.repeat(times), 2))
}

fn zero(word: &str) -> bool {
    matches!(word, "zero" | "oh" | "o" | "nought" | "nil")
}

fn is_a_pause(word: &str) -> bool {
    matches!(
        word,
        "and"
            | "then"
            | "um"
            | "uh"
            | "er"
            | "erm"
            | "ah"
            | "eh"
            | "hmm"
            | "lah"
            | "dash"
            | "space"
    )
}

/// The words in lower case, and where each stands.
fn said(words: &str) -> Vec<(String, Range<usize>)> {
    let mut said: Vec<(String, Range<usize>)> = Vec::new();
    let mut open = false;
    for (at, c) in words.char_indices() {
        let belongs = c.is_alphanumeric() || c == '\'' || c == '’';
        match said.last_mut() {
            Some((word, range)) if belongs && open => {
                word.extend(c.to_lowercase());
                range.end = at + c.len_utf8();
            }
            _ if belongs => said.push((c.to_lowercase().collect(), at..at + c.len_utf8())),
            _ => {}
        }
        open = belongs;
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(words: &str, expect: &str) {
        let found = match find(words) {
            Told::Whole(digits, _) => digits,
            Told::Half => "half".to_owned(),
            Told::Nothing => "nothing".to_owned(),
        };
        assert_eq!(found, expect, "{words}");
    }

    #[test]
    fn a_number_is_heard_however_it_is_said() {
        check("9123 4567", "91234567");
        check("It's 91234567 lah", "91234567");
        check("+65 8123 4567", "81234567");
        check("Nine one two three, four five six seven.", "91234567");
        check("nine one, um, two three... double four oh five", "91234405");
        check("Eight double one, triple two, three four", "81122234");
        check("six, seven, seven, nine, zero, two, eight, two", "67790282");
        check("ninety-one twenty-three forty-five sixty-seven", "91234567");
        check("9-1-2-3 4-5-6-7", "91234567");
        check(
            "nine one two three and then four five six seven",
            "91234567",
        );
        check(
            "my handphone is nine o o one two three four five",
            "90012345",
        );
        check("3123 4567", "31234567");
    }

    #[test]
    fn who_puts_a_number_right_is_taken_at_the_last() {
        check("9123 4567, no sorry, 9123 4568", "91234568");
        check("after nine, 9123 4567", "91234567");
        check("call at 8 91234567", "91234567");
    }

    #[test]
    fn what_is_no_whole_number_is_none() {
        check("nine one two three four", "half");
        check("12345678", "half");
        check("1800 777 0000", "half");
        check("999", "nothing");
        check("oh no", "nothing");
        check("no, none is safe", "nothing");
        check("", "nothing");
        check("I'm one of two", "nothing");
    }

    #[test]
    fn the_words_of_a_number_are_quoted_as_they_were_said() {
        let words = "Ya, it's nine one two three, four five six seven. After six.";
        let Told::Whole(_, at) = find(words) else {
            panic!("it is whole");
        };
        assert_eq!(&words[at], "nine one two three, four five six seven");
    }
}
