import { processWide } from '@/lib/process-wide';
import 'server-only';
import { LRUCache } from 'lru-cache';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { stocksAt } from '@/lib/slice/numbers/slices-of';
import { hearsChanges, onStockChange } from './stock-changes';

/** After this long one purchase asks Redis again, and the answer renews the flag. */
const PROBE_AFTER_MS = 100;
/** A flag is void when no answer has renewed it for this long. */
const VALID_MS = 200;
/** This near to the end of the sale we don't use the flag: Redis's clock decides between "sold out" and "ended". */
const END_MARGIN_MS = 2_000;
/** We don't use the flag for more buyers than this: their ids, about 100 bytes each, would take too much memory. */
const MAX_BUYERS = 200_000;
const SCAN_COUNT = 1_000;
const MAX_SALES = 1_000;

type Flag = {
  epoch: number;
  gate: string;
  /** When an answer last said "sold out", and when a purchase last asked Redis; monotonic ms. */
  saidAt: number;
  probedAt: number;
  /** All users who have ever bought; undefined until we know all of them. */
  buyers?: Set<string>;
};
type SoldOutQuestion = {
  saleId: string;
  epoch: number;
  gate: string;
  userId: string;
  quantity: number;
  endsAt: number;
};

type Memory = { flags: LRUCache<string, Flag>; changedAt: LRUCache<string, number>; gapAt: number };

const inProcess = processWide('sold-out', (): { memory?: Memory } => ({}));

function memory(): Memory {
  if (inProcess.memory) return inProcess.memory;
  const made: Memory = {
    flags: new LRUCache({ max: MAX_SALES }),
    changedAt: new LRUCache({ max: MAX_SALES, ttl: 10_000 }),
    gapAt: 0,
  };
  inProcess.memory = made;
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
 * Tells whether this process may answer "sold out, none left" without Redis: for one unit, at the current gate, not
 * near the end, and not for a buyer, who must get the first answer again. Every return of stock clears the flag by a
 * message; if that is lost, the flag is wrong for at most 200 ms.
 */
export function isSurelySoldOut({ saleId, epoch, gate, userId, quantity, endsAt }: SoldOutQuestion): boolean {
  const flag = inProcess.memory?.flags.get(saleId);
  if (!flag?.buyers || quantity !== 1) return false;
  if (flag.epoch !== epoch || flag.gate !== gate || flag.buyers.has(userId)) return false;
  const now = performance.now();
  if (now - flag.saidAt > VALID_MS || !hearsChanges() || Date.now() > endsAt - END_MARGIN_MS) return false;
  if (now - flag.saidAt < PROBE_AFTER_MS || now - flag.probedAt < PROBE_AFTER_MS) return true;
  flag.probedAt = now;
  return false;
}

/**
 * Updates the flag from Redis's answer to a purchase.
 * @param askedAt monotonic ms (`performance.now()`) before the question; tells how old the answer is.
 * @param readBuyers reads all users who have ever bought, undefined if they are more than `atMost`; by default from
 *   Redis.
 */
export function learnSoldOut(
  asked: Pick<SoldOutQuestion, 'saleId' | 'epoch' | 'gate'>,
  available: number,
  askedAt: number,
  readBuyers: (saleId: string, atMost: number) => Promise<Set<string> | undefined> = readRedisBuyers,
): void {
  const { saleId, epoch, gate } = asked;
  if (available !== 0) return;
  const { flags, changedAt, gapAt } = memory();
  // Stock came back between question and answer: its message overtook the answer on another connection.
  if (askedAt <= Math.max(gapAt, changedAt.get(saleId) ?? 0)) return;
  const flag = flags.get(saleId);
  if (flag && flag.epoch === epoch && flag.gate === gate) {
    flag.saidAt = Math.max(flag.saidAt, askedAt);
    return;
  }
  // A flag set before this process receives change messages could miss the one that should clear it.
  if (!hearsChanges()) return;
  const fresh: Flag = { epoch, gate, saidAt: askedAt, probedAt: askedAt };
  flags.set(saleId, fresh);
  readBuyers(saleId, MAX_BUYERS).then(
    (buyers) => {
      fresh.buyers = buyers;
    },
    // The flag is no use without the buyers; the next purchase that sets it tries again.
    () => flags.delete(saleId),
  );
}

/** Clears the flag after a purchase got units, which shows that there are some. */
export function clearSoldOut(saleId: string): void {
  inProcess.memory?.flags.delete(saleId);
}

async function readRedisBuyers(saleId: string, atMost: number): Promise<Set<string> | undefined> {
  const redis = stockRedis();
  const buyers = new Set<string>();
  for (const stockId of await stocksAt(saleId)) {
    const key = keys.buyers(stockId);
    if (buyers.size + (await redis.hlen(key)) > atMost) return undefined;
    let cursor = '0';
    do {
      const [next, fields] = await redis.hscan(key, cursor, 'COUNT', SCAN_COUNT);
      for (let at = 0; at < fields.length; at += 2) buyers.add(fields[at] as string);
      cursor = next;
    } while (cursor !== '0');
  }
  return buyers;
}
