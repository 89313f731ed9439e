-- The alerts of a tenant that fire, the youngest first: a list reads those that it shows.
ALTER TABLE alert_state ADD KEY IF NOT EXISTS fires (tenant_id, clear_since, since);
