//! Which room may import which: the arrows of ARCHITECTURE.md, held by the manifests.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What each room may import of ours, in the program itself.
const ALLOWED: &[(&str, &[&str])] = &[
    ("engines", &[]),
    ("flow", &[]),
    ("turn", &[]),
    ("speech", &["engines"]),
    ("endpoint", &[]),
    ("remote-voice", &["endpoint", "speech"]),
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
    ("caller", &["speech", "platform"]),
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
