-- Clusters, their snapshots, scores and risks. `cluster` is our own id of a cluster: keys that
-- clusters share lead with it, so that data of one cluster lies together.

-- One row a cluster: its latest score. The columns of a score are NULL until the first one.
CREATE TABLE IF NOT EXISTS clusters (
    cluster     UUID               NOT NULL PRIMARY KEY,
    tenant_id   UUID               NOT NULL,
    name        VARCHAR(128)       NOT NULL,  -- the client's id: X-Cluster-Id
    provider    VARCHAR(32)        NOT NULL DEFAULT 'unknown',
    region      VARCHAR(64)        NOT NULL DEFAULT 'unknown',
    created_at  DATETIME(3)        NOT NULL,
    received_at DATETIME(3)        NULL,      -- arrival of the snapshot below
    taken_at    DATETIME(3)        NULL,      -- the time it was judged at
    score       TINYINT UNSIGNED   NULL,
    score_exact SMALLINT UNSIGNED  NULL,      -- hundredths
    nodes       INT UNSIGNED       NOT NULL DEFAULT 0,
    pods        INT UNSIGNED       NOT NULL DEFAULT 0,
    risks       INT UNSIGNED       NOT NULL DEFAULT 0,
    categories  VARCHAR(1000)      NOT NULL DEFAULT '[]', -- JSON: budget, loss, coverage
    brief_hash  BIGINT             NOT NULL DEFAULT 0,    -- of risks and workloads: unchanged ones are not written again
    UNIQUE KEY name (tenant_id, name)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- The latest snapshot of a cluster: gzip of the redacted document in the form in which it was pushed.
CREATE TABLE IF NOT EXISTS snapshots (
    cluster     UUID               NOT NULL PRIMARY KEY,
    tenant_id   UUID               NOT NULL,
    received_at DATETIME(3)        NOT NULL,
    taken_at    DATETIME(3)        NOT NULL,
    body        LONGBLOB           NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- What the deployment gate reads of a cluster, made at ingest.
CREATE TABLE IF NOT EXISTS briefs (
    cluster     UUID               NOT NULL PRIMARY KEY,
    tenant_id   UUID               NOT NULL,
    reasons     TEXT               NOT NULL,  -- the costliest risks in words, a line each
    risks       LONGTEXT           NOT NULL,  -- the costliest risks as the API shows them, a line each
    risks_hash  BIGINT             NOT NULL,  -- of these lines
    workloads   LONGTEXT           NOT NULL   -- replicas and rollout of each workload, a line each
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Clustered on (cluster, time). p_future takes everything until the retention job splits days off it.
CREATE TABLE IF NOT EXISTS score_history (
    cluster     UUID               NOT NULL,
    taken_at    DATETIME(3)        NOT NULL,
    tenant_id   UUID               NOT NULL,
    score       TINYINT UNSIGNED   NOT NULL,
    score_exact SMALLINT UNSIGNED  NOT NULL,
    nodes       INT UNSIGNED       NOT NULL,
    pods        INT UNSIGNED       NOT NULL,
    risks       INT UNSIGNED       NOT NULL,
    PRIMARY KEY (cluster, taken_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
PARTITION BY RANGE COLUMNS (taken_at) (PARTITION p_future VALUES LESS THAN (MAXVALUE));

-- Risks by stable id. One that vanished is closed; when it comes back it opens anew.
CREATE TABLE IF NOT EXISTS risks (
    cluster     UUID               NOT NULL,
    risk_id     CHAR(16)           NOT NULL,
    tenant_id   UUID               NOT NULL,
    check_id    VARCHAR(64)        NOT NULL,
    severity    VARCHAR(16)        NOT NULL,
    namespace   VARCHAR(255)       NOT NULL,
    resource    VARCHAR(512)       NOT NULL,
    container   VARCHAR(255)       NOT NULL,
    message     VARCHAR(2000)      NOT NULL,
    impact      INT UNSIGNED       NOT NULL,  -- hundredths
    content     BIGINT             NOT NULL,  -- hash of what may change: unchanged rows are not written again
    first_seen  DATETIME(3)        NOT NULL,
    closed_at   DATETIME(3)        NULL,
    PRIMARY KEY (cluster, risk_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
