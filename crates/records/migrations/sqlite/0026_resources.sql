-- What a program keeps through the platform's API: assistants, tools, files and the like. Times are microseconds since 1970, UTC.
CREATE TABLE resources (
    id         TEXT    PRIMARY KEY,
    kind       TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    -- Counts its changes: a change that was worked out from an earlier one is refused.
    version    INTEGER NOT NULL,
    -- All that was said of it, its name too: JSON, sealed where there is a records key.
    body       TEXT    NOT NULL,
    -- What is in a file, sealed alike; read only when it is asked for.
    content    TEXT
) STRICT;

CREATE INDEX resources_by_creation ON resources (kind, created_at, id);

-- What a program calls a call, sealed alike, and whom it asked for where that is not the embedded assistant.
ALTER TABLE calls ADD COLUMN label_name TEXT;
ALTER TABLE calls ADD COLUMN label_assistant TEXT;
ALTER TABLE calls ADD COLUMN label_squad TEXT;

CREATE INDEX calls_by_start ON calls (kind, started_at, id) WHERE sample = 0;
