//! Who does the harm: the subject of the words that name it, the person after "by", or the answer to
//! who it is.

use std::ops::Range;

use super::{
    Heard, Listening, Question, Relation, Signal,
    facts::{self, people::Person},
    in_full,
    language::GRAMMAR,
    quote,
    signals::Found,
    text::Text,
};

/// Who does the harm: the subject of the words that name it, the person after "by", or the answer
/// to who it is.
pub(super) fn abuser(
    text: &Text<'_>,
    found: &[Found],
    people: &[Person],
    listening: &Listening,
) -> Option<Heard<Relation>> {
    let heard = |relation: Relation, tokens: Range<usize>, confidence: f32| {
        Some(Heard {
            value: relation,
            words: quote(text, tokens),
            confidence,
        })
    };
    // "Foreman. Not my family, not staying with me."
    let named: Vec<&Person> = people
        .iter()
        .filter(|p| p.tokens.start == 0 || text.word(p.tokens.start - 1) != "not")
        .collect();
    if listening.question == Some(Question::Abuser)
        && let Some(first) = named.first()
    {
        // "My old man, husband."
        let person = named
            .iter()
            .find(|p| first.relation == Relation::Partner && p.relation == Relation::Spouse)
            .unwrap_or(first);
        return heard(person.relation, person.tokens.clone(), 0.9);
    }
    if listening.question == Some(Question::Abuser)
        && facts::people::outside_the_home(text)
        && facts::people::married(text) != Some(true)
    {
        let tokens = 0..text.tokens().len();
        return heard(Relation::NotFamily, tokens, 0.9);
    }
    // "How can a person do that?": nobody in particular.
    let people: Vec<Person> = people
        .iter()
        .filter(|p| p.own || !matches!(p.role.as_str(), "person" | "people"))
        .cloned()
        .collect();
    let people = people.as_slice();
    let harmful = found
        .iter()
        .any(|f| !f.denied && (f.signal.is_abuse() || f.signal.is_high_risk()));
    // "The boy hit me, he's my grandson."
    let told = people.iter().find(|p| {
        p.own
            && p.tokens.start >= 2
            && matches!(text.word(p.tokens.start - 1), "is" | "was" | "s")
            && matches!(text.word(p.tokens.start - 2), "he" | "she")
    });
    if let (true, Some(person)) = (harmful, told) {
        return heard(person.relation, person.tokens.clone(), 0.9);
    }
    // "My husband hit me, sorry, I mean my husband's brother."
    let put_right = facts::corrections::after(text)
        .and_then(|at| people.iter().find(|p| p.tokens.start == at))
        .filter(|p| p.own || p.relation != Relation::NotFamily);
    if let (true, Some(person)) = (harmful, put_right) {
        return heard(person.relation, person.tokens.clone(), 0.9);
    }
    let mut harms: Vec<&Found> = found
        .iter()
        .filter(|f| {
            !f.denied
                && (f.signal.is_abuse()
                    || matches!(
                        f.signal,
                        Signal::ViolenceNow
                            | Signal::ThreatToKill
                            | Signal::Strangulation
                            | Signal::Weapon
                    ))
        })
        .collect();
    let harmed = !harms.is_empty();
    let mut pronouns = 0;
    // Who strikes counts before who takes the passport.
    let strikes = |harm: &Found| harm.signal < Signal::DomesticViolence;
    harms.sort_by(|a, b| {
        strikes(b)
            .cmp(&strikes(a))
            .then(b.confidence.total_cmp(&a.confidence))
    });
    for harm in harms {
        let clause = text.clause(harm.tokens.start);
        let inside: Vec<&Person> = people
            .iter()
            .filter(|p| {
                p.tokens.start >= clause.start && p.tokens.end <= clause.end.max(harm.tokens.end)
            })
            .collect();
        let by = inside
            .iter()
            .find(|p| p.tokens.start > clause.start && text.word(p.tokens.start - 1) == "by");
        if let Some(person) = by {
            return heard(person.relation, person.tokens.clone(), 0.9);
        }
        let pronoun_does = (harm.tokens.start..harm.tokens.end)
            .map(|i| text.word(i))
            .find(|word| !matches!(*word, "|" | "and" | "then" | "so" | "but"))
            .is_some_and(|word| matches!(word, "he" | "she" | "they"))
            || harm.tokens.start > clause.start
                && matches!(text.word(harm.tokens.start - 1), "he" | "she" | "they");
        let doer = inside
            .iter()
            .rfind(|p| {
                p.tokens.start <= harm.tokens.start + 1
                    && (p.tokens.end >= harm.tokens.start || !stands_aside(text, p))
            })
            .filter(|_| !pronoun_does);
        if let Some(doer) = doer {
            let harmed = inside.iter().find(|p| p.tokens.start > doer.tokens.start);
            if let Some(harmed) = harmed
                && harm.of_others
                && facts::people::between_spouses(doer, harmed)
            {
                return heard(Relation::Spouse, doer.tokens.clone(), 0.8);
            }
            // "Her husband beats her": spouses, though not the caller's.
            let married = facts::people::married(text) == Some(true)
                && matches!(doer.role.as_str(), "man" | "woman" | "guy");
            // "His wife slapped me": the caller's sister-in-law, perhaps, and not their wife.
            let of_another = doer.relation == Relation::Spouse
                && matches!(text.word(doer.tokens.start), "his" | "her" | "their")
                && !harm.of_others;
            let relation = if married || harm.of_others && doer.role.ends_with("husband") {
                Relation::Spouse
            } else if of_another {
                Relation::Family
            } else {
                doer.relation
            };
            return heard(relation, doer.tokens.clone(), 0.9);
        }
        // A pronoun: the person named before it, in this turn or an earlier one.
        // Of several the one in the words themselves, or the last before them: "after they went home he pulled me by my hair".
        let is_pronoun = |word: &&str| matches!(*word, "he" | "she" | "they");
        let inside_it = harm.tokens.start..harm.tokens.end.min(text.tokens().len());
        let pronoun = inside_it
            .map(|i| text.word(i))
            .find(is_pronoun)
            .or_else(|| {
                (clause.start..harm.tokens.start)
                    .rev()
                    .map(|i| text.word(i))
                    .find(is_pronoun)
            });
        if let Some(pronoun) = pronoun {
            pronouns += 1;
            let before = |p: &&Person| {
                p.tokens.end <= harm.tokens.end
                    && facts::people::fits(pronoun, &p.role)
                    && !stands_behind_a_verb_of(text, p, pronoun)
                    && !owns(text, p)
            };
            let named = people
                .iter()
                .rev()
                .filter(before)
                .find(|p| begins_a_clause(text, p))
                .or_else(|| {
                    // "He saw a guy's name and he slapped me": not just anybody, where one is known.
                    let known = listening.person.as_ref().is_some_and(|known| {
                        known.own && facts::people::fits(pronoun, known.role.expose_secret())
                    });
                    people
                        .iter()
                        .rev()
                        .filter(before)
                        .find(|p| !known || p.own || p.relation != Relation::NotFamily)
                });
            // "My husband. Customer wait too long, then he take the ladle": who it was is to be asked.
            let of_the_family = |p: &&Person| p.relation != Relation::NotFamily;
            let another = named.is_some_and(|named| {
                named.relation == Relation::NotFamily
                    && people.iter().filter(before).any(|p| of_the_family(&p))
            });
            // "The landlord thinks that we've got termites. She punched me": somebody spoken of beside it, likely another.
            let beside = |p: &Person| {
                p.relation == Relation::NotFamily && !p.own && p.tokens.end <= clause.start
            };
            if let Some(person) = named {
                let sure = if another || beside(person) { 0.6 } else { 0.8 };
                return heard(person.relation, person.tokens.clone(), sure);
            }
            if let Some(person) = &listening.person
                && person.own
                && facts::people::fits(pronoun, person.role.expose_secret())
            {
                // "My neighbour say must call", and then "he use the walking stick": likely somebody else.
                // And "call my mum's phone", and then "they pushed me", of several.
                let role = person.role.expose_secret();
                let of_several = pronoun == "they" && !facts::people::is_plural(role);
                let guess = person.relation == Relation::NotFamily || of_several;
                let sure = if guess { 0.6 } else { 0.7 };
                return heard(person.relation, in_full(text, harm.tokens.clone()), sure);
            }
            // Named only afterwards: "he hit me, my husband".
            let later = people
                .iter()
                .filter(|p| {
                    !stands_behind_a_verb_of(text, p, pronoun)
                        && !stands_aside(text, p)
                        && !owns(text, p)
                        && !has_it_done_to(text, p)
                })
                .find(|p| facts::people::fits(pronoun, &p.role));
            if let Some(person) = later {
                // "He hit me with the stick. The home nurse saw."
                let guess = person.relation == Relation::NotFamily && !person.own;
                let sure = if guess { 0.6 } else { 0.8 };
                return heard(person.relation, person.tokens.clone(), sure);
            }
        }
    }
    // "Domestic violence, my husband does it": only one person is spoken of, and none before.
    let alone = listening.person.as_ref().is_none_or(|before| !before.own);
    match people {
        [person]
            if harmed
                && pronouns == 0
                && person.own
                && alone
                && !text
                    .words()
                    .nth(person.tokens.end)
                    .is_some_and(|next| GRAMMAR.stands_by.has(next)) =>
        {
            heard(person.relation, person.tokens.clone(), 0.6)
        }
        _ => None,
    }
}

/// Whom "he" or "she" may stand for in the next turn: the caller's own before others, and the last of them. "He gets my son every
/// Saturday": not the son.
pub(super) fn may_be_spoken_of_next<'p>(
    text: &Text<'_>,
    people: &'p [Person],
) -> Option<&'p Person> {
    let subjects = || {
        people.iter().rev().filter(|p| {
            !["he", "she", "they"]
                .iter()
                .any(|pronoun| stands_behind_a_verb_of(text, p, pronoun))
        })
    };
    subjects().find(|p| p.own).or_else(|| subjects().next())
}

/// The person stands where a subject does, not behind a verb ("my son" in "he brings my son back").
fn begins_a_clause(text: &Text<'_>, person: &Person) -> bool {
    person.tokens.start == text.clause(person.tokens.start).start
        || GRAMMAR
            .before_a_subject
            .has(text.word(person.tokens.start - 1))
}

/// "In front of the delivery boy", "took me for a burglar": spoken of beside what is done.
fn stands_aside(text: &Text<'_>, person: &Person) -> bool {
    let clause = text.clause(person.tokens.start);
    let near = person.tokens.start.saturating_sub(3).max(clause.start);
    (near..person.tokens.start).any(|i| GRAMMAR.beside_what_is_done.has(text.word(i)))
}

/// "They burnt her. How can one do that to a child?"
fn has_it_done_to(text: &Text<'_>, person: &Person) -> bool {
    person.tokens.start > 0 && text.word(person.tokens.start - 1) == "to"
}

/// "My father's shop", not "my father's hitting me" nor "my father's a drinker".
fn owns(text: &Text<'_>, person: &Person) -> bool {
    let mut after = text.words().skip(person.tokens.end);
    let (s, next) = (after.next(), after.next().unwrap_or("|"));
    s == Some("s")
        && next != "|"
        && !next.ends_with("ing")
        && !next.ends_with("ed")
        && !GRAMMAR.after_a_short_is.has(next)
}

/// "He brought my son back late": not the one who "he" is.
fn stands_behind_a_verb_of(text: &Text<'_>, person: &Person, pronoun: &str) -> bool {
    let clause = text.clause(person.tokens.start);
    let start = person.tokens.start;
    let its_subject = |at: usize| text.word(at) == pronoun;
    start > clause.start + 1
        && (its_subject(clause.start) || its_subject(start - 2))
        && !matches!(text.word(start - 1), "is" | "are" | "was" | "were" | "s")
}
