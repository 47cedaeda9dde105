-- What has changed since a node last looked, for open pages on every server. A row is marked with the transaction that
-- changed it: unlike a time or a sequence, it can be compared with what another transaction has seen, so that nothing is
-- passed over that was committed late, and nothing told twice.
ALTER TABLE calls ADD COLUMN changed_in xid8;
ALTER TABLE turns ADD COLUMN changed_in xid8;

-- Sessions that their visitors have ended, for an hour: every node ends what it holds of them.
CREATE TABLE left_visitors (
    visitor    uuid        PRIMARY KEY,
    left_at    timestamptz NOT NULL,
    changed_in xid8
);

CREATE INDEX calls_by_change ON calls (changed_in);
CREATE INDEX turns_by_change ON turns (changed_in);
CREATE INDEX left_visitors_by_change ON left_visitors (changed_in);

CREATE FUNCTION mark_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.changed_in := pg_current_xact_id();
    RETURN NEW;
END
$$;

-- A call's beginning and end. Whatever else is written to its row is no news to a page.
CREATE TRIGGER mark_change BEFORE INSERT OR UPDATE OF ended_at ON calls FOR EACH ROW EXECUTE FUNCTION mark_change();
CREATE TRIGGER mark_change BEFORE INSERT OR UPDATE OF messages ON turns FOR EACH ROW EXECUTE FUNCTION mark_change();
CREATE TRIGGER mark_change BEFORE INSERT OR UPDATE ON left_visitors FOR EACH ROW EXECUTE FUNCTION mark_change();
