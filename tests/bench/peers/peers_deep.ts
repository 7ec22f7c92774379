/**
 * Each peer that can be had does the work that it is measured by: what was changed is what is read.
 *
 * @module
 */

import assert from "node:assert/strict";
import { tempFolder } from "../../support/temp_folder.ts";
import { nodeIds } from "../bench_store.ts";
import { measurePeer } from "./measure_peer.ts";
import { firstValue } from "./peer.ts";
import { PEERS } from "./peer_list.ts";

/** How long it takes, with the peers to be had first. */
export const SECONDS = 30;

const NODES = 20;

for (const peer of PEERS) {
  const missing = await peer.missing();
  if (missing !== undefined) console.log(`skipped ${peer.name}: ${missing}`);
  const ignore = missing !== undefined;
  Deno.test(
    { name: `${peer.name} reads what it was told`, ignore },
    async () => {
      await using folder = await tempFolder();
      const [first = "", second = ""] = nodeIds(NODES);
      await peer.fill(folder.path, nodeIds(NODES));
      {
        await using session = await peer.open(folder.path);
        const { ms, value } = await session.change(first, "another value");
        assert.ok(ms > 0);
        // Nothing else tells that the one which reads nothing has it.
        if (session.read === undefined) assert.equal(value, "progress done");
      }
      await using session = await peer.open(folder.path);
      if (session.read !== undefined) {
        const changed = (await session.read(first)).value;
        assert.ok(changed.includes("another value"), changed);
        const left = (await session.read(second)).value;
        assert.ok(left.includes(firstValue(second)), left);
        assert.ok(!left.includes("another value"), left);
      }
      if (session.blame !== undefined) {
        const [changed, left] = [
          (await session.blame(first)).value,
          (await session.blame(second)).value,
        ];
        assert.notEqual(changed, left);
        assert.ok(changed.length > 0 && left.length > 0);
      }
    },
  );
}

Deno.test("measurePeer() gives every figure that the page shows", async () => {
  const peer = PEERS.find(({ name }) => name === "mnemosyne");
  assert.ok(peer !== undefined);
  const values = await measurePeer(peer, {
    nodes: NODES,
    calls: 5,
    budgetMs: 100,
    runs: 1,
  });
  assert.deepEqual(Object.keys(values).toSorted(), [
    "bare_set_ms",
    "blame_ms",
    "change_ms",
    "change_ratio",
    "changes",
    "kept_bytes",
    "read_ms",
  ]);
  assert.equal(values["changes"], 6);
  assert.ok(Object.values(values).every((value) => value >= 0));
});
