//! The audit trail: who did what at the desk, and when. It is only added to, and each entry holds the hash of the one before
//! it: whoever changes, takes out or puts in an entry has to write anew everything after it.
//!
//! It holds ids and never content. What [`Verification`] cannot find: entries cut off at the end, and a trail that was
//! written anew from some entry on, hashes and all. Both differ from a [`Head`] that was kept elsewhere.

use std::fmt;
use std::str::FromStr;

use data_encoding::HEXLOWER;
use flow::Hint;
use jiff::Timestamp;
use records::CallId;
use sha2::{Digest, Sha256};

use crate::account::AccountId;

/// Entries are hashed behind this: a hash of something else is never one of an entry.
const OF_AN_ENTRY: &[u8] = b"nightlight: an entry of the audit trail 1\0";
/// Before the first entry.
const NO_HASH: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// Who did it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    Account(AccountId),
    /// Whoever runs the server, from its machine.
    CommandLine,
    /// A program that holds the private key.
    PrivateKey,
    /// Somebody who was not signed in.
    Nobody,
    /// The software by itself.
    Server,
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Account(id) => write!(f, "account {id}"),
            Self::CommandLine => f.write_str("command line"),
            Self::PrivateKey => f.write_str("private key"),
            Self::Nobody => f.write_str("nobody"),
            Self::Server => f.write_str("server"),
        }
    }
}

macro_rules! what {
    ($($(#[doc = $meaning:literal])* $what:ident $code:literal,)+) => {
        /// What was done.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum What {
            $($(#[doc = $meaning])* $what,)+
            /// Which hint the assistant of a live call was given.
            Whispered(Hint),
        }

        impl What {
            /// All but the hints.
            pub const ALL: &[Self] = &[$(Self::$what),+];

            /// Stable: it is hashed.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$what => $code,)+
                    Self::Whispered(hint) => whispered(hint),
                }
            }
        }
    };
}

what! {
    AccountInvited "account invited",
    /// A new link for an account there is.
    InvitedAgain "account invited again",
    /// Password and authenticator were set.
    InvitationAccepted "invitation accepted",
    AccountChanged "account changed",
    RoleChanged "role changed",
    AccountClosed "account closed",
    SignedIn "signed in",
    /// With one of the codes for when the authenticator is lost.
    SignedInByRecoveryCode "signed in by recovery code",
    /// On the word of an identity provider.
    SignedInByProvider "signed in by provider",
    SignInRefused "sign-in refused",
    AccountLocked "account locked",
    SignedOut "signed out",
    AuditRead "audit trail read",
    /// The list of cases, with their titles.
    QueueViewed "queue viewed",
    CaseViewed "case viewed",
    CaseEntered "case entered",
    CaseTaken "case taken",
    CaseGivenBack "case given back",
    /// Nobody had touched it: it is in the queue again.
    CaseReturned "case returned",
    NoteEdited "note edited",
    ActionNoted "action taken noted",
    CallerNumberChanged "caller's number changed",
    FollowUpAdded "follow-up added",
    FollowUpChanged "follow-up changed",
    CaseClosed "case closed",
    CaseReopened "case reopened",
    RecordHeld "record held",
    HoldEnded "hold ended",
    RecordPurged "record purged",
    Exported "exported",
    ReportRead "report read",
    ReportMailed "report mailed",
    CallAccepted "call accepted",
    CallDeclined "call declined",
    ListenedIn "listened in",
    /// Spoke to the officers of a live call alone.
    Coached "coached",
    TookOver "took over",
    CallerPutOnHold "caller put on hold",
    CallerTakenBack "caller taken back",
    CallLeft "call left",
    ShiftTaken "shift taken",
    ShiftLeft "shift left",
    ShiftsChanged "shifts changed",
    SettingsChanged "settings changed",
}

/// Before a hint's own code.
const WHISPERED: &str = "whispered: ";

fn whispered(hint: Hint) -> &'static str {
    match hint {
        Hint::AskWhetherSafe => "whispered: ask-whether-safe",
        Hint::AskWhereTheyAre => "whispered: ask-where-they-are",
        Hint::AskAboutSuicide => "whispered: ask-about-suicide",
        Hint::AskWhetherHurt => "whispered: ask-whether-hurt",
        Hint::AskAboutShelter => "whispered: ask-about-shelter",
        Hint::AskWhoKnows => "whispered: ask-who-knows",
        Hint::AskForASafeNumber => "whispered: ask-for-a-safe-number",
        Hint::SayThePoliceNumber => "whispered: say-the-police-number",
        Hint::SayTheTextNumber => "whispered: say-the-text-number",
        Hint::SayTheAmbulanceNumber => "whispered: say-the-ambulance-number",
        Hint::SayTheSuicideLine => "whispered: say-the-suicide-line",
        Hint::SayTheAbuseLine => "whispered: say-the-abuse-line",
        Hint::SayAStepForSafety => "whispered: say-a-step-for-safety",
        Hint::SayYesOrNoIsEnough => "whispered: say-yes-or-no-is-enough",
        Hint::SlowDown => "whispered: slow-down",
    }
}

/// What it was done with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    Call(CallId),
    Account(AccountId),
}

impl fmt::Display for About {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Call(id) => write!(f, "call {id}"),
            Self::Account(id) => write!(f, "account {id}"),
        }
    }
}

/// An entry to be added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewEntry {
    pub at: Timestamp,
    pub who: Who,
    pub what: What,
    pub about: Option<About>,
}

/// An entry as it stands there, whoever may have written it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// From 1 on, without a gap.
    pub number: i64,
    /// In microseconds since 1970.
    pub at: i64,
    pub who: String,
    pub what: String,
    pub about: Option<String>,
    /// The hash of the entry before.
    pub previous: String,
    pub hash: String,
}

impl Entry {
    /// The entry that follows `head`.
    pub(crate) fn after(head: &Head, new: &NewEntry) -> Self {
        let mut entry = Self {
            number: head.number + 1,
            at: new.at.as_microsecond(),
            who: new.who.to_string(),
            what: new.what.as_str().to_owned(),
            about: new.about.map(|about| about.to_string()),
            previous: head.hash.clone(),
            hash: String::new(),
        };
        entry.hash = entry.hashed();
        entry
    }

    /// The hint that was given, where that was done.
    pub fn hint(&self) -> Option<Hint> {
        self.what.strip_prefix(WHISPERED)?.parse().ok()
    }

    /// When it was done; none if what stands there is no time.
    pub fn moment(&self) -> Option<Timestamp> {
        Timestamp::from_microsecond(self.at).ok()
    }

    pub(crate) fn head(&self) -> Head {
        Head {
            number: self.number,
            hash: self.hash.clone(),
        }
    }

    /// Every column but the hash itself, each told from the next by its length.
    fn hashed(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(OF_AN_ENTRY);
        hash.update(self.number.to_be_bytes());
        hash.update(self.at.to_be_bytes());
        let mut text = |text: &str| {
            hash.update((text.len() as u64).to_be_bytes());
            hash.update(text.as_bytes());
        };
        text(&self.who);
        text(&self.what);
        text(&self.previous);
        if let Some(about) = &self.about {
            text(about);
        }
        HEXLOWER.encode(&hash.finalize())
    }
}

/// How far the trail goes: its latest entry. Kept elsewhere, it shows later that the trail still begins so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    pub number: i64,
    pub hash: String,
}

impl Head {
    /// Before the first entry.
    pub(crate) fn none() -> Self {
        Self {
            number: 0,
            hash: NO_HASH.to_owned(),
        }
    }
}

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.number, self.hash)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "not a head of the audit trail: give it as `nightlight audit verify` printed it, NUMBER:HASH"
)]
pub struct NotAHead;

impl FromStr for Head {
    type Err = NotAHead;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (number, hash) = text.trim().split_once(':').ok_or(NotAHead)?;
        let number = number.parse().map_err(|_| NotAHead)?;
        let sound = hash.len() == NO_HASH.len() && hash.bytes().all(|b| b.is_ascii_hexdigit());
        match sound && number >= 0 {
            true => Ok(Self {
                number,
                hash: hash.to_lowercase(),
            }),
            false => Err(NotAHead),
        }
    }
}

/// Where the trail does not hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    #[error(
        "entry {0} of the audit trail does not hold: it, or the one before it, was changed, taken out or put in"
    )]
    Entry(i64),
    #[error("the audit trail ends at entry {found}, and once had {kept}: its end was cut off")]
    CutOff { found: i64, kept: i64 },
    #[error(
        "entry {0} of the audit trail is another than the one that was kept: it was written anew"
    )]
    WrittenAnew(i64),
}

/// Walks along the trail, entry by entry.
#[derive(Debug)]
pub struct Verification {
    head: Head,
    kept: Option<Head>,
}

impl Verification {
    /// Also against a head that was kept, if one was.
    pub fn new(kept: Option<Head>) -> Self {
        Self {
            head: Head::none(),
            kept,
        }
    }

    /// How far it has come.
    pub fn head(&self) -> &Head {
        &self.head
    }

    pub fn check(&mut self, entry: &Entry) -> Result<(), Broken> {
        let expected = self.head.number + 1;
        let follows = entry.number == expected && entry.previous == self.head.hash;
        if !follows || entry.hash != entry.hashed() {
            return Err(Broken::Entry(expected));
        }
        let kept = self.kept.as_ref();
        if kept.is_some_and(|kept| kept.number == entry.number && kept.hash != entry.hash) {
            return Err(Broken::WrittenAnew(entry.number));
        }
        self.head = entry.head();
        Ok(())
    }

    /// The trail has no more entries.
    pub fn finish(self) -> Result<Head, Broken> {
        match self.kept {
            Some(kept) if kept.number > self.head.number => Err(Broken::CutOff {
                found: self.head.number,
                kept: kept.number,
            }),
            _ => Ok(self.head),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn trail(length: usize) -> Vec<Entry> {
        let mut head = Head::none();
        let mut entries = Vec::new();
        for index in 0..length {
            let new = NewEntry {
                at: Timestamp::from_second(1_800_000_000 + index as i64).unwrap(),
                who: Who::CommandLine,
                what: What::ALL[index % What::ALL.len()],
                about: (index % 2 == 0).then(|| About::Account(AccountId::new())),
            };
            let entry = Entry::after(&head, &new);
            head = entry.head();
            entries.push(entry);
        }
        entries
    }

    fn verified(entries: &[Entry], kept: Option<Head>) -> Result<Head, Broken> {
        let mut verification = Verification::new(kept);
        for entry in entries {
            verification.check(entry)?;
        }
        verification.finish()
    }

    /// Another value in one bit, of any column.
    fn with_one_bit_changed(entry: &mut Entry, column: usize, bit: usize) {
        let text = |text: &mut String| {
            let mut bytes = std::mem::take(text).into_bytes();
            let place = (bit / 7) % bytes.len();
            // Text stays text.
            bytes[place] ^= 1 << (bit % 7);
            *text = String::from_utf8(bytes).unwrap();
        };
        match column {
            0 => entry.number ^= 1 << (bit % 63),
            1 => entry.at ^= 1 << (bit % 64),
            2 => text(&mut entry.who),
            3 => text(&mut entry.what),
            4 => match &mut entry.about {
                Some(about) => text(about),
                about => *about = Some(String::new()),
            },
            5 => text(&mut entry.previous),
            _ => text(&mut entry.hash),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn one_changed_bit_in_any_column_of_any_entry_is_found_there(at in 0usize..12, column in 0usize..7, bit in 0usize..500) {
            let mut entries = trail(12);
            prop_assert!(verified(&entries, None).is_ok());
            with_one_bit_changed(&mut entries[at], column, bit);
            prop_assert_eq!(verified(&entries, None), Err(Broken::Entry(at as i64 + 1)));
        }

        #[test]
        fn an_entry_taken_out_is_found_unless_it_is_the_last(at in 0usize..11) {
            let mut entries = trail(12);
            entries.remove(at);
            prop_assert_eq!(verified(&entries, None), Err(Broken::Entry(at as i64 + 1)));
        }
    }

    #[test]
    fn an_end_that_was_cut_off_is_found_with_a_head_that_was_kept() {
        let entries = trail(12);
        let kept = verified(&entries, None).unwrap();
        let cut = &entries[..9];
        assert!(verified(cut, None).is_ok(), "the trail alone cannot tell");
        let found = Broken::CutOff { found: 9, kept: 12 };
        assert_eq!(verified(cut, Some(kept.clone())), Err(found));
        let gone = Broken::CutOff { found: 0, kept: 12 };
        assert_eq!(verified(&[], Some(kept)), Err(gone));
    }

    #[test]
    fn a_trail_that_was_written_anew_is_found_with_a_head_that_was_kept() {
        let kept = verified(&trail(9), None).unwrap();
        // Of other accounts, with hashes that fit.
        let anew = trail(12);
        assert!(verified(&anew, None).is_ok());
        assert_eq!(verified(&anew, Some(kept)), Err(Broken::WrittenAnew(9)));
    }

    #[test]
    fn a_head_that_was_kept_holds_when_the_trail_has_gone_on() {
        let entries = trail(12);
        let kept = verified(&entries[..5], None).unwrap();
        let read_again: Head = kept.to_string().parse().unwrap();
        assert_eq!(verified(&entries, Some(read_again)).unwrap().number, 12);
        for wrong in ["", "12", "12:abc", "-1:00"] {
            assert_eq!(wrong.parse::<Head>(), Err(NotAHead), "{wrong}");
        }
    }

    #[test]
    fn no_entry_and_an_empty_one_are_told_apart() {
        let new = |about| {
            let mut entry = trail(1).remove(0);
            entry.about = about;
            entry.hashed()
        };
        assert_ne!(new(None), new(Some(String::new())));
    }

    #[test]
    fn everything_that_is_done_has_a_name_of_its_own() {
        let hints = Hint::ALL.map(What::Whispered);
        let all = || What::ALL.iter().chain(&hints);
        let names: BTreeSet<&str> = all().map(|what| what.as_str()).collect();
        assert_eq!(names.len(), all().count());
    }

    #[test]
    fn an_entry_says_which_hint_was_given() {
        let entry = |what| {
            let new = NewEntry {
                at: Timestamp::UNIX_EPOCH,
                who: Who::CommandLine,
                what,
                about: None,
            };
            Entry::after(&Head::none(), &new)
        };
        for hint in Hint::ALL {
            assert_eq!(entry(What::Whispered(hint)).hint(), Some(hint));
        }
        assert_eq!(entry(What::Coached).hint(), None);
    }
}
