//! What a program's assistant says beside the helpline's own words: a sentence before the greeting's, what it knows, and the
//! phrases after which it hangs up. None of it comes in the place of what the flow decides; where a caller may be in danger it
//! is not heard of.

use redact::Secret;

use crate::text::{plain, sentences};

/// What a program's assistant says beside the helpline's own words. Its `Debug` shows no words.
#[derive(Debug, Clone, Default)]
pub struct ProgramsWords {
    first: Vec<Secret<String>>,
    end_phrases: Vec<Secret<String>>,
    sections: Vec<Section>,
}

/// A piece of what a program has written down, found by its heading.
#[derive(Debug, Clone)]
struct Section {
    id: String,
    /// The words of it that carry meaning.
    heading: Vec<Secret<String>>,
    answer: Secret<String>,
}

/// A first message goes on for so long at most: a caller in danger waits for the question behind it.
const LONGEST_FIRST: usize = 300;
/// As much of an answer as somebody can listen to.
const LONGEST_ANSWER: usize = 300;
const MOST_SENTENCES: usize = 2;
/// What is looked through for one question.
const MOST_SECTIONS: usize = 500;
const MOST_PHRASES: usize = 50;

impl ProgramsWords {
    /// Said before the greeting: whole sentences, as many as a caller can be let wait for. Those that ask something are left out:
    /// a yes must be an answer to whether the caller is safe.
    pub fn saying_first(mut self, message: &str) -> Self {
        let mut length = 0;
        let first = sentences(message).take_while(|sentence| {
            length += sentence.chars().count();
            length <= LONGEST_FIRST
        });
        self.first = first
            .filter(|sentence| is_plain(sentence))
            .map(|sentence| Secret::new(sentence.to_owned()))
            .collect();
        self
    }

    /// What is said last in a call that the assistant ends, as far as it can be said: `None` where nothing of it can.
    pub fn parting(message: &str) -> Option<String> {
        Self::sayable(message)
    }

    /// Whole sentences that ask nothing, as many as a caller can be let wait for: `None` where there are none.
    pub(crate) fn sayable(message: &str) -> Option<String> {
        let mut length = 0;
        let said = sentences(message).take_while(|sentence| {
            length += sentence.chars().count();
            length <= LONGEST_FIRST
        });
        let said: Vec<&str> = said.filter(|sentence| is_plain(sentence)).collect();
        (!said.is_empty()).then(|| said.join(" "))
    }

    /// Heard from the assistant, they end a call: see `Conversation::take_reply`.
    pub fn ending_with<'p>(mut self, phrases: impl IntoIterator<Item = &'p str>) -> Self {
        let phrases = phrases.into_iter().take(MOST_PHRASES);
        let phrases = phrases.map(plain);
        self.end_phrases = phrases
            .filter(|phrase| !phrase.trim().is_empty())
            .map(Secret::new)
            .collect();
        self
    }

    /// Adds what is written in a text, which is Markdown or plain, under its headings. How many of them can be told: one needs a heading and,
    /// below it, a sentence that asks nothing.
    pub fn know(&mut self, text: &str) -> usize {
        let before = self.sections.len();
        for (heading, body) in under_headings(text) {
            let heading = meaningful(&heading);
            let answer = told_of(&body);
            if heading.is_empty() || answer.is_empty() || self.sections.len() >= MOST_SECTIONS {
                continue;
            }
            self.sections.push(Section {
                id: format!("program-{}", self.sections.len() + 1),
                heading: heading.into_iter().map(Secret::new).collect(),
                answer: Secret::new(answer),
            });
        }
        self.sections.len() - before
    }

    pub(crate) fn first(&self) -> Vec<String> {
        let first = self.first.iter();
        first.map(|it| it.expose_secret().clone()).collect()
    }

    /// Whether one of the phrases is in one of these sentences.
    pub(crate) fn ends_with(&self, sentences: &[Secret<String>]) -> bool {
        let said: Vec<String> = sentences
            .iter()
            .map(|sentence| plain(sentence.expose_secret()))
            .collect();
        self.end_phrases.iter().any(|phrase| {
            let phrase = phrase.expose_secret();
            said.iter().any(|sentence| sentence.contains(phrase))
        })
    }

    /// The section that answers a caller's question: it holds every word of the section's heading that carries meaning. Of
    /// several, the one that says more in its heading, then the first.
    pub(crate) fn look_up(&self, question: &Secret<String>) -> Option<&str> {
        let asked = meaningful(question.expose_secret());
        let answers = |section: &&Section| {
            let mut heading = section.heading.iter();
            heading.all(|word| asked.contains(word.expose_secret()))
        };
        let answering = self.sections.iter().filter(answers);
        let best =
            answering.reduce(
                |best, section| match section.heading.len() > best.heading.len() {
                    true => section,
                    false => best,
                },
            );
        best.map(|section| section.id.as_str())
    }

    pub(crate) fn answer(&self, id: &str) -> Option<&str> {
        let section = self.sections.iter().find(|section| section.id == id);
        section.map(|section| section.answer.expose_secret().as_str())
    }
}

/// It can be said as it stands: it asks nothing, and nothing of a caller's is filled into it.
fn is_plain(sentence: &str) -> bool {
    !sentence.contains(['?', '{', '}'])
}

/// The first sentences below a heading that can be told.
fn told_of(body: &str) -> String {
    let mut told = String::new();
    // What follows a question may be the answer to it alone.
    let plain = sentences(body).take_while(|sentence| is_plain(sentence));
    for sentence in plain.take(MOST_SENTENCES) {
        if told.chars().count() + sentence.chars().count() > LONGEST_ANSWER {
            break;
        }
        if !told.is_empty() {
            told.push(' ');
        }
        told.push_str(sentence);
        if !sentence.ends_with(['.', '!']) {
            told.push('.');
        }
    }
    told
}

/// Each heading with what stands below it. Of Markdown, a line that begins with `#`; where there is none, the first line of a block
/// that is short and no sentence.
fn under_headings(text: &str) -> Vec<(String, String)> {
    let is_markdown = text.lines().any(|line| line.starts_with('#'));
    let mut sections: Vec<(String, String)> = Vec::new();
    let mut after_a_gap = true;
    for line in text.lines() {
        let heading = match is_markdown {
            true => line.starts_with('#').then(|| {
                line.trim_start_matches('#')
                    .trim()
                    .trim_end_matches('#')
                    .trim()
            }),
            false => (after_a_gap && is_a_title(line)).then(|| line.trim()),
        };
        after_a_gap = line.trim().is_empty();
        match (heading, sections.last_mut()) {
            (Some(heading), _) => sections.push((heading.to_owned(), String::new())),
            (None, Some((_, body))) => {
                body.push_str(plain_line(line));
                body.push('\n');
            }
            // What stands before the first heading is found by nothing.
            (None, None) => {}
        }
    }
    sections
}

fn is_a_title(line: &str) -> bool {
    const WORDS: usize = 8;
    let line = line.trim();
    !line.is_empty() && !line.ends_with(['.', '!', ',', ';']) && line.split(' ').count() <= WORDS
}

/// Without the marks of a list or a quotation.
fn plain_line(line: &str) -> &str {
    line.trim().trim_start_matches(['-', '*', '>', '+']).trim()
}

/// The words that carry meaning, each once, without a plural's ending.
fn meaningful(text: &str) -> Vec<String> {
    const OTHERS: &[&str] = &[
        "a", "about", "am", "an", "and", "any", "are", "as", "at", "be", "by", "can", "could",
        "do", "does", "for", "from", "get", "had", "has", "have", "how", "i", "if", "im", "in",
        "is", "it", "its", "may", "me", "my", "no", "of", "on", "or", "our", "should", "that",
        "the", "their", "there", "they", "this", "to", "us", "was", "we", "what", "whats", "when",
        "where", "which", "who", "why", "will", "with", "would", "yes", "you", "your", "yours",
    ];
    let mut words: Vec<String> = Vec::new();
    for word in plain(text).split_whitespace() {
        if OTHERS.contains(&word) {
            continue;
        }
        let stem = match word.len() > 3 && !word.ends_with("ss") {
            true => word.strip_suffix('s').unwrap_or(word),
            false => word,
        };
        if !words.iter().any(|known| known == stem) {
            words.push(stem.to_owned());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(message: &str) -> Vec<String> {
        ProgramsWords::default().saying_first(message).first()
    }

    #[test]
    fn a_first_message_is_said_without_what_it_asks() {
        assert_eq!(
            first("Hi, this is Mei of Team 3.5. How are you? We are open all night!"),
            ["Hi, this is Mei of Team 3.5.", "We are open all night!"]
        );
        assert!(first("How can I help you today?").is_empty());
        assert!(first("Hello {{name}}").is_empty());
        assert!(first(" \n ").is_empty());
    }

    #[test]
    fn a_first_message_lets_nobody_wait_for_long() {
        let long = "This is one more sentence about our services. ".repeat(50);
        let said: usize = first(&long).iter().map(|it| it.chars().count()).sum();
        assert!((200..=LONGEST_FIRST).contains(&said), "{said}");
    }

    fn answer(text: &str, question: &str) -> Option<String> {
        let mut words = ProgramsWords::default();
        words.know(text);
        let id = words.look_up(&Secret::new(question.to_owned()))?;
        words.answer(id).map(str::to_owned)
    }

    #[test]
    fn a_question_with_the_words_of_a_heading_is_answered_with_what_stands_below_it() {
        let text = "# Opening hours\n\nThe office is open from nine to six. Is it open on Sundays? It is not.\n\n\
                    Ask for Mei.\n\n## Parking\n- Behind the house";
        let hours = "The office is open from nine to six.";
        assert_eq!(
            answer(text, "what are your opening hours").as_deref(),
            Some(hours)
        );
        assert_eq!(
            answer(text, "where is the parking?").as_deref(),
            Some("Behind the house.")
        );
        assert_eq!(answer(text, "when do you open"), None);
        assert_eq!(answer(text, ""), None);
    }

    #[test]
    fn plain_text_has_its_headings_in_lines_of_their_own() {
        let text = "Opening hours\nWe are open from nine to six.\n\nThis is a sentence.\nIt has no heading.";
        assert_eq!(
            answer(text, "opening hours please").as_deref(),
            Some("We are open from nine to six. This is a sentence.")
        );
    }

    #[test]
    fn what_has_no_heading_can_be_told_to_nobody() {
        let mut words = ProgramsWords::default();
        assert_eq!(words.know("who helps at night."), 0);
        assert_eq!(words.know("# Heading alone"), 0);
        assert_eq!(words.know("# About\nThere is no word in that heading."), 0);
        assert_eq!(words.know("# Parking\nBehind the house."), 1);
    }

    #[test]
    fn phrases_are_heard_whole_and_in_any_case() {
        let words = ProgramsWords::default().ending_with(["Good bye", " ", "talk to you soon."]);
        let ends = |said: &str| words.ends_with(&[Secret::new(said.to_owned())]);
        assert!(ends("Then good bye, and take care."));
        assert!(ends("I'll talk to you soon!"));
        assert!(!ends("A good byelaw."));
        assert!(!ends("Take care."));
    }
}
