-- A decision keeps what its caller was told, in words, and decisions are found by who asked.
ALTER TABLE decisions
    ADD COLUMN IF NOT EXISTS message TEXT NOT NULL DEFAULT '',
    ADD COLUMN IF NOT EXISTS reasons MEDIUMTEXT NOT NULL DEFAULT '',
    ADD INDEX IF NOT EXISTS by_source (tenant_id, source, decided_at, decision_id);
