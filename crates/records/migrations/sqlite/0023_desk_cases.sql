-- What duty officers do with a case. A case is the record of a call that has ended, under the same id; one that was taken
-- elsewhere (by telephone, at a counter) has no record beside it. Times are microseconds since 1970, UTC. What holds words is
-- sealed where records are.
CREATE TABLE desk_cases (
    call_id     TEXT    PRIMARY KEY,
    kind        TEXT    NOT NULL CHECK (kind IN ('webCall', 'chat', 'elsewhere')),
    started_at  INTEGER NOT NULL,
    ended_at    INTEGER NOT NULL,
    -- Where it was brought to; none where the note names none.
    agency      TEXT,
    urgent      INTEGER NOT NULL CHECK (urgent IN (0, 1)),
    state       TEXT    NOT NULL CHECK (state IN ('waiting', 'taken', 'closed')),
    -- It is in this state since.
    since       INTEGER NOT NULL,
    taken_by    TEXT    REFERENCES desk_accounts (id),
    -- When somebody last did something with it.
    touched_at  INTEGER NOT NULL,
    -- How often it came back because nobody touched it.
    returned    INTEGER NOT NULL DEFAULT 0,
    outcome     TEXT,
    closed_by   TEXT    REFERENCES desk_accounts (id),
    -- When its record is to be deleted: known once it is closed.
    keep_until  INTEGER,
    -- A keyed digest of the number that the caller gave: cases of the same one are shown beside each other.
    caller      TEXT,
    -- Counts changes: of two officers who change the same version, one is told.
    version     INTEGER NOT NULL DEFAULT 1,
    -- The edited note, the number, and the action taken, as JSON.
    content     TEXT,
    CHECK (state <> 'taken' OR taken_by IS NOT NULL),
    CHECK ((state = 'closed') = (outcome IS NOT NULL) AND (outcome IS NULL) = (closed_by IS NULL))
) STRICT;

CREATE INDEX desk_cases_open ON desk_cases (state DESC, urgent DESC, returned DESC, since) WHERE state <> 'closed';
CREATE INDEX desk_cases_closed ON desk_cases (since DESC) WHERE state = 'closed';
CREATE INDEX desk_cases_by_end ON desk_cases (ended_at);
CREATE INDEX desk_cases_by_caller ON desk_cases (caller) WHERE caller IS NOT NULL;
CREATE INDEX desk_cases_to_forget ON desk_cases (keep_until) WHERE keep_until IS NOT NULL;

-- What callers' numbers are digested with: random, made with the first number. One row, its id all zeroes.
CREATE TABLE desk_caller_key (
    id     TEXT PRIMARY KEY CHECK (id = '00000000-0000-0000-0000-000000000000'),
    secret TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What people did with a case, in its order: what the case shows beside what happened in the call.
CREATE TABLE desk_case_acts (
    call_id TEXT    NOT NULL REFERENCES desk_cases (call_id) ON DELETE CASCADE,
    number  INTEGER NOT NULL,
    at      INTEGER NOT NULL,
    -- An account's id, or `server`.
    who     TEXT    NOT NULL,
    what    TEXT    NOT NULL,
    -- Words that go with it, such as why it was opened again.
    words   TEXT,
    PRIMARY KEY (call_id, number)
) STRICT, WITHOUT ROWID;

-- What is still to be done in a case: a task, or ringing the caller back.
CREATE TABLE desk_follow_ups (
    id      TEXT    PRIMARY KEY,
    call_id TEXT    NOT NULL REFERENCES desk_cases (call_id) ON DELETE CASCADE,
    kind    TEXT    NOT NULL CHECK (kind IN ('task', 'call-back')),
    due_at  INTEGER NOT NULL,
    owner   TEXT    REFERENCES desk_accounts (id),
    done_at INTEGER,
    done_by TEXT    REFERENCES desk_accounts (id),
    words   TEXT    NOT NULL
) STRICT;

CREATE INDEX desk_follow_ups_by_case ON desk_follow_ups (call_id);
CREATE INDEX desk_follow_ups_due ON desk_follow_ups (due_at) WHERE done_at IS NULL;

-- Kept from being deleted, for a reason.
CREATE TABLE desk_holds (
    call_id TEXT    PRIMARY KEY REFERENCES desk_cases (call_id) ON DELETE CASCADE,
    at      INTEGER NOT NULL,
    who     TEXT    NOT NULL REFERENCES desk_accounts (id),
    reason  TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

-- What remains of a record that was deleted: when, why, which kinds of data, and a hash. Nothing of its content.
CREATE TABLE desk_receipts (
    call_id    TEXT    PRIMARY KEY,
    deleted_at INTEGER NOT NULL,
    -- `closed` (its time after closing was over), `age` (the time that callers are told), or `asked` (erased before).
    why        TEXT    NOT NULL CHECK (why IN ('closed', 'age', 'asked')),
    -- An account's id, `server` or `command line`.
    who        TEXT    NOT NULL,
    -- Codes with commas between, such as `transcript,note,follow-ups`.
    kinds      TEXT    NOT NULL,
    -- SHA-256, in hexadecimal, over what was stored.
    hash       TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX desk_receipts_by_time ON desk_receipts (deleted_at);

-- Whoever deletes a record deletes its case with it.
CREATE TRIGGER desk_case_goes_with_its_call AFTER DELETE ON calls
BEGIN DELETE FROM desk_cases WHERE call_id = OLD.call_id; END;
