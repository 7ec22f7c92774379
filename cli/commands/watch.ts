/**
 * `mnem watch`: memory that is edited as notes in a folder, a commit a save.
 *
 * @module
 */

import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { isMnemError, type Json, type Store } from "@mnem/core";
import type { Call, Command } from "../command.ts";
import { describeFailure } from "../failure.ts";
import { findStore } from "../find_store.ts";
import { UsageError } from "../given.ts";
import { countLine } from "../render/change.ts";
import { shortId } from "../render/commit.ts";
import { shown, visible } from "../render/visible.ts";
import { jsonText } from "../report.ts";
import { editOf } from "../sources/fact_edit.ts";
import { NOTE_MARK, noteReading } from "../sources/note_reading.ts";
import { sourceName } from "../sources/source_place.ts";
import {
  type Reading,
  type SourceFinding,
  takeIn,
  type TakenIn,
} from "../sources/take_in.ts";
import { listenToFolder } from "../watch/folder_events.ts";
import { type NoteFolder, noteFolder } from "../watch/note_folder.ts";
import {
  type KnownNote,
  NoteWatch,
  RETRY_MS,
  type Saved,
  type WatchWorld,
} from "../watch/note_watch.ts";
import { changesJson, NO_COMMIT } from "../written.ts";

/** Beside what the system tells, the folder is looked through so often; each second if it tells nothing. */
const LOOK_SECONDS = 10;

/** See the module. */
export const WATCH: Command = {
  name: "watch",
  summary: "turn each save of a Markdown note in a folder into a commit",
  more:
    "It begins with what is there, as `mnem import --from=markdown` does, and goes on until Ctrl-C. A save is a commit of what changed in that file: a line that is gone is forgotten if the file was what said it. With --json each of them is one line.",
  arguments: [{ name: "folder", what: "the folder of notes" }],
  options: [
    {
      flags: "--prefix <text>",
      what: "what each node id begins with",
    },
    {
      flags: "--prune",
      what: "at the beginning forget what the folder says no more",
    },
    {
      flags: "--author <name>",
      what: "who makes the commits (else MNEM_AUTHOR)",
    },
  ],
  examples: ["mnem watch notes", "mnem watch ~/notes --store=./mem --json"],
  run: watch,
};

/** What a watch works with. */
interface Ground {
  readonly call: Call;
  readonly store: Store;
  readonly author: string | undefined;
  readonly reading: Reading;
  readonly folder: NoteFolder;
}

async function watch(call: Call): Promise<number> {
  const { given, io } = call;
  const typed = given.required(0);
  const path = resolve(io.directory(), typed);
  const isFolder = await stat(path).then(
    (one) => one.isDirectory(),
    () => false,
  );
  if (!isFolder) {
    throw new UsageError(`cannot watch ${shown(typed)}: it must be a folder`);
  }
  const { place } = await findStore(given, io);
  const name = sourceName(path, place);
  const prefix = given.text("prefix") ?? "";
  const signal = io.interruption();
  const ground: Ground = {
    call,
    store: await call.open(),
    author: given.text("author"),
    reading: await noteReading({ path, typed, name, prefix }),
    folder: noteFolder(path, { name, prefix }),
  };
  const begun = await begin(ground, name, signal);
  if (begun === undefined) return 0;
  await sayBegun(call, begun.taken);
  const notes = new NoteWatch(ground.folder, begun.known, worldOf(ground));
  let everySeconds = LOOK_SECONDS;
  let seconds = 0;
  const root = await realpath(path);
  const endings = [
    listenToFolder(root, {
      changed: () => notes.hint(),
      lost: () => everySeconds = 1,
    }),
    io.everySecond(() => {
      seconds += 1;
      if (seconds % everySeconds === 0) notes.hint();
    }),
  ];
  signal.addEventListener("abort", () => notes.stop());
  if (signal.aborted) notes.stop();
  else notes.hint();
  try {
    await say(call, { event: "watching", folder: path, store: place }, [
      `watching ${visible(path)}; Ctrl-C ends`,
    ]);
    await notes.ended;
  } finally {
    for (const end of endings) end();
  }
  return 0;
}

/** What came of what was there, and what each file said. */
interface Begun {
  readonly known: ReadonlyMap<string, KnownNote>;
  readonly taken: TakenIn;
}

/** Takes in what is there; undefined if it was ended before. */
async function begin(
  ground: Ground,
  name: string,
  signal: AbortSignal,
): Promise<Begun | undefined> {
  const { call, store, author, reading, folder } = ground;
  const { io } = call;
  while (!signal.aborted) {
    try {
      const known = new Map<
        string,
        KnownNote & { facts: Map<string, string> }
      >();
      const bySource = new Map<string, Map<string, string>>();
      for (const [inside, { stamp }] of await folder.stamps()) {
        const facts = new Map<string, string>();
        known.set(inside, { stamp, facts });
        bySource.set(folder.sourceOf(inside), facts);
      }
      const taken = await takeIn(noting(reading, bySource), {
        store,
        signal,
        prune: call.given.has("prune"),
        write: async (edits) =>
          (await store.write(edits, {
            message: `import markdown ${name}`,
            author,
          })).commit,
      });
      return { known, taken };
    } catch (error) {
      if (signal.aborted) return undefined;
      if (!await toldOf(call, error)) throw error;
      await new Promise<void>((done) => io.later(done, RETRY_MS));
    }
  }
  return undefined;
}

/** Returns a reading that notes what each file says. */
function noting(
  reading: Reading,
  bySource: ReadonlyMap<string, Map<string, string>>,
): Reading {
  const { mark, prefix } = reading;
  return {
    ...reading,
    async *items() {
      for await (const item of reading.items()) {
        const { source, parsed } = item;
        const edit = parsed.kind === "fact"
          ? editOf(parsed, { source, mark, prefix })
          : parsed;
        if (edit.kind === "edit") {
          bySource.get(source)?.set(edit.id, JSON.stringify(edit.content));
        }
        yield item;
      }
    },
  };
}

function worldOf({ call, store, author }: Ground): WatchWorld {
  return {
    later: (again, ms) => call.io.later(again, ms),
    write: (edits, message) => store.write(edits, { message, author }),
    isOurs: async (id, source) => {
      const provenance = (await store.node(id))?.provenance;
      return provenance?.toolCall === NOTE_MARK && provenance.source === source;
    },
    saved: (saved) => saySaved(call, saved),
    failed: (error) => toldOf(call, error),
  };
}

/** Says of an error that will be tried again; tells whether it will. */
async function toldOf(call: Call, error: unknown): Promise<boolean> {
  const again = isMnemError(error, "busy") || isMnemError(error, "store_io");
  if (!again) return false;
  const { json, lines } = describeFailure(error, {
    command: "watch",
    store: undefined,
    similar: undefined,
  });
  const text = call.report.isJson
    ? jsonText(json)
    : `${lines[0]}; trying again in ${RETRY_MS / 1_000} s`;
  await call.io.stderr.write(`${text}\n`).catch(() => {});
  return true;
}

async function sayBegun(call: Call, taken: TakenIn): Promise<void> {
  const { commits, changes, unchanged, findings, vanished } = taken;
  await say(
    call,
    {
      event: "import",
      commit: commits.at(-1) ?? NO_COMMIT,
      changes: changesJson(changes),
      unchanged,
      ...findingsJson(findings),
      vanished,
    },
    [
      `imported: ${countLine(changes.values())}, ${unchanged} unchanged`,
      ...findingLines(findings),
      ...vanished.map((id) => `  said no more, and kept: ${shown(id)}`),
    ],
  );
}

async function saySaved(
  call: Call,
  { files, written, findings }: Saved,
): Promise<void> {
  const { commit, changes } = written;
  const id = changes.size === 0 ? null : commit;
  await say(
    call,
    {
      event: "save",
      files,
      commit: id ?? NO_COMMIT,
      changes: changesJson(changes),
      ...findingsJson(findings),
    },
    [
      `${id === null ? "no commit" : shortId(id)} ${
        files.map(shown).join(", ")
      }: ${countLine(changes.values())}`,
      ...findingLines(findings),
    ],
  );
}

function findingsJson(findings: readonly SourceFinding[]): {
  readonly [name: string]: Json;
} {
  const listed = (isWarning: boolean) =>
    findings.filter(({ kind }) => (kind === "warning") === isWarning).map((
      { source, line, reason },
    ) => ({ source, line: line ?? null, reason }));
  return { skipped: listed(false), warnings: listed(true) };
}

function findingLines(findings: readonly SourceFinding[]): string[] {
  return findings.map(({ source, line, reason }) =>
    `  skipped ${shown(source)}${line === undefined ? "" : `:${line}`}: ${
      visible(reason)
    }`
  );
}

async function say(
  { report }: Call,
  json: Json,
  lines: readonly string[],
): Promise<void> {
  await report.value(() => json, () => lines);
  await report.flush();
}
