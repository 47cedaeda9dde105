//! What we send: one snapshot for each message, each read back as what it was, and none
//! of the caller's words in any `Debug`.
#![allow(clippy::unwrap_used)]

use insta::assert_json_snapshot;
use platform::*;
use redact::Secret;
use serde_json::{Value, json};

/// Stands for everything a caller might say; looked for where it must not be.
const WORDS: &str = "he is outside the door";

fn words() -> Secret<String> {
    Secret::new(WORDS.to_owned())
}

fn at(second: i64) -> jiff::Timestamp {
    jiff::Timestamp::from_second(1_795_179_900 + second).unwrap()
}

fn messages() -> Vec<ConversationMessage> {
    let message = |role, message: Secret<String>, from: f64, interrupted| ConversationMessage {
        role,
        message,
        time: Some(at(from as i64).into()),
        end_time: Some(at(from as i64 + 2).into()),
        seconds_from_start: from,
        duration: Some(2.0),
        interrupted,
    };
    vec![
        message(
            MessageRole::Bot,
            Secret::new("Are you safe to talk?".to_owned()),
            1.5,
            true,
        ),
        message(MessageRole::User, words(), 5.25, false),
    ]
}

fn structured() -> StructuredData {
    StructuredData {
        name: words(),
        urgent: true,
        location: words(),
        follow_up: words(),
        abuse_type: Secret::new("Physical".to_owned()),
        transfer_to: TransferTo::Pave,
        transferred: true,
        latest_incident_date: words(),
    }
}

fn call() -> Call {
    Call {
        org_id: Some("nightlight".to_owned()),
        created_at: Some(at(0)),
        updated_at: Some(at(0)),
        kind: Some(CallKind::Web),
        status: Some(CallStatus::Queued),
        assistant_id: Some("helpline".to_owned()),
        assistant: Some(CallAssistant {
            name: Some("Nightlight".to_owned()),
            voice: Some(VoiceChoice {
                provider: Some("flite".to_owned()),
                voice_id: Some("slt".to_owned()),
            }),
        }),
        monitor: Some(Monitor {
            listen_url: None,
            control_url: Some("https://line.example/call/c1/control".to_owned()),
        }),
        transport: Some(CallTransport {
            provider: Some(TransportProvider::Whip.as_str().to_owned()),
            call_url: Some("https://line.example/call/c1/whip".to_owned()),
            websocket_call_url: Some("wss://line.example/call/c1/socket".to_owned()),
            audio_format: Some(AudioFormat::pcm_16k()),
            ice_servers: Vec::new(),
        }),
        web_call_url: Some("https://line.example/call/c1/whip".to_owned()),
        artifact_plan: Some(ArtifactPlan::default()),
        ..Call::with_id("c1")
    }
}

fn destination() -> Destination {
    Destination::Number {
        number: "999".to_owned(),
        description: Some("SPF".to_owned()),
    }
}

fn to_the_page() -> Vec<AssistantMessage> {
    vec![
        AssistantMessage::StatusUpdate(StatusUpdate::to(CallStatus::InProgress)),
        AssistantMessage::StatusUpdate(StatusUpdate::ended("customer-ended-call")),
        AssistantMessage::Transcript(Transcript {
            role: SpeakerRole::User,
            transcript_type: TranscriptType::Partial,
            transcript: words(),
        }),
        AssistantMessage::SpeechUpdate(SpeechUpdate {
            status: SpeechStatus::Started,
            role: SpeakerRole::Assistant,
            turn: Some(0),
        }),
        AssistantMessage::ConversationUpdate(ConversationUpdate::of(messages())),
        AssistantMessage::UserInterrupted(UserInterrupted {
            turn_id: Some("3".to_owned()),
        }),
        AssistantMessage::TransferUpdate(TransferUpdate {
            destination: Some(destination()),
        }),
        AssistantMessage::ToolCalls(tool_calls()),
        AssistantMessage::ModelOutput(ModelOutput {
            output: Secret::new(Value::from(WORDS)),
            turn_id: None,
        }),
        AssistantMessage::VoiceInput(VoiceInput { input: words() }),
        AssistantMessage::Hang(Hang {}),
        AssistantMessage::MessageRefused(MessageRefused {
            code: "field-invalid".to_owned(),
            message: "`message`: is missing".to_owned(),
        }),
    ]
}

fn tool_calls() -> ToolCalls {
    ToolCalls {
        tool_call_list: vec![ToolCall {
            id: "t1".to_owned(),
            name: "product_query".to_owned(),
            arguments: Secret::new(json!({"query": WORDS}).as_object().unwrap().clone()),
        }],
    }
}

fn inline(value: Value) -> Inline {
    Secret::new(value.as_object().unwrap().clone())
}

fn to_the_webhook() -> Vec<ServerMessage> {
    let forwarding = StatusUpdate {
        destination: Some(destination()),
        transcript: Some(words()),
        ..StatusUpdate::to(CallStatus::Forwarding)
    };
    let report = EndOfCallReport {
        ended_reason: Some("assistant-forwarded-call".to_owned()),
        started_at: Some(at(0)),
        ended_at: Some(at(90)),
        artifact: Artifact::of(messages()),
        analysis: Analysis::of(words(), &structured()),
        cost: None,
    };
    let shared = to_the_page().into_iter().filter_map(|message| {
        Some(match message {
            AssistantMessage::Transcript(it) => ServerEvent::Transcript(it),
            AssistantMessage::SpeechUpdate(it) => ServerEvent::SpeechUpdate(it),
            AssistantMessage::ConversationUpdate(it) => ServerEvent::ConversationUpdate(it),
            AssistantMessage::UserInterrupted(it) => ServerEvent::UserInterrupted(it),
            AssistantMessage::TransferUpdate(it) => ServerEvent::TransferUpdate(it),
            AssistantMessage::ToolCalls(it) => ServerEvent::ToolCalls(it),
            AssistantMessage::ModelOutput(it) => ServerEvent::ModelOutput(it),
            AssistantMessage::VoiceInput(it) => ServerEvent::VoiceInput(it),
            AssistantMessage::Hang(it) => ServerEvent::Hang(it),
            _ => return None,
        })
    });
    let chat = || ChatEvent {
        chat: inline(json!({"id": "h1", "input": WORDS})),
    };
    let session = || SessionEvent {
        session: inline(json!({"id": "s1", "name": WORDS})),
    };
    [
        ServerEvent::AssistantStarted(AssistantStarted {
            new_assistant: CallAssistant {
                name: Some("Nightlight".to_owned()),
                voice: None,
            },
        }),
        ServerEvent::ChatCreated(chat()),
        ServerEvent::ChatDeleted(chat()),
        ServerEvent::SessionCreated(session()),
        ServerEvent::SessionUpdated(session()),
        ServerEvent::SessionDeleted(session()),
        ServerEvent::StatusUpdate(forwarding),
        ServerEvent::TransferDestinationRequest(TransferDestinationRequest {}),
        ServerEvent::EndOfCallReport(report),
    ]
    .into_iter()
    .chain(shared)
    .map(|event| ServerMessage {
        timestamp: Some(at(91).into()),
        call: Some(Call::with_id("c1")),
        ..ServerMessage::of(event)
    })
    .collect()
}

fn from_the_page() -> Vec<ClientMessage> {
    vec![
        ClientMessage::Playable,
        ClientMessage::AddMessage(AddMessage {
            role: "user".to_owned(),
            content: words(),
            trigger_response: true,
        }),
        ClientMessage::Control(Control {
            control: ControlKind::MuteAssistant,
            video_recording_start_delay_seconds: None,
        }),
        ClientMessage::Say(Say {
            message: words(),
            end_call_after_spoken: true,
            interruptions_enabled: false,
            interrupt_assistant_enabled: false,
        }),
        ClientMessage::EndCall,
    ]
}

fn call_info() -> CallInfo {
    CallInfo {
        listed: ListedCall {
            call_id: "c1".to_owned(),
            started_at: at(0),
            duration_seconds: 90.5,
            summary: words(),
            summary_title: words(),
            structured_data: Some(structured()),
            id: 11,
            sample: false,
            kind: CallKind::Web,
            status: CallStatus::Ended,
            ended_reason: Some("assistant-forwarded-call".to_owned()),
            ended_at: Some(at(90)),
        },
        messages: messages(),
        evidence: vec![Evidence {
            claim: "violence_now".to_owned(),
            words: words(),
            turn: 0,
            message_index: Some(1),
            confidence: 0.9,
        }],
        escalation_triggers: Vec::new(),
        notice: None,
    }
}

#[test]
fn messages_to_the_page_keep_their_shape() {
    assert_eq!(AssistantMessage::Listening.to_text().unwrap(), "listening");
    for message in to_the_page() {
        let text = message.to_text().unwrap();
        assert_eq!(AssistantMessage::parse(&text), Ok(message), "{text}");
        let value: Value = serde_json::from_str(&text).unwrap();
        let mut name = format!("page-{}", value["type"].as_str().unwrap());
        if let Some(status) = value["status"].as_str() {
            name = format!("{name}-{status}");
        }
        assert_json_snapshot!(name, value);
    }
}

#[test]
fn messages_to_the_webhook_keep_their_shape() {
    for message in to_the_webhook() {
        let body = message.to_body();
        let name = format!("webhook-{}", message.event.kind());
        let back = ServerMessage::parse(body.as_bytes());
        assert_eq!(back, Ok(message), "{body}");
        let value: Value = serde_json::from_str(&body).unwrap();
        assert_json_snapshot!(name, value);
    }
}

#[test]
fn messages_from_the_page_are_read_back_as_they_were() {
    for message in from_the_page() {
        assert_eq!(ClientMessage::parse(&message.to_text()), Ok(message));
    }
}

#[test]
fn the_call_and_its_info_keep_their_shape() {
    assert_json_snapshot!("call", call());
    assert_json_snapshot!("call-info", call_info());
    let again: CallInfo = read(serde_json::to_string(&call_info()).unwrap().as_bytes()).unwrap();
    assert_eq!(again, call_info());
}

#[test]
fn replies_to_the_platform_keep_their_shape() {
    assert_json_snapshot!(
        "reply-tool-calls",
        ToolCallsReply {
            results: vec![ToolCallResult {
                tool_call_id: "t1".to_owned(),
                name: "product_query".to_owned(),
                result: Some(words()),
                error: None,
            }],
        }
    );
    assert_json_snapshot!(
        "reply-transfer-destination-request",
        TransferDestinationReply {
            destination: Some(destination()),
            message: Some(SpokenMessage::at_start(words())),
            error: None,
        }
    );
    assert_json_snapshot!(
        "error",
        ApiErrorBody {
            status_code: 400,
            code: Invalid::NothingToCall.code().to_owned(),
            message: Invalid::NothingToCall.to_string(),
            error: "Bad Request".to_owned(),
        }
    );
}

#[test]
fn what_happened_in_calls_is_told_without_what_was_said() {
    use platform::log::*;
    let of = |kind, second| Log::of(kind, at(second), "nightlight", "c1".to_owned());
    let logs = [
        Log {
            status: Some(CallStatus::Ended),
            ended_reason: Some("customer-ended-call".to_owned()),
            assistant_id: Some("helpline".to_owned()),
            ..of(LogType::Call, 9)
        },
        Log {
            webhook_type: Some("end-of-call-report".to_owned()),
            request_http_method: Some("POST".to_owned()),
            request_started_at: Some(at(10)),
            request_finished_at: Some(at(12)),
            request_duration_seconds: Some(2.0),
            response_http_code: Some(503),
            error: Some(LogError {
                message: "the server refuses it".to_owned(),
            }),
            tries: Some(2),
            outcome: Some(WebhookOutcome::Waiting),
            ..of(LogType::Webhook, 10)
        },
    ];
    assert_json_snapshot!("logs", logs);
    let spoke = Spoke {
        duration: Some(2.5),
        interrupted: false,
    };
    let ended = CallLogEvent::StatusUpdate {
        status: CallStatus::Ended,
        ended_reason: Some("assistant-forwarded-call".to_owned()),
    };
    let begun = CallLogEvent::HandOver {
        step: HandOverStep::Begun,
        agency: Some("SOS".to_owned()),
        mode: Some("warm".to_owned()),
        why: None,
    };
    let told = CallLogEvent::Webhook {
        webhook_type: "status-update".to_owned(),
        tries: 1,
        outcome: WebhookOutcome::Delivered,
        response_http_code: Some(200),
        error: None,
    };
    let name = "product_query".to_owned();
    let events = [
        CallLogEvent::AssistantSpoke(spoke),
        CallLogEvent::UserSpoke(spoke),
        CallLogEvent::ToolCall { name },
        begun,
        ended,
        told,
    ];
    let lines = events.map(|event| CallLogLine::new(at(3), at(0), event));
    assert_json_snapshot!("call-log", lines);
}

#[test]
fn nothing_prints_the_callers_words() {
    let printed = format!(
        "{:?} {:?} {:?} {:?} {:?} {:?}",
        to_the_page(),
        to_the_webhook(),
        from_the_page(),
        call_info(),
        CreateWebCall::parse(
            json!({"assistantId": "a", "assistantOverrides": {"variableValues": {"name": WORDS}}})
                .to_string()
                .as_bytes()
        ),
        ToolCallResult {
            tool_call_id: String::new(),
            name: String::new(),
            result: Some(words()),
            error: None,
        },
    );
    assert!(!printed.contains(WORDS));
    assert!(printed.contains("REDACTED"));
}

#[test]
fn every_agency_is_written_and_read_by_its_code() {
    for transfer in TransferTo::ALL {
        assert_eq!(transfer.as_str().parse(), Ok(transfer));
        assert_eq!(serde_json::to_value(transfer).unwrap(), transfer.as_str());
    }
    assert!("spf".parse::<TransferTo>().is_err());
}
