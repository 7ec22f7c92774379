import assert from "node:assert/strict";
import { MnemError, type MnemErrorCode } from "./errors.ts";
import { exitStatus, isBadArgument } from "./exit_status.ts";

/** As the design lists them. */
const STATUSES: { readonly [status: number]: readonly MnemErrorCode[] } = {
  3: ["not_found", "invalid_ref"],
  4: ["conflict", "refused"],
  5: ["busy"],
  6: ["no_store", "format_version", "store_exists"],
  7: ["corrupt_store", "store_io"],
};

Deno.test("exitStatus() tells codes, bad arguments and defects apart", () => {
  for (const [status, codes] of Object.entries(STATUSES)) {
    for (const code of codes) {
      const error = new MnemError(code, "x");
      assert.equal(exitStatus(error), Number(status), code);
    }
  }
  assert.equal(exitStatus(new TypeError("Cannot use 5 as a store")), 2);
  assert.equal(exitStatus(new Error("Broken rule")), 70);
  assert.equal(exitStatus("thrown text"), 70);
});

Deno.test("isBadArgument() leaves what the engine says to us", () => {
  for (const Kind of [TypeError, RangeError, SyntaxError]) {
    assert.ok(isBadArgument(new Kind("the limit is 5")));
  }
  assert.ok(!isBadArgument(new Error("the limit is 5")));
  const defects: readonly (() => unknown)[] = [
    () => Object(undefined).x.y,
    () => Object({}).missing(),
    () => [...Object({})],
    () => new Array(-1),
  ];
  for (const defect of defects) {
    assert.throws(defect, (error) => !isBadArgument(error));
  }
});
