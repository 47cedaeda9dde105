//! Which room may import which: the arrows of ARCHITECTURE.md, held by the manifests; and that those two pages are true
//! of what can be looked up.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What each room may import of ours, in the program itself.
const ALLOWED: &[(&str, &[&str])] = &[
    ("engines", &[]),
    ("flow", &[]),
    ("turn", &[]),
    ("signal-processing", &[]),
    ("speech", &["engines", "signal-processing"]),
    ("endpoint", &[]),
    ("remote-voice", &["endpoint", "signal-processing", "speech"]),
    ("platform", &[]),
    ("records", &["flow"]),
    ("desk", &["flow", "records"]),
    ("jobs", &["records"]),
    ("resources", &["records"]),
    // For tests alone: nothing imports it.
    ("postgres-for-tests", &[]),
    ("reader", &["flow", "engines"]),
    ("model", &["flow", "endpoint"]),
    ("call", &["flow", "turn", "reader", "speech", "platform"]),
    (
        "server",
        &[
            "flow",
            "reader",
            "turn",
            "speech",
            "call",
            "model",
            "records",
            "desk",
            "jobs",
            "resources",
            "platform",
            "engines",
            "endpoint",
            "remote-voice",
        ],
    ),
    ("caller", &["speech"]),
    ("evaluation", &["flow", "reader"]),
];

/// Where readings are decided on and moves are worded, and no words are looked at.
const READ_NO_WORDS: &[&str] = &["flow/src/machine", "flow/src/wording"];

/// What the pure rooms must not import of others': clocks, randomness, IO and async runtimes.
const IMPURE: &[&str] = &[
    "tokio",
    "tokio-util",
    "async-trait",
    "futures-util",
    "rand",
    "reqwest",
    "sqlx",
    "axum",
    "tracing",
    "metrics",
    "str0m",
    "if-addrs",
];
const PURE: &[&str] = &["flow", "turn", "platform"];

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page(name: &str) -> String {
    std::fs::read_to_string(repository().join(name)).unwrap()
}

fn dependencies(room: &Path) -> BTreeSet<String> {
    let manifest: toml::Table = std::fs::read_to_string(room.join("Cargo.toml"))
        .unwrap()
        .parse()
        .unwrap();
    let dependencies = manifest.get("dependencies").and_then(toml::Value::as_table);
    dependencies
        .map(|table| table.keys().cloned().collect())
        .unwrap_or_default()
}

fn rooms() -> BTreeMap<String, BTreeSet<String>> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    std::fs::read_dir(crates)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("Cargo.toml").exists())
        .map(|path| {
            (
                path.file_name().unwrap().to_str().unwrap().to_owned(),
                dependencies(&path),
            )
        })
        .collect()
}

#[test]
fn rooms_import_only_along_the_arrows() {
    let rooms = rooms();
    let known: BTreeSet<_> = ALLOWED.iter().map(|(room, _)| (*room).to_owned()).collect();
    assert_eq!(
        rooms.keys().cloned().collect::<BTreeSet<_>>(),
        known,
        "a room without arrows"
    );
    for (room, allowed) in ALLOWED {
        let imported = rooms[*room].iter().filter(|name| known.contains(*name));
        for name in imported {
            assert!(
                allowed.contains(&name.as_str()),
                "{room} must not import {name}"
            );
        }
    }
}

#[test]
fn the_arrows_are_drawn_as_they_are_held() {
    let page = page("ARCHITECTURE.md");
    let drawn: BTreeMap<&str, BTreeSet<&str>> = page
        .split("```")
        .nth(1)
        .unwrap()
        .trim()
        .lines()
        .map(|line| line.split_once(" → ").unwrap())
        .map(|(room, imported)| (room, imported.split(", ").collect()))
        .collect();
    let held: BTreeMap<&str, BTreeSet<&str>> = ALLOWED
        .iter()
        .filter(|(_, allowed)| !allowed.is_empty())
        .map(|(room, allowed)| (*room, allowed.iter().copied().collect()))
        .collect();
    assert_eq!(drawn, held);
}

/// A path stands there between backticks, from the repository's root; one that begins with a stroke is the API's.
#[test]
fn what_is_named_as_holding_an_invariant_is_there() {
    let mut looked_at = 0;
    for name in ["ARCHITECTURE.md", "docs/invariants.md"] {
        let page = page(name);
        let quoted = page
            .lines()
            .flat_map(|line| line.split('`').skip(1).step_by(2));
        for path in quoted.filter(|quoted| quoted.contains('/') && !quoted.starts_with('/')) {
            let is_there = repository().join(path).exists();
            assert!(is_there, "{name} names {path}, which is not there");
            looked_at += 1;
        }
    }
    assert!(looked_at > 80, "only {looked_at} were found");
}

/// Its tables' strokes are counted too.
#[test]
fn the_architecture_is_told_on_two_pages() {
    let words = page("ARCHITECTURE.md").split_whitespace().count();
    assert!(
        words < 1_300,
        "{words} words: details belong to docs/decisions"
    );
}

#[test]
fn the_pure_rooms_have_no_clock_chance_or_outside_world() {
    let rooms = rooms();
    for room in PURE {
        for name in &rooms[*room] {
            assert!(
                !IMPURE.contains(&name.as_str()),
                "{room} must not import {name}"
            );
        }
    }
}

#[test]
fn the_flow_decides_on_readings_and_never_looks_at_a_callers_words() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for room in READ_NO_WORDS {
        for entry in std::fs::read_dir(crates.join(room)).unwrap() {
            let file = entry.unwrap().path();
            let source = std::fs::read_to_string(&file).unwrap();
            assert!(
                !source.contains(".expose_secret()"),
                "{} opens a caller's words: let the reader say what is in them",
                file.display()
            );
        }
    }
}

/// What is read of a body is the platform's shape; a room of the server has types of its own for queries alone.
#[test]
fn the_bodies_of_the_platforms_paths_are_defined_in_its_own_room() {
    let mut looked_at = 0;
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src/platform_api")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            for derived in text.split("#[derive(").skip(1) {
                let derived = derived.split(')').next().unwrap_or_default();
                if derived.contains("Deserialize") {
                    assert!(
                        derived.contains("IntoParams"),
                        "{path:?}: a body's type belongs to crates/platform"
                    );
                    looked_at += 1;
                }
            }
        }
    }
    assert!(looked_at > 10, "only {looked_at} were found");
}

/// Its `lib.rs` is where a stranger begins: what stands between backticks in its tables, and what is declared below them.
#[test]
fn the_server_names_each_of_its_modules_by_the_question_that_it_answers() {
    let page = page("crates/server/src/lib.rs");
    let rows = page.lines().filter_map(|line| line.strip_prefix("//! | "));
    let named: BTreeSet<&str> = rows
        .flat_map(|row| row.split('`').skip(1).step_by(2))
        .map(|path| path.split("::").next().unwrap())
        .collect();
    let declared: BTreeSet<&str> = page
        .lines()
        .map(|line| line.trim_start_matches("pub "))
        .filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'))
        .collect();
    assert_eq!(named, declared);
}

/// What an error of the log says may be reported elsewhere (`server::error_reports`): it is fixed, and what it is about
/// stands in its fields.
#[test]
fn the_words_of_an_error_are_fixed() {
    let mut looked_at = 0;
    for (path, text) in sources() {
        assert!(!text.contains("event!(Level::ERROR"), "{path:?}");
        for told in text.split("error!(").skip(1) {
            let told = up_to_its_end(told);
            // The words come last.
            let words = told.rsplit('"').nth(1).unwrap_or(told);
            assert!(!words.contains('{'), "{path:?}: {words}");
            looked_at += 1;
        }
    }
    assert!(looked_at > 15, "only {looked_at} were found");
}

/// Buckets are set for names that end so (`server::telemetry`); what has none is a summary, which grows until it is scraped
/// and cannot be added up over nodes.
#[test]
fn every_histogram_is_of_seconds_and_has_buckets() {
    let mut looked_at = 0;
    for (path, text) in sources() {
        for named in text.split("histogram!(").skip(1) {
            let named = named.trim_start().strip_prefix('"');
            let name = named.and_then(|named| named.split('"').next());
            let name =
                name.unwrap_or_else(|| panic!("{path:?}: a histogram whose name is not here"));
            assert!(name.ends_with("_seconds"), "{path:?}: {name}");
            looked_at += 1;
        }
    }
    assert!(looked_at > 5, "only {looked_at} were found");
}

/// The programs' own sources, without their tests.
fn sources() -> Vec<(PathBuf, String)> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let (mut folders, mut sources) = (vec![crates.to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let is_source = path.extension().is_some_and(|it| it == "rs");
            if path.is_dir() {
                folders.push(path);
            } else if is_source && path.components().any(|part| part.as_os_str() == "src") {
                let text = std::fs::read_to_string(&path).unwrap();
                sources.push((path, text));
            }
        }
    }
    sources
}

/// A macro's arguments, from behind its opening bracket.
fn up_to_its_end(text: &str) -> &str {
    let (mut depth, mut quoted, mut escaped) = (1, false, false);
    for (place, letter) in text.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = quoted,
            '"' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &text[..place];
        }
    }
    text
}
