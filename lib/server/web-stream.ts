import type { EventSink } from './events-send';

/**
 * Creates a web stream and the way to write events to its reader, for streams that a route handler answers.
 * @param maxWaitingBytes how many bytes may wait for a reader before it counts as too slow
 * @returns call `openSink` when there is something to send, and before the stream is read
 */
export function createWebStream(maxWaitingBytes: number): {
  stream: ReadableStream<Uint8Array>;
  openSink: () => EventSink;
} {
  let controller: ReadableStreamDefaultController<Uint8Array>;
  let forget = () => {};
  const stream = new ReadableStream<Uint8Array>(
    {
      start(opened) {
        controller = opened;
      },
      cancel: () => forget(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: maxWaitingBytes }),
  );
  const openSink = (): EventSink => ({
    send(bytes) {
      if ((controller.desiredSize ?? 0) <= 0) return false;
      controller.enqueue(bytes);
      return true;
    },
    end: () => controller.close(),
    drop: () => controller.error(new Error('this reader is too slow')),
    whenGone(told) {
      forget = told;
    },
  });
  return { stream, openSink };
}
