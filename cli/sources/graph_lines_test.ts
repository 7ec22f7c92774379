import assert from "node:assert/strict";
import type { Parsed } from "./fact.ts";
import { parseGraphLines } from "./graph_lines.ts";
import { textLines } from "./text_lines.ts";

async function parsed(bytes: string | Uint8Array): Promise<Parsed[]> {
  const given = typeof bytes === "string"
    ? new TextEncoder().encode(bytes)
    : bytes;
  return await Array.fromAsync(parseGraphLines(textLines([given])));
}

/** What was found: a node id, or the line and the beginning of what is said. */
async function brief(bytes: string | Uint8Array): Promise<string[]> {
  return (await parsed(bytes)).map((one) =>
    one.kind === "fact" ? one.id : `${one.kind} ${one.line}: ${one.reason}`
  );
}

const ALICE =
  '{"type":"entity","name":"Alice","entityType":"person","observations":["tea"]}';

Deno.test("parseGraphLines() gives a fact a line, with its content and its text", async () => {
  const text = [
    ALICE,
    '{"type":"entity","name":"Acme","entityType":"company","observations":[]}',
    '{"type":"relation","from":"Alice","to":"Acme","relationType":"works at"}',
  ].join("\n");
  const [alice, acme, relation] = await parsed(text);
  assert.deepEqual(alice, {
    kind: "fact",
    id: "entity/Alice",
    content: { type: "person", observations: ["tea"] },
    first: 1,
    last: 1,
    observation: ALICE,
  });
  assert.equal(acme?.kind === "fact" && acme.id, "entity/Acme");
  assert.deepEqual(relation?.kind === "fact" && relation.content, {
    from: "Alice",
    type: "works at",
    to: "Acme",
  });
  assert.deepEqual(await brief(text), [
    "entity/Alice",
    "entity/Acme",
    "relation/Alice/works at/Acme",
  ]);
});

Deno.test("parseGraphLines() skips a bad line alone, and says what is wrong with it", async () => {
  const rows: readonly (readonly [string, RegExp])[] = [
    ["nonsense", /^Cannot parse JSON at position 0: /],
    ["[1]", /^it is a list, must be an object$/],
    ["null", /^it is null, must be an object$/],
    ["{}", /^"type" is missing, must be "entity" or "relation"$/],
    ['{"type":"node"}', /^"type" is "node", must be /],
    ['{"type":"entity"}', /^"name" is missing, must be a text$/],
    [
      ALICE.replace('"person"', "7"),
      /^"entityType" is a number, must be a text/,
    ],
    [
      ALICE.replace('["tea"]', '"tea"'),
      /^"observations" is a text, must be a list/,
    ],
    [
      ALICE.replace('"tea"', "null"),
      /^"observations" holds null, must be a list/,
    ],
    [ALICE.replace("Alice", "\\ud800"), /surrogate/],
    [
      '{"type":"relation","from":"Alice","to":1,"relationType":"x"}',
      /^"to" is a number/,
    ],
  ];
  for (const [line, says] of rows) {
    const found = await parsed(`\n${line}\r\n${ALICE}\n`);
    const [wrong, good] = found;
    assert.equal(found.length, 2, line);
    assert.ok(wrong?.kind === "skipped" && wrong.line === 2, line);
    assert.match(wrong.reason, says);
    assert.deepEqual(good?.kind === "fact" && [good.id, good.first], [
      "entity/Alice",
      3,
    ]);
  }
});

Deno.test("parseGraphLines() keeps every name apart, and every one that comes again", async () => {
  const line = (name: string, type = "t") =>
    JSON.stringify({
      type: "entity",
      name,
      entityType: type,
      observations: [],
    });
  const names = ["a/2", "a", "a~12", "", "~3", "é", "e\u0301", "\0"];
  const ids = await brief(names.map((name) => line(name)).join("\n"));
  assert.equal(new Set(ids).size, names.length);
  assert.ok(ids.every((id) => id.startsWith("entity/") && !id.includes("\0")));
  const again = [
    line("a"),
    line("a", "u"),
    line("a"),
    line("a", "v"),
    line("a/2"),
  ];
  assert.deepEqual(await brief(again.join("\n")), [
    "entity/a",
    'warning 2: the name "a" stands in line 1 already; this one is number 2',
    "entity/a/2",
    "skipped 3: it is the same as line 1",
    'warning 4: the name "a" stands in line 1 already; this one is number 3',
    "entity/a/3",
    "entity/a~12",
  ]);
});

Deno.test("parseGraphLines() tells a relation that leads nowhere from one to a later line", async () => {
  const relation = (to: string) =>
    JSON.stringify({ type: "relation", from: "Alice", to, relationType: "is" });
  assert.deepEqual(
    await brief(
      [relation("Alice"), relation("Bob"), relation("Bob"), ALICE].join("\n"),
    ),
    [
      "skipped 3: it is the same as line 2",
      "entity/Alice",
      "relation/Alice/is/Alice",
      'warning 2: the relation leads to "Bob", which the file does not describe',
      "relation/Alice/is/Bob",
    ],
  );
});

Deno.test("parseGraphLines() says that the last line was cut, and reads what is no text by lines", async () => {
  const cut = await brief(`${ALICE}\n${ALICE.slice(0, 40)}`);
  assert.equal(cut[0], "entity/Alice");
  assert.match(cut[1] ?? "", /^skipped 2: .*; the file ends within the line$/);
  const bytes = new TextEncoder().encode(`\ufeff${ALICE}\n?${ALICE}\n{}`);
  bytes[bytes.indexOf(0x3f)] = 0xff;
  assert.deepEqual((await brief(bytes)).slice(0, 2), [
    "entity/Alice",
    "skipped 2: the line holds bytes that are not UTF-8 text",
  ]);
});
