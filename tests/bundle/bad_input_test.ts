/**
 * Bundles that are wrong in one way each: every one is refused, with the code and the place, and
 * leaves nothing behind.
 *
 * @module
 */

import assert from "node:assert/strict";
import { importBundle, isMnemError, type MnemErrorCode } from "@mnem/core";
import { encodeCbor } from "../../core/object/encode_cbor.ts";
import { objectIdOf } from "../../core/object/object_id.ts";
import {
  type BundleFields,
  bundleOfContents,
  type BundleParts,
  bundleTextOf,
  commitOf,
  idOf,
  nodeOf,
  stateOf,
} from "../support/bundle_parts.ts";
import { exported, streamOf } from "../support/bundles.ts";
import { tempFolder } from "../support/temp_folder.ts";
import { tempStore } from "../support/temp_store.ts";
import { Chance } from "../support/tree_cases.ts";

const node = nodeOf("plan", "pro");
const state = stateOf({ plan: idOf(node) });
const root = commitOf({ state: idOf(state) });
const child = commitOf({ state: idOf(state), parents: [idOf(root)] });
const good: BundleParts = {
  objects: [node, state, root, child],
  head: { refs: { main: idOf(child) } },
};
const text = bundleTextOf(good);
const ABSENT = "ab".repeat(32);

/** What is refused: a bundle, the code, and what the message must say. */
type Refusal = readonly [
  string | Uint8Array,
  MnemErrorCode,
  RegExp,
];

async function refuses([bundle, code, says]: Refusal): Promise<void> {
  await using place = await tempFolder();
  const folder = `${place.path}/not/there`;
  const error = await importBundle(folder, streamOf(bundle)).then(
    async (store) => {
      await store.close();
      return undefined;
    },
    (error) => error,
  );
  assert.ok(isMnemError(error, code), `${code}: ${error}`);
  assert.match(error.message, says);
  assert.doesNotMatch(error.message, /\.$/);
  assert.deepEqual([...Deno.readDirSync(place.path)], []);
}

/** The good bundle with some of its text replaced. */
function replaced(from: string | RegExp, to: string): string {
  const other = text.replace(from, to);
  assert.notEqual(other, text);
  return other;
}

/** The good bundle with a commit more, and whatever that needs. */
function withTip(tip: BundleFields, ...more: BundleFields[]): string {
  return bundleTextOf({
    objects: [node, state, root, tip, ...more],
    head: { refs: { main: idOf(tip) } },
  });
}

/** The good bundle with a node that is not as it must be. */
function withNode(fields: BundleFields): string {
  const odd = { ...node, ...fields };
  const odds = stateOf({ plan: idOf(odd) });
  return withTip(commitOf({ state: idOf(odds) }), odds, odd);
}

Deno.test("the good bundle is taken, and gives itself again", async () => {
  await using place = await tempFolder();
  await using store = await importBundle(place.path, streamOf(text));
  assert.equal((await store.node("plan"))?.content, "pro");
  assert.equal(await exported(store), text);
});

const CASES: { readonly [name: string]: Refusal } = {
  "nothing at all": ["", "corrupt_store", /found its end at byte 0/],
  "another text": [
    "hello",
    "corrupt_store",
    /found "h" at byte 0, must be "\{"/,
  ],
  "a list": ["[]", "corrupt_store", /found "\[" at byte 0/],
  "a byte order mark": ["\ufeff" + text, "corrupt_store", /byte ef at byte 0/],
  "text after its end": [text + "x", "corrupt_store", /found "x"/],
  "a comma too many": [
    replaced('"blake3",', '"blake3",,'),
    "corrupt_store",
    /found "," at byte \d+, must be a string/,
  ],
  "a later format": [
    replaced('"format_version": 1', '"format_version": 2'),
    "format_version",
    /its format is 2, this version reads up to 1/,
  ],
  "a much later format": [
    replaced('"format_version": 1', '"format_version": 18446744073709551615'),
    "format_version",
    /its format is 18446744073709551615/,
  ],
  "format 0": [
    replaced('"format_version": 1', '"format_version": 0'),
    "corrupt_store",
    /format_version is 0/,
  ],
  "a format with a fraction": [
    replaced('"format_version": 1', '"format_version": 1.0'),
    "corrupt_store",
    /its format_version is no integer/,
  ],
  "a format that is text": [
    replaced('"format_version": 1', '"format_version": "1"'),
    "corrupt_store",
    /its format_version is no integer/,
  ],
  "another hash": [
    replaced('"blake3"', '"md5"'),
    "corrupt_store",
    /hash_algo is "md5"/,
  ],
  "no head": [
    replaced(/ {2}"head": .*\n/, ""),
    "corrupt_store",
    /without "head"/,
  ],
  "no objects": [
    '{"format_version":1,"hash_algo":"blake3","default_branch":"main","head":"ref: main","refs":{}}',
    "corrupt_store",
    /without "objects"/,
  ],
  "two heads": [
    replaced('"head"', '"head": "ref: main",\n  "head"'),
    "corrupt_store",
    /has "head" twice/,
  ],
  "a head that is neither": [
    replaced('"ref: main"', '"main"'),
    "corrupt_store",
    /its head is "main"/,
  ],
  "a head on a branch that is not there": [
    replaced('"ref: main"', '"ref: other"'),
    "corrupt_store",
    /head is on "other"/,
  ],
  "a head at no commit": [
    bundleTextOf({ ...good, head: { ...good.head, head: idOf(node) } }),
    "corrupt_store",
    /its head is \w{64}, which is no commit/,
  ],
  "a bad name of a branch": [
    replaced('"main": "', '"ma in": "'),
    "corrupt_store",
    /"ma in" is no name of a branch/,
  ],
  "a bad default branch": [
    replaced('"default_branch": "main"', '"default_branch": "HEAD"'),
    "corrupt_store",
    /"HEAD" is no name of a branch/,
  ],
  "a ref twice": [
    replaced('"main": "', `"main": "${idOf(root)}", "main": "`),
    "corrupt_store",
    /has the ref "main" twice/,
  ],
  "a ref that is no id": [
    replaced(/"main": "\w+"/, '"main": "abc"'),
    "corrupt_store",
    /the ref "main" is "abc"/,
  ],
  "a ref to nothing": [
    replaced(/"main": "\w+"/, `"main": "${ABSENT}"`),
    "corrupt_store",
    /ref "main" is abab\w+, which is no commit/,
  ],
  "a ref to a node": [
    replaced(/"main": "\w+"/, `"main": "${idOf(node)}"`),
    "corrupt_store",
    /ref "main" is \w{64}, which is no commit/,
  ],
  "a ref to a state": [
    replaced(/"main": "\w+"/, `"main": "${idOf(state)}"`),
    "corrupt_store",
    /which is no commit/,
  ],
  "an id that is none": [
    replaced(`"${idOf(root)}": {`, '"abc": {'),
    "corrupt_store",
    /must be an object id, 64 hex digits/,
  ],
  "tampered content": [
    replaced('"pro"', '"team"'),
    "corrupt_store",
    new RegExp(`object ${idOf(node)}: it hashes to \\w{64}`),
  ],
  "a tampered message": [
    replaced('"message": "m"', '"message": "n"'),
    "corrupt_store",
    /it hashes to/,
  ],
  "an integer in the place of a float": [
    bundleTextOf({
      objects: [],
      others: { [idOf(nodeOf("n", 1))]: nodeOf("n", 1.5) },
    }),
    "corrupt_store",
    /it hashes to/,
  ],
  "one object under the id of another": [
    bundleTextOf({ objects: [], others: { [idOf(node)]: state } }),
    "corrupt_store",
    /it hashes to/,
  ],
  "an object twice": [
    replaced(
      `"${idOf(node)}": {`,
      `"${idOf(node)}": ${JSON.stringify(node)}, "${idOf(node)}": {`,
    ),
    "corrupt_store",
    new RegExp(`object ${idOf(node)}: it is given twice`),
  ],
  "a field twice": [
    replaced('"message": "m"', '"message": "m", "message": "m"'),
    "corrupt_store",
    /a field is given twice/,
  ],
  "an entry of a state twice": [
    replaced('"plan": "', `"plan": "${idOf(node)}", "plan": "`),
    "corrupt_store",
    /a node is given twice/,
  ],
  "a kind of a later version": [
    bundleTextOf({ objects: [{ kind: "wormhole" }] }),
    "format_version",
    /has the kind "wormhole", which is of a later version/,
  ],
  "no kind": [
    bundleTextOf({ objects: [{ id: "a" }] }),
    "corrupt_store",
    /it has no kind/,
  ],
  "a kind that is no text": [
    bundleTextOf({ objects: [{ kind: 1 }] }),
    "corrupt_store",
    /must be a string/,
  ],
  "an object that is none": [
    bundleTextOf({ objects: [], others: { [ABSENT]: [] } }),
    "corrupt_store",
    /found "\[" at byte \d+, must be "\{"/,
  ],
  "a commit without author": [
    bundleTextOf({
      objects: [{
        kind: "commit",
        parents: [],
        state: ABSENT,
        message: "",
        time: 0,
      }],
    }),
    "corrupt_store",
    /it is a commit without "author"/,
  ],
  "a content_kind that there is not": [
    withNode({ content_kind: "fact" }),
    "corrupt_store",
    /its content_kind is "fact", must be "note" or "claim"/,
  ],
  "a node id that is no text": [
    withNode({ id: 7 }),
    "corrupt_store",
    /must be a string/,
  ],
  "an event time with a fraction": [
    withNode({ event_time: 1.5 }),
    "corrupt_store",
    /must be an integer of 64 bits/,
  ],
  "an event time that is too late": [
    withNode({ event_time: 2n ** 63n }),
    "corrupt_store",
    /must be an integer of 64 bits/,
  ],
  "an event time that is text": [
    withNode({ event_time: "now" }),
    "corrupt_store",
    /must be a value/,
  ],
  "provenance that is no object": [
    withNode({ provenance: "ticket" }),
    "corrupt_store",
    /must be "\{"/,
  ],
  "provenance with a source that is no text": [
    withNode({ provenance: { source: 1 } }),
    "corrupt_store",
    /must be a string/,
  ],
  "a state with more fields": [
    withTip(
      commitOf({ state: idOf({ ...state, more: 1 }) }),
      { ...state, more: 1 },
    ),
    "corrupt_store",
    /it has more fields than a state/,
  ],
  "an entry that is no id": [
    bundleTextOf({ objects: [{ kind: "state", nodes: { a: "b" } }] }),
    "corrupt_store",
    /must be an object id/,
  ],
  "a commit whose parents are no list": [
    bundleTextOf({
      objects: [commitOf({ state: idOf(state), parents: idOf(root) })],
    }),
    "corrupt_store",
    /must be "\["/,
  ],
  "a parent that is not there": [
    withTip(commitOf({ state: idOf(state), parents: [ABSENT] })),
    "corrupt_store",
    /its parent abab\w+ is no commit of the bundle/,
  ],
  "a parent that is a state": [
    withTip(commitOf({ state: idOf(state), parents: [idOf(state)] })),
    "corrupt_store",
    /its parent \w+ is no commit of the bundle/,
  ],
  "a second parent that is a node": [
    withTip(
      commitOf({ state: idOf(state), parents: [idOf(root), idOf(node)] }),
    ),
    "corrupt_store",
    /its parent \w+ is no commit/,
  ],
  "a state that is not there": [
    withTip(commitOf({ state: ABSENT })),
    "corrupt_store",
    /abab\w+, which it names, is no state of the bundle/,
  ],
  "a state that is a node": [
    withTip(commitOf({ state: idOf(node) })),
    "corrupt_store",
    /which it names, is no state of the bundle/,
  ],
  "a state that is a commit": [
    withTip(commitOf({ state: idOf(root) })),
    "corrupt_store",
    /which it names, is no state of the bundle/,
  ],
  "a node that is not there": [
    withTip(
      commitOf({ state: idOf(stateOf({ gone: ABSENT })) }),
      stateOf({ gone: ABSENT }),
    ),
    "corrupt_store",
    /object abab\w+: a state holds it as the node "gone", which the bundle does not have/,
  ],
  "a node that is a commit": [
    withTip(
      commitOf({ state: idOf(stateOf({ plan: idOf(root) })) }),
      stateOf({ plan: idOf(root) }),
    ),
    "corrupt_store",
    /holds it as the node "plan", and it is a commit/,
  ],
  "a state key unlike its node's id": [
    withTip(
      commitOf({ state: idOf(stateOf({ other: idOf(node) })) }),
      stateOf({ other: idOf(node) }),
    ),
    "corrupt_store",
    /holds it as the node "other", and its own id is "plan"/,
  ],
  "the same in a later commit": [
    withTip(
      commitOf({
        state: idOf(stateOf({ other: idOf(node), plan: idOf(node) })),
        parents: [idOf(root)],
      }),
      stateOf({ other: idOf(node), plan: idOf(node) }),
    ),
    "corrupt_store",
    /holds it as the node "other", and its own id is "plan"/,
  ],
  "a loose state over what is not there": [
    bundleTextOf({
      ...good,
      objects: [...good.objects, stateOf({ a: ABSENT })],
    }),
    "corrupt_store",
    /holds it as the node "a", which the bundle does not have/,
  ],
  "a loose index over a node": [
    bundleTextOf({
      ...good,
      objects: [...good.objects, {
        kind: "state_index",
        level: 1,
        count: 1,
        nodes: { plan: idOf(node) },
      }],
    }),
    "corrupt_store",
    /which it names, is no state of the bundle/,
  ],
  "a small state in the form of a tree": [
    withTip(
      commitOf({
        state: idOf({
          kind: "state_index",
          level: 1,
          count: 1,
          nodes: { plan: idOf(state) },
        }),
      }),
      {
        kind: "state_index",
        level: 1,
        count: 1,
        nodes: { plan: idOf(state) },
      },
    ),
    "corrupt_store",
    /a whole state of 1 nodes, which must be flat/,
  ],
  "an index without chunks": [
    bundleTextOf({
      ...good,
      objects: [...good.objects, {
        kind: "state_index",
        level: 1,
        count: 0,
        nodes: {},
      }],
    }),
    "corrupt_store",
    /it is no index of chunks/,
  ],
  "content nested 257 levels": [
    withNode({ content: nested(257) }),
    "corrupt_store",
    /must be nested at most 256 levels/,
  ],
  "content nested without end": [
    replaced('"pro"', "[".repeat(200_000)),
    "corrupt_store",
    /must be nested at most 256 levels/,
  ],
  "an unknown field nested without end": [
    replaced('"head"', `"x": ${'{"a":'.repeat(200_000)}, "head"`),
    "corrupt_store",
    /must be nested at most 256 levels/,
  ],
  "bytes that are no UTF-8": [
    withBytes("pro", [0x70, 0xff, 0x6f]),
    "corrupt_store",
    /found the byte ff at byte \d+, must be UTF-8/,
  ],
  "an encoded surrogate": [
    withBytes("pro", [0xed, 0xa0, 0x80]),
    "corrupt_store",
    /must be UTF-8/,
  ],
  "an escaped lone surrogate": [
    replaced('"pro"', '"\\ud800"'),
    "corrupt_store",
    /without lone surrogates/,
  ],
  "an escape that there is not": [
    replaced('"pro"', '"\\x"'),
    "corrupt_store",
    /with valid escapes/,
  ],
  "a control character": [
    replaced('"pro"', '"a\nb"'),
    "corrupt_store",
    /without control characters/,
  ],
  "a number that no double can hold": [
    replaced('"pro"', "1e400"),
    "corrupt_store",
    /a number that a double can hold/,
  ],
  "a number with a leading zero": [
    replaced('"pro"', "01"),
    "corrupt_store",
    /found "1"/,
  ],
  "NaN": [replaced('"pro"', "NaN"), "corrupt_store", /must be a value/],
  "a minus alone": [replaced('"pro"', "-"), "corrupt_store", /must be a digit/],
};

for (const [name, refusal] of Object.entries(CASES)) {
  Deno.test(`importBundle() refuses ${name}`, () => refuses(refusal));
}

Deno.test("importBundle() refuses every bundle that is cut short", async () => {
  for (let size = 0; size < text.length; size += 7) {
    await refuses([
      text.slice(0, size),
      "corrupt_store",
      /^Cannot read bundle/,
    ]);
  }
});

Deno.test("importBundle() refuses every bundle with a wrong byte in its objects, or reads the same", async () => {
  const chance = new Chance(Number(Deno.env.get("MNEM_TEST_SEED") ?? 1));
  const bytes = new TextEncoder().encode(text);
  const start = text.indexOf('"objects"') + '"objects": {'.length;
  let refused = 0;
  for (let i = 0; i < 200; i++) {
    const other = bytes.slice();
    const at = start + chance.below(bytes.length - start);
    other[at]! ^= 1 << chance.below(8);
    await using place = await tempFolder();
    try {
      await using store = await importBundle(place.path, streamOf(other));
      assert.equal(await exported(store), text, `byte ${at}`);
    } catch (error) {
      const known = isMnemError(error, "corrupt_store") ||
        isMnemError(error, "format_version");
      if (!known) throw error;
      assert.deepEqual([...Deno.readDirSync(place.path)], []);
      refused++;
    }
  }
  assert.ok(refused > 150, `${refused} refused`);
});

Deno.test("importBundle() keeps what is in a store when a bundle for it is refused", async () => {
  for (const [bundle, code] of Object.values(CASES)) {
    // Of an existing store HEAD and the default branch are its own.
    await using temp = await tempStore();
    await temp.store.write([{ id: "mine", content: 1 }], {
      message: "mine",
      timeMs: 1,
    });
    const before = await exported(temp.store);
    const files = [...Deno.readDirSync(temp.path)].map(({ name }) => name);
    await assert.rejects(
      importBundle(temp.path, streamOf(bundle), { prefix: "in/" }),
      (error) => isMnemError(error, code),
    );
    assert.equal(await exported(temp.store), before);
    assert.deepEqual(
      [...Deno.readDirSync(temp.path)].map(({ name }) => name),
      files,
    );
  }
});

Deno.test("importBundle() takes what is odd and not wrong", async () => {
  const odd = {
    "an unknown field beside the objects": replaced(
      '"head"',
      '"made_by": ["x", {"y": 1.0}], "head"',
    ),
    "other white space": text.replaceAll("\n", "\r\n\t "),
    "no white space": text.replaceAll(/\s+(?=["{}\[\]])/g, ""),
    "upper case ids": text.replaceAll(
      /"[0-9a-f]{64}"/g,
      (id) => id.toUpperCase(),
    ),
    "objects before all else": withObjectsFirst(),
    "fields in another order": replaced(
      /("kind": "memory_node"),\n\s+("id": "plan"),/,
      "$2, $1,",
    ),
    "escapes": replaced('"pro"', '"\\u0070\\u0072o"'),
  };
  for (const [name, bundle] of Object.entries(odd)) {
    await using place = await tempFolder();
    await using store = await importBundle(
      place.path,
      streamOf(bundle, { pieceBytes: 3 }),
    );
    assert.equal(await exported(store), text, name);
  }
});

Deno.test("importBundle() keeps fields of a later version, and exportBundle() writes them after all others", async () => {
  const later = { ...node, salt: "x", derived_from: { b: 1, aa: [2] } };
  const held = stateOf({ plan: idOf(later) });
  const tip = commitOf({ state: idOf(held), run: "r-1" });
  const bundle = bundleTextOf({
    objects: [later, held, tip],
    head: { refs: { main: idOf(tip) } },
  });
  await using place = await tempFolder();
  await using store = await importBundle(place.path, streamOf(bundle));
  const text = await exported(store);
  assert.deepEqual(JSON.parse(text), JSON.parse(bundle));
  assert.match(text, /"content_kind": "note",\s+"derived_from": \{\s+"aa"/);
  assert.equal((await store.blame("plan")).commit.id, idOf(tip));
});

Deno.test("importBundle() takes the last of a key that content has twice", async () => {
  const twice = nodeOf("plan", { a: 2, b: 3 });
  const held = stateOf({ plan: idOf(twice) });
  const tip = commitOf({ state: idOf(held) });
  const bundle = bundleTextOf({
    objects: [twice, held, tip],
    head: { refs: { main: idOf(tip) } },
  }).replace('"a": 2', '"a": 1, "a": 2');
  await using place = await tempFolder();
  await using store = await importBundle(place.path, streamOf(bundle));
  assert.deepEqual((await store.node("plan"))?.content, { a: 2, b: 3 });
});

Deno.test("importBundle() takes 300 random doubles that were written with their shortest digits", async () => {
  const chance = new Chance(300);
  const view = new DataView(new ArrayBuffer(8));
  const doubles: number[] = [];
  while (doubles.length < 300) {
    view.setUint32(0, chance.below(2 ** 32));
    view.setUint32(4, chance.below(2 ** 32));
    if (Number.isFinite(view.getFloat64(0))) doubles.push(view.getFloat64(0));
  }
  const bundle = bundleOfContents(doubles);
  await using place = await tempFolder();
  await using store = await importBundle(place.path, streamOf(bundle));
  const memory = await store.memory();
  doubles.forEach((value, i) =>
    assert.ok(Object.is(memory.get(`n${i}`)?.content, value), `${value}`)
  );
  assert.equal(await exported(store), bundle);
});

Deno.test("importBundle() refuses what is no stream, and options that are none", async () => {
  await using place = await tempFolder();
  const locked = streamOf(text);
  locked.getReader();
  for (
    const [bundle, says] of [
      [text, /a bundle must be a ReadableStream/],
      [null, /a bundle must be a ReadableStream/],
      [locked, /is being read already/],
    ] as const
  ) {
    await assert.rejects(
      // The types forbid it; a caller without them may do it.
      importBundle(place.path, bundle as ReadableStream<Uint8Array>),
      (error) => error instanceof TypeError && says.test(error.message),
    );
  }
  const words = new ReadableStream({
    start(controller) {
      controller.enqueue("text");
      controller.close();
    },
  });
  await assert.rejects(importBundle(place.path, words), TypeError);
  await assert.rejects(
    importBundle(place.path, streamOf(text), {
      prefix: 1 as unknown as string,
    }),
    TypeError,
  );
  await assert.rejects(
    importBundle(place.path, streamOf(text), {
      progress: 1 as unknown as () => void,
    }),
    TypeError,
  );
  assert.deepEqual([...Deno.readDirSync(place.path)], []);
});

function nested(levels: number): BundleFields["content"] {
  let value: BundleFields["content"] = [];
  for (let i = 1; i < levels; i++) value = [value!];
  return value;
}

/** The good bundle with the bytes of a text replaced. */
function withBytes(word: string, bytes: readonly number[]): Uint8Array {
  const at = text.indexOf(word);
  const all = new TextEncoder().encode(text);
  all.set(bytes, at);
  return all;
}

function withObjectsFirst(): string {
  const at = text.indexOf('"objects"');
  const end = text.lastIndexOf("}");
  const head = text.slice(1, at).trim().replace(/,$/, "");
  return `{${text.slice(at, end)}, ${head}}`;
}

Deno.test("the ids of these bundles are those of the format", () => {
  // {kind: "state", nodes: {}} of FORMAT.md, 2.1.
  assert.equal(
    idOf(stateOf({})),
    "d6f3970d8ebe9b9ed1a48d4433b2872b324aa84e97bab1cfbfa50a112a620295",
  );
  assert.equal(
    idOf(node),
    objectIdOf(encodeCbor({
      id: "plan",
      kind: "memory_node",
      content: "pro",
      content_kind: "note",
    })),
  );
});
