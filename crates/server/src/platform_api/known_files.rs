//! What an assistant knows beside the helpline: the files of its knowledge bases, as text. An assistant names a base in its model, or has
//! a `query` tool that names bases or files.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use flow::ProgramsWords;
use redact::Secret;
use resources::Kind;
use serde_json::Value;
use uuid::Uuid;

use crate::app::App;

/// What one call looks at.
const MOST_TOOLS: usize = 20;
const MOST_FILES: usize = 40;
/// A caller waits while they are read.
const MOST_BYTES: usize = 2 * 1024 * 1024;

/// Why a file can be told to nobody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotTold {
    #[error("the file is not there any more: attach another")]
    Gone,
    #[error("the file could not be read at the moment: try again")]
    Unread,
    #[error("this is no text: attach plain text or Markdown, in UTF-8")]
    NoText,
    #[error(
        "nothing of it can be told: give it headings, each with a sentence below it that asks nothing"
    )]
    NoHeadings,
}

/// The texts of the files that this model may look things up in. What cannot be read is left out: a call begins without it.
pub async fn of_a_model(app: &App, model: Option<&Value>) -> Vec<Secret<String>> {
    let Some(model) = model else {
        return Vec::new();
    };
    let mut texts = Vec::new();
    let mut bytes = 0;
    for file in files_of(app, model).await {
        if let Ok(text) = text_of(app, file).await {
            bytes += text.expose_secret().len();
            if bytes > MOST_BYTES {
                tracing::warn!(
                    "an assistant's files are more than a call reads: the last are left out"
                );
                break;
            }
            texts.push(text);
        }
    }
    texts
}

/// What is in a file that was sent, if that is text of which something can be told.
pub async fn tellable(app: &App, file: Uuid) -> Result<Secret<String>, NotTold> {
    let text = text_of(app, file).await?;
    match ProgramsWords::default().know(text.expose_secret()) {
        0 => Err(NotTold::NoHeadings),
        _ => Ok(text),
    }
}

async fn text_of(app: &App, file: Uuid) -> Result<Secret<String>, NotTold> {
    let content = app.resources.content(Kind::File, file).await;
    let content = content.map_err(|_| NotTold::Unread)?.ok_or(NotTold::Gone)?;
    let bytes = BASE64_STANDARD.decode(content.expose_secret());
    let text = bytes.ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let text = text.filter(|text| !text.contains('\0'));
    text.map(Secret::new).ok_or(NotTold::NoText)
}

/// Each once, in the order in which they are named.
async fn files_of(app: &App, model: &Value) -> Vec<Uuid> {
    let mut found = Found::default();
    found.name_base(model.get("knowledgeBaseId"));
    found.name_bases(model.get("knowledgeBase"));
    for tool in list(model.get("tools")).take(MOST_TOOLS) {
        found.name_tool(tool);
    }
    for id in list(model.get("toolIds"))
        .filter_map(id_of)
        .take(MOST_TOOLS)
    {
        match app.resources.get(Kind::Tool, id).await {
            Ok(Some(tool)) => found.name_tool(&Value::Object(tool.body.expose_secret().clone())),
            // A base has a tool of its own id.
            _ => found.bases.push(id),
        }
    }
    let mut files = found.files;
    for base in found.bases.into_iter().take(MOST_TOOLS) {
        if let Ok(Some(base)) = app.resources.get(Kind::KnowledgeBase, base).await {
            let attached = list(base.body.expose_secret().get("files"));
            files.extend(attached.filter_map(|file| id_of(file.get("fileId")?)));
        }
    }
    let mut once = Vec::new();
    for file in files {
        if !once.contains(&file) && once.len() < MOST_FILES {
            once.push(file);
        }
    }
    once
}

#[derive(Default)]
struct Found {
    bases: Vec<Uuid>,
    files: Vec<Uuid>,
}

impl Found {
    fn name_tool(&mut self, tool: &Value) {
        if tool.get("type").and_then(Value::as_str) == Some("query") {
            for base in list(tool.get("knowledgeBases")) {
                self.name_bases(Some(base));
            }
        }
    }

    fn name_bases(&mut self, base: Option<&Value>) {
        for id in ["id", "knowledgeBaseId"] {
            self.name_base(base.and_then(|base| base.get(id)));
        }
        let files = base.and_then(|base| base.get("fileIds"));
        self.files.extend(list(files).filter_map(id_of));
    }

    fn name_base(&mut self, id: Option<&Value>) {
        self.bases.extend(id.and_then(id_of));
    }
}

fn list(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    value.and_then(Value::as_array).into_iter().flatten()
}

fn id_of(value: &Value) -> Option<Uuid> {
    value.as_str()?.parse().ok()
}
