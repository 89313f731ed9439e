-- The last decision of a kind about a cluster (baseline=last_safe), also where there are many and none is of that kind.
ALTER TABLE decisions ADD KEY IF NOT EXISTS last (cluster, decision, decided_at);
