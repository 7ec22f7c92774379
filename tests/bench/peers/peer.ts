/**
 * Another way to keep a memory, asked for the same work.
 *
 * @module
 */

/** What one call came to. */
export interface PeerAnswer {
  /** How long it took, in milliseconds, as its caller sees it. */
  readonly ms: number;
  /** What it answered: the value read, or the commit that wrote it. */
  readonly value: string;
}

/** A memory that is open. */
export interface PeerSession extends AsyncDisposable {
  /** Gives a node another value, durably as far as the peer can. */
  change(id: string, value: string): Promise<PeerAnswer>;
  /** Reads a node's value. */
  read?(id: string): Promise<PeerAnswer>;
  /** Finds the commit that wrote a node's value. */
  blame?(id: string): Promise<PeerAnswer>;
}

/** A program or a way of storing. */
export interface Peer {
  /** Its name in tables. */
  readonly name: string;
  /** More nodes than it can be asked for in sensible time. */
  readonly nodesMax: number;
  /** Why it cannot be had here; undefined if it can. */
  missing(): Promise<string | undefined>;
  /** Makes a memory with these nodes in an empty folder. */
  fill(folder: string, ids: readonly string[]): Promise<void>;
  /** Opens the memory in a folder. */
  open(folder: string): Promise<PeerSession>;
}

/** The value that a memory is filled with. */
export function firstValue(id: string): string {
  return `first value of ${id}`;
}

/** Calls and takes the time. */
export async function answered(
  call: () => Promise<string>,
): Promise<PeerAnswer> {
  const startMs = performance.now();
  const value = await call();
  return { ms: performance.now() - startMs, value };
}
