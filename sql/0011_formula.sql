-- Scores know the version of the formula that made them. What is older than this column is of the
-- first, and so is what programs write that do not know it. A step has that of its oldest point.
ALTER TABLE ledgers       ADD COLUMN IF NOT EXISTS formula TINYINT UNSIGNED NOT NULL DEFAULT 1;
ALTER TABLE score_history ADD COLUMN IF NOT EXISTS formula TINYINT UNSIGNED NOT NULL DEFAULT 1;
ALTER TABLE score_rollup  ADD COLUMN IF NOT EXISTS formula TINYINT UNSIGNED NOT NULL DEFAULT 1;
