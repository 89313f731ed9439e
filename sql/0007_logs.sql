-- Logs of pods, a row a line. Clustered on (cluster, time); p_future takes everything until the
-- maintenance program splits days off it. The key is what makes a line the same line: a push that comes
-- again finds it. `line` is a hash of namespace, pod, container and message.
CREATE TABLE IF NOT EXISTS logs (
    cluster    UUID               NOT NULL,
    at         DATETIME(3)        NOT NULL,
    nanos      MEDIUMINT UNSIGNED NOT NULL,  -- what at cuts off
    line       BIGINT             NOT NULL,
    tenant_id  UUID               NOT NULL,
    stream     BIGINT             NOT NULL,  -- of log_streams
    severity   TINYINT UNSIGNED   NOT NULL,  -- enum log_severity
    level      VARCHAR(32)        NOT NULL,  -- as it was given; '' when severity says it
    position   SMALLINT UNSIGNED  NOT NULL,  -- in its push: the order of lines of one time
    message    TEXT               NOT NULL,
    PRIMARY KEY (cluster, at, nanos, line)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
PARTITION BY RANGE COLUMNS (at) (PARTITION p_future VALUES LESS THAN (MAXVALUE));

-- A container that has pushed logs. workload and shape are what its pod's name tells: kube/pod_name.h.
CREATE TABLE IF NOT EXISTS log_streams (
    cluster    UUID               NOT NULL,
    stream     BIGINT             NOT NULL,  -- a hash of namespace, pod and container
    tenant_id  UUID               NOT NULL,
    namespace  VARCHAR(253)       NOT NULL,
    pod        VARCHAR(253)       NOT NULL,
    container  VARCHAR(253)       NOT NULL,
    workload   VARCHAR(253)       NOT NULL,
    shape      TINYINT UNSIGNED   NOT NULL,
    pushed_at  DATETIME(3)        NOT NULL,  -- last, to the minute
    PRIMARY KEY (cluster, stream),
    KEY age (pushed_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Lines of ERROR or FATAL of a workload in a minute: what a burst is told by.
CREATE TABLE IF NOT EXISTS log_errors (
    cluster    UUID               NOT NULL,
    minute     DATETIME(3)        NOT NULL,
    namespace  VARCHAR(253)       NOT NULL,
    workload   VARCHAR(253)       NOT NULL,
    shape      TINYINT UNSIGNED   NOT NULL,
    tenant_id  UUID               NOT NULL,
    errors     INT UNSIGNED       NOT NULL,
    PRIMARY KEY (cluster, minute, namespace, workload, shape)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
PARTITION BY RANGE COLUMNS (minute) (PARTITION p_future VALUES LESS THAN (MAXVALUE));

-- How much a cluster has pushed lately: a bucket that runs dry at the rate of log_limit.
CREATE TABLE IF NOT EXISTS log_usage (
    cluster    UUID               NOT NULL PRIMARY KEY,
    tenant_id  UUID               NOT NULL,
    bytes      BIGINT UNSIGNED    NOT NULL,
    counted_at DATETIME(3)        NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
