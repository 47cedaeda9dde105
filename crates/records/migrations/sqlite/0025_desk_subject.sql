-- Whom an account is bound to at the identity provider: SHA-256 of the provider's address and its name for the person. None
-- until they have signed in by it.
ALTER TABLE desk_accounts ADD COLUMN subject TEXT;
CREATE UNIQUE INDEX desk_accounts_by_subject ON desk_accounts (subject);
