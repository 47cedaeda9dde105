//! From a transcript to plain tokens that patterns can be written against.
//!
//! Lower case, contractions undone, fillers and Singlish particles dropped, clause boundaries as a
//! token of their own (`|`). Every token remembers which words of the caller's it came from, so
//! that evidence can be quoted as it was said. It finds no meaning.

use std::{collections::HashMap, ops::Range, sync::LazyLock};

use serde::Deserialize;

use super::language::{self, WordSet};

/// The clause boundary in [`Text::plain`].
pub(crate) const BOUNDARY: &str = "|";

/// Longest transcript read, in bytes; a longer one is cut at a character. A person's turn is far
/// shorter, and understanding must stay quick.
const LONGEST: usize = 6_000;

/// The words of spelling.toml.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Spelling {
    dropped: WordSet,
    before_so: WordSet,
    called_ah: WordSet,
    begins_a_clause: WordSet,
    opening_answers: WordSet,
    after_an_opening_answer: WordSet,
    plain: HashMap<String, Vec<String>>,
}

static SPELLING: LazyLock<Spelling> = LazyLock::new(|| language::file("spelling.toml"));

/// Plain words by what is said for them.
static PLAIN: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let plain = SPELLING.plain.iter();
    plain
        .flat_map(|(plain, said)| said.iter().map(|said| (said.as_str(), plain.as_str())))
        .collect()
});

/// One turn, made plain.
#[derive(Debug)]
pub(crate) struct Text<'a> {
    original: &'a str,
    /// Tokens joined by single spaces; what patterns match.
    plain: String,
    tokens: Vec<Token>,
}

#[derive(Debug, Clone)]
pub(crate) struct Token {
    /// Where in the plain text.
    pub plain: Range<usize>,
    /// Where in the caller's words; a boundary's is empty.
    pub original: Range<usize>,
    /// The caller's word begins with a capital.
    pub capital: bool,
}

impl<'a> Text<'a> {
    pub fn new(words: &'a str) -> Self {
        let mut end = words.len().min(LONGEST);
        while !words.is_char_boundary(end) {
            end -= 1;
        }
        let original = &words[..end];
        let mut text = Self {
            original,
            plain: String::with_capacity(end + 16),
            tokens: Vec::new(),
        };
        let words = split(original);
        for (i, word) in words.iter().enumerate() {
            let next = words.get(i + 1).map(|next| &original[next.clone()]);
            text.read(word.clone(), next);
        }
        text.mark_opening_answer();
        text
    }

    pub fn plain(&self) -> &str {
        &self.plain
    }

    pub fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    pub fn word(&self, index: usize) -> &str {
        &self.plain[self.tokens[index].plain.clone()]
    }

    pub fn words(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.tokens
            .iter()
            .map(|token| &self.plain[token.plain.clone()])
    }

    /// How many words there are, boundaries not counted.
    pub fn word_count(&self) -> usize {
        self.words().filter(|word| *word != BOUNDARY).count()
    }

    /// The tokens that a stretch of the plain text covers.
    pub fn tokens_in(&self, plain: &Range<usize>) -> Range<usize> {
        let start = self
            .tokens
            .partition_point(|token| token.plain.end <= plain.start);
        let end = self
            .tokens
            .partition_point(|token| token.plain.start < plain.end);
        start..end.max(start)
    }

    /// The clause a token stands in, as a range of tokens without its boundaries.
    pub fn clause(&self, token: usize) -> Range<usize> {
        let start = (0..token)
            .rev()
            .find(|i| self.word(*i) == BOUNDARY)
            .map_or(0, |i| i + 1);
        let end = (token..self.tokens.len())
            .find(|i| self.word(*i) == BOUNDARY)
            .unwrap_or(self.tokens.len());
        start..end
    }

    /// All clauses, in order, none empty.
    pub fn clauses(&self) -> Vec<Range<usize>> {
        let mut clauses = Vec::new();
        let mut start = 0;
        for index in 0..=self.tokens.len() {
            if index == self.tokens.len() || self.word(index) == BOUNDARY {
                if index > start {
                    clauses.push(start..index);
                }
                start = index + 1;
            }
        }
        clauses
    }

    /// The plain text of some tokens.
    pub fn slice(&self, tokens: Range<usize>) -> &str {
        if tokens.is_empty() {
            return "";
        }
        &self.plain[self.tokens[tokens.start].plain.start..self.tokens[tokens.end - 1].plain.end]
    }

    /// The caller's own words for some tokens.
    pub fn quote(&self, tokens: Range<usize>) -> &'a str {
        let mut spoken = self.tokens[tokens]
            .iter()
            .filter(|token| !token.original.is_empty());
        let Some(first) = spoken.next() else {
            return "";
        };
        let end = spoken.next_back().unwrap_or(first).original.end;
        &self.original[first.original.start..end]
    }

    /// Whether the boundary at this token was a question mark.
    pub fn boundary_is_question(&self, boundary: usize) -> bool {
        let before = boundary
            .checked_sub(1)
            .map_or(0, |i| self.tokens[i].original.end);
        self.original[before..].trim_start().starts_with('?')
    }

    /// Whether the caller's words for these tokens stand between quotation marks.
    pub fn is_quoted(&self, tokens: &Range<usize>) -> bool {
        let Some(first) = self.tokens[tokens.clone()]
            .iter()
            .find(|token| !token.original.is_empty())
        else {
            return false;
        };
        let (before, after) = self.original.split_at(first.original.start);
        // An opening mark stands before a word, and an apostrophe inside one.
        let opened = before.char_indices().rev().find_map(|(at, c)| {
            let opens = matches!(c, '"' | '“' | '‘' | '\'')
                && before[..at]
                    .chars()
                    .next_back()
                    .is_none_or(char::is_whitespace);
            let closes = matches!(c, '"' | '”' | '’' | '\'')
                && before[at + c.len_utf8()..]
                    .chars()
                    .next()
                    .is_some_and(char::is_whitespace);
            (opens || closes).then_some(opens)
        });
        opened == Some(true) && after.contains(['"', '”', '’', '\''])
    }

    /// Puts other words in the place of some; what was said stays as the evidence.
    pub fn replace(&mut self, tokens: Range<usize>, words: &str) {
        let original =
            self.tokens[tokens.start].original.start..self.tokens[tokens.end - 1].original.end;
        let capital = self.tokens[tokens.start].capital;
        let mut kept: Vec<(String, Range<usize>, bool)> = Vec::with_capacity(self.tokens.len());
        for (i, token) in self.tokens.iter().enumerate() {
            if i == tokens.start {
                kept.extend(
                    words
                        .split(' ')
                        .map(|word| (word.to_owned(), original.clone(), capital)),
                );
            }
            if !tokens.contains(&i) {
                kept.push((
                    self.plain[token.plain.clone()].to_owned(),
                    token.original.clone(),
                    token.capital,
                ));
            }
        }
        self.plain.clear();
        self.tokens.clear();
        for (word, original, capital) in kept {
            if !self.plain.is_empty() {
                self.plain.push(' ');
            }
            let start = self.plain.len();
            self.plain.push_str(&word);
            self.tokens.push(Token {
                plain: start..self.plain.len(),
                original,
                capital,
            });
        }
    }

    fn read(&mut self, word: Range<usize>, next: Option<&str>) {
        let raw = &self.original[word.clone()];
        if raw.chars().all(|c| !c.is_alphanumeric()) {
            if raw.chars().any(is_boundary) {
                self.push_boundary();
            }
            return;
        }
        let lower: String = raw
            .chars()
            .flat_map(char::to_lowercase)
            .map(|c| {
                if matches!(c, '’' | '‘' | '`' | 'ʼ') {
                    '\''
                } else {
                    c
                }
            })
            .collect();
        let before = self.plain.rsplit(' ').next().unwrap_or_default();
        let answers = lower == "so" && SPELLING.before_so.has(before);
        // "Chan Kwok Wah."
        let ends_a_name = raw == "Wah" && self.tokens.last().is_some_and(|token| token.capital);
        // "Uh-huh", "mm-hmm": an answer.
        let affirms = matches!(lower.as_str(), "uh" | "mm")
            && next.is_some_and(|next| {
                ["huh", "hmm"]
                    .iter()
                    .any(|it| next.eq_ignore_ascii_case(it))
            })
            || lower == "hmm" && before == "mm";
        let kept = answers || ends_a_name || affirms || part_of_a_name(raw, next);
        if SPELLING.dropped.has(&lower) && !kept {
            return;
        }
        for token in expand(&lower).split(' ').filter(|token| !token.is_empty()) {
            if SPELLING.begins_a_clause.has(token) {
                self.push_boundary();
            }
            self.push(token, word.clone());
        }
    }

    fn push(&mut self, token: &str, original: Range<usize>) {
        if !self.plain.is_empty() {
            self.plain.push(' ');
        }
        let start = self.plain.len();
        // Patterns are ASCII, which keeps them small; the caller's words are quoted by place.
        self.plain
            .extend(token.chars().map(|c| if c.is_ascii() { c } else { 'x' }));
        let capital = self.original[original.clone()]
            .chars()
            .next()
            .is_some_and(char::is_uppercase);
        self.tokens.push(Token {
            plain: start..self.plain.len(),
            original,
            capital,
        });
    }

    fn push_boundary(&mut self) {
        if self
            .tokens
            .last()
            .is_some_and(|last| self.plain[last.plain.clone()] != *BOUNDARY)
        {
            self.push(BOUNDARY, 0..0);
        }
    }

    /// Transcripts often lack the comma after an opening "no" or "yes": without a boundary there,
    /// "no he hit me" would read as "he did not hit me".
    fn mark_opening_answer(&mut self) {
        if self.tokens.len() < 2 {
            return;
        }
        let opens = SPELLING.opening_answers.has(self.word(0));
        let subject = SPELLING.after_an_opening_answer.has(self.word(1));
        if !(opens && subject) {
            return;
        }
        let at = self.tokens[0].plain.end;
        self.plain.insert_str(at, " |");
        for token in &mut self.tokens[1..] {
            token.plain = token.plain.start + 2..token.plain.end + 2;
        }
        self.tokens.insert(
            1,
            Token {
                plain: at + 1..at + 2,
                original: 0..0,
                capital: false,
            },
        );
    }
}

/// "Ah Seng", "ah ma": here it is no particle.
fn part_of_a_name(raw: &str, next: Option<&str>) -> bool {
    let named = next.is_some_and(|next| next.starts_with(char::is_uppercase));
    raw == "Ah" && named
        || raw.eq_ignore_ascii_case("ah")
            && next.is_some_and(|next| SPELLING.called_ah.has(&next.to_lowercase()))
}

/// Words and stretches of punctuation. `#04-567` and `3:30` stay whole.
fn split(text: &str) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut start: Option<(usize, bool)> = None;
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    for (i, (at, c)) in chars.iter().enumerate() {
        let next = chars.get(i + 1).map(|(_, c)| *c);
        let inside = start.is_some_and(|(_, word)| word);
        let joins = inside
            && (matches!(c, '\'' | '’' | '‘' | 'ʼ' | '`')
                && next.is_some_and(char::is_alphanumeric)
                || matches!(c, ':' | '/' | '.' | ',')
                    && next.is_some_and(|n| n.is_ascii_digit())
                    && chars[i - 1].1.is_ascii_digit()
                || *c == '-' && next.is_some_and(|n| n.is_ascii_digit()));
        let word =
            c.is_alphanumeric() || joins || *c == '#' && next.is_some_and(|n| n.is_ascii_digit());
        let space = c.is_whitespace() && *c != '\n' || *c == '-' && !word;
        match start {
            Some((from, kind)) if space || kind != word => {
                words.push(from..*at);
                start = (!space).then_some((*at, word));
            }
            None if !space => start = Some((*at, word)),
            _ => {}
        }
    }
    if let Some((from, _)) = start {
        words.push(from..text.len());
    }
    words
}

fn is_boundary(c: char) -> bool {
    matches!(
        c,
        '.' | ','
            | '!'
            | '?'
            | ';'
            | ':'
            | '…'
            | '—'
            | '–'
            | '\n'
            | '('
            | ')'
            | '。'
            | '，'
            | '"'
            | '“'
            | '”'
    )
}

fn expand(word: &str) -> std::borrow::Cow<'_, str> {
    if let Some(plain) = PLAIN.get(word) {
        return (*plain).into();
    }
    if let Some((stem, tail)) = word.rsplit_once('\'') {
        let tail = match tail {
            "t" if stem.ends_with('n') => return format!("{} not", &stem[..stem.len() - 1]).into(),
            "re" => "are",
            "ve" => "have",
            "ll" => "will",
            other => other,
        };
        return format!("{} {tail}", stem.replace('\'', "")).into();
    }
    word.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(words: &str, plain: &str) {
        assert_eq!(Text::new(words).plain(), plain, "{words}");
    }

    #[test]
    fn a_transcript_becomes_plain_tokens() {
        check("I'm fine, really.", "i am fine |");
        check("He’s hitting me lah!", "he is hitting me |");
        check("I dont wanna talk", "i do not want to talk");
        check("my husband's brother", "my husband s brother");
        check(
            "Block 123 Ang Mo Kio Ave 3 #04-567",
            "block 123 ang mo kio ave 3 #04-567",
        );
        check("um, so — he hit me", "he hit me");
        check("he hit me but I'm ok", "he hit me | but i am ok");
        check("seventy-two, retired", "seventy two | retired");
        check("", "");
        check("... !!", "");
    }

    #[test]
    fn an_opening_no_stands_alone() {
        check("no he hit me", "no | he hit me");
        check("no one hit me", "no one hit me");
        check("yes my husband", "yes | my husband");
    }

    #[test]
    fn evidence_is_quoted_as_it_was_said() {
        let text = Text::new("Well, he's HITTING me!");
        let clause = text.clause(3);
        assert_eq!(text.quote(clause), "he's HITTING me");
    }

    #[test]
    fn an_endless_turn_is_cut_at_a_character() {
        let endless = "é".repeat(10_000);
        assert!(Text::new(&endless).plain().len() <= LONGEST);
    }
}
