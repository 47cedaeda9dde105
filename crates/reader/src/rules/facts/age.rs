//! The caller's age: said, or implied by school or work.
//!
//! Never from someone else's age ("my son is five"), a duration or a distance.

use std::{ops::Range, sync::LazyLock};

use regex::Regex;
use serde::Deserialize;

use super::corrections;
use crate::rules::{
    Age,
    language::{self, GRAMMAR},
    numbers,
    text::{BOUNDARY, Text},
};

/// Before the number, when age was not asked: the caller speaks of themselves.
static OWN: LazyLock<Regex> = LazyLock::new(|| {
    let (own, between) = (WORDS.own.join("|"), WORDS.between.join("|"));
    Regex::new(&format!(r"(?-u:\b)(?:{own}) (?:(?:{between}) )*$")).expect("patterns of age.toml")
});
/// The words of age.toml.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    #[serde(deserialize_with = "language::phrases")]
    school: Regex,
    #[serde(deserialize_with = "language::phrases")]
    grown: Regex,
    own: Vec<String>,
    between: Vec<String>,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| language::file("age.toml"));

/// The caller's age in this turn, if it is there, and the tokens that say it. `asked` is whether
/// age is what was asked.
pub(crate) fn find(text: &Text<'_>, asked: bool, this_year: u32) -> Option<(Age, Range<usize>)> {
    if let Some(found) = find_years(text, asked, this_year) {
        return Some(found);
    }
    for (regex, age) in [
        (&WORDS.school, Age::EighteenOrUnder),
        (&WORDS.grown, Age::NineteenOrOver),
    ] {
        for found in regex.find_iter(text.plain()) {
            let tokens = text.tokens_in(&found.range());
            let words = &text.plain()[found.range()];
            let own = asked
                || words.starts_with("i ")
                || words.starts_with("am ")
                || speaks_of_self(text, tokens.start);
            if own
                && !of_someone_else(text, tokens.start)
                && !negated(text, &tokens)
                && !is_over(text, tokens.start)
            {
                return Some((age, tokens));
            }
        }
    }
    None
}

fn find_years(text: &Text<'_>, asked: bool, this_year: u32) -> Option<(Age, Range<usize>)> {
    // "Eighteen, no, I just turned nineteen": what is put right counts, if it is an age.
    let put_right = corrections::after(text)
        .max(corrections::after_sorry(text))
        .filter(|_| asked);
    put_right
        .and_then(|at| find_years_from(text, at, asked, this_year))
        .or_else(|| find_years_from(text, 0, asked, this_year))
}

fn find_years_from(
    text: &Text<'_>,
    mut at: usize,
    asked: bool,
    this_year: u32,
) -> Option<(Age, Range<usize>)> {
    let words: Vec<&str> = text.words().collect();
    let mut birth_year = None;
    while at < words.len() {
        let Some((number, length)) = (match asked {
            true => digit_by_digit(&words[at..]).or_else(|| numbers::read(&words[at..])),
            false => numbers::read(&words[at..]),
        }) else {
            at += 1;
            continue;
        };
        let after = at + length;
        if asked && (1930..=2020).contains(&number) {
            birth_year.get_or_insert((number, at..after));
        }
        let next = words.get(after).copied().unwrap_or(BOUNDARY);
        let aged = matches!(next, "years" | "year" | "yrs" | "yo" | "yr")
            && (words.get(after + 1) == Some(&"old")
                || words[after + 1..].starts_with(&["of", "age"]))
            || next == "yo";
        let unit = GRAMMAR.counted.has(next)
            && !aged
            && !(asked && matches!(next, "years" | "year" | "yrs" | "this" | "or"));
        let before = text.slice(at.saturating_sub(5).max(text.clause(at).start)..at);
        let own = OWN.is_match(&format!("{before} "))
            && !before.is_empty()
            && !before.ends_with(" at")
            && (before.contains("i am")
                || before.contains("turn")
                || before.contains("age")
                || before.starts_with("me")
                || aged
                || before.starts_with("i ")
                || words
                    .get(after)
                    .is_some_and(|w| matches!(*w, "female" | "male")));
        // "I retired fourteen years ago", "married thirty years": no age.
        let lasted = matches!(next, "years" | "year" | "yrs")
            && !aged
            && (words
                .get(after + 1)
                .is_some_and(|w| matches!(*w, "ago" | "back" | "in" | "of" | "with" | "and"))
                || ["married", "for", "been", "worked", "taught", "retired"]
                    .iter()
                    .any(|word| before.ends_with(word)));
        // "Five... fifty-one."
        let rest = words[after..].iter().position(|word| *word != BOUNDARY);
        let begun_again = asked
            && number < 10
            && rest
                .and_then(|skipped| numbers::read(&words[after + skipped..]))
                .is_some_and(|(whole, _)| whole > number);
        let plausible = (5..=110).contains(&number) && !lasted && !begun_again;
        // However long the way there: "…, so you can guess. Fifty-eight."
        let alone = text.clause(at) == (at..after);
        let bare = asked
            && (text.word_count() <= 14 || alone)
            && !before.ends_with("block")
            && !before.ends_with("blk");
        if plausible
            && !unit
            && (own || bare || aged && speaks_of_self(text, at))
            && !of_someone_else(text, at)
            && number_is_no_comparison(before)
            && !of_another_time(before)
        {
            let years = u8::try_from(number).expect("checked to be at most 110");
            let end = (after + if aged { 2 } else { 0 }).min(words.len());
            return Some((turning(before, years), at..end));
        }
        at = after;
    }
    birth_year.map(|(year, tokens)| {
        let age = this_year.saturating_sub(year).min(110);
        (Age::Years(u8::try_from(age).expect("at most 110")), tokens)
    })
}

/// "Two seven" is twenty-seven.
fn digit_by_digit(words: &[&str]) -> Option<(u32, usize)> {
    let digit = |at: usize| words.get(at).and_then(|word| numbers::unit(word));
    let (tens, units) = (digit(0)?, digit(1)?);
    (tens > 0 && digit(2).is_none()).then_some((tens * 10 + units, 2))
}

/// "Turning nineteen" is eighteen still; "just turned nineteen" is not. An age that was not said is
/// kept as no more than its side of the line.
fn turning(before: &str, years: u8) -> Age {
    let coming = [
        "turning",
        "going to be",
        "almost",
        "nearly",
        "will be",
        "going on",
    ]
    .iter()
    .any(|word| before.ends_with(word));
    match (coming, years) {
        (false, _) => Age::Years(years),
        (true, ..=19) => Age::EighteenOrUnder,
        (true, _) => Age::NineteenOrOver,
    }
}

/// "I've a countdown to when I'm twenty-one."
fn of_another_time(before: &str) -> bool {
    let times = ["when", "until", "till", "before", "once"];
    let ages = ["i am", "i turn", "i was", "i turned"];
    times.iter().any(|time| {
        ages.iter()
            .any(|age| before.ends_with(&format!("{time} {age}")))
    })
}

fn number_is_no_comparison(before: &str) -> bool {
    ![
        "than", "block", "blk", "unit", "level", "for", "since", "at", "the last", "past",
        "about me",
    ]
    .iter()
    .any(|word| before.ends_with(word))
}

/// A child, a husband, "he": the number or the school is theirs.
fn of_someone_else(text: &Text<'_>, at: usize) -> bool {
    let clause = text.clause(at);
    let before: Vec<&str> = (clause.start..at).map(|i| text.word(i)).collect();
    let last_subject = before.iter().rposition(|word| {
        matches!(
            *word,
            "i" | "me" | "he" | "she" | "they" | "my" | "his" | "her" | "their" | "we"
        )
    });
    match last_subject {
        Some(i) => match before[i] {
            "i" | "me" | "we" => false,
            "my" => !matches!(before.get(i + 1), Some(&"age")),
            _ => true,
        },
        None => before.first().is_some_and(|word| {
            matches!(
                *word,
                "son" | "daughter" | "kids" | "husband" | "wife" | "he"
            )
        }),
    }
}

/// "My grandson stays with me, twenty-two years old", and whatever else is said of somebody else before it.
fn begins_with_another(text: &Text<'_>, at: usize) -> bool {
    let clause = text.clause(at);
    let first = |i: usize| text.word(clause.start + i);
    let theirs = clause.len() > 1 && first(0) == "my" && !matches!(first(1), "age" | "name");
    theirs || of_someone_else(text, at)
}

/// "I have the boy, five years old", and not "I'm a girl, fifteen years old".
fn follows_a_child(text: &Text<'_>, start: usize) -> bool {
    let Some(end) = start.checked_sub(1) else {
        return false;
    };
    let clause = text.clause(end.saturating_sub(1));
    let before = text.slice(clause.clone());
    // "Girl, thirteen years old."
    let of_self = clause.len() < 3 || before.starts_with("i am ") || before.contains(" i am ");
    let child = matches!(
        text.word(end.saturating_sub(1)),
        "boy" | "girl" | "son" | "daughter" | "child" | "kid" | "baby" | "cat" | "dog"
    );
    child && !of_self
}

fn speaks_of_self(text: &Text<'_>, at: usize) -> bool {
    let clause = text.clause(at);
    // A short clause after one about the caller, "I'm retired, seventy-two years old"; not after one about
    // somebody else, "My cat passed away, seventeen years old".
    let short = clause.len() <= 4
        && !(clause.start > 0 && begins_with_another(text, clause.start.saturating_sub(1)))
        && !follows_a_child(text, clause.start);
    short || (clause.start..at).any(|i| matches!(text.word(i), "i" | "me"))
}

/// "Not in secondary school", "treats me like I'm a child".
/// "I'm not a kid", "later you say I'm a kid".
fn negated(text: &Text<'_>, tokens: &Range<usize>) -> bool {
    let from = tokens.start.saturating_sub(2);
    (from..tokens.end).any(|i| {
        matches!(
            text.word(i),
            "not" | "like" | "if" | "though" | "say" | "says" | "said" | "think" | "thinks"
        )
    })
}

/// "Not since I was in primary school."
fn is_over(text: &Text<'_>, at: usize) -> bool {
    at > 0 && matches!(text.word(at - 1), "was" | "were")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(words: &str, asked: bool, expect: Option<Age>) {
        let text = Text::new(words);
        assert_eq!(
            find(&text, asked, 2026).map(|(age, _)| age),
            expect,
            "{words}"
        );
    }

    #[test]
    fn age_is_heard_in_what_people_say_of_themselves() {
        check("I'm 15", false, Some(Age::Years(15)));
        check("eight years of saving", false, None);
        check("My cat passed away, 17 years old.", false, None);
        check("My grandson stays with me, 22 years old.", false, None);
        check("I have the boy, five year old.", false, None);
        check("Girl, thirteen years old.", false, Some(Age::Years(13)));
        check("I'm a girl, fifteen years old", false, Some(Age::Years(15)));
        check("I'm six foot one.", false, None);
        check("I'm at home, 17 years old.", false, Some(Age::Years(17)));
        check("seven years of age", true, Some(Age::Years(7)));
        check("fifteen", true, Some(Age::Years(15)));
        check("I'm in sec three", false, Some(Age::EighteenOrUnder));
        check("Sec 3", true, Some(Age::EighteenOrUnder));
        check("I just turned nineteen", false, Some(Age::Years(19)));
        check(
            "turning nineteen next month",
            true,
            Some(Age::EighteenOrUnder),
        );
        check("turning twenty-two", true, Some(Age::NineteenOrOver));
        check("seventy-two, retired", true, Some(Age::Years(72)));
        check(
            "I'm seventy-two, retired already",
            false,
            Some(Age::Years(72)),
        );
        check("I am 34 years old", false, Some(Age::Years(34)));
        check("I'm retired", false, Some(Age::NineteenOrOver));
        check("in my forties", true, Some(Age::NineteenOrOver));
        check("born in 1990", true, Some(Age::Years(36)));
        check("I'm a sixteen year old girl", false, Some(Age::Years(16)));
        check("me 17 only", false, Some(Age::Years(17)));
        check("Uh, twenty three lah", true, Some(Age::Years(23)));
        check(
            "Eighteen. Eh sorry, nineteen, my birthday was last month.",
            true,
            Some(Age::Years(19)),
        );
        check("Eighteen, sorry, why?", true, Some(Age::Years(18)));
        check("two seven", true, Some(Age::Years(27)));
        check("two seven twenty seven", true, Some(Age::Years(27)));
    }

    #[test]
    fn nobody_elses_age_is_taken() {
        check("my son is fifteen", false, None);
        check("my daughter is in sec 3", false, None);
        check("he is 45", false, None);
        check("I'm 15 weeks pregnant", false, None);
        check("I've been married for 15 years", false, None);
        check("I live at block 15", false, None);
        check("I am with my two kids", false, None);
        check("it started three years ago", false, None);
        check(
            "He did when I was in primary school, not since.",
            false,
            None,
        );
        check("I can't tell you, he's the Perm Sec", false, None);
        check(
            "skip that one, later you say I'm a kid or I'm not a kid",
            true,
            None,
        );
    }
}
