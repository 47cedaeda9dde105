//! What stands beside a harm and makes it now: a weapon near, blood, another hint.

use std::ops::Range;

use super::{
    SURE, Signal,
    context::{Context, Feature},
    language::GRAMMAR,
    signals::{Found, overlap},
    text::Text,
};

/// From this confidence on a hint at violence is about this minute, not about what may come.
const PRESENT: f32 = 0.55;

/// A weapon, and nothing said of an earlier day: worth asking whether it is now.
pub(super) fn weapon_near(found: &[Found], context: &Context<'_>) -> Option<Found> {
    let weapon = found
        .iter()
        .find(|f| f.signal == Signal::Weapon && !f.denied && !f.remote && f.confidence >= SURE)?;
    let now = found
        .iter()
        .any(|f| f.signal == Signal::ViolenceNow && !f.denied);
    (!now && !context.earlier && !context.anywhere(Feature::Recurring)).then(|| Found {
        signal: Signal::ViolenceNow,
        confidence: 0.6,
        ..weapon.clone()
    })
}

/// Someone was hit and is bleeding: unless it was some time ago, that is now.
pub(super) fn hurt_and_bleeding(
    text: &Text<'_>,
    found: &[Found],
    context: &Context<'_>,
) -> Option<Found> {
    let asserted = |signal: Signal| {
        found
            .iter()
            .find(|f| f.signal == signal && !f.denied && !f.remote && f.confidence >= SURE)
    };
    let injury = asserted(Signal::Injury)?;
    // "Still pain" is of before.
    let lasting = text.slice(injury.tokens.clone()).contains("still pain");
    if lasting
        || !injury
            .tokens
            .clone()
            .any(|i| GRAMMAR.fresh_injury.has(text.word(i)))
    {
        return None;
    }
    let hurt = asserted(Signal::PhysicalAbuse).or(asserted(Signal::Strangulation))?;
    let settled = asserted(Signal::ViolenceNow).is_some()
        || found
            .iter()
            .any(|f| f.signal == Signal::SelfHarmNow && !f.denied)
        || asserted(Signal::Safe).is_some()
        || context.earlier;
    (!settled).then(|| Found {
        signal: Signal::ViolenceNow,
        confidence: 0.75,
        ..hurt.clone()
    })
}

/// "He hit me and he's coming back": a hint at danger beside harm, in other words than the harm's,
/// is danger.
pub(super) fn hint_beside_harm(text: &Text<'_>, found: &mut [Found], context: &Context<'_>) {
    let harm: Vec<Range<usize>> = found
        .iter()
        .filter(|f| {
            matches!(
                f.signal,
                Signal::PhysicalAbuse
                    | Signal::Weapon
                    | Signal::ThreatToKill
                    | Signal::Strangulation
            ) && !f.denied
                && !f.remote
                && f.confidence >= SURE
                && !f
                    .tokens
                    .clone()
                    .chain([f.tokens.end])
                    .filter(|i| *i < text.tokens().len())
                    .any(|i| matches!(text.word(i), "before" | "previously" | "past"))
        })
        .map(|f| f.tokens.clone())
        .collect();
    let calm = found.iter().any(|f| f.signal == Signal::Safe && !f.denied);
    if context.earlier || calm {
        return;
    }
    for hint in found
        .iter_mut()
        .filter(|f| f.signal == Signal::ViolenceNow && !f.denied)
    {
        if (PRESENT..SURE).contains(&hint.confidence)
            && harm.iter().any(|harm| !overlap(harm, &hint.tokens))
        {
            hint.confidence = SURE;
        }
    }
}
