import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { FrameWriter } from "./frame_writer.ts";

/** A stream that takes one write at a time, when told. */
function slowStream() {
  const writes: string[] = [];
  const waiting: ((error?: Error) => void)[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      writes.push(String(chunk));
      waiting.push(done);
    },
  });
  stream.on("error", () => {});
  return { stream, writes, take: (error?: Error) => waiting.shift()?.(error) };
}

/** Lets everything run that can. */
function settle(): Promise<void> {
  return new Promise((done) => setTimeout(done));
}

Deno.test("FrameWriter writes at once, and gathers what comes while the stream is busy", async () => {
  const { stream, writes, take } = slowStream();
  let told = 0;
  const writer = new FrameWriter(stream, () => told += 1);
  const written = ["a", "b", "c"].map((frame) => writer.write(frame));
  assert.deepEqual(writes, ["a\n"]);
  assert.equal(writer.backlog, 6);
  take();
  await written[0];
  assert.deepEqual(writes, ["a\n", "b\nc\n"]);
  assert.deepEqual([writer.backlog, told], [4, 1]);
  take();
  await Promise.all(written);
  assert.deepEqual([writer.backlog, told], [0, 2]);
});

Deno.test("FrameWriter gathers no more than a batch", async () => {
  const { stream, writes, take } = slowStream();
  const writer = new FrameWriter(stream);
  const frame = "x".repeat(100_000);
  for (let i = 0; i < 10; i++) writer.write(frame);
  for (let i = 0; i < 10; i++) {
    take();
    await settle();
  }
  assert.equal(writer.backlog, 0);
  assert.deepEqual(
    writes.map(({ length }) => length / frame.length | 0),
    [1, 3, 3, 3],
  );
});

Deno.test("FrameWriter rejects what a stream that failed did not take", async () => {
  const { stream, take } = slowStream();
  const writer = new FrameWriter(stream);
  const written = [writer.write("a"), writer.write("b")];
  take(new Error("EPIPE"));
  for (const each of written) await assert.rejects(each);
  assert.equal(writer.backlog, 0);
  await writer.flushed(60_000);
});

Deno.test("flushed() waits as long as something is written, and no longer", async () => {
  const { stream, writes, take } = slowStream();
  const writer = new FrameWriter(stream);
  await writer.flushed(60_000);
  const frame = "x".repeat(300_000);
  for (let i = 0; i < 5; i++) writer.write(frame);
  let isFlushed = false;
  const flushed = writer.flushed(40).then(() => isFlushed = true);
  for (let i = 0; i < 5; i++) {
    await new Promise((done) => setTimeout(done, 10));
    assert.equal(isFlushed, false);
    take();
  }
  await flushed;
  assert.equal(writes.length, 5);
  writer.write("nobody takes it");
  await writer.flushed(1);
  assert.equal(writer.backlog, 16);
});
