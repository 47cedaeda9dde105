//! What of a program's assistant is followed, made into how a call or a chat is held: its turns, the words it adds to the helpline's, its
//! voice and what it knows. All else of it is kept and given back, and does nothing: `not_followed` says so, and
//! refuses what would be a promise. What the helpline always asks, tells and decides is not among these.

use std::sync::Arc;
use std::time::Duration;

use call::Manner;
use flow::{AssistantScript, ProgramsWords};
use platform::AssistantOverrides;
use platform::call::Inline;
use platform::resource::{CreateAssistant, FirstMessageMode, in_full};
use records::CallRecord;
use redact::Secret;
use serde_json::{Map, Value, json};
use speech::Voice;

use super::known_files;
use super::variables;
use crate::app::App;
use crate::errors::ApiError;
use crate::helpline::{self, HELPLINE};
use crate::server;
use crate::settings::VoiceName;
use crate::webhooks::is_the_helplines;

/// No call is cut shorter than that: whoever rings is in a crisis.
const SHORTEST_CALL: Duration = Duration::from_secs(60);

/// What a call needs of its assistant when it comes back after its server died, and when its facts are read. What is said first is
/// said by then.
const NEEDED: [&str; 9] = [
    "startSpeakingPlan",
    "stopSpeakingPlan",
    "silenceTimeoutSeconds",
    "maxDurationSeconds",
    "endCallMessage",
    "endCallPhrases",
    "voice",
    "model",
    "analysisPlan",
];
/// Of its model, which also holds a prompt.
const OF_THE_MODEL: [&str; 4] = ["toolIds", "tools", "knowledgeBaseId", "knowledgeBase"];
/// Within `analysisPlan`.
const SCHEMA: &str = "/structuredDataPlan/schema";
/// More than that is not kept beside a call.
const MOST_KEPT: usize = 32 * 1024;

/// How a call is held, and what is to be kept of that beside it.
#[derive(Debug, Clone, Default)]
pub struct Honoured {
    pub manner: Manner,
    /// Where it is not the helpline's.
    pub voice: Option<VoiceName>,
    pub kept: Option<Secret<String>>,
}

/// What is followed of this assistant, with what this call changes in it.
pub async fn honoured(
    app: &App,
    body: &Inline,
    overrides: Option<&AssistantOverrides>,
) -> Honoured {
    let fields = with_overrides(body, overrides);
    let manner = manner(app, &fields).await;
    Honoured {
        manner,
        voice: voice(app, &fields).map(|(name, _)| name.clone()),
        kept: kept(fields.expose_secret()),
    }
}

/// The same of what was kept beside a call that comes back.
pub async fn again(app: &App, kept: Option<&Secret<String>>) -> Manner {
    let fields = kept.and_then(|kept| serde_json::from_str(kept.expose_secret()).ok());
    match fields {
        Some(fields) => manner(app, &Secret::new(fields)).await,
        None => Manner::default(),
    }
}

/// A call's facts in the fields that its assistant's schema names, where ours have the same name and type; all of them where it names
/// none. A value that is none of a field's own is left out. A sample's facts are nobody's: they come as they were written.
pub fn in_its_schema(facts: Value, record: &CallRecord) -> Value {
    match &record.label.manner {
        _ if record.sample => facts,
        None if is_the_helplines(&record.label) => in_those(facts, HELPLINE.facts()),
        kept => in_a_programs(facts, kept.as_ref()),
    }
}

fn in_a_programs(facts: Value, kept: Option<&Secret<String>>) -> Value {
    let kept: Option<Value> = kept.and_then(|kept| serde_json::from_str(kept.expose_secret()).ok());
    let path = format!("/analysisPlan{SCHEMA}/properties");
    let fields = kept
        .as_ref()
        .and_then(|kept| kept.pointer(&path)?.as_object());
    in_those(facts, fields)
}

fn in_those(facts: Value, fields: Option<&Map<String, Value>>) -> Value {
    match (fields, facts) {
        (Some(fields), Value::Object(facts)) => Value::Object(in_fields(facts, fields)),
        (_, facts) => facts,
    }
}

/// The facts that are among these fields of a schema.
pub fn in_fields(mut facts: Map<String, Value>, fields: &Map<String, Value>) -> Map<String, Value> {
    facts.retain(|name, value| fields.get(name).is_some_and(|field| fits(field, value)));
    facts
}

fn fits(field: &Value, value: &Value) -> bool {
    let among = field.get("enum").and_then(Value::as_array);
    is_of_type(field, value) && among.is_none_or(|among| among.contains(value))
}

pub fn is_of_type(field: &Value, value: &Value) -> bool {
    match field.get("type").and_then(Value::as_str) {
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some(_) => false,
        None => true,
    }
}

/// A voice that is named must be one that is installed: no caller is let wait for one that is not.
pub fn check_voice(app: &App, body: &Inline) -> Result<(), ApiError> {
    let Some((provider, id)) = voice_of(body.expose_secret()) else {
        return Ok(());
    };
    match app.installed_voices.named(provider, id) {
        Some(_) => Ok(()),
        None => Err(ApiError::VoiceUnknown {
            installed: app.installed_voices.names(),
        }),
    }
}

/// What a call changes in its assistant is held to what an assistant's own fields are.
pub fn check_overrides(app: &App, overrides: Option<&AssistantOverrides>) -> Result<(), ApiError> {
    let Some(overrides) = overrides else {
        return Ok(());
    };
    overrides.check_as("assistantOverrides")?;
    check_voice(app, &overrides.fields())
}

fn with_overrides(body: &Inline, overrides: Option<&AssistantOverrides>) -> Inline {
    let mut fields = body.expose_secret().clone();
    let variables = overrides.and_then(|overrides| overrides.variable_values.as_ref());
    if let Some(overrides) = overrides {
        fields.extend(overrides.fields().expose_secret().clone());
    }
    for message in ["firstMessage", "endCallMessage"] {
        if let Some(Value::String(text)) = fields.get_mut(message) {
            *text = variables::filled(text, variables);
        }
    }
    Secret::new(fields)
}

async fn manner(app: &App, fields: &Inline) -> Manner {
    // A program may have kept it when less was known of it; then it is held as the helpline holds its calls.
    let assistant: CreateAssistant = in_full("", fields).unwrap_or_default();
    Manner {
        plan: plan(server::plan(&app.settings.plan), &assistant),
        script: script(app, fields.expose_secret(), &assistant).await,
        voice: voice(app, fields).map(|(_, voice)| Arc::clone(voice)),
    }
}

fn voice<'a>(app: &'a App, fields: &Inline) -> Option<&'a (VoiceName, Arc<dyn Voice>)> {
    let (provider, id) = voice_of(fields.expose_secret())?;
    app.installed_voices.named(provider, id)
}

/// `None` where the assistant adds nothing to the helpline's words.
async fn script(
    app: &App,
    fields: &Map<String, Value>,
    assistant: &CreateAssistant,
) -> Option<Arc<AssistantScript>> {
    let first = helpline::first_message(assistant);
    let last = assistant.end_call_message.as_ref();
    let last = last.and_then(|it| ProgramsWords::parting(it.expose_secret()));
    let phrases = assistant.end_call_phrases.as_deref().unwrap_or_default();
    let files = known_files::of_a_model(app, fields.get("model")).await;
    if first.is_none() && last.is_none() && phrases.is_empty() && files.is_empty() {
        return None;
    }
    let phrases = phrases.iter().map(|phrase| phrase.expose_secret().as_str());
    // What it does not say is said as the helpline says it.
    let program = app.script.program.clone();
    let program = match first {
        Some(first) => program.saying_first(first),
        None => program,
    };
    let mut program = program.ending_with(phrases);
    if !files.is_empty() {
        program = with_what_is_known(program, files).await;
    }
    let mut script = AssistantScript::clone(&app.script);
    script.program = program;
    if let Some(last) = last {
        script.end_call_message = last;
    }
    Some(Arc::new(script))
}

/// Megabytes are read: not on a thread that calls are on.
async fn with_what_is_known(program: ProgramsWords, files: Vec<Secret<String>>) -> ProgramsWords {
    let without = program.clone();
    let reading = tokio::task::spawn_blocking(move || {
        let mut program = program;
        for text in files {
            program.know(text.expose_secret());
        }
        program
    });
    reading.await.unwrap_or(without)
}

fn kept(fields: &Map<String, Value>) -> Option<Secret<String>> {
    let mut kept: Map<String, Value> = only(fields, &NEEDED);
    if let Some(model) = kept.get_mut("model") {
        *model = match model.as_object() {
            Some(model) => only(model, &OF_THE_MODEL).into(),
            None => Value::Null,
        };
    }
    if let Some(plan) = kept.get_mut("analysisPlan") {
        *plan = match plan.pointer(SCHEMA) {
            Some(schema) => json!({"structuredDataPlan": {"schema": schema}}),
            None => Value::Null,
        };
    }
    kept.retain(|_, value| !value.is_null() && value.as_object().is_none_or(|it| !it.is_empty()));
    let mut text = serde_json::to_string(&kept).ok()?;
    if text.len() > MOST_KEPT {
        kept.retain(|name, _| {
            !["model", "analysisPlan"].contains(&name.as_str()) && !name.starts_with("endCall")
        });
        text = serde_json::to_string(&kept).ok()?;
    }
    (!kept.is_empty() && text.len() <= MOST_KEPT).then(|| Secret::new(text))
}

fn only(fields: &Map<String, Value>, names: &[&str]) -> Map<String, Value> {
    let those = fields
        .iter()
        .filter(|(name, _)| names.contains(&name.as_str()));
    those
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

/// Whose voice, if that is said, and which.
fn voice_of(fields: &Map<String, Value>) -> Option<(Option<&str>, &str)> {
    let voice = fields.get("voice")?;
    let text = |name| voice.get(name).and_then(Value::as_str);
    Some((text("provider"), text("voiceId")?))
}

/// How turns are taken where an assistant says so, and otherwise as the helpline takes them; `None` where it says nothing of
/// it.
fn plan(mut plan: turn::Plan, asked: &CreateAssistant) -> Option<turn::Plan> {
    let waits = asked.start_speaking_plan.as_ref();
    let wait = waits.and_then(|plan| plan.wait_seconds);
    let stops = asked.stop_speaking_plan.as_ref();
    let words = stops.and_then(|plan| plan.num_words);
    let (silence, longest) = (asked.silence_timeout_seconds, asked.max_duration_seconds);
    let speaks_first = match asked.first_message_mode {
        Some(mode) => mode != FirstMessageMode::AssistantWaitsForUser,
        None => plan.assistant_speaks_first,
    };
    if [wait, words, silence, longest].iter().all(Option::is_none)
        && speaks_first == plan.assistant_speaks_first
    {
        return None;
    }
    let seconds = |seconds: f64| Duration::try_from_secs_f64(seconds).unwrap_or_default();
    if let Some(wait) = wait {
        // A reply is due by its first sound, not by its first packet.
        plan.start_wait = seconds(wait).saturating_sub(speech::LEAD_IN);
        plan.adaptive_wait = None;
    }
    if let Some(words) = words {
        plan.stop_words = words as usize;
    }
    if let Some(silence) = silence {
        plan.silence_timeout = seconds(silence);
        plan.check_in_after = plan.check_in_after.min(plan.silence_timeout / 2);
    }
    if let Some(longest) = longest {
        plan.max_duration = seconds(longest).max(SHORTEST_CALL);
    }
    plan.assistant_speaks_first = speaks_first;
    Some(plan)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use platform::resource::{known, read_resource};

    use super::*;

    fn helplines() -> turn::Plan {
        turn::Plan {
            start_wait: Duration::from_secs(3),
            stop_words: 2,
            silence_timeout: Duration::from_secs(30),
            check_in_after: Duration::from_secs(15),
            max_duration: Duration::from_secs(600),
            ..turn::Plan::default()
        }
    }

    fn planned(assistant: Value) -> Option<turn::Plan> {
        let read = read_resource::<CreateAssistant>(assistant.to_string().as_bytes());
        plan(helplines(), &read.unwrap().0)
    }

    #[test]
    fn an_assistant_that_says_nothing_of_turns_takes_them_as_the_helpline_does() {
        let assistant = json!({"name": "Night line", "firstMessageMode": "assistant-speaks-first"});
        assert!(planned(assistant).is_none());
    }

    #[test]
    fn how_an_assistant_takes_turns_is_followed() {
        let plan = planned(json!({
            "startSpeakingPlan": {"waitSeconds": 1}, "stopSpeakingPlan": {"numWords": 4},
            "silenceTimeoutSeconds": 20, "maxDurationSeconds": 900,
            "firstMessageMode": "assistant-waits-for-user",
        }))
        .unwrap();
        assert_eq!(plan.start_wait, Duration::from_secs(1) - speech::LEAD_IN);
        assert!(plan.adaptive_wait.is_none());
        assert_eq!(plan.stop_words, 4);
        assert_eq!(plan.silence_timeout, Duration::from_secs(20));
        assert_eq!(
            plan.check_in_after,
            Duration::from_secs(10),
            "before it is over"
        );
        assert_eq!(plan.max_duration, Duration::from_secs(900));
        assert!(!plan.assistant_speaks_first);
    }

    #[test]
    fn no_assistant_cuts_a_call_short() {
        let plan = planned(json!({"maxDurationSeconds": 10})).unwrap();
        assert_eq!(plan.max_duration, SHORTEST_CALL);
        assert_eq!(plan.silence_timeout, Duration::from_secs(30));
        assert!(plan.assistant_speaks_first);
    }

    fn inline(value: Value) -> Inline {
        Secret::new(value.as_object().unwrap().clone())
    }

    #[test]
    fn what_a_call_needs_to_come_back_is_kept_and_its_prompt_is_not() {
        let body = inline(json!({
            "name": "Night line", "firstMessage": "Hi", "silenceTimeoutSeconds": 20, "voice": {"voiceId": "rms"},
            "endCallPhrases": ["goodbye"], "server": {"secret": "s3cret"},
            "model": {"messages": [{"role": "system", "content": "a prompt"}], "toolIds": ["a"]},
        }));
        let kept: Value =
            serde_json::from_str(kept(body.expose_secret()).unwrap().expose_secret()).unwrap();
        assert_eq!(
            kept,
            json!({
                "silenceTimeoutSeconds": 20, "voice": {"voiceId": "rms"}, "endCallPhrases": ["goodbye"],
                "model": {"toolIds": ["a"]},
            })
        );
        assert!(
            super::kept(inline(json!({"name": "x", "model": {"provider": "p"}})).expose_secret())
                .is_none()
        );
    }

    #[test]
    fn of_more_than_can_be_kept_the_turns_are() {
        let phrases = vec!["x".repeat(1000); 100];
        let body = inline(json!({"endCallPhrases": phrases, "maxDurationSeconds": 900}));
        let kept: Value =
            serde_json::from_str(kept(body.expose_secret()).unwrap().expose_secret()).unwrap();
        assert_eq!(kept, json!({"maxDurationSeconds": 900}));
    }

    #[test]
    fn a_call_changes_what_is_said_first_in_it_and_fills_it_in() {
        let body = inline(json!({"firstMessage": "Hi", "endCallMessage": "Bye, {{name}}."}));
        let overrides: AssistantOverrides = serde_json::from_value(json!({
            "firstMessage": "Hello {{ name }}.", "variableValues": {"name": "Mei"},
        }))
        .unwrap();
        let fields = with_overrides(&body, Some(&overrides));
        assert_eq!(fields.expose_secret()["firstMessage"], "Hello Mei.");
        assert_eq!(fields.expose_secret()["endCallMessage"], "Bye, Mei.");
        let fields = with_overrides(&body, None);
        assert_eq!(fields.expose_secret()["firstMessage"], "Hi");
    }

    #[test]
    fn a_call_changes_how_it_is_held_and_what_is_kept_of_that_says_so() {
        let body = inline(json!({
            "silenceTimeoutSeconds": 20, "voice": {"voiceId": "rms"}, "endCallPhrases": ["goodbye"],
        }));
        let overrides: AssistantOverrides = serde_json::from_value(json!({
            "silenceTimeoutSeconds": 40, "maxDurationSeconds": 900, "startSpeakingPlan": {"waitSeconds": 1},
            "voice": {"provider": "flite", "voiceId": "slt"}, "endCallPhrases": ["until tomorrow"],
            "model": {"toolIds": ["a"]}, "analysisPlan": {"structuredDataPlan": {"schema": {"type": "object"}}},
            "variableValues": {"name": "Mei"},
        }))
        .unwrap();
        let fields = with_overrides(&body, Some(&overrides));
        let kept: Value =
            serde_json::from_str(kept(fields.expose_secret()).unwrap().expose_secret()).unwrap();
        assert_eq!(
            kept,
            json!({
                "silenceTimeoutSeconds": 40.0, "maxDurationSeconds": 900.0, "startSpeakingPlan": {"waitSeconds": 1},
                "voice": {"provider": "flite", "voiceId": "slt"}, "endCallPhrases": ["until tomorrow"],
                "model": {"toolIds": ["a"]}, "analysisPlan": {"structuredDataPlan": {"schema": {"type": "object"}}},
            })
        );
        let assistant: CreateAssistant = known(&fields).unwrap();
        let plan = plan(helplines(), &assistant).unwrap();
        assert_eq!(plan.silence_timeout, Duration::from_secs(40));
        assert_eq!(plan.max_duration, Duration::from_secs(900));
    }

    #[test]
    fn facts_come_in_the_fields_that_the_programs_schema_names() {
        let facts = json!({"name": "Mei", "urgent": true, "transfer_to": "PAVE", "location": "here", "follow_up": "x"});
        let properties = json!({
            "name": {"type": "string"}, "urgent": {"type": "boolean"}, "location": {"type": "object"},
            "transfer_to": {"type": "string", "enum": ["SPF", "SOS"]}, "mood": {"type": "string"},
        });
        let body = inline(
            json!({"analysisPlan": {"structuredDataPlan": {"schema": {"type": "object", "properties": properties}}}}),
        );
        let kept = kept(body.expose_secret());
        assert_eq!(
            in_a_programs(facts.clone(), kept.as_ref()),
            json!({"name": "Mei", "urgent": true})
        );
        assert_eq!(in_a_programs(facts.clone(), None), facts);
    }

    #[test]
    fn the_helplines_facts_come_in_the_fields_that_its_own_schema_names() {
        let facts = json!({
            "name": "Mei", "urgent": true, "location": "here", "follow_up": "x", "abuse_type": "Neglect",
            "transfer_to": "Not Applicable", "transferred": false, "latest_incident_date": "N/A",
        });
        let mut more = facts.clone();
        more["mood"] = json!("low");
        assert_eq!(in_those(more, HELPLINE.facts()), facts);
    }
}
