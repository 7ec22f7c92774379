import assert from "node:assert/strict";
import type { Json } from "@mnem/core";
import { tempStore } from "../tests/support/temp_store.ts";
import { forget, remember, rememberMany } from "./remember.ts";
import { type Question, whenDid } from "./when_did.ts";

type Writer = Parameters<typeof remember>[0];

/** What a node holds after each commit; undefined: it is not in memory. */
type Line = readonly (Json | undefined)[];

/** Writes one commit for each value of a node "n", beside another node that changes each time. */
async function play(store: Writer, line: Line): Promise<string[]> {
  const commits: string[] = [];
  for (const [step, content] of line.entries()) {
    const beside = { id: "beside", content: step };
    const { commit } = await store.write(
      content === undefined
        ? [beside, { id: "n", remove: true }]
        : [beside, { id: "n", content }],
      { message: `step ${step}` },
    );
    commits.push(commit ?? "");
  }
  return commits;
}

/** The steps at which the answer changed. */
async function flipsOf(
  line: Line,
  question: Question,
): Promise<(number | undefined)[]> {
  await using temp = await tempStore();
  const commits = await play(temp.store, line);
  const found = await whenDid(temp.store, "n", question);
  assert.equal(found.flipsComplete, true);
  assert.equal(found.writtenIn.id, found.commit.id);
  const steps = found.flips.map((id) => commits.indexOf(id));
  return [commits.indexOf(found.commit.id), ...steps];
}

Deno.test("whenDid() finds the commit and every change of the answer, oldest first", async () => {
  const rows: [Line, Question, number[]][] = [
    [["a", "b", "b", "c", "b"], { equals: "b" }, [1, 1, 3, 4]],
    [["b"], { equals: "b" }, [0, 0]],
    [["b", "b", "c", "b"], { equals: "b" }, [0, 0, 2, 3]],
    [[undefined, "b", undefined, "b"], { equals: "b" }, [1, 1, 2, 3]],
    [[undefined, "b", "c"], { present: true }, [1, 1]],
    [["b", undefined, "c"], { present: true }, [0, 0, 1, 2]],
    [["b", undefined], { absent: true }, [1, 1]],
    [["b", undefined, "c", undefined], { absent: true }, [1, 1, 2, 3]],
    [[undefined, undefined, "b", "c", undefined], { absent: true }, [4, 2, 4]],
    [[1, 5, 9], { matches: (node) => Number(node?.content ?? 0) > 3 }, [1, 1]],
    [[1, undefined], { matches: (node) => node === null }, [1, 1]],
    [[1, 2], { matches: () => true }, [0, 0]],
    [[undefined, 1], { matches: () => true }, [0, 0]],
  ];
  for (const [line, question, expected] of rows) {
    const what = `${JSON.stringify(line)} ${JSON.stringify(question)}`;
    assert.deepEqual(await flipsOf(line, question), expected, what);
  }
});

Deno.test("whenDid() compares by value", async () => {
  const nested = { b: [1, { y: null }], a: "x" };
  const rows: [Json, unknown][] = [
    [null, null],
    [1, 1n],
    [0, -0],
    [2n ** 60n, 2 ** 60],
    [nested, { a: "x", b: [1n, { y: null }] }],
    [{}, {}],
    [false, false],
  ];
  for (const [stored, equals] of rows) {
    assert.deepEqual(await flipsOf(["other", stored], { equals }), [1, 1]);
  }
  const unequal: [Json, unknown][] = [
    [null, 0],
    [1, "1"],
    [1, true],
    [[], {}],
    [[1, 2], [2, 1]],
    [{ a: 1 }, { a: 1, b: 2 }],
    ["é", "e\u0301"],
  ];
  for (const [stored, equals] of unequal) {
    await assert.rejects(flipsOf([stored], { equals }), { code: "not_found" });
  }
});

Deno.test("whenDid() blames the node at the commit found, null where it is absent", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  await remember(store, "plan", "enterprise");
  const { commit } = await remember(store, "plan", "pro", {
    observation: "billing-note-8842",
  });
  await remember(store, "seats", 1);
  const pro = await whenDid<string>(store, "plan", { equals: "pro" });
  assert.equal(pro.blame?.commit.id, commit);
  assert.equal(pro.blame?.node.content, "pro");
  assert.equal(pro.blame?.node.provenance.observation, "billing-note-8842");
  const gone = await forget(store, "plan");
  const absent = await whenDid(store, "plan", { absent: true });
  assert.equal(absent.commit.id, gone.commit);
  assert.equal(absent.blame, null);
});

Deno.test("whenDid() looks between good and bad only", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const line = ["b", "a", "b", "a", "b", "c"];
  const commits = await play(store, line);
  const between = async (good: number | undefined, bad: number) => {
    const found = await whenDid(store, "n", {
      equals: "b",
      good: good === undefined ? undefined : commits[good],
      bad: commits[bad],
    });
    return [found.commit.id, ...found.flips].map((id) => commits.indexOf(id));
  };
  assert.deepEqual(await between(undefined, 4), [0, 0, 1, 2, 3, 4]);
  assert.deepEqual(await between(undefined, 2), [0, 0, 1, 2]);
  assert.deepEqual(await between(1, 4), [2, 2, 3, 4]);
  assert.deepEqual(await between(3, 4), [4, 4]);
  await assert.rejects(between(0, 4), { code: "invalid_ref" });
  await assert.rejects(between(1, 5), { code: "not_found" });
  await assert.rejects(between(4, 1), { code: "invalid_ref" });
  const absent = { absent: true, good: commits[1] } as const;
  await assert.rejects(whenDid(store, "n", absent), { code: "not_found" });
});

Deno.test("whenDid() refuses a good that is not on the line of bad", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  await remember(store, "n", 1);
  await store.createBranch("other");
  await remember(store.on("other"), "n", 2);
  await remember(store, "n", 3);
  await assert.rejects(whenDid(store, "n", { equals: 3, good: "other" }), {
    code: "invalid_ref",
  });
  const found = await whenDid(store, "n", { equals: 2, bad: "other" });
  assert.equal(found.commit.id, (await store.on("other").head()).commit);
});

Deno.test("whenDid() says what is wrong, and where it was so", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  for (const question of [undefined, null, "present"]) {
    await assert.rejects(
      Reflect.apply(whenDid, undefined, [store, "n", question]),
      { name: "TypeError", message: /the question must be an object$/ },
    );
  }
  await assert.rejects(whenDid(store, "n", { present: true }), {
    code: "not_found",
    message:
      'Cannot say when node "n" became so: it was never in memory up to the start',
  });
  const [, , third = "", head = ""] = await play(store, ["a", "b", "c", "d"]);
  await assert.rejects(whenDid(store, "n", { equals: "x" }), {
    code: "not_found",
    message:
      `Cannot say when node "n" became so: it is not so at ${head}; bad must be a commit where it is`,
  });
  await assert.rejects(whenDid(store, "n", { equals: "b" }), {
    code: "not_found",
    message:
      `Cannot say when node "n" became so: it is not so at ${head}; it was until ${third}, bad must be a commit before that`,
  });
  await assert.rejects(whenDid(store, "n", { equals: "b", good: "HEAD~2" }), {
    code: "invalid_ref",
    message: /already was at "HEAD~2"/,
  });
  for (const question of [{ absent: true }, { present: true }] as const) {
    await assert.rejects(whenDid(store, "ghost", question), {
      code: "not_found",
      message: /never in memory up to [0-9a-f]{64}$/,
    });
  }
  for (const range of [{ good: "nope" }, { bad: "nope" }]) {
    await assert.rejects(whenDid(store, "n", { equals: "d", ...range }), {
      code: "invalid_ref",
    });
  }
});

Deno.test("whenDid() takes exactly one question", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  await remember(store, "n", 1);
  const matches = () => true;
  const broken: unknown[] = [
    {},
    { equals: undefined },
    { equals: 1, present: true },
    { absent: true, present: true },
    { equals: null, matches },
    { absent: false },
    { present: 1 },
    { matches: "n" },
    { matches: () => 1 },
    { matches: () => Promise.resolve(true) },
    { equals: NaN },
    { equals: new Date(0) },
    { equals: () => 1 },
    { equals: [undefined] },
  ];
  for (const question of broken) {
    await assert.rejects(whenDid(store, "n", question as Question), TypeError);
  }
  const boom = new Error("boom");
  const throwing = () => {
    throw boom;
  };
  await assert.rejects(whenDid(store, "n", { matches: throwing }), boom);
  assert.equal((await whenDid(store, "n", { equals: 1 })).flips.length, 1);
});

Deno.test("whenDid() walks 1,000 versions, and searches beyond", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  const commits: string[] = [];
  for (let version = 0; version < 1_000; version += 1) {
    const { commit } = await remember(store, "n", version);
    commits.push(commit ?? "");
  }
  const odd: Question = {
    matches: (node) => Number(node?.content ?? 0) % 2 === 1,
  };
  const walked = await whenDid(store, "n", odd);
  assert.equal(walked.flipsComplete, true);
  assert.deepEqual(walked.flips, commits.slice(1));
  assert.equal(walked.commit.id, commits[1]);
  const { commit } = await remember(store, "n", 1_000);
  const late: Question = {
    matches: (node) => Number(node?.content ?? 0) >= 617,
  };
  const searched = await whenDid(store, "n", late);
  assert.equal(searched.flipsComplete, false);
  assert.equal(searched.commit.id, commits[617]);
  assert.ok(searched.flips.includes(commits[617] ?? ""));
  assert.equal(searched.blame?.node.content, 617);
  assert.equal(
    (await whenDid(store, "n", { equals: 1_000 })).commit.id,
    commit,
  );
  await rememberMany(store, [{ id: "m", content: 1 }]);
  assert.equal((await whenDid(store, "m", { equals: 1 })).flipsComplete, true);
});

Deno.test("whenDid() of a long line does not take the time before the node for its absence", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  await remember(store, "other", 0);
  for (let version = 0; version < 1_002; version += 1) {
    await remember(store, "n", version);
  }
  const { commit } = await forget(store, "n");
  const found = await whenDid(store, "n", { absent: true });
  assert.equal(found.commit.id, commit);
  assert.equal(found.flipsComplete, false);
  assert.equal(found.blame, null);
});
