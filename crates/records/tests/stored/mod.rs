//! What the stored databases of `tests/schemas` hold: calls of every shape, as the program of their time wrote them.

use flow::{AbuseType, Agency, CaseNote, EndReason, Evidence, StructuredData};
use jiff::Timestamp;
use records::{CallId, CallKind, FinishedCall, Message, NewCall, Records, Role, Turn, VisitorId};
use redact::Secret;
use uuid::Uuid;

pub struct Stored {
    pub call: NewCall,
    pub turns: Vec<Turn>,
    pub end: Option<FinishedCall>,
}

/// Numbered from 11 on, after the samples.
pub fn calls() -> Vec<Stored> {
    let running = |n, kind, turns| Stored {
        call: call(n, Some(VISITOR), kind),
        turns,
        end: None,
    };
    vec![
        Stored {
            call: call(1, None, CallKind::WebCall),
            turns: Vec::new(),
            end: None,
        },
        running(2, CallKind::WebCall, vec![turn(0), turn(1), turn(2)]),
        running(3, CallKind::Chat, vec![turn(0)]),
        Stored {
            turns: vec![turn(0)],
            end: Some(ended(true)),
            ..running(4, CallKind::WebCall, Vec::new())
        },
        Stored {
            end: Some(ended(false)),
            ..running(5, CallKind::Chat, Vec::new())
        },
    ]
}

pub const VISITOR: VisitorId =
    VisitorId(Uuid::from_u128(0x5eed_0000_0000_4000_8000_0000_0000_00aa));
/// Its call is over, and its note was damaged since.
pub const DAMAGED: CallId = id(6);

/// Puts them into a new database.
pub async fn store_all(records: &Records) {
    for Stored { call, turns, end } in calls() {
        records.start_call(call.clone()).await.unwrap();
        for turn in turns {
            records.put_turn(call.call_id, turn).await.unwrap();
        }
        if let Some(end) = end {
            records.finish_call(call.call_id, end).await.unwrap();
        }
    }
    let damaged = call(6, Some(VISITOR), CallKind::WebCall);
    records.start_call(damaged.clone()).await.unwrap();
    records
        .finish_call(damaged.call_id, ended(true))
        .await
        .unwrap();
    // Two samples are enough to tell whether they are kept: one in the schema's words, one in others.
    let samples = SAMPLES_LEFT_OUT.iter();
    for sample in samples {
        assert!(records.delete_call(sample.parse().unwrap()).await.unwrap());
    }
}

const SAMPLES_LEFT_OUT: [&str; 8] = [
    "976b4a4c-db6a-5c4a-b9b3-e556329460bb",
    "f98c86d3-43f0-51e1-9f46-cd38bc9ae9a7",
    "5931fdc0-1bc3-5a8e-b9c6-c87f437660ab",
    "802cf7f1-062b-5032-b0e3-6a0a430b3f30",
    "ed02336c-53f6-50a8-bc6c-6441628cc373",
    "c786c763-d65f-52f6-944e-376ca7249d35",
    "8388be99-3fb0-568c-a421-2979d6afe935",
    "51a2488b-2627-50cc-bc6a-a52ba84d8545",
];
/// The numbers of the others.
pub const SAMPLES: [i64; 2] = [7, 3];

const fn id(n: u128) -> CallId {
    CallId(Uuid::from_u128(
        0x5eed_0000_0000_4000_8000_0000_0000_0000 + n,
    ))
}

fn moment(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn secret(words: &str) -> Secret<String> {
    Secret::new(words.to_owned())
}

fn call(n: u128, visitor: Option<VisitorId>, kind: CallKind) -> NewCall {
    NewCall {
        call_id: id(n),
        visitor,
        started_at: moment("2026-10-31T23:59:59.654321Z"),
        kind,
        notice: None,
    }
}

fn message(role: Role, words: &str) -> Message {
    Message {
        role,
        officer: None,
        message: secret(words),
        seconds_from_start: 4.25,
        duration_seconds: 1.5,
        interrupted: role == Role::Bot,
    }
}

fn turn(index: u32) -> Turn {
    Turn {
        index,
        messages: vec![
            message(Role::User, "nul \u{0} quote \" back\\slash 帮帮我 உதவி 🆘"),
            message(Role::Bot, &format!("answer {index}")),
        ],
        conversation: Secret::new(format!("{{\"after\":{index}}}")),
    }
}

fn ended(urgent: bool) -> FinishedCall {
    let (abuse_type, transfer_to) = match urgent {
        true => (AbuseType::Physical, Some(Agency::Pave)),
        false => (AbuseType::Other, None),
    };
    FinishedCall {
        ended_at: moment("2026-11-01T00:01:22Z"),
        ended_reason: match urgent {
            true => EndReason::Forwarded,
            false => EndReason::SilenceTimedOut,
        },
        note: CaseNote {
            summary_title: secret("Caller's brother is at the door"),
            summary: secret("Caller said \"he is back\". 帮帮我"),
            structured_data: StructuredData {
                name: secret("Mei"),
                urgent,
                location: secret("Block 12"),
                follow_up: secret("Ring back. Ask where she is"),
                abuse_type,
                transfer_to,
                transferred: urgent,
                latest_incident_date: secret("31 October 2026"),
            },
            evidence: match urgent {
                true => vec![evidence()],
                false => Vec::new(),
            },
        },
        messages: match urgent {
            true => vec![message(Role::User, "he is back"), message(Role::System, "")],
            false => Vec::new(),
        },
    }
}

fn evidence() -> Evidence {
    Evidence {
        claim: "violence now".to_owned(),
        words: secret("he is back"),
        turn: 0,
        confidence: 0.5,
        escalates: true,
    }
}
