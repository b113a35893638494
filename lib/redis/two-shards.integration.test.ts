import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isOutage } from '@/lib/errors/is-outage';
import { startCluster, type TestCluster } from '@/test/support/start-cluster';
import { startStopwatch } from '@/test/support/stopwatch';
import { closeRedis, stockRedis } from './client';

const NODE_TIMEOUT_MS = 6_000;

let cluster: TestCluster;

beforeAll(async () => {
  // A shard closes itself when it has not heard of the other for that long: not while the machine stands still.
  cluster = await startCluster({ primaries: 2, settings: { 'cluster-node-timeout': NODE_TIMEOUT_MS } });
  process.env.REDIS_URL = cluster.url;
});
afterAll(async () => {
  await closeRedis();
  await cluster.stop();
});

/** Returns a key that the given primary holds. */
function keyOn(primary: number): string {
  for (let n = 0; ; n += 1) if (cluster.holderOf(`other:${n}`) === primary) return `other:${n}`;
}

it('[K1] a slot that moves fails no command, whatever leaves in the same turn', async () => {
  const [moving = '', ...beside] = Array.from({ length: 40 }, (_, n) => `key:${n}`).filter(
    (key) => cluster.holderOf(key) === 0,
  );
  let isMoved = false;
  const moved = delay(100)
    .then(() => cluster.moveSlot(moving, 1))
    .finally(() => {
      isMoved = true;
    });
  while (!isMoved) {
    const replies = await Promise.all([moving, ...beside].map((key) => stockRedis().incr(key)));
    expect(new Set(replies).size).toBe(1);
  }
  await moved;
  const replies = await Promise.all([moving, ...beside].map((key) => stockRedis().incr(key)));
  expect(new Set(replies).size).toBe(1);
});

it('[K1] with two shards nobody elects a primary; once one is named, both shards answer as soon as they may', async () => {
  const [lost, left] = [keyOn(1), keyOn(0)];
  const set = (key: string) =>
    stockRedis()
      .set(key, '1')
      .catch((error: unknown) => error);
  expect([await set(lost), await set(left)]).toEqual(['OK', 'OK']);
  await cluster.kill(1);
  // The one that is left has no majority, and closes itself.
  await expect.poll(() => set(left)).not.toBe('OK');
  const errors = await Promise.all([set(lost), set(left)]);
  expect(errors.map(isOutage)).toEqual([true, true]);
  await delay(NODE_TIMEOUT_MS + 1_000);
  expect(await cluster.admin(3).info('replication')).toMatch(/role:slave/);
  await cluster.admin(3).cluster('FAILOVER', 'TAKEOVER');
  // A primary that was in the minority waits for the node timeout before it takes writes again.
  await expect.poll(() => cluster.admin(0).cluster('INFO'), { interval: 20 }).toContain('cluster_state:ok');
  const took = startStopwatch();
  for (const key of [lost, left]) while ((await set(key)) !== 'OK') await delay(20);
  expect(took()).toBeLessThan(2_000);
});
