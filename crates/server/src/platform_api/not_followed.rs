//! What an assistant may say that this server does not do. What would promise something that never happens here is refused by
//! its path. What every program of the hosted platform sends, and the helpline's flow decides itself, such as a prompt, is taken,
//! and the answer names it.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use platform::Invalid;
use platform::resource::read_changes;
use resources::Kind;
use serde_json::{Map, Value};

use crate::errors::ApiError;

const HEADER: &str = "nightlight-not-followed";
/// Of a squad of many members no header says all.
const MOST_NAMED: usize = 20;

const NO_SOUND: &str = "expected `false`: no sound or picture of a call is kept";
const NOBODY_LISTENS: &str = "expected `false`: no program listens to a call, or steers it";

const PROMISES: [(&str, &str); 6] = [
    ("hooks", "expected none: hooks are not carried out"),
    ("artifactPlan.recordingEnabled", NO_SOUND),
    ("artifactPlan.videoRecordingEnabled", NO_SOUND),
    ("monitorPlan.listenEnabled", NOBODY_LISTENS),
    ("monitorPlan.controlEnabled", NOBODY_LISTENS),
    (
        "keypadInputPlan.enabled",
        "expected `false`: no keys are pressed in a call",
    ),
];

/// Known, kept and given back.
const NOT_FOLLOWED: [&str; 14] = [
    "model.messages",
    "model.provider",
    "model.model",
    "model.temperature",
    "transcriber",
    "firstMessageInterruptionsEnabled",
    "stopSpeakingPlan.voiceSeconds",
    "stopSpeakingPlan.backoffSeconds",
    "voicemailMessage",
    "clientMessages",
    "analysisPlan.summaryPlan",
    "compliancePlan",
    "backgroundSpeechDenoisingPlan",
    "modelOutputInMessagesEnabled",
];

/// Where an assistant, or what is changed in one, stands in another body.
const PARTS: [&str; 7] = [
    "assistant",
    "assistantOverrides",
    "squad",
    "squadOverrides",
    "workflow",
    "workflowOverrides",
    "membersOverrides",
];

type Fields = Map<String, Value>;

/// In a body, whether it is an assistant's or has assistants in it.
pub fn refuse_promises(body: &[u8]) -> Result<(), ApiError> {
    let fields = read_changes(body)?;
    let mut assistants = Vec::new();
    find_assistants("", fields.expose_secret(), &mut assistants);
    for (path, assistant) in &assistants {
        let promise = PROMISES.iter().find(|(name, _)| says(assistant, name));
        if let Some((name, problem)) = promise {
            return Err(ApiError::Body(Invalid::Field {
                path: below(path, name),
                problem: (*problem).to_owned(),
            }));
        }
    }
    Ok(())
}

/// The header that names what was sent and is not followed; none where all is.
pub fn named(body: &[u8]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let Ok(fields) = read_changes(body) else {
        return headers;
    };
    let mut assistants = Vec::new();
    find_assistants("", fields.expose_secret(), &mut assistants);
    let named = assistants.iter().flat_map(|(path, assistant)| {
        let said = NOT_FOLLOWED
            .iter()
            .filter(move |name| says(assistant, name));
        said.map(move |name| below(path, name))
    });
    let mut named: Vec<String> = named.take(MOST_NAMED + 1).collect();
    if named.len() > MOST_NAMED {
        named[MOST_NAMED] = String::from("...");
    }
    if !named.is_empty()
        && let Ok(value) = HeaderValue::from_str(&named.join(", "))
    {
        headers.insert(HeaderName::from_static(HEADER), value);
    }
    headers
}

/// Whether what is kept of this kind has assistants in it.
pub fn holds_assistants(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Assistant | Kind::Squad | Kind::Workflow | Kind::Session
    )
}

fn find_assistants<'f>(path: &str, fields: &'f Fields, found: &mut Vec<(String, &'f Fields)>) {
    found.push((path.to_owned(), fields));
    for name in PARTS {
        if let Some(Value::Object(part)) = fields.get(name) {
            find_assistants(&below(path, name), part, found);
        }
    }
    let members = fields.get("members").and_then(Value::as_array);
    for (number, member) in members.into_iter().flatten().enumerate() {
        if let Value::Object(member) = member {
            find_assistants(&below(path, &format!("members[{number}]")), member, found);
        }
    }
}

fn below(path: &str, name: &str) -> String {
    match path {
        "" => name.to_owned(),
        path => format!("{path}.{name}"),
    }
}

/// `null`, `false` and what is empty say nothing: so stand unset fields in what programs send.
fn says(assistant: &Fields, path: &str) -> bool {
    let mut names = path.split('.');
    let first = names.next().and_then(|name| assistant.get(name));
    let value = names.fold(first, |value, name| value?.get(name));
    match value {
        None | Some(Value::Null | Value::Bool(false)) => false,
        Some(Value::String(text)) => !text.is_empty(),
        Some(Value::Array(values)) => !values.is_empty(),
        Some(Value::Object(fields)) => !fields.is_empty(),
        Some(Value::Bool(true) | Value::Number(_)) => true,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use serde_json::json;

    use super::*;

    fn named_in(body: &Value) -> Option<String> {
        let headers = named(body.to_string().as_bytes());
        let value = headers.get(HEADER)?;
        Some(value.to_str().unwrap().to_owned())
    }

    #[test]
    fn the_helplines_own_assistant_is_taken() {
        let own = include_bytes!("../../../../config/assistants/helpline.json");
        assert!(refuse_promises(own).is_ok());
    }

    #[test]
    fn what_is_named_is_what_was_sent_and_no_more_than_a_header_holds() {
        for (body, expected) in [
            (
                json!({"name": "Night line", "voice": {"voiceId": "rms"}}),
                None,
            ),
            (
                json!({"model": {"messages": [], "provider": null}, "transcriber": {}}),
                None,
            ),
            (json!({"model": {"toolIds": ["a"]}}), None),
            (
                json!({"model": {"messages": [{"role": "system", "content": "a prompt"}]}, "transcriber": {"provider": "x"}}),
                Some("model.messages, transcriber"),
            ),
            (
                json!({"assistantId": "a", "assistantOverrides": {"model": {"temperature": 0}}}),
                Some("assistantOverrides.model.temperature"),
            ),
            (
                json!({"squad": {"members": [{}, {"assistant": {"voicemailMessage": "Hi"}}]}}),
                Some("squad.members[1].assistant.voicemailMessage"),
            ),
        ] {
            assert_eq!(named_in(&body).as_deref(), expected, "{body}");
        }
        let members = vec![json!({"assistant": {"transcriber": {"provider": "x"}}}); 50];
        let all = named_in(&json!({"members": members})).unwrap();
        assert_eq!(all.split(", ").count(), MOST_NAMED + 1);
        assert!(
            all.ends_with("members[19].assistant.transcriber, ..."),
            "{all}"
        );
    }
}
