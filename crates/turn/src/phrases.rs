//! Words that have a part in turn-taking: acknowledgements, interruptions, end-call phrases.
//!
//! Matching is by whole words, without case or punctuation, because a transcriber's are arbitrary.
//! It deliberately does not look for meaning: that is the flow's.

/// A list of phrases to find in what was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phrases {
    phrases: Vec<Vec<String>>,
}

impl Phrases {
    /// Each phrase is one or more words; phrases without a word are left out.
    pub fn new<I>(phrases: I) -> Self
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        let phrases = phrases
            .into_iter()
            .map(|phrase| words_of(phrase.as_ref()))
            .filter(|words| !words.is_empty())
            .collect();
        Self { phrases }
    }

    /// What listeners say to mean "go on", fillers included.
    pub fn acknowledgements() -> Self {
        Self::new([
            "mm",
            "mmm",
            "mhm",
            "mmhm",
            "mmhmm",
            "mm-hmm",
            "mm-mm",
            "hm",
            "hmm",
            "hmmm",
            "uh",
            "uh-huh",
            "huh",
            "um",
            "umm",
            "uhm",
            "er",
            "erm",
            "ah",
            "aha",
            "oh",
            "ya",
            "yah",
            "yeah",
            "yep",
            "yup",
            "yes",
            "right",
            "all right",
            "alright",
            "ok",
            "okay",
            "k",
            "sure",
            "fine",
            "good",
            "i see",
            "i know",
            "i understand",
            "understood",
            "got it",
            "gotcha",
            "of course",
            "exactly",
            "true",
            "thanks",
            "thank you",
            "hello",
            "hi",
            "lah",
            "lor",
            "can",
        ])
    }

    /// What callers say to be heard at once. A crisis line adds "help" to the usual list.
    pub fn interruptions() -> Self {
        Self::new([
            "stop",
            "wait",
            "hold on",
            "hang on",
            "no no",
            "pause",
            "listen",
            "enough",
            "quiet",
            "be quiet",
            "shut up",
            "help",
            "excuse me",
            "one moment",
            "one second",
            "one minute",
            "just a moment",
            "just a second",
            "just a minute",
            "let me speak",
            "let me talk",
            "let me finish",
        ])
    }

    /// Fillers, and words that want another after them: nobody has finished with one. Words that
    /// also end sentences ("so", "that", "on") are left out.
    pub fn leading_on() -> Self {
        Self::new([
            "um", "umm", "uhm", "uh", "er", "erm", "and", "and then", "but", "or", "because",
            "cos", "if", "when", "while", "until", "unless", "whether", "although", "than", "the",
            "a", "an", "my", "your", "his", "our", "their", "this is", "i", "i'm", "he", "he's",
            "she", "she's", "we", "they", "to", "of", "with", "from", "into", "very", "i mean",
        ])
    }

    /// Whether what was said ends with any of the phrases.
    pub fn end(&self, said: &str) -> bool {
        let said = words_of(said);
        self.phrases.iter().any(|phrase| said.ends_with(phrase))
    }

    /// Whether any of the phrases is in what was said.
    pub fn found_in(&self, said: &str) -> bool {
        let said = words_of(said);
        self.phrases.iter().any(|phrase| {
            said.windows(phrase.len())
                .any(|window| window == phrase.as_slice())
        })
    }

    /// Whether what was said is made of these phrases and nothing else.
    pub fn are_all_of(&self, said: &str) -> bool {
        let said = words_of(said);
        // `reached[n]`: the first n words are whole phrases.
        let mut reached = vec![false; said.len() + 1];
        reached[0] = true;
        for start in 0..said.len() {
            if !reached[start] {
                continue;
            }
            for phrase in &self.phrases {
                if said[start..].starts_with(phrase) {
                    reached[start + phrase.len()] = true;
                }
            }
        }
        !said.is_empty() && reached[said.len()]
    }
}

/// Phrases of the assistant after which the call ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndCallPhrases(Phrases);

impl EndCallPhrases {
    pub fn new<I>(phrases: I) -> Self
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        Self(Phrases::new(phrases))
    }

    /// Whether a sentence the assistant says ends the call once it has been heard.
    pub fn ends_call(&self, sentence: &str) -> bool {
        self.0.found_in(sentence)
    }
}

/// The digits that something said ends with, in figures or in words.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct LastDigits {
    pub count: usize,
    /// Nothing else was said.
    pub alone: bool,
}

impl LastDigits {
    pub fn of(said: &str) -> Self {
        let said = words_of(said);
        let digits = |word: &String| match word.as_str() {
            "zero" | "oh" | "one" | "two" | "three" | "four" | "five" | "six" | "seven"
            | "eight" | "nine" => Some(1),
            figures if figures.bytes().all(|byte| byte.is_ascii_digit()) => Some(figures.len()),
            _ => None,
        };
        let last = said.iter().rev().map_while(digits);
        let (words, count) = last.fold((0, 0), |(words, all), count| (words + 1, all + count));
        Self {
            count,
            alone: words > 0 && words == said.len(),
        }
    }
}

/// How many words were said.
pub(crate) fn count_words(said: &str) -> usize {
    words_of(said).len()
}

/// Lower-case words without punctuation. Hyphens part words and apostrophes do not, so "mm-hmm"
/// is two words and "don't" is one. Scripts written without spaces count a word a character.
fn words_of(said: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    for character in said.chars() {
        match character {
            '\'' | '’' | '‘' => {}
            c if is_unspaced(c) => {
                words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
                words.push(c.to_string());
            }
            c if c.is_alphanumeric() => word.extend(c.to_lowercase()),
            _ => words.extend((!word.is_empty()).then(|| std::mem::take(&mut word))),
        }
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

/// Chinese and Japanese letters.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acknowledgements_are_known_whatever_their_case_and_punctuation() {
        let acknowledgements = Phrases::acknowledgements();
        for said in [
            "Mm-hmm.",
            "mm hmm",
            "MMHMM",
            "Okay.",
            "Uh-huh, yeah.",
            "Yes, right, I see.",
            "OK!",
            "Hmm...",
            "All right, thank you.",
        ] {
            assert!(acknowledgements.are_all_of(said), "{said}");
        }
    }

    #[test]
    fn an_acknowledgement_with_anything_more_is_more_than_an_acknowledgement() {
        let acknowledgements = Phrases::acknowledgements();
        for said in [
            "Okay but he",
            "yes he hit me",
            "I",
            "righteous",
            "see",
            "",
            "...",
        ] {
            assert!(!acknowledgements.are_all_of(said), "{said}");
        }
    }

    #[test]
    fn interruptions_are_found_as_whole_words_anywhere() {
        let interruptions = Phrases::interruptions();
        for said in [
            "Stop!",
            "no, no",
            "okay, hold on a bit",
            "Please WAIT.",
            "don't stop",
        ] {
            assert!(interruptions.found_in(said), "{said}");
        }
        for said in ["unstoppable", "waiting", "no", "hold", "I know nothing", ""] {
            assert!(!interruptions.found_in(said), "{said}");
        }
    }

    #[test]
    fn end_call_phrases_end_the_call_only_when_said_as_such() {
        let phrases = EndCallPhrases::new(["goodbye", "talk to you soon"]);
        assert!(phrases.ends_call("Thank you for calling, Goodbye."));
        assert!(phrases.ends_call("I'll talk to you soon!"));
        assert!(!phrases.ends_call("We can talk, to you it may seem soon."));
        assert!(!phrases.ends_call("Say your goodbyes."));
        assert!(!phrases.ends_call(""));
    }

    #[test]
    fn words_that_lead_on_count_at_the_end_only() {
        let leading_on = Phrases::leading_on();
        for said in [
            "He came home and",
            "Umm...",
            "My name is, uh,",
            "because",
            "I'm",
        ] {
            assert!(leading_on.end(said), "{said}");
        }
        for said in ["And he hit me.", "I think so.", "", "He did that", "um yes"] {
            assert!(!leading_on.end(said), "{said}");
        }
    }

    #[test]
    fn digits_at_the_end_are_counted_in_figures_and_in_words() {
        for (said, count, alone) in [
            ("nine one", 2, true),
            ("My number is 9-1, two", 3, false),
            ("9123 4567", 8, true),
            ("oh five", 2, true),
            ("I'm fifteen", 0, false),
            ("one of them", 0, false),
            ("", 0, false),
        ] {
            assert_eq!(LastDigits::of(said), LastDigits { count, alone }, "{said}");
        }
    }

    #[test]
    fn empty_phrases_match_nothing() {
        let phrases = Phrases::new(["", "!?"]);
        assert!(!phrases.found_in("anything"));
        assert!(!phrases.are_all_of("anything"));
    }

    #[test]
    fn words_are_counted_in_scripts_without_spaces_too() {
        assert_eq!(count_words("He hit me."), 3);
        assert_eq!(count_words("don't"), 1);
        assert_eq!(count_words("请帮我"), 3);
        assert_eq!(count_words("ok 等等"), 3);
        assert_eq!(count_words(" ♪♪♪ "), 0);
    }
}
