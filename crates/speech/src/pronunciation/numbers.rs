//! Numbers that are rung or that name a place are read digit by digit; quantities are not.

use super::bare;
use super::lexicon::Lexicon;

/// A telephone number has at least this many digits; Singapore's have eight.
const TELEPHONE_DIGITS: usize = 7;

/// The number at the start of these words, in digits, if it is one to be read so; and how many words it takes.
pub(super) fn to_ring(words: &[&str], before: &str, lexicon: &Lexicon) -> Option<(String, usize)> {
    let run = number_run(words);
    let number = &words[..run];
    (run > 0 && is_telephone(number, before, lexicon)).then(|| (digits_apart(number, lexicon), run))
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

fn is_telephone(words: &[&str], before: &str, lexicon: &Lexicon) -> bool {
    let digits: usize = words.iter().map(|word| count_digits(word)).sum();
    if digits >= TELEPHONE_DIGITS {
        return true;
    }
    let (_, number, _) = bare(words[0]);
    let (_, before, _) = bare(before);
    words.len() == 1
        && (lexicon.is_short_number(number)
            || (digits >= 3 && lexicon.comes_before_a_number(before)))
}

fn count_digits(word: &str) -> usize {
    word.bytes().filter(u8::is_ascii_digit).count()
}

/// "1800 777 0000." becomes "one eight hundred, triple seven, zero zero, zero zero.": the commas make the short
/// pauses people make.
fn digits_apart(words: &[&str], lexicon: &Lexicon) -> String {
    let (opening, ..) = bare(words[0]);
    let (.., closing) = bare(words[words.len() - 1]);
    let groups: Vec<String> = words
        .iter()
        .flat_map(|word| bare(word).1.split('-'))
        .filter(|group| !group.is_empty())
        .map(|group| match lexicon.number_group(group) {
            Some(said) => said.to_owned(),
            None => group.bytes().map(digit).collect::<Vec<_>>().join(" "),
        })
        .collect();
    let opening = opening.trim_start_matches('+');
    format!("{opening}{}{closing}", groups.join(", "))
}

/// "05-67" as "zero five, six seven": its digits and letters one by one.
pub(super) fn spelled(written: &str) -> String {
    let group = |group: &str| {
        let said = group.bytes().map(|character| match character {
            b'0'..=b'9' => digit(character).to_owned(),
            letter => char::from(letter.to_ascii_uppercase()).to_string(),
        });
        said.collect::<Vec<_>>().join(" ")
    };
    let groups = written.split('-').filter(|group| !group.is_empty());
    groups.map(group).collect::<Vec<_>>().join(", ")
}

pub(super) fn digit(character: u8) -> &'static str {
    const DIGITS: [&str; 10] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
    ];
    DIGITS[usize::from(character.saturating_sub(b'0')).min(9)]
}

#[cfg(test)]
mod tests {
    use crate::pronunciation::prepare;

    fn said(written: &str) -> String {
        prepare(written).in_letters()
    }

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
                "Ring one eight hundred, triple seven, zero zero, zero zero.",
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
            assert_eq!(said(written), spoken);
        }
    }

    #[test]
    fn addresses_are_read_digit_by_digit_too() {
        assert_eq!(said("Block 123, Dover"), "Block one two three, Dover");
    }

    #[test]
    fn quantities_times_and_years_are_left_to_the_voice() {
        for sentence in [
            "You said 14 February 2025.",
            "For 20 minutes.",
            "It cost $1500.",
            "She is 15 years old.",
        ] {
            assert_eq!(said(sentence), sentence);
        }
    }

    #[test]
    fn two_numbers_are_not_run_together() {
        assert_eq!(
            said("999, 1800 777 0000"),
            "nine nine nine, one eight hundred, triple seven, zero zero, zero zero"
        );
    }
}
