/**
 * `mnem verify`: checks every id, link and row.
 *
 * @module
 */

import { MnemError } from "@mnem/core";
import type { Call, Command } from "../command.ts";
import { findStore, type StorePlace } from "../find_store.ts";
import { type Ended, Interrupted } from "../io.ts";
import { withProgress } from "../progress.ts";
import { visible } from "../render/visible.ts";

const EXIT_FAULTS = 7;
/** Statuses that the check itself ends with; any other is a crash. */
const OWN_STATUSES: ReadonlySet<number | null> = new Set([
  0,
  2,
  3,
  5,
  6,
  7,
  129,
  130,
  143,
]);

/** Signals of a process that broke down by itself. */
const CRASHES: ReadonlySet<string> = new Set([
  "SIGABRT",
  "SIGBUS",
  "SIGFPE",
  "SIGILL",
  "SIGSEGV",
  "SIGTRAP",
]);

/** See the module. */
export const VERIFY: Command = {
  name: "verify",
  summary: "check every id, link and row of the store, and name what is wrong",
  more:
    "It changes nothing. Faults end with status 7. The check runs in a process of its own, which a badly damaged file may end: that is reported too.",
  options: [
    { flags: "--in-process", what: "check in this process, without progress" },
  ],
  examples: ["mnem verify", "mnem verify --store=./mem --json"],
  run: verify,
};

async function verify(call: Call): Promise<number> {
  const { given, report, io } = call;
  if (given.has("inProcess")) return await verifyHere(call);
  const found = await findStore(given, io);
  const ended = await verifyApart(call, found);
  // No process may be started here: better checked in this one than not at all.
  if (ended === undefined) return await verifyHere(call);
  if (!OWN_STATUSES.has(ended.status)) throw brokenOff(found, ended);
  await report.text(ended.stdout);
  await io.stderr.write(ended.stderr).catch(() => {});
  return ended.status ?? EXIT_FAULTS;
}

/** What a check means that came to no end of its own. */
function brokenOff(
  { place }: StorePlace,
  { status, signal }: Ended,
): MnemError {
  const how = `Cannot verify ${
    JSON.stringify(place)
  }: the check came to an end in the middle (${signal ?? `status ${status}`})`;
  // Those come from outside, or from a system that is short of memory.
  return signal !== null && !CRASHES.has(signal)
    ? new MnemError("store_io", `${how}; run it again`)
    : new MnemError(
      "corrupt_store",
      `${how}, as it does where the database file is damaged; restore a copy`,
    );
}

async function verifyApart(
  call: Call,
  { place }: StorePlace,
): Promise<Ended | undefined> {
  const { report, io } = call;
  const flags = ["--in-process", ...report.isJson ? ["--json"] : []];
  const args = ["verify", ...flags, `--store=${place}`];
  return await withProgress(
    call,
    (seconds) => `verifying, ${seconds} s`,
    () =>
      io.runApart(args).catch((error) => {
        if (error instanceof Interrupted) throw error;
        return undefined;
      }),
  );
}

async function verifyHere({ report, io, open }: Call): Promise<number> {
  const store = await open();
  const { checked, faults } = await store.verify({
    signal: io.interruption(),
  });
  await report.value(
    () => ({
      checked,
      faults: faults.map(({ code, what }) => ({ code, what })),
    }),
    () => [
      ...faults.map(({ code, what }) => `${code}: ${visible(what)}`),
      `${checked} rows checked, ${faults.length} ${
        faults.length === 1 ? "fault" : "faults"
      }`,
    ],
  );
  return faults.length === 0 ? 0 : EXIT_FAULTS;
}
