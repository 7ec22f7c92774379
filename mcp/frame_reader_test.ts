import assert from "node:assert/strict";
import { type Frame, FrameReader } from "./frame_reader.ts";

const encoder = new TextEncoder();

/** Feeds bytes in chunks of one size and returns every frame. */
function framesOf(
  bytes: Uint8Array,
  options: { chunk: number; bytesMax?: number },
): Frame[] {
  const reader = new FrameReader(options.bytesMax ?? 1_000);
  const frames: Frame[] = [];
  for (let at = 0; at < bytes.length; at += options.chunk) {
    frames.push(...reader.push(bytes.subarray(at, at + options.chunk)));
  }
  return [...frames, ...reader.end()];
}

Deno.test("FrameReader cuts the same frames whatever the chunks", () => {
  const bytes = encoder.encode(
    "\ufeffone\r\n\ntw\u{1f600}o\nthree \r inside\nlast",
  );
  const expected = [
    { text: "one" },
    { text: "" },
    { text: "tw\u{1f600}o" },
    { text: "three \r inside" },
    { text: "last" },
  ];
  for (let chunk = 1; chunk <= bytes.length; chunk += 1) {
    assert.deepEqual(
      framesOf(bytes, { chunk }),
      expected,
      `chunks of ${chunk}`,
    );
  }
});

Deno.test("FrameReader has no last frame after a line feed", () => {
  assert.deepEqual(framesOf(encoder.encode("one\n"), { chunk: 4 }), [
    { text: "one" },
  ]);
  assert.deepEqual(new FrameReader(10).end(), []);
});

Deno.test("FrameReader tells an oversized frame once and goes on after it", () => {
  const bytes = encoder.encode(`12345678\n123456789\n${"x".repeat(40)}\nok\n`);
  const fault = {
    fault: "oversized",
    message: "Frame is over the limit of 8 bytes",
  };
  for (let chunk = 1; chunk <= bytes.length; chunk += 1) {
    assert.deepEqual(
      framesOf(bytes, { chunk, bytesMax: 8 }),
      [{ text: "12345678" }, fault, fault, { text: "ok" }],
      `chunks of ${chunk}`,
    );
  }
});

Deno.test("FrameReader tells an oversized last frame once", () => {
  const bytes = encoder.encode("ok\n123456789");
  assert.deepEqual(framesOf(bytes, { chunk: 1, bytesMax: 8 }), [
    { text: "ok" },
    { fault: "oversized", message: "Frame is over the limit of 8 bytes" },
  ]);
});

Deno.test("FrameReader refuses bytes that are not UTF-8 and goes on", () => {
  const bytes = new Uint8Array([0x22, 0xff, 0x22, 0x0a, 0x31, 0x0a]);
  assert.deepEqual(framesOf(bytes, { chunk: 2 }), [
    { fault: "encoding", message: "Frame is not UTF-8" },
    { text: "1" },
  ]);
});

/** Counts the bytes that are copied while something runs. */
function countCopied(run: () => void): number {
  const { set } = Uint8Array.prototype;
  let copied = 0;
  Uint8Array.prototype.set = function (source, offset) {
    copied += source.length;
    return set.call(this, source, offset);
  };
  try {
    run();
  } finally {
    Uint8Array.prototype.set = set;
  }
  return copied;
}

// A buffer that doubles copies what it holds once for each time that it grows: twice the line at most.
const COPIES_MAX = 3;

Deno.test("FrameReader copies the bytes of a large line a few times, whatever its size", () => {
  for (const size of [1, 5, 9]) {
    const line = new Uint8Array(size * 1_000_000).fill(0x61);
    line[line.length - 1] = 0x0a;
    const copied = countCopied(() => {
      const [frame] = framesOf(line, {
        chunk: 64 * 1024,
        bytesMax: line.length,
      });
      assert.ok(frame !== undefined && "text" in frame);
      assert.equal(frame.text.length, line.length - 1);
    });
    assert.ok(copied >= line.length - 1);
    assert.ok(copied <= COPIES_MAX * line.length, `${copied} for ${size} MB`);
  }
});

Deno.test("FrameReader copies no less for a line that comes byte by byte, and nothing for one that comes whole", () => {
  const line = new Uint8Array(100_000).fill(0x61);
  line[line.length - 1] = 0x0a;
  const trickled = countCopied(() =>
    framesOf(line, { chunk: 1, bytesMax: 1e6 })
  );
  assert.ok(trickled > 0 && trickled <= COPIES_MAX * line.length);
  const whole = countCopied(() =>
    framesOf(line, { chunk: 1e6, bytesMax: 1e6 })
  );
  assert.equal(whole, 0);
});
