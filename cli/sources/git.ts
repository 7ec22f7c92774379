/**
 * What `mnem import` does with a git repository: takes the memory that `mnem export --git` put there,
 * and whatever was committed to it since.
 *
 * @module
 */

import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import {
  type History,
  historyBundle,
  type HistoryCommit,
  importBundle,
  isMnemError,
  openStore,
  type Store,
} from "@mnem/core";
import { readFileBytes } from "../byte_stream.ts";
import type { Call } from "../command.ts";
import { findStore, placeOf } from "../find_store.ts";
import { gitDirOf, gitHistory, withStream } from "../git/git_repository.ts";
import { pathOfNode } from "../git/node_path.ts";
import { PassedOverList } from "../git/passed_over.ts";
import { withProgress } from "../progress.ts";
import { visible } from "../render/visible.ts";
import { placeToFill, reportImported } from "./bundle.ts";
import {
  type ImportSource,
  PREFIX_OPTION,
  STRICT_OPTION,
} from "./import_source.ts";

/** Imports a git repository. */
export const GIT: ImportSource = {
  name: "git",
  what: "a git repository that mnem export --git began, or a stream for git",
  options: [PREFIX_OPTION, STRICT_OPTION],
  run: read,
};

async function read(call: Call): Promise<void> {
  const { given, io } = call;
  const file = given.required(0);
  const path = resolve(io.directory(), file);
  const passedOver = new PassedOverList(given.has("strict"));
  const signal = io.interruption();
  const take = (gitDir: string) =>
    takeHistory(call, gitDir, { passedOver, signal });
  const isFolder = file !== "-" &&
    await stat(path).then((found) => found.isDirectory(), () => false);
  const store = isFolder ? await take(await gitDirOf(path)) : await withStream(
    untilAborted(
      file === "-" ? io.stdin.stream() : await readFileBytes(path, file),
      signal,
    ),
    take,
  );
  if (!call.report.isJson) {
    for (const line of passedOver.lines()) {
      await io.stderr.write(`mnem: ${visible(line)}\n`);
    }
  }
  await reportImported(call, store, passedOver.json());
}

async function takeHistory(
  call: Call,
  gitDir: string,
  { passedOver, signal }: {
    readonly passedOver: PassedOverList;
    readonly signal: AbortSignal;
  },
): Promise<Store> {
  const { place, prefix } = await goalOf(call);
  const history = await gitHistory(gitDir, passedOver);
  let commits = 0;
  const bundle = historyBundle(
    { ...history, commits: counted(history, signal, () => commits++) },
    {
      refused: (error, { id }, commit) => {
        const what = reasonOf(error);
        passedOver.add({ commit, name: pathOfNode(id), what });
      },
    },
  );
  return await withProgress(
    call,
    () => `importing, ${commits} commits read`,
    () => importBundle(place, bundle, { prefix, signal }),
  );
}

/** Into a store that is there, its branches under their names; else into a new one. */
async function goalOf(
  call: Call,
): Promise<{ readonly place: string; readonly prefix: string | undefined }> {
  const { given, io } = call;
  const prefix = given.text("prefix");
  if (prefix !== undefined) {
    return { place: await placeToFill(call, true), prefix };
  }
  const path = given.argument(1);
  try {
    const place = path === undefined
      ? (await findStore(given, io)).place
      : placeOf(path, io);
    await (await openStore(place)).close();
    return { place, prefix: "" };
  } catch (error) {
    if (!isMnemError(error, "no_store")) throw error;
    return { place: await placeToFill(call, false), prefix };
  }
}

/** Passes pieces on, and does not wait for the next one once the signal has come. */
async function* untilAborted(
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
  aborted.catch(() => {});
  try {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await Promise.race([reader.read(), aborted]);
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

async function* counted(
  { commits }: History,
  signal: AbortSignal,
  count: () => void,
): AsyncGenerator<HistoryCommit> {
  for await (const commit of commits) {
    signal.throwIfAborted();
    count();
    yield commit;
  }
}

/** What is wrong with a node, as it is said of one in a bundle. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/^Cannot read bundle: (?:object 0+: )?/, "");
}
