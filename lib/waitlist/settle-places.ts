import 'server-only';
import type { Db } from '@/lib/db/client';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { parsePlace } from './parse-place';
import { readOpen, writePassedOver } from './passed-over';

/** Places in one statement. */
const AT_ONCE = 500;

/** Returns the number of the first who waits for a unit of a sale; null: nobody does. @throws connection errors */
export async function firstWaiting(saleId: string): Promise<number | null> {
  const [, number] = await stockRedis().zrange(keys.waitlist(saleId), '0', '0', 'WITHSCORES');
  return number === undefined ? null : Number(number);
}

/**
 * Notes in Postgres who was passed over, as Redis says: whoever had as many units as one person may have when one was due.
 * @returns how many. @throws connection errors
 */
export async function notePassedOver(tx: Db, saleId: string, before: number | null): Promise<number> {
  const open = await readOpen(tx, saleId, before, AT_ONCE);
  if (open.length === 0) return 0;
  const texts = await stockRedis().hmget(keys.places(saleId), ...open.map(({ userId }) => userId));
  const passed = open.filter(({ number }, at) => {
    const text = texts[at];
    const place = text ? parsePlace(text) : null;
    // Of an older place of the same user Redis no longer knows: a later one has taken its room.
    return place && (place.number > Number(number) || place.state === 'passed_over');
  });
  if (passed.length === 0) return 0;
  return writePassedOver(
    tx,
    saleId,
    passed.map(({ number }) => number),
  );
}
