//! A simulated caller as it is written down: who they are, what they say, what should happen.
//!
//! `callers/README.md` describes the form for those who write callers. This module reads and checks;
//! it does not decide what a caller says when.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use flow::Agency;
use jiff::civil::DateTime;
use serde::Deserialize;

use crate::question::Topic;

/// When a call is made, unless the caller says otherwise: a Friday night.
const CALLED_AT: DateTime = jiff::civil::datetime(2026, 11, 20, 23, 10, 0, 0);

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Caller {
    pub id: String,
    /// One line on the person and what is happening to them.
    pub who: String,
    /// Singapore's time when the call starts.
    #[serde(default = "called_at")]
    pub at: DateTime,
    /// Said first, in order, whatever is asked.
    pub opening: OneOrMore,
    /// What the caller tells next, one piece for each open question.
    #[serde(default)]
    pub then: Vec<String>,
    /// What is said when a question is understood. Several answers are for a question asked again.
    #[serde(default)]
    pub answers: BTreeMap<Topic, OneOrMore>,
    /// Questions the caller declines: they must not be asked again.
    #[serde(default)]
    pub refuses: BTreeSet<Topic>,
    /// Questions that the caller does not catch at first.
    #[serde(default)]
    pub mishears: BTreeSet<Topic>,
    /// The words arrive as a poor transcriber writes them: lower case, no punctuation.
    #[serde(default)]
    pub noisy: bool,
    /// The caller hangs up after saying so many things.
    #[serde(default)]
    pub hangs_up_after: Option<usize>,
    /// Among those who also ring by voice.
    #[serde(default)]
    pub voice: bool,
    pub expect: Expected,
    /// The file's category.
    #[serde(skip)]
    pub category: String,
}

fn called_at() -> DateTime {
    CALLED_AT
}

/// What should come of the call. What is left out is not judged.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    /// An agency's code or "none"; several where the specification leaves it open.
    pub agency: OneOrMore,
    /// Whether the caller is handed on or their case passed on. Without it: if there is an agency.
    #[serde(default)]
    pub transferred: Option<bool>,
    /// An agency that the case rightly went to before something graver was told.
    #[serde(default)]
    pub first: Option<Agency>,
    #[serde(default)]
    pub urgent: Option<bool>,
    /// The caller's life is at risk, or somebody's with them.
    #[serde(default)]
    pub high_risk: bool,
    #[serde(default)]
    pub name: Option<String>,
    /// Each of these stands in the record's location.
    #[serde(default)]
    pub place: Vec<String>,
    /// A date, or words where the caller was vague.
    #[serde(default)]
    pub when: Option<OneOrMore>,
    #[serde(default)]
    pub abuse: Option<OneOrMore>,
    /// The assistant says each of these at some time.
    #[serde(default)]
    pub says: Vec<String>,
    #[serde(default)]
    pub never_says: Vec<String>,
    /// The assistant asks these questions.
    #[serde(default)]
    pub asks: BTreeSet<Topic>,
    #[serde(default)]
    pub never_asks: BTreeSet<Topic>,
    /// Not in the note, but for what the caller is said to deny.
    #[serde(default)]
    pub not_in_note: Vec<String>,
}

impl Expected {
    pub fn accepts(&self, agency: Option<Agency>) -> bool {
        let code = agency.map_or("none", Agency::as_str);
        self.agency.iter().any(|accepted| accepted == code)
    }

    pub fn transferred(&self) -> bool {
        self.transferred.unwrap_or_else(|| !self.accepts(None))
    }

    /// Whether nothing in this call calls for the police or the suicide line.
    pub fn is_out_of_danger(&self) -> bool {
        !self.high_risk && !self.accepts(Some(Agency::Spf)) && !self.accepts(Some(Agency::Sos))
    }
}

/// One text or several.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum OneOrMore {
    One(String),
    More(Vec<String>),
}

impl OneOrMore {
    pub fn as_slice(&self) -> &[String] {
        match self {
            Self::One(text) => std::slice::from_ref(text),
            Self::More(texts) => texts,
        }
    }

    pub fn iter(&self) -> std::slice::Iter<'_, String> {
        self.as_slice().iter()
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CallerFile {
    category: String,
    #[serde(rename = "caller", default)]
    callers: Vec<Caller>,
}

/// The callers of one directory: reported together, apart from other parts.
#[derive(Debug)]
pub struct Part {
    pub name: String,
    pub callers: Vec<Caller>,
}

/// A directory's own callers as one part, and each directory in it as another.
pub fn read_parts(directory: &Path) -> anyhow::Result<Vec<Part>> {
    let mut files = Vec::new();
    let mut directories = Vec::new();
    for entry in std::fs::read_dir(directory)
        .with_context(|| format!("cannot read the directory {}", directory.display()))?
    {
        let path = entry?.path();
        if path.is_dir() {
            directories.push(path);
        } else if path.extension().is_some_and(|it| it == "toml") {
            files.push(path);
        }
    }
    files.sort();
    directories.sort();
    let mut parts = Vec::new();
    if !files.is_empty() {
        parts.push(Part {
            name: name(directory),
            callers: read_files(&files)?,
        });
    }
    for inner in directories {
        parts.extend(read_parts(&inner)?);
    }
    Ok(parts)
}

fn name(directory: &Path) -> String {
    let canonical = directory.canonicalize().ok();
    let name = canonical.as_deref().unwrap_or(directory).file_name();
    name.unwrap_or_default().to_string_lossy().replace('-', " ")
}

fn read_files(files: &[PathBuf]) -> anyhow::Result<Vec<Caller>> {
    let mut callers: Vec<Caller> = Vec::new();
    for path in files {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        callers.extend(from_toml(&text).with_context(|| format!("in {}", path.display()))?);
    }
    let mut seen = BTreeSet::new();
    for caller in &callers {
        ensure!(
            seen.insert(&caller.id),
            "two callers are called {}",
            caller.id
        );
    }
    Ok(callers)
}

pub fn from_toml(text: &str) -> anyhow::Result<Vec<Caller>> {
    let file: CallerFile = toml::from_str(text)?;
    let mut callers = file.callers;
    for caller in &mut callers {
        caller.category.clone_from(&file.category);
        check(caller).with_context(|| format!("caller {}", caller.id))?;
    }
    Ok(callers)
}

fn check(caller: &Caller) -> anyhow::Result<()> {
    let spoken = caller.opening.iter().chain(&caller.then);
    let answers = caller.answers.values().flat_map(OneOrMore::iter);
    for words in spoken.chain(answers) {
        ensure!(
            !words.trim().is_empty(),
            "something said is empty: write (silence) or (unclear)"
        );
    }
    ensure!(!caller.opening.as_slice().is_empty(), "there is no opening");
    ensure!(
        !caller.expect.agency.as_slice().is_empty(),
        "no agency is expected: write \"none\""
    );
    for code in caller.expect.agency.iter() {
        if code != "none" && code.parse::<Agency>().is_err() {
            bail!("{code} is not an agency's code, nor none");
        }
    }
    if caller.expect.high_risk {
        ensure!(
            caller.expect.urgent != Some(false),
            "high risk and not urgent contradict each other"
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[track_caller]
    fn refused(caller: &str, reason: &str) {
        let text = format!("category = 'c'\n[[caller]]\nid = 'x'\nwho = 'w'\n{caller}");
        let error = format!("{:#}", from_toml(&text).unwrap_err());
        assert!(error.contains(reason), "{reason:?} is not in {error:?}");
    }

    #[test]
    fn a_caller_is_read_with_the_category_of_the_file() {
        let callers = from_toml(
            "category = 'Shelter'\n[[caller]]\nid = 'x'\nwho = 'w'\nopening = 'hello'\n\
             answers.name = ['no', 'no lah']\nrefuses = ['name']\nexpect.agency = 'FSC'",
        )
        .unwrap();
        let caller = &callers[0];
        assert_eq!(caller.category, "Shelter");
        assert_eq!(caller.answers[&Topic::Name].as_slice().len(), 2);
        assert!(caller.expect.transferred());
        assert!(caller.expect.is_out_of_danger());
    }

    #[test]
    fn the_callers_of_this_repository_are_well_formed() {
        let parts = read_parts(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/callers"))).unwrap();
        let callers = || parts.iter().flat_map(|part| &part.callers);
        let ids: BTreeSet<&str> = callers().map(|caller| caller.id.as_str()).collect();
        assert_eq!(ids.len(), callers().count(), "an id stands in two parts");
        for agency in Agency::ALL {
            assert!(
                callers().any(|caller| caller.expect.accepts(Some(agency))),
                "nobody rings for {agency}"
            );
        }
        assert!(callers().filter(|caller| caller.voice).count() >= 20);
    }

    #[test]
    fn a_mistake_in_a_caller_is_named() {
        refused("opening = 'a'\nexpect.agency = 'ABC'", "not an agency");
        refused("opening = ' '\nexpect.agency = 'none'", "is empty");
        refused("opening = []\nexpect.agency = 'none'", "no opening");
        refused("opening = 'a'\nexpect.agency = []", "no agency");
        refused(
            "opening = 'a'\nanswers.shoe = 'x'\nexpect.agency = 'none'",
            "shoe",
        );
        refused(
            "opening = 'a'\nexpect.agency = 'SOS'\nexpect.high_risk = true\nexpect.urgent = false",
            "contradict",
        );
    }
}
