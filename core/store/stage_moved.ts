/**
 * The signal that the stage changed while it was being committed.
 *
 * @module
 */

/** Thrown inside the store only: whoever commits the stage reads it again. */
export class StageMoved extends Error {
  /** Makes the signal. */
  constructor() {
    super("The stage changed while it was being committed");
  }
}
