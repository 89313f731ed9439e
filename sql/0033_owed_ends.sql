-- Ends of alerts about the score that a channel has not been told of, because another one lasted for it. They are told once none
-- does. Written under the lock of the cluster.
CREATE TABLE IF NOT EXISTS owed_ends (
    cluster    UUID NOT NULL,
    rule_id    UUID NOT NULL,  -- the nil UUID: the catch-all
    channel_id UUID NOT NULL,
    tenant_id  UUID NOT NULL,
    PRIMARY KEY (cluster, rule_id, channel_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
