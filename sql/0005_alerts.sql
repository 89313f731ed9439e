-- Alerts: where they go, when they fire, what is firing, and what has to be delivered. Clusters are
-- named here as the client names them: a rule may outlive its cluster, and no list needs a join.

-- What lets others post to a channel (its URL, its signing secrets) is sealed: see service/seal.h.
CREATE TABLE IF NOT EXISTS channels (
    channel_id            UUID            NOT NULL PRIMARY KEY,
    tenant_id             UUID            NOT NULL,
    type                  VARCHAR(16)     NOT NULL,              -- slack, teams, webhook
    name                  VARCHAR(200)    NOT NULL,
    url                   VARBINARY(2200) NOT NULL,              -- sealed
    url_masked            VARCHAR(300)    NOT NULL,              -- what may be shown of it: scheme, host and port
    secret                VARBINARY(200)  NULL,                  -- sealed; a webhook's alone
    secret_previous       VARBINARY(200)  NULL,                  -- sealed; still signed with after a rotation
    secret_previous_until DATETIME(3)     NULL,
    enabled               TINYINT         NOT NULL,
    disabled_reason       VARCHAR(500)    NOT NULL DEFAULT '',   -- of the notifier; '': a person did it
    created_at            DATETIME(3)     NOT NULL,
    -- health: the notifier's
    last_attempt_at       DATETIME(3)     NULL,
    last_success_at       DATETIME(3)     NULL,
    failing_since         DATETIME(3)     NULL,                  -- first failure after the last success
    last_status           SMALLINT        NULL,                  -- HTTP status of the last attempt; NULL: no answer
    last_error            VARCHAR(500)    NOT NULL DEFAULT '',   -- of the last attempt; '': it succeeded
    KEY tenant (tenant_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE IF NOT EXISTS rules (
    rule_id      UUID             NOT NULL PRIMARY KEY,
    tenant_id    UUID             NOT NULL,
    kind         VARCHAR(16)      NOT NULL,   -- score_drop, degraded_app
    threshold    TINYINT UNSIGNED NULL,       -- of a score_drop
    cluster_name VARCHAR(128)     NULL,       -- NULL: all clusters
    channel_ids  VARCHAR(2000)    NULL,       -- separated by spaces; NULL: all channels
    enabled      TINYINT          NOT NULL,
    created_at   DATETIME(3)      NOT NULL,
    KEY tenant (tenant_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Maintenance windows: nothing is sent about snapshots taken before `until`.
CREATE TABLE IF NOT EXISTS silences (
    silence_id   UUID             NOT NULL PRIMARY KEY,
    tenant_id    UUID             NOT NULL,
    cluster_name VARCHAR(128)     NULL,       -- NULL: all clusters
    until        DATETIME(3)      NOT NULL,
    reason       VARCHAR(500)     NOT NULL,
    created_by   VARCHAR(254)     NOT NULL,   -- e-mail
    created_at   DATETIME(3)      NOT NULL,
    KEY tenant (tenant_id, until)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- What is firing: no row, nothing is. Written under the lock of the cluster.
CREATE TABLE IF NOT EXISTS alert_state (
    cluster      UUID             NOT NULL,
    rule_id      UUID             NOT NULL,   -- the nil UUID: the catch-all
    subject      VARBINARY(512)   NOT NULL,   -- '': the score; namespace/name of a deployment
    tenant_id    UUID             NOT NULL,
    since        DATETIME(3)      NOT NULL,
    sent_at      DATETIME(3)      NULL,       -- the last message; NULL: nobody has been told
    clear_since  DATETIME(3)      NULL,       -- the condition is over, but not yet for long enough
    PRIMARY KEY (cluster, rule_id, subject)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Messages to deliver, and those that were. A message keeps its id (webhook-id) and its bytes, however
-- often it is sent. Of one channel those that are queued go in the order of (position, delivery_id).
CREATE TABLE IF NOT EXISTS outbox (
    delivery_id     UUID             NOT NULL PRIMARY KEY,
    tenant_id       UUID             NOT NULL,
    channel_id      UUID             NOT NULL,
    cluster_name    VARCHAR(128)     NULL,      -- NULL: about no cluster (a test)
    event           VARCHAR(32)      NOT NULL,
    title           VARCHAR(1000)    NOT NULL,
    body            MEDIUMBLOB       NOT NULL,  -- as it is posted
    created_at      DATETIME(3)      NOT NULL,
    position        BIGINT           NOT NULL,  -- milliseconds of created_at, and more than any queued one's
    state           VARCHAR(16)      NOT NULL,  -- queued, sent, gave_up, cancelled
    attempts        INT UNSIGNED     NOT NULL DEFAULT 0, -- since it was queued
    next_attempt_at DATETIME(3)      NULL,      -- of a queued one
    lease_owner     UUID             NULL,      -- the notifier that is at it, until lease_until
    lease_until     DATETIME(3)      NULL,
    last_attempt_at DATETIME(3)      NULL,
    last_status     SMALLINT         NULL,      -- HTTP status; NULL: no answer
    last_error      VARCHAR(500)     NOT NULL DEFAULT '',
    KEY due (state, next_attempt_at, channel_id),
    KEY channel (channel_id, state, position),
    KEY tenant (tenant_id, created_at, delivery_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
