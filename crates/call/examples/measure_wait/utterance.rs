//! What is said: a file of "kind: words", with pauses within as seconds in brackets.

use std::path::Path;
use std::time::Duration;

/// One turn of a caller.
#[derive(Debug, Clone)]
pub struct Utterance {
    /// What is hard about it: "finished" is nothing.
    pub kind: String,
    pub first: String,
    /// Each after its pause.
    pub rest: Vec<(Duration, String)>,
}

impl Utterance {
    pub fn parts(&self) -> impl Iterator<Item = &str> {
        let rest = self.rest.iter().map(|(_, part)| part.as_str());
        std::iter::once(self.first.as_str()).chain(rest)
    }

    pub fn whole(&self) -> String {
        self.parts().collect::<Vec<_>>().join(" ")
    }
}

pub fn read(file: &Path) -> Vec<Utterance> {
    let text = std::fs::read_to_string(file).expect("the file of utterances can be read");
    let lines = text.lines().map(str::trim);
    lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(parse)
        .collect()
}

fn parse(line: &str) -> Utterance {
    let (kind, said) = line.split_once(": ").expect("an utterance has a kind");
    let mut parts = said.split('[');
    let first = spoken(parts.next().unwrap_or_default());
    let rest = parts.map(|part| {
        let (seconds, words) = part.split_once(']').expect("a pause ends with a bracket");
        let seconds = seconds.parse().expect("a pause is a number of seconds");
        (Duration::from_secs_f64(seconds), spoken(words))
    });
    Utterance {
        kind: kind.to_owned(),
        first,
        rest: rest.collect(),
    }
}

/// A part that ends without a mark goes on: a comma tells a voice so.
fn spoken(part: &str) -> String {
    let part = part.trim();
    match part.ends_with(['.', ',', '?', '!']) {
        true => part.to_owned(),
        false => format!("{part},"),
    }
}
