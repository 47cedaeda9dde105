//! Whether a sentence was heard as it was said: its content words and its numbers, not every "a" and "the".

use std::collections::BTreeSet;

/// So many wrong content words in one sentence, and it is not the sentence any more.
pub const TOO_MANY: usize = 4;
/// Shorter words carry little, and a transcriber guesses them from the rest.
const SHORTEST: usize = 4;
/// Said alike: a transcriber chooses one by what it expects, and a listener by what was meant.
const ALIKE: [(&str, &str); 11] = [
    ("riding", "writing"),
    ("there", "their"),
    ("wears", "where"),
    ("centre", "center"),
    ("eighteen", "18"),
    ("nineteen", "19"),
    ("weighs", "ways"),
    ("where", "wear"),
    ("wears", "wheres"),
    ("plain", "plane"),
    ("sees", "seize"),
];

/// The content words and numbers of `said` that are not in `heard`.
pub fn wrong_words(said: &str, heard: &str) -> Vec<String> {
    let heard_words = words(heard);
    let heard_digits = digits(heard);
    // "D-Virt" for "DVERT", "some one" for "someone".
    let pairs: Vec<String> = heard_words.windows(2).map(<[String]>::concat).collect();
    let mut wrong: Vec<String> = words(said)
        .into_iter()
        .filter(|word| word.len() >= SHORTEST && number(word).is_none())
        .filter(|word| !word.bytes().all(|c| c.is_ascii_digit()))
        .filter(|word| {
            !heard_words.iter().chain(&pairs).any(|other| {
                let alike = ALIKE.contains(&(word.as_str(), other.as_str()));
                alike || distance(word, other) <= word.len() / 4
            })
        })
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    let numbers = digits(said);
    let same = match numbers.len() {
        0..LONG_NUMBER => heard_digits.contains(&numbers),
        _ => runs_as_one(&heard_digits).contains(&runs_as_one(&numbers)),
    };
    if !same {
        wrong.push(numbers);
    }
    wrong
}

/// In a number so long the transcriber drops some of a run of equal digits, whoever speaks: "1800 777 0000" comes as
/// "1-800-770000". The run is compared as one digit there, and the ear has to tell the rest.
const LONG_NUMBER: usize = 7;

fn runs_as_one(digits: &str) -> String {
    let mut digits: Vec<char> = digits.chars().collect();
    digits.dedup();
    digits.into_iter().collect()
}

fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'')
        .map(|word| word.trim_matches('\'').replace('\'', "").to_lowercase())
        .filter(|word| !word.is_empty())
        .collect()
}

/// All digits in the order they are said, also where they are words.
fn digits(text: &str) -> String {
    let mut digits = String::new();
    let mut times = 1;
    for word in words(text) {
        match word.as_str() {
            "double" => times = 2,
            "triple" => times = 3,
            "hundred" => digits.push_str("00"),
            word => {
                let said = match number(word) {
                    Some(digit) => digit.to_string(),
                    None if word.bytes().all(|c| c.is_ascii_digit()) => word.to_owned(),
                    None => continue,
                };
                digits.push_str(&said.repeat(times));
                times = 1;
            }
        }
    }
    digits
}

fn number(word: &str) -> Option<u32> {
    const NUMBERS: [&str; 10] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
    ];
    NUMBERS
        .iter()
        .position(|number| *number == word)
        .map(|at| at as u32)
}

/// How many letters must be changed, put in or left out.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.chars().enumerate() {
        let mut before = row[0];
        row[0] = i + 1;
        for (j, b) in other.iter().enumerate() {
            let change = before + usize::from(a != *b);
            before = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(before + 1);
        }
    }
    row[other.len()]
}

#[test]
fn numbers_are_the_same_however_they_are_written() {
    assert_eq!(digits("Ring 1800 777 0000."), "18007770000");
    assert_eq!(
        digits("one eight hundred, triple seven, zero zero zero zero"),
        "18007770000"
    );
    assert_eq!(
        wrong_words("Please ring 999.", "Please ring nine nine nine."),
        [""; 0]
    );
    assert_eq!(
        wrong_words("Please ring 999.", "Please ring nine nine."),
        ["999"]
    );
    assert_eq!(
        wrong_words("You deserve better.", "You preserve letters."),
        ["better", "deserve"]
    );
}
