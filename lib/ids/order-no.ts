import { nowMs } from '@/lib/clock';
import { SHARD_COUNT } from './shard-of';

/**
 * Order numbers are 63-bit snowflakes (decision 001) that carry the buyer's shard, so an order and a user route to the
 * same one:
 *
 *     62 … 22  milliseconds since 2026-01-01 (41 bits, until 2095)
 *     21 … 15  sequence within the millisecond (7 bits)
 *     14 … 10  worker (5 bits)
 *      9 …  0  shard of the user: `orderNo % 1024` in any language
 */
export const ORDER_EPOCH_MS = Date.UTC(2026, 0, 1);
export const WORKER_COUNT = 32;

/**
 * The one worker number that no process leases. Any process may use it where the database itself refuses a number
 * that is taken. The others are leased, because no database checks a purchase that Redis accepts.
 */
export const UNLEASED_WORKER = WORKER_COUNT - 1;

/** How many numbers one worker has per millisecond, for users of one shard. */
export const SEQUENCE_COUNT = 128;
const MAX_TIME = 2 ** 41 - 1;
const MAX_ORDER_NO = 2n ** 63n - 1n;

type DecodedOrderNo = { atMs: number; sequence: number; workerId: number; shard: number };

/** Thrown when the time span of a source is used up: its worker number must be renewed or another one taken. */
export class OrderNoSpanEndedError extends Error {
  override name = 'OrderNoSpanEndedError';
  constructor() {
    super('the moments of this worker number are used up');
  }
}

export type OrderNoSource = {
  /** Returns the next order number for a user of this shard. @throws OrderNoSpanEndedError, RangeError on a wrong shard. */
  next: (shard: number) => bigint;
  /** Returns the latest moment used, in epoch ms; `startAfterMs` before the first number. */
  lastMs: () => number;
};

type OrderNoSourceOptions = {
  /** 0 … 31. No other process may use the same sequence numbers of it at the same time, except for `UNLEASED_WORKER`. */
  workerId: number;
  /** The source uses only these sequence numbers; all 128 by default. */
  sequences?: { first: number; count: number };
  now?: () => number;
  /** The source uses only later moments: a predecessor with the same worker number may have used the earlier ones. */
  startAfterMs?: number;
  /** The source uses no later moment. Asked on every call, because a renewed lease moves it. */
  endMs?: () => number;
};

/**
 * Creates a source of order numbers. It never waits and never repeats. When the clock stands still or runs backwards,
 * or a millisecond needs more numbers than it has sequence numbers, the source's own logical clock goes on from the
 * last moment used.
 */
export function createOrderNoSource(options: OrderNoSourceOptions): OrderNoSource {
  const { workerId, now = nowMs, startAfterMs = ORDER_EPOCH_MS - 1, endMs } = options;
  if (!Number.isInteger(workerId) || workerId < 0 || workerId >= WORKER_COUNT) {
    throw new RangeError(`workerId must be 0 … ${WORKER_COUNT - 1}, got ${workerId}`);
  }
  const { first, count } = options.sequences ?? { first: 0, count: SEQUENCE_COUNT };
  if (
    !Number.isInteger(first) ||
    !Number.isInteger(count) ||
    first < 0 ||
    count < 1 ||
    first + count > SEQUENCE_COUNT
  )
    throw new RangeError(`sequences must lie in 0 … ${SEQUENCE_COUNT - 1}, got ${count} from ${first}`);
  let last = Math.max(startAfterMs, ORDER_EPOCH_MS - 1) - ORDER_EPOCH_MS;
  // The moment `startAfterMs` counts as full.
  let used = count;

  const next = (shard: number): bigint => {
    if (!Number.isInteger(shard) || shard < 0 || shard >= SHARD_COUNT) {
      throw new RangeError(`shard must be 0 … ${SHARD_COUNT - 1}, got ${shard}`);
    }
    const clock = Math.floor(now()) - ORDER_EPOCH_MS;
    let time = last;
    let step = used;
    if (clock > last) {
      time = clock;
      step = 0;
    } else if (step === count) {
      time = last + 1;
      step = 0;
    }
    if (time > MAX_TIME) throw new RangeError('order numbers end in 2095');
    if (endMs && time + ORDER_EPOCH_MS > endMs()) throw new OrderNoSpanEndedError();
    last = time;
    used = step + 1;
    return (BigInt(time) << 22n) | BigInt(((first + step) << 15) | (workerId << 10) | shard);
  };
  return { next, lastMs: () => last + ORDER_EPOCH_MS };
}

/** The highest number that Postgres stores. */
export const HIGHEST_ORDER_NO = 2n ** 63n - 1n;

/** Returns the lowest number that an order of this moment can have. @param atMs epoch ms; any number */
export function lowestOrderNoAt(atMs: number): bigint {
  const number = BigInt(Math.max(0, Math.floor(atMs) - ORDER_EPOCH_MS)) << 22n;
  return number < HIGHEST_ORDER_NO ? number : HIGHEST_ORDER_NO;
}

/** Splits an order number into its parts. */
export function decodeOrderNo(orderNo: bigint): DecodedOrderNo {
  const low = Number(orderNo & 0x3f_ffffn);
  return {
    atMs: Number(orderNo >> 22n) + ORDER_EPOCH_MS,
    sequence: low >> 15,
    workerId: (low >> 10) & (WORKER_COUNT - 1),
    shard: low & (SHARD_COUNT - 1),
  };
}

/** Parses an order number from outside: strictly decimal, no sign, no leading zero, at most 63 bits. Else null. */
export function parseOrderNo(text: string): bigint | null {
  if (!/^[1-9]\d{0,18}$/.test(text)) return null;
  const orderNo = BigInt(text);
  return orderNo <= MAX_ORDER_NO ? orderNo : null;
}
