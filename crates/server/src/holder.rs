//! Who holds what is scarce: lines not joined yet, conversations that have hardly begun. While there is room nobody is
//! asked. Where there is none, who holds most of it gives way first, and never to somebody who would then hold as much.

use std::collections::HashMap;
use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use records::VisitorId;

use crate::client_address::ClientAddress;
use crate::session::Visitor;

/// A visitor, and where they ask from. What was taken up again after a restart came from nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holder {
    pub visitor: VisitorId,
    pub address: Option<ClientAddress>,
}

impl From<VisitorId> for Holder {
    fn from(visitor: VisitorId) -> Self {
        Self {
            visitor,
            address: None,
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Holder {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Self::Rejection> {
        let Visitor(visitor) = Visitor::from_request_parts(parts, state).await?;
        let address = parts.extensions.get().copied();
        Ok(Self { visitor, address })
    }
}

/// How much of one thing each holds.
#[derive(Debug, Default)]
pub struct Shares {
    of_visitors: HashMap<VisitorId, usize>,
    of_addresses: HashMap<ClientAddress, usize>,
}

impl FromIterator<Holder> for Shares {
    fn from_iter<I: IntoIterator<Item = Holder>>(holders: I) -> Self {
        let mut shares = Self::default();
        for holder in holders {
            *shares.of_visitors.entry(holder.visitor).or_default() += 1;
            if let Some(address) = holder.address {
                *shares.of_addresses.entry(address).or_default() += 1;
            }
        }
        shares
    }
}

impl Shares {
    /// What to compare holders by: their visitor's or their address's share, whichever is greater. A visitor without a
    /// cookie is new each time, and an address may be a whole school's.
    pub fn of(&self, holder: Holder) -> (usize, usize) {
        let (visitor, address) = (self.of_visitor(holder), self.of_address(holder));
        (visitor.max(address), visitor)
    }

    /// Whether this visitor holds more than the asking one would.
    pub fn visitor_exceeds(&self, holder: Holder, asking: Holder) -> bool {
        self.of_visitor(holder) > self.of_visitor(asking) + 1
    }

    /// The same of their addresses.
    pub fn address_exceeds(&self, holder: Holder, asking: Holder) -> bool {
        self.of_address(holder) > self.of_address(asking) + 1
    }

    fn of_visitor(&self, holder: Holder) -> usize {
        self.of_visitors.get(&holder.visitor).copied().unwrap_or(0)
    }

    fn of_address(&self, holder: Holder) -> usize {
        let of = |address| self.of_addresses.get(&address).copied();
        holder.address.and_then(of).unwrap_or(0)
    }
}
