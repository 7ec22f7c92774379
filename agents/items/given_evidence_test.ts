import assert from "node:assert/strict";
import { checkContent } from "@mnem/core";
import { checkEvidence, liftMeta, overEvidence } from "./given_evidence.ts";

const WHERE = 'content of node "a:k"';

Deno.test("liftMeta() takes every field out of _meta", () => {
  const _meta = {
    source: "s",
    step: "31",
    observation: "",
    tool_call: "t",
    note: "n",
    event_time: -5,
  };
  assert.deepEqual(liftMeta({ tier: "pro", _meta }, WHERE), {
    content: { tier: "pro" },
    evidence: {
      source: "s",
      step: "31",
      observation: "",
      toolCall: "t",
      note: "n",
      eventTimeMs: -5,
    },
  });
  assert.deepEqual(liftMeta({ _meta: {} }, WHERE), {
    content: {},
    evidence: {},
  });
  const inside = { a: { _meta: 1 } };
  assert.deepEqual(liftMeta(inside, WHERE), { content: inside, evidence: {} });
});

Deno.test("liftMeta() refuses whatever else stands in _meta", () => {
  const wrong: [unknown, RegExp][] = [
    [
      null,
      /"_meta" in content of node "a:k": it is null, must be a plain object/,
    ],
    ["s", /must be a plain object/],
    [["s"], /must be a plain object/],
    [{ sources: "s" }, /unknown field "sources", must be one of source, step/],
    [{ toolCall: "s" }, /unknown field "toolCall"/],
    [{ source: 1 }, /source must be a string, got a number/],
    [{ note: null }, /note must be a string, got null/],
    [
      { event_time: "5" },
      /event_time must be an integer, Unix ms, got a string/,
    ],
    [{ event_time: 1.5 }, /event_time must be an integer/],
    [{ event_time: 2 ** 60 }, /event_time must be an integer/],
    [JSON.parse('{"__proto__":{}}'), /unknown field "__proto__"/],
  ];
  for (const [_meta, message] of wrong) {
    assert.throws(() => liftMeta({ _meta }, WHERE), {
      name: "TypeError",
      message,
    });
  }
  assert.deepEqual(liftMeta({ _meta: { source: "s" } }, WHERE).evidence, {
    source: "s",
  });
});

Deno.test("liftMeta() leaves what is no data for the store to refuse", () => {
  const source = {
    enumerable: true,
    get: () => assert.fail("a getter was called"),
  };
  const odd: [PropertyDescriptorMap, RegExp][] = [
    [{ a: source }, /value at "\/a" is an accessor/],
    [{ a: { value: 1 } }, /value at "\/a" is not enumerable/],
    [{ [Symbol("a")]: { value: 1, enumerable: true } }, /symbol as a key/],
  ];
  for (const [properties, message] of odd) {
    const value = Object.defineProperties(
      { b: 1, _meta: { source: "s" } },
      properties,
    );
    const { content, evidence } = liftMeta(value, WHERE);
    assert.throws(() => checkContent(content, WHERE), { message });
    assert.deepEqual(evidence, { source: "s" });
    assert.throws(
      () => liftMeta({ _meta: Object.defineProperties({}, properties) }, WHERE),
      { name: "TypeError", message: /unknown field/ },
    );
  }
  for (const _meta of [{ source }, { _meta: source }]) {
    const value = "source" in _meta
      ? { _meta: Object.defineProperties({}, _meta) }
      : Object.defineProperties({ a: 1 }, _meta);
    assert.throws(() => liftMeta(value, WHERE), { name: "TypeError" });
  }
});

Deno.test("checkEvidence() takes the names of the verbs, and undefined for absent", () => {
  const evidence = {
    source: "s",
    toolCall: "t",
    eventTimeMs: 5,
    note: undefined,
  };
  assert.deepEqual(checkEvidence(evidence), {
    source: "s",
    toolCall: "t",
    eventTimeMs: 5,
  });
  for (const wrong of [null, "s", { tool_call: "t" }, { eventTimeMs: "5" }]) {
    assert.throws(() => checkEvidence(wrong), TypeError);
  }
});

Deno.test("overEvidence() decides field by field", () => {
  assert.deepEqual(
    overEvidence(
      { source: "new", note: undefined, eventTimeMs: 0 },
      { source: "old", note: "old", eventTimeMs: 5 },
    ),
    { source: "new", note: "old", eventTimeMs: 0 },
  );
});
