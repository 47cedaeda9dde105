//! The encoder's outputs by name: answers, harms in their states, and flags, as `training/LABELS.md`
//! tells them, with the probabilities from which each is asked about and acted on.

use std::collections::HashMap;

use flow::Question;
use serde::Deserialize;

use super::OpenError;

macro_rules! named {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $text:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum $name { $($variant),* }

        impl $name {
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// As the weights' labels have it.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $text),* }
            }
        }
    };
}

named! {
    /// How the question was answered; exactly one holds.
    AnswerLabel {
        Yes = "yes",
        No = "no",
        Unsure = "unsure",
        Declines = "declines",
        Other = "other",
    }
}

named! {
    HarmLabel {
        Suicide = "suicide",
        SelfHarm = "self-harm",
        HurtNow = "hurt-now",
        DangerNow = "danger-now",
        Physical = "physical",
        Strangled = "strangled",
        Weapon = "weapon",
        ThreatToKill = "threat-to-kill",
        Sexual = "sexual",
        Emotional = "emotional",
        Financial = "financial",
        Neglect = "neglect",
        Shelter = "shelter",
    }
}

named! {
    /// How a harm is spoken of: the caller's own and meant, or else.
    State {
        Own = "",
        Other = "other",
        Past = "past",
        No = "no",
        Unmeant = "unmeant",
    }
}

named! {
    Flag {
        SuicideHint = "suicide-hint",
        BySpouse = "by-spouse",
        ByPartner = "by-partner",
        ByFamily = "by-family",
        ByOther = "by-other",
        Safe = "safe",
        Unsafe = "unsafe",
        WantsPolice = "wants-police",
        CannotTalk = "cannot-talk",
        Goodbye = "goodbye",
        ForOther = "for-other",
        Everyday = "everyday",
        OffTopic = "off-topic",
        Asks = "asks",
    }
}

/// A passage in which nothing is this probable is not read by sentence: no sentence could lift it to a question.
const CLOSER_LOOK: f32 = 0.03;

/// What a passage's logit and that of its surest sentence weigh together.
#[derive(Debug, Clone, Copy, Deserialize)]
struct Sentences {
    whole: f32,
    surest: f32,
    shift: f32,
}

/// From which probabilities on a label is asked about and acted on.
#[derive(Debug, Clone, Copy, Deserialize)]
struct Thresholds {
    ask: f32,
    act: f32,
}

/// `labels.json`, as the training program writes it. The outputs are calibrated: their probabilities
/// mean what they say.
#[derive(Debug, Deserialize)]
struct Written {
    outputs: Vec<String>,
    questions: HashMap<String, String>,
    /// From this probability on an answer is taken as it is.
    sure: f32,
    sentences: Sentences,
    thresholds: HashMap<String, Thresholds>,
}

pub(super) struct Labels {
    outputs: Vec<String>,
    answers: Vec<usize>,
    harms: Vec<[usize; 5]>,
    flags: Vec<usize>,
    thresholds: Vec<Thresholds>,
    sure: f32,
    sentences: Sentences,
    questions: HashMap<String, String>,
}

impl Labels {
    pub fn read(json: &str) -> Result<Self, OpenError> {
        let written: Written = serde_json::from_str(json).map_err(OpenError::Labels)?;
        let place = |label: String| {
            let found = written.outputs.iter().position(|known| *known == label);
            found.ok_or(OpenError::Label { missing: label })
        };
        let harm = |harm: &HarmLabel| -> Result<[usize; 5], OpenError> {
            let mut places = [0; 5];
            for (slot, state) in places.iter_mut().zip(State::ALL) {
                let label = match state {
                    State::Own => harm.name().to_owned(),
                    state => format!("{}.{}", harm.name(), state.name()),
                };
                *slot = place(label)?;
            }
            Ok(places)
        };
        for question in QUESTIONS {
            if !written.questions.contains_key(key(Some(*question))) {
                let missing = key(Some(*question)).to_owned();
                return Err(OpenError::Label { missing });
            }
        }
        let answer = |answer: &AnswerLabel| place(format!("answer.{}", answer.name()));
        let flag = |flag: &Flag| place(flag.name().to_owned());
        Ok(Self {
            answers: AnswerLabel::ALL
                .iter()
                .map(answer)
                .collect::<Result<_, _>>()?,
            harms: HarmLabel::ALL.iter().map(harm).collect::<Result<_, _>>()?,
            flags: Flag::ALL.iter().map(flag).collect::<Result<_, _>>()?,
            thresholds: written
                .outputs
                .iter()
                .map(|label| {
                    // A label without figures of its own is never acted on alone.
                    let fitted = written.thresholds.get(label).copied();
                    fitted.unwrap_or(Thresholds { ask: 0.5, act: 1.1 })
                })
                .collect(),
            sure: written.sure,
            sentences: written.sentences,
            questions: written.questions,
            outputs: written.outputs,
        })
    }

    /// Their names, in the order of the outputs.
    pub fn outputs(&self) -> &[String] {
        &self.outputs
    }

    pub fn len(&self) -> usize {
        self.thresholds.len()
    }

    /// The question as the encoder learnt it.
    pub fn question(&self, question: Option<Question>) -> &str {
        &self.questions[key(question)]
    }

    /// The labels as they ship, everything asked about from 0.1 on and acted on from 0.6 on, and an answer sure
    /// from 0.85 on: what is specified of them does not change with the weights.
    #[cfg(test)]
    pub fn for_specifications() -> Self {
        let shipped = include_str!("../../weights/labels.json");
        let mut labels = Self::read(shipped).expect("the labels that ship");
        labels.thresholds.fill(Thresholds { ask: 0.1, act: 0.6 });
        labels.sure = 0.85;
        labels
    }

    #[cfg(test)]
    pub fn question_called(&self, key: &str) -> &str {
        &self.questions[key]
    }

    pub fn harm(&self, harm: HarmLabel, state: State) -> usize {
        self.harms[harm as usize][state as usize]
    }

    pub fn flag(&self, flag: Flag) -> usize {
        self.flags[flag as usize]
    }

    pub fn sure(&self) -> f32 {
        self.sure
    }

    pub fn ask(&self, label: usize) -> f32 {
        self.thresholds[label].ask
    }

    pub fn act(&self, label: usize) -> f32 {
        self.thresholds[label].act
    }

    pub fn probability(&self, logit: f32) -> f32 {
        1.0 / (1.0 + (-logit).exp())
    }

    /// A passage's logit, of its own and that of its surest sentence.
    pub fn joined(&self, whole: f32, sentence: f32) -> f32 {
        self.sentences.whole * whole + self.sentences.surest * sentence + self.sentences.shift
    }

    /// Whether a passage tells of any harm, however unsurely.
    pub fn tell_of_harm(&self, logits: &[f32]) -> bool {
        let harms = self.harms.iter().flatten().copied();
        let mut labels = harms.chain([self.flag(Flag::SuicideHint), self.flag(Flag::CannotTalk)]);
        labels.any(|label| self.probability(logits[label]) >= CLOSER_LOOK)
    }

    #[cfg(test)]
    pub fn place_of(&self, answer: AnswerLabel) -> usize {
        self.answers[answer as usize]
    }

    pub fn answer(&self, logits: &[f32], answer: AnswerLabel) -> f32 {
        let weight = |place: usize| logits[place].exp();
        let all: f32 = self.answers.iter().map(|place| weight(*place)).sum();
        weight(self.answers[answer as usize]) / all
    }
}

/// Every question of the flow.
const QUESTIONS: &[Question] = &[
    Question::SafeNow,
    Question::SafeToTalk,
    Question::DangerNow,
    Question::OtherInDanger,
    Question::Suicidal,
    Question::OtherSuicidal,
    Question::Name,
    Question::Address,
    Question::Account,
    Question::IncidentTime,
    Question::Consent,
    Question::SafeContact,
    Question::CallBack,
    Question::CallBackRight,
    Question::Age,
    Question::Abuser,
    Question::MoreSupport,
    Question::Open,
    Question::HurtBefore,
    Question::BySpouse,
    Question::SexualHarm,
    Question::NeedsShelter,
    Question::PutDown,
    Question::EighteenOrUnder,
];

/// The question's name in the training data.
fn key(question: Option<Question>) -> &'static str {
    match question {
        Some(Question::SafeNow) => "greeting",
        Some(Question::SafeToTalk) => "safe-to-talk",
        Some(Question::DangerNow) => "danger-now",
        Some(Question::OtherInDanger) => "other-danger",
        Some(Question::Suicidal) => "suicidal",
        Some(Question::OtherSuicidal) => "other-suicidal",
        Some(Question::Name) => "name",
        Some(Question::Address) => "address",
        Some(Question::Account) => "account",
        Some(Question::IncidentTime) => "incident-time",
        Some(Question::Consent) => "consent",
        Some(Question::SafeContact) => "safe-contact",
        Some(Question::Age) => "age",
        Some(Question::Abuser) => "abuser",
        Some(Question::MoreSupport) => "more-support",
        Some(Question::HurtBefore) => "hurt-before",
        Some(Question::BySpouse) => "by-spouse",
        Some(Question::SexualHarm) => "sexual-harm",
        Some(Question::NeedsShelter) => "shelter",
        Some(Question::PutDown) => "put-down",
        Some(Question::EighteenOrUnder) => "eighteen",
        // It has not been shown these.
        Some(Question::Open | Question::CallBack | Question::CallBackRight) | None => "open",
    }
}
