//! The caller's name.

use std::{ops::Range, sync::LazyLock};

use regex::Regex;
use serde::Deserialize;

use super::{corrections, place};
use crate::rules::{
    language::{self, WordSet},
    text::{BOUNDARY, Text},
};

static INTRODUCED: LazyLock<Regex> = LazyLock::new(|| {
    let introduces = WORDS.introduces.join("|");
    Regex::new(&format!(r"(?-u:\b)(?:{introduces})(?: just)? ")).expect("patterns of names.toml")
});
static LED: LazyLock<Regex> = LazyLock::new(|| {
    let leads = WORDS.leads_to_a_name.join("|");
    Regex::new(&format!(r"^(?:(?:{leads}) (?:\| )?)+")).expect("patterns of names.toml")
});
static SELF: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?-u:\b)(?:i am|this is|it is) ").expect("a constant"));

/// The words of names.toml.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    never_a_name: WordSet,
    titles: WordSet,
    particles: WordSet,
    not_introduced_after: WordSet,
    lead: WordSet,
    follows_a_name: WordSet,
    introduces: Vec<String>,
    leads_to_a_name: Vec<String>,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| language::file("names.toml"));

const LONGEST: usize = 5;

static NOT_THEIRS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&language::expand(
        r"(?-u:\b)(?:not my|(?:that|it) is (?:his|her|(?:my|our) {kin} s)) name(?-u:\b)",
    ))
    .expect("a constant")
});

/// The caller's name, if the turn gives it, with the tokens that say it.
pub(crate) fn find(text: &Text<'_>, asked: bool) -> Option<(String, Range<usize>)> {
    let plain = text.plain();
    // "Shirley. No, sorry, put Shirlene Koh.": what is put right counts.
    if asked
        && let Some(start) = corrections::after(text)
        && let Some(name) = name_at(text, past_lead(text, start), true)
    {
        return Some(fuller(text, name));
    }
    // "Mary. Eh no, that's not my name, it's Santhi.", "Put Terence. Sorry, that's my brother's name. I'm Julian."
    if asked
        && NOT_THEIRS.is_match(plain)
        && let Some(name) = SELF
            .find_iter(plain)
            .last()
            .and_then(|found| name_at(text, text.tokens_in(&(0..found.end())).end, false))
    {
        return Some(name);
    }
    if let Some(found) = INTRODUCED.find(plain)
        && !of_something_else(text, &found.range())
    {
        let start = text.tokens_in(&(0..found.end())).end;
        // "Scold me, call me animal": unasked, a bare "call me" brings a name only if written as one.
        // "You can have whatever": nor then, asked.
        let any_case = match found.as_str() {
            "call me " => asked,
            offered => !offered.ends_with(" have "),
        };
        if let Some(name) = name_at(text, start, any_case) {
            return Some(if asked { fuller(text, name) } else { name });
        }
        if asked
            && plain[found.end()..].starts_with("| ")
            && let Some(name) = name_at(text, start + 1, true)
        {
            return Some(name);
        }
    }
    if asked {
        let start = LED
            .find(plain)
            .map_or(0, |found| text.tokens_in(&(0..found.end())).end);
        let start = (start..text.tokens().len()).find(|i| text.word(*i) != BOUNDARY)?;
        // A name fills its clause, or is followed by one about the name ("Priya, can call me").
        let clause = text.clause(start);
        if clause.end - start <= LONGEST {
            return name_at(text, start, true)
                .map(|name| fuller(text, name))
                .or_else(|| alone_in_a_clause(text));
        }
        return name_at(text, start, false)
            .or_else(|| said_as_it_is(text))
            .or_else(|| alone_in_a_clause(text));
    }
    // "I'm Priya": only when it is written as a name.
    SELF.find_iter(plain).find_map(|found| {
        let start = text.tokens_in(&(0..found.end())).end;
        let of_self = found.as_str() == "i am ";
        if !of_self && start > 3 {
            return None;
        }
        // "It's Muay Thai": of what was told, until a name is asked for.
        if found.as_str() == "it is " {
            return None;
        }
        name_at(text, start, false)
    })
}

/// "Mei Lin, block 12 Bedok North": a name before the block, though only the address was asked for.
/// Where no street follows the block, what stands before it is the street: "Lengkok Bahru, block 55".
pub(crate) fn before_a_block(text: &Text<'_>) -> Option<(String, Range<usize>)> {
    let first = text.clauses().into_iter().next()?;
    if !text.words().nth(first.end + 1).is_some_and(place::is_block) {
        return None;
    }
    let start = LED
        .find(text.plain())
        .map_or(0, |found| text.tokens_in(&(0..found.end())).end);
    name_at(text, start, false)
        .filter(|(_, tokens)| tokens.end == first.end && !place::names_a_place(text, tokens))
        .filter(|_| place::names_a_place(text, &(first.end..text.tokens().len())))
}

/// "He's hitting the door, it's Nadia!": after something else, and written as a name.
fn said_as_it_is(text: &Text<'_>) -> Option<(String, Range<usize>)> {
    SELF.find_iter(text.plain()).find_map(|found| {
        let start = text.tokens_in(&(0..found.end())).end;
        name_at(text, start, false)
    })
}

/// "Can I just give the first name? Isabelle.": the last clause is nothing but a name, and written as one.
fn alone_in_a_clause(text: &Text<'_>) -> Option<(String, Range<usize>)> {
    let clause = text.clauses().into_iter().last()?;
    name_at(text, clause.start, false).filter(|(_, tokens)| {
        *tokens == clause && clause.start > 0 && !place::names_a_place(text, tokens)
    })
}

/// "In my name", "he calls me": not the caller giving a name.
fn of_something_else(text: &Text<'_>, found: &Range<usize>) -> bool {
    let first = text.tokens_in(found).start;
    first > 0 && WORDS.not_introduced_after.has(text.word(first - 1))
}

/// Past "put", "it is", "make it".
fn past_lead(text: &Text<'_>, mut start: usize) -> usize {
    while start < text.tokens().len() && WORDS.lead.has(text.word(start)) {
        start += 1;
    }
    start
}

/// "Uncle Teo. Teo Kim Seng.", "Sri. Sri Wahyuni.": the fuller one of two ("Ah Fatt. Fatt is for luck.": the first is).
fn fuller(text: &Text<'_>, name: (String, Range<usize>)) -> (String, Range<usize>) {
    text.clauses()
        .into_iter()
        .filter(|clause| clause.start >= name.1.end && (2..=LONGEST).contains(&clause.len()))
        .filter_map(|clause| name_at(text, clause.start, false))
        .filter(|(other, _)| other.split(' ').count() >= name.0.split(' ').count())
        .find(|(other, _)| shares_a_word(&name.0, other))
        .unwrap_or(name)
}

fn shares_a_word(a: &str, b: &str) -> bool {
    a.split(' ')
        .any(|word| b.split(' ').any(|other| other == word))
}

/// The name that begins at a token. With `any_case`, capitals are not needed.
fn name_at(text: &Text<'_>, start: usize, any_case: bool) -> Option<(String, Range<usize>)> {
    let clause_end = (start..text.tokens().len())
        .find(|i| text.word(*i) == BOUNDARY)
        .unwrap_or(text.tokens().len());
    let mut end = start;
    while end < clause_end && end - start < LONGEST {
        let word = text.word(end);
        let particle = end > start && WORDS.particles.has(word);
        let plausible = word
            .chars()
            .all(|c| c.is_alphabetic() || c == '\'' || c == '.')
            && !WORDS.never_a_name.has(word);
        if !(particle || plausible && (any_case || text.tokens()[end].capital)) {
            break;
        }
        end += 1;
    }
    // A lower-case run that goes on is a sentence, not a name: "i am walking down the road".
    let goes_on = end < clause_end && !text.tokens()[start..end].iter().all(|token| token.capital);
    let stops_well = end >= clause_end || WORDS.follows_a_name.has(text.word(end));
    // "Order's under Suresh": what belongs to it, not who.
    let owns = end > start + 1 && text.word(end - 1) == "s" && end < clause_end;
    if end == start || owns || (goes_on && !stops_well) {
        return None;
    }
    let name = text
        .quote(start..end)
        .trim_matches(|c: char| !c.is_alphanumeric() && c != '.');
    let name = name.trim_end_matches('.');
    (!name.is_empty() && !is_a_title(name)).then(|| (said_once(&capitalised(name)), start..end))
}

/// "Mrs, um": nobody yet.
fn is_a_title(name: &str) -> bool {
    WORDS.titles.has(&name.to_lowercase())
}

/// "Madam Low Low Ah Moi": a word begun twice is one, where a name of two such would be too long.
fn said_once(name: &str) -> String {
    const LONG: usize = 4;
    let mut words: Vec<&str> = name.split(' ').collect();
    if words.len() >= LONG {
        words.dedup();
    }
    words.join(" ")
}

/// A transcriber may give names without capitals.
fn capitalised(name: &str) -> String {
    if name.chars().any(char::is_uppercase) {
        return name.to_owned();
    }
    name.split(' ')
        .map(|word| {
            let mut chars = word.chars();
            chars.next().map_or(String::new(), |first| {
                first.to_uppercase().chain(chars).collect()
            })
        })
        .collect::<Vec<String>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(words: &str, asked: bool, name: Option<&str>) {
        let text = Text::new(words);
        assert_eq!(
            find(&text, asked).map(|(name, _)| name).as_deref(),
            name,
            "{words}"
        );
    }

    #[test]
    fn a_name_is_heard_when_given() {
        check("Mei Ling", true, Some("Mei Ling"));
        check("Order's under Suresh", true, None);
        check("Better you don't know.", true, None);
        check("Blk 5 Toa Payoh lorong 7, please hurry", true, None);
        check("Can I be just Kaylee?", true, Some("Kaylee"));
        check("it's priya", true, Some("Priya"));
        check(
            "My name is Siti Nurhaliza binte Ahmad",
            true,
            Some("Siti Nurhaliza binte Ahmad"),
        );
        check("uh call me Jay lah", true, Some("Jay"));
        check("I'm Kavitha and I live in Bedok", true, Some("Kavitha"));
        check("wei jie", true, Some("Wei Jie"));
        check(
            "Hi, my name is Aisha. My husband hit me.",
            false,
            Some("Aisha"),
        );
        check("This is Daniel, I need help", false, Some("Daniel"));
        check(
            "Can I just give the first name? Isabelle.",
            true,
            Some("Isabelle"),
        );
        check("You may have my stage name, Mona.", true, Some("Mona"));
        check("Put down Geraldine.", true, Some("Geraldine"));
        check("You can have Geraldine.", true, Some("Geraldine"));
        check("Chan Kwok Wah.", true, Some("Chan Kwok Wah"));
        check("I don't want to say. Bedok.", true, None);
        check("I'd rather not. Sorry.", true, None);
        check(
            "Condo in Pasir Ris, the name is Coral Shore, unit three zero five.",
            false,
            None,
        );
        check("you can call me rosie", false, Some("Rosie"));
        check("Sure, it's Hui Min.", true, Some("Hui Min"));
        check("Okay. Ravi Kumar.", true, Some("Ravi Kumar"));
        check(
            "It's Shirley. No, sorry, put Shirlene, Shirlene Koh.",
            true,
            Some("Shirlene Koh"),
        );
        check("Ah Seng can already", true, Some("Ah Seng"));
        check("Ah Choo. Lee Ah Choo.", true, Some("Lee Ah Choo"));
        check(
            "Chong Ah Fatt. Fatt is prosper, ha.",
            true,
            Some("Chong Ah Fatt"),
        );
        check("Order under Rosnah.", true, Some("Rosnah"));
        check("Put it under Priya.", true, Some("Priya"));
        check(
            "Call me Ah Lian can. Lim Ah Lian.",
            true,
            Some("Lim Ah Lian"),
        );
        check("Sri. Sri Wahyuni.", true, Some("Sri Wahyuni"));
        check(
            "Ah Huat they call me. Name ah, Tan Boon Huat.",
            true,
            Some("Tan Boon Huat"),
        );
        check(
            "Mary. Eh no, sorry, that's not my name. It's Santhi.",
            true,
            Some("Santhi"),
        );
        check(
            "Put Terence. Sorry, that's my brother's name, silly of me. I'm Julian.",
            true,
            Some("Julian"),
        );
        check("madam low low ah moi", true, Some("Madam Low Ah Moi"));
        check("Uncle Teo. Teo Kim Seng.", true, Some("Teo Kim Seng"));
        check("Hers? She says Hidayah is fine.", true, Some("Hidayah"));
    }

    #[test]
    fn what_is_no_name_is_not_taken_for_one() {
        check("They haven't called me by my name since June", false, None);
        check(
            "Danish. Eh no, put my full one, Danish Irfan.",
            true,
            Some("Danish Irfan"),
        );
        check("I don't want to say", true, None);
        check("Kindly leave my name.", true, None);
        check("It's Muay Thai. I do it for fun.", false, None);
        check("no", true, None);
        check("why do you need it", true, None);
        check("I'm scared", false, None);
        check("I'm hiding in the toilet", false, None);
        check("I am walking down the road", true, None);
        check("she call me dog", false, None);
        check("Boss scold me, call me animal in front of all", false, None);
        check("loans in my name, three banks", false, None);
        check("rather not", true, None);
        check("you can have whatever you like", true, None);
        check("what", true, None);
        check("I'm Singaporean by birth so", false, None);
    }
}
