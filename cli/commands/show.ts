/**
 * `mnem show`: a commit, and memory as of it.
 *
 * @module
 */

import { toWire, whatsNew } from "@mnem/agents";
import { MnemError } from "@mnem/core";
import type { Call, Command } from "../command.ts";
import { changeLine, countLine } from "../render/change.ts";
import { commitLines } from "../render/commit.ts";
import { nodeLines } from "../render/node.ts";
import { changesJson } from "../written.ts";
import { readRefNames } from "../store_status.ts";

/** See the module. */
export const SHOW: Command = {
  name: "show",
  summary: "show a commit, and the whole memory as of it",
  arguments: [
    { name: "revision", what: "the commit (else HEAD)", optional: true },
  ],
  options: [
    { flags: "--stat", what: "what the commit changed, instead of all memory" },
  ],
  examples: [
    "mnem show",
    "mnem show --stat HEAD~1",
    "mnem show billing --json",
  ],
  run: show,
};

async function show({ given, report, open }: Call): Promise<void> {
  const store = await open();
  const memory = await store.at(given.argument(0));
  const { commit } = memory;
  if (commit === null) {
    throw new MnemError(
      "invalid_ref",
      "Cannot show HEAD: the branch has no commit yet",
    );
  }
  const changed = await whatsNew(store, commit.id);
  const isStat = given.has("stat");
  const { style } = report;
  if (report.isJson) {
    const nodes = isStat ? [] : [...(await memory.memory()).values()];
    const state = isStat ? {} : { state: nodes.map((node) => toWire(node)) };
    return await report.value(
      () => ({
        commit: toWire(commit),
        changed: changesJson(changed),
        ...state,
      }),
      () => [],
    );
  }
  const refs = await readRefNames(store);
  for (const line of commitLines(commit, style, refs)) await report.line(line);
  await report.line("");
  if (isStat) {
    for (const [id, kind] of changed) {
      await report.line(changeLine(id, kind, style));
    }
    return await report.line(countLine(changed.values()));
  }
  await report.list(memory.nodes(), {
    json: (node) => toWire(node),
    text: (node) => nodeLines(node, style),
    none: "(empty)",
  });
}
