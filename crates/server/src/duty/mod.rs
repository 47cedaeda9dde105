//! Who is on duty, whose desk rings, and what the desks are told of the calls that are live here.
//!
//! It holds what is so at the moment, in this process: nothing of it is kept. Of several nodes each has a room of its own, for
//! the calls that live there; an officer's page is told by all of them, and tells each what its officer is at elsewhere (0063). Who may see what is decided where it is read, by
//! the table of permissions; what is told to desks is told to all of them here, and each path hands on what its account may
//! have. What is said and found in a call goes to those who have that call open, and to nobody else. A desk's ring is news to
//! its open pages, and its answer comes by the paths of `desk`.

mod live;
mod open_call;
mod ringing;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;

use call::{CallEvent, DutyDesk, OfficerId, Switchboard};
use desk::{Account, AccountId};
use flow::Agency;
use jiff::Timestamp;
use tokio::runtime::Handle;
use tokio::sync::broadcast;
use tokio::time::Instant;
use turn::{Ring, Unreached};
use uuid::Uuid;

pub use live::{Caption, LiveCall, Stage, Words};
pub use open_call::OpenCall;
use ringing::Ringing;

/// How long an officer whose last page has closed is waited for: a page that is loaded again is away for a moment.
const BACK_WITHIN: Duration = Duration::from_secs(5);

/// How long an officer is not rung after a call, unless the settings say otherwise.
const WRAP_UP: Duration = Duration::from_mins(1);

/// News that a slow page may fall behind before its stream ends, and it reads all anew.
const BEHIND: usize = 1024;

/// The people on duty and the calls that are live in this process.
pub struct DutyRoom {
    state: Mutex<State>,
    news: broadcast::Sender<Arc<News>>,
    switchboard: OnceLock<Weak<Switchboard>>,
    wrap_up: Duration,
}

#[derive(Default)]
struct State {
    present: HashMap<AccountId, Present>,
    calls: HashMap<Uuid, LiveCall>,
    /// Where those are told who have a call open.
    open_calls: HashMap<Uuid, broadcast::Sender<Arc<Words>>>,
    ringing: HashMap<Uuid, Ringing>,
}

/// Somebody with a page of the desk open.
struct Present {
    account: Account,
    pages: usize,
    /// When the last of them closed.
    left_at: Option<Instant>,
    on_duty: bool,
    /// On a call that another node has, as their page says: which calls live there is not known here.
    busy: bool,
    wraps_up: Option<WrapUp>,
}

/// What the page of an officer says of them.
#[derive(Debug, Clone, Copy, Default)]
pub struct Availability {
    pub on_duty: bool,
    /// They are on a call at another node.
    pub busy: bool,
    /// They have just had one there, and wrap up for so long.
    pub wraps_up_for: Option<Duration>,
}

/// The time after a call in which its officer writes down what is to be written, and is not rung.
#[derive(Clone, Copy)]
struct WrapUp {
    over_at: Instant,
    /// The same, as it is told.
    until: Timestamp,
}

/// What pages of the desk are told.
#[derive(Debug)]
pub enum News {
    /// These are rung.
    Ringing {
        call: Uuid,
        agency: Agency,
        since: Timestamp,
        whom: Ring,
        desks: Vec<AccountId>,
    },
    /// They are not any more.
    RingingOver {
        call: Uuid,
        taken_by: Option<AccountId>,
        desks: Vec<AccountId>,
    },
    /// A caller was told that a person would come, and none is there.
    Unreached {
        call: Uuid,
        agency: Option<Agency>,
        why: Unreached,
    },
    /// A call has begun, or stands otherwise than before.
    Call(Uuid),
    CallOver(Uuid),
    /// Whether this account can be rung is other than it was.
    Duty(AccountId),
    /// A case is new or stands otherwise; whose it was, and is.
    Case {
        call: Uuid,
        whose: Vec<desk::Case>,
    },
}

/// A page of the desk that is open, until it is dropped.
pub struct OpenPage {
    room: Arc<DutyRoom>,
    account: AccountId,
    news: broadcast::Receiver<Arc<News>>,
}

impl OpenPage {
    /// The next news; none where this page has missed some, or there will be no more.
    pub async fn next(&mut self) -> Option<Arc<News>> {
        self.news.recv().await.ok()
    }
}

impl Drop for OpenPage {
    fn drop(&mut self) {
        self.room.close_page(self.account);
    }
}

impl Default for DutyRoom {
    fn default() -> Self {
        Self::new(WRAP_UP)
    }
}

// The people.
impl DutyRoom {
    /// After a call, its officer is not rung for so long.
    pub fn new(wrap_up: Duration) -> Self {
        let (news, _) = broadcast::channel(BEHIND);
        Self {
            state: Mutex::default(),
            news,
            switchboard: OnceLock::new(),
            wrap_up,
        }
    }

    /// What answers are told to. Once, before the first call.
    pub fn serves(&self, switchboard: &Arc<Switchboard>) {
        // A second one would be a mistake of this program's; the first stands.
        let _ = self.switchboard.set(Arc::downgrade(switchboard));
    }

    /// A page of this account's is opened.
    pub fn open_page(self: &Arc<Self>, account: &Account) -> OpenPage {
        let mut state = self.state();
        let present = state
            .present
            .entry(account.id)
            .or_insert_with(|| Present::new(account));
        present.account = account.clone();
        present.pages += 1;
        present.left_at = None;
        OpenPage {
            room: Arc::clone(self),
            account: account.id,
            news: self.news.subscribe(),
        }
    }

    fn close_page(self: &Arc<Self>, account: AccountId) {
        let mut state = self.state();
        let Some(present) = state.present.get_mut(&account) else {
            return;
        };
        present.pages = present.pages.saturating_sub(1);
        if present.pages > 0 {
            return;
        }
        // There is nobody left to say when that is over. A page that is back says it again.
        present.busy = false;
        present.left_at = Some(Instant::now());
        drop(state);
        // A page may be closed by a runtime that is ending: then nobody is rung any more.
        if let Ok(runtime) = Handle::try_current() {
            let room = Arc::clone(self);
            runtime.spawn(async move {
                tokio::time::sleep(BACK_WITHIN).await;
                room.look_whether_all_declined();
            });
        }
    }

    /// Whether this account is on duty: it says so, and has a page open that can ring.
    pub fn is_on_duty(&self, account: AccountId) -> bool {
        let state = self.state();
        state
            .present
            .get(&account)
            .is_some_and(Present::can_be_rung)
    }

    /// Whether this account has said that it is on duty, whatever pages of it are open.
    pub fn says_on_duty(&self, account: AccountId) -> bool {
        let state = self.state();
        let present = state.present.get(&account);
        present.is_some_and(|present| present.on_duty)
    }

    /// Until when this account is not rung after a call, while that is so.
    pub fn wraps_up_until(&self, account: AccountId) -> Option<Timestamp> {
        let state = self.state();
        let present = state.present.get(&account)?;
        Some(present.wrap_up()?.until)
    }

    /// This account says whether it is on duty. Who says so while they wrap up is done with that.
    pub fn set_on_duty(&self, account: &Account, on_duty: bool) {
        self.set(account, on_duty, false);
        self.told_of_duty(account.id);
    }

    /// The same, with what they are at on other nodes. A wrap-up is no longer than one here.
    pub fn set_availability(self: &Arc<Self>, account: &Account, said: Availability) {
        self.set(account, said.on_duty, said.busy);
        let wraps_up = said.wraps_up_for.map(|it| it.min(self.wrap_up));
        match wraps_up {
            Some(wraps_up) if said.on_duty => self.wrap_up(account.id, wraps_up),
            _ => self.told_of_duty(account.id),
        }
    }

    fn set(&self, account: &Account, on_duty: bool, busy: bool) {
        let mut state = self.state();
        let present = state
            .present
            .entry(account.id)
            .or_insert_with(|| Present::new(account));
        present.on_duty = on_duty;
        present.busy = busy && present.pages > 0;
        present.wraps_up = present.wraps_up.filter(|_| !on_duty);
    }

    /// Whether this account can be rung may be other than it was.
    fn told_of_duty(&self, account: AccountId) {
        self.tell(News::Duty(account));
        self.ring_also(account);
        self.look_whether_all_declined();
    }

    /// A call of this officer's has ended, here or elsewhere.
    fn wrap_up(self: &Arc<Self>, officer: AccountId, lasts: Duration) {
        if lasts.is_zero() {
            self.told_of_duty(officer);
            return;
        }
        let wrap_up = WrapUp {
            over_at: Instant::now() + lasts,
            until: Timestamp::now() + lasts,
        };
        match self.state().present.get_mut(&officer) {
            Some(present) => present.wraps_up = Some(wrap_up),
            None => return,
        }
        self.tell(News::Duty(officer));
        if let Ok(runtime) = Handle::try_current() {
            let room = Arc::clone(self);
            runtime.spawn(async move {
                tokio::time::sleep_until(wrap_up.over_at).await;
                room.told_of_duty(officer);
            });
        }
    }

    /// What colleagues call this account, while it has been here.
    pub fn name_of(&self, account: AccountId) -> Option<String> {
        let state = self.state();
        let present = state.present.get(&account)?;
        Some(present.account.name.clone())
    }
}

impl Present {
    fn new(account: &Account) -> Self {
        Self {
            account: account.clone(),
            pages: 0,
            left_at: None,
            on_duty: false,
            busy: false,
            wraps_up: None,
        }
    }

    fn can_be_rung(&self) -> bool {
        self.on_duty && self.pages > 0
    }

    fn wrap_up(&self) -> Option<WrapUp> {
        self.wraps_up.filter(|it| Instant::now() < it.over_at)
    }

    /// They cannot be rung now, and can as soon as they are done with their last call.
    fn comes_soon(&self) -> bool {
        self.can_be_rung() && !self.busy && self.wrap_up().is_some()
    }

    /// Whether they may yet answer.
    fn is_waited_for(&self) -> bool {
        let away = self.left_at.map(|left| left.elapsed());
        self.on_duty && (self.pages > 0 || away.is_some_and(|away| away < BACK_WITHIN))
    }
}

impl State {
    fn was_given_back(&self, call: Uuid, officer: AccountId) -> bool {
        let live = self.calls.get(&call);
        live.is_some_and(|live| live.was_given_back_by(officer))
    }

    /// Those who could be rung now: on duty, on no call, and done with the last.
    fn free(&self) -> impl Iterator<Item = &Account> {
        let is_done = |account: &&Account| {
            let present = self.present.get(&account.id);
            present.is_some_and(|present| present.wrap_up().is_none())
        };
        self.on_no_call().filter(is_done)
    }

    fn on_no_call(&self) -> impl Iterator<Item = &Account> {
        let on_a_call = |account: &Account| {
            let mut calls = self.calls.values();
            calls.any(|call| call.keeps_busy(account.id))
        };
        self.present
            .values()
            .filter(|present| present.can_be_rung() && !present.busy)
            .map(|present| &present.account)
            .filter(move |account| !on_a_call(account))
    }
}

// Ringing.
impl DutyDesk for DutyRoom {
    /// Who is done with their last call within the minute counts: callers are kept company until then.
    fn anyone_on_duty(&self) -> bool {
        self.state().on_no_call().next().is_some()
    }

    fn ring(&self, call: Uuid, agency: Agency, whom: Ring) -> Vec<OfficerId> {
        let mut state = self.state();
        // In the same moment: who had the call and was lost is on no call any more, and is rung for it too.
        if let Some(live) = state.calls.get_mut(&call) {
            live.is_rung_for(whom);
        }
        let those: Vec<AccountId> = state
            .free()
            .filter(|account| ringing::is_rung(account, agency, whom))
            .map(|account| account.id)
            .filter(|account| !state.was_given_back(call, *account))
            .collect();
        let State {
            present, ringing, ..
        } = &mut *state;
        let ringing = ringing
            .entry(call)
            .or_insert_with(|| Ringing::of(agency, Timestamp::now()));
        let desks = ringing.ring(those, whom);
        let since = ringing.since;
        let can_ring = |account: &AccountId| present.get(account).is_some_and(Present::can_be_rung);
        let rung = ringing.ringing().filter(can_ring).map(officer_of);
        let rung: Vec<OfficerId> = rung.collect();
        drop(state);
        metrics::counter!("nightlight_desks_rung_total").increment(desks.len() as u64);
        self.tell(News::Ringing {
            call,
            agency,
            since,
            whom,
            desks,
        });
        self.look_whether_all_declined();
        rung
    }

    fn given_back(&self, call: Uuid, officer: OfficerId) {
        if let Some(live) = self.state().calls.get_mut(&call) {
            live.is_given_back(account_of(officer));
        }
    }

    fn stop_ringing(&self, call: Uuid, taken_by: Option<OfficerId>) {
        let taken_by = taken_by.map(account_of);
        let mut state = self.state();
        // In the same moment: who comes too late is told who was first.
        if let (Some(officer), Some(live)) = (taken_by, state.calls.get_mut(&call)) {
            live.officer = Some(officer);
        }
        let Some(ringing) = state.ringing.remove(&call) else {
            return;
        };
        drop(state);
        let desks = ringing.desks();
        self.tell(News::RingingOver {
            call,
            taken_by,
            desks,
        });
    }

    fn alert(&self, call: Uuid, why: Unreached) {
        let agency = self.state().calls.get(&call).and_then(|call| call.agency);
        self.tell(News::Unreached { call, agency, why });
    }
}

impl DutyRoom {
    /// Whether this account's desk rings for this call.
    pub fn rings(&self, call: Uuid, account: AccountId) -> bool {
        let state = self.state();
        state
            .ringing
            .get(&call)
            .is_some_and(|ringing| ringing.rings(account))
    }

    /// Calls that ring already ring for this account too, which could not be rung when they began to.
    fn ring_also(&self, account: AccountId) {
        let mut state = self.state();
        let State { ringing, .. } = &*state;
        if ringing.is_empty() {
            return;
        }
        let Some(account) = state.free().find(|it| it.id == account).cloned() else {
            return;
        };
        let mut also_rung = Vec::new();
        let State { calls, ringing, .. } = &mut *state;
        for (call, ringing) in ringing {
            let whom = ringing.whom;
            let live = calls.get(call);
            let gave_it_back = live.is_some_and(|live| live.was_given_back_by(account.id));
            if gave_it_back || !ringing::is_rung(&account, ringing.agency, whom) {
                continue;
            }
            let desks = ringing.ring(vec![account.id], whom);
            if !desks.is_empty() {
                let news = News::Ringing {
                    call: *call,
                    agency: ringing.agency,
                    since: ringing.since,
                    whom,
                    desks,
                };
                also_rung.push((*call, news));
            }
        }
        drop(state);
        let board = self.switchboard.get().and_then(Weak::upgrade);
        for (call, news) in also_rung {
            metrics::counter!("nightlight_desks_rung_total").increment(1);
            // First, so that what they answer comes after it.
            if let Some(board) = &board {
                board.also_rung(call, officer_of(account.id));
            }
            self.tell(news);
        }
    }

    /// This account is not to be rung for this call any more.
    pub fn decline(&self, call: Uuid, account: AccountId) {
        if let Some(ringing) = self.state().ringing.get_mut(&call) {
            ringing.decline(account);
        }
        self.look_whether_all_declined();
    }

    /// The calls that ring for this account, as it was told of them.
    pub fn ringing_for(&self, account: AccountId) -> Vec<News> {
        let state = self.state();
        let rings = state.ringing.iter().filter(|(_, it)| it.rings(account));
        rings
            .map(|(call, ringing)| News::Ringing {
                call: *call,
                agency: ringing.agency,
                since: ringing.since,
                whom: ringing.whom,
                desks: vec![account],
            })
            .collect()
    }

    /// Tells the calls that nobody is left to be rung for.
    fn look_whether_all_declined(&self) {
        let given_up = self.given_up();
        let board = self.switchboard.get().and_then(Weak::upgrade);
        for (call, board) in given_up.into_iter().zip(board.iter().cycle()) {
            board.all_declined(call);
        }
    }

    /// Those calls, each once in a round of ringing.
    fn given_up(&self) -> Vec<Uuid> {
        let mut state = self.state();
        let State {
            present, ringing, ..
        } = &mut *state;
        let is_waited_for =
            |account: &AccountId| present.get(account).is_some_and(Present::is_waited_for);
        ringing
            .iter_mut()
            .filter_map(|(call, ringing)| {
                let (agency, whom) = (ringing.agency, ringing.whom);
                let comes_soon = |present: &Present| {
                    present.comes_soon() && ringing::is_rung(&present.account, agency, whom)
                };
                let somebody_comes = present.values().any(comes_soon);
                let given_up = !somebody_comes && ringing.is_given_up(is_waited_for);
                given_up.then_some(*call)
            })
            .collect()
    }
}

// The live calls.
impl DutyRoom {
    /// Takes in what happens in a call.
    pub fn happened(self: &Arc<Self>, call: Uuid, event: &CallEvent) {
        if let CallEvent::Ended { .. } = event {
            let mut state = self.state();
            let was_live = state.calls.remove(&call);
            state.open_calls.remove(&call);
            drop(state);
            self.stop_ringing(call, None);
            if let Some(live) = was_live {
                let talked = live.officer.filter(|_| live.stage.is_an_officers());
                if let Some(officer) = talked {
                    self.wrap_up(officer, self.wrap_up);
                }
                self.tell(News::CallOver(call));
            }
            return;
        }
        let now = Timestamp::now();
        let mut state = self.state();
        let live = match event {
            CallEvent::Started => state
                .calls
                .entry(call)
                .or_insert_with(|| LiveCall::begun(now)),
            _ => match state.calls.get_mut(&call) {
                Some(live) => live,
                None => return,
            },
        };
        let changed = live.take_in(event, now);
        if let Some(words) = changed.words {
            state.tell_of(call, words);
        }
        drop(state);
        if changed.stands_otherwise {
            self.tell(News::Call(call));
        }
    }

    pub fn call(&self, call: Uuid) -> Option<LiveCall> {
        self.state().calls.get(&call).cloned()
    }

    pub fn calls(&self) -> Vec<(Uuid, LiveCall)> {
        let state = self.state();
        let calls = state.calls.iter();
        calls.map(|(id, call)| (*id, call.clone())).collect()
    }

    /// Tells of a case that is new, or stands otherwise than before.
    pub fn case_changed(&self, call: Uuid, whose: Vec<desk::Case>) {
        self.tell(News::Case { call, whose });
    }

    fn tell(&self, news: News) {
        // Without an open page there is nobody to tell.
        let _ = self.news.send(Arc::new(news));
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Every change under it is whole at each point where it could panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How a call knows this account.
pub fn officer_of(account: AccountId) -> OfficerId {
    OfficerId(account.0)
}

pub fn account_of(officer: OfficerId) -> AccountId {
    AccountId(officer.0)
}

#[cfg(test)]
mod tests;
