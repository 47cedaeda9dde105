-- How a program's assistant wants a call held, sealed like its name: what a call that comes back after its server died needs.
ALTER TABLE calls ADD COLUMN label_manner text;
