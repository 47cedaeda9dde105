//! From a caller's words to what they give away: signals and facts, each with the words as
//! evidence and a confidence.
//!
//! [`understand`] reads one turn. It remembers nothing: what came before reaches it through
//! [`Context`]. It decides nothing either; see `machine`.
//!
//! Where things are:
//!
//! - `text`: the transcript made plain; `homophones`: what was misheard, put right;
//!   `pattern`: how lexicons are matched and denials judged;
//! - `lexicon`: what people say, as data; the place to teach it more;
//! - `signals`: hits to signals (idioms dropped; `tense`, `whose` words, what stands `beside`); `facts`: names, places, ages, times, people;
//! - `hints`: what the words lean towards where no pattern knows them, counted from openings;
//! - `answers`: yes, no, rather not.

mod answers;
mod beside;
mod facts;
mod hints;
mod homophones;
mod lexicon;
mod numbers;
mod pattern;
mod signal;
mod signals;
mod tense;
mod text;
mod topics;
mod whose;

use std::collections::BTreeSet;

use jiff::civil::DateTime;
use redact::{Secret, expose_secret};
use serde::{Deserialize, Serialize};

pub use answers::Answer;
use facts::people::Person;
pub use facts::{age::Age, people::Relation};
pub use hints::{Hint, words as hint_words};
pub use signal::{SURE, Signal, WORTH_ASKING};
pub(crate) use signals::Found;
use text::Text;
pub use topics::Topic;

/// What the assistant asked last, as far as it changes how an answer is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Asked {
    Name,
    Address,
    IncidentTime,
    Age,
    Abuser,
    /// Anything else.
    Other,
}

/// What came before the turn.
#[derive(Debug, Clone)]
pub struct Context {
    pub called_at: DateTime,
    pub asked: Asked,
    /// The person spoken of last, whom "he" or "she" may stand for.
    pub person: Option<PersonSpokenOf>,
}

/// A person the caller has spoken of.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PersonSpokenOf {
    #[serde(serialize_with = "expose_secret")]
    pub role: Secret<String>,
    pub relation: Relation,
    /// The caller's own ("my husband").
    pub own: bool,
}

/// Something heard, with the caller's words for it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Heard<T> {
    pub value: T,
    #[serde(serialize_with = "expose_secret")]
    pub words: Secret<String>,
    pub confidence: f32,
}

/// A signal heard, and how it is to be taken.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct HeardSignal {
    pub signal: Signal,
    #[serde(serialize_with = "expose_secret")]
    pub words: Secret<String>,
    pub confidence: f32,
    /// The caller says it is not so.
    pub denied: bool,
    /// Years ago, and over.
    pub remote: bool,
    /// Done to someone other than the caller.
    pub of_others: bool,
}

/// Where the caller is, as heard.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PlaceHeard {
    #[serde(serialize_with = "expose_secret")]
    pub name: Secret<String>,
    /// Precise enough to send someone to.
    pub precise: bool,
}

/// When it last happened, as heard.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TimeHeard {
    /// The date, as far as it could be resolved, and the caller's words.
    #[serde(serialize_with = "expose_secret")]
    pub when: Secret<String>,
    /// Days before the call, roughly.
    pub days_ago: i64,
    /// Minutes ago.
    #[serde(default)]
    pub just_now: bool,
}

/// Everything one turn gives away.
#[derive(Debug, Clone)]
pub struct Understanding {
    pub signals: Vec<HeardSignal>,
    pub answer: Answer,
    pub name: Option<Heard<Secret<String>>>,
    pub place: Option<Heard<PlaceHeard>>,
    pub age: Option<Heard<Age>>,
    /// Who does the harm the turn speaks of, or the answer to who it is.
    pub abuser: Option<Heard<Relation>>,
    /// The two are, or were, married; or the caller says they are not.
    pub married: Option<bool>,
    pub incident: Option<Heard<TimeHeard>>,
    /// The person spoken of last.
    pub person: Option<PersonSpokenOf>,
    /// What the turn is about, beside any signal.
    pub topic: Option<Topic>,
    /// What the words lean towards: worth a question, evidence of nothing.
    pub hints: BTreeSet<Hint>,
    /// Whoever does it is two years old, or a cat.
    pub by_a_small_child_or_animal: bool,
    /// The turn is about a game that is won and lost, a show, or training.
    pub about_a_game_or_show: bool,
    /// The turn speaks of years ago.
    pub tells_of_long_ago: bool,
    pub word_count: usize,
}

impl Understanding {
    /// The surest assertion of a signal, if it is at least this sure.
    pub fn asserts(&self, signal: Signal, from: f32) -> Option<&HeardSignal> {
        self.signals
            .iter()
            .find(|s| s.signal == signal && !s.denied && s.confidence >= from)
    }

    pub fn denies(&self, signal: Signal) -> bool {
        self.signals.iter().any(|s| s.signal == signal && s.denied)
    }
}

/// Compiles the lexicons (about a second in a debug build, less in release). Without it the first
/// turn of the process waits for that.
pub fn prepare() {
    signals::prepare();
    homophones::prepare();
    topics::prepare();
    hints::prepare();
    let context = Context {
        called_at: DateTime::default(),
        asked: Asked::Other,
        person: None,
    };
    understand("hello", &context);
}

/// Reads one caller turn.
pub fn understand(words: &str, context: &Context) -> Understanding {
    let mut text = Text::new(words);
    homophones::mend(&mut text);
    let text = text;
    let people = facts::people::mentions(&text);
    let hints = hints::find(&text);
    let found = signals::find(&text, &people, &hints);
    let year = u32::try_from(context.called_at.year()).unwrap_or_default();
    let harmful = found
        .iter()
        .any(|f| !f.denied && (f.signal.is_abuse() || f.signal.is_high_risk()));
    let answer = answers::read(&text);
    Understanding {
        answer,
        name: facts::name::find(&text, context.asked == Asked::Name).map(|(name, tokens)| Heard {
            value: Secret::new(name),
            words: quote(&text, tokens),
            confidence: 0.9,
        }),
        place: facts::place::find(&text, context.asked == Asked::Address)
            // "Nor that, sorry" is no place.
            .filter(|place| !(place.guessed && answer.refuses))
            .map(|place| Heard {
                words: quote(&text, place.tokens),
                value: PlaceHeard {
                    name: Secret::new(place.name),
                    precise: place.precise,
                },
                confidence: if place.precise { 0.95 } else { 0.8 },
            }),
        age: facts::age::find(&text, context.asked == Asked::Age, year).map(|(age, tokens)| {
            Heard {
                value: age,
                words: quote(&text, tokens),
                confidence: if matches!(age, Age::Years(_)) {
                    0.95
                } else {
                    0.85
                },
            }
        }),
        abuser: abuser(&text, &found, &people, context),
        married: facts::people::married(&text),
        incident: incident(&text, &found, harmful, context),
        person: people
            .iter()
            .rev()
            .find(|person| person.own)
            .or(people.last())
            .map(|person| PersonSpokenOf {
                role: Secret::new(person.role.clone()),
                relation: person.relation,
                own: person.own,
            }),
        signals: {
            // In the order in which they were said.
            let mut found = found;
            found.sort_by_key(|found| found.tokens.start);
            found.into_iter().map(|found| heard(&text, found)).collect()
        },
        by_a_small_child_or_animal: facts::people::is_small_child_or_animal(&text, &people),
        about_a_game_or_show: signals::is_contest(&text) || signals::is_of_a_show(&text),
        hints,
        topic: topics::of(&text),
        tells_of_long_ago: tense::tells_of_long_ago(&text),
        word_count: text.word_count(),
    }
}

fn heard(text: &Text<'_>, found: Found) -> HeardSignal {
    HeardSignal {
        signal: found.signal,
        words: quote(text, in_full(text, found.tokens)),
        confidence: found.confidence,
        denied: found.denied,
        remote: found.remote,
        of_others: found.of_others,
    }
}

/// Evidence reads better as its clause, where that is short.
fn in_full(text: &Text<'_>, tokens: std::ops::Range<usize>) -> std::ops::Range<usize> {
    const SHORT: usize = 14;
    let clause = text.clause(tokens.start);
    if clause.len() <= SHORT && clause.end >= tokens.end {
        clause
    } else {
        tokens
    }
}

fn quote(text: &Text<'_>, tokens: std::ops::Range<usize>) -> Secret<String> {
    Secret::new(text.quote(tokens).to_owned())
}

/// Who does the harm: the subject of the words that name it, the person after "by", or the answer
/// to who it is.
fn abuser(
    text: &Text<'_>,
    found: &[Found],
    people: &[Person],
    context: &Context,
) -> Option<Heard<Relation>> {
    let heard = |relation: Relation, tokens: std::ops::Range<usize>, confidence: f32| {
        Some(Heard {
            value: relation,
            words: quote(text, tokens),
            confidence,
        })
    };
    if context.asked == Asked::Abuser
        && let Some(person) = people.first()
    {
        return heard(person.relation, person.tokens.clone(), 0.9);
    }
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
    harms.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
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
            .find(|word| *word != "|")
            .is_some_and(|word| matches!(word, "he" | "she" | "they"));
        let doer = inside
            .iter()
            .rfind(|p| p.tokens.start <= harm.tokens.start + 1)
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
            let relation = if married || harm.of_others && doer.role.ends_with("husband") {
                Relation::Spouse
            } else {
                doer.relation
            };
            return heard(relation, doer.tokens.clone(), 0.9);
        }
        // A pronoun: the person named before it, in this turn or an earlier one.
        let pronoun = (clause.start..harm.tokens.end.min(text.tokens().len()))
            .map(|i| text.word(i))
            .find(|word| matches!(*word, "he" | "she" | "they"));
        if let Some(pronoun) = pronoun {
            pronouns += 1;
            let before = |p: &&Person| {
                p.tokens.end <= harm.tokens.end && facts::people::fits(pronoun, &p.role)
            };
            let named = people
                .iter()
                .rev()
                .filter(before)
                .find(|p| begins_a_clause(text, p))
                .or_else(|| people.iter().rev().find(before));
            if let Some(person) = named {
                return heard(person.relation, person.tokens.clone(), 0.8);
            }
            if let Some(person) = &context.person
                && person.own
                && facts::people::fits(pronoun, person.role.expose_secret())
            {
                return heard(person.relation, in_full(text, harm.tokens.clone()), 0.7);
            }
            // Named only afterwards: "he hit me, my husband".
            let later = people
                .iter()
                .find(|p| facts::people::fits(pronoun, &p.role));
            if let Some(person) = later {
                return heard(person.relation, person.tokens.clone(), 0.8);
            }
        }
    }
    // "Domestic violence, my husband does it": only one person is spoken of, and none before.
    let alone = context.person.as_ref().is_none_or(|before| !before.own);
    match people {
        [person] if harmed && pronouns == 0 && person.own && alone => {
            heard(person.relation, person.tokens.clone(), 0.6)
        }
        _ => None,
    }
}

/// The time is that of the harm: in its clause or a bare one of its own, or said to be ("that was last
/// month"), and not of something planned ("we collect our keys in January").
fn of_the_harm(text: &Text<'_>, found: &[Found], mention: &std::ops::Range<usize>) -> bool {
    const BARE: usize = 5;
    let clause = text.clause(mention.start);
    let planned = clause.clone().any(|i| {
        matches!(
            text.word(i),
            "supposed"
                | "going"
                | "will"
                | "plan"
                | "planning"
                | "until"
                | "till"
                | "collect"
                | "next"
        )
    });
    let said_of_it = clause.clone().any(|i| {
        matches!(
            text.word(i),
            "that" | "it" | "this" | "happened" | "last" | "latest" | "started" | "threat"
        )
    });
    let harm_inside = found.iter().any(|f| {
        !f.denied
            && (f.signal.is_abuse() || f.signal.is_high_risk())
            && clause.contains(&f.tokens.start)
    });
    harm_inside || !planned && (said_of_it || clause.len() <= BARE)
}

/// The person stands where a subject does, not behind a verb ("my son" in "he brings my son back").
fn begins_a_clause(text: &Text<'_>, person: &Person) -> bool {
    person.tokens.start == text.clause(person.tokens.start).start
        || matches!(
            text.word(person.tokens.start - 1),
            "and"
                | "but"
                | "because"
                | "when"
                | "that"
                | "time"
                | "so"
                | "if"
                | "then"
                | "is"
                | "it"
                | "since"
                | "by"
                | "after"
                | "while"
                | "whenever"
                | "think"
                | "from"
                | "with"
        )
}

/// What stands here takes the place of what came before: "no, Tuesday", "I mean last week".
fn is_put_right(text: &Text<'_>, token: usize) -> bool {
    (token.saturating_sub(3)..token)
        .any(|i| matches!(text.word(i), "no" | "sorry" | "mean" | "rather") && i > 0)
}

/// The latest time the turn gives: any when it was asked for, else only beside a harm.
fn incident(
    text: &Text<'_>,
    found: &[Found],
    harmful: bool,
    context: &Context,
) -> Option<Heard<TimeHeard>> {
    let asked = context.asked == Asked::IncidentTime;
    if !asked && !harmful {
        return None;
    }
    let mentions = facts::time::mentions(text);
    // "He kicked me on Wednesday. I saw the doctor yesterday."
    let beside_harm = |tokens: &std::ops::Range<usize>| {
        let clause = text.clause(tokens.start);
        found.iter().any(|f| {
            !f.denied
                && (f.signal.is_abuse() || f.signal.is_high_risk())
                && clause.contains(&f.tokens.start)
        })
    };
    let some_beside = !asked
        && mentions
            .iter()
            .any(|mention| mention.is_past() && beside_harm(&mention.tokens));
    // "Wednesday, no, Tuesday": the later word counts.
    let put_right = mentions
        .iter()
        .map(|mention| mention.tokens.start)
        .filter(|start| asked && is_put_right(text, *start))
        .max()
        .unwrap_or(0);
    let latest = mentions
        .iter()
        .filter(|mention| mention.tokens.start >= put_right)
        .filter(|mention| !some_beside || beside_harm(&mention.tokens))
        .filter(|mention| {
            asked || !mention.is_time_of_day() && of_the_harm(text, found, &mention.tokens)
        })
        // "She has stayed here since June" is no incident.
        .filter(|mention| asked || text.word(mention.tokens.start) != "since")
        // "Every night" answers when asked; unasked it is how often, not when.
        .filter(|mention| asked || !mention.is_recurring())
        .map(|mention| (mention, facts::time::resolve(mention, context.called_at)))
        .min_by_key(|(mention, resolved)| (resolved.days_ago, mention.tokens.start));
    if let Some((mention, resolved)) = latest {
        let words = text.quote(mention.tokens.clone());
        let when = match resolved.date {
            Some(date) => format!("{date} ({words})"),
            None => words.to_owned(),
        };
        // A bare "now" tells what is, not when it last was.
        if !asked && mention.is_now() && words.eq_ignore_ascii_case("now") {
            return None;
        }
        return Some(Heard {
            value: TimeHeard {
                when: Secret::new(when),
                days_ago: resolved.days_ago,
                just_now: mention.is_now(),
            },
            words: Secret::new(words.to_owned()),
            confidence: 0.9,
        });
    }
    None
}

#[cfg(test)]
mod tests;
