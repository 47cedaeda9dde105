//! The phrases. Short, warm, plain. Numbers are written as digits, names as they are spoken.
//!
//! `{assistant}`, `{agency}`, `{reach}` and `{number}` are filled in by the module above, `{SOS}` and
//! `{SOS number}` from the directory; `{name}`, `{place}` and `{who}` last of all. Two
//! variants of one move never share a sentence.

use super::{
    Told, hinted, meanwhile, on_hold,
    questions::{about, again, question_phrases, softly},
    reflections::{in_short, reflection, with_person},
};
use crate::machine::{Move, Telling, Theme};

/// The phrases of a move and the key they are counted under. Moves that are not worded here have
/// none.
pub(super) fn of(a_move: &Move, told: &Told) -> (String, &'static [&'static str]) {
    match a_move {
        Move::Ask(question) => (
            super::question_key(*question, false),
            question_phrases(*question),
        ),
        Move::AskAgain(question) => (super::question_key(*question, true), again(*question)),
        Move::AskSoftly(question) => (format!("{question:?} softly"), softly(*question)),
        Move::AskAbout(theme) => (format!("about {theme:?}"), about(*theme)),
        Move::Reflect(theme) => match with_person(*theme).filter(|_| told.who.is_some()) {
            Some(phrases) => (format!("reflect {theme:?} of someone"), phrases),
            None => (format!("reflect {theme:?}"), reflection(*theme)),
        },
        Move::Summarise(..) => ("summary".into(), SUMMARY),
        Move::ThankByName if told.name.is_some() => ("by name".into(), BY_NAME),
        Move::SayPlaceBack if told.place.is_some() => ("place".into(), PLACE),
        Move::ThankByName | Move::SayPlaceBack => ("acknowledge".into(), ACKNOWLEDGE),
        Move::Greet => ("greet".into(), GREET),
        Move::Affirm => ("affirm".into(), AFFIRM),
        Move::Ground => ("ground".into(), GROUND),
        Move::SafetyStep => ("safety".into(), SAFETY),
        Move::RespectRefusal => ("refusal".into(), REFUSAL),
        Move::Acknowledge => ("acknowledge".into(), ACKNOWLEDGE),
        Move::Ambulance => ("ambulance".into(), AMBULANCE),
        Move::AmbulanceToo => ("ambulance too".into(), AMBULANCE_TOO),
        Move::PoliceNumber => ("police".into(), POLICE),
        Move::SuicideNumber => ("suicide number".into(), SUICIDE_NUMBER),
        Move::Connect(_) => ("connect".into(), CONNECT),
        Move::PassedOn(_) => ("passed on".into(), PASSED_ON),
        Move::NoWayToReach(_) => ("no way to reach".into(), NO_WAY_TO_REACH),
        Move::UntilThen => ("until then".into(), UNTIL_THEN),
        Move::NothingShared(_) => ("nothing shared".into(), NOTHING_SHARED),
        Move::Numbers => ("numbers".into(), NUMBERS),
        Move::DoNotKnow => ("do not know".into(), DO_NOT_KNOW),
        Move::SayIsAi => ("ai".into(), AI),
        Move::SteerBack => ("steer back".into(), STEER_BACK),
        Move::IgnoreInstructions => ("instructions".into(), INSTRUCTIONS),
        Move::KeepOthersPrivate => ("others".into(), OTHERS),
        Move::YesNoIsEnough => ("yes or no".into(), YES_NO),
        Move::CheckIn(_) => ("check in".into(), CHECK_IN),
        Move::NotUnderstood(times) => match times {
            0 | 1 => ("not understood".into(), NOT_UNDERSTOOD),
            2 => ("not understood twice".into(), NOT_UNDERSTOOD_TWICE),
            _ => ("not understood often".into(), NOT_UNDERSTOOD_OFTEN),
        },
        Move::LineRestored => ("line restored".into(), LINE_RESTORED),
        Move::RecallTelling(of) => (format!("telling of {of:?}"), telling(*of)),
        Move::LineRestoredWithOfficer => (
            "line restored with officer".into(),
            meanwhile::LINE_RESTORED,
        ),
        Move::StillRinging => ("still ringing".into(), meanwhile::STILL_RINGING),
        Move::WithYouMeanwhile => ("with you meanwhile".into(), meanwhile::WITH_YOU),
        Move::StayingWithYou => ("staying with you".into(), meanwhile::STAYING),
        Move::NoNeedToSpeak => ("no need to speak".into(), meanwhile::NO_NEED_TO_SPEAK),
        Move::SilentMeanwhile => ("silent meanwhile".into(), meanwhile::SILENT),
        Move::NotUnderstoodMeanwhile => {
            ("not understood meanwhile".into(), meanwhile::NOT_UNDERSTOOD)
        }
        Move::RingYourself(_) => ("ring yourself".into(), meanwhile::RING_YOURSELF),
        Move::TextPolice => ("text police".into(), meanwhile::TEXT_POLICE),
        Move::OfficerJoined => ("officer joined".into(), meanwhile::OFFICER_JOINED),
        Move::AnotherJoined => ("another joined".into(), meanwhile::ANOTHER_JOINED),
        Move::OnHold => ("on hold".into(), on_hold::ON_HOLD),
        Move::StillOnHold => ("still on hold".into(), on_hold::STILL_ON_HOLD),
        Move::OffHold => ("off hold".into(), on_hold::OFF_HOLD),
        Move::Unreached(why) => (format!("{why:?}"), meanwhile::unreached(*why)),
        Move::TeamTold => ("team told".into(), meanwhile::TEAM_TOLD),
        Move::SayNumberBack if told.call_back.is_some() => {
            ("number back".into(), meanwhile::NUMBER_BACK)
        }
        Move::SayNumberBack | Move::NumberTaken => ("number taken".into(), meanwhile::NUMBER_TAKEN),
        Move::NumberLeftOut => ("number left out".into(), meanwhile::NUMBER_LEFT_OUT),
        Move::Hinted(hint) => hinted::of(*hint),
        Move::ConnectingStopped => ("connecting stopped".into(), meanwhile::STOPPED),
        Move::Inform(_)
        | Move::Farewell
        | Move::LookUp(_)
        | Move::Transfer(..)
        | Move::EndAfterTransfer
        | Move::End => ("silent".into(), ACKNOWLEDGE),
    }
}

const GREET: &[&str] = &[
    "Hello, this is {assistant}. I'm an AI counsellor, and I'm here to listen. Are you safe right now?",
    "Hi, you've reached {assistant}, an AI counsellor. I'm listening. Before anything else, are you safe right now?",
];

/// The phrase with what the call has been about; `last` when there is more than one thing.
pub(super) fn summary(phrase: &str, first: Theme, last: Option<Theme>) -> String {
    let heard = match last {
        Some(last) => format!("{}, and {}", in_short(first), in_short(last)),
        None => in_short(first).to_owned(),
    };
    phrase.replace("{heard}", &heard)
}

const SUMMARY: &[&str] = &[
    "Let me see if I've followed you: there's {heard}.",
    "So far I've heard about {heard}.",
    "If I draw it together, it's {heard}.",
];

const BY_NAME: &[&str] = &[
    "Thank you, {name}.",
    "Okay, {name}.",
    "Alright, {name}, thank you.",
];

const PLACE: &[&str] = &[
    "Thank you, that's {place}.",
    "Okay, {place}.",
    "I've got {place}, thank you.",
];

const AFFIRM: &[&str] = &[
    "Reaching out like this takes courage.",
    "You've already done something hard by calling.",
    "You know yourself best, and I trust what you say.",
    "What you feel makes sense.",
    "You've got through a great deal already.",
    "You deserve to be treated with kindness.",
    "There's no right or wrong way to feel about it.",
    "You're putting it into words, and that isn't easy.",
    "It says a lot about you that you keep going and still reach out.",
    "You're allowed to ask for help with this.",
];

pub(super) const GROUND: &[&str] = &[
    "If you like, put both feet on the floor and let one slow breath out.",
    "Let's slow down for a moment: breathe in gently, and make the breath out longer.",
    "Have a look around you, and name one thing you can see and one you can touch.",
    "A sip of water, or something warm in your hands, can help your body settle.",
    "Try letting your shoulders drop as you breathe out.",
    "Press your palms together for a few seconds, then let go and feel the difference.",
    "Listen for the furthest sound you can hear, then the nearest.",
];

pub(super) const SAFETY: &[&str] = &[
    "If things heat up, moving towards a room with a way out can keep you safer.",
    "It can help to agree on a word with a neighbour that means, call {SPF number}.",
    "Keeping your phone charged and your keys close is a small thing that can matter.",
    "A small bag with your identity card, keys and some money, kept with someone you trust, gives you a choice.",
];

const REFUSAL: &[&str] = &[
    "That's completely fine, you don't have to share that.",
    "No problem, we can leave that out.",
    "That's okay, I won't ask for it again.",
    "Of course, that stays with you.",
];

const ACKNOWLEDGE: &[&str] = &[
    "Thank you.",
    "Okay, thank you.",
    "Alright.",
    "Got it.",
    "Okay.",
];

const AMBULANCE: &[&str] = &[
    "If you or anybody with you is hurt, or has taken something, please call the ambulance on {SCDF number} straight away.",
    "This needs an ambulance: {SCDF number}, right now.",
];

pub(super) const AMBULANCE_TOO: &[&str] = &[
    "If anyone is hurt, or has taken something, {SCDF number} is the ambulance.",
    "Should anyone need an ambulance, that's {SCDF number}.",
];

const POLICE: &[&str] = &[
    "If anyone comes at you again, call {SPF number}.",
    "For danger from someone else, the police are on {SPF number}.",
];

const SUICIDE_NUMBER: &[&str] = &[
    "And for the thoughts of dying, {SOS} are on {SOS number}, at any hour.",
    "When you can, talk to {SOS} about wanting to die, on {SOS number}.",
];

const CONNECT: &[&str] = &[
    "I'm connecting you to {agency} now. Please stay on the line.",
    "I'm putting you through to {agency}. Stay on the line, you're not alone.",
];

const PASSED_ON: &[&str] = &[
    "Thank you, I've got what I need. A counsellor from {agency} will reach out to you within the next working day.",
    "I'm passing this on now. Someone from {agency}, a counsellor, will reach out within the next working day.",
];

/// A counsellor who reaches out needs a way to: nobody waits for a call that cannot come.
const NO_WAY_TO_REACH: &[&str] = &[
    "But I have no safe way to reach you, so please ring {reach} on {number}, whenever it's safe.",
    "As I don't know a safe way to reach you, please ring {reach} yourself on {number} when it's safe to.",
];

const UNTIL_THEN: &[&str] = &[
    "If you're in danger before then, ring {SPF number}, or text {SPF sms} if you can't speak.",
    "Should it get dangerous before then, the police are on {SPF number}, and by text on {SPF sms}.",
];

const NOTHING_SHARED: &[&str] = &[
    "That's completely okay, and nothing will be shared. If you ever want to, you can ring {reach} on {number}, or {SPF number} in danger.",
    "I understand, so I won't share anything. Should you change your mind, {reach} is there on {number}, and the police on {SPF number}.",
];

const NUMBERS: &[&str] = &[
    "For tonight: {SPF number} for the police, {SCDF number} for an ambulance, and {SOS} on {SOS number}. {NAVH} is on {NAVH number}.",
    "The police are on {SPF number}, the ambulance on {SCDF number}. To talk to a person, {SOS} answer on {SOS number}, and for any abuse there's {NAVH number}.",
];

pub(super) const DO_NOT_KNOW: &[&str] = &[
    "I don't know that, and I'd rather not guess.",
    "That's something I don't have an answer to, I'm afraid.",
    "I'm not sure about that one, so I won't make something up.",
];

/// The answer was given a moment ago.
pub(super) const TOLD_ALREADY: &[&str] = &[
    "It's as I said just now.",
    "That's as much as I know about it.",
    "I can't add more to that.",
];

const AI: &[&str] = &[
    "I'm an AI counsellor, not a person. I'm here to listen, and I can bring in people who help.",
    "I'm an AI, and I'm listening. For a person at any hour, {SOS} answer on {SOS number}.",
    "You're talking with an AI counsellor. If you'd rather have a human, {SOS} are on {SOS number}.",
];

const STEER_BACK: &[&str] = &[
    "I can't help with that one, but I'm here for you.",
    "That's outside what I do on this line, though I'd like to hear how you are.",
    "I'll have to leave that to others, and stay with how things are for you.",
];

const INSTRUCTIONS: &[&str] = &[
    "I'll stay what I am, an AI counsellor on a helpline.",
    "I keep to what I'm here for, which is listening to you.",
    "That isn't something I do, but I'm still with you.",
];

const OTHERS: &[&str] = &[
    "I never share anything about other people who call, not even whether they did.",
    "Whether anyone else has been in touch is something I don't say.",
    "I can't talk about anyone else, or say whether I know of them.",
];

pub(super) const YES_NO: &[&str] = &[
    "You don't have to say much. A yes or a no is enough.",
    "Let me make it easy: just say yes or no.",
];

const CHECK_IN: &[&str] = &[
    "I'm still here. If it stays quiet we'll be cut off, and you can come back at any time.",
    "If talking is hard, a yes or a no is enough.",
    "I'm with you whenever you're ready. If you can't speak, you can text the police on {SPF sms}.",
    "It's quiet on your side, and that's alright. Even a small sound tells me that you're there.",
];

const LINE_RESTORED: &[&str] = &[
    "I'm still here. The line was cut off for a moment.",
    "I'm here again. We lost the line for a moment.",
];

fn telling(telling: Telling) -> &'static [&'static str] {
    match telling {
        Telling::Harm => &[
            "You've been telling me what has happened to you.",
            "You were telling me what you have been through.",
        ],
        Telling::Feelings => &[
            "You've been telling me how heavy it is.",
            "You were saying how you have been feeling.",
        ],
        Telling::SomeoneElse => &[
            "You were telling me about someone you worry about.",
            "You were telling me about somebody you care for.",
        ],
        Telling::Life => &[
            "You were telling me what is on your mind.",
            "You've been telling me what is going on.",
        ],
    }
}

const NOT_UNDERSTOOD: &[&str] = &[
    "I'm sorry, I didn't catch that. Could you say it once more?",
    "Sorry, that was hard to hear. Would you mind saying it again?",
    "I heard your voice but not the words. Can you try once more?",
];

const NOT_UNDERSTOOD_TWICE: &[&str] = &[
    "The line isn't clear, I'm sorry. Could you answer with a single word, or just yes or no?",
    "I still can't make it out. Would a plain yes or no be easier?",
];

const NOT_UNDERSTOOD_OFTEN: &[&str] = &[
    "I'm having trouble hearing you. In danger, call {SPF number}, or text {SPF sms} if you can't speak.",
    "Your words aren't reaching me, but I don't want you left alone. {SOS} answer on {SOS number}, and the ambulance on {SCDF number}.",
    "I can't make out the words. {NAVH} is there all night, on {NAVH number}.",
];

/// Every phrase of every move: what it is said for, its variants, and whether it asks.
pub(super) fn all() -> Vec<(String, &'static [&'static str], bool)> {
    use crate::machine::Question::{self, *};
    const QUESTIONS: [Question; 23] = [
        CallBack,
        CallBackRight,
        SafeContact,
        SafeNow,
        SafeToTalk,
        DangerNow,
        OtherInDanger,
        Suicidal,
        OtherSuicidal,
        Name,
        Address,
        Account,
        IncidentTime,
        Consent,
        Age,
        Abuser,
        MoreSupport,
        Open,
        HurtBefore,
        BySpouse,
        SexualHarm,
        NeedsShelter,
        PutDown,
    ];
    const THEMES: [Theme; 31] = [
        Theme::Danger,
        Theme::Suicidal,
        Theme::Sexual,
        Theme::Shelter,
        Theme::Hurt,
        Theme::OwnDoing,
        Theme::PutDown,
        Theme::Controlled,
        Theme::Money,
        Theme::Neglected,
        Theme::Afraid,
        Theme::ForSomeoneElse,
        Theme::LongAgo,
        Theme::Lonely,
        Theme::Low,
        Theme::Stressed,
        Theme::Grieving,
        Theme::Relationship,
        Theme::Sleepless,
        Theme::Angry,
        Theme::Panicking,
        Theme::School,
        Theme::Work,
        Theme::MoneyWorry,
        Theme::Health,
        Theme::Caring,
        Theme::Family,
        Theme::Friends,
        Theme::Ashamed,
        Theme::Comfort,
        Theme::General,
    ];
    let mut all = Vec::new();
    for question in QUESTIONS.into_iter().chain([EighteenOrUnder]) {
        all.push((format!("{question:?}"), question_phrases(question), true));
        all.push((format!("{question:?} again"), again(question), true));
        if question == Suicidal {
            all.push(("suicidal, softly".to_owned(), softly(question), true));
        }
    }
    for theme in THEMES {
        all.push((format!("{theme:?}"), reflection(theme), false));
        if let Some(phrases) = with_person(theme) {
            all.push((format!("{theme:?} of someone"), phrases, false));
        }
        all.push((format!("about {theme:?}"), about(theme), true));
    }
    for (name, phrases) in [
        ("summary", SUMMARY),
        ("by name", BY_NAME),
        ("place", PLACE),
        ("affirm", AFFIRM),
        ("ground", GROUND),
        ("safety", SAFETY),
        ("refusal", REFUSAL),
        ("acknowledge", ACKNOWLEDGE),
        ("ambulance", AMBULANCE),
        ("ambulance too", AMBULANCE_TOO),
        ("police", POLICE),
        ("suicide number", SUICIDE_NUMBER),
        ("connect", CONNECT),
        ("passed on", PASSED_ON),
        ("no way to reach", NO_WAY_TO_REACH),
        ("until then", UNTIL_THEN),
        ("nothing shared", NOTHING_SHARED),
        ("numbers", NUMBERS),
        ("do not know", DO_NOT_KNOW),
        ("told already", TOLD_ALREADY),
        ("ai", AI),
        ("steer back", STEER_BACK),
        ("instructions", INSTRUCTIONS),
        ("others", OTHERS),
        ("yes or no", YES_NO),
        ("check in", CHECK_IN),
        ("line restored", LINE_RESTORED),
        ("not understood often", NOT_UNDERSTOOD_OFTEN),
    ] {
        all.push((name.to_owned(), phrases, false));
    }
    all.extend(meanwhile::all());
    all.extend(on_hold::all());
    all.push(("who knows".to_owned(), hinted::WHO_KNOWS, true));
    for of in [
        Telling::Harm,
        Telling::Feelings,
        Telling::SomeoneElse,
        Telling::Life,
    ] {
        all.push((format!("telling of {of:?}"), telling(of), false));
    }
    for (name, phrases) in [
        ("greet", GREET),
        ("not understood", NOT_UNDERSTOOD),
        ("not understood twice", NOT_UNDERSTOOD_TWICE),
    ] {
        all.push((name.to_owned(), phrases, true));
    }
    all
}
