-- Marks the file as Nightlight's ("Ngtl"), so that another program's database is told
-- apart before anything is written to it.
PRAGMA application_id = 0x4e67746c;

-- One row a call. Times are microseconds since 1970, UTC.
CREATE TABLE calls (
    -- The dashboard's number. Without AUTOINCREMENT it is the highest existing plus 1.
    id           INTEGER PRIMARY KEY,
    call_id      TEXT    NOT NULL UNIQUE,
    -- The session the call belongs to; none for samples and for calls by programs.
    visitor      TEXT,
    sample       INTEGER NOT NULL DEFAULT 0 CHECK (sample IN (0, 1)),
    kind         TEXT    NOT NULL CHECK (kind IN ('webCall', 'chat')),
    started_at   INTEGER NOT NULL,
    ended_at     INTEGER,
    ended_reason TEXT,
    -- The case note as JSON.
    note         TEXT,
    -- Set where the kind of abuse was written in other words than the schema's.
    abuse_type   TEXT,
    -- The final transcript as JSON. Until the call has ended, `turns` holds it.
    messages     TEXT,
    CHECK ((ended_at IS NULL) = (ended_reason IS NULL))
) STRICT;

CREATE INDEX calls_by_visitor ON calls (visitor, id);
CREATE INDEX calls_running ON calls (id) WHERE ended_at IS NULL;
CREATE INDEX calls_by_end ON calls (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX samples ON calls (id) WHERE sample = 1;

-- What a running call has said so far, a row a turn, written before the reply to it is
-- spoken. Emptied when the call ends.
CREATE TABLE turns (
    call         INTEGER NOT NULL REFERENCES calls (id) ON DELETE CASCADE,
    turn         INTEGER NOT NULL CHECK (turn >= 0),
    messages     TEXT    NOT NULL,
    conversation TEXT    NOT NULL,
    PRIMARY KEY (call, turn)
) STRICT, WITHOUT ROWID;

-- Which sets of sample records were laid in. A sample that was deleted stays deleted.
CREATE TABLE seeded (
    name TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
