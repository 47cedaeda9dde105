//! What a server is told, in the platform's shape: from what happens in a call, and from a call's record when it is over.

use flow::Agency;
use jiff::Timestamp;
use platform::event::{
    Destination, EndOfCallReport, SpeakerRole, SpeechStatus, SpeechUpdate, StatusUpdate,
    TransferUpdate,
};
use platform::lifecycle::AssistantStarted;
use platform::time::EpochMillis;
use platform::{Analysis, Artifact, Call, CallAssistant, CallStatus, ServerEvent, ServerMessage};
use records::{CallId, CallKind, CallRecord, Label};
use redact::Secret;

use crate::call_record;
use crate::helpline::HELPLINE;
use crate::platform_api::served::Served;
use crate::platform_api::web_call::ORGANISATION;

/// A message about this call, as it is sent.
pub fn body(
    event: ServerEvent,
    call: Call,
    at: Timestamp,
    artifact: Option<Artifact>,
) -> Secret<String> {
    let message = ServerMessage {
        timestamp: Some(EpochMillis(at.as_millisecond())),
        assistant: call.assistant.clone(),
        call: Some(call),
        artifact,
        ..ServerMessage::of(event)
    };
    Secret::new(message.to_body())
}

/// A message about no call: a chat, or a session.
pub fn of_no_call(event: ServerEvent, at: Timestamp) -> Secret<String> {
    let message = ServerMessage {
        timestamp: Some(EpochMillis(at.as_millisecond())),
        ..ServerMessage::of(event)
    };
    Secret::new(message.to_body())
}

/// A call as messages carry it: without what was said, which they carry themselves.
pub fn under_way(
    id: CallId,
    kind: CallKind,
    label: &Label,
    started_at: Timestamp,
    assistant_name: &str,
) -> Call {
    let served = Served::of(label);
    Call {
        org_id: Some(ORGANISATION.to_owned()),
        name: label.name.clone(),
        assistant_id: served.assistant,
        squad_id: served.squad,
        workflow_id: served.workflow,
        created_at: Some(started_at),
        updated_at: Some(started_at),
        started_at: Some(started_at),
        kind: Some(call_record::kind(kind, label)),
        status: Some(CallStatus::InProgress),
        assistant: Some(CallAssistant {
            name: Some(assistant_name.to_owned()),
            voice: None,
        }),
        ..Call::with_id(id.0.to_string())
    }
}

/// The same, as the record has it.
pub fn call_of(record: &CallRecord, assistant_name: &str) -> Call {
    let CallRecord {
        call_id,
        kind,
        label,
        started_at,
        ..
    } = record;
    Call {
        updated_at: Some(record.ended_at.unwrap_or(record.started_at)),
        ended_at: record.ended_at,
        status: Some(match record.ended_at {
            Some(_) => CallStatus::Ended,
            None => CallStatus::InProgress,
        }),
        ended_reason: record.ended_reason.map(|reason| reason.as_str().to_owned()),
        ..under_way(*call_id, *kind, label, *started_at, assistant_name)
    }
}

pub fn ended(record: &CallRecord) -> ServerEvent {
    let reason = record.ended_reason.map_or("", |reason| reason.as_str());
    ServerEvent::StatusUpdate(StatusUpdate::ended(reason))
}

/// The report of a call that is over.
pub fn report(record: &CallRecord, now: Timestamp) -> ServerEvent {
    let listed = call_record::listed(record, now);
    let messages = call_record::messages(record.started_at, &record.messages);
    let facts = listed.structured_data.as_ref();
    ServerEvent::EndOfCallReport(EndOfCallReport {
        ended_reason: listed.ended_reason,
        started_at: Some(record.started_at),
        ended_at: record.ended_at,
        artifact: Artifact::of(messages),
        analysis: facts
            .map(|facts| Analysis::of(listed.summary, facts))
            .unwrap_or_default(),
        cost: None,
    })
}

/// Where the flow hands a caller to.
pub fn to_the_authorities(agency: Agency) -> Destination {
    Destination::Assistant {
        assistant_name: HELPLINE.authorities.clone(),
        description: Some(agency.as_str().to_owned()),
    }
}

pub fn transfer(destination: Destination) -> ServerEvent {
    let destination = Some(destination);
    ServerEvent::TransferUpdate(TransferUpdate { destination })
}

/// The assistant of this call has begun to answer.
pub fn assistant_started(call: &Call) -> ServerEvent {
    ServerEvent::AssistantStarted(AssistantStarted {
        new_assistant: call.assistant.clone().unwrap_or_default(),
    })
}

/// Somebody began or stopped to speak. The platform has no word for an officer who does.
pub fn speech(speaker: call::Speaker, turn: u32, status: SpeechStatus) -> Option<ServerEvent> {
    Some(ServerEvent::SpeechUpdate(SpeechUpdate {
        status,
        role: role(speaker)?,
        turn: Some(turn),
    }))
}

pub fn role(speaker: call::Speaker) -> Option<SpeakerRole> {
    match speaker {
        call::Speaker::Assistant => Some(SpeakerRole::Assistant),
        call::Speaker::Caller => Some(SpeakerRole::User),
        call::Speaker::Officer(_) => None,
    }
}
