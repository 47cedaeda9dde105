//! Figures from verdicts: of a category, or of a whole part.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::rules::Rule;
use crate::score::{Slot, Verdict};

/// So many of so many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Share {
    pub of: usize,
    pub count: usize,
}

impl Share {
    /// How many of these hold.
    pub fn of(counted: impl IntoIterator<Item = bool>) -> Self {
        let mut share = Self::default();
        for counts in counted {
            share.add(counts);
        }
        share
    }

    fn add(&mut self, counts: bool) {
        self.of += 1;
        self.count += usize::from(counts);
    }

    /// From 0 to 1; 1 where there is nothing to count.
    pub fn rate(self) -> f64 {
        if self.of == 0 {
            1.0
        } else {
            self.count as f64 / self.of as f64
        }
    }

    /// Wilson's interval: in 95 of 100 such samples it holds the true share.
    pub fn interval(self) -> (f64, f64) {
        const Z: f64 = 1.96;
        if self.of == 0 {
            return (0.0, 1.0);
        }
        let (n, rate) = (self.of as f64, self.rate());
        let middle = rate + Z * Z / (2.0 * n);
        let half = Z * (rate * (1.0 - rate) / n + Z * Z / (4.0 * n * n)).sqrt();
        let scale = 1.0 + Z * Z / n;
        (
            ((middle - half) / scale).max(0.0),
            ((middle + half) / scale).min(1.0),
        )
    }
}

#[derive(Debug, Clone, Default, Serialize)]
pub struct Figures {
    pub callers: usize,
    /// Nothing at all went wrong.
    pub passed: usize,
    pub agency: Share,
    pub mode: Share,
    /// Callers in danger whose danger was found.
    pub high_risk: Share,
    /// Callers out of danger for whom danger was seen.
    pub false_alarms: Share,
    pub slots: BTreeMap<Slot, Share>,
    pub broken_rules: BTreeMap<Rule, usize>,
    /// Things in notes that were not said.
    pub untrue: usize,
    /// Things that should have been said, asked or recorded.
    pub missed: usize,
    pub unrecognised_questions: usize,
}

impl Figures {
    pub fn of<'v>(verdicts: impl IntoIterator<Item = &'v Verdict>) -> Self {
        let mut figures = Self::default();
        for verdict in verdicts {
            figures.add(verdict);
        }
        figures
    }

    fn add(&mut self, verdict: &Verdict) {
        self.callers += 1;
        self.passed += usize::from(verdict.passed());
        self.agency.add(verdict.agency_right);
        self.mode.add(verdict.mode_right);
        if let Some(found) = verdict.high_risk_found {
            self.high_risk.add(found);
        }
        if let Some(alarmed) = verdict.false_alarm {
            self.false_alarms.add(alarmed);
        }
        for slot in &verdict.slots {
            self.slots.entry(slot.slot).or_default().add(slot.right);
        }
        for broken in &verdict.broken_rules {
            *self.broken_rules.entry(broken.rule).or_default() += 1;
        }
        self.untrue += verdict.untrue.len();
        self.missed += verdict.missed.len();
        self.unrecognised_questions += verdict.unrecognised_questions.len();
    }

    pub fn slot(&self, slot: Slot) -> Share {
        self.slots.get(&slot).copied().unwrap_or_default()
    }

    pub fn rules_broken(&self) -> usize {
        self.broken_rules.values().sum()
    }

    /// The targets that these figures miss, as sentences.
    pub fn missed_targets(&self) -> Vec<String> {
        let mut missed = Vec::new();
        if self.high_risk.rate() < 1.0 {
            missed.push(format!(
                "high-risk recall is {} of {}: the target is all",
                self.high_risk.count, self.high_risk.of
            ));
        }
        if self.agency.rate() < 0.97 {
            missed.push(format!(
                "the agency is right for {} of {}: the target is 97 %",
                self.agency.count, self.agency.of
            ));
        }
        // With no callers out of danger there is nothing to alarm falsely.
        if self.false_alarms.count * 100 > self.false_alarms.of {
            missed.push(format!(
                "there are {} false alarms for {} callers out of danger: the target is at most 1 %",
                self.false_alarms.count, self.false_alarms.of
            ));
        }
        if self.rules_broken() > 0 {
            missed.push(format!(
                "{} rules are broken: the target is none",
                self.rules_broken()
            ));
        }
        if self.untrue > 0 {
            missed.push(format!(
                "{} things in notes were not said: the target is none",
                self.untrue
            ));
        }
        missed
    }
}

/// The verdicts of one part of the set.
#[derive(Debug, Serialize)]
pub struct PartResult {
    pub name: String,
    pub verdicts: Vec<Verdict>,
}

impl PartResult {
    pub fn total(&self) -> Figures {
        Figures::of(&self.verdicts)
    }

    /// The categories in the order of their first callers.
    pub fn by_category(&self) -> Vec<(&str, Figures)> {
        let mut categories: Vec<&str> = Vec::new();
        for verdict in &self.verdicts {
            if !categories.contains(&verdict.category.as_str()) {
                categories.push(&verdict.category);
            }
        }
        categories
            .into_iter()
            .map(|category| {
                let of_category = self.verdicts.iter().filter(|it| it.category == category);
                (category, Figures::of(of_category))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict() -> Verdict {
        Verdict {
            id: String::from("x"),
            category: String::from("c"),
            expected_agency: vec![String::from("none")],
            agency: None,
            agency_right: true,
            mode_right: true,
            transfers: Vec::new(),
            high_risk_found: None,
            false_alarm: Some(false),
            slots: Vec::new(),
            broken_rules: Vec::new(),
            untrue: Vec::new(),
            missed: Vec::new(),
            unrecognised_questions: Vec::new(),
            turns: 1,
        }
    }

    #[test]
    fn a_missed_danger_and_a_false_alarm_miss_their_targets() {
        let good = Figures::of(&[verdict()]);
        assert!(good.missed_targets().is_empty());
        let missed = Verdict {
            high_risk_found: Some(false),
            false_alarm: None,
            ..verdict()
        };
        let alarmed = Verdict {
            false_alarm: Some(true),
            ..verdict()
        };
        let figures = Figures::of(&[missed, alarmed]);
        assert_eq!(figures.passed, 0);
        assert_eq!(figures.missed_targets().len(), 2);
    }

    #[test]
    fn categories_are_counted_apart() {
        let part = PartResult {
            name: String::from("p"),
            verdicts: vec![
                verdict(),
                Verdict {
                    category: String::from("d"),
                    agency_right: false,
                    ..verdict()
                },
            ],
        };
        let by_category = part.by_category();
        assert_eq!(by_category[0].1.agency, Share { of: 1, count: 1 });
        assert_eq!(by_category[1].1.agency, Share { of: 1, count: 0 });
        assert_eq!(part.total().agency, Share { of: 2, count: 1 });
    }
}
