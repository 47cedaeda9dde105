//! Whose exchange is next. Reading what was typed takes a core, and calls come first: so only some exchanges are worked on at
//! once, and the others wait. Addresses take turns, and within one its visitors, so that somebody who writes waits for one
//! exchange of each of the others, however many more they have sent. Who is in danger waits in a row of their own, which is
//! taken from first, though every fourth is still one of the others'. A call's turns do not wait here.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use records::VisitorId;
use speech::{Precedence, Standing};
use tokio::sync::oneshot;

use crate::client_address::ClientAddress;
use crate::holder::Holder;

/// A browser sends one and waits; a program may send some at once.
const MOST_OF_A_VISITOR: usize = 16;
/// Many more than write at the same moment in a school.
const MOST_OF_AN_ADDRESS: usize = 256;
/// As long as this nobody would wait for their answer. This and the others hold for each row.
const MOST: usize = 2048;

pub struct ExchangeQueue {
    state: Mutex<State>,
}

struct State {
    free: usize,
    /// Counts what lined up and was admitted.
    clock: u64,
    urgent: Row,
    ordinary: Row,
    precedence: Precedence,
}

/// Callers of one standing.
#[derive(Default)]
struct Row {
    waiting: usize,
    addresses: HashMap<Option<ClientAddress>, Address>,
}

struct Address {
    since: u64,
    waiting: usize,
    visitors: HashMap<VisitorId, Line>,
}

struct Line {
    since: u64,
    waiting: VecDeque<oneshot::Sender<Admitted>>,
}

/// So many wait already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooManyWaiting;

/// One that waits to be worked on.
pub struct Waiting(oneshot::Receiver<Admitted>);

/// One that is worked on, until this is dropped.
pub struct Admitted(Option<Arc<ExchangeQueue>>);

impl ExchangeQueue {
    /// Half of the cores for what is typed.
    pub fn of_this_machine() -> Arc<Self> {
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        Self::new((cores / 2).max(1))
    }

    fn new(at_once: usize) -> Arc<Self> {
        Arc::new(Self {
            state: Mutex::new(State {
                free: at_once,
                clock: 0,
                urgent: Row::default(),
                ordinary: Row::default(),
                precedence: Precedence::default(),
            }),
        })
    }

    pub fn line_up(
        self: &Arc<Self>,
        holder: Holder,
        standing: Standing,
    ) -> Result<Waiting, TooManyWaiting> {
        let (admit, admitted) = oneshot::channel();
        self.state().line_up(holder, standing, admit)?;
        self.admit();
        Ok(Waiting(admitted))
    }

    /// How many exchanges wait for their turn.
    pub fn waiting(&self) -> usize {
        let state = self.state();
        state.urgent.waiting + state.ordinary.waiting
    }

    /// As many as there is room for.
    fn admit(self: &Arc<Self>) {
        loop {
            let next = self.state().next();
            let Some(admit) = next else { return };
            if let Err(mut nobody) = admit.send(Admitted(Some(Arc::clone(self)))) {
                // It has gone, and its room is the next one's.
                nobody.0 = None;
                self.state().free += 1;
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Every change is made whole before anything that could panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn line_up(
        &mut self,
        holder: Holder,
        standing: Standing,
        admit: oneshot::Sender<Admitted>,
    ) -> Result<(), TooManyWaiting> {
        let row = match standing {
            Standing::Urgent => &mut self.urgent,
            Standing::Ordinary => &mut self.ordinary,
        };
        row.line_up(holder, self.clock, admit)?;
        self.clock += 1;
        Ok(())
    }

    /// One of the row whose turn it is.
    fn next(&mut self) -> Option<oneshot::Sender<Admitted>> {
        if self.free == 0 {
            return None;
        }
        let (urgent_waits, ordinary_waits) = (self.urgent.waiting > 0, self.ordinary.waiting > 0);
        let row = match self.precedence.next(urgent_waits, ordinary_waits)? {
            Standing::Urgent => &mut self.urgent,
            Standing::Ordinary => &mut self.ordinary,
        };
        let admit = row.next(self.clock)?;
        self.free -= 1;
        self.clock += 1;
        Some(admit)
    }
}

impl Row {
    fn line_up(
        &mut self,
        holder: Holder,
        since: u64,
        admit: oneshot::Sender<Admitted>,
    ) -> Result<(), TooManyWaiting> {
        let address = self.addresses.get(&holder.address);
        let of_address = address.map_or(0, |address| address.waiting);
        let of_visitor = address
            .and_then(|address| address.visitors.get(&holder.visitor))
            .map_or(0, |line| line.waiting.len());
        // Of a full queue whoever waits nowhere in it may still be the next.
        let full = self.waiting >= MOST && of_address > 0 || self.waiting >= 2 * MOST;
        if full || of_address >= MOST_OF_AN_ADDRESS || of_visitor >= MOST_OF_A_VISITOR {
            return Err(TooManyWaiting);
        }
        let address = self.addresses.entry(holder.address).or_insert(Address {
            since,
            waiting: 0,
            visitors: HashMap::new(),
        });
        let line = address.visitors.entry(holder.visitor).or_insert(Line {
            since,
            waiting: VecDeque::new(),
        });
        line.waiting.push_back(admit);
        address.waiting += 1;
        self.waiting += 1;
        Ok(())
    }

    /// Of the address whose turn was longest ago, the visitor whose turn was.
    fn next(&mut self, now: u64) -> Option<oneshot::Sender<Admitted>> {
        let waits = self.addresses.iter_mut();
        let (of, address) = waits.min_by_key(|(_, address)| address.since)?;
        let waits = address.visitors.iter_mut();
        let (visitor, line) = waits.min_by_key(|(_, line)| line.since)?;
        let admit = line.waiting.pop_front()?;
        let (of, visitor) = (*of, *visitor);
        (line.since, address.since) = (now, now);
        address.waiting -= 1;
        if line.waiting.is_empty() {
            address.visitors.remove(&visitor);
        }
        if address.waiting == 0 {
            self.addresses.remove(&of);
        }
        self.waiting -= 1;
        Some(admit)
    }
}

impl Waiting {
    pub async fn admitted(self) -> Admitted {
        // The queue outlives whoever waits in it.
        self.0.await.unwrap_or(Admitted(None))
    }
}

impl Drop for Admitted {
    fn drop(&mut self) {
        if let Some(queue) = self.0.take() {
            queue.state().free += 1;
            queue.admit();
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use futures_util::FutureExt;

    use super::*;

    fn at(host: u8) -> Holder {
        Holder {
            visitor: VisitorId::random(),
            address: Some(ClientAddress::of([192, 0, 2, host].into())),
        }
    }

    fn admitted(waiting: &mut Option<Waiting>) -> Option<Admitted> {
        let admitted = waiting.as_mut()?.0.try_recv().ok()?;
        *waiting = None;
        Some(admitted)
    }

    const IN_TURN: Standing = Standing::Ordinary;

    #[test]
    fn who_is_in_danger_is_read_before_who_wrote_first_and_every_fourth_is_anothers() {
        let queue = ExchangeQueue::new(1);
        let line_up = |host, standing| Some(queue.line_up(at(host), standing).unwrap());
        let mut under_way = admitted(&mut line_up(1, IN_TURN));
        let others = (2..=4).map(|host| (host, IN_TURN));
        let in_danger = (5..=9).map(|host| (host, Standing::Urgent));
        let mut waiting: Vec<_> = others
            .chain(in_danger)
            .map(|(host, standing)| (host, line_up(host, standing)))
            .collect();
        let mut order = Vec::new();
        while under_way.take().is_some() {
            for (host, waits) in &mut waiting {
                if let Some(next) = admitted(waits) {
                    order.push(*host);
                    under_way = Some(next);
                }
            }
        }
        assert_eq!(order, [5, 6, 7, 2, 8, 9, 3, 4]);
    }

    #[test]
    fn of_a_flood_from_who_says_they_are_in_danger_three_go_before_another() {
        let queue = ExchangeQueue::new(1);
        let line_up = |host, standing| Some(queue.line_up(at(host), standing).unwrap());
        let mut under_way = admitted(&mut line_up(1, IN_TURN));
        let mut flood: Vec<_> = (0..50).map(|_| line_up(1, Standing::Urgent)).collect();
        let mut other = line_up(2, IN_TURN);
        let mut before = 0;
        while under_way.take().is_some() {
            under_way = flood.iter_mut().find_map(admitted);
            before += usize::from(under_way.is_some());
        }
        assert_eq!(before, 3);
        assert!(admitted(&mut other).is_some());
    }

    #[test]
    fn what_others_send_takes_no_room_of_who_is_in_danger_and_each_row_is_bounded() {
        let queue = ExchangeQueue::new(1);
        let _under_way = queue.line_up(at(9), IN_TURN).unwrap();
        let hasty = at(1);
        for standing in [IN_TURN, Standing::Urgent] {
            let all: Vec<_> = (0..1000).map(|_| queue.line_up(hasty, standing)).collect();
            let waiting = all.iter().filter(|waiting| waiting.is_ok()).count();
            assert_eq!(waiting, MOST_OF_A_VISITOR);
        }
    }

    #[test]
    fn who_writes_once_waits_for_one_exchange_of_a_flood() {
        let queue = ExchangeQueue::new(1);
        let mut flood: Vec<Option<Waiting>> = (0..200)
            .map(|_| Some(queue.line_up(at(1), IN_TURN).unwrap()))
            .collect();
        let mut under_way = admitted(&mut flood[0]).unwrap();
        let mut other = Some(queue.line_up(at(2), IN_TURN).unwrap());
        let mut before = 0;
        let answered = loop {
            drop(under_way);
            if let Some(answered) = admitted(&mut other) {
                break answered;
            }
            under_way = flood.iter_mut().find_map(admitted).unwrap();
            before += 1;
        };
        assert!(before <= 1, "{before} of the flood came first");
        drop(answered);
        assert!(flood.iter_mut().any(|one| admitted(one).is_some()));
    }

    #[test]
    fn visitors_of_one_address_take_turns_too() {
        let queue = ExchangeQueue::new(1);
        let (flooding, other) = (at(1), at(1));
        let mut flood: Vec<Option<Waiting>> = (0..10)
            .map(|_| Some(queue.line_up(flooding, IN_TURN).unwrap()))
            .collect();
        let under_way = admitted(&mut flood[0]).unwrap();
        let mut other = Some(queue.line_up(other, IN_TURN).unwrap());
        drop(under_way);
        let second = flood.iter_mut().find_map(admitted);
        drop(second);
        assert!(admitted(&mut other).is_some());
    }

    #[test]
    fn what_one_sends_at_once_is_bounded_and_refuses_nobody_else() {
        let queue = ExchangeQueue::new(1);
        let _under_way = queue.line_up(at(9), IN_TURN).unwrap();
        let hasty = at(1);
        let flood: Vec<_> = (0..1000).map(|_| queue.line_up(hasty, IN_TURN)).collect();
        let waiting = flood.iter().filter(|waiting| waiting.is_ok()).count();
        assert_eq!(waiting, MOST_OF_A_VISITOR);
        let cookieless: Vec<_> = (0..1000).map(|_| queue.line_up(at(1), IN_TURN)).collect();
        let more = cookieless.iter().filter(|waiting| waiting.is_ok()).count();
        assert_eq!(waiting + more, MOST_OF_AN_ADDRESS);
        assert!(queue.line_up(at(2), IN_TURN).is_ok());
    }

    #[test]
    fn whoever_has_gone_is_passed_over_and_all_room_comes_back() {
        let queue = ExchangeQueue::new(2);
        let under_way: Vec<Admitted> = (0..2)
            .map(|_| queue.line_up(at(1), IN_TURN).unwrap())
            .map(|waiting| waiting.admitted().now_or_never().unwrap())
            .collect();
        drop(queue.line_up(at(1), IN_TURN).unwrap());
        let waiting = queue.line_up(at(2), IN_TURN).unwrap();
        drop(under_way);
        assert!(waiting.admitted().now_or_never().is_some());
        let state = queue.state();
        assert_eq!((state.free, state.ordinary.waiting), (2, 0));
        assert!(state.ordinary.addresses.is_empty());
    }
}
