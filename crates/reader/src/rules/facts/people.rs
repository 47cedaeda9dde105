//! The people that a turn names by their role, and what they are to the caller.

use std::{ops::Range, sync::LazyLock};

use regex::Regex;
use serde::Deserialize;

use crate::rules::{
    Relation,
    language::{self, WordSet},
    text::Text,
};

/// The words of people.toml.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Words {
    after_an_employer: WordSet,
    not_a_partner: WordSet,
    relation: RelationWords,
    gender: GenderWords,
    of_themselves: Said,
    brought_to_ring: Said,
    outside_the_home: Said,
    marriage: MarriageWords,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RelationWords {
    spouse: WordSet,
    partner: WordSet,
    not_family: WordSet,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GenderWords {
    female: WordSet,
    male: WordSet,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Said {
    #[serde(deserialize_with = "language::phrases")]
    said: Regex,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MarriageWords {
    #[serde(deserialize_with = "language::phrases")]
    married: Regex,
    #[serde(deserialize_with = "language::phrases")]
    unmarried: Regex,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| language::file("people.toml"));

/// A person in the turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Person {
    pub tokens: Range<usize>,
    pub relation: Relation,
    /// The role as said: "husband", "father in law".
    pub role: String,
    /// The caller's own ("my husband"), not someone else's ("her husband").
    pub own: bool,
}

static PERSON: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&language::expand(
        r"(?-u:\b)(?:(?:my|our|his|her|their) {relative} (?P<relative>{relative})|(?:(?P<whose>my|our|her|his|their|the|a|an|this|that|some) )?(?P<role>{kin})(?: s (?P<second>{kin}))?)(?-u:\b)",
    ))
    .expect("a constant")
});

/// Everyone named by role in the turn, in order.
pub(crate) fn mentions(text: &Text<'_>) -> Vec<Person> {
    PERSON
        .captures_iter(text.plain())
        .filter_map(|captures| {
            // "My husband sister": as "my husband's sister".
            let relative = captures.name("relative").map(|m| m.as_str());
            let second = captures.name("second").map(|m| m.as_str()).or(relative);
            let role = captures.name("role").map(|m| m.as_str()).or(relative)?;
            let whose = captures.name("whose").map(|m| m.as_str());
            // "My husband's brother" is the brother; "my husband's" alone has no second.
            let (role, own) = match second {
                Some(second) => (second, false),
                None => (role, matches!(whose, Some("my" | "our") | None)),
            };
            let before_it = text.plain()[..captures.get(0)?.start()].trim_end();
            // "He is a changed person": the same one. "If man is beaten by woman": nobody yet.
            if matches!(role, "man" | "woman" | "baby" | "person") && whose.is_none() {
                return None;
            }
            // "My sparring partner": nobody's.
            if role == "partner"
                && WORDS
                    .not_a_partner
                    .iter()
                    .any(|kind| before_it.ends_with(kind))
            {
                return None;
            }
            // "The person it's about": whoever that is.
            if role == "person" && matches!(whose, Some("the" | "this" | "that")) {
                return None;
            }
            // "Do you people take calls from men?": those who are spoken to.
            if role == "people" && before_it.ends_with("you") {
                return None;
            }
            // "Both sides of the family", "for the boy": nobody in particular.
            if role == "family" && whose == Some("the") {
                return None;
            }
            // "My friend forced me to call": nobody who does harm.
            let after = &text.plain()[captures.get(0)?.end()..];
            let follows = |said: &Regex| said.find(after).is_some_and(|it| it.start() <= 1);
            if role == "friend" && follows(&WORDS.brought_to_ring.said) {
                return None;
            }
            let at_work = matches!(role, "employer" | "maam" | "madam" | "sir");
            if whose.is_none() && at_work && is_addressed(role, after) {
                return None;
            }
            let employer = whose.is_none() && at_work;
            // "My boy", "my girl": a son, a daughter; "a boy" is anybody.
            let own_child = own && whose.is_some();
            let relation = match second {
                // "My old man": a husband, or a father.
                None if own_child && matches!(role, "old man" | "old lady") => Relation::Partner,
                // A helper's: violence in the home where they live and work is violence at home.
                None if own_child && at_work || employer => Relation::Family,
                None if matches!(role, "boy" | "girl" | "boys" | "girls") => {
                    if own_child {
                        Relation::Family
                    } else {
                        Relation::NotFamily
                    }
                }
                Some(_) => match relation(role) {
                    // A relative's husband is not the caller's.
                    Relation::Spouse | Relation::Partner => Relation::Family,
                    other => other,
                },
                None => relation(role),
            };
            Some(Person {
                tokens: text.tokens_in(&captures.get(0)?.range()),
                relation,
                role: role.to_owned(),
                own,
            })
        })
        .collect()
}

/// "Sir, he hit me" and "Madam she pinch me" may be said to the assistant; "Sir hit me" is not.
fn is_addressed(role: &str, after: &str) -> bool {
    let next = after.split_whitespace().next().unwrap_or("|");
    role != "employer" && !WORDS.after_an_employer.has(next)
}

/// "The friend is me": who began with somebody else speaks of themselves.
pub(crate) fn of_themselves(text: &Text<'_>) -> bool {
    WORDS.of_themselves.said.is_match(text.plain())
}

/// "A cook at my work": whoever it is, they are not of the home.
pub(crate) fn outside_the_home(text: &Text<'_>) -> bool {
    WORDS.outside_the_home.said.is_match(text.plain())
}

/// Whether the turn says that the two are, or were, married; `None` when it says nothing of it.
pub(crate) fn married(text: &Text<'_>) -> Option<bool> {
    if WORDS.marriage.unmarried.is_match(text.plain()) {
        return Some(false);
    }
    WORDS
        .marriage
        .married
        .is_match(text.plain())
        .then_some(true)
}

fn relation(role: &str) -> Relation {
    let last = role.rsplit(' ').next().unwrap_or(role);
    if role.ends_with("in law") || role.ends_with("in laws") {
        return Relation::Family;
    }
    let one = last.trim_end_matches('s');
    let named = |roles: &WordSet| roles.has(last) || roles.has(one);
    let words = &WORDS.relation;
    if named(&words.spouse) {
        Relation::Spouse
    } else if named(&words.partner) {
        Relation::Partner
    } else if named(&words.not_family) {
        Relation::NotFamily
    } else {
        Relation::Family
    }
}

static SMALL_CHILD_OR_ANIMAL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:the|my|our|a) (?:two|three|four|five|six|seven|eight|nine|ten|eleven|[0-9]{1,2}) months? old(?: \||$)|^(?:(?:oh|it is|only|just|no|from|lah) )*(?:my|the|a|our) (?:[a-z]+ ){0,2}(?:cat|dog|hamster|parrot|rabbit|bird|puppy|kitten|baby|toddler|(?:one|two|three|four|five|[1-5]) years? old)(?: \||$| lah| i mean)|(?-u:\b)(?:(?:he|she|it) is (?:just |only |still )*a (?:baby|toddler)|(?:he|she) is (?:just |only |turning )*(?:one|two|three|four|five|[1-5])(?: years?)?(?: old)?(?: (?:only|lah|leh))?(?: \||$)|from a (?:one|two|three|four|five|[1-5])[ -]years?[ -]old)").expect("a constant")
});

/// Whoever does it is a small child or an animal, and nobody else is named.
pub(crate) fn is_small_child_or_animal(text: &Text<'_>, people: &[Person]) -> bool {
    SMALL_CHILD_OR_ANIMAL.is_match(text.plain())
        && !text.words().any(|word| matches!(word, "daddy" | "papa"))
        && people.iter().all(|person| {
            let role = person.role.as_str();
            [
                "son", "daughter", "baby", "child", "kid", "boy", "girl", "nephew", "niece",
            ]
            .iter()
            .any(|child| role.ends_with(child))
        })
}

/// "Friends", "my in-laws": more than one.
pub(crate) fn is_plural(role: &str) -> bool {
    let last = role.rsplit(' ').next().unwrap_or(role);
    matches!(
        last,
        "men" | "people" | "children" | "family" | "gang" | "police"
    ) || last.ends_with('s') && !matches!(last, "boss" | "wifes" | "ss")
}

/// Roles a pronoun can stand for.
pub(crate) fn fits(pronoun: &str, role: &str) -> bool {
    if is_plural(role) && matches!(pronoun, "he" | "him" | "his" | "she" | "her") {
        return false;
    }
    let holds = |words: &WordSet| words.iter().any(|word| role.contains(word));
    let female = holds(&WORDS.gender.female);
    let male =
        holds(&WORDS.gender.male) && !role.contains("woman") && !role.contains("grandson in");
    match pronoun {
        "he" | "him" | "his" => !female,
        "she" | "her" => !male,
        _ => true,
    }
}

/// Father and mother, or someone's husband: the harm is between spouses though the caller is
/// neither.
pub(crate) fn between_spouses(doer: &Person, harmed: &Person) -> bool {
    let parent = |role: &str| {
        ["father", "dad", "mother", "mum"]
            .iter()
            .any(|word| role.ends_with(word))
    };
    let step = |role: &str| role.starts_with("step");
    parent(&doer.role) && parent(&harmed.role) && doer.role != harmed.role && !step(&doer.role)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(words: &str, expect: &[(Relation, &str)]) {
        let text = Text::new(words);
        let people = mentions(&text);
        let found: Vec<(Relation, &str)> = people
            .iter()
            .map(|person| (person.relation, person.role.as_str()))
            .collect();
        assert_eq!(found, expect, "{words}");
    }

    #[test]
    fn people_are_known_by_what_they_are_to_the_caller() {
        check("my husband hit me", &[(Relation::Spouse, "husband")]);
        check("my ex-husband", &[(Relation::Spouse, "ex husband")]);
        check(
            "my husband turns into another person",
            &[(Relation::Spouse, "husband")],
        );
        check("my husband's brother", &[(Relation::Family, "brother")]);
        check("my husband sister", &[(Relation::Family, "sister")]);
        check(
            "sister husband hit me",
            &[(Relation::Family, "sister"), (Relation::Spouse, "husband")],
        );
        check("my sister's husband", &[(Relation::Family, "husband")]);
        check("my mother-in-law", &[(Relation::Family, "mother in law")]);
        check("my boyfriend", &[(Relation::Family, "boyfriend")]);
        check("my boss", &[(Relation::NotFamily, "boss")]);
        check("my ma'am", &[(Relation::Family, "maam")]);
        check("my employer", &[(Relation::Family, "employer")]);
        check("an employer", &[(Relation::NotFamily, "employer")]);
        check("sir hit me with the slipper", &[(Relation::Family, "sir")]);
        check("yes sir he hit me", &[]);
        check("good evening madam", &[]);
        check("my sparring partner kicked me", &[]);
        check("my partner", &[(Relation::Partner, "partner")]);
        check("I'm fine", &[]);
        check(
            "do you people take calls from men",
            &[(Relation::NotFamily, "men")],
        );
        check("the person it's about", &[]);
        check("my friend forced me to call, she's sitting here", &[]);
        check("my friend hit me", &[(Relation::NotFamily, "friend")]);
    }
}
