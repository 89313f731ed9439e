-- Addresses that a person has signed in from lately: wrong passwords from elsewhere do not keep the
-- person out there.
CREATE TABLE IF NOT EXISTS known_addresses (
    tenant_id  UUID          NOT NULL,
    user_id    UUID          NOT NULL,
    address    VARCHAR(64)   NOT NULL,            -- of the client, of IPv6 its /64
    seen_at    DATETIME(3)   NOT NULL,            -- the last login
    PRIMARY KEY (user_id, address),
    KEY age (seen_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
