-- What a program keeps through the platform's API: assistants, tools, files and the like.
CREATE TABLE resources (
    id         uuid        PRIMARY KEY,
    kind       text        NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    -- Counts its changes: a change that was worked out from an earlier one is refused.
    version    bigint      NOT NULL,
    -- All that was said of it, its name too: JSON, sealed where there is a records key.
    body       text        NOT NULL,
    -- What is in a file, sealed alike; read only when it is asked for.
    content    text
);

CREATE INDEX resources_by_creation ON resources (kind, created_at, id);

-- What a program calls a call, sealed alike, and whom it asked for where that is not the embedded assistant.
ALTER TABLE calls ADD COLUMN label_name text;
ALTER TABLE calls ADD COLUMN label_assistant text;
ALTER TABLE calls ADD COLUMN label_squad text;

CREATE INDEX calls_by_start ON calls (kind, started_at, id) WHERE NOT sample;
