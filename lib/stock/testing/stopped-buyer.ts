import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { isOutage } from '@/lib/errors/is-outage';
import { log } from '@/lib/http/log';
import { lockServers } from '@/lib/lock/lock-servers';
import { withLock } from '@/lib/lock/with-lock';
import { closeRedis } from '@/lib/redis/client';
import { outlastStandstills } from '@/test/support/outlast-standstills';
import { purchaseWithin } from '../purchase-under-lock';
import { purchaseOf } from './open-sale';

outlastStandstills();

/**
 * A buyer in a process of its own, whose lock lasts a second. It reports when it has read the stock, and writes on a
 * command from standard input, even if it lost the lock meanwhile. Prints one line per step.
 */
// Only this script's own lines may appear on standard output.
log.level = 'silent';
const [saleId = '', userId = ''] = process.argv.slice(2);
const say = (what: object) => process.stdout.write(`${JSON.stringify(what)}\n`);

/** On a busy machine they may be too slow for a moment. */
async function lockServersInTime(): ReturnType<typeof lockServers> {
  for (;;) {
    try {
      return await lockServers();
    } catch (error) {
      if (!isOutage(error)) throw error;
      await delay(50);
    }
  }
}

const options = { ttlMs: 1_000, acquireTimeoutMs: 60_000, nodes: await lockServersInTime() };
await withLock(`purchase:${saleId}`, options, async (lock) => {
  const result = await purchaseWithin(lock, purchaseOf(saleId, userId), async () => {
    say({ step: 'read', fence: lock.fence });
    await once(process.stdin, 'data');
  });
  say({ step: 'answered', ...result });
});
await closeRedis();
process.stdin.destroy();
