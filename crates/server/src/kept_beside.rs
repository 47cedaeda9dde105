//! What is kept of a call beside its record, and goes with it: the steps of the call, messages to a program's server that are not
//! delivered yet, which hold what was said, and what became of those that were.

use records::{CallId, StoreError};
use resources::{Kind, Resource, Resources, Wanted};
use serde_json::Value;
use uuid::Uuid;

use crate::call_steps;
use crate::webhooks::row::Row;

/// Looked through at a time: each further portion has the database pass over all before it.
const AT_ONCE: u32 = 2_000;

/// Removes all of it, of calls whose records are gone.
pub async fn forget(resources: &Resources, calls: &[CallId]) -> Result<(), StoreError> {
    if calls.is_empty() {
        return Ok(());
    }
    forget_messages(resources, calls).await?;
    let is_of_them = |kept: &Resource| {
        let call = kept.body.expose_secret().get("call");
        let call = call.and_then(Value::as_str).and_then(|id| id.parse().ok());
        call.is_some_and(|call| calls.contains(&CallId(call)))
    };
    remove_all(resources, Kind::Delivery, is_of_them).await
}

/// The same but for what became of messages that were delivered, which holds no words.
pub async fn forget_messages(resources: &Resources, calls: &[CallId]) -> Result<(), StoreError> {
    for call in calls {
        call_steps::remove(resources, *call).await?;
    }
    // That something was deleted is told without a record.
    let is_of_them = |kept: &Resource| {
        Row::read(kept).is_some_and(|row| row.needs_its_record && calls.contains(&CallId(row.call)))
    };
    remove_all(resources, Kind::ServerMessage, is_of_them).await
}

/// Removes what a program's server was yet to be told of a session that was deleted: it holds what was said before, by the
/// program's word. What was said in it stands in messages of its own, and goes with its record.
pub async fn forget_session(resources: &Resources, session: Uuid) -> Result<(), StoreError> {
    let is_of_it = |kept: &Resource| {
        Row::read(kept).is_some_and(|row| row.call == session && row.kind.starts_with("session."))
    };
    remove_all(resources, Kind::ServerMessage, is_of_it).await
}

async fn remove_all(
    resources: &Resources,
    kind: Kind,
    is_meant: impl Fn(&Resource) -> bool,
) -> Result<(), StoreError> {
    let mut meant: Vec<Uuid> = Vec::new();
    let mut skip = 0;
    loop {
        let wanted = Wanted {
            newest_first: false,
            skip,
            ..Wanted::latest(AT_ONCE)
        };
        let page = resources.list(kind, wanted).await?;
        let found = page.resources.len();
        let of_it = page.resources.iter().filter(|kept| is_meant(kept));
        meant.extend(of_it.map(|kept| kept.id));
        if found < AT_ONCE as usize {
            break;
        }
        skip += AT_ONCE;
    }
    for id in meant {
        resources.remove(kind, id).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use jiff::Timestamp;
    use records::Records;
    use redact::Secret;
    use resources::NewResource;
    use serde_json::json;

    use super::*;

    async fn kept(resources: &Resources, kind: Kind, body: Value) -> Uuid {
        let Value::Object(fields) = body else {
            panic!("a body is an object");
        };
        let new = NewResource::of(kind, Secret::new(fields));
        let added = resources.add(new, Timestamp::now()).await.unwrap();
        added.unwrap().id
    }

    #[tokio::test]
    async fn what_is_kept_of_a_call_goes_and_what_is_kept_of_others_and_of_a_deletion_stays() {
        let records = Records::open("sqlite::memory:").await.unwrap();
        let resources = Resources::on(&records.database().unwrap());
        let [gone, stays] = [CallId::random(), CallId::random()];
        let message = |call: CallId, kind: &str| json!({"call": call.0, "type": kind});
        let mut expected = Vec::new();
        for (call, goes) in [(gone, true), (stays, false)] {
            for (kind, body, goes) in [
                (Kind::ServerMessage, message(call, "status-update"), goes),
                (Kind::ServerMessage, message(call, "end-of-call"), goes),
                (Kind::ServerMessage, message(call, "chat.deleted"), false),
                (Kind::Delivery, json!({"call": call.to_string()}), goes),
            ] {
                expected.push((kind, kept(&resources, kind, body).await, !goes));
            }
        }
        forget(&resources, &[gone]).await.unwrap();
        for (kind, id, is_there) in expected {
            let found = resources.get(kind, id).await.unwrap();
            assert_eq!(found.is_some(), is_there, "{kind:?} {found:?}");
        }
    }
    #[tokio::test]
    async fn what_was_yet_to_be_told_of_a_deleted_session_is_told_to_nobody() {
        let records = Records::open("sqlite::memory:").await.unwrap();
        let resources = Resources::on(&records.database().unwrap());
        let [gone, stays] = [Uuid::from_u128(1), Uuid::from_u128(2)];
        let mut expected = Vec::new();
        for (session, kind, is_there) in [
            (gone, "session.created", false),
            (gone, "session.updated", false),
            (gone, "chat.created", true),
            (stays, "session.created", true),
        ] {
            let body = json!({"call": session, "type": kind});
            let id = kept(&resources, Kind::ServerMessage, body).await;
            expected.push((id, kind, is_there));
        }
        forget_session(&resources, gone).await.unwrap();
        for (id, kind, is_there) in expected {
            let found = resources.get(Kind::ServerMessage, id).await.unwrap();
            assert_eq!(found.is_some(), is_there, "{kind}");
        }
    }
}
