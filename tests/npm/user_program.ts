/**
 * The types that a user of the packages meets: never run, only compiled.
 *
 * @module
 */

import { type MnemError, openStore, type Store } from "@mnem/core";
import { recall, remember } from "@mnem/agents";
import { main } from "@mnem/cli";
import { MnemosyneStore } from "@mnem/langgraph";
import { serverFactory } from "@mnem/mcp";
import * as umbrella from "@mnem/mnemosyne";

/** Uses what the packages export. */
export async function useTypes(error: MnemError): Promise<string> {
  const store: Store = await openStore("mem", { create: true });
  const node = await recall<string>(store, "plan");
  // @ts-expect-error content is text: were the types any, this would be no error
  const wrong: number | undefined = node?.content;
  // @ts-expect-error a clock is no option of a remember
  await remember(store, "plan", "pro", { clock: wrong });
  // @ts-expect-error codes are a closed list
  if (error.code === "no_such_code") return "";
  const same: umbrella.MemoryNode | null = await umbrella.recall(store, "plan");
  // @ts-expect-error a status is a number
  const status: string = await main(["help"]);
  const item = await new MnemosyneStore(store).get(["users"], "plan");
  // @ts-expect-error an item has a value, and no content
  const content = item?.content;
  const others = [status, content, serverFactory(store)];
  return `${node?.content} ${same?.id} ${others}`;
}
