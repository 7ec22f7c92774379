import assert from "node:assert/strict";
import { shownTime } from "./time.ts";

Deno.test("shownTime() writes seconds of UTC as the reference does", () => {
  const rows = [
    [0, "1970-01-01 00:00:00Z"],
    [1_757_170_500_000, "2025-09-06 14:55:00Z"],
    [1_582_934_400_000, "2020-02-29 00:00:00Z"],
    [999, "1970-01-01 00:00:00Z"],
    [-1, "1969-12-31 23:59:59Z"],
    [9e15, "9000000000000000 ms"],
  ] as const;
  for (const [timeMs, seen] of rows) assert.equal(shownTime(timeMs), seen);
});
