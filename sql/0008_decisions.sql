-- Lists of decisions are read in the order of these keys, page by page.
ALTER TABLE decisions
    ADD INDEX IF NOT EXISTS by_time (tenant_id, decided_at, decision_id),
    ADD INDEX IF NOT EXISTS by_decision (tenant_id, decision, decided_at, decision_id),
    DROP INDEX IF EXISTS tenant,
    DROP INDEX IF EXISTS decision;
