/**
 * What the store needs of Deno KV, and nothing else. The native client, the npm client, and the
 * wrappers that tests put around them all have this shape.
 *
 * @module
 */

/** A part of a key: well-formed text or bytes. Numbers sort differently between clients. */
export type KeyPart = string | Uint8Array;
/** A key. */
export type Key = readonly KeyPart[];

/** A stored row. */
export interface Row {
  /** Its key. */
  readonly key: Key;
  /** Its value: a Uint8Array of its own, never a view of a shared buffer. */
  readonly value: Uint8Array;
  /** Changes with every write of the row; 20 hex digits. */
  readonly versionstamp: string;
}

/** A row's expected version; null: the row must not exist. */
export interface Check {
  /** The row's key. */
  readonly key: Key;
  /** Its expected version. */
  readonly versionstamp: string | null;
}

/** All or nothing: the checks hold and everything is written, or nothing is. */
export interface AtomicWrite {
  /** At most 10. */
  readonly checks?: readonly Check[];
  /** Rows to set. */
  readonly sets?: readonly { readonly key: Key; readonly value: Uint8Array }[];
  /** Rows to delete. */
  readonly deletes?: readonly Key[];
}

/** Which rows to list: by prefix, or from `start` (inclusive) to `end` (exclusive). */
export type RowRange =
  | { readonly prefix: Key }
  | { readonly start: Key; readonly end: Key };

/** Deno KV as the store sees it. */
export interface Driver {
  /** Which client it is. */
  readonly name: "native" | "npm";
  /** Rows in the order of the keys, null where there is none. Any number of keys; at most 10 are one snapshot. */
  getMany(keys: readonly Key[]): Promise<(Row | null)[]>;
  /** Rows in key order. */
  list(
    range: RowRange,
    options?: { readonly limit?: number; readonly reverse?: boolean },
  ): AsyncIterable<Row>;
  /** Writes atomically. `ok: false`: a check failed. A throw says nothing about what was stored. */
  commit(write: AtomicWrite): Promise<
    { readonly ok: true; readonly versionstamp: string } | {
      readonly ok: false;
    }
  >;
  /** Ends the handle once the calls in flight have settled. Later calls are refused; twice is no harm. */
  close(): void;
}
