-- What somebody did, and what was done of a kind, newest first and without a look at all else. Names are found in any case:
-- the index takes more of them for equal than are, and who reads it compares again.
ALTER TABLE audit
    MODIFY COLUMN actor VARCHAR(254) COLLATE utf8mb4_unicode_520_ci NOT NULL,
    ADD KEY IF NOT EXISTS actor (tenant_id, actor, at),
    ADD KEY IF NOT EXISTS actor_id (tenant_id, actor_id, at),
    ADD KEY IF NOT EXISTS action (tenant_id, action, at);
