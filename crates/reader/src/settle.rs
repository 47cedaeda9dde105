//! What holds where the two readers, the rules and the trained one, see a turn differently.
//!
//! They fail differently, so neither is believed alone where much hangs on it:
//!
//! | of a harm | both sure, or one sure and one with a hint | rules sure, trained not against | rules sure, trained against | trained sure alone | trained certain alone | a hint alone |
//! |---|---|---|---|---|---|---|
//! | life at risk: suicide, violence now | act | act | ask | ask | act | ask |
//! | a need: blows, sexual harm, shelter, words and control, money, neglect | act | act | ask | ask | ask | ask |
//! | what makes it graver: a weapon, a threat to kill, strangling | keep | keep | ask | keep | keep | – |
//!
//! "Ask" is a confidence at which the flow puts one plain question. Nothing that a caller says of dying,
//! killing or being hit is cancelled here: at the least it is asked about. An answer is the trained
//! reader's where it is sure, else the rules'; on the questions about life a yes against a no counts as
//! neither and is asked once more. Names, places, ages, dates and people are the rules' alone.

use flow::Question;
use flow::reading::{
    Heard, HeardSignal, Leaning, Leave, Reading, Relation, SURE, Signal, WORTH_ASKING,
};
use redact::Secret;

use crate::trained::{AnswerLabel, Flag, HarmLabel, Opinion, State};

/// Told by both, or by the one that counts.
const ACT: f32 = 0.9;
/// The trained reader is sure of it alone: worth a question, and as good as told when it is heard again.
const ASK_SURELY: f32 = 0.66;
/// Worth a question, surely not more.
const ASK: f32 = 0.6;
/// Heard, but not even worth a question by itself; stays for what is told beside it.
const LEAN: f32 = 0.45;
/// The trained reader is acted on alone.
const CERTAIN: f32 = 0.93;
/// What leans to suicide so much is asked about before any other need.
const STRONG_HINT: f32 = 0.8;
/// An answer is likely this, though not surely.
const LIKELY: f32 = 0.6;
/// Below this share of what is worth asking the trained reader stands against the rules.
const AGAINST: f32 = 0.5;

/// How grave a harm is, which decides how much it takes to act on it, and to leave it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gravity {
    /// Somebody may die tonight.
    Life,
    /// An agency can help.
    Need,
    /// Raises the urgency of what stands beside it.
    Marker,
}

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

/// What one reader makes of a harm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Seen {
    /// It is not there, or said not to be so, or not meant.
    Against,
    Nothing,
    /// The words are there, among others that say they are likely not meant; only the rules say so.
    Doubted,
    Hint,
    Sure,
    /// So sure that it is acted on alone; only the trained reader says so.
    Certain,
}

/// How sure it is in the end; see the table above.
fn together(gravity: Gravity, rules: Seen, trained: Seen) -> f32 {
    use Seen::{Against, Certain, Doubted, Hint, Nothing, Sure};
    match (gravity, rules, trained) {
        (_, Sure | Certain, Nothing | Hint | Sure | Certain) => ACT,
        (_, Sure | Certain, Against) => ASK,
        (_, Doubted, Against | Doubted) => LEAN,
        (_, Doubted, _) => ASK,
        (_, _, Doubted) => 0.0,
        (_, Hint, Sure | Certain) => ACT,
        (_, Hint, Nothing | Hint) => ASK,
        (_, Hint, Against) => LEAN,
        (Gravity::Life, Nothing | Against, Certain) => ACT,
        (Gravity::Need, Nothing | Against, Sure | Certain) => ASK_SURELY,
        (Gravity::Life, Nothing | Against, Sure) => ASK,
        (Gravity::Life | Gravity::Need, Nothing | Against, Hint) => ASK,
        // A marker is no reason for a question: it stands where both know of it, or one is sure.
        (Gravity::Marker, Nothing | Against, Sure | Certain) => ACT,
        (Gravity::Marker, Nothing | Against, Hint) => 0.0,
        (_, Nothing | Against, Nothing | Against) => 0.0,
    }
}

/// The rules' reading, with the trained reader's opinion of the same turn.
pub(crate) fn settle(reading: &mut Reading, opinion: &Opinion<'_>, question: Option<Question>) {
    settle_answer(reading, opinion, question);
    let denied = denied(opinion, question);
    for (harm, gravity, signals) in HARMS {
        settle_harm(
            reading,
            opinion,
            *harm,
            *gravity,
            signals,
            denied == Some(*harm),
        );
    }
    if denied != Some(HarmLabel::Suicide) {
        settle_hints_of_suicide(reading, opinion);
    }
    settle_injuries(reading, opinion);
    settle_talk(reading, opinion);
    settle_doer(reading, opinion);
    lean(reading, opinion);
}

/// The harm that was asked about, where the trained reader hears a no rather than anything else: then
/// a mere hint of its own at it is the question's echo. What the rules hear stays.
fn denied(opinion: &Opinion<'_>, question: Option<Question>) -> Option<HarmLabel> {
    match question.filter(|_| likeliest(opinion).0 == AnswerLabel::No)? {
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
    harm: HarmLabel,
    gravity: Gravity,
    signals: &[Signal],
    denied: bool,
) {
    let probability = |state| opinion.harm(harm, state).0;
    let (own, words) = opinion.harm(harm, State::Own);
    let (others, words_of_others) = opinion.harm(harm, State::Other);
    let past = probability(State::Past);
    let of_others = others > own;
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
    let is_past = past > chance && past >= 0.5;
    let trained = if chance >= CERTAIN && chance >= act {
        Seen::Certain
    } else if chance >= act {
        Seen::Sure
    } else if denied {
        Seen::Nothing
    } else if chance >= ask {
        Seen::Hint
    } else if is_past || chance >= ask * AGAINST {
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
    let settled = together(gravity, rules, trained);
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
                false => heard.confidence.min(settled),
            };
            heard.of_others |= of_others && trained >= Seen::Sure;
        }
    }
    if rules == Seen::Nothing && settled >= WORTH_ASKING {
        // Told as over, or denied by a rule's reckoning: what is told now stands beside it.
        let signal = signals[0];
        reading.signals.push(HeardSignal {
            signal,
            words: Secret::new(words.to_owned()),
            confidence: settled,
            denied: false,
            remote: false,
            of_others,
            present: true,
            doubted: false,
        });
    }
    let told_at_all = reading.signals.iter().any(|s| signals.contains(&s.signal));
    if !told_at_all && is_past && gravity == Gravity::Need && past >= opinion.act(harm, State::Past)
    {
        let (_, words) = opinion.harm(harm, State::Past);
        reading.signals.push(HeardSignal {
            signal: signals[0],
            words: Secret::new(words.to_owned()),
            confidence: past,
            denied: false,
            remote: true,
            of_others: false,
            present: false,
            doubted: false,
        });
    }
}

/// What leans to suicide sideways is asked about, whoever of the two sees it.
fn settle_hints_of_suicide(reading: &mut Reading, opinion: &Opinion<'_>) {
    let (hint, words) = opinion.flag(Flag::SuicideHint);
    let (own, _) = opinion.harm(HarmLabel::Suicide, State::Own);
    let (self_harm, words_of_harm) = opinion.harm(HarmLabel::SelfHarm, State::Own);
    let against = hint < opinion.ask_of(Flag::SuicideHint) * AGAINST
        && own < opinion.ask(HarmLabel::Suicide, State::Own) * AGAINST
        && self_harm < opinion.ask(HarmLabel::SelfHarm, State::Own) * AGAINST;
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
    let need = reading.signals.iter().any(|s| {
        !s.denied
            && s.confidence >= WORTH_ASKING
            && (s.signal.is_abuse() || s.signal == Signal::ShelterWish)
    });
    let from = opinion.act_on(Flag::SuicideHint);
    let hinted = hint >= if need { from.max(STRONG_HINT) } else { from };
    let harms_themselves = self_harm >= opinion.act(HarmLabel::SelfHarm, State::Own);
    if !told && (hinted || harms_themselves) {
        let words = if hinted { words } else { words_of_harm };
        reading.signals.push(HeardSignal {
            signal: Signal::SuicidalIndirect,
            words: Secret::new(words.to_owned()),
            confidence: ASK,
            denied: false,
            remote: false,
            of_others: false,
            present: true,
            doubted: false,
        });
    }
}

/// An ambulance is named where either hears that one is needed.
fn settle_injuries(reading: &mut Reading, opinion: &Opinion<'_>) {
    let (now, words) = opinion.harm(HarmLabel::HurtNow, State::Own);
    let heard = [Signal::Injury, Signal::OverdoseNow, Signal::SelfHarmNow]
        .iter()
        .any(|signal| reading.asserts(*signal, SURE).is_some());
    if now >= opinion.act(HarmLabel::HurtNow, State::Own) && !heard {
        reading.signals.push(HeardSignal {
            signal: Signal::Injury,
            words: Secret::new(words.to_owned()),
            confidence: ACT,
            denied: false,
            remote: false,
            of_others: false,
            present: true,
            doubted: false,
        });
    }
}

fn settle_answer(reading: &mut Reading, opinion: &Opinion<'_>, question: Option<Question>) {
    let sure = opinion.sure_answer();
    let (best, chance) = likeliest(opinion);
    let answer = &mut reading.answer;
    let by_rules = answer.yes;
    let trained = match best {
        AnswerLabel::Yes => Some(true),
        AnswerLabel::No => Some(false),
        _ => None,
    };
    answer.agreed = by_rules.is_some() && by_rules == trained;
    let opposed = matches!((by_rules, trained), (Some(a), Some(b)) if a != b);
    let about_life = question.is_some_and(is_about_life);
    if opposed && about_life && chance >= sure {
        answer.yes = None;
        answer.disputed = true;
        return;
    }
    if question == Some(Question::Consent) && chance < sure {
        // Nothing is shared, and no help turned down, on a guess: it is asked once more.
        if opposed && chance >= LIKELY {
            answer.yes = None;
        }
        return;
    }
    if chance < sure && about_life {
        // What is not sure is no denial; the rules' own word stands.
        if by_rules.is_none() && trained == Some(true) && chance >= LIKELY {
            answer.yes = trained;
        }
        return;
    }
    if chance < sure {
        // Not sure of it, the trained reader still hears most of what the rules have no words for;
        // where they hear the opposite, it is neither.
        let silent = by_rules.is_none() && !answer.refuses && !answer.unsure;
        if silent && chance >= LIKELY {
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

fn likeliest(opinion: &Opinion<'_>) -> (AnswerLabel, f32) {
    AnswerLabel::ALL
        .iter()
        .map(|answer| (*answer, opinion.answer(*answer)))
        .fold((AnswerLabel::Other, 0.0), |best, this| {
            if this.1 > best.1 { this } else { best }
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

/// Safety, leave-taking, calls for help and talk about the talk.
fn settle_talk(reading: &mut Reading, opinion: &Opinion<'_>) {
    let acts = |flag| opinion.flag(flag).0 >= opinion.act_on(flag);
    reading.calls_for_help |= acts(Flag::WantsPolice);
    reading.asks |= acts(Flag::Asks) && reading.word_count > 2;
    if reading.leave.is_none() && acts(Flag::Goodbye) {
        reading.leave = Some(Leave::Half);
    }
    let added = [
        (Flag::Safe, Signal::Safe, false),
        (Flag::Unsafe, Signal::Safe, true),
        (Flag::CannotTalk, Signal::CannotSpeak, false),
        (Flag::ForOther, Signal::ThirdParty, false),
        (Flag::OffTopic, Signal::OffTopic, false),
    ];
    for (flag, signal, denied) in added {
        let known = reading.signals.iter().any(|s| s.signal == signal);
        if acts(flag) && !known {
            let (_, words) = opinion.flag(flag);
            reading.signals.push(HeardSignal {
                signal,
                words: Secret::new(words.to_owned()),
                confidence: 0.8,
                denied,
                remote: false,
                of_others: false,
                present: true,
                doubted: false,
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
            opinion.flag(Flag::SuicideHint).0 >= opinion.ask_of(Flag::SuicideHint),
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

#[cfg(test)]
mod tests {
    use super::*;

    const SEEN: [Seen; 5] = [
        Seen::Against,
        Seen::Nothing,
        Seen::Hint,
        Seen::Sure,
        Seen::Certain,
    ];

    #[test]
    fn of_life_a_sure_word_from_either_is_at_least_asked_about() {
        for other in SEEN {
            assert!(together(Gravity::Life, Seen::Sure, other) >= WORTH_ASKING);
            assert!(together(Gravity::Life, other, Seen::Sure) >= WORTH_ASKING);
        }
    }

    #[test]
    fn of_life_it_takes_one_against_to_keep_a_sure_word_from_being_acted_on() {
        for other in [Seen::Nothing, Seen::Hint, Seen::Sure] {
            assert!(together(Gravity::Life, Seen::Sure, other) >= SURE);
        }
        assert!(together(Gravity::Life, Seen::Hint, Seen::Sure) >= SURE);
        assert!(together(Gravity::Life, Seen::Nothing, Seen::Certain) >= SURE);
        assert!(together(Gravity::Life, Seen::Sure, Seen::Against) < SURE);
    }

    #[test]
    fn a_need_is_acted_on_when_both_hear_it_and_asked_about_when_the_trained_reader_alone_does() {
        assert!(together(Gravity::Need, Seen::Sure, Seen::Sure) >= SURE);
        for rules in [Seen::Nothing, Seen::Against] {
            let settled = together(Gravity::Need, rules, Seen::Sure);
            assert!((WORTH_ASKING..SURE).contains(&settled));
        }
    }

    #[test]
    fn a_surer_word_never_makes_it_less_sure() {
        for gravity in [Gravity::Life, Gravity::Need, Gravity::Marker] {
            for pair in SEEN.windows(2) {
                for other in SEEN {
                    let (less, more) = (pair[0], pair[1]);
                    assert!(
                        together(gravity, less, other) <= together(gravity, more, other),
                        "{gravity:?}: rules {less:?} to {more:?} beside {other:?}"
                    );
                    assert!(
                        together(gravity, other, less) <= together(gravity, other, more),
                        "{gravity:?}: trained {less:?} to {more:?} beside {other:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn what_is_likely_not_meant_is_asked_about_unless_the_trained_reader_is_against_it_too() {
        for gravity in [Gravity::Life, Gravity::Need] {
            for trained in [Seen::Nothing, Seen::Hint, Seen::Sure, Seen::Certain] {
                let settled = together(gravity, Seen::Doubted, trained);
                assert!((WORTH_ASKING..SURE).contains(&settled));
            }
            assert!(together(gravity, Seen::Doubted, Seen::Against) < WORTH_ASKING);
        }
    }

    #[test]
    fn what_neither_hears_is_not_there() {
        for gravity in [Gravity::Life, Gravity::Need, Gravity::Marker] {
            assert!(together(gravity, Seen::Nothing, Seen::Nothing) < WORTH_ASKING);
        }
    }
}
