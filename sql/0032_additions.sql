-- What a base has grown by: text that pushes have and it has not got, so that it is written once and not with each of them
-- (lib/store/snapshot.h). They go when a new base is stored. From now on snapshots.delta_usual is that of the shortest delta
-- since the last of them.
CREATE TABLE IF NOT EXISTS snapshot_additions (
    cluster   UUID          NOT NULL,
    number    INT UNSIGNED  NOT NULL,  -- from 1 on
    tenant_id UUID          NOT NULL,
    base      VARBINARY(16) NOT NULL,  -- what snapshots.base is with it
    chunks    LONGBLOB      NOT NULL,  -- lib/codec/delta_base.h
    body      LONGBLOB      NOT NULL,  -- zstd
    PRIMARY KEY (cluster, number)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
