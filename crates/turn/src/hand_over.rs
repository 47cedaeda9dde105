//! Bringing a duty officer onto a call: who is rung and when, who has it, when the two are put
//! through, and what happens when nobody comes.
//!
//! [`HandOver`] is told what happened ([`HandOverEvent`]) and at what time, and answers with what to
//! do ([`HandOverCommand`]), as the floor does for turns. It knows no words, no sound and no people: an
//! officer is whatever `P` the desk knows them by. It rings nobody: the desk does, who knows who is on
//! duty for which agency.
//!
//! The caller is never left alone in it. Until somebody talks with them the assistant stays, and tells
//! them every so often how it is going; where nobody comes, or who came is lost, it is told to take
//! them back at once. Who talks with them may put them on hold, for a while that has an end: the
//! assistant has them again, and leaves only when a person has been heard.

use std::collections::VecDeque;
use std::time::Duration;

/// Every duration that a hand-over goes by. All are chosen here, but for those the duty desk's own
/// specification gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandOverPlan {
    /// Those for the agency and the caller's language are rung alone for so long; then all on duty. The desk's.
    pub rung_alone: Duration,
    /// From the decision to giving up on reaching anybody. The desk's.
    pub bound: Duration,
    /// From one word to the caller of how it is going to the next. The desk's.
    pub tell_every: Duration,
    /// For who has accepted to be on the line.
    pub connect_bound: Duration,
    /// For the briefing, from then.
    pub briefing_bound: Duration,
    /// For who was put through to say something, also after a hold: a microphone may be off.
    pub speak_bound: Duration,
    /// From the caller's being put on hold to the desk's being told that it ends soon.
    pub hold_told: Duration,
    /// For a hold; then the caller is put back.
    pub hold_bound: Duration,
}

impl Default for HandOverPlan {
    fn default() -> Self {
        let s = Duration::from_secs;
        Self {
            rung_alone: s(10),
            bound: s(60),
            tell_every: s(20),
            connect_bound: s(8),
            briefing_bound: s(20),
            speak_bound: s(15),
            hold_told: s(90),
            hold_bound: s(120),
        }
    }
}

/// Something that happened on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandOverEvent<P> {
    /// Everybody who was rung has declined, or has gone.
    AllDeclined,
    /// Who accepted is on the line.
    OfficerConnected(P),
    /// They have heard the briefing, or have gone past it.
    BriefingHeard(P),
    /// They said something.
    OfficerSpoke(P),
    /// Their line is gone, though they did not end the call.
    OfficerLost(P),
    /// They took the call as it was, whoever else had it or was being rung.
    TakenOver(P),
}

/// Something to do now, in the order given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandOverCommand<P> {
    Ring(Ring),
    StopRinging {
        taken_by: Option<P>,
    },
    /// Tell this officer, and nobody else, what the call is about.
    Brief(P),
    /// Put this officer through to the caller: from now on they hear each other.
    PutThrough(P),
    /// Tell the caller how it is going.
    TellProgress,
    /// The assistant says no more: a person talks with the caller.
    LeaveTheTalk,
    /// The assistant has the caller, who hears nobody else and is heard by nobody else; the officers hear each other.
    PutOnHold,
    /// Tell the desk that the caller is put back after so long.
    TellHoldEnds {
        within: Duration,
    },
    /// The caller and those who talked with them hear each other again.
    TakeOffHold,
    /// This officer is no longer part of the call.
    LetGo(P),
    /// This officer accepted, and has not come onto the line in time: they are not part of the call.
    GiveUpOn(P),
    /// The assistant is back with the caller, and says what happened. A hold is over with it.
    TakeBack(Unreached),
}

/// Who is rung.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ring {
    /// Those on duty for the call's agency and language.
    Those,
    /// All on duty.
    Everyone,
}

/// Why no officer talks with the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unreached {
    NobodyAnswered,
    AllDeclined,
    /// Somebody accepted and was gone before they were put through, and nobody else came.
    AcceptedInVain,
    /// Somebody had the call, and their line was lost.
    LineDropped,
}

impl Unreached {
    pub const ALL: [Self; 4] = [
        Self::NobodyAnswered,
        Self::AllDeclined,
        Self::AcceptedInVain,
        Self::LineDropped,
    ];

    /// As steps of a call are kept with it, and desks are told.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NobodyAnswered => "nobody-answered",
            Self::AllDeclined => "all-declined",
            Self::AcceptedInVain => "accepted-in-vain",
            Self::LineDropped => "line-dropped",
        }
    }

    /// The other way.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|why| why.as_str() == name)
    }
}

/// Why a call is not this officer's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotTaken<P> {
    /// Another was first.
    TakenBy(P),
    /// Nobody is being rung for it any more.
    NotRinging,
}

/// Who would put a caller on hold, or take them back, does not talk with them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotTalking;

/// What a hand-over waits for next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HandOverDeadline {
    RingEveryone,
    TellProgress,
    NobodyAnswered,
    ConnectLate,
    BriefingLate,
    /// Who was put through has not been heard.
    OfficerUnheard,
    /// The desk is to know that a hold ends soon.
    HoldEndsSoon,
    HoldLate,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase<P> {
    Ringing {
        everyone: bool,
    },
    Connecting {
        officer: P,
        until: Duration,
    },
    Briefing {
        officer: P,
        until: Duration,
    },
    /// Somebody was put through; until then they are to be heard, if nobody was yet.
    Talking {
        unheard_until: Option<Duration>,
    },
    /// Those who talked with the caller consult.
    OnHold {
        since: Duration,
        desk_told: bool,
    },
    Over,
}

/// One call's way to a duty officer. `P` is how the desk knows an officer.
#[derive(Debug)]
pub struct HandOver<P> {
    plan: HandOverPlan,
    phase: Phase<P>,
    /// Those put through to the caller, the latest last.
    put_through: Vec<P>,
    /// Somebody accepted, and was gone before they were put through.
    accepted_in_vain: bool,
    decided_at: Duration,
    told_at: Duration,
    commands: VecDeque<HandOverCommand<P>>,
}

impl<P: Copy + Eq> HandOver<P> {
    /// The flow has decided on it: those for the agency are rung at once.
    pub fn decided(plan: HandOverPlan, now: Duration) -> Self {
        let mut hand_over = Self::in_phase(plan, Phase::Ringing { everyone: false }, now);
        hand_over.command(HandOverCommand::Ring(Ring::Those));
        hand_over
    }

    /// An officer takes a call over that nobody was rung for.
    pub fn taken_over(plan: HandOverPlan, officer: P, now: Duration) -> Self {
        let mut hand_over = Self::in_phase(plan, Phase::Over, now);
        hand_over.put_through(officer, now);
        hand_over
    }

    fn in_phase(plan: HandOverPlan, phase: Phase<P>, now: Duration) -> Self {
        Self {
            plan,
            phase,
            put_through: Vec::new(),
            accepted_in_vain: false,
            decided_at: now,
            told_at: now,
            commands: VecDeque::new(),
        }
    }

    /// Whose call it is: who has accepted it, whether or not they are put through yet, or came to it last.
    pub fn officer(&self) -> Option<P> {
        match self.phase {
            Phase::Connecting { officer, .. } | Phase::Briefing { officer, .. } => Some(officer),
            Phase::Talking { .. } | Phase::OnHold { .. } => self.put_through.last().copied(),
            Phase::Ringing { .. } | Phase::Over => None,
        }
    }

    /// Whether this officer was put through to the caller, and has not gone since.
    pub fn is_put_through(&self, officer: P) -> bool {
        self.put_through.contains(&officer)
    }

    /// Whether somebody else was put through to the caller as well, and has not gone since.
    pub fn talks_beside(&self, officer: P) -> bool {
        self.put_through.iter().any(|other| *other != officer)
    }

    /// Whether the assistant still answers the caller.
    pub fn assistant_stays(&self) -> bool {
        let leaves = Phase::Talking {
            unheard_until: None,
        };
        self.phase != leaves
    }

    /// Nobody is being rung, and nobody has the call.
    pub fn is_over(&self) -> bool {
        self.phase == Phase::Over
    }

    /// Whether the caller is on hold.
    pub fn is_on_hold(&self) -> bool {
        matches!(self.phase, Phase::OnHold { .. })
    }

    /// Somebody who talks with the caller puts them on hold. Repeated, it is the same hold.
    pub fn put_on_hold(&mut self, officer: P, now: Duration) -> Result<(), NotTalking> {
        self.act_on_deadlines(now);
        if !self.is_put_through(officer) {
            return Err(NotTalking);
        }
        if !self.is_on_hold() {
            self.phase = Phase::OnHold {
                since: now,
                desk_told: false,
            };
            self.told_at = now;
            self.command(HandOverCommand::PutOnHold);
        }
        Ok(())
    }

    /// Somebody who talked with the caller takes them back. Without a hold there is nothing to do.
    pub fn take_off_hold(&mut self, officer: P, now: Duration) -> Result<(), NotTalking> {
        self.act_on_deadlines(now);
        if !self.is_put_through(officer) {
            return Err(NotTalking);
        }
        if self.is_on_hold() {
            self.end_hold(now);
        }
        Ok(())
    }

    /// An officer accepts. The first has the call; it is theirs however often they say so.
    pub fn accept(&mut self, officer: P, now: Duration) -> Result<(), NotTaken<P>> {
        self.act_on_deadlines(now);
        match (self.phase, self.officer()) {
            (_, Some(first)) if first == officer => Ok(()),
            (_, Some(first)) => Err(NotTaken::TakenBy(first)),
            (Phase::Ringing { .. }, None) => {
                let until = now + self.plan.connect_bound;
                self.phase = Phase::Connecting { officer, until };
                self.stop_ringing(Some(officer));
                Ok(())
            }
            (_, None) => Err(NotTaken::NotRinging),
        }
    }

    /// Takes in one event that became known at `now`, and acts on every deadline that has come.
    /// The event goes first: what is known by the moment of a deadline counts at it.
    pub fn handle(&mut self, event: HandOverEvent<P>, now: Duration) {
        match (event, self.phase) {
            (HandOverEvent::TakenOver(officer), _) => self.take_over(officer, now),
            (HandOverEvent::AllDeclined, Phase::Ringing { everyone: false }) => {
                self.ring_everyone();
            }
            (HandOverEvent::AllDeclined, Phase::Ringing { everyone: true }) => {
                self.give_up(Unreached::AllDeclined);
            }
            (HandOverEvent::OfficerConnected(who), Phase::Connecting { officer, .. })
                if who == officer =>
            {
                let until = now + self.plan.briefing_bound;
                self.phase = Phase::Briefing { officer, until };
                self.command(HandOverCommand::Brief(officer));
            }
            (HandOverEvent::BriefingHeard(who), Phase::Briefing { officer, .. })
                if who == officer =>
            {
                self.put_through(officer, now);
            }
            (
                HandOverEvent::OfficerSpoke(who),
                Phase::Talking {
                    unheard_until: Some(_),
                },
            ) if self.put_through.contains(&who) => {
                self.phase = Phase::Talking {
                    unheard_until: None,
                };
                self.command(HandOverCommand::LeaveTheTalk);
            }
            (HandOverEvent::OfficerLost(who), _) => self.lose(who, now),
            _ => {}
        }
        self.act_on_deadlines(now);
    }

    /// Acts on every deadline that has come by `now`. Early calls do no harm.
    pub fn handle_deadline(&mut self, now: Duration) {
        self.act_on_deadlines(now);
    }

    /// What to do next, in order.
    pub fn poll_command(&mut self) -> Option<HandOverCommand<P>> {
        self.commands.pop_front()
    }

    /// When to call [`HandOver::handle_deadline`] at the latest, and what for. None once two people
    /// talk, or it is over.
    pub fn poll_deadline(&self) -> Option<(Duration, HandOverDeadline)> {
        let next = match self.phase {
            Phase::Ringing { everyone } => {
                let all = self.decided_at + self.plan.rung_alone;
                let give_up = self.decided_at + self.plan.bound;
                match !everyone && all < give_up {
                    true => (all, HandOverDeadline::RingEveryone),
                    false => (give_up, HandOverDeadline::NobodyAnswered),
                }
            }
            Phase::Connecting { until, .. } => (until, HandOverDeadline::ConnectLate),
            Phase::Briefing { until, .. } => (until, HandOverDeadline::BriefingLate),
            // The caller has been told that somebody joined: there is nothing more to tell.
            Phase::Talking { unheard_until } => {
                return unheard_until.map(|until| (until, HandOverDeadline::OfficerUnheard));
            }
            Phase::OnHold {
                since,
                desk_told: false,
            } => (since + self.plan.hold_told, HandOverDeadline::HoldEndsSoon),
            Phase::OnHold {
                since,
                desk_told: true,
            } => (since + self.plan.hold_bound, HandOverDeadline::HoldLate),
            Phase::Over => return None,
        };
        // Of two that come together, how it is going is told after it has gone on.
        let tell = self.told_at + self.plan.tell_every;
        Some(match tell < next.0 {
            true => (tell, HandOverDeadline::TellProgress),
            false => next,
        })
    }

    fn act_on_deadlines(&mut self, now: Duration) {
        while let Some((_, why)) = self.poll_deadline().filter(|(at, _)| *at <= now) {
            match why {
                HandOverDeadline::RingEveryone => self.ring_everyone(),
                HandOverDeadline::TellProgress => {
                    self.told_at = now;
                    self.command(HandOverCommand::TellProgress);
                }
                HandOverDeadline::NobodyAnswered => {
                    self.give_up(Unreached::NobodyAnswered);
                }
                HandOverDeadline::BriefingLate => {
                    if let Some(officer) = self.officer() {
                        self.put_through(officer, now);
                    }
                }
                HandOverDeadline::ConnectLate => {
                    if let Some(officer) = self.officer() {
                        self.command(HandOverCommand::GiveUpOn(officer));
                        self.be_without_officer(now);
                    }
                }
                HandOverDeadline::OfficerUnheard => {
                    for officer in self.put_through.clone() {
                        self.lose(officer, now);
                    }
                }
                HandOverDeadline::HoldEndsSoon => self.tell_hold_ends(now),
                HandOverDeadline::HoldLate => self.end_hold(now),
            }
        }
    }

    fn ring_everyone(&mut self) {
        self.phase = Phase::Ringing { everyone: true };
        self.command(HandOverCommand::Ring(Ring::Everyone));
    }

    fn stop_ringing(&mut self, taken_by: Option<P>) {
        self.command(HandOverCommand::StopRinging { taken_by });
    }

    fn take_over(&mut self, officer: P, now: Duration) {
        if self.put_through.contains(&officer) {
            return;
        }
        match self.phase {
            Phase::Ringing { .. } => self.stop_ringing(Some(officer)),
            // Who was on their way to the caller is not needed any more; who talks with them stays.
            Phase::Connecting { officer: first, .. } | Phase::Briefing { officer: first, .. }
                if first != officer =>
            {
                self.command(HandOverCommand::LetGo(first));
            }
            // The caller is told of who comes, and is to hear them.
            Phase::OnHold { .. } => self.end_hold(now),
            _ => {}
        }
        self.put_through(officer, now);
    }

    fn tell_hold_ends(&mut self, now: Duration) {
        if let Phase::OnHold { since, .. } = self.phase {
            self.phase = Phase::OnHold {
                since,
                desk_told: true,
            };
            let within = (since + self.plan.hold_bound).saturating_sub(now);
            self.command(HandOverCommand::TellHoldEnds { within });
        }
    }

    /// The assistant stays until somebody is heard again: who held the caller may have gone from their desk.
    fn end_hold(&mut self, now: Duration) {
        let unheard_until = Some(now + self.plan.speak_bound);
        self.phase = Phase::Talking { unheard_until };
        self.command(HandOverCommand::TakeOffHold);
    }

    fn put_through(&mut self, officer: P, now: Duration) {
        if !matches!(self.phase, Phase::Talking { .. }) {
            let unheard_until = Some(now + self.plan.speak_bound);
            self.phase = Phase::Talking { unheard_until };
        }
        self.put_through.push(officer);
        self.command(HandOverCommand::PutThrough(officer));
    }

    fn lose(&mut self, who: P, now: Duration) {
        let had_it = self.officer() == Some(who);
        let talked = self.put_through.contains(&who);
        if !had_it && !talked {
            return;
        }
        self.put_through.retain(|officer| *officer != who);
        self.command(HandOverCommand::LetGo(who));
        if self.put_through.is_empty() {
            self.be_without_officer(now);
        }
    }

    /// Who had the call has not got it any more.
    fn be_without_officer(&mut self, now: Duration) {
        let talked = matches!(self.phase, Phase::Talking { .. } | Phase::OnHold { .. });
        // The caller knows nothing of who was lost before that.
        if !talked && now < self.decided_at + self.plan.bound {
            self.accepted_in_vain = true;
            return self.ring_everyone();
        }
        self.take_back(match self.phase {
            Phase::Connecting { .. } => Unreached::AcceptedInVain,
            _ => Unreached::LineDropped,
        });
    }

    /// Nobody is rung any more. Who accepted is not forgotten over those who were rung after them.
    fn give_up(&mut self, why: Unreached) {
        self.stop_ringing(None);
        self.take_back(match self.accepted_in_vain {
            true => Unreached::AcceptedInVain,
            false => why,
        });
    }

    fn take_back(&mut self, why: Unreached) {
        self.phase = Phase::Over;
        self.command(HandOverCommand::TakeBack(why));
    }

    fn command(&mut self, command: HandOverCommand<P>) {
        self.commands.push_back(command);
    }
}
