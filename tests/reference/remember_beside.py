"""Remembers on the reference beside another process, and says how much was acknowledged.

usage: remember_beside.py FOLDER LABEL COUNT. It holds the store open until its input ends. A label of
"-" makes the store, or counts what is in one that is there.
"""

import json
import sys

import mnem
from mnem import agents


def main(folder, label, count):
    if label == "-":
        try:
            store = mnem.init(folder)
        except mnem.StoreExistsError:
            store = mnem.open(folder)
        print(len(store.working_memory()))
        return
    try:
        store = mnem.open(folder)
    except mnem.StoreIoError:
        print(json.dumps("refused"), flush=True)
        return
    print(json.dumps("open"), flush=True)
    for turn in range(count):
        agents.remember(store, f"{label} {turn}", turn)
    print(count, flush=True)
    sys.stdin.read()


main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
