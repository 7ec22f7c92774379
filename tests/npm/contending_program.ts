/**
 * Writes to a store under any runtime while others do, and says line by line what was acknowledged. Its
 * argument is a task as JSON: the folder, a label, and how many commits.
 *
 * @module
 */

import process from "node:process";
import { openStore, remember } from "@mnem/mnemosyne";

const { folder, label, commits } = JSON.parse(process.argv[2] ?? "");
const store = await openStore(folder);
for (let turn = 0; turn < commits; turn++) {
  const began = performance.now();
  const { commit } = await remember(store, `${label} ${turn % 20}`, turn);
  const ms = performance.now() - began;
  process.stdout.write(`${JSON.stringify({ commit, ms })}\n`);
}
await store.close();
