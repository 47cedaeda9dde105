//! Where the caller is: blocks and units as Singapore writes and says them, streets, known places.

mod parts;
mod whose;

use std::{collections::BTreeMap, ops::Range, sync::LazyLock};

use flow::reading::PlacePart;
use regex::Regex;
use serde::Deserialize;

use self::{
    parts::{Part, part_of, parts, put_right_in_part},
    whose::{Whose, whose},
};
use super::{corrections, name, towns};
use crate::rules::{
    language::{self, WordSet},
    numbers,
    text::{BOUNDARY, Text},
};

/// A place in a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    pub name: String,
    pub tokens: Range<usize>,
    /// Precise enough to send someone to: a block, a street with a number, a unit.
    pub precise: bool,
    /// No place that we know: taken as it was said, because a place was asked for.
    pub guessed: bool,
    pub part: PlacePart,
}

/// The words of places.toml.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Places {
    pub towns: Vec<String>,
    other_places: Vec<String>,
    pub streets: WordSet,
    pub number_words: WordSet,
    pub beside_a_town: WordSet,
    pub street_after_a_name: WordSet,
    begins_a_sentence: WordSet,
    no_part_of_a_place: WordSet,
    kinds_of_place: WordSet,
    begins_no_street: WordSet,
    leads_to_a_street: WordSet,
    beside_figures: WordSet,
    leads_to_a_place: Vec<String>,
    leads_as_written: Vec<String>,
    tells_where_one_is: Vec<String>,
    before_ones_own: WordSet,
    the_caller: WordSet,
    pub block_heard_as: Vec<String>,
    pub heard_as: BTreeMap<String, String>,
}

pub(super) static PLACES: LazyLock<Places> = LazyLock::new(|| language::file("places.toml"));

/// A place by its name, as an alternative of a regular expression.
static NAMED: LazyLock<String> = LazyLock::new(|| {
    let towns: Vec<String> = PLACES
        .towns
        .iter()
        .map(|town| town.to_lowercase())
        .collect();
    let all = towns.iter().chain(&PLACES.other_places);
    format!("(?:{})", language::alternatives(all.map(String::as_str)))
});

/// A number in an address.
static NUMBER: LazyLock<String> = LazyLock::new(|| {
    let words = language::alternatives(PLACES.number_words.iter());
    format!("(?:[0-9]+[a-z]?|{words})")
});

static BLOCK: LazyLock<Regex> = LazyLock::new(|| {
    let number = &*NUMBER;
    Regex::new(&format!(r"(?-u:\b)(?:block|blk|house number|house|apartment|apt|no|number) {number}(?: {number})*(?-u:\b)")).expect("a constant")
});
static UNIT: LazyLock<Regex> = LazyLock::new(|| {
    let number = &*NUMBER;
    Regex::new(&format!(r"#[0-9]{{1,2}}[- ]?[0-9]{{1,5}}[a-z]?|(?-u:\b)(?:unit|hash|level|floor|storey)(?: number)? (?:#)?[0-9a-z]+(?:-[0-9]+)?(?: {number})*(?-u:\b)|(?-u:\b)[0-9]{{2}}-[0-9]{{2,5}}(?-u:\b)")).expect("a constant")
});
static NAMED_STREET: LazyLock<Regex> = LazyLock::new(|| {
    let named = &*NAMED;
    let streets = language::alternatives(PLACES.streets.iter());
    Regex::new(&format!(
        r"(?-u:\b)(?:[0-9]+[a-z]? )?(?:(?:jalan|lorong|jln|lor) [a-z0-9]+(?: [a-z0-9]+)?|(?:(?:upper|new|old|{named}|[a-z]+) ){{1,3}}(?:{streets})(?: (?:[0-9]+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?-u:\b))?)(?-u:\b)"
    ))
    .expect("a constant")
});
static KNOWN: LazyLock<Regex> = LazyLock::new(|| {
    let named = &*NAMED;
    Regex::new(&format!(
        r"(?-u:\b){named}(?: (?:mrt|interchange|hub|mall|point))?(?-u:\b)"
    ))
    .expect("a constant")
});
static PREAMBLE: LazyLock<Regex> = LazyLock::new(|| {
    let leads = PLACES.leads_to_a_place.join("|");
    Regex::new(&format!(r"^(?:(?:{leads}) ?)+(?-u:\b)")).expect("patterns of places.toml")
});
static LEAD: LazyLock<Regex> = LazyLock::new(|| {
    let leads = PLACES.leads_as_written.join("|");
    Regex::new(&format!(r"^(?i)(?:(?:{leads}) )+")).expect("patterns of places.toml")
});
/// "Block 347 no 374": the number that was put right.
static PUT_RIGHT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b[0-9]+[a-z]?[ ,.]+(?:eh |oh )?(?:no|sorry|i mean)(?:[ ,.]+(?:no|sorry|wait|i mean))*[ ,.]+(?P<right>[0-9]+[a-z]?)\b").expect("a constant")
});
static AT_HOME: LazyLock<Regex> = LazyLock::new(|| {
    let tells = PLACES.tells_where_one_is.join("|");
    Regex::new(&format!(r"(?-u:\b)(?:{tells}) (?:the |a )?$")).expect("patterns of places.toml")
});

/// The caller's place, if the turn gives it. When asked, any answer that is not something else is
/// taken as it was said.
pub(crate) fn find(text: &Text<'_>, asked: bool) -> Option<Place> {
    let plain = text.plain();
    // "Block 12, no wait, Block 21": what is put right counts.
    let from = if asked {
        corrections::after(text).map_or(0, |token| text.tokens()[token].plain.start)
    } else {
        0
    };
    let (parts, mut precise) = parts(text, asked, from..plain.len());
    let named = |parts: &[Part]| parts.iter().any(|part| part.kind == PlacePart::Named);
    if from > 0 && !parts.is_empty() && !named(&parts) {
        let (earlier, _) = self::parts::parts(text, asked, 0..from);
        if named(&earlier) {
            return Some(put_right_in_part(text, &earlier, &parts));
        }
    }
    let start = parts.iter().map(|part| part.at.start).min();
    let end = parts.iter().map(|part| part.at.end).max();
    if let (Some(start), Some(end)) = (start, end) {
        let mut tokens = text.tokens_in(&(start..end));
        // Parts far apart are not one address.
        const LONGEST: usize = 22;
        if tokens.len() > LONGEST {
            tokens.end = tokens.start + LONGEST;
        }
        if asked && text.word_count() <= LONGEST {
            // What stands after the known part belongs to the answer: "..., second floor".
            let clause = text.clause(tokens.end - 1);
            tokens.end = tokens.end.max(clause.end.min(tokens.end + 6));
            // A block or a unit in figures beside it: "Yishun Ring Road, 115, 4-77", "Nee Soon Camp,
            // block 3".
            while tokens.end + 1 < text.tokens().len() && in_figures(text, tokens.end + 1) {
                tokens.end = text.clause(tokens.end + 1).end;
                precise = true;
            }
            if tokens.start >= 2 && text.word(tokens.start - 1) == BOUNDARY {
                let before = text.clause(tokens.start - 2);
                let names = before.len() <= 4
                    && before.start >= text.tokens_in(&(0..from)).end
                    && before.clone().any(|i| {
                        text.tokens()[i].capital || PLACES.kinds_of_place.has(text.word(i))
                    });
                let person =
                    name::before_a_block(text).is_some_and(|(_, name)| name.start >= before.start);
                if names
                    && !person
                    && !before
                        .clone()
                        .any(|i| PLACES.no_part_of_a_place.has(text.word(i)))
                {
                    tokens.start = before.start;
                }
            }
        }
        let whose = if asked {
            Whose::Own
        } else {
            whose(text, tokens.start)
        };
        if whose == Whose::AnothersOwn || whose == Whose::Unclear && !precise {
            return None;
        }
        return Some(Place {
            name: towns::put_right(&tidy(text.quote(tokens.clone())), asked),
            part: part_of(text, &tokens, &parts),
            tokens,
            // Where it may be somebody else's, the caller is asked for theirs.
            precise: precise && whose == Whose::Own,
            guessed: false,
        });
    }
    asked.then(|| whole_answer(text)).flatten()
}

/// An answer to "where are you?" that names no place we know.
fn whole_answer(text: &Text<'_>) -> Option<Place> {
    const LONGEST: usize = 16;
    let skip = PREAMBLE.find(text.plain()).map_or(0, |found| found.end());
    let mut tokens = text.tokens_in(&(skip..text.plain().len()));
    while !tokens.is_empty() && text.word(tokens.start) == BOUNDARY {
        tokens.start += 1;
    }
    while !tokens.is_empty() && text.word(tokens.end - 1) == BOUNDARY {
        tokens.end -= 1;
    }
    let first = text.words().nth(tokens.start)?;
    let sentence = PLACES.begins_a_sentence.has(first);
    let led = skip > 0
        && PREAMBLE.find(text.plain()).is_some_and(|found| {
            let lead = found.as_str();
            lead.ends_with("at")
                || lead.ends_with("in")
                || lead.contains("address")
                || lead.contains("live")
                || lead.contains("stay")
                || lead.ends_with("near")
        });
    if tokens.is_empty() || tokens.len() > LONGEST || sentence {
        return None;
    }
    // Without a lead ("I'm at ...") only a short answer can be a place.
    if !led && tokens.len() > 7 {
        return None;
    }
    let name = tidy(text.quote(tokens.clone()));
    Some(Place {
        name: towns::put_right(&name, true),
        tokens,
        precise: false,
        guessed: true,
        part: PlacePart::Named,
    })
}

pub(super) fn is_block(word: &str) -> bool {
    matches!(word, "block" | "blk")
}

/// Whether the words hold a place we know, or a kind of place.
pub(super) fn names_a_place(text: &Text<'_>, tokens: &Range<usize>) -> bool {
    KNOWN.is_match(text.slice(tokens.clone()))
        || tokens.clone().any(|i| {
            let word = text.word(i);
            PLACES.streets.has(word) || PLACES.kinds_of_place.has(word)
        })
}

/// A clause of figures only: "115", "4-77", "number six dash twenty".
fn in_figures(text: &Text<'_>, token: usize) -> bool {
    let clause = text.clause(token);
    clause.len() <= 7
        && clause.clone().any(|i| {
            text.word(i).contains(|c: char| c.is_ascii_digit())
                || numbers::read(&[text.word(i)]).is_some()
        })
        && clause.clone().all(|i| is_figure(text.word(i)))
}

fn is_figure(word: &str) -> bool {
    word.contains(|c: char| c.is_ascii_digit())
        || numbers::read(&[word]).is_some()
        || PLACES.beside_figures.has(word)
}

/// As said, without what clings to its ends; a transcriber may leave out all capitals.
fn tidy(words: &str) -> String {
    let words =
        words.trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | '.' | ';' | '!' | '?'));
    // "I'm at Sumang Lane": where, without the way there.
    let words = LEAD.find(words).map_or(words, |lead| &words[lead.end()..]);
    let words = &*PUT_RIGHT.replace_all(words, "$right");
    if words.chars().any(char::is_uppercase) || !KNOWN.is_match(words) {
        return words.to_owned();
    }
    let mut out = String::with_capacity(words.len());
    let mut start = true;
    for c in words.chars() {
        if start {
            out.extend(c.to_uppercase());
        } else {
            out.push(c);
        }
        start = c == ' ';
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(words: &str, asked: bool, name: Option<&str>) {
        let text = Text::new(words);
        assert_eq!(
            find(&text, asked).map(|place| place.name).as_deref(),
            name,
            "{words}"
        );
    }

    #[test]
    fn places_are_heard_as_singapore_says_them() {
        check(
            "block 347 no 374 bukit batok street 31",
            true,
            Some("Block 374 Bukit Batok Street 31"),
        );
        check(
            "Block 123 Ang Mo Kio Ave 3 #04-567",
            true,
            Some("Block 123 Ang Mo Kio Ave 3 #04-567"),
        );
        check(
            "I'm at Block 123 Ang Mo Kio Ave 3 #04-567, please hurry",
            false,
            Some("Block 123 Ang Mo Kio Ave 3 #04-567"),
        );
        check(
            "blk 45 bedok south road unit oh five one two three",
            true,
            Some("Blk 45 Bedok South Road Unit Oh Five One Two Three"),
        );
        check(
            "block two one two tampines street twenty one",
            true,
            Some("Block Two One Two Tampines Street Twenty One"),
        );
        check("I live in Yishun", false, Some("Yishun"));
        check(
            "We stay at Tampines Street 21",
            false,
            Some("Tampines Street 21"),
        );
        check("Sure, tell the whole of Serangoon Road.", false, None);
        check("swept me on the floor four times", false, None);
        check("Tampines", true, Some("Tampines"));
        check("Uh, I'm staying in Toa Payoh.", true, Some("Toa Payoh"));
        check(
            "somewhere near the zoo",
            true,
            Some("somewhere near the zoo"),
        );
        check("my office", true, Some("my office"));
        check(
            "Block 12, no wait, Block 21 Bedok South Avenue 2.",
            true,
            Some("Block 21 Bedok South Avenue 2"),
        );
        check(
            "Block 327, Sembawang Close, number 14-205. No sorry, 14-215.",
            true,
            Some("Block 327, Sembawang Close, 14-215"),
        );
        check(
            "Block 208 Bukit Batok Street 21, eleven, no, sorry, I moved, ten. 10-77.",
            true,
            Some("Block 208 Bukit Batok Street 21, 10-77"),
        );
        check(
            "Block 12 Bedok North Road, no wait, block 21.",
            true,
            Some("block 21, Bedok North Road"),
        );
        check(
            "Block 5 Tampines Street 21, no sorry, I'm in Yishun",
            true,
            Some("Yishun"),
        );
        check(
            "Yishun Ring Road, 115, 4-77",
            true,
            Some("Yishun Ring Road, 115, 4-77"),
        );
        check(
            "Nee Soon Camp, block 3, level 2.",
            true,
            Some("Nee Soon Camp, block 3, level 2"),
        );
        check("Block 12 Brutok North", true, Some("Block 12 Bedok North"));
        check("Lord Lance", true, Some("Woodlands"));
        check("41 Thomson Ridge.", true, Some("41 Thomson Ridge"));
        check("Pasir Ris, Drive 3.", true, Some("Pasir Ris, Drive 3"));
        // What the transcriber made of a call on 27 November 2026.
        check(
            "Block twelve, but not north, street one.",
            true,
            Some("Block twelve, Bedok north, street one"),
        );
    }

    #[test]
    fn other_peoples_places_and_other_answers_are_not_the_callers() {
        check("my mother lives in Yishun", false, None);
        check("My mother lives at Tampines Street 21", false, None);
        check(
            "My sister stays at Block 12 Bedok North Street 1, my husband is hitting me",
            false,
            None,
        );
        check("He works at Orchard Road", false, None);
        check("he works in Jurong", false, None);
        check("he hit me in the face", false, None);
        check("I don't want to say", true, None);
        check("why do you need it", true, None);
        check("no", true, None);
        check("I am in pain", false, None);
    }

    #[test]
    fn a_block_or_a_unit_alone_is_told_from_an_address() {
        let part = |words: &str| find(&Text::new(words), true).map(|place| place.part);
        assert_eq!(part("Block 12"), Some(PlacePart::Block));
        assert_eq!(part("Unit 14-215"), Some(PlacePart::Unit));
        assert_eq!(part("#14-215"), Some(PlacePart::Unit));
        for named in [
            "Block 12 Bedok North",
            "Block 12 Brutok North",
            "Tampines",
            "the zoo",
        ] {
            assert_eq!(part(named), Some(PlacePart::Named), "{named}");
        }
    }

    #[test]
    fn an_address_that_was_not_asked_for_is_precise_where_it_is_surely_the_callers() {
        let precise = |words: &str| find(&Text::new(words), false).map(|place| place.precise);
        for own in [
            "I'm at Block 123 Ang Mo Kio Ave 3, please hurry",
            "He is outside my door, block 45 Yishun Ring Road",
            "Please send police to Block 12 Bedok North Street 1",
            "Hello police, at block 12 Bedok North Street 1",
        ] {
            assert_eq!(precise(own), Some(true), "{own}");
        }
        for unclear in [
            "I called my sister at Block 12 Bedok North Street 1",
            "He hit me last year at Block 12 Bedok North Street 1",
        ] {
            assert_eq!(precise(unclear), Some(false), "{unclear}");
        }
    }

    #[test]
    fn a_block_or_a_unit_is_precise() {
        let precise =
            |words: &str| find(&Text::new(words), true).is_some_and(|place| place.precise);
        assert!(precise("Block 123 Ang Mo Kio Ave 3"));
        assert!(precise("#12-345"));
        assert!(!precise("Bedok"));
    }
}
