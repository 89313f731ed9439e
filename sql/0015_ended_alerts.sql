-- Alerts that are over: what alert_state forgets when an alert ends. Written under the lock of the cluster.
CREATE TABLE IF NOT EXISTS ended_alerts (
    cluster      UUID             NOT NULL,
    ended_at     DATETIME(3)      NOT NULL,   -- since when the condition did not hold, by the snapshots' time
    alert_id     UUID             NOT NULL,
    tenant_id    UUID             NOT NULL,
    rule_id      UUID             NOT NULL,   -- the nil UUID: the catch-all
    threshold    TINYINT UNSIGNED NULL,       -- of a score_drop; NULL: the rule was gone
    subject      VARBINARY(512)   NOT NULL,   -- '': the score; namespace/name of a deployment
    since        DATETIME(3)      NOT NULL,
    sent_at      DATETIME(3)      NULL,       -- the last message while it fired; NULL: nobody was told
    recovered    TINYINT          NOT NULL,   -- 0: it did not get well; its rule was deleted, disabled or changed
    PRIMARY KEY (cluster, ended_at, alert_id),
    KEY by_time (tenant_id, ended_at, alert_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
