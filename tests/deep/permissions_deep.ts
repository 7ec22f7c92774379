/**
 * Each permission in the lists of docs/SECURITY.md is needed: without it the line ends with a code and
 * the name of what it lacks, and asks nobody.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  linePlace,
  PERMISSION_LINES,
  typed,
} from "../support/permission_lines.ts";
import { reportFigures } from "../support/report_figures.ts";

/** How long it takes on two busy cores. */
export const SECONDS = 10;

/** The line without each of its permissions, and without each part of one. */
function shortened(line: string): string[] {
  const words = line.split(" ");
  return words.flatMap((word, at) => {
    if (!word.startsWith("--allow-")) return [];
    const [flag = "", list = ""] = word.split("=");
    const parts = list.split(",");
    const others = parts.map((part) => parts.filter((one) => one !== part));
    return others.map((left) =>
      words.toSpliced(
        at,
        1,
        ...left.length === 0 ? [] : [`${flag}=${left}`],
      ).join(" ")
    );
  });
}

Deno.test("docs/SECURITY.md: each permission is needed, and its absence is named", async (t) => {
  let left = 0;
  for (const line of PERMISSION_LINES) {
    const lines = shortened(line);
    assert.ok(lines.length >= 2, line);
    for (const short of lines) {
      left++;
      await t.step(short, async () => {
        await using place = await linePlace(line);
        const { code, said } = await typed(short, place);
        assert.ok(code === 7 || code === 2, `${code}: ${said}`);
        assert.match(said, /Requires \w+ access/);
        assert.match(said, /store_io|cannot read/);
        assert.doesNotMatch(said, /internal|panicked|\n +at /);
      });
    }
  }
  reportFigures("permissions", { lines: PERMISSION_LINES.length, left });
});

const hasScript = await new Deno.Command("script", {
  args: ["--version"],
  stdout: "null",
  stderr: "null",
}).output().then(({ success }) => success, () => false);

Deno.test({
  name: "on a terminal no permission is asked for that a line leaves out",
  ignore: !hasScript,
}, async (t) => {
  const cli = new URL("../../cli/mod.ts", import.meta.url).pathname;
  const line = PERMISSION_LINES.find((one) => one.endsWith(" verify")) ?? "";
  for (const words of ["verify", "log --graph", "help log", "remember b 1"]) {
    await t.step(words, async () => {
      await using place = await linePlace(line);
      const store = place.store;
      const permissions = `--allow-read=${store} --allow-write=${store}`;
      const start = `"${Deno.execPath()}" run --unstable-kv ${permissions}`;
      const { code, stdout } = await new Deno.Command("script", {
        args: [
          "-qec",
          `${start} ${cli} --store=${store} ${words}`,
          "/dev/null",
        ],
        stdin: "null",
      }).output();
      const said = new TextDecoder().decode(stdout);
      assert.equal(code, 0, said);
      assert.doesNotMatch(said, /requests/);
      assert.match(said, /0 faults|commit|Usage|remember/);
    });
  }
});
