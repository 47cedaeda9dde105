//! Who hears whom in a call of more than two.
//!
//! It knows parts, not people: what a leg of the call may be heard by follows from the part it has at
//! the moment, and from nothing else.

/// What a leg does in the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    Caller,
    Assistant,
    /// A duty officer who has accepted the call and is being told what it is about.
    Briefed,
    /// A duty officer who talks with the caller.
    Officer,
    /// A supervisor who speaks to the officers alone.
    Coach,
    /// A supervisor who listens.
    Listener,
}

impl Part {
    pub const ALL: [Self; 6] = [
        Self::Caller,
        Self::Assistant,
        Self::Briefed,
        Self::Officer,
        Self::Coach,
        Self::Listener,
    ];

    /// Whether a leg with this part hears another with that one. Nobody hears themselves.
    pub const fn hears(self, other: Self) -> bool {
        match (self, other) {
            // Not until they are put through, in either direction: the briefing is theirs alone.
            (Self::Briefed, _) | (_, Self::Briefed | Self::Listener) => false,
            // What is meant for a colleague never reaches the caller, nor the assistant's ears.
            (Self::Caller | Self::Assistant, Self::Coach) => false,
            (Self::Caller, Self::Caller) | (Self::Assistant, Self::Assistant) => false,
            (_, Self::Caller | Self::Assistant | Self::Officer | Self::Coach) => true,
        }
    }

    /// Whether the caller is to be told that somebody with this part is there.
    pub const fn is_told_to_the_caller(self) -> bool {
        matches!(self, Self::Officer)
    }
}

#[cfg(test)]
mod tests {
    use super::Part::{self, *};

    #[test]
    fn everybody_hears_those_and_only_those_whom_they_may() {
        let table = [
            (Caller, [Assistant, Officer].as_slice()),
            (Assistant, &[Caller, Officer]),
            (Briefed, &[]),
            (Officer, &[Caller, Assistant, Officer, Coach]),
            (Coach, &[Caller, Assistant, Officer, Coach]),
            (Listener, &[Caller, Assistant, Officer, Coach]),
        ];
        assert_eq!(table.map(|(part, _)| part), Part::ALL);
        for (listener, heard) in table {
            for speaker in Part::ALL {
                assert_eq!(
                    listener.hears(speaker),
                    heard.contains(&speaker),
                    "{listener:?} of {speaker:?}"
                );
            }
        }
    }

    #[test]
    fn whoever_the_caller_hears_but_the_assistant_the_caller_was_told_of() {
        for part in Part::ALL {
            let is_person = Caller.hears(part) && part != Assistant;
            assert_eq!(is_person, part.is_told_to_the_caller(), "{part:?}");
        }
    }
}
