//! Where a request comes from: the connection's other end or, behind proxies that are named in the settings, who they say
//! it is. It serves to share what is scarce and for nothing else: an address is personal, and cannot be printed.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

use axum::http::{HeaderMap, HeaderName, header};
use ipnet::IpNet;

/// Each proxy adds who asked it at the end. `Forwarded` is not read beside it: a proxy that writes one hands on the other
/// as a stranger wrote it.
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// One client's network: an IPv4 address, or the /64 of an IPv6 address, which is a household's or a telephone's.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClientAddress(IpAddr);

impl ClientAddress {
    pub fn of(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from(u128::from(v6) >> 64 << 64)),
            v4 => v4,
        })
    }
}

impl fmt::Debug for ClientAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[address]")
    }
}

/// On a request that a program or browser of this machine itself made. A proxy on the same machine has requests of
/// strangers look so, but for what it writes into them, and for the host, which stays the one that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FromThisMachine;

/// By which a proxy tells that it passes something on.
const PASSED_ON: [&str; 6] = [
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-real-ip",
    "forwarded",
    "via",
];

impl FromThisMachine {
    pub fn of(peer: IpAddr, headers: &HeaderMap) -> Option<Self> {
        let passed_on = PASSED_ON.iter().any(|name| headers.contains_key(*name));
        let host = headers
            .get(header::HOST)
            .map(|host| host.to_str().unwrap_or_default());
        let meant = host.is_none_or(names_this_machine);
        (peer.to_canonical().is_loopback() && meant && !passed_on).then_some(Self)
    }
}

/// A name that somebody elsewhere gives away may lead here as well: a page under it would be asking.
fn names_this_machine(host: &str) -> bool {
    let name = host.rsplit_once(':').map_or(host, |(name, port)| {
        match port.bytes().all(|byte| byte.is_ascii_digit()) {
            true => name,
            false => host,
        }
    });
    name.eq_ignore_ascii_case("localhost")
        || address_in(name).is_some_and(|address| address.is_loopback())
}

/// The proxies whose word is taken.
#[derive(Debug, Clone, Default)]
pub struct TrustedProxies(pub Vec<IpNet>);

impl TrustedProxies {
    pub fn include(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }

    /// The last address on the way here that is no proxy of ours. What stands before it anybody may have written.
    pub fn client(&self, peer: IpAddr, headers: &HeaderMap) -> ClientAddress {
        let told = headers.get_all(FORWARDED_FOR);
        let told: Vec<&str> = told
            .iter()
            .flat_map(|value| value.to_str().unwrap_or_default().split(','))
            .collect();
        let mut client = peer;
        for before in told.into_iter().rev() {
            if !self.include(client) {
                break;
            }
            match address_in(before.trim()) {
                Some(before) => client = before,
                None => break,
            }
        }
        ClientAddress::of(client)
    }
}

/// Some proxies add the port, and then IPv6 addresses stand in brackets.
fn address_in(text: &str) -> Option<IpAddr> {
    let with_port = text
        .parse()
        .map(|address: std::net::SocketAddr| address.ip());
    let bare = text.trim_start_matches('[').trim_end_matches(']');
    bare.parse().or(with_port).ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn client(proxies: &[&str], peer: &str, told: &[&str]) -> ClientAddress {
        let proxies = proxies.iter().map(|proxy| proxy.parse().unwrap());
        let mut headers = HeaderMap::new();
        for value in told {
            headers.append(FORWARDED_FOR, value.parse().unwrap());
        }
        TrustedProxies(proxies.collect()).client(peer.parse().unwrap(), &headers)
    }

    fn at(address: &str) -> ClientAddress {
        ClientAddress::of(address.parse().unwrap())
    }

    #[test]
    fn a_stranger_who_claims_to_be_a_proxy_is_taken_for_nobody_else() {
        let told = &["203.0.113.7"];
        assert_eq!(client(&[], "192.0.2.1", told), at("192.0.2.1"));
        let proxies = &["10.0.0.0/8"];
        assert_eq!(client(proxies, "192.0.2.1", told), at("192.0.2.1"));
    }

    #[test]
    fn behind_named_proxies_the_client_is_the_last_who_is_none() {
        let proxies = &["10.0.0.0/8", "2001:db8:1::/48"];
        let invented = "198.51.100.1, 203.0.113.7, 10.0.0.2";
        assert_eq!(client(proxies, "10.0.0.1", &[invented]), at("203.0.113.7"));
        let in_two = &["198.51.100.1", "203.0.113.7"];
        assert_eq!(
            client(proxies, "::ffff:10.0.0.1", in_two),
            at("203.0.113.7")
        );
        assert_eq!(client(proxies, "10.0.0.1", &[]), at("10.0.0.1"));
        assert_eq!(client(proxies, "10.0.0.1", &["unknown"]), at("10.0.0.1"));
    }

    #[test]
    fn a_port_and_brackets_around_an_address_are_no_part_of_it() {
        let proxies = &["10.0.0.0/8"];
        for written in ["2001:db8::7", "[2001:db8::7]", "[2001:db8::7]:4711"] {
            assert_eq!(client(proxies, "10.0.0.1", &[written]), at("2001:db8::7"));
        }
        assert_eq!(
            client(proxies, "10.0.0.1", &["192.0.2.7:80"]),
            at("192.0.2.7")
        );
    }

    #[test]
    fn one_household_of_ipv6_is_one_client_and_its_neighbour_another() {
        assert_eq!(at("2001:db8:0:1::1"), at("2001:db8:0:1:ffff::2"));
        assert_ne!(at("2001:db8:0:1::1"), at("2001:db8:0:2::1"));
        assert_ne!(at("192.0.2.1"), at("192.0.2.2"));
    }

    fn is_from_here(peer: &str, told: &[(&'static str, &str)]) -> bool {
        let mut headers = HeaderMap::new();
        for (name, value) in told {
            headers.insert(*name, value.parse().unwrap());
        }
        FromThisMachine::of(peer.parse().unwrap(), &headers).is_some()
    }

    #[test]
    fn what_is_asked_from_this_machine_is_told_from_what_a_proxy_on_it_passes_on() {
        for host in [
            "127.0.0.1:8080",
            "localhost",
            "LOCALHOST:8080",
            "[::1]:8080",
            "[::1]",
        ] {
            assert!(is_from_here("127.0.0.1", &[("host", host)]), "{host}");
        }
        assert!(is_from_here("::1", &[]));
        assert!(is_from_here("::ffff:127.0.0.1", &[("host", "127.0.0.1")]));
        for elsewhere in ["192.0.2.7", "::ffff:192.0.2.7", "10.0.0.1"] {
            assert!(!is_from_here(elsewhere, &[("host", "127.0.0.1:8080")]));
        }
        for name in PASSED_ON {
            let told = [("host", "127.0.0.1:8080"), (name, "127.0.0.1")];
            assert!(!is_from_here("127.0.0.1", &told), "{name}");
        }
    }

    #[test]
    fn a_name_of_elsewhere_that_leads_here_is_not_this_machine() {
        for host in [
            "line.example",
            "line.example:8080",
            "127.0.0.1.line.example",
            "192.0.2.7:80",
        ] {
            assert!(!is_from_here("127.0.0.1", &[("host", host)]), "{host}");
        }
    }

    #[test]
    fn an_address_is_not_printed() {
        assert_eq!(format!("{:?}", at("192.0.2.1")), "[address]");
    }
}
