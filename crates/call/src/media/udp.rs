//! The UDP port that all WebRTC calls share.
//!
//! One socket per local address, all on the same port: a socket bound to "any address" would not
//! say which of ours a packet was sent to, and ICE needs to know. One task per socket reads
//! packets and hands each to its call (`routes.rs`); calls send on the sockets themselves, without
//! waiting. There is no TCP, no STUN server and no relay.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use bytes::BytesMut;
use str0m::Rtc;
use tokio::net::UdpSocket;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::drops;
use super::offer::{self, OfferError};
use super::routes::{Packet, Routes};
use super::webrtc::WebRtcTransport;

/// No packet of ours is larger; str0m takes none above 2 000 bytes.
const MAX_PACKET: usize = 2_000;

/// Read buffers are cut from blocks of this size, so one allocation serves hundreds of packets.
const READ_BLOCK: usize = 64 * 1024;

/// How often binding to a port the system chose is tried again, if it is taken on another address.
const PORT_ATTEMPTS: usize = 16;

/// How the media side is set up.
#[derive(Debug, Clone)]
pub struct MediaSettings {
    /// Local addresses to use. Empty, `0.0.0.0` or `::` stand for every local address of that kind,
    /// loopback included.
    pub bind: Vec<IpAddr>,
    /// The one UDP port; 0 lets the system choose.
    pub port: u16,
    /// Behind NAT: the public address to give to callers in place of the local ones of the same
    /// family (loopback stays as it is). The same port must be forwarded to this machine.
    pub advertise: Option<IpAddr>,
    /// How long media may take to connect.
    pub setup_timeout: Duration,
    /// How long nothing may arrive from a caller before the call counts as lost. Browsers send
    /// 50 packets a second even in silence.
    pub media_timeout: Duration,
}

impl Default for MediaSettings {
    fn default() -> Self {
        MediaSettings {
            bind: Vec::new(),
            port: 0,
            advertise: None,
            setup_timeout: Duration::from_secs(10),
            media_timeout: Duration::from_secs(5),
        }
    }
}

/// Why the media port could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// There is nothing to bind to.
    #[error("no local network address to bind media to: name one in the media settings")]
    NoAddress,
    /// The system's list of addresses could not be read.
    #[error("could not list local network addresses: name them in the media settings ({0})")]
    Interfaces(#[source] io::Error),
    /// One address or the port is not to be had.
    #[error("could not bind UDP {address}: choose another media port or address ({source})")]
    Bind {
        /// What was to be bound.
        address: SocketAddr,
        /// The system's answer.
        #[source]
        source: io::Error,
    },
    /// Opus or the cryptography underneath does not work here.
    #[error("media could not start: {0}")]
    Engine(String),
}

/// All WebRTC calls' UDP sockets, and which packet belongs to which call.
pub struct Media {
    pub(super) settings: MediaSettings,
    pub(super) sockets: Arc<[MediaSocket]>,
    pub(super) routes: Arc<Routes>,
    readers: Vec<JoinHandle<()>>,
}

/// One local address of the port.
pub(super) struct MediaSocket {
    socket: UdpSocket,
    /// The address callers know it by: its own, or the advertised one.
    pub candidate: SocketAddr,
}

impl Media {
    /// Opens the port and begins to read from it. To be called within a tokio runtime.
    pub async fn bind(settings: MediaSettings) -> Result<Arc<Media>, BindError> {
        // The first connection of a process costs 30 to 50 ms more than the others: pay here.
        tokio::task::spawn_blocking(|| Rtc::new(std::time::Instant::now()))
            .await
            .map_err(|_| BindError::Engine("no DTLS certificate could be made".into()))?;

        let (addresses, explicit) = local_addresses(&settings.bind)?;
        let bound = bind_all(&addresses, settings.port, explicit).await?;
        let mut sockets = Vec::with_capacity(bound.len());
        for (socket, local) in bound {
            // tokio refuses to try sending on a socket before it has once been told it is ready.
            socket.writable().await.map_err(|source| BindError::Bind {
                address: local,
                source,
            })?;
            sockets.push(MediaSocket {
                socket,
                candidate: candidate(local, settings.advertise),
            });
        }

        let sockets: Arc<[MediaSocket]> = sockets.into();
        let routes = Arc::new(Routes::default());
        let readers = (0..sockets.len())
            .map(|index| tokio::spawn(read(Arc::clone(&sockets), index, Arc::clone(&routes))))
            .collect();
        Ok(Arc::new(Media {
            settings,
            sockets,
            routes,
            readers,
        }))
    }

    /// Answers a browser's offer, and gives the transport of the call it begins. The set-up
    /// time-out runs from here.
    pub fn accept_offer(
        self: &Arc<Self>,
        sdp: &str,
    ) -> Result<(WebRtcTransport, String), OfferError> {
        offer::accept(self, sdp)
    }

    /// The addresses that callers are told to send to.
    pub fn addresses(&self) -> Vec<SocketAddr> {
        let mut addresses: Vec<SocketAddr> = Vec::with_capacity(self.sockets.len());
        for socket in self.sockets.iter() {
            // Several local addresses may stand behind one advertised one.
            if !addresses.contains(&socket.candidate) {
                addresses.push(socket.candidate);
            }
        }
        addresses
    }

    /// Sends at once or not at all.
    pub(super) fn send(&self, socket: usize, datagram: &[u8], to: SocketAddr) {
        if self.sockets[socket]
            .socket
            .try_send_to(datagram, to)
            .is_err()
        {
            drops::count(drops::SEND_BLOCKED);
        }
    }
}

impl Drop for Media {
    fn drop(&mut self) {
        for reader in &self.readers {
            reader.abort();
        }
    }
}

async fn read(sockets: Arc<[MediaSocket]>, index: usize, routes: Arc<Routes>) {
    let socket = &sockets[index].socket;
    let mut block = BytesMut::with_capacity(READ_BLOCK);
    loop {
        // One byte more than the largest packet shows which ones were cut short. Once every packet
        // of a block has been dropped, `reserve` takes the block back instead of allocating.
        if block.capacity() - block.len() <= MAX_PACKET {
            block.reserve(READ_BLOCK);
        }
        match socket.recv_buf_from(&mut block).await {
            Ok((len, _)) if len > MAX_PACKET => {
                block.clear();
                drops::count(drops::OVERSIZED_PACKET);
            }
            Ok((_, source)) => routes.deliver(Packet {
                contents: block.split().freeze(),
                source,
                socket: index,
                received: Instant::now(),
            }),
            Err(error) => {
                // Nothing a caller sends makes reading fail: the network itself is in trouble.
                tracing::warn!(%error, "could not read from the media port");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

/// The addresses to bind, and whether each was asked for by name (and so must work).
fn local_addresses(wanted: &[IpAddr]) -> Result<(Vec<IpAddr>, bool), BindError> {
    let any_v4 = wanted.is_empty() || wanted.contains(&IpAddr::from([0; 4]));
    let any_v6 = wanted.is_empty() || wanted.contains(&IpAddr::from([0u16; 8]));
    let mut addresses: Vec<IpAddr> = wanted
        .iter()
        .copied()
        .filter(|a| !a.is_unspecified())
        .collect();
    if any_v4 || any_v6 {
        let interfaces = if_addrs::get_if_addrs().map_err(BindError::Interfaces)?;
        addresses.extend(
            interfaces
                .iter()
                .map(if_addrs::Interface::ip)
                .filter(|address| match address {
                    IpAddr::V4(v4) => any_v4 && !v4.is_link_local(),
                    IpAddr::V6(v6) => any_v6 && !v6.is_unicast_link_local(),
                }),
        );
    }
    // Earlier candidates are preferred: whoever can reach a real address should use that one.
    addresses.sort_by_key(|a| (a.is_loopback(), *a));
    addresses.dedup();
    if addresses.is_empty() {
        return Err(BindError::NoAddress);
    }
    Ok((addresses, !any_v4 && !any_v6))
}

async fn bind_all(
    addresses: &[IpAddr],
    port: u16,
    explicit: bool,
) -> Result<Vec<(UdpSocket, SocketAddr)>, BindError> {
    let mut attempts = 1;
    loop {
        match bind_on_one_port(addresses, port, explicit).await {
            Err(BindError::Bind { source, .. })
                if port == 0
                    && source.kind() == io::ErrorKind::AddrInUse
                    && attempts < PORT_ATTEMPTS =>
            {
                attempts += 1;
            }
            result => return result,
        }
    }
}

async fn bind_on_one_port(
    addresses: &[IpAddr],
    mut port: u16,
    explicit: bool,
) -> Result<Vec<(UdpSocket, SocketAddr)>, BindError> {
    let mut bound = Vec::with_capacity(addresses.len());
    let mut refused = None;
    for ip in addresses {
        let address = SocketAddr::new(*ip, port);
        let socket = async {
            let socket = UdpSocket::bind(address).await?;
            let local = socket.local_addr()?;
            io::Result::Ok((socket, local))
        };
        match socket.await {
            Ok((socket, local)) => {
                port = local.port();
                bound.push((socket, local));
            }
            // An interface may list an address that is not to be had (yet); the others will do.
            Err(source) if !explicit && source.kind() == io::ErrorKind::AddrNotAvailable => {
                tracing::warn!(%address, "skipped a local address that cannot be bound");
                refused = Some(BindError::Bind { address, source });
            }
            Err(source) => return Err(BindError::Bind { address, source }),
        }
    }
    match refused {
        Some(refused) if bound.is_empty() => Err(refused),
        _ => Ok(bound),
    }
}

fn candidate(local: SocketAddr, advertise: Option<IpAddr>) -> SocketAddr {
    match advertise {
        Some(ip) if ip.is_ipv4() == local.is_ipv4() && !local.ip().is_loopback() => {
            SocketAddr::new(ip, local.port())
        }
        _ => local,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn an_advertised_address_replaces_local_ones_of_its_family_but_not_loopback() {
        let public = IpAddr::from([203, 0, 113, 7]);
        let seen = |local: &str| candidate(local.parse().unwrap(), Some(public)).to_string();
        assert_eq!(seen("10.0.0.5:7000"), "203.0.113.7:7000");
        assert_eq!(seen("127.0.0.1:7000"), "127.0.0.1:7000");
        assert_eq!(seen("[2001:db8::1]:7000"), "[2001:db8::1]:7000");
    }

    #[test]
    fn without_named_addresses_every_local_one_is_used_and_loopback_comes_last() {
        let (addresses, explicit) = local_addresses(&[]).unwrap();
        assert!(!explicit);
        assert!(addresses.contains(&IpAddr::from([127, 0, 0, 1])));
        assert!(addresses.last().unwrap().is_loopback());
    }

    #[tokio::test]
    async fn all_addresses_share_one_port() {
        let media = Media::bind(MediaSettings::default()).await.unwrap();
        let ports: BTreeSet<_> = media.addresses().iter().map(SocketAddr::port).collect();
        assert_eq!(ports.len(), 1);
        assert!(!ports.contains(&0));
    }

    #[tokio::test]
    async fn a_port_that_is_taken_is_named_in_the_error() {
        let taken = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        let settings = MediaSettings {
            bind: vec![IpAddr::from([127, 0, 0, 1])],
            port: taken.local_addr().unwrap().port(),
            ..MediaSettings::default()
        };
        let error = Media::bind(settings).await.err().unwrap().to_string();
        assert!(
            error.contains(&taken.local_addr().unwrap().to_string()),
            "{error}"
        );
    }
}
