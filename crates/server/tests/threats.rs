//! The threat model names for every threat the tests that try it; here it is held to it.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every source file of ours, every test in a browser and every test of a script, with its text.
fn sources() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = ["crates", "web/e2e", "scripts/dependencies"]
        .map(|folder| repository().join(folder))
        .to_vec();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|it| it == "rs" || it == "ts" || it == "py")
            {
                let text = std::fs::read_to_string(&path).unwrap();
                found.push((path.display().to_string(), text));
            }
        }
    }
    found
}

#[test]
fn every_threat_names_tests_that_there_are() {
    let model = std::fs::read_to_string(repository().join("docs/threat-model.md")).unwrap();
    let sources = sources();
    let rows = model.lines().filter(|line| line.starts_with("| "));
    let threats: Vec<&str> = rows.filter(|row| !row.starts_with("| threat |")).collect();
    assert!(threats.len() > 20, "the threat model has lost its tables");
    for threat in threats {
        let held_by = threat.trim_end_matches(" |").rsplit(" | ").next().unwrap();
        let named: Vec<&str> = held_by.split('`').skip(1).step_by(2).collect();
        assert!(!named.is_empty(), "no test is named: {threat}");
        for named in named {
            let (file, test) = named.split_once(": ").unwrap_or_else(|| panic!("{named}"));
            let is_there = sources.iter().any(|(path, text)| {
                let declared = match file.rsplit_once('.') {
                    Some((_, "ts")) => format!("test(\"{test}\""),
                    Some((_, "py")) => format!("def {test}("),
                    _ => format!("fn {test}("),
                };
                path.ends_with(&format!("/{file}")) && text.contains(&declared)
            });
            assert!(is_there, "there is no test {test} in {file}");
        }
    }
}
