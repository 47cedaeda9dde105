//! How long a caller is waited for before a reply: a fixed time, or one that fits the speaker.

use std::time::Duration;

use super::values::Values;

/// The wait before a reply.
#[derive(Debug, Clone)]
pub struct StartWait {
    /// Also where the other is set and there is no opinion to go by.
    pub fixed: Duration,
    pub adaptive: Option<AdaptiveWait>,
}

/// Bounds of a wait that goes by what a pause sounds like.
#[derive(Debug, Clone)]
pub struct AdaptiveWait {
    pub least: Duration,
    pub most: Duration,
}

impl StartWait {
    /// The soonest that a reply may be due.
    pub fn shortest(&self) -> Duration {
        match &self.adaptive {
            Some(adaptive) => adaptive.least,
            None => self.fixed,
        }
    }
}

/// `usual` is in seconds.
pub(super) fn read(values: &mut Values, usual: f64) -> StartWait {
    let way = values.one_of("start_wait", "fixed", &["fixed", "adaptive"]);
    let fixed = values.seconds("start_wait_seconds", usual, 0.0..=5.0);
    let least = values.seconds("start_wait_least_seconds", 0.6, 0.0..=5.0);
    let most = values.seconds("start_wait_most_seconds", 2.5, 0.0..=5.0);
    if least > most {
        values.problem(
            "start_wait_least_seconds",
            format!(
                "the least wait ({} s) is longer than the most ({} s)",
                least.as_secs_f64(),
                most.as_secs_f64()
            ),
            "make it no longer than start_wait_most_seconds",
        );
    }
    let adaptive = (way == "adaptive").then_some(AdaptiveWait { least, most });
    StartWait { fixed, adaptive }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::{Settings, SettingsProblems};
    use super::*;

    fn wait(file: &str) -> Result<StartWait, SettingsProblems> {
        Settings::from_sources(Some(file), []).map(|settings| settings.plan.start_wait)
    }

    #[test]
    fn the_wait_is_three_seconds_for_everyone_unless_set_otherwise() {
        let wait = wait("").unwrap();
        assert_eq!(wait.fixed, Duration::from_secs(3));
        assert!(wait.adaptive.is_none());
        assert_eq!(wait.shortest(), wait.fixed);
    }

    #[test]
    fn an_adaptive_wait_has_bounds_of_the_operators() {
        let usual = wait("start_wait = 'adaptive'").unwrap();
        let bounds = usual.adaptive.as_ref().unwrap();
        assert_eq!(bounds.least, Duration::from_millis(600));
        assert_eq!(bounds.most, Duration::from_millis(2500));
        assert_eq!(usual.fixed, Duration::from_secs(3));
        let own = wait("start_wait = 'adaptive'\nstart_wait_least_seconds = 1").unwrap();
        assert_eq!(own.shortest(), Duration::from_secs(1));
    }

    #[test]
    fn what_makes_no_sense_is_refused_by_name() {
        for (file, named) in [
            ("start_wait = 'clever'", "`start_wait`"),
            ("start_wait_least_seconds = 3", "`start_wait_least_seconds`"),
            ("start_wait_most_seconds = 9", "`start_wait_most_seconds`"),
        ] {
            let problems = wait(file).unwrap_err().to_string();
            assert!(problems.contains(named), "{problems}");
        }
    }

    #[test]
    fn a_chat_model_answers_within_the_shortest_wait() {
        let model =
            "model_url = 'https://api.example/v1'\nmodel_name = 'm'\nstart_wait = 'adaptive'\n";
        let settings = Settings::from_sources(Some(model), []).unwrap();
        assert_eq!(settings.model.unwrap().timeout, Duration::from_millis(300));
        let slow = format!("{model}model_timeout_seconds = 1.5");
        let problems = Settings::from_sources(Some(&slow), []).unwrap_err();
        assert!(problems.to_string().contains("0.6 s"), "{problems}");
    }
}
