//! The definitions in a folder: `tools/`, `assistants/` and `squads/`, a JSON file each, in the platform's own shape.

use std::fmt;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Tool,
    Assistant,
    Squad,
}

impl Kind {
    /// In an order in which each may name those before it.
    pub const ALL: [Self; 3] = [Self::Tool, Self::Assistant, Self::Squad];

    /// As the platform's paths have it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Assistant => "assistant",
            Self::Squad => "squad",
        }
    }

    fn folder(self) -> String {
        format!("{self}s")
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One file.
pub struct Definition {
    pub kind: Kind,
    /// By which it is found on the platform.
    pub name: String,
    /// The file's name without its ending, by which other files may call it.
    pub stem: String,
    /// For whoever has to mend it.
    pub file: String,
    pub body: Map<String, Value>,
}

#[derive(Debug, thiserror::Error)]
pub enum FilesError {
    #[error(
        "there is nothing to push in {folder}: give a folder that holds tools/, assistants/ or squads/ with JSON files"
    )]
    Nothing { folder: String },
    #[error("{path} cannot be read: look at its permissions")]
    Unreadable {
        path: String,
        #[source]
        cause: std::io::Error,
    },
    #[error("{file} is not JSON from line {line}, column {column} on: mend it there")]
    NotJson {
        file: String,
        line: usize,
        column: usize,
    },
    #[error("{file} holds no definition: write one {kind} as a JSON object")]
    NoObject { file: String, kind: Kind },
    #[error("{file} has no name: give it `{field}`, by which it is found on the platform")]
    NoName { file: String, field: &'static str },
    #[error("{file} and {other} have the same name: give one of them another")]
    SameName { file: String, other: String },
}

/// What the platform keeps beside a definition, which no file says.
const NOT_OURS: [&str; 5] = ["id", "orgId", "createdAt", "updatedAt", "$schema"];

/// Every definition of the folder, those of a kind in the order of their files' names.
pub fn read(folder: &Path) -> Result<Vec<Definition>, FilesError> {
    let mut definitions: Vec<Definition> = Vec::new();
    for kind in Kind::ALL {
        for path in json_files(&folder.join(kind.folder()))? {
            let definition = definition(kind, &path)?;
            let same = |it: &&Definition| it.kind == kind && it.name == definition.name;
            if let Some(other) = definitions.iter().find(same) {
                return Err(FilesError::SameName {
                    file: definition.file,
                    other: other.file.clone(),
                });
            }
            definitions.push(definition);
        }
    }
    match definitions.is_empty() {
        true => Err(FilesError::Nothing {
            folder: folder.display().to_string(),
        }),
        false => Ok(definitions),
    }
}

/// None where there is no such folder.
fn json_files(folder: &Path) -> Result<Vec<PathBuf>, FilesError> {
    let unreadable = |cause| FilesError::Unreadable {
        path: folder.display().to_string(),
        cause,
    };
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unreadable(error)),
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|ending| ending == "json") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn definition(kind: Kind, path: &Path) -> Result<Definition, FilesError> {
    let file = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|cause| FilesError::Unreadable {
        path: file.clone(),
        cause,
    })?;
    let value: Value = serde_json::from_str(&text).map_err(|error| FilesError::NotJson {
        file: file.clone(),
        line: error.line(),
        column: error.column(),
    })?;
    let Value::Object(mut body) = value else {
        return Err(FilesError::NoObject { file, kind });
    };
    body.retain(|field, _| !NOT_OURS.contains(&field.as_str()));
    let Some(name) = name_of(kind, &body).map(str::to_owned) else {
        let field = match kind {
            Kind::Tool => "function.name",
            Kind::Assistant | Kind::Squad => "name",
        };
        return Err(FilesError::NoName { file, field });
    };
    let stem = path.file_stem().unwrap_or_default();
    Ok(Definition {
        kind,
        name,
        stem: stem.to_string_lossy().into_owned(),
        file,
        body,
    })
}

/// By what a definition is known, in a file or on the platform: a tool by its function's name, if it is one.
pub fn name_of(kind: Kind, body: &Map<String, Value>) -> Option<&str> {
    let own = || body.get("name");
    let name = match kind {
        Kind::Tool => body
            .get("function")
            .and_then(|function| function.get("name"))
            .or_else(own),
        Kind::Assistant | Kind::Squad => own(),
    };
    name?.as_str().filter(|name| !name.trim().is_empty())
}
