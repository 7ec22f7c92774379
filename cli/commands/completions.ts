/**
 * `mnem completions`: a script that lets a shell complete commands and flags.
 *
 * @module
 */

import type { Call, Command } from "../command.ts";
import { UsageError } from "../given.ts";
import { type Shell, SHELLS, shellScript } from "../shell_script.ts";

/** Returns the command; it is told of all commands, itself among them. */
export function completions(table: () => readonly Command[]): Command {
  return {
    name: "completions",
    summary: "print a script that completes commands and flags in a shell",
    arguments: [{ name: "shell", what: `${SHELLS.join(", ")}` }],
    examples: [
      "mnem completions bash > ~/.local/share/bash-completion/completions/mnem",
      'mnem completions zsh > "${fpath[1]}/_mnem"',
      "mnem completions fish > ~/.config/fish/completions/mnem.fish",
      "mnem completions powershell >> $PROFILE",
      "mnem completions elvish >> ~/.config/elvish/rc.elv",
    ],
    run: (call) => print(call, table()),
  };
}

async function print(
  { given, report }: Call,
  table: readonly Command[],
): Promise<void> {
  const shell = shellOf(given.required(0));
  const script = shellScript(shell, table);
  await report.value(
    () => ({ shell, script }),
    () => script.trimEnd().split("\n"),
  );
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
