/**
 * Opens and makes stores.
 *
 * @module
 */

import { systemClock } from "../clock.ts";
import { MnemError } from "../errors.ts";
import { checkBranchName } from "../object/branch_name.ts";
import { checkAuthor, checkTime } from "../object/commit.ts";
import type { Driver, Row } from "../storage/driver.ts";
import type { Position } from "../storage/head.ts";
import { HEAD_KEY, META_KEY } from "../storage/keys.ts";
import { createFolder, inspectLocal } from "../storage/local_folder.ts";
import { parseLocation, type StoreLocation } from "../storage/location.ts";
import {
  FORMAT_VERSION,
  headRow,
  metaRow,
  readMetaRow,
  type StoreMeta,
} from "../storage/meta_row.ts";
import { sameBytes } from "../storage/row.ts";
import { chooseClient, openDriver } from "../storage/open_driver.ts";
import { acquireHandle, type HandleLease } from "../storage/shared_handle.ts";
import { randomId } from "../chance.ts";
import { checkFlag, checkFunction, checkOptions } from "./check_options.ts";
import { OpenedStore } from "./opened_store.ts";
import { Session } from "./session.ts";
import { SharedStore } from "./shared_store.ts";
import type { Edit, Store } from "./surface.ts";
import { untilLanded } from "./until_landed.ts";

/**
 * Called with every commit about to be made, at every door; a throw is `refused` and nothing is written.
 * While it judges a merge or revert the branch waits for it: to write to the same branch would never end.
 */
export type Guard = (
  edits: readonly Edit[],
  context: {
    readonly branch: string;
    readonly author: string;
    readonly message: string;
  },
) => void | Promise<void>;

/** How to open a store. */
export interface OpenOptions {
  /** Makes the store if there is none. */
  readonly create?: boolean | undefined;
  /** Binds the handle to a branch; else it follows the store's HEAD. */
  readonly branch?: string | undefined;
  /** The author of commits that name none. */
  readonly author?: string | undefined;
  /** The time of commits that name none. */
  readonly clock?: (() => number) | undefined;
  /** Judges every commit before it is made. */
  readonly guard?: Guard | undefined;
}

/** How to make a store. */
export interface InitOptions {
  /** The first branch; "main" unless said otherwise. */
  readonly defaultBranch?: string | undefined;
  /** "tree" unless said otherwise: see FORMAT.md, "State". */
  readonly stateForm?: "tree" | "flat" | undefined;
}

/** How new stores are made unless said otherwise. */
const DEFAULT_BRANCH = "main";

/**
 * Opens the store in a folder, or on a Deno KV server. `no_store` where there is none, unless
 * `create` is set; `format_version` for a store of a later format, `corrupt_store` for anything
 * else that lies there.
 *
 * @example
 * ```ts
 * import { openStore } from "@mnem/core";
 *
 * const folder = await Deno.makeTempDir();
 * await using store = await openStore(folder, { create: true, author: "agent-7" });
 * const { commit } = await store.write([{ id: "plan", content: "enterprise" }], {
 *   message: "open the account",
 * });
 * console.log(commit, (await store.node("plan"))?.content);
 * ```
 */
export async function openStore(
  location: string,
  options: OpenOptions = {},
): Promise<Store> {
  const at = parseLocation(location);
  const init = settleOpen(options);
  const opened = await openShared(at, init, options.clock ?? systemClock);
  return await handleOn(opened, placeOf(at), options);
}

/**
 * Opens a store on a driver of the caller's, for tests that look at the calls below a store or make
 * them fail. Closing the handle closes the driver.
 */
export async function openStoreOn(
  driver: Driver,
  options: OpenOptions & InitOptions = {},
): Promise<Store> {
  const init = settleOpen(options);
  const lease = {
    driver,
    attachments: new Map(),
    release: () => driver.close(),
  };
  const asked = init === undefined
    ? undefined
    : { ...init, stateForm: options.stateForm };
  const opened = await share(
    "a driver",
    lease,
    asked,
    options.clock ?? systemClock,
  );
  return await handleOn(opened, "a driver", options);
}

function settleOpen(options: OpenOptions): InitOptions | undefined {
  const { branch, author, create, clock, guard } = checkOptions(options);
  if (branch !== undefined) checkBranchName(branch);
  if (author !== undefined) checkAuthor(author);
  if (clock !== undefined) checkFunction("clock", clock);
  if (guard !== undefined) checkFunction("guard", guard);
  return checkFlag("create", create) ? { defaultBranch: branch } : undefined;
}

async function handleOn(
  { shared, lease }: OpenedShared,
  place: string,
  options: OpenOptions,
): Promise<Store> {
  const { branch, author, clock = systemClock, guard } = options;
  const session = new Session(shared, lease.release, { author, clock, guard });
  const position: Position = branch === undefined
    ? { on: "head" }
    : { on: "branch", name: branch };
  const store = new OpenedStore(session, place, position);
  try {
    // A handle on a branch that does not exist would fail at every call.
    if (branch !== undefined) await store.head();
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

/**
 * Makes a store in a folder, which is made too, and opens it. `store_exists` where there is one.
 *
 * @example
 * ```ts
 * import { initStore } from "@mnem/core";
 *
 * const folder = await Deno.makeTempDir();
 * await using store = await initStore(folder, { defaultBranch: "main" });
 * console.log(await store.head()); // { branch: "main", commit: null }
 * ```
 */
export async function initStore(
  location: string,
  options: InitOptions = {},
): Promise<Store> {
  const at = parseLocation(location);
  const { shared, lease, made } = await openShared(at, options, systemClock);
  if (!made) {
    lease.release();
    throw new MnemError(
      "store_exists",
      `Cannot make a store: there is one in "${location}"`,
    );
  }
  return await handleOn({ shared, lease, made }, placeOf(at), {});
}

interface OpenedShared {
  readonly shared: SharedStore;
  readonly lease: HandleLease;
  readonly made: boolean;
}

async function openShared(
  at: StoreLocation,
  init: InitOptions | undefined,
  clock: () => number,
): Promise<OpenedShared> {
  if (init !== undefined) checkInit(init);
  const absent = at.kind === "local" && inspectLocal(at) === "absent";
  if (absent && init === undefined) throw noStore(at.text);
  const created = absent && at.kind === "local"
    ? await createFolder(at)
    : undefined;
  try {
    const client = chooseClient(at);
    const lease = await acquireHandle(at, {
      client,
      open: () => openDriver(at),
    });
    try {
      return await share(at.text, lease, init, clock);
    } catch (error) {
      lease.release();
      throw error;
    }
  } catch (error) {
    await created?.undo();
    throw error;
  }
}

async function share(
  text: string,
  lease: HandleLease,
  init: InitOptions | undefined,
  clock: () => number,
): Promise<OpenedShared> {
  const { driver, attachments } = lease;
  const storeId = randomId();
  const row = await readMeta(driver) ??
    await untilLanded("make a store", async () => {
      const there = await readMeta(driver);
      if (there !== null) return there;
      await refuseForeign(driver, text);
      if (init === undefined) throw noStore(text);
      const born = { storeId, createdMs: checkTime(clock()) };
      return await makeStore(driver, init, born);
    });
  const meta = readMetaRow(row.value);
  const known = attachments.get(SHARED);
  const shared = known instanceof SharedStore &&
      sameBytes(known.meta.storeId, meta.storeId)
    ? known
    : new SharedStore(driver, meta, row.versionstamp);
  attachments.set(SHARED, shared);
  // By its id, for the answer to the write that made it may have been lost.
  return { shared, lease, made: sameBytes(meta.storeId, storeId) };
}

// Its own in each loaded copy of this module: they share the driver, not each other's objects.
const SHARED = Symbol("mnem.shared_store");

/** The row that makes a database a store; null where there is none. */
export async function readMeta(driver: Driver): Promise<Row | null> {
  const [row] = await driver.getMany([META_KEY]);
  return row ?? null;
}

/** A database with rows but without our mark is another program's, or damaged: never adopted. */
export async function refuseForeign(
  driver: Driver,
  text: string,
): Promise<void> {
  for await (const _ of driver.list({ prefix: [] }, { limit: 1 })) {
    // A store that another process is just making has its mark by now.
    if (await readMeta(driver) !== null) return;
    throw new MnemError(
      "corrupt_store",
      `Cannot open "${text}": the database there holds rows, but no mark of a store`,
    );
  }
}

/** The new mark; undefined if others were faster. */
async function makeStore(
  driver: Driver,
  init: InitOptions,
  born: Pick<StoreMeta, "storeId" | "createdMs">,
): Promise<Row | undefined> {
  const { defaultBranch = DEFAULT_BRANCH, stateForm = "tree" } = init;
  const meta = { format: FORMAT_VERSION, stateForm, defaultBranch, ...born };
  const mark = metaRow(meta);
  const sent = await driver.commit({
    checks: [META_KEY, HEAD_KEY].map((key) => ({ key, versionstamp: null })),
    sets: [mark, headRow({ branch: defaultBranch })],
  });
  // Not read again: a read that failed would hide that it is made.
  return sent.ok ? { ...mark, versionstamp: sent.versionstamp } : undefined;
}

function checkInit(init: InitOptions): void {
  if (checkOptions(init).defaultBranch !== undefined) {
    checkBranchName(init.defaultBranch);
  }
  const form: string | undefined = init.stateForm;
  if (form !== undefined && form !== "tree" && form !== "flat") {
    throw new TypeError(
      `"stateForm" must be "tree" or "flat", got ${JSON.stringify(form)}`,
    );
  }
}

function noStore(text: string): MnemError {
  return new MnemError(
    "no_store",
    `There is no store in "${text}": make one first`,
  );
}

/**
 * Where a store lies that a text names: the absolute path of its folder, or its URL. Touches nothing.
 * Throws a TypeError or RangeError for a text that names no place.
 */
export function locateStore(location: string): string {
  return placeOf(parseLocation(location));
}

function placeOf(at: StoreLocation): string {
  return at.kind === "local" ? at.directory : at.url;
}
