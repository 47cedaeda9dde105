//! Why a call ended, under the hosted platform's own names where it has one.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// Why a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum EndReason {
    /// The conversation was over: a goodbye, or a caller who needs nothing more.
    #[serde(rename = "assistant-ended-call")]
    AssistantEnded,
    /// Handed on by warm transfer.
    #[serde(rename = "assistant-forwarded-call")]
    Forwarded,
    /// Nobody spoke for the silence time-out.
    #[serde(rename = "silence-timed-out")]
    SilenceTimedOut,
    /// The longest call allowed.
    #[serde(rename = "exceeded-max-duration")]
    ExceededMaxDuration,
    /// The caller hung up or left the page.
    #[serde(rename = "customer-ended-call")]
    CallerEnded,
    /// This machine is going down.
    #[serde(rename = "worker-shutdown")]
    WorkerShutdown,
    /// The media connection was lost.
    #[serde(rename = "call-media-lost")]
    Error,
}

impl EndReason {
    /// Every reason, for tables and tests.
    pub const ALL: [Self; 7] = [
        Self::AssistantEnded,
        Self::Forwarded,
        Self::SilenceTimedOut,
        Self::ExceededMaxDuration,
        Self::CallerEnded,
        Self::WorkerShutdown,
        Self::Error,
    ];

    /// The name on the wire; the same that serde writes.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AssistantEnded => "assistant-ended-call",
            Self::Forwarded => "assistant-forwarded-call",
            Self::SilenceTimedOut => "silence-timed-out",
            Self::ExceededMaxDuration => "exceeded-max-duration",
            Self::CallerEnded => "customer-ended-call",
            Self::WorkerShutdown => "worker-shutdown",
            Self::Error => "call-media-lost",
        }
    }
}

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text names no reason for a call's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not an ended reason: use one of the documented names, such as customer-ended-call")]
pub struct UnknownEndReason;

impl FromStr for EndReason {
    type Err = UnknownEndReason;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|reason| reason.as_str() == text)
            .ok_or(UnknownEndReason)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn every_reason_reads_back_from_its_wire_name() {
        for reason in EndReason::ALL {
            assert_eq!(reason.as_str().parse(), Ok(reason));
            assert_eq!(
                serde_json::to_string(&reason).unwrap(),
                format!("\"{reason}\"")
            );
        }
        assert_eq!("hung-up".parse::<EndReason>(), Err(UnknownEndReason));
    }
}
