import { setTimeout as delay } from 'node:timers/promises';
import { db } from '@/lib/db/client';
import { readPlaces } from '@/lib/fallback/records/read-places';
import { newId } from '@/lib/ids/new-id';
import { guardStock } from '@/lib/loading/guard-stock';
import { tendFallbacks } from '@/lib/recovery/tend-fallbacks';
import { drainOutbox } from './drain-outbox';

/** For tests: creates that many shoppers, straight in the database. */
export async function makeBuyers(count: number): Promise<string[]> {
  const userIds = Array.from({ length: count }, () => newId('user'));
  await db().$executeRaw`
    INSERT INTO users (id, email, name, password_hash)
    SELECT id, id || '@example.com', 'Test', '!' FROM unnest(${userIds}::text[]) AS u (id)`;
  return userIds;
}

/** Reads where a sale is sold, as Postgres has it. */
export const placeNow = async (saleId: string) => (await readPlaces([saleId]))[0];

/**
 * For tests: does the workers' tasks for one sale, as they do them, until stopped. Expects that Redis may be away.
 * @param isRelaying also writes the purchases that wait in the outbox.
 */
export function startFallbackWorker(saleId: string, isRelaying = true): () => Promise<void> {
  let isStopped = false;
  const repeat = async (everyMs: number, job: () => Promise<unknown>) => {
    while (!isStopped) {
      await job().catch(() => undefined);
      await delay(everyMs);
    }
  };
  const jobs = [repeat(50, tendFallbacks), repeat(200, guardStock)];
  if (isRelaying) jobs.push(repeat(20, () => drainOutbox(saleId)));
  return async () => {
    isStopped = true;
    await Promise.all(jobs);
  };
}
