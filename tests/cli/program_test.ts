/**
 * The real program among others: pipes, terminals, shells, full disks.
 *
 * @module
 */

import assert from "node:assert/strict";
import { openStore } from "@mnem/core";
import { INITIALIZE } from "../mcp/server_process.ts";
import { tempStore } from "../support/temp_store.ts";
import {
  PROGRAM,
  runProgram,
  runScript,
  runShell,
  storeSession,
} from "./session.ts";

const COMMITS = 400;

/** Whether a program can be started here. */
function has(program: string): boolean {
  try {
    const args = ["-c", `command -v ${program}`];
    return new Deno.Command("sh", { args }).outputSync().success;
  } catch {
    return false;
  }
}

Deno.test({
  name: "mnem log | head -1 ends quietly",
  ignore: !has("head"),
  fn: async () => {
    await using temp = await tempStore();
    const message = "a message that fills the pipe ".repeat(20);
    for (let i = 0; i < COMMITS; i++) {
      await temp.store.write([{ id: "n", content: i }], { message });
    }
    const line = "{ mnem log; echo $? >&2; } | head -1";
    const options = { cwd: temp.path };
    const ran = await runShell(line, options);
    assert.match(ran.out, /^commit [0-9a-f]{64} \(HEAD -> main\)\n$/);
    assert.deepEqual([ran.status, ran.err], [0, "0\n"]);
    const whole = await runShell("mnem log | wc -c", options);
    assert.ok(Number(whole.out) > 65_536, "more than a pipe holds");
  },
});

Deno.test({
  name: "an output that cannot be written is an error",
  ignore: !has("[ -w /dev/full ] && echo"),
  fn: async () => {
    await using mnem = await storeSession();
    for (const line of ["mnem log", "mnem log --json", "mnem help"]) {
      const ran = await runShell(`${line} > /dev/full`, { cwd: mnem.path });
      assert.equal(ran.status, 7, ran.err);
      assert.match(ran.err, /store_io.*Cannot write the output: /);
    }
  },
});

Deno.test({
  name: "a terminal sees colours, and stored control characters escaped",
  ignore: !has("script"),
  fn: async () => {
    await using mnem = await storeSession();
    await mnem.text("remember", "a", "\u001b[31mred", "-m", "\u001b[2Jgone");
    const onTerminal = async (start: string) => {
      const command = `${start} "${Deno.execPath()}" run -A "${PROGRAM}" show`;
      const line = `script -qec '${command}' /dev/null`;
      const env = { TERM: "xterm", NO_COLOR: "" };
      return (await runShell(line, { cwd: mnem.path, env })).out;
    };
    const coloured = await onTerminal("");
    assert.match(coloured, /\p{Cc}\[33mcommit [0-9a-f]{64}\p{Cc}\[39m/u);
    for (const text of [coloured, await onTerminal("NO_COLOR=1")]) {
      assert.ok(
        text.includes("\\u001b[2Jgone") && text.includes("\\u001b[31mred"),
      );
      assert.ok(!text.includes("\u001b[31m") && !text.includes("\u001b[2J"));
    }
    assert.doesNotMatch(await onTerminal("NO_COLOR=1"), /\p{Cc}\[33m/u);
  },
});

Deno.test("the program reads its arguments, its environment and its standard input", async () => {
  await using mnem = await storeSession();
  const env = { MNEM_STORE: mnem.path, MNEM_AUTHOR: "env-author" };
  const line = "printf 'from a pipe\\n' | mnem remember note";
  assert.equal((await runShell(line, { env, cwd: "/" })).status, 0);
  const { result } = Object(await mnem.json("log"));
  assert.deepEqual([result[0].author, result[0].message], [
    "env-author",
    "remember note",
  ]);
  const ran = await runProgram(["recall", "note"], { env });
  assert.equal(ran.out, 'note\n  "from a pipe"\n');
  const lost = await runProgram(["recall", "ghost"], { env });
  assert.deepEqual([lost.status, lost.out], [3, ""]);
  const version = await runProgram(["--version"]);
  const config = new URL("../../cli/deno.json", import.meta.url);
  const released: unknown = JSON.parse(Deno.readTextFileSync(config)).version;
  assert.equal(version.out, `mnem ${released}\n`);
});

Deno.test("a folder as standard input is no text, and nothing is written", async () => {
  await using mnem = await storeSession();
  await mnem.text("remember", "note", "kept");
  const before = await mnem.text("log");
  const ran = await runShell("mnem remember note < .", { cwd: mnem.path });
  assert.equal(ran.status, 2, ran.err);
  assert.match(ran.err, /^mnem: cannot read standard input: it is a folder\n/);
  assert.equal(await mnem.text("log"), before);
});

Deno.test({
  name: "a working directory that is gone is no store",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    await using mnem = await storeSession();
    const script = `
      import { main } from ${JSON.stringify(PROGRAM)};
      Deno.mkdirSync("gone");
      Deno.chdir("gone");
      Deno.removeSync("../gone");
      Deno.exit(await main(["status"]));`;
    const ran = await runScript(script, { cwd: mnem.path });
    assert.deepEqual([ran.status, ran.out], [6, ""], ran.err);
    assert.match(
      ran.err,
      /^mnem: no_store: .* the working directory is gone\n/,
    );
  },
});

Deno.test({
  name: "a device without end is refused at the limit",
  ignore: !has("[ -c /dev/zero ] && echo"),
  fn: async () => {
    await using mnem = await storeSession();
    const ran = await mnem.mnem("remember", "a", "--content-file=/dev/zero");
    assert.equal(ran.status, 2);
    assert.match(
      ran.err,
      /Cannot read \/dev\/zero: the limit is 67108864 bytes/,
    );
  },
});

Deno.test("a file that can grow no more is store_io, and the store goes on", async (t) => {
  await using mnem = await storeSession();
  await mnem.text("remember", "a", "1");
  const big = "x".repeat(100_000);
  // As a full disk: what SQLite writes beyond the limit fails.
  const ran = await runShell(
    `trap '' XFSZ; ulimit -f 200; i=0
while [ $i -lt 6 ]; do echo "${big}$i" | mnem remember big || exit $?; i=$((i+1)); done`,
    { cwd: mnem.path, env: { DENO_NO_UPDATE_CHECK: "1" } },
  );
  await t.step("the write that found no room says so", () => {
    assert.equal(ran.status, 7, ran.err.slice(0, 400));
    assert.match(ran.err, /^mnem: store_io: /m);
  });
  await using store = await openStore(mnem.path);
  assert.equal((await store.node("a"))?.content, "1");
  await store.write([{ id: "b", content: 2 }], {
    message: "there is room again",
  });
});

Deno.test({
  name: "completions work in bash",
  ignore: !has("bash"),
  fn: async () => {
    const complete = async (...words: string[]) => {
      const script =
        `source <("${Deno.execPath()}" run -A "${PROGRAM}" completions bash)
COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")})
COMP_CWORD=${words.length - 1}
_mnem
printf '%s\\n' "\${COMPREPLY[@]}"`;
      const args = ["-c", script];
      const { stdout } = await new Deno.Command("bash", { args }).output();
      return new TextDecoder().decode(stdout).trim().split("\n");
    };
    assert.deepEqual(await complete("mnem", "lo"), ["log"]);
    assert.deepEqual(await complete("mnem", "re"), [
      "remember",
      "recall",
      "revert",
    ]);
    assert.deepEqual(await complete("mnem", "log", "--o"), ["--oneline"]);
    assert.deepEqual(await complete("mnem", "--json", "why", "x", "--st"), [
      "--store",
    ]);
    assert.deepEqual(await complete("mnem", "help", "who"), [""]);
  },
});

Deno.test({
  name: "completions work in elvish",
  ignore: !has("elvish"),
  fn: async () => {
    const { out } = await runProgram(["completions", "elvish"]);
    // The editor, to which it is given, is there only where somebody types.
    const script = out
      .replace("set edit:completion:arg-completer[mnem] =", "var complete =")
      .replace("edit:complete-filename", "put file");
    const complete = async (words: string) => {
      const args = ["-c", `${script}\n$complete ${words} | to-lines`];
      const { stdout } = await new Deno.Command("elvish", { args }).output();
      return new TextDecoder().decode(stdout).trim().split("\n");
    };
    const first = await complete("mnem re");
    assert.ok(first.includes("revert") && first.includes("help"), `${first}`);
    assert.ok((await complete("mnem log --o")).includes("--oneline"));
    assert.deepEqual(await complete("mnem --json why x --st"), [
      "--store",
      "--json",
      "-h",
      "--help",
    ]);
    assert.deepEqual(await complete("mnem import a"), ["file", "a"]);
  },
});

for (const [shell, check] of [["zsh", "-n"], ["fish", "-n"]] as const) {
  Deno.test({
    name: `completions can be read by ${shell}`,
    ignore: !has(shell),
    fn: async () => {
      const { out } = await runProgram(["completions", shell]);
      const file = await Deno.makeTempFile();
      await Deno.writeTextFile(file, out);
      const args = [check, file];
      const { success } = await new Deno.Command(shell, { args }).output();
      await Deno.remove(file);
      assert.ok(success);
    },
  });
}

Deno.test("serve speaks MCP for the store that the folder holds", async () => {
  await using mnem = await storeSession();
  const frames = INITIALIZE +
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"remember","arguments":{"id":"a","content":1}}}\n';
  const file = `${mnem.path}/frames`;
  await Deno.writeTextFile(file, frames);
  const ran = await runShell("mnem serve --author=host < frames", {
    cwd: mnem.path,
  });
  assert.equal(ran.status, 0, ran.err);
  assert.match(ran.err, /serving .* \(branch main\)/);
  assert.equal(ran.out.trim().split("\n").length, 2);
  const { result } = Object(await mnem.json("log"));
  assert.deepEqual([result[0].author, result[0].message], [
    "host",
    "remember a",
  ]);
  const elsewhere = await runShell("mnem serve < /dev/null", { cwd: "/" });
  assert.deepEqual([elsewhere.status, elsewhere.out], [6, ""]);
});
