//! Where the caller is, put together from what they told of it turn by turn: "Block 327 Sembawang Close", then "unit 14-215".

use redact::Secret;

use super::state::{Known, State};
use crate::reading::{Heard, PlaceHeard, PlacePart};

impl State {
    /// What is told of the same part of an address takes the older one's place; the rest stands.
    pub fn remember_place(&mut self, heard: &Heard<PlaceHeard>, turn: usize) {
        let new = &heard.value;
        let named = |known: &Known<PlaceHeard>| known.heard.value.part == PlacePart::Named;
        let vaguer = new.part == PlacePart::Named
            && !new.precise
            && self
                .places()
                .any(|known| named(known) && known.heard.value.precise);
        if vaguer {
            return;
        }
        self.rest_of_place.extend(self.place.take());
        self.rest_of_place.retain(|known| {
            known.heard.value.part != new.part && !(new.part == PlacePart::Named && new.precise)
        });
        self.place = Some(Known {
            heard: heard.clone(),
            turn,
        });
    }

    /// All that was told of where they are, in the order in which it was told.
    pub fn places(&self) -> impl Iterator<Item = &Known<PlaceHeard>> {
        self.rest_of_place.iter().chain(&self.place)
    }

    /// As it is said back and noted.
    pub fn address(&self) -> Option<Secret<String>> {
        PlaceHeard::together(self.places().map(|known| &known.heard.value))
    }

    /// Somebody can be sent there: a block or a unit alone is in many streets.
    pub fn can_be_sent_to(&self) -> bool {
        self.places().any(|known| known.heard.value.precise)
            && self
                .places()
                .any(|known| known.heard.value.part == PlacePart::Named)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words, the part of an address that they are, and whether it is precise.
    type Place = (&'static str, PlacePart, bool);

    fn told(places: &[Place]) -> State {
        let mut state = State::default();
        for (turn, (name, part, precise)) in places.iter().enumerate() {
            let value = PlaceHeard {
                name: Secret::new((*name).to_owned()),
                precise: *precise,
                part: *part,
            };
            let heard = Heard {
                value,
                words: Secret::new((*name).to_owned()),
                confidence: 0.9,
            };
            state.remember_place(&heard, turn);
        }
        state
    }

    #[test]
    fn an_address_told_in_pieces_is_put_together() {
        use PlacePart::{Block, Named, Unit};
        let street = ("Block 327 Sembawang Close", Named, true);
        let cases: [(&[Place], &str, bool); 8] = [
            (&[street], "Block 327 Sembawang Close", true),
            (
                &[street, ("unit 14-215", Unit, true)],
                "Block 327 Sembawang Close, unit 14-215",
                true,
            ),
            (
                &[street, ("14-205", Unit, true), ("14-215", Unit, true)],
                "Block 327 Sembawang Close, 14-215",
                true,
            ),
            (&[("Block 12", Block, true)], "Block 12", false),
            (
                &[("Block 12", Block, true), ("Bedok", Named, false)],
                "Block 12, Bedok",
                true,
            ),
            (
                &[("Bedok", Named, false), ("Block 12", Block, true)],
                "Bedok, Block 12",
                true,
            ),
            (
                &[("Block 12", Block, true), street],
                "Block 327 Sembawang Close",
                true,
            ),
            // Where their mother lives is not where they are.
            (
                &[street, ("Tampines", Named, false)],
                "Block 327 Sembawang Close",
                true,
            ),
        ];
        for (places, address, can_be_sent_to) in cases {
            let state = told(places);
            assert_eq!(state.address(), Some(Secret::new(address.to_owned())));
            assert_eq!(state.can_be_sent_to(), can_be_sent_to, "{address}");
        }
        assert_eq!(State::default().address(), None);
    }
}
