#!/usr/bin/env python3
"""yaml_to_json.py FILE: the documents of a YAML file as a JSON array, for tests that look at one with jq."""
import json
import sys

import yaml

with open(sys.argv[1], encoding="utf-8") as file:
    json.dump(list(yaml.safe_load_all(file)), sys.stdout)
