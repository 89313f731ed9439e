#!/usr/bin/env python3
"""to_yaml.py FORM: the objects of a snapshot (a kubectl List in JSON on standard input) in another form.

  yaml           one List as YAML
  documents      each object as a YAML document
  dump           what `kubectl cluster-info dump` prints: a list a kind, and logs between
  tree DIR       a YAML file an object, as `oc adm inspect` lays them out, with logs beside
  lists DIR      lists without kinds, as support bundles and sonobuoy have them
"""
import json
import os
import re
import sys

PLAIN = re.compile(r'[A-Za-z][A-Za-z0-9_./-]*\Z')
WORDS = {'y', 'yes', 'n', 'no', 'on', 'off', 'true', 'false', 'null'}


def scalar(value):
    """A string plain where it may be, else quoted; JSON's quotes are YAML's double quotes."""
    if isinstance(value, str) and PLAIN.match(value) and value.lower() not in WORDS:
        return value
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else json.dumps(value)


def literal(value, indent):
    """A block of lines, when the text is one that a block can hold."""
    lines = value.split('\n')
    good = len(lines) > 2 and lines[-1] == '' and lines[-2] and value.isprintable is not None
    if not good or any(line != line.rstrip() or not line.isprintable() for line in lines) or lines[0][:1] == ' ':
        return None
    return '|\n' + '\n'.join(' ' * indent + line if line else '' for line in lines[:-1])


def emit(value, indent, out):
    """Puts the lines of a mapping or a list."""
    pad = ' ' * indent
    pairs = value.items() if isinstance(value, dict) else ((None, item) for item in value)
    for key, item in pairs:
        head = pad + ('-' if key is None else scalar(key) + ':')
        if isinstance(item, (dict, list)) and item:
            out.append(head)
            emit(item, indent + 2, out)
        elif isinstance(item, (dict, list)):
            out.append(head + (' {}' if isinstance(item, dict) else ' []'))
        else:
            block = literal(item, indent + 2) if isinstance(item, str) else None
            out.append(head + ' ' + (block or scalar(item)))


def yaml(value):
    out = []
    emit(value, 0, out)
    return '\n'.join(out) + '\n'


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)


def plural(kind):
    name = kind.lower()
    if name == 'endpoints':
        return name
    return name[:-1] + 'ies' if name.endswith('y') else name + ('es' if name.endswith('s') else 's')


def by_kind(items):
    kinds = {}
    for item in items:
        kinds.setdefault((item['apiVersion'], item['kind']), []).append(item)
    return kinds


LOG = '==== %s logs for container c of pod n/p ====\n'


def dump(items):
    for (version, kind), group in by_kind(items).items():
        print(json.dumps({'kind': kind + 'List', 'apiVersion': version, 'metadata': {}, 'items': group}, indent=4))
        print(LOG % 'START' + '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a-log"}}\n' + LOG % 'END', end='')


def tree(items, directory):
    for n, item in enumerate(items):
        namespace = item['metadata'].get('namespace')
        top = 'namespaces/' + namespace if namespace else 'cluster-scoped-resources'
        name = item['metadata']['name'].replace('/', '_').replace(':', '_')
        write(f"{directory}/{top}/{plural(item['kind'])}/{n}-{name}.yaml", '---\n' + yaml(item))
    write(directory + '/namespaces/x/pods/p/c/logs/current.log', '{"kind":"Pod"\n')
    write(directory + '/namespaces/x/pods/p/c/logs/current.json', '{"kind":"Pod"\n')
    write(directory + '/Chart.yaml', 'apiVersion: v2\nname: x\nversion: 1\n')
    write(directory + '/values.yaml', 'kind: DaemonSet\nservices: [{name: a}]\npods: [{name: b}]\n')
    write(directory + '/kustomization.yaml', 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n')


def lists(items, directory):
    for n, ((version, kind), group) in enumerate(by_kind(items).items()):
        bare = [{key: item[key] for key in item if key not in ('kind', 'apiVersion')} for item in group]
        if n % 2:
            write(f'{directory}/cluster-resources/{plural(kind)}/all.json', json.dumps(bare))
        else:
            write(f'{directory}/resources/ns/{version.replace("/", "_")}_{plural(kind)}.json',
                  json.dumps({'metadata': {}, 'items': bare}))


def main():
    items = json.load(sys.stdin)['items']
    form = sys.argv[1]
    if form == 'yaml':
        sys.stdout.write('# a comment\n' + yaml({'apiVersion': 'v1', 'kind': 'List', 'items': items}))
    elif form == 'documents':
        sys.stdout.write('---\n'.join(yaml(item) for item in items))
    elif form == 'dump':
        dump(items)
    elif form == 'tree':
        tree(items, sys.argv[2])
    else:
        lists(items, sys.argv[2])


main()
