-- Who has pushed logs lately, without a look at all of a week. What expires is looked for by cluster, too.
ALTER TABLE log_streams
    ADD KEY IF NOT EXISTS recent (cluster, pushed_at),
    DROP KEY IF EXISTS age;
