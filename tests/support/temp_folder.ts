/**
 * A folder that is gone at the end of the scope.
 *
 * @module
 */

/** A temporary folder; `await using` removes it with all that it holds. */
export interface TempFolder extends AsyncDisposable {
  /** Its absolute path. */
  readonly path: string;
}

/** Makes an empty temporary folder. */
export async function tempFolder(): Promise<TempFolder> {
  const path = await Deno.makeTempDir({ prefix: "mnem_test_" });
  return {
    path,
    async [Symbol.asyncDispose]() {
      await Deno.remove(path, { recursive: true });
    },
  };
}
