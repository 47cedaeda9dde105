-- Visitors who ended their session while a call of theirs was without an end, for an hour: one that nobody is left to end is
-- given the end of a caller who hung up.
CREATE TABLE left_visitors (
    visitor TEXT    PRIMARY KEY,
    left_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
