/**
 * Opens Deno KV: a file with the client that Deno has built in where it is switched on, all else with
 * that of npm. The only place that knows either of them.
 *
 * @module
 */

import { statSync } from "node:fs";
import process from "node:process";
import { backOff } from "../chance.ts";
import { monotonicMs } from "../clock.ts";
import { invariant, MnemError } from "../errors.ts";
import { COMMIT_BUDGET_MS, STORAGE_CALL_MS_MAX } from "../limits.ts";
import { inTime, withDeadline } from "./deadline.ts";
import type { Driver } from "./driver.ts";
import { kvDriver, type KvLike } from "./kv_driver.ts";
import { firstLine, isLocked, NOT_BYTES, storageError } from "./kv_errors.ts";
import { HIDDEN, isToken, remoteFetch } from "./remote_fetch.ts";
import { withWatchedFile } from "./watched_file.ts";
import type {
  LocalLocation,
  RemoteLocation,
  StoreLocation,
} from "./location.ts";

/** Which client of Deno KV: the one built into Deno, or that of npm. */
export type KvClient = Driver["name"];

/** How to open. */
export interface OpenDriverOptions {
  /** The client; that of {@linkcode chooseClient} unless a test wants the other one. */
  readonly client?: KvClient;
}

/** What is used of Deno, where it is the host. */
interface DenoHost {
  readonly openKv?: (path: string) => Promise<KvLike>;
  readonly permissions: {
    querySync(
      permission: { name: "env"; variable: string },
    ): { readonly state: string };
  };
}

/** Deno KV follows these even where it is told a path. */
const REROUTING = [
  "DENO_KV_DB_MODE",
  "DENO_KV_PATH_PREFIX",
  "DENO_KV_DEFAULT_PATH",
] as const;

const TOKEN = "DENO_KV_ACCESS_TOKEN";

/**
 * Returns the client that this process uses for a store: it must never mix the two on one file. For a
 * server it is always that of npm: a call of the native one cannot be ended, and keeps the process
 * alive until the server is back.
 */
export function chooseClient({ kind }: StoreLocation): KvClient {
  return kind === "remote" || host()?.openKv === undefined ? "npm" : "native";
}

/**
 * Opens the database at a location, making it if there is none: look with `inspectLocal` first. Every
 * call of the driver is bounded in time. The access token of a remote store is read from
 * DENO_KV_ACCESS_TOKEN. Throws `busy` for a file that stays locked, `no_store` if its folder is
 * missing, `corrupt_store` for a file that is no database, `store_io` for all else.
 */
export async function openDriver(
  location: StoreLocation,
  options: OpenDriverOptions = {},
): Promise<Driver> {
  const { client = chooseClient(location) } = options;
  const kv = await openKv(location, client);
  const driver = kvDriver(kv, client, { location: location.text });
  const { kind, text } = location;
  const bounded = withDeadline(driver, { location: text, kind });
  return kind === "local" ? withWatchedFile(bounded, location) : bounded;
}

async function openKv(
  location: StoreLocation,
  client: KvClient,
): Promise<KvLike> {
  try {
    return location.kind === "local"
      ? await openFile(location, client)
      : await openServer(location, client);
  } catch (error) {
    throw storageError(error, { location: location.text, during: "open" });
  }
}

async function openFile(
  location: LocalLocation,
  client: KvClient,
): Promise<KvLike> {
  if (client === "native") forgetRerouting();
  try {
    const kv = await untilUnlocked(() => openWith(client, location));
    if (await isOpened(kv, client, location)) return kv;
    kv.close();
    throw failure(
      location,
      `Deno KV opened no file there; unset ${REROUTING.join(", ")}`,
    );
  } catch (error) {
    if (!isMissing(location.folder)) throw error;
    const text =
      `Cannot open store "${location.text}": there is no folder "${location.folder}"`;
    throw new MnemError("no_store", text, { cause: error });
  }
}

/**
 * Whether the file is what was opened. Where this process may not look at the variables that move a
 * store elsewhere, a first read tells: it makes the log beside a file, and none beside memory.
 */
async function isOpened(
  kv: KvLike,
  client: KvClient,
  { file }: LocalLocation,
): Promise<boolean> {
  if (isMissing(file)) return false;
  if (client !== "native" || REROUTING.every(mayUse)) return true;
  await kv.getMany([["meta"]]);
  return !isMissing(`${file}-wal`);
}

async function openServer(
  location: RemoteLocation,
  client: KvClient,
): Promise<KvLike> {
  checkAccessToken(location);
  return await inTime(
    openWith(client, location),
    () =>
      failure(
        location,
        `its server gave no answer in ${STORAGE_CALL_MS_MAX} ms`,
      ),
  );
}

async function openWith(
  client: KvClient,
  location: StoreLocation,
): Promise<KvLike> {
  const path = location.kind === "local" ? location.file : location.url;
  if (client === "native") {
    const open = host()?.openKv;
    invariant(open !== undefined, "the native client is used where it exists");
    return await open(path);
  }
  const { openKv } = await importNpm(location);
  return await openKv(path, {
    // Without it the native client would be taken where there is one, and the rest dropped.
    implementation: location.kind === "local" ? "sqlite" : "remote",
    ...location.kind === "remote" && {
      accessToken: HIDDEN,
      fetcher: remoteFetch(process.env[TOKEN] ?? ""),
      maxRetries: 0,
    },
    // Bun needs them, and whatever is not bytes is refused at once.
    encodeV8: refuseValue,
    decodeV8: refuseValue,
  });
}

/** Only when it is needed: it loads an addon, which not every platform has. */
async function importNpm(
  location: StoreLocation,
): Promise<typeof import("@deno/kv")> {
  try {
    return await import("@deno/kv");
  } catch (error) {
    throw failure(
      location,
      `@deno/kv cannot be loaded; run Deno with --unstable-kv, or install it: ${
        firstLine(error)
      }`,
      error,
    );
  }
}

function refuseValue(): never {
  throw new TypeError(NOT_BYTES);
}

/** Opening takes the lock for a moment, and does not wait for it while others open. */
async function untilUnlocked<T>(attempt: () => Promise<T>): Promise<T> {
  const end = monotonicMs() + COMMIT_BUDGET_MS;
  for (let tries = 0;; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isLocked(error) || monotonicMs() >= end) throw error;
    }
    await backOff(tries);
  }
}

function forgetRerouting(): void {
  for (const name of REROUTING) {
    // Without the permission to look, `openFile` notices afterwards that the file is missing.
    if (mayUse(name)) delete process.env[name];
  }
}

/**
 * The native client ends the process over a token that no header can hold, and that of npm quotes
 * it in its error.
 */
function checkAccessToken(location: RemoteLocation): void {
  if (!mayUse(TOKEN)) return;
  const token = process.env[TOKEN] ?? "";
  if (isToken(token)) return;
  const is = token === ""
    ? "is not set"
    : "holds a character that no token has";
  throw failure(location, `the environment variable ${TOKEN} ${is}`);
}

function failure(
  location: StoreLocation,
  what: string,
  cause?: unknown,
): MnemError {
  return new MnemError(
    "store_io",
    `Cannot open store "${location.text}": ${what}`,
    { cause },
  );
}

function mayUse(variable: string): boolean {
  const deno = host();
  return deno === undefined ||
    deno.permissions.querySync({ name: "env", variable }).state === "granted";
}

function host(): DenoHost | undefined {
  const scope: { readonly Deno?: DenoHost } = globalThis;
  return scope.Deno;
}

function isMissing(path: string): boolean {
  try {
    statSync(path);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOENT";
  }
}
