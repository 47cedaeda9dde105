//! What is said while duty officers are rung, when one joins, and where none was reached.
//!
//! A duty officer of another agency may answer, and nobody answers for sure: no phrase names who will come, or
//! says that somebody will.

use crate::Unreached;

pub(super) const STILL_RINGING: &[&str] = &[
    "I'm still trying to reach someone for you. I'm staying with you.",
    "It's taking a little longer, and I haven't stopped trying. You're not on your own.",
    "Nobody has joined us yet, and I keep trying. Stay with me if you can.",
    "I'm still trying to get you a duty officer. I'm right here.",
];

pub(super) const WITH_YOU: &[&str] = &[
    "I'm still here with you. I'm trying to get a duty officer for you.",
    "I hear you, and I'm with you. I'm still trying to bring somebody in.",
    "I'm listening, and I'm not going anywhere. A duty officer is being rung for you.",
];

pub(super) const STAYING: &[&str] = &[
    "I'm staying with you.",
    "I'm still here with you.",
    "You're not alone, I'm here.",
];

pub(super) const NO_NEED_TO_SPEAK: &[&str] = &[
    "You don't have to speak. Stay on the line if you can.",
    "You can stay quiet. I'm with you, and I keep trying to reach someone.",
];

pub(super) const SILENT: &[&str] = &[
    "I'm still here. You don't have to say anything.",
    "It's alright to be quiet. I'm with you while I try to reach someone.",
    "Take your time. I keep trying, and I stay with you.",
];

pub(super) const NOT_UNDERSTOOD: &[&str] = &[
    "I didn't make that out, and that's alright. I'm still with you.",
    "Sorry, that didn't come through clearly. You don't need to say it again, I'm here.",
];

pub(super) const RING_YOURSELF: &[&str] = &[
    "You can ring {number} yourself right now, that's {reach}.",
    "If you're able to, ring {number} straight away, for {reach}.",
    "Please ring {number} now if you can, it's the number of {reach}.",
];

pub(super) const TEXT_POLICE: &[&str] = &[
    "If you can't speak, you can text the police on {SPF sms}.",
    "The police read text messages too, on {SPF sms}.",
];

pub(super) const OFFICER_JOINED: &[&str] = &[
    "A person has joined us, a duty officer. You can talk with each other now.",
    "You have a duty officer with you now, a person. The two of you can talk.",
];

pub(super) const ANOTHER_JOINED: &[&str] = &[
    "Another duty officer has joined us, a person. You can go on talking.",
    "A second person is on this call now, a duty officer too. They can hear you.",
];

pub(super) const LINE_RESTORED: &[&str] = &[
    "You were cut off for a moment, and you're back.",
    "We lost you for a moment, and you're here again.",
];

pub(super) fn unreached(why: Unreached) -> &'static [&'static str] {
    match why {
        Unreached::NobodyAnswered => &[
            "I'm sorry, I've tried the duty officers and nobody has answered.",
            "I'm sorry, none of the duty officers has picked up.",
        ],
        // The caller has heard of nobody who accepted.
        Unreached::AllDeclined | Unreached::AcceptedInVain => &[
            "I'm sorry, none of the duty officers can talk with you right now.",
            "I'm sorry, the duty officers I tried aren't able to join us now.",
        ],
        Unreached::LineDropped => &[
            "I'm sorry, the connection to the duty officer was lost, and I'm here with you.",
            "I'm sorry, we've lost the duty officer's connection, and you have me again.",
        ],
    }
}

pub(super) const TEAM_TOLD: &[&str] = &[
    "I've told the team here about this.",
    "The team here has been told about it.",
];

pub(super) const NUMBER_BACK: &[&str] = &[
    "I have {call_back}.",
    "That's {call_back}.",
    "I've written down {call_back}.",
];

pub(super) const NUMBER_TAKEN: &[&str] = &["Thank you, I've noted it.", "Thank you, that's noted."];

pub(super) const NUMBER_LEFT_OUT: &[&str] = &[
    "Okay, I've taken that number out.",
    "Alright, I won't keep that one.",
];

pub(super) const STOPPED: &[&str] = &[
    "Okay, I won't connect you.",
    "Alright, I've stopped trying to connect you.",
];

/// Every phrase here: what it is said for, its variants, and whether it asks.
pub(super) fn all() -> Vec<(String, &'static [&'static str], bool)> {
    let statements = [
        ("still ringing", STILL_RINGING),
        ("with you meanwhile", WITH_YOU),
        ("staying with you", STAYING),
        ("no need to speak", NO_NEED_TO_SPEAK),
        ("silent meanwhile", SILENT),
        ("not understood meanwhile", NOT_UNDERSTOOD),
        ("ring yourself", RING_YOURSELF),
        ("text police", TEXT_POLICE),
        ("officer joined", OFFICER_JOINED),
        ("another joined", ANOTHER_JOINED),
        ("line restored with officer", LINE_RESTORED),
        ("nobody answered", unreached(Unreached::NobodyAnswered)),
        ("all declined", unreached(Unreached::AllDeclined)),
        ("line dropped", unreached(Unreached::LineDropped)),
        ("team told", TEAM_TOLD),
        ("number back", NUMBER_BACK),
        ("number taken", NUMBER_TAKEN),
        ("number left out", NUMBER_LEFT_OUT),
        ("connecting stopped", STOPPED),
    ];
    let told = statements.map(|(what, phrases)| (what.to_owned(), phrases, false));
    told.into_iter().collect()
}
