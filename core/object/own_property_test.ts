import assert from "node:assert/strict";
import { decodeCbor } from "./cbor_reader.ts";
import { encodeCbor } from "./encode_cbor.ts";
import { sameContent } from "./content.ts";
import { parseJson } from "./json_reader.ts";
import { stringifyJson } from "./json_writer.ts";
import { decodeNode, encodeNode } from "./memory_node.ts";
import { isPlainObject, setOwn } from "./own_property.ts";

/** Runs code where `__proto__` is the accessor that Node has and Deno does not. */
function withProtoAccessor(run: () => void): void {
  const before = Object.getOwnPropertyDescriptor(Object.prototype, "__proto__");
  Object.defineProperty(Object.prototype, "__proto__", {
    configurable: true,
    get() {
      return Object.getPrototypeOf(this);
    },
    set(prototype) {
      Object.setPrototypeOf(this, prototype);
    },
  });
  try {
    run();
  } finally {
    Reflect.deleteProperty(Object.prototype, "__proto__");
    if (before !== undefined) {
      Object.defineProperty(Object.prototype, "__proto__", before);
    }
  }
}

function setAll(): { [key: string]: object } {
  const object: { [key: string]: object } = {};
  for (const key of ["a", "__proto__", "constructor", "a", "__proto__"]) {
    setOwn(object, key, { size: Object.keys(object).length });
  }
  return object;
}

Deno.test("setOwn() makes __proto__ a property like any other", () => {
  const made = [setAll()];
  withProtoAccessor(() => made.push(setAll()));
  for (const object of made) {
    assert.equal(Object.getPrototypeOf(object), Object.prototype);
    assert.deepEqual(Object.entries(object), [
      ["a", { size: 3 }],
      ["__proto__", { size: 3 }],
      ["constructor", { size: 2 }],
    ]);
    assert.deepEqual(Object.getOwnPropertyDescriptor(object, "__proto__"), {
      value: { size: 3 },
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
});

Deno.test("parseJson() and decodeCbor() take __proto__ for a name on every platform", () => {
  const text = '{"a":{"__proto__":[2]},"__proto__":{"x":1}}';
  withProtoAccessor(() => {
    for (
      const value of [parseJson(text), decodeCbor(encodeCbor(parseJson(text)))]
    ) {
      assert.equal(Object.getPrototypeOf(value), Object.prototype);
      assert.equal(JSON.stringify(value), stringifyJson(parseJson(text)));
      assert.equal(JSON.stringify(value).length, text.length);
    }
    const { bytes } = encodeNode("n", { content: parseJson(text) });
    assert.ok(sameContent(decodeNode(bytes).content, parseJson(text)));
    assert.ok(!sameContent(decodeNode(bytes).content, {}));
  });
});

Deno.test("isPlainObject() knows literals and bare objects from the rest", () => {
  for (const plain of [{}, Object.create(null), JSON.parse("{}")]) {
    assert.ok(isPlainObject(plain));
  }
  for (const other of [[], new Date(), new Map(), Object.create({}), () => 1]) {
    assert.ok(!isPlainObject(other));
  }
});
