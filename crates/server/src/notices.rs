//! Which notice a call's caller was shown, from asking for the call until it begins. A page says so among the variables of
//! what it asks for; a program that shows none says nothing. What cannot be read is as if nothing had been said: no call is
//! refused for it.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use platform::AssistantOverrides;
use records::Notice;
use uuid::Uuid;

/// Among `assistantOverrides.variableValues`.
const VARIABLE: &str = "notice";
/// Longer than there is to join a call.
const KEPT_FOR: Duration = Duration::from_mins(5);

/// What a page says that its caller was shown.
pub fn shown(overrides: Option<&AssistantOverrides>) -> Option<Notice> {
    let variables = overrides?.variable_values.as_ref()?;
    variables
        .expose_secret()
        .get(VARIABLE)?
        .as_str()?
        .parse()
        .ok()
}

/// The notices of calls that have not begun.
#[derive(Default)]
pub struct Notices(Mutex<HashMap<Uuid, (Notice, Instant)>>);

impl Notices {
    pub fn put(&self, call: Uuid, notice: Notice, now: Instant) {
        let mut notices = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        notices.retain(|_, (_, since)| now.duration_since(*since) < KEPT_FOR);
        notices.insert(call, (notice, now));
    }

    pub fn take(&self, call: Uuid) -> Option<Notice> {
        let mut notices = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        notices.remove(&call).map(|(notice, _)| notice)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use serde_json::json;

    use super::*;

    #[test]
    fn a_notice_is_kept_for_its_call_and_not_for_ever() {
        let (notices, now) = (Notices::default(), Instant::now());
        let notice: Notice = "2026-11-23/30".parse().unwrap();
        let [begun, never_joined, later] = [(); 3].map(|()| Uuid::new_v4());
        notices.put(begun, notice, now);
        notices.put(never_joined, notice, now);
        assert_eq!(notices.take(begun), Some(notice));
        assert_eq!(notices.take(begun), None);
        notices.put(later, notice, now + KEPT_FOR);
        assert_eq!(notices.take(never_joined), None);
        assert_eq!(notices.take(later), Some(notice));
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
            assert_eq!(shown(Some(&overrides)).is_some(), says, "{variables}");
        }
        assert_eq!(shown(None), None);
    }
}
