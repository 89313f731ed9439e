-- Every answer of the deployment gate, with the score and the risks it showed: its own findings, and
-- the cluster's risks as they were then, which decisions share while they stay the same.
CREATE TABLE IF NOT EXISTS decisions (
    cluster       UUID               NOT NULL,
    decided_at    DATETIME(3)        NOT NULL,
    decision_id   UUID               NOT NULL,
    tenant_id     UUID               NOT NULL,
    key_id        UUID               NOT NULL,  -- the API key that asked
    decision      VARCHAR(8)         NOT NULL,
    csc_score     TINYINT UNSIGNED   NOT NULL,
    score_time    DATETIME(3)        NOT NULL,
    risks_total   INT UNSIGNED       NOT NULL,
    resource      VARCHAR(512)       NOT NULL,
    namespace     VARCHAR(512)       NOT NULL,
    action        VARCHAR(512)       NOT NULL,
    image         VARCHAR(512)       NOT NULL,
    requested_by  VARCHAR(512)       NOT NULL,
    source        VARCHAR(512)       NOT NULL,
    findings      TEXT               NOT NULL,  -- JSON array: age of the snapshot, the change itself
    risks_hash    BIGINT             NOT NULL,  -- of decision_risks
    PRIMARY KEY (cluster, decided_at, decision_id),
    KEY id (decision_id),
    KEY tenant (tenant_id, decided_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE IF NOT EXISTS decision_risks (
    cluster       UUID               NOT NULL,
    risks_hash    BIGINT             NOT NULL,
    tenant_id     UUID               NOT NULL,
    risks         LONGTEXT COMPRESSED NOT NULL, -- JSON objects, a line each
    PRIMARY KEY (cluster, risks_hash)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
