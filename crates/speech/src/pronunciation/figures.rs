//! Times, dates, sums and addresses in figures, put into words that every voice reads alike.
//!
//! Only the forms that voices read otherwise than people in Singapore do: a plain quantity or a year is left alone.

use super::lexicon::Lexicon;
use super::numbers::{digit, spelled};
use super::{Piece, bare};

/// The figure at the start of these words as it is said, and how many of them it takes.
pub(super) fn read(words: &[&str], before: &str, lexicon: &Lexicon) -> Option<(Piece, usize)> {
    let figure = Figure::of(words, before)?;
    clock(&figure, lexicon)
        .or_else(|| of_24_hours(&figure, lexicon))
        .or_else(|| unit(&figure).map(alone))
        .or_else(|| postal_code(&figure).map(alone))
        .or_else(|| with_a_letter(&figure, lexicon).map(alone))
        .or_else(|| date(&figure, lexicon).map(alone))
        .or_else(|| month(&figure, lexicon).map(alone))
        .or_else(|| street(&figure).map(alone))
        .or_else(|| sum(&figure).map(alone))
}

fn alone(piece: Piece) -> (Piece, usize) {
    (piece, 1)
}

/// A word that may be a figure, and what stands around it.
struct Figure<'a> {
    opening: &'a str,
    written: &'a str,
    closing: &'a str,
    before: &'a str,
    next: Option<&'a str>,
}

impl<'a> Figure<'a> {
    fn of(words: &[&'a str], before: &'a str) -> Option<Self> {
        let (opening, written, closing) = bare(words.first()?);
        Some(Self {
            opening,
            written,
            closing,
            before: bare(before).1,
            next: words.get(1).copied(),
        })
    }

    fn plain(&self, said: &str) -> Piece {
        Piece::Plain(format!("{}{said}{}", self.opening, self.closing))
    }
}

/// "10.30 pm", "9am", "22:15"; "10.30" alone only after a word such as "at".
fn clock(figure: &Figure<'_>, lexicon: &Lexicon) -> Option<(Piece, usize)> {
    let end = figure
        .written
        .find(|c: char| !c.is_ascii_digit() && c != '.' && c != ':')
        .unwrap_or(figure.written.len());
    let (time, after) = figure.written.split_at(end);
    let (hour, minute) = match time.split_once([':', '.']) {
        Some((hour, minute)) => (below(hour, 1..=2, 25)?, Some(below(minute, 2..=2, 60)?)),
        None => (below(time, 1..=2, 25)?, None),
    };
    let (half, closing, taken) = match (half_of_day(after), figure.next) {
        (Some(half), _) => (Some(half), figure.closing, 1),
        (None, _) if !after.is_empty() => return None,
        (None, Some(next)) if figure.closing.is_empty() => {
            let (_, next, closing) = bare(next);
            match half_of_day(next) {
                // The last dot of "p.m." may be the sentence's too.
                Some(half) => (Some(half), closing, 2),
                None => (None, figure.closing, 1),
            }
        }
        (None, _) => (None, figure.closing, 1),
    };
    let with_a_dot = !time.contains(':');
    if half.is_none()
        && (minute.is_none() || with_a_dot && !lexicon.comes_before_a_time(figure.before))
    {
        return None;
    }
    let minutes = match (minute, half) {
        (None | Some(0), Some(_)) => String::new(),
        (None | Some(0), None) if hour <= 12 => " o'clock".to_owned(),
        (None | Some(0), None) => " hundred".to_owned(),
        (Some(minute @ 1..=9), _) => format!(" oh {}", in_words(minute)),
        (Some(minute), _) => format!(" {}", in_words(minute)),
    };
    let half = half.map_or_else(String::new, |half| format!(" {half}"));
    let said = format!(
        "{}{}{minutes}{half}{closing}",
        figure.opening,
        in_words(hour)
    );
    Some((Piece::Letters(said), taken))
}

/// "am", "p.m." and the like, as letters.
fn half_of_day(word: &str) -> Option<&'static str> {
    match word.to_ascii_lowercase().replace('.', "").as_str() {
        "am" => Some("A M"),
        "pm" => Some("P M"),
        _ => None,
    }
}

/// "2300 hours", "0130 hrs"; "0130" alone after a word such as "at".
fn of_24_hours(figure: &Figure<'_>, lexicon: &Lexicon) -> Option<(Piece, usize)> {
    let (digits, unit) = figure.written.split_at_checked(4)?;
    if !is_digits(digits) {
        return None;
    }
    let (hour, minute) = (
        below(&digits[..2], 2..=2, 25)?,
        below(&digits[2..], 2..=2, 60)?,
    );
    let next = figure.next.map_or("", |next| bare(next).1);
    let (named, taken) = match (unit, is_hours(unit), is_hours(next)) {
        (_, true, _) => (figure.closing, 1),
        ("", _, true) => (figure.next.map_or("", |next| bare(next).2), 2),
        _ => ("", 0),
    };
    let leads_with_zero = digits.starts_with('0') && unit.is_empty();
    let said = in_24_hours(hour, minute);
    if taken > 0 {
        let said = format!("{}{said} hours{named}", figure.opening);
        Some((Piece::Plain(said), taken))
    } else if leads_with_zero && lexicon.comes_before_a_time(figure.before) {
        Some((figure.plain(&said), 1))
    } else {
        None
    }
}

fn is_hours(word: &str) -> bool {
    matches!(
        word.to_ascii_lowercase().as_str(),
        "hours" | "hrs" | "hr" | "h"
    )
}

fn in_24_hours(hour: usize, minute: usize) -> String {
    let hours = match hour {
        0..=9 => format!("zero {}", in_words(hour)),
        _ => in_words(hour),
    };
    match minute {
        0 => format!("{hours} hundred"),
        1..=9 => format!("{hours} zero {}", in_words(minute)),
        _ => format!("{hours} {}", in_words(minute)),
    }
}

/// "#05-67" is "unit zero five, six seven".
fn unit(figure: &Figure<'_>) -> Option<Piece> {
    let opening = figure.opening.strip_suffix('#')?;
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-';
    if !figure.written.chars().all(fits) || !figure.written.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let named = matches!(
        figure.before.to_ascii_lowercase().as_str(),
        "unit" | "number"
    );
    let name = if named { "" } else { "unit " };
    Some(Piece::Letters(format!(
        "{opening}{name}{}{}",
        spelled(figure.written),
        figure.closing
    )))
}

/// "560123", "S560123", "S(560123)": nobody writes a quantity of six digits without a comma.
fn postal_code(figure: &Figure<'_>) -> Option<Piece> {
    let (name, digits) = match figure.written.strip_prefix('S') {
        Some(digits) => ("Singapore ", digits.trim_start_matches('(')),
        None => ("", figure.written),
    };
    let closing = figure.closing.trim_start_matches(')');
    let closing = if name.is_empty() {
        figure.closing
    } else {
        closing
    };
    let counted = figure.opening.contains('$');
    (digits.len() == 6 && is_digits(digits) && !counted).then(|| {
        let (sector, rest) = digits.split_at(3);
        Piece::Plain(format!(
            "{}{name}{}, {}{closing}",
            figure.opening,
            spelled(sector),
            spelled(rest)
        ))
    })
}

/// A block such as "123A", and "12B".
fn with_a_letter(figure: &Figure<'_>, lexicon: &Lexicon) -> Option<Piece> {
    let (number, letter) = figure
        .written
        .split_at_checked(figure.written.len().checked_sub(1)?)?;
    let names_a_block = lexicon.comes_before_a_number(figure.before);
    let letter = letter.chars().next()?;
    let is_one = letter.is_ascii_uppercase() || (names_a_block && letter.is_ascii_lowercase());
    if !is_one || !is_digits(number) || number.len() > 4 {
        return None;
    }
    let number = match number.len() {
        1 | 2 => number.to_owned(),
        _ => spelled(number),
    };
    let letter = letter.to_ascii_uppercase();
    Some(Piece::Letters(format!(
        "{}{number} {letter}{}",
        figure.opening, figure.closing
    )))
}

/// "14/2/2025", day first.
fn date(figure: &Figure<'_>, lexicon: &Lexicon) -> Option<Piece> {
    let mut parts = figure.written.split('/');
    let (day, month, year) = (parts.next()?, parts.next()?, parts.next()?);
    let day = below(day, 1..=2, 32).filter(|day| *day > 0)?;
    let month = lexicon.month(below(month, 1..=2, 13)?)?;
    let year = match year.len() {
        4 if is_digits(year) => year.to_owned(),
        // Births and memories are of the last century, plans of this one.
        2 if is_digits(year) => format!("{}{year}", if year > "40" { "19" } else { "20" }),
        _ => return None,
    };
    parts
        .next()
        .is_none()
        .then(|| figure.plain(&format!("{day} {month} {year}")))
}

/// "Jan" after a day.
fn month(figure: &Figure<'_>, lexicon: &Lexicon) -> Option<Piece> {
    let day = figure
        .before
        .trim_end_matches(|c: char| c.is_ascii_lowercase());
    below(day, 1..=2, 32)?;
    let month = lexicon.month_of_abbreviation(figure.written)?;
    let closing = match figure.next {
        Some(_) => figure.closing.trim_start_matches('.'),
        None => figure.closing,
    };
    Some(Piece::Plain(format!("{}{month}{closing}", figure.opening)))
}

/// "St 21" is a street; before a name it is a saint.
fn street(figure: &Figure<'_>) -> Option<Piece> {
    let numbered = figure
        .next
        .is_some_and(|next| next.starts_with(|c: char| c.is_ascii_digit()));
    (matches!(figure.written, "St" | "st") && numbered).then(|| figure.plain("Street"))
}

/// "S$200": the dollars are Singapore's anyway.
fn sum(figure: &Figure<'_>) -> Option<Piece> {
    let amount = figure.written.strip_prefix("S$")?;
    Some(figure.plain(&format!("${amount}")))
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit())
}

/// A number of so many digits, if it is less than `limit`.
fn below(text: &str, digits: std::ops::RangeInclusive<usize>, limit: usize) -> Option<usize> {
    (is_digits(text) && digits.contains(&text.len()))
        .then(|| text.parse().ok())
        .flatten()
        .filter(|number| *number < limit)
}

/// A number below 60.
fn in_words(number: usize) -> String {
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
    const TENS: [&str; 4] = ["twenty", "thirty", "forty", "fifty"];
    let units = |number: usize| u8::try_from(number).map_or("", |number| digit(number + b'0'));
    match number {
        0..=9 => units(number).to_owned(),
        10..=19 => TEENS[number - 10].to_owned(),
        _ => {
            let tens = TENS[(number / 10 - 2).min(TENS.len() - 1)];
            match number % 10 {
                0 => tens.to_owned(),
                rest => format!("{tens} {}", units(rest)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::pronunciation::prepare;

    fn said(written: &str) -> String {
        prepare(written).in_letters()
    }

    #[track_caller]
    fn each(cases: &[(&str, &str)]) {
        for (written, spoken) in cases {
            assert_eq!(said(written), *spoken, "of {written:?}");
        }
    }

    #[test]
    fn times_are_said_as_times() {
        each(&[
            ("At 10.30 pm.", "At ten thirty P M."),
            ("At 10:30pm, or 9am?", "At ten thirty P M, or nine A M?"),
            ("Since 7.05 p.m. today", "Since seven oh five P M. today"),
            ("at 8.00am", "at eight A M"),
            ("It was 22:15.", "It was twenty two fifteen."),
            ("at 10.30, at 9:00", "at ten thirty, at nine o'clock"),
            ("at 2300 hours", "at twenty three hundred hours"),
            (
                "at 0130hrs, at 0905",
                "at zero one thirty hours, at zero nine zero five",
            ),
        ]);
    }

    #[test]
    fn what_only_looks_like_a_time_is_left_to_the_voice() {
        for sentence in [
            "It is 2.50 metres.",
            "a score of 10.30",
            "in 2300 years",
            "I am 15.",
            "24 hours",
            "He is 9 and I am here.",
        ] {
            assert_eq!(said(sentence), sentence);
        }
    }

    #[test]
    fn blocks_and_units_are_read_digit_by_digit() {
        each(&[
            (
                "Blk 123A #05-67, is it?",
                "Block one two three A unit zero five, six seven, is it?",
            ),
            ("Block 12B", "Block 12 B"),
            ("block 456c", "block four five six C"),
            ("unit #12-04", "unit one two, zero four"),
            ("#B1-23", "unit B one, two three"),
            ("Bedok North St 3", "buhdoak North Street 3"),
            ("St Andrew's", "St Andrew's"),
        ]);
    }

    #[test]
    fn postal_codes_are_read_digit_by_digit() {
        each(&[
            ("560123.", "five six zero, one two three."),
            ("S(560123)", "Singapore five six zero, one two three"),
            (
                "Singapore 049483",
                "Singapore zero four nine, four eight three",
            ),
            ("$560123 or 560,123", "$560123 or 560,123"),
        ]);
    }

    #[test]
    fn dates_have_their_months() {
        each(&[
            ("on 14/2/2025.", "on 14 February 2025."),
            ("Born 3/11/87", "Born 3 November 1987"),
            (
                "from 22 Jan. to 3rd Sept",
                "from 22 January to 3rd September",
            ),
            ("24/7", "24/7"),
            ("Jan is here.", "Jan is here."),
        ]);
    }

    #[test]
    fn sums_are_in_dollars() {
        each(&[("S$200 or $1,500.", "$200 or $1,500.")]);
    }
}
