//! Step 6: open counselling, and talk about the talk itself.

use super::danger::BY_ANSWER;
use super::{
    Machine, Move, Question, Theme,
    state::{Noted, Once},
};
use crate::reading::{
    Doubt, HeardSignal, Leaning, NEARLY_SURE, Reading, Relation, SURE, Signal, Topic, WORTH_ASKING,
};

/// After so many answers of a word or two, what can be answered so is asked.
pub(super) const BRIEF: u32 = 2;

impl Machine<'_> {
    /// Needs first; then what the caller wants to know; else listening.
    pub(super) fn step_six(&mut self, reading: &Reading, pending: Option<Question>) {
        self.ambulance_if_needed(reading);
        let made_sure = pending.is_some_and(Question::makes_sure);
        if tells_freely(pending) && self.asks_of_danger(reading)
            || (tells_freely(pending) || made_sure) && self.asks_of_sexual_harm()
        {
            return;
        }
        if self.takes_up_what_was_declined(reading) || self.takes_up_need(pending) {
            return;
        }
        if self.answers_question(reading, pending) {
            return;
        }
        self.counsel(reading);
    }

    /// Listening, varied: a reflection, then something to hold on to or an open question.
    pub(super) fn counsel(&mut self, reading: &Reading) {
        if self.asks_of_shelter_after_all(reading) {
            return;
        }
        // "I'd like to order a pizza." - "What's been happening?" - "I can't say.": maybe somebody is listening in.
        let listened_to = reading.answer.refuses && self.state.said.contains(&Once::SteeredBack);
        self.state.whisper |= listened_to && self.state.transfers.is_empty();
        if self.state.whisper || self.state.short_answers >= BRIEF {
            return self.ask_yes_no();
        }
        let theme = self.in_view_of_harm(theme(reading).unwrap_or(Theme::General));
        if theme != Theme::General {
            self.state.theme = Some(theme);
            if !self.state.themes.contains(&theme) {
                self.state.themes.push(theme);
            }
        }
        let round = self.state.counselling;
        self.state.counselling += 1;
        if reading.asserts(Signal::ThirdParty, SURE).is_some()
            && !self.hurt_somebody()
            && self.state.said.insert(Once::HelpingOthers)
        {
            self.moves.push(Move::Reflect(Theme::ForSomeoneElse));
            self.moves.push(Move::Inform("someone-else".to_owned()));
            return self.ask(Question::Open);
        }
        self.moves.push(Move::Reflect(theme));
        if let Some(question) = self.screens(reading, theme, round) {
            return match question {
                Question::Suicidal
                    if !reading.leanings.contains(&Leaning::Suicide)
                        && !self.state.was_asked(question) =>
                {
                    self.ask_softly(question)
                }
                question => self.ask(question),
            };
        }
        match round % 6 {
            1 => self.moves.push(Move::Affirm),
            2 => self.give_useful_fact(),
            3 => self.moves.push(self.small_step()),
            5 => {
                if let [first, ..] = self.state.themes[..] {
                    let last = self.state.themes.last().copied();
                    self.moves
                        .push(Move::Summarise(first, last.filter(|last| *last != first)));
                }
            }
            _ => {}
        }
        self.ask_openly(theme);
    }

    /// "He was angry that I rang my mother", after telling of blows: not a talk about family.
    fn in_view_of_harm(&self, theme: Theme) -> Theme {
        // "If I call the police they'll lock me up": not a talk about what is done to them.
        if self.hurt_somebody() {
            return match theme {
                Theme::Hurt | Theme::PutDown | Theme::Controlled | Theme::ForSomeoneElse => {
                    Theme::General
                }
                theme => theme,
            };
        }
        let close = matches!(theme, Theme::Family | Theme::Relationship | Theme::Angry);
        let told = self.state.signals.iter().rev().find(|noted| {
            let s = &noted.heard;
            !s.denied && !s.remote && s.confidence >= SURE && s.signal.is_abuse()
        });
        let theme = match told.map(|noted| noted.heard.signal) {
            Some(_) if !close => theme,
            Some(Signal::EmotionalAbuse) => Theme::PutDown,
            Some(Signal::PsychologicalAbuse) => Theme::Controlled,
            Some(Signal::FinancialAbuse) => Theme::Money,
            Some(Signal::Neglect) => Theme::Neglected,
            Some(_) => Theme::Hurt,
            None => theme,
        };
        match theme {
            Theme::Hurt if self.speaks_for_the_hurt() => Theme::ForSomeoneElse,
            theme => theme,
        }
    }

    /// About what was just spoken of while there is something to ask of it; else more widely.
    fn ask_openly(&mut self, theme: Theme) {
        const EACH: u32 = 2;
        let asked = self.state.asked_about.entry(theme).or_default();
        if theme.has_own_questions() && *asked < EACH {
            *asked += 1;
            self.moves.push(Move::AskAbout(theme));
            self.state.pending = Some(Question::Open);
        } else {
            self.ask(Question::Open);
        }
    }

    /// Something from the knowledge base that may help with what the caller speaks of, once.
    fn give_useful_fact(&mut self) {
        let entry = match self.state.theme {
            Some(Theme::Sleepless) => "sleep",
            Some(Theme::Panicking | Theme::Afraid) => "grounding",
            Some(
                Theme::Lonely
                | Theme::Low
                | Theme::Stressed
                | Theme::School
                | Theme::Work
                | Theme::Ashamed,
            ) => "mindline",
            Some(Theme::Caring | Theme::MoneyWorry) => "fsc",
            Some(Theme::Hurt | Theme::PutDown | Theme::Controlled) => "not-your-fault",
            _ => return,
        };
        if self.knowledge.entry(entry).is_some() && self.state.told.insert(entry.to_owned()) {
            self.moves.push(Move::LookUp(entry.to_owned()));
            self.moves.push(Move::Inform(entry.to_owned()));
        }
    }

    fn small_step(&self) -> Move {
        match self.state.theme {
            Some(Theme::Afraid | Theme::Hurt | Theme::Controlled) => Move::SafetyStep,
            _ => Move::Ground,
        }
    }

    /// The questions a caller can answer with a yes or a no, gravest first, each once.
    fn ask_yes_no(&mut self) {
        const LADDER: [Question; 6] = [
            Question::DangerNow,
            Question::Suicidal,
            Question::HurtBefore,
            Question::SexualHarm,
            Question::NeedsShelter,
            Question::PutDown,
        ];
        let next = LADDER
            .into_iter()
            .find(|question| {
                let again = *question == Question::Suicidal && self.suicide_is_due_again();
                (!self.state.was_asked(*question) || again) && !self.told_already(*question)
            })
            .filter(|_| self.state.transfers.is_empty());
        if next.is_none() {
            self.moves.push(Move::Acknowledge);
        } else if self.state.said.insert(Once::YesNo) {
            self.moves.push(Move::YesNoIsEnough);
        } else {
            self.moves.push(Move::Acknowledge);
        }
        match next {
            Some(question) => self.ask(question),
            // Help is on its way, and the caller has no more to say.
            None if !self.state.transfers.is_empty()
                && self.state.times_asked(Question::MoreSupport) > 1 =>
            {
                self.moves.push(Move::Farewell);
                self.end();
            }
            None => {
                self.moves.push(Move::Numbers);
                self.state.whisper = false;
                self.state.short_answers = 0;
                self.ask(Question::MoreSupport);
            }
        }
    }

    /// A yes to a yes-or-no question is as good as having said it.
    pub(super) fn yes_no_answer(&mut self, reading: &Reading, pending: Option<Question>) {
        let Some(question) = pending else { return };
        let turn = self.state.turns.saturating_sub(1);
        let said = reading.words.clone();
        let asks_of_shelter = question == Question::NeedsShelter;
        let housed = asks_of_shelter && reading.answer.has_a_place;
        let unhoused = asks_of_shelter && reading.answer.lacks_a_place;
        let yes = reading
            .answer
            .yes
            .filter(|_| !housed && !unhoused)
            .or_else(|| {
                if housed || unhoused {
                    return Some(unhoused);
                }
                // "I think so, I never said okay": nobody is more certain of that.
                let thinks_so = reading.answer.unsure && self.worth_asking(Signal::SexualAssault);
                let told = question == Question::HurtBefore && reading.answer.names_a_blow
                    || question == Question::PutDown && describes_it(reading)
                    || question == Question::SexualHarm && thinks_so;
                told.then_some(true)
            });
        let signal = match question {
            Question::HurtBefore => Signal::PhysicalAbuse,
            Question::SexualHarm => Signal::SexualAssault,
            Question::NeedsShelter => Signal::ShelterWish,
            Question::PutDown => Signal::EmotionalAbuse,
            Question::BySpouse => {
                if let Some(answer) = reading.answer.yes {
                    self.state.married = Some(answer);
                    if !answer && self.state.abuser.is_none() {
                        self.set_abuser(Relation::Family, said, turn);
                    }
                }
                return;
            }
            Question::Abuser => {
                // A bare no to "husband or wife?".
                if self.state.abuser.is_none() && reading.answer.yes == Some(false) {
                    self.set_abuser(Relation::Family, said, turn);
                }
                return;
            }
            Question::EighteenOrUnder => {
                if self.state.age.is_none()
                    && let Some(young) = reading.answer.yes
                {
                    let value = if young {
                        crate::reading::Age::EighteenOrUnder
                    } else {
                        crate::reading::Age::NineteenOrOver
                    };
                    let heard = crate::reading::Heard {
                        value,
                        words: said,
                        confidence: 0.9,
                    };
                    self.state.age = Some(super::Known { heard, turn });
                }
                return;
            }
            _ => return,
        };
        // "Do you need somewhere safe to stay?" - "Yes, our flat.": of whom nobody would think that they need anything, it takes
        // more than one yes.
        let by_answer = match reading.doubts.contains(&Doubt::Need) {
            true => NEARLY_SURE,
            false => BY_ANSWER,
        };
        let heard = HeardSignal {
            denied: yes == Some(false),
            // Whether somewhere to stay is needed is asked of now: "Yes. I don't take up much, I'm used to a sofa."
            remote: reading.tells_of_long_ago && question != Question::NeedsShelter,
            present: false,
            ..HeardSignal::told(signal, said, by_answer)
        };
        if yes == Some(false) {
            self.forget_hints_at(question);
        }
        if yes.is_none() && !reading.answer.refuses {
            self.state.left_open.insert(question, turn);
        }
        if yes.is_some() {
            self.state.signals.push(Noted {
                heard,
                turn,
                answers: yes == Some(true) || reading.answer.agreed,
                agreed: reading.answer.agreed,
                undenied: false,
            });
        }
    }

    fn set_abuser(&mut self, value: Relation, words: redact::Secret<String>, turn: usize) {
        let heard = crate::reading::Heard {
            value,
            words,
            confidence: 0.7,
        };
        self.state.abuser = Some(super::Known { heard, turn });
    }

    /// A question of the caller's own, answered from the knowledge base or honestly not.
    fn answers_question(&mut self, reading: &Reading, pending: Option<Question>) -> bool {
        // "What's that? No.": the question was understood well enough.
        let answered = reading.answer.yes.is_some()
            && pending.is_some_and(|question| !matches!(question, Question::Open));
        let asks =
            reading.asks && !answered || reading.asserts(Signal::AsksForNumber, SURE).is_some();
        let may_ask = reading.may_ask && !answered;
        if !asks && !may_ask {
            return false;
        }
        if let Some(entry) = self.look_up(&reading.words) {
            self.moves.push(Move::LookUp(entry.clone()));
            self.moves.push(Move::Inform(entry));
        } else if reading.asserts(Signal::AsksForNumber, SURE).is_some() {
            self.moves.push(Move::LookUp("numbers".to_owned()));
            self.moves.push(Move::Numbers);
        } else if !asks || theme(reading).is_some() || hears_of_abuse(reading) {
            return false;
        } else {
            self.moves.push(Move::LookUp("unknown".to_owned()));
            self.moves.push(Move::DoNotKnow);
        }
        self.ask(Question::Open);
        true
    }

    /// Instructions to the assistant, questions about others, off-topic requests, "are you human".
    pub(super) fn about_the_talk(&mut self, reading: &Reading, pending: Option<Question>) -> bool {
        let sure = |signal| reading.asserts(signal, SURE).is_some();
        let needs = reading.signals.iter().any(|s| {
            !s.denied
                && (s.signal.is_abuse()
                    || s.signal.is_high_risk()
                    || s.signal == Signal::ShelterWish)
                && s.confidence >= WORTH_ASKING
        });
        let given = reading.name.is_some()
            || reading.place.is_some()
            || reading.age.is_some()
            || reading.incident.is_some()
            || reading.answer.yes.is_some()
                && pending.is_some_and(|question| question.makes_sure());
        let reply = if sure(Signal::PromptInjection) {
            Move::IgnoreInstructions
        } else if sure(Signal::AsksAboutOthers) && !needs {
            Move::KeepOthersPrivate
        } else if sure(Signal::AsksIfHuman) {
            Move::SayIsAi
        } else if sure(Signal::OffTopic)
            && !needs
            && !given
            && self
                .state
                .theme
                .is_none_or(|_| reading.asserts(Signal::Distress, WORTH_ASKING).is_none())
        {
            self.state.said.insert(Once::SteeredBack);
            Move::SteerBack
        } else {
            return false;
        };
        if needs && reply != Move::KeepOthersPrivate {
            self.moves.push(reply);
            return false;
        }
        self.moves.push(reply);
        // Back to what was asked, if that was more than small talk and not yet put again.
        match pending {
            Some(question)
                if !matches!(
                    question,
                    Question::SafeNow | Question::Open | Question::MoreSupport
                ) && self.state.times_put(question) < 2 =>
            {
                self.ask(question);
            }
            Some(
                Question::Name | Question::Address | Question::IncidentTime | Question::Consent,
            ) if self.is_of_the_route(pending) => {
                self.cold_answer(reading, pending);
            }
            _ => self.ask(Question::Open),
        }
        true
    }
}

/// "They say they'll give me away, I'm scared of it every day": told in place of a yes.
fn describes_it(reading: &Reading) -> bool {
    let at = |signal| reading.asserts(signal, WORTH_ASKING).is_some();
    !reading.answer.unsure
        && !reading.answer.say_again
        && !reading.answer.means_otherwise
        && (reading.leanings.contains(&Leaning::PutDown)
            || at(Signal::Fear)
            || hears_of_abuse(reading))
}

/// Abuse is told of, or hinted at.
fn hears_of_abuse(reading: &Reading) -> bool {
    reading
        .signals
        .iter()
        .any(|s| !s.denied && s.signal.is_abuse() && s.confidence >= WORTH_ASKING)
}

/// What was asked left the caller free to tell anything.
fn tells_freely(pending: Option<Question>) -> bool {
    matches!(
        pending,
        None | Some(Question::SafeNow | Question::Open | Question::MoreSupport)
    )
}

/// What the turn is about, for a reflection. "I'm sorry you were hurt" is for who told so: what is only asked about yet is
/// put into nobody's mouth.
fn theme(reading: &Reading) -> Option<Theme> {
    let asserted = reading.signals.iter().filter(|s| {
        let from = match s.signal.is_abuse() || s.signal == Signal::ShelterWish {
            true => SURE,
            false => WORTH_ASKING,
        };
        !s.denied && s.confidence >= from
    });
    let mut best: Option<(u8, Theme)> = None;
    for s in asserted {
        let (rank, theme) = match s.signal {
            signal if s.remote && signal.is_abuse() => (3, Theme::LongAgo),
            Signal::SexualAssault => (0, Theme::Sexual),
            Signal::OwnViolence => (0, Theme::OwnDoing),
            Signal::PhysicalAbuse | Signal::DomesticViolence | Signal::Strangulation => {
                (1, Theme::Hurt)
            }
            Signal::ShelterWish => (2, Theme::Shelter),
            Signal::PsychologicalAbuse => (2, Theme::Controlled),
            Signal::FinancialAbuse => (2, Theme::Money),
            Signal::EmotionalAbuse => (2, Theme::PutDown),
            Signal::Neglect => (2, Theme::Neglected),
            Signal::Fear => (4, Theme::Afraid),
            Signal::ThirdParty => (5, Theme::ForSomeoneElse),
            _ => continue,
        };
        if best.is_none_or(|(top, _)| rank < top) {
            best = Some((rank, theme));
        }
    }
    best.map(|(_, theme)| theme).or_else(|| {
        reading.topic.map(|topic| match topic {
            Topic::Grief => Theme::Grieving,
            Topic::Panic => Theme::Panicking,
            Topic::Sleep => Theme::Sleepless,
            Topic::Loneliness => Theme::Lonely,
            Topic::Couple => Theme::Relationship,
            Topic::School => Theme::School,
            Topic::Work => Theme::Work,
            Topic::MoneyWorry => Theme::MoneyWorry,
            Topic::Health => Theme::Health,
            Topic::Caring => Theme::Caring,
            Topic::Family => Theme::Family,
            Topic::Friends => Theme::Friends,
            Topic::Anger => Theme::Angry,
            Topic::Shame => Theme::Ashamed,
            Topic::Pressure => Theme::Stressed,
            Topic::Sadness => Theme::Low,
            Topic::Comfort => Theme::Comfort,
        })
    })
}
