-- The names of the keys that values were sealed with: a start that has not all of them says so. Rotation takes out those that
-- nothing is sealed with any more.
CREATE TABLE sealed_with (
    key text PRIMARY KEY
);
