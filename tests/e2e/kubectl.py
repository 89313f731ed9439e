#!/usr/bin/env python3
"""kubectl.py: a kubectl that answers from a snapshot, for scripts/push-snapshot.

  kubectl api-resources ...    the kinds of the snapshot, and those in FAKE_MORE ("apps/v1 deployments Deployment, ...")
  kubectl get --raw PATH       the list of a kind as the API server prints it, in pages when ?limit= says so

FAKE_SNAPSHOT   a kubectl List in JSON
FAKE_ASKED      a file that gets the paths it was asked for
FAKE_FORBIDDEN  kinds that may not be listed, by their plurals, with blanks between
FAKE_GONE       kinds whose second page is gone
FAKE_LOST       it has no context, and nobody answers it
FAKE_CUSTOM     kinds that are printed as custom resources are: the metadata of the list behind its items
"""
import json
import os
import sys
import urllib.parse


def plural(kind):
    name = kind.lower()
    if name == 'endpoints':
        return name
    return name[:-1] + 'ies' if name.endswith('y') else name + ('es' if name.endswith('s') else 's')


def words(name):
    return os.environ.get(name, '').split()


def resources(items):
    rows = {(item['apiVersion'], plural(item['kind']), item['kind']) for item in items}
    rows |= {tuple(row.split()) for row in os.environ.get('FAKE_MORE', '').split(',') if row.strip()}
    for version, name, kind in sorted(rows):
        short = name[:2] if len(name) % 2 else ''
        print(f'{name:35}{short:8}{version:40}true   {kind}')


def fail(text):
    print('Error from server ' + text, file=sys.stderr)
    sys.exit(1)


def page(items, name, options, custom):
    start = int(options.get('continue', ['0'])[0])
    limit = int(options.get('limit', [str(len(items) or 1)])[0])
    if name in words('FAKE_GONE') and start:
        fail('(Expired): The provided continue parameter is too old')
    left = len(items) - start - limit
    meta = {'resourceVersion': '7', 'continue': str(start + limit), 'remainingItemCount': left} if left > 0 else {'resourceVersion': '7'}
    if custom:
        return {'items': items[start:start + limit], 'metadata': dict(sorted(meta.items()))}
    bare = [{key: item[key] for key in item if key not in ('kind', 'apiVersion')} for item in items[start:start + limit]]
    return {'metadata': meta, 'items': bare}


def raw(items, path):
    parts = urllib.parse.urlsplit(path)
    steps = parts.path.strip('/').split('/')
    name = steps[-1]
    version = steps[1] if steps[0] == 'api' else steps[1] + '/' + steps[2]
    if name in words('FAKE_FORBIDDEN'):
        fail(f'(Forbidden): {name} is forbidden')
    mine = [item for item in items if item['apiVersion'] == version and plural(item['kind']) == name]
    custom = name in words('FAKE_CUSTOM')
    kinds = {plural(item['kind']): item['kind'] for item in items}
    kinds.update((row.split()[1], row.split()[2]) for row in os.environ.get('FAKE_MORE', '').split(',') if row.strip())
    answer = page(mine, name, urllib.parse.parse_qs(parts.query), custom)
    head = {'apiVersion': version} if custom else {'kind': kinds[name] + 'List', 'apiVersion': version}
    answer = {**head, **({'items': answer['items'], 'kind': kinds[name] + 'List', 'metadata': answer['metadata']} if custom else answer)}
    sys.stdout.write(json.dumps(answer, separators=(',', ':')) + '\n')


def main():
    with open(os.environ['FAKE_SNAPSHOT'], encoding='utf-8') as file:
        items = json.load(file)['items']
    arguments = [argument for argument in sys.argv[1:] if argument]
    if arguments[-2:] == ['config', 'current-context']:
        sys.exit('error: current-context is not set' if 'FAKE_LOST' in os.environ else 0)
    if 'FAKE_LOST' in os.environ:
        fail('(NotFound): the server could not find the requested resource')
    if '--context' in arguments:
        del arguments[arguments.index('--context'):arguments.index('--context') + 2]
    if arguments[0] == 'api-resources':
        resources(items)
        return
    assert arguments[:2] == ['get', '--raw'], arguments
    if 'FAKE_ASKED' in os.environ:
        with open(os.environ['FAKE_ASKED'], 'a', encoding='utf-8') as file:
            file.write(arguments[2] + '\n')
    raw(items, arguments[2])


main()
