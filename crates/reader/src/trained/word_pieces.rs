//! BERT's uncased word pieces: how the encoder's words are cut up.
//!
//! The scheme is fixed by the weights: text is lower-cased and stripped of accents, cut at spaces and
//! punctuation, and each word is spelled by the longest pieces of the vocabulary. It is held to the
//! training program's own cutting by a table of examples.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::OpenError;

/// A word of more characters is not spelled.
const LONGEST_WORD: usize = 100;

pub(super) struct WordPieces {
    ids: HashMap<String, i64>,
    unknown: i64,
    begin: i64,
    end: i64,
}

/// A question and a turn, as the encoder takes them.
pub(super) struct Ids {
    pub pieces: Vec<i64>,
    /// 0 for the question, 1 for the turn.
    pub kinds: Vec<i64>,
    /// 1 everywhere: nothing is padded.
    pub mask: Vec<i64>,
}

impl WordPieces {
    /// A piece a line, its id the line's number from 0.
    pub fn read(vocabulary: &str) -> Result<Self, OpenError> {
        let ids: HashMap<String, i64> = vocabulary.lines().map(str::to_owned).zip(0..).collect();
        let special = |piece: &'static str| {
            let id = ids.get(piece).copied();
            id.ok_or(OpenError::Vocabulary { missing: piece })
        };
        Ok(Self {
            unknown: special("[UNK]")?,
            begin: special("[CLS]")?,
            end: special("[SEP]")?,
            ids,
        })
    }

    /// `[CLS] question [SEP] words [SEP]`, cut from the words' end where it is longer than `longest`.
    pub fn pair(&self, question: &[i64], words: &str, longest: usize) -> Ids {
        let mut pieces = Vec::with_capacity(longest);
        pieces.push(self.begin);
        pieces.extend_from_slice(question);
        pieces.push(self.end);
        let question = pieces.len();
        pieces.extend(self.ids(words));
        pieces.truncate(longest.saturating_sub(1).max(question));
        pieces.push(self.end);
        let kinds = (0..pieces.len())
            .map(|place| i64::from(place >= question))
            .collect();
        Ids {
            mask: vec![1; pieces.len()],
            kinds,
            pieces,
        }
    }

    pub fn ids(&self, text: &str) -> Vec<i64> {
        let mut ids = Vec::new();
        for word in words(text) {
            self.spell(&word, &mut ids);
        }
        ids
    }

    /// The longest pieces first; a word that cannot be spelled to its end is unknown as a whole.
    fn spell(&self, word: &[char], ids: &mut Vec<i64>) {
        let from = ids.len();
        let mut start = 0;
        if word.len() > LONGEST_WORD {
            ids.push(self.unknown);
            return;
        }
        let mut piece = String::new();
        while start < word.len() {
            let found = (start + 1..=word.len()).rev().find_map(|end| {
                piece.clear();
                if start > 0 {
                    piece.push_str("##");
                }
                piece.extend(&word[start..end]);
                self.ids.get(&piece).map(|id| (*id, end))
            });
            let Some((id, end)) = found else {
                ids.truncate(from);
                ids.push(self.unknown);
                return;
            };
            ids.push(id);
            start = end;
        }
    }
}

/// Words and marks of punctuation, in lower case and without accents.
fn words(text: &str) -> Vec<Vec<char>> {
    let mut words: Vec<Vec<char>> = Vec::new();
    let mut open = false;
    let plain = text
        .chars()
        .filter(|c| *c != '\0' && *c != '\u{fffd}' && (!c.is_control() || c.is_whitespace()))
        .nfd()
        .filter(|c| !is_combining_mark(*c))
        .flat_map(char::to_lowercase);
    for c in plain {
        if c.is_whitespace() {
            open = false;
        } else if is_punctuation(c) || is_cjk(c) {
            words.push(vec![c]);
            open = false;
        } else {
            match words.last_mut() {
                Some(word) if open => word.push(c),
                _ => words.push(vec![c]),
            }
            open = true;
        }
    }
    words
}

/// As BERT has it: every ASCII symbol counts, and of the rest what Unicode calls punctuation.
fn is_punctuation(c: char) -> bool {
    c.is_ascii_punctuation()
        || matches!(c, '¡' | '§' | '«' | '¶' | '·' | '»' | '¿')
        || ('\u{2010}'..='\u{2027}').contains(&c)
        || ('\u{2030}'..='\u{205e}').contains(&c)
        || ('\u{3001}'..='\u{3003}').contains(&c)
        || ('\u{3008}'..='\u{3011}').contains(&c)
        || matches!(c, '\u{ff01}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}')
}

fn is_cjk(c: char) -> bool {
    matches!(c, '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{2fa1f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line as the training program cut it up.
    #[derive(serde::Deserialize)]
    struct Example {
        question: String,
        words: String,
        input_ids: Vec<i64>,
        token_type_ids: Vec<i64>,
    }

    #[test]
    fn words_are_cut_up_as_the_training_program_does() {
        let vocabulary = include_str!("../../weights/vocab.txt");
        let pieces = WordPieces::read(vocabulary).expect("the shipped vocabulary");
        let labels =
            crate::trained::labels::Labels::read(include_str!("../../weights/labels.json"))
                .expect("the shipped labels");
        let examples: Vec<Example> =
            serde_json::from_str(include_str!("../../weights/examples.json")).expect("examples");
        assert!(!examples.is_empty());
        for example in examples {
            let question = labels.question_called(&example.question);
            let ids = pieces.pair(&pieces.ids(question), &example.words, 128);
            assert_eq!(ids.pieces, example.input_ids, "{}", example.words);
            assert_eq!(ids.kinds, example.token_type_ids, "{}", example.words);
        }
    }
}
