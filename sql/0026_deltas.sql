-- A snapshot is kept as a base, which a push seldom writes, and what has changed since. base: which one; NULL, and a body: the
-- whole document, as earlier releases keep it. delta: lib/codec/delta_format.h; NULL: the base as it is. Rows are not rewritten.
ALTER TABLE snapshots
    ADD COLUMN IF NOT EXISTS base          VARBINARY(16) NULL,
    ADD COLUMN IF NOT EXISTS delta         LONGBLOB      NULL,
    ADD COLUMN IF NOT EXISTS delta_count   BIGINT        NOT NULL DEFAULT 0,  -- deltas against this base until now
    ADD COLUMN IF NOT EXISTS delta_usual   BIGINT        NOT NULL DEFAULT 0,  -- bytes of the longest of the first few
    ADD COLUMN IF NOT EXISTS delta_surplus BIGINT        NOT NULL DEFAULT 0;  -- by how much the others were longer, together
CREATE TABLE IF NOT EXISTS snapshot_bases (
    cluster   UUID          NOT NULL PRIMARY KEY,
    tenant_id UUID          NOT NULL,
    base      VARBINARY(16) NOT NULL,
    chunks    LONGBLOB      NOT NULL,  -- lib/codec/delta_base.h
    body      LONGBLOB      NOT NULL   -- zstd, or gzip as it came
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
