-- The nodes on this database, each with the time until which it answers for its calls.
CREATE TABLE nodes (
    node        uuid        PRIMARY KEY,
    lease_until timestamptz NOT NULL
);

-- Which node has a call, and for the how-manieth time it was taken: what an earlier one writes late is refused.
ALTER TABLE calls ADD COLUMN holder uuid;
ALTER TABLE calls ADD COLUMN epoch bigint NOT NULL DEFAULT 0;

-- Ended for a node that no longer answered. Should that node end it after all, its own end stands.
ALTER TABLE calls ADD COLUMN presumed_over boolean NOT NULL DEFAULT false;
