import assert from "node:assert/strict";
import { MnemError } from "@mnem/core";
import { describeFailure } from "./failure.ts";

const CONTEXT = { command: "log", store: undefined, similar: undefined };

Deno.test("describeFailure() says that a write may have been made, as text and as JSON", () => {
  const failure = (outcome: "none" | "unknown") =>
    describeFailure(
      new MnemError("store_io", "Cannot write", { outcome }),
      CONTEXT,
    );
  assert.deepEqual(failure("unknown"), {
    status: 7,
    lines: [
      "mnem: store_io: Cannot write",
      'hint: it may have been written all the same; "mnem log" tells',
    ],
    json: {
      error: {
        code: "store_io",
        message: "Cannot write",
        data: { outcome: "unknown" },
      },
    },
  });
  assert.deepEqual(failure("none").lines, ["mnem: store_io: Cannot write"]);
});

Deno.test("describeFailure() of a defect shows where it is, and asks to report it", () => {
  const error = new TypeError("Cannot read properties of undefined");
  const { status, lines, json } = describeFailure(error, CONTEXT);
  assert.equal(status, 70);
  assert.match(
    lines.join("\n"),
    /^mnem: internal: .*\n +at .*\nhint: this is/s,
  );
  assert.deepEqual(json, {
    error: { code: "internal", message: error.message },
  });
});
