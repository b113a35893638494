/** The way to one reader: a socket in the fast path, a stream through Next. */
export type EventSink = {
  /** Returns false if earlier bytes still wait to be sent: the reader can't keep up, and nothing was sent. */
  send: (bytes: Buffer) => boolean;
  /** Ends the connection after the bytes sent so far. */
  end: () => void;
  /** Ends the connection at once, for a reader that doesn't read. */
  drop: () => void;
  /** Registers the function to call when the reader has gone. */
  whenGone: (forget: () => void) => void;
};

/** After this long the process does other work before it serves the next reader: no purchase waits longer than this. */
const SLICE_MS = 8;
/** The opening of a sale is told to some ten thousand readers in this time. */
const OPENING_SLICE_MS = 150;
const LOOK_AT_CLOCK_EVERY = 16;

/** Calls `visit` for each item and lets the process do other work every 8 ms, for the first time after `firstSliceMs`. */
export async function inSlices<T>(
  items: readonly T[],
  visit: (item: T) => void,
  firstSliceMs = SLICE_MS,
): Promise<void> {
  // Starts anywhere in the list, so that no reader is always first.
  const from = Math.floor(Math.random() * items.length);
  let sliceEndsAt = performance.now() + firstSliceMs;
  for (let n = 0; n < items.length; n += 1) {
    visit(items[(from + n) % items.length] as T);
    if (n % LOOK_AT_CLOCK_EVERY !== 0 || performance.now() < sliceEndsAt) continue;
    await new Promise((resolve) => setImmediate(resolve));
    sliceEndsAt = performance.now() + SLICE_MS;
  }
}

/**
 * Sends the same bytes to all readers, one broadcast after another. A new message replaces one that still waits, so a
 * reader sees states in order and always gets the last one.
 * @returns the function that sends; with `isOpening`, most readers are told before anything else is done: who is told
 *   first presses at once, and would be answered before the others know
 */
export function createBroadcast<T>(everybody: () => T[], send: (reader: T, bytes: Buffer) => void) {
  let waiting: { bytes: Buffer; isOpening: boolean } | null = null;
  let isSending = false;
  const run = async () => {
    isSending = true;
    for (let next = waiting; next; next = waiting) {
      const { bytes, isOpening } = next;
      waiting = null;
      await inSlices(everybody(), (reader) => send(reader, bytes), isOpening ? OPENING_SLICE_MS : SLICE_MS);
    }
    isSending = false;
  };
  return (bytes: Buffer, isOpening = false): void => {
    waiting = { bytes, isOpening: isOpening || (waiting?.isOpening ?? false) };
    if (!isSending) void run();
  };
}
