import { processWide } from '@/lib/process-wide';
import 'server-only';
import { LRUCache } from 'lru-cache';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { hearsChanges, onStockChange } from './stock-changes';

/** After this long one purchase goes to Redis again and renews the flag by its answer. */
const PROBE_AFTER_MS = 100;
/** A flag that no answer has renewed for this long counts for nothing. */
const VALID_MS = 200;
/** Near the end of the sale Redis's clock decides between "sold out" and "ended". */
const END_MARGIN_MS = 2_000;
/** With more buyers than this the flag is not used: their ids would take too much memory. About 100 bytes each. */
const MAX_BUYERS = 200_000;
const SCAN_COUNT = 1_000;
const MAX_SALES = 1_000;

type Flag = {
  epoch: number;
  gate: string;
  /** When an answer last said "sold out", and when one was last sent for that; monotonic ms. */
  saidAt: number;
  probedAt: number;
  /** Everybody who has ever bought; undefined until all are known. */
  buyers?: Set<string>;
};
type Asked = {
  saleId: string;
  epoch: number;
  gate: string;
  userId: string;
  quantity: number;
  endsAt: number;
};

type Memory = { flags: LRUCache<string, Flag>; changedAt: LRUCache<string, number>; gapAt: number };

const held = processWide('sold-out', (): { memory?: Memory } => ({}));

function memory(): Memory {
  if (held.memory) return held.memory;
  const made: Memory = {
    flags: new LRUCache({ max: MAX_SALES }),
    changedAt: new LRUCache({ max: MAX_SALES, ttl: 10_000 }),
    gapAt: 0,
  };
  held.memory = made;
  onStockChange('sold-out', {
    onChange(saleId) {
      made.flags.delete(saleId);
      made.changedAt.set(saleId, performance.now());
    },
    onGap() {
      made.flags.clear();
      made.gapAt = performance.now();
    },
  });
  return made;
}

/**
 * Whether this process may answer "sold out, none left" without asking Redis. Only for what Redis would answer the same:
 * one unit, today's gate, not near the end, and somebody who has never bought in this sale, since those who have may be
 * repeating their request and must get their first answer again. Their ids are read once, when the sale sells out; they
 * can't become more while nothing is left.
 *
 * The flag is cleared by the message that every return of stock publishes. Should that get lost, one request per 100 ms
 * asks Redis all the same: the flag is never wrong for longer than 200 ms.
 */
export function isSurelySoldOut({ saleId, epoch, gate, userId, quantity, endsAt }: Asked): boolean {
  const flag = held.memory?.flags.get(saleId);
  if (!flag?.buyers || quantity !== 1) return false;
  if (flag.epoch !== epoch || flag.gate !== gate || flag.buyers.has(userId)) return false;
  const now = performance.now();
  if (now - flag.saidAt > VALID_MS || !hearsChanges() || Date.now() > endsAt - END_MARGIN_MS) return false;
  if (now - flag.saidAt < PROBE_AFTER_MS || now - flag.probedAt < PROBE_AFTER_MS) return true;
  flag.probedAt = now;
  return false;
}

/**
 * Learns from Redis's answer to a purchase.
 * @param askedAt monotonic ms (`performance.now()`) before the question: the answer is as old as that.
 * @param readBuyers everybody who has ever bought, undefined if they are more than `atMost`; by default from Redis.
 */
export function learnSoldOut(
  asked: Pick<Asked, 'saleId' | 'epoch' | 'gate'>,
  available: number,
  askedAt: number,
  readBuyers: (saleId: string, atMost: number) => Promise<Set<string> | undefined> = readRedisBuyers,
): void {
  const { saleId, epoch, gate } = asked;
  if (available !== 0) return;
  const { flags, changedAt, gapAt } = memory();
  // Stock came back between question and answer: the news overtook it on another connection.
  if (askedAt <= Math.max(gapAt, changedAt.get(saleId) ?? 0)) return;
  const flag = flags.get(saleId);
  if (flag && flag.epoch === epoch && flag.gate === gate) {
    flag.saidAt = Math.max(flag.saidAt, askedAt);
    return;
  }
  // Not before changes are heard: a flag set earlier could miss the one that should clear it.
  if (!hearsChanges()) return;
  const fresh: Flag = { epoch, gate, saidAt: askedAt, probedAt: askedAt };
  flags.set(saleId, fresh);
  readBuyers(saleId, MAX_BUYERS).then(
    (buyers) => {
      fresh.buyers = buyers;
    },
    // Without the buyers the flag is not used; the next one to be set tries again.
    () => flags.delete(saleId),
  );
}

/** Somebody got stock: there is some. */
export function clearSoldOut(saleId: string): void {
  held.memory?.flags.delete(saleId);
}

async function readRedisBuyers(saleId: string, atMost: number): Promise<Set<string> | undefined> {
  const redis = stockRedis();
  const key = keys.buyers(saleId);
  if ((await redis.hlen(key)) > atMost) return undefined;
  const buyers = new Set<string>();
  let cursor = '0';
  do {
    const [next, fields] = await redis.hscan(key, cursor, 'COUNT', SCAN_COUNT);
    for (let at = 0; at < fields.length; at += 2) buyers.add(fields[at] as string);
    cursor = next;
  } while (cursor !== '0');
  return buyers;
}
