/**
 * Valid frames of every method, for both eras of the protocol.
 *
 * @module
 */

import type { Chance } from "../support/tree_cases.ts";

/** Which rules a client goes by: those of 2026-07-28, or the older ones with their handshake. */
export type Era = "modern" | "legacy";

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "check", version: "1" },
};
const HANDSHAKE = {
  protocolVersion: "2025-11-25",
  capabilities: { roots: { listChanged: true } },
  clientInfo: { name: "check", version: "1" },
};
const FACT = {
  id: "plan",
  content: { seats: 240, tier: "pro", open: [true, null, "é😀"] },
  source: "ticket-7",
  step: "step-31",
  observation: "billing-note-8842",
  tool_call: "call-1",
  note: "n",
  event_time: 1_700_000_000_000,
  summary: "read the note",
};

const CALLS: readonly (readonly [string, object])[] = [
  ["remember", FACT],
  ["revise", { id: "plan", content: "team", observation: "mail" }],
  ["remember_many", {
    items: [{ id: "a", content: 1 }, { id: "b/c", content: [] }],
  }],
  ["forget", { id: "a" }],
  ["recall", { prefix: "p", query: "pro", limit: 5 }],
  ["recall", { id: "plan" }],
  ["recall_at", { commit: "HEAD~1", id: "plan" }],
  ["history", { limit: 3 }],
  ["why", { id: "plan", at: "HEAD" }],
  ["when_did", { id: "plan", equals: "team", bad: "HEAD" }],
  ["when_did", { id: "a", absent: true }],
  ["whats_new", { commit: "HEAD", limit: 2 }],
  ["branch", { name: "side", start: "HEAD" }],
  ["branch", {}],
  ["switch", { target: "main" }],
  ["merge", {
    theirs: "side",
    strategy: "theirs",
    resolutions: { plan: "ours" },
    dry_run: true,
  }],
];

const REQUESTS: readonly (readonly [string, object])[] = [
  ["initialize", HANDSHAKE],
  ["server/discover", {}],
  ["ping", {}],
  ["tools/list", { cursor: "x" }],
  ...CALLS.map(([name, args]) =>
    ["tools/call", { name, arguments: args }] as const
  ),
  ["resources/list", {}],
  ["resources/templates/list", {}],
  ["resources/read", { uri: "mnem://memory" }],
  ["resources/read", { uri: "mnem://memory/b%2Fc" }],
  ["resources/read", { uri: "mnem://log" }],
  ["resources/read", { uri: "mnem://status" }],
  ["resources/read", { uri: `mnem://commit/${"0a".repeat(32)}` }],
  ["resources/subscribe", { uri: "mnem://memory" }],
  ["resources/unsubscribe", { uri: "mnem://memory" }],
  ["subscriptions/listen", {
    notifications: {
      resourcesListChanged: true,
      resourceSubscriptions: ["mnem://memory"],
    },
  }],
  ["prompts/list", {}],
  ["prompts/get", { name: "review_memory", arguments: { id: "plan" } }],
  ["completion/complete", {
    ref: { type: "ref/resource", uri: "mnem://memory/{id}" },
    argument: { name: "id", value: "p" },
  }],
  ["logging/setLevel", { level: "info" }],
];

const NOTIFICATIONS: readonly (readonly [string, object])[] = [
  ["notifications/initialized", {}],
  ["notifications/cancelled", { requestId: 3, reason: "no more" }],
  ["notifications/progress", { progressToken: 1, progress: 0.5 }],
  ["notifications/roots/list_changed", {}],
];

/** How many kinds of frames there are: each is drawn in turn. */
export const KINDS: number = REQUESTS.length + NOTIFICATIONS.length + 1;

/** A valid frame of a kind, as a message. A request carries the id, text for some. */
export function validFrame(
  kind: number,
  options: { readonly era: Era; readonly id: number; readonly chance: Chance },
): object {
  const { era, id, chance } = options;
  const meta = era === "modern" ? { _meta: ENVELOPE } : {};
  const request = REQUESTS[kind];
  if (request !== undefined) {
    const [method, params] = request;
    const token = chance.below(4) > 0
      ? {}
      : { _meta: { ...meta._meta, progressToken: id } };
    return {
      jsonrpc: "2.0",
      id: chance.below(4) > 0 ? id : `r-${id}`,
      method,
      params: { ...params, ...meta, ...token },
    };
  }
  const notification = NOTIFICATIONS[kind - REQUESTS.length];
  if (notification !== undefined) {
    const [method, params] = notification;
    return { jsonrpc: "2.0", method, params: { ...params, ...meta } };
  }
  return chance.below(2) === 0
    ? { jsonrpc: "2.0", id, result: { roots: [] } }
    : { jsonrpc: "2.0", id, error: { code: -32601, message: "no", data: 1 } };
}

/** What a client of an era sends first, with the id `first`. */
export function firstFrame(era: Era): string {
  return era === "modern" ? listFrame(era, "first") : `${
    JSON.stringify({
      jsonrpc: "2.0",
      id: "first",
      method: "initialize",
      params: HANDSHAKE,
    })
  }\n`;
}

/** A request that a server in order answers with a result. */
export function listFrame(era: Era, id: string): string {
  const params = era === "modern" ? { _meta: ENVELOPE } : {};
  return `${
    JSON.stringify({ jsonrpc: "2.0", id, method: "tools/list", params })
  }\n`;
}
