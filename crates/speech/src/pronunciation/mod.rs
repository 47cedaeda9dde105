//! How written words are said: numbers to ring digit by digit, agencies and names as people say them.
//!
//! It changes only what is said, never what is shown or recorded, and leaves quantities and years to the voice.
//! It is the same for every voice; each takes the outcome in the form that it can read.

mod figures;
mod lexicon;
mod numbers;

use lexicon::Lexicon;
use redact::Secret;

/// A sentence as it is to be said. Its `Debug` shows no words.
#[derive(Clone, PartialEq, Eq)]
pub struct Spoken(Vec<Piece>);

impl std::fmt::Debug for Spoken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Spoken").finish_non_exhaustive()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Plain(String),
    /// With capital letters that are said one by one.
    Letters(String),
    Name {
        /// The punctuation around the name.
        opening: String,
        closing: String,
        written: String,
        phonemes: String,
        respelled: Option<String>,
    },
}

/// The sentence, ready to be said.
pub(crate) fn prepare(sentence: &str) -> Spoken {
    let lexicon = Lexicon::shipped();
    let sentence = plain(sentence);
    let words: Vec<&str> = sentence.split_ascii_whitespace().collect();
    let mut pieces = Vec::with_capacity(words.len());
    let mut rest = words.as_slice();
    let mut before = "";
    while let Some(&word) = rest.first() {
        let taken = if let Some((digits, taken)) = numbers::to_ring(rest, before, lexicon) {
            pieces.push(Piece::Plain(digits));
            taken
        } else if let Some((figure, taken)) = figures::read(rest, before, lexicon) {
            pieces.push(figure);
            taken
        } else if let Some((name, taken)) = lexicon.name(rest) {
            pieces.push(name);
            taken
        } else {
            pieces.push(say(word, lexicon));
            1
        };
        before = rest[taken - 1];
        rest = &rest[taken..];
    }
    Spoken(pieces)
}

/// The words with agencies as they are said, and all else as it is written: for who reads what would be heard.
pub fn agencies_as_said(words: &Secret<String>) -> Secret<String> {
    let lexicon = Lexicon::shipped();
    let said = words.expose_secret().split(' ').map(|word| {
        let (opening, name, closing) = bare(word);
        match lexicon.heard_as(name) {
            Some(heard) => format!("{opening}{heard}{closing}"),
            None => word.to_owned(),
        }
    });
    Secret::new(said.collect::<Vec<_>>().join(" "))
}

impl Spoken {
    pub fn of(sentence: &str) -> Self {
        prepare(sentence)
    }

    /// In plain letters, for a voice that knows no phonemes.
    pub fn in_letters(&self) -> String {
        self.joined(|piece| match piece {
            Piece::Plain(words) | Piece::Letters(words) => words.clone(),
            Piece::Name {
                opening,
                closing,
                written,
                respelled,
                ..
            } => {
                let said = respelled.as_ref().unwrap_or(written);
                format!("{opening}{said}{closing}")
            }
        })
    }

    /// In plain letters, with names as they are written: for a voice that knows more names than respelling would help.
    pub fn with_names_as_written(&self) -> String {
        self.joined(|piece| match piece {
            Piece::Plain(words) | Piece::Letters(words) => words.clone(),
            Piece::Name {
                opening,
                closing,
                written,
                ..
            } => format!("{opening}{written}{closing}"),
        })
    }

    /// As `misaki` reads it: a name with its phonemes beside it.
    pub fn marked_up(&self) -> String {
        self.joined(|piece| match piece {
            Piece::Plain(words) => words.clone(),
            // Alone, an A would be the article, whatever sounds stand beside it: see below.
            Piece::Letters(letters) => letters
                .split(' ')
                .map(|letter| match letter.strip_prefix('A') {
                    Some(after) => format!("[xza](/ˈA/){after}"),
                    None => letter.to_owned(),
                })
                .collect::<Vec<_>>()
                .join(" "),
            Piece::Name {
                opening,
                closing,
                written,
                phonemes,
                ..
            } => {
                // One token, for that is what the phonemes replace: no spaces, hyphens or capitals within. A word
                // that misaki knows would be said as it knows it: no word begins so.
                let written: String = written
                    .chars()
                    .filter(char::is_ascii_alphabetic)
                    .map(|letter| letter.to_ascii_lowercase())
                    .collect();
                format!("{opening}[xz{written}](/{phonemes}/){closing}")
            }
        })
    }

    /// Whether there is anything to say.
    pub fn is_silent(&self) -> bool {
        !self
            .in_letters()
            .contains(|c: char| c.is_ascii_alphanumeric())
    }

    fn joined(&self, piece: impl Fn(&Piece) -> String) -> String {
        self.0.iter().map(piece).collect::<Vec<_>>().join(" ")
    }
}

/// How long a prepared word is said, in letters of ordinary words: figures and what cannot be read as a word take longer
/// than they are written.
pub(crate) fn letters_said(word: &str) -> usize {
    /// "999" is "nine hundred and ninety nine".
    const OF_A_FIGURE: usize = 8;
    /// "W" is "double you", and so is each of what holds no vowel.
    const OF_A_SPELLED_LETTER: usize = 4;
    let is_vowel = |letter: char| "aeiouyAEIOUY".contains(letter);
    let of_a_letter = match word.contains(is_vowel) {
        true => 1,
        false => OF_A_SPELLED_LETTER,
    };
    word.chars()
        .map(|character| match character {
            '0'..='9' => OF_A_FIGURE,
            letter if letter.is_ascii_alphabetic() => of_a_letter,
            _ => 1,
        })
        .sum()
}

/// Plain ASCII on one line. flite reads bytes, and knows no others; brackets would be taken for phonemes.
fn plain(sentence: &str) -> String {
    let mut text = String::with_capacity(sentence.len());
    for character in sentence.chars() {
        match character {
            '\u{2018}' | '\u{2019}' => text.push('\''),
            '\u{201c}' | '\u{201d}' => text.push('"'),
            '\u{2013}' | '\u{2014}' => text.push_str(", "),
            '\u{2026}' => text.push_str("..."),
            'à'..='å' | 'À'..='Å' => text.push('a'),
            'è'..='ë' | 'È'..='Ë' => text.push('e'),
            'ì'..='ï' | 'Ì'..='Ï' => text.push('i'),
            'ò'..='ö' | 'Ò'..='Ö' => text.push('o'),
            'ù'..='ü' | 'Ù'..='Ü' => text.push('u'),
            'ñ' | 'Ñ' => text.push('n'),
            'ç' | 'Ç' => text.push('c'),
            '[' | ']' => text.push(' '),
            ' '..='~' => text.push(character),
            _ => text.push(' '),
        }
    }
    text
}

/// A word without the punctuation around it, and that punctuation.
fn bare(word: &str) -> (&str, &str, &str) {
    let bare = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    let start = word.find(bare).unwrap_or(0);
    (&word[..start], bare, &word[start + bare.len()..])
}

fn say(word: &str, lexicon: &Lexicon) -> Piece {
    let (opening, name, closing) = bare(word);
    let (name, ending) = match name.strip_suffix("'s") {
        Some(name) => (name, "'s"),
        None => (name, ""),
    };
    if lexicon.is_spelled(name) {
        let letters: Vec<String> = name.chars().map(String::from).collect();
        return Piece::Letters(format!("{opening}{}{ending}{closing}", letters.join(" ")));
    }
    Piece::Plain(match lexicon.said(name) {
        Some(said) => format!("{opening}{said}{ending}{closing}"),
        None => word.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_letters(written: &str) -> String {
        prepare(written).in_letters()
    }

    #[test]
    fn agencies_are_said_as_people_say_them() {
        assert_eq!(
            in_letters("D-VERT, PAVE and NAVH can help; so can SOS."),
            "D vert, pave and N A V H can help; so can S O S."
        );
        assert_eq!(in_letters("NAVH's line (SPF)"), "N A V H's line (S P F)");
    }

    #[test]
    fn who_reads_along_sees_the_agencies_as_they_are_heard() {
        let words = Secret::new("Shall I tell the DVERT team, or PAVE? Or ring 999.".to_owned());
        assert_eq!(
            agencies_as_said(&words).expose_secret(),
            "Shall I tell the D-vert team, or pave? Or ring 999."
        );
    }

    #[test]
    fn other_words_stay_as_they_are() {
        assert_eq!(in_letters("We pave the way."), "We pave the way.");
    }

    #[test]
    fn a_letter_a_is_said_as_a_letter() {
        assert_eq!(prepare("Ring NAVH.").marked_up(), "Ring N [xza](/ˈA/) V H.");
    }

    #[test]
    fn names_come_with_their_sounds_and_the_punctuation_around_them() {
        let spoken = prepare("Is it Ang Mo Kio?");
        assert_eq!(spoken.marked_up(), "Is it [xzangmokio](/ˈɑŋ mˈO kiˈO/)?");
        assert_eq!(spoken.in_letters(), "Is it ahng mow kee oh?");
    }

    #[test]
    fn what_a_caller_says_cannot_name_phonemes() {
        assert_eq!(
            prepare("Thank you, [Sam](/x/).").marked_up(),
            "Thank you, Sam (/x/)."
        );
    }

    #[test]
    fn only_plain_ascii_reaches_the_voice() {
        assert_eq!(
            in_letters("“I’m here” — take your time…\nJosé 你好\0"),
            "\"I'm here\" , take your time... Jose"
        );
    }
}
