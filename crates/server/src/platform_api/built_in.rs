//! What is part of the program, in the platform's own shape: the assistant, the squad that it leads and the tool that it has,
//! from `config/`. They are read as what a program keeps is, and cannot be changed or removed. How the embedded engine is driven
//! by them is `helpline`'s.

use std::sync::LazyLock;

use jiff::Timestamp;
use platform::call::Inline;
use platform::resource::Kept;
use redact::Secret;
use resources::{Kind, Wanted};
use serde_json::{Map, Value, json};
use speech::MoonshineTranscriber;

use super::kept::Shown;
use super::web_call::ORGANISATION;
use crate::api::{ASSISTANT_ID, SQUAD_ID};
use crate::app::App;
use crate::helpline::{HELPLINE, TOOL_ID};
use crate::settings::Settings;

/// The model's name where no chat model is set.
const FLOW: &str = "nightlight-flow";

/// Before anything that a program keeps: in a list they stand last.
static MADE_AT: LazyLock<Timestamp> = LazyLock::new(|| {
    let first = "2026-01-01T00:00:00Z";
    first.parse().expect("this is a moment")
});

struct BuiltIn {
    kind: Kind,
    id: &'static str,
}

const ALL: [BuiltIn; 3] = [
    BuiltIn {
        kind: Kind::Assistant,
        id: ASSISTANT_ID,
    },
    BuiltIn {
        kind: Kind::Squad,
        id: SQUAD_ID,
    },
    BuiltIn {
        kind: Kind::Tool,
        id: TOOL_ID,
    },
];

pub fn is_one(kind: Kind, id: &str) -> bool {
    of(kind, id).is_some()
}

pub fn shown(app: &App, kind: Kind, id: &str) -> Option<Shown> {
    of(kind, id).map(|one| one.shown(app))
}

/// Those of a kind, where their time is among those that are asked for.
pub fn listed(app: &App, kind: Kind, wanted: Wanted) -> Vec<Shown> {
    let at = *MADE_AT;
    let asked_for = wanted.created.holds(at) && wanted.updated.holds(at);
    ALL.iter()
        .filter(|one| asked_for && one.kind == kind)
        .map(|one| one.shown(app))
        .collect()
}

fn of(kind: Kind, id: &str) -> Option<&'static BuiltIn> {
    ALL.iter().find(|one| one.kind == kind && one.id == id)
}

impl BuiltIn {
    fn body(&self) -> Map<String, Value> {
        HELPLINE.body(self.kind).cloned().unwrap_or_default()
    }

    /// The assistant by the name and in the voice that are set, and with the ears and the model that it has here: those of the file
    /// are for a hosted platform.
    fn shown(&self, app: &App) -> Shown {
        let mut body = self.body();
        if self.kind == Kind::Assistant {
            let (provider, voice) = (app.voice.provider(), app.voice.as_str());
            body.insert("name".to_owned(), app.script.name.clone().into());
            body.insert(
                "endCallMessage".to_owned(),
                app.script.end_call_message.clone().into(),
            );
            body.insert(
                "voice".to_owned(),
                json!({"provider": provider, "voiceId": voice}),
            );
            body.insert("transcriber".to_owned(), transcriber());
            let model = model(body.get("model"), &app.settings);
            body.insert("model".to_owned(), model);
        }
        let kept = Kept {
            id: self.id.to_owned(),
            org_id: ORGANISATION.to_owned(),
            created_at: *MADE_AT,
            updated_at: *MADE_AT,
        };
        let body: Inline = Secret::new(body);
        Shown(kept.with(&body))
    }
}

/// In this process: no sound is sent anywhere.
fn transcriber() -> Value {
    json!({
        "provider": "custom-transcriber", "server": {},
        "model": MoonshineTranscriber::MODEL, "language": MoonshineTranscriber::LANGUAGE,
    })
}

/// The tools of the file with the chat model that is set; where none is, with the flow, which is asked at a path of this server. What
/// either is told is its own.
fn model(of_the_file: Option<&Value>, settings: &Settings) -> Value {
    let of_the_file = of_the_file.and_then(Value::as_object);
    let mut model = of_the_file.cloned().unwrap_or_default();
    model.remove("messages");
    model.insert("provider".to_owned(), "custom-llm".into());
    let (name, url) = match &settings.model {
        Some(set) => (set.name.clone(), set.address.base()),
        None => {
            // It draws no lots.
            model.remove("temperature");
            let origin = settings.public_origin.clone();
            let origin = origin.unwrap_or_else(|| format!("http://{}", settings.listen));
            (FLOW.to_owned(), format!("{origin}/chat/responses"))
        }
    };
    model.insert("model".to_owned(), name.into());
    model.insert("url".to_owned(), url.into());
    model.into()
}
