//! Harms: what the two readers heard of each, settled by how grave it is.

use flow::Question;
use flow::reading::{HeardSignal, Reading, SURE, Signal, WORTH_ASKING};
use redact::Secret;

use super::answer::{LIKELY, likeliest};
use super::gravity::{ACT, ASK, ASK_ONCE, ASK_SURELY, Gravity, LEAN, Seen, together};
use crate::rules::only_takes_leave;
use crate::trained::{AnswerLabel, Flag, HarmLabel, Opinion, State};

/// The trained reader is acted on alone. A call has a dozen turns, most of them with no danger in them, so this is high:
/// where it gives a turn less, one plain question comes first.
const CERTAIN: f32 = 0.96;
/// It has next to no doubt.
const CONFIDENT: f32 = 0.85;
/// Models of eight bits round otherwise from one processor to the next, by about so much: what that decides, is decided for
/// the caller's life.
const ROUNDING: f32 = 0.005;
/// A weaker hint at suicide waits a turn where it is the first words, or where a need was told.
const WEAK: f32 = 0.35;
/// So does one that is no surer than this, where the first words surely tell of everyday trouble.
const WEAK_IN_THE_EVERYDAY: f32 = 0.75;
/// In an answer that is neither a yes nor a no, less than this repeats what was asked.
const ECHO: f32 = 0.15;
/// A harm that is said not to be so is barely heard below this.
const BARELY: f32 = 0.1;
/// What leans to suicide so much is asked about before any other need.
const STRONG_HINT: f32 = 0.8;
/// The trained reader has next to no doubt that the words are not meant.
const SURELY_UNMEANT: f32 = 0.9;
/// Below this share of what is worth asking the trained reader stands against the rules.
pub(super) const AGAINST: f32 = 0.5;

/// Which signals tell of a harm, the one that the trained reader's stands for first.
const HARMS: &[(HarmLabel, Gravity, &[Signal])] = &[
    (HarmLabel::Suicide, Gravity::Life, &[Signal::SuicidalDirect]),
    (HarmLabel::DangerNow, Gravity::Life, &[Signal::ViolenceNow]),
    (
        HarmLabel::Physical,
        Gravity::Need,
        &[Signal::PhysicalAbuse, Signal::DomesticViolence],
    ),
    (HarmLabel::Sexual, Gravity::Need, &[Signal::SexualAssault]),
    (HarmLabel::Shelter, Gravity::Need, &[Signal::ShelterWish]),
    (
        HarmLabel::Emotional,
        Gravity::Need,
        &[Signal::EmotionalAbuse, Signal::PsychologicalAbuse],
    ),
    (
        HarmLabel::Financial,
        Gravity::Need,
        &[Signal::FinancialAbuse],
    ),
    (HarmLabel::Neglect, Gravity::Need, &[Signal::Neglect]),
    (
        HarmLabel::Strangled,
        Gravity::Marker,
        &[Signal::Strangulation],
    ),
    (HarmLabel::Weapon, Gravity::Marker, &[Signal::Weapon]),
    (
        HarmLabel::ThreatToKill,
        Gravity::Marker,
        &[Signal::ThreatToKill],
    ),
];

/// What an answer to the question about a harm makes of words for it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Echo {
    None,
    /// The trained reader hears a no.
    Denied,
    /// It hears neither a yes nor a no.
    Unanswered,
    /// It hears no "no", and the rules do.
    Disputed,
}

/// `rules_deny`: the rules heard a no to the question, whatever came of the answer.
pub(super) fn settle(
    reading: &mut Reading,
    opinion: &Opinion<'_>,
    question: Option<Question>,
    rules_deny: bool,
) {
    let asked = asked_about(question);
    // To a reader of likenesses, who takes leave of a call is near to who takes leave of life. Where harm or safety was
    // asked about, the same words are weighed as any other: "No. Goodbye." may be of somebody who is not safe.
    let asks_of_safety = matches!(question, Some(Question::SafeNow | Question::SafeToTalk));
    let asks_of_harm = asked.is_some() || asks_of_safety;
    if !asks_of_harm && only_takes_leave(reading.words.expose_secret()) {
        return;
    }
    // Where the trained reader hears a no, a mere hint of its own at what was asked about is the
    // question's echo. What the rules hear stays.
    let (answer, chance) = likeliest(opinion);
    let denied = asked.filter(|_| answer == AnswerLabel::No && chance >= LIKELY);
    let first_words = question == Some(Question::SafeNow);
    for (harm, gravity, signals) in HARMS {
        let echo = match asked == Some(*harm) {
            true if denied.is_some() => Echo::Denied,
            true if rules_deny => Echo::Disputed,
            true if answer != AnswerLabel::Yes => Echo::Unanswered,
            _ => Echo::None,
        };
        settle_harm(
            reading,
            opinion,
            (*harm, *gravity, signals),
            echo,
            first_words,
        );
    }
    let denied_suicide = denied == Some(HarmLabel::Suicide);
    settle_hints_of_suicide(reading, opinion, denied_suicide, first_words);
    settle_injuries(reading, opinion);
}

/// The signals that tell of a harm.
pub(super) fn signals_of(harm: HarmLabel) -> &'static [Signal] {
    let row = HARMS.iter().find(|(label, ..)| *label == harm);
    row.map_or(&[], |(.., signals)| signals)
}

/// The harm that a question asks about.
pub(super) fn asked_about(question: Option<Question>) -> Option<HarmLabel> {
    match question? {
        Question::Suicidal | Question::OtherSuicidal => Some(HarmLabel::Suicide),
        Question::DangerNow | Question::OtherInDanger => Some(HarmLabel::DangerNow),
        Question::HurtBefore => Some(HarmLabel::Physical),
        Question::SexualHarm => Some(HarmLabel::Sexual),
        Question::NeedsShelter => Some(HarmLabel::Shelter),
        Question::PutDown => Some(HarmLabel::Emotional),
        _ => None,
    }
}

fn settle_harm(
    reading: &mut Reading,
    opinion: &Opinion<'_>,
    (harm, gravity, signals): (HarmLabel, Gravity, &[Signal]),
    echo: Echo,
    first_words: bool,
) {
    let probability = |state| opinion.harm(harm, state).0;
    let (own, words) = opinion.harm(harm, State::Own);
    let (others, words_of_others) = opinion.harm(harm, State::Other);
    let past = probability(State::Past);
    // "My brother took his own life in March": nobody is in danger any more, unless the caller is, or somebody the rules hear
    // of beside ("and now my mother is on the ledge").
    let heard_beside = reading
        .signals
        .iter()
        .any(|s| signals.contains(&s.signal) && !s.denied && !s.remote);
    let of_the_lost = harm == HarmLabel::Suicide && reading.lost_to_suicide && !heard_beside;
    let of_others = others > own && !of_the_lost;
    let (chance, words) = match of_others {
        true => (others, words_of_others),
        false => (own, words),
    };
    let (ask, act) = match of_others {
        true => (
            opinion.ask(harm, State::Other),
            opinion.act(harm, State::Other),
        ),
        false => (opinion.ask(harm, State::Own), opinion.act(harm, State::Own)),
    };
    // "He has beaten me for years": what the rules hear of now is not over for sounding so.
    let heard_of_now = chance >= LIKELY
        && reading
            .signals
            .iter()
            .any(|s| signals.contains(&s.signal) && !s.denied && !s.remote && s.confidence >= SURE);
    let is_past = past > chance && past >= 0.5 && !heard_of_now;
    // "I need a roof over my head tonight": beside a need, what only one reader hears is asked about first.
    // So it is beside "I'm going to finish that fellow", of which it may be the echo.
    let ends_another = reading.asserts(Signal::OwnViolence, WORTH_ASKING).is_some();
    let alone = harm == HarmLabel::Suicide && (needs(reading) || ends_another);
    let denied = echo == Echo::Denied;
    // "I never win first prize yet, how to die": not so, or not meant.
    let said_not_to_be = probability(State::No) + probability(State::Unmeant) >= 0.5;
    let waits = harm == HarmLabel::Suicide && (first_words || needs(reading));
    let weak = if first_words && opinion.is_everyday() {
        WEAK_IN_THE_EVERYDAY
    } else {
        WEAK
    };
    let at_most = match harm {
        HarmLabel::Suicide => chance + ROUNDING,
        _ => chance,
    };
    let against = chance < ask * AGAINST;
    let trained = if at_most >= CERTAIN && at_most >= act && !alone && !denied {
        Seen::Certain
    } else if at_most >= CONFIDENT && at_most >= act && !alone && !denied {
        Seen::Confident
    } else if at_most >= act {
        Seen::Sure
    } else if denied && (against || chance < BARELY && said_not_to_be) {
        Seen::Against
    } else if denied
        || waits && !against && chance < weak
        || echo == Echo::Unanswered && chance < ECHO
    {
        Seen::Nothing
    } else if chance >= ask {
        Seen::Hint
    } else if is_past || !against {
        Seen::Nothing
    } else {
        Seen::Against
    };
    let told = |s: &HeardSignal| signals.contains(&s.signal) && !s.denied && !s.remote;
    let doubted = reading.signals.iter().any(|s| told(s) && s.doubted);
    let surest = reading
        .signals
        .iter()
        .filter(|s| told(s))
        .map(|s| s.confidence)
        .fold(0.0, f32::max);
    let rules = if surest >= SURE {
        Seen::Sure
    } else if doubted {
        Seen::Doubted
    } else if surest >= WORTH_ASKING {
        Seen::Hint
    } else {
        Seen::Nothing
    };
    // "By sunrise life will be finished with me": told sideways to the rules and straight to the trained reader.
    // "I can't do this any more, I'll fail my life", surely of an examination, is asked about.
    let both_ways = harm == HarmLabel::Suicide
        && !opinion.is_everyday()
        && rules == Seen::Nothing
        && trained >= Seen::Sure
        && !of_others
        && reading
            .asserts(Signal::SuicidalIndirect, WORTH_ASKING)
            .is_some_and(|heard| !heard.doubted);
    let unheard = rules == Seen::Nothing;
    let rules = if both_ways { Seen::Hint } else { rules };
    let settled = match (gravity, echo, trained) {
        // "Who would hit me?", "My coach won't let me have laksa" repeat what was asked.
        (Gravity::Need, Echo::Denied | Echo::Unanswered, Seen::Against) => LEAN,
        // "Yep. I've never thought of that.": that it tells of the harm is the same opinion as that it is a yes, against
        // the rules' no. The question is put once more.
        (Gravity::Life, Echo::Disputed, _) if rules < Seen::Sure => {
            together(gravity, rules, trained).min(ASK_ONCE)
        }
        // No question of the flow would confirm it: two such turns are as good as told.
        _ if harm == HarmLabel::Neglect && rules == Seen::Sure && trained < Seen::Hint => {
            ASK_SURELY
        }
        _ => together(gravity, rules, trained),
    };
    // "My sister came with a black eye, her husband did it": of somebody else no question of the flow would confirm it.
    let told_for_another = of_others
        && trained == Seen::Certain
        && opinion.is_for_another()
        && !reading.speaks_of_play;
    let settled = match gravity {
        Gravity::Need if told_for_another => ACT,
        _ => settled,
    };
    // "They locked me in a dark room, there was a man with a chainsaw, grabe": words for it, and surely not meant.
    let settled = match (gravity, probability(State::Unmeant) >= SURELY_UNMEANT) {
        (_, false) => settled,
        (Gravity::Life | Gravity::Need, true) => settled.min(ASK),
        (Gravity::Marker, true) => settled.min(LEAN),
    };
    for heard in reading
        .signals
        .iter_mut()
        .filter(|s| signals.contains(&s.signal))
    {
        if heard.denied {
            continue;
        }
        if !heard.remote {
            if is_past && gravity == Gravity::Need {
                heard.remote = true;
                continue;
            }
            // Each keeps its own measure where the rules saw more than one.
            heard.confidence = match settled >= SURE {
                true => heard.confidence.max(if heard.confidence >= surest {
                    settled
                } else {
                    0.0
                }),
                false if heard.doubted => settled,
                false => heard.confidence.min(settled),
            };
            heard.of_others |= of_others && trained >= Seen::Sure;
        }
    }
    if unheard && settled >= WORTH_ASKING {
        // Told as over, or denied by a rule's reckoning: what is told now stands beside it.
        let signal = signals[0];
        reading.signals.push(HeardSignal {
            of_others,
            ..HeardSignal::told(signal, Secret::new(words.to_owned()), settled)
        });
    }
    let told_at_all = reading.signals.iter().any(|s| signals.contains(&s.signal));
    if !told_at_all && is_past && gravity == Gravity::Need && past >= opinion.act(harm, State::Past)
    {
        let (_, words) = opinion.harm(harm, State::Past);
        reading.signals.push(HeardSignal {
            remote: true,
            present: false,
            ..HeardSignal::told(signals[0], Secret::new(words.to_owned()), past)
        });
    }
}

/// A need was told.
fn needs(reading: &Reading) -> bool {
    reading.signals.iter().any(|s| {
        !s.denied
            && s.confidence >= WORTH_ASKING
            && (s.signal.is_abuse() || s.signal == Signal::ShelterWish)
    })
}

/// What leans to suicide sideways is asked about, whoever of the two sees it; what it was asked for and
/// denied is no new sign of it.
fn settle_hints_of_suicide(
    reading: &mut Reading,
    opinion: &Opinion<'_>,
    denied: bool,
    first_words: bool,
) {
    let (hint, words) = opinion.flag(Flag::SuicideHint);
    let (own, _) = opinion.harm(HarmLabel::Suicide, State::Own);
    let (self_harm, words_of_harm) = opinion.harm(HarmLabel::SelfHarm, State::Own);
    let everyday = first_words && opinion.is_everyday();
    // Of first words that surely tell of everyday trouble, what the trained reader would not ask about by itself is
    // asked about a turn later ("I can't pay the second bill, the first came out of my CPF Life"); and of a no to the
    // question itself once more, not acted on ("Siao ah, the aircon leaks only, why I want to die").
    let share = if everyday || denied { 1.0 } else { AGAINST };
    let against = hint < opinion.ask_of(Flag::SuicideHint) * share
        && own < opinion.ask(HarmLabel::Suicide, State::Own) * share
        && self_harm < opinion.ask(HarmLabel::SelfHarm, State::Own) * share;
    let mut told = false;
    for heard in &mut reading.signals {
        if heard.signal == Signal::SuicidalIndirect && !heard.denied {
            if against {
                let most = if heard.confidence >= SURE { ASK } else { LEAN };
                heard.confidence = heard.confidence.min(most);
            }
            told |= heard.confidence >= WORTH_ASKING;
        }
        told |= heard.signal == Signal::SuicidalDirect
            && !heard.denied
            && heard.confidence >= WORTH_ASKING;
    }
    // Beside a need that was told, what leans there weakly waits for its turn.
    let from = opinion.act_on(Flag::SuicideHint);
    let hinted = hint
        >= if needs(reading) || everyday {
            from.max(STRONG_HINT)
        } else {
            from
        };
    let harms_themselves = self_harm >= opinion.act(HarmLabel::SelfHarm, State::Own);
    if !told && !denied && (hinted || harms_themselves) {
        let words = if hinted { words } else { words_of_harm };
        let words = Secret::new(words.to_owned());
        let heard = HeardSignal::told(Signal::SuicidalIndirect, words, ASK);
        reading.signals.push(heard);
    }
}

/// An ambulance is named where either hears that one is needed.
fn settle_injuries(reading: &mut Reading, opinion: &Opinion<'_>) {
    let (now, words) = opinion.harm(HarmLabel::HurtNow, State::Own);
    let heard = [Signal::Injury, Signal::OverdoseNow, Signal::SelfHarmNow]
        .iter()
        .any(|signal| reading.asserts(*signal, SURE).is_some());
    if now >= opinion.act(HarmLabel::HurtNow, State::Own) && !heard {
        let words = Secret::new(words.to_owned());
        let heard = HeardSignal::told(Signal::Injury, words, ACT);
        reading.signals.push(heard);
    }
}
