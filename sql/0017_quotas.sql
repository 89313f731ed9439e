-- What a cluster keeps is counted where it grows, so that a plan can limit it: about so many rows of risks, open
-- and closed; the bytes of its snapshot; and about so many bytes of history, ledgers and risks.
ALTER TABLE clusters
    ADD COLUMN IF NOT EXISTS risk_rows INT UNSIGNED NOT NULL DEFAULT 0,
    ADD COLUMN IF NOT EXISTS snapshot_bytes BIGINT UNSIGNED NOT NULL DEFAULT 0,
    ADD COLUMN IF NOT EXISTS kept_bytes BIGINT UNSIGNED NOT NULL DEFAULT 0;
