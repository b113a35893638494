import { afterAll, beforeAll } from 'vitest';
import { closeDb } from '@/lib/db/client';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { sendPurchase, tokenFor } from './send-purchase';
import { type FastPathProcess, startFastPath } from './start-fast-path';

/** For tests: starts two web processes before a file's tests, and stops them and closes every connection after them. */
export function openTwoWebs(): { origins: () => string[] } {
  let webs: FastPathProcess[] = [];
  beforeAll(async () => {
    webs = await Promise.all([startFastPath(), startFastPath()]);
  });
  afterAll(async () => {
    await Promise.all(webs.map((web) => web.stop()));
    await Promise.all([closeRedis(), closeDb()]);
  });
  return { origins: () => webs.map(({ origin }) => origin) };
}

/** Returns how often Redis has run our scripts: an answer from memory does not change that number. */
export async function scriptCalls(): Promise<number> {
  const info = await stockRedis().info('commandstats');
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(info)?.[1] ?? 0);
}

/** Sends purchases as strangers until answers come from memory. */
export async function untilFlagged(origin: string, sale: { saleId: string; gate: string }) {
  for (let from = Date.now(); Date.now() - from < 5_000; ) {
    const before = await scriptCalls();
    for (let n = 0; n < 5; n += 1) await sendPurchase(origin, sale, tokenFor(sale.saleId, `stranger_${n}`));
    if ((await scriptCalls()) - before <= 2) return;
  }
  throw new Error('never answered from memory');
}
