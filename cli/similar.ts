/**
 * Names that are nearly what was typed.
 *
 * @module
 */

/** Slips of the finger that a name may have to count as meant. */
const SLIPS_MAX = 2;

/** Returns the name that is most like one of the words, undefined if none is, or one is a name itself. */
export function mostSimilar(
  words: readonly string[],
  names: readonly string[],
): string | undefined {
  let best: string | undefined;
  let least = SLIPS_MAX + 1;
  for (const word of words) {
    for (const name of names) {
      const count = word === name ? least : slips(word, name);
      // Two slips make any other name out of a short one.
      if (count < least && count * 2 < name.length) {
        best = name;
        least = count;
      }
    }
  }
  return best;
}

/** Counts letters left out, put in, exchanged, and swapped with the next one. */
function slips(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > SLIPS_MAX) return SLIPS_MAX + 1;
  let twoBack: number[] = [];
  let oneBack = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        oneBack[j]! + 1,
        row[j - 1]! + 1,
        oneBack[j - 1]! + (isSame ? 0 : 1),
        swapped && i > 1 && j > 1 ? twoBack[j - 2]! + 1 : Infinity,
      );
    }
    twoBack = oneBack;
    oneBack = row;
  }
  return oneBack[b.length] ?? SLIPS_MAX + 1;
}
