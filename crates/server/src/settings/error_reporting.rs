//! The setting of where errors are reported.

use super::values::Values;
use crate::error_reports::{Dsn, DsnError};

pub(super) fn read(values: &mut Values) -> Option<Dsn> {
    let text = values.optional_text("error_reporting_dsn")?;
    match Dsn::of(&text) {
        Ok(dsn) => Some(dsn),
        Err(wrong) => {
            let remedy = match wrong {
                DsnError::Unprotected => "use https, or an address of this machine or network",
                DsnError::NotADsn => {
                    "give it as the service shows it, such as https://KEY@errors.example/1"
                }
            };
            // The text is not repeated: it holds a key.
            values.problem("error_reporting_dsn", wrong.to_string(), remedy);
            None
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::Settings;

    #[test]
    fn errors_are_reported_nowhere_unless_a_fit_dsn_is_given() {
        let with = |dsn: &str| {
            let given = (
                String::from("NIGHTLIGHT_ERROR_REPORTING_DSN"),
                dsn.to_owned(),
            );
            Settings::from_sources(None, [given])
        };
        let none = Settings::from_sources(None, []).unwrap();
        assert!(none.error_reporting.is_none());
        for fit in [
            "https://hunter2@errors.example/1",
            "http://hunter2@127.0.0.1:9000/1",
        ] {
            let settings = with(fit).unwrap();
            assert!(!format!("{settings:?}").contains("hunter2"));
            assert!(settings.error_reporting.is_some());
        }
        for unfit in [
            "http://hunter2@errors.example/1",
            "hunter2",
            "https://errors.example",
        ] {
            let problems = with(unfit).unwrap_err().to_string();
            assert!(problems.contains("`error_reporting_dsn`"), "{problems}");
            assert!(!problems.contains("hunter2"), "{problems}");
        }
    }
}
