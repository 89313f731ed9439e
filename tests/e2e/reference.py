#!/usr/bin/env python3
"""reference.py SCORER SHARED SCRATCH: scores every snapshot of SHARED/snapshots, and clusters that
SHARED/score/gen.py makes, with SCORER and with the reference implementation of the formula,
SHARED/score/score_v2.py, which takes its findings from SCORER's result. The reference is read with the
changes of docs/scoring.md that concern every cluster, and with the rows of checks that are younger than it.
A line each: the name, our score_exact, the reference's, with tabs between."""
import glob
import gzip
import json
import os
import re
import subprocess
import sys
import types

# Keys whose values are times that have passed when a snapshot is made.
TIMES = re.compile(
    r'"(?:creationTimestamp|lastTransitionTime|lastHeartbeatTime|lastUpdateTime|renewTime|lastTimestamp|'
    r'startedAt|finishedAt)": ?"([0-9-]+T[0-9:]+Z)"')

SHAPES = [  # applications, care, nodes
    (1, 'common', 1), (3, 'full', 3), (5, 'none', 3), (10, 'common', 3), (10, 'full', 6),
    (20, 'none', 6), (20, 'full', 6), (47, 'common', 6), (100, 'common', 12), (300, 'common', 20)]


def troubles(apps, nodes):
    """What has happened to a cluster of so many applications and nodes: 20 times something else."""
    tenth, third, half = max(1, apps // 10), max(1, apps // 3), max(1, apps // 2)
    return {
        'nothing': {},
        'one down': {'down': 1},
        'a tenth down': {'down': tenth, 'partial': tenth},
        'half down': {'down': half},
        'all down': {'down': apps},
        'a third cannot pull': {'down': third, 'how': 'pull'},
        'one partly down': {'partial': 1},
        'a third partly down': {'partial': third},
        'one node dead': {'dead': 1},
        'half the nodes dead': {'dead': (nodes + 1) // 2},
        'all nodes dead': {'dead': nodes},
        'DNS 1 of 2': {'dns': 1},
        'DNS 0 of 2': {'dns': 2},
        'CNI down': {'cni': True},
        'one operator degraded': {'degraded': 1},
        'four operators degraded': {'degraded': 4, 'down': 1},
        'privileged': {'priv': True},
        'a node cordoned': {'cordon': 1, 'evicted': 50},
        'a full node': {'full_nodes': 1, 'partial': 1},
        'everything at once': {'down': half, 'dead': 1, 'dns': 1, 'full_nodes': 1, 'cordon': 1, 'degraded': 2,
                               'priv': True, 'evicted': 10},
    }


# What docs/scoring.md does otherwise everywhere: the reference is read with it. Small clusters are
# smoothed. Policies and budgets are shown when the snapshot shows them or can be trusted to lack them,
# not when a check happened to be evaluated: the scorer says which are not.
CHANGES = [
    ('f = B / T if T else 0.0', 'f = B / (T + 1 - B / T) if T else 0.0'),
    ("if not ev('pod-ingress-not-isolated'):", "if 'cluster/isolation' in unseen(result):"),
    ("if not ev('pdb-missing'):", "if 'cluster/budgets' in unseen(result):"),
]


def unseen(result):
    return {risk['resource'] for risk in result['risks'] if risk['check'] == 'evidence-missing'}


def reference_of(path):
    """The module of that file, with the changes."""
    module = types.ModuleType('score_v2')
    module.__file__ = path
    module.unseen = unseen
    with open(path) as file:
        text = file.read()
    for before, after in CHANGES:
        if text.count(before) != 1:
            sys.exit(f'reference.py: {path} has not the line "{before}"')
        text = text.replace(before, after)
    exec(compile(text, path, 'exec'), module.__dict__)
    return module


def rows(file, macro):
    """The arguments of each row of a table of lib/score, as far as its first line holds them."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'lib', 'score', file)
    with open(path) as table:
        found = re.findall(r'^%s\(([^\n]*)' % macro, table.read(), re.M)
    return [[field.strip(' "') for field in row.split(',')] for row in found]


def add_young_checks(score_v2, table):
    """Tells the reference of the checks that it does not know: their causes and what they weigh."""
    parts = {'WORKLOAD': score_v2.DEGREE, 'MASS': score_v2.MASS, 'NODE': score_v2.NODE,
             'CONTROL': score_v2.CONTROL}
    hazards = {row[0]: row[1:] for row in rows('hazards.def', 'HAZARD')}
    with open(score_v2.__file__) as file:
        text = file.read()
    for function, check, category, _, subject, cause, *_ in rows('checks.def', 'CHECK'):
        part, thousandths, *_ = hazards.get(function, ('POSTURE', 0))
        if check in table or f"'{check}'" in text or part not in parts and part != 'POSTURE':
            continue
        table[check] = (category.lower(), check if cause == 'none' else cause, subject)
        if part in parts:
            parts[part][check] = int(thousandths) / 1000
    return table


def main(scorer, shared, scratch):
    sys.dont_write_bytecode = True
    sys.path.insert(0, os.path.join(shared, 'score'))
    import gen
    score_v2 = reference_of(os.path.join(shared, 'score', 'score_v2.py'))
    table = add_young_checks(score_v2, score_v2.causes(os.path.join(shared, 'score', 'causes.json')))

    def compare(name, path, time):
        result = json.loads(subprocess.check_output([scorer, '--format', 'json', '--time', time, path]))
        reference = score_v2.v2(result, score_v2.load(path), time, table)
        print(name, f"{result['score_exact']:.2f}", f"{reference['score_exact']:.2f}", sep='\t', flush=True)

    for path in sorted(glob.glob(os.path.join(shared, 'snapshots', '*.json.gz'))):
        with gzip.open(path, 'rt') as file:
            newest = max(TIMES.findall(file.read()), default=gen.T)
        compare(os.path.basename(path).removesuffix('.json.gz'), path, newest)
    made = os.path.join(scratch, 'made.json')
    for apps, care, nodes in SHAPES:
        for name, trouble in troubles(apps, nodes).items():
            with open(made, 'w') as file:
                json.dump(gen.gen(apps=apps, care=care, nodes=nodes, **trouble), file)
            compare(f'{apps} {care} on {nodes}: {name}', made, gen.T)


main(*sys.argv[1:])
