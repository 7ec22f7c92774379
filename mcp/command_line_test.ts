import assert from "node:assert/strict";
import { parseCommand, UsageError } from "./command_line.ts";

const nothingSet = (): undefined => undefined;

Deno.test("parseCommand() reads every flag", () => {
  assert.deepEqual(
    parseCommand(
      [
        "--store=./mem",
        "--tools=all",
        "--author",
        "support",
        "--branch=trial",
        "--read-only",
      ],
      nothingSet,
    ),
    {
      kind: "serve",
      location: "./mem",
      branch: "trial",
      options: { tools: "all", author: "support", readOnly: true },
    },
  );
});

Deno.test("parseCommand() fills in what is not given", () => {
  assert.deepEqual(parseCommand(["--store", "mem"], nothingSet), {
    kind: "serve",
    location: "mem",
    branch: undefined,
    options: { tools: "core", author: undefined, readOnly: false },
  });
});

Deno.test("parseCommand() reads the environment where a flag is missing", () => {
  const environment = (name: string) => `${name.toLowerCase()}-value`;
  const both = parseCommand([], environment);
  assert.ok(both.kind === "serve");
  assert.equal(both.location, "mnem_store-value");
  assert.equal(both.options.author, "mnem_author-value");
  const flags = parseCommand(["--store=a", "--author=b"], environment);
  assert.ok(flags.kind === "serve");
  assert.deepEqual([flags.location, flags.options.author], ["a", "b"]);
});

Deno.test("parseCommand() takes an empty variable as not set", () => {
  assert.throws(() => parseCommand([], () => ""), UsageError);
  const command = parseCommand(["--store=a"], () => "");
  assert.ok(command.kind === "serve");
  assert.equal(command.options.author, undefined);
});

Deno.test("parseCommand() knows --help and --version without a store", () => {
  assert.equal(parseCommand(["--help"], nothingSet).kind, "help");
  assert.equal(parseCommand(["-h"], nothingSet).kind, "help");
  assert.equal(parseCommand(["--version"], nothingSet).kind, "version");
});

const REFUSED: [string[], string][] = [
  [[], "No store: --store or MNEM_STORE must be given"],
  [["--store"], "--store needs a value"],
  [["--store="], "--store needs a value"],
  [["--store", "--read-only"], "--store needs a value"],
  [["--store=a", "--author"], "--author needs a value"],
  [["--store=a", "--branch="], "--branch needs a value"],
  [["--store=a", "--stroe=b"], "Unknown flag --stroe"],
  [["--store=a", "-x"], "Unknown flag -x"],
  [["--store=a", "--toString"], "Unknown flag --toString"],
  [["--store=a", "--tools=some"], '--tools must be core or all, not "some"'],
  [["--store=a", "--read-only=no"], '--read-only takes no value, not "no"'],
  [["--store=a", "b"], 'Unexpected argument "b"'],
  [["--store=a", "--", "b"], 'Unexpected argument "b"'],
  [["--store=a", "--store=b"], "--store is given twice"],
];

Deno.test("parseCommand() refuses what it cannot follow, and names it", async (t) => {
  for (const [args, message] of REFUSED) {
    await t.step(args.join(" ") || "no arguments", () => {
      assert.throws(() => parseCommand(args, nothingSet), {
        name: "UsageError",
        message,
      });
    });
  }
});
