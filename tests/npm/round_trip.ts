/**
 * Writes to a store under one runtime and tells all that it holds, for comparison with what the others
 * tell. Its arguments are `write`, `tell`, or `often` to make forty commits; the store's folder; and the
 * name of the writer.
 *
 * @module
 */

import process from "node:process";
import {
  forget,
  openStore,
  recallAll,
  remember,
  type Store,
  toWire,
  why,
} from "@mnem/mnemosyne";

const [what, folder = "", writer = ""] = process.argv.slice(2);
const store = await openStore(folder, { create: true, author: writer });
try {
  if (what === "write") await write(store);
  for (let i = 0; what === "often" && i < 40; i++) {
    await remember(store, `${writer}/${i}`, i);
  }
  process.stdout.write(JSON.stringify(await tell(store), inWords));
} finally {
  await store.close();
}

/** Every kind of value, a value larger than a row, a removal and a merge. */
async function write(store: Store): Promise<void> {
  await remember(store, `${writer}/odd`, {
    big: 2n ** 60n,
    half: 0.5,
    minus: -7,
    text: "é🎉\n\u0001",
    list: [null, true, [], {}],
  }, { observation: `seen by ${writer}`, eventTimeMs: 1_700_000_000_000 });
  await remember(store, `${writer}/large`, writer.repeat(40_000));
  await remember(store, `${writer}/gone`, 1);
  await forget(store, `${writer}/gone`);
  await store.createBranch(writer);
  await remember(store.on(writer), `${writer}/apart`, "on a branch");
  await remember(store, `${writer}/beside`, "meanwhile");
  await store.merge(writer);
}

async function tell(store: Store): Promise<unknown> {
  const log: unknown[] = [];
  for await (const commit of store.log()) log.push(toWire(commit));
  const nodes: unknown[] = [];
  const reasons: unknown[] = [];
  let cursor: string | undefined;
  do {
    const page = await recallAll(store, { cursor });
    for (const node of page.nodes) {
      nodes.push(toWire(node));
      reasons.push((await why(store, node.id)).commit.id);
    }
    cursor = page.cursor;
  } while (cursor !== undefined);
  return { log, nodes, reasons };
}

function inWords(_name: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}n` : value;
}
