-- The audit trail is a chain: each entry that has settled gets a keyed hash of itself and of the one before it. When an
-- entry was noted is told by the database, whose clock all share; of older ones it is when it happened.
ALTER TABLE audit
    ADD COLUMN IF NOT EXISTS noted_at DATETIME(3) NOT NULL DEFAULT (at),
    ADD KEY IF NOT EXISTS chain (tenant_id, noted_at, audit_id),
    ADD KEY IF NOT EXISTS noted (noted_at),
    DROP KEY IF EXISTS age;

CREATE TABLE IF NOT EXISTS audit_chain (
    tenant_id UUID            NOT NULL,
    position  BIGINT          NOT NULL,           -- 1 is the tenant's first
    noted_at  DATETIME(3)     NOT NULL,           -- of the entry, as its id
    audit_id  UUID            NOT NULL,
    mac       BINARY(32)      NOT NULL,           -- HMAC-SHA256 of the mac before it and of the entry
    PRIMARY KEY (tenant_id, position),
    KEY entry (tenant_id, noted_at, audit_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
