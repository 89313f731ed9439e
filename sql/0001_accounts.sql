-- Accounts: who may do what.
-- Statements can be run again: a migration that died half-way is simply started over.

CREATE TABLE IF NOT EXISTS tenants (
    tenant_id  UUID          NOT NULL PRIMARY KEY,
    company    VARCHAR(200)  NOT NULL,
    plan       VARCHAR(16)   NOT NULL,            -- a name of plans.def
    clusters   INT UNSIGNED  NOT NULL DEFAULT 0,  -- slots taken; guards the plan's limit
    created_at DATETIME(3)   NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE IF NOT EXISTS users (
    user_id    UUID          NOT NULL PRIMARY KEY,
    tenant_id  UUID          NOT NULL,
    email      VARCHAR(254)  NOT NULL,            -- lower case
    password   VARCHAR(128)  NOT NULL,            -- scrypt, MCF
    role       VARCHAR(16)   NOT NULL,            -- admin, operator, member
    created_at DATETIME(3)   NOT NULL,
    UNIQUE KEY email (email),
    KEY tenant (tenant_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE IF NOT EXISTS sessions (
    token_hash BINARY(32)    NOT NULL PRIMARY KEY, -- SHA-256 of the token
    tenant_id  UUID          NOT NULL,
    user_id    UUID          NOT NULL,
    created_at DATETIME(3)   NOT NULL,
    expires_at DATETIME(3)   NOT NULL,
    revoked_at DATETIME(3)   NULL,
    KEY user (user_id),
    KEY expiry (expires_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE IF NOT EXISTS api_keys (
    key_id     UUID          NOT NULL PRIMARY KEY,
    tenant_id  UUID          NOT NULL,
    key_hash   BINARY(32)    NOT NULL,            -- SHA-256 of the key
    name       VARCHAR(200)  NOT NULL,
    scope      VARCHAR(16)   NOT NULL,            -- agent, cicd, full
    created_at DATETIME(3)   NOT NULL,
    expires_at DATETIME(3)   NULL,
    revoked_at DATETIME(3)   NULL,
    UNIQUE KEY hash (key_hash),
    KEY tenant (tenant_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Attempts of one class by one subject (an address, an e-mail) since the window opened.
CREATE TABLE IF NOT EXISTS rate_limit (
    class      VARCHAR(16)   NOT NULL,
    subject    VARCHAR(254)  NOT NULL,
    since      DATETIME(3)   NOT NULL,
    attempts   INT UNSIGNED  NOT NULL,
    PRIMARY KEY (class, subject),
    KEY since (since)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
