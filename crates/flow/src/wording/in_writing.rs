//! The few sentences that speak of a line or of sound, as they are for someone who writes.

/// As it is said, and as it is written instead.
const INSTEAD: &[(&str, &str)] = &[
    (
        "Please stay on the line.",
        "You can also ring them yourself on {number}, or text the police on {SPF sms} if you can't speak.",
    ),
    (
        "Stay on the line, you're not alone.",
        "You can ring them too, on {number}, and if you can't speak the police read texts on {SPF sms}.",
    ),
    (
        "Is it safe for you to keep talking to me?",
        "Is it safe for you to keep writing to me?",
    ),
    (
        "Are you able to keep talking safely?",
        "Are you able to keep writing safely?",
    ),
    (
        "Can you keep talking with me?",
        "Can you keep writing with me?",
    ),
    ("Is talking safe for you?", "Is writing safe for you?"),
    (
        "You've already done something hard by calling.",
        "You've already done something hard by writing here.",
    ),
    ("you did right to call.", "you did right to write."),
    ("It matters that you called.", "It matters that you wrote."),
    ("Stay on the line if you can.", "Stay here if you can."),
    ("and I'm staying on the line.", "and I'm staying with you."),
    (
        "How does it feel to say it out loud?",
        "How does it feel to put it into words?",
    ),
    ("what I do on this line,", "what I do here,"),
    ("other people who call,", "other people who come here,"),
    ("If talking is hard,", "If writing is hard,"),
    (
        "I didn't catch that. Could you say it once more?",
        "I didn't follow that. Could you put it another way?",
    ),
    (
        "that was hard to hear. Would you mind saying it again?",
        "I couldn't follow that. Would you mind writing it again?",
    ),
    (
        "I heard your voice but not the words. Can you try once more?",
        "I got your message but not its meaning. Can you try once more?",
    ),
    (
        "The line isn't clear, I'm sorry.",
        "I still don't follow, I'm sorry.",
    ),
    (
        "The line was cut off for a moment.",
        "We were cut off for a moment.",
    ),
    (
        "We lost the line for a moment.",
        "We lost each other for a moment.",
    ),
    (
        "I'm having trouble hearing you.",
        "I'm having trouble reading you.",
    ),
];

/// The phrase for someone who reads it.
pub(super) fn reworded(phrase: &str) -> String {
    INSTEAD
        .iter()
        .fold(phrase.to_owned(), |phrase, (said, written)| {
            phrase.replace(said, written)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wording::phrases;

    #[test]
    fn nobody_who_writes_is_told_of_a_line_or_a_voice() {
        for (what, variants, _) in phrases::all() {
            for phrase in variants {
                let written = reworded(phrase).to_lowercase();
                for spoken in [
                    "the line",
                    "this line",
                    "your voice",
                    "hearing you",
                    "called",
                    "calling",
                    "out loud",
                ] {
                    assert!(!written.contains(spoken), "{what}: {written}");
                }
            }
        }
    }

    /// What is looked up is told as it stands, in speech and in writing.
    #[test]
    fn what_is_known_speaks_of_no_line_either() {
        for entry in crate::AssistantScript::built_in().knowledge.entries() {
            for spoken in ["the line", "this call", "your voice"] {
                assert!(!entry.answer.contains(spoken), "{}", entry.id);
            }
        }
    }

    #[test]
    fn every_rewording_has_a_phrase_that_needs_it() {
        for (said, _) in INSTEAD {
            let needed = phrases::all()
                .iter()
                .any(|(_, variants, _)| variants.iter().any(|phrase| phrase.contains(said)));
            assert!(needed, "{said}");
        }
    }
}
