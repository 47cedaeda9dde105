//! What is asked: each phrase holds one question mark, at its end.

use crate::machine::{Question, Theme};

pub(super) fn question_phrases(question: Question) -> &'static [&'static str] {
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
        Question::OtherInDanger => &[
            "Is someone being hurt there right now?",
            "Is that person in danger at this moment?",
        ],
        Question::OtherSuicidal => &[
            "Are they speaking of ending their life?",
            "Have they said anything about suicide?",
        ],
        Question::Suicidal => &[
            "I want to ask you this gently. Are you having thoughts of ending your life?",
            "It's alright to tell me. Are you thinking about suicide?",
        ],
        Question::SafeContact => &[
            "How and when can a counsellor reach you, so that nobody else notices?",
            "Before I pass this on, which way and what time would be good to reach you without others noticing?",
        ],
        Question::CallBack => &[
            "It's completely fine to say no. Is there a number on which it's safe to ring you back?",
            "You don't have to give one. Is there a safe number to reach you on?",
        ],
        Question::CallBackRight => &["Is that right?", "Did I get it right?"],
        Question::Name => &["What name can I pass on to them?", "May I have your name?"],
        Question::Address => &[
            "Where are you right now, with the block and unit number if you can?",
            "What's the address, with the unit number?",
        ],
        Question::Account => &[
            "While I'm connecting you to {agency}, can you tell me briefly what happened?",
            "While I reach them, could you tell me in a few words what happened?",
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

/// The question in softer words, for whoever gave no sign of it.
pub(super) fn softly(question: Question) -> &'static [&'static str] {
    match question {
        Question::Suicidal => &[
            "With so much on you, are there moments when you think of not wanting to live?",
            "When it gets this heavy, do thoughts of not wanting to live come up too?",
        ],
        question => question_phrases(question),
    }
}

/// The question once more, in other words, without pressing.
pub(super) fn again(question: Question) -> &'static [&'static str] {
    match question {
        Question::SafeToTalk => &["Can you keep talking with me?", "Is talking safe for you?"],
        Question::DangerNow => &["Is someone hurting you now?", "Are you in danger now?"],
        Question::OtherInDanger => &[
            "Is someone there being hurt now?",
            "Is somebody in danger there right now?",
        ],
        Question::OtherSuicidal => &[
            "Do they talk about suicide?",
            "Have they spoken of wanting to die?",
        ],
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
        Question::CallBackRight => &["Is that the right number?", "Have I got it right?"],
        Question::CallBack => &[
            "Which number would be safe to ring you back on?",
            "What's the number, digit by digit?",
        ],
        Question::SafeContact => &[
            "A message, a call, a time of day: what would work for you?",
            "What would be a good way and time to reach you?",
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

pub(super) const OPEN: &[&str] = &[
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
    "Who do you feel safe with?",
    "What goes through your mind when it's quiet?",
    "How long have you been carrying this?",
    "What would a good friend say to you about it?",
    "What's one small thing that went alright today?",
    "How does it feel to say it out loud?",
    "What are you hoping for in the next few days?",
];

/// Open questions that stay with what was spoken of.
pub(super) fn about(theme: Theme) -> &'static [&'static str] {
    match theme {
        Theme::Lonely => &[
            "When does the loneliness feel strongest?",
            "Who used to be around that you miss?",
            "What makes the evenings a little less empty for you?",
        ],
        Theme::Low => &[
            "What does a day look like for you at the moment?",
            "When did it last feel a bit lighter?",
            "What do the hardest moments feel like?",
        ],
        Theme::Stressed => &[
            "What's pressing on you the most?",
            "Which part of it could wait until tomorrow?",
            "How do you notice it in your body?",
        ],
        Theme::Grieving => &[
            "What were they like?",
            "What do you find yourself missing most?",
            "Who remembers them together with you?",
        ],
        Theme::Relationship => &[
            "How was it between the two of you before?",
            "What do you wish they understood?",
            "What would you like to happen between you?",
        ],
        Theme::Sleepless => &[
            "What keeps you awake?",
            "How long have the nights been like this?",
            "What do you do when sleep won't come?",
        ],
        Theme::Angry => &[
            "What happens when the anger comes?",
            "What are you most worried will happen?",
        ],
        Theme::Panicking => &[
            "How is your breathing at this moment?",
            "What was happening just before it came on?",
            "What has helped when it came before?",
        ],
        Theme::School => &[
            "What worries you most about school?",
            "Who at school do you get along with?",
            "What happens at home when it comes to results?",
        ],
        Theme::Work => &[
            "What's it like at work these days?",
            "Is there anyone at work who's on your side?",
            "What would make work bearable again?",
        ],
        Theme::MoneyWorry => &[
            "Which worry about money is the nearest?",
            "Who else knows how tight things are?",
        ],
        Theme::Health => &[
            "How has it changed your days?",
            "What have the doctors told you?",
            "Who's with you through it?",
        ],
        Theme::Caring => &[
            "Who looks after you, while you look after them?",
            "When did you last have an hour to yourself?",
        ],
        Theme::Family => &[
            "How are things between you and your family?",
            "Who in the family do you feel close to?",
            "What usually happens when you try to talk about it at home?",
        ],
        Theme::Friends => &[
            "What happened between you?",
            "Which friend would you like to have near right now?",
        ],
        Theme::Ashamed => &[
            "What would you say to a friend who felt this way?",
            "Where do you think that feeling comes from?",
        ],
        Theme::Comfort => &[
            "What is it about that which does you good?",
            "When could you give yourself a bit more of that?",
        ],
        Theme::Afraid => &[
            "What are you most afraid could happen?",
            "Where do you go when you feel frightened?",
        ],
        Theme::Hurt | Theme::PutDown | Theme::Controlled | Theme::Money | Theme::Neglected => &[
            "How has this been affecting you?",
            "Who else knows what's been going on?",
            "What do you do to get through it?",
        ],
        Theme::Danger
        | Theme::Suicidal
        | Theme::Sexual
        | Theme::Shelter
        | Theme::OwnDoing
        | Theme::ForSomeoneElse
        | Theme::LongAgo
        | Theme::General => OPEN,
    }
}
