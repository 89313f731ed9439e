-- A push of a cluster of which nothing is firing need not read rules and channels that its worker knows. calm_at: when a
-- push came that left nothing firing and no end to be told of.
ALTER TABLE tenants
    ADD COLUMN IF NOT EXISTS alerting_revision BIGINT NOT NULL DEFAULT 1;
ALTER TABLE clusters
    ADD COLUMN IF NOT EXISTS calm_at DATETIME(3) DEFAULT NULL;
