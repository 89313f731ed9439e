-- The five-minute steps of a history are added up when they are over, and not with each push (lib/store/history_rollup.h).
-- Before that moment score_rollup has every step. NULL: all of them, as programs of before leave it.
ALTER TABLE clusters ADD COLUMN IF NOT EXISTS rolled_to DATETIME(3) DEFAULT NULL;
