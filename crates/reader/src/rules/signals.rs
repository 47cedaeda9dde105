//! Signals: what a turn gives away about danger, harm and needs.
//!
//! Lexicon hits become signals here: idioms dropped, denials set apart, tense settled. What to do
//! about a signal is the machine's decision.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    sync::LazyLock,
};

use serde::Deserialize;

use super::{
    Leaning, SURE, Signal, WORTH_ASKING,
    beside::{hint_beside_harm, hurt_and_bleeding, weapon_near},
    covered::drop_what_others_cover,
    facts::people::Person,
    language::{self, About},
    meant::{
        self, MEANT_OTHERWISE, as_plain_as, echoes_the_question, harms_a_thing, settle_meaning,
    },
    pattern::PatternSet,
    tense::{self, Times, settle_tense},
    text::Text,
    whose::{held_over_the_caller, of_another_person, said_by_another, threatened},
};

/// From this confidence on a hint counts beside another.
pub(super) const WEAK: f32 = 0.4;

/// One signal in a turn, before it is given its words.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub signal: Signal,
    pub confidence: f32,
    pub tokens: Range<usize>,
    pub denied: bool,
    /// Years ago, or "used to": it happened, but is over.
    pub remote: bool,
    /// Done to someone other than the caller.
    pub of_others: bool,
}

#[derive(Debug, Clone, Copy)]

pub(super) struct Meaning {
    pub signal: Signal,
    pub weight: f32,
    pub about: About,
}

static LEXICON: LazyLock<PatternSet<Meaning>> = LazyLock::new(|| {
    let groups = language::signals();
    PatternSet::new(groups.iter().flat_map(|(signal, group)| {
        let meaning = Meaning {
            signal: *signal,
            weight: group.weight,
            about: group.about,
        };
        group.patterns.iter().map(move |pattern| (meaning, pattern))
    }))
});

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Idioms {
    idioms: Vec<String>,
}

static IDIOMS: LazyLock<PatternSet<()>> =
    LazyLock::new(|| PatternSet::of(&language::file::<Idioms>("idioms.toml").idioms));

/// Compiles the lexicons, which otherwise happens in the first turn.
pub(crate) fn prepare() {
    tense::prepare();
    meant::prepare();
    LazyLock::force(&IDIOMS);
    LazyLock::force(&LEXICON);
}

/// Every signal in the turn, as sure as the turn allows.
pub(crate) fn find(text: &Text<'_>, people: &[Person], hints: &BTreeSet<Leaning>) -> Vec<Found> {
    let mut found = find_all(text);
    settle_meaning(&mut found, text, people, hints);
    found
}

/// Every signal in the turn: the surest hit of each kind, asserted and denied apart.
fn find_all(text: &Text<'_>) -> Vec<Found> {
    let idioms: Vec<Range<usize>> = IDIOMS
        .hits(text)
        .into_iter()
        .map(|hit| hit.tokens)
        .collect();
    let mut surest: BTreeMap<(Signal, bool), Found> = BTreeMap::new();
    let mut keep = |found: Found| {
        let slot = surest
            .entry((found.signal, found.denied))
            .or_insert_with(|| found.clone());
        if found.confidence > slot.confidence || (slot.remote && !found.remote) {
            *slot = found;
        }
    };
    let hits = LEXICON.hits(text);
    let times = Times::of(text);
    let abuse: Vec<Range<usize>> = hits
        .iter()
        .filter(|hit| hit.meaning.signal.is_abuse() && hit.meaning.weight >= SURE)
        .map(|hit| hit.tokens.clone())
        .collect();
    let mut weak_hits: Vec<WeakHit> = Vec::new();
    for hit in hits {
        // "She makes me feel worthless" tells what she does, before it hints at more.
        if hit.meaning.signal == Signal::SuicidalIndirect
            && hit.meaning.weight < SURE
            && abuse.iter().any(|abuse| overlap(abuse, &hit.tokens))
        {
            continue;
        }
        // "She says that I'm useless": another's words, not the caller's mind.
        if matches!(hit.meaning.signal, Signal::SuicidalIndirect)
            && hit.meaning.weight < SURE
            && said_by_another(text, &hit.tokens)
        {
            continue;
        }
        // "She threatens to kill herself if I move out": a hold on the caller, not a wish of theirs.
        if matches!(
            hit.meaning.signal,
            Signal::SuicidalDirect | Signal::SuicidalIndirect | Signal::ThreatToKill
        ) && held_over_the_caller(text, &hit.tokens)
        {
            continue;
        }
        // "He threatens to throw me out": what may come is no wish to leave.
        if hit.meaning.signal == Signal::ShelterWish
            && abuse.iter().any(|abuse| overlap(abuse, &hit.tokens))
            && threatened(text, &hit.tokens)
        {
            continue;
        }
        if idioms.iter().any(|idiom| overlap(idiom, &hit.tokens)) && !is_talk(hit.meaning.signal) {
            continue;
        }
        if echoes_the_question(text, &hit.tokens) {
            continue;
        }
        if harms_a_thing(text, &hit.tokens, hit.meaning.signal) {
            continue;
        }
        for mut found in settle_tense(text, &times, &hit) {
            found.confidence = found.confidence.min(as_plain_as(text, &found));
            // "She jumps off the roof": not the caller.
            if matches!(
                found.signal,
                Signal::SuicidalDirect | Signal::SuicidalIndirect
            ) && !found.of_others
                && of_another_person(text, &found.tokens)
            {
                found.of_others = true;
                found.confidence = found.confidence.min(MEANT_OTHERWISE);
            }
            // Two separate hints at danger in one turn are as good as a plain word.
            let danger = matches!(
                found.signal,
                Signal::SuicidalIndirect | Signal::ViolenceNow | Signal::SexualAssault
            );
            if danger && !found.denied && !found.remote && (WEAK..SURE).contains(&found.confidence)
            {
                let beside = weak_hits
                    .iter()
                    .filter(|hit| {
                        hit.signal == found.signal
                            && !overlap(&hit.tokens, &found.tokens)
                            && text.slice(hit.tokens.clone()) != text.slice(found.tokens.clone())
                    })
                    .map(|hit| hit.confidence)
                    .fold(0.0, f32::max);
                let this = found.confidence;
                if beside.max(this) >= WORTH_ASKING && beside > 0.0 {
                    found.confidence = SURE;
                } else if beside > 0.0 {
                    found.confidence = WORTH_ASKING;
                }
                weak_hits.push(WeakHit {
                    signal: found.signal,
                    tokens: found.tokens.clone(),
                    confidence: this,
                });
            }
            keep(found);
        }
    }
    let mut all: Vec<Found> = surest.into_values().collect();
    all.extend(weapon_near(&all, &times));
    all.extend(hurt_and_bleeding(text, &all, &times));
    hint_beside_harm(text, &mut all, &times);
    drop_what_others_cover(all, text)
}

/// A hint at danger: asked about alone, or sure beside another in other words.
struct WeakHit {
    signal: Signal,
    tokens: Range<usize>,
    confidence: f32,
}

/// Signals about the talk itself hold whatever idiom stands by.
fn is_talk(signal: Signal) -> bool {
    matches!(
        signal,
        Signal::AsksIfHuman
            | Signal::PromptInjection
            | Signal::AsksAboutOthers
            | Signal::OffTopic
            | Signal::Thanks
    )
}

pub(super) fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}
