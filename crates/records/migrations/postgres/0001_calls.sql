-- One row a call. What is kept as JSON is kept as it was written: `jsonb` would refuse the character U+0000 in a
-- caller's words, and order keys anew.
CREATE TABLE calls (
    -- The dashboard's number: the highest existing plus 1, given out under a lock.
    id           bigint      PRIMARY KEY,
    call_id      uuid        NOT NULL UNIQUE,
    -- The session the call belongs to; none for samples and for calls by programs.
    visitor      uuid,
    sample       boolean     NOT NULL DEFAULT false,
    kind         text        NOT NULL CHECK (kind IN ('webCall', 'chat')),
    started_at   timestamptz NOT NULL,
    ended_at     timestamptz,
    ended_reason text,
    -- The case note.
    note         json,
    -- Set where the kind of abuse was written in other words than the schema's.
    abuse_type   text,
    -- The final transcript. Until the call has ended, `turns` holds it.
    messages     json,
    -- How soon it is to be read, which is the order of the list: 2 for a call under way, of which nothing is known, 1 for
    -- an urgent one, 0 for the rest. Written with the note.
    urgency      smallint    NOT NULL DEFAULT 2 CHECK (urgency IN (0, 1, 2)),
    CHECK ((ended_at IS NULL) = (ended_reason IS NULL))
);

-- Marks the tables as Nightlight's, so that another program's database is told apart before anything is written to it.
COMMENT ON TABLE calls IS 'Nightlight: one row a call.';

CREATE INDEX calls_by_visitor ON calls (visitor, id);
-- A visitor's list is read in this order, from the place where the page before it ended.
CREATE INDEX calls_by_urgency ON calls (visitor, urgency, id);
CREATE INDEX calls_running ON calls (id) WHERE ended_at IS NULL;
CREATE INDEX calls_by_end ON calls (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX samples ON calls (urgency, id) WHERE sample;

-- What a running call has said so far, a row a turn, written before the reply to it is
-- spoken. Emptied when the call ends.
CREATE TABLE turns (
    call         bigint NOT NULL REFERENCES calls (id) ON DELETE CASCADE,
    turn         bigint NOT NULL CHECK (turn >= 0),
    messages     json   NOT NULL,
    conversation text   NOT NULL,
    PRIMARY KEY (call, turn)
);

-- Which sets of sample records were laid in. A sample that was deleted stays deleted.
CREATE TABLE seeded (
    name text PRIMARY KEY
);
