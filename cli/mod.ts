/**
 * The command line `mnem`: an agent's memory with history, as users of git expect it. Run it:
 *
 * ```sh
 * deno run -A cli/mod.ts help
 * ```
 *
 * @module
 */

import process from "node:process";
import { main } from "./main.ts";

export { main };

if (import.meta.main) {
  main(process.argv.slice(2), import.meta.url)
    .then((status) => process.exit(status));
}
