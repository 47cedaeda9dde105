//! Counts, from labelled openings, how far each word leans towards each need, and writes the table
//! that `flow::understanding` reads (`make hints`).
//!
//! A word's weight is the log of its odds: how often it stands in openings with the need, against
//! those without. Both shares are drawn towards the word's share in all openings, so that a word seen
//! twice proves little. A need's threshold follows from the share of openings without it that may be
//! asked about it in vain, each weighed by a table from which its own words were left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Parser;
use flow::reading::Leaning as Hint;
use reader::rules::hint_words;
use serde::Deserialize;

/// Counts how far each word leans towards each need, and writes the table.
#[derive(Parser)]
struct Arguments {
    /// Labelled openings: a route, a tab, the words
    #[arg(long, required = true, num_args = 1..)]
    openings: Vec<PathBuf>,
    /// A directory of simulated callers, whose openings are labelled by the agency expected
    #[arg(long, required = true)]
    callers: PathBuf,
    /// Where to write the table
    #[arg(long)]
    write: PathBuf,
}

/// Of the openings without a need, this share may be asked about it; about suicide more, since every
/// caller who stays to talk is asked about that before long.
fn asked_in_vain(need: Hint) -> f64 {
    if need == Hint::Suicide { 0.10 } else { 0.05 }
}

/// As if each word had stood in so many more openings of either kind, at its share in all of them.
/// Of 3 to 80, this found most of `practice.tsv` when counted without it.
const DRAWN: f64 = 40.0;
/// Whatever the share, words lean towards a need from these odds on (e to this power, to one).
const LEAST: f64 = 1.2;
/// Seen in fewer openings, a word is left out.
const SEEN: usize = 2;

struct Opening {
    words: BTreeSet<String>,
    needs: BTreeSet<Hint>,
}

#[derive(Deserialize)]
struct Callers {
    #[serde(rename = "caller")]
    callers: Vec<OneCaller>,
}

#[derive(Deserialize)]
struct OneCaller {
    opening: OneOrMore,
    expect: Expected,
}

#[derive(Deserialize)]
struct Expected {
    agency: Option<OneOrMore>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

impl OneOrMore {
    fn all(self) -> Vec<String> {
        match self {
            Self::One(one) => vec![one],
            Self::More(more) => more,
        }
    }
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let mut openings = Vec::new();
    for file in &arguments.openings {
        openings.extend(labelled(file)?);
    }
    openings.extend(of_callers(&arguments.callers)?);
    let table = table(&openings);
    std::fs::write(&arguments.write, table)
        .with_context(|| format!("writing {}", arguments.write.display()))?;
    println!(
        "{} openings counted into {}",
        openings.len(),
        arguments.write.display()
    );
    Ok(())
}

/// The needs that a route stands for; `None` where the label leaves them open.
fn needs(route: &str) -> anyhow::Result<Option<BTreeSet<Hint>>> {
    let mut needs = BTreeSet::new();
    for one in route.trim_end_matches('?').split('/') {
        needs.insert(match one {
            "SPF" | "ASK-DANGER" | "ASK-OTHER" => Hint::DangerNow,
            "SOS" | "ASK-SUICIDE" => Hint::Suicide,
            "SACC" => Hint::SexualHarm,
            "FSC" => Hint::Shelter,
            "DVERT" | "PAVE" | "ASK-WHO" => Hint::Hurt,
            "AGE" | "CPS" | "APS" | "NAVH" => Hint::PutDown,
            "NONE" | "none" => Hint::Ordinary,
            "ANY-ASK" => return Ok(None),
            other => bail!("{other:?} is no route: see crates/evaluation/openings/README.md"),
        });
    }
    Ok(Some(needs))
}

fn labelled(file: &Path) -> anyhow::Result<Vec<Opening>> {
    let text =
        std::fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
    let mut openings = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let place = || format!("{}, line {}", file.display(), number + 1);
        let (route, words) = line
            .split_once('\t')
            .with_context(|| format!("{}: a route, a tab and the words are wanted", place()))?;
        if let Some(needs) = needs(route).with_context(place)? {
            let words = hint_words(words);
            openings.push(Opening { words, needs });
        }
    }
    Ok(openings)
}

fn of_callers(directory: &Path) -> anyhow::Result<Vec<Opening>> {
    let mut files = std::fs::read_dir(directory)
        .with_context(|| format!("reading {}", directory.display()))?
        .map(|entry| Ok(entry?.path()))
        .collect::<std::io::Result<Vec<_>>>()?;
    files.sort();
    let mut openings = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file)?;
        let callers: Callers =
            toml::from_str(&text).with_context(|| format!("reading {}", file.display()))?;
        for caller in callers.callers {
            let Some(agency) = caller.expect.agency else {
                continue;
            };
            let route = agency.all().join("/");
            if let Some(needs) = needs(&route).with_context(|| file.display().to_string())? {
                let words = hint_words(&caller.opening.all().join(". "));
                openings.push(Opening { words, needs });
            }
        }
    }
    Ok(openings)
}

/// In how many openings with a need, and in how many without, each word stands.
#[derive(Default)]
struct Counts<'a> {
    words: BTreeMap<&'a str, (f64, f64)>,
    with: f64,
    without: f64,
}

impl Counts<'_> {
    fn of<'a>(openings: &'a [Opening], need: Hint) -> Counts<'a> {
        let mut counts = Counts::default();
        for opening in openings {
            let has = opening.needs.contains(&need);
            *(if has {
                &mut counts.with
            } else {
                &mut counts.without
            }) += 1.0;
            for word in &opening.words {
                let (with, without) = counts.words.entry(word).or_default();
                *(if has { with } else { without }) += 1.0;
            }
        }
        counts
    }

    /// The weight of a word, had `left_out` openings without the need not been counted.
    fn weight(&self, word: &str, left_out: f64) -> f64 {
        let Some((with, without)) = self.words.get(word) else {
            return 0.0;
        };
        let without = without - left_out;
        if with + without < SEEN as f64 {
            return 0.0;
        }
        let all_without = self.without - left_out;
        let share = (with + without) / (self.with + all_without);
        let drawn = |count: f64, of: f64| (count + DRAWN * share) / (of + DRAWN);
        (drawn(*with, self.with) / drawn(without, all_without)).ln()
    }
}

fn table(openings: &[Opening]) -> String {
    let counts: Vec<Counts<'_>> = Hint::ALL
        .iter()
        .map(|need| Counts::of(openings, *need))
        .collect();
    let thresholds = Hint::ALL.iter().zip(&counts).map(|(need, counts)| {
        let mut sums: Vec<f64> = openings
            .iter()
            .filter(|opening| !opening.needs.contains(need))
            .map(|opening| opening.words.iter().map(|w| counts.weight(w, 1.0)).sum())
            .collect();
        sums.sort_by(|a, b| b.total_cmp(a));
        sums[(sums.len() as f64 * asked_in_vain(*need)) as usize].max(LEAST)
    });
    let hundredths = |weight: f64| ((weight * 100.0).round() as i32).to_string();
    let row = |weights: Vec<f64>| {
        weights
            .into_iter()
            .map(hundredths)
            .collect::<Vec<_>>()
            .join("\t")
    };
    let mut table = String::from(
        "# Written by `make hints`; hundredths of the log of the odds. See hints.rs.\n\
         # word\tdanger now\tsuicide\tsexual harm\tshelter\thurt\tput down\tordinary\n",
    );
    table += &format!("(more than)\t{}\n", row(thresholds.collect()));
    let seen: BTreeMap<&str, usize> =
        openings
            .iter()
            .flat_map(|o| &o.words)
            .fold(BTreeMap::new(), |mut seen, word| {
                *seen.entry(word.as_str()).or_default() += 1;
                seen
            });
    for (word, times) in seen {
        if times >= SEEN {
            let weights = counts
                .iter()
                .map(|counts| counts.weight(word, 0.0))
                .collect();
            table += &format!("{word}\t{}\n", row(weights));
        }
    }
    table
}
