-- Overrides of the gate: somebody lets what it would stop go ahead, for a reason and a time. One that is over stays as long as
-- the decisions that it was told with.
CREATE TABLE IF NOT EXISTS overrides (
    cluster     UUID          NOT NULL,
    until       DATETIME(3)   NOT NULL,
    override_id UUID          NOT NULL,
    tenant_id   UUID          NOT NULL,
    namespace   VARCHAR(255)  NOT NULL,  -- empty: all of the cluster
    reason      VARCHAR(500)  NOT NULL,
    created_by  VARCHAR(254)  NOT NULL,
    created_at  DATETIME(3)   NOT NULL,
    ended_by    VARCHAR(254)  NOT NULL DEFAULT '',
    ended_at    DATETIME(3)   NULL,      -- early, by somebody
    PRIMARY KEY (cluster, until, override_id),
    KEY id (override_id),
    KEY tenant (tenant_id, created_at, override_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- The override that held when a decision was made.
ALTER TABLE decisions ADD COLUMN IF NOT EXISTS override_id UUID NULL;

-- Until when one of them may hold at most, so that the gate asks for them only then.
ALTER TABLE clusters ADD COLUMN IF NOT EXISTS overridden_until DATETIME(3) NULL;
