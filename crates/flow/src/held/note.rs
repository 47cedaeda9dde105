//! The sentences of a note that a model may tell: what the caller said and what came up. How the
//! case is assessed and what was done are the flow's own knowledge, and stay its own words; so do
//! denials, which written notes get wrong most.

use redact::Secret;

use super::Unfit;
use super::grounds::Grounds;
use super::lexicon::{DENIALS, PROMISES, agencies};
use crate::text::plain;

/// A sentence a model tells of the call, with the caller's words it rests on.
#[derive(Debug, Clone)]
pub struct ToldSentence {
    pub text: Secret<String>,
    pub quotes: Vec<Secret<String>>,
}

/// What a note's told sentences must hold.
pub(crate) struct Told<'t> {
    /// Every turn of the caller's.
    pub said: &'t [&'t str],
    /// Beside that, what the flow knows: the templates' own sentences.
    pub known: &'t str,
    /// Of each grave claim, the words either of which tell it: its name, and the caller's.
    pub must_tell: &'t [(String, String)],
}

const FEWEST_WORDS: usize = 5;
const MOST_WORDS: usize = 45;

/// The sentences, if every one of them holds.
pub(crate) fn told_well(
    sentences: &[ToldSentence],
    held_to: &Told<'_>,
) -> Result<Vec<String>, Unfit> {
    if sentences.is_empty() || sentences.len() > 2 {
        return Err(Unfit::TooLong);
    }
    let caller = Grounds::of(held_to.said.iter().copied());
    let known = Grounds::of(held_to.said.iter().copied().chain([held_to.known]));
    let mut told = Vec::new();
    for sentence in sentences {
        let text = one_sentence(sentence.text.expose_secret())?;
        let rests = !sentence.quotes.is_empty()
            && sentence.quotes.iter().all(|quote| {
                let quote = quote.expose_secret();
                !plain(quote).trim().is_empty() && caller.hold(quote)
            });
        if !rests {
            return Err(Unfit::NotSaid);
        }
        let said = plain(&text);
        let has = |phrases: &[&str]| phrases.iter().any(|phrase| said.contains(&plain(phrase)));
        if has(DENIALS) {
            return Err(Unfit::OutOfPlace);
        }
        if has(PROMISES) {
            return Err(Unfit::Promise);
        }
        if agencies().any(|agency| said.contains(&plain(agency)) && !caller.hold(agency)) {
            return Err(Unfit::Agency);
        }
        known.bear(&text)?;
        told.push(text);
    }
    if !told[0].starts_with("The caller") && !told[0].starts_with("Caller") {
        return Err(Unfit::OutOfPlace);
    }
    let all = plain(&told.join(" "));
    let leaves_out = held_to
        .must_tell
        .iter()
        .any(|(name, words)| !all.contains(&plain(name)) && !all.contains(&plain(words)));
    if leaves_out {
        return Err(Unfit::LeavesOut);
    }
    Ok(told)
}

/// One sentence with a full stop, and no other.
fn one_sentence(text: &str) -> Result<String, Unfit> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = text.replace(['’', '‘'], "'").replace(['“', '”'], "\"");
    let body = text.strip_suffix('.').unwrap_or(&text);
    let words = body.split_whitespace().count();
    if words < FEWEST_WORDS {
        return Err(Unfit::Empty);
    }
    if words > MOST_WORDS {
        return Err(Unfit::TooLong);
    }
    let plain = body.chars().all(|c| {
        c.is_alphanumeric() || matches!(c, ' ' | ',' | '\'' | '"' | '-' | ';' | ':' | '(' | ')')
    });
    if !plain {
        return Err(Unfit::NotPlain);
    }
    Ok(format!("{body}."))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &[&str] = &[
        "My husband hits me, he did it on Sunday",
        "I am so scared of him",
    ];

    fn check(sentences: &[(&str, &[&str])]) -> Result<Vec<String>, Unfit> {
        let sentences: Vec<ToldSentence> = sentences
            .iter()
            .map(|(text, quotes)| ToldSentence {
                text: Secret::new((*text).to_owned()),
                quotes: quotes
                    .iter()
                    .map(|q| Secret::new((*q).to_owned()))
                    .collect(),
            })
            .collect();
        let must_tell = [(String::from("weapon"), String::from("hits me"))];
        told_well(
            &sentences,
            &Told {
                said: SAID,
                known: "The caller spoke of physical abuse.",
                must_tell: &must_tell,
            },
        )
    }

    #[test]
    fn what_rests_on_the_callers_words_is_told() {
        let told = check(&[
            (
                "The caller said that her husband hits her, last on Sunday (\"hits me\").",
                &["My husband hits me", "on Sunday"],
            ),
            ("She is scared of him.", &["so scared of him"]),
        ]);
        assert_eq!(told.map(|told| told.len()), Ok(2));
    }

    #[test]
    fn a_note_tells_nothing_that_was_not_said() {
        let quoted: &[&str] = &["hits me"];
        let cases: [(&str, &[&str], Unfit); 8] = [
            (
                "The caller says her husband hits me with a knife.",
                quoted,
                Unfit::NotSaid,
            ),
            (
                "The caller says her husband hits me.",
                &["he used a knife"],
                Unfit::NotSaid,
            ),
            ("The caller says her husband hits me.", &[], Unfit::NotSaid),
            (
                "The caller says he hits me and denies self harm.",
                quoted,
                Unfit::OutOfPlace,
            ),
            (
                "The caller hits me and never drinks at home.",
                quoted,
                Unfit::OutOfPlace,
            ),
            (
                "The caller hits me and was sent to SACC now.",
                quoted,
                Unfit::Agency,
            ),
            (
                "Her husband often hits me at home.",
                quoted,
                Unfit::OutOfPlace,
            ),
            (
                "The caller talked about some things that trouble her.",
                quoted,
                Unfit::LeavesOut,
            ),
        ];
        for (text, quotes, unfit) in cases {
            assert_eq!(check(&[(text, quotes)]), Err(unfit), "{text}");
        }
        assert_eq!(check(&[]), Err(Unfit::TooLong));
    }
}
