-- Who may sign in at the duty desk. Nothing here is of a caller.
CREATE TABLE desk_accounts (
    id            uuid        PRIMARY KEY,
    name          text        NOT NULL,
    -- In small letters.
    sign_in_name  text        NOT NULL UNIQUE,
    role          text        NOT NULL CHECK (role IN ('officer', 'supervisor', 'administrator', 'auditor')),
    -- Codes with commas between.
    agencies      text        NOT NULL,
    languages     text        NOT NULL,
    made_at       timestamptz NOT NULL,
    closed_at     timestamptz,
    -- In the form of the PHC string format; none until the first invitation was accepted.
    password      text,
    -- What the authenticator app makes codes of: sealed where records are.
    totp_secret   text,
    -- The step of the latest code that was taken: none is taken twice.
    totp_step     bigint      NOT NULL DEFAULT 0,
    -- SHA-256 of those that are left, with commas between.
    recovery      text        NOT NULL DEFAULT '',
    wrong_tries   bigint      NOT NULL DEFAULT 0 CHECK (wrong_tries >= 0),
    locked_until  timestamptz,
    -- SHA-256 of the token of an invitation that is out, its end, and the secret that comes with it.
    invitation    text        UNIQUE,
    invited_until timestamptz,
    invited_secret text,
    CHECK ((invitation IS NULL) = (invited_until IS NULL) AND (invitation IS NULL) = (invited_secret IS NULL)),
    CHECK ((password IS NULL) = (totp_secret IS NULL))
);

CREATE TABLE desk_sessions (
    -- SHA-256 of what the browser holds.
    token    text        PRIMARY KEY,
    account  uuid        NOT NULL REFERENCES desk_accounts (id) ON DELETE CASCADE,
    begun_at timestamptz NOT NULL,
    seen_at  timestamptz NOT NULL
);

CREATE INDEX desk_sessions_by_account ON desk_sessions (account);

-- Who did what at the desk: each entry holds the hash of the one before it. The time is a number here too, in microseconds
-- since 1970: it is hashed as it stands.
CREATE TABLE desk_audit (
    number   bigint PRIMARY KEY,
    at       bigint NOT NULL,
    who      text   NOT NULL,
    what     text   NOT NULL,
    about    text,
    previous text   NOT NULL,
    hash     text   NOT NULL
);

CREATE INDEX desk_audit_by_about ON desk_audit (about, number) WHERE about IS NOT NULL;

CREATE FUNCTION desk_audit_is_only_added_to() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit trail is only added to';
END
$$;

CREATE TRIGGER desk_audit_is_not_changed BEFORE UPDATE OR DELETE ON desk_audit
FOR EACH ROW EXECUTE FUNCTION desk_audit_is_only_added_to();

CREATE TRIGGER desk_audit_is_not_emptied BEFORE TRUNCATE ON desk_audit
FOR EACH STATEMENT EXECUTE FUNCTION desk_audit_is_only_added_to();
