import { Cluster, Redis } from 'ioredis';
import { afterAll, expect, it } from 'vitest';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { runScript } from '@/lib/redis/run-script';
import { parseRedisUrl } from '@/lib/redis-address.mjs';
import { confirmStock } from './confirm-stock';
import { purchaseKeys } from './purchase-together';
import { readStock } from './read-stock';
import { releaseStock } from './release-stock';
import { openSale, purchaseOf } from './testing/open-sale';
import { readAllBuyers } from './testing/read-all-buyers';

const USERS = 2_000;
const UNITS = 100;
const { kind, hosts } = parseRedisUrl(process.env.REDIS_URL ?? '');
const connections = Array.from({ length: 8 }, () =>
  kind === 'cluster'
    ? new Cluster(hosts)
    : new Redis(process.env.REDIS_URL ?? '', { enableAutoPipelining: true }),
);

afterAll(async () => {
  await Promise.all([closeRedis(), ...connections.map((redis) => redis.quit())]);
});

it('[C1] 2,000 users race for 100 units over 8 connections, everyone twice: 100 get one each', async () => {
  const saleId = await openSale({ total: UNITS });
  const saleKeys = purchaseKeys(saleId);
  const purchases = Array.from({ length: USERS }, (_, i) => purchaseOf(saleId, `user_${i}`));
  const ask = async (connection: number, i: number) => {
    const redis = connections[connection % connections.length];
    const purchase = purchases[i % USERS];
    if (!redis || !purchase) throw new Error('out of range');
    const { epoch, gate, userId, jti, orderNo, quantity } = purchase;
    const reply = await runScript(redis, 'purchase-3-n', saleKeys, [
      epoch,
      `${gate} ${userId} ${jti},${orderNo},${quantity} 0`,
    ]);
    return { userId, orderNo, reply };
  };
  // The second call goes over another connection, so that it may overtake the first.
  const replies = await Promise.all(
    Array.from({ length: 2 * USERS }, (_, i) => ask(i + Math.floor(i / USERS), i)),
  );

  const count = (status: string) => replies.filter(({ reply }) => reply[0] === status).length;
  expect([count('accepted'), count('replayed'), count('sold_out')]).toEqual([
    UNITS,
    UNITS,
    2 * (USERS - UNITS),
  ]);
  const orderNos = new Map(
    replies.flatMap(({ userId, orderNo, reply }) => (reply[0] === 'accepted' ? [[userId, orderNo]] : [])),
  );
  for (const { userId, reply } of replies) {
    if (reply[0] === 'replayed') expect(reply[1]).toBe(orderNos.get(userId));
  }
  expect(await readStock(saleId)).toMatchObject({ available: 0, held: UNITS, sold: 0 });
  const outbox = await stockRedis().xrange(keys.outbox(saleId), '-', '+');
  expect(outbox.map(([, fields]) => fields[1]).sort()).toEqual([...orderNos.values()].sort());
  expect([...(await readAllBuyers(saleId)).keys()].sort()).toEqual([...orderNos.keys()].sort());
});

it('[C6] confirm and release of the same orders race, each twice: every unit ends in one place', async () => {
  const saleId = await openSale({ total: UNITS });
  const purchases = Array.from({ length: UNITS }, (_, i) => purchaseOf(saleId, `user_${i}`));
  await Promise.all(
    purchases.map((p) => stockRedis().hset(keys.buyers(saleId), p.userId, `${p.jti},${p.orderNo},1,h`)),
  );
  await stockRedis().hset(keys.sale(saleId), { available: 0, held: UNITS });

  const outcomes = await Promise.all(
    purchases.flatMap((order, i) => {
      const verbs = i % 2 === 0 ? [confirmStock, releaseStock] : [releaseStock, confirmStock];
      return [...verbs, ...verbs].map(async (verb) => (await verb(order)).status);
    }),
  );
  const count = (status: string) => outcomes.filter((outcome) => outcome === status).length;
  expect(count('confirmed') + count('released')).toBe(UNITS);
  expect(count('already_confirmed') + count('already_released')).toBe(3 * UNITS);
  expect(await readStock(saleId)).toMatchObject({
    available: count('released'),
    held: 0,
    sold: count('confirmed'),
    total: UNITS,
  });
});
