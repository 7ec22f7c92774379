/**
 * The resources: what a host may keep in its context without a tool call.
 *
 * @module
 */

import { toWire } from "@mnem/agents";
import { type Json, MnemError, type Store } from "@mnem/core";
import {
  type CacheHint,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceTemplate,
  type Variables,
} from "@modelcontextprotocol/server";
import { jsonText } from "./json_text.ts";
import { COMMIT_TTL_MS } from "./limits.ts";
import { commitPage, historyPage, NO_COMMIT, recallPage } from "./pages.ts";
import type { Report } from "./tool_result.ts";
import { wireError } from "./wire_error.ts";

const MIME_TYPE = "application/json";
// A client that caches would not see its own writes.
const UNCACHED: CacheHint = { ttlMs: 0, cacheScope: "private" };
const FOR_A_DAY: CacheHint = { ttlMs: COMMIT_TTL_MS, cacheScope: "private" };

/** Adds the resources of a store to a server. */
export function registerResources(
  server: McpServer,
  store: Store,
  report: Report,
): void {
  const fixed = (
    name: string,
    title: string,
    description: string,
    read: () => Promise<Json>,
  ) =>
    server.registerResource(
      name,
      `mnem://${name}`,
      { title, description, mimeType: MIME_TYPE, cacheHint: UNCACHED },
      (uri) => readJson(uri, read, report),
    );
  fixed(
    "memory",
    "Memory",
    "The first page of current memory, as recall without arguments gives it.",
    () => recallPage(store),
  );
  fixed(
    "log",
    "Log",
    "The latest commits, as history without arguments gives them.",
    () => historyPage(store),
  );
  fixed(
    "status",
    "Status",
    "Where the store lies, its branch and its head.",
    () => status(store),
  );
  registerTemplates(server, store, report);
}

function registerTemplates(
  server: McpServer,
  store: Store,
  report: Report,
): void {
  server.registerResource(
    "node",
    new ResourceTemplate("mnem://memory/{id}", { list: undefined }),
    {
      title: "Node",
      description: "One node of current memory. The id is percent-encoded.",
      mimeType: MIME_TYPE,
      cacheHint: UNCACHED,
    },
    (uri, variables) =>
      readJson(uri, () => nodeOf(store, decoded(variables, "id")), report),
  );
  server.registerResource(
    "commit",
    new ResourceTemplate("mnem://commit/{id}", { list: undefined }),
    {
      title: "Commit",
      description:
        "What a commit changed, and the first page of memory as of it. The id is all 64 digits.",
      mimeType: MIME_TYPE,
      cacheHint: FOR_A_DAY,
    },
    (uri, variables) =>
      readJson(uri, () => commitOf(store, decoded(variables, "id")), report),
  );
}

async function readJson(
  uri: URL,
  read: () => Promise<Json>,
  report: Report,
): Promise<ReadResourceResult> {
  try {
    const text = jsonText(await read());
    return { contents: [{ uri: uri.href, mimeType: MIME_TYPE, text }] };
  } catch (error) {
    throw resourceError(uri, error, report);
  }
}

/** Returns the protocol error of a failed read: its code for a program is in `data`, beside the URI. */
function resourceError(
  uri: URL,
  error: unknown,
  report: Report,
): ProtocolError {
  const { code, message } = wireError(error);
  if (code === "internal") report(error);
  const data = { uri: uri.href, code };
  const isUriAtFault = code === "not_found" || code === "invalid_ref" ||
    code === "invalid_argument";
  return isUriAtFault
    ? new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Resource not found: ${uri.href}`,
      data,
    )
    : new ProtocolError(
      ProtocolErrorCode.InternalError,
      `${code}: ${message}`,
      data,
    );
}

async function nodeOf(store: Store, id: string): Promise<Json> {
  const node = await store.node(id);
  if (node === null) {
    throw new MnemError("not_found", `Node "${id}" is not in memory`);
  }
  return toWire(node);
}

// Only a full id: what a branch or a short id names can change, and clients keep this for a day.
function commitOf(store: Store, id: string): Promise<Json> {
  if (!/^[0-9a-f]{64}$/.test(id)) {
    throw new MnemError("invalid_ref", `"${id}" is not a commit id`);
  }
  return commitPage(store, id);
}

async function status(store: Store): Promise<Json> {
  const { branch, commit } = await store.head();
  return {
    store: store.location,
    branch,
    head: commit ?? NO_COMMIT,
    format_version: store.formatVersion,
  };
}

/** Returns a variable of a URI, which the SDK leaves percent-encoded. URIError counts as a bad argument. */
function decoded(variables: Variables, name: string): string {
  const value = variables[name];
  if (typeof value !== "string") {
    throw new TypeError(`Cannot read resource: ${name} must be one value`);
  }
  try {
    return decodeURIComponent(value);
  } catch {
    throw new TypeError(
      `Cannot read resource: "${value}" is not percent-encoded UTF-8`,
    );
  }
}
