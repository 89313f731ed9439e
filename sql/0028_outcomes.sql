-- What became of what the gate was asked about: reported, or told by the snapshots that followed.
ALTER TABLE decisions
    ADD COLUMN IF NOT EXISTS watched      TINYINT      NOT NULL DEFAULT 0,   -- 1: the next snapshots may tell
    ADD COLUMN IF NOT EXISTS target       TEXT         NULL,                 -- the workload as it was then (lib/gate/workload_state.h)
    ADD COLUMN IF NOT EXISTS started_at   DATETIME(3)  NULL,                 -- first seen with another template
    ADD COLUMN IF NOT EXISTS started      TEXT         NULL,                 -- the workload then
    ADD COLUMN IF NOT EXISTS outcome      VARCHAR(16)  NOT NULL DEFAULT '',  -- success, failure, rolled_back; empty: not known
    ADD COLUMN IF NOT EXISTS outcome_by   VARCHAR(8)   NOT NULL DEFAULT '',  -- reported, inferred
    ADD COLUMN IF NOT EXISTS outcome_note VARCHAR(500) NOT NULL DEFAULT '',
    ADD COLUMN IF NOT EXISTS outcome_at   DATETIME(3)  NULL,
    ADD INDEX IF NOT EXISTS watched (cluster, watched);
