//! Every open connection, and what it is at. While there is room each is taken in. When there is none, one that is merely
//! held gives way: one without a request, of the address that has most of them, the longest of these at rest; where there
//! is no such, an event stream, which its page opens again by itself. A call's socket and a request that is being
//! answered give way to nobody.
//!
//! Here is the table. It knows no HTTP and is told the time; `serving` has each connection speak.

mod serving;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::client_address::ClientAddress;

pub use serving::{Talks, serve};

/// What takes longer is no request any more: its client takes the answer in by drops.
const ANSWERED_WITHIN: Duration = Duration::from_secs(60);

/// How often something is said on an event stream on which nothing happens: under the usual minute after which proxies cut a
/// quiet connection.
pub const KEEP_ALIVE: Duration = Duration::from_secs(15);

pub struct Connections {
    most: usize,
    table: Mutex<Table>,
    /// One has closed.
    closed: Notify,
}

#[derive(Default)]
struct Table {
    next: u64,
    open: HashMap<u64, Open>,
}

struct Open {
    /// None of a proxy's, which carries many clients.
    address: Option<ClientAddress>,
    doing: Doing,
    since: Instant,
    gives_way: CancellationToken,
}

/// What a connection is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Doing {
    Resting,
    /// A request is being taken, or answered.
    Asking,
    /// An event stream.
    Listening,
    /// A call.
    Talking,
}

/// A connection's place in the table; dropping it takes it out.
pub struct Place {
    connections: Arc<Connections>,
    key: u64,
    gives_way: CancellationToken,
}

impl Connections {
    pub fn new(most: usize) -> Arc<Self> {
        Arc::new(Self {
            most,
            table: Mutex::default(),
            closed: Notify::new(),
        })
    }

    /// Takes one in, in the place of another if need be. `None` if nobody gives way.
    fn take_in(self: &Arc<Self>, address: Option<ClientAddress>, now: Instant) -> Option<Place> {
        let mut table = self.table();
        if table.open.len() >= self.most {
            let key = table.which_gives_way(now)?;
            let gone = table.open.remove(&key)?;
            gone.gives_way.cancel();
            metrics::counter!("nightlight_connections_given_way_total").increment(1);
        }
        let key = table.next;
        table.next += 1;
        let gives_way = CancellationToken::new();
        let open = Open {
            address,
            doing: Doing::Resting,
            since: now,
            gives_way: gives_way.clone(),
        };
        table.open.insert(key, open);
        table.tell();
        Some(Place {
            connections: Arc::clone(self),
            key,
            gives_way,
        })
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        // Every change is made whole before anything that could panic.
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    fn tell(&self) {
        metrics::gauge!("nightlight_connections_open").set(self.open.len() as f64);
    }

    fn which_gives_way(&self, now: Instant) -> Option<u64> {
        let resting = |open: &Open| match open.doing {
            Doing::Resting => true,
            Doing::Asking => now.duration_since(open.since) >= ANSWERED_WITHIN,
            Doing::Listening | Doing::Talking => false,
        };
        self.greatest_share(resting)
            .or_else(|| self.greatest_share(|open| open.doing == Doing::Listening))
    }

    /// Of those that may give way: the oldest of the address that has most.
    fn greatest_share(&self, may: impl Fn(&Open) -> bool) -> Option<u64> {
        let mut shares: HashMap<ClientAddress, usize> = HashMap::new();
        let may: Vec<(&u64, &Open)> = self.open.iter().filter(|(_, open)| may(open)).collect();
        for address in may.iter().filter_map(|(_, open)| open.address) {
            *shares.entry(address).or_default() += 1;
        }
        let share = |open: &Open| open.address.map_or(1, |address| shares[&address]);
        let first = may
            .into_iter()
            .max_by_key(|(_, open)| (share(open), std::cmp::Reverse(open.since)));
        first.map(|(key, _)| *key)
    }
}

impl Place {
    fn is_at(&self, doing: Doing, now: Instant) {
        // Who talks does so until the connection is closed.
        if let Some(open) = self.connections.table().open.get_mut(&self.key)
            && open.doing != Doing::Talking
        {
            open.doing = doing;
            open.since = now;
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut table = self.connections.table();
        table.open.remove(&self.key);
        table.tell();
        drop(table);
        self.connections.closed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn at(host: u8) -> Option<ClientAddress> {
        Some(ClientAddress::of([192, 0, 2, host].into()))
    }

    #[test]
    fn while_there_is_room_everybody_is_taken_in() {
        let (connections, now) = (Connections::new(300), Instant::now());
        let all: Vec<Place> = (0..300)
            .map(|_| connections.take_in(at(1), now).unwrap())
            .collect();
        assert!(all.iter().all(|place| !place.gives_way.is_cancelled()));
        drop(all);
        assert!(connections.table().open.is_empty());
    }

    #[test]
    fn the_address_that_holds_most_at_rest_gives_way_with_its_oldest() {
        let (connections, mut now) = (Connections::new(4), Instant::now());
        let mut open = |host| {
            now += Duration::from_secs(1);
            connections.take_in(at(host), now).unwrap()
        };
        let other = open(2);
        let hoarder: Vec<Place> = (0..3).map(|_| open(1)).collect();
        let newcomer = open(3);
        assert!(hoarder[0].gives_way.is_cancelled(), "its oldest");
        assert!(!other.gives_way.is_cancelled(), "older, and alone");
        let again = open(1);
        assert!(hoarder[1].gives_way.is_cancelled(), "to itself");
        assert!(!newcomer.gives_way.is_cancelled());
        drop(again);
        assert_eq!(connections.table().open.len(), 3);
    }

    #[test]
    fn who_asks_or_talks_gives_way_to_nobody_and_who_listens_last() {
        let (connections, mut now) = (Connections::new(3), Instant::now());
        let places: Vec<Place> = (0..3)
            .map(|_| connections.take_in(at(1), now).unwrap())
            .collect();
        places[0].is_at(Doing::Talking, now);
        places[1].is_at(Doing::Asking, now);
        places[2].is_at(Doing::Listening, now);
        let newcomer = connections.take_in(at(2), now).unwrap();
        assert!(places[2].gives_way.is_cancelled());
        newcomer.is_at(Doing::Asking, now);
        assert!(connections.take_in(at(2), now).is_none());
        now += ANSWERED_WITHIN;
        newcomer.is_at(Doing::Asking, now);
        assert!(connections.take_in(at(2), now).is_some());
        assert!(places[1].gives_way.is_cancelled(), "asked for a minute");
        assert!(!places[0].gives_way.is_cancelled());
    }

    #[test]
    fn what_a_proxy_carries_for_many_is_not_one_clients() {
        let (connections, mut now) = (Connections::new(4), Instant::now());
        let carried: Vec<Place> = (0..2)
            .map(|_| connections.take_in(None, now).unwrap())
            .collect();
        now += Duration::from_secs(1);
        let hoarder: Vec<Place> = (0..2)
            .map(|_| connections.take_in(at(1), now).unwrap())
            .collect();
        let _newcomer = connections.take_in(None, now).unwrap();
        assert!(carried.iter().all(|place| !place.gives_way.is_cancelled()));
        assert!(hoarder.iter().any(|place| place.gives_way.is_cancelled()));
    }
}
