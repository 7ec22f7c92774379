/**
 * Handles on a store on a server, each with a client and caches of its own, as processes have them.
 *
 * @module
 */

import type { InitOptions, OpenOptions, Store } from "@mnem/core";
import type { Driver } from "../../core/storage/driver.ts";
import { parseLocation } from "../../core/storage/location.ts";
import { type KvClient, openDriver } from "../../core/storage/open_driver.ts";
import { openStoreOn } from "../../core/store/open_store.ts";
import type { FaultPlace } from "./fault_run.ts";
import {
  type KvConnectServer,
  type Mishap,
  TEST_TOKEN,
} from "./kv_connect_server.ts";
import type { Chance } from "./tree_cases.ts";

/** How to open a handle. */
export interface RemoteOptions extends OpenOptions, InitOptions {
  /** The client of KV; the one that users get unless said otherwise. */
  readonly client?: KvClient;
  /** What comes between the store and the client. */
  readonly wrap?: (driver: Driver) => Driver;
}

/** Opens a handle of its own. */
export async function remoteStore(
  url: string,
  { client, wrap = (driver) => driver, ...options }: RemoteOptions = {},
): Promise<Store> {
  Deno.env.set("DENO_KV_ACCESS_TOKEN", TEST_TOKEN);
  const at = parseLocation(url);
  const driver = await openDriver(at, client === undefined ? {} : { client });
  return await openStoreOn(wrap(driver), options);
}

/** Bytes that are no answer of the protocol. */
const GARBAGE = new Uint8Array([0x0a, 0xff, 0xff, 0x03, 0x08, 0x96, 0x01]);

/** What goes wrong with an answer, on its way or at the server. */
export const MISHAPS: readonly Mishap[] = [
  "refuse",
  "lose",
  "late",
  { answer: () => new Response("busy", { status: 503 }) },
  { answer: () => new Response("broken", { status: 500 }), after: true },
  { answer: () => protobuf(GARBAGE), after: true },
  { answer: () => protobuf(new Uint8Array()) },
];

/** An answer with bytes of the test's own. */
export function protobuf(bytes: Uint8Array<ArrayBuffer>): Response {
  return new Response(bytes, {
    headers: { "content-type": "application/x-protobuf" },
  });
}

/** The store on a server whose answers go wrong; of a hundred so many. */
export async function remoteFaultPlace(
  server: KvConnectServer,
  { chance, percent, client }: {
    readonly chance: Chance;
    readonly percent: number;
    readonly client?: KvClient | undefined;
  },
): Promise<FaultPlace> {
  const options = client === undefined ? {} : { client };
  const opened: Store[] = [];
  const open = async (create: boolean) => {
    const store = await remoteStore(server.url, { ...options, create });
    opened.push(store);
    return store;
  };
  const quiet = await open(true);
  return {
    quiet,
    open: () => open(false),
    begin() {
      server.arm(({ kind }) =>
        kind !== "handshake" && chance.below(100) < percent
          ? chance.pick(MISHAPS)
          : undefined
      );
    },
    async settle() {
      server.arm(() => undefined);
      await server.settled();
    },
  };
}
