//! What the OpenAPI document says of these types is what they are on the wire.
#![allow(clippy::unwrap_used)]

use platform::{AssistantMessage, Call, CallInfo, ListedCall, MessageRole, TransferTo};
use serde_json::{Value, json};
use utoipa::PartialSchema;

fn schema<T: PartialSchema>() -> Value {
    serde_json::to_value(T::schema()).unwrap()
}

#[test]
fn a_served_call_promises_what_the_platform_promises() {
    let call = schema::<Call>();
    assert_eq!(
        call["required"],
        json!(["id", "orgId", "createdAt", "updatedAt", "type", "status"])
    );
    assert_eq!(
        call["properties"]["createdAt"],
        json!({"type": "string", "format": "date-time"})
    );
}

#[test]
fn a_call_info_promises_the_specifications_fields() {
    let listed = schema::<ListedCall>();
    let info = schema::<CallInfo>();
    let [all_of_the_list, beside_it] = info["allOf"].as_array().unwrap().as_slice() else {
        panic!("{info}");
    };
    assert_eq!(all_of_the_list["$ref"], "#/components/schemas/ListedCall");
    let fields_of_the_list = [
        "callId",
        "startedAt",
        "durationSeconds",
        "summary",
        "summaryTitle",
    ];
    for (schema, fields) in [
        (&listed, &fields_of_the_list[..]),
        (beside_it, &["messages"]),
    ] {
        let required = schema["required"].as_array().unwrap();
        for field in fields {
            assert!(
                required.contains(&json!(field)),
                "{field} is not required: {required:?}"
            );
        }
    }
    assert_eq!(listed["properties"]["summary"], json!({"type": "string"}));
    assert!(listed["properties"].get("messages").is_none());
}

#[test]
fn enumerations_are_told_in_their_wire_names() {
    let codes = schema::<TransferTo>();
    let expected: Vec<&str> = TransferTo::ALL
        .iter()
        .map(|transfer| transfer.as_str())
        .collect();
    assert_eq!(codes["enum"], json!(expected));
    assert_eq!(
        schema::<MessageRole>()["enum"],
        json!([
            "bot",
            "user",
            "system",
            "tool_calls",
            "tool_call_result",
            "officer",
            "other"
        ])
    );
}

#[test]
fn the_bare_word_and_the_unknown_are_no_json_messages() {
    let messages = schema::<AssistantMessage>().to_string();
    assert!(messages.contains("status-update"));
    assert!(!messages.contains("listening") && !messages.contains("unknown"));
}
