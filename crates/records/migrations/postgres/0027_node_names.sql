-- What each node is found by, behind the proxy that they share; none has a node that was given no name.
ALTER TABLE nodes ADD COLUMN name text;
