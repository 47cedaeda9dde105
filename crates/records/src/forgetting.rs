//! Deleting records. Of one that is a case at the duty desk a receipt remains, written together with the deletion: when, why,
//! by whom, which kinds of data there were, and a hash over what was stored. Nothing of its content. What is on hold stays.
//!
//! A case that was taken elsewhere has no call beside it, and is deleted as the others are. A record that never was a case
//! leaves nothing.

use aws_lc_rs::digest::{Context, SHA256};
use data_encoding::HEXLOWER;
use jiff::Timestamp;

use crate::call_record::CallId;
use crate::row::Columns;
use crate::store::StoreError;

/// What was stored is hashed behind this: a hash of something else is never one of a record.
const OF_A_RECORD: &[u8] = b"nightlight: what was stored of a record 1\0";

/// Which records are past their time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Past {
    /// Those of closed cases that are kept until then, or were.
    pub now: Timestamp,
    /// And those of calls that ended before this moment.
    pub ended_before: Timestamp,
}

/// What a purge has deleted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Purged {
    pub records: u64,
    /// Those of them that were cases: of each there is a receipt now.
    pub cases: Vec<CallId>,
}

/// How whoever runs the server deletes a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    CommandLine,
    /// A program that holds the private key.
    PrivateKey,
}

/// What is to be deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Forget {
    /// So many of those that are past their time.
    Past(Past, u32),
    /// This one: whoever runs the server was asked to.
    This(CallId, By),
}

impl Forget {
    pub fn at(self) -> Timestamp {
        match self {
            Self::Past(past, _) => past.now,
            Self::This(..) => Timestamp::now(),
        }
    }

    /// As a receipt names it.
    pub fn who(self) -> &'static str {
        match self {
            Self::Past(..) => "server",
            Self::This(_, By::CommandLine) => "command line",
            Self::This(_, By::PrivateKey) => "private key",
        }
    }

    fn why(self, closed_and_over: bool) -> &'static str {
        match self {
            Self::This(..) => "asked",
            Self::Past(..) if closed_and_over => "closed",
            Self::Past(..) => "age",
        }
    }
}

/// Records past their time that nothing holds, the earliest first: $3 of those that ended before $1, or whose case is closed
/// and kept until $2. In the words of both databases.
pub(crate) const DUE: &str = "SELECT call_id FROM ( \
    SELECT * FROM (SELECT call_id, ended_at FROM calls WHERE ended_at < $1 AND NOT sample \
    AND call_id NOT IN (SELECT call_id FROM desk_holds) ORDER BY ended_at LIMIT $3) AS calls_by_age \
    UNION ALL \
    SELECT * FROM (SELECT call_id, ended_at FROM desk_cases WHERE ended_at < $1 \
    AND NOT EXISTS (SELECT 1 FROM calls WHERE calls.call_id = desk_cases.call_id) \
    AND call_id NOT IN (SELECT call_id FROM desk_holds) ORDER BY ended_at LIMIT $3) AS cases_by_age \
    UNION ALL \
    SELECT * FROM (SELECT call_id, ended_at FROM desk_cases WHERE keep_until <= $2 AND state = 'closed' \
    AND call_id NOT IN (SELECT call_id FROM desk_holds) ORDER BY ended_at LIMIT $3) AS closed \
    ) AS due GROUP BY call_id ORDER BY min(ended_at), call_id LIMIT $3";

/// The cases among these records: whether each is on hold, and whether it is closed and kept until $2 or less.
macro_rules! select_cases {
    ($among:literal) => {
        concat!(
            "SELECT call_id, ",
            "EXISTS (SELECT 1 FROM desk_holds WHERE desk_holds.call_id = desk_cases.call_id) AS held, ",
            "(state = 'closed' AND keep_until <= $2) IS TRUE AS closed_and_over ",
            "FROM desk_cases WHERE call_id ",
            $among,
            " ORDER BY call_id"
        )
    };
}

/// What is stored of these records that holds words, value by value and each with its kind, as it stands there.
macro_rules! select_stored {
    ($among:literal) => {
        concat!(
            "SELECT call_id, kind, value FROM ( ",
            "SELECT call_id, 1 AS place, 0 AS number, '' AS part, 'transcript' AS kind, ",
            "CAST(messages AS text) AS value FROM calls WHERE call_id ",
            $among,
            " UNION ALL SELECT call_id, 2, turn, '', 'transcript', CAST(turns.messages AS text) ",
            "FROM turns JOIN calls ON calls.id = turns.call WHERE call_id ",
            $among,
            " UNION ALL SELECT call_id, 3, 0, '', 'note', CAST(note AS text) FROM calls WHERE call_id ",
            $among,
            " UNION ALL SELECT call_id, 4, 0, '', 'case', content FROM desk_cases WHERE call_id ",
            $among,
            " UNION ALL SELECT call_id, 5, 0, '', 'caller-number', caller FROM desk_cases WHERE call_id ",
            $among,
            " UNION ALL SELECT call_id, 6, number, 'what', 'acts', what FROM desk_case_acts WHERE call_id ",
            $among,
            " UNION ALL SELECT call_id, 6, number, 'words', 'acts', words FROM desk_case_acts WHERE call_id ",
            $among,
            " UNION ALL SELECT call_id, 7, 0, CAST(id AS text), 'follow-ups', words FROM desk_follow_ups ",
            "WHERE call_id ",
            $among,
            ") AS stored WHERE value IS NOT NULL ORDER BY call_id, place, number, part"
        )
    };
}

pub(crate) use {select_cases, select_stored};

/// What a case among records that are deleted leaves behind.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Receipt {
    pub call_id: CallId,
    pub why: &'static str,
    /// Codes with commas between.
    pub kinds: String,
    pub hash: String,
}

/// Takes those that are on hold, by the rows of [`select_cases`], out of what is deleted. Asked for by name, one is refused.
pub(crate) fn leave_out_held(
    what: Forget,
    records: &mut Vec<CallId>,
    cases: &[impl Columns],
) -> Result<(), StoreError> {
    for case in cases {
        if case.flag("held")? {
            let held = call_id(case)?;
            if matches!(what, Forget::This(asked, _) if asked == held) {
                return Err(StoreError::OnHold);
            }
            records.retain(|record| *record != held);
        }
    }
    Ok(())
}

/// The receipts of these cases that are not on hold, by the rows of [`select_cases`] and [`select_stored`].
pub(crate) fn receipts(
    what: Forget,
    cases: &[impl Columns],
    stored: &[impl Columns],
) -> Result<Vec<Receipt>, StoreError> {
    let mut receipts = Vec::new();
    for case in cases {
        if case.flag("held")? {
            continue;
        }
        let id = call_id(case)?;
        let mut kinds: Vec<String> = Vec::new();
        let mut hash = Context::new(&SHA256);
        hash.update(OF_A_RECORD);
        hash.update(id.0.as_bytes());
        for row in stored {
            if call_id(row)? != id {
                continue;
            }
            let (Some(kind), Some(value)) = (row.text("kind")?, row.text("value")?) else {
                continue;
            };
            for text in [&kind, &value] {
                hash.update(&(text.len() as u64).to_be_bytes());
                hash.update(text.as_bytes());
            }
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        receipts.push(Receipt {
            call_id: id,
            why: what.why(case.flag("closed_and_over")?),
            kinds: kinds.join(","),
            hash: HEXLOWER.encode(hash.finish().as_ref()),
        });
    }
    Ok(receipts)
}

pub(crate) fn call_id(row: &impl Columns) -> Result<CallId, StoreError> {
    let id = row.uuid("call_id")?;
    id.map(CallId).ok_or(StoreError::UnknownCall)
}
