//! Carrying calls from one store into another, by what every store can do. A call leaves the first when it is durable in the
//! second: where this is broken off, doing it again goes on with the rest, and what is there already is not there twice.

use crate::Records;
use crate::call_record::{CallId, CallKind, CallRecord, FinishedCall, NewCall, Turn};
use crate::finding::Wanted;
use crate::store::StoreError;

const AT_A_TIME: u32 = 100;

/// What became of the calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TakenIn {
    pub calls: u64,
    /// They stay where they are: they cannot be read whole, or another call there has their id.
    pub left: u64,
}

/// Carries every call of `from` over into `to`, the samples left out: those that have ended with their notes, those that have
/// not with all that is needed to go on with them. Nobody else may use `from` meanwhile.
pub async fn take_in(from: &Records, to: &Records) -> Result<TakenIn, StoreError> {
    let mut taken_in = TakenIn::default();
    for kind in [CallKind::WebCall, CallKind::Chat] {
        let mut left = 0;
        loop {
            let wanted = Wanted {
                newest_first: false,
                skip: left,
                ..Wanted::of(kind, AT_A_TIME)
            };
            let found = from.find_calls(wanted).await?;
            if found.records.is_empty() {
                // Rows in which no record can be seen are among them.
                taken_in.left += found.total;
                break;
            }
            for call in found.records {
                let id = call.call_id;
                if carry(call, from, to).await? {
                    from.delete_call(id).await?;
                    taken_in.calls += 1;
                } else {
                    left += 1;
                }
            }
        }
    }
    Ok(taken_in)
}

/// Whether all of it is there now.
async fn carry(call: CallRecord, from: &Records, to: &Records) -> Result<bool, StoreError> {
    let id = call.call_id;
    let end = match (call.ended_at, call.ended_reason, call.note) {
        _ if call.damaged || call.unopened => return Ok(false),
        (None, _, _) => None,
        (Some(ended_at), Some(ended_reason), Some(note)) => Some(FinishedCall {
            ended_at,
            ended_reason,
            note,
            messages: call.messages.clone(),
        }),
        _ => return Ok(false),
    };
    let new = NewCall {
        call_id: id,
        visitor: call.visitor,
        started_at: call.started_at,
        kind: call.kind,
        notice: call.notice,
    };
    let there = match to.start_call(new).await {
        Err(StoreError::CallIdTaken) => return Ok(false),
        there => there?,
    };
    if there.ended_at.is_some() {
        // An earlier try came so far, unless another node gave it another end between.
        return Ok(there.messages == call.messages);
    }
    // Where an earlier try was broken off, a node has it that is gone.
    match to.take_call(id).await {
        Ok(Some(_)) => {}
        Ok(None) | Err(StoreError::HeldElsewhere) => return Ok(false),
        Err(error) => return Err(error),
    }
    if !call.label.is_empty() {
        to.label_call(id, call.label).await?;
    }
    match end {
        Some(end) => {
            to.finish_call(id, end).await?;
            Ok(true)
        }
        None => carry_on(id, from, to).await,
    }
}

/// Brings over what a call without an end goes on from, and leaves it for whoever its caller comes back to.
async fn carry_on(id: CallId, from: &Records, to: &Records) -> Result<bool, StoreError> {
    let left = from.take_call(id).await?;
    let is_whole = left.is_some();
    if let Some(left) = left {
        if let (Some(index), Some(conversation)) = (left.last_turn, left.conversation) {
            let turn = Turn {
                index,
                messages: left.messages,
                conversation,
            };
            to.put_turn(id, turn).await?;
        }
        if let Some(visitor) = left.visitor.filter(|_| left.visitor_has_left) {
            to.leave(visitor).await?;
        }
    }
    to.give_back(id).await?;
    Ok(is_whole)
}
