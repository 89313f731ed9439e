-- What a push need not write again. snapshot_hash: of the stored copy and of when it came. packed: all that the
-- gate reads of a cluster, as zstd; NULL: the columns beside it have it, from before. risk_hashes: of the open
-- risks, by the beginning of their id.
ALTER TABLE clusters
    ADD COLUMN IF NOT EXISTS snapshot_hash BIGINT NOT NULL DEFAULT 0;
ALTER TABLE briefs
    ADD COLUMN IF NOT EXISTS packed MEDIUMBLOB NULL,
    ADD COLUMN IF NOT EXISTS risk_hashes VARBINARY(2100) NULL;
