//! Passwords: Argon2id, on threads that may block, a few at a time. Hashing takes memory and a core, and calls are
//! answered on the same machine.

use std::sync::Arc;
use std::time::Duration;

use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use redact::Secret;
use tokio::sync::{OnceCell, Semaphore};

use crate::token::new_token;

/// OWASP's Password Storage Cheat Sheet: 19 MiB, two passes, one lane.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;

const AT_ONCE: usize = 2;
/// Whoever waits longer is told to try again.
const PATIENCE: Duration = Duration::from_secs(5);

/// What NIST SP 800-63B asks of a password beside a second factor is eight; these stand before callers' words.
const SHORTEST: usize = 12;
/// In bytes: longer ones serve to keep the server busy.
const LONGEST: usize = 512;

/// Too many are being hashed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Busy;

#[derive(Clone)]
pub(crate) struct Passwords {
    room: Arc<Semaphore>,
    /// Of no password: looked at where there is no account, so that it takes as long.
    nobodys: Arc<OnceCell<Secret<String>>>,
}

impl Passwords {
    pub fn new() -> Self {
        Self {
            room: Arc::new(Semaphore::new(AT_ONCE)),
            nobodys: Arc::default(),
        }
    }

    pub async fn hash(&self, password: Secret<String>) -> Result<Secret<String>, Busy> {
        self.working(move || {
            let hash = argon2().hash_password(password.expose_secret().as_bytes());
            let hash = hash.expect("the system gives random bytes, and the parameters are sound");
            Secret::new(hash.to_string())
        })
        .await
    }

    /// Whether it is this hash's password. Takes as long without a hash, and is then false.
    pub async fn is(
        &self,
        password: Secret<String>,
        hash: Option<Secret<String>>,
    ) -> Result<bool, Busy> {
        let nobodys = self
            .nobodys
            .get_or_try_init(|| self.hash(new_token().0))
            .await?;
        let known = hash.is_some();
        let hash = hash.unwrap_or_else(|| nobodys.clone());
        self.working(move || {
            // Nobody types so much.
            let password = password.expose_secret().as_bytes();
            let password = password.get(..LONGEST).unwrap_or(password);
            let fits = argon2().verify_password(password, hash.expose_secret().as_str());
            fits.is_ok() && known
        })
        .await
    }

    async fn working<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Busy> {
        let room = Arc::clone(&self.room).acquire_owned();
        let room = tokio::time::timeout(PATIENCE, room)
            .await
            .map_err(|_| Busy)?;
        let worked = tokio::task::spawn_blocking(move || {
            let _room = room;
            work()
        });
        worked.await.map_err(|_| Busy)
    }
}

/// Whether a new password may be taken; `name` is the account's sign-in name.
pub(crate) fn is_good(password: &Secret<String>, name: &str) -> bool {
    let password = password.expose_secret();
    let mut characters: Vec<char> = password.chars().collect();
    let long_enough = characters.len() >= SHORTEST && password.len() <= LONGEST;
    characters.sort_unstable();
    characters.dedup();
    // A word said over and over, or what everybody knows.
    let varied = characters.len() >= 5;
    long_enough && varied && !password.to_lowercase().contains(name)
}

fn argon2() -> Argon2<'static> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None).expect("within Argon2's bounds");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn secret(text: &str) -> Secret<String> {
        Secret::new(text.to_owned())
    }

    #[tokio::test]
    async fn a_password_is_kept_as_argon2id_with_the_recommended_cost() {
        let passwords = Passwords::new();
        let hash = passwords.hash(secret("a lantern at 3 am")).await.unwrap();
        let text = hash.expose_secret();
        assert!(
            text.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"),
            "{text}"
        );
        let again = passwords.hash(secret("a lantern at 3 am")).await.unwrap();
        assert_ne!(text, again.expose_secret(), "each has a salt of its own");
    }

    #[tokio::test]
    async fn a_hash_knows_its_password_and_no_other() {
        let passwords = Passwords::new();
        let hash = passwords.hash(secret("a lantern at 3 am")).await.unwrap();
        let is = async |text| {
            passwords
                .is(secret(text), Some(hash.clone()))
                .await
                .unwrap()
        };
        assert!(is("a lantern at 3 am").await);
        assert!(!is("a lantern at 4 am").await);
        assert!(!is("").await);
        let nobody = passwords.is(secret("a lantern at 3 am"), None).await;
        assert_eq!(nobody, Ok(false));
    }

    #[test]
    fn a_new_password_is_long_varied_and_not_ones_name() {
        let good = |text| is_good(&secret(text), "mei@line.example");
        assert!(good("a lantern at 3 am"));
        for bad in ["short", "aaaaaaaaaaaaaaaa", "12 Mei@line.example", ""] {
            assert!(!good(bad), "{bad}");
        }
        assert!(!good("a lantern at 3 am ".repeat(40).as_str()));
    }
}
