import { setTimeout as delay } from 'node:timers/promises';
import { isOutage } from '@/lib/errors/is-outage';
import { log } from '@/lib/http/log';
import { closeRedis } from '@/lib/redis/client';
import { outlastStandstills } from '@/test/support/outlast-standstills';
import { purchaseUnderLock } from '../purchase-under-lock';
import { purchaseOf } from './open-sale';

outlastStandstills();

/**
 * Buyers in a process of their own. They all buy at once on a command from standard input. Like the page, they repeat
 * the request with the same token while the answer says so. Prints how many got which answer.
 */
const PATIENCE_MS = 120_000;

// Only this script's own lines may appear on standard output.
log.level = 'silent';
const [saleId = '', name = '', count = '0', firstOrderNo = '0'] = process.argv.slice(2);

process.stdout.write('"ready"\n');
await new Promise((resolve) => process.stdin.once('data', resolve));
const answers = await Promise.all(Array.from({ length: Number(count) }, (_, i) => buy(i)));
const counts: Record<string, number> = {};
for (const status of answers) counts[status] = (counts[status] ?? 0) + 1;
process.stdout.write(`${JSON.stringify(counts)}\n`);
await closeRedis();
process.stdin.destroy();

async function buy(i: number): Promise<string> {
  const fresh = { jti: `jti_${name}_${i}`, orderNo: String(Number(firstOrderNo) + i) };
  const purchase = purchaseOf(saleId, `${name}_${i}`, fresh);
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    // On a busy machine the lock servers may be too slow for a moment: the page is told to come again then, too.
    const status = await purchaseUnderLock(purchase).then(
      (result) => result.status,
      (error: unknown) => {
        if (!isOutage(error)) throw error;
        return 'busy';
      },
    );
    if (status !== 'busy' || Date.now() > until) return status;
    await delay(50 * Math.random());
  }
}
