/** Format 1 against what the reference wrote: see tests/data. */
import assert from "node:assert/strict";
import { decodeCbor } from "./cbor_reader.ts";
import { type CborValue, FloatNumber } from "./cbor_value.ts";
import { CborWriter } from "./cbor_writer.ts";
import { encodeCbor } from "./encode_cbor.ts";
import { type Commit, decodeCommit, encodeCommit } from "./commit.ts";
import { checkContent, sameContent } from "./content.ts";
import { fromHex, toHex } from "./hex.ts";
import { parseBundleJson, parseJson } from "./json_reader.ts";
import { stringifyBundleJson } from "./json_writer.ts";
import { decodeNode, encodeNode, sameNode } from "./memory_node.ts";
import { objectIdOf } from "./object_id.ts";
import { isPlainObject } from "./own_property.ts";

type Fields = { readonly [name: string]: CborValue };

function fieldsOf(value: CborValue | undefined): Fields {
  assert.ok(
    typeof value === "object" && value !== null && isPlainObject(value),
  );
  return Object.fromEntries(Object.entries(value));
}

function listOf(value: CborValue | undefined): readonly CborValue[] {
  assert.ok(Array.isArray(value));
  return value;
}

function textOf(value: CborValue | undefined): string {
  assert.ok(typeof value === "string");
  return value;
}

function read(path: string): string {
  return Deno.readTextFileSync(
    new URL(`../../tests/data/${path}`, import.meta.url),
  );
}

const VECTORS = fieldsOf(parseBundleJson(read("vectors.json")));
const OBJECTS = listOf(VECTORS.objects).map(fieldsOf);

/** The stored form of an object that is given as in a bundle: ids as bytes. */
function storedForm(object: Fields): CborValue {
  const bytes = (id: CborValue) => fromHex(textOf(id));
  switch (object.kind) {
    case "state":
      return { ...object, nodes: mapValues(fieldsOf(object.nodes), bytes) };
    case "commit":
      return {
        ...object,
        parents: listOf(object.parents).map(bytes),
        state: bytes(object.state!),
      };
  }
  return object;
}

/** A Map, so that no name is special. */
function mapValues(
  fields: Fields,
  change: (value: CborValue) => CborValue,
): Map<string, CborValue> {
  return new Map(
    Object.entries(fields).map(([name, value]) => [name, change(value)]),
  );
}

/** A bundle's object in the order of its fields there, or the content vector as such an object. */
function objectOf(vector: Fields): Fields {
  if (vector.object !== undefined) return fieldsOf(vector.object);
  const content = parseBundleJson(textOf(vector.content_json));
  return {
    kind: "memory_node",
    id: vector.node_id!,
    content,
    content_kind: "note",
  };
}

function hasFloat(value: CborValue): boolean {
  if (typeof value !== "object" || value === null) return false;
  return value instanceof FloatNumber || Object.values(value).some(hasFloat);
}

/** What a caller gives for the node of a bundle. */
function encodeAsCaller(object: Fields): Uint8Array {
  const { agent_step, observation, tool_call, source, note } = fieldsOf(
    object.provenance ?? {},
  );
  const provenance = JSON.parse(
    JSON.stringify({
      agentStep: agent_step,
      observation,
      toolCall: tool_call,
      source,
      note,
    }),
  );
  const encoded = encodeNode(textOf(object.id), {
    content: checkContent(object.content, "content"),
    contentKind: object.content_kind === "claim" ? "claim" : "note",
    provenance,
    ...(object.event_time !== undefined &&
      { eventTimeMs: Number(object.event_time) }),
  });
  assert.equal(toHex(encoded.id), objectIdOf(encoded.bytes));
  return encoded.bytes;
}

Deno.test("every object of the vectors has the bytes and the id of the reference", async (t) => {
  const withBytes = OBJECTS.filter((vector) => vector.cbor !== undefined);
  assert.equal(withBytes.length, 97);
  for (const vector of withBytes) {
    await t.step(textOf(vector.name), () => {
      const bytes = encodeCbor(storedForm(objectOf(vector)));
      assert.equal(toHex(bytes), vector.cbor);
      assert.equal(objectIdOf(bytes), vector.id);
      const back = decodeCbor(bytes, { keepFloats: true });
      assert.equal(toHex(encodeCbor(back)), vector.cbor);
    });
  }
});

Deno.test("the large states of the vectors have the ids of the reference", () => {
  const states: [string, number][] = [["095 ", 40], ["096 ", 300]];
  for (const [name, size] of states) {
    const vector = OBJECTS.find((each) => textOf(each.name).startsWith(name));
    const nodes = Array.from({ length: size }, (_, i): [string, Uint8Array] => {
      const id = `k${String(i).padStart(3, "0")}`;
      return [id, encodeNode(id, { content: i }).id];
    });
    const bytes = encodeCbor({ kind: "state", nodes: new Map(nodes) });
    assert.equal(bytes.length, vector?.bytes);
    assert.equal(objectIdOf(bytes), vector?.id);
  }
});

Deno.test("encodeNode() and decodeNode() agree with the node vectors", async (t) => {
  let same = 0;
  let floats = 0;
  for (const vector of OBJECTS.filter((each) => each.cbor !== undefined)) {
    const object = objectOf(vector);
    if (object.kind !== "memory_node") continue;
    await t.step(textOf(vector.name), () => {
      const bytes = fromHex(textOf(vector.cbor));
      const node = decodeNode(bytes);
      assert.equal(node.id, object.id);
      assert.equal(node.contentKind, object.content_kind);
      if (node.id === "") return;
      if (hasFloat(object.content!)) {
        // A caller's 1.0 is 1: another object, and the same by value.
        floats++;
        const { bytes: other } = encodeNode(node.id, node);
        assert.notEqual(toHex(other), vector.cbor);
        assert.ok(sameNode(decodeNode(other), node));
        return;
      }
      same++;
      assert.equal(toHex(encodeAsCaller(object)), vector.cbor);
      assert.ok(
        sameContent(node.content, checkContent(object.content, "content")),
      );
    });
  }
  assert.ok(same > 60 && floats > 5, `${same} nodes, ${floats} with a float`);
});

Deno.test("encodeCommit() and decodeCommit() agree with the commit vectors", () => {
  const commits = OBJECTS.filter((each) =>
    each.object !== undefined && objectOf(each).kind === "commit"
  );
  assert.ok(commits.length >= 4);
  for (const vector of commits) {
    const object = objectOf(vector);
    const commit = decodeCommit(fromHex(textOf(vector.cbor)));
    assert.deepEqual(commit, {
      parents: object.parents,
      state: object.state,
      message: object.message,
      author: object.author,
      timeMs: object.time,
    });
    assert.equal(toHex(encodeCommit(commit)), vector.cbor);
  }
});

/** The node of the float vectors, its content encoded by hand. */
function floatNode(content: Uint8Array): Uint8Array {
  const writer = new CborWriter();
  writer.map(4);
  for (const text of ["id", "f", "kind", "memory_node", "content"]) {
    writer.text(text);
  }
  writer.raw(content);
  for (const text of ["content_kind", "note"]) writer.text(text);
  return writer.finish();
}

function always64(value: CborValue): Uint8Array {
  const view = new DataView(new ArrayBuffer(9));
  view.setUint8(0, 0xfb);
  view.setFloat64(
    1,
    value instanceof FloatNumber ? value.value : Number(value),
  );
  return new Uint8Array(view.buffer);
}

Deno.test("floats take the shortest form, and the other form has another id", () => {
  const floats = listOf(VECTORS.floats_both_forms).map(fieldsOf);
  assert.equal(floats.length, 27);
  for (const vector of floats) {
    const value = parseBundleJson(textOf(vector.content_json));
    const shortest = encodeCbor(value);
    assert.equal(toHex(shortest), vector.shortest);
    assert.equal(objectIdOf(floatNode(shortest)), vector.shortest_id);
    assert.equal(toHex(always64(value)), vector.always_64);
    assert.equal(objectIdOf(floatNode(always64(value))), vector.always_64_id);
  }
});

Deno.test("the poisoned agent's commits and states have the ids of the reference", () => {
  const history = fieldsOf(fieldsOf(VECTORS.histories).poisoned_agent);
  const plan = { content: "on the Enterprise plan" };
  const n1 = encodeNode("customer-4821", {
    ...plan,
    provenance: { source: "ticket-4821" },
  }).id;
  const n2 = encodeNode("primary-contact", {
    content: "alice@acme",
    provenance: { agentStep: "step-4" },
  }).id;
  const n3 = encodeNode("customer-4821", {
    ...plan,
    provenance: { source: "call-4821" },
  }).id;
  const n4 = encodeNode("customer-4821", {
    content: "downgraded to Pro last month",
    provenance: { source: "billing-note-8842", agentStep: "step-31" },
  }).id;
  const state = (nodes: { [id: string]: Uint8Array }) =>
    objectIdOf(encodeCbor({ kind: "state", nodes }));
  const s1 = state({ "customer-4821": n1 });
  const s2 = state({ "customer-4821": n1, "primary-contact": n2 });
  const s3 = state({ "customer-4821": n3, "primary-contact": n2 });
  const s4 = state({ "customer-4821": n4, "primary-contact": n2 });
  const commit = (
    fields: Omit<Commit, "id" | "author"> & { author?: string },
  ) => objectIdOf(encodeCommit({ author: "agent", ...fields }));
  const c1 = commit({
    parents: [],
    state: s1,
    message: "open the case",
    timeMs: 1000,
  });
  const c2 = commit({
    parents: [c1],
    state: s2,
    message: "note the primary contact",
    timeMs: 2000,
  });
  const c3 = commit({
    parents: [c2],
    state: s3,
    message: "confirmed the plan by phone",
    timeMs: 2500,
  });
  const c4 = commit({
    parents: [c2],
    state: s4,
    message: "reconcile the plan tier from billing",
    timeMs: 3000,
  });
  const c5 = commit({
    parents: [c4, c3],
    state: s3,
    message:
      "merge direct-callback: trust the phone confirmation over the misread billing note",
    author: "unknown",
    timeMs: 6000,
  });
  assert.deepEqual([c1, c2, c3, c4, c5], history.commits);
  assert.deepEqual([s1, s2, s3, s4, s3], history.states);
});

/** The fields of an object in the order that bundles have; contents and maps by UTF-8. */
function bundleForm(object: Fields): CborValue {
  const names = [
    "kind",
    "id",
    "content",
    "content_kind",
    "provenance",
    "event_time",
    "nodes",
    "parents",
    "state",
    "message",
    "author",
    "time",
  ];
  const evidence = ["agent_step", "observation", "tool_call", "source", "note"];
  const pick = (from: Fields, order: string[]) =>
    new Map(
      order.filter((name) => Object.hasOwn(from, name)).map((
        name,
      ) => [name, from[name]!]),
    );
  const form = pick(object, names);
  assert.equal(form.size, Object.keys(object).length);
  if (object.provenance === undefined) return form;
  return form.set("provenance", pick(fieldsOf(object.provenance), evidence));
}

Deno.test("bundles that the reference wrote are read and written again to the byte", async (t) => {
  const names = [
    "odd-values",
    "trace-100",
    "trace-101",
    "trace-102",
    "trace-103",
  ];
  for (const name of names) {
    await t.step(name, () => {
      const text = read(`traces/${name}.bundle.json`);
      const bundle = fieldsOf(parseBundleJson(text, { depthMax: 200 }));
      const objects = fieldsOf(bundle.objects);
      assert.ok(Object.keys(objects).length > 50);
      for (const [id, object] of Object.entries(objects)) {
        const bytes = encodeCbor(storedForm(fieldsOf(object)));
        assert.equal(objectIdOf(bytes), id);
        const back = decodeCbor(bytes, { keepFloats: true });
        assert.equal(toHex(encodeCbor(back)), toHex(bytes));
      }
      const again = new Map(Object.entries(bundle));
      again.set(
        "objects",
        Object.fromEntries(
          Object.entries(objects).map((
            [id, object],
          ) => [id, bundleForm(fieldsOf(object))]),
        ),
      );
      const written = stringifyBundleJson(again, { indent: 2 });
      assert.equal(written, text.trimEnd());
    });
  }
});

Deno.test("parseJson() reads the vectors' contents by value", () => {
  let refused = 0;
  for (
    const vector of OBJECTS.filter((each) => each.content_json !== undefined)
  ) {
    const text = textOf(vector.content_json);
    const node = decodeNode(fromHex(textOf(vector.cbor)));
    if (text === "18446744073709551616") {
      refused++;
      assert.throws(() => parseJson(text), SyntaxError);
    } else assert.ok(sameContent(parseJson(text), node.content), text);
  }
  assert.equal(refused, 1);
});
