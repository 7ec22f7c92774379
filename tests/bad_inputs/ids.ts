/**
 * Node ids that are none, or that are not there.
 *
 * @module
 */

import {
  forget,
  history,
  recall,
  remember,
  rememberMany,
  whenDid,
  why,
} from "@mnem/agents";
import { any, type BadInput } from "./bad_input.ts";

type BadId = readonly [name: string, id: unknown];

/** Nobody can write them; an import may have brought them in, so they can be asked for. */
const UNWRITABLE: readonly BadId[] = [
  ["an empty id", ""],
  ["an id of 1,025 bytes", "x".repeat(1_025)],
  ["an id of 1,025 bytes in fewer letters", "é".repeat(512) + "x"],
  ["an id with NUL", "a\0b"],
];

/** No node can have them. */
const NO_IDS: readonly BadId[] = [
  ["half a character", "a\ud800"],
  ["a number", 5],
  ["a list", ["a"]],
];

/** What a command line is given; nothing where it cannot be said. */
function typed(id: unknown, ...words: string[]): { cli?: readonly string[] } {
  return typeof id === "string" ? { cli: [...words, "--", id] } : {};
}

const WRITES = ([name, given]: BadId): BadInput[] => {
  const id = any(given);
  const code = "invalid_argument";
  return [
    {
      name: `remember: ${name}`,
      code,
      library: (store) => remember(store, id, 1),
      mcp: ["remember", { id, content: 1 }],
      ...typed(id, "remember", "--content-json=1"),
    },
    {
      name: `remember many: ${name} among good ones`,
      code,
      library: (store) =>
        rememberMany(store, [{ id: "good", content: 1 }, { id, content: 1 }]),
      mcp: ["remember_many", {
        items: [{ id: "good", content: 1 }, { id, content: 1 }],
      }],
    },
    {
      name: `forget: ${name}`,
      code,
      library: (store) => forget(store, id),
      mcp: ["forget", { id }],
      ...typed(id, "forget"),
    },
    {
      name: `stage: ${name}`,
      code,
      library: (store) => store.stage.put(id, { content: 1 }),
      ...typed(id, "add", "--content-json=1"),
    },
  ];
};

const READS = ([name, given]: BadId): BadInput[] => {
  const id = any(given);
  const code = "invalid_argument";
  return [
    {
      name: `recall: ${name}`,
      code,
      library: (store) => recall(store, id),
      mcp: ["recall", { id }],
      ...typed(id, "recall"),
    },
    {
      name: `recall of the past: ${name}`,
      code,
      library: (store) => recall(store, id, { at: "HEAD~1" }),
      mcp: ["recall_at", { commit: "HEAD~1", id }],
      ...typed(id, "recall", "--at=HEAD~1"),
    },
    {
      name: `history: ${name}`,
      code,
      library: (store) => history(store, { node: id }),
    },
  ];
};

const SEARCHES = (code: BadInput["code"], [name, given]: BadId): BadInput[] => {
  const id = any(given);
  return [
    {
      name: `why: ${name}`,
      code,
      library: (store) => why(store, id),
      mcp: ["why", { id }],
      ...typed(id, "why"),
    },
    {
      name: `when did: ${name}`,
      code,
      library: (store) => whenDid(store, id, { equals: 1 }),
      mcp: ["when_did", { id, equals: 1 }],
      ...typed(id, "when-did", "--equals=1"),
    },
  ];
};

/** Each verb with each of them. */
export const BAD_IDS: readonly BadInput[] = [
  ...[...UNWRITABLE, ...NO_IDS].flatMap(WRITES),
  ...NO_IDS.flatMap(READS),
  ...NO_IDS.flatMap((id) => SEARCHES("invalid_argument", id)),
  ...UNWRITABLE.flatMap((id) => SEARCHES("not_found", id)),
  ...SEARCHES("not_found", ["not in memory", "zzz"]),
  {
    name: "forget: not in memory",
    code: "not_found",
    library: (store) => forget(store, "zzz"),
    mcp: ["forget", { id: "zzz" }],
    cli: ["forget", "zzz"],
  },
  {
    name: "why: not yet in memory then",
    code: "not_found",
    library: (store) => why(store, "c", { at: "HEAD~1" }),
    mcp: ["why", { id: "c", at: "HEAD~1" }],
    cli: ["why", "c", "HEAD~1"],
  },
  {
    name: "forget: only on another branch",
    code: "not_found",
    library: (store) => forget(store.on("dev"), "c"),
  },
  { name: "rm: not in memory", code: "not_found", cli: ["rm", "zzz"] },
];
