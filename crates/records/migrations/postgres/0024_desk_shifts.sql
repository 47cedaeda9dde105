-- When somebody is to be on duty. Whether they are, they say themselves at their desk.
CREATE TABLE desk_shifts (
    id      uuid        PRIMARY KEY,
    account uuid        NOT NULL REFERENCES desk_accounts (id),
    begins  timestamptz NOT NULL,
    ends    timestamptz NOT NULL,
    CHECK (begins < ends)
);

CREATE INDEX desk_shifts_by_time ON desk_shifts (begins);
CREATE INDEX desk_shifts_by_account ON desk_shifts (account, begins);
