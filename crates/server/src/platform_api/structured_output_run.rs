//! `POST /structured-output/run`: what is known of calls, in the fields of a program's schema. It is looked up by name and type
//! among the facts that every call's analysis has, as for an assistant's `analysisPlan`; no model is asked for anything else.
//! What is found is kept beside the call, sealed and deleted with it.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use jiff::Timestamp;
use platform::resource::{
    CreateStructuredOutput, RunStructuredOutput, StructuredOutputResult, StructuredOutputRun,
    StructuredOutputType, in_full, known, read_resource,
};
use records::{CallId, CallRecord, Label};
use redact::Secret;
use resources::Kind;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::whip::call_id;
use super::{honoured, kept};
use crate::app::App;
use crate::call_record;
use crate::errors::{ApiError, ErrorAnswer};
use crate::keys::PrivateKey;
use crate::records_unavailable::stored;
use crate::request_body::JsonBody;

/// Beside what a call is held by.
const OUTPUTS: &str = "structuredOutputs";
/// More than that is not kept beside a call.
const MOST_KEPT: usize = 32 * 1024;

/// Looks for what a structured output names in the facts of these calls. A preview is answered and not kept; otherwise what is found stands
/// in each call's `artifact.structuredOutputs`.
#[utoipa::path(
    post,
    path = "/structured-output/run",
    operation_id = "run_structured_output",
    tag = "platform",
    request_body = RunStructuredOutput,
    responses(
        (status = 201, body = StructuredOutputRun),
        (status = 400, body = ErrorAnswer, description = "`body-not-json`, `field-invalid`"),
        (status = 401, body = ErrorAnswer, description = "`key-missing`, `key-wrong`"),
        (status = 403, body = ErrorAnswer, description = "`private-key-unset`, `origin-foreign`"),
        (status = 404, body = ErrorAnswer, description = "`call-not-found`, `resource-not-found`"),
        (status = 409, body = ErrorAnswer, description = "`call-under-way`"),
        (status = 413, body = ErrorAnswer, description = "`body-too-large`"),
        (status = 415, body = ErrorAnswer, description = "`content-type-wrong`"),
        (status = 501, body = ErrorAnswer, description = "`not-offered`: what no call's analysis has, a pattern, or conditions"),
        (status = 503, body = ErrorAnswer, description = "`records-unavailable`")
    ),
    security(("key" = []))
)]
pub async fn run(
    State(app): State<App>,
    _: PrivateKey,
    JsonBody(body): JsonBody,
) -> Result<(StatusCode, Json<StructuredOutputRun>), ApiError> {
    let (asked, _) = read_resource::<RunStructuredOutput>(&body)?;
    let output = Output::of(&app, &asked).await?;
    let mut found = Vec::new();
    for id in asked.call_ids.iter().flatten() {
        let record = stored(app.records.call(CallId(call_id(id)?)).await)?;
        let record = record
            .filter(|record| !record.sample)
            .ok_or(ApiError::UnknownCall)?;
        let result = output.find(facts(&record)?)?;
        found.push((record, result));
    }
    let run = match asked.is_preview() {
        true => {
            let results = found.into_iter().map(|(_, result)| {
                let name = output.name.clone();
                (output.id.clone(), StructuredOutputResult { name, result })
            });
            StructuredOutputRun::Preview(results.collect())
        }
        false => {
            for (record, result) in &found {
                output.keep(&app, record, result).await?;
            }
            StructuredOutputRun::Done {
                message: format!(
                    "what was found stands with each call: {} in all",
                    found.len()
                ),
            }
        }
    };
    Ok((StatusCode::CREATED, Json(run)))
}

/// What was found in a call before, by what it is held by.
pub fn found_before(manner: Option<&Secret<String>>) -> Option<Secret<Map<String, Value>>> {
    match held_by(manner).remove(OUTPUTS) {
        Some(Value::Object(outputs)) => Some(Secret::new(outputs)),
        _ => None,
    }
}

fn held_by(manner: Option<&Secret<String>>) -> Map<String, Value> {
    let fields = manner.and_then(|manner| serde_json::from_str(manner.expose_secret()).ok());
    fields.unwrap_or_default()
}

/// All that is known of a call that is over.
fn facts(record: &CallRecord) -> Result<Map<String, Value>, ApiError> {
    if record.ended_at.is_none() {
        return Err(ApiError::CallUnderWay);
    }
    let listed = call_record::listed(record, Timestamp::now());
    let data = listed.structured_data.ok_or(ApiError::RecordsUnavailable)?;
    let mut facts = match serde_json::to_value(&data) {
        Ok(Value::Object(facts)) => facts,
        _ => Map::new(),
    };
    let summary = listed.summary.expose_secret().clone();
    facts.insert("summary".to_owned(), summary.into());
    Ok(facts)
}

/// A structured output, as far as it is looked for.
struct Output {
    id: String,
    name: Secret<String>,
    schema: Map<String, Value>,
}

impl Output {
    async fn of(app: &App, asked: &RunStructuredOutput) -> Result<Self, ApiError> {
        let (id, fields) = match (&asked.structured_output_id, &asked.structured_output) {
            (Some(id), _) => {
                let output = kept::find(app, Kind::StructuredOutput, id).await?;
                (output.id, known::<CreateStructuredOutput>(&output.body)?)
            }
            (None, Some(output)) => (Uuid::new_v4(), in_full("structuredOutput", output)?),
            (None, None) => return Err(ApiError::Internal),
        };
        if fields.kind == Some(StructuredOutputType::Regex) {
            return Err(ApiError::NotOffered {
                what: "structured outputs by a pattern",
                instead: "look for it in the call's artifact.transcript",
            });
        }
        if fields.conditions.is_some_and(|those| !those.is_empty()) {
            return Err(ApiError::NotOffered {
                what: "structured outputs with conditions",
                instead: "leave `conditions` out, and name the calls that it is to be run over",
            });
        }
        let schema = fields.schema.unwrap_or_default();
        Ok(Self {
            id: id.to_string(),
            name: fields.name.unwrap_or_default(),
            schema: schema.expose_secret().clone(),
        })
    }

    /// The facts among its fields; all of them where it names none. Refused where it wants what cannot be known, or where nothing of it can.
    fn find(&self, facts: Map<String, Value>) -> Result<Secret<Value>, ApiError> {
        const UNKNOWN: ApiError = ApiError::NotOffered {
            what: "finding what no call's analysis has",
            instead: "use an object with fields of these names and types: `urgent` and `transferred` (boolean), `name`, `location`, `follow_up`, \
                      `abuse_type`, `transfer_to`, `latest_incident_date` and `summary` (string)",
        };
        let kind = self.schema.get("type").and_then(Value::as_str);
        if kind.is_some_and(|kind| kind != "object") {
            return Err(UNKNOWN);
        }
        let fields = self.schema.get("properties").and_then(Value::as_object);
        let Some(fields) = fields.filter(|fields| !fields.is_empty()) else {
            return Ok(Secret::new(facts.into()));
        };
        let can_be_known = |name: &str| {
            let both = fields.get(name).zip(facts.get(name));
            both.is_some_and(|(field, fact)| honoured::is_of_type(field, fact))
        };
        let required = self.schema.get("required").and_then(Value::as_array);
        let mut required = required.into_iter().flatten().filter_map(Value::as_str);
        if !required.all(can_be_known) || !fields.keys().any(|name| can_be_known(name)) {
            return Err(UNKNOWN);
        }
        Ok(Secret::new(honoured::in_fields(facts, fields).into()))
    }

    /// Puts it beside the call, in the place of what was found by it before.
    async fn keep(
        &self,
        app: &App,
        record: &CallRecord,
        result: &Secret<Value>,
    ) -> Result<(), ApiError> {
        let mut held_by = held_by(record.label.manner.as_ref());
        let mut outputs = match held_by.remove(OUTPUTS) {
            Some(Value::Object(outputs)) => outputs,
            _ => Map::new(),
        };
        let found = Map::from_iter([
            ("name".to_owned(), self.name.expose_secret().clone().into()),
            ("result".to_owned(), result.expose_secret().clone()),
        ]);
        outputs.insert(self.id.clone(), found.into());
        held_by.insert(OUTPUTS.to_owned(), outputs.into());
        let manner = serde_json::to_string(&held_by).unwrap_or_default();
        if manner.len() > MOST_KEPT {
            return Err(ApiError::NotOffered {
                what: "keeping so many structured outputs with one call",
                instead: "run them with `previewEnabled`, which keeps nothing",
            });
        }
        let label = Label {
            manner: Some(Secret::new(manner)),
            ..record.label.clone()
        };
        stored(app.records.label_call(record.call_id, label).await)?;
        Ok(())
    }
}
