-- Points of closed hours, packed an hour a row: loadline-maintain takes them out of score_history, those of before too,
-- and pushes that come late add theirs there as before (lib/store/history_pack.h).
CREATE TABLE IF NOT EXISTS score_chunks (
    cluster     UUID               NOT NULL,
    hour_at     DATETIME(3)        NOT NULL,  -- its start
    tenant_id   UUID               NOT NULL,
    points      INT UNSIGNED       NOT NULL,
    body        MEDIUMBLOB         NOT NULL,  -- lib/codec/point_chunk.h
    PRIMARY KEY (cluster, hour_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- What score_rollup tells, by the hour.
CREATE TABLE IF NOT EXISTS score_hours (
    cluster     UUID               NOT NULL,
    hour_at     DATETIME(3)        NOT NULL,
    tenant_id   UUID               NOT NULL,
    points      INT UNSIGNED       NOT NULL,
    score_min   SMALLINT UNSIGNED  NOT NULL,
    worst_at    DATETIME(3)        NOT NULL,
    score_sum   BIGINT UNSIGNED    NOT NULL,
    score_last  SMALLINT UNSIGNED  NOT NULL,
    last_at     DATETIME(3)        NOT NULL,
    nodes_min   INT UNSIGNED       NOT NULL,
    pods_min    INT UNSIGNED       NOT NULL,
    risks_max   INT UNSIGNED       NOT NULL,
    formula     TINYINT UNSIGNED   NOT NULL,
    PRIMARY KEY (cluster, hour_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Before that moment score_hours has every hour, and a point may be in score_chunks. NULL: nowhere.
ALTER TABLE clusters ADD COLUMN IF NOT EXISTS packed_to DATETIME(3) NULL;
