-- How often the snapshot of a cluster was replaced: two pushes can arrive in the same millisecond, and
-- an ETag must tell their documents apart.
ALTER TABLE snapshots ADD COLUMN IF NOT EXISTS revision BIGINT UNSIGNED NOT NULL DEFAULT 0;
