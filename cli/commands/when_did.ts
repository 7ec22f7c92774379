/**
 * `mnem when-did` and `mnem bisect`: the commit at which something became so.
 *
 * @module
 */

import {
  type Question,
  toWire,
  whenDid,
  type WhenDidResult,
} from "@mnem/agents";
import type { Call, Command, OptionSpec } from "../command.ts";
import { type Given, UsageError } from "../given.ts";
import { blameLines } from "../render/blame.ts";
import { commitLines, onelineCommit, shortId } from "../render/commit.ts";
import type { Style } from "../render/style.ts";

const FLIPS_SHOWN_MAX = 20;

const MORE =
  "Exactly one of --equals, --absent and --present must be given. Of a node that came in by a merge the commit that wrote it is named too.";

const QUESTION_OPTIONS: readonly OptionSpec[] = [
  { flags: "--equals <json>", what: "its content became this" },
  { flags: "--absent", what: "it went" },
  { flags: "--present", what: "it came" },
  {
    flags: "--good <commit>",
    what: "search after this commit (else from the beginning)",
  },
];

/** See the module. */
export const WHEN_DID: Command = {
  name: "when-did",
  summary: "find the commit at which something became so for a node",
  more: MORE,
  arguments: [{ name: "id", what: "the node's id" }],
  options: [
    ...QUESTION_OPTIONS,
    { flags: "--bad <commit>", what: "search up to this commit (else HEAD)" },
  ],
  examples: [
    `mnem when-did plan --equals '"pro"'`,
    "mnem when-did draft --absent --bad HEAD~3",
  ],
  run: (call) => answer(call, call.given.required(0), call.given.text("bad")),
};

/** See the module. */
export const BISECT: Command = {
  name: "bisect",
  summary: "the same as when-did, typed as git does",
  more: MORE,
  arguments: [
    {
      name: "bad",
      what: "search up to this commit (else HEAD)",
      optional: true,
    },
  ],
  options: [
    { flags: "--node <id>", what: "the node's id" },
    ...QUESTION_OPTIONS,
  ],
  examples: [
    `mnem bisect --node plan --equals '"pro"'`,
    "mnem bisect --node plan --present --good HEAD~9 HEAD~1",
  ],
  run: (call) => answer(call, nodeOf(call.given), call.given.argument(0)),
};

function nodeOf(given: Given): string {
  const node = given.text("node");
  if (node !== undefined) return node;
  throw new UsageError("a node must be given: --node <id>");
}

async function answer(
  { given, report, open }: Call,
  id: string,
  bad: string | undefined,
): Promise<void> {
  const question = questionOf(given, bad);
  const store = await open();
  const found = await whenDid(store, id, question);
  await report.value(
    () => ({
      commit: found.commit.id,
      written_in: found.writtenIn.id,
      flips: found.flips,
      flips_complete: found.flipsComplete,
      blame: found.blame === null ? null : toWire(found.blame),
    }),
    () => foundLines(found, report),
  );
}

function questionOf(given: Given, bad: string | undefined): Question {
  const good = given.text("good");
  const asked = ["equals", "absent", "present"].filter((name) =>
    given.has(name)
  );
  if (asked.length !== 1) {
    throw new UsageError(
      "exactly one of --equals, --absent and --present must be given",
    );
  }
  if (given.has("absent")) return { good, bad, absent: true };
  if (given.has("present")) return { good, bad, present: true };
  return { good, bad, equals: given.json("equals") };
}

function foundLines(
  found: WhenDidResult,
  { style }: Call["report"],
): string[] {
  const { commit, writtenIn, flips, flipsComplete, blame } = found;
  const others = flips.filter((id) => id !== commit.id);
  const shownFlips = others.slice(0, FLIPS_SHOWN_MAX).map(shortId).join(" ");
  return [
    ...commitLines(commit, style),
    "",
    ...(writtenIn.id === commit.id ? [] : writtenLines(found, style)),
    ...(blame === null ? ["absent here"] : blameLines(blame, style).slice(
      // The commit stands above already.
      blame.commit.id === commit.id ? commitLines(commit, style).length + 1 : 0,
    )),
    ...(others.length === 0 ? [] : [
      "",
      `the answer also changed at ${shownFlips}${
        others.length > FLIPS_SHOWN_MAX ? " and more" : ""
      }`,
    ]),
    ...(flipsComplete ? [] : ["", "it may have changed at other commits too"]),
  ];
}

/** Of what a merge brought in: the commit that the blame below begins with, or else itself. */
function writtenLines(
  { writtenIn, blame }: WhenDidResult,
  style: Style,
): string[] {
  return blame?.commit.id === writtenIn.id
    ? ["written in"]
    : [`written in ${onelineCommit(writtenIn, style)}`, ""];
}
