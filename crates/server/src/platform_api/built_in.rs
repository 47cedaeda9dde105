//! What is part of the program, in the platform's own shape: the assistant, the squad that it leads and the tool that it has,
//! from `config/`. They are read as what a program keeps is, and cannot be changed or removed. The constants in them are
//! those that the embedded engine has; `tests` holds one to the other.

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
use crate::settings::Settings;

const TOOL_ID: &str = "product_query";
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
    text: &'static str,
}

const ALL: [BuiltIn; 3] = [
    BuiltIn {
        kind: Kind::Assistant,
        id: ASSISTANT_ID,
        text: include_str!("../../../../config/assistants/helpline.json"),
    },
    BuiltIn {
        kind: Kind::Squad,
        id: SQUAD_ID,
        text: include_str!("../../../../config/squads/helpline-to-authorities.json"),
    },
    BuiltIn {
        kind: Kind::Tool,
        id: TOOL_ID,
        text: include_str!("../../../../config/tools/product_query.json"),
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
        serde_json::from_str(self.text).expect("the program's own files are read by its tests")
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::collections::BTreeSet;

    use flow::AssistantScript;
    use platform::TransferTo;
    use platform::resource::{CreateAssistant, CreateSquad, CreateTool, read_resource};

    use super::*;

    fn body(kind: Kind) -> Value {
        ALL.iter()
            .find(|one| one.kind == kind)
            .unwrap()
            .body()
            .into()
    }

    fn words(list: &Value) -> BTreeSet<String> {
        let words = list.as_array().unwrap().iter();
        words
            .map(|word| word.as_str().unwrap().to_owned())
            .collect()
    }

    #[test]
    fn the_files_are_in_the_platforms_own_shape() {
        for one in ALL {
            let text = one.text.as_bytes();
            let taken = match one.kind {
                Kind::Assistant => read_resource::<CreateAssistant>(text).map(drop),
                Kind::Squad => read_resource::<CreateSquad>(text).map(drop),
                _ => read_resource::<CreateTool>(text).map(drop),
            };
            assert_eq!(taken, Ok(()), "{}", one.id);
        }
    }

    #[test]
    fn the_assistants_constants_are_those_of_the_embedded_engine() {
        let assistant = body(Kind::Assistant);
        let script = AssistantScript::built_in();
        assert_eq!(assistant["name"], script.name);
        assert_eq!(assistant["endCallMessage"], script.end_call_message);
        let plan = Settings::from_sources(None, []).unwrap().plan;
        let seconds = |path: &str| assistant.pointer(path).and_then(Value::as_f64);
        let is =
            |path: &str, seconds_of: f64| assert_eq!(seconds(path), Some(seconds_of), "{path}");
        is(
            "/startSpeakingPlan/waitSeconds",
            plan.start_wait.fixed.as_secs_f64(),
        );
        is("/stopSpeakingPlan/numWords", plan.stop_words as f64);
        is("/silenceTimeoutSeconds", plan.silence_timeout.as_secs_f64());
        is("/maxDurationSeconds", plan.max_duration.as_secs_f64());
        is("/model/temperature", 0.3);
        assert_eq!(
            words(&assistant["endCallPhrases"]),
            ["goodbye", "talk to you soon"].map(str::to_owned).into()
        );
        assert_eq!(
            assistant["firstMessageMode"],
            "assistant-speaks-first-with-model-generated-message"
        );
        assert_eq!(assistant["backgroundDenoisingEnabled"], false);
        assert_eq!(assistant["model"]["toolIds"], json!([TOOL_ID]));
    }

    #[test]
    fn the_analysis_schema_is_that_of_the_notes() {
        let assistant = body(Kind::Assistant);
        let schema = &assistant["analysisPlan"]["structuredDataPlan"]["schema"];
        let data = platform::StructuredData {
            name: Secret::default(),
            urgent: false,
            location: Secret::default(),
            follow_up: Secret::default(),
            abuse_type: Secret::default(),
            transfer_to: TransferTo::NotApplicable,
            transferred: false,
            latest_incident_date: Secret::default(),
        };
        let written = serde_json::to_value(data).unwrap();
        let fields: BTreeSet<String> = written.as_object().unwrap().keys().cloned().collect();
        assert_eq!(words(&schema["required"]), fields);
        let described = schema["properties"].as_object().unwrap();
        assert_eq!(described.keys().cloned().collect::<BTreeSet<_>>(), fields);
        let agencies = flow::Agency::ALL.iter().map(|agency| agency.as_str());
        let agencies = agencies.chain(["Not Applicable"]).map(str::to_owned);
        assert_eq!(
            words(&schema["properties"]["transfer_to"]["enum"]),
            agencies.collect()
        );
        for abuse in words(&schema["properties"]["abuse_type"]["enum"]) {
            let known: Result<flow::AbuseType, _> = serde_json::from_value(abuse.into());
            assert!(known.is_ok());
        }
    }

    #[test]
    fn the_squad_hands_on_to_the_authorities() {
        let squad = body(Kind::Squad);
        assert_eq!(squad["name"], "helpline to authorities");
        let members = squad["members"].as_array().unwrap();
        assert_eq!(members.len(), 2);
        assert_eq!(members[0]["assistantId"], ASSISTANT_ID);
        let destination = &members[0]["assistantDestinations"][0];
        assert_eq!(destination["type"], "assistant");
        assert_eq!(destination["assistantName"], "Authorities");
        assert!(members[1].get("assistantId").is_none());
        assert_eq!(members[1]["assistantDestinations"], json!([]));
    }
}
