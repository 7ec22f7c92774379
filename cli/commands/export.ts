/**
 * `mnem export`: writes history as a bundle.
 *
 * @module
 */

import { resolve } from "node:path";
import {
  exportBundle,
  exportHistory,
  type ObjectId,
  type Store,
} from "@mnem/core";
import { passingPieces, writeFileBytes } from "../byte_stream.ts";
import type { Call, Command } from "../command.ts";
import { fastImport } from "../git/fast_import.ts";
import { UsageError } from "../given.ts";
import { withProgress } from "../progress.ts";
import { shown, visibleLines } from "../render/visible.ts";
import { jsonText } from "../report.ts";

/** See the module. */
export const EXPORT: Command = {
  name: "export",
  summary: "write history as a bundle that other implementations read too",
  more:
    "A bundle is JSON text; without -o it goes to standard output. States of over 1,024 nodes have a form that others may not know: --flat rewrites them, and commits get other ids. With --git it is a stream for git fast-import, one file a node, that mnem import --from=git reads again.",
  options: [
    { flags: "-o, --output <file>", what: "the file to write" },
    { flags: "--branch <name>", what: "only this branch and what led to it" },
    { flags: "--at <revision>", what: "only this commit and what led to it" },
    { flags: "--git", what: "as a stream for git fast-import" },
    { flags: "--flat", what: "with states in the form that others know" },
    {
      flags: "--map <file>",
      what: "beside --flat: the other ids, as JSON {old: new}",
    },
  ],
  examples: [
    "mnem export -o backup.json",
    "mnem export --branch billing -o billing.json",
    "mnem export --flat --map ids.json -o flat.json",
    "git init memory && mnem export --git | git -C memory fast-import",
  ],
  run: write,
};

async function write(call: Call): Promise<void> {
  const { given, report, io, open } = call;
  given.atMostOne("branch", "at");
  given.atMostOne("git", "flat");
  if (given.has("map") && !given.has("flat")) {
    throw new UsageError("--map is of the ids that --flat changes");
  }
  const output = given.text("output");
  const store = await open();
  const renamed = new Map<ObjectId, ObjectId>();
  const bundle = bundleOf(call, store, renamed);
  const bytes = await withProgress(
    call,
    (seconds) => `exporting, ${seconds} s`,
    () =>
      output === undefined ? writeOut(call, bundle) : writeFileBytes(
        resolve(io.directory(), output),
        output,
        bundle,
      ),
  );
  await writeMap(call, renamed);
  if (output === undefined) return;
  await report.value(
    () => ({ file: output, bytes, renamed: Object.fromEntries(renamed) }),
    () => [`exported ${bytes} bytes to ${shown(output)}`],
  );
}

function bundleOf(
  { given, io }: Call,
  store: Store,
  renamed: Map<ObjectId, ObjectId>,
): AsyncIterable<Uint8Array> {
  const part = { branch: given.text("branch"), at: given.text("at") };
  const signal = io.interruption();
  if (given.has("git")) return gitStream(store, part, signal);
  return passingPieces(exportBundle(store, {
    ...part,
    flat: given.has("flat"),
    renamed: (from, to) => renamed.set(from, to),
    signal,
  }));
}

async function* gitStream(
  store: Store,
  part: Parameters<typeof exportHistory>[1],
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for await (const piece of fastImport(await exportHistory(store, part))) {
    signal.throwIfAborted();
    yield piece;
  }
}

/** To a terminal with its control characters escaped, which in JSON text is the same; else as it is. */
async function writeOut(
  { report, io, given }: Call,
  bundle: AsyncIterable<Uint8Array>,
): Promise<number> {
  const decoder = new TextDecoder();
  let size = 0;
  for await (const chunk of bundle) {
    size += chunk.length;
    if (io.stdout.isTerminal) {
      const text = decoder.decode(chunk, { stream: true });
      await report.text(visibleLines(text).join("\n"));
    } else await report.bytes(chunk);
  }
  // A bundle ends without one; to a stream for git nothing may be added.
  if (!given.has("git")) await report.text("\n");
  return size;
}

async function writeMap(
  { given, io }: Call,
  renamed: ReadonlyMap<ObjectId, ObjectId>,
): Promise<void> {
  const map = given.text("map");
  if (map === undefined) return;
  const text = `${jsonText(Object.fromEntries(renamed))}\n`;
  const bytes = [new TextEncoder().encode(text)];
  await writeFileBytes(resolve(io.directory(), map), map, bytes);
}
