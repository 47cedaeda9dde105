//! How sure a harm is, by how grave it is and what each reader makes of it: the one table.

/// Told by both, or by the one that counts.
pub(super) const ACT: f32 = 0.9;
/// The trained reader is sure of it alone: worth a question, and as good as told when it is heard again.
pub(super) const ASK_SURELY: f32 = 0.66;
/// The trained reader has next to no doubt, alone: worth a question, and as good as told when that is not answered.
pub(super) const ASK_ONCE: f32 = 0.69;
/// Worth a question, surely not more.
pub(super) const ASK: f32 = 0.6;
/// Heard, but not even worth a question by itself; stays for what is told beside it.
pub(super) const LEAN: f32 = 0.45;
/// How grave a harm is, which decides how much it takes to act on it, and to leave it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gravity {
    /// Somebody may die tonight.
    Life,
    /// An agency can help.
    Need,
    /// Raises the urgency of what stands beside it.
    Marker,
}

/// What one reader makes of a harm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Seen {
    /// It is not there, or said not to be so, or not meant.
    Against,
    Nothing,
    /// The words are there, among others that say they are likely not meant; only the rules say so.
    Doubted,
    Hint,
    Sure,
    /// With next to no doubt; only the trained reader says so.
    Confident,
    /// So sure that it is acted on alone; only the trained reader says so.
    Certain,
}

/// How sure it is in the end; see the table in `settle`.
pub(super) fn together(gravity: Gravity, rules: Seen, trained: Seen) -> f32 {
    use Seen::{Against, Certain, Confident, Doubted, Hint, Nothing, Sure};
    match (gravity, rules, trained) {
        (_, Sure | Confident | Certain, Nothing | Hint | Sure | Confident | Certain) => ACT,
        (_, Sure | Confident | Certain, Against) => ASK,
        (_, Doubted, Against | Doubted) => LEAN,
        // A frame beside the words ("I read my newspaper") makes the rules doubt them; the other reader hears the whole.
        (Gravity::Life, Doubted, Confident | Certain) => ASK_ONCE,
        (Gravity::Need, Doubted, Confident | Certain) => ASK_SURELY,
        (_, Doubted, _) => ASK,
        (_, _, Doubted) => 0.0,
        (_, Hint, Sure | Confident | Certain) => ACT,
        (_, Hint, Nothing | Hint) => ASK,
        (_, Hint, Against) => LEAN,
        (Gravity::Life, Nothing | Against, Certain) => ACT,
        (Gravity::Life, Nothing | Against, Confident) => ASK_ONCE,
        (Gravity::Life, Nothing | Against, Sure) => ASK_SURELY,
        (Gravity::Need, Nothing | Against, Sure | Confident | Certain) => ASK_SURELY,
        (Gravity::Life | Gravity::Need, Nothing | Against, Hint) => ASK,
        // A marker is no reason for a question, and makes a case urgent: it stands where both know of it, or the
        // trained reader has next to no doubt ("he says my sister is poison" is no threat to kill).
        (Gravity::Marker, Nothing | Against, Confident | Certain) => ACT,
        (Gravity::Marker, Nothing | Against, Hint | Sure) => 0.0,
        (_, Nothing | Against, Nothing | Against) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use flow::reading::{SURE, WORTH_ASKING};

    use super::*;

    const SEEN: [Seen; 6] = [
        Seen::Against,
        Seen::Nothing,
        Seen::Hint,
        Seen::Sure,
        Seen::Confident,
        Seen::Certain,
    ];

    #[test]
    fn of_life_a_sure_word_from_either_is_at_least_asked_about() {
        for other in SEEN {
            assert!(together(Gravity::Life, Seen::Sure, other) >= WORTH_ASKING);
            assert!(together(Gravity::Life, other, Seen::Sure) >= WORTH_ASKING);
        }
    }

    #[test]
    fn of_life_it_takes_one_against_to_keep_a_sure_word_from_being_acted_on() {
        for other in [Seen::Nothing, Seen::Hint, Seen::Sure] {
            assert!(together(Gravity::Life, Seen::Sure, other) >= SURE);
        }
        assert!(together(Gravity::Life, Seen::Hint, Seen::Sure) >= SURE);
        assert!(together(Gravity::Life, Seen::Nothing, Seen::Certain) >= SURE);
        assert!(together(Gravity::Life, Seen::Sure, Seen::Against) < SURE);
    }

    #[test]
    fn a_need_is_acted_on_when_both_hear_it_and_asked_about_when_the_trained_reader_alone_does() {
        assert!(together(Gravity::Need, Seen::Sure, Seen::Sure) >= SURE);
        for rules in [Seen::Nothing, Seen::Against] {
            let settled = together(Gravity::Need, rules, Seen::Sure);
            assert!((WORTH_ASKING..SURE).contains(&settled));
        }
    }

    #[test]
    fn a_surer_word_never_makes_it_less_sure() {
        for gravity in [Gravity::Life, Gravity::Need, Gravity::Marker] {
            for pair in SEEN.windows(2) {
                for other in SEEN {
                    let (less, more) = (pair[0], pair[1]);
                    assert!(
                        together(gravity, less, other) <= together(gravity, more, other),
                        "{gravity:?}: rules {less:?} to {more:?} beside {other:?}"
                    );
                    assert!(
                        together(gravity, other, less) <= together(gravity, other, more),
                        "{gravity:?}: trained {less:?} to {more:?} beside {other:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn what_is_likely_not_meant_is_asked_about_unless_the_trained_reader_is_against_it_too() {
        for gravity in [Gravity::Life, Gravity::Need] {
            for trained in [Seen::Nothing, Seen::Hint, Seen::Sure, Seen::Certain] {
                let settled = together(gravity, Seen::Doubted, trained);
                assert!((WORTH_ASKING..SURE).contains(&settled));
            }
            assert!(together(gravity, Seen::Doubted, Seen::Against) < WORTH_ASKING);
        }
    }

    #[test]
    fn what_neither_hears_is_not_there() {
        for gravity in [Gravity::Life, Gravity::Need, Gravity::Marker] {
            assert!(together(gravity, Seen::Nothing, Seen::Nothing) < WORTH_ASKING);
        }
    }
}
