//! Which call a packet on the shared port belongs to.
//!
//! A STUN binding request names its call: the first half of its USERNAME is the user name fragment
//! we gave out in the answer (RFC 8445 §7.2.2). Where its integrity shows that it knows the password too, that binds the
//! address it came from, so that a caller who changed networks is followed and nobody else is. Everything else is routed
//! by the address it came from.
//!
//! An address may be bound to several calls: a port is used again, and who is in a call of their own can name that from
//! an address that is not theirs. Each gets what comes from there, and DTLS and SRTP tell it what is its own: nobody
//! takes another's sound away. No packet is answered here.

use std::collections::{HashMap, VecDeque};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use str0m::IceCreds;
use str0m::crypto::Sha1HmacProvider;
use str0m::ice::StunMessage;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;
use tokio::time::Instant;

use super::drops;

/// How many packets wait for one call: over two seconds of sound and some. A call that is further
/// behind than that loses packets rather than holding up the others.
const QUEUE_PACKETS: usize = 256;

/// How many addresses one caller is remembered under. Browsers try each of their networks; more is
/// somebody filling the table.
const MAX_ADDRESSES: usize = 16;

/// How many calls one address may be bound to; those that named it longest ago give way.
const MAX_CALLS_AT_AN_ADDRESS: usize = 8;

/// A datagram on its way to its call.
#[derive(Debug, Clone)]
pub(super) struct Packet {
    pub contents: Bytes,
    pub source: SocketAddr,
    /// Which of our sockets it came in through.
    pub socket: usize,
    pub received: Instant,
}

/// The calls that share the port.
pub(super) struct Routes {
    tables: Mutex<Tables>,
    hmac: &'static dyn Sha1HmacProvider,
}

impl Default for Routes {
    fn default() -> Self {
        Self {
            tables: Mutex::default(),
            hmac: str0m::crypto::from_feature_flags().sha1_hmac_provider,
        }
    }
}

#[derive(Default)]
struct Tables {
    next_key: u64,
    calls: HashMap<u64, Call>,
    by_ufrag: HashMap<String, u64>,
    /// Latest named last.
    by_address: HashMap<SocketAddr, Vec<u64>>,
}

struct Call {
    queue: mpsc::Sender<Packet>,
    known_by: IceCreds,
    addresses: VecDeque<SocketAddr>,
}

/// A call's place in the table; dropping it takes the call out.
pub(super) struct Route {
    routes: Arc<Routes>,
    key: u64,
}

impl Routes {
    /// Adds a call under the user name fragment and the password it gave out.
    pub(super) fn add(self: &Arc<Self>, known_by: IceCreds) -> (Route, mpsc::Receiver<Packet>) {
        let (queue, packets) = mpsc::channel(QUEUE_PACKETS);
        let mut tables = self.tables();
        let key = tables.next_key;
        tables.next_key += 1;
        tables.by_ufrag.insert(known_by.ufrag.clone(), key);
        tables.calls.insert(
            key,
            Call {
                queue,
                known_by,
                addresses: VecDeque::new(),
            },
        );
        metrics::gauge!("nightlight_media_calls").set(tables.calls.len() as f64);
        let route = Route {
            routes: Arc::clone(self),
            key,
        };
        (route, packets)
    }

    /// Hands a packet to its call, or drops and counts it. Never waits.
    pub(super) fn deliver(&self, packet: Packet) {
        let request = binding_request(&packet.contents);
        let named = request
            .as_ref()
            .and_then(|request| Some((request, request.split_username()?.0)));
        let mut tables = self.tables();
        let Some((request, ufrag)) = named else {
            let Some(keys) = tables.by_address.get(&packet.source) else {
                return drops::count(drops::NO_CALL);
            };
            return keys
                .iter()
                .for_each(|key| tables.calls[key].hand(packet.clone()));
        };
        let Some(key) = tables.by_ufrag.get(ufrag).copied() else {
            return drops::count(drops::NO_CALL);
        };
        let password = tables.calls[&key].known_by.pass.as_bytes();
        let hmac = |key: &[u8], parts: &[&[u8]]| self.hmac.sha1_hmac(key, parts);
        if !request.verify(password, hmac) {
            return drops::count(drops::UNAUTHENTICATED);
        }
        tables.bind(packet.source, key);
        tables.calls[&key].hand(packet);
    }

    fn tables(&self) -> MutexGuard<'_, Tables> {
        // A panic while holding the lock would leave whole entries: each is put in or taken out
        // in full before the next thing that can panic.
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Call {
    fn hand(&self, packet: Packet) {
        if let Err(TrySendError::Full(_)) = self.queue.try_send(packet) {
            drops::count(drops::QUEUE_FULL);
        }
    }
}

impl Tables {
    fn bind(&mut self, address: SocketAddr, key: u64) {
        let keys = self.by_address.entry(address).or_default();
        let known = keys.iter().position(|bound| *bound == key);
        if let Some(at) = known {
            keys.remove(at);
        }
        keys.push(key);
        if known.is_some() {
            return;
        }
        if keys.len() > MAX_CALLS_AT_AN_ADDRESS {
            let before = keys.remove(0);
            if let Some(call) = self.calls.get_mut(&before) {
                call.addresses.retain(|a| *a != address);
            }
        }
        let call = self
            .calls
            .get_mut(&key)
            .expect("an address is bound only to a call that was just looked up");
        call.addresses.push_back(address);
        if call.addresses.len() > MAX_ADDRESSES
            && let Some(oldest) = call.addresses.pop_front()
        {
            self.unbind(oldest, key);
        }
    }

    fn unbind(&mut self, address: SocketAddr, key: u64) {
        if let Some(keys) = self.by_address.get_mut(&address) {
            keys.retain(|bound| *bound != key);
            if keys.is_empty() {
                self.by_address.remove(&address);
            }
        }
    }
}

impl Drop for Route {
    fn drop(&mut self) {
        let mut tables = self.routes.tables();
        if let Some(call) = tables.calls.remove(&self.key) {
            if tables.by_ufrag.get(&call.known_by.ufrag) == Some(&self.key) {
                tables.by_ufrag.remove(&call.known_by.ufrag);
            }
            for address in call.addresses {
                tables.unbind(address, self.key);
            }
        }
        metrics::gauge!("nightlight_media_calls").set(tables.calls.len() as f64);
    }
}

/// The STUN binding request that a datagram is, if it is one.
fn binding_request(datagram: &[u8]) -> Option<StunMessage<'_>> {
    // RFC 7983: a first byte of 0 to 3 is STUN. Anything else is spared the parse.
    if !matches!(datagram.first(), Some(0..=3)) || datagram.len() < 20 {
        return None;
    }
    StunMessage::parse(datagram)
        .ok()
        .filter(StunMessage::is_binding_request)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use str0m::ice::TransId;

    use super::*;

    fn address(port: u16) -> SocketAddr {
        SocketAddr::from(([127, 0, 0, 1], port))
    }

    fn packet(source: SocketAddr, contents: &[u8]) -> Packet {
        Packet {
            contents: Bytes::copy_from_slice(contents),
            source,
            socket: 0,
            received: Instant::now(),
        }
    }

    /// Every call's password here is its name twice.
    fn known_by(ufrag: &str) -> IceCreds {
        IceCreds {
            ufrag: ufrag.to_owned(),
            pass: format!("{ufrag}{ufrag}"),
        }
    }

    fn binding_request_for(ufrag: &str) -> Vec<u8> {
        binding_request_with(ufrag, Some(known_by(ufrag).pass))
    }

    fn binding_request_with(ufrag: &str, password: Option<String>) -> Vec<u8> {
        let hmac = str0m::crypto::from_feature_flags().sha1_hmac_provider;
        let username = format!("{ufrag}:remote");
        let request = StunMessage::binding_request(&username, TransId::new(), true, 1, 1, false);
        let mut buffer = vec![0; 200];
        let password = password.as_ref().map(String::as_bytes);
        let len = request
            .to_bytes(password, &mut buffer, |key, parts| {
                hmac.sha1_hmac(key, parts)
            })
            .unwrap();
        buffer.truncate(len);
        buffer
    }

    #[test]
    fn a_binding_request_finds_its_call_by_name_and_binds_its_address() {
        let routes = Arc::new(Routes::default());
        let (_one, mut to_one) = routes.add(known_by("one"));
        let (_two, mut to_two) = routes.add(known_by("two"));

        routes.deliver(packet(address(5000), &[0x80, 0]));
        assert!(to_one.try_recv().is_err() && to_two.try_recv().is_err());

        routes.deliver(packet(address(5000), &binding_request_for("two")));
        routes.deliver(packet(address(5000), &[0x80, 0]));
        assert!(to_two.try_recv().is_ok() && to_two.try_recv().is_ok());
        assert!(to_one.try_recv().is_err());
    }

    #[test]
    fn who_does_not_know_a_calls_password_is_not_followed() {
        let routes = Arc::new(Routes::default());
        let (_one, mut to_one) = routes.add(known_by("one"));
        let wrong = Some(String::from("a password of nobody"));
        for password in [None, wrong] {
            let request = binding_request_with("one", password);
            routes.deliver(packet(address(6000), &request));
            routes.deliver(packet(address(6000), &[0x80, 0]));
            assert!(to_one.try_recv().is_err());
        }
        assert!(routes.tables().by_address.is_empty());
    }

    #[test]
    fn who_names_a_call_of_their_own_from_a_callers_address_takes_nothing_from_that_caller() {
        let routes = Arc::new(Routes::default());
        let (_caller, mut to_caller) = routes.add(known_by("caller"));
        let (_other, mut to_other) = routes.add(known_by("other"));
        routes.deliver(packet(address(5000), &binding_request_for("caller")));
        routes.deliver(packet(address(5000), &binding_request_for("other")));
        to_caller.try_recv().unwrap();
        to_other.try_recv().unwrap();
        routes.deliver(packet(address(5000), &[0x80, 0]));
        assert!(to_caller.try_recv().is_ok());
    }

    #[test]
    fn an_address_is_not_bound_to_any_number_of_calls() {
        let routes = Arc::new(Routes::default());
        let name = |call: usize| format!("call{call}");
        let calls: Vec<_> = (0..20)
            .map(|call| routes.add(known_by(&name(call))))
            .collect();
        for call in 0..20 {
            routes.deliver(packet(address(5000), &binding_request_for(&name(call))));
        }
        let bound = routes.tables().by_address[&address(5000)].len();
        assert_eq!(bound, MAX_CALLS_AT_AN_ADDRESS);
        drop(calls);
        assert!(routes.tables().by_address.is_empty());
    }

    #[test]
    fn a_reused_port_reaches_the_new_call() {
        let routes = Arc::new(Routes::default());
        let (_old, mut to_old) = routes.add(known_by("old"));
        let (_new, mut to_new) = routes.add(known_by("new"));
        routes.deliver(packet(address(5000), &binding_request_for("old")));
        to_old.try_recv().unwrap();

        routes.deliver(packet(address(5000), &binding_request_for("new")));
        routes.deliver(packet(address(5000), &[0x80, 0]));
        assert!(to_new.try_recv().is_ok() && to_new.try_recv().is_ok());
    }

    #[test]
    fn when_the_old_call_of_a_reused_port_ends_the_new_one_keeps_it() {
        let routes = Arc::new(Routes::default());
        let (old, _to_old) = routes.add(known_by("old"));
        let (_new, mut to_new) = routes.add(known_by("new"));
        routes.deliver(packet(address(5000), &binding_request_for("old")));
        routes.deliver(packet(address(5000), &binding_request_for("new")));
        drop(old);
        to_new.try_recv().unwrap();
        routes.deliver(packet(address(5000), &[0x80, 0]));
        assert!(to_new.try_recv().is_ok());
    }

    #[test]
    fn a_call_that_ended_leaves_nothing_behind() {
        let routes = Arc::new(Routes::default());
        let (route, _packets) = routes.add(known_by("gone"));
        routes.deliver(packet(address(5000), &binding_request_for("gone")));
        drop(route);
        let tables = routes.tables();
        assert!(tables.calls.is_empty());
        assert!(tables.by_ufrag.is_empty());
        assert!(tables.by_address.is_empty());
    }

    #[test]
    fn one_call_cannot_fill_the_table_with_addresses() {
        let routes = Arc::new(Routes::default());
        let (_route, mut packets) = routes.add(known_by("one"));
        for port in 1000..2000 {
            routes.deliver(packet(address(port), &binding_request_for("one")));
            packets.try_recv().unwrap();
        }
        assert_eq!(routes.tables().by_address.len(), MAX_ADDRESSES);
    }

    #[test]
    fn a_call_that_does_not_read_loses_packets_and_holds_up_nobody() {
        let routes = Arc::new(Routes::default());
        let (_slow, mut to_slow) = routes.add(known_by("slow"));
        let (_quick, mut to_quick) = routes.add(known_by("quick"));
        for _ in 0..2 * QUEUE_PACKETS {
            routes.deliver(packet(address(5000), &binding_request_for("slow")));
        }
        routes.deliver(packet(address(6000), &binding_request_for("quick")));
        assert!(to_quick.try_recv().is_ok());
        let waiting = std::iter::from_fn(|| to_slow.try_recv().ok()).count();
        assert_eq!(waiting, QUEUE_PACKETS);
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_make_routing_panic(
            bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..200),
            stun in proptest::prelude::any::<bool>(),
        ) {
            let mut bytes = bytes;
            if stun {
                let head = binding_request_for("one");
                let n = bytes.len().min(head.len() / 2);
                bytes[..n].copy_from_slice(&head[..n]);
            }
            Arc::new(Routes::default()).deliver(packet(address(5000), &bytes));
        }
    }
}
