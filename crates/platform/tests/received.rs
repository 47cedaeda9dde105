//! What others send us, in the platform's shapes, is understood; what is wrong is told
//! by its field; and no input whatever panics or is repeated in an error.
#![allow(clippy::unwrap_used)]

use platform::{
    AddMessage, AssistantMessage, AudioFormat, Call, CallStatus, ClientMessage, ControlKind,
    CreateChat, CreateWebCall, Destination, Invalid, MessageRole, Say, ServerEvent, ServerMessage,
    SpeakerRole, Target, ToolCallsReply, TranscriptType, TransferTo,
};
use proptest::prelude::*;
use serde_json::{Value, json};

fn create(body: Value) -> Result<CreateWebCall, String> {
    CreateWebCall::parse(body.to_string().as_bytes()).map_err(|error| error.to_string())
}

#[test]
fn a_call_is_asked_for_by_an_assistants_id() {
    let create = create(json!({
        "assistantId": "helpline",
        "assistantOverrides": {"variableValues": {"agency": ""}},
        "roomDeleteOnUserLeaveEnabled": true,
        "somethingNewer": {"than": "this program"},
    }))
    .unwrap();
    assert_eq!(create.target(), Ok(Target::AssistantId("helpline")));
    let overrides = create.assistant_overrides.unwrap();
    assert_eq!(
        overrides.variable_values.unwrap().expose_secret()["agency"],
        ""
    );
}

#[test]
fn a_call_is_asked_for_by_a_squad_or_a_workflow_too() {
    let squad = create(json!({"squadId": "authorities", "assistantId": null})).unwrap();
    assert_eq!(squad.target(), Ok(Target::SquadId("authorities")));
    let workflow = create(json!({"workflow": {"nodes": []}})).unwrap();
    assert!(matches!(workflow.target(), Ok(Target::Workflow(_))));
}

#[test]
fn a_call_for_nobody_is_refused_in_the_platforms_words() {
    for body in [
        json!({}),
        json!({"assistantId": ""}),
        json!({"assistantOverrides": {}}),
    ] {
        assert_eq!(
            create(body).unwrap_err(),
            "Assistant or Squad or Workflow must be provided."
        );
    }
}

#[test]
fn overrides_are_checked_also_where_the_call_is_for_somebody_else() {
    let mut body = json!({"assistantId": "helpline", "input": "Hello"});
    for name in ["assistantOverrides", "squadOverrides", "workflowOverrides"] {
        body[name] = json!({"stopSpeakingPlan": {"voiceSeconds": -1}});
        let refused = create(body.clone()).unwrap_err();
        let field = format!("`{name}.stopSpeakingPlan.voiceSeconds`");
        assert!(refused.contains(&field), "{refused}");
        // A chat has none of a squad's.
        if name != "squadOverrides" {
            let chat = body.to_string();
            for parse in [CreateChat::parse, CreateChat::parse_response] {
                let refused = parse(chat.as_bytes()).unwrap_err().to_string();
                assert!(refused.contains(&field), "{refused}");
            }
        }
        body[name] = Value::Null;
    }
}

#[test]
fn a_wrong_field_in_the_request_is_named() {
    let cases = [
        (
            json!({"assistantId": 7}),
            "`assistantId`: expected a string",
        ),
        (
            json!({"assistant": "helpline"}),
            "`assistant`: expected an object",
        ),
        (
            json!({"assistantId": "a", "assistant": {}}),
            "`assistant`: expected only one of `assistant` and `assistantId`",
        ),
        (
            json!({"assistantId": "a", "assistantOverrides": {"variableValues": ["agency"]}}),
            "`assistantOverrides.variableValues`: expected an object",
        ),
        (
            json!({"assistantId": "a", "transport": {"provider": "pigeon"}}),
            "`transport.provider`: expected one of `daily`, `whip`, `vapi.websocket`",
        ),
        (
            json!({"assistantId": "a", "transport": {"provider": "vapi.websocket", "audioFormat":
                {"format": "pcm_s16le", "container": "raw", "sampleRate": 44100}}}),
            "`transport.audioFormat.sampleRate`: expected 16000",
        ),
        (
            json!({"assistantId": "a", "transport": {"provider": "vapi.websocket", "audioFormat":
                {"format": "pcm_s16le", "sampleRate": 16000.5}}}),
            "`transport.audioFormat.sampleRate`: expected a whole number",
        ),
        (json!("call me"), "the body: expected an object"),
    ];
    for (body, expected) in cases {
        assert_eq!(create(body).unwrap_err(), expected);
    }
}

#[test]
fn raw_audio_is_asked_for_as_the_official_clients_write_it() {
    for format in [
        json!({"format": "pcm_s16le", "container": "raw", "sampleRate": 16000}),
        json!({"format": "pcm_s16le", "sampleRate": 16000.0}),
    ] {
        let transport = json!({"provider": "vapi.websocket", "audioFormat": format});
        let create = create(json!({"assistantId": "a", "transport": transport})).unwrap();
        let asked = create.transport.unwrap().audio_format;
        assert_eq!(asked, Some(AudioFormat::pcm_16k()));
    }
}

#[test]
fn the_pages_messages_are_read() {
    assert_eq!(
        ClientMessage::parse("playable"),
        Ok(ClientMessage::Playable)
    );
    assert_eq!(
        ClientMessage::parse("\"playable\""),
        Ok(ClientMessage::Playable)
    );
    assert_eq!(
        ClientMessage::parse(r#"{"type":"end-call"}"#),
        Ok(ClientMessage::EndCall)
    );
    let ClientMessage::AddMessage(typed) = ClientMessage::parse(
        r#"{"type":"add-message","message":{"role":"user","content":"I cannot talk"}}"#,
    )
    .unwrap() else {
        panic!("add-message was read as something else");
    };
    assert_eq!(typed.content.expose_secret(), "I cannot talk");
    assert!(
        typed.trigger_response,
        "a typed message is answered unless told otherwise"
    );

    let ClientMessage::Control(control) = ClientMessage::parse(
        r#"{"type":"control","control":"say-first-message","videoRecordingStartDelaySeconds":0.42}"#,
    )
    .unwrap() else {
        panic!("control was read as something else");
    };
    assert_eq!(control.control, ControlKind::SayFirstMessage);

    let ClientMessage::Say(say) = ClientMessage::parse(
        r#"{"type":"say","message":"One moment","interruptionsEnabled":null}"#,
    )
    .unwrap() else {
        panic!("say was read as something else");
    };
    assert!(!say.end_call_after_spoken && !say.interruptions_enabled);
}

#[test]
fn what_is_to_be_said_at_once_has_a_limit_in_characters() {
    let say = |length: usize| {
        let message = json!({"type": "say", "message": "é".repeat(length)});
        ClientMessage::parse(&message.to_string())
    };
    assert!(say(Say::LONGEST).is_ok());
    assert_eq!(
        say(Say::LONGEST + 1).unwrap_err().to_string(),
        "`message`: expected at most 2000 characters; say the rest in a second message"
    );
}

#[test]
fn what_a_caller_types_at_once_has_a_limit_in_characters() {
    let typed = |role: &str, length: usize| {
        let message = json!({"role": role, "content": "é".repeat(length)});
        ClientMessage::parse(&json!({"type": "add-message", "message": message}).to_string())
    };
    assert!(typed("user", AddMessage::LONGEST).is_ok());
    assert_eq!(
        typed("user", AddMessage::LONGEST + 1)
            .unwrap_err()
            .to_string(),
        "`message.content`: expected at most 4000 characters; send the rest in a second message"
    );
    // Nothing follows from it, however long.
    assert!(typed("system", AddMessage::LONGEST + 1).is_ok());
}

#[test]
fn content_in_parts_is_joined() {
    let ClientMessage::AddMessage(typed) = ClientMessage::parse(
        r#"{"type":"add-message","triggerResponseEnabled":false,"message":{"role":"user","content":
            [{"type":"text","text":"I am"},{"type":"image_url"},{"type":"text","text":"here"}]}}"#,
    )
    .unwrap() else {
        panic!("add-message was read as something else");
    };
    assert_eq!(typed.content.expose_secret(), "I am here");
    assert!(!typed.trigger_response);
}

#[test]
fn a_wrong_message_of_the_page_is_told_by_its_field() {
    let cases = [
        (
            "nonsense",
            "the body is not valid JSON: see line 1, column 2",
        ),
        ("[]", "the body: expected an object"),
        ("{}", "`type`: is missing"),
        (r#"{"type":7}"#, "`type`: expected a string"),
        (
            r#"{"type":"sing"}"#,
            "`type`: expected one of `add-message`, `control`, `say`, `end-call`",
        ),
        (r#"{"type":"say"}"#, "`message`: is missing"),
        (
            r#"{"type":"say","message":["he hit me"]}"#,
            "`message`: expected a string",
        ),
        (
            r#"{"type":"control","control":"dance"}"#,
            "`control`: expected one of `mute-assistant`, `unmute-assistant`, `say-first-message`, `mute-caller`, `unmute-caller`",
        ),
        (
            r#"{"type":"add-message","message":{"role":"user","content":3}}"#,
            "`message.content`: expected a string, or an array of text parts",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(
            ClientMessage::parse(text).unwrap_err().to_string(),
            expected
        );
    }
}

fn hosted(message: Value) -> ServerMessage {
    ServerMessage::parse(json!({"message": message}).to_string().as_bytes()).unwrap()
}

fn hosted_call() -> Value {
    json!({
        "id": "0197f6a2-5c1e-7bb0-9f0e-2f6d3c1a9d11",
        "orgId": "a7b1c2d3-0000-4000-8000-000000000001",
        "createdAt": "2026-11-19T17:01:02.345Z",
        "updatedAt": "2026-11-19T17:01:02.345Z",
        "type": "webCall",
        "status": "queued",
        "assistantId": "3f1c0e52-0000-4000-8000-000000000002",
        "monitor": {"listenUrl": "wss://example.test/listen", "controlUrl": "https://example.test/control"},
        "transport": {"provider": "daily", "assistantVideoEnabled": false, "callUrl": "https://example.test/room"},
        "webCallUrl": "https://example.test/room",
        "artifactPlan": {"videoRecordingEnabled": false},
        "assistant": {"name": "Helpline", "voice": {"provider": "openai", "voiceId": "alloy"}, "model": {"temperature": 0.3}},
        "costs": [], "cost": 0
    })
}

#[test]
fn the_hosted_platforms_call_is_read() {
    let call: Call = platform::read(hosted_call().to_string().as_bytes()).unwrap();
    assert_eq!(call.status, Some(CallStatus::Queued));
    assert_eq!(
        call.web_call_url.as_deref(),
        Some("https://example.test/room")
    );
    let voice = call.assistant.unwrap().voice.unwrap();
    assert_eq!(voice.provider.as_deref(), Some("openai"));
}

#[test]
fn the_hosted_platforms_events_are_read() {
    let forwarding = hosted(json!({
        "type": "status-update", "status": "forwarding", "timestamp": 1795107662345.0,
        "call": hosted_call(), "customer": {"number": "+6500000000"},
        "destination": {"type": "number", "number": "999", "transferPlan": {"mode": "warm-transfer-say-summary"}},
        "phoneNumber": null,
    }));
    let ServerEvent::StatusUpdate(update) = &forwarding.event else {
        panic!("status-update was read as something else");
    };
    assert_eq!(update.status, CallStatus::Forwarding);
    assert!(
        matches!(&update.destination, Some(Destination::Number { number, .. }) if number == "999")
    );
    assert_eq!(forwarding.timestamp.unwrap().0, 1_795_107_662_345);

    for kind in [
        "transcript",
        "transcript[transcriptType=\"final\"]",
        "transcript[transcriptType='final']",
    ] {
        let heard = hosted(
            json!({"type": kind, "role": "user", "transcriptType": "final", "transcript": "hello"}),
        );
        let ServerEvent::Transcript(heard) = heard.event else {
            panic!("{kind} was read as something else");
        };
        assert_eq!(
            (heard.role, heard.transcript_type),
            (SpeakerRole::User, TranscriptType::Final)
        );
    }

    // With fields of its own, and without those that are ours.
    let made =
        hosted(json!({"type": "chat.created", "chat": {"id": "h1", "costs": [{"cost": 1}]}}));
    assert!(matches!(made.event, ServerEvent::ChatCreated(_)));

    let newer = hosted(json!({"type": "something-newer", "x": 1}));
    assert_eq!(newer.event, ServerEvent::Unknown);
}

#[test]
fn tool_calls_are_read_in_every_shape_they_come_in() {
    let shapes = [
        json!({"id": "t1", "type": "function", "function": {"name": "product_query", "arguments": "{\"query\":\"shelter\"}"}}),
        json!({"id": "t1", "type": "function", "function": {"name": "product_query", "arguments": {"query": "shelter"}}}),
        json!({"id": "t1", "name": "product_query", "parameters": {"query": "shelter"}}),
        json!({"id": "t1", "name": "product_query", "arguments": {"query": "shelter"}}),
    ];
    for shape in shapes {
        let message = hosted(
            json!({"type": "tool-calls", "toolCallList": [shape], "toolWithToolCallList": []}),
        );
        let ServerEvent::ToolCalls(calls) = message.event else {
            panic!("tool-calls was read as something else");
        };
        let call = &calls.tool_call_list[0];
        assert_eq!(call.name, "product_query");
        assert_eq!(call.arguments.expose_secret()["query"], "shelter");
    }
}

#[test]
fn an_end_of_call_report_is_read_with_its_messages_and_analysis() {
    let message = hosted(json!({
        "type": "end-of-call-report",
        "endedReason": "assistant-forwarded-call",
        "startedAt": "2026-11-19T17:01:05.000Z", "endedAt": "2026-11-19T17:03:11.250Z",
        "cost": 0.0421, "durationSeconds": 126.25,
        "call": hosted_call(),
        "artifact": {
            "messages": [
                {"role": "system", "message": "You are a counsellor", "time": 1795107665000.0, "secondsFromStart": 0},
                {"role": "bot", "message": "Are you safe?", "time": 1795107666000.0, "endTime": 1795107667000.0, "secondsFromStart": 1.2, "duration": 1000, "source": ""},
                {"role": "user", "message": "no", "time": 1795107669000.0, "endTime": 1795107669300.0, "secondsFromStart": 4.1, "duration": 300},
                {"role": "tool_calls", "toolCalls": [], "message": "", "time": 1795107669400.0, "secondsFromStart": 4.5},
                {"role": "some_new_role", "secondsFromStart": 5},
            ],
            "transcript": "AI: Are you safe?\nUser: no\n",
            "recordingUrl": "https://example.test/r.wav",
        },
        "analysis": {
            "summary": "Caller is not safe.",
            "successEvaluation": "true",
            "structuredData": {
                "name": "Requested anonymity", "urgent": true, "location": "Unknown", "follow_up": "Call back.",
                "abuse_type": "Physical", "transfer_to": "SPF", "transferred": true, "latest_incident_date": "Today",
            },
        },
    }));
    let ServerEvent::EndOfCallReport(report) = message.event else {
        panic!("end-of-call-report was read as something else");
    };
    let roles: Vec<_> = report
        .artifact
        .messages
        .iter()
        .map(|message| message.role)
        .collect();
    use MessageRole::*;
    assert_eq!(roles, [System, Bot, User, ToolCalls, Other]);
    let data = report.analysis.structured().unwrap().unwrap();
    assert_eq!(data.transfer_to, TransferTo::Spf);
    assert!(data.urgent);
}

#[test]
fn an_analysis_off_its_schema_is_told_by_its_field() {
    let analysis = |data: Value| {
        let analysis: platform::Analysis =
            platform::read(json!({"structuredData": data}).to_string().as_bytes()).unwrap();
        analysis.structured().unwrap_err().to_string()
    };
    assert_eq!(
        analysis(json!({})),
        "`analysis.structuredData.name`: is missing"
    );
    assert_eq!(
        analysis(json!({"name": "x", "urgent": "yes"})),
        "`analysis.structuredData.urgent`: expected a boolean"
    );
    let wrong_agency = analysis(json!({
        "name": "", "urgent": true, "location": "", "follow_up": "", "abuse_type": "Other",
        "transfer_to": "my sister", "transferred": false, "latest_incident_date": "",
    }));
    assert!(
        wrong_agency.starts_with("`analysis.structuredData.transfer_to`: expected one of `NAVH`"),
        "{wrong_agency}"
    );
    assert!(!wrong_agency.contains("sister"));
}

#[test]
fn a_wrong_webhook_body_is_told_by_its_field() {
    let problem = |body: Value| {
        ServerMessage::parse(body.to_string().as_bytes())
            .unwrap_err()
            .to_string()
    };
    assert_eq!(problem(json!({})), "`message`: is missing");
    assert_eq!(
        problem(json!({"message": 3})),
        "`message`: expected an object"
    );
    assert_eq!(
        problem(json!({"message": {}})),
        "`message.type`: is missing"
    );
    assert_eq!(
        problem(
            json!({"message": {"type": "transcript", "role": "user", "transcriptType": "final"}})
        ),
        "`message.transcript`: is missing"
    );
    assert_eq!(
        problem(json!({"message": {"type": "hang", "call": {"id": 7}}})),
        "`message.call.id`: expected a string"
    );
}

#[test]
fn a_reply_to_tool_calls_holds_a_result_or_an_error() {
    let reply: ToolCallsReply = platform::read(
        br#"{"results":[{"toolCallId":"t1","name":"product_query","result":"NAVH is open all night"},
                        {"toolCallId":"t2","error":"no such tool"}]}"#,
    )
    .unwrap();
    assert!(reply.results[0].result.is_some());
    assert_eq!(reply.results[1].error.as_deref(), Some("no such tool"));
}

#[test]
fn what_a_server_has_said_as_a_call_is_handed_on_is_read_in_every_shape() {
    let said = |message: Value| {
        let reply = json!({"message": message}).to_string();
        let reply: platform::TransferDestinationReply = platform::read(reply.as_bytes()).unwrap();
        let words = reply
            .message
            .as_ref()
            .and_then(|message| message.said_first());
        words.map(|words| words.expose_secret().clone())
    };
    let english = Some("One moment.".to_owned());
    assert_eq!(
        said(json!({"type": "request-start", "content": "One moment."})),
        english
    );
    let variants = json!([
        {"type": "text", "text": "Einen Moment.", "language": "de"},
        {"type": "text", "text": "One moment.", "language": "en-SG"},
    ]);
    assert_eq!(
        said(json!({"type": "request-start", "content": "x", "contents": variants})),
        english
    );
    assert_eq!(
        said(json!({"type": "request-failed", "content": "It failed."})),
        None
    );
    assert_eq!(said(json!({"type": "request-start"})), None);
}

#[test]
fn deep_nesting_is_refused_and_not_a_crash() {
    let deep = "[".repeat(100_000);
    assert!(matches!(
        ClientMessage::parse(&deep),
        Err(Invalid::NotJson { .. })
    ));
    assert!(matches!(
        ServerMessage::parse(deep.as_bytes()),
        Err(Invalid::NotJson { .. })
    ));
}

/// JSON made of our own field names, so that the readers get past the first check.
fn odd_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        Just(Value::from("the caller's own words")),
        "\\PC{0,12}".prop_map(Value::from),
        prop::sample::select(vec![
            "add-message",
            "control",
            "say",
            "status-update",
            "transcript",
            "tool-calls",
            "end-of-call-report",
            "assistant.started",
            "chat.created",
            "session.deleted",
            "ended",
            "user",
            "final",
            "number",
            "assistant",
            "request-start",
            "en",
            "daily",
        ])
        .prop_map(Value::from),
    ];
    let key = prop::sample::select(vec![
        "type",
        "message",
        "role",
        "content",
        "control",
        "status",
        "transcript",
        "transcriptType",
        "call",
        "id",
        "timestamp",
        "artifact",
        "messages",
        "analysis",
        "structuredData",
        "destination",
        "number",
        "toolCallList",
        "function",
        "name",
        "arguments",
        "assistantId",
        "assistant",
        "assistantOverrides",
        "variableValues",
        "transport",
        "provider",
        "audioFormat",
        "startedAt",
        "messagesOpenAIFormatted",
        "voice",
        "input",
        "content",
        "previousChatId",
        "sessionId",
        "stream",
        "chat",
        "session",
        "newAssistant",
        "results",
        "toolCallId",
        "result",
        "error",
        "assistantName",
        "description",
        "contents",
        "text",
        "language",
    ]);
    leaf.prop_recursive(5, 48, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map(key.clone().prop_map(str::to_owned), inner, 0..6)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn whatever_arrives_is_read_or_refused_and_its_words_are_not_repeated(value in odd_json()) {
        let text = value.to_string();
        let wrapped = json!({"message": value}).to_string();
        let refusals = [
            ClientMessage::parse(&text).err(),
            AssistantMessage::parse(&text).err(),
            CreateWebCall::parse(text.as_bytes()).err(),
            CreateChat::parse(text.as_bytes()).err(),
            ServerMessage::parse(text.as_bytes()).err(),
            ServerMessage::parse(wrapped.as_bytes()).err(),
            platform::read::<Call>(text.as_bytes()).err(),
            platform::read::<platform::CallInfo>(text.as_bytes()).err(),
            platform::read::<ToolCallsReply>(text.as_bytes()).err(),
            platform::read::<platform::TransferDestinationReply>(text.as_bytes()).err(),
        ];
        for refusal in refusals.into_iter().flatten() {
            prop_assert!(!refusal.to_string().contains("caller's own words"), "{}", refusal);
        }
    }

    #[test]
    fn bytes_that_are_no_json_at_all_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        let _ = ServerMessage::parse(&bytes);
        let _ = CreateWebCall::parse(&bytes);
        let _ = CreateChat::parse(&bytes);
        let _ = ClientMessage::parse(&String::from_utf8_lossy(&bytes));
        let _ = platform::read::<ToolCallsReply>(&bytes);
        let _ = platform::read::<platform::TransferDestinationReply>(&bytes);
    }
}
