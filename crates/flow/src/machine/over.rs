//! Danger that is over, by the account of who was on the way to the police: made sure of once, and then taken up as what was
//! done.

use serde::{Deserialize, Serialize};

use super::{
    Machine, Question,
    withdrawn::{is_in_trouble, is_trouble, speaks_of_danger},
};
use crate::reading::{ALL_BUT_SURE, Doubt, Reading, SURE, Signal, WORTH_ASKING};

/// Why the danger may be none now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Over {
    /// "Last Saturday."
    AnEarlierDay,
    /// "In 1943."
    LongAgo,
    /// Asked what happened, they told of no danger.
    NotTold,
    /// All that they said is unlike what people in danger say.
    Unlikely,
}

/// Beside blows of whatever day: somebody is hurt, with child or small, or it is the caller's doing.
const THAT_WAITS_FOR_NOBODY: &[Signal] = &[
    Signal::Injury,
    Signal::Pregnant,
    Signal::ChildAtRisk,
    Signal::OwnViolence,
    Signal::Stalking,
    Signal::GettingWorse,
    Signal::NotSafeToTalk,
    Signal::CannotSpeak,
];

impl Machine<'_> {
    /// "They're beating my father in the yard." - "When was that?" - "In 1943.": on the way to the police, of who can talk and told
    /// of blows, and of nothing grave, what they now date to before yesterday is made sure of once.
    pub(super) fn may_be_over(&self, reading: &Reading, pending: Option<Question>) -> Option<Over> {
        const YESTERDAY: i64 = 1;
        const A_YEAR: i64 = 365;
        let goes_on = reading.signals.iter().any(|s| {
            let of_now = (s.signal.is_high_risk() || s.signal.is_abuse()) && !s.remote && s.present;
            !s.denied && s.confidence >= WORTH_ASKING && (of_now || is_trouble(s.signal))
        });
        let days_ago = reading
            .incident
            .as_ref()
            .map_or(0, |told| told.value.days_ago);
        let when = if (YESTERDAY + 1..A_YEAR).contains(&days_ago) {
            Over::AnEarlierDay
        } else if days_ago >= A_YEAR || reading.tells_of_long_ago {
            Over::LongAgo
        } else {
            return None;
        };
        let blows = [
            Signal::PhysicalAbuse,
            Signal::DomesticViolence,
            Signal::SexualAssault,
        ];
        let asks = matches!(pending, Some(Question::Account | Question::IncidentTime))
            && !goes_on
            && !reading.calls_for_help
            && self.told_from(&blows, WORTH_ASKING)
            && self.may_be_asked_whether_over();
        asks.then_some(when)
    }

    /// Nothing that was told makes the question too dangerous or too late, and it was not put before.
    fn may_be_asked_whether_over(&self) -> bool {
        !self.told_from(THAT_WAITS_FOR_NOBODY, WORTH_ASKING)
            && !self.told_of_something_grave()
            && !self.hurt_somebody()
            && !self.speaks_of_dying()
            && !self.state.may_be_overheard()
            && !self.state.was_asked(Question::DangerNow)
            && !self.state.was_asked(Question::OtherInDanger)
    }

    /// "He's pushing her down the stairs." - "Can you tell me what happened?" - "She sold her gold for him.": on the way to the police, who can
    /// talk, told of nothing grave, and whose account holds nothing that either reader takes for danger or harm, is asked once whether
    /// there is any.
    pub(super) fn tells_of_no_danger(
        &self,
        reading: &Reading,
        pending: Option<Question>,
    ) -> Option<Over> {
        const AN_ACCOUNT: usize = 6;
        let asks = pending == Some(Question::Account)
            && reading.word_count >= AN_ACCOUNT
            && !reading.answer.out_of_words
            && self.state.safe_to_talk == Some(true)
            && self.state.transfers.is_empty()
            && !speaks_of_danger(reading)
            && self.may_be_asked_whether_over();
        asks.then_some(Over::NotTold)
    }

    /// "He's got the chainsaw, I'm so dead." - "Can you tell me what happened?" - "I'm the last survivor.": on the way to the police, who
    /// can talk and whose whole call is unlike those of people in danger is asked whether there is any, before officers are sent.
    pub(super) fn is_unlikely(&self, reading: &Reading, pending: Option<Question>) -> Option<Over> {
        let state = &*self.state;
        let asks = pending == Some(Question::Account)
            && reading.doubts.contains(&Doubt::DangerNow)
            && state.safe_to_talk == Some(true)
            && state.transfers.is_empty()
            && state.asked_whether_over.is_none()
            && state.times_asked_of_danger() == 0
            && !state.may_be_overheard()
            && !self.told_from(THAT_WAITS_FOR_NOBODY, SURE)
            && !self.speaks_of_dying()
            && !self.hurt_somebody()
            && !reading.answer.out_of_words
            && !reading.calls_for_help;
        asks.then_some(Over::Unlikely)
    }

    /// Asked then whether anybody is hurting them, they say no and nothing speaks against it: both readers hear it, or one where
    /// they are safe ("No, he's in Bangkok for a launch").
    pub(super) fn is_over(&self, reading: &Reading, pending: Option<Question>) -> Option<Over> {
        let answer = &reading.answer;
        let open = answer.hedges || answer.unsure || answer.refuses || answer.declines_to_say;
        let safe = reading.asserts(Signal::Safe, SURE).is_some();
        let says_no = matches!(pending, Some(Question::DangerNow | Question::OtherInDanger))
            && answer.yes == Some(false)
            && (answer.agreed || safe)
            && !open;
        self.state.asked_whether_over.filter(|over| {
            let speaks_against = match over {
                // "No lah, the killer is in the game": words for danger were unlikely before.
                Over::Unlikely => {
                    is_in_trouble(reading) || self.tells_of_more_than_the_unlikely(reading)
                }
                Over::AnEarlierDay | Over::LongAgo | Over::NotTold => speaks_of_danger(reading),
            };
            says_no && !speaks_against
        })
    }

    /// "No, nobody. I'm going to hang myself.", "No, he's in the kitchen with the knife."
    fn tells_of_more_than_the_unlikely(&self, reading: &Reading) -> bool {
        let of_life = reading.signals.iter().any(|s| {
            let grave = s.signal.is_high_risk() && s.signal != Signal::ViolenceNow
                || s.signal == Signal::SuicidalIndirect
                || THAT_WAITS_FOR_NOBODY.contains(&s.signal);
            grave && !s.denied && !s.remote && s.confidence >= WORTH_ASKING
        });
        let of_now = reading.asserts(Signal::ViolenceNow, ALL_BUT_SURE).is_some();
        of_life || of_now
    }

    /// Nobody is in danger at this moment: what was done stays told, as of then, and the route that was left is taken again.
    pub(super) fn forget_danger(&mut self, over: Over) {
        self.state.route = self.state.route_before_police.take();
        self.state.signals.retain(|noted| {
            let s = &noted.heard;
            s.signal != Signal::ViolenceNow || s.denied
        });
        for noted in &mut self.state.signals {
            noted.heard.remote |= over == Over::LongAgo && noted.heard.signal.is_abuse();
        }
    }
}
