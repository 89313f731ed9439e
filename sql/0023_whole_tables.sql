-- The tables of points, ledgers and logs are whole again: MariaDB may lose a partitioned table when it is killed while
-- its partitions are being changed, and days were split off and dropped every day. Old rows go one by one, as before.
-- Each table is copied, some ten seconds a million rows; pushes wait meanwhile.
SET @whole = (SELECT IF(COUNT(*) > 0, 'ALTER TABLE score_history REMOVE PARTITIONING', 'DO 0') FROM information_schema.partitions
    WHERE table_schema = DATABASE() AND table_name = 'score_history' AND partition_name IS NOT NULL);
EXECUTE IMMEDIATE @whole;
SET @whole = (SELECT IF(COUNT(*) > 0, 'ALTER TABLE ledgers REMOVE PARTITIONING', 'DO 0') FROM information_schema.partitions
    WHERE table_schema = DATABASE() AND table_name = 'ledgers' AND partition_name IS NOT NULL);
EXECUTE IMMEDIATE @whole;
SET @whole = (SELECT IF(COUNT(*) > 0, 'ALTER TABLE logs REMOVE PARTITIONING', 'DO 0') FROM information_schema.partitions
    WHERE table_schema = DATABASE() AND table_name = 'logs' AND partition_name IS NOT NULL);
EXECUTE IMMEDIATE @whole;
SET @whole = (SELECT IF(COUNT(*) > 0, 'ALTER TABLE log_errors REMOVE PARTITIONING', 'DO 0') FROM information_schema.partitions
    WHERE table_schema = DATABASE() AND table_name = 'log_errors' AND partition_name IS NOT NULL);
EXECUTE IMMEDIATE @whole;
