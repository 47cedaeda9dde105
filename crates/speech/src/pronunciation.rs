//! A sentence as the voice must be given it: numbers to ring read digit by digit, agencies
//! said as people say them, and nothing but plain ASCII.
//!
//! It changes only what is said, never what is shown or recorded, and leaves quantities, times
//! and years to the voice.

use std::borrow::Cow;

/// Short numbers that are rung, not counted.
const SHORT_NUMBERS: [&str; 8] = [
    "995", "999", "1767", "1771", "1777", "70995", "70999", "71999",
];
/// Words before a number that make it a number to be read digit by digit.
const BEFORE_A_NUMBER: [&str; 12] = [
    "call", "ring", "dial", "text", "sms", "whatsapp", "number", "on", "block", "blk", "unit",
    "postal",
];
/// Groups of a telephone number that people say otherwise than digit by digit.
const GROUPS: [(&str, &str); 3] = [
    ("1800", "one eight hundred"),
    ("777", "triple seven"),
    ("0000", "four zeros"),
];
/// A telephone number has at least this many digits; Singapore's have eight.
const TELEPHONE_DIGITS: usize = 7;

/// How names are said. Matched as whole words and by case: "PAVE" is the agency, "pave" a verb
/// that sounds the same.
const NAMES: [(&str, &str); 17] = [
    ("DVERT", "D vert"),
    ("D-VERT", "D vert"),
    ("Dvert", "D vert"),
    ("D-vert", "D vert"),
    ("PAVE", "pave"),
    ("NAVH", "N A V H"),
    ("SPF", "S P F"),
    ("SCDF", "S C D F"),
    ("SOS", "S O S"),
    ("FSC", "F S C"),
    ("SACC", "S A C C"),
    ("CPS", "C P S"),
    ("APS", "A P S"),
    ("MSF", "M S F"),
    ("SMS", "S M S"),
    ("HDB", "H D B"),
    ("AI", "A I"),
];

/// The sentence, ready for the voice.
pub(crate) fn prepare(sentence: &str) -> String {
    let sentence = plain(sentence);
    let words: Vec<&str> = sentence.split_ascii_whitespace().collect();
    let mut spoken: Vec<Cow<'_, str>> = Vec::with_capacity(words.len());
    let mut rest = words.as_slice();
    let mut before = "";
    while let Some(&word) = rest.first() {
        let run = number_run(rest);
        if run > 0 && is_telephone(&rest[..run], before) {
            spoken.push(digits_apart(&rest[..run]).into());
            before = rest[run - 1];
            rest = &rest[run..];
        } else {
            spoken.push(say(word));
            before = word;
            rest = &rest[1..];
        }
    }
    spoken.join(" ")
}

/// Plain ASCII on one line. The voice reads bytes, and knows no others.
fn plain(sentence: &str) -> String {
    let mut text = String::with_capacity(sentence.len());
    for character in sentence.chars() {
        match character {
            '\u{2018}' | '\u{2019}' => text.push('\''),
            '\u{201c}' | '\u{201d}' => text.push('"'),
            '\u{2013}' | '\u{2014}' => text.push_str(", "),
            '\u{2026}' => text.push_str("..."),
            'à'..='å' | 'À'..='Å' => text.push('a'),
            'è'..='ë' | 'È'..='Ë' => text.push('e'),
            'ì'..='ï' | 'Ì'..='Ï' => text.push('i'),
            'ò'..='ö' | 'Ò'..='Ö' => text.push('o'),
            'ù'..='ü' | 'Ù'..='Ü' => text.push('u'),
            'ñ' | 'Ñ' => text.push('n'),
            'ç' | 'Ç' => text.push('c'),
            ' '..='~' => text.push(character),
            _ => text.push(' '),
        }
    }
    text
}

/// A word without the punctuation around it, and that punctuation.
fn bare(word: &str) -> (&str, &str, &str) {
    let bare = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    let start = word.find(bare).unwrap_or(0);
    (&word[..start], bare, &word[start + bare.len()..])
}

fn say(word: &str) -> Cow<'_, str> {
    let (opening, name, closing) = bare(word);
    let (name, ending) = match name.strip_suffix("'s") {
        Some(name) => (name, "'s"),
        None => (name, ""),
    };
    let Some((_, said)) = NAMES.iter().find(|(written, _)| *written == name) else {
        return word.into();
    };
    format!("{opening}{said}{ending}{closing}").into()
}

/// How many of the words from the first form one number: digits, perhaps in groups as in
/// "1800 777 0000" or "9151-1767". Punctuation after a group ends the number.
fn number_run(words: &[&str]) -> usize {
    let mut run = 0;
    for word in words {
        let (opening, number, closing) = bare(word);
        let opens = opening.is_empty() || (run == 0 && matches!(opening, "(" | "+" | "\"" | "'"));
        let digits = !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit() || c == b'-');
        if !opens || !digits {
            break;
        }
        run += 1;
        if !closing.is_empty() {
            break;
        }
    }
    run
}

fn is_telephone(words: &[&str], before: &str) -> bool {
    let digits: usize = words.iter().map(|word| count_digits(word)).sum();
    if digits >= TELEPHONE_DIGITS {
        return true;
    }
    let (_, number, _) = bare(words[0]);
    let (_, before, _) = bare(before);
    words.len() == 1
        && (SHORT_NUMBERS.contains(&number)
            || (digits >= 3
                && BEFORE_A_NUMBER
                    .iter()
                    .any(|word| word.eq_ignore_ascii_case(before))))
}

fn count_digits(word: &str) -> usize {
    word.bytes().filter(u8::is_ascii_digit).count()
}

/// "1800 777 0000." becomes "one eight hundred, triple seven, four zeros.": the commas make the short
/// pauses people make.
fn digits_apart(words: &[&str]) -> String {
    let (opening, ..) = bare(words[0]);
    let (.., closing) = bare(words[words.len() - 1]);
    let groups: Vec<String> = words
        .iter()
        .flat_map(|word| bare(word).1.split('-'))
        .filter(|group| !group.is_empty())
        .map(in_words)
        .collect();
    let opening = opening.trim_start_matches('+');
    format!("{opening}{}{closing}", groups.join(", "))
}

fn in_words(group: &str) -> String {
    match GROUPS.iter().find(|(digits, _)| *digits == group) {
        Some((_, said)) => (*said).to_owned(),
        None => group.bytes().map(digit).collect::<Vec<_>>().join(" "),
    }
}

fn digit(character: u8) -> &'static str {
    const DIGITS: [&str; 10] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
    ];
    DIGITS[usize::from(character.saturating_sub(b'0')).min(9)]
}

#[cfg(test)]
mod tests {
    use super::prepare;

    #[test]
    fn numbers_to_ring_are_read_digit_by_digit() {
        for (written, spoken) in [
            ("Call 999 now.", "Call nine nine nine now."),
            (
                "999, 995 or 1767.",
                "nine nine nine, nine nine five or one seven six seven.",
            ),
            (
                "Ring 1800 777 0000.",
                "Ring one eight hundred, triple seven, four zeros.",
            ),
            (
                "It is 6555 0390, day or night",
                "It is six five five five, zero three nine zero, day or night",
            ),
            (
                "WhatsApp 9151-1767",
                "WhatsApp nine one five one, one seven six seven",
            ),
            (
                "SMS 70999 instead",
                "S M S seven zero nine nine nine instead",
            ),
            (
                "my number is +65 9123 4567.",
                "my number is six five, nine one two three, four five six seven.",
            ),
        ] {
            assert_eq!(prepare(written), spoken);
        }
    }

    #[test]
    fn addresses_are_read_digit_by_digit_too() {
        assert_eq!(prepare("Block 123, Bedok"), "Block one two three, Bedok");
    }

    #[test]
    fn quantities_times_and_years_are_left_to_the_voice() {
        for sentence in [
            "You said 14 February 2025.",
            "At 10:30, for 20 minutes.",
            "It cost $1500.",
            "She is 15 years old.",
        ] {
            assert_eq!(prepare(sentence), sentence);
        }
    }

    #[test]
    fn two_numbers_are_not_run_together() {
        assert_eq!(
            prepare("999, 1800 777 0000"),
            "nine nine nine, one eight hundred, triple seven, four zeros"
        );
    }

    #[test]
    fn agencies_are_said_as_people_say_them() {
        assert_eq!(
            prepare("D-VERT, PAVE and NAVH can help; so can SOS."),
            "D vert, pave and N A V H can help; so can S O S."
        );
        assert_eq!(prepare("NAVH's line (SPF)"), "N A V H's line (S P F)");
    }

    #[test]
    fn other_words_stay_as_they_are() {
        assert_eq!(prepare("We pave the way."), "We pave the way.");
    }

    #[test]
    fn only_plain_ascii_reaches_the_voice() {
        assert_eq!(
            prepare("“I’m here” — take your time…\nJosé 你好\0"),
            "\"I'm here\" , take your time... Jose"
        );
    }

    #[test]
    fn nothing_said_is_nothing_spoken() {
        assert_eq!(prepare(" \n "), "");
    }
}
