/**
 * What registers tests, when nobody says.
 *
 * @module
 */

/** Registers one test, as the runners of Deno, Node, Bun, vitest and jest do. */
export type Register = (name: string, run: () => Promise<void>) => unknown;

/**
 * The global `it`, `test` or `Deno.test`. Under `deno run` the last of them is there and does nothing,
 * so runners that set a global come first.
 */
export function foundRegister(): Register {
  const globals: {
    readonly it?: unknown;
    readonly test?: unknown;
    readonly Deno?: { readonly test?: unknown };
  } = globalThis;
  for (const one of [globals.it, globals.test, globals.Deno?.test]) {
    if (isRegister(one)) return one;
  }
  throw new TypeError(
    "Cannot register tests: there is no global it, test or Deno.test, so register must be given",
  );
}

function isRegister(value: unknown): value is Register {
  return typeof value === "function";
}
