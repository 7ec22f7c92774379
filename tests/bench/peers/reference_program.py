"""The reference asked for the work of the peers, with its own times.

usage: reference_program.py fill|open FOLDER; a line of JSON in (one call), a line of JSON out.
"""

import json
import sys
import time

import mnem
from mnem import agents

FILL_NODES = 5_000


def change(store, ask):
    return agents.remember(store, ask["id"], ask["value"])


def read(store, ask):
    return str(store.working_node(ask["id"]).content)


def blame(store, ask):
    return str(store.blame(ask["id"]).to_dict()["commit"])


def answer(store):
    calls = {"change": change, "read": read, "blame": blame}
    for line in sys.stdin:
        ask = json.loads(line)
        start = time.perf_counter()
        value = calls[ask["op"]](store, ask)
        ms = (time.perf_counter() - start) * 1_000
        print(json.dumps({"ms": ms, "value": value}), flush=True)


def fill(folder):
    store = mnem.init(folder)
    items = [json.loads(line) for line in sys.stdin]
    for at in range(0, len(items), FILL_NODES):
        agents.remember_many(store, items[at : at + FILL_NODES])


if sys.argv[1] == "fill":
    fill(sys.argv[2])
else:
    answer(mnem.open(sys.argv[2]))
