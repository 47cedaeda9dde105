//! Who hears whom in a call of more than two.
//!
//! It knows parts, not people: what a leg of the call may be heard by follows from the part it has at
//! the moment, and from nothing else.

/// What a leg does in the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    Caller,
    /// The caller, while they are on hold: with the assistant alone.
    OnHold,
    Assistant,
    /// A duty officer who has accepted the call and is being told what it is about.
    Briefed,
    /// A duty officer who talks with the caller.
    Officer,
    /// The same, while the caller is on hold: with their colleagues.
    Consulting,
    /// A supervisor who speaks to the officers alone.
    Coach,
    /// A supervisor who listens.
    Listener,
}

impl Part {
    pub const ALL: [Self; 8] = [
        Self::Caller,
        Self::OnHold,
        Self::Assistant,
        Self::Briefed,
        Self::Officer,
        Self::Consulting,
        Self::Coach,
        Self::Listener,
    ];

    /// Whether a leg with this part hears another with that one. Nobody hears themselves.
    pub const fn hears(self, other: Self) -> bool {
        match (self, other) {
            // Not until they are put through, in either direction: the briefing is theirs alone.
            (Self::Briefed, _) | (_, Self::Briefed | Self::Listener) => false,
            // What is meant for a colleague never reaches the caller, nor the assistant's ears.
            (Self::Caller | Self::OnHold | Self::Assistant, Self::Coach | Self::Consulting) => {
                false
            }
            // They are with the assistant alone, and the assistant is with them.
            (Self::OnHold, other) => matches!(other, Self::Assistant),
            (listener, Self::OnHold) => matches!(listener, Self::Assistant),
            (Self::Caller, Self::Caller) | (Self::Assistant, Self::Assistant) => false,
            (
                _,
                Self::Caller | Self::Assistant | Self::Officer | Self::Consulting | Self::Coach,
            ) => true,
        }
    }

    /// Whether only somebody of whom the caller was told has this part.
    pub const fn is_told_to_the_caller(self) -> bool {
        match self {
            Self::Officer | Self::Consulting => true,
            Self::Caller
            | Self::OnHold
            | Self::Assistant
            | Self::Briefed
            | Self::Coach
            | Self::Listener => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Part::{self, *};

    #[test]
    fn everybody_hears_those_and_only_those_whom_they_may() {
        let table = [
            (Caller, [Assistant, Officer].as_slice()),
            (OnHold, &[Assistant]),
            (Assistant, &[Caller, OnHold, Officer]),
            (Briefed, &[]),
            (Officer, &[Caller, Assistant, Officer, Consulting, Coach]),
            (Consulting, &[Caller, Assistant, Officer, Consulting, Coach]),
            (Coach, &[Caller, Assistant, Officer, Consulting, Coach]),
            (Listener, &[Caller, Assistant, Officer, Consulting, Coach]),
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
            let is_heard = (Caller.hears(part) || OnHold.hears(part)) && part != Assistant;
            assert!(!is_heard || part.is_told_to_the_caller(), "{part:?}");
        }
    }

    #[test]
    fn on_hold_the_caller_and_the_assistant_have_each_other_and_nobody_else() {
        for part in Part::ALL {
            assert_eq!(OnHold.hears(part), part == Assistant, "{part:?}");
            assert_eq!(part.hears(OnHold), part == Assistant, "{part:?}");
        }
    }

    #[test]
    fn what_is_said_aside_reaches_colleagues_and_is_on_no_transcript() {
        for part in [Caller, OnHold, Assistant, Briefed] {
            assert!(!part.hears(Consulting), "{part:?}");
        }
        for part in [Officer, Consulting, Coach, Listener] {
            assert!(part.hears(Consulting), "{part:?}");
        }
    }
}
