import 'server-only';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { randomText } from '@/lib/ids/new-id';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { loadStock } from '@/lib/stock/load-stock';
import { readStock } from '@/lib/stock/read-stock';

/** A copy of the sale under another id: it has keys of its own, and no relay, page or order knows of it. */
export type ShadowSale = {
  saleId: string;
  gate: string;
  epoch: number;
  /** By the clock of Redis, epoch ms. */
  startsAt: number;
  /** The same moment by `performance.now()` of this process. */
  startsAtHere: number;
};

const GATE_CHARS = 24;
const OPEN_MS = 3_600_000;
/** If the worker dies, all keys expire after this. */
const TTL_SEC = 600;
const EPOCH = 1;

const keysOf = (saleId: string) => [
  keys.sale(saleId),
  keys.buyers(saleId),
  keys.outbox(saleId),
  keys.limits(saleId),
  keys.reserved(saleId),
];

/**
 * Loads the shadow as the sale itself would be loaded, to start in `startsInMs` by the clock of Redis.
 * @param rehearsalId of a rehearsal that is started again: first removes what the worker that died has left of it
 * @param reserved the users with a reservation; only used if the sale requires one
 */
export async function openShadow(
  sale: SaleInfo,
  rehearsalId: string,
  startsInMs: number,
  reserved: readonly string[],
): Promise<ShadowSale> {
  const [saleId, gate] = [`rehearsal_${rehearsalId}`, randomText(GATE_CHARS)];
  await removeShadow(saleId, []);
  const [seconds, micros] = await stockRedis().time();
  const startsAtHere = performance.now() + startsInMs;
  const startsAt = Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000) + startsInMs;
  const { totalStock: total, limitPerUser: limit, limits, variants } = sale;
  await loadStock({
    saleId,
    gate,
    epoch: EPOCH,
    startsAt,
    endsAt: startsAt + OPEN_MS,
    paused: false,
    total,
    available: total,
    held: 0,
    sold: 0,
    limit,
    limits,
    variants: variants.map(({ stock }) => stock),
    requiresReservation: sale.reservation !== null,
  });
  for (let from = 0; sale.reservation && from < reserved.length; from += 500) {
    const pairs = reserved.slice(from, from + 500).flatMap((userId) => [userId, startsAt]);
    await stockRedis().hset(keys.reserved(saleId), ...pairs);
  }
  await keepShadow(saleId);
  return { saleId, gate, epoch: EPOCH, startsAt, startsAtHere };
}

/**
 * Extends the shadow's present keys by another ten minutes; the keys of buyers and outbox appear with the first
 * purchase.
 */
export async function keepShadow(saleId: string): Promise<void> {
  await Promise.all(keysOf(saleId).map((key) => stockRedis().expire(key, TTL_SEC)));
}

/** Removes the whole shadow, including the counts of the limits per address and device. */
export async function removeShadow(
  saleId: string,
  counted: readonly (readonly ['ip' | 'device', string])[],
): Promise<void> {
  const counts = counted.map(([scope, subject]) => keys.limit(saleId, 'purchase', scope, subject));
  const gone = [...keysOf(saleId), ...new Set(counts)];
  for (let from = 0; from < gone.length; from += 500) await stockRedis().unlink(gone.slice(from, from + 500));
}

/** Reads the books of the shadow. */
export async function readShadow(saleId: string) {
  const [stock, messages] = await Promise.all([
    readStock(saleId),
    stockRedis().xrange(keys.outbox(saleId), '-', '+'),
  ]);
  if (!stock) throw new Error(`the keys of ${saleId} are gone`);
  const units = new Map<string, number>();
  let inMessages = 0;
  for (const [, fields] of messages) {
    const quantity = Number(fields[fields.indexOf('quantity') + 1]);
    const userId = String(fields[fields.indexOf('userId') + 1]);
    inMessages += quantity;
    units.set(userId, (units.get(userId) ?? 0) + quantity);
  }
  return { stock, inMessages, mostPerUser: Math.max(0, ...units.values()) };
}
