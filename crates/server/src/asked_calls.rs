//! What was said of a call when it was asked for, until it begins: which notice its caller was shown, what a program calls it
//! and whom it asked for, and how it is held. A page says which notice among the variables of what it asks for; a
//! program that shows none says nothing. What cannot be read of that is as if nothing had been said: no call is refused for it.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use call::Manner;
use platform::AssistantOverrides;
use platform::resource::MessagePlan;
use records::{Label, Notice};
use redact::Secret;
use uuid::Uuid;

/// Among `assistantOverrides.variableValues`.
const VARIABLE: &str = "notice";
/// Longer than there is to join a call.
const KEPT_FOR: Duration = Duration::from_mins(5);

/// What a page says that its caller was shown.
pub fn notice_shown(overrides: Option<&AssistantOverrides>) -> Option<Notice> {
    let variables = overrides?.variable_values.as_ref()?;
    variables
        .expose_secret()
        .get(VARIABLE)?
        .as_str()?
        .parse()
        .ok()
}

/// What is known of a call before it begins.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    pub notice: Option<Notice>,
    pub label: Label,
    /// How it is held, where not as the helpline holds its own.
    pub manner: Manner,
    /// Where server messages go, as far as whoever asked may say so.
    pub wishes: Vec<MessagePlan>,
}

/// The calls that have been asked for and have not begun.
#[derive(Default)]
pub struct AskedCalls(Mutex<HashMap<Uuid, (Asked, Instant)>>);

impl AskedCalls {
    pub fn put(&self, call: Uuid, asked: Asked, now: Instant) {
        let mut calls = self.calls();
        calls.retain(|_, (_, since)| now.duration_since(*since) < KEPT_FOR);
        calls.insert(call, (asked, now));
    }

    /// The call begins.
    pub fn take(&self, call: Uuid) -> Asked {
        let asked = self.calls().remove(&call);
        asked.map(|(asked, _)| asked).unwrap_or_default()
    }

    pub fn label(&self, call: Uuid) -> Option<Label> {
        let calls = self.calls();
        calls.get(&call).map(|(asked, _)| asked.label.clone())
    }

    /// Whether it was there to be called otherwise.
    pub fn rename(&self, call: Uuid, name: Option<Secret<String>>) -> bool {
        match self.calls().get_mut(&call) {
            Some((asked, _)) => {
                asked.label.name = name;
                true
            }
            None => false,
        }
    }

    fn calls(&self) -> MutexGuard<'_, HashMap<Uuid, (Asked, Instant)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use serde_json::json;

    use super::*;

    #[test]
    fn what_was_said_is_kept_for_its_call_and_not_for_ever() {
        let (calls, now) = (AskedCalls::default(), Instant::now());
        let notice: Notice = "2026-11-23/30".parse().unwrap();
        let asked = || Asked {
            notice: Some(notice),
            ..Asked::default()
        };
        let [begun, never_joined, later] = [(); 3].map(|()| Uuid::new_v4());
        calls.put(begun, asked(), now);
        calls.put(never_joined, asked(), now);
        assert_eq!(calls.take(begun).notice, Some(notice));
        assert_eq!(calls.take(begun).notice, None);
        calls.put(later, asked(), now + KEPT_FOR);
        assert_eq!(calls.take(never_joined).notice, None);
        assert_eq!(calls.take(later).notice, Some(notice));
    }

    #[test]
    fn a_call_is_named_otherwise_until_it_begins() {
        let (calls, call) = (AskedCalls::default(), Uuid::new_v4());
        let name = || Some(Secret::new(String::from("first")));
        assert!(!calls.rename(call, name()));
        calls.put(call, Asked::default(), Instant::now());
        assert!(calls.rename(call, name()));
        assert_eq!(calls.label(call).unwrap().name, name());
        assert_eq!(calls.take(call).label.name, name());
        assert!(!calls.rename(call, name()));
    }

    #[test]
    fn what_says_nothing_of_a_notice_says_of_none() {
        for (variables, says) in [
            (json!({"agency": "", "notice": "2026-11-23/30"}), true),
            (json!({"agency": ""}), false),
            (json!({"notice": 7}), false),
            (json!({"notice": "hello"}), false),
        ] {
            let overrides = json!({"variableValues": variables});
            let overrides: AssistantOverrides = serde_json::from_value(overrides).unwrap();
            assert_eq!(
                notice_shown(Some(&overrides)).is_some(),
                says,
                "{variables}"
            );
        }
        assert_eq!(notice_shown(None), None);
    }
}
