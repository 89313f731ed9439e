"""Much data, fast: rows that pushes of hours would have made. For tests of speed and length."""
from snapshots import app, node


def history(stack, cluster, points, step=10):
    """So many points more of a cluster that has been pushed, `step` seconds apart and before its first one."""
    stack.sql(f"""INSERT IGNORE INTO loadline.score_history (cluster, taken_at, tenant_id, score, score_exact, nodes, pods, risks, formula)
        SELECT cluster, newest_at - INTERVAL seq * {step} SECOND, tenant_id, 60 + (seq DIV 7) MOD 37 - IF(seq MOD 500 < 9, 30, 0),
            (60 + (seq DIV 7) MOD 37 - IF(seq MOD 500 < 9, 30, 0)) * 100 + seq MOD 100, nodes, pods, 10 + seq MOD 7, 2
        FROM loadline.clusters, seq_1_to_{points} WHERE name = '{cluster}'""")
    stack.sql(f"""INSERT IGNORE INTO loadline.score_rollup (cluster, step_at, tenant_id, points, score_min, worst_at, score_sum, score_last,
            last_at, nodes_min, pods_min, risks_max, formula)
        SELECT cluster, '1970-01-01' + INTERVAL (UNIX_TIMESTAMP(h.taken_at) DIV 300) * 300 SECOND AS step, h.tenant_id, COUNT(*),
            MIN(h.score_exact), MIN(h.taken_at), SUM(h.score_exact), MAX(h.score_exact), MAX(h.taken_at), MIN(h.nodes), MIN(h.pods), MAX(h.risks), 2
        FROM loadline.score_history h JOIN loadline.clusters USING (cluster) WHERE name = '{cluster}' GROUP BY cluster, step, h.tenant_id""")


def clusters(stack, who, like, count):
    """So many clusters more that are as one that has been pushed, each with a day of half hours."""
    stack.sql(f"""INSERT INTO loadline.clusters (cluster, tenant_id, name, provider, region, created_at, received_at, taken_at, score,
            score_exact, nodes, pods, risks, categories, newest_at, verdict)
        SELECT UUID(), tenant_id, CONCAT('cluster-', LPAD(seq, 4, '0')), provider, region, created_at, received_at, taken_at,
            40 + seq MOD 60, (40 + seq MOD 60) * 100, nodes, pods + seq, risks + seq MOD 40, categories, newest_at, verdict
        FROM loadline.clusters, seq_1_to_{count} WHERE tenant_id = '{who.tenant}' AND name = '{like}'""")
    stack.sql(f"""INSERT IGNORE INTO loadline.score_rollup (cluster, step_at, tenant_id, points, score_min, worst_at, score_sum, score_last,
            last_at, nodes_min, pods_min, risks_max, formula)
        SELECT cluster, at, tenant_id, 1, score_exact, at, score_exact, score_exact, at, nodes, pods, risks, 2
        FROM loadline.clusters, (SELECT '1970-01-01' + INTERVAL (UNIX_TIMESTAMP() DIV 1800 - seq) * 1800 SECOND AS at FROM seq_0_to_47) AS steps
        WHERE tenant_id = '{who.tenant}'""")


def risky(apps):
    """A cluster whose apps have a dozen risks each."""
    objects = [node()]
    for i in range(apps):
        objects += app(f"app-{i:03d}", replicas=1, available=i % 10 != 0, namespace=f"team-{i % 12}", image=f"registry.example.com/app-{i}:latest")
    return objects
