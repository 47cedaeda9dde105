//! What the engine needs before and after: audio with room around it, and words without the
//! engine's inventions.
//!
//! It never corrects words: what was misheard is for the flow to confirm with the caller.

use super::model::Kind;

/// Silence put before every piece: 100 ms.
const LEAD: usize = 1_600;
/// Silence put after every piece: 200 ms. Without any, the engine says a short word twice over
/// or something else: half of the words of one-word answers come out wrong, a quarter with it.
const TRAIL: usize = 3_200;
/// Silence put after a short piece for the quick model: 800 ms, which gets a fifth more of its words right. Longer
/// ones gain nothing by it, and every second of silence costs as much as one of speech. The fuller model hears nothing
/// at all in one of seven such pieces with it, and in one of eighty without.
const TRAIL_OF_SHORT: usize = 12_800;
/// Pieces below this are short: 1.5 s.
const SHORT: usize = 24_000;

/// What the engine says of sounds that are no speech.
const SAID_OF_NOISE: [&str; 1] = ["you"];
/// Syllables of up to so many letters are looked for when the engine does not get away from one.
const LONGEST_SYLLABLE: usize = 3;
/// A laugh or a scream has fewer of the same syllable.
const TOO_MANY_SYLLABLES: usize = 8;
/// Phrases of up to so many words are looked for when they repeat.
const LONGEST_REPEATED: usize = 10;

/// Audio as a model of that kind takes it. Loudness makes no difference to it and is left alone.
pub(super) fn prepare(samples: &[i16], kind: Kind) -> Vec<f32> {
    let trail = match kind {
        Kind::Quick if samples.len() < SHORT => TRAIL_OF_SHORT,
        _ => TRAIL,
    };
    let length = LEAD + samples.len() + trail;
    let mut audio = Vec::with_capacity(length);
    audio.resize(LEAD, 0.0);
    audio.extend(samples.iter().map(|sample| f32::from(*sample) / 32_768.0));
    audio.resize(length, 0.0);
    audio
}

/// Whether the engine went round in circles within a word ("Hahu'u'u'u'u…"): what was said after it is
/// not in the words.
pub(super) fn ran_away(words: &str) -> bool {
    words.split_whitespace().any(is_runaway)
}

fn is_runaway(word: &str) -> bool {
    let letters: Vec<char> = core(word)
        .chars()
        .filter(|letter| !letter.is_ascii_digit())
        .collect();
    (1..=LONGEST_SYLLABLE).any(|length| {
        letters
            .windows(length * TOO_MANY_SYLLABLES)
            .any(|run| run.chunks(length).all(|next| next == &run[..length]))
    })
}

/// The words without signs for sounds ("♪", "[laughter]"), without what the engine says of
/// noise, and with a phrase that it repeats over and over said once.
pub(super) fn tidy(words: &str) -> String {
    let words = without_sounds(words);
    let kept = words.split_whitespace().filter(|word| !is_runaway(word));
    let spoken = once(kept.collect());
    let text = spoken.join(" ");
    let core = core(&text);
    if core.is_empty() || SAID_OF_NOISE.contains(&core.as_str()) {
        return String::new();
    }
    text
}

/// Without notes and anything in brackets; brackets that do not match are left alone, lest
/// they swallow words.
fn without_sounds(words: &str) -> String {
    let mut depth = 0_i32;
    let mut outside = String::with_capacity(words.len());
    for character in words.chars() {
        match character {
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            '♪' | '♫' | '♩' | '♬' => {}
            _ if depth == 0 => outside.push(character),
            _ => {}
        }
        if depth < 0 {
            break;
        }
    }
    if depth == 0 {
        outside
    } else {
        words.replace(['[', ']', '(', ')', '♪'], " ")
    }
}

/// A word's letters and digits in lower case, by which words are compared.
fn core(word: &str) -> String {
    word.chars()
        .filter(|character| character.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// With every phrase that follows itself often enough said once: one word four times, a longer
/// phrase three times. "No, no, no" stays as it was said.
fn once(words: Vec<&str>) -> Vec<&str> {
    let cores: Vec<String> = words.iter().map(|word| core(word)).collect();
    let mut kept = Vec::with_capacity(words.len());
    let mut at = 0;
    while at < words.len() {
        let repeated = (1..=LONGEST_REPEATED).find_map(|length| {
            let phrase = cores.get(at..at + length)?;
            let times = cores[at..]
                .chunks_exact(length)
                .take_while(|next| *next == phrase)
                .count();
            let too_often = if length == 1 { 4 } else { 3 };
            (times >= too_often).then_some((length, times))
        });
        match repeated {
            Some((length, times)) => {
                // The last time, for its punctuation.
                let last = at + length * (times - 1);
                kept.extend_from_slice(&words[last..last + length]);
                at += length * times;
            }
            None => {
                kept.push(words[at]);
                at += 1;
            }
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_were_said_are_left_alone() {
        for said in [
            "My husband hit me.",
            "No, no, no.",
            "Thank you.",
            "I said you should go, you know.",
        ] {
            assert_eq!(tidy(said), said);
        }
    }

    #[test]
    fn a_word_that_goes_round_in_circles_is_known_from_a_laugh() {
        let circles = format!("Hah{}", "u'".repeat(20));
        for runaway in [
            circles.as_str(),
            "lalalalalalalalala",
            "Nononononononononononono.",
        ] {
            assert!(ran_away(&format!("I said {runaway}")), "{runaway}");
            assert_eq!(tidy(&format!("I said {runaway}")), "I said");
        }
        for word in [
            "Hahahaha",
            "Noooooo",
            "100000000000",
            "bananas",
            "No, no, no, no.",
        ] {
            assert!(!ran_away(word), "{word}");
        }
    }

    #[test]
    fn what_the_engine_says_of_noise_is_nothing() {
        for noise in [
            "♪♪♪",
            "...",
            " ",
            "",
            "You",
            "You.",
            "[BLANK_AUDIO]",
            "(music)",
        ] {
            assert_eq!(tidy(noise), "", "{noise:?}");
        }
    }

    #[test]
    fn signs_for_sounds_are_taken_out_of_words() {
        assert_eq!(tidy("[laughter] I can't ♪ talk"), "I can't talk");
        assert_eq!(tidy("I (can't talk"), "I can't talk");
    }

    #[test]
    fn a_phrase_over_and_over_is_said_once() {
        assert_eq!(tidy("Help, help, help, help, help."), "help.");
        assert_eq!(
            tidy("I said I want to go. I want to go. I want to go. I want to go. Please."),
            "I said I want to go. Please."
        );
    }

    #[test]
    fn a_piece_gets_silence_around_it() {
        let audio = prepare(&[16_384; 10], Kind::Quick);
        assert_eq!(audio.len(), LEAD + 10 + TRAIL_OF_SHORT);
        assert_eq!(prepare(&[1; 10], Kind::Fuller).len(), LEAD + 10 + TRAIL);
        assert!(audio[..LEAD].iter().all(|sample| *sample == 0.0));
        assert!((audio[LEAD] - 0.5).abs() < f32::EPSILON);
        assert!(audio[LEAD + 10..].iter().all(|sample| *sample == 0.0));
    }
}
