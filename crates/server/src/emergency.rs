//! Whom to ring now: the four numbers that every failure carries. They come from the directory that
//! is built in, so that they can be told when nothing else works.

use std::fmt;
use std::sync::LazyLock;

use flow::{AssistantScript, Directory};
use serde::Serialize;
use utoipa::ToSchema;

/// A number to ring when this service cannot help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct EmergencyNumber {
    #[schema(example = "Police")]
    pub name: &'static str,
    #[schema(example = "999")]
    pub number: &'static str,
}

static SCRIPT: LazyLock<AssistantScript> = LazyLock::new(AssistantScript::built_in);

/// Whom to ring, and where.
pub fn directory() -> &'static Directory {
    &SCRIPT.directory
}

/// The police, the ambulance, the suicide line and the anti-violence helpline.
pub static NUMBERS: LazyLock<[EmergencyNumber; 4]> = LazyLock::new(|| {
    ["SPF", "SCDF", "SOS", "NAVH"].map(|code| {
        let contact = directory().by_code(code);
        let shown = contact.and_then(|contact| {
            Some(EmergencyNumber {
                name: contact.shown_name.as_deref().unwrap_or(&contact.name),
                number: contact.telephone.as_deref()?,
            })
        });
        shown.expect("the built-in directory is checked by a test")
    })
});

/// The numbers as the end of a sentence.
pub const RING_NOW: RingNow = RingNow;

pub struct RingNow;

impl fmt::Display for RingNow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = "if you are in danger ring {SPF number}, for an ambulance {SCDF number}, \
            with thoughts of suicide {SOS number}, for violence or abuse {NAVH number}";
        f.write_str(&directory().fill(numbers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_to_ring_now_are_those_of_the_directory() {
        for number in *NUMBERS {
            assert!(RING_NOW.to_string().contains(number.number), "{number:?}");
        }
        let names = NUMBERS.map(|number| number.name);
        assert_eq!(
            names,
            [
                "Police",
                "Ambulance",
                "Suicide helpline (Samaritans of Singapore)",
                "Violence or abuse (National Anti-Violence Helpline)"
            ]
        );
    }
}
