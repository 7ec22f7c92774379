/**
 * docs/STORY.md is what happens: each of its lines is typed in a shell, and what comes back is compared
 * with the page.
 *
 * @module
 */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { tempFolder } from "../support/temp_folder.ts";
import { runShell } from "./session.ts";

const PAGE = new URL("../../docs/STORY.md", import.meta.url);
const VECTORS = new URL("../data/vectors.json", import.meta.url);
/** What the page calls the folder that holds everything, and the one that the story is played in. */
const HOME = "~";
const FOLDER = "case-4821";
/** What a busy machine says of work that takes it longer than a second. */
const PROGRESS = /^mnem: (verifying|exporting|importing), .*\n/gm;

/** The console blocks of a page, each as the lines between its fences. */
function blocksOf(page: string): string[] {
  return [...page.matchAll(/^```console\n([\s\S]*?)^```$/gm)]
    .map(([, block = ""]) => block);
}

/** Types the commands of all blocks in one shell, and returns the blocks as they should be. */
async function played(blocks: readonly string[]): Promise<string[]> {
  await using folder = await tempFolder();
  const path = await Deno.realPath(folder.path);
  const cwd = `${path}/${FOLDER}`;
  await Deno.mkdir(cwd);
  const script = blocks.flatMap((block) => [
    "echo '```'",
    ...block.split("\n").filter((line) => line.startsWith("$ ")).flatMap(
      (line) => [
        `status=$?; printf '%s\\n' '${line.replaceAll("'", `'\\''`)}'`,
        `(exit $status); ${line.slice(2)}`,
      ],
    ),
  ]);
  const ran = await runShell(`exec 2>&1\n${script.join("\n")}\n`, { cwd });
  assert.equal(ran.status, 0, ran.out);
  return ran.out.replaceAll(path, HOME).replace(PROGRESS, "").split("```\n")
    .slice(1);
}

Deno.test("docs/STORY.md is what a shell answers, line by line", async () => {
  const blocks = blocksOf(await readFile(PAGE, "utf8"));
  const commands = blocks.join("").match(/^\$ mnem /gm) ?? [];
  assert.ok(commands.length > 30, `${commands.length} commands`);
  assert.deepEqual(await played(blocks), blocks);
});

Deno.test("docs/STORY.md tells the history that the reference played", async () => {
  const page = await readFile(PAGE, "utf8");
  const { steps, found }: {
    readonly steps: readonly {
      readonly commit: string;
      readonly message: string;
    }[];
    readonly found: string;
  } = JSON.parse(await readFile(VECTORS, "utf8")).histories.buggy_run;
  const [, log = ""] = /^\$ mnem log --oneline\n([^`]*?)```/m.exec(page) ?? [];
  const lines = log.trim().split("\n").map((line) =>
    line.replace(" (HEAD -> main)", "")
  );
  const known = steps.map(({ commit, message }) =>
    `${commit.slice(0, 12)} ${message}`
  );
  assert.deepEqual(lines, known.toReversed());
  const [, answer = ""] = /^\$ mnem bisect .*\n([^$]*)/m.exec(page) ?? [];
  assert.ok(answer.startsWith(`commit ${found}\n`), answer);
  assert.match(answer, /\n {2}observation: billing-note-8842\n/);
});
