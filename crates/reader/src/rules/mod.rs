//! The reader by rules: from a caller's words to what they give away, signals and facts, each with the words as
//! evidence and a confidence.
//!
//! [`read`] reads one turn. It remembers nothing: what came before reaches it through
//! [`Listening`].
//!
//! Where things are:
//!
//! - `text`: the transcript made plain; `homophones`: what was misheard, put right;
//!   `pattern`: how patterns are matched;
//! - `language`: what people say, as data in config/language/en-SG; the place to teach it more;
//! - `signals`: hits to signals: `context` sets what stands around each (`negation` among it), `effects`
//!   says in one table what follows; then what is `beside` and what is `covered`;
//! - `bereavement`: who was lost to suicide, which is no life at risk;
//! - `facts`: names, places, ages, times, people; `doer` and `occasion`: which of those are the harm's;
//! - `answers`: yes, no, rather not.

mod answers;
mod bereavement;
mod beside;
mod context;
mod covered;
mod doer;
mod effects;
mod facts;
mod homophones;
mod language;
mod manner;
mod negation;
mod numbers;
mod occasion;
mod pattern;
mod signals;
mod text;
mod topics;

use std::collections::BTreeSet;

use flow::Question;
use flow::reading::{
    Age, Answer, Detail, Heard, HeardSignal, Leaning, Leave, Listening, PersonSpokenOf, PlaceHeard,
    Reading, Relation, SURE, Signal, TimeHeard, Topic, WORTH_ASKING,
};
use redact::Secret;

use facts::telephone::Told;
pub(crate) use signals::Found;
use signals::overlap;
use text::Text;

/// Compiles the lexicons (about a second in a debug build, less in release). Without it the first
/// turn of the process waits for that.
pub fn prepare() {
    signals::prepare();
    homophones::prepare();
    topics::prepare();
    for question in [None, Some(Question::Name), Some(Question::Address)] {
        let listening = Listening::by_itself(jiff::civil::DateTime::default(), question);
        read("hello", &listening);
    }
}

/// Reads one caller turn.
pub fn read(words: &str, listening: &Listening) -> Reading {
    let asked = |question| listening.question == Some(question);
    let mut text = Text::new(words);
    homophones::mend(&mut text);
    let text = text;
    let whole = context::of_the_whole(&text);
    let people = facts::people::mentions(&text);
    let lost = bereavement::lost_to_suicide(&text);
    let of_the_lost = |f: &Found| {
        matches!(f.signal, Signal::SuicidalDirect | Signal::SuicidalIndirect)
            && lost.iter().any(|at| overlap(at, &f.tokens))
    };
    let mut found = signals::find(&text, &people);
    found.retain(|f| !of_the_lost(f));
    let year = u32::try_from(listening.called_at.year()).unwrap_or_default();
    let harmful = found
        .iter()
        .any(|f| !f.denied && (f.signal.is_abuse() || f.signal.is_high_risk()));
    let mut answer = answers::read(&text, listening.question);
    answer.withholds = manner::withholds(words, answer.refuses);
    answer.agreed = answer.yes.is_some();
    let number_asked = asked(Question::CallBack) || asked(Question::CallBackRight);
    let telephone = match number_asked {
        true => facts::telephone::find(words),
        false => Told::Nothing,
    };
    answer.half_a_number = telephone == Told::Half;
    // In the order in which they were said.
    let mut in_order = found.clone();
    in_order.sort_by_key(|found| found.tokens.start);
    let mut signals: Vec<HeardSignal> = in_order
        .into_iter()
        .map(|found| heard(&text, found))
        .collect();
    if asked(Question::NeedsShelter) && answer.yes == Some(false) {
        signals.retain(|s| {
            s.signal != Signal::ShelterWish || !manner::unwanted(s.words.expose_secret())
        });
    }
    if signals.iter().any(dealt_to_the_caller) {
        // "He slapped me and I hit him": given back.
        signals.retain(|s| s.signal != Signal::OwnViolence || s.to_come);
    }
    if facts::people::of_themselves(&text) {
        signals.retain(|s| s.signal != Signal::ThirdParty);
        signals.push(HeardSignal {
            denied: true,
            ..HeardSignal::told(Signal::ThirdParty, Secret::new(words.to_owned()), SURE)
        });
    }
    // "Can I have a place to stay?"
    let needs_shelter = signals
        .iter()
        .any(|s| s.signal == Signal::ShelterWish && !s.denied && s.confidence >= SURE);
    answer.has_a_place &= !needs_shelter && !answer.lacks_a_place;
    Reading {
        words: Secret::new(words.trim().to_owned()),
        name: facts::name::find(&text, asked(Question::Name))
            .or_else(|| {
                asked(Question::Address)
                    .then(|| facts::name::before_a_block(&text))
                    .flatten()
            })
            .map(|(name, tokens)| Heard {
                value: Secret::new(name),
                words: quote(&text, tokens),
                confidence: 0.9,
            }),
        place: facts::place::find(&text, asked(Question::Address))
            // "Nor that, sorry" is no place.
            .filter(|place| !(place.guessed && answer.refuses))
            .map(|place| Heard {
                words: quote(&text, place.tokens),
                value: PlaceHeard {
                    name: Secret::new(place.name),
                    precise: place.precise,
                    part: place.part,
                },
                confidence: if place.precise { 0.95 } else { 0.8 },
            }),
        age: facts::age::find(
            &text,
            asked(Question::Age) || asked(Question::EighteenOrUnder),
            year,
        )
        .map(|(age, tokens)| Heard {
            value: age,
            words: quote(&text, tokens),
            confidence: if matches!(age, Age::Years(_)) {
                0.95
            } else {
                0.85
            },
        }),
        abuser: doer::abuser(&text, &found, &people, listening),
        married: facts::people::married(&text),
        incident: occasion::incident(&text, &found, harmful, listening),
        call_back: match &telephone {
            Told::Whole(digits, at) => Some(Heard {
                value: Secret::new(digits.clone()),
                words: Secret::new(words[at.clone()].to_owned()),
                confidence: 0.9,
            }),
            Told::Half | Told::Nothing => None,
        },
        person: doer::may_be_spoken_of_next(&text, &people).map(|person| PersonSpokenOf {
            role: Secret::new(person.role.clone()),
            relation: person.relation,
            own: person.own,
        }),
        by_a_small_child_or_animal: facts::people::is_small_child_or_animal(&text, &people),
        explained_away: whole.explained_away,
        speaks_of_play: whole.speaks_of_play,
        // The trained reader gives the rest. Who lost somebody so is asked about themselves in time.
        leanings: (!lost.is_empty())
            .then_some(Leaning::Suicide)
            .into_iter()
            .collect(),
        lost_to_suicide: !lost.is_empty(),
        leave: manner::leave(&signals),
        asks: manner::asks(words),
        may_ask: false,
        calls_for_help: manner::calls_for_help(words),
        signals,
        reason: manner::reason(&text, &found),
        topic: match lost.is_empty() {
            true => topics::of(&text),
            false => Some(Topic::Grief),
        },
        tells_of_long_ago: whole.tells_of_long_ago,
        word_count: text.word_count(),
        answer,
        // The trained reader's alone.
        so_far: listening.so_far.clone(),
        doubts: BTreeSet::new(),
    }
}

/// A blow that the words give to "me" or "us".
fn dealt_to_the_caller(heard: &HeardSignal) -> bool {
    let blow = matches!(
        heard.signal,
        Signal::PhysicalAbuse | Signal::ViolenceNow | Signal::Strangulation
    );
    let words = heard.words.expose_secret().to_lowercase();
    let mut words = words.split(|c: char| !c.is_alphanumeric());
    blow && !heard.denied && !heard.of_others && words.any(|word| matches!(word, "me" | "us"))
}

fn heard(text: &Text<'_>, found: Found) -> HeardSignal {
    let words = quote(text, in_full(text, found.tokens));
    HeardSignal {
        signal: found.signal,
        present: manner::present(words.expose_secret()),
        doubted: found.lowered,
        to_come: found.signal == Signal::OwnViolence && manner::is_meant(words.expose_secret()),
        words,
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
/// Whether a leave is taken, and not a word said beside it that tells of anything.
pub(crate) fn only_takes_leave(words: &str) -> bool {
    answers::only_takes_leave(&Text::new(words))
}

/// Whether the police is named as not to come.
pub(crate) fn turns_police_down(words: &str) -> bool {
    answers::turns_police_down(&Text::new(words))
}

#[cfg(test)]
mod tests;
