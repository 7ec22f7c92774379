"""Plays histories on the reference: a line of JSON in (one call), a line of JSON out (its answer).

usage: play_trace.py FOLDER, the folder in which the store is made.
"""

import json
import sys

import mnem
from mnem import agents

CODES = {
    mnem.NotFoundError: "not_found",
    mnem.InvalidRefError: "invalid_ref",
    mnem.ConflictError: "conflict",
}
EVIDENCE = ("source", "step", "observation", "tool_call", "note")


def chosen(args, *names):
    return {name: args[name] for name in names if name in args}


def nodes(memory):
    return {id: node.to_dict() for id, node in memory.items()}


def holds(args):
    def predicate(memory):
        node = memory.get(args["id"])
        if args.get("absent"):
            return node is None
        # As text, for in Python 1 == True.
        text = json.dumps(args["equals"], sort_keys=True)
        return node is not None and json.dumps(node.content, sort_keys=True) == text

    return predicate


def recall_at(store, args):
    node = store.state_at(args["at"]).get(args["id"])
    return None if node is None else node.to_dict()


def merge(store, args):
    options = chosen(args, "message", "author", "time_ms", "strategy", "resolutions")
    return store.merge(args["theirs"], **options).to_dict()


PLAY = {
    "remember": lambda store, args: {
        "commit": agents.remember(
            store,
            args["id"],
            args["content"],
            **chosen(args, *EVIDENCE, "summary", "author", "time_ms"),
        )
    },
    "remember_many": lambda store, args: {
        "commit": agents.remember_many(
            store, args["items"], **chosen(args, "summary", "author", "time_ms")
        )
    },
    "forget": lambda store, args: {
        "commit": agents.forget(
            store, args["id"], **chosen(args, "summary", "author", "time_ms")
        )
    },
    "branch": lambda store, args: store.new_branch(args["name"], start=args["start"]),
    "switch": lambda store, args: store.checkout(args["target"]),
    "merge": merge,
    "recall": lambda store, args: nodes(store.working_memory()),
    "recall_at": recall_at,
    "log": lambda store, args: [
        commit.id
        for commit in store.log(
            limit=args["limit"], first_parent=args.get("first_parent", False)
        )
    ],
    "diff": lambda store, args: [
        change.to_dict() for change in store.diff(args["from"], args["to"])
    ],
    "why": lambda store, args: store.blame(args["id"], args["at"]).to_dict(),
    "whats_new": lambda store, args: store.changed_by(args["commit"]),
    "when_did": lambda store, args: {"commit": store.bisect(holds(args))},
}


def main(folder):
    store = mnem.init(folder)
    for line in sys.stdin:
        step = json.loads(line)
        try:
            result = PLAY[step["op"]](store, step["args"])
        except mnem.MnemError as error:
            result = {"error": CODES.get(type(error), type(error).__name__)}
        print(json.dumps(result), flush=True)


main(sys.argv[1])
