-- Who may sign in at the duty desk. Times are microseconds since 1970, UTC; nothing here is of a caller.
CREATE TABLE desk_accounts (
    id            TEXT    PRIMARY KEY,
    name          TEXT    NOT NULL,
    -- In small letters.
    sign_in_name  TEXT    NOT NULL UNIQUE,
    role          TEXT    NOT NULL CHECK (role IN ('officer', 'supervisor', 'administrator', 'auditor')),
    -- Codes with commas between.
    agencies      TEXT    NOT NULL,
    languages     TEXT    NOT NULL,
    made_at       INTEGER NOT NULL,
    closed_at     INTEGER,
    -- In the form of the PHC string format; none until the first invitation was accepted.
    password      TEXT,
    -- What the authenticator app makes codes of: sealed where records are.
    totp_secret   TEXT,
    -- The step of the latest code that was taken: none is taken twice.
    totp_step     INTEGER NOT NULL DEFAULT 0,
    -- SHA-256 of those that are left, with commas between.
    recovery      TEXT    NOT NULL DEFAULT '',
    wrong_tries   INTEGER NOT NULL DEFAULT 0 CHECK (wrong_tries >= 0),
    locked_until  INTEGER,
    -- SHA-256 of the token of an invitation that is out, its end, and the secret that comes with it.
    invitation    TEXT    UNIQUE,
    invited_until INTEGER,
    invited_secret TEXT,
    CHECK ((invitation IS NULL) = (invited_until IS NULL) AND (invitation IS NULL) = (invited_secret IS NULL)),
    CHECK ((password IS NULL) = (totp_secret IS NULL))
) STRICT;

CREATE TABLE desk_sessions (
    -- SHA-256 of what the browser holds.
    token    TEXT    PRIMARY KEY,
    account  TEXT    NOT NULL REFERENCES desk_accounts (id) ON DELETE CASCADE,
    begun_at INTEGER NOT NULL,
    seen_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX desk_sessions_by_account ON desk_sessions (account);

-- Who did what at the desk: each entry holds the hash of the one before it.
CREATE TABLE desk_audit (
    number   INTEGER PRIMARY KEY,
    at       INTEGER NOT NULL,
    who      TEXT    NOT NULL,
    what     TEXT    NOT NULL,
    about    TEXT,
    previous TEXT    NOT NULL,
    hash     TEXT    NOT NULL
) STRICT;

CREATE INDEX desk_audit_by_about ON desk_audit (about, number) WHERE about IS NOT NULL;

CREATE TRIGGER desk_audit_is_not_changed BEFORE UPDATE ON desk_audit
BEGIN SELECT RAISE(ABORT, 'the audit trail is only added to'); END;

CREATE TRIGGER desk_audit_is_not_deleted BEFORE DELETE ON desk_audit
BEGIN SELECT RAISE(ABORT, 'the audit trail is only added to'); END;

-- `INSERT OR REPLACE` would take an entry out without the trigger before.
CREATE TRIGGER desk_audit_goes_on BEFORE INSERT ON desk_audit
WHEN NEW.number <> (SELECT coalesce(max(number), 0) + 1 FROM desk_audit)
BEGIN SELECT RAISE(ABORT, 'the audit trail is only added to'); END;
