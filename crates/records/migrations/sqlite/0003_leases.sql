-- Which run of the program has a call, and for the how-manieth time it was taken: what an earlier one writes late is refused.
ALTER TABLE calls ADD COLUMN holder TEXT;
ALTER TABLE calls ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;

-- Ended for a node that no longer answered. Should that node end it after all, its own end stands.
ALTER TABLE calls ADD COLUMN presumed_over INTEGER NOT NULL DEFAULT 0 CHECK (presumed_over IN (0, 1));
