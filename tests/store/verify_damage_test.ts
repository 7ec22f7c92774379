/**
 * Every kind of damage to a store, planted once: found, under its code, and named by its place.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  initStore,
  openStore,
  type VerifyFault,
  type VerifyFaultCode,
} from "@mnem/core";
import { encodeCbor } from "../../core/object/encode_cbor.ts";
import { blake3 } from "../../core/object/hash.ts";
import { fromHex, toHex } from "../../core/object/hex.ts";
import { encodeNode } from "../../core/object/memory_node.ts";
import { compareUtf8, encodeUtf8 } from "../../core/object/utf8.ts";
import { levelOf } from "../../core/state/boundary.ts";
import {
  type Chunk,
  type ChunkRef,
  type Entry,
  type Index,
  isLeaf,
  type Leaf,
} from "../../core/state/chunk.ts";
import { makeIndex, makeLeaf, refTo } from "../../core/state/make_chunk.ts";
import {
  addressOf,
  decodeAnyChunk,
  encodeChunk,
} from "../../core/storage/chunk_record.ts";
import {
  type CommitRow,
  decodeMetaBlock,
  type ListedChange,
  originOf,
} from "../../core/storage/commit_row.ts";
import type { Key } from "../../core/storage/driver.ts";
import {
  commitKey,
  HEAD_KEY,
  META_KEY,
  nodeKey,
  partKey,
  pieceKey,
  refKey,
  removalKey,
  requestMarkKey,
  STAGE_MARK_KEY,
  stagedKey,
} from "../../core/storage/keys.ts";
import { readRequests, requestsRow } from "../../core/storage/kept_requests.ts";
import { decodeRefRow } from "../../core/storage/ref_row.ts";
import { describeKey } from "../../core/storage/row.ts";
import { openStoreOn } from "../../core/store/open_store.ts";
import { makeCommit } from "../../core/store/make_commit.ts";
import { StoreReader } from "../../core/storage/store_reader.ts";
import {
  forgeCommit,
  type ForgedCommit,
  payloadOf,
  putPayload,
  recordIn,
  restore,
} from "../support/forged_rows.ts";
import type { MemoryKv } from "../support/memory_kv.ts";
import { isNoDamage, runDamage } from "../support/damage_run.ts";
import { reportFigures } from "../support/report_figures.ts";
import { tempFolder } from "../support/temp_folder.ts";
import { type RichStore, richStore } from "../support/rich_store.ts";

/** What one kind of damage does to the rows, and what must be said of it. */
interface Plant {
  readonly name: string;
  readonly code: VerifyFaultCode;
  /** A part of the text: the place. */
  readonly says: string;
  /** Nothing else is wrong because of it. */
  readonly alone?: true;
  readonly plant: () => void | Promise<void>;
}

const small = await richStore({ long: false, wide: 66 });
const packed = await richStore();
const tall = await richStore({ long: false, wide: 1_100 });
const { kv, commits } = small;

async function faultsOf(kv: MemoryKv): Promise<readonly VerifyFault[]> {
  await using store = await openStoreOn(kv.open());
  return (await store.verify()).faults;
}

/** Plants the damage once the store is open: much of it would keep it from opening. */
async function found(
  { kv }: RichStore,
  plant: Plant["plant"],
): Promise<readonly VerifyFault[]> {
  const before = kv.rows();
  await using store = await openStoreOn(kv.open());
  try {
    await plant();
    const after = kv.rows();
    const { faults } = await store.verify();
    assert.deepEqual(kv.rows(), after, "nothing is written");
    return faults;
  } finally {
    restore(kv, before);
  }
}

/** How many kinds of damage were found, by their codes. */
const foundBy = new Map<string, number>();

function testPlants(
  store: RichStore,
  what: string,
  plants: readonly Plant[],
): void {
  Deno.test(`verify() finds ${what}`, async (t) => {
    assert.deepEqual(await faultsOf(store.kv), [], "in order before");
    for (const { name, code, says, alone, plant } of plants) {
      await t.step(name, async () => {
        const faults = await found(store, plant);
        const texts = faults.map((fault) => `${fault.code}: ${fault.what}`);
        assert.ok(
          faults.some((fault) =>
            fault.code === code && fault.what.includes(says)
          ),
          `wanted ${code} with ${says}, found ${texts.join("\n") || "nothing"}`,
        );
        assert.ok(
          faults.length <= (alone ? 1 : 4),
          `one fault, not many: ${texts.join("\n")}`,
        );
        foundBy.set(code, 1 + (foundBy.get(code) ?? 0));
      });
    }
    assert.deepEqual(await faultsOf(store.kv), [], "in order after");
  });
}

const short = (id: string) => id.slice(0, 32);
const cbor = (value: Parameters<typeof encodeCbor>[0]) => encodeCbor(value);

function flip(key: Key, at = -1, db = kv): void {
  const { value } = db.row(key)!;
  const place = at < 0 ? value.length + at : at;
  value[place]! ^= 1;
  db.put(key, value);
}

function objectIn(key: Key): Uint8Array {
  return blake3(payloadOf(kv, key));
}

/** The rows of a kind. */
function keysOf(head: string, db = kv): Key[] {
  return db.rows().map(({ key }) => key).filter((key) => key[0] === head);
}

const keyOfNode = (id: string, content: number | string | boolean[]) =>
  nodeKey(id, encodeNode(id, { content }).id);
const a1 = keyOfNode("a", 1);
const requests = keysOf("k").find((key) => key.length === 3)!;
// Of a name that belongs into another row.
const digest = new Uint8Array(16).fill(
  ((requests[2] as Uint8Array)[0]! + 1) % 64,
);
const long = keysOf("n").find((key) => key[1] === "long")!;
const [pack] = keysOf("p", packed.kv).map((key) => toHex(key[1] as Uint8Array));
const META = {
  format: 1,
  hash: "blake3",
  state_form: "tree",
  default_branch: "main",
  store_id: kv.row(META_KEY)!.value.slice(0, 16),
  created: 1,
  features: [],
};
const NOWHERE = "ab".repeat(32);

testPlants(
  small,
  "damage to what may change: the store itself, HEAD, branches, the stage",
  [
    {
      name: "meta is gone",
      code: "meta",
      says: `Row ["meta"] is not stored`,
      plant: () => kv.remove(META_KEY),
    },
    {
      name: "meta has a flipped bit",
      code: "seal",
      says: `["meta"]`,
      plant: () => flip(META_KEY, 5),
    },
    {
      name: "meta is cut short",
      code: "row",
      says: `Row ["meta"] is cut short`,
      plant: () => kv.put(META_KEY, new Uint8Array(3)),
    },
    {
      name: "meta is no map",
      code: "meta",
      says: `["meta"]`,
      plant: () => putPayload(kv, META_KEY, cbor([1])),
    },
    {
      name: "meta is that of another store",
      code: "meta",
      says: "another store",
      plant: () => putPayload(kv, META_KEY, cbor(META)),
    },
    {
      name: "meta has a default branch that is no name",
      code: "meta",
      says: `"a..b"`,
      plant: () =>
        putPayload(kv, META_KEY, cbor({ ...META, default_branch: "a..b" })),
    },
    {
      name: "meta is of a later format",
      code: "version",
      says: `["meta"]`,
      plant: () => putPayload(kv, META_KEY, cbor({ ...META, format: 2 })),
    },
    {
      name: "meta names a feature",
      code: "version",
      says: "wings",
      plant: () =>
        putPayload(kv, META_KEY, cbor({ ...META, features: ["wings"] })),
    },
    {
      name: "HEAD is gone",
      code: "head",
      says: `Row ["HEAD"] is not stored`,
      plant: () => kv.remove(HEAD_KEY),
    },
    {
      name: "HEAD has a flipped bit",
      code: "seal",
      says: `["HEAD"]`,
      plant: () => flip(HEAD_KEY, 3),
    },
    {
      name: "HEAD is neither branch nor commit",
      code: "head",
      says: `["HEAD"]`,
      plant: () => putPayload(kv, HEAD_KEY, encodeUtf8("main")),
    },
    {
      name: "HEAD is on a branch that is not there",
      code: "head",
      says: `"gone"`,
      plant: () => putPayload(kv, HEAD_KEY, encodeUtf8("ref: gone")),
    },
    {
      name: "HEAD is on a commit that is not there",
      code: "link",
      says: NOWHERE,
      plant: () => putPayload(kv, HEAD_KEY, encodeUtf8(NOWHERE)),
    },
    {
      name: "HEAD is on a commit whose id only begins so",
      code: "link",
      says: commits.root,
      plant: () =>
        putPayload(
          kv,
          HEAD_KEY,
          encodeUtf8(short(commits.root) + "0".repeat(32)),
        ),
    },
    {
      name: "the branch of HEAD is gone",
      code: "head",
      says: `"main"`,
      plant: () => kv.remove(refKey("main")),
    },
    {
      name: "a branch has a flipped bit",
      code: "seal",
      says: `["r", "side"]`,
      plant: () => flip(refKey("side"), 9),
    },
    {
      name: "a branch names a commit that is not there",
      code: "link",
      says: NOWHERE,
      plant: () =>
        putPayload(kv, refKey("side"), cbor([fromHex(NOWHERE), null, null])),
    },
    {
      name: "a branch is no ref",
      code: "row",
      says: `["r", "side"]`,
      plant: () => putPayload(kv, refKey("side"), cbor(["side"])),
    },
    {
      name: "a branch has no valid name",
      code: "ref",
      says: `["r", "x..y"]`,
      plant: () =>
        putPayload(kv, refKey("x..y"), payloadOf(kv, refKey("side"))),
    },
    {
      name: "a branch has a key of bytes",
      code: "row",
      says: `["r", 0102]`,
      plant: () => kv.put(["r", new Uint8Array([1, 2])], new Uint8Array(9)),
    },
    {
      name: "a branch holds the meta block of another commit",
      code: "ref",
      says: `["r", "side"]`,
      plant: () => {
        const { commit } = decodeRefRow(payloadOf(kv, refKey("side")));
        const other = decodeRefRow(payloadOf(kv, refKey("main")));
        const forged = [fromHex(commit), other.meta, null];
        putPayload(kv, refKey("side"), cbor(forged));
      },
    },
    {
      name: "a branch holds a root chunk with other places",
      code: "ref",
      says: `["r", "main"]`,
      plant: () =>
        forgeRoot("main", (root) => {
          assert.ok(!isLeaf(root));
          const [first, second, ...rest] = root.children;
          const children = [{ ...first!, at: second!.at }, second!, ...rest];
          return { ...root, children };
        }),
    },
    {
      name: "a branch holds a root chunk with other origins",
      code: "ref",
      says: `["r", "early"]`,
      plant: async () => {
        await using store = await openStoreOn(kv.open());
        await store.createBranch("early", { at: commits.long });
        await store.on("early").write([{ id: "a", content: 3 }], {
          message: "early",
        });
        forgeRoot("early", (root) => {
          assert.ok(isLeaf(root));
          const [first, ...rest] = root.entries;
          const entries = [{ ...first!, changed: first!.born }, ...rest];
          return { ...root, entries };
        });
      },
    },
    {
      name: "a staged node has a flipped bit",
      code: "seal",
      says: `["s", "staged"]`,
      plant: () => flip(stagedKey("staged"), 4),
    },
    {
      name: "a staged node is another one",
      code: "stage",
      says: `["s", "staged"]`,
      plant: () =>
        putPayload(
          kv,
          stagedKey("staged"),
          encodeNode("x", { content: 1 }).bytes,
        ),
    },
    {
      name: "a staged node is none",
      code: "row",
      says: `["s", "staged"]`,
      plant: () =>
        putPayload(kv, stagedKey("staged"), cbor({ kind: "state", nodes: {} })),
    },
    {
      name: "the mark of the stage is gone",
      code: "stage",
      says: `["S"]`,
      plant: () => kv.remove(STAGE_MARK_KEY),
    },
    {
      name: "the mark of the stage holds something",
      code: "stage",
      says: `["S"]`,
      plant: () => putPayload(kv, STAGE_MARK_KEY, cbor(1)),
    },
    {
      name: "a row of requests has a flipped bit",
      code: "seal",
      says: describeKey(requests),
      alone: true,
      plant: () => flip(requests, 4),
    },
    ...[
      cbor(1),
      cbor([1]),
      cbor([[digest, digest, false, null, null]]),
      cbor([[digest, digest, false, null, null, "x"]]),
      cbor([[digest, digest, 0, null, null, null]]),
      cbor([[digest, null, false, null, null, null]]),
      cbor([[digest, fromHex("00"), false, null, null, null]]),
      cbor(Array(65).fill([digest, digest, false, null, null, null])),
    ].map((payload, i) => ({
      name: `a row of requests is none (${i})`,
      code: "row" as const,
      says: describeKey(requests),
      alone: true as const,
      plant: () => putPayload(kv, requests, payload),
    })),
    {
      name: "a request lies in another row than its own",
      code: "request",
      says: describeKey(requests),
      alone: true,
      plant: () =>
        putPayload(
          kv,
          requests,
          cbor([[digest, digest, false, null, null, null]]),
        ),
    },
    {
      name: "a request is kept twice",
      code: "request",
      says: describeKey(requests),
      alone: true,
      plant: () => {
        const [one] = readRequests(requests, payloadOf(kv, requests));
        const { key, value } = requestsRow("main", [one!, one!]);
        kv.put(key, value);
      },
    },
    {
      name: "a request names a commit that is not stored",
      code: "link",
      says: describeKey(requests),
      alone: true,
      plant: () => {
        const [one] = readRequests(requests, payloadOf(kv, requests));
        const lost = { ...one!, commit: "ab".repeat(16) };
        const { key, value } = requestsRow("main", [lost]);
        kv.put(key, value);
      },
    },
    {
      name: "the mark of requests is gone",
      code: "request",
      says: describeKey(requests),
      plant: () => kv.remove(requestMarkKey("main")),
    },
    {
      name: "the mark of requests holds something",
      code: "request",
      says: describeKey(requestMarkKey("main")),
      alone: true,
      plant: () => putPayload(kv, requestMarkKey("main"), cbor(1)),
    },
    {
      name: "requests are kept of what is no branch",
      code: "request",
      says: describeKey(["k", ""]),
      alone: true,
      plant: () => putPayload(kv, ["k", ""], new Uint8Array()),
    },
  ],
);

/** Forges the copy of the root chunk in the row of a branch. */
function forgeRoot(branch: string, forge: (root: Chunk) => Chunk): void {
  const ref = decodeRefRow(payloadOf(kv, refKey(branch)));
  const row = decodeMetaBlock(ref.meta!, short(ref.commit));
  const home = { self: originOf(row), pack: addressOf(row.root).pack };
  const root = encodeChunk(forge(decodeAnyChunk(ref.root!, home)), home);
  putPayload(kv, refKey(branch), cbor([fromHex(ref.commit), ref.meta, root]));
}

function indexOfBytes(all: Uint8Array, part: Uint8Array): number {
  for (let at = 0; at + part.length <= all.length; at++) {
    if (part.every((byte, i) => all[at + i] === byte)) return at;
  }
  return -1;
}

testPlants(small, "damage to nodes, removals and pieces", [
  {
    name: "a node is gone",
    code: "link",
    says: `the node "a" with the object ${toHex(objectIn(a1))}`,
    plant: () => kv.remove(a1),
  },
  {
    name: "a node has a flipped bit",
    code: "object_id",
    says: `["n", "a", `,
    plant: () => flip(a1),
  },
  {
    name: "a node has an unknown form",
    code: "row",
    says: `["n", "a", `,
    plant: () => flip(a1, 0),
  },
  {
    name: "a node is empty",
    code: "row",
    says: `["n", "a", `,
    plant: () => kv.put(a1, new Uint8Array()),
  },
  {
    name: "a node lies under the id of another",
    code: "object_id",
    says: `holds the node "x"`,
    plant: () => {
      const { id, bytes } = encodeNode("x", { content: 1 });
      putPayload(kv, ["n", "a", id.slice(0, 16)], bytes);
    },
  },
  {
    name: "a node is an object of another kind",
    code: "row",
    says: `["n", "a", `,
    plant: () => {
      const bytes = cbor({ kind: "state", nodes: {} });
      putPayload(kv, nodeKey("a", blake3(bytes)), bytes);
    },
  },
  {
    name: "a node is of a later version",
    code: "version",
    says: `["n", "a", `,
    plant: () => {
      const bytes = cbor({ kind: "memory_node_2" });
      putPayload(kv, nodeKey("a", blake3(bytes)), bytes);
    },
  },
  {
    name: "a node with a short id lies where those of imports do",
    code: "object_id",
    says: `["N", `,
    plant: () => {
      const { id, bytes } = encodeNode("x", { content: 1 });
      const key = ["N", blake3(encodeUtf8("x")), id.slice(0, 16)];
      putPayload(kv, key, bytes);
    },
  },
  {
    name: "a key of a node lacks its last part",
    code: "row",
    says: `["n", "a"]`,
    plant: () => kv.put(["n", "a"], new Uint8Array([1])),
  },
  {
    name: "a piece of a node is gone",
    code: "link",
    says: `["n", "long", `,
    plant: () => kv.remove(pieceKey(objectIn(long).slice(0, 16), 1)),
  },
  {
    name: "a piece of a node has a flipped bit",
    code: "object_id",
    says: `["n", "long", `,
    plant: () => flip(pieceKey(objectIn(long).slice(0, 16), 0), 77),
  },
  {
    name: "a node points to its pieces in no known way",
    code: "row",
    says: `["n", "long", `,
    plant: () => kv.put(long, new Uint8Array([2, 0x80])),
  },
  {
    name: "the mark of a removal is gone",
    code: "removal",
    says: `Commit ${commits.removal} removed the node "a"`,
    plant: () => kv.remove(removalKey("a", commits.removal)),
  },
  {
    name: "a commit is said to have removed what it did not",
    code: "removal",
    says: `["d", "b", ${short(commits.edit)}]`,
    plant: () => kv.put(removalKey("b", commits.edit), new Uint8Array()),
  },
  {
    name: "a root is said to have removed something",
    code: "removal",
    says: `["d", "b", ${short(commits.root)}]`,
    plant: () => kv.put(removalKey("b", commits.root), new Uint8Array()),
  },
  {
    name: "the mark of a removal holds something",
    code: "row",
    says: `["d", "a", ${short(commits.removal)}]`,
    plant: () => kv.put(removalKey("a", commits.removal), new Uint8Array([1])),
  },
  {
    name: "an imported object that nothing names is another one",
    code: "object_id",
    says: `["u", `,
    plant: () => putPayload(kv, ["u", new Uint8Array(16)], cbor({ kind: "x" })),
  },
]);

/** The one leaf in the row of a commit. */
function leafIn(chunks: readonly Chunk[]): Leaf {
  const [leaf] = chunks.filter(isLeaf);
  assert.ok(leaf !== undefined);
  return leaf;
}

/** Forges an entry of the leaf that a commit of a small state made. */
function forgeEntry(
  id: string,
  node: string,
  forge: (entry: Entry) => Entry,
): void {
  forgeCommit(kv, id, (row, chunks) => {
    const old = leafIn(chunks);
    const entries = old.entries.map((entry) =>
      entry.id === node ? forge(entry) : entry
    );
    assert.notDeepEqual(entries, old.entries);
    return { records: [recordIn(row, makeLeaf(entries))] };
  });
}

function forgeChange(
  id: string,
  forge: (change: ListedChange) => ListedChange[],
): void {
  forgeCommit(kv, id, (row) => ({ changes: row.changes!.flatMap(forge) }));
}

const ofCommit = (id: string) => `Commit ${id}`;
const rowOf = (id: string) => `["c", ${short(id)}]`;
const forge = (id: string, forged: (row: CommitRow) => ForgedCommit) => () =>
  forgeCommit(kv, id, forged);

testPlants(small, "damage to commits", [
  {
    name: "a commit is gone, and its children name it",
    code: "link",
    says: commits.edit,
    plant: () => kv.remove(commitKey(commits.edit)),
  },
  {
    name: "the commit of a branch is gone",
    code: "link",
    says: `["r", "side"]`,
    plant: () => kv.remove(commitKey(commits.crossed)),
  },
  {
    name: "a commit has a flipped bit",
    code: "seal",
    says: rowOf(commits.edit),
    alone: true,
    plant: () => flip(commitKey(commits.edit), 30),
  },
  {
    name: "a commit is cut short",
    code: "row",
    says: rowOf(commits.edit),
    plant: () => kv.put(commitKey(commits.edit), new Uint8Array([1, 2])),
  },
  {
    name: "a commit has an unknown form",
    code: "row",
    says: rowOf(commits.edit),
    plant: () => {
      const key = commitKey(commits.edit);
      const { value } = kv.row(key)!;
      value[0] = 9;
      reseal(key, value);
    },
  },
  {
    name: "a commit's row is of a later version",
    code: "version",
    says: rowOf(commits.edit),
    plant: () =>
      putPayload(kv, commitKey(commits.edit), cbor([2, new Uint8Array()])),
  },
  {
    name: "a commit's row is no such thing",
    code: "row",
    says: rowOf(commits.edit),
    plant: () => putPayload(kv, commitKey(commits.edit), cbor(["x"])),
  },
  {
    name: "a commit's row goes on after its end",
    code: "row",
    says: rowOf(commits.edit),
    plant: () => {
      const payload = payloadOf(kv, commitKey(commits.edit));
      putPayload(kv, commitKey(commits.edit), new Uint8Array([...payload, 0]));
    },
  },
  {
    name: "a commit lies under the id of another",
    code: "object_id",
    says: rowOf(NOWHERE),
    plant: () =>
      putPayload(
        kv,
        commitKey(NOWHERE),
        payloadOf(kv, commitKey(commits.edit)),
      ),
  },
  {
    name: "a commit's own bytes are others",
    code: "object_id",
    says: rowOf(commits.edit),
    plant: forge(commits.edit, ({ bytes }) => {
      const other = bytes.slice();
      other[other.length - 1]! ^= 1;
      return { bytes: other };
    }),
  },
  {
    name: "a wrong generation",
    code: "graph",
    says: `${ofCommit(commits.edit)} has the generation 9, must be 2`,
    plant: forge(commits.edit, () => ({ generation: 9 })),
  },
  {
    name: "a wrong depth",
    code: "graph",
    says: `${ofCommit(commits.edit)} has the depth 1, must be 2`,
    plant: forge(commits.edit, () => ({ depth: 1 })),
  },
  {
    name: "a merge that is said to be none",
    code: "graph",
    says: `${ofCommit(commits.merge)} has the mergeDepth null, must be 4`,
    plant: forge(commits.merge, () => ({ mergeDepth: null })),
  },
  {
    name: "a skip list that leads elsewhere",
    code: "skip_list",
    says: ofCommit(commits.edit),
    plant: forge(commits.edit, ({ skips }) => ({
      skips: skips.map((skip, i) =>
        i === 1 ? { ...skip, commit: short(commits.bulk) } : skip
      ),
    })),
  },
  {
    name: "a skip list with a wrong depth",
    code: "skip_list",
    says: ofCommit(commits.removal),
    plant: forge(commits.removal, ({ skips }) => ({
      skips: skips.map((skip, i) => i === 0 ? { ...skip, depth: 1 } : skip),
    })),
  },
  {
    name: "a skip list with a wrong size",
    code: "skip_list",
    says: ofCommit(commits.removal),
    plant: forge(commits.removal, ({ skips }) => ({
      skips: skips.map((skip, i) => i === 0 ? { ...skip, size: 9 } : skip),
    })),
  },
  {
    name: "a skip list that is too short",
    code: "skip_list",
    says: ofCommit(commits.removal),
    plant: forge(
      commits.removal,
      ({ skips }) => ({ skips: skips.slice(0, -1) }),
    ),
  },
  {
    name: "a skip list that is too long",
    code: "skip_list",
    says: ofCommit(commits.removal),
    plant: forge(commits.removal, ({ skips }) => ({
      skips: [...skips, { commit: short(commits.root), depth: 0, size: 1 }],
    })),
  },
  {
    name: "a change list that leaves a change out",
    code: "changes",
    says:
      `${commits.edit} is not what differs from its first parent, at node "a"`,
    plant: () => forgeChange(commits.edit, () => []),
  },
  {
    name: "a change list with a change too many",
    code: "changes",
    says:
      `${commits.edit} is not what differs from its first parent, at node "b"`,
    plant: () =>
      forgeChange(commits.edit, (change) => [change, { ...change, id: "b" }]),
  },
  {
    name: "a change list with another object after",
    code: "changes",
    says: commits.edit,
    plant: () =>
      forgeChange(
        commits.edit,
        (change) => [{ ...change, object: change.old }],
      ),
  },
  {
    name: "a change list with another object before",
    code: "changes",
    says: commits.edit,
    plant: () =>
      forgeChange(
        commits.edit,
        (change) => [{ ...change, old: change.object }],
      ),
  },
  {
    name: "a change list that takes a change for an addition",
    code: "changes",
    says: commits.edit,
    plant: () =>
      forgeChange(commits.edit, (change) => [
        { ...change, old: null, oldOrigin: null },
      ]),
  },
  {
    name: "a change list with another writer before",
    code: "changes",
    says: commits.edit,
    plant: () =>
      forgeChange(commits.edit, (change) => [{
        ...change,
        oldOrigin: { ...change.oldOrigin!, commit: short(commits.long) },
      }]),
  },
  {
    name: "a change list with another time of the writer before",
    code: "changes",
    says: commits.edit,
    plant: () =>
      forgeChange(commits.edit, (change) => [{
        ...change,
        oldOrigin: { ...change.oldOrigin!, timeMs: 5 },
      }]),
  },
  {
    name: "a merge whose change list lacks what it brought in",
    code: "changes",
    says: commits.merge,
    plant: forge(commits.merge, ({ changes }) => {
      assert.equal(changes, null, "over 64");
      return { changes: [] };
    }),
  },
  {
    name: "a state form that is none",
    code: "row",
    says: rowOf(commits.root),
    plant: () => {
      const key = commitKey(commits.root);
      const payload = payloadOf(kv, key);
      // The last two items of the meta block of a root with three changes: the form, the list.
      const at = indexOfBytes(payload, new Uint8Array([0, 0x8c]));
      assert.ok(at > 0);
      payload[at] = 2;
      putPayload(kv, key, payload);
    },
  },
  {
    name: "a small state that is said to be a tree",
    code: "state",
    says: `${
      ofCommit(commits.edit)
    } has a state of 4 nodes in the form of a tree`,
    plant: forge(commits.edit, () => ({ form: "tree" })),
  },
  {
    name: "a key of a commit is too short",
    code: "row",
    says: `["c", 0102]`,
    plant: () => kv.put(["c", new Uint8Array([1, 2])], new Uint8Array(20)),
  },
]);

function reseal(key: Key, value: Uint8Array): void {
  const writer: Uint8Array[] = [cbor([...key])];
  const body = value.subarray(0, value.length - 8);
  const sealed = blake3(new Uint8Array([...writer[0]!, ...body]));
  value.set(sealed.subarray(0, 8), body.length);
  kv.put(key, value);
}

testPlants(small, "damage to states and to what their entries say", [
  {
    name: "an entry that says another commit wrote it",
    code: "origin",
    says: `Node "a" of commit ${commits.edit} is said to be written by commit ${
      short(commits.root)
    }`,
    plant: () =>
      forgeEntry(
        commits.edit,
        "a",
        (entry) => ({ ...entry, changed: entry.born }),
      ),
  },
  {
    name: "an entry that was not touched and says that it was",
    code: "origin",
    says: `Node "b" of commit ${commits.edit} is said to be written by commit ${
      short(commits.edit)
    }`,
    plant: () =>
      forgeCommit(kv, commits.edit, (row, chunks) => {
        const { entries } = leafIn(chunks);
        const own = entries.find(({ id }) => id === "a")!.changed;
        const forged = entries.map((entry) =>
          entry.id === "b" ? { ...entry, changed: own } : entry
        );
        return { records: [recordIn(row, makeLeaf(forged))] };
      }),
  },
  {
    name: "an entry that says another commit added it",
    code: "origin",
    says: `Node "a" of commit ${commits.edit} is said to be added by commit ${
      short(commits.edit)
    }`,
    plant: () =>
      forgeEntry(
        commits.edit,
        "a",
        (entry) => ({ ...entry, born: entry.changed }),
      ),
  },
  {
    name: "a merge that keeps our birth of a node, though theirs is earlier",
    code: "origin",
    says:
      `Node "twin" of commit ${commits.merge} is said to be added by commit ${
        short(commits.removal)
      }, and was by ${short(commits.side)}`,
    plant: () =>
      forgeCommit(kv, commits.merge, (row, chunks) => ({
        records: chunks.map((chunk) => recordIn(row, birthOfTwin(chunk))),
      })),
  },
  {
    name: "an origin that is a later commit",
    code: "origin",
    says: `Node "a" of commit ${commits.edit}`,
    plant: () =>
      forgeEntry(commits.edit, "a", (entry) => ({
        ...entry,
        changed: { ...entry.changed, commit: short(commits.revert) },
      })),
  },
  {
    name: "an origin that is no commit",
    code: "link",
    says: short(NOWHERE),
    plant: () =>
      forgeEntry(commits.edit, "a", (entry) => ({
        ...entry,
        born: { ...entry.born, commit: short(NOWHERE) },
      })),
  },
  {
    name: "an origin with another time",
    code: "origin",
    says: `chunk 0 of row ${rowOf(commits.edit)}`,
    plant: () =>
      forgeEntry(commits.edit, "a", (entry) => ({
        ...entry,
        born: { ...entry.born, timeMs: 7 },
      })),
  },
  {
    name: "an origin with another generation",
    code: "origin",
    says: `chunk 0 of row ${rowOf(commits.edit)}`,
    plant: () =>
      forgeEntry(commits.edit, "a", (entry) => ({
        ...entry,
        born: { ...entry.born, generation: 1 },
      })),
  },
  {
    name: "a leaf that is another than its commit names",
    code: "object_id",
    says: `chunk 0 of row ${rowOf(commits.edit)}`,
    plant: () =>
      forgeEntry(
        commits.edit,
        "a",
        (entry) => ({ ...entry, object: blake3(entry.object) }),
      ),
  },
  {
    name: "a leaf that cannot be read",
    code: "row",
    says: `hunk 0 of row ${rowOf(commits.edit)}`,
    plant: () =>
      forgeCommit(kv, commits.edit, () => ({ records: [cbor([0, 1])] })),
  },
  {
    name: "a leaf that is gone from the row",
    code: "link",
    says: `chunk 0 of row ${rowOf(commits.edit)} is not there`,
    plant: () => forgeCommit(kv, commits.edit, () => ({ records: [] })),
  },
  {
    name: "a root that is said to lie in a row that is not there",
    code: "link",
    says: rowOf(NOWHERE),
    plant: forge(commits.edit, ({ root }) => ({
      root: { ...root, at: { pack: short(NOWHERE), part: 0, index: 0 } },
    })),
  },
  {
    name: "a root that is said to lie at no possible place",
    code: "link",
    says: commits.edit,
    plant: forge(commits.edit, ({ root }) => ({
      root: { ...root, at: { pack: "ab".repeat(4_000), part: 1, index: 0 } },
    })),
  },
  {
    name: "a root with another count",
    code: "tree",
    says: `The root of commit ${commits.edit}`,
    plant: forge(commits.edit, ({ root }) => ({ root: { ...root, count: 3 } })),
  },
  {
    name: "a root with another first id",
    code: "tree",
    says: `The root of commit ${commits.edit}`,
    plant: forge(commits.edit, ({ root }) => ({ root: { ...root, key: "b" } })),
  },
  {
    name: "the state of a commit before in the place of its own",
    code: "state",
    says: ofCommit(commits.edit),
    plant: () => {
      let before: CommitRow | undefined;
      forgeCommit(kv, commits.long, (row) => (before = row, {}));
      forgeCommit(
        kv,
        commits.edit,
        () => ({ root: before!.root, changes: [] }),
      );
    },
  },
  {
    name: "two entries in the wrong order",
    code: "tree",
    says: `chunk 0 of row ${rowOf(commits.edit)} is not in order`,
    plant: () =>
      forgeLeaf(
        commits.edit,
        (entries) => [entries[1]!, entries[0]!, ...entries.slice(2)],
      ),
  },
  {
    name: "an entry given twice",
    code: "tree",
    says: `chunk 0 of row ${rowOf(commits.edit)} is not in order`,
    plant: () =>
      forgeLeaf(commits.edit, (entries) => [entries[0]!, ...entries]),
  },
]);

testPlants(packed, "damage to packs", [
  {
    name: "a pack is said to have removed what its commit kept",
    code: "removal",
    says: `["d", "b", ${pack}]`,
    plant: () => packed.kv.put(removalKey("b", pack!), new Uint8Array()),
  },
  {
    name: "a part of a pack is gone",
    code: "link",
    says: `there is no row ["p", ${pack}, 00000001]`,
    plant: () => packed.kv.remove(partKey(pack!, 1)),
  },
  {
    name: "part 0 of a pack is gone",
    code: "link",
    says: `Pack ${pack}`,
    plant: () => packed.kv.remove(partKey(pack!, 0)),
  },
  {
    name: "a part of a pack has a flipped bit",
    code: "seal",
    says: `["p", ${pack}, 00000001]`,
    alone: true,
    plant: () => flip(partKey(pack!, 1), 40, packed.kv),
  },
  {
    name: "part 0 of a pack has a flipped bit",
    code: "seal",
    says: `["p", ${pack}, 00000000]`,
    alone: true,
    plant: () => flip(partKey(pack!, 0), 3, packed.kv),
  },
  {
    name: "part 0 of a pack names no commit",
    code: "row",
    says: `["p", ${pack}, 00000000]`,
    alone: true,
    plant: () => putPayload(packed.kv, partKey(pack!, 0), cbor(null)),
  },
  {
    name: "a part of a pack is no such thing",
    code: "row",
    says: `["p", ${pack}, 00000001]`,
    plant: () => putPayload(packed.kv, partKey(pack!, 1), cbor("x")),
  },
  {
    name: "a pack of another commit",
    code: "origin",
    says: packed.commits.bulk,
    plant: () => {
      const { timeMs, generation } = { timeMs: 1_001, generation: 0 };
      const forged = [fromHex(short(packed.commits.root)), timeMs, generation];
      putPayload(packed.kv, partKey(pack!, 0), cbor(forged));
    },
  },
  {
    name: "a pack with another time of its commit",
    code: "origin",
    says: `Pack ${pack}`,
    plant: () =>
      putPayload(
        packed.kv,
        partKey(pack!, 0),
        cbor([fromHex(short(packed.commits.bulk)), 5, 2]),
      ),
  },
  {
    name: "a pack of a commit that is not there",
    code: "link",
    says: `Pack ${"cd".repeat(16)} names the commit ${short(NOWHERE)}`,
    plant: () =>
      putPayload(
        packed.kv,
        partKey("cd".repeat(16), 0),
        cbor([fromHex(short(NOWHERE)), 5, 2]),
      ),
  },
  {
    name: "a key of a pack is too short",
    code: "row",
    says: `["p", 01]`,
    plant: () => packed.kv.put(["p", new Uint8Array([1])], new Uint8Array(20)),
  },
]);

/** The chunk, in which twin was born where it was written. */
function birthOfTwin(chunk: Chunk): Chunk {
  if (!isLeaf(chunk)) return chunk;
  return makeLeaf(
    chunk.entries.map((entry) =>
      entry.id === "twin" ? { ...entry, born: entry.changed } : entry
    ),
  );
}

/** Puts another leaf in the place of the one that is a commit's whole state, and names it. */
function forgeLeaf(
  id: string,
  forge: (entries: readonly Entry[]) => readonly Entry[],
): void {
  forgeCommit(kv, id, (row, chunks) => {
    const leaf = makeLeaf(forge(leafIn(chunks).entries));
    const root = { ...refTo(leaf), at: row.root.at };
    return { root, records: [recordIn(row, leaf)] };
  });
}

/** The index at the root of a commit of the tall store, forged and named by the commit. */
function forgeIndex(forge: (index: Index) => Index): () => void {
  return () =>
    forgeCommit(tall.kv, tall.commits.side, (row, chunks) => {
      const at = chunks.findIndex((chunk) =>
        chunk.id === undefined ||
        !isLeaf(chunk) && toHex(chunk.id) === toHex(row.root.id)
      );
      const old = chunks[at];
      assert.ok(old !== undefined && !isLeaf(old));
      const index = forge(old);
      const root = { ...refTo(index), at: row.root.at };
      const records = chunks.map((chunk, i) =>
        recordIn(row, i === at ? index : chunk)
      );
      return { root, records };
    });
}

/** Puts other leaves in the place of one of the tall store, and names them all the way up. */
function forgeLeaves(
  forge: (leaf: Leaf, next: string) => readonly Leaf[],
): () => void {
  return () =>
    forgeCommit(tall.kv, tall.commits.side, (row, chunks) => {
      const pack = short(row.commit.id);
      const leaf = chunks.filter(isLeaf).find(({ count }) => count > 3);
      assert.ok(leaf !== undefined);
      const keys = chunks.flatMap((chunk) =>
        isLeaf(chunk) ? [] : chunk.children.map(({ key }) => key)
      );
      const next = keys[keys.indexOf(leaf.entries[0]!.id) + 1] ?? "";
      const leaves = forge(leaf, next);
      const placed = (chunk: Chunk, index: number): ChunkRef => ({
        ...refTo(chunk),
        at: { pack, part: 0, index },
      });
      // Children come before parents: each is named anew by what comes later.
      const named = new Map<string, ChunkRef[]>();
      const forged = chunks.map((chunk, index) => {
        if (chunk === leaf) {
          const refs = leaves.map((one, i) =>
            placed(one, i === 0 ? index : chunks.length + i - 1)
          );
          named.set(toHex(chunk.id), refs);
          return leaves[0]!;
        }
        if (isLeaf(chunk)) return chunk;
        const now = makeIndex(
          chunk.level,
          chunk.children.flatMap((child) =>
            named.get(toHex(child.id)) ?? [child]
          ),
        );
        named.set(toHex(chunk.id), [placed(now, index)]);
        return now;
      });
      const [root] = named.get(toHex(row.root.id)) ?? [];
      const all = [...forged, ...leaves.slice(1)];
      return { root: root!, records: all.map((one) => recordIn(row, one)) };
    });
}

const tallRoot = `of row ["c", ${short(tall.commits.side)}]`;

testPlants(tall, "damage to the tree of a large state", [
  {
    name: "an index that counts wrong",
    code: "tree",
    says: tallRoot,
    plant: forgeIndex(({ level, children: [first, ...rest] }) =>
      makeIndex(level, [{ ...first!, count: first!.count + 1 }, ...rest])
    ),
  },
  {
    name: "an index with a wrong first id of a child",
    code: "tree",
    says: tallRoot,
    plant: forgeIndex(({ level, children: [first, ...rest] }) =>
      makeIndex(level, [{ ...first!, key: `${first!.key}!` }, ...rest])
    ),
  },
  {
    name: "an index with two children in the wrong order",
    code: "tree",
    says: `${tallRoot} is not in order`,
    plant: forgeIndex(({ level, children: [first, second, ...rest] }) =>
      makeIndex(level, [second!, first!, ...rest])
    ),
  },
  {
    name: "an index over a single chunk",
    code: "tree",
    says: `The root of commit ${tall.commits.side}`,
    plant: forgeIndex(({ level, children: [first] }) =>
      makeIndex(level, [first!])
    ),
  },
  {
    name: "an index that leaves a child out",
    code: "state",
    says: ofCommit(tall.commits.side),
    plant: forgeIndex(({ level, children: [first, , ...rest] }) =>
      makeIndex(level, [first!, ...rest])
    ),
  },
  {
    name: "an index that names a chunk by another id",
    code: "object_id",
    says: `that commit ${tall.commits.side} names`,
    plant: forgeIndex(({ level, children: [first, ...rest] }) =>
      makeIndex(level, [{ ...first!, id: blake3(first!.id) }, ...rest])
    ),
  },
  {
    name: "an index without children",
    code: "tree",
    says: tallRoot,
    plant: forgeIndex(({ level }) => makeIndex(level, [])),
  },
  {
    name: "a leaf that begins where the tree has no chunk begin",
    code: "tree",
    says: "does not belong at this place of the tree",
    plant: forgeLeaves(({ entries }) => [
      makeLeaf(entries.slice(0, 2)),
      makeLeaf(entries.slice(2)),
    ]),
  },
  {
    name: "a leaf that goes on after the next one begins",
    code: "tree",
    says: "begins before the one before it ends",
    plant: forgeLeaves((leaf, next) => {
      const last = leaf.entries.at(-1)!;
      assert.ok(compareUtf8(last.id, next) < 0);
      // The first text after it that starts no chunk.
      let id = `${next}!`;
      while (levelOf(id) > 0) id += "!";
      return [makeLeaf([...leaf.entries, { ...last, id }])];
    }),
  },
  {
    name: "a leaf without entries",
    code: "tree",
    says: "is empty",
    plant: forgeLeaves(() => [makeLeaf([])]),
  },
  {
    name: "an entry that starts a leaf within another",
    code: "tree",
    says: "does not belong at this place of the tree",
    plant: forgeLeaves((leaf) => {
      const first = leaf.entries[0]!;
      let id = `${first.id}!`;
      while (levelOf(id) === 0) id += "!";
      assert.ok(compareUtf8(id, leaf.entries[1]!.id) < 0);
      const entries = [first, { ...first, id }, ...leaf.entries.slice(1)];
      return [makeLeaf(entries)];
    }),
  },
  {
    name: "a large state that is said to be flat",
    code: "state",
    says: ofCommit(tall.commits.side),
    plant: () =>
      forgeCommit(tall.kv, tall.commits.side, () => ({ form: "flat" })),
  },
]);

Deno.test("docs/FORMAT.md: each code of a fault was planted and found", async () => {
  const page = await Deno.readTextFile(
    new URL("../../docs/FORMAT.md", import.meta.url),
  );
  const [section = ""] = page.split("## 7. Verify")[1]?.split("\n## ") ?? [];
  const codes = [...section.matchAll(/^\| `(\w+)` +\|/gm)].map(([, code]) =>
    code
  );
  assert.ok(codes.length >= 16);
  assert.deepEqual(codes.sort(), [...foundBy.keys()].sort());
  const planted = [...foundBy.values()].reduce((sum, count) => sum + count, 0);
  reportFigures("damage", { planted, found: planted, codes: codes.length });
});

Deno.test("verify() finds commits that were made of lies", async () => {
  const { kv, commits } = small;
  const reader = new StoreReader(kv.open());
  const parent = await reader.commit(short(commits.edit));
  const parts = {
    root: parent.root,
    state: { id: fromHex(parent.commit.state), form: "flat" },
    changes: [],
    message: "lies",
    author: "me",
    timeMs: 1,
  } as const;
  const plant = (made: ReturnType<typeof makeCommit>) => () => {
    const { key, value } = made.framed;
    kv.put(key, value);
  };
  const state = makeCommit({
    ...parts,
    parents: [parent],
    state: { id: blake3(new Uint8Array()), form: "flat" },
  });
  const [wrong, ...rest] = await found(small, plant(state));
  assert.equal(wrong?.code, "state");
  assert.ok(wrong.what.startsWith(ofCommit(state.row.commit.id)));
  assert.deepEqual(rest, []);
  const gone = {
    ...parent,
    commit: { ...parent.commit, id: NOWHERE },
  };
  const orphan = makeCommit({ ...parts, parents: [gone] });
  const [missing, ...others] = await found(small, plant(orphan));
  assert.equal(missing?.code, "link");
  assert.equal(
    missing.what,
    `Commit ${orphan.row.commit.id} names the commit ${NOWHERE}, which is not stored`,
  );
  assert.deepEqual(others, []);
  const twin = {
    ...parent,
    commit: { ...parent.commit, id: short(commits.edit) + "0".repeat(32) },
  };
  const mistaken = makeCommit({ ...parts, parents: [twin] });
  const [other, ...more] = await found(small, plant(mistaken));
  assert.equal(other?.code, "link");
  assert.ok(other.what.endsWith(`but ${commits.edit} is stored`));
  assert.deepEqual(more, []);
});

Deno.test("verify() finds random damage to any row, but a lost branch and a lost staged change", async () => {
  const seed = Number(Deno.env.get("MNEM_TEST_SEED") ?? 17);
  const found = await runDamage(kv, { seed, trials: 60, isNone: isNoDamage });
  const kinds = new Set([...found.keys()].map((name) => name.split(" ")[0]));
  const heads = new Set(kv.rows().map(({ key }) => String(key[0])));
  // A mark of a removal is damaged in two ways only, and may be spared.
  assert.ok(heads.isSupersetOf(kinds) && kinds.size >= heads.size - 1);
});

Deno.test("verify() names rows that the client of KV cannot return, and goes on", async () => {
  await using folder = await tempFolder();
  const edits = ["a", "b", "c"].map((id) => ({ id, content: id }));
  const made = await initStore(folder.path);
  const { commit } = await made.write(edits, { message: "three" });
  await made.write([{ id: "a", content: 2 }], { message: "one" });
  await made.close();
  // Another program's value among ours: no bytes at all.
  const foreign = await Deno.openKv(`${folder.path}/.mnem/kv.db`);
  const node = nodeKey("b", encodeNode("b", { content: "b" }).id);
  await foreign.set([...node], "text");
  await foreign.set([...commitKey(commit!)], { some: "object" });
  foreign.close();
  await using store = await openStore(folder.path);
  const { faults } = await store.verify();
  // What could not be listed is not said to be missing; the commits are read one by one.
  assert.deepEqual(faults.map(({ code }) => code), ["row", "row", "row"]);
  const texts = faults.map(({ what }) => what);
  for (const head of ["c", "n"]) {
    const rest =
      `A row ["${head}", …], and what comes after it, cannot be read`;
    assert.ok(texts.some((text) => text.startsWith(rest)), texts.join("\n"));
  }
  const row = `Row ["c", ${short(commit!)}] cannot be read`;
  assert.ok(texts.some((text) => text.startsWith(row)), texts.join("\n"));
});
