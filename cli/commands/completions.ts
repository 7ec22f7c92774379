/**
 * `mnem completions`: a script that lets a shell complete commands and flags.
 *
 * @module
 */

import type { Call, Command } from "../command.ts";
import { LISTS } from "../completion/script_parts.ts";
import { UsageError } from "../given.ts";
import { visible } from "../render/visible.ts";
import { type Shell, SHELLS, shellScript } from "../shell_script.ts";

/** Returns the command; it is told of all commands, itself among them. */
export function completions(table: () => readonly Command[]): Command {
  return {
    name: "completions",
    summary: "print a script that completes commands and flags in a shell",
    more:
      "The script asks mnem itself for the branches and nodes that can stand in a place: that is what --list is for.",
    arguments: [
      { name: "shell", what: `${SHELLS.join(", ")}`, optional: true },
    ],
    options: [
      {
        flags: "--list <what>",
        what: "print what the store has of these, a line each",
        words: LISTS,
      },
      {
        flags: "--starting <text>",
        what: "beside --list: those that begin with it",
      },
    ],
    examples: [
      "mnem completions bash > ~/.local/share/bash-completion/completions/mnem",
      'mnem completions zsh > "${fpath[1]}/_mnem"',
      "mnem completions fish > ~/.config/fish/completions/mnem.fish",
      "mnem completions powershell >> $PROFILE",
      "mnem completions elvish >> ~/.config/elvish/rc.elv",
    ],
    run: (call) => call.given.has("list") ? list(call) : print(call, table()),
  };
}

async function print(
  { given, report }: Call,
  table: readonly Command[],
): Promise<void> {
  const shell = shellOf(given.argument(0) ?? "");
  const script = shellScript(shell, table);
  await report.value(
    () => ({ shell, script }),
    () => script.trimEnd().split("\n"),
  );
}

/** A shell that completes a word can show no more at once. */
const LISTED_MAX = 200;

async function list({ given, report, open }: Call): Promise<void> {
  const start = given.text("starting") ?? "";
  const store = await open();
  const found: string[] = [];
  if (given.text("list") === "nodes") {
    const options = { prefix: start, limit: LISTED_MAX };
    for await (const { id } of store.entries(options)) found.push(id);
  } else {
    found.push(...(await store.branches()).keys());
    if (given.text("list") === "revisions") found.push("HEAD");
  }
  // A shell reads a line as one word: what has an end of line in it cannot be offered.
  const result = found.filter((one) =>
    one.startsWith(start) && visible(one) === one
  );
  await report.value(() => ({ result }), () => result);
}

function shellOf(text: string): Shell {
  const shell = SHELLS.find((one) => one === text);
  if (shell !== undefined) return shell;
  throw new UsageError(
    `there are completions for ${SHELLS.join(", ")}, not for ${
      JSON.stringify(text)
    }`,
  );
}
