//! The answer to what was asked: the trained reader's where it is sure, else the rules'.

use flow::Question;
use flow::reading::{Reading, SURE};

use super::harms::{asked_about, signals_of};
use crate::trained::{AnswerLabel, Flag, Opinion, State};

/// An answer is likely this, though not surely.
pub(super) const LIKELY: f32 = 0.6;
/// A consent put in the caller's own way leans to a yes from here on.
const LEANS: f32 = 0.7;
/// "That is a number": an age is more likely kept back than not from here on, where none was given.
const KEPT_BACK: f32 = 0.4;
/// Below this the trained reader all but rules an answer out.
const RULED_OUT: f32 = 0.05;
/// A harm is told of from this chance on, in whatever state.
const TOLD_AT_ALL: f32 = 0.2;

pub(super) fn settle(reading: &mut Reading, opinion: &Opinion<'_>, question: Option<Question>) {
    settle_polarity(reading, opinion, question);
    let answer = &mut reading.answer;
    if answer.of_themselves && answer.yes == Some(false) {
        answer.yes = None;
        answer.agreed = false;
    }
}

fn settle_polarity(reading: &mut Reading, opinion: &Opinion<'_>, question: Option<Question>) {
    let sure = opinion.sure_answer();
    let (best, chance) = likeliest(opinion);
    let answer = &mut reading.answer;
    let by_rules = answer.yes;
    // Who is told goodbye has said that they want nothing more: a no alone may mean something else.
    let stays = question == Some(Question::MoreSupport)
        && by_rules.is_none()
        && best == AnswerLabel::No
        && opinion.flag(Flag::Goodbye).0 < opinion.ask_of(Flag::Goodbye);
    if stays {
        return;
    }
    answer.refuses |= question == Some(Question::Age)
        && reading.age.is_none()
        && opinion.answer(AnswerLabel::Declines) >= KEPT_BACK;
    // "Im 14", to whether the case may be shared: a detail is no consent.
    let only_a_detail =
        question == Some(Question::Consent) && by_rules.is_none() && reading.age.is_some();
    let trained = match best {
        _ if only_a_detail => None,
        AnswerLabel::Yes => Some(true),
        AnswerLabel::No => Some(false),
        _ => None,
    };
    answer.agreed = by_rules.is_some() && by_rules == trained;
    let opposed = matches!((by_rules, trained), (Some(a), Some(b)) if a != b);
    let about_life = question.is_some_and(is_about_life);
    // "I only want somebody to take the birds by Monday": a rule alone explains no such words away.
    let told_of_it = asked_about(question)
        .is_some_and(|harm| opinion.harm(harm, State::Own).0 >= opinion.act(harm, State::Own));
    answer.means_otherwise &= !(about_life && told_of_it);
    if opposed && about_life && chance >= sure {
        answer.yes = None;
        answer.disputed = true;
        return;
    }
    let of_harm = asked_about(question).is_some();
    if of_harm && chance < sure && by_rules.is_some_and(|yes| opinion.answer(said(yes)) < RULED_OUT)
    {
        // "You may leave that page blank": a word of the rules' that is no answer to this question.
        answer.yes = None;
        answer.disputed |= about_life && by_rules == Some(true);
    }
    if question == Some(Question::Consent) && chance < sure {
        // Nothing is shared, and no help turned down, on a guess: it is asked once more.
        if opposed && chance >= LIKELY {
            answer.yes = None;
        }
        answer.leans_yes = trained == Some(true) && !opposed && chance >= LEANS;
        // "Pass it on lah, maybe they know": neither a pass nor a doubt.
        if answer.leans_yes && opinion.answer(AnswerLabel::Declines) < RULED_OUT {
            answer.refuses = false;
            answer.unsure = false;
        }
        return;
    }
    // "It was rape. I'd write it so in a chart.": the rules know the words for what was asked, and
    // more likely than not they are a yes.
    let told =
        by_rules.is_none() && best == AnswerLabel::Yes && rules_tell_of_asked(reading, question);
    let answer = &mut reading.answer;
    if chance < sure && told {
        answer.yes = Some(true);
        return;
    }
    if chance < sure && about_life {
        // What is not sure is no denial; the rules' own word stands.
        answer.unsure |= best == AnswerLabel::Unsure && chance >= LIKELY;
        answer.refuses |= best == AnswerLabel::Declines && chance >= LIKELY;
        // "I'm not thinking of ending anything but this marriage": a yes that denies what was asked is neither.
        let denies_it =
            asked_about(question).is_some_and(|harm| opinion.harm(harm, State::No).0 >= LIKELY);
        if by_rules.is_none() && trained == Some(true) && chance >= LIKELY && !denies_it {
            // A yes that says nothing of the danger itself is asked for once more.
            match tells_of_asked(opinion, question) {
                true => answer.yes = trained,
                false => answer.disputed = true,
            }
        }
        return;
    }
    if chance < sure {
        // Not sure of it, the trained reader still hears most of what the rules have no words for;
        // where they hear the opposite, it is neither.
        let silent = by_rules.is_none() && !answer.refuses && !answer.unsure;
        // "Only by the roster": a yes that is not sure says what it is a yes to.
        let empty = trained == Some(true) && !tells_of_asked(opinion, question);
        // "Batik is because of the slap and kick": what tells of the harm is no denial of it.
        let told_against = trained == Some(false) && told_of_it;
        if silent && chance >= LIKELY && !empty && !told_against {
            answer.yes = trained;
        } else if opposed && chance >= LIKELY {
            answer.yes = None;
        }
        return;
    }
    answer.yes = trained;
    answer.unsure = best == AnswerLabel::Unsure || best == AnswerLabel::Other && answer.unsure;
    answer.refuses = best == AnswerLabel::Declines
        || best == AnswerLabel::No && answer.refuses
        || best == AnswerLabel::Other && answer.refuses;
    answer.declines_to_say &= answer.refuses;
    if trained.is_some() {
        answer.say_again = false;
    }
}

const fn said(yes: bool) -> AnswerLabel {
    match yes {
        true => AnswerLabel::Yes,
        false => AnswerLabel::No,
    }
}

pub(super) fn likeliest(opinion: &Opinion<'_>) -> (AnswerLabel, f32) {
    AnswerLabel::ALL
        .iter()
        .map(|answer| (*answer, opinion.answer(*answer)))
        .fold((AnswerLabel::Other, 0.0), |best, this| {
            if this.1 > best.1 { this } else { best }
        })
}

/// Whether the words of the answer tell of the harm that was asked about.
fn tells_of_asked(opinion: &Opinion<'_>, question: Option<Question>) -> bool {
    asked_about(question).is_none_or(|harm| {
        State::ALL.iter().any(|state| {
            let chance = opinion.harm(harm, *state).0;
            chance >= opinion.ask(harm, *state).min(TOLD_AT_ALL)
        })
    })
}

/// Whether the rules are sure of the harm that was asked about.
fn rules_tell_of_asked(reading: &Reading, question: Option<Question>) -> bool {
    asked_about(question).is_some_and(|asked| {
        let signals = signals_of(asked);
        reading.signals.iter().any(|s| {
            signals.contains(&s.signal)
                && !s.denied
                && !s.remote
                && !s.doubted
                && s.confidence >= SURE
        })
    })
}

fn is_about_life(question: Question) -> bool {
    matches!(
        question,
        Question::DangerNow
            | Question::OtherInDanger
            | Question::Suicidal
            | Question::OtherSuicidal
    )
}
