//! How well single turns are read: labelled lines (`training/LABELS.md`) through a reader, without a
//! conversation.
//!
//! A line tells the question that was open, what the words are worth as an answer to it, and what they
//! tell. Lines of held-out authors are only counted here, never shown.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, bail, ensure};
use flow::Question;
use flow::reading::{Listening, Reading, SURE, Signal, WORTH_ASKING};
use reader::Reader;
use serde::Serialize;

use crate::figures::Share;

/// One labelled turn.
#[derive(Debug, Clone)]
pub struct Line {
    question: Question,
    /// The question's name in the data.
    key: String,
    answer: String,
    labels: Vec<String>,
    words: String,
}

impl Line {
    fn has(&self, label: &str) -> bool {
        self.labels.iter().any(|it| it == label)
    }

    /// The caller's own, present and meant.
    fn tells(&self, harms: &[&str]) -> bool {
        harms.iter().any(|harm| self.has(harm))
    }

    /// Anything at all of it: somebody else's, past, denied, not meant.
    fn touches(&self, harms: &[&str]) -> bool {
        self.labels
            .iter()
            .any(|label| harms.contains(&label.split('.').next().unwrap_or(label)))
    }
}

/// Every line of every author in a directory, or of one file.
pub fn read(path: &Path) -> anyhow::Result<Vec<Line>> {
    let mut files = Vec::new();
    if path.is_dir() {
        for entry in std::fs::read_dir(path)? {
            files.push(entry?.path());
        }
        files.retain(|file| file.extension().is_some_and(|it| it == "tsv"));
        files.sort();
    } else {
        files.push(path.to_owned());
    }
    ensure!(!files.is_empty(), "no labelled lines in {}", path.display());
    let mut lines = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file)
            .with_context(|| format!("cannot read {}", file.display()))?;
        for (number, line) in text.lines().enumerate() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let line = parse(line).with_context(|| format!("{}:{}", file.display(), number + 1))?;
            lines.push(line);
        }
    }
    Ok(lines)
}

fn parse(line: &str) -> anyhow::Result<Line> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [key, labels, words] = fields[..] else {
        bail!("not a question, labels and words with tabs between");
    };
    let mut labels = labels.split(' ').map(str::to_owned);
    Ok(Line {
        question: question(key).with_context(|| format!("no such question: {key}"))?,
        key: key.to_owned(),
        answer: labels.next().unwrap_or_default(),
        labels: labels.collect(),
        words: words.to_owned(),
    })
}

fn question(key: &str) -> Option<Question> {
    Some(match key {
        "greeting" => Question::SafeNow,
        "safe-to-talk" => Question::SafeToTalk,
        "danger-now" => Question::DangerNow,
        "other-danger" => Question::OtherInDanger,
        "suicidal" => Question::Suicidal,
        "other-suicidal" => Question::OtherSuicidal,
        "hurt-before" => Question::HurtBefore,
        "by-spouse" => Question::BySpouse,
        "abuser" => Question::Abuser,
        "sexual-harm" => Question::SexualHarm,
        "shelter" => Question::NeedsShelter,
        "put-down" => Question::PutDown,
        "consent" => Question::Consent,
        "safe-contact" => Question::SafeContact,
        "name" => Question::Name,
        "address" => Question::Address,
        "incident-time" => Question::IncidentTime,
        "age" => Question::Age,
        "eighteen" => Question::EighteenOrUnder,
        "account" => Question::Account,
        "more-support" => Question::MoreSupport,
        "open" => Question::Open,
        _ => return None,
    })
}

/// Questions that a yes or a no answers.
const CLOSED: &[&str] = &[
    "greeting",
    "safe-to-talk",
    "danger-now",
    "other-danger",
    "suicidal",
    "other-suicidal",
    "hurt-before",
    "by-spouse",
    "sexual-harm",
    "shelter",
    "put-down",
    "consent",
    "eighteen",
    "more-support",
];

/// A need, by the labels and the signals that tell of it.
struct Need {
    name: &'static str,
    labels: &'static [&'static str],
    signals: &'static [Signal],
}

const NEEDS: &[Need] = &[
    Need {
        name: "suicide",
        labels: &["suicide"],
        signals: &[
            Signal::SuicidalDirect,
            Signal::SuicidalIndirect,
            Signal::SelfHarmNow,
            Signal::OverdoseNow,
        ],
    },
    Need {
        name: "danger now",
        labels: &["danger-now"],
        signals: &[Signal::ViolenceNow],
    },
    Need {
        name: "blows",
        labels: &["physical", "strangled"],
        signals: &[
            Signal::PhysicalAbuse,
            Signal::DomesticViolence,
            Signal::Strangulation,
            Signal::ViolenceNow,
        ],
    },
    Need {
        name: "sexual harm",
        labels: &["sexual"],
        signals: &[Signal::SexualAssault],
    },
    Need {
        name: "shelter",
        labels: &["shelter"],
        signals: &[Signal::ShelterWish],
    },
    Need {
        name: "words, control, money, neglect",
        labels: &["emotional", "financial", "neglect"],
        signals: &[
            Signal::EmotionalAbuse,
            Signal::PsychologicalAbuse,
            Signal::FinancialAbuse,
            Signal::Neglect,
        ],
    },
];

/// How a need was read: of the lines that tell it, and of those that tell nothing of the kind.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct NeedFigures {
    pub told: usize,
    pub acted_on: usize,
    /// Acted on or worth a question.
    pub noticed: usize,
    pub untold: usize,
    pub acted_on_in_vain: usize,
    pub noticed_in_vain: usize,
}

#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct AnswerFigures {
    pub all: usize,
    pub right: usize,
    /// A yes for a no, or a no for a yes.
    pub reversed: usize,
    /// A yes or a no where there was neither.
    pub invented: usize,
}

/// What a reader makes of a set of lines.
#[derive(Debug, Clone, Default, Serialize)]
pub struct LineFigures {
    pub lines: usize,
    pub answers: BTreeMap<String, AnswerFigures>,
    pub needs: BTreeMap<&'static str, NeedFigures>,
    /// Yeses to the questions about suicide and danger, and how many were read as a no.
    pub yeses_about_life: usize,
    pub denials_made_up: usize,
    /// Everyday first turns, and how many would be asked about suicide at once.
    pub everyday_first_turns: usize,
    pub asked_about_suicide: usize,
}

impl LineFigures {
    pub fn of(lines: &[Line], reader: &Reader) -> Self {
        let mut figures = Self::default();
        for line in lines {
            let called_at = jiff::civil::date(2026, 11, 20).at(23, 10, 0, 0);
            let listening = Listening::by_itself(called_at, Some(line.question));
            figures.count(line, &reader.read(&line.words, &listening));
        }
        figures
    }

    fn count(&mut self, line: &Line, reading: &Reading) {
        self.lines += 1;
        let expected = match line.answer.as_str() {
            "yes" => Some(true),
            "no" => Some(false),
            _ => None,
        };
        let read = reading.answer.yes;
        if CLOSED.contains(&line.key.as_str()) {
            let answers = self.answers.entry(line.key.clone()).or_default();
            answers.all += 1;
            answers.right += usize::from(read == expected);
            match (expected, read) {
                (Some(expected), Some(read)) if expected != read => answers.reversed += 1,
                (None, Some(_)) => answers.invented += 1,
                _ => {}
            }
        }
        let about_life = matches!(
            line.key.as_str(),
            "suicidal" | "danger-now" | "other-danger"
        );
        if about_life && expected == Some(true) {
            self.yeses_about_life += 1;
            self.denials_made_up += usize::from(read == Some(false) && reading.answer.agreed);
        }
        for need in NEEDS {
            let at = |from: f32| {
                reading
                    .signals
                    .iter()
                    .any(|s| need.signals.contains(&s.signal) && !s.denied && s.confidence >= from)
            };
            let figures = self.needs.entry(need.name).or_default();
            if line.tells(need.labels) {
                figures.told += 1;
                figures.acted_on += usize::from(at(SURE));
                figures.noticed += usize::from(at(WORTH_ASKING));
            } else if !line.touches(need.labels) && !line.has("suicide-hint") {
                figures.untold += 1;
                figures.acted_on_in_vain += usize::from(at(SURE));
                figures.noticed_in_vain += usize::from(at(WORTH_ASKING));
            }
        }
        let everyday = line.has("everyday")
            && !line.has("suicide-hint")
            && !line.touches(&["suicide", "self-harm"]);
        if everyday && matches!(line.key.as_str(), "greeting" | "open") {
            self.everyday_first_turns += 1;
            let asked = [Signal::SuicidalDirect, Signal::SuicidalIndirect]
                .iter()
                .any(|signal| reading.asserts(*signal, WORTH_ASKING).is_some());
            // A leaning is asked about a turn later.
            self.asked_about_suicide += usize::from(asked);
        }
    }

    pub fn answers_in_all(&self) -> AnswerFigures {
        let mut all = AnswerFigures::default();
        for answers in self.answers.values() {
            all.all += answers.all;
            all.right += answers.right;
            all.reversed += answers.reversed;
            all.invented += answers.invented;
        }
        all
    }

    /// As Markdown.
    pub fn told(&self, name: &str) -> String {
        let mut text = format!("## {name}: {} lines\n\n", self.lines);
        let share = |count: usize, of: usize| {
            let share = Share { of, count };
            let (low, high) = share.interval();
            format!(
                "{:.1} % ({:.1}–{:.1}, {count}/{of})",
                share.rate() * 100.0,
                low * 100.0,
                high * 100.0
            )
        };
        text += "| need | told: acted on | told: noticed | not told: acted on | not told: noticed |\n|---|--:|--:|--:|--:|\n";
        for (need, figures) in &self.needs {
            let _ = writeln!(
                text,
                "| {need} | {} | {} | {} | {} |",
                share(figures.acted_on, figures.told),
                share(figures.noticed, figures.told),
                share(figures.acted_on_in_vain, figures.untold),
                share(figures.noticed_in_vain, figures.untold),
            );
        }
        text += "\n| answers to | right | reversed | made up |\n|---|--:|--:|--:|\n";
        let all = self.answers_in_all();
        let rows = self.answers.iter().map(|(key, it)| (key.as_str(), *it));
        for (key, answers) in rows.chain([("**all**", all)]) {
            let _ = writeln!(
                text,
                "| {key} | {} | {} | {} |",
                share(answers.right, answers.all),
                share(answers.reversed, answers.all),
                share(answers.invented, answers.all),
            );
        }
        let _ = writeln!(
            text,
            "\nYeses about life taken for a denial by both readers: {}. Everyday first turns asked about suicide: {}.",
            share(self.denials_made_up, self.yeses_about_life),
            share(self.asked_about_suicide, self.everyday_first_turns),
        );
        text
    }
}
