import assert from "node:assert/strict";
import { EXPORTED_LISTS, parseExport } from "./exported_items.ts";
import type { Fact, Parsed } from "./fact.ts";
import { jsonPieces } from "./json_pieces.ts";

async function parsed(text: string): Promise<Parsed[]> {
  const bytes = [new TextEncoder().encode(text)];
  return await Array.fromAsync(parseExport(jsonPieces(bytes, EXPORTED_LISTS)));
}

async function facts(text: string): Promise<Fact[]> {
  return (await parsed(text)).filter((one) => one.kind === "fact");
}

async function findings(text: string): Promise<string[]> {
  return (await parsed(text)).flatMap((one) =>
    one.kind === "fact" ? [] : [`${one.kind} ${one.line}: ${one.reason}`]
  );
}

const MEMORY = {
  id: "892db2ae",
  memory: "Likes tea",
  hash: "c1",
  metadata: { type: "taste" },
  created_at: "2025-01-02T03:04:05.123456-08:00",
  updated_at: null,
  user_id: "dev",
  agent_id: null,
};

Deno.test("parseExport() reads a list, the same under results, and one memory alone", async () => {
  const fact: Fact = {
    kind: "fact",
    id: "mem0/892db2ae",
    content: {
      memory: "Likes tea",
      metadata: { type: "taste" },
      user_id: "dev",
    },
    first: 1,
    last: 1,
    note: "hash c1",
    eventTimeMs: Date.UTC(2025, 0, 2, 11, 4, 5, 123),
  };
  const given = JSON.stringify(MEMORY);
  const forms = [
    `[${given}]`,
    `{"results":[${given}],"count":1,"next":null}`,
    `{"memories":[${given}]}`,
    `{"data":[${given}]}`,
    given,
  ];
  for (const form of forms) {
    assert.deepEqual(await parsed(form), [fact], form);
  }
  const lines = await facts(`[\n${JSON.stringify(MEMORY, null, 1)}\n]`);
  assert.deepEqual(lines.map(({ first, last }) => [first, last]), [[2, 13]]);
});

Deno.test("parseExport() reads relations, and an export by schema field by field", async () => {
  const relations =
    '{"results":[],"relations":[{"source":"dev","relationship":"works/at","target":"acme"}]}';
  assert.deepEqual((await facts(relations)).map(({ id }) => id), [
    "mem0-relation/dev/works~1at/acme",
  ]);
  const profile = { full_name: "Dev", current_role: null, skills: ["a", 1] };
  for (const given of [profile, { id: "exp_1", data: profile }]) {
    const text = JSON.stringify(given);
    assert.deepEqual(
      (await facts(text)).map(({ id, content }) => [id, content]),
      [["mem0-export/full_name", "Dev"], ["mem0-export/skills", ["a", 1]]],
    );
    assert.deepEqual(await findings(text), [
      'passed-over 1: "current_role" is null: nothing is known of it',
    ]);
  }
});

Deno.test("parseExport() takes a time of any form, and says where one is none", async () => {
  const rows: readonly (readonly [unknown, number | undefined])[] = [
    ["2025-01-02T03:04:05Z", Date.UTC(2025, 0, 2, 3, 4, 5)],
    ["2025-01-02 03:04:05", Date.UTC(2025, 0, 2, 3, 4, 5)],
    ["2025-01-02T03:04:05+01:00", Date.UTC(2025, 0, 2, 2, 4, 5)],
    ["2025-01-02", Date.UTC(2025, 0, 2)],
    [1_735_787_045, 1_735_787_045_000],
    [1_735_787_045_123, 1_735_787_045_123],
    [null, undefined],
    ["yesterday", undefined],
  ];
  for (const [created_at, time] of rows) {
    const text = JSON.stringify([{ id: "1", memory: "x", created_at }]);
    const [fact] = await facts(text);
    assert.equal(fact?.eventTimeMs, time, text);
    const said = created_at === "yesterday"
      ? ['warning 1: "created_at" is no time, so that none is kept with it']
      : [];
    assert.deepEqual(await findings(text), said);
  }
});

Deno.test("parseExport() skips what it cannot read alone, with its line", async () => {
  const good = '{"id":"1","memory":"x"}';
  const text =
    `[${good},\n{"id":"2"},\n{"memory":"y"},\n7,\n{"id":"\\ud800","memory":"z\\ud800"},\n{"id":"5","memory":NaN},\n{"id":"3","mem`;
  assert.deepEqual((await facts(text)).map(({ id }) => id), ["mem0/1"]);
  const found = await findings(text);
  assert.deepEqual(found.slice(0, 3), [
    'skipped 2: "memory" is missing, must be a text',
    'skipped 3: "id" is missing, must be a text',
    "skipped 4: it is a number, must be an object",
  ]);
  assert.match(found[3] ?? "", /^skipped 5: .*surrogate/);
  assert.match(found[4] ?? "", /^skipped 6: Cannot parse JSON/);
  assert.match(found[5] ?? "", /^skipped 7: .*; the file ends within it$/);
  assert.equal(found.length, 6);
  assert.deepEqual(await findings("hello"), [
    'skipped 1: Cannot parse JSON at position 0: found "h", must be a value',
  ]);
  assert.deepEqual(await findings('{"a":'), [
    "skipped 1: the file ends before the JSON does",
  ]);
});

Deno.test("parseExport() keeps every memory of an id that comes again, unless it says the same", async () => {
  const text = `[{"id":"1","memory":"x"},
{"id":"1","memory":"y"},
{"id":"1","memory":"x","score":0.5},
{"id":"1","memory":"x","created_at":86400}]`;
  assert.deepEqual(
    (await facts(text)).map(({ id, content, first }) => [id, content, first]),
    [
      ["mem0/1", { memory: "x" }, 1],
      ["mem0/1/2", { memory: "y" }, 2],
      ["mem0/1/3", { memory: "x" }, 4],
    ],
  );
  assert.deepEqual(await findings(text), [
    'warning 2: the node id "mem0/1" stands in line 1 already; this one is number 2',
    "skipped 3: it is the same as line 1",
    'warning 4: the node id "mem0/1" stands in line 1 already; this one is number 3',
  ]);
});
