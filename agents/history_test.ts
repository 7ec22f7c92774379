import assert from "node:assert/strict";
import type { Branch, Commit, LogOptions } from "@mnem/core";
import { tempStore } from "../tests/support/temp_store.ts";
import { history, type HistoryOptions } from "./history.ts";
import { forget, remember } from "./remember.ts";

type Reader = Parameters<typeof history>[0];

/** The messages of all pages of one listing; `between` runs after each page. */
async function pagesOf(
  store: Reader,
  options: HistoryOptions,
  between: () => Promise<unknown> = () => Promise.resolve(),
): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await history(store, { ...options, cursor });
    pages.push(page.commits.map(({ message }) => message));
    cursor = page.cursor;
    await between();
  } while (cursor !== undefined);
  return pages;
}

/** Messages "0" to `count - 1`; odd ones change node "odd", even ones "even". */
async function fill(store: Reader, count: number): Promise<string[]> {
  const messages = Array.from({ length: count }, (_, i) => String(i));
  for (const [i, summary] of messages.entries()) {
    await remember(store, i % 2 === 0 ? "even" : "odd", i, { summary });
  }
  return messages.reverse();
}

Deno.test("history() of a branch without a commit is empty", async () => {
  await using temp = await tempStore();
  assert.deepEqual(await history(temp.store), { commits: [] });
});

Deno.test("history() pages newest first, nothing twice, nothing left out", async () => {
  await using temp = await tempStore();
  const messages = await fill(temp.store, 23);
  for (const limit of [1, 2, 5, 22, 23, 24]) {
    const pages = await pagesOf(temp.store, { limit });
    assert.deepEqual(pages.flat(), messages, `limit ${limit}`);
    assert.equal(pages.length, Math.ceil(23 / limit), `limit ${limit}`);
  }
  const usual = await pagesOf(temp.store, {});
  assert.deepEqual(usual.map((page) => page.length), [20, 3]);
});

Deno.test("history() goes on where it was while others write", async () => {
  await using temp = await tempStore();
  const messages = await fill(temp.store, 9);
  let n = 0;
  const write = () => remember(temp.store, "odd", `later ${n++}`);
  assert.deepEqual(
    (await pagesOf(temp.store, { limit: 2 }, write)).flat(),
    messages,
  );
  const odd = await pagesOf(temp.store, { limit: 1, node: "odd" }, write);
  assert.equal(odd.flat()[0], "remember odd");
  assert.deepEqual(odd.flat().slice(5), ["7", "5", "3", "1"]);
  assert.ok(n > 10, "others did write");
});

Deno.test("history() of one node lists the commits that changed it, its removal too", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  await fill(store, 6);
  await forget(store, "odd", { summary: "gone" });
  await remember(store, "even", "x", { summary: "not odd" });
  await remember(store, "odd", 1, { summary: "back" });
  for (const limit of [1, 2, 5, 6]) {
    const pages = await pagesOf(store, { node: "odd", limit });
    assert.deepEqual(
      pages.flat(),
      ["back", "gone", "5", "3", "1"],
      `limit ${limit}`,
    );
  }
  assert.deepEqual(await pagesOf(store, { node: "ghost" }), [[]]);
});

Deno.test("history() keeps pages within 60 kB, but moves past a larger commit", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const sizes = [10, 20_000, 20_000, 20_000, 64_000, 10];
  for (const [i, size] of sizes.entries()) {
    await remember(store, "a", i, { summary: String(i).repeat(size) });
  }
  const pages = await pagesOf(store, {});
  assert.deepEqual(pages.map((page) => page.map((message) => message.length)), [
    [10],
    [64_000],
    [20_000, 20_000],
    [20_000, 10],
  ]);
});

Deno.test("history() refuses bad arguments", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  await fill(store, 3);
  const { cursor } = await history(store, { limit: 1 });
  assert.match(cursor ?? "", /^commits:[0-9a-f]{64}:1$/);
  const start = cursor?.slice(0, -2);
  const broken = [
    "",
    "x",
    `${start}:0`,
    `${start}:-1`,
    `${start}:1.5`,
    `${start}:`,
    `${start}:9999999999999`,
  ];
  for (const text of broken) {
    await assert.rejects(history(store, { cursor: text }), RangeError, text);
  }
  await assert.rejects(history(store, { limit: 1.5 }), RangeError);
  const elsewhere = `commits:${"0".repeat(64)}:1`;
  await assert.rejects(history(store, { cursor: elsewhere }), {
    code: "invalid_ref",
  });
  assert.equal((await history(store, { cursor })).commits.length, 2);
});

/** Commits by name: their parents, and whether they change the node that is asked for. */
const FORKED: {
  readonly [name: string]: { parents: string[]; changes: boolean };
} = {
  top: { parents: ["merge"], changes: false },
  merge: { parents: ["left", "right2"], changes: false },
  right2: { parents: ["right1"], changes: true },
  left: { parents: ["fork"], changes: true },
  right1: { parents: ["fork"], changes: true },
  fork: { parents: ["root"], changes: false },
  root: { parents: [], changes: true },
};

/** A history with a fork and a merge, listed in the order in which FORKED names its commits. */
function forkedStore(): Branch {
  const idOf = (name: string) =>
    name.padEnd(64, "0").replace(/[^0-9a-f]/g, "a");
  const named = new Map(Object.keys(FORKED).map((name) => [idOf(name), name]));
  const commitOf = (name: string): Commit => ({
    id: idOf(name),
    parents: FORKED[name]?.parents.map(idOf) ?? [],
    state: "0".repeat(64),
    message: name,
    author: "ada",
    timeMs: 0,
  });
  const reach = (name: string): string[] => [
    name,
    ...FORKED[name]?.parents.flatMap(reach) ?? [],
  ];
  async function* log(start: string, { limit, node }: LogOptions) {
    const reached = new Set(reach(start));
    const listed = Object.keys(FORKED).filter((name) =>
      reached.has(name) && (node === undefined || FORKED[name]?.changes)
    );
    yield* listed.slice(0, limit).map(commitOf);
  }
  const at = (revision = idOf("top")) => {
    const start = named.get(revision) ?? "";
    return Promise.resolve({
      commit: commitOf(start),
      log: (options: LogOptions) => log(start, options),
    });
  };
  // Whoever walks a history asks a branch for nothing else.
  return { at } as unknown as Branch;
}

Deno.test("history() pages through a fork and a merge", async () => {
  const store = forkedStore();
  const all = Object.keys(FORKED);
  const changes = all.filter((name) => FORKED[name]?.changes);
  for (const limit of [1, 2, 3, 6, 7]) {
    assert.deepEqual(
      (await pagesOf(store, { limit })).flat(),
      all,
      `limit ${limit}`,
    );
    const ofNode = await pagesOf(store, { limit, node: "n" });
    assert.deepEqual(ofNode.flat(), changes, `limit ${limit}`);
  }
  const { cursor } = await history(store, { limit: 6 });
  assert.match(cursor ?? "", /:1$/); // below the fork it is one line again
});
