-- How often decisions were right, by an index alone: it also finds what by_decision found.
ALTER TABLE decisions
    ADD KEY IF NOT EXISTS calibration (tenant_id, decision, decided_at, decision_id, cluster, outcome, outcome_by),
    DROP KEY IF EXISTS by_decision;
