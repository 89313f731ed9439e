-- A second factor beside the password: a secret that makes codes (RFC 6238), and codes for who has lost it.
CREATE TABLE IF NOT EXISTS second_factors (
    user_id      UUID           NOT NULL PRIMARY KEY,
    tenant_id    UUID           NOT NULL,
    secret       VARBINARY(128) NOT NULL,         -- sealed with channel_keys, if there are any
    created_at   DATETIME(3)    NOT NULL,
    confirmed_at DATETIME(3)    NULL,             -- NULL: it does not count yet
    last_step    BIGINT         NOT NULL DEFAULT 0, -- half minutes since 1970 of the newest code that was accepted
    KEY tenant (tenant_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE IF NOT EXISTS recovery_codes (
    user_id    UUID            NOT NULL,
    code_hash  BINARY(32)      NOT NULL,          -- SHA-256 of the user's id and the code
    tenant_id  UUID            NOT NULL,
    PRIMARY KEY (user_id, code_hash),
    KEY tenant (tenant_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- 1: who has no second factor signs in only to set one up.
ALTER TABLE tenants ADD COLUMN IF NOT EXISTS second_factor_required TINYINT NOT NULL DEFAULT 0;
