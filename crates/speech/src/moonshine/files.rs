//! Where the engine's files are, and whether they are whole.
//!
//! It does not fetch them (`scripts/fetch-engine` does) and does not hash them: sizes are
//! compared with the manifest, which catches a truncated model before the library meets it.

use std::path::{Path, PathBuf};

/// The version that `scripts/fetch-engine` fetches; its C interface is what `library` speaks.
const DIRECTORY: &str = "moonshine-0.0.73";
const MANIFEST: &str = "MANIFEST";
const LIBRARY: &str = "moonshine_voice/libmoonshine.so";
const MODEL: &str = "moonshine_voice/assets/tiny-en";
/// Files without which there is no engine; all must be in the manifest.
const NEEDED: [&str; 4] = [
    LIBRARY,
    "moonshine_voice/assets/tiny-en/encoder_model.ort",
    "moonshine_voice/assets/tiny-en/decoder_model_merged.ort",
    "moonshine_voice/assets/tiny-en/tokenizer.bin",
];
/// Names another engine directory; read by [`EngineFiles::find`].
const DIRECTORY_VARIABLE: &str = "NIGHTLIGHT_ENGINE_DIR";

/// The files of an engine that is present and has the right sizes.
#[derive(Debug, Clone)]
pub struct EngineFiles {
    directory: PathBuf,
    pub(super) library: PathBuf,
    pub(super) model: PathBuf,
}

/// Why the engine cannot be loaded from where it was looked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MissingEngine {
    /// Nothing is there.
    #[error("there is no speech engine in {}: run `make setup`", .directory.display())]
    Absent {
        /// Where it was looked for.
        directory: PathBuf,
    },
    /// Something is there, but not whole.
    #[error("the speech engine's file {} is missing or damaged: run `make setup`", .file.display())]
    Damaged {
        /// The file at fault.
        file: PathBuf,
    },
}

impl EngineFiles {
    /// The engine that `scripts/fetch-engine` put into `directory`.
    pub fn locate(directory: &Path) -> Result<EngineFiles, MissingEngine> {
        let engine = directory.join(DIRECTORY);
        if !engine.is_dir() {
            return Err(MissingEngine::Absent {
                directory: directory.to_owned(),
            });
        }
        let manifest = engine.join(MANIFEST);
        let damaged = |file: &str| MissingEngine::Damaged {
            file: engine.join(file),
        };
        let lines = std::fs::read_to_string(manifest).map_err(|_| damaged(MANIFEST))?;
        let mut listed = Vec::new();
        for line in lines.lines() {
            let (size, path) = parse(line).ok_or_else(|| damaged(MANIFEST))?;
            match std::fs::metadata(engine.join(path)) {
                Ok(found) if found.len() == size => listed.push(path),
                _ => return Err(damaged(path)),
            }
        }
        if let Some(unlisted) = NEEDED.iter().find(|needed| !listed.contains(needed)) {
            return Err(damaged(unlisted));
        }
        Ok(EngineFiles {
            library: engine.join(LIBRARY),
            model: engine.join(MODEL),
            directory: engine,
        })
    }

    /// The directory of this version of the engine, which also holds its licence.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The engine in `NIGHTLIGHT_ENGINE_DIR` if that is set, or else in `var/engine` of the
    /// working directory or the nearest directory above it. Tests and tools use this; the
    /// server is told by its settings.
    pub fn find() -> Result<EngineFiles, MissingEngine> {
        if let Some(directory) = std::env::var_os(DIRECTORY_VARIABLE) {
            return EngineFiles::locate(Path::new(&directory));
        }
        let usual = Path::new("var/engine");
        let here = std::env::current_dir().unwrap_or_default();
        let directory = here
            .ancestors()
            .map(|above| above.join(usual))
            .find(|candidate| candidate.is_dir())
            .unwrap_or_else(|| usual.to_owned());
        EngineFiles::locate(&directory)
    }
}

/// A manifest line, "sha256 size path": its size and path.
fn parse(line: &str) -> Option<(u64, &str)> {
    let (_digest, rest) = line.split_once(' ')?;
    let (size, path) = rest.split_once(' ')?;
    Some((size.parse().ok()?, path))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn engine_with(files: &[(&str, &[u8], usize)]) -> tempfile::TempDir {
        let directory = tempfile::tempdir().unwrap();
        let engine = directory.path().join(DIRECTORY);
        let mut manifest = String::new();
        for (path, content, listed_size) in files {
            let file = engine.join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, content).unwrap();
            manifest += &format!("0000 {listed_size} {path}\n");
        }
        std::fs::create_dir_all(&engine).unwrap();
        std::fs::write(engine.join(MANIFEST), manifest).unwrap();
        directory
    }

    #[test]
    fn a_missing_engine_is_an_error_that_says_what_to_do() {
        let directory = tempfile::tempdir().unwrap();
        let error = EngineFiles::locate(directory.path()).unwrap_err();
        assert!(matches!(error, MissingEngine::Absent { .. }));
        assert!(error.to_string().contains("make setup"));
    }

    #[test]
    fn a_whole_engine_is_found() {
        let files = NEEDED.map(|path| (path, b"abc".as_slice(), 3));
        let directory = engine_with(&files);
        let found = EngineFiles::locate(directory.path()).unwrap();
        assert!(found.library.ends_with(LIBRARY));
    }

    #[test]
    fn a_truncated_model_is_an_error_that_names_the_file() {
        let mut files = NEEDED.map(|path| (path, b"abc".as_slice(), 3));
        files[2].2 = 30_412_256;
        let directory = engine_with(&files);
        let error = EngineFiles::locate(directory.path()).unwrap_err();
        assert!(error.to_string().contains("decoder_model_merged.ort"));
        assert!(error.to_string().contains("make setup"));
    }

    #[test]
    fn an_engine_whose_manifest_leaves_out_the_model_is_damaged() {
        let directory = engine_with(&[(LIBRARY, b"abc", 3)]);
        let error = EngineFiles::locate(directory.path()).unwrap_err();
        assert!(matches!(error, MissingEngine::Damaged { .. }));
    }

    #[test]
    fn an_unreadable_manifest_is_damage_and_not_a_panic() {
        let directory = engine_with(&[]);
        std::fs::write(directory.path().join(DIRECTORY).join(MANIFEST), "gibberish").unwrap();
        let error = EngineFiles::locate(directory.path()).unwrap_err();
        assert!(matches!(error, MissingEngine::Damaged { .. }));
    }
}
