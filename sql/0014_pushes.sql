-- Pushes that were answered, so that one that is sent again is answered as the first time and stored once. What
-- makes two pushes one is in `push`, a hash: of an Idempotency-Key, or of the snapshot's time and the body.
CREATE TABLE IF NOT EXISTS pushes (
    cluster     UUID        NOT NULL,
    push        BINARY(16)  NOT NULL,
    tenant_id   UUID        NOT NULL,
    received_at DATETIME(3) NOT NULL,
    digest      BINARY(16)  NOT NULL,  -- of what was pushed: a key is good for that only
    answer      MEDIUMTEXT  NOT NULL,
    PRIMARY KEY (cluster, push)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
