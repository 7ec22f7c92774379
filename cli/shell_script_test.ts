import assert from "node:assert/strict";
import { COMMANDS } from "./command_table.ts";
import { SHELLS, shellScript } from "./shell_script.ts";

Deno.test("shellScript() offers every command and every flag to each shell", async (t) => {
  for (const shell of SHELLS) {
    await t.step(shell, () => {
      const script = shellScript(shell, COMMANDS);
      // fish takes a flag without its dashes.
      const words = new Set(
        script.split(/[^\w-]+/).flatMap((word) =>
          shell === "fish" ? [word, `-${word}`, `--${word}`] : [word]
        ),
      );
      for (const { name, alias = name, options = [] } of COMMANDS) {
        const flags = options.flatMap(({ flags }) =>
          flags.match(/(?<![\w-])--?[\w-]+/g) ?? []
        );
        for (const word of [name, alias, ...flags, "--store", "--json"]) {
          assert.ok(words.has(word), `${name}: ${word}`);
        }
      }
    });
  }
});
