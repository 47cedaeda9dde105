//! What is said to a caller whom a duty officer has put on hold, and when they have been taken back.
//!
//! A hold has an end, and with it whoever held the caller is put back: that may be said.

pub(super) const ON_HOLD: &[&str] = &[
    "I'm still here with you. They will be back in a moment.",
    "You have me for a moment. They will be back with you soon.",
];

pub(super) const STILL_ON_HOLD: &[&str] = &[
    "I'm still here with you. They haven't forgotten you.",
    "I'm with you while they talk. They will be back with you soon.",
    "You're not on your own. The duty officer is still here too.",
    "I'm listening, and I'm right here. It shouldn't be much longer.",
];

pub(super) const OFF_HOLD: &[&str] = &[
    "They're back with you. You can talk with each other again.",
    "The duty officer is with you again. The two of you can go on.",
];

/// Every phrase here: what it is said for, its variants, and whether it asks.
pub(super) fn all() -> Vec<(String, &'static [&'static str], bool)> {
    let statements = [
        ("on hold", ON_HOLD),
        ("still on hold", STILL_ON_HOLD),
        ("off hold", OFF_HOLD),
    ];
    let told = statements.map(|(what, phrases)| (what.to_owned(), phrases, false));
    told.into_iter().collect()
}
