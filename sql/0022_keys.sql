-- What a key is bound to, as words that blanks separate; NULL: to nothing. How long new keys of a tenant last; 0: for ever.
ALTER TABLE api_keys
    ADD COLUMN IF NOT EXISTS clusters  VARCHAR(4000) NULL,
    ADD COLUMN IF NOT EXISTS addresses VARCHAR(2000) NULL;
ALTER TABLE tenants
    ADD COLUMN IF NOT EXISTS key_days_default INT UNSIGNED NOT NULL DEFAULT 0,
    ADD COLUMN IF NOT EXISTS key_days_longest INT UNSIGNED NOT NULL DEFAULT 0;
