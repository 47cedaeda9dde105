//! What was said over the line beside what was heard of it, and how many words differ.

use serde::Deserialize;

use crate::words::words_with_digits;

/// As `nightlight-caller` reports what it said.
#[derive(Debug, Deserialize)]
pub struct Utterance {
    says: String,
    from_seconds: f64,
}

/// As `nightlight-caller` reports the transcripts that the server sent.
#[derive(Debug, Deserialize)]
pub struct Caption {
    at_seconds: f64,
    role: String,
    words: String,
}

#[derive(Debug, PartialEq)]
pub struct Hearing {
    pub said: String,
    /// The turns that it was taken for: one, if all went well.
    pub turns: Vec<String>,
}

impl Hearing {
    /// Words said.
    pub fn words(&self) -> usize {
        words_with_digits(&self.said).len()
    }

    /// Words missing, added or changed.
    pub fn errors(&self) -> usize {
        distance(
            &words_with_digits(&self.said),
            &words_with_digits(&self.turns.join(" ")),
        )
    }
}

/// Each utterance with what was transcribed before the next one began: a turn's transcript comes with
/// the reply to it.
pub fn matched(said: &[Utterance], captions: &[Caption]) -> Vec<Hearing> {
    let until = said.iter().skip(1).map(|next| next.from_seconds);
    said.iter()
        .zip(until.chain([f64::INFINITY]))
        .map(|(utterance, until)| Hearing {
            said: utterance.says.clone(),
            turns: captions
                .iter()
                .filter(|caption| caption.role == "user")
                .filter(|caption| (utterance.from_seconds..until).contains(&caption.at_seconds))
                .map(|caption| caption.words.clone())
                .collect(),
        })
        .collect()
}

/// The fewest words to take out, put in or change.
fn distance(from: &[String], to: &[String]) -> usize {
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, word) in from.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, other) in to.iter().enumerate() {
            let change = diagonal + usize::from(word != other);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hearing(said: &str, heard: &[&str]) -> Hearing {
        Hearing {
            said: said.to_owned(),
            turns: heard.iter().map(|turn| (*turn).to_owned()).collect(),
        }
    }

    #[test]
    fn words_missing_added_and_changed_are_counted() {
        let errors = |said, heard| hearing(said, &[heard]).errors();
        assert_eq!(errors("He hit me.", "he hit me"), 0);
        assert_eq!(errors("He hit me.", "He hits me."), 1);
        assert_eq!(errors("He hit me.", "hit me"), 1);
        assert_eq!(errors("He hit me.", "Yes, he hit me."), 1);
        assert_eq!(errors("He hit me.", "a heap of tea"), 4);
        assert_eq!(errors("Block twelve.", "Block 12"), 0);
        assert_eq!(hearing("He hit me.", &[]).errors(), 3);
        assert_eq!(hearing("Block twelve.", &[]).words(), 3);
    }

    #[test]
    fn an_utterance_is_matched_with_the_turns_it_was_taken_for() {
        let said =
            [(10.0, "he hit me today"), (30.0, "yes")].map(|(from_seconds, says)| Utterance {
                says: says.to_owned(),
                from_seconds,
            });
        let captions = [
            (2.0, "assistant", "Hello."),
            (13.0, "user", "he hit me"),
            (15.0, "user", "today"),
            (20.0, "assistant", "Are you hurt?"),
        ]
        .map(|(at_seconds, role, words)| Caption {
            at_seconds,
            role: role.to_owned(),
            words: words.to_owned(),
        });
        assert_eq!(
            matched(&said, &captions),
            [
                hearing("he hit me today", &["he hit me", "today"]),
                hearing("yes", &[])
            ]
        );
    }
}
