/**
 * Colours, which carry nothing that the text does not say.
 *
 * @module
 */

import picocolors from "picocolors";

/** Colours a text, or leaves it as it is. */
export interface Style {
  /** Of commit ids. */
  commit(text: string): string;
  /** Of branches. */
  branch(text: string): string;
  /** Of what came. */
  added(text: string): string;
  /** Of what is no more. */
  removed(text: string): string;
  /** Of what changed. */
  modified(text: string): string;
  /** Of what stands in the background. */
  faint(text: string): string;
  /** Of what names a thing. */
  strong(text: string): string;
}

/** Returns colours, or none. */
export function makeStyle(isColoured: boolean): Style {
  const colours = picocolors.createColors(isColoured);
  return {
    commit: colours.yellow,
    branch: colours.green,
    added: colours.green,
    removed: colours.red,
    modified: colours.cyan,
    faint: colours.dim,
    strong: colours.bold,
  };
}
