//! Which of the flow's sentences every voice is judged by, and how long their words are.

use flow::AssistantScript;

/// So many of the sentences that are always said, evenly from the first to the last. Left out are those that a
/// transcriber writes in another way than they stand (figures, agencies' initials), and those of under five words,
/// where one word more or less is chance.
pub fn chosen(count: usize) -> Vec<String> {
    let all: Vec<String> = AssistantScript::built_in()
        .fixed_sentences()
        .into_iter()
        .filter(|sentence| is_plain(sentence))
        .collect();
    let count = count.clamp(1, all.len());
    (0..count)
        .map(|place| all[place * all.len() / count].clone())
        .collect()
}

pub fn is_always_said(sentence: &str) -> bool {
    AssistantScript::built_in()
        .fixed_sentences()
        .iter()
        .any(|known| known == sentence)
}

fn is_plain(sentence: &str) -> bool {
    let initials = |word: &str| {
        let capitals = word.chars().filter(char::is_ascii_uppercase).count();
        capitals > 1
    };
    !sentence.contains(|letter: char| letter.is_ascii_digit())
        && !sentence.split(' ').any(initials)
        && sentence.split(' ').count() >= 5
}

/// Groups of vowels, without a silent e at the end: near enough to compare voices on the same words.
pub fn syllables(sentence: &str) -> usize {
    sentence
        .to_lowercase()
        .split(|letter: char| !letter.is_alphabetic() && letter != '\'')
        .filter(|word| !word.is_empty())
        .map(of_word)
        .sum()
}

fn of_word(word: &str) -> usize {
    let vowel = |letter: char| "aeiouy".contains(letter);
    let silent_e = word.ends_with('e') && !word.ends_with("le") && word.len() > 2;
    let word = if silent_e {
        &word[..word.len() - 1]
    } else {
        word
    };
    let mut groups = 0;
    let mut before = false;
    for letter in word.chars() {
        groups += usize::from(vowel(letter) && !before);
        before = vowel(letter);
    }
    groups.max(1)
}

#[test]
fn syllables_are_counted_about_as_people_do() {
    assert_eq!(syllables("Nobody has the right to do that to you."), 11);
    assert_eq!(syllables("I'm here to listen."), 5);
}

#[test]
fn the_sentences_are_as_many_as_asked_for_and_none_is_written_otherwise_than_said() {
    let sentences = chosen(60);
    assert_eq!(sentences.len(), 60);
    for sentence in sentences {
        for left_out in ["999", "1767", "DVERT", "PAVE"] {
            assert!(!sentence.contains(left_out), "{sentence}");
        }
    }
}
