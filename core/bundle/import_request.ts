/**
 * An import that was asked for, its options checked.
 *
 * @module
 */

/** What every kind of import is given. */
export interface ImportRequest {
  /** The pieces of the bundle. */
  readonly source: AsyncIterator<Uint8Array>;
  /** Throws when the import is to end. */
  readonly check: () => void;
  /** Told of the number of objects read so far. */
  readonly progress: (objects: number) => void;
}
