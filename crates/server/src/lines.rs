//! Calls that were asked for and not yet joined. Each holds a line for a minute, and for as long as an attempt that began
//! in it takes; an attempt to join it (a WHIP offer, a WebSocket) either connects and takes the call over, or
//! fails and leaves it for another attempt: that is how a page falls back from one transport to
//! the other within one call. Several may be under way; the first that connects has the call.
//!
//! A place promised to somebody who does not come must not keep a caller out: when every line is
//! taken, one held for a call that nobody has begun to join for a while, or only ever begins to, goes to the caller who
//! asks now, and its first holder must find a free line on joining. So does, at once, one of a visitor who holds several,
//! and after a moment one of an address that holds more than the asking one's. A call that has been joined is no such place.
//!
//! A joined call is joined again by its own visitor alone, when the line to them was lost; so is a call that was cut off
//! by a crash, here or on another node, which holds no line until its visitor is back.
//!
//! It knows neither HTTP nor media, and is told the time; live calls are the switchboard's.

use std::cmp::Reverse;
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::holder::{Holder, Shares};
use records::VisitorId;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// How long a call waits to be joined; no attempt begins later.
pub const JOIN_WITHIN: Duration = Duration::from_secs(60);
/// How long one attempt may take: as long as a page waits for its answer and then for the connection, on a network that
/// loses much.
pub const ATTEMPT_WITHIN: Duration = Duration::from_secs(23);
/// On a network that loses much a page offers three times, each beside the last, and then tries its socket. So many are under
/// way at once: an offer that was sent long ago must not undo the one that is connecting. Whoever begins more often than
/// that has the line in vain.
const USUAL_ATTEMPTS: usize = 4;
/// For how long a line that is asked for by others stays with a call nobody has begun to join.
/// A page asks for the microphone first, so that it joins within a second of asking.
const SURE_FOR: Duration = Duration::from_secs(15);
/// The same where the address that holds it holds most: a connection that comes about does so in a second or two.
const LIKELY_FOR: Duration = Duration::from_secs(4);
/// How many calls that are gone are remembered, so that a late answer can say so.
const REMEMBERED: usize = 4096;

/// Why a call could not be asked for or joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    #[error("no line is free")]
    AllBusy,
    #[error("no such call was asked for")]
    Unknown,
    #[error("the call was not joined in time, or is over")]
    Expired,
    #[error("the call is joined already")]
    Joined,
}

/// An attempt to join a call. The first of a call's attempts that connects has it, and cancels the others.
#[derive(Debug, Clone)]
pub struct Attempt {
    pub session: Uuid,
    pub cancelled: CancellationToken,
}

/// What a session of a call is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// It was still connecting; the call is over before it began.
    BeforeItBegan,
    /// It is the live call's: hang that up.
    Live,
}

/// What an attempt that connected is to do.
#[derive(Debug)]
pub enum Joins<L> {
    /// The call begins on this line, or goes on where a crash cut it off.
    Begins {
        visitor: VisitorId,
        line: L,
        was_cut_off: bool,
    },
    /// It is live, and its caller is back.
    Returns,
}

/// All calls of this process that wait to be joined, and which session took the others. `L` is a
/// place among the live calls, given back when dropped.
pub struct Lines<L> {
    state: Mutex<State<L>>,
}

struct State<L> {
    waiting: HashMap<Uuid, Waiting<L>>,
    joined: HashMap<Uuid, Joined>,
    gone: VecDeque<Uuid>,
}

struct Waiting<L> {
    holder: Holder,
    line: Option<L>,
    since: Instant,
    within: Duration,
    /// Asked for, or begun to be joined as often as is usual.
    moved: Instant,
    under_way: UnderWay,
    attempts: usize,
    /// A crash cut it off.
    expected_back: bool,
}

struct Joined {
    visitor: VisitorId,
    session: Uuid,
    since: Instant,
    /// To join it again.
    under_way: UnderWay,
}

/// A call's attempts, the oldest first.
#[derive(Default)]
struct UnderWay(VecDeque<Attempt>);

impl UnderWay {
    fn begin(&mut self, attempt: Attempt) {
        if self.0.len() == USUAL_ATTEMPTS
            && let Some(oldest) = self.0.pop_front()
        {
            oldest.cancelled.cancel();
        }
        self.0.push_back(attempt);
    }

    fn has(&self, session: Uuid) -> bool {
        self.0.iter().any(|attempt| attempt.session == session)
    }

    fn failed(&mut self, session: Uuid) {
        self.0.retain(|attempt| attempt.session != session);
    }

    fn cancel_but(&mut self, connected: Option<Uuid>) {
        for attempt in self.0.drain(..) {
            if Some(attempt.session) != connected {
                attempt.cancelled.cancel();
            }
        }
    }
}

impl<L> Default for Lines<L> {
    fn default() -> Self {
        Self {
            state: Mutex::new(State {
                waiting: HashMap::new(),
                joined: HashMap::new(),
                gone: VecDeque::new(),
            }),
        }
    }
}

impl<L> Lines<L> {
    /// Asks for a call on a line that `reserve` gives, or on one that waits in vain.
    pub fn ask(
        &self,
        holder: impl Into<Holder>,
        now: Instant,
        reserve: impl Fn() -> Option<L>,
    ) -> Result<Uuid, LineError> {
        let holder = holder.into();
        let mut state = self.state();
        state.expire(now);
        let line = reserve()
            .or_else(|| state.line_that_gives_way(holder, now))
            .ok_or(LineError::AllBusy)?;
        let call = Uuid::new_v4();
        let waiting = Waiting {
            holder,
            line: Some(line),
            since: now,
            within: JOIN_WITHIN,
            moved: now,
            under_way: UnderWay::default(),
            attempts: 0,
            expected_back: false,
        };
        state.waiting.insert(call, waiting);
        Ok(call)
    }

    /// The call was cut off where it went on, by a crash; its visitor may come back to it here within this time.
    pub fn expect_back(&self, call: Uuid, visitor: VisitorId, now: Instant, within: Duration) {
        let waiting = Waiting {
            holder: visitor.into(),
            line: None,
            since: now,
            within,
            moved: now,
            under_way: UnderWay::default(),
            attempts: 0,
            expected_back: true,
        };
        self.state().waiting.entry(call).or_insert(waiting);
    }

    /// A call that was expected back, and joined, does not go on here after all.
    pub fn not_back(&self, call: Uuid) {
        self.state().joined.remove(&call);
    }

    /// Begins an attempt to join. Who has the call's id may join it; to come back to one
    /// takes its visitor.
    pub fn attempt(
        &self,
        call: Uuid,
        asks: VisitorId,
        now: Instant,
        reserve: impl Fn() -> Option<L>,
    ) -> Result<Attempt, LineError> {
        let mut state = self.state();
        state.expire(now);
        let attempt = Attempt {
            session: Uuid::new_v4(),
            cancelled: CancellationToken::new(),
        };
        if let Some(waiting) = state.waiting.get_mut(&call) {
            let holder = waiting.holder;
            if waiting.expected_back && holder.visitor != asks {
                return Err(LineError::Unknown);
            }
            if now.duration_since(waiting.since) >= waiting.within {
                return Err(LineError::Expired);
            }
            let mut line = waiting.line.take();
            if line.is_none() {
                line = reserve().or_else(|| state.line_that_gives_way(holder, now));
            }
            let Some(waiting) = state.waiting.get_mut(&call) else {
                return Err(state.absence(call));
            };
            waiting.line = Some(line.ok_or(LineError::AllBusy)?);
            waiting.attempts += 1;
            if waiting.attempts <= USUAL_ATTEMPTS {
                waiting.moved = now;
            }
            waiting.under_way.begin(attempt.clone());
        } else if let Some(joined) = state
            .joined
            .get_mut(&call)
            .filter(|joined| joined.visitor == asks)
        {
            joined.under_way.begin(attempt.clone());
        } else {
            return Err(state.absence(call));
        }
        Ok(attempt)
    }

    /// The attempt connected: the call is taken over, with its line. `None` if another attempt
    /// was first, the call was given up or its line went to somebody else.
    pub fn join(&self, call: Uuid, attempt: &Attempt) -> Option<Joins<L>> {
        let mut state = self.state();
        if !state.is_under_way(call, attempt.session) {
            return None;
        }
        let session = attempt.session;
        if let Some(joined) = state.joined.get_mut(&call) {
            joined.session = session;
            joined.under_way.cancel_but(Some(session));
            return Some(Joins::Returns);
        }
        let waiting = state.waiting.get_mut(&call)?;
        // Another attempt may find a free one.
        let line = waiting.line.take()?;
        let since = waiting.since;
        let (visitor, was_cut_off) = (waiting.holder.visitor, waiting.expected_back);
        if let Some(mut waiting) = state.waiting.remove(&call) {
            waiting.under_way.cancel_but(Some(session));
        }
        let joined = Joined {
            visitor,
            session,
            since,
            under_way: UnderWay::default(),
        };
        state.joined.insert(call, joined);
        Some(Joins::Begins {
            visitor,
            line,
            was_cut_off,
        })
    }

    /// The attempt failed: the call waits for another.
    pub fn fail(&self, call: Uuid, attempt: &Attempt) {
        let mut state = self.state();
        if let Some(waiting) = state.waiting.get_mut(&call) {
            waiting.under_way.failed(attempt.session);
            if waiting.expected_back && waiting.under_way.0.is_empty() {
                // Others may need it meanwhile.
                waiting.line = None;
            }
        }
        if let Some(joined) = state.joined.get_mut(&call) {
            joined.under_way.failed(attempt.session);
        }
    }

    /// The caller leaves: by whatever session they have in the call.
    pub fn leave(&self, call: Uuid, session: Uuid) -> Result<Left, LineError> {
        let mut state = self.state();
        if let Some(joined) = state.joined.get(&call)
            && (joined.session == session || state.is_under_way(call, session))
        {
            return Ok(Left::Live);
        }
        if !state.is_under_way(call, session) {
            return Err(LineError::Unknown);
        }
        state.forget(call);
        Ok(Left::BeforeItBegan)
    }

    /// The visitor leaves: what waits is given up, and what was joined is given back to be hung up.
    pub fn leave_all(&self, visitor: VisitorId) -> Vec<Uuid> {
        let mut state = self.state();
        let waiting: Vec<Uuid> = state
            .waiting
            .iter()
            .filter(|(_, waiting)| waiting.holder.visitor == visitor)
            .map(|(call, _)| *call)
            .collect();
        for call in waiting {
            state.forget(call);
        }
        let joined = state.joined.iter();
        joined
            .filter(|(_, joined)| joined.visitor == visitor)
            .map(|(call, _)| *call)
            .collect()
    }

    /// A joined call is over.
    pub fn over(&self, call: Uuid) {
        let mut state = self.state();
        if let Some(mut joined) = state.joined.remove(&call) {
            joined.under_way.cancel_but(None);
        }
        state.remember(call);
    }

    /// Whose call it is, while it waits or runs, and whether it has begun.
    pub fn whose(&self, call: Uuid) -> Option<(VisitorId, bool)> {
        let state = self.state();
        let waiting = state
            .waiting
            .get(&call)
            .map(|waiting| (waiting.holder.visitor, waiting.expected_back));
        waiting.or_else(|| state.joined.get(&call).map(|joined| (joined.visitor, true)))
    }

    /// When a call that waits or runs was asked for, or expected back.
    pub fn since(&self, call: Uuid) -> Option<Instant> {
        let state = self.state();
        let waiting = state.waiting.get(&call).map(|waiting| waiting.since);
        waiting.or_else(|| state.joined.get(&call).map(|joined| joined.since))
    }

    /// Gives back the lines of calls that nobody joined. Called now and then: everything else looks at the time itself.
    pub fn sweep(&self, now: Instant) {
        self.state().expire(now);
    }

    /// How many calls wait to be joined.
    pub fn waiting(&self) -> usize {
        self.state().waiting.len()
    }

    fn state(&self) -> MutexGuard<'_, State<L>> {
        // Every change is made whole before anything that could panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<L> Waiting<L> {
    fn gives_way(&self, shares: &Shares, asking: Holder, now: Instant) -> bool {
        let in_vain = (self.under_way.0.is_empty() || self.attempts > USUAL_ATTEMPTS)
            && now.duration_since(self.since) >= SURE_FOR;
        let unlikely = now.duration_since(self.moved) >= LIKELY_FOR;
        in_vain
            || shares.visitor_exceeds(self.holder, asking)
            || unlikely && shares.address_exceeds(self.holder, asking)
    }
}

impl<L> State<L> {
    fn is_under_way(&self, call: Uuid, session: Uuid) -> bool {
        let waiting = self.waiting.get(&call).map(|waiting| &waiting.under_way);
        let joined = || self.joined.get(&call).map(|joined| &joined.under_way);
        waiting
            .or_else(joined)
            .is_some_and(|under_way| under_way.has(session))
    }

    /// An attempt under way is let finish.
    fn expire(&mut self, now: Instant) {
        let late: Vec<Uuid> = self
            .waiting
            .iter()
            .filter(|(_, waiting)| {
                let bound = match waiting.under_way.0.is_empty() {
                    false => waiting.within + ATTEMPT_WITHIN,
                    true => waiting.within,
                };
                now.duration_since(waiting.since) >= bound
            })
            .map(|(call, _)| *call)
            .collect();
        for call in late {
            self.forget(call);
        }
    }

    fn line_that_gives_way(&mut self, asking: Holder, now: Instant) -> Option<L> {
        let holding = || self.waiting.values().filter(|call| call.line.is_some());
        let shares: Shares = holding().map(|call| call.holder).collect();
        self.waiting
            .values_mut()
            .filter(|call| call.line.is_some() && !call.expected_back)
            .filter(|call| call.gives_way(&shares, asking, now))
            .max_by_key(|call| {
                let idle = call.under_way.0.is_empty();
                (shares.of(call.holder), idle, Reverse(call.since))
            })?
            .line
            .take()
    }

    fn forget(&mut self, call: Uuid) {
        if let Some(mut waiting) = self.waiting.remove(&call) {
            waiting.under_way.cancel_but(None);
            if waiting.expected_back {
                // It may still be found in the records.
                return;
            }
        }
        self.remember(call);
    }

    fn remember(&mut self, call: Uuid) {
        self.gone.push_back(call);
        if self.gone.len() > REMEMBERED {
            self.gone.pop_front();
        }
    }

    fn absence(&self, call: Uuid) -> LineError {
        if self.joined.contains_key(&call) {
            LineError::Joined
        } else if self.gone.contains(&call) {
            LineError::Expired
        } else {
            LineError::Unknown
        }
    }
}

#[cfg(test)]
mod tests;
