//! The talk itself: safety, leave-taking, calls for help, who does it, and what may be asked next.

use flow::Question;
use flow::reading::{Heard, HeardSignal, Leaning, Leave, Reading, Relation, Signal};
use redact::Secret;

use super::harms::AGAINST;
use crate::rules::turns_police_down;
use crate::trained::{Flag, HarmLabel, Opinion, State};

/// Below this the trained reader hears nothing of it.
const NOT_AT_ALL: f32 = 0.05;
/// What the trained reader acts on.
const TOLD: f32 = 0.8;

pub(super) fn settle(reading: &mut Reading, opinion: &Opinion<'_>, question: Option<Question>) {
    let on_topic = opinion.flag(Flag::OffTopic).0 < NOT_AT_ALL && reading.answer.yes.is_some();
    if on_topic {
        // "WhatsApp me when I'm off the office WiFi": an answer that names what others ask of.
        reading.signals.retain(|s| s.signal != Signal::OffTopic);
    }
    settle_talk(reading, opinion, question);
    settle_doer(reading, opinion);
    lean(reading, opinion);
}

/// Safety, leave-taking, calls for help and talk about the talk.
fn settle_talk(reading: &mut Reading, opinion: &Opinion<'_>, question: Option<Question>) {
    let acts = |flag| opinion.flag(flag).0 >= opinion.act_on(flag);
    // "I don't want police" is near to a call for it, for a reader of likenesses.
    let turned_down = turns_police_down(reading.words.expose_secret());
    // "Please, tell them, the faster the better": of the case, not of somebody who is to come now.
    let of_the_case = question == Some(Question::Consent) && reading.answer.yes == Some(true);
    reading.calls_for_help |= acts(Flag::WantsPolice) && !turned_down && !of_the_case;
    reading.may_ask |= acts(Flag::Asks);
    if reading.leave.is_none() && acts(Flag::Goodbye) {
        reading.leave = Some(Leave::Half);
    }
    // "Yes ok" to sharing the case says nothing of being safe.
    let of_safety = question.is_none_or(|question| {
        matches!(
            question,
            Question::SafeNow
                | Question::SafeToTalk
                | Question::DangerNow
                | Question::OtherInDanger
                | Question::Open
        )
    });
    let added = [
        (Flag::Safe, Signal::Safe, false),
        (Flag::Unsafe, Signal::Safe, true),
        (Flag::CannotTalk, Signal::CannotSpeak, false),
        (Flag::ForOther, Signal::ThirdParty, false),
        (Flag::OffTopic, Signal::OffTopic, false),
    ];
    for (flag, signal, denied) in added {
        let known = reading.signals.iter().any(|s| s.signal == signal);
        if acts(flag) && !known && (of_safety || flag != Flag::Safe)
            // "Okay, but not the school, they may know" is said of the sharing.
            && !(flag == Flag::CannotTalk && question == Some(Question::Consent))
        {
            let (_, words) = opinion.flag(flag);
            reading.signals.push(HeardSignal {
                denied,
                ..HeardSignal::told(signal, Secret::new(words.to_owned()), TOLD)
            });
        }
    }
}

/// Who does it, where the rules found nobody in the words.
fn settle_doer(reading: &mut Reading, opinion: &Opinion<'_>) {
    if reading.abuser.is_some() {
        return;
    }
    let harmed = reading
        .signals
        .iter()
        .any(|s| !s.denied && (s.signal.is_abuse() || s.signal == Signal::ViolenceNow));
    let doers = [
        (Flag::BySpouse, Relation::Spouse),
        (Flag::ByPartner, Relation::Partner),
        (Flag::ByFamily, Relation::Family),
        (Flag::ByOther, Relation::NotFamily),
    ];
    let likeliest = doers
        .into_iter()
        .map(|(flag, relation)| (opinion.flag(flag), opinion.act_on(flag), relation))
        .filter(|((chance, _), act, _)| chance >= act)
        .max_by(|a, b| a.0.0.total_cmp(&b.0.0));
    if let Some(((chance, words), _, relation)) = likeliest.filter(|_| harmed) {
        reading.abuser = Some(Heard {
            value: relation,
            words: Secret::new(words.to_owned()),
            // What the rules find in a later turn counts for more.
            confidence: chance.min(0.6),
        });
    }
}

/// What is not even worth asking about at once, and may be asked in its place.
fn lean(reading: &mut Reading, opinion: &Opinion<'_>) {
    let harm = |harm| {
        let chance = opinion.harm(harm, State::Own).0;
        chance >= opinion.ask(harm, State::Own) * AGAINST
    };
    let leanings = [
        (
            Leaning::Suicide,
            reading.lost_to_suicide
                || opinion.flag(Flag::SuicideHint).0 >= opinion.ask_of(Flag::SuicideHint)
                || opinion.harm(HarmLabel::Suicide, State::Own).0
                    >= opinion.ask(HarmLabel::Suicide, State::Own),
        ),
        (Leaning::SexualHarm, harm(HarmLabel::Sexual)),
        (Leaning::Shelter, harm(HarmLabel::Shelter)),
        (Leaning::Hurt, harm(HarmLabel::Physical)),
        (
            Leaning::PutDown,
            harm(HarmLabel::Emotional) || harm(HarmLabel::Financial) || harm(HarmLabel::Neglect),
        ),
        (
            Leaning::Ordinary,
            opinion.flag(Flag::Everyday).0 >= opinion.act_on(Flag::Everyday),
        ),
    ];
    reading.leanings = leanings
        .into_iter()
        .filter(|(_, leans)| *leans)
        .map(|(leaning, _)| leaning)
        .collect();
}
