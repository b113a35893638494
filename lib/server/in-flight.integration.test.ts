import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { closeDb } from '@/lib/db/client';
import { env } from '@/lib/env';
import { createSaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { eventually } from '@/test/support/eventually';
import { LIMITS, type Limits } from './limits';
import { rawGet } from './testing/raw-get';
import { sendPurchase, tokenFor } from './testing/send-purchase';
import { startStallableProxy } from './testing/stallable-proxy';
import { type FastPathProcess, startFastPath } from './testing/start-fast-path';

const MAX_IN_FLIGHT = 20;

let web: FastPathProcess;
afterEach(() => web.stop());
afterAll(() => Promise.all([closeRedis(), closeDb()]));

const start = async (more: Record<string, string> = {}, further: Partial<Limits> = {}) => {
  const limits = { maxInFlight: MAX_IN_FLIGHT, ...further };
  web = await startFastPath({ script: 'limited-process.ts', args: [JSON.stringify(limits)], env: more });
};

describe('requests in flight', () => {
  it('[A6] while Redis hangs, one too many is told 503 before those that wait; those before it get their answers', async () => {
    const proxy = await startStallableProxy(env().redisUrl);
    await start({ REDIS_URL: proxy.url, CACHE_REDIS_URL: proxy.url });
    const sale = await createSaleFixture({ total: 100 });
    const buy = (name: string) => sendPurchase(web.origin, sale, tokenFor(sale.saleId, name));
    expect((await buy('first')).status).toBe(202);

    proxy.stall();
    const asked = Array.from({ length: MAX_IN_FLIGHT + 1 }, (_, n) => buy(`user_${n}`));
    // All other requests hang until Redis is back.
    const refused = await Promise.race(asked);
    expect(refused).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE', retryAfterMs: 1_000 } });
    expect(refused.raw.headers['retry-after']).toBe('1');
    expect(refused.raw.headers['content-type']).toBe('application/problem+json');

    proxy.resume();
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 202)).toHaveLength(MAX_IN_FLIGHT);
    expect((await buy('afterwards')).status).toBe(202);
    await web.stop();
    await proxy.stop();
  });

  it('[A6] what Next is slow to answer has limits of its own: purchases go on', async () => {
    await start({}, { next: { ...LIMITS.next, atOnce: 3, waiting: 5 } });
    const sale = await createSaleFixture({ total: 100 });
    const stuck = Array.from({ length: 8 }, () => rawGet(`${web.origin}/never`).catch(() => null));
    await eventually(async () => {
      const { status, headers } = await rawGet(`${web.origin}/small`);
      expect(status).toBe(503);
      expect(headers['retry-after']).toBe('1');
    });
    // A browser that opens a page gets one: the policy for other answers would forbid its style.
    const { status, headers, body } = await rawGet(`${web.origin}/small`, { accept: 'text/html' });
    expect([status, headers['content-type']]).toEqual([503, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(body.toString()).toContain('this page tries again by itself');
    expect((await sendPurchase(web.origin, sale, tokenFor(sale.saleId, 'user'))).status).toBe(202);
    await web.stop();
    await Promise.all(stuck);
  });
});
