-- What each exemption has done is added up for a page of them, by an index that has all of it. The key that it begins with goes.
ALTER TABLE exemption_use
    ADD KEY IF NOT EXISTS used (tenant_id, exemption_id, risks, would_cost, counting),
    DROP KEY IF EXISTS tenant;

-- The messages about a cluster, also where there are many and none is about it.
ALTER TABLE outbox ADD KEY IF NOT EXISTS cluster (tenant_id, cluster_name, created_at);
