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
  type ReadResourceResult,
  ResourceTemplate,
  type Variables,
} from "@modelcontextprotocol/server";
import type { Completers } from "./completions.ts";
import { jsonText } from "./json_text.ts";
import { COMMIT_TTL_MS } from "./limits.ts";
import { commitPage, historyPage, NO_COMMIT, recallPage } from "./pages.ts";
import { resourceError } from "./protocol_error.ts";
import type { Report } from "./tool_result.ts";

const MIME_TYPE = "application/json";
// A client that caches would not see its own writes.
const UNCACHED: CacheHint = { ttlMs: 0, cacheScope: "private" };
const FOR_A_DAY: CacheHint = { ttlMs: COMMIT_TTL_MS, cacheScope: "private" };

/** What the resources work with. */
export interface ResourceContext {
  /** The memory. */
  readonly store: Store;
  /** Completes the ids in URIs. */
  readonly complete: Completers;
  /** Told of failures that nobody foresaw. */
  readonly report: Report;
}

/** Adds the resources of a store to a server. */
export function registerResources(
  server: McpServer,
  { store, complete, report }: ResourceContext,
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
  registerTemplates(server, { store, complete, report });
}

function registerTemplates(
  server: McpServer,
  { store, complete, report }: ResourceContext,
): void {
  server.registerResource(
    "node",
    new ResourceTemplate("mnem://memory/{id}", {
      // A list of every node would make a host that reads whole lists read the whole memory.
      list: undefined,
      complete: { id: complete.nodeId },
    }),
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
    new ResourceTemplate("mnem://commit/{id}", {
      list: undefined,
      complete: { id: complete.commit },
    }),
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
    throw resourceError(uri.href, error, report);
  }
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
