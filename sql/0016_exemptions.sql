-- Findings that somebody has accepted for a time. One that ended stays: it is evidence.
CREATE TABLE IF NOT EXISTS exemptions (
    exemption_id UUID          NOT NULL PRIMARY KEY,
    tenant_id    UUID          NOT NULL,
    cluster_name VARCHAR(128)  NULL,      -- NULL: all clusters
    check_id     VARCHAR(64)   NOT NULL,
    namespace    VARCHAR(255)  NOT NULL,  -- empty: of any, and what is in none
    resource     VARCHAR(512)  NOT NULL,  -- "deployment/api", or a name of whatever kind; empty: all
    reason       VARCHAR(500)  NOT NULL,
    owner        VARCHAR(200)  NOT NULL,
    expires_at   DATETIME(3)   NOT NULL,
    created_by   VARCHAR(254)  NOT NULL,
    created_at   DATETIME(3)   NOT NULL,
    changed_at   DATETIME(3)   NOT NULL,  -- snapshots that come later are judged by it
    ended_by     VARCHAR(254)  NOT NULL DEFAULT '',
    ended_at     DATETIME(3)   NULL,      -- early, by somebody
    KEY tenant (tenant_id, created_at, exemption_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- What each did to the latest snapshot of each cluster.
CREATE TABLE IF NOT EXISTS exemption_use (
    cluster      UUID          NOT NULL,
    exemption_id UUID          NOT NULL,
    tenant_id    UUID          NOT NULL,
    risks        INT UNSIGNED  NOT NULL,  -- that are exempt
    would_cost   INT UNSIGNED  NOT NULL,  -- these together, hundredths
    counting     INT UNSIGNED  NOT NULL,  -- that count again, because it expired
    PRIMARY KEY (cluster, exemption_id),
    KEY tenant (tenant_id, exemption_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

ALTER TABLE risks
    ADD COLUMN IF NOT EXISTS would_cost   INT UNSIGNED NOT NULL DEFAULT 0,  -- of one that is exempt, hundredths
    ADD COLUMN IF NOT EXISTS exemption_id UUID         NULL;                -- by which it is, or was until that expired

-- API versions in use that releases of Kubernetes stop serving (lib/store/api_use_text.h). NULL: not known.
ALTER TABLE briefs ADD COLUMN IF NOT EXISTS api_use MEDIUMTEXT NULL;
