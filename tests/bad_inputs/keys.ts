/**
 * Keys of requests that are none, or that another request has.
 *
 * @module
 */

import { forget, remember } from "@mnem/agents";
import { any, type BadInput } from "./bad_input.ts";
import { USED_KEY } from "./scene.ts";

/** What is wrong, and the key. */
const BAD_KEYS: readonly (readonly [string, unknown])[] = [
  ["empty", ""],
  ["257 bytes", "k".repeat(257)],
  ["257 bytes in fewer letters", "é".repeat(128) + "k"],
  ["with NUL", "a\0b"],
  ["half a character", "\ud800"],
  ["a number", 7],
  ["a list", ["k"]],
];

/** Every one of them. */
export const BAD_REQUEST_KEYS: readonly BadInput[] = [
  ...BAD_KEYS.map(([name, key]): BadInput => ({
    name: `key of a request: ${name}`,
    code: "invalid_argument",
    library: (store) => remember(store, "x", 1, { key: any(key) }),
    mcp: ["remember", { id: "x", content: 1, key }],
    ...typeof key === "string"
      ? { cli: ["remember", "x", "1", `--key=${key}`] }
      : {},
  })),
  {
    name: "key of a request: that of another write",
    code: "conflict",
    library: (store) => remember(store, "b", "other", { key: USED_KEY }),
    mcp: ["remember", { id: "b", content: "other", key: USED_KEY }],
    cli: ["remember", "b", "other", `--key=${USED_KEY}`],
  },
  {
    name: "key of a request: a write has it, a removal comes with it",
    code: "conflict",
    library: (store) => forget(store, "b", { key: USED_KEY }),
    mcp: ["forget", { id: "b", key: USED_KEY }],
    cli: ["forget", "b", `--key=${USED_KEY}`],
  },
  {
    name: "key of a request: a write has it, a merge comes with it",
    code: "conflict",
    library: (store) => store.merge("dev", { key: USED_KEY, strategy: "ours" }),
    cli: ["merge", "dev", "--strategy=ours", `--key=${USED_KEY}`],
  },
];
