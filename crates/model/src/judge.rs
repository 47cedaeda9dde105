//! Whether a trial passes, by the model's word. Nobody waits on the line for it.

use std::time::{Duration, Instant};

use redact::Secret;
use serde_json::{Value, json};

use crate::ChatModel;
use crate::turn::count;

const WITHIN: Duration = Duration::from_secs(20);

impl ChatModel {
    /// Asks with these messages, each a role and a content; `None` where it says neither `pass` nor `fail` in time, or is left
    /// alone.
    pub async fn judges(&self, messages: &[(String, Secret<String>)]) -> Option<bool> {
        if !self.rest.is_over(Instant::now()) {
            return None;
        }
        let messages: Vec<Value> = messages
            .iter()
            .map(|(role, content)| json!({"role": role, "content": content.expose_secret()}))
            .collect();
        let asking = self.endpoint.complete(&messages, None);
        match tokio::time::timeout(WITHIN, asking).await {
            Ok(Ok(answer)) => verdict(&answer.text),
            Ok(Err(trouble)) => {
                count(trouble.as_str());
                tracing::warn!(%trouble, "the chat model is of no help with a trial");
                None
            }
            Err(_) => None,
        }
    }
}

/// One word, whatever stands around it.
fn verdict(text: &str) -> Option<bool> {
    let word = text.trim_matches(|letter: char| !letter.is_alphabetic());
    match word.to_ascii_lowercase().as_str() {
        "pass" => Some(true),
        "fail" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::verdict;

    #[test]
    fn a_verdict_is_one_word() {
        assert_eq!(verdict(" **Pass.**\n"), Some(true));
        assert_eq!(verdict("fail"), Some(false));
        for unclear in ["", "It does not pass", "pass or fail", "passed"] {
            assert_eq!(verdict(unclear), None, "{unclear}");
        }
    }
}
