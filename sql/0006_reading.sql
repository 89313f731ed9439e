-- Reading back: ledgers at a time, roll-ups of the score history, decisions, what was deleted.

-- Which points each risk cost, whenever that changed and once a day at least. The list of one day
-- mostly differs little from the list before, so that it is told as what differs from a whole one
-- of the same day. p_future takes everything until loadline-maintain splits days off it.
CREATE TABLE IF NOT EXISTS ledgers (
    cluster     UUID               NOT NULL,
    taken_at    DATETIME(3)        NOT NULL,
    tenant_id   UUID               NOT NULL,
    base_at     DATETIME(3)        NULL,      -- of the whole one that body is told against; NULL: it is whole
    check_set   BIGINT             NOT NULL,  -- of the checks, their prices and the policy
    score_exact SMALLINT UNSIGNED  NOT NULL,  -- hundredths
    body        MEDIUMBLOB         NOT NULL,  -- lib/score/impacts.h
    PRIMARY KEY (cluster, taken_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
PARTITION BY RANGE COLUMNS (taken_at) (PARTITION p_future VALUES LESS THAN (MAXVALUE));

-- The newest point of the history, the hash of its ledger, and when the last whole ledger was kept.
ALTER TABLE clusters
    ADD COLUMN IF NOT EXISTS newest_at   DATETIME(3) NULL,
    ADD COLUMN IF NOT EXISTS ledger_base DATETIME(3) NULL,
    ADD COLUMN IF NOT EXISTS ledger_hash BIGINT      NOT NULL DEFAULT 0;

-- The score history in steps of five minutes; each push adds its point. Scores are hundredths.
CREATE TABLE IF NOT EXISTS score_rollup (
    cluster     UUID               NOT NULL,
    step_at     DATETIME(3)        NOT NULL,  -- its start
    tenant_id   UUID               NOT NULL,
    points      INT UNSIGNED       NOT NULL,
    score_min   SMALLINT UNSIGNED  NOT NULL,
    worst_at    DATETIME(3)        NOT NULL,  -- when it was first as low as score_min
    score_sum   BIGINT UNSIGNED    NOT NULL,
    score_last  SMALLINT UNSIGNED  NOT NULL,
    last_at     DATETIME(3)        NOT NULL,
    nodes_min   INT UNSIGNED       NOT NULL,
    pods_min    INT UNSIGNED       NOT NULL,
    risks_max   INT UNSIGNED       NOT NULL,
    PRIMARY KEY (cluster, step_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Points from before this migration. Score and moment are put into one number, so that the lowest
-- comes with its moment and the last moment with its score.
INSERT IGNORE INTO score_rollup
SELECT cluster, '1970-01-01' + INTERVAL step SECOND, tenant_id, points, worst DIV 100000000000000,
       '1970-01-01' + INTERVAL worst % 100000000000000 * 1000 MICROSECOND, total, last % 100000,
       '1970-01-01' + INTERVAL last DIV 100000 * 1000 MICROSECOND, nodes, pods, risks
FROM (SELECT cluster, tenant_id, COUNT(*) AS points,
             TIMESTAMPDIFF(SECOND, '1970-01-01', taken_at) DIV 300 * 300 AS step,
             MIN(score_exact * 100000000000000 + TIMESTAMPDIFF(MICROSECOND, '1970-01-01', taken_at) DIV 1000) AS worst,
             MAX(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', taken_at) DIV 1000 * 100000 + score_exact) AS last,
             SUM(score_exact) AS total, MIN(nodes) AS nodes, MIN(pods) AS pods, MAX(risks) AS risks
      FROM score_history GROUP BY cluster, tenant_id, step) AS steps;

-- What the API tells of a risk beyond its message. The impact is the ledger's: it moves with every
-- other risk, and this row need not. The column stays for programs that are older than this.
ALTER TABLE risks
    MODIFY COLUMN impact INT UNSIGNED NOT NULL DEFAULT 0,
    ADD COLUMN IF NOT EXISTS category      VARCHAR(16)  NOT NULL DEFAULT '',
    ADD COLUMN IF NOT EXISTS places        INT UNSIGNED NOT NULL DEFAULT 1,
    ADD COLUMN IF NOT EXISTS absorbed_by   VARCHAR(64)  NOT NULL DEFAULT '', -- the check that pays for it
    ADD COLUMN IF NOT EXISTS exempt_reason VARCHAR(512) NULL;                -- NULL: not exempt

-- Decisions are listed by what was decided, too.
ALTER TABLE decisions
    ADD INDEX IF NOT EXISTS decision (tenant_id, decision, decided_at),
    ADD INDEX IF NOT EXISTS risks (cluster, risks_hash);

-- Since when no decision has referred to it. It goes a while later, or is taken up again.
ALTER TABLE decision_risks ADD COLUMN IF NOT EXISTS unused_since DATETIME(3) NULL;

-- Clusters that are gone from `clusters`, until loadline-maintain has removed the rest of them.
CREATE TABLE IF NOT EXISTS deleted_clusters (
    cluster     UUID               NOT NULL PRIMARY KEY,
    tenant_id   UUID               NOT NULL,
    deleted_at  DATETIME(3)        NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
