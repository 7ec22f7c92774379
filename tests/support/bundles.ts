/**
 * Bundles as text, and as the streams that are exported and imported.
 *
 * @module
 */

import { exportBundle, type ExportOptions, type Store } from "@mnem/core";
import { tempStore } from "./temp_store.ts";

/** A text, or bytes, as a bundle that can be imported; in pieces of some bytes each. */
export function streamOf(
  bundle: string | Uint8Array,
  { pieceBytes = 65_536 }: { readonly pieceBytes?: number } = {},
): ReadableStream<Uint8Array> {
  const bytes = typeof bundle === "string"
    ? new TextEncoder().encode(bundle)
    : bundle;
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + pieceBytes));
      at += pieceBytes;
    },
  });
}

/** The whole text of an export. */
export async function exported(
  store: Store,
  options: ExportOptions = {},
): Promise<string> {
  return await new Response(exportBundle(store, options)).text();
}

/** The bundle of a store with so many commits, each of a hundred changes to at most 900 nodes. */
export async function largeBundle(commits = 40): Promise<string> {
  await using temp = await tempStore();
  for (let commit = 0; commit < commits; commit++) {
    const edits = Array.from({ length: 100 }, (_, at) => ({
      id: `node/${(commit * 37 + at) % 900}`,
      content: { commit, at, text: "x".repeat(200) },
    }));
    await temp.store.write(edits, { message: `commit ${commit}` });
  }
  return await exported(temp.store);
}
