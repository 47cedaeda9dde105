//! Signals: what a turn gives away about danger, harm and needs.
//!
//! Hits become signals here: what stands around each is told by `context`, what follows by `effects`. What to do
//! about a signal is the machine's decision.

use std::{collections::BTreeMap, ops::Range, sync::LazyLock};

use super::{
    SURE, Signal, WORTH_ASKING,
    beside::{hint_beside_harm, hurt_and_bleeding, weapon_near},
    context::{self, Context},
    covered::drop_what_others_cover,
    effects::effects_on,
    facts::people::Person,
    language::{self, About},
    pattern::PatternSet,
    text::Text,
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
    /// Likely meant otherwise, so that no second hint makes it sure.
    pub lowered: bool,
}

impl Found {
    /// No surer than this.
    pub fn lower(&mut self, confidence: f32) {
        if confidence < self.confidence {
            self.confidence = confidence;
            self.lowered = true;
        }
    }
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

/// Compiles the patterns, which otherwise happens in the first turn.
pub(crate) fn prepare() {
    context::prepare();
    LazyLock::force(&LEXICON);
}

/// Every signal in the turn, as sure as the turn allows: the surest hit of each kind, asserted and
/// denied apart.
pub(crate) fn find(text: &Text<'_>, people: &[Person]) -> Vec<Found> {
    let hits = LEXICON.hits(text);
    let abuse = hits
        .iter()
        .filter(|hit| hit.meaning.signal.is_abuse() && hit.meaning.weight >= SURE)
        .map(|hit| hit.tokens.clone())
        .collect();
    let context = Context::new(text, people).with_abuse(abuse);
    // Of now, and of long ago.
    let mut surest: BTreeMap<(Signal, bool, bool), Found> = BTreeMap::new();
    let mut hints: Vec<Found> = Vec::new();
    for hit in &hits {
        for mut found in effects_on(text, hit, context.features(hit)) {
            second_hint(text, &mut hints, &mut found);
            let slot = surest
                .entry((found.signal, found.denied, found.remote))
                .or_insert_with(|| found.clone());
            if found.confidence > slot.confidence {
                *slot = found;
            }
        }
    }
    // What is told of now stands, unless it is only hinted at beside what is told surely of long ago.
    let mut all: Vec<Found> = Vec::new();
    for ((signal, denied, remote), found) in &surest {
        let nearer = surest
            .get(&(*signal, *denied, false))
            .is_some_and(|near| near.confidence >= SURE || near.confidence >= found.confidence);
        if !remote || !nearer {
            all.push(found.clone());
        }
    }
    all.extend(weapon_near(&all, &context));
    all.extend(hurt_and_bleeding(text, &all, &context));
    hint_beside_harm(text, &mut all, &context);
    drop_what_others_cover(all, text)
}

/// Two separate hints at danger in one turn are as good as a plain word.
fn second_hint(text: &Text<'_>, hints: &mut Vec<Found>, found: &mut Found) {
    let danger = matches!(
        found.signal,
        Signal::SuicidalIndirect | Signal::ViolenceNow | Signal::SexualAssault
    );
    let hint = (WEAK..SURE).contains(&found.confidence);
    if !danger || !hint || found.denied || found.remote || found.lowered {
        return;
    }
    let this = found.clone();
    let beside = hints
        .iter()
        .filter(|hint| {
            hint.signal == this.signal
                && !overlap(&hint.tokens, &this.tokens)
                && text.slice(hint.tokens.clone()) != text.slice(this.tokens.clone())
        })
        .map(|hint| hint.confidence)
        .fold(0.0, f32::max);
    if beside > 0.0 {
        let either = beside.max(this.confidence);
        found.confidence = if either >= WORTH_ASKING {
            SURE
        } else {
            WORTH_ASKING
        };
    }
    hints.push(this);
}

pub(super) fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}
