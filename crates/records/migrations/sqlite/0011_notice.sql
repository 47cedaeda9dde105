-- Which notice the caller was shown before the call: its version and the days it named, such as 2026-11-23/30. None for calls
-- that were begun without one.
ALTER TABLE calls ADD COLUMN notice TEXT;
