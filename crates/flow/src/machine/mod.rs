//! What to do next: the specification's conversation flow, step by step.
//!
//! Signals and facts in, moves out. It chooses no words and reads none: what a turn says has been
//! read by `understanding`, and how a move sounds is `wording`'s.
//!
//! The order in which things count, at every step:
//!
//! 1. suicidal signs → SOS, warm, at once;
//! 2. violence now → SPF: safe to talk? name, unit address, account, when, warm (steps 2 to 5);
//! 3. the answer to what was asked;
//! 4. sexual assault → SACC, shelter → FSC, violence at home → DVERT or PAVE, other abuse → by age
//!    CPS, APS or NAVH, all cold;
//! 5. otherwise open counselling (step 6).

mod cold;
mod counselling;
mod moves;
mod state;
mod warm;

pub(crate) use moves::{Move, Question, Theme};
pub(crate) use state::{Known, Name, Noted, Refused, Route, State};

use redact::Secret;

use crate::{
    EndReason, Knowledge,
    understanding::{self, Context, HeardSignal, SURE, Signal, Understanding, WORTH_ASKING},
};

/// The state machine, for the length of one event.
pub(crate) struct Machine<'a> {
    pub state: &'a mut State,
    pub knowledge: &'a Knowledge,
    pub called_at: jiff::civil::DateTime,
    pub moves: Vec<Move>,
}

/// This many stretches of speech without a word in them, running, and the call is closed with the
/// numbers to ring.
const GIVE_UP_AFTER: u32 = 6;
/// In the police path, connect rather than ask on after so many.
const CONNECT_AFTER: u32 = 2;

/// What brings a caller to the Samaritans.
const SUICIDAL: [Signal; 4] = [
    Signal::SuicidalDirect,
    Signal::SuicidalIndirect,
    Signal::SelfHarmNow,
    Signal::OverdoseNow,
];

impl Machine<'_> {
    pub fn call_started(&mut self) {
        self.moves.push(Move::Greet);
        self.state.pending = Some(Question::SafeNow);
        self.state.asked.insert(Question::SafeNow, 1);
    }

    pub fn caller_silent(&mut self) {
        self.state.silences += 1;
        self.moves.push(Move::CheckIn(self.state.silences));
    }

    pub fn not_understood(&mut self) {
        self.state.not_understood += 1;
        let times = self.state.not_understood;
        if self.in_police_path() && times > CONNECT_AFTER {
            return self.connect();
        }
        self.moves.push(Move::NotUnderstood(times));
        if times >= GIVE_UP_AFTER {
            self.moves.push(Move::Farewell);
            self.end();
        }
    }

    pub fn caller_said(&mut self, words: &str) {
        let turn = self.state.turns;
        self.state.turns += 1;
        self.state.not_understood = 0;
        self.state.silences = 0;
        let pending = self.state.pending.take();
        let understood = understanding::understand(
            words,
            &Context {
                called_at: self.called_at,
                asked: pending.map_or(understanding::Asked::Other, Question::asked),
                person: self.state.person.clone(),
            },
        );
        self.remember(&understood, pending, words, turn);

        if self.suicidal(&understood, pending) {
            self.note_answer(Signal::SuicidalDirect, &SUICIDAL, &understood, words);
            return self.reach_samaritans(&understood);
        }
        if self.violence(&understood, pending) {
            self.note_answer(
                Signal::ViolenceNow,
                &[Signal::ViolenceNow],
                &understood,
                words,
            );
            return self.reach_police(&understood);
        }
        if self.in_police_path() {
            return self.police_answer(&understood, pending);
        }
        if understood.asserts(Signal::Goodbye, SURE).is_some()
            && understood.word_count <= 14
            && !self.brings_something_new(&understood)
        {
            return self.goodbye();
        }
        self.answer(&understood, pending, words);
    }

    fn answer(&mut self, understood: &Understanding, pending: Option<Question>, words: &str) {
        if self.about_the_talk(understood, pending) {
            return;
        }
        if let Some(question) = pending
            && self.wants_question_again(understood, question, words)
        {
            return;
        }
        match pending {
            Some(Question::SafeNow) => self.safety_answer(understood, words),
            Some(
                Question::Consent | Question::Name | Question::Address | Question::IncidentTime,
            ) if self.state.route.is_some() => self.cold_answer(understood, pending),
            Some(Question::MoreSupport) => self.more_support_answer(understood),
            _ => {
                self.yes_no_answer(understood, pending, words);
                self.step_six(understood, pending, words);
            }
        }
    }

    /// Everything the turn gave away, kept with its turn.
    fn remember(
        &mut self,
        understood: &Understanding,
        pending: Option<Question>,
        words: &str,
        turn: usize,
    ) {
        let state = &mut *self.state;
        for signal in &understood.signals {
            state.signals.push(Noted {
                heard: signal.clone(),
                turn,
            });
        }
        if let Some(name) = &understood.name {
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

    fn remember_refusals(
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

    fn remember_safety(&mut self, understood: &Understanding, pending: Option<Question>) {
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

    fn remember_brevity(&mut self, understood: &Understanding, pending: Option<Question>) {
        let state = &mut *self.state;
        let open = matches!(
            pending,
            Some(Question::Open | Question::MoreSupport | Question::SafeNow)
        );
        let brief = understood.word_count <= 2 && understood.name.is_none();
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

    // --- Danger ---------------------------------------------------------------------------------

    fn suicidal(&self, understood: &Understanding, pending: Option<Question>) -> bool {
        let sure = SUICIDAL
            .iter()
            .any(|signal| understood.asserts(*signal, SURE).is_some());
        // Asked straight, anything but a clear no is taken as a yes.
        let confirmed = pending == Some(Question::Suicidal)
            && !understood.answer.say_again
            && !understood.denies(Signal::SuicidalDirect)
            && (understood.answer.yes == Some(true)
                || understood.answer.yes.is_none()
                    && (understood.answer.unsure
                        || understood.answer.refuses
                        || understood
                            .asserts(Signal::SuicidalIndirect, WORTH_ASKING)
                            .is_some()));
        sure || confirmed
    }

    fn violence(&self, understood: &Understanding, pending: Option<Question>) -> bool {
        if self.in_police_path() || !self.state.transfers.is_empty() && self.handed_reach_police() {
            return false;
        }
        if understood.asserts(Signal::ViolenceNow, SURE).is_some() {
            return true;
        }
        let maybe = understood
            .asserts(Signal::ViolenceNow, WORTH_ASKING)
            .is_some();
        let leaves = understood.asserts(Signal::Goodbye, SURE).is_some();
        let asked = pending == Some(Question::DangerNow) && !leaves;
        asked
            && !understood.answer.say_again
            && (understood.answer.yes == Some(true)
                || maybe && understood.answer.yes != Some(false))
    }

    /// A danger that was asked about and not denied is as good as told: the answer stands in the
    /// note as its evidence, where no other words of the turn do.
    fn note_answer(
        &mut self,
        danger: Signal,
        told_by: &[Signal],
        understood: &Understanding,
        words: &str,
    ) {
        let told = |signal: &Signal| understood.asserts(*signal, SURE).is_some();
        if !told_by.iter().any(told) {
            let heard = HeardSignal {
                signal: danger,
                words: Secret::new(words.trim().to_owned()),
                confidence: 0.8,
                denied: false,
                remote: false,
                of_others: false,
            };
            let turn = self.state.turns.saturating_sub(1);
            self.state.signals.push(Noted { heard, turn });
        }
    }

    /// A question to make sure of a danger that was only hinted at; each is put once.
    pub(crate) fn makes_sure(&mut self, understood: &Understanding) -> bool {
        let hint = |signal| {
            understood.asserts(signal, WORTH_ASKING).is_some()
                && understood.asserts(signal, SURE).is_none()
        };
        let said_unsafe = self.state.safe_now == Some(false);
        let hurt_just_now = hint(Signal::ViolenceNow) && self.state.safe_now != Some(true);
        let unsafe_and_hurt = said_unsafe
            && understood.signals.iter().any(|s| {
                !s.denied
                    && (s.signal.is_abuse()
                        || s.signal == Signal::Fear
                        || s.signal == Signal::Weapon
                        || s.signal == Signal::ThreatToKill)
            });
        if (hurt_just_now || unsafe_and_hurt) && !self.state.was_asked(Question::DangerNow) {
            self.moves.push(Move::Reflect(Theme::Afraid));
            self.ask(Question::DangerNow);
            return true;
        }
        if hint(Signal::SuicidalIndirect) && !self.state.was_asked(Question::Suicidal) {
            self.moves.push(Move::Reflect(Theme::Low));
            self.ask(Question::Suicidal);
            return true;
        }
        false
    }

    // --- Step 1 ---------------------------------------------------------------------------------

    fn safety_answer(&mut self, understood: &Understanding, words: &str) {
        if self.makes_sure(understood) {
            return;
        }
        let says_why = understood
            .signals
            .iter()
            .any(|s| !s.denied && s.signal.is_clinical() && s.signal != Signal::Fear);
        if self.state.safe_now == Some(false)
            && !says_why
            && !self.state.was_asked(Question::DangerNow)
        {
            self.moves.push(Move::Reflect(Theme::Afraid));
            return self.ask(Question::DangerNow);
        }
        self.step_six(understood, Some(Question::SafeNow), words);
    }

    // --- Shared ---------------------------------------------------------------------------------

    pub(crate) fn ask(&mut self, question: Question) {
        let times = self.state.asked.entry(question).or_default();
        *times += 1;
        self.moves.push(
            if *times == 1 || question == Question::Open || question == Question::MoreSupport {
                Move::Ask(question)
            } else {
                Move::AskAgain(question)
            },
        );
        self.state.pending = Some(question);
    }

    pub(crate) fn end(&mut self) {
        self.moves.push(Move::End);
        self.state.ended = Some(EndReason::AssistantEnded);
        self.state.pending = None;
    }

    /// The caller wants to go.
    fn goodbye(&mut self) {
        if let Some(route) = self.state.route
            && self.state.consented
        {
            // The case was to be shared; the rest of the details can wait.
            self.pass_on(route.agency);
        }
        self.moves.push(Move::Farewell);
        self.end();
    }

    fn brings_something_new(&self, understood: &Understanding) -> bool {
        understood.signals.iter().any(|s| {
            !s.denied
                && s.confidence >= SURE
                && (s.signal.is_abuse() || s.signal == Signal::ShelterWish)
                && !s.remote
        })
    }

    /// A "why" or a "say that again" gets its answer and the question once more: it was not
    /// declined.
    fn wants_question_again(
        &mut self,
        understood: &Understanding,
        question: Question,
        words: &str,
    ) -> bool {
        const AGAIN: u32 = 2;
        let answered = match question {
            Question::Name => {
                understood.name.is_some() || self.state.refused.contains(&Refused::Name)
            }
            Question::Address => {
                understood.place.is_some() || self.state.refused.contains(&Refused::Location)
            }
            Question::Age => understood.age.is_some() || self.state.refused.contains(&Refused::Age),
            Question::IncidentTime => understood.incident.is_some(),
            Question::Consent => understood.answer.yes.is_some() && !understood.answer.asks_why,
            _ => understood.answer.yes.is_some(),
        };
        let counts = !matches!(
            question,
            Question::Open | Question::MoreSupport | Question::SafeNow | Question::SafeToTalk
        );
        if answered || !counts || self.state.times_asked(question) >= AGAIN {
            return false;
        }
        if understood.answer.say_again {
            self.ask(question);
            return true;
        }
        if understood.answer.asks_why
            && understood
                .asserts(Signal::ViolenceNow, WORTH_ASKING)
                .is_none()
        {
            let personal = matches!(
                question,
                Question::Name | Question::Address | Question::Age | Question::IncidentTime
            );
            let fallback = if personal {
                "why-personal-details"
            } else {
                "consent"
            };
            let entry = self.look_up(words).unwrap_or_else(|| fallback.to_owned());
            self.moves.push(Move::LookUp(entry.clone()));
            self.moves.push(Move::Inform(entry));
            self.ask(question);
            return true;
        }
        false
    }

    /// The name of the knowledge entry that answers.
    pub(crate) fn look_up(&self, question: &str) -> Option<String> {
        self.knowledge
            .look_up(question)
            .map(|entry| entry.id.clone())
    }
}
