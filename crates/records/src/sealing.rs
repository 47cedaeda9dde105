//! What is personal in a record, sealed before it is stored and opened when it is read: encrypted, and bound to where it
//! stands, so that a value that was altered, or moved to another record, column or turn, is not taken for one of its own.
//!
//! A sealed value is text in every database and every column: `"sealed:1:KEY:BYTES"`, quotes with it, which is JSON where a column asks
//! for JSON. No value in the clear begins so. It names its key, so that several can be in use while records pass from one to the
//! next. Without a key values are stored as they are. Which columns are sealed, the rows say; where keys come from, the server.

use std::fmt;
use std::sync::Arc;

use aws_lc_rs::aead::{AES_256_GCM_SIV, Aad, Nonce, RandomizedNonceKey};
use aws_lc_rs::{digest, rand};
use data_encoding::{BASE64_NOPAD, HEXLOWER, HEXLOWER_PERMISSIVE};
use redact::Secret;
use uuid::Uuid;

use crate::call_record::CallId;

const KEY_BYTES: usize = 32;
const ID_BYTES: usize = 8;
const NONCE_BYTES: usize = 12;

const MARK: &str = "\"sealed:";
const VERSION: &str = "1";

/// A new records key, as settings take it.
pub fn new_records_key() -> Secret<String> {
    let mut key = [0; KEY_BYTES];
    rand::fill(&mut key).expect("the system gives random bytes, or ends the program");
    Secret::new(HEXLOWER.encode(&key))
}

/// Why keys cannot be used. None is repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RecordsKeysError {
    #[error("one of them is not 64 hexadecimal digits")]
    NotAKey,
    #[error("one of them stands there twice")]
    Twice,
}

/// The keys that records are sealed with: the first writes, all of them read. Cheap to clone.
#[derive(Clone, Default)]
pub struct RecordsKeys(Arc<[Key]>);

struct Key {
    id: String,
    cipher: RandomizedNonceKey,
}

impl RecordsKeys {
    /// No key: values are stored as they are.
    pub fn none() -> Self {
        Self::default()
    }

    /// Keys as [`new_records_key`] makes them, with commas or white space between; what follows a `#` in a line is a remark.
    pub fn parse(text: &str) -> Result<Self, RecordsKeysError> {
        let mut keys: Vec<Key> = Vec::new();
        let lines = text
            .lines()
            .map(|line| line.split('#').next().unwrap_or(""));
        let texts = lines.flat_map(|line| line.split([',', ' ', '\t', '\r']));
        for text in texts.filter(|text| !text.is_empty()) {
            let key = Key::parse(text)?;
            if keys.iter().any(|other| other.id == key.id) {
                return Err(RecordsKeysError::Twice);
            }
            keys.push(key);
        }
        Ok(Self(keys.into()))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// By what values name them: nothing of the keys themselves can be told from it.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|key| key.id.as_str())
    }

    /// The value as it is to be stored.
    pub(crate) fn seal(&self, call: CallId, part: Part, clear: String) -> String {
        match self.0.first() {
            Some(key) => key.seal(call, part, clear),
            None => clear,
        }
    }

    /// The value as it was before it was sealed; one in the clear as it is.
    pub(crate) fn open(
        &self,
        call: CallId,
        part: Part,
        stored: String,
    ) -> Result<String, Unopened> {
        if !stored.starts_with(MARK) {
            return Ok(stored);
        }
        let (id, bytes) = fields(&stored).ok_or(Unopened::Altered)?;
        let key = self.0.iter().find(|key| key.id == id);
        key.ok_or(Unopened::KeyMissing)?.open(call, part, bytes)
    }

    /// The secret of an account's authenticator as it is to be stored.
    pub fn seal_of_account(&self, account: Uuid, secret: &Secret<String>) -> String {
        let clear = secret.expose_secret().clone();
        self.seal(CallId(account), Part::SignInSecret, clear)
    }

    /// The secret as it was before it was sealed.
    pub fn open_of_account(
        &self,
        account: Uuid,
        stored: String,
    ) -> Result<Secret<String>, Unopened> {
        let opened = self.open(CallId(account), Part::SignInSecret, stored);
        opened.map(Secret::new)
    }

    /// What people wrote at the desk, as it is to be stored: of a case, or of a follow-up whose id stands in the place of a call's.
    pub fn seal_of_desk(&self, row: Uuid, part: DeskPart, clear: &Secret<String>) -> String {
        let clear = clear.expose_secret().clone();
        self.seal(CallId(row), Part::OfDesk(part), clear)
    }

    /// What was written as it was before it was sealed.
    pub fn open_of_desk(
        &self,
        row: Uuid,
        part: DeskPart,
        stored: String,
    ) -> Result<Secret<String>, Unopened> {
        let opened = self.open(CallId(row), Part::OfDesk(part), stored);
        opened.map(Secret::new)
    }

    /// What a program keeps, as it is to be stored.
    pub fn seal_of_resource(
        &self,
        resource: Uuid,
        part: ResourcePart,
        clear: &Secret<String>,
    ) -> String {
        let clear = clear.expose_secret().clone();
        self.seal(CallId(resource), Part::OfResource(part), clear)
    }

    /// What a program keeps as it was before it was sealed.
    pub fn open_of_resource(
        &self,
        resource: Uuid,
        part: ResourcePart,
        stored: String,
    ) -> Result<Secret<String>, Unopened> {
        let opened = self.open(CallId(resource), Part::OfResource(part), stored);
        opened.map(Secret::new)
    }

    /// The value sealed with the first key, if it is not already.
    pub(crate) fn seal_anew(
        &self,
        call: CallId,
        part: Part,
        stored: String,
    ) -> Result<Option<String>, Unopened> {
        if self
            .current()
            .is_none_or(|start| stored.starts_with(&start))
        {
            return Ok(None);
        }
        let clear = self.open(call, part, stored)?;
        Ok(Some(self.seal(call, part, clear)))
    }

    /// Says loudly which of the keys that values were sealed with are not here.
    pub(crate) fn tell_what_is_missing(&self, used: &[String]) {
        let missing: Vec<&String> = used
            .iter()
            .filter(|used| self.ids().all(|id| id != *used))
            .collect();
        if !missing.is_empty() {
            tracing::error!(
                ?missing,
                "records were sealed with keys that are not set: they are listed as unreadable and stay as they are until \
                 `records_keys` or `records_keys_file` has these keys again"
            );
        }
    }

    /// What every value begins with that is sealed with the first key.
    pub(crate) fn current(&self) -> Option<String> {
        let key = self.0.first()?;
        Some(format!("{MARK}{VERSION}:{}:", key.id))
    }
}

impl fmt::Debug for RecordsKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.ids()).finish()
    }
}

impl Key {
    fn parse(text: &str) -> Result<Self, RecordsKeysError> {
        let bytes = HEXLOWER_PERMISSIVE
            .decode(text.as_bytes())
            .ok()
            .filter(|bytes| bytes.len() == KEY_BYTES)
            .ok_or(RecordsKeysError::NotAKey)?;
        let mut id = digest::Context::new(&digest::SHA256);
        id.update(b"nightlight: the name of a records key\0");
        id.update(&bytes);
        Ok(Self {
            id: HEXLOWER.encode(&id.finish().as_ref()[..ID_BYTES]),
            cipher: RandomizedNonceKey::new(&AES_256_GCM_SIV, &bytes)
                .expect("the key has the cipher's length"),
        })
    }

    fn seal(&self, call: CallId, part: Part, clear: String) -> String {
        let mut bytes = clear.into_bytes();
        let nonce = self
            .cipher
            .seal_in_place_append_tag(part.of(call), &mut bytes)
            .expect("no value of a record comes near the cipher's bound");
        let mut whole = nonce.as_ref().to_vec();
        whole.append(&mut bytes);
        let (id, bytes) = (&self.id, BASE64_NOPAD.encode(&whole));
        format!("{MARK}{VERSION}:{id}:{bytes}\"")
    }

    fn open(&self, call: CallId, part: Part, bytes: &str) -> Result<String, Unopened> {
        let altered = |_| Unopened::Altered;
        let whole = BASE64_NOPAD.decode(bytes.as_bytes()).map_err(altered)?;
        let (nonce, sealed) = whole
            .split_at_checked(NONCE_BYTES)
            .ok_or(Unopened::Altered)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| Unopened::Altered)?;
        let mut sealed = sealed.to_vec();
        let clear = self
            .cipher
            .open_in_place(nonce, part.of(call), &mut sealed)
            .map_err(|_| Unopened::Altered)?;
        String::from_utf8(clear.to_vec()).map_err(|_| Unopened::Altered)
    }
}

/// The key's name and the bytes of a sealed value.
fn fields(stored: &str) -> Option<(&str, &str)> {
    let sealed = stored.strip_prefix(MARK)?.strip_suffix('"')?;
    let (version, sealed) = sealed.split_once(':')?;
    (version == VERSION)
        .then(|| sealed.split_once(':'))
        .flatten()
}

/// The name of the key that a value was sealed with.
pub(crate) fn key_of(stored: &str) -> Option<&str> {
    Some(fields(stored)?.0)
}

/// Which value of a record, and of which turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Note,
    Messages,
    TurnMessages(i64),
    Conversation(i64),
    /// Of an account at the desk, whose id stands in the place of a call's.
    SignInSecret,
    OfDesk(DeskPart),
    /// What a program calls a call.
    LabelName,
    /// How it wants the call held.
    LabelManner,
    /// Of what a program keeps, whose id stands in the place of a call's.
    OfResource(ResourcePart),
}

/// Which value of what is kept at the desk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeskPart {
    /// A case's edited note, its caller's number and the action taken.
    CaseContent,
    /// The words of a case's act with this number.
    CaseAct(i64),
    FollowUp,
    HoldReason,
    /// What callers' numbers are digested with: of no case.
    CallerKey,
}

/// Which value of what a program keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResourcePart {
    Body,
    /// What is in a file.
    Content,
}

impl Part {
    /// What a sealed value is bound to.
    fn of(self, call: CallId) -> Aad<Vec<u8>> {
        let (name, turn) = match self {
            Self::Note => ("note", 0),
            Self::Messages => ("messages", 0),
            Self::TurnMessages(turn) => ("turn messages", turn),
            Self::Conversation(turn) => ("conversation", turn),
            Self::SignInSecret => ("sign-in secret", 0),
            Self::OfDesk(DeskPart::CaseContent) => ("case content", 0),
            Self::OfDesk(DeskPart::CaseAct(number)) => ("case act", number),
            Self::OfDesk(DeskPart::FollowUp) => ("follow-up", 0),
            Self::OfDesk(DeskPart::HoldReason) => ("hold reason", 0),
            Self::OfDesk(DeskPart::CallerKey) => ("callers' key", 0),
            Self::LabelName => ("label name", 0),
            Self::LabelManner => ("label manner", 0),
            Self::OfResource(ResourcePart::Body) => ("resource body", 0),
            Self::OfResource(ResourcePart::Content) => ("resource content", 0),
        };
        let name = name.as_bytes();
        Aad::from([call.0.as_bytes(), &turn.to_be_bytes()[..], name].concat())
    }
}

/// Why a sealed value is not told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unopened {
    #[error("its key is not among those that are set")]
    KeyMissing,
    #[error("it was altered, or is another record's")]
    Altered,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::prelude::*;

    use super::*;

    fn keys(count: usize) -> Vec<String> {
        (0..count)
            .map(|_| new_records_key().expose_secret().clone())
            .collect()
    }

    fn of(keys: &[String]) -> RecordsKeys {
        RecordsKeys::parse(&keys.join(",")).unwrap()
    }

    fn part() -> impl Strategy<Value = Part> {
        prop_oneof![
            Just(Part::Note),
            Just(Part::Messages),
            (0..i64::from(u32::MAX)).prop_map(Part::TurnMessages),
            (0..i64::from(u32::MAX)).prop_map(Part::Conversation),
            Just(Part::SignInSecret),
            Just(Part::OfDesk(DeskPart::CaseContent)),
            (0..i64::from(u32::MAX)).prop_map(|number| Part::OfDesk(DeskPart::CaseAct(number))),
            Just(Part::OfDesk(DeskPart::FollowUp)),
            Just(Part::OfDesk(DeskPart::HoldReason)),
            Just(Part::OfDesk(DeskPart::CallerKey)),
            Just(Part::LabelName),
            Just(Part::LabelManner),
            Just(Part::OfResource(ResourcePart::Body)),
            Just(Part::OfResource(ResourcePart::Content)),
        ]
    }

    fn call() -> impl Strategy<Value = CallId> {
        any::<u128>().prop_map(|id| CallId(Uuid::from_u128(id)))
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_is_sealed_is_opened_where_it_stands_and_is_json(clear in ".{0,400}", call in call(), part in part()) {
            let keys = of(&keys(2));
            let sealed = keys.seal(call, part, clear.clone());
            prop_assert!(clear.len() < 4 || !sealed.contains(&clear));
            prop_assert!(serde_json::from_str::<String>(&sealed).is_ok());
            prop_assert_eq!(keys.open(call, part, sealed), Ok(clear));
        }

        #[test]
        fn a_value_is_opened_in_no_other_place(clear in ".{0,40}", call in call(), others in call(), part in part(), other in part()) {
            let keys = of(&keys(1));
            let sealed = keys.seal(call, part, clear);
            prop_assert_eq!(keys.open(others, part, sealed.clone()), Err(Unopened::Altered));
            if other != part {
                prop_assert_eq!(keys.open(call, other, sealed), Err(Unopened::Altered));
            }
        }

        #[test]
        fn a_value_with_one_altered_character_is_not_opened(clear in ".{0,40}", call in call(), part in part(), place in any::<prop::sample::Index>(), character in "[!-~]") {
            let keys = of(&keys(1));
            let sealed = keys.seal(call, part, clear);
            // Before the mark's end it would be a value in the clear, which JSON refuses.
            let place = MARK.len() + place.index(sealed.len() - MARK.len());
            let mut altered = sealed.clone();
            altered.replace_range(place..=place, &character);
            prop_assume!(altered != sealed);
            prop_assert!(keys.open(call, part, altered).is_err());
        }
    }

    #[test]
    fn the_same_words_are_never_sealed_alike() {
        let (keys, call) = (of(&keys(1)), CallId::random());
        let sealed = || keys.seal(call, Part::Note, "help".to_owned());
        assert_ne!(sealed(), sealed());
    }

    #[test]
    fn the_first_key_writes_and_every_key_reads() {
        let [old, new, other] = <[String; 3]>::try_from(keys(3)).unwrap();
        let call = CallId::random();
        let sealed = of(std::slice::from_ref(&old)).seal(call, Part::Note, "help".to_owned());
        let both = of(&[new.clone(), old]);
        let opened = both.open(call, Part::Note, sealed.clone());
        assert_eq!(opened.as_deref(), Ok("help"));
        let written = both.seal(call, Part::Note, "help".to_owned());
        assert_eq!(
            key_of(&written),
            of(std::slice::from_ref(&new)).ids().next()
        );
        for keys in [of(&[new, other]), RecordsKeys::none()] {
            let refused = keys.open(call, Part::Note, sealed.clone());
            assert_eq!(refused, Err(Unopened::KeyMissing));
        }
    }

    #[test]
    fn without_a_key_values_are_stored_as_they_are_and_old_ones_are_read_with_one() {
        let (call, clear) = (CallId::random(), String::from("{\"summary\":\"help\"}"));
        let stored = RecordsKeys::none().seal(call, Part::Note, clear.clone());
        assert_eq!(stored, clear);
        assert_eq!(of(&keys(1)).open(call, Part::Note, stored), Ok(clear));
    }

    #[test]
    fn what_only_begins_as_a_sealed_value_is_not_taken_for_one_in_the_clear() {
        let (keys, call) = (of(&keys(1)), CallId::random());
        for stored in [
            "\"sealed:\"",
            "\"sealed:1:\"",
            "\"sealed:2:a:b\"",
            "\"sealed:1:::\"",
        ] {
            let opened = keys.open(call, Part::Note, stored.to_owned());
            assert!(opened.is_err(), "{stored}");
        }
    }

    #[test]
    fn a_key_is_64_hexadecimal_digits_and_stands_there_once() {
        let key = keys(1).remove(0);
        assert_eq!(key.len(), 64);
        assert!(RecordsKeys::parse(" # none yet\n\n").unwrap().is_empty());
        let refused = |text: &str| RecordsKeys::parse(text).err();
        assert_eq!(refused(&key[1..]), Some(RecordsKeysError::NotAKey));
        assert_eq!(refused("a word"), Some(RecordsKeysError::NotAKey));
        let twice = format!("{key}\n{}", key.to_uppercase());
        assert_eq!(refused(&twice), Some(RecordsKeysError::Twice));
        assert!(!format!("{:?}", of(std::slice::from_ref(&key))).contains(&key));
    }
}
