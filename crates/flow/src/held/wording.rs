//! A model's words for the open part of a turn, let through whole or not at all.

use super::Unfit;
use super::grounds::Grounds;
use super::lexicon::{ASKED_BY_THE_FLOW, OUT_OF_PLACE, PROMISES, REFUSALS, agencies};
use crate::text::plain;

/// What a caller can take in by ear.
const MOST_WORDS: usize = 60;
const MOST_SENTENCES: usize = 4;

/// What the words are held to.
pub(crate) struct Bounds<'b> {
    /// Whether they may end with a question.
    pub may_ask: bool,
    /// What the caller has said.
    pub said: &'b [&'b str],
    /// What the assistant knows to be so: what was looked up, and what the turn's templates say.
    pub known: &'b [&'b str],
    /// What was said in the assistant's turn before.
    pub last: &'b [String],
    /// What the turn says anyway.
    pub fixed: &'b [&'b str],
}

/// The words as sentences, if they fit.
pub(crate) fn hold(text: &str, bounds: &Bounds<'_>) -> Result<Vec<String>, Unfit> {
    let text = tidy(text)?;
    let mut sentences: Vec<String> = crate::text::sentences(&text).map(str::to_owned).collect();
    if !bounds.may_ask {
        // The turn has a question of its own, or none: one at the end is left off.
        if sentences.len() > 1 && sentences.last().is_some_and(|last| last.ends_with('?')) {
            sentences.pop();
        }
    }
    let asks = sentences
        .iter()
        .filter(|sentence| sentence.contains('?'))
        .count();
    let at_the_end = sentences.last().is_some_and(|last| last.ends_with('?'));
    if asks > usize::from(bounds.may_ask) || asks == 1 && !at_the_end {
        return Err(Unfit::Question);
    }
    let kept = sentences.join(" ");
    let words = kept.split_whitespace().count();
    if words == 0 || !kept.chars().any(char::is_alphabetic) {
        return Err(Unfit::Empty);
    }
    if words > MOST_WORDS || sentences.len() > MOST_SENTENCES {
        return Err(Unfit::TooLong);
    }
    let said = plain(&kept);
    let has = |phrases: &[&str]| phrases.iter().any(|phrase| said.contains(&plain(phrase)));
    if has(REFUSALS) {
        return Err(Unfit::Refusal);
    }
    if has(PROMISES) {
        return Err(Unfit::Promise);
    }
    if has(OUT_OF_PLACE) {
        return Err(Unfit::OutOfPlace);
    }
    let question = sentences.last().filter(|last| last.ends_with('?'));
    if question.is_some_and(|question| {
        let question = plain(question);
        ASKED_BY_THE_FLOW
            .iter()
            .any(|phrase| question.contains(&plain(phrase)))
    }) {
        return Err(Unfit::Question);
    }
    // An agency that only the caller named is not spoken of: it may be the wrong one.
    let known = Grounds::of(bounds.known.iter().copied());
    if agencies().any(|agency| said.contains(&plain(agency)) && !known.hold(agency)) {
        return Err(Unfit::Agency);
    }
    Grounds::of(bounds.said.iter().chain(bounds.known).copied()).bear(&kept)?;
    let repeats = sentences.iter().any(|sentence| {
        bounds.last.iter().any(|last| last == sentence) || bounds.fixed.contains(&sentence.as_str())
    });
    if repeats {
        return Err(Unfit::Repeats);
    }
    Ok(sentences)
}

/// Plain text on one line: apostrophes made straight, no quotation marks and no exclamation, and
/// nothing that cannot be spoken.
fn tidy(text: &str) -> Result<String, Unfit> {
    let mut out = String::with_capacity(text.len());
    for c in text.trim().chars() {
        out.push(match c {
            '’' | '‘' => '\'',
            '“' | '”' | '"' => continue,
            '–' | '—' => ',',
            '…' => '.',
            '!' => '.',
            c if c.is_whitespace() => ' ',
            c if c.is_ascii_alphanumeric() => c,
            c if c.is_alphabetic() && (c as u32) < 0x250 => c,
            '.' | ',' | '?' | '\'' | '-' | ':' | ';' | '(' | ')' => c,
            _ => return Err(Unfit::NotPlain),
        });
    }
    let out = out.split_whitespace().collect::<Vec<_>>().join(" ");
    Ok(out.replace(" ,", ",").replace("...", "."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hold_after(said: &str, may_ask: bool, text: &str) -> Result<String, Unfit> {
        hold_knowing(said, "", may_ask, text)
    }

    fn hold_knowing(said: &str, known: &str, may_ask: bool, text: &str) -> Result<String, Unfit> {
        let bounds = Bounds {
            may_ask,
            said: &[said],
            known: &[known],
            last: &[String::from("I hear you.")],
            fixed: &["May I have your name?"],
        };
        hold(text, &bounds).map(|sentences| sentences.join(" "))
    }

    #[test]
    fn plain_and_kind_words_are_said() {
        for text in [
            "That sounds so heavy to hold on your own.",
            "I'm glad you told me. What has today been like?",
            "It makes sense that you're worn out after all that.",
        ] {
            let held = hold_after("I feel low", true, text);
            assert_eq!(held.as_deref(), Ok(text));
        }
        assert_eq!(
            hold_after("I feel low", true, "  “That’s a lot to carry!”\nI’m here. "),
            Ok(String::from("That's a lot to carry. I'm here."))
        );
    }

    #[test]
    fn a_turn_asks_one_question_at_most() {
        let two = "How are you? What happened?";
        assert_eq!(hold_after("hi", true, two), Err(Unfit::Question));
        let early = "What happened? I'm listening.";
        assert_eq!(hold_after("hi", true, early), Err(Unfit::Question));
        // Where the turn asks its own, a question at the end is left off.
        let one = "That sounds hard. What happened?";
        assert_eq!(
            hold_after("hi", false, one),
            Ok(String::from("That sounds hard."))
        );
        assert_eq!(
            hold_after("hi", false, "What happened?"),
            Err(Unfit::Question)
        );
        assert_eq!(hold_after("hi", false, two), Err(Unfit::Question));
    }

    #[test]
    fn what_the_flow_asks_for_a_purpose_nobody_else_asks() {
        for text in [
            "I hear you. What's your name?",
            "That's hard. Where do you live?",
            "How old are you?",
            "Are you safe right now?",
            "Are you having thoughts of suicide?",
            "Would you like me to call someone for you?",
        ] {
            assert!(hold_after("I feel low", true, text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_has_no_place_is_not_said() {
        let cases = [
            ("", Unfit::Empty),
            ("...", Unfit::Empty),
            ("{\"reply\": 1}", Unfit::NotPlain),
            ("**Hello**", Unfit::NotPlain),
            ("See https://example.com", Unfit::NotPlain),
            ("我在听", Unfit::NotPlain),
            ("I'm sorry, but I can't assist with that.", Unfit::Refusal),
            (
                "As an AI language model I have no feelings.",
                Unfit::Refusal,
            ),
            ("I'm a real person like you.", Unfit::Refusal),
            ("Help is on the way.", Unfit::Promise),
            ("I've called them for you.", Unfit::Promise),
            ("I'm connecting you now.", Unfit::Promise),
            ("Everything will be alright.", Unfit::Promise),
            ("You should leave.", Unfit::OutOfPlace),
            ("Please calm down.", Unfit::OutOfPlace),
            ("The police can deal with it.", Unfit::Agency),
            ("Samaritans would listen.", Unfit::Agency),
            ("Dial 999 if it gets worse.", Unfit::Number),
            ("Dial nine nine nine if it gets worse.", Unfit::Number),
            ("Your brother had no right to do it.", Unfit::NotSaid),
            ("I hear you.", Unfit::Repeats),
        ];
        for (text, unfit) in cases {
            assert_eq!(hold_after("I feel low", true, text), Err(unfit), "{text}");
        }
        let many = "That is hard to hold. ".repeat(5);
        let long = format!("That is hard{}.", " and so heavy".repeat(20));
        for text in [many, long] {
            assert_eq!(hold_after("hi", true, &text), Err(Unfit::TooLong), "{text}");
        }
    }

    #[test]
    fn what_was_looked_up_may_be_told() {
        let entry = "Samaritans of Singapore answer day and night on 1767.";
        let text = "Samaritans answer at any hour, on 1767.";
        assert_eq!(hold_knowing("", entry, true, text).as_deref(), Ok(text));
    }

    #[test]
    fn an_agency_that_only_the_caller_named_is_not_spoken_of() {
        for (said, text) in [
            ("I rang the police before", "The police can be rung again."),
            ("someone said SOS", "SOS would listen to you."),
        ] {
            assert_eq!(hold_after(said, true, text), Err(Unfit::Agency), "{text}");
        }
    }
}
