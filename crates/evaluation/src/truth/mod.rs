//! Whether a note holds only what the caller said.
//!
//! Evidence must stand in the caller's turn that it names; names, places, dates, numbers, people and
//! grave things in the note must stand in the caller's words; a "denies" needs evidence in which
//! something is denied. What a caller must not be said to have told is in the caller's `not_in_note`.

mod vocabulary;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use self::vocabulary::{CAPITALISED, GRAVE, NEGATIONS, OWN_NUMBERS, PEOPLE, TIMES};
use crate::caller::Caller;
use crate::person::RELATIONS;
use crate::question::Topic;
use crate::text_call::Account;
use crate::words::{contains_phrase, plain_number, words, words_and_numbers};

/// Fields that say that nothing was said.
const PLACEHOLDERS: [&str; 11] = [
    "",
    "unknown",
    "not given",
    "not provided",
    "requested anonymity",
    "not specified",
    "not stated",
    "n/a",
    "none",
    "not known",
    "not disclosed",
];

pub fn is_placeholder(field: &str) -> bool {
    PLACEHOLDERS.contains(&field.trim().to_lowercase().as_str())
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

struct Patterns {
    people: Vec<(Regex, Regex)>,
    grave: Vec<(Regex, Regex)>,
    negation: Regex,
    denies: Regex,
    quoted: Regex,
    number: Regex,
    capitalised: Regex,
}

static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| {
    let compile = |pattern: &str| Regex::new(pattern).expect("the tests below compile it");
    let pairs = |table: &[(&str, &str)]| {
        let whole = |pattern: &str| compile(&format!(r"\b({pattern})\b"));
        table
            .iter()
            // "my husband's" has become "my husbands".
            .map(|(claim, said)| (whole(claim), whole(&format!("({said})s?"))))
            .collect()
    };
    Patterns {
        people: pairs(PEOPLE),
        grave: pairs(GRAVE),
        negation: compile(NEGATIONS),
        denies: compile(r"(?i)\b(denie[sd]|denying)\b[^.;]*"),
        quoted: compile("\"[^\"]*\"|\u{201c}[^\u{201d}]*\u{201d}"),
        number: compile(r"(\d[\d,]*)(\w*)"),
        capitalised: compile(r"(?:^|[a-z0-9,)]\s)([A-Z][\w'’-]*)"),
    }
});

/// Everything in the note that the caller did not say.
pub fn untrue(caller: &Caller, account: &Account) -> Vec<String> {
    let turns = account.caller_turns();
    let said = Said::new(&turns);
    let mut untrue = Vec::new();
    let data = &account.note.structured_data;
    evidence(caller, account, &turns, &mut untrue);
    name(data.name.expose_secret(), &said, &mut untrue);
    place(caller, data.location.expose_secret(), &said, &mut untrue);
    date(
        caller,
        data.latest_incident_date.expose_secret(),
        &said,
        &mut untrue,
    );
    text(caller, account, &said, &mut untrue);
    if data.urgent && account.note.evidence.is_empty() {
        untrue.push(String::from("urgent without any evidence"));
    }
    untrue
}

/// All of the caller's words, in the forms that the checks compare.
struct Said {
    plain: String,
    words: BTreeSet<String>,
}

impl Said {
    fn new(turns: &[&str]) -> Self {
        let all = turns.join(" . ");
        Self {
            plain: words(&all).join(" "),
            words: words_and_numbers(&all),
        }
    }

    fn holds(&self, word: &str) -> bool {
        self.words.contains(word) || self.words.contains(&plain_number(word))
    }
}

fn evidence(caller: &Caller, account: &Account, turns: &[&str], untrue: &mut Vec<String>) {
    for evidence in &account.note.evidence {
        let claim = &evidence.claim;
        let quoted = evidence.words.expose_secret();
        let stands_there = turns
            .get(evidence.turn)
            .is_some_and(|turn| contains_phrase(turn, quoted));
        if !stands_there {
            untrue.push(format!(
                "evidence for {claim:?}: {quoted:?} is not in caller turn {}",
                evidence.turn
            ));
        }
        if claim.contains("who did it")
            && let Some(who) = caller.answers.get(&Topic::Who)
            && names_another(quoted, who.as_slice())
        {
            untrue.push(format!(
                "evidence for {claim:?} is {quoted:?}: it is {:?}",
                who.as_slice()
            ));
        }
        let claim = claim.to_lowercase();
        for forbidden in &caller.expect.not_in_note {
            if !claim.starts_with("den") && claim.contains(&forbidden.to_lowercase()) {
                untrue.push(format!("the evidence claims {claim:?} by {quoted:?}"));
            }
        }
    }
}

/// Whether somebody is named there, and not the one who does it.
fn names_another(quoted: &str, who: &[String]) -> bool {
    let named = |text: &str| -> BTreeSet<&str> {
        let text = text.to_lowercase();
        RELATIONS
            .into_iter()
            .filter(|relation| text.contains(relation))
            .collect()
    };
    let (here, them) = (named(quoted), named(&who.join(" ")));
    !here.is_empty() && !them.is_empty() && here.is_disjoint(&them)
}

fn name(name: &str, said: &Said, untrue: &mut Vec<String>) {
    if is_placeholder(name) {
        return;
    }
    for word in words(name) {
        if !said.holds(&word) {
            untrue.push(format!("name {name:?}: the caller did not say {word:?}"));
        }
    }
}

fn place(caller: &Caller, place: &str, said: &Said, untrue: &mut Vec<String>) {
    if is_placeholder(place) || place.to_lowercase().contains("requested anonymity") {
        return;
    }
    // A place that was misheard may be put right as the caller meant it.
    let meant = words_and_numbers(&caller.expect.place.join(" "));
    for word in words(place) {
        let spelling = ["block", "unit", "floor"].contains(&word.as_str());
        if !spelling && !said.holds(&word) && !meant.contains(&plain_number(&word)) {
            untrue.push(format!("place {place:?}: the caller did not say {word:?}"));
        }
    }
}

fn date(caller: &Caller, date: &str, said: &Said, untrue: &mut Vec<String>) {
    if is_placeholder(date) || date.to_lowercase().contains("requested anonymity") {
        return;
    }
    static TIME: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(TIMES).expect("the tests below compile it"));
    let right = caller
        .expect
        .when
        .as_ref()
        .is_some_and(|when| when.iter().any(|when| is_date(date, when)));
    if !right && !TIME.is_match(&said.plain) {
        untrue.push(format!("date {date:?}: the caller told no time"));
    }
}

/// Whether the field gives this date (as `2026-11-19`), or these words.
pub fn is_date(field: &str, expected: &str) -> bool {
    let Ok(date) = expected.parse::<jiff::civil::Date>() else {
        return crate::words::contains_all(&words_and_numbers(field), expected);
    };
    if field.contains(expected) {
        return true;
    }
    let month = MONTHS[usize::from(date.month().unsigned_abs()) - 1];
    let found = words_and_numbers(field);
    let has_day = found.contains(&date.day().to_string());
    let has_month = found.contains(month) || found.contains(&month[..3]);
    let other_year = found
        .iter()
        .any(|word| word.len() == 4 && word.starts_with("20") && *word != date.year().to_string());
    has_day && has_month && !other_year
}

fn text(caller: &Caller, account: &Account, said: &Said, untrue: &mut Vec<String>) {
    let note = &account.note;
    let data = &note.structured_data;
    let title = note.summary_title.expose_secret();
    let summary = note.summary.expose_secret();
    let follow_up = data.follow_up.expose_secret();
    let whole = format!("{title}. {summary} {follow_up}");
    // What stands in quotation marks is the caller's, and no claim of the note.
    let unquoted = PATTERNS.quoted.replace_all(&whole, "");
    let affirmed = PATTERNS.denies.replace_all(&unquoted, "");
    let plain = words(&affirmed).join(" ");

    for (claim, spoken) in PATTERNS.people.iter().chain(&PATTERNS.grave) {
        if let Some(found) = claim.find(&plain)
            && !spoken.is_match(&said.plain)
        {
            untrue.push(format!(
                "the note says {:?}; the caller did not",
                found.as_str()
            ));
        }
    }
    let affirmed_lower = affirmed.to_lowercase();
    let fields = format!(
        "{} {} {}",
        data.name.expose_secret(),
        data.location.expose_secret(),
        data.latest_incident_date.expose_secret()
    )
    .to_lowercase();
    for forbidden in &caller.expect.not_in_note {
        let forbidden = forbidden.to_lowercase();
        if affirmed_lower.contains(&forbidden) || fields.contains(&forbidden) {
            untrue.push(format!("the note says {forbidden:?}"));
        }
    }
    for quoted in PATTERNS.quoted.find_iter(&whole) {
        if !said.plain.contains(&words(quoted.as_str()).join(" ")) {
            untrue.push(format!(
                "the note quotes {}; the caller did not say so",
                quoted.as_str()
            ));
        }
    }
    numbers(
        &format!("{title} {summary}"),
        data.latest_incident_date.expose_secret(),
        said,
        untrue,
    );
    names(
        summary,
        data.latest_incident_date.expose_secret(),
        said,
        untrue,
    );
    denials(account, &whole, untrue);
}

fn numbers(text: &str, date: &str, said: &Said, untrue: &mut Vec<String>) {
    let date = words_and_numbers(date);
    // The flow's own bounds of age are no age that somebody gave.
    let text = text.replace("18 or under", "").replace("19 or over", "");
    for found in PATTERNS.number.captures_iter(&text) {
        let number = found[1].trim_end_matches(',').replace(',', "");
        let plain = plain_number(&number);
        // "4D", the lottery.
        let with_letters = found[0].to_lowercase();
        if !OWN_NUMBERS.contains(&number.as_str())
            && !said.holds(&plain)
            && !said.holds(&with_letters)
            && !date.contains(&plain)
        {
            untrue.push(format!("the note says {number}; the caller did not"));
        }
    }
}

fn names(summary: &str, date: &str, said: &Said, untrue: &mut Vec<String>) {
    let date = date.to_lowercase();
    for found in PATTERNS
        .capitalised
        .captures_iter(summary)
        .filter_map(|it| it.get(1))
    {
        if found.start() == 0 {
            continue;
        }
        for word in words(found.as_str()) {
            let known = CAPITALISED.split_whitespace().any(|known| known == word)
                || said.holds(&word)
                || word.strip_suffix('s').is_some_and(|stem| said.holds(stem))
                || date.contains(&word);
            if !known {
                untrue.push(format!(
                    "the note says {:?}; the caller did not",
                    found.as_str()
                ));
            }
        }
    }
}

/// Every "denies" needs evidence of a denial, in a turn in which something is denied.
fn denials(account: &Account, text: &str, untrue: &mut Vec<String>) {
    let turns = account.caller_turns();
    let denied: Vec<_> = account
        .note
        .evidence
        .iter()
        .filter(|evidence| evidence.claim.to_lowercase().starts_with("den"))
        .collect();
    for clause in PATTERNS.denies.find_iter(text) {
        if denied.is_empty() {
            untrue.push(format!("{:?} has no evidence", clause.as_str()));
        }
    }
    for evidence in denied {
        let turn = turns.get(evidence.turn).copied().unwrap_or_default();
        if !PATTERNS.negation.is_match(&words(turn).join(" ")) {
            untrue.push(format!(
                "{:?} rests on {turn:?}, which denies nothing",
                evidence.claim
            ));
        }
    }
}

#[cfg(test)]
mod tests;
