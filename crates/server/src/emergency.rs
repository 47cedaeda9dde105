//! Whom to ring now: the four numbers that every failure carries. They are fixed text, so that
//! they can be said when nothing else works.

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

pub const NUMBERS: [EmergencyNumber; 4] = [
    EmergencyNumber {
        name: "Police",
        number: "999",
    },
    EmergencyNumber {
        name: "Ambulance",
        number: "995",
    },
    EmergencyNumber {
        name: "Samaritans of Singapore (SOS)",
        number: "1767",
    },
    EmergencyNumber {
        name: "National Anti-Violence Helpline (NAVH)",
        number: "1800 777 0000",
    },
];

/// The numbers as the end of a sentence.
pub const RING_NOW: &str =
    "if you are in danger ring 999, for an ambulance 995, SOS 1767, or NAVH 1800 777 0000";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_directory() {
        let script = flow::AssistantScript::built_in();
        for (code, shown) in ["SPF", "SCDF", "SOS", "NAVH"].iter().zip(NUMBERS) {
            let contact = script
                .directory
                .by_code(code)
                .expect("the directory is complete");
            assert_eq!(contact.telephone.as_deref(), Some(shown.number), "{code}");
            assert!(RING_NOW.contains(shown.number), "{code}");
        }
    }
}
