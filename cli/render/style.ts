/**
 * Colours, which carry nothing that the text does not say.
 *
 * @module
 */

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
  // What begins and what ends it (ECMA-48, SGR).
  const styled = (begin: number, end: number) => (text: string) =>
    isColoured ? `\u001b[${begin}m${text}\u001b[${end}m` : text;
  return {
    commit: styled(33, 39),
    branch: styled(32, 39),
    added: styled(32, 39),
    removed: styled(31, 39),
    modified: styled(36, 39),
    faint: styled(2, 22),
    strong: styled(1, 22),
  };
}
