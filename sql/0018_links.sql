-- Links that let a person in once: an invitation, a new password, an e-mail to be verified, a signup.
-- A user whose password is '' has been invited and has not accepted yet.
CREATE TABLE IF NOT EXISTS links (
    link_id    UUID          NOT NULL PRIMARY KEY,
    token_hash BINARY(32)    NULL,                -- SHA-256 of the token; NULL: not mailed yet
    tenant_id  UUID          NOT NULL,            -- zeros, and so is the user, in a link to sign up
    user_id    UUID          NOT NULL,
    kind       VARCHAR(16)   NOT NULL,            -- a name of store/link.h
    created_at DATETIME(3)   NOT NULL,
    expires_at DATETIME(3)   NOT NULL,
    mail_at    DATETIME(3)   NULL,                -- when it is to be mailed; NULL: not, or not any more
    mail_tries INT UNSIGNED  NOT NULL DEFAULT 0,
    UNIQUE KEY token (token_hash),
    KEY user (user_id),
    KEY mail (mail_at),
    KEY age (expires_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- NULL: nobody has shown that mail to this address arrives.
ALTER TABLE users ADD COLUMN IF NOT EXISTS verified_at DATETIME(3) NULL;
