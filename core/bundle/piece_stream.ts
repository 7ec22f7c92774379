/**
 * A stream of bytes that are made piece by piece.
 *
 * @module
 */

const NOTHING = new Uint8Array();

/**
 * Streams pieces, each of which is good until the next is asked for. Nothing is made before it is asked
 * for; a reader that brings its own buffers has them filled, and no other is needed.
 */
export function pieceStream(
  pieces: AsyncGenerator<Uint8Array>,
  check: () => void,
): ReadableStream<Uint8Array> {
  let rest: Uint8Array = NOTHING;
  return new ReadableStream({
    type: "bytes",
    async pull(controller) {
      try {
        check();
        while (rest.length === 0) {
          const { done, value } = await pieces.next();
          if (done) return close(controller);
          rest = value;
        }
        rest = rest.subarray(pass(controller, rest));
      } catch (error) {
        await pieces.return(undefined);
        throw error;
      }
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}

/** Passes on what fits; returns how much that is. */
function pass(
  controller: ReadableByteStreamController,
  bytes: Uint8Array,
): number {
  const request = controller.byobRequest;
  if (!request?.view) {
    controller.enqueue(bytes.slice());
    return bytes.length;
  }
  const { buffer, byteOffset, byteLength } = request.view;
  const size = Math.min(bytes.length, byteLength);
  new Uint8Array(buffer, byteOffset, size).set(bytes.subarray(0, size));
  request.respond(size);
  return size;
}

function close(controller: ReadableByteStreamController): void {
  controller.close();
  controller.byobRequest?.respond(0);
}
