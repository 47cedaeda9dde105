//! What a conversation remembers. Saved as it is, so every field is plain data.

use std::collections::{BTreeMap, BTreeSet};

use redact::{Secret, expose_secret};
use serde::{Deserialize, Serialize};

use super::{
    moves::{Question, Theme},
    over::Over,
};
use crate::{
    Agency, EndReason, Hint, TransferMode, Unreached,
    reading::{
        Age, Doubt, Heard, HeardSignal, NEARLY_SURE, PersonSpokenOf, PlaceHeard, Relation, SURE,
        Signal, SoFar, TimeHeard,
    },
};

/// Something known, and the caller turn it came from.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Known<T> {
    #[serde(flatten)]
    pub heard: Heard<T>,
    pub turn: usize,
}

/// A name, kept so that it serialises like the caller's other words.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Name(#[serde(serialize_with = "expose_secret")] pub Secret<String>);

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Noted {
    #[serde(flatten)]
    pub heard: HeardSignal,
    pub turn: usize,
    /// It answers the question about it: a yes as any reader reads it, a no only as every one does.
    #[serde(default)]
    pub answers: bool,
    /// And both readers hear it so.
    #[serde(default)]
    pub agreed: bool,
    /// Taken for it because the question about it was not denied: the words tell of nothing.
    #[serde(default)]
    pub undenied: bool,
}

/// Where the call is heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Route {
    pub agency: Agency,
    pub mode: TransferMode,
}

/// What is kept back: "requested anonymity".
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Refused {
    Name,
    Location,
    Age,
    Incident,
    Contact,
    CallBack,
}

/// A warm transfer for which duty officers were rung.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct HandOver {
    /// Which of the call's transfers, from 0.
    pub transfer: usize,
    pub stands: Stands,
    /// Somebody has talked with the caller, however it went on.
    pub joined: bool,
}

/// How a hand-over stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Stands {
    Ringing,
    /// A duty officer is with the caller.
    Joined,
    Unreached(Unreached),
    /// The caller did not want to be connected any more.
    Stopped,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct State {
    /// Caller turns so far.
    pub turns: usize,
    /// The question that waits for its answer.
    pub pending: Option<Question>,
    /// The question that was left open to make sure of a danger.
    pub interrupted: Option<Question>,
    /// What was said leans towards suicide, though no pattern knew it.
    #[serde(default)]
    pub leant_to_suicide: bool,
    /// What was said leans towards a wish to stay elsewhere, which is asked about before an agency for the harm is offered.
    #[serde(default)]
    pub leant_to_shelter: bool,
    /// The agency of what was told after a no to another: consent for it was never asked.
    #[serde(default)]
    pub noted_after_a_no: Option<Agency>,
    /// On the way to the police it was asked whether what was told of then is still going on.
    #[serde(default)]
    pub asked_whether_over: Option<Over>,
    /// The route that was followed when danger was told, if there was one.
    #[serde(default)]
    pub route_before_police: Option<Route>,
    /// Whom the caller hurt.
    #[serde(default)]
    pub hurt: Option<Relation>,
    /// In how many turns that were no answer to the question about it; since it was plainly denied, if it was.
    #[serde(default)]
    pub turns_that_hinted_at_suicide: u32,
    /// The turn in which the question about suicide was turned away, neither yes nor no.
    #[serde(default)]
    pub suicide_turned_away: Option<usize>,
    /// Questions about a need whose answer was neither a yes nor a no, nor that it will not be told, and in which turn.
    #[serde(default)]
    pub left_open: BTreeMap<Question, usize>,
    /// Suicide was told, and is acted on as soon as it is known whether somebody is hurting the caller.
    #[serde(default)]
    pub suicide_waits: bool,
    /// Suicide was hinted at beside danger, which is asked about first.
    #[serde(default)]
    pub suicide_is_next: bool,
    /// How often each question was put.
    pub asked: BTreeMap<Question, u32>,
    pub signals: Vec<Noted>,
    pub name: Option<Known<Name>>,
    /// What was told last of where they are.
    pub place: Option<Known<PlaceHeard>>,
    /// The rest of it, in the order in which it was told.
    #[serde(default)]
    pub rest_of_place: Vec<Known<PlaceHeard>>,
    pub age: Option<Known<Age>>,
    pub abuser: Option<Known<Relation>>,
    pub married: Option<bool>,
    pub incident: Option<Known<TimeHeard>>,
    pub account: Option<Known<Name>>,
    /// How and when the caller can be reached unnoticed.
    #[serde(default)]
    pub contact: Option<Known<Name>>,
    /// What the caller first said of themselves, in more than a word or two.
    pub opening: Option<Known<Name>>,
    pub person: Option<PersonSpokenOf>,
    /// What the reader made of all turns.
    #[serde(default)]
    pub so_far: SoFar,
    /// What those together speak against, as of the last turn.
    #[serde(default)]
    pub doubts: BTreeSet<Doubt>,
    pub refused: BTreeSet<Refused>,
    pub route: Option<Route>,
    /// The agency of a need for which another has been found elsewhere.
    #[serde(default)]
    pub stood_in_for: Option<Agency>,
    /// Agencies the caller did not want their case shared with.
    pub declined: BTreeSet<Agency>,
    /// Consent to share with the route's agency.
    pub consented: bool,
    pub transfers: Vec<Route>,
    /// What became of the warm ones for which somebody was on duty.
    #[serde(default)]
    pub hand_overs: Vec<HandOver>,
    /// How it stands with a duty officer who took the call over, rung or not.
    #[serde(default)]
    pub taken_over: Option<Stands>,
    /// The duty officer who is with the caller has put them on hold: the assistant has them meanwhile.
    #[serde(default)]
    pub on_hold: bool,
    /// A number to ring the caller back on.
    #[serde(default)]
    pub call_back: Option<Known<Name>>,
    /// Whether it is safe to ring them there, by their own account; `None` until told.
    #[serde(default)]
    pub call_back_safe: Option<bool>,
    /// It was said back, and the caller said that it is right.
    #[serde(default)]
    pub call_back_confirmed: bool,
    /// Safe to keep talking, by the caller's own account; `None` until told.
    pub safe_to_talk: Option<bool>,
    /// Safe right now.
    pub safe_now: Option<bool>,
    /// A yes or a no is all the caller can give.
    pub whisper: bool,
    pub short_answers: u32,
    pub not_understood: u32,
    pub silences: u32,
    pub counselling: u32,
    pub theme: Option<Theme>,
    /// What the caller has spoken of, in order, each once.
    pub themes: Vec<Theme>,
    /// How often each was asked about in its own words.
    pub asked_about: BTreeMap<Theme, u32>,
    /// Useful facts already given in counselling.
    pub told: BTreeSet<String>,
    pub said: BTreeSet<Once>,
    pub ended: Option<EndReason>,
    /// What a supervisor has whispered and was not taken up yet.
    #[serde(default)]
    pub hints: Vec<Hint>,
    /// Asked on a hint, and not yet on the flow's own account.
    #[serde(default)]
    pub asked_on_a_hint: BTreeSet<Question>,
    /// The caller is to speak first, and was not greeted yet.
    #[serde(default)]
    pub greeting_waits: bool,
    pub wording: crate::wording::Memory,
}

/// Said once a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Once {
    Ambulance,
    HelpingOthers,
    YesNo,
    SuicideNumber,
    /// What to do until a counsellor reaches out.
    UntilThen,
    /// That a request is not the helpline's.
    SteeredBack,
}

impl State {
    pub fn times_asked(&self, question: Question) -> u32 {
        self.asked.get(&question).copied().unwrap_or_default()
    }

    /// Whether it was put, or has been put often enough in other words.
    pub fn was_asked(&self, question: Question) -> bool {
        let of_suicide = matches!(question, Question::Suicidal | Question::OtherSuicidal);
        self.times_asked(question) > 0 || of_suicide && self.times_asked_of_suicide() >= 2
    }

    /// The same of one question, where those about suicide count together: nobody is asked more than twice.
    pub fn times_put(&self, question: Question) -> u32 {
        match question {
            Question::Suicidal | Question::OtherSuicidal => self.times_asked_of_suicide(),
            question => self.times_asked(question),
        }
    }

    /// Some need was told in words, and not only in answer to a question that is put to everybody.
    pub fn told_of_a_need(&self) -> bool {
        let needs = || {
            self.signals.iter().filter(|noted| {
                let s = &noted.heard;
                !s.denied && (s.signal.is_abuse() || s.signal == Signal::ShelterWish)
            })
        };
        let in_answer = |turn| needs().any(|noted| noted.answers && noted.turn == turn);
        needs().any(|noted| {
            noted.agreed
                || !noted.answers
                    && (noted.heard.confidence >= SURE
                        || noted.heard.confidence >= NEARLY_SURE && !in_answer(noted.turn))
        })
    }

    /// Danger now is being made sure of or acted on: a question about it waits for its answer, or help is being brought.
    pub fn acts_on_danger(&self) -> bool {
        self.pending.is_some_and(Question::makes_sure)
            || self.suicide_waits
            || self
                .route
                .is_some_and(|route| route.mode == TransferMode::Warm)
    }

    /// Anything at all was heard that may mean danger, for whomever, and was not taken back.
    pub fn may_be_in_danger(&self) -> bool {
        let says_nothing_of_it = |signal| {
            matches!(
                signal,
                Signal::Safe
                    | Signal::AsksIfHuman
                    | Signal::AsksForNumber
                    | Signal::AsksAboutOthers
                    | Signal::PromptInjection
                    | Signal::OffTopic
                    | Signal::Thanks
                    | Signal::Goodbye
            )
        };
        let heard = self.signals.iter().any(|noted| {
            let signal = &noted.heard;
            !signal.denied && !says_nothing_of_it(signal.signal)
        });
        heard
            || self.leant_to_suicide
            || self.suicide_waits
            || self.suicide_is_next
            || self.interrupted.is_some()
            || self.whisper
            || self.abuser.is_some()
            || self.safe_now == Some(false)
            || self.safe_to_talk == Some(false)
            || self.route.is_some()
            || !self.transfers.is_empty()
            || self.taken_over.is_some()
    }

    /// The caller is safe by their own account, and nothing was heard that is a danger to anybody, at any confidence: what is
    /// done for them can wait for a sentence more.
    pub fn nothing_is_dangerous(&self) -> bool {
        let is_a_danger = |signal: Signal| {
            signal.is_high_risk()
                || signal.is_red_flag()
                || matches!(
                    signal,
                    Signal::Injury
                        | Signal::ChildAtRisk
                        | Signal::Fear
                        | Signal::NotSafeToTalk
                        | Signal::CannotSpeak
                )
        };
        let heard = self.signals.iter().map(|noted| &noted.heard);
        let warm = |route: &Route| route.mode == TransferMode::Warm;
        self.safe_now == Some(true)
            && self.safe_to_talk != Some(false)
            && !self.whisper
            && !self.leant_to_suicide
            && !self.suicide_waits
            && !self.suicide_is_next
            && self.interrupted.is_none()
            && self.hints.is_empty()
            && self.hand_overs.is_empty()
            && self.taken_over.is_none()
            && !self.route.iter().chain(&self.transfers).any(warm)
            && !heard
                .filter(|signal| !signal.denied)
                .any(|signal| is_a_danger(signal.signal))
    }

    /// A program may end the call here: the caller is safe by their own account, and waits for nothing.
    pub fn may_be_left(&self) -> bool {
        let asks_on = matches!(
            self.pending,
            None | Some(Question::Open | Question::MoreSupport)
        );
        self.ended.is_none()
            && asks_on
            && self.hints.is_empty()
            && self.safe_now == Some(true)
            && !self.may_be_in_danger()
    }

    /// Whether anybody is being hurt, whoever it is.
    pub fn times_asked_of_danger(&self) -> u32 {
        self.times_asked(Question::DangerNow) + self.times_asked(Question::OtherInDanger)
    }

    /// About whomever: nobody is asked more than twice in a call.
    pub fn times_asked_of_suicide(&self) -> u32 {
        self.times_asked(Question::Suicidal) + self.times_asked(Question::OtherSuicidal)
    }
}
