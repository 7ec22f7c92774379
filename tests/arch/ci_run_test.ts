/**
 * `.ci/run` fails when any of its steps fails, and its last line is the sum. Played with an `npx`
 * that runs nothing.
 *
 * @module
 */

import assert from "node:assert/strict";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("../../.ci/run", import.meta.url));
const TASKS = [
  "test",
  "demo",
  "check:fmt",
  "check:lint",
  "check:types",
  "check:docs",
  "check:publish",
  "test:deep",
  "bench --short",
];

// Each task says its name; the one that is to fail says so after it.
const NPX = `#!/usr/bin/env bash
[ "$1 $2" = "--yes deno@2.9.6" ] || exit 64
shift 2
if [ "$1" = run ]; then exec "$REAL_DENO" "$@"; fi
shift
echo "ran: $*"
case "$*" in
  test) echo "ok | \${PASSED:-4} passed (2 steps) | 0 failed | 1 ignored (1s)" ;;
  test:deep) echo "ok | 2 passed | 0 failed (1s)" ;;
esac
[ "$*" != "$FAILING" ]
`;

interface Played {
  readonly code: number;
  readonly lines: readonly string[];
}

async function playCi(
  env: { readonly [name: string]: string },
): Promise<Played> {
  const folder = await mkdtemp(join(tmpdir(), "mnem-ci-"));
  try {
    await writeFile(join(folder, "npx"), NPX, { mode: 0o755 });
    const { code, stdout } = await new Deno.Command("bash", {
      args: [SCRIPT],
      clearEnv: true,
      env: {
        PATH: folder + delimiter + (Deno.env.get("PATH") ?? ""),
        HOME: folder,
        REAL_DENO: Deno.execPath(),
        FAILING: "",
        ...env,
      },
      stdin: "null",
    }).output();
    const text = new TextDecoder().decode(stdout).trimEnd();
    return { code, lines: text.split("\n") };
  } finally {
    await rm(folder, { recursive: true });
  }
}

const ignore = Deno.build.os === "windows";

Deno.test(
  { name: ".ci/run runs every task and ends with the sum", ignore },
  async () => {
    const { code, lines } = await playCi({});
    const ran = lines.filter((line) => line.startsWith("ran: "));
    assert.deepEqual(ran, TASKS.map((task) => `ran: ${task}`));
    assert.equal(lines.at(-1), "6 passed, 0 failed, 1 skipped");
    assert.equal(code, 0);
  },
);

Deno.test({
  name: ".ci/run fails when any task fails, and runs the rest",
  ignore,
}, async () => {
  for (const task of TASKS) {
    const { code, lines } = await playCi({ FAILING: task });
    assert.equal(code, 1, task);
    assert.ok(
      lines.includes(`Failed: npx --yes deno@2.9.6 task ${task}`),
      lines.join("\n"),
    );
    assert.ok(lines.includes("ran: bench --short"));
    assert.equal(lines.at(-1), "6 passed, 0 failed, 1 skipped");
  }
});

Deno.test({ name: ".ci/run needs no home", ignore }, async () => {
  for (const HOME of ["", "/dev/null/home"]) {
    const { code, lines } = await playCi({ HOME });
    assert.equal(lines.at(-1), "6 passed, 0 failed, 1 skipped");
    assert.equal(code, 0);
  }
});

Deno.test({ name: ".ci/run can be started as it is", ignore }, async () => {
  assert.equal((await stat(SCRIPT)).mode & 0o111, 0o111);
});
