//! What shows that it was heard. Never a question.

use crate::machine::Theme;

pub(super) fn reflection(theme: Theme) -> &'static [&'static str] {
    match theme {
        Theme::Danger => &[
            "I hear you, and I'm getting you help.",
            "Thank you for telling me, I'm with you.",
            "That sounds dangerous, and you did right to call.",
            "I'm here, and help is what we do next.",
        ],
        Theme::Suicidal => &[
            "I'm really glad you told me. You don't have to carry this alone.",
            "Thank you for trusting me with something so heavy. Your life matters.",
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
        // Heard, neither consoled nor condemned: what counts is who may be hurt next.
        Theme::OwnDoing => &[
            "Thank you for telling me that. What matters first is that nobody else is hurt.",
            "It's right that you reached out. Please keep away from them for now, and stay with me.",
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
            "What happens with someone so close goes deep.",
            "It sounds as if a lot is going on between the two of you.",
            "Someone you love can fill your whole mind.",
        ],
        Theme::Sleepless => &[
            "Nights without sleep make everything harder.",
            "It's draining when your mind won't rest.",
            "It's no wonder you're tired, with nights like that.",
        ],
        Theme::Panicking => &[
            "I'm right here with you. That sounds very frightening.",
            "That must be frightening in the moment. Let's slow it down together, one breath out at a time.",
            "Your body is sounding an alarm, and I'm staying on the line.",
        ],
        Theme::School => &[
            "School can take up the whole sky.",
            "That's a lot riding on you at school.",
            "Results don't say what you're worth.",
        ],
        Theme::Work => &[
            "That sounds like work has been wearing on you.",
            "It's hard when work takes so much out of you.",
            "You've been giving a lot there.",
        ],
        Theme::MoneyWorry => &[
            "Money worries have a way of following you everywhere.",
            "That's a heavy thing to keep working out on your own.",
            "It makes sense that it's on your mind.",
        ],
        Theme::Health => &[
            "That's a lot for a body and a mind to take in.",
            "Being unwell, or close to someone who is, asks so much of you.",
            "I'm sorry you're dealing with that.",
        ],
        Theme::Caring => &[
            "Caring for someone is tiring in a way few people see.",
            "You give so much to someone else.",
            "It's alright to be worn out by it, and to love them too.",
        ],
        Theme::Family => &[
            "Family can sit so close to the heart.",
            "It sounds as if a lot goes unsaid at home.",
            "Things at home matter to you, I can hear that.",
        ],
        Theme::Friends => &[
            "Friendships can hurt as much as anything.",
            "It sounds like that friendship means something to you.",
            "Feeling on the outside is painful.",
        ],
        Theme::Ashamed => &[
            "You're being very hard on yourself.",
            "Feeling that you failed isn't the same as having failed.",
            "That sounds like a heavy thing to blame yourself for.",
        ],
        Theme::Comfort => &[
            "I'm glad you have that.",
            "That sounds like something that does you good.",
            "It's good to hear there's something that helps.",
        ],
        Theme::Angry => &[
            "I can hear how much anger there is in this.",
            "That's a lot of anger to live with.",
            "It sounds as if it has been building up.",
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

/// The same, with the caller's own word for the one who does it. `None` when there is none.
pub(super) fn with_person(theme: Theme) -> Option<&'static [&'static str]> {
    Some(match theme {
        Theme::Hurt => &[
            "I'm sorry {who} did that to you. Nobody has the right to hurt you.",
            "You should be safe with {who}, and you aren't. That's not your doing.",
        ],
        Theme::PutDown => &[
            "Hearing that from {who} wears a person down. I'm sorry you live with it.",
            "Words like that hurt, all the more from {who}. You deserve better.",
        ],
        Theme::Controlled => &[
            "It sounds as if your choices are being taken away by {who}. You have a right to your own life.",
            "Being watched and held back by {who} is exhausting. That isn't okay.",
        ],
        Theme::Money => &[
            "That's your money, and it isn't for {who} to take. I'm sorry it's happening.",
            "Having {who} decide over your money is a form of abuse too. No wonder you're worried.",
        ],
        Theme::Neglected => &[
            "You should be cared for by {who}, and I'm sorry you aren't. It matters that you called.",
            "Being left without care by {who} is a real harm. I'm glad you told me.",
        ],
        _ => return None,
    })
}

/// What a theme is called when what was heard is drawn together.
pub(super) fn in_short(theme: Theme) -> &'static str {
    match theme {
        Theme::Danger | Theme::Afraid => "being frightened",
        Theme::Suicidal | Theme::Low => "how heavy things have felt",
        Theme::Sexual => "what was done to you",
        Theme::Shelter => "needing somewhere to be",
        Theme::Hurt => "being hurt",
        Theme::OwnDoing => "what you did",
        Theme::PutDown => "being put down",
        Theme::Controlled => "having your choices taken away",
        Theme::Money => "your money being taken",
        Theme::Neglected => "going without care",
        Theme::ForSomeoneElse => "your worry for someone",
        Theme::LongAgo => "what happened back then",
        Theme::Lonely => "being alone with it",
        Theme::Stressed => "the pressure you're under",
        Theme::Grieving => "missing someone you love",
        Theme::Relationship => "what's going on with someone close to you",
        Theme::Sleepless => "nights without rest",
        Theme::Angry => "the anger about it",
        Theme::Panicking => "the panic that comes over you",
        Theme::School => "school",
        Theme::Work => "work",
        Theme::MoneyWorry => "the worry about money",
        Theme::Health => "your health, or that of someone close",
        Theme::Caring => "all the caring you do",
        Theme::Family => "how things are with your family",
        Theme::Friends => "your friends",
        Theme::Ashamed => "how hard you are on yourself",
        Theme::Comfort => "what does you good",
        Theme::General => "what's on your mind",
    }
}
