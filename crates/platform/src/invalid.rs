//! What is wrong with a body, said so that its sender can mend it: the path of the field
//! and what was expected there. The value itself is never repeated: it may be the
//! caller's words, and errors reach logs.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::only_objects::OnlyObjects;

/// Why a body or message could not be taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Invalid {
    /// Not JSON at all.
    #[error("the body is not valid JSON: see line {line}, column {column}")]
    NotJson { line: usize, column: usize },
    /// The field at `path` (dotted, as the sender wrote it; empty for the whole body).
    #[error("{}: {problem}", name(path))]
    Field { path: String, problem: String },
    /// Neither an assistant, nor a squad, nor a workflow (the platform's own words).
    #[error("Assistant or Squad or Workflow must be provided.")]
    NothingToCall,
}

impl Invalid {
    pub(crate) fn field(path: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Field {
            path: path.into(),
            problem: problem.into(),
        }
    }

    /// A stable code for [`ApiErrorBody::code`].
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotJson { .. } => "body-not-json",
            Self::Field { .. } => "field-invalid",
            Self::NothingToCall => "assistant-or-squad-or-workflow-required",
        }
    }
}

fn name(path: &str) -> String {
    match path {
        "" => "the body".to_owned(),
        path => format!("`{path}`"),
    }
}

/// The body of every answer that is not a success.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApiErrorBody {
    /// The HTTP status again, for clients that only keep the body.
    #[schema(example = 400)]
    pub status_code: u16,
    /// Stable, for programs.
    #[schema(example = "field-invalid")]
    pub code: String,
    /// For people: what to do.
    pub message: String,
    /// The status in words.
    #[schema(example = "Bad Request")]
    pub error: String,
}

/// Reads one JSON body.
pub fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Invalid> {
    from_value(&json(body)?)
}

pub(crate) fn json(body: &[u8]) -> Result<Value, Invalid> {
    serde_json::from_slice(body).map_err(|error| Invalid::NotJson {
        line: error.line(),
        column: error.column(),
    })
}

/// Reads from parsed JSON; several types may read their part of the same value.
pub(crate) fn from_value<T: DeserializeOwned>(value: &Value) -> Result<T, Invalid> {
    serde_path_to_error::deserialize(OnlyObjects(value)).map_err(|error| {
        let path = match error.path().to_string() {
            path if path == "." => String::new(),
            path => path,
        };
        explain(path, &error.inner().to_string())
    })
}

/// The string field that tells messages apart.
pub(crate) fn tag<'v>(value: &'v Value, path: &str) -> Result<&'v str, Invalid> {
    let Some(fields) = value.as_object() else {
        let parent = path.rsplit_once('.').map_or("", |(parent, _)| parent);
        return Err(Invalid::field(parent, "expected an object"));
    };
    match fields.get("type") {
        Some(Value::String(tag)) => Ok(tag),
        Some(_) => Err(Invalid::field(path, "expected a string")),
        None => Err(Invalid::field(path, "is missing")),
    }
}

/// Prefixes the paths of errors in a part of a larger body.
pub(crate) fn within(prefix: &str, error: Invalid) -> Invalid {
    match error {
        Invalid::Field { path, problem } if path.is_empty() => Invalid::field(prefix, problem),
        Invalid::Field { path, problem } => Invalid::field(format!("{prefix}.{path}"), problem),
        other => other,
    }
}

/// Keeps of serde's sentence only what our own types wrote into it. Its wordings are
/// `missing field X` and `<what came>, expected <what we want>`; what came is dropped.
fn explain(path: String, sentence: &str) -> Invalid {
    if let Some(field) = sentence
        .strip_prefix("missing field `")
        .and_then(|rest| rest.split('`').next())
    {
        let path = match path.as_str() {
            "" => field.to_owned(),
            parent => format!("{parent}.{field}"),
        };
        return Invalid::field(path, "is missing");
    }
    let with_value = [
        "invalid type: ",
        "invalid value: ",
        "invalid length ",
        "unknown variant `",
    ];
    let problem = if with_value.iter().any(|known| sentence.starts_with(known)) {
        sentence
            .rsplit_once(", expected ")
            .map(|(_, expected)| format!("expected {}", plain(expected)))
    } else {
        // What our own types wrote whole (`expecting`).
        sentence
            .starts_with("expected ")
            .then(|| sentence.to_owned())
    };
    Invalid::field(
        path,
        problem.unwrap_or_else(|| "has a value that cannot be taken".to_owned()),
    )
}

/// Rust's type names in JSON's words.
fn plain(expected: &str) -> String {
    let expected = expected.trim();
    let integers = [
        "u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64",
    ];
    match expected {
        "a map" => "an object".to_owned(),
        "a sequence" => "an array".to_owned(),
        "a Secret" => "a string".to_owned(),
        "f32" | "f64" => "a number".to_owned(),
        _ if integers.contains(&expected) => "a whole number".to_owned(),
        _ if expected.starts_with("struct ") || expected.starts_with("internally tagged enum ") => {
            "an object".to_owned()
        }
        _ if expected.starts_with("enum ") => "one of the known strings".to_owned(),
        other => other.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct Outer {
        inner: Inner,
    }

    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct Inner {
        count: u8,
        words: Vec<String>,
    }

    fn problem(body: &str) -> String {
        read::<Outer>(body.as_bytes())
            .expect_err("these bodies are wrong")
            .to_string()
    }

    #[test]
    fn an_error_names_the_field_and_what_is_expected_there() {
        assert_eq!(problem("{}"), "`inner`: is missing");
        assert_eq!(problem(r#"{"inner":{}}"#), "`inner.count`: is missing");
        assert_eq!(problem(r#"{"inner":3}"#), "`inner`: expected an object");
        assert_eq!(
            problem(r#"{"inner":{"count":300,"words":[]}}"#),
            "`inner.count`: expected a whole number"
        );
        assert_eq!(
            problem(r#"{"inner":{"count":3,"words":["a",7]}}"#),
            "`inner.words[1]`: expected a string"
        );
        assert_eq!(problem("[]"), "the body: expected an object");
        assert_eq!(
            problem(r#"{"inner":[3,["a"]]}"#),
            "`inner`: expected an object"
        );
        assert_eq!(problem("\"x\""), "the body: expected an object");
    }

    #[test]
    fn an_error_never_repeats_the_value() {
        for value in [
            "\"he hit me\"",
            "\"he, expected dinner\"",
            "[\"he hit me\"]",
        ] {
            let problem = problem(&format!(r#"{{"inner":{{"count":{value},"words":[]}}}}"#));
            assert_eq!(problem, "`inner.count`: expected a whole number");
        }
    }

    #[test]
    fn text_that_is_not_json_is_told_by_its_place() {
        assert_eq!(
            problem("{\"inner\":\n nope}"),
            "the body is not valid JSON: see line 2, column 3"
        );
    }
}
