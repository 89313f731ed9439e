-- The audit trail: who did what, from where, and how it ended. Rows are only ever added; they go when
-- they are old (audit_days) or with their tenant.
CREATE TABLE IF NOT EXISTS audit (
    tenant_id  UUID          NOT NULL,
    at         DATETIME(3)   NOT NULL,
    audit_id   UUID          NOT NULL,
    actor_id   UUID          NULL,                -- a user or an API key; NULL: the operator of this service
    actor      VARCHAR(254)  NOT NULL,            -- as a person knows it: e-mail, name of the key, loadline-admin
    address    VARCHAR(64)   NOT NULL,            -- of the client; '' when the action came over no network
    action     VARCHAR(32)   NOT NULL,            -- a name of audit.def
    subject    VARCHAR(512)  NOT NULL,            -- what it was done to
    result     VARCHAR(32)   NOT NULL,            -- ok, or a code of errors.def
    PRIMARY KEY (tenant_id, at, audit_id),
    KEY age (at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- E-mail addresses are kept as they were given and compared in lower case.
ALTER TABLE users ADD COLUMN IF NOT EXISTS email_key VARCHAR(254) AS (LOWER(email)) STORED;
CREATE UNIQUE INDEX IF NOT EXISTS email_key ON users (email_key);
DROP INDEX IF EXISTS email ON users;

-- prefix: the first characters of a key, enough to tell keys apart; '' of one that is older than this.
-- last_used_at: to the minute.
ALTER TABLE api_keys
    ADD COLUMN IF NOT EXISTS prefix       VARCHAR(16) NOT NULL DEFAULT '',
    ADD COLUMN IF NOT EXISTS last_used_at DATETIME(3) NULL;
