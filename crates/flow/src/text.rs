//! A text as its sentences, and as plain words to look for others in.

/// A text's sentences: they end at a stop before a space, and with their line.
pub(crate) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .flat_map(|line| {
            let mut rest = line;
            std::iter::from_fn(move || {
                let ends = rest.char_indices().find(|(at, letter)| {
                    let after = &rest[at + letter.len_utf8()..];
                    matches!(letter, '.' | '?' | '!')
                        && after.chars().next().is_none_or(char::is_whitespace)
                });
                let end = ends.map_or(rest.len(), |(at, letter)| at + letter.len_utf8());
                let (sentence, after) = rest.split_at(end);
                rest = after.trim_start();
                (!sentence.is_empty()).then_some(sentence.trim())
            })
        })
        .filter(|sentence| !sentence.is_empty())
}

/// Lower case, punctuation gone, a space on both sides of every word.
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(' ');
    for word in text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’') {
        let mut letters = word.chars().filter(|c| c.is_alphanumeric()).peekable();
        if letters.peek().is_some() {
            out.extend(letters.flat_map(char::to_lowercase));
            out.push(' ');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_with_a_point_is_not_cut_in_two() {
        let cut: Vec<&str> = sentences("We are open from 9.30 to 5. Ring 999! ").collect();
        assert_eq!(cut, ["We are open from 9.30 to 5.", "Ring 999!"]);
    }

    #[test]
    fn a_phones_apostrophe_is_as_good_as_a_straight_one() {
        assert_eq!(plain("What’s \"SACC\"?"), " whats sacc ");
        assert_eq!(plain("what's sacc"), " whats sacc ");
    }
}
