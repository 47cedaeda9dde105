//! What a turn gave away, kept: signals and facts, refusals, safety, and how little is said.

use redact::Secret;

use super::counselling::BRIEF;
use super::violence::told_as_over;
use super::{Known, Machine, Name, Noted, Question, Refused};
use crate::reading::{Detail, Heard, Reading, Relation, SURE, Signal, TimeHeard, WORTH_ASKING};

impl Machine<'_> {
    /// Everything the turn gave away, kept with its turn.
    pub(super) fn remember(&mut self, reading: &Reading, pending: Option<Question>, turn: usize) {
        let state = &mut *self.state;
        if reading.denies(Signal::ThirdParty) {
            // "The friend is me": what was told of somebody else is the caller's own.
            state
                .signals
                .retain(|noted| noted.heard.signal != Signal::ThirdParty);
            for noted in &mut state.signals {
                noted.heard.of_others = false;
            }
        }
        let heard: Vec<_> = reading
            .signals
            .iter()
            .filter_map(|signal| self.as_told_by(signal, reading))
            .collect();
        let state = &mut *self.state;
        for heard in heard {
            state.signals.push(Noted {
                heard,
                turn,
                answers: false,
                agreed: false,
                undenied: false,
            });
        }
        if let Some(name) = &reading.name
            && !reading.answer.takes_back
        {
            let heard = Heard {
                value: Name(name.value.clone()),
                words: name.words.clone(),
                confidence: name.confidence,
            };
            state.name = Some(Known { heard, turn });
        }
        if let Some(place) = &reading.place {
            state.remember_place(place, turn);
        }
        if let Some(age) = &reading.age {
            state.age = Some(Known {
                heard: age.clone(),
                turn,
            });
        }
        if let Some(abuser) = &reading.abuser
            && state.abuser.as_ref().is_none_or(|known| {
                // "He saw a guy's name": who is told of at home is not forgotten for whoever is named next.
                let asked = matches!(pending, Some(Question::Abuser | Question::BySpouse));
                let stranger = abuser.value == Relation::NotFamily && !asked;
                let less = known.heard.confidence < abuser.confidence;
                // And who was named at home counts before anybody who was spoken of earlier.
                let at_home = known.heard.value == Relation::NotFamily
                    && !matches!(abuser.value, Relation::NotFamily)
                    && abuser.confidence >= SURE;
                // Nor is one guess better than another for being later.
                let as_sure = known.heard.confidence == abuser.confidence
                    && (abuser.confidence >= SURE || asked);
                less || at_home
                    || as_sure && (!stranger || known.heard.value == Relation::NotFamily)
            })
        {
            state.abuser = Some(Known {
                heard: abuser.clone(),
                turn,
            });
        }
        /// In days: "last Christmas" may still be the latest time, "years ago" is none.
        const LONG_AGO: i64 = 300;
        // "He bent my finger back until it broke." - "He's slapped me too, years ago.": when the latest was, is still to be asked.
        let told_before = state.signals.iter().any(|noted| {
            let s = &noted.heard;
            noted.turn < turn
                && s.signal.is_abuse()
                && !s.denied
                && !s.remote
                && s.confidence >= WORTH_ASKING
        });
        let before_what_was_told =
            told_before && reading.tells_of_long_ago && pending != Some(Question::IncidentTime);
        if let Some(incident) = &reading.incident
            && state.incident.as_ref().is_none_or(|known| {
                pending == Some(Question::IncidentTime)
                    || incident.value.days_ago <= known.heard.value.days_ago
            })
            && !(before_what_was_told && incident.value.days_ago >= LONG_AGO)
        {
            state.incident = Some(Known {
                heard: incident.clone(),
                turn,
            });
        }
        state.married = reading.married.or(state.married);
        if let Some(person) = &reading.person
            && reading.asserts(Signal::OwnViolence, SURE).is_some()
        {
            state.hurt = Some(person.relation);
        }
        state.so_far.clone_from(&reading.so_far);
        state.doubts.clone_from(&reading.doubts);
        if reading.person.is_some() {
            state.person.clone_from(&reading.person);
        }
        const AT_LENGTH: usize = 4;
        let reason = match pending {
            Some(Question::SafeNow) if gives_a_reason(reading) => reading.reason.as_ref(),
            Some(Question::Open) if reading.word_count >= AT_LENGTH => Some(&reading.words),
            _ => None,
        };
        if let Some(reason) = reason.filter(|_| state.opening.is_none()) {
            let heard = Heard {
                value: Name(Secret::new(String::new())),
                words: reason.clone(),
                confidence: 1.0,
            };
            state.opening = Some(Known { heard, turn });
        }
        let declines = reading.answer.refuses || reading.answer.yes == Some(false);
        if pending == Some(Question::SafeContact)
            && !declines
            && !reading.answer.unsure
            && !reading.answer.say_again
            && !reading.answer.asks_why
            && reading.word_count > 0
        {
            let heard = Heard {
                value: Name(reading.words.clone()),
                words: reading.words.clone(),
                confidence: 0.8,
            };
            state.contact = Some(Known { heard, turn });
        }
        if pending == Some(Question::Account) && reading.word_count > 3 {
            let heard = Heard {
                value: Name(reading.words.clone()),
                words: reading.words.clone(),
                confidence: 1.0,
            };
            state.account = Some(Known { heard, turn });
        }
        if matches!(pending, Some(Question::CallBack | Question::CallBackRight))
            && let Some(number) = &reading.call_back
        {
            let heard = Heard {
                value: Name(number.value.clone()),
                words: number.words.clone(),
                confidence: number.confidence,
            };
            let unsafe_there = reading.asserts(Signal::NotSafeToTalk, SURE).is_some()
                || reading.denies(Signal::Safe);
            state.call_back = Some(Known { heard, turn });
            state.call_back_safe = Some(!unsafe_there);
        }
        self.remember_refusals(reading, pending, turn);
        self.remember_safety(reading, pending);
        self.remember_brevity(reading, pending);
    }

    pub(super) fn remember_refusals(
        &mut self,
        reading: &Reading,
        pending: Option<Question>,
        turn: usize,
    ) {
        let state = &mut *self.state;
        let declines = reading.answer.refuses || reading.answer.yes == Some(false);
        let refusal = match pending {
            Some(Question::Name) if reading.name.is_none() => Some(Refused::Name),
            Some(Question::Address) if reading.place.is_none() => Some(Refused::Location),
            Some(Question::Age | Question::EighteenOrUnder) if reading.age.is_none() => {
                (pending == Some(Question::Age) || reading.answer.refuses).then_some(Refused::Age)
            }
            Some(Question::IncidentTime) if reading.incident.is_none() => Some(Refused::Incident),
            Some(Question::SafeContact) => Some(Refused::Contact),
            Some(Question::CallBack) if reading.call_back.is_none() => Some(Refused::CallBack),
            _ => None,
        };
        if let Some(refusal) = refusal
            && declines
            && !reading.answer.say_again
            && !(refusal == Refused::Incident && reading.answer.unsure && !reading.answer.refuses)
        {
            state.refused.insert(refusal);
            if refusal == Refused::CallBack {
                state.call_back_safe = Some(false);
            }
        }
        // An answer to "when?" in words that resolve to no date is still an answer.
        if pending == Some(Question::IncidentTime)
            && reading.incident.is_none()
            && !declines
            && !reading.answer.unsure
            && !reading.answer.say_again
            && (1..=8).contains(&reading.word_count)
            && reading.answer.yes.is_none()
            && !reading.answer.asks_why
        {
            let value = TimeHeard {
                when: reading.words.clone(),
                days_ago: 0,
                just_now: false,
            };
            let heard = Heard {
                value,
                words: reading.words.clone(),
                confidence: 0.6,
            };
            state.incident = Some(Known { heard, turn });
        }
        let withholds = |detail| reading.answer.withholds.contains(&detail);
        if withholds(Detail::Name) && reading.name.is_none() && state.name.is_none() {
            state.refused.insert(Refused::Name);
        }
        if withholds(Detail::Location) && state.place.is_none() {
            state.refused.insert(Refused::Location);
        }
    }

    pub(super) fn remember_safety(&mut self, reading: &Reading, pending: Option<Question>) {
        let may_be_no_yes = self.may_be_no_yes_to_danger(reading, pending);
        let state = &mut *self.state;
        let calm = reading.asserts(Signal::Safe, WORTH_ASKING).is_some();
        let not_calm = reading.denies(Signal::Safe);
        let listened_to = reading.asserts(Signal::NotSafeToTalk, SURE).is_some();
        let danger = reading.asserts(Signal::ViolenceNow, WORTH_ASKING).is_some();
        match pending {
            Some(Question::SafeNow) => {
                state.safe_now = match reading.answer.yes {
                    _ if not_calm || danger => Some(false),
                    _ if calm => Some(true),
                    // "Sister, please.", "Okay so don't freak out": where one reader alone hears a yes, nobody has said
                    // that they are safe.
                    Some(true) if !reading.answer.agreed => None,
                    Some(yes) => Some(yes),
                    None => None,
                };
            }
            Some(Question::OtherInDanger | Question::OtherSuicidal | Question::Suicidal) => {}
            Some(Question::DangerNow) => {
                let answered = reading.answer.yes.map(|danger| !danger);
                state.safe_now = match answered {
                    Some(false) if told_as_over(reading) => Some(true),
                    Some(false) if may_be_no_yes => state.safe_now,
                    Some(safe) => Some(safe),
                    None => state.safe_now,
                };
            }
            Some(Question::SafeToTalk) => {
                let talks_at_length = reading.word_count >= 4;
                state.safe_to_talk = Some(match reading.answer.yes {
                    _ if not_calm || danger && !calm => false,
                    _ if listened_to && !calm => false,
                    _ if calm => true,
                    Some(yes) => yes,
                    None => talks_at_length && !reading.answer.unsure,
                });
            }
            _ => {
                if calm && !danger {
                    state.safe_now = Some(true);
                }
                if not_calm {
                    state.safe_now = Some(false);
                }
                // What changes in the middle of the police path shortens it.
                if listened_to && !calm || reading.asserts(Signal::CannotSpeak, SURE).is_some() {
                    state.safe_to_talk = Some(false);
                }
            }
        }
    }

    pub(super) fn remember_brevity(&mut self, reading: &Reading, pending: Option<Question>) {
        let state = &mut *self.state;
        let open = matches!(
            pending,
            Some(Question::Open | Question::MoreSupport | Question::SafeNow)
        );
        // "Mm", "okay", "no thank you": nothing to go on with.
        let bare =
            reading.answer.yes.is_some() && !reading.signals.iter().any(|s| s.signal.is_clinical());
        let brief = reading.word_count <= if bare { 4 } else { 2 } && reading.name.is_none();
        state.short_answers = match (open, brief) {
            // What can be answered with a yes or a no is asked from here on.
            (true, _) if reading.answer.out_of_words => state.short_answers.max(BRIEF),
            (true, true) => state.short_answers + 1,
            (true, false) => 0,
            (false, _) => state.short_answers,
        };
        let cannot = reading.asserts(Signal::CannotSpeak, SURE).is_some()
            || reading.asserts(Signal::NotSafeToTalk, SURE).is_some()
                && reading.asserts(Signal::Safe, WORTH_ASKING).is_none();
        if cannot {
            state.whisper = true;
        }
    }
}

/// The turn tells more than whether the caller is safe.
fn gives_a_reason(reading: &Reading) -> bool {
    reading.answer.yes.is_none()
        || reading.topic.is_some()
        || !reading.leanings.is_empty()
        || reading
            .signals
            .iter()
            .any(|s| s.signal.is_clinical() && !s.denied)
}
