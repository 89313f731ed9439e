-- What was deployed, as successive snapshots tell. Rows are added in the transaction of the push and never changed.
CREATE TABLE IF NOT EXISTS deploys (
    cluster       UUID          NOT NULL,
    at            DATETIME(3)   NOT NULL,              -- of the snapshot that showed it
    deploy_id     UUID          NOT NULL,              -- made of the other columns; sorts as things happened
    tenant_id     UUID          NOT NULL,
    kind          VARCHAR(255)  NOT NULL,
    namespace     VARCHAR(255)  NOT NULL,
    name          VARCHAR(255)  NOT NULL,
    event         VARCHAR(16)   NOT NULL,              -- lib/gate/deploy.h
    changes       VARCHAR(64)   NOT NULL DEFAULT '',   -- words: created, image, template, scale, configuration
    images        TEXT          NOT NULL,              -- JSON
    configuration TEXT          NOT NULL,              -- JSON
    replicas_from BIGINT        NOT NULL DEFAULT -1,   -- -1: it was not scaled
    replicas_to   BIGINT        NOT NULL DEFAULT -1,
    revision      VARCHAR(255)  NOT NULL DEFAULT '',
    began_at      DATETIME(3)   NULL,                  -- of the rollout that it is about
    deployed_by   VARCHAR(255)  NOT NULL DEFAULT '',
    cause         VARCHAR(500)  NOT NULL DEFAULT '',
    decision_id   UUID          NULL,                  -- of the gate, the last one about the workload within an hour before
    PRIMARY KEY (cluster, at, deploy_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- What the next snapshot of a cluster is compared with (lib/gate/deploy_state.h). In a table of its own, because a binary log
-- and Galera write all columns of a row that changes, and this one changes with deploys only.
CREATE TABLE IF NOT EXISTS deploy_states (
    cluster   UUID        NOT NULL PRIMARY KEY,
    tenant_id UUID        NOT NULL,
    kept      BIGINT      NOT NULL DEFAULT 0,  -- about so many rows of deploys
    state     MEDIUMBLOB  NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- By which a push sees that nothing was deployed: a hash of what a deploy would change, and from when on the state is read all
-- the same, because a rollout is watched.
ALTER TABLE clusters
    ADD COLUMN IF NOT EXISTS deploys_hash BIGINT      NOT NULL DEFAULT 0,
    ADD COLUMN IF NOT EXISTS deploys_due  DATETIME(3) NULL;
