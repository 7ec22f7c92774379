/**
 * One handle per store and process, shared by all who open the store: a second one would cost a
 * thread and compete for the lock, and of another SQLite library it would lose commits.
 *
 * @module
 */

import { realpathSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { MnemError } from "../errors.ts";
import type { Driver } from "./driver.ts";
import type { StoreLocation } from "./location.ts";

/** How a handle is opened if nobody in this process has one. */
export interface AcquireOptions {
  /** The client that `open` uses. */
  readonly client: Driver["name"];
  /** Opens the store; called once however many acquire it at the same time. */
  readonly open: () => Promise<Driver>;
}

/** A share in a handle. */
export interface HandleLease {
  /** The handle. Not to be closed: {@linkcode HandleLease.release} does that. */
  readonly driver: Driver;
  /**
   * What belongs to the handle rather than to one of its users: caches, queues. It lives and ends
   * with the handle. Another loaded copy of this package sees the same map, so that the keys of
   * what it cannot understand must differ from its own.
   */
  readonly attachments: Map<string | symbol, unknown>;
  /** Gives the share back; the last one closes the handle. Once is enough, twice does nothing. */
  release(): void;
}

interface SharedHandle {
  readonly opened: Promise<Driver>;
  readonly attachments: Map<string | symbol, unknown>;
  /** Which file was opened; undefined until then, and for a server. */
  identity: string | undefined;
  users: number;
}

interface Registry {
  /** By real path or URL. */
  readonly handles: Map<string, SharedHandle>;
  /** The client that first opened each. Kept after the end of a handle: a stuck one is never closed. */
  readonly clients: Map<string, Driver["name"]>;
}

/**
 * Takes a share in the handle of a store, opening it if nobody in this process has it open. A store
 * whose file was replaced meanwhile gets a new handle; those who hold the old one keep it. Throws
 * what `open` throws, and `store_io` for a store that this process opened with the other client.
 */
export async function acquireHandle(
  location: StoreLocation,
  options: AcquireOptions,
): Promise<HandleLease> {
  const key = keyOf(location);
  const { handles } = registry();
  while (true) {
    checkClient(key, location, options.client);
    const handle = handles.get(key) ?? openShared(key, options);
    // Counted before anything is awaited, so that nobody else's release closes it meanwhile.
    handle.users++;
    const driver = await handle.opened;
    const identity = identityOf(location);
    handle.identity ??= identity;
    if (handle.identity === identity) return leaseOf(key, handle, driver);
    if (handles.get(key) === handle) handles.delete(key);
    release(key, handle, driver);
  }
}

function openShared(key: string, options: AcquireOptions): SharedHandle {
  const { handles, clients } = registry();
  const first = !clients.has(key);
  clients.set(key, options.client);
  const opened = options.open();
  const handle = {
    opened,
    attachments: new Map(),
    identity: undefined,
    users: 0,
  };
  handles.set(key, handle);
  opened.catch(() => {
    if (handles.get(key) === handle) handles.delete(key);
    if (first) clients.delete(key);
  });
  return handle;
}

function leaseOf(
  key: string,
  handle: SharedHandle,
  driver: Driver,
): HandleLease {
  let held = true;
  return {
    driver,
    attachments: handle.attachments,
    release() {
      if (held) release(key, handle, driver);
      held = false;
    },
  };
}

function release(key: string, handle: SharedHandle, driver: Driver): void {
  handle.users--;
  if (handle.users > 0) return;
  const { handles } = registry();
  if (handles.get(key) === handle) handles.delete(key);
  driver.close();
}

function checkClient(
  key: string,
  location: StoreLocation,
  client: Driver["name"],
): void {
  const first = registry().clients.get(key) ?? client;
  if (first === client) return;
  // Two SQLite libraries on one file undo each other's locks, and commits are lost.
  throw new MnemError(
    "store_io",
    `Cannot open store "${location.text}" with the ${client} client of Deno KV: this process opened it with the ${first} one`,
  );
}

function keyOf(location: StoreLocation): string {
  if (location.kind === "remote") return location.url;
  const { folder, file } = location;
  return realPathOf(file) ??
    join(realPathOf(folder) ?? folder, basename(file));
}

/** Tells a file from one that was put in its place. */
function identityOf(location: StoreLocation): string | undefined {
  if (location.kind === "remote") return undefined;
  try {
    const { dev, ino } = statSync(location.file, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

// On the global object: two loaded copies of this package must share it.
const REGISTRY = Symbol.for("mnem.handles.1");

function registry(): Registry {
  const scope: typeof globalThis & { [REGISTRY]?: Registry } = globalThis;
  return scope[REGISTRY] ??= { handles: new Map(), clients: new Map() };
}
