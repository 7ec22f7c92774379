/**
 * Random histories through git: what it holds is what the store holds, at every commit, and what comes
 * back is the same store. A file too large to be a node is passed over.
 *
 * @module
 */

export const SECONDS = 40;

import assert from "node:assert/strict";
import {
  exportHistory,
  type History,
  historyBundle,
  importBundle,
  openStore,
  parseJson,
  type Store,
  wireNode,
} from "@mnem/core";
import { pathOfNode } from "../../cli/git/node_path.ts";
import { fastImport } from "../../cli/git/fast_import.ts";
import { playBundleHistory } from "../support/bundle_history.ts";
import { exported } from "../support/bundles.ts";
import {
  type GitRepository,
  gitRepository,
} from "../support/git_repository.ts";
import { isThere } from "../support/program.ts";
import { reportFigures } from "../support/report_figures.ts";
import { randomGraph } from "../support/synthetic_graph.ts";
import { type TempFolder, tempFolder } from "../support/temp_folder.ts";
import { Chance } from "../support/tree_cases.ts";
import { session } from "./session.ts";

const SEED = 20_261_201;
const ignore = !(await isThere(["git"]));
const ZERO = "0".repeat(64);

/** A history of any shape: several roots, merges that cross, times that go back. */
function synthetic(seed: number): History {
  const chance = new Chance(seed);
  const times = chance.pick(["ordered", "equal", "skewed"] as const);
  const shape = { size: 60, times, mergeOneIn: 3, reach: 8 };
  const { all } = randomGraph(chance, shape);
  const encode = (value: unknown) =>
    new TextEncoder().encode(JSON.stringify(value));
  const commits = all.map(({ commit }) => ({
    id: commit.id,
    parents: commit.parents,
    object: encode({
      kind: "commit",
      parents: [],
      state: ZERO,
      message: commit.id.slice(0, 8),
      author: chance.pick(["a", "B <b@c>", "<"]),
      time: commit.timeMs,
    }),
    changes: Array.from({ length: 1 + chance.below(6) }, (_, i) => {
      const id = `n${(chance.below(20) + i) % 40}/${i}`;
      const node = { kind: "memory_node", id, content_kind: "claim" };
      return {
        id,
        object: chance.below(4) === 0
          ? null
          : encode({ ...node, content: chance.below(3) }),
      };
    }),
  }));
  const last = all.at(-1)?.commit.id ?? "";
  return {
    defaultBranch: "main",
    head: { branch: "main" },
    refs: new Map([["main", last], ["old", all[20]?.commit.id ?? last]]),
    commits: async function* () {
      yield* commits;
    }(),
  };
}

async function randomStore(seed: number, { path }: TempFolder): Promise<Store> {
  if (seed % 2 === 0) {
    return await importBundle(path, historyBundle(synthetic(seed)));
  }
  const store = await openStore(path, { create: true });
  const chance = new Chance(seed);
  await playBundleHistory(store, { chance, steps: 50, ids: 60, edits: 8 });
  return store;
}

/** All files in a repository, by their ids of git. */
async function blobsOf({ git }: GitRepository): Promise<Map<string, string>> {
  const listed = await git(
    "rev-list",
    "--all",
    "--objects",
    "--no-object-names",
  );
  const blobs = new Map<string, string>();
  const types = await git(
    ...["cat-file", "--batch-check=%(objectname) %(objecttype)"],
    "--batch-all-objects",
  );
  for (const line of types.trim().split("\n")) {
    const [id = "", type] = line.split(" ");
    if (type !== "blob" || !listed.includes(id)) continue;
    blobs.set(id, await git("cat-file", "blob", id));
  }
  return blobs;
}

/** Holds every commit of git against that of the store which it was made of. Returns how many, and merges. */
async function checkCommits(repository: GitRepository, store: Store) {
  const { git } = repository;
  const log = await git(
    ...["log", "--all", "--format=%H|%P|%(trailers:key=Mnem-Commit,valueonly)"],
  );
  const rows = log.split("\n").filter((line) => line !== "")
    .map((line) => line.split("|"));
  const own = new Map(rows.map(([git = "", , id = ""]) => [git, id]));
  const blobs = await blobsOf(repository);
  let merges = 0;
  let files = 0;
  for (const [hash = "", parents = "", id = ""] of rows) {
    const snapshot = await store.at(id);
    const linked = parents.split(" ").filter((one) => one !== "");
    if (linked.length === 2) merges += 1;
    assert.deepEqual(
      linked.map((one) => own.get(one)),
      snapshot.commit?.parents,
    );
    const tree = await git("ls-tree", "-r", hash);
    const found = tree.split("\n").filter((line) => line !== "").map((line) => {
      const [, blob = "", path = ""] = /^100644 blob (\w+)\t(.*)$/.exec(line) ??
        [];
      const { kind, provenance, ...rest } = Object(
        parseJson(blobs.get(blob) ?? ""),
      );
      assert.equal(kind, "memory_node");
      return [path, { ...rest, provenance: { ...provenance } }];
    });
    const memory = [...(await snapshot.memory()).values()].map((node) => {
      const { provenance, event_time, ...rest } = wireNode(node);
      const set = Object.entries(Object(provenance)).filter(([, text]) =>
        text !== null
      );
      return [pathOfNode(node.id), {
        ...rest,
        ...event_time === null ? {} : { event_time },
        provenance: Object.fromEntries(set),
      }];
    });
    assert.deepEqual(Object.fromEntries(found), Object.fromEntries(memory));
    files += found.length;
  }
  return { commits: rows.length, merges, files };
}

Deno.test({
  name:
    "ten random histories are in git what they are in the store, and come back the same",
  ignore,
}, async () => {
  const sum = { histories: 0, commits: 0, merges: 0, files: 0 };
  for (let i = 0; i < 10; i++) {
    const seed = SEED + i;
    console.log(`seed ${seed}`);
    await using folder = await tempFolder();
    await using store = await randomStore(seed, folder);
    await using repository = await gitRepository();
    const stream = ReadableStream.from(fastImport(await exportHistory(store)));
    assert.equal(await repository.feed(stream), "");
    const { commits, merges, files } = await checkCommits(repository, store);
    const count = await repository.git("rev-list", "--count", "--all");
    assert.equal(Number(count), commits);
    assert.equal(await repository.git("fsck", "--strict"), "");
    let own = 0;
    for await (const _ of (await exportHistory(store)).commits) own += 1;
    assert.equal(commits, own);
    await using mnem = await session();
    await mnem.text("import", "--from=git", repository.path);
    await using copy = await openStore(mnem.path);
    assert.ok(await exported(copy) === await exported(store), `seed ${seed}`);
    sum.histories += 1;
    sum.commits += commits;
    sum.merges += merges;
    sum.files += files;
  }
  assert.ok(sum.merges > 50, `${sum.merges} merges`);
  console.log(JSON.stringify(sum));
  reportFigures("git", sum);
});

Deno.test(
  { name: "a file of more than 64 MiB is passed over", ignore },
  async () => {
    await using mnem = await session();
    const size = 64 * 1024 * 1024 + 1;
    const head = "commit refs/heads/main\ncommitter C <c> 7 +0000\ndata 2\nm\n";
    const files = [
      `M 100644 inline nodes/large.json\ndata ${size}\n${" ".repeat(size)}\n`,
      'M 100644 inline nodes/a.json\ndata 73\n{"kind": "memory_node", "id": "a", "content_kind": "note", "content": 10}\n',
    ];
    const ran = await mnem.mnemIn(
      { stdin: head + files.join("") },
      ...["import", "--from=git", "-", "--json"],
    );
    assert.equal(ran.status, 0, ran.err);
    const { passed_over } = JSON.parse(ran.out);
    assert.deepEqual(passed_over.map(({ name }: { name: string }) => name), [
      "nodes/large.json",
    ]);
    assert.match(passed_over[0].what, /too large/);
    assert.equal(Object(await mnem.json("recall", "a")).result.content, 10);
  },
);
