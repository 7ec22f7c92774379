import assert from "node:assert/strict";
import { type Edit, MnemError } from "@mnem/core";
import { ManualTimer } from "../../tests/support/manual_timer.ts";
import type { Parsed } from "../sources/fact.ts";
import type { NoteFolder, ReadNote } from "./note_folder.ts";
import {
  type KnownNote,
  LATEST_MS,
  NoteWatch,
  type Saved,
} from "./note_watch.ts";

/** Notes whose lines are `name: text`, each a fact; `!` is a line that cannot be read. */
class Folder implements NoteFolder {
  readonly notes = new Map<string, { text: string; version: number }>();
  #isTorn = false;

  put(inside: string, text: string): void {
    const version = (this.notes.get(inside)?.version ?? 0) + 1;
    this.notes.set(inside, { text, version });
  }

  /** The next read finds that the file is being written to. */
  tear(): void {
    this.#isTorn = true;
  }

  stamps() {
    return Promise.resolve(
      new Map(Array.from(this.notes, ([inside, { text, version }]) => [
        inside,
        { stamp: String(version), isEmpty: text === "" },
      ])),
    );
  }

  read(inside: string): Promise<ReadNote | undefined> {
    const note = this.notes.get(inside);
    if (note === undefined || this.#isTorn) {
      this.#isTorn = false;
      return Promise.resolve(undefined);
    }
    const parsed = note.text.split("\n").filter(Boolean).map(
      (line, at): Parsed =>
        line === "!" ? { kind: "skipped", line: at + 1, reason: "bad" } : {
          kind: "fact",
          id: `${inside}#${line.split(":")[0]}`,
          content: line,
          first: at + 1,
          last: at + 1,
        },
    );
    return Promise.resolve({
      stamp: String(note.version),
      source: inside,
      mark: "mark",
      prefix: "",
      parsed,
    });
  }

  sourceOf(inside: string): string {
    return inside;
  }
}

/** A watch over a folder, and what it did. */
class Trial {
  readonly folder = new Folder();
  readonly timer = new ManualTimer();
  /** For what is to happen though nothing comes to rest. */
  readonly latest = new ManualTimer();
  readonly commits: string[] = [];
  readonly saved: Saved[] = [];
  readonly errors: unknown[] = [];
  foreign = new Set<string>();
  failures: unknown[] = [];
  readonly watch: NoteWatch;

  constructor(known: ReadonlyMap<string, KnownNote> = new Map()) {
    this.watch = new NoteWatch(this.folder, known, {
      later: (call, ms) =>
        (ms === LATEST_MS ? this.latest : this.timer).timer(call),
      write: (edits, message) => {
        const failure = this.failures.pop();
        if (failure !== undefined) return Promise.reject(failure);
        this.commits.push(`${message} | ${edits.map(brief).join(" ")}`);
        const changes = edits.map(({ id }) => [id, "modified"] as const);
        return Promise.resolve({
          commit: String(this.commits.length),
          changes: new Map(changes),
        });
      },
      isOurs: (id) => Promise.resolve(!this.foreign.has(id)),
      saved: (saved) => {
        this.saved.push(saved);
        return Promise.resolve();
      },
      failed: (error) => {
        this.errors.push(error);
        return Promise.resolve(error instanceof MnemError);
      },
    });
  }

  /** Hints, and lets the folder be at rest once. */
  async rest(): Promise<void> {
    this.watch.hint();
    await this.tick();
  }

  async tick(timer: ManualTimer = this.timer): Promise<void> {
    timer.tick();
    // All that is waited for is settled already; a macrotask is after all of it.
    await new Promise((done) => setTimeout(done, 0));
  }
}

function brief({ id, remove, content }: Edit): string {
  return remove ? `-${id}` : `${id}=${content}`;
}

Deno.test("NoteWatch makes one commit of a save, of what changed in it", async () => {
  const trial = new Trial();
  trial.folder.put("a", "plan: team\nseats: 3");
  await trial.rest();
  trial.folder.put("a", "seats: 3\nplan: pro");
  for (let event = 0; event < 5; event++) trial.watch.hint();
  assert.equal(trial.timer.waiting, 1);
  await trial.tick();
  await trial.rest();
  assert.deepEqual(trial.commits, [
    "save a | a#plan=plan: team a#seats=seats: 3",
    "save a | a#plan=plan: pro",
  ]);
  trial.folder.put("a", "plan: pro\n\nseats: 3");
  await trial.rest();
  assert.equal(trial.commits.length, 2);
});

Deno.test("NoteWatch forgets what a note says no more, unless somebody else said it since", async () => {
  const trial = new Trial();
  trial.folder.put("a", "one: 1\ntwo: 2\nthree: 3");
  await trial.rest();
  trial.foreign.add("a#two");
  trial.folder.put("a", "one: 1");
  await trial.rest();
  assert.equal(trial.commits[1], "save a | -a#three");
});

Deno.test("NoteWatch forgets nothing of a note that it cannot read whole", async () => {
  const trial = new Trial();
  trial.folder.put("a", "one: 1\ntwo: 2");
  await trial.rest();
  trial.folder.put("a", "!\ntwo: 22");
  await trial.rest();
  assert.equal(trial.commits[1], "save a | a#two=two: 22");
  assert.deepEqual(trial.saved[1]?.findings, [
    { source: "a", kind: "skipped", line: 1, reason: "bad" },
  ]);
  trial.folder.put("a", "two: 22");
  await trial.rest();
  assert.equal(trial.commits[2], "save a | -a#one");
});

Deno.test("NoteWatch waits for a note that is empty or gone, and takes it for that the second time", async () => {
  const trial = new Trial();
  trial.folder.put("a", "one: 1");
  trial.folder.put("b", "two: 2");
  await trial.rest();
  assert.equal(trial.commits.length, 2);
  // Truncated, and written only then.
  trial.folder.put("a", "");
  await trial.rest();
  assert.equal(trial.commits.length, 2);
  trial.folder.put("a", "one: 11");
  await trial.tick();
  assert.equal(trial.commits[2], "save a | a#one=one: 11");
  // Moved away, and written anew.
  trial.folder.notes.delete("a");
  await trial.rest();
  trial.folder.notes.set("a", { text: "one: 1", version: 90 });
  await trial.tick();
  assert.equal(trial.commits[3], "save a | a#one=one: 1");
  trial.folder.put("a", "");
  trial.folder.notes.delete("b");
  await trial.rest();
  assert.equal(trial.commits.length, 4);
  await trial.tick();
  assert.equal(trial.commits[4], "save a, remove b | -a#one -b#two");
});

Deno.test("NoteWatch takes a renamed note as one commit, and one that is being written later", async () => {
  const trial = new Trial();
  trial.folder.put("a", "one: 1");
  await trial.rest();
  trial.folder.notes.delete("a");
  trial.folder.put("b", "one: 1");
  await trial.rest();
  await trial.tick();
  assert.equal(trial.commits[1], "save b, remove a | -a#one b#one=one: 1");
  trial.folder.put("b", "one: 2");
  trial.folder.tear();
  await trial.rest();
  assert.equal(trial.commits.length, 2);
  await trial.tick();
  assert.equal(trial.commits[2], "save b | b#one=one: 2");
});

Deno.test("NoteWatch tries a commit again that failed, and ends with a defect", async () => {
  const trial = new Trial();
  trial.folder.put("a", "one: 1");
  trial.failures = [new MnemError("busy", "Cannot write: busy")];
  await trial.rest();
  assert.deepEqual([trial.commits.length, trial.errors.length], [0, 1]);
  assert.equal(trial.timer.waiting, 1);
  await trial.tick();
  assert.deepEqual(trial.commits, ["save a | a#one=one: 1"]);
  trial.folder.put("a", "one: 2");
  trial.failures = [new TypeError("a defect")];
  trial.watch.hint();
  trial.timer.tick();
  await assert.rejects(trial.watch.ended, /a defect/);
});

Deno.test("NoteWatch takes in what was saved before it is stopped, and then nothing", async () => {
  const known = new Map([["a", {
    stamp: "1",
    facts: new Map([["a#one", '"one: 1"']]),
  }]]);
  const trial = new Trial(known);
  trial.folder.put("a", "one: 1");
  await trial.rest();
  assert.deepEqual(trial.commits, []);
  trial.folder.put("a", "one: 2");
  trial.watch.hint();
  trial.watch.stop();
  await trial.watch.ended;
  assert.deepEqual(trial.commits, ["save a | a#one=one: 2"]);
  trial.watch.hint();
  assert.equal(trial.timer.waiting, 0);
});

Deno.test("NoteWatch takes in what was saved where something else never comes to rest", async () => {
  const trial = new Trial();
  trial.folder.put("a", "one: 1");
  for (let event = 0; event < 5; event++) trial.watch.hint();
  assert.deepEqual([trial.timer.waiting, trial.latest.waiting], [1, 1]);
  await trial.tick(trial.latest);
  assert.deepEqual(trial.commits, ["save a | a#one=one: 1"]);
  assert.deepEqual([trial.timer.waiting, trial.latest.waiting], [0, 0]);
  await trial.rest();
  assert.equal(trial.latest.waiting, 0);
  trial.watch.hint();
  trial.watch.stop();
  assert.deepEqual([trial.timer.waiting, trial.latest.waiting], [0, 0]);
  await trial.watch.ended;
});

Deno.test("NoteWatch that is stopped takes in a save beside a note that is just gone, and leaves that one", async () => {
  const trial = new Trial();
  for (const name of ["a", "b", "c"]) trial.folder.put(name, "one: 1");
  await trial.rest();
  assert.equal(trial.commits.length, 3);
  trial.folder.put("a", "one: 2");
  trial.folder.notes.delete("b");
  trial.folder.put("c", "");
  trial.watch.stop();
  await trial.watch.ended;
  assert.deepEqual(trial.commits.slice(3), ["save a | a#one=one: 2"]);
});

Deno.test("NoteWatch makes several commits of what is more than one holds", async () => {
  const trial = new Trial();
  const lines = Array.from({ length: 100_001 }, (_, at) => `k${at}: 1`);
  trial.folder.put("a", lines.join("\n"));
  await trial.rest();
  assert.equal(trial.commits.length, 2);
  assert.equal(trial.commits[1], "save a | a#k100000=k100000: 1");
  assert.deepEqual(
    trial.saved.map(({ written }) => [written.commit, written.changes.size]),
    [["2", 100_001]],
  );
});
