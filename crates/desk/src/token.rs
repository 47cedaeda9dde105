//! Secrets that a browser, a link or a program holds: random, and known here by their digest alone. Who reads the database cannot use
//! them.

use std::fmt;

use data_encoding::{BASE32_NOPAD, HEXLOWER};
use rand::RngExt;
use redact::Secret;
use sha2::{Digest as _, Sha256};

const BYTES: usize = 32;

/// SHA-256 of a token, in hexadecimal digits. A token is random enough to need no slower digest.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest(pub(crate) String);

impl Digest {
    /// Of whatever was brought: one that we did not make has a digest nobody has.
    pub fn of(token: &str) -> Self {
        Self(HEXLOWER.encode(&Sha256::digest(token.as_bytes())))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[digest]")
    }
}

/// A new token of 256 random bits, and its digest.
pub fn new_token() -> (Secret<String>, Digest) {
    let token = HEXLOWER.encode(&random::<BYTES>());
    let digest = Digest::of(&token);
    (Secret::new(token), digest)
}

/// Random letters and digits to be typed by hand: two groups of eight, 80 bits.
pub(crate) fn new_code() -> String {
    let code = BASE32_NOPAD.encode(&random::<10>()).to_lowercase();
    let (first, second) = code.split_at(8);
    format!("{first}-{second}")
}

pub(crate) fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    rand::rng().fill(&mut bytes[..]);
    bytes
}
