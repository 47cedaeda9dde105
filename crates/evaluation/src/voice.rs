//! A simulated caller on a real line: hears what `nightlight-caller` passes on, and says what the same
//! caller says by text.
//!
//! It places no call; `scripts/eval-voice` does. How the calls went is told by [`crate::voice_report`].

use std::io::{BufRead, Write};
use std::sync::LazyLock;

use anyhow::Context;
use regex::{Captures, Regex};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::caller::Caller;
use crate::person::{Person, Turn};

/// What the assistant said, as `nightlight-caller --respond` writes it.
#[derive(Debug, Deserialize)]
struct Heard {
    heard: String,
}

/// Answers line by line until the line is closed.
pub fn answer(caller: &Caller, lines: impl BufRead, mut to: impl Write) -> anyhow::Result<()> {
    let mut person = Person::new(caller);
    for line in lines.lines() {
        let line = line.context("cannot read what was heard")?;
        let Heard { heard } = serde_json::from_str(&line)
            .with_context(|| format!("{line:?} is not {{\"heard\": \"…\"}}"))?;
        writeln!(to, "{}", step(person.reply(&heard)))?;
        to.flush()?;
    }
    Ok(())
}

fn step(turn: Turn) -> Value {
    match turn {
        Turn::Says(words) => json!({ "say": speakable(&words) }),
        // However short: the next line comes when the assistant has spoken again.
        Turn::Silent => json!({ "wait": 1 }),
        Turn::Unclear => json!({ "say": "Hmm." }),
        Turn::HangsUp => json!({ "hang_up": true }),
    }
}

/// As people read it out: "Blk 12 #08-123" is "Block 12 number zero eight dash one two three".
fn speakable(words: &str) -> String {
    static UNIT: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"#?\b(\d+)-(\d+)\b").expect("the tests below compile it"));
    static BLOCK: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?i)\bblk\b").expect("the tests below compile it"));
    let digits = |number: &str| -> String {
        let names = [
            "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
        ];
        let spoken = number
            .bytes()
            .map(|digit| names[usize::from(digit.saturating_sub(b'0')).min(9)]);
        spoken.collect::<Vec<_>>().join(" ")
    };
    let words = BLOCK.replace_all(words, "Block");
    UNIT.replace_all(&words, |unit: &Captures<'_>| {
        format!("{} dash {}", digits(&unit[1]), digits(&unit[2]))
    })
    .into_owned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn addresses_are_written_as_they_are_said() {
        assert_eq!(
            speakable("Blk 12 Bedok, #08-123"),
            "Block 12 Bedok, zero eight dash one two three"
        );
        assert_eq!(speakable("I'm thirty-four."), "I'm thirty-four.");
    }

    fn caller() -> Caller {
        crate::caller::from_toml(
            "category = 'c'\n[[caller]]\nid = 'x'\nwho = 'w'\nopening = ['(silence)', 'I feel low.']\n\
             answers.address = 'Blk 5 #02-3'\nhangs_up_after = 3\nexpect.agency = 'none'",
        )
        .unwrap()
        .remove(0)
    }

    #[test]
    fn what_is_asked_is_answered_as_by_text() {
        let heard = "{\"heard\": \"Are you safe?\"}\n{\"heard\": \"Are you there?\"}\n\
                     {\"heard\": \"What is your address?\"}\n{\"heard\": \"Thank you.\"}\n";
        let mut said = Vec::new();
        answer(&caller(), heard.as_bytes(), &mut said).unwrap();
        assert_eq!(
            String::from_utf8(said).unwrap(),
            "{\"wait\":1}\n{\"say\":\"I feel low.\"}\n\
             {\"say\":\"Block 5 zero two dash three\"}\n{\"hang_up\":true}\n"
        );
    }

    #[test]
    fn a_line_that_tells_nothing_heard_is_refused() {
        let error = answer(&caller(), "hello\n".as_bytes(), Vec::new()).unwrap_err();
        assert!(error.to_string().contains("hello"), "{error}");
    }
}
