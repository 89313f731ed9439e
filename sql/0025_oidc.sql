-- Sign-ins by an issuer of OpenID Connect: those that are under way, and which of its people is which user.
CREATE TABLE IF NOT EXISTS oidc_logins (
    state_hash BINARY(32)     NOT NULL PRIMARY KEY, -- SHA-256 of the state
    nonce      VARCHAR(64)    NOT NULL,
    challenge  VARBINARY(64)  NOT NULL,             -- of PKCE: what the browser keeps fits to it
    expires_at DATETIME(3)    NOT NULL,
    KEY age (expires_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE IF NOT EXISTS oidc_accounts (
    account    BINARY(32)     NOT NULL PRIMARY KEY, -- hash of issuer and subject
    tenant_id  UUID           NOT NULL,
    user_id    UUID           NOT NULL,
    linked_at  DATETIME(3)    NOT NULL,
    UNIQUE KEY user (user_id),
    KEY tenant (tenant_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- 1: signed in by the issuer, which asks for its own second factor.
ALTER TABLE sessions ADD COLUMN IF NOT EXISTS by_issuer TINYINT NOT NULL DEFAULT 0;
