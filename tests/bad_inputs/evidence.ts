/**
 * Evidence, messages, authors and times that cannot be.
 *
 * @module
 */

import { remember, rememberMany } from "@mnem/agents";
import { any, type BadInput } from "./bad_input.ts";

/** In the library, over MCP, on the command line, in `_meta` of LangGraph. */
const FIELDS: readonly (readonly [string, string, string, string])[] = [
  ["source", "source", "--source", "source"],
  ["step", "step", "--step", "step"],
  ["observation", "observation", "--observation", "observation"],
  ["toolCall", "tool_call", "--tool-call", "tool_call"],
  ["note", "note", "--note", "note"],
];

const LONG = "x".repeat(64 * 1024 + 1);

const TEXTS: readonly BadInput[] = FIELDS.flatMap(
  ([field, wire, flag, meta]) =>
    [
      {
        name: `${field}: over 64 KiB`,
        code: "invalid_argument",
        library: (store) => remember(store, "x", 1, { [field]: LONG }),
        mcp: ["remember", { id: "x", content: 1, [wire]: LONG }],
        cli: ["remember", "x", "1", `${flag}=${LONG}`],
        langgraph: (memory) =>
          memory.put(["ns"], "x", { v: 1, _meta: { [meta]: LONG } }),
      },
      {
        name: `${field}: half a character`,
        code: "invalid_argument",
        library: (store) => remember(store, "x", 1, { [field]: "\udfff" }),
        mcp: ["remember", { id: "x", content: 1, [wire]: "\udfff" }],
        cli: ["remember", "x", "1", `${flag}=\udfff`],
        langgraph: (memory) =>
          memory.put(["ns"], "x", { v: 1, _meta: { [meta]: "\udfff" } }),
      },
      {
        name: `${field}: no text`,
        code: "invalid_argument",
        library: (store) => remember(store, "x", 1, { [field]: any({}) }),
        mcp: ["remember", { id: "x", content: 1, [wire]: {} }],
        langgraph: (memory) =>
          memory.put(["ns"], "x", { v: 1, _meta: { [meta]: {} } }),
      },
    ] satisfies BadInput[],
);

const TIMES: readonly (readonly [string, unknown, string])[] = [
  ["half a millisecond", 1.5, "1.5"],
  ["a date in words", "yesterday", "yesterday"],
  ["2^53", 2 ** 53, "9007199254740992"],
  ["an ISO date", "2026-11-03T12:00Z", "2026-11-03T12:00Z"],
];

/** Every one of them. */
export const BAD_EVIDENCE: readonly BadInput[] = [
  ...TEXTS,
  ...TIMES.map(([name, time, text]): BadInput => ({
    name: `event time: ${name}`,
    code: "invalid_argument",
    library: (store) => remember(store, "x", 1, { eventTimeMs: any(time) }),
    mcp: ["remember", { id: "x", content: 1, event_time: time }],
    cli: ["remember", "x", "1", `--event-time=${text}`],
    langgraph: (memory) =>
      memory.put(["ns"], "x", { v: 1, _meta: { event_time: time } }),
  })),
  ...TIMES.map(([name, time, text]): BadInput => ({
    name: `time of the commit: ${name}`,
    code: "invalid_argument",
    library: (store) => remember(store, "x", 1, { timeMs: any(time) }),
    cli: ["remember", "x", "1", `--time-ms=${text}`],
  })),
  {
    name: "message: over 64 KiB",
    code: "invalid_argument",
    library: (store) => remember(store, "x", 1, { summary: LONG }),
    mcp: ["remember", { id: "x", content: 1, summary: LONG }],
    cli: ["remember", "x", "1", "-m", LONG],
  },
  {
    name: "message: half a character",
    code: "invalid_argument",
    library: (store) => remember(store, "x", 1, { summary: "\ud800" }),
    mcp: ["remember", { id: "x", content: 1, summary: "\ud800" }],
    cli: ["remember", "x", "1", "-m", "\ud800"],
  },
  {
    name: "message: no text",
    code: "invalid_argument",
    library: (store) => remember(store, "x", 1, { summary: any(["m"]) }),
    mcp: ["remember", { id: "x", content: 1, summary: ["m"] }],
  },
  {
    name: "author: over 4 KiB",
    code: "invalid_argument",
    library: (store) => remember(store, "x", 1, { author: "x".repeat(4_097) }),
    cli: ["remember", "x", "1", `--author=${"x".repeat(4_097)}`],
  },
  {
    name: "author: half a character",
    code: "invalid_argument",
    library: (store) => remember(store, "x", 1, { author: "\ud800" }),
    cli: ["remember", "x", "1", "--author=\ud800"],
  },
  {
    name: "evidence: a field that there is not",
    code: "invalid_argument",
    mcp: ["remember", { id: "x", content: 1, confidence: 0.9 }],
    cli: ["remember", "x", "1", "--confidence=0.9"],
    langgraph: (memory) =>
      memory.put(["ns"], "x", { v: 1, _meta: { confidence: "0.9" } }),
  },
  {
    name: "evidence of one of many: no text",
    code: "invalid_argument",
    library: (store) =>
      rememberMany(store, [
        { id: "y", content: 1 },
        { id: "x", content: 1, source: any(7) },
      ]),
    mcp: ["remember_many", {
      items: [{ id: "y", content: 1 }, { id: "x", content: 1, source: {} }],
    }],
  },
  {
    name: "items: no list",
    code: "invalid_argument",
    library: (store) => rememberMany(store, any(5)),
    mcp: ["remember_many", { items: 5 }],
  },
  {
    name: "items: one is no object",
    code: "invalid_argument",
    library: (store) => rememberMany(store, any([null])),
    mcp: ["remember_many", { items: [null] }],
  },
];
