//! Written conversations: the same assistant and flow as in a call, by text. Each is held in
//! memory while it goes on, with every exchange in the records before it is answered, so that a
//! server that starts again, or another node, goes on where it was.
//!
//! Here is the table of those that go on. It knows no HTTP, stores nothing, and is told the time;
//! `exchange` has them talk, `talk` is one of them; `rehearsal` is one that leaves nothing behind.

pub mod chat_id;
pub mod exchange;
pub mod queue;
pub mod rehearsal;
pub mod talk;

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use records::VisitorId;
use tokio::sync::Mutex as TurnLock;
use uuid::Uuid;

use talk::Talk;

use crate::client_address::ClientAddress;
use crate::holder::{Holder, Shares};

/// For how long one that is over is remembered, so that an answer that got lost can be had again.
const REMEMBERED_FOR: Duration = Duration::from_secs(60);
/// A place among those that go on is sure for this long after the last words: when all are
/// taken, it then goes to whoever begins now.
const SURE_FOR: Duration = Duration::from_secs(120);
/// For so long where they hold more such places than whoever begins, and have hardly begun.
const LIKELY_FOR: Duration = Duration::from_secs(10);
/// For so long where they hold no more, and have talked.
const TALK_SURE_FOR: Duration = Duration::from_secs(600);
/// The number of the last chat of a conversation that has hardly begun: a greeting, and one exchange.
const HARDLY_BEGUN: u16 = 1;

/// Every written conversation of this process.
pub struct WrittenConversations {
    table: Mutex<HashMap<Uuid, Arc<Written>>>,
    most: usize,
    idle_after: Duration,
    /// Held while one is taken up from the records: nobody takes up another copy meanwhile.
    pub taking_up: TurnLock<()>,
}

/// One of them.
pub struct Written {
    pub id: Uuid,
    pub visitor: VisitorId,
    address: Option<ClientAddress>,
    /// Held through an exchange: one at a time. It may take as long as a chat model does, and nobody reads meanwhile
    /// what is not durable yet.
    pub exchange: TurnLock<()>,
    /// As it stood after the last exchange.
    talk: Mutex<Arc<Talk>>,
    seen: Mutex<Seen>,
}

struct Seen {
    at: Instant,
    over: bool,
}

/// As many go on as may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many written conversations")]
pub struct Full;

impl WrittenConversations {
    /// At most so many at once, each over when nothing was said for so long.
    pub fn new(most: usize, idle_after: Duration) -> Self {
        Self {
            table: Mutex::default(),
            most,
            idle_after,
            taking_up: TurnLock::default(),
        }
    }

    /// Takes one in. When there is no place left, one makes room and is given back to be ended: of those that have hardly
    /// begun and whose visitor or address holds most, the one that was quiet for longest. Nobody who talks is ended for
    /// somebody else.
    pub fn take_in(
        &self,
        id: Uuid,
        holder: impl Into<Holder>,
        talk: Talk,
        now: Instant,
    ) -> Result<(Arc<Written>, Option<Arc<Written>>), Full> {
        let holder = holder.into();
        let written = Arc::new(Written {
            id,
            visitor: holder.visitor,
            address: holder.address,
            seen: Mutex::new(Seen {
                at: now,
                over: talk.over().is_some(),
            }),
            exchange: TurnLock::default(),
            talk: Mutex::new(Arc::new(talk)),
        });
        let mut table = self.table();
        let mut displaced = None;
        if table.len() >= self.most {
            let gone = which_gives_way(&table, holder, now).ok_or(Full)?;
            table.remove(&gone.id);
            displaced = Some(gone).filter(|written| !written.is_over());
        }
        table.insert(id, Arc::clone(&written));
        Ok((written, displaced))
    }

    pub fn find(&self, id: Uuid) -> Option<Arc<Written>> {
        self.table().get(&id).cloned()
    }

    /// It goes on elsewhere.
    pub fn let_go(&self, id: Uuid) {
        self.table().remove(&id);
    }

    /// Those of one visitor that go on.
    pub fn of(&self, visitor: VisitorId) -> Vec<Arc<Written>> {
        self.table()
            .values()
            .filter(|written| written.visitor == visitor && !written.is_over())
            .cloned()
            .collect()
    }

    /// Forgets those that are over, and gives those in which nothing was said for too long.
    pub fn sweep(&self, now: Instant) -> Vec<Arc<Written>> {
        let mut table = self.table();
        table.retain(|_, written| !written.is_over() || written.quiet_for(now) < REMEMBERED_FOR);
        table
            .values()
            .filter(|written| !written.is_over() && written.quiet_for(now) >= self.idle_after)
            .cloned()
            .collect()
    }

    /// How many go on.
    pub fn live(&self) -> usize {
        self.table()
            .values()
            .filter(|written| !written.is_over())
            .count()
    }

    fn table(&self) -> MutexGuard<'_, HashMap<Uuid, Arc<Written>>> {
        // Every change is made whole before anything that could panic.
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn which_gives_way(
    table: &HashMap<Uuid, Arc<Written>>,
    asking: Holder,
    now: Instant,
) -> Option<Arc<Written>> {
    let going_on = || table.values().filter(|written| !written.is_over());
    let shares: Shares = going_on().map(|written| written.holder()).collect();
    let over = table.values().filter(|written| written.is_over());
    let first = over.min_by_key(|written| written.seen().at).or_else(|| {
        going_on()
            .filter(|written| written.gives_way(&shares, asking, now))
            .max_by_key(|written| {
                let share = shares.of(written.holder());
                (
                    written.has_hardly_begun(),
                    share,
                    Reverse(written.seen().at),
                )
            })
    });
    first.cloned()
}

impl Written {
    fn holder(&self) -> Holder {
        Holder {
            visitor: self.visitor,
            address: self.address,
        }
    }

    fn has_hardly_begun(&self) -> bool {
        self.held().number() <= HARDLY_BEGUN
    }

    fn gives_way(&self, shares: &Shares, asking: Holder, now: Instant) -> bool {
        let holder = self.holder();
        let exceeds =
            shares.visitor_exceeds(holder, asking) || shares.address_exceeds(holder, asking);
        let sure_for = match (self.has_hardly_begun(), exceeds) {
            (true, true) => LIKELY_FOR,
            (true, false) | (false, true) => SURE_FOR,
            (false, false) => TALK_SURE_FOR,
        };
        let being_answered = self.exchange.try_lock().is_err();
        !being_answered && self.quiet_for(now) >= sure_for
    }

    /// As it stands. An exchange that is under way is not in it.
    pub fn talk(&self) -> Arc<Talk> {
        Arc::clone(&self.held())
    }

    /// How it stands after an exchange.
    pub fn stands(&self, talk: Arc<Talk>) {
        *self.held() = talk;
    }

    fn held(&self) -> MutexGuard<'_, Arc<Talk>> {
        // Nothing is done while it is held that could panic.
        self.talk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something was said, or it is over.
    pub fn touch(&self, now: Instant, over: bool) {
        *self.seen() = Seen { at: now, over };
    }

    pub fn is_over(&self) -> bool {
        self.seen().over
    }

    fn quiet_for(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.seen().at)
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use flow::AssistantScript;

    use super::*;

    const IDLE: Duration = Duration::from_secs(1800);

    fn talk() -> Talk {
        let script = Arc::new(AssistantScript::built_in());
        let (talk, greeting) = Talk::begin(&script, jiff::Timestamp::UNIX_EPOCH);
        talk.greet(greeting)
    }

    fn take_in(table: &WrittenConversations, now: Instant) -> Result<Arc<Written>, Full> {
        let taken = table.take_in(Uuid::new_v4(), VisitorId::random(), talk(), now);
        taken.map(|(written, _)| written)
    }

    #[test]
    fn one_in_which_nothing_is_said_is_given_up_and_then_forgotten() {
        let table = WrittenConversations::new(8, IDLE);
        let mut now = Instant::now();
        let quiet = take_in(&table, now).unwrap();
        let busy = take_in(&table, now).unwrap();
        now += IDLE;
        busy.touch(now, false);
        let idle: Vec<Uuid> = table.sweep(now).iter().map(|written| written.id).collect();
        assert_eq!(idle, [quiet.id]);
        quiet.touch(now, true);
        assert!(table.sweep(now).is_empty());
        assert!(
            table.find(quiet.id).is_some(),
            "a lost answer can be had again"
        );
        now += REMEMBERED_FOR;
        table.sweep(now);
        assert!(table.find(quiet.id).is_none());
        assert_eq!(table.live(), 1);
    }

    #[test]
    fn a_place_held_in_vain_goes_to_whoever_begins_now() {
        let table = WrittenConversations::new(2, IDLE);
        let mut now = Instant::now();
        let first = take_in(&table, now).unwrap();
        let second = take_in(&table, now).unwrap();
        assert_eq!(take_in(&table, now).err(), Some(Full));
        now += SURE_FOR;
        second.touch(now, false);
        let (_, displaced) = table
            .take_in(Uuid::new_v4(), VisitorId::random(), talk(), now)
            .unwrap();
        assert_eq!(displaced.unwrap().id, first.id);
        assert_eq!(take_in(&table, now).err(), Some(Full));
        second.touch(now, true);
        let (_, displaced) = table
            .take_in(Uuid::new_v4(), VisitorId::random(), talk(), now)
            .unwrap();
        assert!(displaced.is_none(), "what is over needs no end");
    }

    fn at(host: u8) -> Holder {
        Holder {
            visitor: VisitorId::random(),
            address: Some(ClientAddress::of([192, 0, 2, host].into())),
        }
    }

    #[test]
    fn a_flood_from_one_address_keeps_nobody_elsewhere_out_and_ends_no_conversation() {
        let table = WrittenConversations::new(20, IDLE);
        let mut now = Instant::now();
        let take_in = |host, now| table.take_in(Uuid::new_v4(), at(host), talk(), now);
        let (talking, _) = take_in(1, now).unwrap();
        let mut further = Talk::clone(&talking.talk());
        for _ in 0..2 {
            let words = redact::Secret::new(String::from("still here"));
            further.go_on(
                flow::reading::Reading::unread(words),
                jiff::Timestamp::UNIX_EPOCH,
                None,
            );
        }
        talking.stands(Arc::new(further));
        let (begun, _) = take_in(2, now).unwrap();
        for _ in 0..18 {
            take_in(1, now).unwrap();
        }
        assert_eq!(take_in(3, now).err(), Some(Full), "they may be callers");
        now += LIKELY_FOR;
        // 19 against none, until both hold as much.
        for _ in 0..9 {
            let (_, displaced) = take_in(3, now).unwrap();
            let displaced = displaced.unwrap();
            assert!(displaced.id != begun.id && displaced.id != talking.id);
        }
        assert_eq!(take_in(3, now).err(), Some(Full));
        assert!(table.find(talking.id).is_some());
    }

    #[test]
    fn a_visitor_has_only_their_own() {
        let table = WrittenConversations::new(8, IDLE);
        let now = Instant::now();
        let mine = take_in(&table, now).unwrap();
        take_in(&table, now).unwrap();
        let found: Vec<Uuid> = table.of(mine.visitor).iter().map(|one| one.id).collect();
        assert_eq!(found, [mine.id]);
        mine.touch(now, true);
        assert!(table.of(mine.visitor).is_empty());
    }
}
