/**
 * Deno KV in memory in the place of the real one: every store that a process opens by its folder, and
 * every database that it makes beside one, has its calls fail where a test wants it.
 *
 * @module
 */

import { writeFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import type {
  AtomicWrite,
  Driver,
  Key,
  RowRange,
} from "../../core/storage/driver.ts";
import type {
  KvAtomicLike,
  KvEntryLike,
  KvKeyPart,
  KvLike,
} from "../../core/storage/kv_driver.ts";
import { FaultDriver, type FaultPlan } from "./fault_driver.ts";
import { MemoryKv } from "./memory_kv.ts";
import { tempFolder } from "./temp_folder.ts";

/** Every database of this process, until the end of the scope. */
export class FaultKv implements Disposable {
  // Files are known by their number, for a database is moved when an import is whole.
  readonly #databases = new Map<number, MemoryKv>();
  readonly #drivers = new Set<FaultDriver>();
  readonly #empty: Uint8Array;
  readonly #real: PropertyDescriptor;
  #plan: FaultPlan = () => undefined;
  #calls = 0;

  private constructor(empty: Uint8Array, real: PropertyDescriptor) {
    this.#empty = empty;
    this.#real = real;
  }

  /** Takes the place of Deno KV. */
  static async install(): Promise<FaultKv> {
    const real = Object.getOwnPropertyDescriptor(Deno, "openKv");
    if (real === undefined) throw new Error("Deno KV is switched off");
    const kv = new FaultKv(await emptyDatabase(), real);
    Object.defineProperty(Deno, "openKv", {
      value: (path: string) => kv.#open(path),
      configurable: true,
    });
    return kv;
  }

  /** Gives the real one its place back. */
  [Symbol.dispose](): void {
    Object.defineProperty(Deno, "openKv", this.#real);
  }

  /** Storage calls, of whatever database, since the last {@linkcode FaultKv.arm}. */
  get calls(): number {
    return this.#calls;
  }

  /** Takes a plan, whose calls are counted over all databases, and counts from the beginning. */
  arm(plan: FaultPlan): void {
    this.#plan = plan;
    this.#calls = 0;
  }

  /** Lets all calls go well again, and carries out the commits that are late. */
  async rest(): Promise<void> {
    this.arm(() => undefined);
    for (const driver of this.#drivers) await driver.flush();
    this.#drivers.clear();
  }

  /** The database of a file. */
  async at(file: string): Promise<MemoryKv> {
    const { ino } = await stat(file);
    const kv = this.#databases.get(ino);
    if (kv === undefined) throw new Error(`${file} was never opened`);
    return kv;
  }

  /** Puts another database into the place of a file. */
  async put(file: string, kv: MemoryKv): Promise<void> {
    const { ino } = await stat(file);
    this.#databases.set(ino, kv);
  }

  /** A handle on a database whose calls go by the plan too. */
  open(kv: MemoryKv): FaultDriver {
    const driver = new FaultDriver(kv.open(), (call) => {
      this.#calls++;
      return this.#plan({ ...call, index: this.#calls });
    });
    this.#drivers.add(driver);
    return driver;
  }

  async #open(path: string): Promise<KvLike> {
    const there = await stat(path).catch(() => undefined);
    if (there === undefined) {
      // What looks at the file before it is opened finds a database of KV.
      writeFileSync(path, this.#empty);
      await this.put(path, new MemoryKv());
    }
    return clientOf(this.open(await this.at(path)));
  }
}

async function emptyDatabase(): Promise<Uint8Array> {
  await using folder = await tempFolder();
  const file = `${folder.path}/kv.db`;
  (await Deno.openKv(file)).close();
  return await Deno.readFile(file);
}

/** A driver as a client of KV, whose errors are given their meaning by the driver above it. */
function clientOf(driver: Driver): KvLike {
  return {
    async getMany(keys) {
      const rows = await driver.getMany(keys.map(plainKey));
      return rows.map((row, i) =>
        row ?? { key: keys[i] ?? [], value: null, versionstamp: null }
      );
    },
    list: ({ start, end }, { limit, reverse }): AsyncIterable<KvEntryLike> =>
      driver.list(rangeOf(start, end), {
        reverse,
        ...limit === undefined ? {} : { limit },
      }),
    atomic: () => atomicOn(driver),
    close: () => driver.close(),
  };
}

function atomicOn(driver: Driver): KvAtomicLike {
  const checks: NonNullable<AtomicWrite["checks"]>[number][] = [];
  const sets: NonNullable<AtomicWrite["sets"]>[number][] = [];
  const deletes: Key[] = [];
  return {
    check: ({ key, versionstamp }) =>
      checks.push({ key: plainKey(key), versionstamp }),
    set: (key, value) => sets.push({ key: plainKey(key), value }),
    delete: (key) => deletes.push(plainKey(key)),
    commit: () =>
      driver.commit({
        ...checks.length === 0 ? {} : { checks },
        sets,
        deletes,
      }),
  };
}

/** The driver above asks for a prefix by its first and its last possible key. */
function rangeOf(
  start: readonly KvKeyPart[],
  end: readonly KvKeyPart[],
): RowRange {
  return end.at(-1) === true
    ? { prefix: plainKey(start.slice(0, -1)) }
    : { start: plainKey(start), end: plainKey(end) };
}

function plainKey(key: readonly KvKeyPart[]): Key {
  return key.map((part) => {
    if (part === true) throw new Error("only the bound of a prefix is true");
    return part;
  });
}
