//! Singapore's towns, and which of them a misheard name stands for.
//!
//! Only an answer to "where are you?" is put right, and only when it sounds like one town and no
//! other: elsewhere a wrong guess would be worse than the words as heard.

use super::place::PLACES;

/// The address with a misheard town put right.
pub(crate) fn put_right(address: &str, asked: bool) -> String {
    let address = &with_block(address);
    if !asked || PLACES.towns.iter().any(|town| holds(address, town)) {
        return address.to_owned();
    }
    let words: Vec<&str> = address.split(' ').collect();
    // The longest stretch of strange words that sounds like a town.
    for length in (1..=4).rev() {
        for start in 0..words.len().saturating_sub(length - 1) {
            let stretch = &words[start..start + length];
            if stretch.iter().any(|word| is_known(word)) {
                continue;
            }
            // What follows "Jalan" or "Lorong" is a street's own name, and seldom a town's.
            if start > 0
                && matches!(
                    letters(words[start - 1]).as_str(),
                    "jalan" | "lorong" | "jln" | "lor"
                )
            {
                continue;
            }
            // Streets are many, and most are named after nothing we know: before "Road" only what
            // the transcriber is known to make of a town is put right.
            let before_street = words
                .iter()
                .skip(start + length)
                .take(2)
                .any(|word| is_street(&letters(word)));
            let Some(town) = nearest(&stretch.concat(), before_street) else {
                continue;
            };
            let tail = trailing(words[start + length - 1]);
            let mut out: Vec<String> = words[..start].iter().map(|w| (*w).to_owned()).collect();
            out.push(format!("{town}{tail}"));
            out.extend(words[start + length..].iter().map(|w| (*w).to_owned()));
            return out.join(" ");
        }
    }
    address.to_owned()
}

/// "Black Twelve", "blocked 15": a block, in the note too.
fn with_block(address: &str) -> String {
    let lower = address.to_lowercase();
    let heard = PLACES
        .block_heard_as
        .iter()
        .find(|word| lower.starts_with(word.as_str()));
    // A letter may be longer or shorter in lower case.
    match heard.and_then(|word| address.get(word.len()..)) {
        Some(rest) => format!("Block {rest}"),
        None => address.to_owned(),
    }
}

fn is_known(word: &str) -> bool {
    let plain = letters(word);
    plain.is_empty()
        || word.contains(|c: char| c.is_ascii_digit() || matches!(c, '\'' | '’'))
        || [&PLACES.beside_a_town, &PLACES.streets, &PLACES.number_words]
            .iter()
            .any(|words| words.has(&plain))
}

fn is_street(word: &str) -> bool {
    PLACES.street_after_a_name.has(word)
}

fn trailing(word: &str) -> &str {
    word.trim_start_matches(|c: char| c.is_alphanumeric() || c == '\'')
}

fn holds(address: &str, town: &str) -> bool {
    letters(address).contains(&letters(town))
}

fn letters(text: &str) -> String {
    text.chars()
        .filter(char::is_ascii_alphabetic)
        .map(|c| c.to_ascii_lowercase())
        .collect()
}

/// The one town that the words sound like, if there is one and no second as near.
fn nearest(heard: &str, known_only: bool) -> Option<&'static str> {
    const SHORTEST: usize = 4;
    let heard = letters(heard);
    if let Some(town) = PLACES.heard_as.get(&heard) {
        return Some(town);
    }
    if known_only || heard.len() < SHORTEST {
        return None;
    }
    let sound = sound_of(&heard);
    let mut best: Option<(f32, &'static str)> = None;
    let mut second = f32::MAX;
    for town in &PLACES.towns {
        let plain = letters(town);
        let spelt = distance(&heard, &plain) as f32 / plain.len().max(heard.len()) as f32;
        let town_sound = sound_of(&plain);
        let sounded =
            distance(&sound, &town_sound) as f32 / town_sound.len().max(sound.len()) as f32;
        let apart = 0.45 * spelt + 0.55 * sounded;
        match best {
            Some((nearest, _)) if apart >= nearest => second = second.min(apart),
            _ => {
                second = best.map_or(f32::MAX, |(nearest, _)| nearest);
                best = Some((apart, town));
            }
        }
    }
    const NEAR: f32 = 0.3;
    const CLEARER: f32 = 0.06;
    best.filter(|(apart, _)| *apart <= NEAR && second - apart >= CLEARER)
        .map(|(_, town)| town)
}

/// How it sounds, roughly: like consonants are one letter, vowels after the first are dropped.
fn sound_of(letters: &str) -> String {
    let mut out = String::new();
    for (i, c) in letters.chars().enumerate() {
        let sound = match c {
            'b' | 'p' | 'v' | 'f' => 'b',
            't' | 'd' => 't',
            'k' | 'g' | 'q' | 'c' | 'x' => 'k',
            's' | 'z' | 'j' => 's',
            'm' | 'n' => 'n',
            'l' | 'r' => 'l',
            'a' | 'e' | 'i' | 'o' | 'u' | 'y' | 'h' | 'w' if i > 0 => continue,
            'a' | 'e' | 'i' | 'o' | 'u' => 'a',
            other => other,
        };
        if !out.ends_with(sound) {
            out.push(sound);
        }
    }
    out
}

fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = corner + usize::from(x != y);
            corner = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(corner + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misheard_town_is_put_right() {
        for (heard, meant) in [
            ("Bedak", "Bedok"),
            ("Block 12 Bedak North", "Block 12 Bedok North"),
            ("Brutok", "Bedok"),
            ("Lord Lance", "Woodlands"),
            ("wood lance", "Woodlands"),
            ("Tempanies", "Tampines"),
            (
                "Block 45 Tampanese Street 11",
                "Block 45 Tampines Street 11",
            ),
            ("yi soon", "Yishun"),
            ("Ishoon", "Yishun"),
            ("hoe gang", "Hougang"),
            ("Pungol", "Punggol"),
            ("sing kang", "Sengkang"),
            ("Clementy", "Clementi"),
            ("Toh Payo", "Toa Payoh"),
            ("jurung west", "Jurong west"),
            ("Ang mo kyo", "Ang Mo Kio"),
            ("Chua chu kang", "Choa Chu Kang"),
            ("Quinstown", "Queenstown"),
            ("pasir rees", "Pasir Ris"),
            ("Sarangoon", "Serangoon"),
        ] {
            assert_eq!(put_right(heard, true), meant, "{heard}");
        }
    }

    #[test]
    fn a_block_is_one_in_letters_that_are_shorter_in_lower_case_too() {
        assert_eq!(with_block("Black twelve"), "Block twelve");
        // The sign for kelvin is three bytes long, the letter that it becomes one.
        assert_eq!(with_block("Blac\u{212a} twelve").chars().count(), 12);
    }

    #[test]
    fn what_is_no_town_is_left_as_it_was_said() {
        for words in [
            "my office",
            "somewhere near the zoo",
            "Block 12 Bedok North",
            "my grandmother's place",
            "school",
            "a friend's house",
            "the library",
            "Marina Bay Sands",
            "Block 101 Jalan Dusun",
            "Anchorvale Link",
            "Cassia Crescent",
            "Telok Kurau",
            "Holland Village",
            "Pending Road",
            "Queen's Road",
        ] {
            assert_eq!(put_right(words, true), words);
        }
        assert_eq!(put_right("Bedak", false), "Bedak");
    }
}
