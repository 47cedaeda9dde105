//! Which of our agencies a server's destination is: by its number, by its name, or as the authorities of the squad with its code.

use flow::{Agency, Contact, Directory};
use platform::event::Destination;

use crate::helpline::HELPLINE;

/// How numbers of this country begin where they are written in full.
const COUNTRY: &str = "65";

/// None where it is nobody's whom callers can be handed to.
pub(super) fn agency_of(destination: &Destination, directory: &Directory) -> Option<Agency> {
    match destination {
        Destination::Number { number, .. } => {
            let number = digits(number);
            let is_its = |contact: &Contact| {
                contact.telephone.as_deref().map(digits) == Some(number.clone())
            };
            the_one(directory, is_its)
        }
        Destination::Assistant {
            assistant_name,
            description,
        } if *assistant_name == HELPLINE.authorities => {
            let code = description.as_deref()?.trim().to_uppercase();
            code.parse().ok()
        }
        Destination::Assistant { assistant_name, .. } => {
            let name = assistant_name.trim();
            let is_its = |contact: &Contact| {
                contact.code.eq_ignore_ascii_case(name) || contact.name.eq_ignore_ascii_case(name)
            };
            the_one(directory, is_its)
        }
        Destination::Sip { .. } => None,
    }
}

fn the_one(directory: &Directory, is_its: impl Fn(&Contact) -> bool) -> Option<Agency> {
    Agency::ALL
        .into_iter()
        .find(|agency| is_its(directory.agency(*agency)))
}

/// As it is dialled here.
fn digits(number: &str) -> String {
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    let in_full = number.trim_start().starts_with('+');
    match digits.strip_prefix(COUNTRY).filter(|_| in_full) {
        Some(local) => local.to_owned(),
        None => digits,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde_json::{Value, json};

    use super::*;

    /// The one whom the product's own directory has for it.
    fn of(destination: Value) -> Option<Agency> {
        let files = concat!(env!("CARGO_MANIFEST_DIR"), "/../../config/agencies.toml");
        let directory: Directory =
            toml::from_str(&std::fs::read_to_string(files).unwrap()).unwrap();
        agency_of(&serde_json::from_value(destination).unwrap(), &directory)
    }

    #[test]
    fn an_agency_is_known_by_its_number_however_that_is_written() {
        for number in ["+6565550390", "6555 0390", "+65 6555-0390"] {
            let named = of(json!({"type": "number", "number": number}));
            assert_eq!(named, Some(Agency::Pave), "{number}");
        }
        assert_eq!(
            of(json!({"type": "number", "number": "999"})),
            Some(Agency::Spf)
        );
    }

    #[test]
    fn an_agency_is_known_by_its_code_and_its_name() {
        for (name, description) in [
            ("Authorities", "PAVE"),
            ("Authorities", " pave "),
            ("PAVE", "who is on duty"),
            ("pave integrated services", ""),
        ] {
            let named =
                of(json!({"type": "assistant", "assistantName": name, "description": description}));
            assert_eq!(named, Some(Agency::Pave), "{name}: {description}");
        }
    }

    #[test]
    fn whoever_is_none_of_ours_is_nobody() {
        for destination in [
            json!({"type": "number", "number": "+6561234567"}),
            json!({"type": "number", "number": ""}),
            json!({"type": "number", "number": "6565550390"}),
            json!({"type": "assistant", "assistantName": "Authorities"}),
            json!({"type": "assistant", "assistantName": "Authorities", "description": "The night desk"}),
            json!({"type": "assistant", "assistantName": "SCDF"}),
            json!({"type": "sip", "sipUri": "sip:pave@example.org"}),
        ] {
            assert_eq!(of(destination.clone()), None, "{destination}");
        }
    }
}
