import { afterAll, describe, expect, it, vi } from 'vitest';
import { createOrderNoSource } from '@/lib/ids/order-no';
import { cacheRedis, closeRedis } from '@/lib/redis/client';
import { keepOrigins, readOrderOrigins } from './origins';

afterAll(closeRedis);

/** Makes order numbers of orders this far apart, all in one second of the year 2030 or later. */
function orderNosAt(...atMs: number[]): string[] {
  let now = 0;
  const { next } = createOrderNoSource({ workerId: 31, now: () => now });
  return atMs.map((ms) => {
    now = 1_900_000_000_000 + ms;
    return String(next(7));
  });
}

describe('where an order was bought from', () => {
  it('[G12] is told again for each order, and nothing for those nobody kept', async () => {
    const [first, alike, later, unknown] = orderNosAt(0, 1, 90_000, 90_001) as [
      string,
      string,
      string,
      string,
    ];
    await keepOrigins([
      { orderNo: first, ip: '192.0.2.1', device: 'dev_a' },
      { orderNo: later, ip: '2001:db8::/64', device: '' },
    ]);
    await keepOrigins([{ orderNo: alike, ip: '', device: 'dev_b' }]);
    expect(await readOrderOrigins([later, unknown, first, alike])).toEqual([
      { ip: '2001:db8::/64', device: '' },
      { ip: '', device: '' },
      { ip: '192.0.2.1', device: 'dev_a' },
      { ip: '', device: 'dev_b' },
    ]);
  });

  it('[G12] takes two commands for the orders of one moment, and goes after eight days', async () => {
    const redis = cacheRedis();
    const [hset, expire] = [vi.spyOn(redis, 'hset'), vi.spyOn(redis, 'expire')];
    const orderNos = orderNosAt(...Array.from({ length: 400 }, () => 500_000));
    await keepOrigins(orderNos.map((orderNo) => ({ orderNo, ip: '192.0.2.2', device: 'dev_c' })));
    expect([hset.mock.calls.length, expire.mock.calls.length]).toEqual([1, 1]);
    const ttl = await redis.ttl(String(expire.mock.calls[0]?.[0]));
    expect(ttl).toBeGreaterThan(8 * 86_400 - 60);
    expect(ttl).toBeLessThanOrEqual(8 * 86_400);
  });
});
