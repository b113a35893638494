import { OutageError } from '@/lib/errors/outage-error';
import { createAbsent } from './absent';
import { createAddressTurns, OF_ONE_ADDRESS } from './address-turns';

/** A person whose password is to be checked. */
export type PasswordGuest = {
  /** From `countedAddress`; null: not counted. */
  address: string | null;
  /** The device has signed in to this account before. */
  isKnown: boolean;
  /** Since when they have been waiting, epoch ms; null: they have just come. */
  since: number | null;
};

/** The answer to a client whose turn comes too late to wait for it. */
export type ComeBack = {
  /** Since when the client has been waiting, epoch ms. It keeps that place if it sends this along. */
  since: number;
  /** When to ask again, ms from now. */
  retryAfterMs: number;
  /** When the turn probably comes, ms from now. */
  expectedMs: number;
};

/**
 * Thrown when somebody has to come back: so many passwords wait, in all or from one address. `comeBackOf` knows every
 * copy of it (`lib/process-wide.ts`).
 */
class TooManyHashesError extends OutageError {
  override name = 'TooManyHashesError';
  constructor(readonly comeBack: ComeBack) {
    super('too many passwords are being checked');
  }
}

/** Returns what somebody who has to come back is told; null for every other error. */
export const comeBackOf = (error: unknown): ComeBack | null =>
  error instanceof Error && 'comeBack' in error ? (error.comeBack as ComeBack) : null;

export type PasswordQueue = {
  /** Does `work` when it is the guest's turn. @throws TooManyHashesError */
  run: <T>(guest: PasswordGuest, work: () => Promise<T>) => Promise<T>;
  /** Tells whether `run` would send this guest away now, and counts them as sent away. Null: it would not. */
  refusal: (guest: PasswordGuest) => ComeBack | null;
  counts: () => { inside: number; waiting: number };
};

type Waiting = {
  guest: PasswordGuest;
  since: number;
  /** The order of turns, epoch ms: when they came, or later if others came from their address. */
  key: number;
  goIn: () => void;
  sendAway: () => void;
  timer: NodeJS.Timeout;
};

/** A request waits for its answer if its turn comes within this time, ms. */
const HOLD_MS = 8_000;
/** The longest wait for an answer, ms, if passwords take longer than they used to. Pages give up at 20 s. */
const HOLD_AT_MOST_MS = 15_000;
/** This many of each kind may wait however long a password takes, and never more than the most. */
const [FEWEST, MOST] = [8, 500];
/** Turns of known devices before each turn of a stranger, if both wait. */
const KNOWN_IN_A_ROW = 3;
/** The first and the last moment for asking again, and the longest wait we tell, ms. */
const [RETRY_FROM_MS, RETRY_TO_MS, EXPECTED_TO_MS] = [1_000, 60_000, 1_800_000];
/** The share of the expected wait after which to ask again: the queue may have become shorter meanwhile. */
const ASK_AFTER = 0.6;
/** People who are told the same wait come back spread over this share of it. */
const SPREAD = 0.25;

/**
 * Creates the queue before the threads for passwords. It is in the order in which people came; those who had to leave
 * keep their time. An address that sends many is treated as if they had come one after the other, and known devices
 * get three turns for each one of a stranger.
 * @param atOnce passwords at the threads. @param msEach how often one is done at present, ms
 */
export function createPasswordQueue(atOnce: number, msEach: () => number): PasswordQueue {
  const queues = { known: [] as Waiting[], strangers: [] as Waiting[] };
  const addresses = createAddressTurns();
  const absent = createAbsent(RETRY_TO_MS);
  let inside = 0;
  let knownInARow = 0;

  const queueOf = ({ isKnown }: PasswordGuest) => (isKnown ? queues.known : queues.strangers);
  /** @returns how long the guest at this place of its queue waits for its turn, ms */
  const waitAt = (isKnown: boolean, index: number): number => {
    const turns = index + 1;
    const others = isKnown
      ? Math.min(queues.strangers.length, Math.floor(turns / KNOWN_IN_A_ROW))
      : Math.min(queues.known.length, turns * KNOWN_IN_A_ROW);
    return (turns + others + inside) * msEach();
  };
  const isTooLong = (isKnown: boolean, count: number): boolean =>
    count > MOST || (count > FEWEST && waitAt(isKnown, count - 1) > HOLD_MS);

  const comeBack = (isKnown: boolean, since: number, index: number): ComeBack => {
    const before = isKnown ? 0 : absent.before(since);
    const expectedMs = Math.min(EXPECTED_TO_MS, waitAt(isKnown, index + before));
    const asksAt = Math.min(expectedMs - HOLD_MS / 2, ASK_AFTER * expectedMs);
    const retryMs = Math.min(RETRY_TO_MS, Math.max(RETRY_FROM_MS, asksAt));
    const retryAfterMs = Math.ceil(retryMs * (1 - SPREAD * Math.random()));
    return { since, retryAfterMs: Math.max(RETRY_FROM_MS, retryAfterMs), expectedMs: Math.ceil(expectedMs) };
  };

  const refusal = (guest: PasswordGuest): ComeBack | null => {
    const since = guest.since ?? Date.now();
    const queue = queueOf(guest);
    const index = placeIn(queue, addresses.keyOf(guest.address, since));
    const isCrowded = addresses.isCrowded(guest.address);
    // A guest who came before one that waits is let in: the last of the queue leaves instead.
    if (!isCrowded && (index < queue.length || !isTooLong(guest.isKnown, queue.length + 1))) return null;
    const told = comeBack(guest.isKnown, since, Math.max(index, isCrowded ? OF_ONE_ADDRESS : 0));
    if (guest.since === null && !guest.isKnown) absent.add(since);
    return told;
  };

  const takeOut = (waiting: Waiting) => {
    const queue = queueOf(waiting.guest);
    queue.splice(queue.indexOf(waiting), 1);
    clearTimeout(waiting.timer);
  };
  const sendAway = (waiting: Waiting) => {
    takeOut(waiting);
    waiting.sendAway();
  };
  const next = (): Waiting | undefined => {
    const [known] = queues.known;
    const [stranger] = queues.strangers;
    if (!known || (stranger && knownInARow >= KNOWN_IN_A_ROW)) {
      knownInARow = 0;
      return stranger;
    }
    knownInARow += 1;
    return known;
  };
  const callNext = () => {
    while (inside < atOnce) {
      const waiting = next();
      if (!waiting) return;
      takeOut(waiting);
      inside += 1;
      waiting.goIn();
    }
  };

  const turn = (guest: PasswordGuest, since: number, key: number) =>
    new Promise<void>((resolve, reject) => {
      const queue = queueOf(guest);
      const waiting: Waiting = {
        guest,
        since,
        key,
        goIn: resolve,
        sendAway: () => {
          const told = comeBack(guest.isKnown, since, queue.length);
          if (!guest.isKnown) absent.add(since);
          reject(new TooManyHashesError(told));
        },
        timer: setTimeout(() => sendAway(waiting), HOLD_AT_MOST_MS).unref(),
      };
      queue.splice(placeIn(queue, key), 0, waiting);
      callNext();
      while (isTooLong(guest.isKnown, queue.length)) sendAway(queue.at(-1) as Waiting);
    });

  return {
    refusal,
    async run(guest, work) {
      const refused = refusal(guest);
      if (refused) throw new TooManyHashesError(refused);
      const { address, since: before } = guest;
      const since = before ?? Date.now();
      const key = addresses.keyOf(address, since);
      if (before !== null && !guest.isKnown) absent.remove(before);
      addresses.enter(address, key);
      try {
        await turn(guest, since, key);
        try {
          return await work();
        } finally {
          inside -= 1;
          callNext();
        }
      } finally {
        addresses.leave(address);
      }
    },
    counts: () => ({ inside, waiting: queues.known.length + queues.strangers.length }),
  };
}

/** @returns how many of a sorted queue come before this key */
function placeIn(queue: readonly Waiting[], key: number): number {
  let [from, to] = [0, queue.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((queue[middle]?.key ?? 0) <= key) from = middle + 1;
    else to = middle;
  }
  return from;
}
