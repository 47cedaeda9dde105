-- How soon a record is to be read, which is the order of the list: 2 for a call under way, of which nothing is known,
-- 1 for an urgent one, 0 for the rest. Written with the note; a note that cannot be read makes none urgent.
ALTER TABLE calls ADD COLUMN urgency INTEGER NOT NULL DEFAULT 2 CHECK (urgency IN (0, 1, 2));

UPDATE calls
SET urgency = CASE WHEN json_valid(note) THEN coalesce(json_extract(note, '$.structuredData.urgent'), 0) = 1 ELSE 0 END
WHERE ended_at IS NOT NULL;

-- A visitor's list is read in this order, from the place where the page before it ended.
CREATE INDEX calls_by_urgency ON calls (visitor, urgency, id);
