//! What the assistant can do in a turn: moves and questions. No words; those are `wording`'s.

use serde::{Deserialize, Serialize};

use crate::{Agency, TransferMode, understanding::Asked};

/// Something the assistant asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Question {
    /// The greeting's: safe right now?
    SafeNow,
    /// Step 2: safe to keep talking?
    SafeToTalk,
    /// To make sure, once: is someone hurting you now?
    DangerNow,
    /// To make sure, once: thoughts of ending your life?
    Suicidal,
    Name,
    Address,
    Account,
    IncidentTime,
    Consent,
    Age,
    Abuser,
    MoreSupport,
    /// Counselling: go on, in the caller's own way.
    Open,
    /// Yes or no, for a caller who cannot say more.
    HurtBefore,
    BySpouse,
    SexualHarm,
    NeedsShelter,
    PutDown,
    EighteenOrUnder,
}

impl Question {
    /// How the answer is to be read.
    pub fn asked(self) -> Asked {
        match self {
            Self::Name => Asked::Name,
            Self::Address => Asked::Address,
            Self::IncidentTime => Asked::IncidentTime,
            Self::Age | Self::EighteenOrUnder => Asked::Age,
            Self::Abuser => Asked::Abuser,
            _ => Asked::Other,
        }
    }
}

/// What the caller speaks of, as far as it colours a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Theme {
    Danger,
    Suicidal,
    Sexual,
    Shelter,
    Hurt,
    PutDown,
    Controlled,
    Money,
    Neglected,
    Afraid,
    ForSomeoneElse,
    LongAgo,
    Lonely,
    Low,
    Stressed,
    Grieving,
    Relationship,
    Sleepless,
    Angry,
    General,
}

/// One thing to do in a turn, in order. A turn asks at most one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Move {
    Greet,
    Ask(Question),
    /// The same question once more, after a "why" or a "say that again".
    AskAgain(Question),
    /// Shows that it was heard.
    Reflect(Theme),
    Affirm,
    /// A small step to steady the caller.
    Ground,
    /// A step for staying safe.
    SafetyStep,
    RespectRefusal,
    Acknowledge,
    /// Ring the ambulance, said aloud.
    Ambulance,
    /// Danger at home beside something graver.
    PoliceNumber,
    /// Being connected; stay on the line.
    Connect(Agency),
    /// The case is passed on; the next working day.
    PassedOn(Agency),
    /// Nothing is shared; whom to ring.
    NothingShared(Agency),
    /// The numbers for tonight, whoever calls.
    Numbers,
    /// What the look-up found: a knowledge entry's name.
    Inform(String),
    DoNotKnow,
    SayIsAi,
    SteerBack,
    IgnoreInstructions,
    KeepOthersPrivate,
    /// From here on a yes or a no is enough.
    YesNoIsEnough,
    /// Nobody spoke; how often running.
    CheckIn(u32),
    /// Speech without words; how often running.
    NotUnderstood(u32),
    Farewell,
    /// `product_query` was run for this entry.
    LookUp(String),
    Transfer(TransferMode, Agency),
    EndAfterTransfer,
    End,
}
