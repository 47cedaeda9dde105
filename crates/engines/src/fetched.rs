//! One fetched engine: a directory of files and a manifest of their hashes and sizes.
//!
//! Hashes are checked when it is fetched. Here sizes are compared with the manifest, which catches a truncated
//! model before a library meets it.

use std::path::{Path, PathBuf};

const MANIFEST: &str = "MANIFEST";
/// Names another directory of engines; read by [`usual_directory`].
const DIRECTORY_VARIABLE: &str = "NIGHTLIGHT_ENGINE_DIR";

/// An engine that is present, and whose files have the right sizes.
#[derive(Debug, Clone)]
pub struct Fetched {
    directory: PathBuf,
}

/// Why an engine cannot be used from where it was looked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Missing {
    /// Nothing is there.
    #[error("there is no {engine} in {}: run `make setup`", .directory.display())]
    Absent {
        /// Its name and version.
        engine: &'static str,
        /// Where it was looked for.
        directory: PathBuf,
    },
    /// Something is there, but not whole.
    #[error("the engine file {} is missing or damaged: run `make setup`", .file.display())]
    Damaged {
        /// The file at fault.
        file: PathBuf,
    },
}

impl Fetched {
    /// The engine of that name and version under `engines`; its manifest must list all that is `needed`.
    pub fn locate(
        engines: &Path,
        engine: &'static str,
        needed: &[&str],
    ) -> Result<Fetched, Missing> {
        let directory = in_checkout(engines).join(engine);
        if !directory.is_dir() {
            return Err(Missing::Absent {
                engine,
                directory: engines.to_owned(),
            });
        }
        let damaged = |file: &str| Missing::Damaged {
            file: directory.join(file),
        };
        let manifest =
            std::fs::read_to_string(directory.join(MANIFEST)).map_err(|_| damaged(MANIFEST))?;
        let mut listed = Vec::new();
        for line in manifest.lines() {
            let (size, path) = size_and_path(line).ok_or_else(|| damaged(MANIFEST))?;
            match std::fs::metadata(directory.join(path)) {
                Ok(found) if found.len() == size => listed.push(path),
                _ => return Err(damaged(path)),
            }
        }
        match needed.iter().find(|needed| !listed.contains(needed)) {
            Some(unlisted) => Err(damaged(unlisted)),
            None => Ok(Fetched { directory }),
        }
    }

    /// Where its files are, its licence among them.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// One of its files.
    pub fn file(&self, path: &str) -> PathBuf {
        self.directory.join(path)
    }
}

/// The engines in `NIGHTLIGHT_ENGINE_DIR` if that is set, or else in `var/engine` of the working directory or the
/// nearest directory above it. For tests and tools; the server is told by its settings.
pub fn usual_directory() -> PathBuf {
    if let Some(directory) = std::env::var_os(DIRECTORY_VARIABLE) {
        return directory.into();
    }
    let usual = Path::new("var/engine");
    let here = std::env::current_dir().unwrap_or_default();
    here.ancestors()
        .map(|above| above.join(usual))
        .find(|candidate| candidate.is_dir())
        .unwrap_or_else(|| usual.to_owned())
}

/// A relative path is looked for where the program was started and, failing that, in the checkout that
/// the program was built in: it is run from elsewhere too.
pub fn in_checkout(path: &Path) -> PathBuf {
    let built_in = || {
        let program = std::env::current_exe().ok()?;
        program
            .ancestors()
            .map(|above| above.join(path))
            .find(|place| place.exists())
    };
    match path.is_absolute() || path.exists() {
        true => path.to_owned(),
        false => built_in().unwrap_or_else(|| path.to_owned()),
    }
}

/// A manifest line, "sha256 size path": its size and path.
fn size_and_path(line: &str) -> Option<(u64, &str)> {
    let (_digest, rest) = line.split_once(' ')?;
    let (size, path) = rest.split_once(' ')?;
    Some((size.parse().ok()?, path))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    const ENGINE: &str = "voice-1.0";
    const NEEDED: [&str; 2] = ["lib/voice.so", "model.onnx"];

    fn engines_with(files: &[(&str, &[u8], usize)]) -> tempfile::TempDir {
        let engines = tempfile::tempdir().unwrap();
        let engine = engines.path().join(ENGINE);
        let mut manifest = String::new();
        for (path, content, listed_size) in files {
            let file = engine.join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, content).unwrap();
            manifest += &format!("0000 {listed_size} {path}\n");
        }
        std::fs::create_dir_all(&engine).unwrap();
        std::fs::write(engine.join(MANIFEST), manifest).unwrap();
        engines
    }

    #[test]
    fn a_missing_engine_is_an_error_that_says_what_to_do() {
        let engines = tempfile::tempdir().unwrap();
        let error = Fetched::locate(engines.path(), ENGINE, &NEEDED).unwrap_err();
        assert!(matches!(error, Missing::Absent { .. }));
        assert!(error.to_string().contains("make setup"));
    }

    #[test]
    fn a_whole_engine_is_found() {
        let engines = engines_with(&NEEDED.map(|path| (path, b"abc".as_slice(), 3)));
        let found = Fetched::locate(engines.path(), ENGINE, &NEEDED).unwrap();
        assert!(found.file(NEEDED[0]).is_file());
    }

    #[test]
    fn a_truncated_model_is_an_error_that_names_the_file() {
        let mut files = NEEDED.map(|path| (path, b"abc".as_slice(), 3));
        files[1].2 = 30_412_256;
        let engines = engines_with(&files);
        let error = Fetched::locate(engines.path(), ENGINE, &NEEDED).unwrap_err();
        assert!(error.to_string().contains("model.onnx"));
        assert!(error.to_string().contains("make setup"));
    }

    #[test]
    fn an_engine_whose_manifest_leaves_out_the_model_is_damaged() {
        let engines = engines_with(&[(NEEDED[0], b"abc", 3)]);
        let error = Fetched::locate(engines.path(), ENGINE, &NEEDED).unwrap_err();
        assert!(matches!(error, Missing::Damaged { .. }));
    }

    #[test]
    fn an_unreadable_manifest_is_damage_and_not_a_panic() {
        let engines = engines_with(&[]);
        std::fs::write(engines.path().join(ENGINE).join(MANIFEST), "gibberish").unwrap();
        let error = Fetched::locate(engines.path(), ENGINE, &NEEDED).unwrap_err();
        assert!(matches!(error, Missing::Damaged { .. }));
    }
}
