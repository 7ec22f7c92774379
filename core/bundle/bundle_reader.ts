/**
 * Reads a bundle: what it says of the store, and its objects, each checked against its id.
 *
 * @module
 */

import { MnemError } from "../errors.ts";
import { CborReader } from "../object/cbor_reader.ts";
import { CborWriter } from "../object/cbor_writer.ts";
import { isBranchName } from "../object/branch_name.ts";
import { blake3Into } from "../object/hash.ts";
import { toHex } from "../object/hex.ts";
import type { ObjectKind } from "../object/object_fields.ts";
import { isObjectId } from "../object/object_id.ts";
import { quote } from "../object/quote.ts";
import { sameId } from "../state/chunk.ts";
import { FORMAT_VERSION } from "../storage/meta_row.ts";
import type { HeadValue } from "../storage/meta_row.ts";
import { copyJson } from "./copy_json.ts";
import { JsonBytes } from "./json_bytes.ts";
import { corruptObject, ObjectReader } from "./object_reader.ts";

/** What a bundle says beside its objects. */
export interface BundleHead {
  /** The branch that may be without a commit. */
  readonly defaultBranch: string;
  /** Where HEAD points. */
  readonly head: HeadValue;
  /** Branch names to commit ids, as they are given. */
  readonly refs: ReadonlyMap<string, string>;
}

/** Takes one object; the bytes are overwritten later. */
export type ObjectSink = (
  object: {
    readonly kind: ObjectKind;
    readonly id: Uint8Array;
    readonly bytes: Uint8Array;
  },
) => void;

/**
 * Reads a whole bundle and passes on its objects in the order in which they come. Throws
 * `corrupt_store` for anything that is no bundle or does not match its id, saying where, and
 * `format_version` for a bundle or an object of a later version.
 */
export async function readBundle(
  source: AsyncIterator<Uint8Array>,
  sink: ObjectSink,
): Promise<BundleHead> {
  return await new BundleReader(source, sink).read();
}

const FIELDS = [
  "format_version",
  "hash_algo",
  "default_branch",
  "head",
  "refs",
  "objects",
];

class BundleReader {
  readonly #json: JsonBytes;
  readonly #objects: ObjectReader;
  readonly #sink: ObjectSink;
  readonly #seen = new Set<string>();
  readonly #refs = new Map<string, string>();
  #defaultBranch = "";
  #head: HeadValue = { branch: "" };

  constructor(source: AsyncIterator<Uint8Array>, sink: ObjectSink) {
    this.#json = new JsonBytes(source);
    this.#objects = new ObjectReader(this.#json);
    this.#sink = sink;
  }

  async read(): Promise<BundleHead> {
    const json = this.#json;
    await json.whole(() => json.expect(0x7b));
    await this.#members(async (name) => {
      if (this.#seen.has(name)) {
        throw corruptBundle(`it has ${quote(name)} twice`);
      }
      this.#seen.add(name);
      await this.#field(name);
    });
    await json.whole(() => {
      if (json.peek() !== -1) json.fail("its end");
    });
    for (const name of FIELDS) {
      if (!this.#seen.has(name)) {
        throw corruptBundle(`it is without ${quote(name)}`);
      }
    }
    return {
      defaultBranch: this.#defaultBranch,
      head: this.#head,
      refs: this.#refs,
    };
  }

  async #field(name: string): Promise<void> {
    switch (name) {
      case "format_version":
        return await this.#format();
      case "hash_algo": {
        const hash = await this.#text();
        if (hash !== "blake3") {
          throw corruptBundle(
            `its hash_algo is ${quote(hash)}, must be "blake3"`,
          );
        }
        return;
      }
      case "default_branch":
        this.#defaultBranch = checkedBranch(await this.#text());
        return;
      case "head":
        this.#head = headOf(await this.#text());
        return;
      case "refs":
        return await this.#readRefs();
      case "objects":
        return await this.#readObjects();
      default:
        await this.#json.whole(() => copyJson(this.#json, new CborWriter()));
    }
  }

  async #format(): Promise<void> {
    const json = this.#json;
    const format = await json.whole(() => {
      const out = new CborWriter();
      const isInteger = isNumberStart(json.peek()) &&
        json.copyNumber(out) === "integer";
      if (!isInteger) throw corruptBundle("its format_version is no integer");
      return out.finishWith((bytes) => new CborReader(bytes).readInt());
    });
    if (format > FORMAT_VERSION) {
      throw new MnemError(
        "format_version",
        `Cannot read bundle: its format is ${format}, this version reads up to ${FORMAT_VERSION}`,
      );
    }
    if (format < 1) {
      throw corruptBundle(`its format_version is ${format}, must be 1 or more`);
    }
  }

  async #readRefs(): Promise<void> {
    const json = this.#json;
    await json.whole(() => json.expect(0x7b));
    await this.#members(async (name) => {
      checkedBranch(name);
      const id = await this.#text();
      if (!isObjectId(id)) {
        throw corruptBundle(
          `the ref ${quote(name)} is ${quote(id)}, must be an object id`,
        );
      }
      if (this.#refs.has(name)) {
        throw corruptBundle(`it has the ref ${quote(name)} twice`);
      }
      this.#refs.set(name, id.toLowerCase());
    });
  }

  async #readObjects(): Promise<void> {
    const json = this.#json;
    const id = new Uint8Array(32);
    const found = new Uint8Array(32);
    let isFirst = true;
    const nextId = () => {
      if (json.take(0x7d)) return false;
      if (!isFirst) json.expect(0x2c);
      json.id(id);
      json.expect(0x3a);
      return true;
    };
    const take = (kind: ObjectKind, bytes: Uint8Array) => {
      blake3Into(bytes, found);
      if (!sameId(found, id)) {
        throw corruptObject(toHex(id), `it hashes to ${toHex(found)}`);
      }
      this.#sink({ kind, id, bytes });
    };
    await json.whole(() => json.expect(0x7b));
    while (json.now(nextId) ?? await json.whole(nextId)) {
      isFirst = false;
      this.#objects.begin(id);
      while (!this.#objects.advance()) await json.fetch();
      this.#objects.finish(take);
    }
  }

  /** Reads the members of an object whose brace was read. */
  async #members(readValue: (name: string) => Promise<void>): Promise<void> {
    const json = this.#json;
    let isFirst = true;
    for (;;) {
      const name = await json.whole(() => {
        if (json.take(0x7d)) return undefined;
        if (!isFirst) json.expect(0x2c);
        const name = json.text();
        json.expect(0x3a);
        return name;
      });
      if (name === undefined) return;
      isFirst = false;
      await readValue(name);
    }
  }

  async #text(): Promise<string> {
    return await this.#json.whole(() => this.#json.text());
  }
}

function isNumberStart(byte: number): boolean {
  return byte === 0x2d || byte >= 0x30 && byte <= 0x39;
}

/** The error of a bundle as a whole. */
export function corruptBundle(what: string): MnemError {
  return new MnemError("corrupt_store", `Cannot read bundle: ${what}`);
}

function checkedBranch(name: string): string {
  if (isBranchName(name)) return name;
  throw corruptBundle(`${quote(name)} is no name of a branch`);
}

function headOf(text: string): HeadValue {
  if (text.startsWith("ref: ")) {
    return { branch: checkedBranch(text.slice(5)) };
  }
  if (isObjectId(text)) return { commit: text.toLowerCase() };
  throw corruptBundle(
    `its head is ${quote(text)}, must be "ref: BRANCH" or an object id`,
  );
}
