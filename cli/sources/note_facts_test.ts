import assert from "node:assert/strict";
import type { Fact } from "./fact.ts";
import { type NoteFacts, noteFacts } from "./note_facts.ts";
import { textLines } from "./text_lines.ts";

async function noteOf(text: string | Uint8Array): Promise<NoteFacts> {
  const bytes = typeof text === "string"
    ? new TextEncoder().encode(text)
    : text;
  return noteFacts(await Array.fromAsync(textLines([bytes])), "a.md");
}

function factsOf({ parsed }: NoteFacts): Fact[] {
  return parsed.filter((one) => one.kind === "fact");
}

/** Lines, id without the file, and content of each fact. */
async function brief(text: string): Promise<string[]> {
  return factsOf(await noteOf(text)).map(({ id, first, last, content }) => {
    const lines = first === last ? first : `${first}-${last}`;
    return `${lines} ${id.replace("a.md#", "")} = ${content}`;
  });
}

const NOTE = `# Code style

Use two spaces
for all indentation.

- **Plan**: pro
- seats: 240
  - of them used: 100
    since May
- [ ] run the formatter

  before each commit
1. first

## Setext
Other
-----
> quoted
> text

***
http://example.com: a link is no label
`;

Deno.test("noteFacts() gives each paragraph and item its headings, its name and its lines", async () => {
  assert.deepEqual(await brief(NOTE), [
    "3-4 code-style/use-two-spaces-for-all-indentation = Use two spaces for all indentation.",
    "6 code-style/plan = **Plan**: pro",
    "7 code-style/seats = seats: 240",
    "8-9 code-style/seats/of-them-used = of them used: 100 since May",
    "10-12 code-style/run-the-formatter = [ ] run the formatter\n\nbefore each commit",
    "13 code-style/first = first",
    "18-19 code-style/other/quoted-text = > quoted\n> text",
    "22 code-style/other/http-example-com-a-link-is-no-label = http://example.com: a link is no label",
  ]);
  const crlf = `\ufeff${NOTE.replaceAll("\n", "\r\n")}`;
  assert.deepEqual(await brief(crlf), await brief(NOTE));
});

Deno.test("noteFacts() never breaks a fence, alone or in an item", async () => {
  const fence = "```ts\n# no heading\n\n- no item\n```";
  const inItem = "- run\n  ~~~\n  # no heading\n\n  - no item\n  ~~~\n- next";
  assert.deepEqual(await brief(`# T\n${fence}\nafter\n\n${inItem}`), [
    `2-6 t/ts-no-heading-no-item = ${fence}`,
    "7 t/after = after",
    "9-14 t/run = run\n  ~~~\n  # no heading\n\n  - no item\n  ~~~",
    "15 t/next = next",
  ]);
  assert.deepEqual(await brief("````\n```\nopen\n"), [
    "1-3 open = ````\n```\nopen",
  ]);
  // A fence that an item begins with.
  const first =
    "1. ```sh\n   # no heading\n\n   - no item\n   ```\n   so\n2. next";
  assert.deepEqual(await brief(first), [
    "1-6 sh = ```sh\n   # no heading\n\n   - no item\n   ```\nso",
    "7 next = next",
  ]);
  assert.deepEqual(await brief("- so:\n\n  ```\n  a\n  ```\n"), [
    "1-5 so = so:\n\n  ```\n  a\n  ```",
  ]);
});

Deno.test("noteFacts() keeps a quote apart from the item or the paragraph above it", async () => {
  assert.deepEqual(
    await brief("- plan: pro\n> as said\n> twice\n\nso\n> it is\nlazy\n"),
    [
      "1 plan = plan: pro",
      "2-3 as-said-twice = > as said\n> twice",
      "5 so = so",
      "6-7 it-is-lazy = > it is\nlazy",
    ],
  );
  assert.deepEqual(await brief("- a\n  > in it\n"), [
    "1-2 a-in-it = a > in it",
  ]);
});

Deno.test("noteFacts() reads front matter field by field, and only at the beginning", async () => {
  const text = '---\ntitle: "My: notes"\ntags:\n  - a\n  - b\n# c\n---\nx\n';
  assert.deepEqual(await brief(text), [
    "2 ~front/title = My: notes",
    "3-6 ~front/tags = - a\n  - b",
    "8 x = x",
  ]);
  assert.deepEqual(await brief("---\nno: end\n"), ["2 no = no: end"]);
  assert.deepEqual(await brief("x\n\n---\na: b\n---\n"), ["1 x = x"]);
});

Deno.test("noteFacts() gives a fact the id that it had while others come and go", async () => {
  const idsOf = async (text: string) =>
    factsOf(await noteOf(text)).map(({ id }) => id);
  const before = await idsOf("# T\n- plan: pro\n- tea is green\n");
  const after = await idsOf("# T\n- new\n\n- tea is green\n- plan: team\n");
  assert.deepEqual(before, ["a.md#t/plan", "a.md#t/tea-is-green"]);
  assert.deepEqual(after, ["a.md#t/new", "a.md#t/tea-is-green", "a.md#t/plan"]);
  const twice = await noteOf("- plan: a\n- plan: b\n- plan: a\n");
  assert.deepEqual(factsOf(twice).map(({ id }) => id), [
    "a.md#plan",
    "a.md#plan~2",
  ]);
  assert.deepEqual(
    twice.parsed.filter(({ kind }) => kind !== "fact"),
    [{ kind: "passed-over", line: 3, reason: "it is the same as line 1" }],
  );
});

Deno.test("noteFacts() gives ids that a store takes, however deep and in whatever script", async () => {
  const word = "\u8a18".repeat(40);
  const levels = Array.from({ length: 20 }, (_, at) => at);
  const deep = levels.map((at) => `${"  ".repeat(at)}- ${word}${at}`);
  const text = [
    `---\n${"n".repeat(2_000)}: 1\n---`,
    `# ${word}\n## ${word}`,
    ...deep,
    `${"  ".repeat(20)}- plan: pro`,
    "",
  ].join("\n");
  const ids = factsOf(await noteOf(text)).map(({ id }) => id);
  assert.equal(new Set(ids).size, 22);
  for (const id of ids) {
    const size = new TextEncoder().encode(id).length;
    assert.ok(size <= 800 && id.isWellFormed(), `${size}: ${id}`);
  }
  assert.equal(ids[1], `a.md#${word}/${word}/${word}0`);
  assert.match(ids.at(-1) ?? "", /^a\.md#~[0-9a-f]{16}\/plan$/);
  const edited = await noteOf(text.replace("plan: pro", "plan: team"));
  assert.equal(factsOf(edited).at(-1)?.id, ids.at(-1));
  const moved = await noteOf(text.replace(`${word}7`, "other"));
  assert.notEqual(factsOf(moved).at(-1)?.id, ids.at(-1));
});

Deno.test("noteFacts() keeps the text as it stands, tells comments, bad bytes and imports", async () => {
  const { parsed, imports } = await noteOf(
    "-  two  words\n<!-- a\ncomment -->\nsee @docs/x.md, `@not/this` and me@example.com\n```\n@nor/this\n```\n",
  );
  assert.deepEqual(
    parsed.map((one) =>
      one.kind === "fact" ? one.observation : `${one.line} ${one.reason}`
    ),
    [
      "-  two  words",
      "2 it is a comment",
      "see @docs/x.md, `@not/this` and me@example.com",
      "```\n@nor/this\n```",
    ],
  );
  assert.deepEqual(imports, [{ path: "docs/x.md", line: 4 }]);
  const bytes = new TextEncoder().encode("one\n?\ntwo\n```\n?\n```\nthree");
  for (const at of bytes.keys()) if (bytes[at] === 0x3f) bytes[at] = 0xff;
  const bad = await noteOf(bytes);
  const reason = "the line holds bytes that are not UTF-8 text";
  assert.deepEqual(factsOf(bad).map(({ content }) => content), [
    "one",
    "two",
    "three",
  ]);
  assert.deepEqual(bad.parsed.filter(({ kind }) => kind === "skipped"), [
    { kind: "skipped", line: 2, reason },
    { kind: "skipped", line: 5, reason },
  ]);
});

Deno.test("noteFacts() takes time that grows with a note, not with its square", async () => {
  const many = 100_000;
  const notes = {
    field: `---\na${" ".repeat(many)}x\n---\n`,
    heading: `# a${" ".repeat(many)}x`,
    table: `x\n${"-".repeat(many)}x`,
    label: `a${" ".repeat(many)}x`,
    link: "[a](".repeat(many),
    comments: "<!--\n".repeat(many / 4),
    "comments before text": `${"<!--\n".repeat(many / 4)}--> x`,
    "lines of an item": `- a\n${"  word\n".repeat(many)}`,
  };
  for (const [what, text] of Object.entries(notes)) {
    const began = performance.now();
    await noteOf(text);
    // By the square each takes over ten seconds.
    const tookMs = performance.now() - began;
    assert.ok(tookMs < 5_000, `${what}: ${tookMs} ms`);
  }
});

Deno.test("noteFacts() loses no word of a note, whatever it is made of", async () => {
  const parts = [
    "# w",
    "- w",
    "  - w",
    "1. w",
    "w",
    "    w",
    "```",
    "",
    "---",
    "> w",
    "| w |",
    "w:",
    "\tw",
    "===",
  ];
  let seed = 7;
  const draw = (below: number) => {
    seed = (seed * 48_271) % 0x7fffffff;
    return seed % below;
  };
  for (let round = 0; round < 300; round++) {
    let count = 0;
    const lines = Array.from(
      { length: 1 + draw(12) },
      () => (parts[draw(parts.length)] ?? "").replace("w", () => `w${count++}`),
    );
    const note = await noteOf(lines.join("\n"));
    const said = note.parsed.map((one) =>
      one.kind === "fact" ? `${one.id} ${one.content}` : ""
    ).join(" ");
    const places = new Map(lines.map((line, at) => [line, at + 1]));
    for (const line of lines) {
      const [word] = /w\d+/.exec(line) ?? [];
      const isHeading = line.startsWith("#") ||
        /^(?:-{3}|={3})$/.test(lines[places.get(line) ?? 0] ?? "");
      if (word === undefined || isHeading) continue;
      const isThere = new RegExp(`\\b${word}\\b`).test(said);
      // Front matter, and a paragraph over an underline, are no facts of their own.
      const isMatter = lines[0] === "---";
      const isUnderlined = lines.some((one) => /^(?:-{3}|={3})$/.test(one));
      assert.ok(
        isThere || isMatter || isUnderlined,
        `${word}: ${lines.join("\\n")}`,
      );
    }
    for (const fact of factsOf(note)) {
      const raw = lines.slice(fact.first - 1, fact.last).join("\n").trimEnd();
      assert.equal(fact.observation, raw, lines.join("\\n"));
    }
  }
});
