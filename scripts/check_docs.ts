/**
 * Fails when something that an entry exports has no doc comment. `deno doc --lint` also rejects every
 * public type that comes from npm, which no rewording can mend; those complaints are left out.
 *
 * @module
 */

import { readPackages } from "./packages.ts";

const entries = Deno.args.length > 0
  ? Deno.args
  : (await readPackages()).flatMap((one) => [...one.entries.values()]);
const { code, stderr } = await new Deno.Command(Deno.execPath(), {
  args: ["doc", "--lint", ...entries],
  env: { NO_COLOR: "1" },
  stdout: "null",
}).output();
const complaints = new TextDecoder().decode(stderr).split(/^(?=error)/m);
const missing = complaints.filter((one) =>
  one.startsWith("error[missing-jsdoc]")
);
// Without a single complaint in brackets it was no lint that failed.
const failed = code !== 0 &&
  !complaints.some((one) => one.startsWith("error["));
for (const complaint of failed ? complaints : missing) console.error(complaint);
if (failed || missing.length > 0) Deno.exit(1);
console.log(`Documented: ${entries.join(" ")}`);
