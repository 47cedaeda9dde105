//! Brings the tools, assistants and squads of a folder to the hosted platform: the same files, in the platform's own shape, that
//! the embedded one is driven by. What is there under the same name is changed where it differs; what is not there is made;
//! nothing is ever deleted. Where a file names another of the folder, the platform's id is put in its place; and where the platform
//! is to send its messages, and with which secret, is filled in from the settings.

mod difference;
mod files;
mod platform;

use std::collections::BTreeMap;
use std::path::Path;

use redact::Secret;
use serde_json::{Map, Value, json};

pub use difference::Change;
pub use files::{Definition, FilesError, Kind};
pub use platform::{HostedApi, HostedApiError};

/// Where the platform sends its messages, and what they carry.
pub struct Webhook {
    /// Whole, such as `https://line.example/api/webHook`.
    pub url: String,
    pub secret: Secret<String>,
}

/// What became, or in a dry run would become, of one file.
pub struct Pushed {
    pub kind: Kind,
    pub name: String,
    /// The platform's own; none of what would be made first.
    pub id: Option<String>,
    pub outcome: Outcome,
    /// What whoever runs this should know, and no reason to stop.
    pub warning: Option<String>,
}

pub enum Outcome {
    Created,
    Updated(Vec<Change>),
    /// It is as the file says.
    Unchanged,
}

#[derive(Debug, thiserror::Error)]
pub enum PushError {
    #[error(transparent)]
    Files(#[from] FilesError),
    #[error(transparent)]
    Platform(#[from] HostedApiError),
    #[error(
        "the platform has {count} {kind}s named \"{name}\": rename all but one of them there, and push again"
    )]
    NotTheOnlyOne {
        kind: Kind,
        name: String,
        count: usize,
    },
    #[error(
        "{file} names the {kind} \"{reference}\", and no file of the folder is one by that name: add it, or write the name of one that is there, or the platform's own id"
    )]
    UnknownReference {
        file: String,
        kind: Kind,
        reference: String,
    },
}

/// Pushes what is in the folder. In a dry run the platform is only read.
pub async fn push(
    api: &HostedApi,
    folder: &Path,
    webhook: &Webhook,
    dry_run: bool,
) -> Result<Vec<Pushed>, PushError> {
    let definitions = files::read(folder)?;
    let mut ids = Ids::default();
    let mut pushed = Vec::new();
    // In an order in which each comes after what it names.
    for kind in Kind::ALL {
        let of_kind = definitions.iter().filter(|it| it.kind == kind);
        let there = match of_kind.clone().next() {
            Some(_) => api.list(kind).await?,
            None => Vec::new(),
        };
        for definition in of_kind {
            let wanted = filled(definition, &ids, webhook)?;
            let one = push_one(api, definition, wanted, &there, dry_run).await?;
            ids.learn(definition, one.id.as_deref());
            pushed.push(one);
        }
    }
    Ok(pushed)
}

async fn push_one(
    api: &HostedApi,
    definition: &Definition,
    wanted: Map<String, Value>,
    there: &[Map<String, Value>],
    dry_run: bool,
) -> Result<Pushed, PushError> {
    let (kind, name) = (definition.kind, definition.name.clone());
    let warning = (kind == Kind::Assistant)
        .then(|| messages_missing(&wanted))
        .flatten();
    let same_name: Vec<_> = there
        .iter()
        .filter(|it| files::name_of(kind, it) == Some(name.as_str()))
        .collect();
    let (id, outcome) = match same_name.as_slice() {
        [] if dry_run => (None, Outcome::Created),
        [] => (Some(api.create(kind, &wanted).await?), Outcome::Created),
        [there] => {
            let id = there.get("id").and_then(Value::as_str);
            let id = id.ok_or_else(|| api.unlike_itself())?;
            let changes = difference::between(there, &wanted);
            if changes.is_empty() {
                (Some(id.to_owned()), Outcome::Unchanged)
            } else {
                if !dry_run {
                    api.update(kind, id, &wanted).await?;
                }
                (Some(id.to_owned()), Outcome::Updated(changes))
            }
        }
        several => {
            return Err(PushError::NotTheOnlyOne {
                kind,
                name,
                count: several.len(),
            });
        }
    };
    Ok(Pushed {
        kind,
        name,
        id,
        outcome,
        warning,
    })
}

/// The platform's ids of what has been pushed, by kind and by whatever a file may call it: its name, or its file's.
#[derive(Default)]
struct Ids(BTreeMap<(Kind, String), String>);

impl Ids {
    /// In a dry run what would be made has no id yet, and is called by its name.
    fn learn(&mut self, definition: &Definition, id: Option<&str>) {
        let id = id.map_or_else(|| format!("(new) {}", definition.name), str::to_owned);
        for called in [&definition.name, &definition.stem] {
            self.0.insert((definition.kind, called.clone()), id.clone());
        }
    }

    fn of(&self, kind: Kind, reference: &str) -> Option<String> {
        let known = self.0.get(&(kind, reference.to_owned())).cloned();
        // The platform's own ids are such.
        known.or_else(|| {
            reference
                .parse::<uuid::Uuid>()
                .is_ok()
                .then(|| reference.to_owned())
        })
    }
}

/// The definition as the platform is to have it.
fn filled(
    definition: &Definition,
    ids: &Ids,
    webhook: &Webhook,
) -> Result<Map<String, Value>, PushError> {
    let mut wanted = definition.body.clone();
    if matches!(definition.kind, Kind::Assistant | Kind::Tool) {
        point_to(webhook, definition.kind, &mut wanted);
    }
    for value in wanted.values_mut() {
        put_ids(value, definition, ids)?;
    }
    Ok(wanted)
}

/// An assistant, and a tool that is a function of ours, send what they have to say here.
fn point_to(webhook: &Webhook, kind: Kind, wanted: &mut Map<String, Value>) {
    let is_function = wanted.get("type").and_then(Value::as_str) == Some("function");
    if kind == Kind::Tool && !is_function {
        return;
    }
    let server = wanted.entry("server").or_insert_with(|| json!({}));
    let Some(server) = server.as_object_mut() else {
        return;
    };
    server.insert("url".to_owned(), json!(webhook.url));
    let headers = server.entry("headers").or_insert_with(|| json!({}));
    if let Some(headers) = headers.as_object_mut() {
        let secret = webhook.secret.expose_secret();
        headers.insert(difference::SECRET_HEADER.to_owned(), json!(secret));
    }
    // Without a plan the platform sends each message once, and a report is lost to a moment in which this server is away.
    if kind == Kind::Assistant {
        server.entry("backoffPlan").or_insert_with(
            || json!({"type": "exponential", "maxRetries": 10, "baseDelaySeconds": 1}),
        );
    }
}

/// Puts the platform's ids where other files of the folder are named.
fn put_ids(value: &mut Value, definition: &Definition, ids: &Ids) -> Result<(), PushError> {
    match value {
        Value::Array(items) => items
            .iter_mut()
            .try_for_each(|item| put_ids(item, definition, ids)),
        Value::Object(fields) => {
            for (field, value) in fields.iter_mut() {
                let kind = match field.as_str() {
                    "toolIds" => Kind::Tool,
                    "assistantId" => Kind::Assistant,
                    _ => {
                        put_ids(value, definition, ids)?;
                        continue;
                    }
                };
                let references: &mut [Value] = match value {
                    Value::Array(items) => items,
                    one => std::slice::from_mut(one),
                };
                for reference in references {
                    let Some(called) = reference.as_str().filter(|it| !it.is_empty()) else {
                        continue;
                    };
                    let id = ids
                        .of(kind, called)
                        .ok_or_else(|| PushError::UnknownReference {
                            file: definition.file.clone(),
                            kind,
                            reference: called.to_owned(),
                        })?;
                    *reference = Value::String(id);
                }
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Without these messages a call leaves no record here, or one without what was said.
fn messages_missing(assistant: &Map<String, Value>) -> Option<String> {
    const NEEDED: [&str; 3] = ["status-update", "transcript", "end-of-call-report"];
    let asked: Vec<&str> = match assistant.get("serverMessages").and_then(Value::as_array) {
        Some(asked) => asked.iter().filter_map(Value::as_str).collect(),
        // What the platform sends of itself.
        None => vec!["status-update", "end-of-call-report"],
    };
    let missing: Vec<&str> = NEEDED
        .into_iter()
        .filter(|needed| !asked.iter().any(|it| it.starts_with(needed)))
        .collect();
    (!missing.is_empty()).then(|| {
        format!(
            "its serverMessages leave out {}: records will lack what those would have told",
            missing.join(", ")
        )
    })
}
