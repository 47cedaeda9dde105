//! What the assistant says, as it is written: the flow's words are for a voice, which is given names
//! as they are pronounced ("the D-vert team", "pave"). On a record and in a written conversation
//! they stand as everybody else writes them.

use redact::Secret;

/// As it is said, and as it is written.
const NAMES: [(&str, &str); 2] = [("D-vert", "DVERT"), ("pave", "PAVE")];
/// After it, "pave" is a verb.
const VERB: &str = "the way";

/// These words of the assistant's in writing. A caller's are left as they came.
pub fn written(spoken: &Secret<String>) -> Secret<String> {
    let mut text = spoken.expose_secret().clone();
    for (said, name) in NAMES {
        text = with_name(&text, said, name);
    }
    Secret::new(text)
}

fn with_name(text: &str, said: &str, name: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(said) {
        let (before, found) = rest.split_at(at);
        let after = &found[said.len()..];
        let whole = !before.ends_with(char::is_alphanumeric)
            && !after.starts_with(char::is_alphanumeric)
            && !after.trim_start().starts_with(VERB);
        out.push_str(before);
        out.push_str(if whole { name } else { said });
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agencies_are_written_as_they_are_called() {
        for (said, in_writing) in [
            (
                "I'd like to let the D-vert team know. Is that alright?",
                "I'd like to let the DVERT team know. Is that alright?",
            ),
            ("pave, or pave's team: pave.", "PAVE, or PAVE's team: PAVE."),
            ("Call nine nine nine.", "Call nine nine nine."),
            ("", ""),
        ] {
            let written = written(&Secret::new(said.to_owned()));
            assert_eq!(written.expose_secret(), in_writing);
        }
    }

    #[test]
    fn other_words_stay_as_they_are() {
        for text in [
            "They pave the way.",
            "It was repaved, on paved ground.",
            "Paved",
        ] {
            let written = written(&Secret::new(text.to_owned()));
            assert_eq!(written.expose_secret(), text);
        }
    }

    #[test]
    fn no_agency_is_written_as_it_is_said() {
        for contact in flow::AssistantScript::built_in().directory.contacts() {
            let written = written(&Secret::new(contact.spoken_name.clone()));
            let text = written.expose_secret().as_str();
            assert!(!text.contains("D-vert") && text != "pave", "{text}");
        }
    }
}
