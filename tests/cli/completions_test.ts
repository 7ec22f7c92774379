/**
 * The completion scripts, in the shells that are here.
 *
 * @module
 */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isThere, runProgram } from "../support/program.ts";
import { session, storeSession } from "./session.ts";

/** Words as they are typed, the last one to be completed, and what is offered. */
const ROWS: readonly (readonly [line: string, offers: readonly string[]])[] = [
  ["reme", ["remember"]],
  ["--store mem reme", ["remember"]],
  ["--store=mem reme", ["remember"]],
  ["--store mem blame pl", ["plan"]],
  ["--store elsewhere blame pl", ["plane"]],
  ["recall --at si", ["side"]],
  ["import --from g", ["git"]],
  ["merge --strategy o", ["ours"]],
  ["log --nod", ["--node"]],
  ["rm plan my", ["my id"]],
  ["branch -d s", ["side"]],
  ["blame plan HE", ["HEAD"]],
];

/** Stands for `mnem`, and tells what was asked of it by what it answers. */
const ANSWERS = `case "$*" in
  *"--store=elsewhere completions --list nodes"*) echo plane ;;
  *"completions --list nodes"*) printf 'my id\\nother\\nplan\\n' ;;
  *"completions --list revisions"*) printf 'HEAD\\nmain\\nside\\n' ;;
  *"completions --list branches"*) printf 'main\\nside\\n' ;;
esac`;

/** What a shell offers for each line, by a script that prints a line for each. */
async function offered(
  shell: readonly [string, ...string[]],
  setUp: string,
  more = "",
): Promise<string[]> {
  await using mnem = await session();
  const script = join(mnem.path, "script");
  const program = join(mnem.path, "mnem");
  writeFileSync(script, await mnem.text("completions", shell[0]));
  writeFileSync(program, `#!/bin/sh\n${ANSWERS}\n`, { mode: 0o755 });
  const asked = ROWS.map(([line]) => `ask ${line}`).join("\n");
  const ran = await runProgram(shell, ["-c", `${setUp}\n${asked}\n${more}`], {
    cwd: mnem.path,
    env: {
      SCRIPT: script,
      PATH: `${mnem.path}:${Deno.env.get("PATH") ?? ""}`,
    },
  });
  assert.equal(ran.stderr, "");
  return ran.stdout.trimEnd().split("\n");
}

const EXPECTED = ROWS.map(([, offers]) => `=${offers.join(",")}`);

Deno.test({
  name: "bash completes commands, flags and what the store holds",
  ignore: !(await isThere(["bash"])),
}, async () => {
  const setUp = `source "$SCRIPT"
ask() {
  COMP_WORDS=() COMPREPLY=()
  local word
  for word in mnem "$@"; do
    while [[ $word == *=* ]]; do COMP_WORDS+=("\${word%%=*}" "="); word="\${word#*=}"; done
    COMP_WORDS+=("$word")
  done
  COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
  _mnem
  local IFS=,
  echo "=\${COMPREPLY[*]//\\\\/}"
}`;
  const more = `ask recall --at=si
COMP_WORDS=(mnem rm my) COMP_CWORD=2 COMPREPLY=()
_mnem
echo "$COMPREPLY"`;
  assert.deepEqual(await offered(["bash", "--norc"], setUp, more), [
    ...EXPECTED,
    "=side",
    "my\\ id",
  ]);
});

Deno.test({
  name: "zsh completes commands, flags and what the store holds",
  ignore: !(await isThere(["zsh"])),
}, async () => {
  // The builtins work within a completion only: these tell what they would offer.
  const setUp = `compdef() { :; }
offer() { for one in "$@"; do [[ $one == "$PREFIX"* ]] && found+=("$one"); done; }
compadd() { if [[ $1 == -a ]]; then offer "\${(@P)2}"; else shift; offer "$@"; fi; }
compset() { PREFIX="\${PREFIX#*=}"; }
_describe() { offer "\${(@)\${(@P)2}%%:*}"; }
_files() { :; }
source "$SCRIPT"
ask() {
  words=(mnem "$@") CURRENT=$((\${#words} + 0)) PREFIX="\${words[-1]}" found=()
  _mnem
  echo "=\${(j:,:)found}"
}`;
  assert.deepEqual(await offered(["zsh", "-f"], setUp), EXPECTED);
});

Deno.test({
  name: "fish completes commands, flags and what the store holds",
  ignore: !(await isThere(["fish"])),
}, async () => {
  const setUp = `source $SCRIPT
function ask
  set -l found (complete -C "mnem $argv" | string replace -r '\\t.*' '')
  echo "="(string join , -- $found)
end`;
  assert.deepEqual(await offered(["fish", "--no-config"], setUp), EXPECTED);
});

Deno.test("completions --list tells what a store has that begins with a text", async () => {
  await using mnem = await storeSession();
  for (const id of ["plan", "my id", "other", "two\nlines"]) {
    await mnem.text("remember", id, "x");
  }
  await mnem.text("branch", "side");
  const rows = [
    [["nodes"], ["my id", "other", "plan"]],
    [["nodes", "--starting=o"], ["other"]],
    [["branches"], ["main", "side"]],
    [["revisions", "--starting=H"], ["HEAD"]],
  ] as const;
  for (const [args, lines] of rows) {
    const said = await mnem.text("completions", "--list", ...args);
    assert.deepEqual(said.trim().split("\n"), lines);
  }
  await using empty = await session();
  assert.equal((await empty.mnem("completions", "--list=nodes")).status, 6);
  assert.equal((await empty.mnem("completions")).status, 2);
  assert.equal((await empty.mnem("completions", "tcsh")).status, 2);
});
