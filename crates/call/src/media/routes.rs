//! Which call a packet on the shared port belongs to.
//!
//! A STUN binding request names its call: the first half of its USERNAME is the user name fragment
//! we gave out in the answer (RFC 8445 §7.2.2). That name always wins, and binds the address it
//! came from, so neither a reused port nor a caller who changed networks reaches the wrong call.
//! Everything else is routed by the address it came from.
//!
//! Nothing is authenticated here: the call itself checks message integrity, DTLS and SRTP. No
//! packet is answered here.

use std::collections::{HashMap, VecDeque};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
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

/// A datagram on its way to its call.
#[derive(Debug)]
pub(super) struct Packet {
    pub contents: Bytes,
    pub source: SocketAddr,
    /// Which of our sockets it came in through.
    pub socket: usize,
    pub received: Instant,
}

/// The calls that share the port.
#[derive(Default)]
pub(super) struct Routes {
    tables: Mutex<Tables>,
}

#[derive(Default)]
struct Tables {
    next_key: u64,
    calls: HashMap<u64, Call>,
    by_ufrag: HashMap<String, u64>,
    by_address: HashMap<SocketAddr, u64>,
}

struct Call {
    queue: mpsc::Sender<Packet>,
    ufrag: String,
    addresses: VecDeque<SocketAddr>,
}

/// A call's place in the table; dropping it takes the call out.
pub(super) struct Route {
    routes: Arc<Routes>,
    key: u64,
}

impl Routes {
    /// Adds a call under the user name fragment it gave out.
    pub(super) fn add(self: &Arc<Self>, ufrag: String) -> (Route, mpsc::Receiver<Packet>) {
        let (queue, packets) = mpsc::channel(QUEUE_PACKETS);
        let mut tables = self.tables();
        let key = tables.next_key;
        tables.next_key += 1;
        tables.by_ufrag.insert(ufrag.clone(), key);
        tables.calls.insert(
            key,
            Call {
                queue,
                ufrag,
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
        let ufrag = request.as_ref().and_then(StunMessage::split_username);
        let mut tables = self.tables();
        let key = match ufrag {
            Some((ours, _)) => tables.by_ufrag.get(ours).copied(),
            None => tables.by_address.get(&packet.source).copied(),
        };
        let Some(key) = key else {
            return drops::count(drops::NO_CALL);
        };
        if ufrag.is_some() {
            tables.bind(packet.source, key);
        }
        let call = &tables.calls[&key];
        if let Err(TrySendError::Full(_)) = call.queue.try_send(packet) {
            drops::count(drops::QUEUE_FULL);
        }
    }

    fn tables(&self) -> MutexGuard<'_, Tables> {
        // A panic while holding the lock would leave whole entries: each is put in or taken out
        // in full before the next thing that can panic.
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tables {
    fn bind(&mut self, address: SocketAddr, key: u64) {
        match self.by_address.insert(address, key) {
            Some(before) if before == key => return,
            Some(before) => {
                if let Some(call) = self.calls.get_mut(&before) {
                    call.addresses.retain(|a| *a != address);
                }
            }
            None => {}
        }
        let call = self
            .calls
            .get_mut(&key)
            .expect("an address is bound only to a call that was just looked up");
        call.addresses.push_back(address);
        if call.addresses.len() > MAX_ADDRESSES
            && let Some(oldest) = call.addresses.pop_front()
        {
            self.by_address.remove(&oldest);
        }
    }
}

impl Drop for Route {
    fn drop(&mut self) {
        let mut tables = self.routes.tables();
        if let Some(call) = tables.calls.remove(&self.key) {
            if tables.by_ufrag.get(&call.ufrag) == Some(&self.key) {
                tables.by_ufrag.remove(&call.ufrag);
            }
            for address in call.addresses {
                tables.by_address.remove(&address);
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

    /// A binding request without integrity: routing does not look at it.
    fn binding_request_for(local_ufrag: &str) -> Vec<u8> {
        let username = format!("{local_ufrag}:remote");
        let mut attributes = vec![];
        for (kind, value) in [
            (0x0006u16, username.as_bytes()),
            (0x0024, &[0, 0, 0, 1]),
            (0x802a, &[0; 8]),
            (0x0008, &[0; 20]),
        ] {
            attributes.extend_from_slice(&kind.to_be_bytes());
            attributes.extend_from_slice(&(value.len() as u16).to_be_bytes());
            attributes.extend_from_slice(value);
            attributes.resize(attributes.len().next_multiple_of(4), 0);
        }
        let mut message = vec![0, 1];
        message.extend_from_slice(&(attributes.len() as u16).to_be_bytes());
        message.extend_from_slice(&0x2112_A442u32.to_be_bytes());
        message.extend_from_slice(&[7; 12]);
        message.extend_from_slice(&attributes);
        message
    }

    #[test]
    fn a_binding_request_finds_its_call_by_name_and_binds_its_address() {
        let routes = Arc::new(Routes::default());
        let (_one, mut to_one) = routes.add("one".into());
        let (_two, mut to_two) = routes.add("two".into());

        routes.deliver(packet(address(5000), &[0x80, 0]));
        assert!(to_one.try_recv().is_err() && to_two.try_recv().is_err());

        routes.deliver(packet(address(5000), &binding_request_for("two")));
        routes.deliver(packet(address(5000), &[0x80, 0]));
        assert!(to_two.try_recv().is_ok() && to_two.try_recv().is_ok());
        assert!(to_one.try_recv().is_err());
    }

    #[test]
    fn a_reused_port_goes_to_the_call_that_was_named_last() {
        let routes = Arc::new(Routes::default());
        let (_old, mut to_old) = routes.add("old".into());
        let (_new, mut to_new) = routes.add("new".into());
        routes.deliver(packet(address(5000), &binding_request_for("old")));
        to_old.try_recv().unwrap();

        routes.deliver(packet(address(5000), &binding_request_for("new")));
        routes.deliver(packet(address(5000), &[0x80, 0]));
        assert!(to_new.try_recv().is_ok() && to_new.try_recv().is_ok());
        assert!(to_old.try_recv().is_err());
    }

    #[test]
    fn when_the_old_call_of_a_reused_port_ends_the_new_one_keeps_it() {
        let routes = Arc::new(Routes::default());
        let (old, _to_old) = routes.add("old".into());
        let (_new, mut to_new) = routes.add("new".into());
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
        let (route, _packets) = routes.add("gone".into());
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
        let (_route, mut packets) = routes.add("one".into());
        for port in 1000..2000 {
            routes.deliver(packet(address(port), &binding_request_for("one")));
            packets.try_recv().unwrap();
        }
        assert_eq!(routes.tables().by_address.len(), MAX_ADDRESSES);
    }

    #[test]
    fn a_call_that_does_not_read_loses_packets_and_holds_up_nobody() {
        let routes = Arc::new(Routes::default());
        let (_slow, mut to_slow) = routes.add("slow".into());
        let (_quick, mut to_quick) = routes.add("quick".into());
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
