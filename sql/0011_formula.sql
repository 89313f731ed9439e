-- Scores know the version of the formula that made them. What is older than this column is of the
-- first, and so is what programs write that do not know it. A step has that of its oldest point.
ALTER TABLE ledgers       ADD COLUMN IF NOT EXISTS formula TINYINT UNSIGNED NOT NULL DEFAULT 1;
ALTER TABLE score_history ADD COLUMN IF NOT EXISTS formula TINYINT UNSIGNED NOT NULL DEFAULT 1;
ALTER TABLE score_rollup  ADD COLUMN IF NOT EXISTS formula TINYINT UNSIGNED NOT NULL DEFAULT 1;

-- What a cluster's next snapshot is judged by: whether its owner says that snapshots show some namespaces
-- only, and which kinds they have shown (lib/store/shown.h). And the verdict of the latest, a sentence.
ALTER TABLE clusters
    ADD COLUMN IF NOT EXISTS partial TINYINT       NOT NULL DEFAULT 0,
    ADD COLUMN IF NOT EXISTS shown   VARCHAR(4000) NOT NULL DEFAULT '',
    ADD COLUMN IF NOT EXISTS verdict VARCHAR(1000) NOT NULL DEFAULT '';
