-- When somebody is to be on duty. Whether they are, they say themselves at their desk. Times are microseconds since 1970, UTC.
CREATE TABLE desk_shifts (
    id      TEXT    PRIMARY KEY,
    account TEXT    NOT NULL REFERENCES desk_accounts (id),
    begins  INTEGER NOT NULL,
    ends    INTEGER NOT NULL,
    CHECK (begins < ends)
) STRICT, WITHOUT ROWID;

CREATE INDEX desk_shifts_by_time ON desk_shifts (begins);
CREATE INDEX desk_shifts_by_account ON desk_shifts (account, begins);
