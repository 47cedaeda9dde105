//! The phrases. Short, warm, plain; numbers and names as they are spoken.
//!
//! `{assistant}`, `{agency}`, `{reach}` and `{number}` are filled in by the module above. Two
//! variants of one move never share a sentence, and never hold a caller's words.

use crate::machine::{Move, Question, Theme};

/// The phrases of a move and the key they are counted under. Moves that are not worded here have
/// none.
pub(super) fn of(a_move: &Move) -> (String, &'static [&'static str]) {
    match a_move {
        Move::Ask(question) => (
            super::question_key(*question, false),
            question_phrases(*question),
        ),
        Move::AskAgain(question) => (super::question_key(*question, true), again(*question)),
        Move::Reflect(theme) => (format!("reflect {theme:?}"), reflection(*theme)),
        Move::Greet => ("greet".into(), GREET),
        Move::Affirm => ("affirm".into(), AFFIRM),
        Move::Ground => ("ground".into(), GROUND),
        Move::SafetyStep => ("safety".into(), SAFETY),
        Move::RespectRefusal => ("refusal".into(), REFUSAL),
        Move::Acknowledge => ("acknowledge".into(), ACKNOWLEDGE),
        Move::Ambulance => ("ambulance".into(), AMBULANCE),
        Move::PoliceNumber => ("police".into(), POLICE),
        Move::Connect(_) => ("connect".into(), CONNECT),
        Move::PassedOn(_) => ("passed on".into(), PASSED_ON),
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

fn question_phrases(question: Question) -> &'static [&'static str] {
    match question {
        Question::SafeNow => &[
            "Are you safe right now?",
            "Is it safe where you are at the moment?",
        ],
        Question::SafeToTalk => &[
            "Is it safe for you to keep talking to me?",
            "Are you able to keep talking safely?",
        ],
        Question::DangerNow => &[
            "Is anyone hurting you, or about to hurt you, right now?",
            "Are you in danger from someone at this moment?",
        ],
        Question::Suicidal => &[
            "I want to ask you this gently. Are you having thoughts of ending your life?",
            "It's alright to tell me. Are you thinking about suicide?",
        ],
        Question::Name => &["What name can I pass on to them?", "May I have your name?"],
        Question::Address => &[
            "Where are you right now, with the block and unit number if you can?",
            "What's the address, with the unit number?",
        ],
        Question::Account => &[
            "While I'm connecting you to {agency}, can you tell me briefly what happened?",
            "As I reach them, could you tell me in a few words what happened?",
        ],
        Question::IncidentTime => &[
            "When did the latest incident happen?",
            "When was the last time this happened?",
        ],
        Question::Consent => &[
            "There are people who help with exactly this, and a counsellor can reach out to you. Is it okay if I share your case with {agency}?",
            "With your permission, I can bring in {agency}. Would you be okay with me sharing your case with them?",
        ],
        Question::Age => &[
            "So that I bring in the right team, may I ask how old you are?",
            "To find the right people for you, could you tell me your age?",
        ],
        Question::Abuser => &[
            "Who is it that's been doing this, your husband or wife, or someone else?",
            "Is the person your husband or wife, or is it someone else?",
        ],
        Question::MoreSupport => &[
            "Is there anything else I can help you with tonight?",
            "Would you like any more support from me?",
            "Is there something more you'd like to talk about?",
            "Can I do anything more for you right now?",
        ],
        Question::Open => OPEN,
        Question::HurtBefore => &[
            "Has someone close to you been hitting or hurting you?",
            "Has anyone at home hurt you before?",
        ],
        Question::BySpouse => &[
            "Is it your husband or wife?",
            "Is the person who did it your husband, wife, or ex?",
        ],
        Question::SexualHarm => &[
            "Has someone done something sexual to you that you didn't want?",
            "Did someone touch you in a way you didn't want?",
        ],
        Question::NeedsShelter => &[
            "Do you need somewhere safe to stay?",
            "Would you like help finding a safe place away from home?",
        ],
        Question::PutDown => &[
            "Is someone frightening you, controlling you, or putting you down?",
            "Does someone make you feel afraid or small?",
        ],
        Question::EighteenOrUnder => &[
            "Are you eighteen or younger?",
            "Just to bring in the right team, are you eighteen or under?",
        ],
    }
}

/// The question once more, in other words, without pressing.
fn again(question: Question) -> &'static [&'static str] {
    match question {
        Question::SafeToTalk => &["Can you keep talking with me?", "Is talking safe for you?"],
        Question::DangerNow => &["Is someone hurting you now?", "Are you in danger now?"],
        Question::Suicidal => &[
            "Are you thinking of ending your life?",
            "Have you been thinking about dying?",
        ],
        Question::Name => &[
            "You don't have to, but is there a name I can give them?",
            "Any name is fine, even just a first name. What should I call you?",
        ],
        Question::Address => &[
            "Roughly where are you?",
            "Which part of Singapore are you in?",
        ],
        Question::IncidentTime => &[
            "About when did it last happen?",
            "Roughly when was the last time?",
        ],
        Question::Consent => &[
            "It's your choice. Shall I pass your case on to {agency}?",
            "A simple yes or no is fine. May I share it with them?",
        ],
        Question::Age => &[
            "It only decides which team I bring in. Roughly how old are you?",
            "A rough idea is enough. What's your age?",
        ],
        Question::Abuser | Question::BySpouse => &[
            "Is it your husband or wife, or somebody else?",
            "Are you married to the person who does this?",
        ],
        Question::EighteenOrUnder => &[
            "Are you under nineteen?",
            "Are you still eighteen or below?",
        ],
        Question::HurtBefore => &["Has somebody been hurting you?", "Does someone hit you?"],
        Question::SexualHarm => &[
            "Was it something sexual?",
            "Did someone do something sexual to you?",
        ],
        Question::NeedsShelter => &[
            "Do you need a place to stay?",
            "Is it a safe place you need?",
        ],
        Question::PutDown => &[
            "Is someone treating you badly with words or control?",
            "Is someone making you afraid?",
        ],
        Question::Account => &[
            "What happened, in a few words?",
            "Could you say briefly what happened?",
        ],
        Question::SafeNow | Question::Open | Question::MoreSupport => OPEN,
    }
}

const OPEN: &[&str] = &[
    "What's been happening?",
    "Would you like to tell me more about it?",
    "What has this been like for you?",
    "What weighs on you most right now?",
    "When did things start to feel this way?",
    "Is there someone in your life who knows about this?",
    "What do you wish were different?",
    "What has helped you get through days like this before?",
    "How have you been sleeping and eating?",
    "What would make tonight a little easier?",
    "What do you need most at this moment?",
    "How is it when you're at home?",
    "What would you want someone to understand about it?",
    "Where do you feel most at ease?",
    "What's the hardest part of the day for you?",
    "Who do you feel safest with?",
];

fn reflection(theme: Theme) -> &'static [&'static str] {
    match theme {
        Theme::Danger => &[
            "I hear you, and I'm getting you help.",
            "Thank you for telling me, I'm with you.",
            "That sounds dangerous, and you did right to call.",
            "I'm here, and help is what we do next.",
        ],
        Theme::Suicidal => &[
            "I'm really glad you told me. You don't have to carry this alone, and I want you to be with someone who can help tonight.",
            "Thank you for trusting me with something so heavy. Your life matters, and there are people awake right now to be with you in this.",
        ],
        Theme::Sexual => &[
            "I'm so sorry that happened to you. It wasn't your fault, and I believe you.",
            "Thank you for telling me, that takes a lot. What was done to you is not your fault.",
        ],
        Theme::Shelter => &[
            "Wanting to be somewhere safe makes sense. You deserve a place where you can rest.",
            "It's hard when home isn't a place you can be. Let's see about somewhere safer.",
        ],
        Theme::Hurt => &[
            "I'm sorry you were hurt. Nobody has the right to do that to you.",
            "That should never happen to you. I'm glad you reached out.",
            "It must be frightening to be hurt like that. You don't deserve it.",
        ],
        Theme::PutDown => &[
            "Words like that wear a person down. I'm sorry you've had to live with it.",
            "Being treated that way hurts, even when it leaves no mark. You deserve better.",
        ],
        Theme::Controlled => &[
            "Being watched and controlled like that is exhausting. You have a right to your own life.",
            "It sounds as if your choices have been taken away from you. That isn't okay.",
        ],
        Theme::Money => &[
            "Having your money taken or controlled is a form of abuse too. I'm sorry it's happening to you.",
            "That's your money, and it isn't right. No wonder you're worried.",
        ],
        Theme::Neglected => &[
            "You should be cared for, and I'm sorry you haven't been. It matters that you called.",
            "Going without care is a real harm. I'm glad you told me.",
        ],
        Theme::Afraid => &[
            "I can hear that you don't feel safe.",
            "That sounds frightening, and I'm right here.",
            "It's okay to be scared, I'm staying with you.",
        ],
        Theme::ForSomeoneElse => &[
            "It's good of you to look out for someone.",
            "They're lucky that you noticed.",
            "It isn't easy to worry about somebody else like that.",
        ],
        Theme::LongAgo => &[
            "Even when it's long ago, it can stay with you.",
            "That was a lot to live through, and I'm glad it's behind you.",
            "Old hurts can still ache on quiet nights.",
        ],
        Theme::Lonely => &[
            "It sounds lonely, and I'm glad you're talking to me.",
            "Being alone with it makes everything heavier.",
            "That's a lot to hold on your own.",
        ],
        Theme::Low => &[
            "I'm sorry it's been so heavy.",
            "That sounds like a very hard place to be.",
            "It makes sense that you're worn out.",
            "I can hear how much this hurts.",
        ],
        Theme::Stressed => &[
            "That's a lot of pressure to be under.",
            "No wonder you feel stretched, with all of that at once.",
            "It sounds as though it hasn't let up for a while.",
        ],
        Theme::Grieving => &[
            "I'm so sorry for your loss.",
            "Missing someone can come in waves, and nights are often the worst.",
            "Grief takes the time it takes.",
        ],
        Theme::Relationship => &[
            "When someone close hurts us, it goes deep.",
            "It's painful when things go wrong with someone you love.",
            "That kind of ending leaves a big gap.",
        ],
        Theme::Sleepless => &[
            "Nights without sleep make everything harder.",
            "It's draining when your mind won't rest.",
            "No wonder you're tired, with nights like that.",
        ],
        Theme::Angry => &[
            "You have every reason to be angry.",
            "That anger makes sense to me.",
            "It sounds deeply unfair.",
        ],
        Theme::General => &[
            "I'm here, and I'm listening.",
            "Thank you for telling me.",
            "I hear you.",
            "Take your time, there's no hurry.",
            "I'm glad you're sharing this with me.",
            "That can't be easy to talk about.",
            "I want to understand it properly.",
            "I'm here with you.",
            "Thank you for staying with me.",
            "That gives me a clearer picture.",
            "You can say it in any way you like.",
        ],
    }
}

const AFFIRM: &[&str] = &[
    "Reaching out like this takes courage.",
    "You've already done something hard by calling.",
    "You know yourself best, and I trust what you say.",
    "What you feel makes sense.",
    "You've got through a great deal already.",
    "You deserve to be treated with kindness.",
    "There's no right or wrong way to feel about it.",
];

const GROUND: &[&str] = &[
    "If you like, put both feet on the floor and let one slow breath out.",
    "Let's slow down for a moment: breathe in gently, and make the breath out longer.",
    "Have a look around you, and name one thing you can see and one you can touch.",
    "A sip of water, or something warm in your hands, can help your body settle.",
    "Try letting your shoulders drop as you breathe out.",
];

const SAFETY: &[&str] = &[
    "If things heat up, moving towards a room with a way out can keep you safer.",
    "It can help to agree on a word with a neighbour that means, call nine nine nine.",
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
    "If you're hurt, or you've taken something, please call the ambulance on nine nine five straight away.",
    "This needs an ambulance: nine nine five, right now.",
];

const POLICE: &[&str] = &[
    "If anyone comes at you again, call nine nine nine.",
    "For danger from someone else, the police are on nine nine nine.",
];

const CONNECT: &[&str] = &[
    "I'm connecting you to {agency} now. Please stay on the line.",
    "I'm putting you through to {agency}. Stay on the line, you're not alone.",
];

const PASSED_ON: &[&str] = &[
    "Thank you, I've got what I need. A counsellor from {agency} will reach out to you within the next working day.",
    "I'm passing this on now. Someone from {agency}, a counsellor, will reach out within the next working day.",
];

const NOTHING_SHARED: &[&str] = &[
    "That's completely okay, and nothing will be shared. If you ever want to, you can ring {reach} on {number}, or nine nine nine in danger.",
    "I understand, so I won't share anything. Should you change your mind, {reach} is there on {number}, and the police on nine nine nine.",
];

const NUMBERS: &[&str] = &[
    "For tonight: nine nine nine for the police, nine nine five for an ambulance, and Samaritans of Singapore on one seven six seven. The National Anti-Violence Helpline is on one eight hundred, triple seven, four zeros.",
    "The police are on nine nine nine, the ambulance on nine nine five. To talk to a person, Samaritans of Singapore answer on one seven six seven, and for any abuse there's one eight hundred, triple seven, four zeros.",
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
    "No human here, I'm an AI. I listen, and when you want, real people take over.",
    "You're talking with an AI counsellor. If you'd rather have a human, Samaritans of Singapore are on one seven six seven.",
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
    "I never share anything about other people who call, just as I won't share about you.",
    "What others tell me stays with them.",
    "I can't talk about anyone else, and I keep you just as private.",
];

const YES_NO: &[&str] = &[
    "You don't have to say much. A yes or a no is enough.",
    "Let me make it easy: just say yes or no.",
];

const CHECK_IN: &[&str] = &[
    "I'm still here. Take all the time you need.",
    "No rush at all. If talking is hard, a yes or a no is enough.",
    "I'm with you whenever you're ready. If you can't speak, you can text the police on seven zero nine nine nine.",
    "It's quiet on your side, and that's alright. I haven't gone anywhere.",
];

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
    "I'm having trouble hearing you. In danger, call nine nine nine, or text seven zero nine nine nine if you can't speak.",
    "Your words aren't reaching me, but I don't want you left alone. Samaritans of Singapore answer on one seven six seven, and the ambulance on nine nine five.",
    "I can't make out the words. The National Anti-Violence Helpline is there all night, on one eight hundred, triple seven, four zeros.",
];

#[cfg(test)]
pub(super) fn all() -> Vec<(String, &'static [&'static str], bool)> {
    use Question::*;
    const QUESTIONS: [Question; 18] = [
        SafeNow,
        SafeToTalk,
        DangerNow,
        Suicidal,
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
    const THEMES: [Theme; 20] = [
        Theme::Danger,
        Theme::Suicidal,
        Theme::Sexual,
        Theme::Shelter,
        Theme::Hurt,
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
        Theme::General,
    ];
    let mut all = Vec::new();
    for question in QUESTIONS.into_iter().chain([EighteenOrUnder]) {
        all.push((format!("{question:?}"), question_phrases(question), true));
        all.push((format!("{question:?} again"), again(question), true));
    }
    for theme in THEMES {
        all.push((format!("{theme:?}"), reflection(theme), false));
    }
    for (name, phrases) in [
        ("affirm", AFFIRM),
        ("ground", GROUND),
        ("safety", SAFETY),
        ("refusal", REFUSAL),
        ("acknowledge", ACKNOWLEDGE),
        ("ambulance", AMBULANCE),
        ("police", POLICE),
        ("connect", CONNECT),
        ("passed on", PASSED_ON),
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
        ("not understood often", NOT_UNDERSTOOD_OFTEN),
    ] {
        all.push((name.to_owned(), phrases, false));
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
