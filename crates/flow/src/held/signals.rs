//! Signals that a model believes it heard. They are only ever added to what the reading of the turn says, and only with the
//! caller's own words for them in that turn.

use redact::Secret;

use crate::reading::{HeardSignal, Reading, Signal, WORTH_ASKING};
use crate::text::plain;

/// A signal, and the caller's words for it.
#[derive(Debug, Clone)]
pub struct Suggestion {
    pub signal: Signal,
    /// As the caller said it, in this turn.
    pub quote: Secret<String>,
    /// From 0 to 1. From 0.7 on it is acted on; below it is asked about.
    pub confidence: f32,
}

/// The most that is taken of a turn.
const MOST: usize = 6;
/// A model is never surer than this.
const SUREST: f32 = 0.9;

/// Adds what holds: of a kind that adds danger or need, in the caller's words, and not denied in
/// the same breath. What the reader found stays as it is.
pub(crate) fn admit(suggestions: &[Suggestion], reading: &mut Reading) {
    let said = plain(reading.words.expose_secret());
    for suggestion in suggestions.iter().take(MOST) {
        let quote = plain(suggestion.quote.expose_secret());
        let whole = quote == said;
        let in_words = said.contains(&quote) && (whole || quote.split_whitespace().count() >= 2);
        let confidence = suggestion.confidence.min(SUREST);
        // Not a number, or not worth asking about.
        let sure_enough = confidence >= WORTH_ASKING;
        if !in_words || quote.trim().is_empty() || !sure_enough || !may_be_added(suggestion.signal)
        {
            continue;
        }
        let denied = reading.signals.iter().any(|heard| {
            heard.denied
                && (heard.signal == suggestion.signal
                    || plain(heard.words.expose_secret()).contains(&quote))
        });
        let heard_already = reading.asserts(suggestion.signal, confidence).is_some();
        if !denied && !heard_already {
            reading.signals.push(HeardSignal {
                present: false,
                ..HeardSignal::told(suggestion.signal, suggestion.quote.clone(), confidence)
            });
        }
    }
}

/// Danger, harm and need. Not what would calm the flow or shorten its way.
fn may_be_added(signal: Signal) -> bool {
    signal.is_high_risk()
        || signal.is_abuse()
        || matches!(
            signal,
            Signal::Injury
                | Signal::ShelterWish
                | Signal::ChildAtRisk
                | Signal::Fear
                | Signal::Distress
        )
}
