/** Where one reader's events go: a socket in the fast path, a stream through Next. */
export type EventSink = {
  /** False when earlier bytes still wait to be sent: this reader can't keep up, and nothing was sent. */
  send: (bytes: Buffer) => boolean;
  /** Ends after what was sent. */
  end: () => void;
  /** Ends at once, for a reader that doesn't read. */
  drop: () => void;
  /** Says whom to tell when the reader has gone. */
  whenGone: (forget: () => void) => void;
};

/** After this long the process does something else before the next reader: a purchase waits for no more than this. */
const SLICE_MS = 8;
const LOOK_AT_CLOCK_EVERY = 16;

/** Calls `visit` for each item, letting the process do something else every 8 ms. */
export async function inSlices<T>(items: readonly T[], visit: (item: T) => void): Promise<void> {
  // Nobody is always first.
  const from = Math.floor(Math.random() * items.length);
  let sliceEndsAt = performance.now() + SLICE_MS;
  for (let n = 0; n < items.length; n += 1) {
    visit(items[(from + n) % items.length] as T);
    if (n % LOOK_AT_CLOCK_EVERY !== 0 || performance.now() < sliceEndsAt) continue;
    await new Promise((resolve) => setImmediate(resolve));
    sliceEndsAt = performance.now() + SLICE_MS;
  }
}

/**
 * Sends the same bytes to everybody, one broadcast after the other; what comes while one is on its way replaces what
 * waits, so a reader sees states in order and the last one always.
 */
export function createBroadcast<T>(everybody: () => T[], send: (reader: T, bytes: Buffer) => void) {
  let waiting: Buffer | null = null;
  let isSending = false;
  const run = async () => {
    isSending = true;
    while (waiting) {
      const bytes: Buffer = waiting;
      waiting = null;
      await inSlices(everybody(), (reader) => send(reader, bytes));
    }
    isSending = false;
  };
  return (bytes: Buffer): void => {
    waiting = bytes;
    if (!isSending) void run();
  };
}
