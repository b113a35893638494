import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { createSaleFixture } from '@/lib/checkout/testing/sale-fixture';
import { closeDb } from '@/lib/db/client';
import { env } from '@/lib/env';
import { closeRedis } from '@/lib/redis/client';
import { bestOf } from '@/test/support/best-of';
import { LIMITS, type Limits } from './limits';
import { rawGet } from './testing/raw-get';
import { insistOnPurchase, sendPurchase, tokenFor } from './testing/send-purchase';
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
  it('[A6] while Redis hangs, one too many is told 503 at once; those before it get their answers', async () => {
    const proxy = await startStallableProxy(env().redisUrl);
    await start({ REDIS_URL: proxy.url, CACHE_REDIS_URL: proxy.url });
    const sale = await createSaleFixture({ total: 200 });
    const buy = (name: string) => sendPurchase(web.origin, sale, tokenFor(sale.saleId, name));
    const first = await insistOnPurchase(web.origin, sale, tokenFor(sale.saleId, 'first'));
    expect(first.status).toBe(202);

    let round = 0;
    const crowd = async () => {
      round += 1;
      proxy.stall();
      const from = performance.now();
      const asked = Array.from({ length: MAX_IN_FLIGHT + 1 }, (_, n) => buy(`user_${round}_${n}`));
      // All other requests hang until Redis is back.
      const refused = await Promise.race(asked);
      const tookMs = performance.now() - from;
      proxy.resume();
      const answers = await Promise.all(asked);
      // On a machine that stood still so long, the others have given up waiting for Redis.
      if (tookMs >= 1_000) return tookMs;
      expect(refused).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE', retryAfterMs: 1_000 } });
      expect(refused.raw.headers['retry-after']).toBe('1');
      expect(refused.raw.headers['content-type']).toBe('application/problem+json');
      const bought = answers.filter(({ status }) => status === 202).length;
      return bought === MAX_IN_FLIGHT ? tookMs : Number.POSITIVE_INFINITY;
    };
    expect(await bestOf(1_000, crowd)).toBeLessThan(1_000);
    await expect.poll(async () => (await buy('afterwards')).status).toBe(202);
    await web.stop();
    await proxy.stop();
  });

  it('[A6] what Next is slow to answer has limits of its own: purchases go on', async () => {
    await start({}, { line: { ...LIMITS.line, atOnce: 3, waiting: 5 } });
    const sale = await createSaleFixture({ total: 100 });
    const stuck = Array.from({ length: 8 }, () => rawGet(`${web.origin}/never`).catch(() => null));
    await vi.waitFor(async () => {
      const { status, headers } = await rawGet(`${web.origin}/small`);
      expect(status).toBe(503);
      expect(headers['retry-after']).toBe('1');
    }, 60_000);
    expect((await insistOnPurchase(web.origin, sale, tokenFor(sale.saleId, 'user'))).status).toBe(202);
    await web.stop();
    await Promise.all(stuck);
  });
});
