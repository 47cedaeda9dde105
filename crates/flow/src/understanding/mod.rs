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
//! - `signals`: hits to signals (`tense`, `whose` words, how they were `meant`, what stands `beside`
//!   and what is `covered`); `facts`: names, places, ages, times, people; `doer` and `occasion`: which
//!   of those are the harm's;
//! - `hints`: what the words lean towards where no pattern knows them, counted from openings;
//! - `answers`: yes, no, rather not.

mod answers;
mod beside;
mod covered;
mod doer;
mod facts;
mod hints;
mod homophones;
mod lexicon;
mod meant;
mod numbers;
mod occasion;
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
    /// The turn says what it was, a figure of speech, a game, a show, and speaks of nobody.
    pub explained_away: bool,
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
        abuser: doer::abuser(&text, &found, &people, context),
        married: facts::people::married(&text),
        incident: occasion::incident(&text, &found, harmful, context),
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
        explained_away: meant::explains_away(&text),
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
#[cfg(test)]
mod tests;
