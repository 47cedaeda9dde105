//! What the official client's types have of the bodies that are sent to the hosted platform, and of its messages: its stand-ins
//! refuse the rest, and send nothing else.

use std::sync::LazyLock;

use serde_json::Value;

static TYPES: LazyLock<Value> = LazyLock::new(|| {
    let text = include_str!("../../../../scripts/clients/fields.json");
    serde_json::from_str(text).expect("it is written by a program")
});

/// What is wrong with this body, in the platform's words; `None` where it is of its type.
pub fn fault(body: &str, sent: &Value) -> Option<String> {
    let kind = TYPES["bodies"][body].as_str().expect("it is one of those");
    fault_at("", kind, sent)
}

fn fault_at(at: &str, kind: &str, value: &Value) -> Option<String> {
    let is_it = match kind {
        "string" => value.is_string(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "list" => value.is_array(),
        "any" => true,
        _ => value.is_object(),
    };
    if !is_it {
        return Some(format!("{at} must be of type {kind}"));
    }
    let told = TYPES["types"].get(kind)?;
    let sent = value.as_object()?;
    let mut required = told["required"]
        .as_array()?
        .iter()
        .filter_map(Value::as_str);
    if let Some(missing) = required.find(|field| !sent.contains_key(*field)) {
        return Some(format!("{} should be there", below(at, missing)));
    }
    sent.iter().find_map(|(field, value)| {
        let place = below(at, field);
        let Some(kinds) = told["fields"].get(field).and_then(Value::as_array) else {
            return Some(format!("property {place} should not exist"));
        };
        let mut kinds = kinds.iter().filter_map(Value::as_str);
        let first = fault_at(&place, kinds.next()?, value)?;
        let fits = kinds.any(|kind| fault_at(&place, kind, value).is_none());
        (!fits).then_some(first)
    })
}

fn below(at: &str, field: &str) -> String {
    match at {
        "" => field.to_owned(),
        at => format!("{at}.{field}"),
    }
}
