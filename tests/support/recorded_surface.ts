/**
 * The public surface as it really is, and which of it a test has called.
 *
 * @module
 */

import * as agents from "@mnem/agents";
import * as core from "@mnem/core";
import { openStoreOn } from "../../core/store/open_store.ts";
import { MemoryKv } from "./memory_kv.ts";

/** The functions of both packages, and stores, whose calls are written down. */
export interface Surface {
  /** The functions of `@mnem/core`. */
  readonly core: typeof core;
  /** The functions of `@mnem/agents`. */
  readonly agents: typeof agents;
  /** A store as it is used by what is tested. */
  readonly of: (store: core.Store) => core.Store;
}

/** The surface as it is. */
export const PLAIN_SURFACE: Surface = { core, agents, of: (store) => store };

/** What stands for an object whose calls are recorded. */
const originals = new WeakMap<object, object>();

/** The surface, recording in `names` what is called: `Store.write`, `Snapshot.node`, `core.openStore`. */
export function recordedSurface(names: Set<string>): Surface {
  return {
    core: recorded(core, "core", names),
    agents: recorded(agents, "agents", names),
    of: (store) => recorded(store, "Store", names),
  };
}

/** The names of all that can be called, and of all that can be looked at. */
export async function surfaceNames(): Promise<Set<string>> {
  await using store = await openStoreOn(new MemoryKv().open(), {
    create: true,
  });
  return new Set([
    ...callsOf("core", core),
    ...callsOf("agents", agents),
    ...membersOf("Store", store),
    ...membersOf("Store", store.on("main")),
    ...membersOf("Snapshot", await store.at()),
    ...membersOf("Stage", store.stage),
  ]);
}

function callsOf(label: string, functions: object): string[] {
  return Object.entries(functions)
    .filter(([, value]) => typeof value === "function")
    .map(([name]) => `${label}.${name}`);
}

/** Own members and inherited ones; nothing private is among them. */
function membersOf(label: string, object: object): string[] {
  const names: string[] = [];
  for (
    let at = object;
    at !== Object.prototype;
    at = Object.getPrototypeOf(at)
  ) {
    names.push(...Reflect.ownKeys(at).map(String));
  }
  return names.filter((name) => name !== "constructor")
    .map((name) => `${label}.${name}`);
}

/** How what a call returns is labelled; nothing else is followed. */
const RESULTS: { readonly [name: string]: string } = {
  "Store.on": "Store",
  "Store.at": "Snapshot",
  "core.openStore": "Store",
  "core.initStore": "Store",
  "core.importBundle": "Store",
};

function recorded<T extends object>(
  target: T,
  label: string,
  names: Set<string>,
): T {
  // A copy of a module's names, for a module itself cannot be stood in for.
  const own = label === "core" || label === "agents" ? { ...target } : target;
  const proxy = new Proxy(own, {
    get(_, name) {
      const value: unknown = Reflect.get(own, name, own);
      const full = `${label}.${String(name)}`;
      if (full === "Store.stage" && typeof value === "object" && value) {
        return recorded(value, "Stage", names);
      }
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        names.add(full);
        const result: unknown = Reflect.apply(value, own, args.map(original));
        return followed(result, RESULTS[full], names);
      };
    },
  });
  originals.set(proxy, target);
  return proxy;
}

function followed(
  result: unknown,
  label: string | undefined,
  names: Set<string>,
): unknown {
  if (label === undefined || typeof result !== "object" || result === null) {
    return result;
  }
  return result instanceof Promise
    ? result.then((value) => followed(value, label, names))
    : recorded(result, label, names);
}

function original(value: unknown): unknown {
  return typeof value === "object" && value !== null
    ? originals.get(value) ?? value
    : value;
}
