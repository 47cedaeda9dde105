//! What holds where the two readers, the rules and the trained one, see a turn differently.
//!
//! They fail differently, so neither is believed alone where much hangs on it:
//!
//! | of a harm | both sure, or one sure and one with a hint | rules sure, trained not against | rules sure, trained against | trained sure alone | trained certain alone | a hint alone |
//! |---|---|---|---|---|---|---|
//! | life at risk: suicide, violence now | act | act | ask | ask; with next to no doubt, and no answer to that, act | act | ask |
//! | a need: blows, sexual harm, shelter, words and control, money, neglect | act | act | ask | ask | ask | ask |
//! | what makes it graver: a weapon, a threat to kill, strangling | keep | keep | ask | –; with next to no doubt, keep | keep | – |
//!
//! Neglect that the rules are sure of and the trained reader hears nothing of is no more than nearly sure: no question of the
//! flow asks about it, and two such turns are as good as told.
//!
//! Suicide that the rules hear sideways and the trained reader is sure of is heard by both, unless that reader surely takes the turn for everyday trouble. What the rules doubt for a frame beside it
//! ("I read my newspaper") is asked about, and with next to no doubt by the trained reader is as good as told when it is heard again.
//! In the answer to a question about a need, words for it that the trained reader is against only repeat what was
//! asked ("Who would hit me?"): they are not asked about again.
//!
//! In the answer to a question about life, what the trained reader alone hears of it against the rules' no is asked about once
//! more, however sure it is ("Yep. I've never thought of that."): a no from one and a yes from the other.
//!
//! "Ask" is a confidence at which the flow puts one plain question. What the rules are sure of about
//! dying or being hit is not cancelled here: at the least it is asked about. A hint or a doubted word that the trained reader is
//! against is not asked about, and a marker that it surely takes as not meant is only leant on. An answer is the trained
//! reader's where it is sure, else the rules'; on the questions about life a yes against a no counts as
//! neither and is asked once more. Names, places, ages, dates and people are the rules' alone.

mod answer;
mod doubts;
mod gravity;
mod harms;
mod talk;
#[cfg(test)]
mod tests;

use flow::Question;
use flow::reading::Reading;

use crate::trained::Opinion;

/// The rules' reading, with the trained reader's opinion of the same turn.
pub(crate) fn settle(reading: &mut Reading, opinion: &Opinion<'_>, question: Option<Question>) {
    let rules_deny = reading.answer.yes == Some(false);
    // The trained reader was not shown these questions: the rules' answer stands.
    if !matches!(question, Some(Question::CallBack | Question::CallBackRight)) {
        answer::settle(reading, opinion, question);
    }
    harms::settle(reading, opinion, question, rules_deny);
    talk::settle(reading, opinion, question);
    doubts::settle(reading, question);
}
