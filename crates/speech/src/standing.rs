//! Who goes first where callers wait for one another: to be heard, to be spoken to, to be read.

/// How soon a caller's piece of work is done, where there is more of it than can be done at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Standing {
    /// In its turn.
    #[default]
    Ordinary,
    /// Before all ordinary ones: it is for a caller whose danger is being made sure of or acted on.
    Urgent,
}

/// Urgent ones that go before an ordinary one that waits.
pub(crate) const URGENT_IN_A_ROW: usize = 3;

/// Whose row the next one is taken from. Who is in danger never waits behind a crowd, and no crowd of theirs keeps the
/// others waiting for ever: every fourth is one of the others'.
#[derive(Debug, Default)]
pub struct Precedence {
    /// Urgent ones that were taken while ordinary ones waited, since the last of those.
    urgent_in_a_row: usize,
}

impl Precedence {
    /// Given who waits. Whoever asks takes one from that row; `None` where nobody waits.
    pub fn next(&mut self, urgent_waits: bool, ordinary_waits: bool) -> Option<Standing> {
        let is_ordinarys_turn = ordinary_waits && self.urgent_in_a_row >= URGENT_IN_A_ROW;
        if urgent_waits && !is_ordinarys_turn {
            self.urgent_in_a_row = match ordinary_waits {
                true => self.urgent_in_a_row + 1,
                false => 0,
            };
            return Some(Standing::Urgent);
        }
        self.urgent_in_a_row = 0;
        ordinary_waits.then_some(Standing::Ordinary)
    }
}
