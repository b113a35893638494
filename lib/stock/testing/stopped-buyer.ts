import { once } from 'node:events';
import { log } from '@/lib/http/log';
import { lockServers } from '@/lib/lock/lock-servers';
import { withLock } from '@/lib/lock/with-lock';
import { closeRedis } from '@/lib/redis/client';
import { purchaseWithin } from '../purchase-under-lock';
import { purchaseOf } from './open-sale';

/**
 * A buyer in a process of its own, whose lock lasts 300 ms. It reports when it has read the stock, and writes on a
 * command from standard input, even if it lost the lock meanwhile. Prints one line per step.
 */
// Only this script's own lines may appear on standard output.
log.level = 'silent';
const [saleId = '', userId = ''] = process.argv.slice(2);
const say = (what: object) => process.stdout.write(`${JSON.stringify(what)}\n`);

const options = { ttlMs: 300, nodes: await lockServers() };
await withLock(`purchase:${saleId}`, options, async (lock) => {
  const result = await purchaseWithin(lock, purchaseOf(saleId, userId), async () => {
    say({ step: 'read', fence: lock.fence });
    await once(process.stdin, 'data');
  });
  say({ step: 'answered', ...result });
});
await closeRedis();
process.stdin.destroy();
