import assert from "node:assert/strict";
import fc from "fast-check";
import { encodeUtf8 } from "../object/utf8.ts";
import { spanNumber } from "./number_span.ts";

/** RFC 8259, section 6. */
const NUMBER = /^-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/;

Deno.test("spanNumber() finds the same numbers as a pattern", () => {
  let numbers = 0;
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(..."-+.eE0123456789 x"), { maxLength: 9 }),
      (units) => {
        const text = units.join("");
        const match = NUMBER.exec(text);
        const bytes = encodeUtf8(text);
        const span = spanNumber(bytes, 0, bytes.length);
        if (!span.isValid) {
          // Where it cannot go on, a digit would help: what comes before is no whole number.
          const before = text.slice(0, span.stop);
          assert.ok(/^$|^-$|[.eE+-]$/.test(before), text);
          return;
        }
        numbers++;
        assert.equal(text.slice(0, span.stop), match?.[0], text);
        const isInteger = match?.[1] === undefined && match?.[2] === undefined;
        assert.equal(span.isInteger, isInteger, text);
      },
    ),
    { seed: 11, numRuns: 5_000 },
  );
  assert.ok(numbers > 500, `${numbers} numbers`);
});

Deno.test("spanNumber() goes no further than the end that it is given", () => {
  const bytes = encodeUtf8("12.5e3");
  assert.deepEqual(spanNumber(bytes, 0, 2), {
    stop: 2,
    isValid: true,
    isInteger: true,
  });
  assert.equal(spanNumber(bytes, 0, 3).isValid, false);
  assert.equal(spanNumber(bytes, 0, 5).isValid, false);
  assert.equal(spanNumber(encodeUtf8("0"), 0, 0).isValid, false);
});
