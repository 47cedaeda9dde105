//! What the assistant can do in a turn: moves and questions. No words; those are `wording`'s.

use serde::{Deserialize, Serialize};

use crate::{Agency, Hint, TransferMode, Unreached};

/// Something the assistant asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Question {
    /// The greeting's: safe right now?
    SafeNow,
    /// Step 2: safe to keep talking?
    SafeToTalk,
    /// To make sure, once: is someone hurting you now?
    DangerNow,
    /// The same of someone the caller speaks of: is anyone being hurt there now?
    OtherInDanger,
    /// To make sure, once: thoughts of ending your life?
    Suicidal,
    /// The same of someone the caller speaks of.
    OtherSuicidal,
    Name,
    Address,
    Account,
    IncidentTime,
    Consent,
    /// How and when the caller can be reached unnoticed.
    SafeContact,
    /// A number on which it is safe to ring the caller back.
    CallBack,
    /// Whether that number was heard right.
    CallBackRight,
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
    /// Put to make sure of a danger that was only hinted at.
    pub fn makes_sure(self) -> bool {
        matches!(
            self,
            Self::DangerNow | Self::OtherInDanger | Self::Suicidal | Self::OtherSuicidal
        )
    }

    pub(crate) fn asks_of_danger(self) -> bool {
        matches!(self, Self::DangerNow | Self::OtherInDanger)
    }

    /// Put to learn of a need, where nobody has to be made safe first.
    pub(crate) fn asks_of_a_need(self) -> bool {
        matches!(
            self,
            Self::HurtBefore | Self::SexualHarm | Self::NeedsShelter | Self::PutDown
        )
    }
}

/// What the caller speaks of, as far as it colours a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Theme {
    Danger,
    Suicidal,
    Sexual,
    Shelter,
    Hurt,
    OwnDoing,
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
    Panicking,
    School,
    Work,
    MoneyWorry,
    Health,
    Caring,
    Family,
    Friends,
    Ashamed,
    Comfort,
    General,
}

impl Theme {
    /// Open questions are kept for it.
    pub fn has_own_questions(self) -> bool {
        !matches!(
            self,
            Self::Danger
                | Self::Suicidal
                | Self::Sexual
                | Self::Shelter
                | Self::OwnDoing
                | Self::ForSomeoneElse
                | Self::LongAgo
                | Self::General
        )
    }
}

/// What a caller was telling, as far as anybody beside them may hear it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Telling {
    /// What is or was done to them.
    Harm,
    Feelings,
    SomeoneElse,
    Life,
}

/// One thing to do in a turn, in order. A turn asks at most one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Move {
    Greet,
    Ask(Question),
    /// An open question about what the caller speaks of.
    AskAbout(Theme),
    /// The question in softer words, for whoever gave no sign of it.
    AskSoftly(Question),
    /// The same question once more, after a "why" or a "say that again".
    AskAgain(Question),
    /// Shows that it was heard.
    Reflect(Theme),
    Affirm,
    /// What was heard so far, drawn together.
    Summarise(Theme, Option<Theme>),
    /// A small step to steady the caller.
    Ground,
    /// A step for staying safe.
    SafetyStep,
    RespectRefusal,
    Acknowledge,
    /// Thanks by the name just given, so that the caller hears how it was taken.
    ThankByName,
    /// The place just given, said back.
    SayPlaceBack,
    /// Ring the ambulance, said aloud.
    Ambulance,
    /// The same in case it is needed: nothing was said of an injury.
    AmbulanceToo,
    /// Danger at home beside something graver.
    PoliceNumber,
    /// Thoughts of dying beside violence now.
    SuicideNumber,
    /// Being connected; stay on the line.
    Connect(Agency),
    /// The case is passed on; the next working day.
    PassedOn(Agency),
    /// Nobody knows a safe way to reach the caller; whom to ring.
    NoWayToReach(Agency),
    /// What to do if it gets dangerous before that.
    UntilThen,
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
    /// The line was cut off and is back.
    LineRestored,
    /// The line is back, and somebody is with the caller on it.
    LineRestoredWithOfficer,
    /// How the ringing of duty officers goes.
    StillRinging,
    /// To whoever speaks meanwhile: heard, and not alone.
    WithYouMeanwhile,
    /// The same, beside something that counts more.
    StayingWithYou,
    /// To whoever cannot speak safely meanwhile.
    NoNeedToSpeak,
    /// Nobody spoke meanwhile.
    SilentMeanwhile,
    /// Speech without words meanwhile.
    NotUnderstoodMeanwhile,
    /// The agency's number, to be rung at once.
    RingYourself(Agency),
    /// For whoever cannot speak.
    TextPolice,
    /// Somebody has joined; the two can talk.
    OfficerJoined,
    /// One more has joined, who took the call over.
    AnotherJoined,
    /// The officer has put the caller on hold; the assistant is there.
    OnHold,
    /// They are on hold still: how it goes, and to whoever speaks meanwhile.
    StillOnHold,
    /// The two hear each other again.
    OffHold,
    /// Why no duty officer is with the caller.
    Unreached(Unreached),
    /// The team knows of it.
    TeamTold,
    /// The number to ring the caller back on, said back.
    SayNumberBack,
    /// It is kept, without saying it back.
    NumberTaken,
    /// That number is not kept.
    NumberLeftOut,
    /// The caller is not being connected any more.
    ConnectingStopped,
    /// What the caller was telling when it was cut off.
    RecallTelling(Telling),
    /// What a supervisor whispered, in the assistant's own words.
    Hinted(Hint),
    Farewell,
    /// `product_query` was run for this entry.
    LookUp(String),
    Transfer(TransferMode, Agency),
    EndAfterTransfer,
    End,
}
