//! What a turn gave away, kept: signals and facts, refusals, safety, and how little is said.

use redact::Secret;

use super::{Known, Machine, Name, Noted, Question, Refused};
use crate::understanding::{self, SURE, Signal, Understanding, WORTH_ASKING};

impl Machine<'_> {
    /// Everything the turn gave away, kept with its turn.
    pub(super) fn remember(
        &mut self,
        understood: &Understanding,
        pending: Option<Question>,
        words: &str,
        turn: usize,
    ) {
        let state = &mut *self.state;
        // "No, I don't want to go out of my house" to "do you need somewhere safe to stay?".
        let needs_no_shelter =
            pending == Some(Question::NeedsShelter) && understood.answer.yes == Some(false);
        for signal in &understood.signals {
            let unwanted = || signal.words.expose_secret().contains("want");
            if needs_no_shelter && signal.signal == Signal::ShelterWish && unwanted() {
                continue;
            }
            state.signals.push(Noted {
                heard: signal.clone(),
                turn,
            });
        }
        if let Some(name) = &understood.name
            && !understood.answer.takes_back
        {
            let heard = understanding::Heard {
                value: Name(name.value.clone()),
                words: name.words.clone(),
                confidence: name.confidence,
            };
            state.name = Some(Known { heard, turn });
        }
        if let Some(place) = &understood.place
            && (place.value.precise
                || state
                    .place
                    .as_ref()
                    .is_none_or(|known| !known.heard.value.precise))
        {
            state.place = Some(Known {
                heard: place.clone(),
                turn,
            });
        }
        if let Some(age) = &understood.age {
            state.age = Some(Known {
                heard: age.clone(),
                turn,
            });
        }
        if let Some(abuser) = &understood.abuser
            && state
                .abuser
                .as_ref()
                .is_none_or(|known| known.heard.confidence <= abuser.confidence)
        {
            state.abuser = Some(Known {
                heard: abuser.clone(),
                turn,
            });
        }
        if let Some(incident) = &understood.incident
            && state.incident.as_ref().is_none_or(|known| {
                pending == Some(Question::IncidentTime)
                    || incident.value.days_ago <= known.heard.value.days_ago
            })
        {
            state.incident = Some(Known {
                heard: incident.clone(),
                turn,
            });
        }
        state.married = understood.married.or(state.married);
        if understood.person.is_some() {
            state.person.clone_from(&understood.person);
        }
        const AT_LENGTH: usize = 4;
        if state.opening.is_none()
            && understood.word_count >= AT_LENGTH
            && matches!(pending, Some(Question::SafeNow | Question::Open))
        {
            let heard = understanding::Heard {
                value: Name(Secret::new(String::new())),
                words: Secret::new(words.trim().to_owned()),
                confidence: 1.0,
            };
            state.opening = Some(Known { heard, turn });
        }
        if pending == Some(Question::Account) && understood.word_count > 3 {
            let heard = understanding::Heard {
                value: Name(Secret::new(words.to_owned())),
                words: Secret::new(words.to_owned()),
                confidence: 1.0,
            };
            state.account = Some(Known { heard, turn });
        }
        self.remember_refusals(understood, pending, words, turn);
        self.remember_safety(understood, pending);
        self.remember_brevity(understood, pending);
    }

    pub(super) fn remember_refusals(
        &mut self,
        understood: &Understanding,
        pending: Option<Question>,
        words: &str,
        turn: usize,
    ) {
        let state = &mut *self.state;
        let lower = words.to_lowercase();
        let declines = understood.answer.refuses || understood.answer.yes == Some(false);
        let refusal = match pending {
            Some(Question::Name) if understood.name.is_none() => Some(Refused::Name),
            Some(Question::Address) if understood.place.is_none() => Some(Refused::Location),
            Some(Question::Age | Question::EighteenOrUnder) if understood.age.is_none() => {
                (pending == Some(Question::Age) || understood.answer.refuses)
                    .then_some(Refused::Age)
            }
            Some(Question::IncidentTime) if understood.incident.is_none() => {
                Some(Refused::Incident)
            }
            _ => None,
        };
        if let Some(refusal) = refusal
            && declines
            && !understood.answer.say_again
            && !(refusal == Refused::Incident
                && understood.answer.unsure
                && !understood.answer.refuses)
        {
            state.refused.insert(refusal);
        }
        // An answer to "when?" in words that resolve to no date is still an answer.
        if pending == Some(Question::IncidentTime)
            && understood.incident.is_none()
            && !declines
            && !understood.answer.unsure
            && !understood.answer.say_again
            && (1..=8).contains(&understood.word_count)
            && understood.answer.yes.is_none()
            && !understood.answer.asks_why
        {
            let said = words.trim().trim_end_matches(['.', '!', ',']).to_owned();
            let value = understanding::TimeHeard {
                when: Secret::new(said.clone()),
                days_ago: 0,
                just_now: false,
            };
            let heard = understanding::Heard {
                value,
                words: Secret::new(said),
                confidence: 0.6,
            };
            state.incident = Some(Known { heard, turn });
        }
        if lower.contains("anonymous")
            || understood.answer.refuses
                && [
                    "personal",
                    "details",
                    "particulars",
                    "information",
                    "who i am",
                    "any of that",
                ]
                .iter()
                .any(|word| lower.contains(word))
        {
            if state.name.is_none() {
                state.refused.insert(Refused::Name);
            }
            if state.place.is_none() {
                state.refused.insert(Refused::Location);
            }
        }
        if understood.answer.refuses && lower.contains("name") && understood.name.is_none() {
            state.refused.insert(Refused::Name);
        }
        if understood.answer.refuses
            && (lower.contains("address") || lower.contains("where i live"))
        {
            state.refused.insert(Refused::Location);
        }
    }

    pub(super) fn remember_safety(
        &mut self,
        understood: &Understanding,
        pending: Option<Question>,
    ) {
        let state = &mut *self.state;
        let calm = understood.asserts(Signal::Safe, WORTH_ASKING).is_some();
        let not_calm = understood.denies(Signal::Safe);
        let listened_to = understood.asserts(Signal::NotSafeToTalk, SURE).is_some();
        let danger = understood
            .asserts(Signal::ViolenceNow, WORTH_ASKING)
            .is_some();
        match pending {
            Some(Question::SafeNow) => {
                state.safe_now = match understood.answer.yes {
                    _ if not_calm || danger => Some(false),
                    _ if calm => Some(true),
                    Some(yes) => Some(yes),
                    None => None,
                };
            }
            Some(Question::OtherInDanger | Question::OtherSuicidal | Question::Suicidal) => {}
            Some(Question::DangerNow) => {
                state.safe_now = understood
                    .answer
                    .yes
                    .map(|danger| !danger)
                    .or(state.safe_now);
            }
            Some(Question::SafeToTalk) => {
                let talks_at_length = understood.word_count >= 4;
                state.safe_to_talk = Some(match understood.answer.yes {
                    _ if not_calm || danger && !calm => false,
                    _ if listened_to && !calm => false,
                    _ if calm => true,
                    Some(yes) => yes,
                    None => talks_at_length && !understood.answer.unsure,
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
                if listened_to && !calm || understood.asserts(Signal::CannotSpeak, SURE).is_some() {
                    state.safe_to_talk = Some(false);
                }
            }
        }
    }

    pub(super) fn remember_brevity(
        &mut self,
        understood: &Understanding,
        pending: Option<Question>,
    ) {
        let state = &mut *self.state;
        let open = matches!(
            pending,
            Some(Question::Open | Question::MoreSupport | Question::SafeNow)
        );
        // "Mm", "okay", "no thank you": nothing to go on with.
        let bare = understood.answer.yes.is_some()
            && !understood.signals.iter().any(|s| s.signal.is_clinical());
        let brief = understood.word_count <= if bare { 4 } else { 2 } && understood.name.is_none();
        state.short_answers = match (open, brief) {
            (true, true) => state.short_answers + 1,
            (true, false) => 0,
            (false, _) => state.short_answers,
        };
        let cannot = understood.asserts(Signal::CannotSpeak, SURE).is_some()
            || understood.asserts(Signal::NotSafeToTalk, SURE).is_some()
                && understood.asserts(Signal::Safe, WORTH_ASKING).is_none();
        if cannot {
            state.whisper = true;
        }
    }
}
