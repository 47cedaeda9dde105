//! Numbers as people say them: "seventy two", "one two three", "oh four".

/// The number that begins at `words[0]`, and how many words it takes. Only whole numbers below
/// 1,000,000; digits as they stand.
pub(crate) fn read(words: &[&str]) -> Option<(u32, usize)> {
    let first = *words.first()?;
    if let Ok(number) = first.parse::<u32>() {
        return (number < 1_000_000).then_some((number, 1));
    }
    if let Some(tens) = tens(first) {
        return Some(
            match words
                .get(1)
                .and_then(|word| unit(word))
                .filter(|unit| *unit > 0)
            {
                Some(unit) => (tens + unit, 2),
                None => (tens, 1),
            },
        );
    }
    teen(first)
        .or_else(|| unit(first))
        .map(|number| (number, 1))
}

/// One spoken digit, "oh" and "zero" alike.
pub(crate) fn unit(word: &str) -> Option<u32> {
    Some(match word {
        "zero" | "oh" => 0,
        "one" => 1,
        "two" => 2,
        "three" => 3,
        "four" => 4,
        "five" => 5,
        "six" => 6,
        "seven" => 7,
        "eight" => 8,
        "nine" => 9,
        _ => return None,
    })
}

fn teen(word: &str) -> Option<u32> {
    Some(match word {
        "ten" => 10,
        "eleven" => 11,
        "twelve" => 12,
        "thirteen" => 13,
        "fourteen" => 14,
        "fifteen" => 15,
        "sixteen" => 16,
        "seventeen" => 17,
        "eighteen" => 18,
        "nineteen" => 19,
        _ => return None,
    })
}

fn tens(word: &str) -> Option<u32> {
    Some(match word {
        "twenty" => 20,
        "thirty" => 30,
        "forty" | "fourty" => 40,
        "fifty" => 50,
        "sixty" => 60,
        "seventy" => 70,
        "eighty" => 80,
        "ninety" => 90,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_words_and_digits() {
        assert_eq!(read(&["seventy", "two", "retired"]), Some((72, 2)));
        assert_eq!(read(&["nineteen"]), Some((19, 1)));
        assert_eq!(read(&["15", "years"]), Some((15, 1)));
        assert_eq!(read(&["fifty"]), Some((50, 1)));
        assert_eq!(read(&["hello"]), None);
        assert_eq!(read(&["99999999999"]), None);
    }
}
