import assert from "node:assert/strict";
import { MemoryKv } from "../../tests/support/memory_kv.ts";
import { REQUEST_ROWS, REQUESTS_IN_ROW_MAX } from "../limits.ts";
import { toHex } from "../object/hex.ts";
import { atomicCost } from "../storage/budget.ts";
import type { KeptRequest } from "../storage/kept_requests.ts";
import { readMetaRow } from "../storage/meta_row.ts";
import { openStoreOn } from "./open_store.ts";
import { keepingCost, ledgerRows, RequestLedger } from "./request_ledger.ts";
import { SharedStore } from "./shared_store.ts";

const ID = "ab".repeat(16);

/** A request whose name begins with the low byte of its number. */
function request(i: number): KeptRequest {
  const bytes = new Uint8Array(16).fill(7);
  new DataView(bytes.buffer).setUint32(0, i, true);
  const name = toHex(bytes);
  const isStaged = i % 2 === 0;
  return { name, digest: ID, isStaged, before: ID, commit: ID, target: ID };
}

async function sharedStore(): Promise<{ kv: MemoryKv; store: SharedStore }> {
  const kv = new MemoryKv();
  await (await openStoreOn(kv.open(), { create: true })).close();
  const row = kv.row(["meta"])!;
  const meta = readMetaRow(row.value);
  return { kv, store: new SharedStore(kv.open(), meta, row.versionstamp) };
}

Deno.test("RequestLedger keeps the latest of each row, and no more rows than there are", async () => {
  const { kv, store } = await sharedStore();
  const bound = REQUEST_ROWS * REQUESTS_IN_ROW_MAX;
  const all = Array.from({ length: 2 * bound }, (_, i) => request(i));
  const names = all.map(({ name }) => name);
  assert.equal(ledgerRows("main", names).length, 1 + REQUEST_ROWS);
  for (let at = 0; at < all.length; at += 1_000) {
    const ledger = await RequestLedger.read(store, { branch: "main", names });
    const { checks, sets } = ledger.keep(all.slice(at, at + 1_000));
    // What a chain of writes is cut by: no row costs more than was counted for it.
    const most = keepingCost("main");
    for (const row of sets.slice(1)) {
      const cost = atomicCost({ sets: [sets[0]!, row] });
      assert.ok(cost.bytes <= most.bytes, `${cost.bytes} of ${most.bytes}`);
      assert.ok(cost.setKeyBytes <= most.setKeyBytes);
    }
    assert.equal(kv.commit({ checks, sets }).ok, true);
    // Whoever read before is refused, whichever row it would set.
    assert.equal(kv.commit({ checks, sets: sets.slice(0, 1) }).ok, false);
  }
  const kept = kv.rows().filter(({ key }) => key[0] === "k");
  assert.equal(kept.length, 1 + REQUEST_ROWS);
  const ledger = await RequestLedger.read(store, { branch: "main", names });
  // Names of consecutive low bytes fall on the rows in turn: so the latest are those kept.
  for (const [i, one] of all.entries()) {
    assert.deepEqual(ledger.find(one.name), i < bound ? undefined : one);
  }
  assert.deepEqual(ledger.missing(all), all.slice(0, bound));
  const last = all.at(-1)!;
  assert.deepEqual(ledger.missing([last]), []);
  assert.equal(ledger.missing([all[0]!, { ...last, commit: null }]), undefined);
  assert.equal(ledger.missing([{ ...last, before: null }]), undefined);
});
