//! Time on the wire: instants as RFC 3339 with milliseconds, and `timestamp` fields as
//! milliseconds since 1970. Durations are plain seconds and need nothing from here.

use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use utoipa::ToSchema;

/// Milliseconds since 1970. Read from any JSON number: the platform writes fractions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, ToSchema)]
pub struct EpochMillis(pub i64);

impl From<Timestamp> for EpochMillis {
    fn from(instant: Timestamp) -> Self {
        Self(instant.as_millisecond())
    }
}

impl<'de> Deserialize<'de> for EpochMillis {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // A float holds every millisecond until the year 287396; `as` saturates beyond.
        f64::deserialize(deserializer).map(|millis| Self(millis as i64))
    }
}

/// For `#[serde(with = "crate::time::instant")]`.
pub(crate) mod instant {
    use super::*;

    pub fn serialize<S: Serializer>(instant: &Timestamp, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&format_args!("{instant:.3}"))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Timestamp, D::Error> {
        let text = String::deserialize(from)?;
        // jiff's own sentence repeats what it could not read.
        text.parse().map_err(|_| {
            de::Error::invalid_value(
                de::Unexpected::Other("text"),
                &"a time such as 2026-11-20T13:05:00.000Z",
            )
        })
    }
}

/// For `#[serde(with = "crate::time::optional_instant")]`.
pub(crate) mod optional_instant {
    use super::*;

    pub fn serialize<S: Serializer>(instant: &Option<Timestamp>, to: S) -> Result<S::Ok, S::Error> {
        match instant {
            Some(instant) => super::instant::serialize(instant, to),
            None => to.serialize_none(),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Timestamp>, D::Error> {
        #[derive(Deserialize)]
        struct Wire(#[serde(with = "super::instant")] Timestamp);
        Ok(Option::<Wire>::deserialize(from)?.map(|Wire(instant)| instant))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Serialize, Deserialize)]
    struct Times {
        #[serde(with = "instant")]
        at: Timestamp,
        #[serde(default, with = "optional_instant")]
        ended: Option<Timestamp>,
        stamp: EpochMillis,
    }

    #[test]
    fn instants_are_written_with_milliseconds_and_read_with_any_offset() {
        let times: Times = crate::read(
            br#"{"at":"2026-11-20T21:05:00+08:00","ended":null,"stamp":1795179900123.5}"#,
        )
        .expect("these are times");
        assert_eq!(
            serde_json::to_string(&times).expect("times serialise"),
            r#"{"at":"2026-11-20T13:05:00.000Z","ended":null,"stamp":1795179900123}"#
        );
    }

    #[test]
    fn a_time_that_is_none_is_told_without_repeating_it() {
        let error =
            crate::read::<Times>(br#"{"at":"last night","stamp":0}"#).expect_err("this is no time");
        assert_eq!(
            error.to_string(),
            "`at`: expected a time such as 2026-11-20T13:05:00.000Z"
        );
    }
}
