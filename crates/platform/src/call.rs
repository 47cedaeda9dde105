//! Asking for a call, and the call as the platform describes it; how its audio travels is in `transport`. Which call
//! may be asked for by whom, and what becomes of it, is the server's to decide.

mod transport;

use jiff::Timestamp;
use redact::{Secret, expose_secret};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::conversation::Artifact;
use crate::event::{Analysis, Destination};
use crate::invalid::{Invalid, from_value, json, read, within};
use crate::resource::{
    CreateAssistant, FirstMessageMode, Known, StartSpeakingPlan, StopSpeakingPlan,
};
use crate::time;
pub use transport::{AudioFormat, CallTransport, IceServer, RequestedTransport, TransportProvider};

/// A definition given in full instead of by id, not read further here.
pub type Inline = Secret<Map<String, Value>>;

/// The body of `POST /call/web`: one of assistant, squad or workflow, each by id or in
/// full.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateWebCall {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assistant_id: Option<String>,
    /// An assistant in full.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "expose_secret"
    )]
    #[schema(value_type = Option<Object>)]
    pub assistant: Option<Inline>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assistant_overrides: Option<AssistantOverrides>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub squad_id: Option<String>,
    /// A squad in full.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "expose_secret"
    )]
    #[schema(value_type = Option<Object>)]
    pub squad: Option<Inline>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub squad_overrides: Option<AssistantOverrides>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workflow_id: Option<String>,
    /// A workflow in full.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "expose_secret"
    )]
    #[schema(value_type = Option<Object>)]
    pub workflow: Option<Inline>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workflow_overrides: Option<AssistantOverrides>,
    /// Whether the call ends for good when the caller leaves. Absent means yes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room_delete_on_user_leave_enabled: Option<bool>,
    /// How the caller's audio travels. Absent means WebRTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transport: Option<RequestedTransport>,
}

/// What a program may say of a call beside what `POST /call/web` takes. What a phone call would need is read, so that it can
/// be refused by name.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CallWishes {
    /// What the program calls it.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "expose_secret"
    )]
    #[schema(value_type = Option<String>, max_length = 40)]
    pub name: Option<Secret<String>>,
    /// Of a phone call, which is not offered; the next five likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone_number_id: Option<String>,
    #[serde(default, skip_serializing)]
    #[schema(value_type = Option<Object>)]
    pub phone_number: Option<Inline>,
    #[serde(default, skip_serializing)]
    #[schema(value_type = Option<Object>)]
    pub customer: Option<Inline>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub customer_id: Option<String>,
    #[serde(default, skip_serializing)]
    #[schema(value_type = Option<Vec<Object>>)]
    pub customers: Option<Vec<Inline>>,
    #[serde(default, skip_serializing)]
    #[schema(value_type = Option<Object>)]
    pub schedule_plan: Option<Inline>,
}

/// The body of `POST /call`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CreateCall {
    #[serde(flatten)]
    pub wishes: CallWishes,
    #[serde(flatten)]
    pub web: CreateWebCall,
}

/// The body of `PATCH /call/{id}`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, ToSchema)]
pub struct UpdateCall {
    /// What the program calls it. Absent leaves the name that it has; `null` takes it out.
    #[serde(default, deserialize_with = "named")]
    #[schema(value_type = Option<String>, max_length = 40)]
    pub name: Option<Option<Secret<String>>>,
}

fn named<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Option<Secret<String>>>, D::Error> {
    Option::deserialize(from).map(Some)
}

impl UpdateCall {
    /// Reads and checks the body.
    pub fn parse(body: &[u8]) -> Result<Self, Invalid> {
        let update: Self = read(body)?;
        check_name(update.name.as_ref().and_then(Option::as_ref))?;
        Ok(update)
    }
}

/// In characters.
const LONGEST_NAME: usize = 40;

fn check_name(name: Option<&Secret<String>>) -> Result<(), Invalid> {
    match name {
        Some(name) if name.expose_secret().chars().count() > LONGEST_NAME => {
            let expected = format!("expected at most {LONGEST_NAME} characters");
            Err(Invalid::field("name", expected))
        }
        _ => Ok(()),
    }
}

/// The body of `DELETE /call/{id}`, if there is one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct DeleteCalls {
    #[serde(default)]
    pub ids: Option<Vec<String>>,
}

/// A web call that a program asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct ProgramsCall {
    pub name: Option<Secret<String>>,
    pub web: CreateWebCall,
}

/// The transports of phone calls.
const OF_PHONES: [&str; 4] = ["twilio", "vonage", "telnyx", "vapi.sip"];

impl ProgramsCall {
    /// Reads and checks the body of `POST /call`. `None` where it asks for a phone call, or for one that begins later.
    pub fn parse(body: &[u8]) -> Result<Option<Self>, Invalid> {
        let value = json(body)?;
        let wishes: CallWishes = from_value(&value)?;
        let transport = value.pointer("/transport/provider").and_then(Value::as_str);
        let by_phone = transport.is_some_and(|provider| OF_PHONES.contains(&provider));
        if by_phone || wishes.need_a_phone() {
            return Ok(None);
        }
        check_name(wishes.name.as_ref())?;
        Ok(Some(Self {
            name: wishes.name,
            web: CreateWebCall::parse(body)?,
        }))
    }
}

impl CallWishes {
    fn need_a_phone(&self) -> bool {
        self.phone_number_id.is_some()
            || self.phone_number.is_some()
            || self.customer.is_some()
            || self.customer_id.is_some()
            || self.customers.is_some()
            || self.schedule_plan.is_some()
    }
}

/// Who a call is for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Target<'c> {
    AssistantId(&'c str),
    Assistant(&'c Inline),
    SquadId(&'c str),
    Squad(&'c Inline),
    WorkflowId(&'c str),
    Workflow(&'c Inline),
}

impl CreateWebCall {
    /// Reads and checks the body.
    pub fn parse(body: &[u8]) -> Result<Self, Invalid> {
        let create: Self = read(body)?;
        create.target()?;
        check_overrides([
            ("assistantOverrides", &create.assistant_overrides),
            ("squadOverrides", &create.squad_overrides),
            ("workflowOverrides", &create.workflow_overrides),
        ])?;
        if let Some(transport) = &create.transport {
            transport.check()?;
        }
        Ok(create)
    }

    /// Who the call is for. Of several kinds the assistant comes first, then the squad;
    /// the same kind both by id and in full is a contradiction.
    pub fn target(&self) -> Result<Target<'_>, Invalid> {
        let assistant = only_one("assistant", &self.assistant_id, &self.assistant)?;
        let squad = only_one("squad", &self.squad_id, &self.squad)?;
        let workflow = only_one("workflow", &self.workflow_id, &self.workflow)?;
        if let Some(assistant) = assistant {
            return Ok(assistant.map(Target::AssistantId, Target::Assistant));
        }
        if let Some(squad) = squad {
            return Ok(squad.map(Target::SquadId, Target::Squad));
        }
        workflow
            .map(|workflow| workflow.map(Target::WorkflowId, Target::Workflow))
            .ok_or(Invalid::NothingToCall)
    }
}

/// One kind of target, as it was given.
enum Given<'c> {
    Id(&'c str),
    InFull(&'c Inline),
}

impl<'c> Given<'c> {
    fn map<T>(self, id: fn(&'c str) -> T, in_full: fn(&'c Inline) -> T) -> T {
        match self {
            Self::Id(given) => id(given),
            Self::InFull(given) => in_full(given),
        }
    }
}

/// An empty id counts as none: that is how an unset setting arrives.
fn only_one<'c>(
    kind: &str,
    id: &'c Option<String>,
    in_full: &'c Option<Inline>,
) -> Result<Option<Given<'c>>, Invalid> {
    match (id.as_deref().filter(|id| !id.trim().is_empty()), in_full) {
        (Some(_), Some(_)) => Err(Invalid::field(
            kind,
            format!("expected only one of `{kind}` and `{kind}Id`"),
        )),
        (Some(id), None) => Ok(Some(Given::Id(id))),
        (None, Some(in_full)) => Ok(Some(Given::InFull(in_full))),
        (None, None) => Ok(None),
    }
}

/// What this call changes in its assistant: the part that this program follows, each field as an assistant has it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AssistantOverrides {
    /// Said first in this call.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "expose_secret"
    )]
    #[schema(value_type = Option<String>)]
    pub first_message: Option<Secret<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_message_mode: Option<FirstMessageMode>,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "expose_secret"
    )]
    #[schema(value_type = Option<String>)]
    pub end_call_message: Option<Secret<String>>,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "expose_secret"
    )]
    #[schema(value_type = Option<Vec<String>>)]
    pub end_call_phrases: Option<Secret<Vec<String>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 10, maximum = 3600)]
    pub silence_timeout_seconds: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 10, maximum = 43200)]
    pub max_duration_seconds: Option<f64>,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "expose_secret"
    )]
    #[schema(value_type = Option<StartSpeakingPlan>)]
    pub start_speaking_plan: Option<Inline>,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "expose_secret"
    )]
    #[schema(value_type = Option<StopSpeakingPlan>)]
    pub stop_speaking_plan: Option<Inline>,
    /// In the place of the assistant's, whole; the next two likewise.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "expose_secret"
    )]
    #[schema(value_type = Option<Object>)]
    pub voice: Option<Inline>,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "expose_secret"
    )]
    #[schema(value_type = Option<Object>)]
    pub model: Option<Inline>,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "expose_secret"
    )]
    #[schema(value_type = Option<Object>)]
    pub analysis_plan: Option<Inline>,
    /// Values for the `{{name}}` places in prompts and messages.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "expose_secret"
    )]
    #[schema(value_type = Option<Object>)]
    pub variable_values: Option<Secret<Map<String, Value>>>,
}

impl AssistantOverrides {
    /// The fields of an assistant that it has, and no variables.
    pub fn fields(&self) -> Inline {
        let fields = match serde_json::to_value(self) {
            Ok(Value::Object(mut fields)) => {
                fields.remove("variableValues");
                fields
            }
            _ => Map::new(),
        };
        Secret::new(fields)
    }

    /// These, and what others change after them: a field or a variable of theirs goes before one of the same name here.
    pub fn then(&self, later: &Self) -> Self {
        let both = [self, later].map(|it| it.fields().expose_secret().clone());
        let fields: Map<String, Value> = both.into_iter().flatten().collect();
        let merged: Self = serde_json::from_value(fields.into()).unwrap_or_default();
        let variables = [self, later].map(|it| it.variable_values.as_ref());
        let variables: Vec<_> = variables.into_iter().flatten().collect();
        let all = variables
            .iter()
            .flat_map(|them| them.expose_secret().clone());
        Self {
            variable_values: (!variables.is_empty()).then(|| Secret::new(all.collect())),
            ..merged
        }
    }

    /// Checked as an assistant's fields are; `name` is said where one is wrong.
    pub fn check_as(&self, name: &str) -> Result<(), Invalid> {
        self.check().map_err(|error| within(name, error))
    }
}

/// Each that is given, also one that is not followed because the call is for somebody else.
pub(crate) fn check_overrides<const N: usize>(
    all: [(&str, &Option<AssistantOverrides>); N],
) -> Result<(), Invalid> {
    let mut given = all
        .into_iter()
        .filter_map(|(name, them)| Some((name, them.as_ref()?)));
    given.try_for_each(|(name, overrides)| overrides.check_as(name))
}

impl Known for AssistantOverrides {
    fn check(&self) -> Result<(), Invalid> {
        let fields = Value::Object(self.fields().expose_secret().clone());
        from_value::<CreateAssistant>(&fields)?.check()
    }
}

/// Where a call is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CallStatus {
    Scheduled,
    Queued,
    Ringing,
    InProgress,
    /// Being handed to an agency.
    Forwarding,
    Ended,
    NotFound,
    DeletionFailed,
}

/// How a call reached the platform.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum CallKind {
    #[serde(rename = "inboundPhoneCall")]
    InboundPhone,
    #[serde(rename = "outboundPhoneCall")]
    OutboundPhone,
    #[serde(rename = "webCall")]
    Web,
    #[serde(rename = "vapi.websocketCall")]
    Websocket,
    /// A written conversation, listed beside the calls. (Ours.)
    #[serde(rename = "chat")]
    Chat,
}

/// A call. What we serve always has every field the schema marks as required; what we
/// read may be a part of one, of which only the id is certain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Call {
    pub id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(required, value_type = String)]
    pub org_id: Option<String>,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "time::optional_instant"
    )]
    #[schema(required, value_type = String, format = DateTime)]
    pub created_at: Option<Timestamp>,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "time::optional_instant"
    )]
    #[schema(required, value_type = String, format = DateTime)]
    pub updated_at: Option<Timestamp>,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "time::optional_instant"
    )]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub started_at: Option<Timestamp>,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "time::optional_instant"
    )]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub ended_at: Option<Timestamp>,
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    #[schema(required, value_type = CallKind)]
    pub kind: Option<CallKind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(required, value_type = CallStatus)]
    pub status: Option<CallStatus>,
    /// Such as `customer-ended-call`. A string, because the platform's list grows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_reason: Option<String>,
    /// What the program calls it that asked for it.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "expose_secret"
    )]
    #[schema(value_type = Option<String>)]
    pub name: Option<Secret<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assistant_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assistant: Option<CallAssistant>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub squad_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workflow_id: Option<String>,
    /// What the call was asked for with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assistant_overrides: Option<AssistantOverrides>,
    /// The same, for all members of a squad.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub squad_overrides: Option<AssistantOverrides>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub monitor: Option<Monitor>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transport: Option<CallTransport>,
    /// Where to join: here, the WHIP endpoint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub web_call_url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact_plan: Option<ArtifactPlan>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destination: Option<Destination>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact: Option<Artifact>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub analysis: Option<Analysis>,
}

impl Call {
    /// A call of which nothing is known but its id, to be filled by the caller of this.
    pub fn with_id(id: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            org_id: None,
            created_at: None,
            updated_at: None,
            started_at: None,
            ended_at: None,
            kind: None,
            status: None,
            ended_reason: None,
            name: None,
            assistant_id: None,
            assistant: None,
            squad_id: None,
            workflow_id: None,
            assistant_overrides: None,
            squad_overrides: None,
            monitor: None,
            transport: None,
            web_call_url: None,
            artifact_plan: None,
            destination: None,
            artifact: None,
            analysis: None,
        }
    }
}

impl Call {
    /// The value of one of the variables that the call was asked for with.
    pub fn variable(&self, name: &str) -> Option<Secret<String>> {
        [&self.assistant_overrides, &self.squad_overrides]
            .into_iter()
            .flatten()
            .find_map(|overrides| text_of(overrides.variable_values.as_ref()?, name))
    }
}

/// A variable that holds text; an empty one holds nothing.
pub(crate) fn text_of(
    variables: &Secret<Map<String, Value>>,
    name: &str,
) -> Option<Secret<String>> {
    let text = variables.expose_secret().get(name)?.as_str()?.trim();
    (!text.is_empty()).then(|| Secret::new(text.to_owned()))
}

/// The part of an assistant that a call shows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CallAssistant {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub voice: Option<VoiceChoice>,
}

/// Which voice an assistant speaks with.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VoiceChoice {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub voice_id: Option<String>,
}

/// Where a running call can be listened to and steered.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Monitor {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub listen_url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control_url: Option<String>,
}

/// What is kept of a call's media.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ArtifactPlan {
    #[serde(default)]
    pub video_recording_enabled: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recording_enabled: Option<bool>,
}
