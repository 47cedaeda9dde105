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
    EndReason, Knowledge, Suggestion, held,
    understanding::{self, Context, HeardSignal, SURE, Signal, Understanding, WORTH_ASKING},
};

/// The state machine, for the length of one event.
pub(crate) struct Machine<'a> {
    pub state: &'a mut State,
    /// Heard elsewhere in the turn's words.
    pub suggestions: &'a [Suggestion],
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
        let mut understood = understanding::understand(
            words,
            &Context {
                called_at: self.called_at,
                asked: pending.map_or(understanding::Asked::Other, Question::asked),
                person: self.state.person.clone(),
            },
        );
        held::admit(self.suggestions, words, &mut understood);
        self.remember(&understood, pending, words, turn);
        self.remember_danger(&understood, pending, words, turn);

        if self.suicidal(&understood, pending) {
            return self.reach_samaritans(&understood);
        }
        if self.violence(&understood, pending) {
            self.note_answer(Signal::ViolenceNow, words, turn);
            return self.reach_police(&understood);
        }
        if self.in_police_path() {
            return self.police_answer(&understood, pending);
        }
        // Danger hinted at is made sure of at whatever step; the question left open waits.
        if self.makes_sure(&understood) {
            self.state.interrupted = pending;
            return;
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
                if let Some(question) = pending
                    && question.makes_sure()
                    && self.resumes(understood)
                {
                    return;
                }
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
        let confirmed = matches!(pending, Some(Question::Suicidal | Question::OtherSuicidal))
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

    /// The answer to a question that made sure of a danger is the evidence for it, or against.
    fn remember_danger(
        &mut self,
        understood: &Understanding,
        pending: Option<Question>,
        words: &str,
        turn: usize,
    ) {
        let (signal, confirmed) = match pending {
            Some(Question::Suicidal | Question::OtherSuicidal) => {
                (Signal::SuicidalDirect, self.suicidal(understood, pending))
            }
            Some(Question::DangerNow | Question::OtherInDanger) => {
                (Signal::ViolenceNow, self.violence(understood, pending))
            }
            _ => return,
        };
        let told = understood
            .signals
            .iter()
            .any(|s| s.signal == signal && s.confidence >= SURE);
        let denied = !confirmed && understood.answer.yes == Some(false);
        if told || !confirmed && !denied {
            return;
        }
        let heard = HeardSignal {
            signal,
            words: Secret::new(words.trim().to_owned()),
            confidence: 0.8,
            denied,
            remote: false,
            of_others: matches!(
                pending,
                Some(Question::OtherInDanger | Question::OtherSuicidal)
            ),
        };
        self.state.signals.push(Noted { heard, turn });
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
        let asked =
            matches!(pending, Some(Question::DangerNow | Question::OtherInDanger)) && !leaves;
        asked
            && !understood.answer.say_again
            && (understood.answer.yes == Some(true)
                || maybe && understood.answer.yes != Some(false))
    }

    /// An answer that was taken for danger stands in the note as its evidence, where no other words
    /// do.
    fn note_answer(&mut self, danger: Signal, words: &str, turn: usize) {
        let told = |noted: &Noted| noted.heard.signal == danger && !noted.heard.denied;
        if !self.state.signals.iter().any(told) {
            let heard = HeardSignal {
                signal: danger,
                words: Secret::new(words.trim().to_owned()),
                confidence: 0.8,
                denied: false,
                remote: false,
                of_others: false,
            };
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
        let someone_else = understood
            .asserts(Signal::ViolenceNow, WORTH_ASKING)
            .is_some_and(|hint| hint.of_others);
        if hurt_just_now && someone_else {
            if self.state.was_asked(Question::OtherInDanger) {
                return false;
            }
            self.moves.push(Move::Reflect(Theme::ForSomeoneElse));
            self.ask(Question::OtherInDanger);
            return true;
        }
        if (hurt_just_now || unsafe_and_hurt || self.hurt_within_the_hour(understood))
            && !self.state.was_asked(Question::DangerNow)
        {
            self.moves.push(Move::Reflect(Theme::Afraid));
            self.ask(Question::DangerNow);
            return true;
        }
        let about_another = understood
            .asserts(Signal::ThirdParty, WORTH_ASKING)
            .is_some();
        let (question, theme) = if about_another {
            (Question::OtherSuicidal, Theme::ForSomeoneElse)
        } else {
            (Question::Suicidal, Theme::Low)
        };
        if hint(Signal::SuicidalIndirect) && !self.state.was_asked(question) {
            self.moves.push(Move::Reflect(theme));
            self.ask(question);
            return true;
        }
        false
    }

    /// The caller was hurt minutes ago and has not said that they are safe.
    fn hurt_within_the_hour(&self, understood: &Understanding) -> bool {
        let minutes_ago = understood
            .incident
            .as_ref()
            .is_some_and(|incident| incident.value.just_now);
        let hurt = self.state.signals.iter().any(|noted| {
            let s = &noted.heard;
            !s.denied
                && !s.remote
                && s.confidence >= SURE
                && matches!(s.signal, Signal::PhysicalAbuse | Signal::Strangulation)
        });
        minutes_ago && hurt && self.state.safe_now != Some(true) && self.state.transfers.is_empty()
    }

    // --- Step 1 ---------------------------------------------------------------------------------

    fn safety_answer(&mut self, understood: &Understanding, words: &str) {
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

    /// Shows that the answer was taken, and how: a name or a place just given is said back once, so
    /// that the caller can put it right without being asked.
    pub(crate) fn acknowledge(&mut self) {
        let this_turn = self.state.turns.saturating_sub(1);
        let named = self
            .state
            .name
            .as_ref()
            .is_some_and(|n| n.turn == this_turn);
        let placed = self
            .state
            .place
            .as_ref()
            .is_some_and(|p| p.turn == this_turn);
        self.moves.push(match (named, placed) {
            (_, true) => Move::SayPlaceBack,
            (true, false) => Move::ThankByName,
            (false, false) => Move::Acknowledge,
        });
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
